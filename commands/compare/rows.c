/* rows.c -- makes the rows of a section; see compare_steps.h
 *
 * Single events are aligned, not rows. This is because events with the same name in one dump may
 * have different names in another dump. Each of these events still finds its match, and the row
 * keeps the name that it has in the first group. An event that no earlier dump has gets a row with
 * the event's own name. */
#include "commands/compare/compare_steps.h"

#include <stdlib.h>

#include "base/text.h"
#include "table/words.h"

enum { NAMES_SHOWN = 3 };

/* The kinds of an item, as bits in addition to ETC_ALIGN_DETACHED. align.c matches items of
 * different kinds only by node. */
enum kind { KIND_DELEGATE = 2, KIND_NATIVE = 4 };

/* The different events of the dumps that were read so far, one slot for each. `item` and `row` of a
 * slot describe the event in the first dump that has it. */
struct slots {
	struct etc_align_item *item;
	const struct etc_profile_row **row;
	uint32_t *to; /* 1 + index of the slot's row in the table; 0: the slot has no row yet */
	uint32_t count, room;
};

struct table {
	const struct etc_diff_maker *mk;
	struct slots slots;
	struct etc_map keys; /* maps a key to the index of its row; in scratch memory */
	/* for each group: some row certainly has a kernel for SME in this group */
	bool *sme;
	struct etc_diff_row *rows;
	uint32_t count, room;
};

/* Is `r` the row of all OPERATOR_CALLs? Its time is the time of the OPERATOR_CALLs without the
 * kernels inside them. */
static bool is_dispatch(const struct etc_profile_row *r)
{
	return !r->delegate && etc_str_eq(r->name, ETC_STR("OPERATOR_CALL"));
}

/* ---- events -------------------------------------------------------------------------- */

static struct etc_align_item item_of(const struct etc_profile_row *r)
{
	const struct etc_row_event *e = r->event;
	const struct etc_facts *f = r->facts;
	struct etc_align_item item = { .name = r->name, .op = r->name, .id = -1 };

	item.unit = r->unit;
	item.kind = (uint8_t)((r->delegate ? KIND_DELEGATE : 0) | (r->native ? KIND_NATIVE : 0) |
	                      (r->detached ? ETC_ALIGN_DETACHED : 0));
	item.category = r->category;
	if (!e || is_dispatch(r))
		return item;
	item.op = e->key[ETC_BY_OP];
	item.name = e->event->has_delegate_name && r->delegate ? etc_event_delegate_name(e->event)
	                                                       : item.op;
	item.chain = (int64_t)e->event->chain;
	item.instruction = e->event->instruction_id;
	item.id = e->event->delegate_id;
	item.place = e->place;
	if (!f)
		return item;
	item.canonical = f->canonical;
	item.operator_name = f->operator_name;
	item.kernel = f->kernel;
	return item;
}

/* Returns an item for a whole delegate. Its operator name is "delegate" without the instruction, so
 * that delegates of different instructions can be matched. */
static struct etc_align_item delegate_of(const struct etc_profile_row *r)
{
	struct etc_align_item item = item_of(r);
	struct etc_str prefix = ETC_STR("delegate");

	if (etc_str_starts(r->name, prefix))
		item.operator_name = prefix;
	return item;
}

