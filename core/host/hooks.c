/* hooks.c -- one guarded function per hook. */
#include "host/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/sink.h"

/* ---- running a hook -------------------------------------------------------- */

static struct etc_str text_of(struct etcore_text t)
{
	return (struct etc_str){ t.ptr, (size_t)t.len };
}

static struct etc_hook_place place_of(const struct etc_plugin *p, const char *hook,
                                      const struct etcore_call *call, int64_t index)
{
	struct etc_hook_place place = { .plugin = p->name, .path = p->path, .hook = hook };

	place.delegate_id = place.instruction_id = -1;
	if (call)
		place.backend = text_of(call->backend);
	if (call && index >= 0 && index < call->count) {
		const struct etcore_event *e = call->events[index];

		place.has_event = true;
		place.event = e->delegate_name.len ? text_of(e->delegate_name) : text_of(e->name);
		place.delegate_id = e->delegate_id;
		place.instruction_id = e->instruction_id;
	}
	return place;
}

void etc_hook_note(struct etc_plugin *p, enum etc_code code, const char *hook,
                   const struct etcore_call *call, int64_t index, const char *text)
{
	struct etc_hook_place place = place_of(p, hook, call, index);
	char where[ETC_PLACE_MAX], head[100];

	p->host->hook_failures++;
	etc_hook_place_text(&place, where);
	/* One note per plugin, hook and fault: the place of the first. */
	snprintf(head, sizeof head, "plugin '" ETC_STR_FMT "' in %s", ETC_STR_ARG(p->name), hook);
	for (struct etc_note *n = p->host->notes ? p->host->notes->first : NULL; n; n = n->next) {
		if (n->code == code && etc_str_eq(n->file, p->host->notes->file) &&
		    etc_str_starts(n->text, etc_str_of(head)) &&
		    etc_str_ends(n->text, etc_str_of(text))) {
			n->count++;
			return;
		}
	}
	etc_note_each(p->host->notes, code, "plugin '" ETC_STR_FMT "' in %s%s: %s",
	              ETC_STR_ARG(p->name), hook, where, text);
}

static bool run(struct etc_plugin *p, const char *hook, const struct etcore_call *call,
                int64_t index, void (*body)(void *arg), void *arg)
{
	struct etc_hook_place place = place_of(p, hook, call, index);
	char what[160], text[200];
	bool ok;

	p->place = &place;
	etc_crash_enter(&place);
	ok = etc_guard(body, arg, what, sizeof what);
	etc_crash_leave();
	p->place = NULL;
	if (!ok) {
		snprintf(text, sizeof text, "a C++ exception left the hook: %s", what);
		etc_hook_note(p, W0610, hook, call, index, text);
	}
	return ok;
}

static void diagnose(void *handle, uint32_t severity, struct etcore_text message)
{
	struct etc_plugin *p = handle;
	char where[ETC_PLACE_MAX];
	int len = message.len < 500 ? (int)message.len : 500;

	if (!p || !p->place || (len && !message.ptr))
		return;
	etc_hook_place_text(p->place, where);
	etc_note_each(p->host->notes, severity == ETCORE_SEVERITY_WARNING ? W0613 : N0614,
	              "plugin '" ETC_STR_FMT "' in %s%s: %.*s", ETC_STR_ARG(p->name),
	              p->place->hook, where, len, len ? message.ptr : "");
}

struct open_body {
	struct etc_plugin *p;
	etcore_result result;
	void *self;
};

static void open_body(void *arg)
{
	struct open_body *a = arg;

	a->result = a->p->abi->open(&a->p->services, a->p->settings, a->p->setting_count, &a->self);
}

/* The instance, made at first use. False when it cannot be had. */
static bool ready(struct etc_plugin *p)
{
	struct open_body a = { .p = p, .result = ETCORE_FAILED };

	if (p->opened || p->broken)
		return !p->broken;
	etc_crash_install();
	p->opened = true;
	p->services = (struct etcore_host){ sizeof(struct etcore_host), ETCORE_PLUGIN_ABI_MINOR, p,
		                            diagnose };
	if (!p->abi->open)
		return true;
	if (run(p, "open", NULL, -1, open_body, &a) && a.result == ETCORE_OK) {
		p->self = a.self;
		return true;
	}
	p->broken = true;
	etc_note_each(p->host->notes, W0615, "plugin '" ETC_STR_FMT "': open() returned %d",
	              ETC_STR_ARG(p->name), (int)a.result);
	p->host->hook_failures++;
	return false;
}

