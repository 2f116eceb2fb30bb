/* measure.c -- see measure.h */
#include "join/measure.h"

#include <stdlib.h>

#include "join/roll_templates.h"
#include "join/tally.h"

#include "etcore/plugin.h"

/* After this many events whose rows were searched, pages of the file are released: the search reads
 * names, which are spread over the file. */
enum { REST_AFTER = 1 << 15 };

/* Does the event get a row? The root gets none, because its exclusive time is the unattributed
 * time. Hidden events get none either. If rows are made for notes only (m->remarks), only delegate
 * events and detached events get one. */
static bool is_wanted(const struct etc_tally *t, uint32_t site)
{
	const struct etc_site *s = &t->sites->v[site];

	return !s->hidden && !etc_tally_is_whole(t, site) &&
	       (!t->m->remarks || s->delegate || !etc_nest_attached(&t->nest, site));
}

static enum etc_status find_row(struct etc_tally *t, uint32_t site, unsigned variant, uint32_t *row,
                                struct etc_error *err)
{
	uint32_t *cached;

	if (!t->cache)
		return etc_measure_row(t->m, t->sites, site, variant, row, err);
	cached = &t->cache[(size_t)site * ETC_ROW_VARIANTS + variant];
	if (!*cached) {
		ETC_TRY(etc_measure_row(t->m, t->sites, site, variant, row, err));
		*cached = *row + 1;
	}
	*row = *cached - 1;
	return ETC_OK;
}

static enum etc_status find_rows(struct etc_tally *t, struct etc_error *err)
{
	const struct etc_nest *nest = &t->nest;
	/* native_below[site]: 1 if the site has a child native_call_<kernel> */
	uint32_t n = t->sites->count, *native_below = nest->room;

	memset(native_below, 0, n * sizeof *native_below);
	for (uint32_t i = 0; i < n; i++)
		if (t->sites->v[i].native && nest->parent[i] != ETC_NO_SITE)
			native_below[nest->parent[i]] = 1;
	for (uint32_t i = 0; i < n; i++) {
		const struct etc_site *s = &t->sites->v[i];
		unsigned variant;

		t->row[i] = ETC_NO_SITE;
		if (!is_wanted(t, i))
			continue;
		variant = etc_nest_attached(nest, i) ? 0 : ETC_ROW_DETACHED;

		variant |= nest->flags[i] & ETC_NEST_UNKNOWN ? ETC_ROW_UNKNOWN : 0;
		variant |= nest->why[i] == ETC_DETACH_PARALLEL ? ETC_ROW_PARALLEL : 0;
		if (native_below[i] && !s->delegate &&
		    (t->m->by == ETC_BY_OP || t->m->by == ETC_BY_EVENT) &&
		    etc_site_event(t->sites, s)->word == ETC_WORD_OPERATOR_CALL)
			variant |= ETC_ROW_DISPATCH;
		ETC_TRY(find_row(t, i, variant, &t->row[i], err));
		if (++t->m->found % REST_AFTER == 0)
			etc_trace_rest(t->trace);
	}
	return ETC_OK;
}

/* Makes the rows of the delegate events without a known backend, before any run is added. Called if
 * rows are made for notes only: a note says only that such events exist, so it needs no times. */
static enum etc_status find_unowned(struct etc_tally *t, struct etc_error *err)
{
	for (uint32_t i = 0; i < t->sites->count; i++) {
		const struct etc_site *s = &t->sites->v[i];
		uint32_t row;

		if (!s->delegate || s->hidden || s->reading->backend.len)
			continue;
		ETC_TRY(etc_measure_row(t->m, t->sites, i, 0, &row, err));
		t->m->rows[row].calls = 1;
	}
	return ETC_OK;
}

static void find_leftovers(struct etc_tally *t)
{
	const struct etc_nest *nest = &t->nest;
	uint32_t n = t->sites->count, *at = nest->room;

	t->leftover_count = 0;
	memset(at, 0, n * sizeof *at);
	memset(t->is_leftover, 0, n * sizeof *t->is_leftover);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = nest->parent[i];
		struct leftover *l;

		if (p == ETC_NO_SITE || !t->sites->v[p].delegate_call ||
		    !etc_nest_attached(nest, i) || !etc_nest_attached(nest, p))
			continue;
		if (at[p] == 0) {
			t->leftovers[t->leftover_count++] = (struct leftover){ .site = p };
			at[p] = t->leftover_count;
			t->is_leftover[p] = true;
		}
		l = &t->leftovers[at[p] - 1];
		l->truncated += t->sites->v[i].reading->resolution;
		if (l->truncated < t->sites->v[i].reading->resolution)
			l->truncated = UINT64_MAX;
	}
}