static int by_place(const void *a, const void *b)
{
	const struct etc_profile_row *x = *(const struct etc_profile_row *const *)a;
	const struct etc_profile_row *y = *(const struct etc_profile_row *const *)b;

	if (x->first_event != y->first_event)
		return x->first_event < y->first_event ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* Lists the events of one path of a dump, in file order. */
static enum etc_status list_items(const struct table *t, uint32_t d, uint32_t path,
                                  const struct etc_profile_row ***rows,
                                  struct etc_align_item **items, uint32_t *count,
                                  struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_profile *p = t->mk->dumps[d].profile;
	size_t from, to;
	uint32_t n;

	etc_profile_rows(p, path, &from, &to);
	n = (uint32_t)(to - from);
	*rows = etc_new(t->mk->arena, const struct etc_profile_row *, n);
	*items = etc_new(arena, struct etc_align_item, n);
	ETC_NEED(*rows && *items, err);
	*count = n;
	for (uint32_t i = 0; i < n; i++)
		(*rows)[i] = &p->rows[from + i];
	if (n)
		qsort(*rows, n, sizeof **rows, by_place);
	for (uint32_t i = 0; i < n; i++)
		(*items)[i] =
			p->by == ETC_BY_DELEGATE ? delegate_of((*rows)[i]) : item_of((*rows)[i]);
	return ETC_OK;
}

static enum etc_status make_slots(struct table *t, uint32_t room, struct etc_error *err)
{
	struct slots *s = &t->slots;
	struct etc_align_item *items = etc_new(t->mk->arena, struct etc_align_item, room);
	const struct etc_profile_row **rows =
		etc_new(t->mk->arena, const struct etc_profile_row *, room);
	uint32_t *to = etc_new(t->mk->arena, uint32_t, room);

	ETC_NEED(items && rows && to, err);
	if (s->count) {
		memcpy(items, s->item, s->count * sizeof *items);
		memcpy(rows, s->row, s->count * sizeof *rows);
		memcpy(to, s->to, s->count * sizeof *to);
	}
	s->to = to;
	s->item = items;
	s->row = rows;
	s->room = room;
	return ETC_OK;
}

static enum etc_status add_slot(struct table *t, const struct etc_align_item *item,
                                const struct etc_profile_row *row, uint32_t *slot,
                                struct etc_error *err)
{
	struct slots *s = &t->slots;

	if (s->count == s->room)
		ETC_TRY(make_slots(t, s->room ? s->room * 2 : 8, err));
	s->item[s->count] = *item;
	s->row[s->count] = row;
	*slot = s->count++;
	return ETC_OK;
}

/* Makes the slots from the events of the first dump that has the section. Event i gets slot i, and
 * to[i] is set to i. */
static enum etc_status adopt_slots(struct table *t, struct etc_align_item *items,
                                   const struct etc_profile_row **rows, uint32_t n, uint32_t *to,
                                   struct etc_error *err)
{
	t->slots = (struct slots){ .item = items,
		                   .row = rows,
		                   .to = etc_new(t->mk->arena, uint32_t, n),
		                   .count = n,
		                   .room = n };
	ETC_NEED(t->slots.to, err);
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	return ETC_OK;
}

/* ---- rows ----------------------------------------------------------------------------- */

static struct etc_str key_of(const struct table *t, const struct etc_profile_row *r)
{
	uint8_t by = t->mk->options->by;

	/* The row of all OPERATOR_CALLs has the keys of the first OPERATOR_CALL. Only its category
	 * and backend are the same for all OPERATOR_CALLs, so its other keys are not used. */
	if (!r->event || by >= ETC_EVENT_KEYS ||
	    (is_dispatch(r) && by != ETC_BY_CATEGORY && by != ETC_BY_BACKEND))
		return r->name;
	return r->event->key[by];
}

static const struct etc_group *place_of(const struct table *t, const struct etc_profile_row *r)
{
	if (!r->event || !r->event->place || is_dispatch(r))
		return NULL;
	if (t->mk->options->by == ETC_BY_MODULE)
		return r->event->place->module;
	return t->mk->options->by == ETC_BY_SOURCE ? r->event->place->source : NULL;
}

static enum etc_status make_rows(struct table *t, uint32_t room, struct etc_error *err)
{
	struct etc_diff_row *rows = etc_new(t->mk->arena, struct etc_diff_row, room);

	ETC_NEED(rows, err);
	if (t->count)
		memcpy(rows, t->rows, t->count * sizeof *rows);
	t->rows = rows;
	t->room = room;
	return ETC_OK;
}

static enum etc_status add_row(struct table *t, const struct etc_profile_row *r, struct etc_str key,
                               uint32_t *row, struct etc_error *err)
{
	uint32_t groups = t->mk->out->group_count;
	struct etc_diff_side *sides = etc_new(t->mk->arena, struct etc_diff_side, groups);

	if (t->count == t->room)
		ETC_TRY(make_rows(t, t->room ? t->room * 2 : 8, err));
	ETC_NEED(sides, err);
	*row = t->count;
	t->rows[t->count++] = (struct etc_diff_row){
		.level = ETC_DIFF_ROW,
		.key = key,
		.category = r->category,
		.backend = r->backend,
		.on = etc_row_place(r),
		.place = place_of(t, r),
		.unit = r->unit,
		.delegate = r->delegate,
		.detached = r->detached,
		.sides = sides,
	};
	return ETC_OK;
}

/* Finds or makes the row of an event. Events share a row if they have the same key and unit, and
 * are all attached or all detached. */
static enum etc_status find_row(struct table *t, const struct etc_profile_row *r, uint32_t *row,
                                struct etc_error *err)
{
	struct etc_str key = key_of(t, r);
	struct etc_text text = { 0 };
	enum etc_status st = ETC_OK;
	struct etc_str copy;
	size_t known;

	/* A baseline omits empty names, so an event may have no name. But if it has the name of the
	 * operator, it must also have the name by which rows are made. */
	if (!key.ptr && r->event && r->event->key[ETC_BY_OP].len)
		return etc_fail(err, E0176, "an event has no \"%s\"; save the baseline again",
		                etc_row_key(t->mk->options->by)->stored);
	etc_text_u64(&text, r->unit);
	etc_text_char(&text, r->detached ? '1' : '0');
	if (t->mk->options->by == ETC_BY_OP)
		etc_text_char(&text, r->delegate ? '1' : '0');
	etc_text_char(&text, ' ');
	etc_text_put(&text, key);
	known = text.failed ? ETC_MAP_NONE : etc_map_get(&t->keys, etc_text_str(&text));
	if (text.failed) {
		st = etc_no_memory(err);
	} else if (known != ETC_MAP_NONE) {
		*row = (uint32_t)known;
		if (!etc_str_eq(t->rows[known].on, etc_row_place(r)))
			t->rows[known].on = ETC_STR_NONE;
	} else {
		copy = etc_arena_str(t->keys.arena, etc_text_str(&text));
		if (!copy.ptr || etc_map_add(&t->keys, copy, t->count) == ETC_MAP_NONE)
			st = etc_no_memory(err);
		else
			st = add_row(t, r, key, row, err);
	}
	etc_text_release(&text);
	return st;
}

/* Finds or makes the row of a slot. A slot (struct slots) is one event, as matched in all dumps. A
 * new row gets the event's name in the first dump that has the event. */
static enum etc_status row_of(struct table *t, uint32_t slot, uint32_t *row, struct etc_error *err)
{
	if (!t->slots.to[slot]) {
		ETC_TRY(find_row(t, t->slots.row[slot], row, err));
		t->slots.to[slot] = *row + 1;
	}
	*row = t->slots.to[slot] - 1;
	return ETC_OK;
}

/* ---- sides ------------------------------------------------------------------------------ */

static bool is_listed(struct etc_str list, struct etc_str name)
{
	for (size_t at = 0; (at = etc_str_find(list, name, at)) != SIZE_MAX; at++) {
		size_t end = at + name.len;

		if ((at == 0 || etc_str_ends(etc_str_sub(list, 0, at), ETC_STR("; "))) &&
		    (end == list.len || list.ptr[end] == ';'))
			return true;
	}
	return false;
}

static unsigned names_in(struct etc_str list)
{
	unsigned n = list.len > 0;

	for (size_t at = 0; (at = etc_str_find(list, ETC_STR("; "), at)) != SIZE_MAX; at += 2)
		n++;
	return n;
}

static enum etc_status add_name(struct etc_diff_side *side, struct etc_str name,
                                struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str more = ETC_STR("\xe2\x80\xa6");

	if (is_listed(side->name, name) || is_listed(side->name, more))
		return ETC_OK;
	if (names_in(side->name) == NAMES_SHOWN)
		name = more;
	side->name = side->name.len ? etc_arena_printf(arena, ETC_STR_FMT "; " ETC_STR_FMT,
	                                               ETC_STR_ARG(side->name), ETC_STR_ARG(name))
	                            : name;
	return side->name.ptr || !name.len ? ETC_OK : etc_no_memory(err);
}

/* ---- libraries whose kernel changes although the event's name does not ------------------- */

enum isa { ISA_SME = 1, ISA_OTHER = 2 };

/* Returns the instruction sets in a list such as "SME2, SME, I8MM or DotProd", as bits of enum
 * isa. */
static unsigned isas_of(const struct etc_facts *f)
{
	unsigned found = 0;
	size_t at = 0;

	while (f && f->library_ran == ETC_RAN_YES && at < f->isa.len) {
		struct etc_str rest = etc_str_sub(f->isa, at, f->isa.len);
		size_t blank = etc_str_find(rest, ETC_STR(" "), 0);

		if (!etc_str_starts(rest, ETC_STR("or ")))
			found |= etc_str_starts(rest, ETC_STR("SME")) ? ISA_SME : ISA_OTHER;
		at = blank == SIZE_MAX ? f->isa.len : at + blank + 1;
	}
	return found;
}

/* Do kernels for several instruction sets have the event's name? */
static bool is_ambiguous(const struct etc_facts *f)
{
	return f && f->library_ran == ETC_RAN_YES &&
	       etc_str_find(f->isa, ETC_STR(" or "), 0) != SIZE_MAX;
}

/* If the kernel of a row may have changed although its name is the same, sets side->kernel to
 * DOUBTFUL or OTHER. (settle_kernels() may later change OTHER to DOUBTFUL.) If the row certainly
 * has a kernel for SME, also sets t->sme of the group of dump `d`. */
static void mark_kernel(struct table *t, uint32_t d, const struct etc_profile_row *r,
                        const struct etc_profile_row *partner, struct etc_diff_side *side)
{
	unsigned isas = isas_of(r->facts);

	if (isas == ISA_SME)
		t->sme[t->mk->dumps[d].group] = true;
	if (r == partner || !is_ambiguous(r->facts) || !is_ambiguous(partner->facts) ||
	    !etc_str_eq(r->facts->display, partner->facts->display))
		return;
	if (side->kernel < ETC_KERNEL_DOUBTFUL)
		side->kernel = ETC_KERNEL_DOUBTFUL;
	if (isas == (ISA_SME | ISA_OTHER))
		side->kernel = ETC_KERNEL_OTHER;
}

/* Sets a change of kernel to DOUBTFUL if both groups have kernels for SME, or if neither group
 * has. */
static void settle_kernels(struct table *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t g = 1; g < t->mk->out->group_count; g++) {
			struct etc_diff_side *side = (struct etc_diff_side *)&t->rows[i].sides[g];

			if (side->kernel == ETC_KERNEL_OTHER && t->sme[0] == t->sme[g])
				side->kernel = ETC_KERNEL_DOUBTFUL;
		}
}

