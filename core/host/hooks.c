/* hooks.c -- has one function for each hook, which makes the hook's arguments and validates its
 * answer. */
#include "host/hooks.h"
#include "host/internal.h"

#include <stdlib.h>

/* Prepares `in`, which collects a hook's answer: sets the members that all sinks use. The answers
 * of plugins may take half of the memory budget. */
void etc_hook_intake(struct etc_plugin *p, struct etc_intake *in)
{
	struct etc_host *host = p->host;

	if (host->arena->budget > host->most)
		host->most = host->arena->budget;
	if (!p->families.arena)
		etc_map_init(&p->families, host->arena);
	in->arena = host->arena;
	in->recent = host->recent;
	in->plugin = p->abi;
	in->spare = host->most / 2;
	in->families = &p->families;
}

/* ---- parse_metadata -------------------------------------------------------- */

/* Copies the `count` values at `from` into the arena. */
static enum etc_status keep_items(struct etc_arena *arena, const struct etc_datum *from,
                                  uint32_t count, const struct etc_datum **to,
                                  struct etc_error *err)
{
	struct etc_datum *items = etc_new(arena, struct etc_datum, count);

	ETC_NEED(items, err);
	if (count)
		memcpy(items, from, count * sizeof *items);
	*to = items;
	return ETC_OK;
}

static enum etc_status keep_parsed(struct etc_arena *arena, const struct etc_datum_intake *in,
                                   struct etc_parsed *out, struct etc_error *err)
{
	struct etc_parsed p = { .form = in->form,
		                .count = in->count,
		                .has_columns = in->in_columns,
		                .column_count = in->column_count };

	ETC_TRY(keep_items(arena, in->items, in->count, &p.items, err));
	ETC_TRY(keep_items(arena, in->columns, in->column_count, &p.columns, err));
	*out = p;
	return ETC_OK;
}

enum etc_status etc_host_parse_metadata(struct etc_plugin *p, const struct etcore_call *call,
                                        uint32_t index, struct etc_parsed *out,
                                        struct etc_error *err)
{
	struct etc_datum_intake in = { .form = ETC_PARSED_NONE };
	struct etc_hook_args a = {
		.call = call, .index = index, .in = &in.in, .result = ETCORE_FAILED
	};
	enum etc_status st = ETC_OK;
	struct etcore_sink sink;

	*out = (struct etc_parsed){ 0 };
	if (!ETC_HAS_HOOK(p, parse_metadata))
		return ETC_OK;
	etc_hook_intake(p, &in.in);
	sink = etc_datum_sink(&in);
	a.data = &sink;
	if (etc_hook_run(p, ETC_HOOK_PARSE, &a)) {
		out->corrupt = a.result == ETCORE_CORRUPT;
		etc_intake_fits(&in.in, ((size_t)in.count + in.column_count) * sizeof *in.items);
		if (in.in.out_of_memory) {
			st = etc_no_memory(err);
		} else if (etc_hook_accepted(p, ETC_HOOK_PARSE, &a)) {
			st = keep_parsed(p->host->arena, &in, out, err);
		}
	}
	etc_datum_intake_release(&in);
	return st;
}

/* ---- convert_time ---------------------------------------------------------- */

enum etc_status etc_host_convert_time(struct etc_plugin *p, const struct etcore_call *call,
                                      uint32_t index, const struct etcore_scales *scales,
                                      const uint64_t *raw, uint64_t count,
                                      struct etc_converted *out, bool *declined,
                                      struct etc_error *err)
{
	struct etc_number_intake in = { .out = out, .expected = count };
	struct etcore_number_sink sink;
	struct etc_hook_args a = {
		.call = call,
		.index = index,
		.scales = scales,
		.raw = raw,
		.count = count,
		.in = &in.in,
		.result = ETCORE_FAILED,
	};

	(void)err;
	*declined = true;
	if (!ETC_HAS_HOOK(p, convert_time))
		return ETC_OK;
	sink = etc_number_sink(&in);
	a.numbers = &sink;
	if (!etc_hook_run(p, ETC_HOOK_CONVERT, &a) || !etc_hook_accepted(p, ETC_HOOK_CONVERT, &a))
		return ETC_OK;
	if (in.count < count)
		etc_hook_note(p, W0611, ETC_HOOK_CONVERT, call, index,
		              "fewer times than it was given");
	else
		*declined = false;
	return ETC_OK;
}

/* ---- describe_time --------------------------------------------------------- */

static const struct etc_time_facts generic_time = { .parent = ETCORE_PARENT_CALL, .resolution = 1 };

const char *etc_time_fault(const struct etcore_time *t, uint32_t index, uint32_t count,
                           uint32_t minor)
{
	const uint32_t durations =
		minor ? ETCORE_DURATION_CONCURRENT : ETCORE_DURATION_SUM_OVER_THREADS;

	if (t->kind > ETCORE_KIND_INVALID || t->unit > ETCORE_UNIT_COUNT ||
	    t->clock > ETCORE_CLOCK_NONE || t->start > ETCORE_START_ABSENT ||
	    t->duration > durations || t->rounding > ETCORE_ROUNDING_UNKNOWN)
		return "an unknown code in etcore_time";
	if (t->parent < ETCORE_PARENT_BY_TIME || t->parent >= (int64_t)count ||
	    t->parent == (int64_t)index)
		return "a parent that is not in the call";
	if (t->parent == ETCORE_PARENT_BY_TIME && t->clock != ETCORE_CLOCK_HOST)
		return "a parent by time without the host's clock";
	/* A unit may be from 10^-3 ps to 10^12 ns (a quarter of an hour) long. */
	if (t->ns_per_unit != 0 && !(t->ns_per_unit >= 1e-6 && t->ns_per_unit <= 1e12))
		return "ns_per_unit that is neither 0 nor from 1e-6 to 1e12";
	return NULL;
}

