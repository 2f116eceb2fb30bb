/* baseline_settle.c -- checks a baseline that was read, and converts it to profiles; see
 * baseline_reader.h */
#include "commands/compare/baseline_reader.h"

#include "base/vlq.h"

/* State of converting the times and rows of one path in one view (by event, or by delegate). */
struct settler {
	struct etc_arena *arena;
	struct etc_error *err;
	const struct etc_stored *stored;
	const struct etc_stored_path *path;
	const struct etc_stored_view *view;
	struct etc_profile_path *out;
	struct etc_profile_row *rows;
	uint32_t count; /* number of rows of `view` */
};

static enum etc_status bad(struct settler *s, const char *what)
{
	return etc_fail(s->err, E0176, "%s", what);
}

/* ---- times -------------------------------------------------------------------------------- */

/* Decodes the `n` numbers in t->text, and stores them at to[0], to[stride], to[2 * stride] ... */
static enum etc_status decode(struct settler *s, const struct etc_stored_times *t, size_t n,
                              uint64_t *to, size_t stride)
{
	struct etc_str rest = t->text;
	uint64_t d;

	if (t->step == 0 || t->around % t->step)
		return bad(s, "'around' is no multiple of 'step'");
	for (size_t i = 0; i < n; i++) {
		if (!etc_vlq_take(&rest, &d))
			return bad(s, "times: fewer numbers than runs, or none at all");
		to[i * stride] = (t->around / t->step + d) * t->step;
	}
	return rest.len ? bad(s, "times: more numbers than runs") : ETC_OK;
}

static enum etc_status settle_runs(struct settler *s)
{
	const struct etc_stored_path *p = s->path;
	uint64_t *samples;

	if (p->runs == 0 || p->warmup >= p->runs || p->runs > p->times.text.len)
		return bad(s, "a path has runs, and not all of them are warm-up");
	if (p->number == 0 || p->number > UINT32_MAX)
		return bad(s, "the number of a path");
	samples = etc_new(s->arena, uint64_t, (size_t)p->runs);
	ETC_NEED(samples, s->err);
	ETC_TRY(decode(s, &p->times, (size_t)p->runs, samples, 1));
	*s->out = (struct etc_profile_path){
		.method = p->method,
		.methods_fit = p->methods_fit,
		.number = (uint32_t)p->number,
		.runs = (size_t)p->runs,
		.warmup = (size_t)p->warmup,
		.kept = (size_t)(p->runs - p->warmup),
		.typical_runs = (size_t)(p->runs - p->warmup),
		.samples = samples,
	};
	for (size_t i = s->out->warmup; i < s->out->runs; i++)
		s->out->kept_time += samples[i];
	return ETC_OK;
}

static enum etc_status settle_values(struct settler *s)
{
	size_t width = (size_t)ETC_VALUES_ROWS + s->count, kept = s->out->kept;
	const struct etc_stored_times *times = s->view->times.items;
	struct etc_run_sample *runs = etc_new(s->arena, struct etc_run_sample, kept);
	uint64_t *v;

	/* Each number takes at least one character, so a shorter text is damaged. */
	for (uint32_t i = 0; i < s->count; i++)
		if (times[i].text.len < kept)
			return bad(s, "times: fewer numbers than runs");
	v = etc_new(s->arena, uint64_t, width <= SIZE_MAX / 8 / kept ? width * kept : SIZE_MAX / 8);
	ETC_NEED(runs && v, s->err);
	for (uint32_t i = 0; i < ETC_VALUES_DELEGATED; i++)
		ETC_TRY(decode(s, &s->view->rests[i], kept, v + i, width));
	for (uint32_t i = 0; i < s->count; i++)
		ETC_TRY(decode(s, &times[i], kept, v + s->rows[i].value, width));
	for (size_t i = 0; i < kept; i++)
		runs[i] = (struct etc_run_sample){ .run = i,
			                           .time = s->out->samples[s->out->warmup + i],
			                           .v = v + i * width,
			                           .count = (uint32_t)width };
	s->out->values = runs;
	return ETC_OK;
}

/* ---- rows --------------------------------------------------------------------------------- */

static uint64_t column(const struct settler *s, enum etc_stored_column c, uint32_t row)
{
	return ((const uint64_t *)s->view->columns[c].items)[row];
}

/* Makes the rows of the path with index `number`, in the order of the file. */
static enum etc_status settle_rows(struct settler *s, uint32_t number)
{
	bool *taken = etc_new(s->arena, bool, s->count);
	const struct etc_stored_event *events = s->stored->events.items;