bool etc_hook_run(struct etc_plugin *p, const char *hook, const struct etcore_call *call,
                  int64_t index, void (*body)(void *arg), void *arg)
{
	return ready(p) && run(p, hook, call, index, body, arg);
}

bool etc_hook_accepted(struct etc_plugin *p, const char *hook, const struct etcore_call *call,
                       int64_t index, etcore_result r, const struct etc_intake *in)
{
	if (in && in->fault[0]) {
		etc_hook_note(p, W0611, hook, call, index, in->fault);
		return false;
	}
	if (r == ETCORE_OK || r == ETCORE_DECLINE)
		return r == ETCORE_OK;
	etc_hook_note(p, W0610, hook, call, index,
	              r == ETCORE_CORRUPT  ? "damaged data"
	              : r == ETCORE_FAILED ? "it failed"
	              : r == ETCORE_NOMEM  ? "it ran out of memory"
	                                   : "it returned an unknown result");
	return false;
}

struct body {
	struct etc_plugin *p;
	const struct etcore_call *call;
	uint32_t index;
	etcore_result result;
	const void *sink;
	/* convert_time */
	const struct etcore_scales *scales;
	const uint64_t *raw;
	uint64_t count;
	/* describe_time */
	struct etcore_time *const *times;
};

/* ---- parse_metadata -------------------------------------------------------- */

static void parse_body(void *arg)
{
	struct body *a = arg;

	a->result = a->p->abi->parse_metadata(a->p->self, a->call, a->index, a->sink);
}

enum etc_status etc_host_parse_metadata(struct etc_plugin *p, const struct etcore_call *call,
                                        uint32_t index, struct etc_parsed *out,
                                        struct etc_error *err)
{
	struct etc_datum_intake in = { .form = ETC_PARSED_NONE };
	struct body a = { .p = p, .call = call, .index = index, .result = ETCORE_FAILED };
	enum etc_status st = ETC_OK;
	struct etcore_sink sink;

	*out = (struct etc_parsed){ 0 };
	if (!ETC_HAS_HOOK(p, parse_metadata))
		return ETC_OK;
	in.in.arena = p->host->arena;
	in.in.plugin = p->abi;
	sink = etc_datum_sink(&in);
	a.sink = &sink;
	if (etc_hook_run(p, "parse_metadata", call, index, parse_body, &a)) {
		out->corrupt = a.result == ETCORE_CORRUPT;
		if (in.in.out_of_memory) {
			st = etc_hook_nomem(err, "parse_metadata");
		} else if (etc_hook_accepted(p, "parse_metadata", call, index, a.result, &in.in)) {
			struct etc_datum *items =
				etc_new(p->host->arena, struct etc_datum, in.count);

			if (!items)
				st = etc_hook_nomem(err, "parse_metadata");
			else if (in.count)
				memcpy(items, in.items, in.count * sizeof *items);
			if (items)
				*out = (struct etc_parsed){ .form = in.form,
					                    .items = items,
					                    .count = in.count };
		}
	}
	free(in.items);
	return st;
}

/* ---- convert_time ---------------------------------------------------------- */

static void convert_body(void *arg)
{
	struct body *a = arg;

	a->result = a->p->abi->convert_time(a->p->self, a->call, a->index, a->scales, a->raw,
	                                    a->count, a->sink);
}

enum etc_status etc_host_convert_time(struct etc_plugin *p, const struct etcore_call *call,
                                      uint32_t index, const struct etcore_scales *scales,
                                      const uint64_t *raw, uint64_t count,
                                      struct etc_converted *out, bool *declined,
                                      struct etc_error *err)
{
	struct etc_number_intake in = { .out = out, .expected = count };
	struct etcore_number_sink sink;
	struct body a = { .p = p,
		          .call = call,
		          .index = index,
		          .result = ETCORE_FAILED,
		          .scales = scales,
		          .raw = raw,
		          .count = count };

	(void)err;
	*declined = true;
	if (!ETC_HAS_HOOK(p, convert_time))
		return ETC_OK;
	sink = etc_number_sink(&in);
	a.sink = &sink;
	if (!etc_hook_run(p, "convert_time", call, index, convert_body, &a) ||
	    !etc_hook_accepted(p, "convert_time", call, index, a.result, &in.in))
		return ETC_OK;
	if (in.count < count)
		etc_hook_note(p, W0611, "convert_time", call, index,
		              "fewer times than it was given");
	else
		*declined = false;
	return ETC_OK;
}

/* ---- describe_time --------------------------------------------------------- */

static void describe_body(void *arg)
{
	struct body *a = arg;

	a->result = a->p->abi->describe_time(a->p->self, a->call, a->times);
}

