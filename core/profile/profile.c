/* profile.c -- see profile.h.
 *
 * Finds the paths, then the typical runs of each path, then makes the rows template by template:
 * the sites of a template exist only while its runs are added up. */
#include "profile/profile.h"

#include "join/expand.h"
#include "join/grid.h"
#include "join/keys.h"
#include "join/measure.h"
#include "join/paths.h"
#include "profile/sites.h"
#include "stats/typical.h"
#include "work/sites.h"

/* A profile counts times in fractions of its unit. The fractions must not be so fine that a run of
 * this many nanoseconds exceeds 64 bits, even if all runs of the dump are shorter. */
#define LONG_RUN 20000000000u

struct maker {
	const struct etc_trace *trace;
	const struct etc_profile_options *options;
	struct etc_arena *arena;
	struct etc_profile *out;
	struct etc_paths paths;
	struct etc_methods methods;
	struct etc_profile_path *path; /* for each path, its data */
	/* indices of the runs that executed a method (loads are left out), grouped by path, in
	 * file order */
	uint32_t *path_run;
	uint64_t *samples; /* for each run in path_run, its duration */
	/* for each path, the index of its first run in path_run and samples; a last entry has the
	 * end */
	size_t *first;
	uint32_t *last; /* scratch memory: a number per template, all 0 when a path is begun */
	/* for each path, its rows; if the dump has no path, rows[0] has the rows of the first
	 * load */
	struct etc_profile_row **rows;
	uint32_t *row_counts;
	struct etc_profile_load *load;
	struct etc_all_places places;
	struct etc_works works;
	/* Times are counted in parts of a unit; the parts must be smaller by this factor. If the
	 * factor is above 1, this profile is abandoned, and no more rows are made. */
	uint64_t finer;
	/* the largest possible `finer`: with a larger one, times could exceed 64 bits */
	uint64_t finest;
	bool places_wanted; /* the nodes of events are requested */
	/* For each event list, an array with one value per event: the value at which the event's
	 * counter wraps around, or 0 if it does not. NULL instead of an array if no counter of
	 * the list wraps around. */
	const uint64_t **restarts;
};

static uint64_t scaled(const struct maker *mk, uint64_t ticks)
{
	uint64_t v;

	if (__builtin_mul_overflow(ticks, mk->options->clock.scale, &v)) {
		mk->out->beyond = true;
		v = UINT64_MAX;
	}
	mk->out->longest = v > mk->out->longest ? v : mk->out->longest;
	return v;
}

static bool is_execute(const struct maker *mk, size_t run, uint64_t *time)
{
	uint32_t template = mk->trace->runs[run].template;

	return mk->paths.kind[template] == ETC_RUN_EXECUTE &&
	       etc_run_time(&mk->paths, mk->trace, run, time);
}

/* Writes the runs that executed a method to mk->path_run and their times to mk->samples, grouped by
 * path; mk->first has the first index of each path. */
static enum etc_status sort_runs(struct maker *mk, struct etc_error *err)
{
	const struct etc_trace *trace = mk->trace;
	size_t n = 0;
	uint64_t time;

	for (size_t r = 0; r < trace->run_count; r++)
		n += is_execute(mk, r, &time);
	mk->out->executes = n;
	mk->path_run = etc_new(mk->arena, uint32_t, n);
	mk->samples = etc_new(mk->arena, uint64_t, n);
	mk->first = etc_new(mk->arena, size_t, (size_t)mk->paths.count + 2);
	ETC_NEED(mk->path_run && mk->samples && mk->first, err);
	for (size_t r = 0; r < trace->run_count; r++)
		if (is_execute(mk, r, &time))
			mk->first[mk->paths.path[trace->runs[r].template] + 2]++;
	for (uint32_t p = 2; p < mk->paths.count + 2; p++)
		mk->first[p] += mk->first[p - 1];
	for (size_t r = 0; r < trace->run_count; r++) {
		size_t *at;

		if (!is_execute(mk, r, &time))
			continue;
		at = &mk->first[mk->paths.path[trace->runs[r].template] + 1];
		mk->path_run[*at] = (uint32_t)r;
		mk->samples[(*at)++] = scaled(mk, time);
	}
	return ETC_OK;
}

static enum etc_status find_loads(struct maker *mk, struct etc_error *err)
{
	const struct etc_trace *trace = mk->trace;
	struct etc_profile_load *loads;
	size_t n = 0;

