/* doctor_record.c -- see doctor.h: is an ETRecord of the program that a dump ran?
 *
 * Nothing in the two files says so. But a run is a list of instructions, and the
 * record has the instructions of each method: delegate calls must be where the
 * record has delegates and nowhere else, and a run without jumps must have gone
 * through all that the record knows, and through no more but written back buffers
 * and copies to devices. With jumps, operators that the record does not know are
 * tolerated up to a half. Names tell nothing: passes after the record's graph make
 * other kernels of its nodes. Two exports with equal lists of instructions cannot be
 * told apart. */
#include "api/doctor.h"

#include <stdio.h>

#include "base/map.h"
#include "join/site.h"

/* Shapes of one program differ in loops, not in instructions: a few will do. */
enum { SHAPES = 16, WORK = 1 << 22 };

/* An instruction of a run. */
struct call {
	struct etc_str key; /* its number as text */
	bool delegate;
	bool named; /* a kernel ran that exporters give a handle */
};

struct run {
	struct call *calls;
	uint32_t count;
	struct etc_map place; /* key -> call */
	bool jumps;
};

/* How a run and a method of the record agree. */
struct match {
	uint32_t delegates, delegates_found; /* of the run */
	uint32_t operators, operators_found;
	uint32_t ids, ids_found;       /* identifiers of delegates' events */
	uint32_t entries, entries_ran; /* of the record */
	uint32_t contrary;             /* what cannot be in files that belong together */
};

struct matcher {
	const struct etc_record *record;
	struct etc_arena *arena;
	uint64_t work;
};

static struct etc_str number(struct etc_arena *arena, int64_t v)
{
	return etc_arena_printf(arena, "%lld", (long long)v);
}

static bool put(struct etc_map *map, struct etc_str key, size_t value)
{
	return key.ptr && etc_map_add(map, key, value) != ETC_MAP_NONE;
}

static bool has(const struct etc_map *map, struct etc_str key)
{
	return etc_map_get(map, key) != ETC_MAP_NONE;
}

/* Kernels that lowering adds behind the exporter's back: they have no handle. */
static bool is_added(struct etc_str kernel)
{
	return etc_str_starts(kernel, ETC_STR("native_call_copy_")) ||
	       etc_str_starts(kernel, ETC_STR("native_call__h2d_copy")) ||
	       etc_str_starts(kernel, ETC_STR("native_call__d2h_copy"));
}

/* ---- a run -------------------------------------------------------------------------- */

static struct call *call_of(struct run *run, int32_t instruction, struct etc_arena *arena)
{
	struct etc_str key = number(arena, instruction);
	size_t at = key.ptr ? etc_map_add(&run->place, key, run->count) : ETC_MAP_NONE;

	if (at == ETC_MAP_NONE)
		return NULL;
	if (at == run->count)
		run->calls[run->count++] = (struct call){ .key = key };
	return &run->calls[at];
}

static bool list_calls(struct run *run, const struct etc_shape *shape, struct etc_arena *arena)
{
	*run = (struct run){ .calls = etc_new(arena, struct call, shape->count) };
	etc_map_init(&run->place, arena);
	for (uint32_t i = 0; run->calls && i < shape->count; i++) {
		const struct etc_event *e = &shape->events[i];
		bool delegate = etc_str_eq(etc_event_name(e), ETC_STR("DELEGATE_CALL"));
		bool kernel;
		struct call *c;

		if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e))
			continue;
		run->jumps |= etc_str_eq(etc_event_name(e), ETC_STR("JF_CALL"));
		kernel = etc_str_starts(etc_event_name(e), ETC_STR("native_call_"));
		if (!delegate && !kernel &&
		    !etc_str_eq(etc_event_name(e), ETC_STR("OPERATOR_CALL")))
			continue;
		c = call_of(run, e->instruction_id, arena);
		if (!c)
			return false;
		c->delegate |= delegate;
		c->named |= kernel && !is_added(etc_event_name(e));
	}
	return run->calls != NULL;
}