static const struct etc_time_facts generic_time = { .parent = ETCORE_PARENT_CALL, .resolution = 1 };

const char *etc_time_fault(const struct etcore_time *t, uint32_t index, uint32_t count)
{
	if (t->kind > ETCORE_KIND_INVALID || t->unit > ETCORE_UNIT_COUNT ||
	    t->clock > ETCORE_CLOCK_NONE || t->start > ETCORE_START_ABSENT ||
	    t->duration > ETCORE_DURATION_SUM_OVER_THREADS || t->rounding > ETCORE_ROUNDING_NEAREST)
		return "an unknown code in etcore_time";
	if (t->parent < ETCORE_PARENT_BY_TIME || t->parent >= (int64_t)count ||
	    t->parent == (int64_t)index)
		return "a parent that is not in the call";
	if (t->parent == ETCORE_PARENT_BY_TIME && t->clock != ETCORE_CLOCK_HOST)
		return "a parent by time without the host's clock";
	if (!(t->ns_per_unit >= 0) || !isfinite(t->ns_per_unit))
		return "ns_per_unit that is not a number from 0";
	return NULL;
}

static struct etc_time_facts time_of(const struct etcore_time *t)
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
	};
}

/* Parents must form a tree: whoever is on a circle goes back to the call. */
static bool break_circles(struct etc_time_facts *out, uint32_t count, uint8_t *seen)
{
	bool circle = false;

	memset(seen, 0, count);
	for (uint32_t i = 0; i < count; i++) {
		int64_t at = i;

		/* 1: on the way from i, 2: known to reach the call */
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
	if (!times || !*pointers || !*seen)
		return etc_hook_nomem(err, "describe_time");
	for (uint32_t i = 0; i < count; i++) {
		times[i] =
			(struct etcore_time){ .size = sizeof *times, .parent = ETCORE_PARENT_CALL };
		(*pointers)[i] = &times[i];
	}
	return ETC_OK;
}

enum etc_status etc_host_describe_time(struct etc_plugin *p, const struct etcore_call *call,
                                       struct etc_time_facts *out, bool *described,
                                       struct etc_error *err)
{
	struct body a = { .p = p, .call = call, .result = ETCORE_FAILED };
	struct etcore_time **times;
	uint8_t *seen;

	*described = false;
	for (uint32_t i = 0; i < call->count; i++)
		out[i] = generic_time;
	if (!ETC_HAS_HOOK(p, describe_time))
		return ETC_OK;
	ETC_TRY(make_times(p->host->arena, call->count, &times, &seen, err));
	a.times = times;
	if (!etc_hook_run(p, "describe_time", call, -1, describe_body, &a) ||
	    !etc_hook_accepted(p, "describe_time", call, -1, a.result, NULL))
		return ETC_OK;
	*described = true;
	for (uint32_t i = 0; i < call->count; i++) {
		const char *fault = etc_time_fault(times[i], i, call->count);

		if (fault)
			etc_hook_note(p, W0611, "describe_time", call, i, fault);
		else
			out[i] = time_of(times[i]);
	}
	if (break_circles(out, call->count, seen))
		etc_hook_note(p, W0611, "describe_time", call, -1,
		              "events that contain each other");
	return ETC_OK;
}

/* ---- map_event ----------------------------------------------------------- */

static void map_body(void *arg)
{
	struct body *a = arg;

	a->result = a->p->abi->map_event(a->p->self, a->call, a->index, a->sink);
}

enum etc_status etc_host_map_event(struct etc_plugin *p, const struct etcore_call *call,
                                   uint32_t index, struct etc_mapped *out, struct etc_error *err)
{
	struct etc_map_intake in = { .count = 0 };
	struct body a = { .p = p, .call = call, .index = index, .result = ETCORE_FAILED };
	enum etc_status st = ETC_OK;
	struct etcore_map_sink sink;

	*out = (struct etc_mapped){ 0 };
	if (!ETC_HAS_HOOK(p, map_event))
		return ETC_OK;
	in.in.arena = p->host->arena;
	in.in.plugin = p->abi;
	sink = etc_map_sink(&in);
	a.sink = &sink;
	if (etc_hook_run(p, "map_event", call, index, map_body, &a)) {
		if (in.in.out_of_memory) {
			st = etc_hook_nomem(err, "map_event");
		} else if (etc_hook_accepted(p, "map_event", call, index, a.result, &in.in)) {
			int64_t *handles = etc_new(p->host->arena, int64_t, in.count);

			if (!handles)
				st = etc_hook_nomem(err, "map_event");
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