	for (size_t r = 0; r < trace->run_count; r++)
		n += mk->paths.kind[trace->runs[r].template] == ETC_RUN_LOAD;
	loads = etc_new(mk->arena, struct etc_profile_load, n);
	ETC_NEED(loads, err);
	mk->out->loads = mk->load = loads;
	for (size_t r = 0; r < trace->run_count; r++) {
		struct etc_profile_load *l = &loads[mk->out->load_count];
		uint64_t time;

		if (mk->paths.kind[trace->runs[r].template] != ETC_RUN_LOAD)
			continue;
		l->valid = etc_run_time(&mk->paths, trace, r, &time);
		l->time = l->valid ? scaled(mk, time) : 0;
		l->run = (uint32_t)r;
		mk->out->load_count++;
	}
	mk->out->skipped = trace->run_count - mk->out->executes - n;
	return ETC_OK;
}

/* The runs of a path, grouped by template. */
struct by_template {
	uint32_t *next; /* for each run, the next run of the same template */
	bool *head;     /* for each run: is it the first run of its template? */
	uint32_t *run, *index;
	uint64_t *time;
	uint8_t *use, *asked;
};

/* Copies the data of the runs of one template to the arrays of `s`, and returns these arrays.
 * `from` is the first of these runs; s->next leads to the others. */
static struct etc_measured_runs select_template(const struct by_template *s,
                                                const struct etc_measured_runs *runs, size_t from)
{
	size_t n = 0;

	for (uint32_t i = (uint32_t)from; i != ETC_NO_SITE; i = s->next[i], n++) {
		s->run[n] = runs->run[i];
		s->time[n] = runs->time[i];
		s->use[n] = runs->use[i];
		s->asked[n] = runs->asked[i];
		if (runs->index)
			s->index[n] = runs->index[i];
	}
	return (struct etc_measured_runs){ s->run, s->time, s->use, runs->index ? s->index : NULL,
		                           n,      s->asked };
}

/* If the dump has events that end before they start, stores for each event the value at which its
 * counter wraps around. This value is described by plugins. */
static enum etc_status keep_restarts(struct maker *mk, uint32_t template,
                                     const struct etc_sites *sites, struct etc_error *err)
{
	uint64_t *at;

	if (!sites->wraps || !mk->trace->wraps.count)
		return ETC_OK;
	if (!mk->restarts)
		mk->restarts = etc_new(mk->arena, const uint64_t *, mk->trace->template_count);
	at = etc_new(mk->arena, uint64_t, mk->trace->templates[template].profiles);
	ETC_NEED(mk->restarts && at, err);
	for (uint32_t i = 0; i < sites->count; i++)
		at[sites->event ? sites->event[i] : i] = sites->v[i].reading->wraps_at;
	mk->restarts[template] = at;
	return ETC_OK;
}

/* Counts events that end before they start, except where the counter wrapped around. */
static void count_wraps(const struct maker *mk, struct etc_wraps *out)
{
	const struct etc_trace *t = mk->trace;

	*out = t->wraps;
	if (!mk->restarts)
		return;
	*out = (struct etc_wraps){ 0 };
	for (size_t r = 0; r < t->run_count; r++) {
		const struct etc_run_times times = etc_trace_times(t, r);
		uint32_t template = t->runs[r].template;
		const uint64_t *at = mk->restarts[template];

		for (uint32_t i = 0; i < t->templates[template].profiles; i++)
			if (!at || times.start[i] >= at[i])
				etc_wraps_add(out, &times.start[i], &times.end[i], 1);
	}
}

static enum etc_status measure_sites(struct maker *mk, struct etc_measure *m, uint32_t template,
                                     struct etc_sites *sites, const struct etc_measured_runs *runs,
                                     struct etc_arena *scratch, struct etc_error *err)
{
	ETC_TRY(keep_restarts(mk, template, sites, err));
	ETC_TRY(etc_sites_key(sites, mk->options->by, mk->arena, err));
	if (mk->options->peaks) {
		sites->cache_bytes = etc_peaks_cache(mk->options->peaks);
		ETC_TRY(etc_works_of(&mk->works, sites, mk->trace, template, err));
	}
	return etc_measure_template(m, mk->trace, sites, runs, scratch, err);
}

