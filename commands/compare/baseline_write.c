/* baseline_write.c -- writes a baseline as JSON; see baseline_write.h */
#include "commands/compare/baseline_write.h"

#include "base/exact.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/vlq.h"
#include "table/emit.h"

struct writer {
	struct etc_arena *arena;
	struct etc_emit e;
	struct etc_map known; /* maps an event, as JSON text, to its number in the list of events */
	struct etc_str *events;
	uint32_t count, room;
	bool failed; /* out of memory */
};

/* ---- times of runs -------------------------------------------------------------------- */

static void put_times(struct writer *w, const char *name, const uint64_t *v, size_t n)
{
	uint64_t *sorted = etc_malloc((n ? n : 1) * sizeof *sorted), step = 0, around;
	struct etc_text text = { 0 };

	if (!sorted) {
		w->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		sorted[i] = v[i];
		step = etc_common_divisor(step, v[i]);
	}
	step = step ? step : 1;
	if (n)
		qsort(sorted, n, sizeof *sorted, etc_by_u64);
	around = n ? sorted[n / 2] : 0;
	free(sorted);
	for (size_t i = 0; i < n; i++)
		etc_vlq_put(&text, v[i] / step - around / step);
	etc_emit_open(&w->e, name, '[');
	etc_emit_u64(&w->e, NULL, step);
	etc_emit_u64(&w->e, NULL, around);
	etc_emit_text(&w->e, NULL, n ? etc_text_str(&text) : ETC_STR(""));
	etc_emit_close(&w->e);
	w->failed = w->failed || text.failed;
	etc_text_release(&text);
}

/* Writes the member `name`: for each kept run of the path, item `at` of the run's values. */
static void put_values(struct writer *w, const char *name, const struct etc_profile_path *p,
                       uint32_t at)
{
	uint64_t *v = etc_malloc((p->kept ? p->kept : 1) * sizeof *v);

	if (!v) {
		w->failed = true;
		return;
	}
	for (size_t i = 0; i < p->kept; i++)
		v[i] = at < p->values[i].count ? p->values[i].v[at] : 0;
	put_times(w, name, v, p->kept);
	free(v);
}

/* ---- events --------------------------------------------------------------------------- */

static void put_if(struct etc_emit *e, const char *name, struct etc_str s)
{
	if (s.len)
		etc_emit_text(e, name, s);
}

static void put_flag(struct etc_emit *e, const char *name, bool set)
{
	if (set)
		etc_emit_bool(e, name, true);
}

static void put_facts(struct etc_emit *e, const struct etc_facts *f)
{
	static const char *const ran[] = { "unknown", "no", "yes" };

	etc_emit_open(e, "facts", '{');
	put_if(e, "display", f->display);
	put_if(e, "operator", f->operator_name);
	put_if(e, "kernel", f->kernel);
	put_if(e, "canonical", f->canonical);
	put_if(e, "annotator", f->annotator);
	if (!etc_str_eq(f->library, f->annotator))
		put_if(e, "library", f->library);
	if (f->library_ran == ETC_RAN_NO || f->library_ran == ETC_RAN_YES)
		etc_emit_text(e, "library_ran", etc_str_of(ran[f->library_ran]));
	put_if(e, "library_why", f->library_why);
	put_if(e, "isa", f->isa);
	put_flag(e, "is_matrix", f->is_matrix);
	etc_emit_close(e);
}

static void put_nodes(struct etc_emit *e, const struct etc_place *place)
{
	if (place->how != ETC_PLACE_EXACT || place->count == 0)
		return;
	etc_emit_open(e, "nodes", '[');
	for (uint32_t i = 0; i < place->count; i++)
		etc_emit_text(e, NULL, place->nodes[i]->op);
	etc_emit_close(e);
}

/* Writes names of an event: with `places`, the names that depend on its nodes in the exported
 * graph; without `places`, the other names. */
static void put_names(struct etc_emit *e, const struct etc_row_event *of, bool places)
{
	for (uint8_t by = 0; by < ETC_EVENT_KEYS; by++) {
		const struct etc_row_key *key = etc_row_key(by);

		if (key->places == places && (of->key[by].len || places || by == ETC_BY_OP))
			etc_emit_text(e, key->stored, of->key[by]);
	}
}

static void put_keys(struct etc_emit *e, const struct etc_row_event *of)
{
	put_names(e, of, false);
	if (of->event->has_delegate_name)
		etc_emit_text(e, "delegate_name", etc_event_delegate_name(of->event));
	etc_emit_i64(e, "delegate_id", of->event->delegate_id);
	etc_emit_i64(e, "chain", (int64_t)of->event->chain);
	etc_emit_i64(e, "instruction", of->event->instruction_id);
	if (of->place) {
		put_names(e, of, true);
		put_nodes(e, of->place);
	}
}