struct etc_time_facts etc_time_taken(const struct etcore_time *t)
{
	double known = etc_unit_ns((uint8_t)t->unit);

	return (struct etc_time_facts){
		.kind = (uint8_t)t->kind,
		.unit = (uint8_t)t->unit,
		.clock = (uint8_t)t->clock,
		.start = (uint8_t)t->start,
		.duration = (uint8_t)t->duration,
		.rounding = (uint8_t)t->rounding,
		.parent = t->parent,
		.ns_per_unit = known > 0 ? known : t->ns_per_unit,
		.resolution = t->resolution ? t->resolution : 1,
		.wraps_at = t->wraps_at,
		.sync_device = t->sync_device,
		.sync_host = t->sync_host,
	};
}

/* Removes cycles, so that events and parents form a tree: one event of each cycle gets the delegate
 * call as its parent. Returns true if there was a cycle. */
static bool break_circles(struct etc_time_facts *out, uint32_t count, uint8_t *seen)
{
	bool circle = false;

	memset(seen, 0, count);
	for (uint32_t i = 0; i < count; i++) {
		int64_t at = i;

		/* seen[] is 1 for an event in the chain of parents that is being followed, which
		 * starts at `i`. It is 2 for an event whose chain of parents is known to end at the
		 * call. */
		while (at >= 0 && seen[at] == 0) {
			seen[at] = 1;
			at = out[at].parent;
		}
		if (at >= 0 && seen[at] == 1) {
			circle = true;
			out[at].parent = ETCORE_PARENT_CALL;
		}
		for (at = i; at >= 0 && seen[at] == 1; at = out[at].parent)
			seen[at] = 2;
	}
	return circle;
}

static enum etc_status make_times(struct etc_arena *arena, uint32_t count,
                                  struct etcore_time ***pointers, uint8_t **seen,
                                  struct etc_error *err)
{
	struct etcore_time *times = etc_new(arena, struct etcore_time, count);

	*pointers = etc_new(arena, struct etcore_time *, count);
	*seen = etc_new(arena, uint8_t, count);
	ETC_NEED(times && *pointers && *seen, err);
	for (uint32_t i = 0; i < count; i++) {
		times[i] =
			(struct etcore_time){ .size = sizeof *times, .parent = ETCORE_PARENT_CALL };
		(*pointers)[i] = &times[i];
	}
	return ETC_OK;
}

static enum etc_status describe(struct etc_plugin *p, const struct etcore_call *call,
                                struct etc_time_facts *out, bool *described,
                                struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_hook_args a = { .call = call, .result = ETCORE_FAILED };
	struct etcore_time **times;
	uint8_t *seen;

	ETC_TRY(make_times(scratch, call->count, &times, &seen, err));
	a.times = times;
	if (!etc_hook_run(p, ETC_HOOK_DESCRIBE, &a) || !etc_hook_accepted(p, ETC_HOOK_DESCRIBE, &a))
		return ETC_OK;
	*described = true;
	for (uint32_t i = 0; i < call->count; i++) {
		const char *fault =
			etc_time_fault(times[i], i, call->count, ETCORE_PLUGIN_ABI_MINOR);

		if (fault)
			etc_hook_note(p, W0611, ETC_HOOK_DESCRIBE, call, i, fault);
		else
			out[i] = etc_time_taken(times[i]);
	}
	if (break_circles(out, call->count, seen))
		etc_hook_note(p, W0611, ETC_HOOK_DESCRIBE, call, -1,
		              "events that contain each other");
	return ETC_OK;
}

enum etc_status etc_host_describe_time(struct etc_plugin *p, const struct etcore_call *call,
                                       struct etc_time_facts *out, bool *described,
                                       struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st;

	*described = false;
	for (uint32_t i = 0; i < call->count; i++)
		out[i] = generic_time;
	if (!ETC_HAS_HOOK(p, describe_time))
		return ETC_OK;
	etc_arena_init(&scratch, p->host->arena->budget);
	st = describe(p, call, out, described, &scratch, err);
	etc_arena_release(&scratch);
	return st;
}

/* ---- map_event ----------------------------------------------------------- */

enum etc_status etc_host_map_event(struct etc_plugin *p, const struct etcore_call *call,
                                   uint32_t index, struct etc_mapped *out, struct etc_error *err)
{
	struct etc_map_intake in = { .count = 0 };
	struct etc_hook_args a = {
		.call = call, .index = index, .in = &in.in, .result = ETCORE_FAILED
	};
	enum etc_status st = ETC_OK;
	struct etcore_map_sink sink;

	*out = (struct etc_mapped){ 0 };
	if (!ETC_HAS_HOOK(p, map_event))
		return ETC_OK;
	etc_hook_intake(p, &in.in);
	sink = etc_map_sink(&in);
	a.map = &sink;
	if (etc_hook_run(p, ETC_HOOK_MAP, &a)) {
		etc_intake_fits(&in.in, in.count * sizeof *in.handles);
		if (in.in.out_of_memory) {
			st = etc_no_memory(err);
		} else if (etc_hook_accepted(p, ETC_HOOK_MAP, &a)) {
			int64_t *handles = etc_new(p->host->arena, int64_t, in.count);

			if (!handles)
				st = etc_no_memory(err);
			else if (in.count)
				memcpy(handles, in.handles, in.count * sizeof *handles);
			if (handles)
				*out = (struct etc_mapped){ in.key, handles, in.count,
					                    in.not_edge_handles };
		}
	}
	free(in.handles);
	return st;
}