/* Adds the runs of one template of a path to the rows. */
static enum etc_status measure_template(struct maker *mk, struct etc_measure *m, uint32_t template,
                                        const struct etc_measured_runs *runs, struct etc_error *err)
{
	const struct etc_sites_runs of = { runs->run, runs->asked, runs->count };
	const struct etc_method *method = etc_methods_of(&mk->methods, &mk->paths, template);
	struct etc_sites *sites;
	struct etc_arena scratch;
	enum etc_status st;

	etc_arena_init(&scratch, mk->arena->budget);
	sites = etc_new(&scratch, struct etc_sites, 1);
	st = sites ? etc_profile_sites(sites, mk->trace, template, mk->options, method, &mk->places,
	                               mk->places_wanted, &of, mk->arena, &scratch, err)
	           : etc_no_memory(err);
	if (st == ETC_OK)
		mk->finer = etc_sites_finer(sites, mk->finer, mk->finest);
	if (st == ETC_OK && mk->finer == 1)
		st = measure_sites(mk, m, template, sites, runs, &scratch, err);
	etc_arena_release(&scratch);
	return st;
}

static uint32_t template_of(const struct maker *mk, uint32_t run)
{
	return mk->trace->runs[run].template;
}

static bool is_one_template(const struct maker *mk, const struct etc_measured_runs *runs)
{
	size_t i = 1;

	while (i < runs->count && template_of(mk, runs->run[i]) == template_of(mk, runs->run[0]))
		i++;
	return i >= runs->count;
}

/* Links the runs of each template into a list: s->next has the next run of the same template,
 * s->head marks the first one. */
static enum etc_status chain_templates(struct maker *mk, const struct etc_measured_runs *runs,
                                       struct by_template *s, struct etc_arena *scratch,
                                       struct etc_error *err)
{
	size_t n = runs->count;

	*s = (struct by_template){
		.next = etc_new(scratch, uint32_t, n),
		.head = etc_new(scratch, bool, n),
		.run = etc_new(scratch, uint32_t, n),
		.index = etc_new(scratch, uint32_t, runs->index ? n : 0),
		.time = etc_new(scratch, uint64_t, n),
		.use = etc_new(scratch, uint8_t, n),
		.asked = etc_new(scratch, uint8_t, n),
	};
	ETC_NEED(s->next && s->head && s->run && s->index && s->time && s->use && s->asked, err);
	for (size_t i = 0; i < n; i++) {
		uint32_t *last = &mk->last[template_of(mk, runs->run[i])];

		s->next[i] = ETC_NO_SITE;
		s->head[i] = *last == 0;
		if (*last)
			s->next[*last - 1] = (uint32_t)i;
		*last = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < n; i++)
		mk->last[template_of(mk, runs->run[i])] = 0;
	return ETC_OK;
}

/* Measures the runs of a path, template by template. */
static enum etc_status measure_runs(struct maker *mk, struct etc_measure *m,
                                    const struct etc_measured_runs *runs, struct etc_arena *scratch,
                                    struct etc_error *err)
{
	struct by_template s;

	m->sole = is_one_template(mk, runs);
	if (m->sole) {
		ETC_TRY(measure_template(mk, m, template_of(mk, runs->run[0]), runs, err));
		return etc_measure_finish(m, err);
	}
	ETC_TRY(chain_templates(mk, runs, &s, scratch, err));
	for (size_t i = 0; i < runs->count; i++) {
		struct etc_measured_runs of_template;

		if (!s.head[i])
			continue;
		of_template = select_template(&s, runs, i);
		ETC_TRY(measure_template(mk, m, template_of(mk, runs->run[i]), &of_template, err));
	}
	return etc_measure_finish(m, err);
}

static uint32_t file_of(const struct maker *mk, size_t run)
{
	return mk->options->file ? mk->options->file[run] : 0;
}

/* Did a load happen between the first and the last run that the path has in one file? */
static bool loads_between(const struct maker *mk, size_t from, size_t to)
{
	for (size_t i = from; i + 1 < to; i++) {
		size_t first = mk->path_run[i], last = mk->path_run[i + 1];

		if (file_of(mk, first) != file_of(mk, last))
			continue;
		for (size_t r = first; r < last; r++)
			if (mk->paths.kind[mk->trace->runs[r].template] == ETC_RUN_LOAD)
				return true;
	}
	return false;
}

/* Marks the first runs of each file as warm-up. If no run would be left in any file, the last run
 * of each file is kept. */