static void put_event(struct etc_emit *e, const struct etc_profile_row *r)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "name", r->name.ptr ? r->name : ETC_STR(""));
	if (r->event)
		put_keys(e, r->event);
	put_if(e, "category", r->category);
	put_if(e, "backend", r->backend);
	put_flag(e, "delegate", r->delegate);
	put_flag(e, "native", r->native);
	put_flag(e, "detached", r->detached);
	etc_emit_text(e, "unit", etc_str_of(etc_unit_name(r->unit)));
	if (r->facts)
		put_facts(e, r->facts);
	etc_emit_close(e);
}

/* Returns the number of the event in the list of all events. Adds the event if it is new. */
static uint32_t event_of(struct writer *w, const struct etc_profile_row *r)
{
	struct etc_text text = { 0 };
	struct etc_emit e = { .out = &text };
	struct etc_str copy, *new;
	size_t at;

	put_event(&e, r);
	text.len -= text.len > 0; /* without the line feed at the end */
	at = text.failed ? ETC_MAP_NONE : etc_map_get(&w->known, etc_text_str(&text));
	if (at == ETC_MAP_NONE) {
		copy = etc_arena_str(w->arena, etc_text_str(&text));
		at = w->count;
		new = ETC_APPEND(w->arena, w->events, w->count, w->room);
		if (text.failed || !copy.ptr || !new ||
		    etc_map_add(&w->known, copy, at) == ETC_MAP_NONE)
			w->failed = true;
		else
			*new = copy;
	}
	etc_text_release(&text);
	return (uint32_t)at;
}

/* ---- one dump ------------------------------------------------------------------------- */

enum column { EVENT, ORDER, CALLS, TRUNCATED, FIRST, COLUMNS };

static const char *const columns[COLUMNS] = { "events", "order", "calls", "truncated", "first" };

/* A row of a path. `value`: number of the row in the order in which the rows of the path were made.
 * `row`: index of the row in the profile, where rows are sorted by time. */
struct place {
	uint32_t value, row;
};