/* ---- a method of the record ------------------------------------------------------------ */

struct entries {
	struct etc_map handles, delegates; /* by key: place in the method's lists */
	bool all_delegates;                /* no delegate map: nothing can be missing in it */
};

static bool index_method(struct entries *e, const struct etc_record *r,
                         const struct etc_method_maps *maps, struct etc_arena *arena)
{
	bool ok = true;

	etc_map_init(&e->handles, arena);
	etc_map_init(&e->delegates, arena);
	e->all_delegates = !r->delegate_map_present || r->delegate_map_null;
	for (uint32_t i = 0; i < maps->handle_count && ok; i++)
		ok = put(&e->handles, maps->handles[i].key, i);
	for (uint32_t i = 0; i < maps->delegate_count && ok; i++)
		ok = put(&e->delegates, maps->delegates[i].key, i);
	return ok;
}

static void match_call(const struct entries *e, const struct call *c, bool jumps, struct match *out)
{
	size_t at = etc_map_get(&e->handles, c->key);

	if (c->delegate) {
		bool found = at != ETC_MAP_NONE && (e->all_delegates || has(&e->delegates, c->key));

		out->delegates++;
		out->delegates_found += found;
		out->contrary += !found;
		return;
	}
	out->operators++;
	out->operators_found += at != ETC_MAP_NONE;
	out->contrary += has(&e->delegates, c->key);
	out->contrary += at == ETC_MAP_NONE && c->named && !jumps;
}

/* Delegates' events against the identifiers that the record has for them. */
static bool match_ids(struct matcher *m, const struct entries *e,
                      const struct etc_method_maps *maps, const struct etc_shape *shape,
                      struct match *out)
{
	struct etc_map ids, seen;

	etc_map_init(&ids, m->arena);
	etc_map_init(&seen, m->arena);
	for (uint32_t i = 0; i < maps->delegate_count; i++)
		for (uint32_t k = 0; k < maps->delegates[i].count; k++)
			if (!put(&ids,
			         etc_arena_printf(m->arena, ETC_STR_FMT " " ETC_STR_FMT,
			                          ETC_STR_ARG(maps->delegates[i].key),
			                          ETC_STR_ARG(maps->delegates[i].ids[k].key)),
			         0))
				return false;
	for (uint32_t i = 0; i < shape->count; i++) {
		const struct etc_event *event = &shape->events[i];
		struct etc_str key;
		size_t at, before = seen.count;

		if (event->kind != ETC_EVENT_PROFILE || !etc_event_is_delegate(event))
			continue;
		at = etc_map_get(&e->delegates, number(m->arena, event->instruction_id));
		if (at == ETC_MAP_NONE || maps->delegates[at].count == 0)
			continue;
		key = event->has_delegate_name
		              ? etc_arena_printf(m->arena, "%ld " ETC_STR_FMT,
		                                 (long)event->instruction_id,
		                                 ETC_STR_ARG(etc_event_delegate_name(event)))
		              : etc_arena_printf(m->arena, "%ld %ld", (long)event->instruction_id,
		                                 (long)event->delegate_id);
		if (!put(&seen, key, 0))
			return false;
		if (seen.count == before)
			continue;
		out->ids++;
		out->ids_found += has(&ids, key);
	}
	return true;
}

static bool match_method(struct matcher *m, const struct run *run, const struct etc_shape *shape,
                         const struct etc_method_maps *maps, struct match *out)
{
	struct entries e;

	*out = (struct match){ 0 };
	if (!index_method(&e, m->record, maps, m->arena) || !match_ids(m, &e, maps, shape, out))
		return false;
	for (uint32_t i = 0; i < run->count; i++)
		match_call(&e, &run->calls[i], run->jumps, out);
	out->entries = maps->handle_count;
	for (uint32_t i = 0; i < maps->handle_count; i++)
		out->entries_ran += has(&run->place, maps->handles[i].key);
	if (!run->jumps)
		out->contrary += out->entries - out->entries_ran;
	if ((out->operators - out->operators_found) * 2 > run->count)
		out->contrary += out->operators - out->operators_found;
	return true;
}