static int by_parent_and_row(const void *a, const void *b)
{
	const struct bound *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Sorts the bounds by parent and row. The bounds of one parent are usually adjacent, so each such
 * range is sorted separately first. If the whole array is then still not in order, it is sorted as
 * a whole. */
static void sort_bounds(struct bound *v, uint32_t n)
{
	bool in_order = true;

	for (uint32_t from = 0, to; from < n && in_order; from = to) {
		for (to = from + 1; to < n && v[to].parent == v[from].parent;)
			to++;
		if (to - from > 1)
			qsort(v + from, to - from, sizeof *v, by_parent_and_row);
		in_order = to == n || v[from].parent < v[to].parent;
	}
	if (!in_order)
		qsort(v, n, sizeof *v, by_parent_and_row);
}

static void find_bounds(struct etc_tally *t)
{
	const struct etc_nest *nest = &t->nest;
	uint32_t n = 0, kept = 0;

	for (uint32_t i = 0; i < t->sites->count; i++) {
		uint64_t resolution = t->sites->v[i].reading->resolution;

		if (resolution == 0 || !etc_tally_has_row(t, i) ||
		    !(nest->flags[i] & ETC_NEST_VALID))
			continue;
		t->bounds[n++] = (struct bound){ .parent = nest->parent[i],
			                         .row = t->row[i] & INT32_MAX,
			                         .most = resolution,
			                         .capped = etc_nest_attached(nest, i) };
	}
	sort_bounds(t->bounds, n);
	for (uint32_t i = 0; i < n; i++) {
		struct bound *b = kept ? &t->bounds[kept - 1] : NULL;

		if (!b || by_parent_and_row(b, &t->bounds[i]) != 0)
			t->bounds[kept++] = t->bounds[i];
		else if (__builtin_add_overflow(b->most, t->bounds[i].most, &b->most))
			b->most = UINT64_MAX;
	}
	t->bound_count = kept;
}

static int by_row_and_call(const void *a, const void *b)
{
	const struct beside *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->call < y->call ? -1 : x->call > y->call;
}

/* Lists the DELEGATE_CALLs that contain events running in parallel, if these events have the unit
 * of the call. A call is listed once for each row that has such events. False: out of memory. */
static bool find_beside(struct etc_tally *t)
{
	const struct etc_nest *nest = &t->nest;
	const struct etc_site *v = t->sites->v;
	uint32_t n = 0, kept = 0;

	if (!t->sites->parallel)
		return true;
	if (!t->beside)
		t->beside = etc_new(t->scratch, struct beside, t->sites->count);
	for (uint32_t i = 0; t->beside && i < t->sites->count; i++) {
		uint32_t call = v[i].call;

		if (nest->why[i] == ETC_DETACH_PARALLEL && etc_tally_has_row(t, i) &&
		    nest->flags[i] & ETC_NEST_VALID && call != ETC_NO_SITE &&
		    v[call].delegate_call && v[call].reading->unit == v[i].reading->unit)
			t->beside[n++] = (struct beside){ t->row[i], call };
	}
	if (n)
		qsort(t->beside, n, sizeof *t->beside, by_row_and_call);
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || by_row_and_call(&t->beside[i], &t->beside[i - 1]) != 0)
			t->beside[kept++] = t->beside[i];
	t->beside_count = kept;
	return t->beside != NULL;
}

static void enter_row(void *tally, uint32_t i)
{
	struct etc_tally *t = tally;

	if (etc_tally_has_row(t, i))
		t->covered[i] = t->open[t->row[i]]++ > 0;
}

static void leave_row(void *tally, uint32_t i)
{
	struct etc_tally *t = tally;

	if (etc_tally_has_row(t, i))
		t->open[t->row[i]]--;
}

