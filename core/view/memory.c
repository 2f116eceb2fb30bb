/* memory.c -- see memory.h: the screen. */
#include "view/memory.h"

#include <stdio.h>

#include "view/dump_etdump.h"
#include "view/dump_program.h"

enum { NAME_WIDTH = 34, LEAST_PICTURE = 20, PICTURE = 50, HOLDERS = 10 };

/* ---- names ---------------------------------------------------------------------- */

struct etc_str etc_view_memory_step(const struct etc_program_method *m, int32_t step)
{
	const struct etc_instruction *n = etc_program_instruction(m, 0, step);

	if (!n)
		return ETC_STR("");
	switch (n->kind) {
	case ETC_INSTRUCTION_KERNEL:
		return m->operators[n->index].text;
	case ETC_INSTRUCTION_DELEGATE:
		return m->delegates[n->index].backend;
	case ETC_INSTRUCTION_MOVE:
		return ETC_STR("move");
	case ETC_INSTRUCTION_JUMP_FALSE:
		return ETC_STR("jump");
	case ETC_INSTRUCTION_FREE:
		return ETC_STR("free");
	default:
		return ETC_STR("unknown instruction");
	}
}

void etc_view_memory_name(const struct etc_program_method *m, const struct etc_lifetime *g,
                          struct etc_text *out)
{
	for (uint32_t i = 0; i < g->value_count; i++) {
		const struct etc_evalue_tensor *t = m->values[g->values[i]].tensor;

		if (t->name.len) {
			etc_view_clean(t->name, out);
			return;
		}
	}
	if (g->input >= 0)
		etc_text_printf(out, "input %ld", (long)g->input);
	else if (g->kind == ETC_LIFETIME_STATE)
		etc_text_printf(out, "state, value %lu", (unsigned long)g->values[0]);
	else if (g->first >= 0)
		etc_view_clean(etc_view_memory_step(m, g->first), out);
	else
		etc_text_printf(out, "value %lu", (unsigned long)g->values[0]);
}

/* A name of exactly NAME_WIDTH columns. */
static void padded(const struct etc_program_method *m, const struct etc_lifetime *g, bool ascii,
                   struct etc_text *out)
{
	struct etc_text name = { 0 };
	struct etc_str s;
	size_t at = 0, cut = 0, width;

	etc_view_memory_name(m, g, &name);
	s = (struct etc_str){ name.ptr, name.len };
	width = etc_utf8_width(s);
	while (width > NAME_WIDTH && at < s.len) {
		(void)etc_utf8_next(s, &at);
		if (etc_utf8_width(etc_str_sub(s, 0, at)) >= NAME_WIDTH - 1)
			break;
		cut = at;
	}
	if (width > NAME_WIDTH) {
		s = etc_str_sub(s, 0, cut);
		etc_text_put(out, s);
		etc_text_cstr(out, ascii ? "~" : "…");
		width = etc_utf8_width(s) + 1;
	} else {
		etc_text_put(out, s);
	}
	for (; width < NAME_WIDTH; width++)
		etc_text_char(out, ' ');
	etc_text_release(&name);
}

/* ---- the whole file --------------------------------------------------------------- */

static void part(const char *what, uint64_t bytes, uint32_t count, uint64_t file,
                 struct etc_text *out)
{
	if (!count)
		return;
	etc_text_printf(out, "  %-18s %14llu", what, (unsigned long long)bytes);
	if (file)
		etc_text_printf(out, "  %5.1f %%", 100 * (double)bytes / (double)file);
	else
		etc_text_cstr(out, "         ");
	etc_text_printf(out, "  %lu\n", (unsigned long)count);
}

static void sizes(const struct etc_memory_plan *p, struct etc_text *out)
{
	const struct etc_program_sizes *s = &p->sizes;

	etc_view_clean(p->path, out);
	etc_text_printf(out, "   %llu bytes\n", (unsigned long long)s->file);
	part("constants", s->constants, s->constant_count, s->file, out);
	part("initial states", s->initial, s->initial_count, s->file, out);
	part("delegate blobs", s->delegates, s->delegate_count, s->file, out);
	part("named data", s->named, s->named_count, s->file, out);
	part("external (.ptd)", s->external, s->external_count, 0, out);
	etc_text_printf(out, "  %-18s %14llu  %5.1f %%\n", "tables, padding",
	                (unsigned long long)s->rest,
	                s->file ? 100 * (double)s->rest / (double)s->file : 0.0);
}