	ETC_NEED(taken, s->err);
	for (uint32_t i = 0; i < s->count; i++) {
		uint64_t event = column(s, ETC_STORED_EVENT, i);
		uint64_t order = column(s, ETC_STORED_ORDER, i);
		uint64_t first = column(s, ETC_STORED_FIRST, i);
		struct etc_profile_row *r = &s->rows[i];

		if (event >= s->stored->events.count)
			return bad(s, "a row of an event that is not listed");
		if (order >= s->count || taken[order])
			return bad(s, "'order' has each number once");
		if (first > UINT32_MAX)
			return bad(s, "the index of an event");
		taken[order] = true;
		*r = events[event].row;
		r->path = number;
		r->value = ETC_VALUES_ROWS + (uint32_t)order;
		r->calls = column(s, ETC_STORED_CALLS, i);
		r->truncated = column(s, ETC_STORED_TRUNCATED, i);
		r->first_event = (uint32_t)first;
	}
	return ETC_OK;
}

static enum etc_status settle_view(struct settler *s, uint32_t number)
{
	const struct etc_stored_view *v = s->view;

	for (int c = 0; c < ETC_STORED_COLUMNS; c++)
		if (v->columns[c].count != v->times.count)
			return bad(s, "lists of rows of different lengths");
	if (v->partitions > UINT32_MAX || v->delegate_events > UINT32_MAX)
		return bad(s, "numbers of events are of 32 bits");
	s->out->partitions = (uint32_t)v->partitions;
	s->out->delegate_events = (uint32_t)v->delegate_events;
	s->out->resolution = v->resolution;
	ETC_TRY(settle_rows(s, number));
	return settle_values(s);
}

/* ---- dumps ---------------------------------------------------------------------------------- */

static uint8_t unit_of(struct etc_str name)
{
	for (uint8_t unit = ETC_UNIT_UNKNOWN; unit <= ETC_UNIT_COUNT; unit++)
		if (etc_str_eq(name, etc_str_of(etc_unit_name(unit))))
			return unit;
	return UINT8_MAX;
}