static bool find_covered(struct etc_tally *t)
{
	size_t bytes = t->sites->count * sizeof *t->nest.below;

	if (!t->sites->parallel || !t->m->values)
		return true;
	if (!t->covered)
		t->covered = etc_new(t->scratch, bool, t->sites->count);
	if (!t->covered)
		return false;
	memset(t->open, 0, t->m->row_count * sizeof *t->open);
	/* The walk overwrites nest.below. Its content is saved in `low`, which is not in use
	 * yet. */
	memcpy(t->low, t->nest.below, bytes);
	etc_nest_walk(&t->nest, enter_row, leave_row, t);
	memcpy(t->nest.below, t->low, bytes);
	return true;
}

static uint64_t self_of(const struct etc_nest *nest, uint32_t site)
{
	return nest->time[site] - nest->below[site];
}

/* Returns the time that site `site` adds to its row for the last run: its exclusive time. If the
 * site runs in parallel, it is its duration, or 0 if the site is inside another site of the same
 * row. */
static uint64_t part_of(const struct etc_tally *t, uint32_t site)
{
	if (!etc_tally_is_parallel(t, site))
		return self_of(&t->nest, site);
	return t->covered[site] ? 0 : t->nest.time[site];
}

/* Adds the times of the root and of the DELEGATE_CALLs to the sums of the path. They are not times
 * of rows. */
static void add_wholes(struct etc_tally *t)
{
	const uint64_t *time = t->nest.time;

	if (t->sites->root != ETC_NO_SITE && etc_tally_is_whole(t, t->sites->root))
		t->time += time[t->sites->root];
	for (uint32_t k = 0; k < t->call_count; k++)
		t->delegated += time[t->calls[k]];
}

/* Adds the durations of one run, nest.time, to the sums in `low` and `high`. In the first run, only
 * exchanges the arrays nest.time and `low`, so that `low` has the durations of this run. */
static void add_times(struct etc_tally *t)
{
	uint64_t *time = t->nest.time;

	if (t->runs == 0) {
		t->nest.time = t->low;
		t->low = time;
		return;
	}
	for (uint32_t i = 0; i < t->sites->count; i++)
		etc_tally_add(t, i, time[i]);
}

static void note_excess(struct etc_tally *t, uint64_t excess)
{
	t->excess = excess > t->excess ? excess : t->excess;
}

/* Adds one typical run, whose times are those in the current nest, to the sums. nest.time is not
 * valid afterwards. */
static void add_run(struct etc_tally *t, uint32_t run, uint64_t time)
{
	const struct etc_nest *nest = &t->nest;

	if (!t->sums)
		add_wholes(t);
	if (!nest->whole)
		note_excess(t, nest->excess);
	for (uint32_t k = 0; k < t->leftover_count; k++) {
		const struct leftover *l = &t->leftovers[k];
		uint64_t self = self_of(nest, l->site);
		uint64_t part = self < l->truncated ? self : l->truncated;

		t->rounding += part;
		t->inside += self - part;
	}
	for (uint32_t k = 0; k < t->bound_count; k++) {
		struct bound *b = &t->bounds[k];
		uint64_t room = b->capped ? self_of(nest, b->parent) : UINT64_MAX;

		b->sum += room < b->most ? room : b->most;
	}
	if (t->runs == 0 || time < t->first_time) {
		t->first_time = time;
		t->first_run = run;
	}
	if (t->sums)
		add_times(t);
	t->runs++;
}

/* Stores the time of every row in the current run. */
static enum etc_status keep_values(struct etc_tally *t, size_t index, struct etc_error *err)
{
	const struct etc_nest *nest = &t->nest;
	struct etc_run_values *v = t->m->values;
	bool ok = etc_values_begin(v, t->m->row_count);

	for (uint32_t k = 0; k < t->leftover_count && ok; k++) {
		uint64_t self = self_of(nest, t->leftovers[k].site);
		uint64_t part = self < t->leftovers[k].truncated ? self : t->leftovers[k].truncated;

		etc_values_add(v, ETC_VALUES_ROUNDING, part);
		etc_values_add(v, ETC_VALUES_INSIDE, self - part);
	}
	for (uint32_t i = 0; i < t->sites->count && ok; i++) {
		if (!(nest->flags[i] & ETC_NEST_VALID))
			continue;
		if (t->sites->v[i].delegate_call && etc_nest_attached(nest, i))
			etc_values_add(v, ETC_VALUES_DELEGATED, nest->time[i]);
		if (i == t->sites->root && !t->sites->is_load)
			etc_values_add(v, ETC_VALUES_BETWEEN, self_of(nest, i));
		else if (etc_tally_has_row(t, i) && !t->is_leftover[i])
			etc_values_add(v, ETC_VALUES_ROWS + t->row[i], part_of(t, i));
	}
	return ok && etc_values_end(v, index) ? ETC_OK : etc_no_memory(err);
}