static void delegates(const struct etc_memory_plan *p, const struct etc_memory_method *m,
                      struct etc_text *out)
{
	if (m->method->delegate_count == 0)
		return;
	etc_text_cstr(out, "\n  delegate blobs            bytes  of file  calls  backend\n");
	for (uint32_t i = 0; i < m->method->delegate_count && !out->failed; i++) {
		const struct etc_program_delegate *d = &m->method->delegates[i];

		etc_text_printf(out, "  [%lu]%*s %14llu  %5.1f %%  %5lu  ", (unsigned long)i,
		                i < 10 ? 11 : 8, "", (unsigned long long)d->processed.len,
		                p->sizes.file
		                        ? 100 * (double)d->processed.len / (double)p->sizes.file
		                        : 0.0,
		                (unsigned long)m->delegate_calls[i]);
		etc_view_clean(d->backend, out);
		etc_text_char(out, '\n');
	}
}

/* ---- one memory ---------------------------------------------------------------------- */

static void peak(const struct etc_memory_method *m, const struct etc_memory *memory,
                 struct etc_text *out)
{
	const struct etc_memory_point *p = etc_memory_at(memory, memory->peak_step);

	etc_text_printf(out, "\nmemory %lu   ", (unsigned long)memory->id);
	if (memory->declared)
		etc_text_printf(out, "%llu bytes", (unsigned long long)memory->planned);
	else
		etc_text_cstr(out, "not declared");
	for (uint32_t i = 0; i < m->method->device_count; i++)
		if (m->method->devices[i].memory_id == (int32_t)memory->id)
			etc_text_printf(out, " on device %d:%d", m->method->devices[i].type,
			                m->method->devices[i].index);
	if (!p) {
		etc_text_cstr(out, "   never used\n");
		return;
	}
	etc_text_printf(out, "   live at most %llu at step %ld, ",
	                (unsigned long long)memory->peak_bytes, (long)memory->peak_step);
	etc_view_clean(etc_view_memory_step(m->method, memory->peak_step), out);
	etc_text_printf(out, "   there %llu free below byte %llu",
	                (unsigned long long)(p->extent - p->covered),
	                (unsigned long long)p->extent);
	if (memory->declared && memory->max_extent > memory->planned)
		etc_text_printf(out, "\n  tensors end at byte %llu: beyond the memory",
		                (unsigned long long)memory->max_extent);
	etc_text_char(out, '\n');
}

static bool alive(const struct etc_lifetime *g, int32_t step)
{
	return g->first <= step && step <= g->last;
}

/* The largest group of the memory that is alive at `step` and comes after
 * `*shown` by size, then by place; false when there is none. */
static bool next_holder(const struct etc_lifetimes *l, const struct etc_memory *memory,
                        int64_t *shown, uint64_t *bytes)
{
	int64_t best = -1;

	for (uint32_t i = 0; i < l->group_count; i++) {
		const struct etc_lifetime *g = &l->groups[i];

		if (g->memory_id != memory->id || !alive(g, memory->peak_step) ||
		    g->bytes > *bytes || (g->bytes == *bytes && (int64_t)i <= *shown))
			continue;
		if (best < 0 || g->bytes > l->groups[best].bytes)
			best = i;
	}
	if (best < 0)
		return false;
	*shown = best;
	*bytes = l->groups[best].bytes;
	return true;
}

static void holders(const struct etc_memory_plan *plan, const struct etc_memory_method *m,
                    const struct etc_memory *memory, struct etc_text *out)
{
	const struct etc_memory_point *p = etc_memory_at(memory, memory->peak_step);
	uint64_t bytes = UINT64_MAX;
	int64_t at = -1;
	uint32_t shown = 0;

	if (!p)
		return;
	etc_text_cstr(out,
	              "  what holds the peak                       bytes   share        offset  "
	              "alive          shape\n");
	while (shown < HOLDERS && next_holder(&m->lifetimes, memory, &at, &bytes)) {
		const struct etc_lifetime *g = &m->lifetimes.groups[at];
		const struct etc_evalue_tensor *t = m->method->values[g->values[0]].tensor;
		char from[16];

		snprintf(from, sizeof from, g->first < 0 ? "start" : "%ld", (long)g->first);
		etc_text_cstr(out, "  ");
		padded(m->method, g, plan->ascii, out);
		etc_text_printf(out, " %12llu  %5.1f %%  %11llu  %5s to %-5ld ",
		                (unsigned long long)g->bytes,
		                p->bytes ? 100 * (double)g->bytes / (double)p->bytes : 0.0,
		                (unsigned long long)g->offset, from, (long)g->last);
		etc_view_type_and_sizes(t->scalar_type, t->sizes, out);
		etc_text_char(out, '\n');
		shown++;
	}
	if (shown < p->live)
		etc_text_printf(out, "  and %lu more\n", (unsigned long)(p->live - shown));
}

/* ---- the picture ------------------------------------------------------------------------ */