static void set_aside(const struct maker *mk, size_t from, size_t n, uint8_t *use)
{
	size_t warmup = mk->options->warmup, kept = 0;

	for (size_t i = 0, of_file = 0; i < n; i++) {
		bool again = i && file_of(mk, mk->path_run[from + i]) ==
		                          file_of(mk, mk->path_run[from + i - 1]);

		of_file = again ? of_file + 1 : 0;
		use[i] = of_file < warmup ? ETC_USE_WARMUP : ETC_USE_KEPT;
		kept += use[i] == ETC_USE_KEPT;
	}
	for (size_t i = 0; i < n && kept == 0; i++)
		if (i + 1 == n ||
		    file_of(mk, mk->path_run[from + i]) != file_of(mk, mk->path_run[from + i + 1]))
			use[i] = ETC_USE_KEPT;
}

static size_t divisor(uint8_t stat, size_t runs)
{
	return stat == ETC_STAT_TOTAL ? 1 : runs;
}

/* Lists the kept runs in path->values, without their values, and sets runs->index to the index of
 * each run in that list. */
static enum etc_status list_samples(struct maker *mk, struct etc_profile_path *path,
                                    struct etc_measured_runs *runs, struct etc_run_sample **out,
                                    struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_run_sample *kept = etc_new(mk->arena, struct etc_run_sample, path->kept);
	uint32_t *index = etc_new(scratch, uint32_t, runs->count), n = 0;

	ETC_NEED(kept && index, err);
	for (size_t i = 0; i < runs->count; i++) {
		if (runs->use[i] == ETC_USE_WARMUP)
			continue;
		kept[n] = (struct etc_run_sample){ .run = runs->run[i], .time = runs->time[i] };
		index[i] = n++;
	}
	runs->index = index;
	path->values = *out = kept;
	return ETC_OK;
}

/* Marks the runs whose samples are sent to plugins: the typical runs, whatever --stat is. */
static enum etc_status mark_asked(struct maker *mk, struct etc_measured_runs *runs,
                                  struct etc_arena *scratch, struct etc_error *err)
{
	uint8_t *asked = etc_new(mk->arena, uint8_t, runs->count);
	struct etc_typical typical;

	ETC_NEED(asked, err);
	memcpy(asked, runs->use, runs->count);
	runs->asked = asked;
	return etc_typical_runs(runs->time, runs->count, ETC_STAT_TYPICAL, asked, &typical, scratch,
	                        err);
}

static enum etc_status make_path(struct maker *mk, uint32_t p, struct etc_arena *scratch,
                                 struct etc_error *err)
{
	struct etc_profile_path *path = &mk->path[p];
	size_t from = mk->first[p], n = mk->first[p + 1] - from;
	uint8_t *use = etc_new(mk->arena, uint8_t, n), stat = mk->options->stat;
	struct etc_measured_runs runs = {
		mk->path_run + from, mk->samples + from, use, NULL, n, use
	};
	const struct etc_method *method = &mk->methods.of_path[p];
	struct etc_run_sample *kept = NULL;
	struct etc_run_values values;
	struct etc_typical typical;
	struct etc_measure m;

	ETC_NEED(use, err);
	set_aside(mk, from, n, use);
	ETC_TRY(etc_typical_runs(mk->samples + from, n, stat, use, &typical, scratch, err));
	if (stat != ETC_STAT_TYPICAL)
		ETC_TRY(mark_asked(mk, &runs, scratch, err));
	*path = (struct etc_profile_path){
		.method = method->name,
		.methods_fit = method->ambiguous,
		.disputed = method->disputed,
		.disputed_first = method->disputed_first,
		.number = p + 1,
		.runs = n,
		.warmup = typical.warmup,
		.kept = typical.kept,
		.typical_runs = typical.typical,
		.per = divisor(stat, typical.typical),
		.den = mk->out->den,
		.first_run = mk->path_run[from],
		.samples = mk->samples + from,
		.grid = etc_run_grid(&mk->paths, mk->trace, mk->path_run + from, n) *
		        (double)mk->options->clock.scale,
		.use = use,
		.asked = runs.asked,
		.run = mk->path_run + from,
		.kept_time = typical.kept_time,
		.median = typical.median,
		.mean = typical.mean,
		.p90 = typical.p90,
		.spread = typical.spread,
		.min = typical.min,
		.max = typical.max,
		.loads_between = loads_between(mk, from, from + n),
	};
	if (mk->options->samples)
		ETC_TRY(list_samples(mk, path, &runs, &kept, scratch, err));
	etc_values_init(&values, kept ? mk->arena : scratch, kept);
	etc_measure_init(&m, mk->arena, scratch, path, p, mk->options->by,
	                 kept || stat == ETC_STAT_MEDIAN ? &values : NULL);
	m.remarks = mk->options->remarks;
	m.path_columns = mk->options->path_columns;
	m.tracer = mk->options->tracer;
	if (!mk->options->no_rows)
		ETC_TRY(measure_runs(mk, &m, &runs, scratch, err));
	path->per *= path->den;
	path->median.den *= path->den;
	path->mean.den *= path->den;
	path->p90.den *= path->den;
	mk->rows[p] = m.rows;
	mk->row_counts[p] = m.row_count;
	mk->out->row_count += m.row_count;
	return ETC_OK;
}

