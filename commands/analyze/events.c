/* events.c -- collects what `--events` shows of each event; see events.h */
#include "commands/analyze/events.h"

#include "commands/analyze/events_table.h"
#include "commands/analyze/starts.h"
#include "etcore/plugin.h"
#include "join/owner.h"
#include "join/paths.h"
#include "join/places.h"
#include "model/datum.h"
#include "profile/profile.h"
#include "work/sites.h"

/* ---- texts, starts and work of events ------------------------------------------ */

/* The runs of a template: `run` lists all of them, `about` those that are passed to plugins. */
struct etc_template_runs {
	const uint32_t *run;
	size_t count;
	const uint32_t *about;
	size_t about_count;
	const uint8_t *use; /* enum etc_run_use of each run */
};

/* Writes metadata as text: as named values if the metadata has columns, else as its items. A list
 * usually has one item per run, and these items are usually equal; so an item that equals the item
 * before it is left out. */
static void put_parsed(struct etc_text *t, const struct etc_parsed *p)
{
	for (uint32_t i = 0; i < p->column_count; i++) {
		if (i)
			etc_text_cstr(t, "  ");
		etc_text_put(t, p->columns[i].name);
		etc_text_char(t, '=');
		etc_datum_put(t, &p->columns[i]);
	}
	for (uint32_t i = 0; i < p->count && !p->has_columns; i++) {
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

/* Are the event's times inside the times of its DELEGATE_CALL in every run? Runs in which the event
 * ends before it starts are ignored. If the answer is no, and no plugin described the times, they
 * cannot be on the runtime's clock. */
static bool is_inside(const struct etc_sites *sites, uint32_t i, const struct etc_trace *trace,
                      const struct etc_template_runs *runs)
{
	uint32_t call = sites->v[i].call;

	if (call == ETC_NO_SITE || !sites->v[call].delegate_call)
		return false;
	for (size_t r = 0; r < runs->count; r++) {
		const uint64_t *start = trace->start + trace->runs[runs->run[r]].first_sample;
		const uint64_t *end = trace->end + trace->runs[runs->run[r]].first_sample;

		if (end[i] >= start[i] && !(start[call] <= start[i] && end[i] <= end[call]))
			return false;
	}
	return true;
}

static void put_unit(const struct etc_sites *sites, uint32_t i, const struct etc_trace *trace,
                     const struct etc_template_runs *runs, struct etc_event_text *out)
{
	const struct etc_reading *as = sites->v[i].reading;

	out->unit = as->unit;
	out->clock = as->clock;
	out->scale = as->scale;
	out->per = as->per ? as->per : 1;
	out->den = sites->den;
	out->resolution = as->resolution;
	if (!sites->v[i].delegate || as->timed || is_inside(sites, i, trace, runs))
		return;
	out->unit = ETCORE_UNIT_UNKNOWN;
	out->clock = ETCORE_CLOCK_UNKNOWN;
	out->scale = out->per = out->den = 1;
}

static bool as_texts(struct etc_datum **v, uint32_t n, struct etc_arena *arena)
{
	struct etc_datum *all = etc_new(arena, struct etc_datum, n);
	bool ok = all != NULL;

	if (ok && n)
		memcpy(all, *v, n * sizeof *all);
	for (uint32_t i = 0; i < n && ok; i++)
		ok = etc_datum_as(&all[i], all[i].type, arena);
	*v = all;
	return ok;
}

/* Sets *out to the named values of `parsed`, or to NULL if there are none. JSON values and values
 * without a type become text. Returns false if out of memory. */
static bool keep_named(const struct etc_parsed *parsed, struct etc_arena *arena,
                       const struct etc_parsed **out)
{
	struct etc_datum *v =
		(struct etc_datum *)(parsed->has_columns ? parsed->columns : parsed->items);
	uint32_t n = parsed->has_columns               ? parsed->column_count
	             : parsed->form == ETC_PARSED_DICT ? parsed->count
	                                               : 0;
	struct etc_parsed *copy;
	bool any = false;

	for (uint32_t i = 0; i < n; i++)
		any = any || v[i].type == 0 || v[i].type == ETC_TYPE_JSON;
	*out = n ? parsed : NULL;
	if (!any)
		return true;
	*out = copy = etc_new(arena, struct etc_parsed, 1);
	if (!copy || !as_texts(&v, n, arena))
		return false;
	*copy = (struct etc_parsed){ .form = ETC_PARSED_DICT, .items = v, .count = n };
	return true;
}

static enum etc_status to_text(const struct etc_sites *sites, const struct etc_trace *trace,
                               const struct etc_template_runs *runs, bool text,
                               struct etc_arena *arena, struct etc_event_text *out,
                               struct etc_error *err)
{
	struct etc_text t = { 0 };
	bool ok = true;

	for (uint32_t i = 0; i < sites->count && ok; i++) {
		const struct etc_place *place = etc_sites_place_of(sites, i);
		const struct etc_parsed *parsed = etc_site_said(sites, &sites->v[i]).metadata;

		put_unit(sites, i, trace, runs, &out[i]);
		if (place && place->how != ETC_PLACE_UNKNOWN) {
			out[i].module = place->module->name;
			out[i].source = place->source->name;
		}
		if (!parsed)
			continue;
		ok = keep_named(parsed, arena, &out[i].said);
		if (!ok || (!text && out[i].said))
			continue;
		t.len = 0;
		put_parsed(&t, parsed);
		out[i].metadata = etc_arena_str(arena, etc_text_str(&t));
		ok = !t.failed && (out[i].metadata.ptr || !t.len);
	}
	etc_text_release(&t);
	return ok ? ETC_OK : etc_no_memory(err);
}

/* Sets the start times of events if a plugin found, for a call of the template, the times that the
 * device's and the runtime's clock showed at the same moment. Reports such pairs of times if they
 * cannot be used (N0622). */
static enum etc_status put_starts(const struct etc_sites *sites, const struct etc_join_input *in,
                                  const struct etc_template_runs *runs, struct etc_arena *scratch,
                                  struct etc_event_text *out, struct etc_error *err)
{
	static const char *const why[] = {
		[ETC_READINGS_USELESS] =
			"of what has no clock of its own with ticks of known length",
		[ETC_READINGS_BACKWARDS] = "they run backwards",
		[ETC_READINGS_OUTSIDE] = "they place events outside their call",
	};
	struct etc_starts starts;

	ETC_TRY(etc_starts_find(sites, in, runs->about, runs->about_count, scratch, &starts, err));
	for (uint32_t i = 0; i < sites->count && starts.v; i++) {
		out[i].start_by = starts.v[i].by;
		out[i].start = starts.v[i].after;
	}
	for (int k = ETC_READINGS_USELESS; k < ETC_READINGS_FAULTS; k++)
		if (starts.faults[k])
			etc_note_each(in->host->notes, N0622,
			              "%u call%s, the first of instruction %lld: %s",
			              starts.faults[k], etc_plural(starts.faults[k]),
			              (long long)etc_site_event(sites, &sites->v[starts.first[k]])
			                      ->instruction_id,
			              why[k]);
	return ETC_OK;
}

/* Returns an array with a value per site: is the site a call that contains other events? The work
 * of such a call is shown at those events. NULL: out of memory. */
static bool *find_enclosing(const struct etc_sites *sites, struct etc_arena *scratch)
{
	bool *encloses = etc_new(scratch, bool, sites->count);

	for (uint32_t i = 0; i < sites->count && encloses; i++)
		if (!sites->v[i].instruction && sites->v[i].call != ETC_NO_SITE)
			encloses[sites->v[i].call] = true;
	return encloses;
}

/* Adds up the work of each event over the measured runs (the runs after the warm-up). If there are
 * no measured runs, adds up the work over all runs. */
static enum etc_status add_works(const struct etc_sites *sites,
                                 const struct etc_template_runs *runs, struct etc_row_work **to,
                                 struct etc_error *err)
{
	const struct etc_varying *v = sites->varying;
	size_t kept = 0;

	for (size_t r = 0; r < runs->count; r++)
		kept += runs->use[r] != ETC_USE_WARMUP;
	for (uint32_t i = 0; i < sites->count; i++)
		if (to[i])
			etc_row_work_add(to[i], &sites->work[i], kept ? kept : runs->count,
			                 sites->cache_bytes);
	for (size_t r = 0; v && r < runs->count; r++) {
		const struct etc_work *work;

		if (kept && runs->use[r] == ETC_USE_WARMUP)
			continue;
		ETC_TRY(v->of_run(v, runs->run[r], &work, err));
		for (uint32_t i = 0; i < v->count; i++)
			if (to[v->site[i]])
				etc_row_work_add(to[v->site[i]], &work[i], 1, sites->cache_bytes);
	}
	return ETC_OK;
}

static enum etc_status put_works(struct etc_sites *sites, const struct etc_join_input *in,
                                 const struct etc_profile_options *options, uint32_t template,
                                 const struct etc_template_runs *runs, struct etc_works *works,
                                 struct etc_arena *arena, struct etc_event_text *out,
                                 struct etc_error *err)
{
	struct etc_row_work **to = etc_new(sites->arena, struct etc_row_work *, sites->count);
	const bool *encloses = find_enclosing(sites, sites->arena);

	ETC_NEED(to && encloses, err);
	sites->cache_bytes = etc_peaks_cache(options->peaks);
	ETC_TRY(etc_works_of(works, sites, in->trace, template, err));
	for (uint32_t i = 0; i < sites->count; i++) {
		if (encloses[i] || i == sites->root)
			continue;
		out[i].work = to[i] = etc_new(arena, struct etc_row_work, 1);
		ETC_NEED(to[i], err);
	}
	return add_works(sites, runs, to, err);
}

/* Makes the texts of each profile event of `template`, whose method is `method`:
 *
 * - Metadata: parsed by the owner of the event, else decoded by the key `metadata` of [backend.ID].
 *   Values that are equal in several runs appear once. With `text`, named values are written as
 *   "name=value ...", too.
 * - Module and source line, if `places` is not NULL.
 * - Unit: the unit that the owner set, else the runtime's. The unit is unknown if the event is from
 *   a delegate, but outside of a DELEGATE_CALL.
 * - Work, if `works` is not NULL.
 *
 * E0605, E0904. */
static enum etc_status make_texts(const struct etc_trace *trace,
                                  const struct etc_profile_options *options,
                                  const struct etc_method *method, struct etc_places *places,
                                  uint32_t template, const struct etc_template_runs *runs,
                                  bool text, struct etc_works *works, struct etc_arena *arena,
                                  const struct etc_event_text **out, struct etc_error *err)
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
	struct etc_event_text *texts;
	struct etc_arena scratch;
	enum etc_status st;

	*out = NULL;
	texts = etc_new(arena, struct etc_event_text, trace->templates[template].profiles);
	ETC_NEED(texts, err);
	etc_arena_init(&scratch, arena->budget);
	st = etc_sites_make(&sites, &trace->templates[template], in.clock, &scratch, err);
	if (st == ETC_OK)
		st = etc_sites_calls(&sites, err);
	if (st == ETC_OK)
		st = etc_sites_own(&sites, &in, runs->about, runs->about_count, arena, err);
	if (st == ETC_OK && places)
		st = etc_sites_place(&sites, places, err);
	if (st == ETC_OK)
		st = to_text(&sites, trace, runs, text, arena, texts, err);
	if (st == ETC_OK)
		st = put_starts(&sites, &in, runs, &scratch, texts, err);
	if (st == ETC_OK && works)
		st = put_works(&sites, &in, options, template, runs, works, arena, texts, err);
	etc_arena_release(&scratch);
	*out = texts;
	return st;
}

/* Values of lister.use beside those of enum etc_run_use. */
enum { LEFT_OUT = 0xfe, USE_OF_PROFILE = 0xff };

struct lister {
	const struct etc_trace *trace;
	struct etc_paths paths;
	struct etc_methods methods;
	/* per template: index in `runs` of the template's first run. One more entry at the end is
	 * the length of `runs` */
	size_t *first;
	/* indices of the runs; those of one template are adjacent, in file order */
	uint32_t *runs;
	uint8_t *use;    /* enum etc_run_use of each run of the trace, or LEFT_OUT */
	uint8_t *of;     /* scratch: enum etc_run_use of the runs of one template */
	uint32_t *about; /* scratch: the runs of one template that are passed to plugins */
	struct etc_all_places places;
	struct etc_works works;
	bool typed;
};

/* Sets the use of the profile's runs: to `use`, or with USE_OF_PROFILE to that of the profile. */
static void mark(struct lister *l, const struct etc_profile *profile, uint8_t use)
{
	for (uint32_t p = 0; p < profile->path_count; p++)
		for (size_t i = 0; i < profile->paths[p].runs; i++)
			l->use[profile->paths[p].run[i]] =
				use == USE_OF_PROFILE ? profile->paths[p].asked[i] : use;
	for (size_t i = 0; i < profile->load_count; i++)
		l->use[profile->loads[i].run] = use == USE_OF_PROFILE ? ETC_USE_KEPT : use;
}

/* Stores how the profile uses each run (enum etc_run_use). Runs of `whole` that are not in
 * `profile` are of other methods, and are left out. Runs that are in neither count as kept. */
static enum etc_status mark_uses(struct lister *l, const struct etc_profile *whole,
                                 const struct etc_profile *profile, struct etc_arena *arena,
                                 struct etc_error *err)
{
	l->use = etc_new(arena, uint8_t, l->trace->run_count);
	l->of = etc_new(arena, uint8_t, l->trace->run_count);
	l->about = etc_new(arena, uint32_t, l->trace->run_count);
	ETC_NEED(l->use && l->of && l->about, err);
	memset(l->use, ETC_USE_KEPT, l->trace->run_count);
	mark(l, whole, LEFT_OUT);
	mark(l, profile, USE_OF_PROFILE);
	return ETC_OK;
}

static enum etc_status sort_runs(struct lister *l, struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_trace *t = l->trace;

	l->first = etc_new(arena, size_t, t->template_count + 2);
	l->runs = etc_new(arena, uint32_t, t->run_count);
	ETC_NEED(l->first && l->runs, err);
	for (size_t r = 0; r < t->run_count; r++)
		l->first[t->runs[r].template + 2] += l->use[r] != LEFT_OUT;
	for (size_t s = 2; s < t->template_count + 2; s++)
		l->first[s] += l->first[s - 1];
	for (uint32_t r = 0; r < t->run_count; r++)
		if (l->use[r] != LEFT_OUT)
			l->runs[l->first[t->runs[r].template + 1]++] = r;
	return ETC_OK;
}

static enum etc_status list_template(struct lister *l, const struct etc_profile_options *options,
                                     uint32_t template, struct etc_shown_template *out,
                                     struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_trace *t = l->trace;
	uint32_t *runs = &l->runs[l->first[template]];
	size_t n = l->first[template + 1] - l->first[template], kept = 0;
	const struct etc_method *method = etc_methods_of(&l->methods, &l->paths, template);
	struct etc_places *places = NULL;
	uint32_t path = l->paths.path[template];
	struct etc_template_runs of = { runs, n, l->about, 0, l->of };

	*out = (struct etc_shown_template){
		.template = &t->templates[template],
		.block = etc_run_head(t, &t->runs[runs[0]])->name,
		.path = path == ETC_NO_SITE ? 0 : path + 1,
		.runs = runs,
	};
	if (options->record)
		ETC_TRY(etc_places_of(&l->places, method, &places, err));
	for (size_t r = 0; r < n; r++)
		l->of[r] = l->use[runs[r]];
	of.about_count = etc_runs_asked(runs, l->of, n, l->about);
	ETC_TRY(make_texts(t, options, method, places, template, &of, l->typed,
	                   options->peaks ? &l->works : NULL, arena, &out->texts, err));
	for (size_t r = 0; r < n; r++)
		if (l->of[r] != ETC_USE_WARMUP)
			runs[kept++] = runs[r];
	out->run_count = kept ? kept : n;
	return ETC_OK;
}

enum etc_status etc_events_make(const struct etc_trace *trace,
                                const struct etc_profile_options *options,
                                const struct etc_profile *whole, const struct etc_profile *profile,
                                bool typed, struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err)
{
	const uint64_t finer = profile->den / etc_clock_den(options->clock);
	struct etc_profile_options fine = *options;
	struct etc_events_form form = { .unit = options->clock.unit, .peaks = options->peaks };
	enum etc_status st = ETC_OK;
	struct lister l = { .trace = trace, .typed = typed };
	struct etc_shown_template *shown =
		etc_new(arena, struct etc_shown_template, trace->template_count);
	size_t count = 0;

	ETC_NEED(shown, err);
	fine.clock = etc_clock_finer(options->clock, finer);
	ETC_TRY(etc_paths_find(&l.paths, trace, arena, err));
	ETC_TRY(etc_methods_find(&l.methods, &l.paths, trace, options->program, options->record,
	                         arena, err));
	ETC_TRY(mark_uses(&l, whole, profile, arena, err));
	ETC_TRY(sort_runs(&l, arena, err));
	ETC_TRY(etc_places_all(&l.places, options->record, arena, err));
	/* Templates are numbered in the order of their first runs, so the table lists them in this
	 * order, too. */
	etc_works_init(&l.works, arena);
	for (uint32_t s = 0; s < trace->template_count && st == ETC_OK; s++)
		if (l.first[s] < l.first[s + 1])
			st = list_template(&l, &fine, s, &shown[count++], arena, err);
	etc_works_release(&l.works);
	ETC_TRY(st);
	if (options->host)
		ETC_TRY(etc_host_declared(options->host, arena, &form.declared,
		                          &form.declared_count, err));
	return etc_view_events(trace, shown, count, &form, arena, out, err);
}
