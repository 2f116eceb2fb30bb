/* svg.c -- writes a picture of a memory plan: the lifetimes of its tensors; see forms.h. */
#include "commands/memory/forms.h"

#include "table/file_text.h"

enum { LEFT = 90, TOP = 50, WIDTH = 1100, HEIGHT = 420, GAP = 90, LEAST_TEXT = 60, LEAST_ROW = 11 };

static const char style[] =
	"<style>text{font:11px sans-serif;fill:#222}rect.box{stroke:#fff;stroke-width:.5}"
	"rect.box:hover{stroke:#000;stroke-width:2}.intermediate{fill:#5b8ff9}.input{fill:#61d9a5}"
	".output{fill:#f6bd16}.both{fill:#a0c83c}.state{fill:#b6a2de}.peak{stroke:#d23;stroke-"
	"width:2;"
	"stroke-dasharray:5 "
	"3;pointer-events:none}.axis{stroke:#888;stroke-width:1}.plan{stroke:#222;stroke-width:1;"
	"stroke-dasharray:2 2}</style>\n";

/* Escapes text for XML. etc_view_clean() replaces unprintable characters first. */
static void xml(struct etc_str s, struct etc_text *out)
{
	struct etc_text clean = { 0 };

	etc_view_clean(s, &clean);
	for (size_t i = 0; i < clean.len; i++) {
		char c = clean.ptr[i];

		if (c == '&')
			etc_text_cstr(out, "&amp;");
		else if (c == '<')
			etc_text_cstr(out, "&lt;");
		else if (c == '>')
			etc_text_cstr(out, "&gt;");
		else if (c == '"')
			etc_text_cstr(out, "&quot;");
		else
			etc_text_char(out, c);
	}
	etc_text_release(&clean);
}

static const char *class_of(uint8_t kind)
{
	static const char *const classes[] = {
		[ETC_LIFETIME_INTERMEDIATE] = "intermediate",
		[ETC_LIFETIME_INPUT] = "input",
		[ETC_LIFETIME_OUTPUT] = "output",
		[ETC_LIFETIME_INPUT_OUTPUT] = "both",
		[ETC_LIFETIME_STATE] = "state",
	};

	return classes[kind];
}

/* Returns the x coordinate of a step. Step -1 is the first column of the picture. */
static double column(int32_t step, int32_t steps)
{
	return LEFT + (double)WIDTH * (step + 1) / (steps + 1);
}

static double row(uint64_t byte, uint64_t bytes, double base)
{
	return base - (double)HEIGHT * (double)byte / (double)bytes;
}

static void box(const struct etc_program_method *m, const struct etc_lifetime *g, int32_t steps,
                uint64_t bytes, double base, struct etc_text *out)
{
	const struct etc_evalue_tensor *t = m->values[g->values[0]].tensor;
	double x = column(g->first, steps), w = column(g->last + 1, steps) - x;
	double y = row(g->offset + g->bytes, bytes, base), h = row(g->offset, bytes, base) - y;
	struct etc_text name = { 0 };

	etc_view_memory_name(m, g, &name);
	etc_text_printf(out,
	                "<g><rect class=\"box %s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
	                "height=\"%.2f\"><title>",
	                class_of(g->kind), x, y, w, h);
	xml(etc_text_str(&name), out);
	etc_text_cstr(out, "&#10;");
	etc_view_type_and_sizes(t->scalar_type, t->sizes, out);
	etc_text_printf(out,
	                "&#10;%llu bytes at %llu of memory %lu&#10;steps %ld to %ld, %s&#10;value",
	                (unsigned long long)g->bytes, (unsigned long long)g->offset,
	                (unsigned long)g->memory_id, (long)g->first, (long)g->last,
	                etc_lifetime_kind_text(g->kind));
	for (uint32_t i = 0; i < g->value_count && i < 16; i++)
		etc_text_printf(out, " %lu", (unsigned long)g->values[i]);
	etc_text_cstr(out, "</title></rect>");
	if (w > LEAST_TEXT && h > LEAST_ROW) {
		size_t room = (size_t)(w / 6.2);

		etc_text_printf(out, "<text x=\"%.2f\" y=\"%.2f\" pointer-events=\"none\">", x + 3,
		                y + h / 2 + 4);
		xml(etc_str_sub(etc_text_str(&name), 0, room), out);
		etc_text_cstr(out, "</text>");
	}
	etc_text_cstr(out, "</g>\n");
	etc_text_release(&name);
}

