/* timeline.c -- writes the timeline of a run as JSON; see timeline.h
 *
 * Each slice of profile/walk.h is an array of numbers, in which a text is an index in one list of
 * texts; so a slice takes about 40 bytes. If a run has too many slices, only the longest slices are
 * written. */
#include "commands/report/timeline.h"

#include "base/map.h"
#include "model/place.h"
#include "profile/walk.h"

/* After this many slices, the memory pages of the dump that contain names are released, because
 * names are spread over the whole file. */
enum { REST_AFTER = 128 };

struct drawing {
	const struct etc_session *session;
	struct etc_emit *e;
	const struct etc_inputs *in;
	const struct etc_profile *profile;
	uint64_t den;       /* number of parts in a unit of the walker's clock */
	const char *method; /* --method, or NULL */
	struct etc_arena *arena;
	struct etc_timelines *counts;
	/* for each run, the number that `analyze --by run` gives it, from 1; 0: none */
	const uint32_t *number;
};

/* Writes the index of a text in the list of texts. If the list does not have the text, appends it.
 * For an empty text, writes -1. */
static enum etc_status put_text(struct etc_emit *e, struct etc_map *texts, struct etc_str s,
                                struct etc_error *err)
{
	size_t at = s.len ? etc_map_add(texts, s, texts->count) : ETC_MAP_NONE;

	if (s.len && at == ETC_MAP_NONE)
		return etc_no_memory(err);
	etc_emit_i64(e, NULL, s.len ? (int64_t)at : -1);
	return ETC_OK;
}

/* Writes a time of a slice; null if the event ends before it starts. */
static void put_time(struct etc_emit *e, const struct etc_walk_run *run,
                     const struct etc_walk_slice *slice, uint64_t time)
{
	if (slice->start == ETC_WALK_UNPLACED && slice->time == 0 &&
	    run->end[slice->event] < run->start[slice->event])
		etc_emit_null(e, NULL);
	else
		etc_emit_u64(e, NULL, time);
}

static struct etc_str unit_of(const struct etc_walk_slice *slice)
{
	return slice->unit == ETC_UNIT_UNKNOWN ? ETC_STR("unknown")
	                                       : etc_str_of(etc_unit_name(slice->unit));
}

/* Writes one slice. page.js reads the numbers by their positions (SLICE in page.js). The last
 * number, the unit, is written only if it differs from the unit of the timeline. */
static enum etc_status put_slice(struct drawing *d, const struct etc_walk_run *run, uint32_t i,
                                 struct etc_map *texts, struct etc_error *err)
{
	const struct etc_walk_slice *slice = &run->slices[i];
	const struct etc_walk_about about = etc_walk_about(run, slice->event);
	const struct etc_place *place = about.place;
	struct etc_emit *e = d->e;

	etc_emit_open(e, NULL, '[');
	etc_emit_i64(e, NULL, slice->parent == ETC_NO_SITE ? -1 : (int64_t)slice->parent);
	etc_emit_i64(e, NULL, slice->from);
	etc_emit_i64(e, NULL, slice->to - slice->from);
	put_time(e, run, slice, slice->time);
	put_time(e, run, slice, slice->self);
	etc_emit_u64(e, NULL, etc_walk_kind(run, slice->event));
	etc_emit_u64(e, NULL, slice->start);
	etc_emit_u64(e, NULL, slice->why);
	ETC_TRY(put_text(e, texts, etc_walk_name(run, slice->event, slice->dispatch), err));
	ETC_TRY(put_text(e, texts, about.backend, err));
	ETC_TRY(put_text(e, texts, about.category, err));
	ETC_TRY(put_text(e, texts, place ? place->module->name : (struct etc_str){ 0 }, err));
	ETC_TRY(put_text(e, texts, place ? place->source->name : (struct etc_str){ 0 }, err));
	if (slice->unit != d->profile->unit)
		ETC_TRY(put_text(e, texts, unit_of(slice), err));
	etc_emit_close(e);
	return ETC_OK;
}