/* Marks rows that have the same name, but were run by different parts of the system, such as an
 * operator inside and outside of a delegate. E0904. */
static enum etc_status mark_alike(struct table *t, struct etc_arena *scratch, struct etc_error *err)
{
	uint32_t *first = etc_new(scratch, uint32_t, t->count);
	/* [0] names of attached rows, [1] names of detached rows; mapped to the first such row */
	struct etc_map names[2];

	ETC_NEED(first, err);
	etc_map_init(&names[0], scratch);
	etc_map_init(&names[1], scratch);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct etc_diff_row *row = &t->rows[i];
		size_t known = etc_map_add(&names[row->detached], row->key, i);

		ETC_NEED(known != ETC_MAP_NONE, err);
		first[i] = (uint32_t)known;
		if (!etc_str_eq(row->on, t->rows[known].on))
			t->rows[known].alike = true;
	}
	for (uint32_t i = 0; i < t->count; i++)
		t->rows[i].alike = t->rows[first[i]].alike;
	return ETC_OK;
}

/* Returns 1 << enum etc_library_ran, which says whether a library's kernel ran; 0: no annotator
 * examined the event. */
static uint8_t ran_of(const struct etc_facts *f)
{
	const bool known = f && (f->library_ran == ETC_RAN_NO || f->library_ran == ETC_RAN_YES);

	return known || (f && f->annotator.len && f->is_matrix) ? (uint8_t)(1u << f->library_ran)
	                                                        : 0;
}

