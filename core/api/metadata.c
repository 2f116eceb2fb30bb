/* metadata.c -- see metadata.h */
#include "api/metadata.h"

#include "join/owner.h"
#include "join/places.h"
#include "model/datum.h"

/* Runs usually say the same: each run of equal items is shown once. */
static void put_parsed(struct etc_text *t, const struct etc_parsed *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		if (p->form == ETC_PARSED_LIST && i && etc_datum_eq(&p->items[i], &p->items[i - 1]))
			continue;
		if (i)
			etc_text_cstr(t, p->form == ETC_PARSED_LIST ? " | " : "  ");
		if (p->form == ETC_PARSED_DICT) {
			etc_text_put(t, p->items[i].name);
			etc_text_char(t, '=');
		}
		etc_datum_put(t, &p->items[i]);
	}
}

static enum etc_status to_text(const struct etc_sites *sites, struct etc_arena *arena,
                               struct etc_event_text *out, struct etc_error *err)
{
	struct etc_text t = { 0 };
	bool ok = true;

	for (uint32_t i = 0; i < sites->count && ok; i++) {
		const struct etc_site *s = &sites->v[i];

		if (s->place && s->place->how != ETC_PLACE_UNKNOWN) {
			out[i].module = s->place->module->name;
			out[i].source = s->place->source->name;
		}
		if (!s->metadata)
			continue;
		t.len = 0;
		put_parsed(&t, s->metadata);
		out[i].metadata = etc_arena_str(arena, etc_text_str(&t));
		ok = !t.failed && (out[i].metadata.ptr || !t.len);
	}
	etc_text_release(&t);
	return ok ? ETC_OK : etc_fail(err, E0904, "metadata of an event");
}

enum etc_status etc_event_texts(const struct etc_trace *trace,
                                const struct etc_profile_options *options,
                                const struct etc_method *method, struct etc_places *places,
                                uint32_t shape, const size_t *runs, size_t run_count,
                                struct etc_arena *arena, const struct etc_event_text **out,
                                struct etc_error *err)
{
	struct etc_join_input in = {
		.trace = trace,
		.host = options->host,
		.method = method,
		.clock = options->clock,
		.metadata = options->host != NULL,
		.places = places != NULL,
	};
	struct etc_sites sites = { 0 };
	struct etc_event_text *text;
	struct etc_arena scratch;
	enum etc_status st;

	*out = NULL;
	if (!in.metadata && !places)
		return ETC_OK;
	text = etc_new(arena, struct etc_event_text, trace->shapes[shape].profiles);
	if (!text)
		return etc_fail(err, E0904, "%u events", (unsigned)trace->shapes[shape].profiles);
	etc_arena_init(&scratch, arena->budget);
	st = etc_sites_make(&sites, &trace->shapes[shape], in.clock, &scratch, err);
	if (st == ETC_OK)
		st = etc_sites_calls(&sites, &scratch, err);
	if (st == ETC_OK)
		st = etc_sites_own(&sites, &in, runs, run_count, arena, &scratch, err);
	if (st == ETC_OK && places)
		st = etc_sites_place(&sites, places, err);
	if (st == ETC_OK)
		st = to_text(&sites, arena, text, err);
	etc_arena_release(&scratch);
	*out = text;
	return st;
}