static enum etc_status put_slices(struct drawing *d, const struct etc_walk_run *run,
                                  struct etc_map *texts, struct etc_error *err)
{
	etc_emit_open(d->e, "slices", '[');
	for (uint32_t i = 0; i < run->slice_count; i++) {
		if ((i + 1) % REST_AFTER == 0)
			etc_session_rest(d->session, (struct etc_span){ 0 });
		ETC_TRY(put_slice(d, run, i, texts, err));
	}
	etc_emit_close(d->e);
	d->counts->room -= run->slice_count;
	etc_emit_u64(d->e, "left", run->event_count - run->slice_count);
	return ETC_OK;
}

static void put_texts(struct etc_emit *e, const struct etc_map *texts, struct etc_arena *arena)
{
	struct etc_str *list = etc_new(arena, struct etc_str, texts->count);

	etc_emit_open(e, "texts", '[');
	for (size_t i = 0; list && i < texts->room; i++)
		if (texts->slots[i].hash)
			list[texts->slots[i].value] = texts->slots[i].key;
	for (size_t i = 0; list && i < texts->count; i++) {
		etc_emit_name(e, NULL);
		etc_text_json_string(e->out, list[i]);
	}
	etc_emit_close(e);
}

/* Implements etc_walk_visit: writes one run as an object. Writes nothing if there is no room for
 * more slices, or if the run is not of the method of --method. `arg` is a struct drawing. */
static enum etc_status put_run(void *arg, const struct etc_walk_run *run, struct etc_error *err)
{
	struct drawing *d = arg;
	const bool of_path = run->path < d->profile->path_count;
	const struct etc_profile_path *path = of_path ? &d->profile->paths[run->path] : NULL;
	struct etc_map texts;

	if (d->counts->room == 0 ||
	    (d->method && !(path && etc_str_eq(path->method, etc_str_of(d->method)))))
		return ETC_OK;
	etc_map_init(&texts, d->arena);
	etc_emit_open(d->e, NULL, '{');
	etc_emit_cstr(d->e, "file", d->in->dump.path);
	etc_emit_text(d->e, "method", path && path->method.len ? path->method : ETC_STR_NONE);
	if (path)
		etc_emit_u64(d->e, "path", path->number);
	else
		etc_emit_null(d->e, "path");
	if (d->number[run->run])
		etc_emit_u64(d->e, "run", d->counts->runs + d->number[run->run]);
	else
		etc_emit_null(d->e, "run");
	etc_emit_cstr(d->e, "unit", etc_unit_name(d->profile->unit));
	etc_emit_u64(d->e, "den", d->den);
	ETC_TRY(put_slices(d, run, &texts, err));
	put_texts(d->e, &texts, d->arena);
	etc_emit_close(d->e);
	return ETC_OK;
}

enum etc_status etc_report_timelines(const struct etc_inputs *in, const struct etc_plan *plan,
                                     struct etc_session *s, struct etc_timelines *counts,
                                     struct etc_emit *e, struct etc_error *err)
{
	struct etc_profile_options po = etc_plan_profile(plan, in, s);
	struct etc_walk_options options = { .profile = &po, .most = &counts->room };
	struct drawing d = { .session = s,
		             .e = e,
		             .in = in,
		             .method = plan->options->method,
		             .arena = &s->arena,
		             .counts = counts };
	const struct etc_trace *trace;
	struct etc_profile profile;
	struct etc_walker *walker;
	enum etc_status st;
	uint32_t *number, last;
	bool *chosen;

	po.no_rows = true;
	options.nodes = po.record != NULL;
	ETC_TRY(etc_profile_trace(&in->trace, &po, &s->arena, &trace, err));
	ETC_TRY(etc_profile_make(trace, &po, &s->arena, &profile, err));
	chosen = etc_new(&s->arena, bool, trace->run_count);
	d.number = number = etc_new(&s->arena, uint32_t, trace->run_count);
	ETC_NEED(chosen && number, err);
	last = etc_walk_number(trace, &profile, d.method, number);
	etc_walk_typical(trace, &profile, chosen);
	options.chosen = chosen;
	d.profile = &profile;
	ETC_TRY(etc_walker_make(&walker, trace, &profile, &options, &s->arena, err));
	d.den = etc_clock_den(etc_walker_clock(walker));
	st = etc_walker_visit(walker, put_run, &d, err);
	etc_walker_release(walker);
	counts->runs += last;
	return st;
}