/* Adds a row of the profile of dump `d` (part->row) to the compared row part->to, on the side of
 * the dump's group. Counts per run are those of the first dump of the group that has the path,
 * since all dumps of a group log the same events. */
static enum etc_status add_side(struct table *t, uint32_t d, uint32_t path,
                                const struct etc_diff_part *part,
                                const struct etc_profile_row *partner, bool first_dump,
                                struct etc_error *err)
{
	struct etc_diff_side *side =
		(struct etc_diff_side *)&t->rows[part->to].sides[t->mk->dumps[d].group];
	const struct etc_profile *p = t->mk->dumps[d].profile;
	const struct etc_profile_path *of = &p->paths[path];
	const struct etc_profile_row *r = part->row;
	double kept = (double)of->kept;

	side->unit = r->unit;
	side->how |= (uint8_t)(1u << part->how);
	if (!side->facts)
		side->facts = r->facts;
	side->ran |= ran_of(r->facts);
	mark_kernel(t, d, r, partner, side);
	if (first_dump) {
		side->calls += (double)r->calls / kept;
		side->resolution += (double)r->truncated / kept * (double)of->resolution /
		                    (double)(of->den ? of->den : 1);
	}
	side->present = true;
	side->work = side->work || r->delegate || r->native;
	side->partner =
		side->partner || (part->how != ETC_MATCH_NONE && (r->delegate || r->native));
	return add_name(side, key_of(t, r), t->mk->arena, err);
}