/* Prepares the tally for a new nest: finds the row of each site, the calls with unattributed time,
 * the bounds and the parallel events. `again`: the tally had another nest before. */
static enum etc_status adopt(struct etc_tally *t, bool again, struct etc_arena *scratch,
                             struct etc_error *err)
{
	uint32_t need;

	find_leftovers(t);
	t->sums = !t->simple || !t->nest.whole;
	if (!t->sums)
		return find_unowned(t, err);
	if (again && !t->cache) {
		t->cache = etc_new(scratch, uint32_t, (size_t)t->sites->count * ETC_ROW_VARIANTS);
		ETC_NEED(t->cache, err);
	}
	ETC_TRY(find_rows(t, err));
	need = t->m->row_count + 1;
	if (need > t->open_room) {
		t->open_room = need * 2;
		t->open = etc_new(scratch, uint32_t, t->open_room);
		ETC_NEED(t->open, err);
	}
	if (!t->m->remarks)
		find_bounds(t);
	ETC_NEED(find_beside(t) && find_covered(t), err);
	return ETC_OK;
}

static enum etc_status tally_init(struct etc_tally *t, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	size_t n = t->sites->count, calls = 0, truncated = 0;
	bool odd = false;
	uint32_t *words;
	bool *bits;

	/* The nest is allocated first, so that it lies in huge pages. All of its memory is read and
	 * written for each run. */
	ETC_TRY(etc_nest_init(&t->nest, t->sites, scratch, err));
	words = etc_new(scratch, uint32_t, n);
	bits = etc_new(scratch, bool, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct etc_site *s = &t->sites->v[i];
		bool coarse = s->reading->resolution > 0;

		calls += s->delegate_call;
		truncated += coarse;
		odd |= s->delegate && coarse != (s->reading->backend.len > 0);
	}
	t->simple = t->m->remarks && t->m->sole && !odd && !t->m->values;
	t->leftovers = etc_new(scratch, struct leftover, calls);
	t->calls = etc_new(scratch, uint32_t, calls);
	t->bounds = etc_new(scratch, struct bound, truncated);
	t->zero = etc_new(scratch, uint32_t, truncated);
	t->low = etc_new(scratch, uint64_t, n);
	t->high = etc_new(scratch, int32_t, n);
	ETC_NEED(etc_measure_recall(t->m, t->sites->count, scratch) && words && t->low && t->high &&
	                 bits && t->leftovers && t->calls && t->bounds && t->zero,
	         err);
	if (t->m->tracer)
		t->logged = etc_new(scratch, struct logged, n);
	ETC_NEED(t->logged || !t->m->tracer, err);
	for (uint32_t i = 0; i < n; i++) {
		if (t->sites->v[i].delegate_call)
			t->calls[t->call_count++] = i;
		if (t->sites->v[i].reading->resolution)
			t->zero[t->zero_count++] = i;
	}
	t->row = words;
	t->is_leftover = bits;
	return ETC_OK;
}

static void look_for_zeros(struct etc_tally *t, const struct etc_run_times *times)
{
	uint32_t kept = 0;

	for (uint32_t k = 0; k < t->zero_count; k++) {
		uint32_t i = t->zero[k];

		if (times->end[i] == times->start[i])
			t->zero[kept++] = i;
	}
	t->zero_count = kept;
}

/* Returns the row that shows an event. With --by delegate, the row of a DELEGATE_CALL shows the
 * events inside it, too. */
static uint32_t row_that_stands_for(const struct etc_tally *t, uint32_t site)
{
	const struct etc_site *s = &t->sites->v[site];

	if (s->hidden && t->m->by == ETC_BY_DELEGATE && s->call != ETC_NO_SITE &&
	    t->sites->v[s->call].delegate_call)
		site = s->call;
	return t->row[site];
}

/* Records each event's row in the current nest, and the event's time in the runs since the nest
 * last changed. This is needed to roll up plugins' columns per row, weighted by time, because a
 * detached event has another row than an attached one. Called before the nest changes, and after
 * the last run if the nest ever changed. */