/* ---- all runs ----------------------------------------------------------------------------- */

static void sum(struct match *to, const struct match *m)
{
	to->delegates += m->delegates;
	to->delegates_found += m->delegates_found;
	to->operators += m->operators;
	to->operators_found += m->operators_found;
	to->ids += m->ids;
	to->ids_found += m->ids_found;
	to->entries += m->entries;
	to->entries_ran += m->entries_ran;
	to->contrary += m->contrary;
}

/* Adds the method of the record that fits the run best. */
static bool match_run(struct matcher *m, const struct etc_shape *shape, struct match *total)
{
	struct match best = { 0 };
	bool any = false;
	struct run run;

	if (!list_calls(&run, shape, m->arena))
		return false;
	for (uint32_t i = 0; run.count && i < m->record->method_count && m->work < WORK; i++) {
		struct match now;

		if (!m->record->methods[i].in_handle_map)
			continue;
		m->work += shape->count;
		if (!match_method(m, &run, shape, &m->record->methods[i], &now))
			return false;
		if (!any || now.contrary < best.contrary ||
		    (now.contrary == best.contrary && now.operators_found > best.operators_found))
			best = now;
		any = true;
	}
	sum(total, &best);
	return true;
}

static void describe(const struct match *t, char *to, size_t room)
{
	int n = snprintf(to, room, "%lu of %lu delegate instructions match",
	                 (unsigned long)t->delegates_found, (unsigned long)t->delegates);

	if (t->operators)
		n += snprintf(to + n, room - (size_t)n, ", %lu of %lu operators",
		              (unsigned long)t->operators_found, (unsigned long)t->operators);
	else
		n += snprintf(to + n, room - (size_t)n, " (no operators outside)");
	if (t->ids_found) /* none: some backends' maps need their plugin */
		n += snprintf(to + n, room - (size_t)n,
		              ", %lu of %lu identifiers of delegates' events",
		              (unsigned long)t->ids_found, (unsigned long)t->ids);
	if (t->entries_ran < t->entries)
		snprintf(to + n, room - (size_t)n, "; %lu of %lu instructions of the record ran",
		         (unsigned long)t->entries_ran, (unsigned long)t->entries);
}

static bool match_all(struct matcher *m, const struct etc_trace *trace, struct match *total)
{
	uint32_t runs = 0, root;

	for (size_t s = 0; s < trace->shape_count && runs < SHAPES; s++) {
		if (etc_shape_kind(&trace->shapes[s], &root) != ETC_RUN_EXECUTE)
			continue;
		runs++;
		if (!match_run(m, &trace->shapes[s], total))
			return false;
	}
	return true;
}

enum etc_status etc_doctor_dump_and_record(struct etc_diagnosis *d, const struct etc_patient *dump,
                                           const struct etc_patient *record, struct etc_error *err)
{
	struct matcher m = { .record = record->record };
	struct match total = { 0 };
	struct etc_arena scratch;
	char text[400];
	bool ok;

	if (!m.record->handle_map_present || m.record->handle_map_null)
		return etc_doctor_pair(d, dump, record, ETC_TOGETHER_UNKNOWN,
		                       "the record has no debug_handle_map", err);
	etc_arena_init(&scratch, d->s->arena.budget);
	m.arena = &scratch;
	ok = match_all(&m, dump->trace, &total);
	etc_arena_release(&scratch);
	if (!ok)
		return etc_fail(err, E0904, "instructions of a dump");
	if (total.delegates + total.operators == 0)
		return etc_doctor_pair(d, dump, record, ETC_TOGETHER_UNKNOWN,
		                       "the dump has no instruction that could be looked up", err);
	describe(&total, text, sizeof text);
	return etc_doctor_pair(d, dump, record, total.contrary ? ETC_TOGETHER_NO : ETC_TOGETHER_YES,
	                       text, err);
}