static void axes(const struct etc_memory *memory, int32_t steps, uint64_t bytes, double base,
                 struct etc_text *out)
{
	enum { TICKS = 8 };

	etc_text_printf(out,
	                "<path class=\"axis\" fill=\"none\" d=\"M%d %.2fV%.2fH%d\"/>\n"
	                "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%llu</text>\n"
	                "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">0</text>\n",
	                LEFT, base - HEIGHT, base, LEFT + WIDTH, LEFT - 6, base - HEIGHT + 4,
	                (unsigned long long)bytes, LEFT - 6, base);
	for (int32_t i = 0; i <= TICKS && i <= steps; i++) {
		int32_t step = steps > TICKS ? (int32_t)((int64_t)(steps - 1) * i / TICKS) : i;

		if (step < steps)
			etc_text_printf(out,
			                "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%ld"
			                "</text>\n",
			                (column(step, steps) + column(step + 1, steps)) / 2,
			                base + 14, (long)step);
	}
	if (memory->declared && memory->planned < bytes)
		etc_text_printf(out,
		                "<line class=\"plan\" x1=\"%d\" x2=\"%d\" y1=\"%.2f\" "
		                "y2=\"%.2f\"/>\n",
		                LEFT, LEFT + WIDTH, row(memory->planned, bytes, base),
		                row(memory->planned, bytes, base));
}

static void draw(const struct etc_memory_method *m, const struct etc_memory *memory, double top,
                 struct etc_text *out)
{
	uint64_t bytes =
		memory->planned > memory->max_extent ? memory->planned : memory->max_extent;
	int32_t steps = m->lifetimes.steps;
	double base = top + HEIGHT;

	bytes = bytes ? bytes : 1;
	etc_text_printf(out, "<text x=\"%d\" y=\"%.2f\" font-weight=\"bold\">", LEFT, top - 14);
	xml(m->method->name, out);
	etc_text_printf(out,
	                ", memory %lu: %llu bytes planned, live at most %llu at step %ld</text>\n",
	                (unsigned long)memory->id, (unsigned long long)memory->planned,
	                (unsigned long long)memory->peak_bytes, (long)memory->peak_step);
	axes(memory, steps, bytes, base, out);
	for (uint32_t i = 0; i < m->lifetimes.group_count && !out->failed; i++)
		if (m->lifetimes.groups[i].memory_id == memory->id)
			box(m->method, &m->lifetimes.groups[i], steps, bytes, base, out);
	if (memory->peak_step >= 0)
		etc_text_printf(out,
		                "<line class=\"peak\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" "
		                "y2=\"%.2f\"/>\n",
		                column(memory->peak_step, steps) + 1,
		                column(memory->peak_step, steps) + 1, top - 6, base);
}

void etc_memory_put_svg(void *what, struct etc_text *out)
{
	const struct etc_memory_plan *plan = what;
	uint32_t pictures = 0, drawn = 0;

	for (uint32_t i = 0; i < plan->method_count; i++)
		pictures += plan->methods[i].timeline.memory_count;
	etc_text_printf(out,
	                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%llu\" "
	                "viewBox=\"0 0 %d %llu\">\n",
	                LEFT + WIDTH + 30,
	                (unsigned long long)TOP + (unsigned long long)pictures * (HEIGHT + GAP),
	                LEFT + WIDTH + 30,
	                (unsigned long long)TOP + (unsigned long long)pictures * (HEIGHT + GAP));
	etc_text_cstr(out, style);
	etc_text_cstr(out, "<title>");
	xml(plan->path, out);
	etc_text_cstr(out, "</title>\n");
	for (uint32_t i = 0; i < plan->method_count && !out->failed; i++)
		for (uint32_t k = 0; k < plan->methods[i].timeline.memory_count; k++)
			draw(&plan->methods[i], &plan->methods[i].timeline.memories[k],
			     TOP + (double)drawn++ * (HEIGHT + GAP), out);
	etc_text_cstr(out, "</svg>\n");
}