static enum etc_status keep_rows(struct etc_tally *t, struct etc_error *err)
{
	if (!t->sites->said || !t->sums)
		return ETC_OK;
	if (!t->told)
		t->told = etc_new(t->scratch, struct told *, t->sites->count);
	for (uint32_t i = 0; t->told && i < t->sites->count; i++) {
		uint64_t weight = t->weight ? t->weight[i] : 0;
		uint32_t row = row_that_stands_for(t, i);
		struct told **at = &t->told[i];

		if (row == ETC_NO_SITE || !t->sites->said[i])
			continue;
		for (const struct told *k = *at; k; k = k->next)
			weight -= k->weight;
		while (*at && (*at)->row != row)
			at = &(*at)->next;
		if (!*at)
			*at = etc_new(t->scratch, struct told, 1);
		ETC_NEED(*at, err);
		(*at)->row = row;
		(*at)->weight += weight;
	}
	return t->told ? ETC_OK : etc_no_memory(err);
}

static uint64_t weight_of(const struct etc_tally *t, uint32_t site)
{
	return t->weight ? t->weight[site] : 0;
}

/* Adds the plugins' answers about event `i` to the columns `rolled` of its rows, and to the columns
 * `path` of the path. `path` may be NULL. */
static bool roll_site(const struct etc_tally *t, uint32_t i, struct etc_rolled *rolled,
                      struct etc_rolled *path)
{
	const struct etc_said said = etc_site_said(t->sites, &t->sites->v[i]);
	const struct told here = { .row = row_that_stands_for(t, i), .weight = weight_of(t, i) };

	for (const struct told *k = t->told ? t->told[i] : &here; k; k = k->next)
		if (k->row != ETC_NO_SITE &&
		    !etc_roll(&rolled[k->row], &said, k->weight, false, t->scratch))
			return false;
	return !path || etc_roll(path, &said, weight_of(t, i), false, t->scratch);
}

/* Adds an event, with each of its rows, to the roll-up across templates, which exists if the path's
 * runs have several templates. Called after all runs of this template were added. */
static bool note_site(const struct etc_tally *t, uint32_t i)
{
	const struct told here = { .row = row_that_stands_for(t, i), .weight = weight_of(t, i) };

	for (const struct told *k = t->told ? t->told[i] : &here; k; k = k->next)
		if (!etc_rolled_templates_add(t->m->templates, i, k->row, k->weight))
			return false;
	return true;
}

/* Converts the values collected in `rolled`, one struct for each row, to the plugins' columns of
 * the rows. If m->path_columns is true, also converts `path` to the plugins' columns of the path.
 * E0904. */
static enum etc_status end_rolls(struct etc_measure *m, const struct etc_rolled *rolled,
                                 const struct etc_rolled *path, struct etc_error *err)
{
	bool ok = true;

	for (uint32_t r = 0; r < m->row_count && ok; r++) {
		if (rolled[r].count == 0)
			continue;
		m->rows[r].columns = etc_rolled_end(&rolled[r], m->path, m->arena);
		m->rows[r].column_count = rolled[r].count;
		ok = m->rows[r].columns != NULL;
	}
	if (ok && m->path_columns) {
		m->path->columns = etc_rolled_end(path, m->path, m->arena);
		m->path->column_count = path->count;
		ok = m->path->columns != NULL;
	}
	return ok ? ETC_OK : etc_no_memory(err);
}

static size_t typical_runs(const struct etc_measured_runs *runs)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++)
		n += runs->asked[i] == ETC_USE_TYPICAL;
	return n;
}

static enum etc_status roll_up(struct etc_tally *t, struct etc_error *err)
{
	struct etc_rolled *rolled, path = { 0 }, *whole = t->m->path_columns ? &path : NULL;
	uint32_t n = t->sites->count;
	bool ok = true;

	if (!t->nest.ready || !t->sums || !t->sites->said)
		return ETC_OK;
	if (t->told)
		ETC_TRY(keep_rows(t, err));
	if (t->m->sole) {
		rolled = etc_new(t->scratch, struct etc_rolled, t->m->row_count);
		for (uint32_t i = 0; rolled && i < n && ok; i++)
			ok = roll_site(t, i, rolled, whole);
		return rolled && ok ? end_rolls(t->m, rolled, &path, err) : etc_no_memory(err);
	}
	if (!t->m->templates)
		t->m->templates = etc_rolled_templates_new(t->m->names.arena);
	ok = t->m->templates &&
	     etc_rolled_templates_begin(t->m->templates, t->sites, typical_runs(t->measured));
	for (uint32_t i = 0; i < n && ok; i++)
		ok = note_site(t, i);
	return ok ? ETC_OK : etc_no_memory(err);
}