/* Makes rows from the first load. Called if the dump has no execute run. */
static enum etc_status make_load(struct maker *mk, struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_profile_path sums = { .kept = 1, .median = etc_ratio(0, 1) };
	static const uint8_t use = ETC_USE_TYPICAL;
	struct etc_measured_runs one = {
		&mk->out->loads[0].run, &mk->out->loads[0].time, &use, NULL, 1, &use
	};
	struct etc_measure m;

	etc_measure_init(&m, mk->arena, scratch, &sums, ETC_PROFILE_LOAD, mk->options->by, NULL);
	m.remarks = mk->options->remarks;
	ETC_TRY(measure_runs(mk, &m, &one, scratch, err));
	mk->rows[0] = m.rows;
	mk->row_counts[0] = m.row_count;
	mk->out->row_count = m.row_count;
	mk->out->beyond = mk->out->beyond || sums.beyond;
	return ETC_OK;
}

static enum etc_status join_rows(struct maker *mk, struct etc_error *err)
{
	struct etc_profile_row *all;
	size_t at = 0;

	if (mk->row_counts[0] == mk->out->row_count) {
		mk->out->rows = mk->rows[0];
		return ETC_OK;
	}
	all = etc_new(mk->arena, struct etc_profile_row, mk->out->row_count);
	ETC_NEED(all, err);
	for (uint32_t p = 0; p < mk->paths.count + (mk->paths.count == 0); p++) {
		if (mk->row_counts[p])
			memcpy(all + at, mk->rows[p], mk->row_counts[p] * sizeof *all);
		at += mk->row_counts[p];
	}
	mk->out->rows = all;
	return ETC_OK;
}

/* Finds the start of the first and the end of the last execute run. */
static void find_span(struct maker *mk)
{
	struct etc_host_clock clock = mk->options->clock;
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < mk->first[mk->paths.count]; i++) {
		uint64_t start, end;

		etc_run_span(&mk->paths, mk->trace, mk->path_run[i], &start, &end);
		first = start < first ? start : first;
		last = end > last ? end : last;
	}
	if (clock.unit != ETC_UNIT_NS || first > last)
		return;
	mk->out->first_ns = (uint64_t)((etc_u128)first * clock.scale / etc_clock_den(clock));
	mk->out->last_ns = (uint64_t)((etc_u128)last * clock.scale / etc_clock_den(clock));
}

enum etc_status etc_profile_trace(const struct etc_trace *trace,
                                  const struct etc_profile_options *options,
                                  struct etc_arena *arena, const struct etc_trace **out,
                                  struct etc_error *err)
{
	const struct etc_join_input in = {
		.host = options->host,
		.clock = options->clock,
	};

	return etc_trace_expand(trace, &in, options->program, options->record, arena, out, err);
}

uint64_t etc_profile_finest(const struct etc_profile *profile)
{
	const uint64_t longest = profile->longest ? profile->longest : 1,
		       most = INT64_MAX / LONG_RUN / profile->den;

	return most < INT64_MAX / longest ? most : INT64_MAX / longest;
}

/* Makes a profile with the clock of `options`. Times are counted in parts of a unit. If the parts
 * are too coarse for the clock's ticks, sets `*finer` to the factor by which they must be finer;
 * the profile is then incomplete. If `finer` is NULL, times are rounded instead. */