/* For every event of a path of dump `d`, finds the slot (struct slots) of the matching event of an
 * earlier dump. An event without a match gets a new slot. Lists the events with their slots in
 * *parts. */
static enum etc_status match(struct table *t, uint32_t d, uint32_t path,
                             struct etc_diff_parts *parts, struct etc_arena *scratch,
                             struct etc_error *err)
{
	const struct etc_profile_row **rows;
	struct etc_align_item *items;
	uint32_t n = 0, *to, known = t->slots.count;
	uint8_t *how;
	bool *taken;

	ETC_TRY(list_items(t, d, path, &rows, &items, &n, known ? scratch : t->mk->arena, err));
	parts->v = etc_new(t->mk->arena, struct etc_diff_part, n);
	to = etc_new(scratch, uint32_t, n);
	how = etc_new(scratch, uint8_t, n);
	taken = etc_new(scratch, bool, known);
	ETC_NEED(parts->v && to && how && taken, err);
	parts->count = n;
	if (known)
		ETC_TRY(etc_align(t->slots.item, known, items, n, to, how, taken, scratch, err));
	else
		ETC_TRY(adopt_slots(t, items, rows, n, to, err));
	for (uint32_t i = 0; i < n; i++) {
		if (to[i] == ETC_NO_ITEM)
			ETC_TRY(add_slot(t, &items[i], rows[i], &to[i], err));
		parts->v[i] = (struct etc_diff_part){ .row = rows[i], .to = to[i], .how = how[i] };
	}
	return ETC_OK;
}

static enum etc_status add_dump(struct table *t, uint32_t d, uint32_t path, bool first_dump,
                                struct etc_diff_parts *parts, struct etc_error *err)
{
	bool known = t->slots.count > 0;
	struct etc_arena scratch;
	enum etc_status st;

	etc_arena_init(&scratch, t->mk->arena->budget);
	st = match(t, d, path, parts, &scratch, err);
	etc_arena_release(&scratch);
	ETC_TRY(st);
	if (!known && t->mk->options->by == ETC_BY_EVENT) {
		ETC_TRY(make_rows(t, parts->count, err));
		ETC_NEED(etc_map_reserve(&t->keys, parts->count), err);
	}
	for (uint32_t i = 0; i < parts->count; i++) {
		struct etc_diff_part *part = &parts->v[i];
		const struct etc_profile_row *partner = t->slots.row[part->to];

		ETC_TRY(etc_context(err, row_of(t, part->to, &part->to, err), ETC_STR_FMT,
		                    ETC_STR_ARG(t->mk->out->groups[t->mk->dumps[d].group].name)));
		ETC_TRY(add_side(t, d, path, part, partner, first_dump, err));
	}
	return ETC_OK;
}

static enum etc_status add_dumps(struct table *t, const struct etc_diff_section *s,
                                 struct etc_diff_parts *parts, struct etc_error *err)
{
	uint32_t group = UINT32_MAX;

	for (uint32_t d = 0; d < t->mk->out->dump_count; d++) {
		if (s->paths[d] == UINT32_MAX || t->mk->options->by == ETC_BY_METHOD)
			continue;
		ETC_TRY(add_dump(t, d, s->paths[d], t->mk->dumps[d].group != group, &parts[d],
		                 err));
		group = t->mk->dumps[d].group;
	}
	return ETC_OK;
}

enum etc_status etc_diff_rows(const struct etc_diff_maker *mk, const struct etc_diff_section *s,
                              struct etc_diff_row **rows, uint32_t *count,
                              struct etc_diff_parts *parts, struct etc_error *err)
{
	struct table t = { .mk = mk };
	struct etc_arena scratch;
	enum etc_status st;

	t.sme = etc_new(mk->arena, bool, mk->out->group_count);
	ETC_NEED(t.sme, err);
	etc_arena_init(&scratch, mk->arena->budget);
	etc_map_init(&t.keys, &scratch);
	st = add_dumps(&t, s, parts, err);
	if (st == ETC_OK)
		st = mark_alike(&t, &scratch, err);
	etc_arena_release(&scratch);
	ETC_TRY(st);
	settle_kernels(&t);
	*rows = t.rows;
	*count = t.count;
	return ETC_OK;
}