static void bar(const struct etc_lifetime *g, int32_t steps, uint32_t columns, bool ascii,
                struct etc_text *out)
{
	for (uint32_t c = 0; c < columns; c++) {
		int64_t low = (int64_t)c * steps / columns;
		int64_t high = ((int64_t)c + 1) * steps / columns;
		bool here = g->first < (high > low ? high : low + 1) && g->last >= low;

		if (ascii)
			etc_text_char(out, here ? '#' : '.');
		else
			etc_text_cstr(out, here ? "█" : "·");
	}
}

static void picture(const struct etc_memory_plan *plan, const struct etc_memory_method *m,
                    struct etc_text *out)
{
	const struct etc_lifetimes *l = &m->lifetimes;
	uint32_t columns = plan->width > NAME_WIDTH + 16 + LEAST_PICTURE
	                           ? plan->width - NAME_WIDTH - 16
	                           : PICTURE;
	uint32_t shown = l->group_count < plan->top ? l->group_count : plan->top;

	if (!shown || !l->steps)
		return;
	columns = columns < (uint32_t)l->steps ? columns : (uint32_t)l->steps;
	etc_text_printf(out, "\n  alive                                     bytes  step 0 to %ld\n",
	                (long)l->steps - 1);
	for (uint32_t i = 0; i < shown && !out->failed; i++) {
		etc_text_cstr(out, "  ");
		padded(m->method, &l->groups[i], plan->ascii, out);
		etc_text_printf(out, " %10llu  ", (unsigned long long)l->groups[i].bytes);
		bar(&l->groups[i], l->steps, columns, plan->ascii, out);
		etc_text_char(out, '\n');
	}
	if (shown < l->group_count)
		etc_text_printf(out, "  and %lu more: --top 0\n",
		                (unsigned long)(l->group_count - shown));
}

/* The planner sees one node there: which rules give the lifetimes is to be said. */
static void control_flow(const struct etc_program_method *m, struct etc_text *out)
{
	uint32_t jumps = 0, back = 0;

	for (uint32_t i = 0; m->chain_count && i < m->chains[0].count; i++) {
		const struct etc_instruction *n = &m->chains[0].instructions[i];

		if (n->kind != ETC_INSTRUCTION_JUMP_FALSE)
			continue;
		jumps++;
		back += n->index <= (int32_t)i;
	}
	if (!jumps)
		return;
	etc_text_printf(
		out,
		"  %lu jumps: in the bodies of control flow a tensor lives from its "
		"definition (R3: a move defines\n  what it moves to) to its last mention (R7)",
		(unsigned long)jumps);
	if (back)
		etc_text_printf(out,
		                "; %lu of them go back, and what was there before lives until "
		                "then (R8)",
		                (unsigned long)back);
	etc_text_char(out, '\n');
}

static void remarks(const struct etc_memory_method *m, struct etc_text *out)
{
	const struct etc_lifetimes *l = &m->lifetimes;

	control_flow(m->method, out);

	for (uint32_t i = 0; i < m->timeline.conflict_count; i++) {
		const struct etc_memory_conflict *c = &m->timeline.conflicts[i];

		etc_text_printf(out, "  groups %lu and %lu share bytes at steps %ld to %ld\n",
		                (unsigned long)c->a, (unsigned long)c->b, (long)c->first,
		                (long)c->last);
	}
	if (m->timeline.more_conflicts)
		etc_text_cstr(out, "  and more groups share bytes\n");
	if (l->assumed_outputs)
		etc_text_printf(out,
		                "  %lu arguments of delegates are taken as their outputs: "
		                "the program does not say\n",
		                (unsigned long)l->assumed_outputs);
	if (l->unmentioned_count)
		etc_text_printf(out, "  %lu planned values are used by no instruction\n",
		                (unsigned long)l->unmentioned_count);
	if (l->unsized)
		etc_text_printf(out, "  %lu tensors of types without whole bytes count as 0\n",
		                (unsigned long)l->unsized);
}

void etc_view_memory(const struct etc_memory_plan *plan, struct etc_text *out)
{
	if (plan->program)
		sizes(plan, out);
	for (uint32_t i = 0; i < plan->method_count && !out->failed; i++) {
		const struct etc_memory_method *m = &plan->methods[i];

		etc_text_char(out, '\n');
		etc_view_clean(m->method->name, out);
		etc_text_printf(out, "   %ld instructions, %lu values, %lu planned storages\n",
		                (long)m->lifetimes.steps, (unsigned long)m->method->value_count,
		                (unsigned long)m->lifetimes.group_count);
		delegates(plan, m, out);
		for (uint32_t k = 0; k < m->timeline.memory_count && !out->failed; k++) {
			peak(m, &m->timeline.memories[k], out);
			holders(plan, m, &m->timeline.memories[k], out);
		}
		picture(plan, m, out);
		remarks(m, out);
	}
	if (plan->program && plan->runs)
		etc_text_char(out, '\n');
	if (plan->runs)
		etc_view_memory_runs(plan->runs, out);
}
