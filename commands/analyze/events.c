/* events.c -- see events_table.h */
#include "commands/analyze/events.h"

#include "commands/analyze/metadata.h"
#include "join/owner.h"
#include "join/paths.h"
#include "join/places.h"
#include "commands/analyze/events_table.h"

struct lister {
	const struct etc_trace *trace;
	struct etc_paths paths;
	struct etc_methods methods;
	size_t *first;   /* first run of each template in `runs`, and the end of the last */
	uint32_t *runs;  /* grouped by template, each in file order */
	uint8_t *use;    /* enum etc_run_use of each run, for passing to plugins */
	uint8_t *of;     /* scratch: enum etc_run_use of the runs of one template */
	uint32_t *about; /* scratch: those of these runs that are passed to plugins */
	struct etc_all_places places;
	struct etc_works works;
	bool typed;
};

/* Stores the use of each run in the profile; runs that are not in the profile count as kept. */
static enum etc_status mark_uses(struct lister *l, const struct etc_profile *profile,
                                 struct etc_arena *arena, struct etc_error *err)
{
	l->use = etc_new(arena, uint8_t, l->trace->run_count);
	l->of = etc_new(arena, uint8_t, l->trace->run_count);
	l->about = etc_new(arena, uint32_t, l->trace->run_count);
	ETC_NEED(l->use && l->of && l->about, err);
	memset(l->use, ETC_USE_KEPT, l->trace->run_count);
	for (uint32_t p = 0; p < profile->path_count; p++)
		for (size_t i = 0; i < profile->paths[p].runs; i++)
			l->use[profile->paths[p].run[i]] = profile->paths[p].asked[i];
	return ETC_OK;
}

static enum etc_status sort_runs(struct lister *l, struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_trace *t = l->trace;

	l->first = etc_new(arena, size_t, t->template_count + 2);
	l->runs = etc_new(arena, uint32_t, t->run_count);
	ETC_NEED(l->first && l->runs, err);
	for (size_t r = 0; r < t->run_count; r++)
		l->first[t->runs[r].template + 2]++;
	for (size_t s = 2; s < t->template_count + 2; s++)
		l->first[s] += l->first[s - 1];
	for (uint32_t r = 0; r < t->run_count; r++)
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
	ETC_TRY(etc_event_texts(t, options, method, places, template, &of, l->typed,
	                        options->peaks ? &l->works : NULL, arena, &out->texts, err));
	for (size_t r = 0; r < n; r++)
		if (l->of[r] != ETC_USE_WARMUP)
			runs[kept++] = runs[r];
	out->run_count = kept ? kept : n;
	return ETC_OK;
}

enum etc_status etc_events_make(const struct etc_trace *trace,
                                const struct etc_profile_options *options,
                                const struct etc_profile *profile, bool typed,
                                struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err)
{
	struct etc_events_form form = { .unit = options->clock.unit,
		                        .peaks = options->peaks,
		                        .typed = typed };
	enum etc_status st = ETC_OK;
	struct lister l = { .trace = trace, .typed = typed };
	struct etc_shown_template *shown =
		etc_new(arena, struct etc_shown_template, trace->template_count);

	ETC_NEED(shown, err);
	ETC_TRY(etc_paths_find(&l.paths, trace, arena, err));
	ETC_TRY(etc_methods_find(&l.methods, &l.paths, trace, options->program, options->record,
	                         arena, err));
	ETC_TRY(mark_uses(&l, profile, arena, err));
	ETC_TRY(sort_runs(&l, arena, err));
	ETC_TRY(etc_places_all(&l.places, options->record, arena, err));
	/* Templates are numbered in the order of their first runs. */
	etc_works_init(&l.works, arena);
	for (uint32_t s = 0; s < trace->template_count && st == ETC_OK; s++)
		st = list_template(&l, options, s, &shown[s], arena, err);
	etc_works_release(&l.works);
	ETC_TRY(st);
	if (options->host)
		ETC_TRY(etc_host_declared(options->host, arena, &form.declared,
		                          &form.declared_count, err));
	return etc_view_events(trace, shown, trace->template_count, &form, arena, out, err);
}
