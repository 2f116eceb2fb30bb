/* screen.c -- writes the text report; see screen.h. */
#include "commands/memory/forms.h"

#include <stdio.h>

#include "table/file_text.h"

enum { NAME_WIDTH = 34, LEAST_NAME = 14, LEAST_PICTURE = 20, PICTURE = 50 };

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

/* Writes the group's name, padded or truncated to exactly `columns` columns. */
static void padded(const struct etc_program_method *m, const struct etc_lifetime *g,
                   uint32_t columns, bool ascii, struct etc_text *out)
{
	struct etc_text name = { 0 };
	struct etc_str s;
	size_t at = 0, cut = 0, width;

	etc_view_memory_name(m, g, &name);
	s = (struct etc_str){ name.ptr, name.len };
	width = etc_utf8_width(s);
	while (width > columns && at < s.len) {
		(void)etc_utf8_next(s, &at);
		if (etc_utf8_width(etc_str_sub(s, 0, at)) >= columns - 1)
			break;
		cut = at;
	}
	if (width > columns) {
		s = etc_str_sub(s, 0, cut);
		etc_text_put(out, s);
		etc_text_cstr(out, ascii ? "~" : "…");
		width = etc_utf8_width(s) + 1;
	} else {
		etc_text_put(out, s);
	}
	for (; width < columns; width++)
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

/* Finds the next item when `count` items are ordered by size, the largest first; items of equal
 * size are ordered by index. *at and *bytes are index and size of the current item; they are set to
 * those of the next item. Returns false if there is no next item. `size` returns the size of an
 * item in *bytes, or false if the item is left out. */
static bool next_largest(uint32_t count, bool (*size)(const void *of, uint32_t i, uint64_t *bytes),
                         const void *of, int64_t *at, uint64_t *bytes)
{
	int64_t best = -1;
	uint64_t most = 0, b;

	for (uint32_t i = 0; i < count; i++) {
		if (!size(of, i, &b) || b > *bytes || (b == *bytes && (int64_t)i <= *at))
			continue;
		if (best < 0 || b > most) {
			best = i;
			most = b;
		}
	}
	if (best < 0)
		return false;
	*at = best;
	*bytes = most;
	return true;
}

static bool blob_size(const void *of, uint32_t i, uint64_t *bytes)
{
	*bytes = ((const struct etc_program_method *)of)->delegates[i].processed.len;
	return true;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0.0;
}

/* Lists the largest blobs of delegates, then the number and the total size of the other blobs. */
static void delegates(const struct etc_memory_plan *p, const struct etc_memory_method *m,
                      struct etc_text *out)
{
	uint32_t count = m->method->delegate_count, shown = 0;
	uint64_t bytes = UINT64_MAX, left = 0;
	int64_t at = -1;

	if (count == 0)
		return;
	for (uint32_t i = 0; i < count; i++)
		left += m->method->delegates[i].processed.len;
	etc_text_cstr(out, "\n  delegate blobs        bytes  of file  calls  backend\n");
	while (shown < p->largest && next_largest(count, blob_size, m->method, &at, &bytes)) {
		char index[16];

		snprintf(index, sizeof index, "[%ld]", (long)at);
		etc_text_printf(out, "  %-14s %10llu  %5.1f %%  %5lu  ", index,
		                (unsigned long long)bytes, percent(bytes, p->sizes.file),
		                (unsigned long)m->delegate_calls[at]);
		etc_view_clean(m->method->delegates[at].backend, out);
		etc_text_char(out, '\n');
		left -= bytes;
		shown++;
	}
	if (shown < count)
		etc_text_printf(out, "  and %lu more, %llu bytes, %.1f %% of the file: --top 0\n",
		                (unsigned long)(count - shown), (unsigned long long)left,
		                percent(left, p->sizes.file));
}

/* ---- one memory ---------------------------------------------------------------------- */

static void memory_line(const struct etc_memory_method *m, const struct etc_memory *memory,
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

/* A memory of a method. The screen lists what is in this memory when the most bytes are in use (at
 * memory->peak_step). */
struct peak {
	const struct etc_memory_plan *plan;
	const struct etc_memory_method *method;
	const struct etc_memory *memory;
};

static bool holder_size(const void *of, uint32_t i, uint64_t *bytes)
{
	const struct peak *at = of;
	const struct etc_lifetime *g = &at->method->lifetimes.groups[i];

	*bytes = g->bytes;
	return g->memory_id == at->memory->id && alive(g, at->memory->peak_step);
}

/* Which columns fit, in addition to the size and the share. `name` is the width of the column of
 * names. */
struct columns {
	uint32_t name;
	bool offset, alive, shape;
};

enum { FIXED = 24, OFFSET = 13, ALIVE = 15, GAP = 2 };

static const struct etc_evalue_tensor *tensor(const struct peak *p, int64_t group)
{
	return p->method->method->values[p->method->lifetimes.groups[group].values[0]].tensor;
}

/* Returns the width, in characters, of the widest shape among the first `count` groups. */
static uint32_t widest_shape(const struct peak *p, uint32_t count)
{
	uint64_t bytes = UINT64_MAX;
	size_t widest = sizeof "shape";
	struct etc_text t = { 0 };
	int64_t at = -1;

	while (count-- &&
	       next_largest(p->method->lifetimes.group_count, holder_size, p, &at, &bytes)) {
		const struct etc_evalue_tensor *shown = tensor(p, at);

		t.len = 0;
		etc_view_type_and_sizes(shown->scalar_type, shown->sizes, &t);
		widest = t.len > widest ? t.len : widest;
	}
	etc_text_release(&t);
	return (uint32_t)widest;
}

/* Chooses the columns that fit into the terminal. If there are too many, columns are reduced in
 * this order: the offset is omitted, names are shortened, lifetimes are omitted, the shape is
 * omitted. If the terminal is narrower still, lines wrap. */
static struct columns columns_for(const struct peak *p)
{
	struct columns c = { NAME_WIDTH, true, true, true };
	uint32_t width = p->plan->width, shape = GAP + widest_shape(p, p->plan->largest);
	uint32_t least = FIXED + LEAST_NAME, used;

	if (!width)
		return c;
	c.offset = width >= FIXED + NAME_WIDTH + OFFSET + ALIVE + shape;
	c.shape = width >= least + shape;
	c.alive = width >= least + ALIVE + (c.shape ? shape : 0);
	used = FIXED + (c.shape ? shape : 0);
	used += c.offset ? OFFSET : 0;
	used += c.alive ? ALIVE : 0;
	if (used + NAME_WIDTH > width)
		c.name = width > used + LEAST_NAME ? width - used : LEAST_NAME;
	return c;
}

static void holder(const struct peak *p, int64_t group, uint64_t all, const struct columns *c,
                   struct etc_text *out)
{
	const struct etc_lifetime *g = &p->method->lifetimes.groups[group];
	char from[16];

	snprintf(from, sizeof from, g->first < 0 ? "start" : "%ld", (long)g->first);
	etc_text_cstr(out, "  ");
	padded(p->method->method, g, c->name, p->plan->ascii, out);
	etc_text_printf(out, " %12llu  %5.1f %%", (unsigned long long)g->bytes,
	                percent(g->bytes, all));
	if (c->offset)
		etc_text_printf(out, "  %11llu", (unsigned long long)g->offset);
	if (c->alive)
		etc_text_printf(out, "  %5s to %-5ld", from, (long)g->last);
	if (c->shape) {
		etc_text_cstr(out, c->alive ? " " : "  ");
		etc_view_type_and_sizes(tensor(p, group)->scalar_type, tensor(p, group)->sizes,
		                        out);
	}
	etc_text_char(out, '\n');
}

static void holders_head(const struct columns *c, struct etc_text *out)
{
	static const char what[] = "what holds the peak", brief[] = "at the peak";

	etc_text_printf(out, "  %-*s %12s   share", (int)c->name,
	                c->name < sizeof what ? brief : what, "bytes");
	etc_text_cstr(out, c->offset ? "        offset" : c->alive || c->shape ? " " : "");
	etc_text_cstr(out, c->alive ? "  alive         " : "");
	etc_text_cstr(out, !c->shape ? "" : c->alive ? " shape" : "  shape");
	etc_text_char(out, '\n');
}

static void holders(const struct peak *p, struct etc_text *out)
{
	const struct etc_memory_point *at = etc_memory_at(p->memory, p->memory->peak_step);
	struct columns c = columns_for(p);
	uint64_t bytes = UINT64_MAX, left;
	int64_t group = -1;
	uint32_t shown = 0;

	if (!at)
		return;
	left = at->bytes;
	holders_head(&c, out);
	while (shown < p->plan->largest &&
	       next_largest(p->method->lifetimes.group_count, holder_size, p, &group, &bytes)) {
		holder(p, group, at->bytes, &c, out);
		left -= bytes;
		shown++;
	}
	if (shown < at->live)
		etc_text_printf(out, "  and %lu more, %llu bytes, %.1f %% of the peak: --top 0\n",
		                (unsigned long)(at->live - shown), (unsigned long long)left,
		                percent(left, at->bytes));
	if (!c.offset)
		etc_text_printf(out,
		                "  (%s left out to fit %lu; a wider terminal or -o json has %s)\n",
		                c.alive && c.shape ? "offset"
		                : c.alive          ? "offset and shape"
		                : c.shape          ? "offset and lifetime"
		                                   : "offset, lifetime and shape",
		                (unsigned long)p->plan->width, c.alive && c.shape ? "it" : "them");
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

enum { LIFETIME = 16 }; /* terminal columns of a line without its name and picture */

static void picture(const struct etc_memory_plan *plan, const struct etc_memory_method *m,
                    struct etc_text *out)
{
	const struct etc_lifetimes *l = &m->lifetimes;
	uint32_t name = NAME_WIDTH, columns = PICTURE;
	uint32_t shown = l->group_count < plan->top ? l->group_count : plan->top;

	if (!shown || !l->steps)
		return;
	if (plan->width) {
		if (plan->width < NAME_WIDTH + LIFETIME + LEAST_PICTURE)
			name = plan->width > LEAST_NAME + LIFETIME + LEAST_PICTURE
			               ? plan->width - LIFETIME - LEAST_PICTURE
			               : LEAST_NAME;
		columns = plan->width > name + LIFETIME ? plan->width - name - LIFETIME : 1;
	}
	columns = columns < (uint32_t)l->steps ? columns : (uint32_t)l->steps;
	etc_text_printf(out, "\n  %-*s %10s  step 0 to %ld\n", (int)name, "alive", "bytes",
	                (long)l->steps - 1);
	for (uint32_t i = 0; i < shown && !out->failed; i++) {
		etc_text_cstr(out, "  ");
		padded(m->method, &l->groups[i], name, plan->ascii, out);
		etc_text_printf(out, " %10llu  ", (unsigned long long)l->groups[i].bytes);
		bar(&l->groups[i], l->steps, columns, plan->ascii, out);
		etc_text_char(out, '\n');
	}
	if (shown < l->group_count)
		etc_text_printf(out, "  and %lu more: --top 0\n",
		                (unsigned long)(l->group_count - shown));
}

/* If the method has jumps, writes the rules by which lifetimes inside control flow were computed.
 * The rules are needed because ExecuTorch's planner treats control flow as a single node. */
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
		"  %lu jump%s: in the bodies of control flow a tensor lives from its "
		"definition (R3: a move defines\n  what it moves to) to its last mention (R7)",
		(unsigned long)jumps, etc_plural(jumps));
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
		                "  %lu argument%s of delegates taken as their outputs: the program "
		                "does not say\n",
		                (unsigned long)l->assumed_outputs, etc_plural(l->assumed_outputs));
	if (l->unmentioned_count)
		etc_text_printf(out, "  %lu planned value%s used by no instruction\n",
		                (unsigned long)l->unmentioned_count,
		                etc_plural(l->unmentioned_count));
	if (l->unsized)
		etc_text_printf(out, "  %lu tensor%s of types without whole bytes, counted as 0\n",
		                (unsigned long)l->unsized, etc_plural(l->unsized));
}

void etc_memory_put_text(void *what, struct etc_text *out)
{
	const struct etc_memory_plan *plan = what;

	if (plan->program)
		sizes(plan, out);
	for (uint32_t i = 0; i < plan->method_count && !out->failed; i++) {
		const struct etc_memory_method *m = &plan->methods[i];

		etc_text_char(out, '\n');
		etc_view_clean(m->method->name, out);
		etc_text_printf(out, "   %ld instruction%s, %lu value%s, %lu planned storage%s\n",
		                (long)m->lifetimes.steps, etc_plural((uint64_t)m->lifetimes.steps),
		                (unsigned long)m->method->value_count,
		                etc_plural(m->method->value_count),
		                (unsigned long)m->lifetimes.group_count,
		                etc_plural(m->lifetimes.group_count));
		delegates(plan, m, out);
		for (uint32_t k = 0; k < m->timeline.memory_count && !out->failed; k++) {
			struct peak p = { plan, m, &m->timeline.memories[k] };

			memory_line(m, p.memory, out);
			holders(&p, out);
		}
		picture(plan, m, out);
		remarks(m, out);
	}
	if (plan->program && plan->runs)
		etc_text_char(out, '\n');
	if (plan->runs)
		etc_view_memory_runs(plan->runs, out);
}