enum etc_status etc_measure_roll(struct etc_measure *m, struct etc_error *err)
{
	struct etc_rolled *rolled, path = { 0 };

	if (!m->templates)
		return ETC_OK;
	rolled = etc_new(m->names.arena, struct etc_rolled, m->row_count);
	ETC_NEED(rolled && etc_rolled_templates_end(m->templates, rolled,
	                                            m->path_columns ? &path : NULL),
	         err);
	return end_rolls(m, rolled, &path, err);
}

/* If an answer has a column whose roll-up is weighted by time, makes room for the time of each
 * event. */
static enum etc_status weigh(struct etc_tally *t, struct etc_error *err)
{
	bool any = false;

	for (uint32_t i = 0; i < t->sites->count && t->sites->said && !any; i++) {
		const struct etc_said said = etc_site_said(t->sites, &t->sites->v[i]);

		any = said.metadata && etc_rolls_time(said.metadata);
	}
	if (any)
		t->weight = etc_new(t->scratch, uint64_t, t->sites->count);
	return !any || t->weight ? ETC_OK : etc_no_memory(err);
}

/* Reads the times of measured run `r` into `times`, and looks for events of duration 0 in them.
 * Returns true if the times are to be added to the sums: only those of typical runs are. Warm-up
 * runs are not read. A kept run that is not typical is read only as long as some event had the
 * duration 0 in all runs so far. */
static bool look_at(struct etc_tally *t, size_t r, struct etc_run_times *times)
{
	const struct etc_measured_runs *runs = t->measured;

	if (runs->use[r] == ETC_USE_WARMUP || (runs->use[r] == ETC_USE_KEPT && t->zero_count == 0))
		return false;
	*times = runs->use[r] == ETC_USE_KEPT
	                 ? etc_trace_times_of(t->trace, runs->run[r], t->zero, t->zero_count)
	                 : etc_trace_times(t->trace, runs->run[r]);
	look_for_zeros(t, times);
	return runs->use[r] != ETC_USE_KEPT;
}

/* Adds measured run `r` if it is a typical run. First checks whether the run has the nest of the
 * previous runs, and makes a new nest if it has not. E0904. */
static enum etc_status add_measured(struct etc_tally *t, size_t r, struct etc_error *err)
{
	const struct etc_measured_runs *runs = t->measured;
	struct etc_run_times times;
	bool changed;

	if (!look_at(t, r, &times))
		return ETC_OK;
	/* The sums belong to the previous nest, so they are added to the rows before the nest
	 * changes. */
	ETC_TRY(etc_nest_check(&t->nest, times.start, times.end, &changed, err));
	if (changed) {
		bool again = t->nest.ready;

		etc_tally_flush(t);
		if (again)
			ETC_TRY(keep_rows(t, err));
		etc_nest_adopt(&t->nest);
		ETC_TRY(adopt(t, again, t->scratch, err));
	}
	if (t->m->values)
		ETC_TRY(keep_values(t, runs->index ? runs->index[r] : 0, err));
	ETC_TRY(etc_tally_work(t, runs->run[r], err));
	add_run(t, runs->run[r], runs->time[r]);
	return ETC_OK;
}

enum etc_status etc_measure_template(struct etc_measure *m, const struct etc_trace *trace,
                                     const struct etc_sites *sites,
                                     const struct etc_measured_runs *runs,
                                     struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_tally t = {
		.m = m, .trace = trace, .sites = sites, .measured = runs, .scratch = scratch
	};

	m->path->repeats = m->path->repeats || sites->repeats;
	ETC_TRY(tally_init(&t, scratch, err));
	/* with --by event, usually each event has its own row */
	if (m->by == ETC_BY_EVENT && m->row_count == 0)
		ETC_TRY(etc_measure_reserve(m, sites->count, err));
	ETC_TRY(weigh(&t, err));
	for (size_t r = 0; r < runs->count; r++)
		ETC_TRY(add_measured(&t, r, err));
	etc_tally_flush(&t);
	m->path->beyond = m->path->beyond || t.nest.beyond;
	etc_measure_count(m->path, sites, t.zero_count);
	return roll_up(&t, err);
}