static int by_value(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

static uint32_t *orders(struct writer *w, const struct etc_profile_row *rows, size_t n)
{
	struct place *places = etc_new(w->arena, struct place, n);
	uint32_t *order = etc_new(w->arena, uint32_t, n);

	if (!places || !order)
		return NULL;
	for (size_t i = 0; i < n; i++)
		places[i] = (struct place){ rows[i].value, (uint32_t)i };
	if (n)
		qsort(places, n, sizeof *places, by_value);
	for (size_t i = 0; i < n; i++)
		order[places[i].row] = (uint32_t)i;
	return order;
}

static void put_rows(struct writer *w, const struct etc_profile *p, uint32_t path)
{
	const struct etc_profile_row *rows;
	uint32_t *order;
	size_t from, to;

	etc_profile_rows(p, path, &from, &to);
	rows = p->rows + from;
	order = orders(w, rows, to - from);
	if (!order) {
		w->failed = true;
		return;
	}
	for (uint8_t c = 0; c < COLUMNS; c++) {
		etc_emit_open(&w->e, columns[c], '[');
		for (size_t i = 0; i < to - from; i++)
			etc_emit_u64(&w->e, NULL,
			             c == EVENT       ? event_of(w, &rows[i])
			             : c == ORDER     ? order[i]
			             : c == CALLS     ? rows[i].calls
			             : c == TRUNCATED ? rows[i].truncated
			                              : rows[i].first_event);
		etc_emit_close(&w->e);
	}
	etc_emit_open(&w->e, "times", '[');
	for (size_t i = 0; i < to - from; i++)
		put_values(w, NULL, &p->paths[path], rows[i].value);
	etc_emit_close(&w->e);
}

static void put_view(struct writer *w, const char *name, const struct etc_profile *p, uint32_t path)
{
	const struct etc_profile_path *of = &p->paths[path];

	etc_emit_open(&w->e, name, '{');
	etc_emit_u64(&w->e, "partitions", of->partitions);
	etc_emit_u64(&w->e, "delegate_events", of->delegate_events);
	etc_emit_u64(&w->e, "resolution", of->resolution);
	put_values(w, "rounding", of, ETC_VALUES_ROUNDING);
	put_values(w, "unattributed_inside", of, ETC_VALUES_INSIDE);
	put_values(w, "unattributed_between", of, ETC_VALUES_BETWEEN);
	put_rows(w, p, path);
	etc_emit_close(&w->e);
}

static void put_path(struct writer *w, const struct etc_baseline_dump *d, uint32_t path)
{
	const struct etc_profile *p = &d->views[ETC_BASELINE_EVENT];
	const struct etc_profile_path *of = &p->paths[path];

	etc_emit_open(&w->e, NULL, '{');
	etc_emit_text(&w->e, "method", of->method.len ? of->method : ETC_STR_NONE);
	if (of->methods_fit)
		etc_emit_bool(&w->e, "methods_fit", true);
	etc_emit_u64(&w->e, "number", of->number);
	etc_emit_u64(&w->e, "runs", of->runs);
	etc_emit_u64(&w->e, "warmup", of->warmup);
	put_times(w, "times", of->samples, of->runs);
	put_view(w, "event", p, path);
	put_view(w, "delegate", &d->views[ETC_BASELINE_DELEGATE], path);
	etc_emit_close(&w->e);
}

static void put_files(struct etc_emit *e, const struct etc_baseline_dump *d)
{
	static const char *const names[ETC_BASELINE_FILES] = { "dump", "etrecord", "debug_buffer",
		                                               "program" };

	for (uint32_t i = 0; i < ETC_BASELINE_FILES; i++) {
		const struct etc_baseline_file *f = &d->files[i];

		if (!f->path.len)
			continue;
		etc_emit_open(e, names[i], '{');
		etc_emit_text(e, "path", f->path);
		etc_emit_text(e, "sha256", f->sha256);
		etc_emit_u64(e, "bytes", f->bytes);
		etc_emit_close(e);
	}
}

static void put_notes(struct etc_emit *e, const struct etc_baseline_dump *d)
{
	etc_emit_open(e, "notes", '[');
	for (uint32_t i = 0; i < d->note_count; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "code", d->notes[i].code);
		put_if(e, "file", d->notes[i].file);
		put_if(e, "text", d->notes[i].text);
		etc_emit_u64(e, "count", d->notes[i].count);
		put_flag(e, "of_profile", d->notes[i].of_profile);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void put_dump(struct writer *w, const struct etc_baseline_dump *d)
{
	const struct etc_profile *p = &d->views[ETC_BASELINE_EVENT];
	struct etc_emit *e = &w->e;

	etc_emit_open(e, NULL, '{');
	put_files(e, d);
	etc_emit_text(e, "etcore", d->etcore);
	etc_emit_open(e, "plugins", '[');
	for (uint32_t i = 0; i < d->plugin_count; i++)
		etc_emit_text(e, NULL, d->plugins[i]);
	etc_emit_close(e);
	put_if(e, "typical", d->typical);
	etc_emit_u64(e, "warmup", d->warmup);
	etc_emit_text(e, "unit", etc_str_of(etc_unit_name(p->unit)));
	etc_emit_u64(e, "parts", p->den);
	etc_emit_u64(e, "loads", p->load_count);
	if (p->load_count && p->loads[0].valid)
		etc_emit_u64(e, "load_time", p->loads[0].time);
	etc_emit_u64(e, "debug_values", p->debugs);
	if (p->path_count == 0) {
		etc_emit_u64(e, "load_events", p->row_count);
		etc_emit_u64(e, "load_delegates", d->views[ETC_BASELINE_DELEGATE].row_count);
	}
	put_notes(e, d);
	etc_emit_open(e, "paths", '[');
	for (uint32_t i = 0; i < p->path_count; i++)
		put_path(w, d, i);
	etc_emit_close(e);
	etc_emit_close(e);
}

enum etc_status etc_write_baseline(const struct etc_baseline *baseline, struct etc_arena *arena,
                                   struct etc_text *out, struct etc_error *err)
{
	struct writer w = { .arena = arena, .e = { .out = out } };
	char schema[32];

	etc_map_init(&w.known, arena);
	snprintf(schema, sizeof schema, "%s%d", ETC_BASELINE_FORMAT, ETC_BASELINE_VERSION);
	etc_emit_block(&w.e, NULL, '{');
	etc_emit_text(&w.e, "schema", etc_str_of(schema));
	etc_emit_block(&w.e, "dumps", '[');
	for (uint32_t i = 0; i < baseline->count; i++)
		put_dump(&w, &baseline->dumps[i]);
	etc_emit_close(&w.e);
	etc_emit_block(&w.e, "events", '[');
	for (uint32_t i = 0; i < w.count; i++) {
		etc_emit_name(&w.e, NULL);
		etc_text_put(out, w.events[i]);
	}
	etc_emit_close(&w.e);
	etc_emit_close(&w.e);
	return w.failed || out->failed ? etc_no_memory(err) : ETC_OK;
}