static enum etc_status make(const struct etc_trace *trace,
                            const struct etc_profile_options *options, struct etc_arena *arena,
                            struct etc_profile *out, uint64_t *finer, struct etc_error *err)
{
	struct maker mk = {
		.trace = trace, .options = options, .arena = arena, .out = out, .finer = 1
	};
	enum etc_status st = ETC_OK;

	*out = (struct etc_profile){ .unit = options->clock.unit,
		                     .den = etc_clock_den(options->clock),
		                     .stat = options->stat,
		                     .by = options->by,
		                     .peaks = options->peaks,
		                     .tracer = options->tracer,
		                     .library = etc_host_library(options->host) };
	out->run_count = trace->run_count;
	out->profiles = trace->sample_count - trace->expanded;
	out->debugs = trace->value_count;
	out->allocations = trace->allocation_count;
	ETC_TRY(etc_paths_find(&mk.paths, trace, arena, err));
	ETC_TRY(etc_methods_find(&mk.methods, &mk.paths, trace, options->program, options->record,
	                         arena, err));
	ETC_TRY(sort_runs(&mk, err));
	find_span(&mk);
	ETC_TRY(find_loads(&mk, err));
	mk.finest = finer ? etc_profile_finest(out) : 1;
	out->path_count = out->paths_in_dump = mk.paths.count;
	mk.path = etc_new(arena, struct etc_profile_path, mk.paths.count);
	mk.rows = etc_new(arena, struct etc_profile_row *, (size_t)mk.paths.count + 1);
	mk.row_counts = etc_new(arena, uint32_t, (size_t)mk.paths.count + 1);
	mk.last = etc_new(arena, uint32_t, trace->template_count);
	ETC_NEED(mk.path && mk.rows && mk.row_counts && mk.last, err);
	out->paths = mk.path;
	ETC_TRY(etc_places_all(&mk.places, options->record, arena, err));
	mk.places.bare = !options->places && !etc_row_key(options->by)->places;
	mk.places_wanted = !mk.places.bare || (options->peaks && options->record &&
	                                       (!options->program || trace->value_count));
	etc_works_init(&mk.works, arena);
	for (uint32_t p = 0; p <= mk.paths.count && st == ETC_OK; p++) {
		struct etc_arena scratch;

		etc_arena_init(&scratch, arena->budget);
		if (p < mk.paths.count)
			st = make_path(&mk, p, &scratch, err);
		else if (p == 0 && out->load_count && !options->no_rows)
			st = make_load(&mk, &scratch, err);
		etc_arena_release(&scratch);
	}
	etc_works_release(&mk.works);
	ETC_TRY(st);
	if (finer)
		*finer = mk.finer;
	if (mk.finer > 1)
		return ETC_OK;
	count_wraps(&mk, &out->wraps);
	out->loads_unknown = !etc_profile_assign_loads(out, mk.load, trace->run_count,
	                                               options->file, mk.methods.several);
	if (options->host)
		ETC_TRY(etc_host_declared(options->host, arena, &out->declared,
		                          &out->declared_count, err));
	return join_rows(&mk, err);
}

enum etc_status etc_profile_make(const struct etc_trace *trace,
                                 const struct etc_profile_options *options, struct etc_arena *arena,
                                 struct etc_profile *out, struct etc_error *err)
{
	struct etc_profile_options fine = *options;
	uint64_t finer;

	ETC_TRY(make(trace, options, arena, out, &finer, err));
	if (finer == 1)
		return ETC_OK;
	fine.clock = etc_clock_finer(options->clock, finer);
	ETC_TRY(make(trace, &fine, arena, out, NULL, err));
	return etc_profile_beyond(out) ? make(trace, options, arena, out, NULL, err) : ETC_OK;
}

enum etc_status etc_profile_meet(struct etc_session *s, const struct etc_common_options *common,
                                 const struct etc_inputs *in, struct etc_error *err)
{
	const struct etc_profile_options o = { .clock = { .unit = ETC_UNIT_NS, .scale = 1 },
		                               .record = etc_inputs_record(in),
		                               .program = etc_inputs_program(in),
		                               .host = &s->host };
	struct etc_profile ignored;

	if (!etc_settings_give_backend(&s->settings))
		return ETC_OK;
	if (!s->host_loaded)
		ETC_TRY(etc_session_plugins(s, common, 0, err));
	return etc_profile_make(&in->trace, &o, &s->arena, &ignored, err);
}