static uint32_t rows_in(const struct etc_stored_dump *d, unsigned view)
{
	const struct etc_stored_path *paths = d->paths.items;
	uint64_t n = 0;

	for (uint32_t i = 0; i < d->paths.count; i++)
		n += paths[i].views[view].times.count;
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static enum etc_status settle_profile(struct settler *s, const struct etc_stored_dump *d,
                                      unsigned view, struct etc_profile *out)
{
	static const uint8_t by[ETC_BASELINE_VIEWS] = { ETC_BY_EVENT, ETC_BY_DELEGATE };
	const struct etc_stored_path *stored = d->paths.items;
	struct etc_profile_path *paths = etc_new(s->arena, struct etc_profile_path, d->paths.count);
	struct etc_profile_row *rows = etc_new(s->arena, struct etc_profile_row, rows_in(d, view));
	struct etc_profile_load *load = etc_new(s->arena, struct etc_profile_load, 1);
	size_t at = 0;

	ETC_NEED(paths && rows && load, s->err);
	*load = (struct etc_profile_load){ .time = d->load_time, .valid = d->has_load_time };
	*out = (struct etc_profile){ .unit = unit_of(d->unit),
		                     .stat = ETC_STAT_MEAN,
		                     .by = by[view],
		                     .den = d->parts,
		                     .loads = load,
		                     .load_count = (size_t)d->loads,
		                     .paths = paths,
		                     .path_count = d->paths.count,
		                     .rows = rows,
		                     .debugs = d->debug_values };
	for (uint32_t i = 0; i < d->paths.count; i++) {
		s->path = &stored[i];
		s->view = &stored[i].views[view];
		s->out = &paths[i];
		s->rows = rows + at;
		s->count = s->view->times.count;
		ETC_TRY(etc_context(s->err, settle_runs(s), "path %u", i));
		s->out->den = d->parts;
		s->out->per = s->out->kept * (size_t)d->parts;
		ETC_TRY(etc_context(s->err, settle_view(s, i), "path %u", i));
		at += s->count;
	}
	out->row_count = d->paths.count ? at : (size_t)d->load_rows[view];
	out->executes = out->run_count = 0;
	return ETC_OK;
}

static enum etc_status settle_dump(struct settler *s, const struct etc_stored_dump *d,
                                   struct etc_baseline_dump *out)
{
	*out = d->dump;
	out->plugins = d->plugins.items;
	out->plugin_count = d->plugins.count;
	out->notes = d->notes.items;
	out->note_count = d->notes.count;
	if (!d->dump.files[ETC_BASELINE_DUMP].path.len)
		return bad(s, "the name of the dump");
	if (unit_of(d->unit) > ETC_UNIT_TICKS)
		return bad(s, "the unit of its times");
	if (d->parts == 0 || d->parts > UINT64_MAX >> 16)
		return bad(s, "the parts of its unit");
	for (unsigned v = 0; v < ETC_BASELINE_VIEWS; v++)
		ETC_TRY(settle_profile(s, d, v, &out->views[v]));
	return ETC_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static enum etc_status settle_place(struct settler *s, struct etc_stored_event *e)
{
	const struct etc_str *ops = e->nodes.items;
	uint8_t how = e->nodes.count ? ETC_PLACE_EXACT : ETC_PLACE_UNKNOWN;
	const struct etc_node **nodes = etc_new(s->arena, const struct etc_node *, e->nodes.count);

	ETC_NEED(nodes, s->err);
	for (uint32_t i = 0; i < e->nodes.count; i++) {
		struct etc_node *node = etc_new(s->arena, struct etc_node, 1);

		ETC_NEED(node, s->err);
		*node = (struct etc_node){ .op = ops[i] };
		nodes[i] = node;
	}
	e->module =
		(struct etc_group){ .name = e->keys.key[ETC_BY_MODULE], .count = 1, .how = how };
	e->source =
		(struct etc_group){ .name = e->keys.key[ETC_BY_SOURCE], .count = 1, .how = how };
	e->place = (struct etc_place){ .nodes = nodes,
		                       .count = e->nodes.count,
		                       .how = how,
		                       .module = &e->module,
		                       .source = &e->source };
	e->keys.place = &e->place;
	return ETC_OK;
}

/* Checks an event, and sets the pointers in it that point to its own members. Must be called after
 * the whole list has been read, because events are moved when the list grows. */
static enum etc_status settle_event(struct settler *s, struct etc_stored_event *e)
{
	if (e->row.facts) {
		e->row.facts = &e->facts;
		e->facts.library_ran = etc_str_eq(e->library_ran, ETC_STR("yes")) ? ETC_RAN_YES
		                       : etc_str_eq(e->library_ran, ETC_STR("no"))
		                               ? ETC_RAN_NO
		                               : ETC_RAN_UNKNOWN;
	}
	e->row.unit = unit_of(e->unit);
	if (e->row.unit > ETC_UNIT_COUNT || !e->row.name.ptr)
		return bad(s, "its name and its unit");
	if (!e->has_event)
		return ETC_OK;
	if (e->id != (int32_t)e->id || e->instruction != (int32_t)e->instruction)
		return bad(s, "its ids are of 32 bits");
	if (!e->keys.key[ETC_BY_OP].ptr)
		return bad(s, "the name of its operator");
	e->event.chain = (uint64_t)e->chain;
	e->event.delegate_id = (int32_t)e->id;
	e->event.instruction_id = (int32_t)e->instruction;
	e->event.has_delegate_name = e->delegate_name.ptr != NULL;
	e->event.delegate_name = etc_arena_sized(s->arena, e->delegate_name);
	if (e->event.has_delegate_name && !e->event.delegate_name.ptr)
		return etc_no_memory(s->err);
	e->keys.event = &e->event;
	e->row.event = &e->keys;
	return e->keys.key[ETC_BY_MODULE].ptr && e->keys.key[ETC_BY_SOURCE].ptr ? settle_place(s, e)
	                                                                        : ETC_OK;
}

enum etc_status etc_stored_settle(struct etc_stored *stored, struct etc_arena *arena,
                                  struct etc_baseline *out, struct etc_error *err)
{
	struct settler s = { .arena = arena, .err = err, .stored = stored };
	struct etc_baseline_dump *dumps =
		etc_new(arena, struct etc_baseline_dump, stored->dumps.count);
	struct etc_stored_event *events = stored->events.items;
	const struct etc_stored_dump *stored_dumps = stored->dumps.items;

	ETC_NEED(dumps, s.err);
	if (stored->dumps.count == 0)
		return bad(&s, "there is no dump in it");
	for (uint32_t i = 0; i < stored->events.count; i++)
		ETC_TRY(etc_context(err, settle_event(&s, &events[i]), "event %u", i));
	for (uint32_t i = 0; i < stored->dumps.count; i++)
		ETC_TRY(etc_context(err, settle_dump(&s, &stored_dumps[i], &dumps[i]), "dump %u",
		                    i));
	*out = (struct etc_baseline){ dumps, stored->dumps.count };
	return ETC_OK;
}
