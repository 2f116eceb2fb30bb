/* flush.c -- see tally.h: adds the sums of sites to the rows */
#include "join/tally.h"

#include <math.h>

/* Returns the site's index in t->open: the number of its row, if the site adds its exclusive time
 * to a row. Sites without a row, and calls whose exclusive time is unattributed, share the index
 * row_count. */
static uint32_t open_place(const struct etc_tally *t, uint32_t site)
{
	return etc_tally_has_row(t, site) && !t->is_leftover[site] ? t->row[site] : t->m->row_count;
}

static etc_u128 duration_of(const struct etc_tally *t, uint32_t site)
{
	return (etc_u128)(int64_t)(t->carried ? t->high[site] : 0) << 64 | t->low[site];
}

static void set_duration(struct etc_tally *t, uint32_t site, etc_u128 v)
{
	t->low[site] = (uint64_t)v;
	if (t->carried || v >> 64) {
		t->high[site] = (int32_t)(v >> 64);
		t->carried = true;
	}
}

/* Adds the duration of site `i` to the inclusive time of its row. Three kinds of sites are special:
 * the duration of the root, which has no row, is added to the path's time; that of an attached
 * DELEGATE_CALL is also added to the path's time in delegates; and that of an event that runs in
 * parallel is also its row's exclusive time. `above`: an ancestor is in the same row, so the row's
 * times contain the duration already. */
static void add_total(struct etc_tally *t, uint32_t i, bool above)
{
	struct etc_profile_path *path = t->m->path;

	if (etc_tally_is_whole(t, i)) {
		path->time += duration_of(t, i);
		return;
	}
	if (t->sites->v[i].delegate_call && etc_nest_attached(&t->nest, i))
		path->delegated += duration_of(t, i);
	if (above || !etc_tally_has_row(t, i) || t->is_leftover[i] ||
	    !(t->nest.flags[i] & ETC_NEST_VALID))
		return;
	t->m->rows[t->row[i]].total += duration_of(t, i);
	if (etc_tally_is_parallel(t, i))
		t->m->rows[t->row[i]].self += duration_of(t, i);
}

/* Subtracts the site's time from its parent's exclusive time, if it is a part of that time. */
static void subtract(struct etc_tally *t, uint32_t i)
{
	uint32_t p = t->nest.parent[i];

	if (t->nest.flags[i] & ETC_NEST_CANDIDATE)
		set_duration(t, p, duration_of(t, p) - duration_of(t, i));
}

/* Does the site's exclusive time contain the time to log the events below this site? */
static bool is_around(const struct etc_tally *t, uint32_t i)
{
	const struct etc_site *s = &t->sites->v[i];

	return !s->delegate && !s->expanded && t->nest.flags[i] & ETC_NEST_VALID &&
	       (i == t->sites->root || etc_nest_attached(&t->nest, i));
}

/* Finds the site whose exclusive time contains the time to log event `i`, and adds one to its
 * count. Called for a site before the sites below it. */
static void count_logged(struct etc_tally *t, uint32_t i)
{
	const uint32_t p = t->nest.parent[i];
	const uint32_t around = p == ETC_NO_SITE ? ETC_NO_SITE : t->logged[p].around;

	t->logged[i] = (struct logged){ .around = is_around(t, i) ? i : around };
	if (i == t->sites->root || t->sites->v[i].expanded)
		return;
	if (around == ETC_NO_SITE)
		t->m->path->logged_outside += t->runs;
	else
		t->logged[around].count++;
}

/* Adds to `to` the cost of logging the events that count_logged() counted in site `i`. There is one
 * cost for each estimate of the tracer's cost (ETC_COSTS). No cost is larger than `self`, the
 * site's exclusive time. */
static void add_part(const struct etc_tally *t, uint32_t i, etc_u128 self,
                     struct etc_subtracted *to)
{
	const double den = (double)t->m->path->den;

	to->events += t->logged[i].count * t->runs;
	for (unsigned k = 0; k < ETC_COSTS; k++) {
		const double cost =
			t->m->tracer->ns[k] * den * t->logged[i].count * (double)t->runs;
		const etc_u128 part = cost + 0.5 < (double)self ? (etc_u128)(cost + 0.5) : self;

		if (!isnan(cost))
			to->of[k] += part < self ? part : self;
		to->cut = to->cut || (k == ETC_COST && cost > (double)self + 0.5);
	}
}

/* Subtracts from the site's exclusive time the cost of logging the events that count_logged()
 * counted in the site. The exclusive time does not become less than 0. Returns the time
 * subtracted. */
static etc_u128 take_part(struct etc_tally *t, uint32_t i)
{
	struct etc_profile_path *path = t->m->path;
	const etc_u128 self = duration_of(t, i);
	struct etc_subtracted of = { 0 };
	etc_u128 part, inside;

	add_part(t, i, self, &of);
	add_part(t, i, self, &path->subtracted);
	part = of.of[ETC_COST];
	set_duration(t, i, self - part);
	if (etc_tally_is_whole(t, i)) {
		path->between_cut = path->between_cut || of.cut;
	} else if (t->is_leftover[i]) {
		inside = part < t->inside ? part : t->inside;
		t->inside -= inside;
		t->rounding -= part - inside;
		path->inside_cut = path->inside_cut || of.cut;
	} else if (etc_tally_has_row(t, i)) {
		add_part(t, i, self, t->m->rows[t->row[i]].subtracted);
	}
	return part;
}

/* Subtracts `taken` from all inclusive times to which add_total() added the site's duration. The
 * inclusive time of the site's parent contains the site's duration, too, so `taken` is added to the
 * `taken` of the parent. */
static void take_totals(struct etc_tally *t, uint32_t i, etc_u128 taken)
{
	struct etc_profile_path *path = t->m->path;

	if (etc_tally_is_whole(t, i)) {
		path->time -= taken;
		return;
	}
	if (t->sites->v[i].delegate_call && etc_nest_attached(&t->nest, i))
		path->delegated -= taken;
	if (etc_tally_has_row(t, i) && !t->is_leftover[i] && t->open[t->row[i]] == 0 &&
	    t->nest.flags[i] & ETC_NEST_VALID)
		t->m->rows[t->row[i]].total -= taken;
	if (t->nest.flags[i] & ETC_NEST_CANDIDATE)
		t->logged[t->nest.parent[i]].taken += taken;
}

/* Subtracts the tracer's cost from the times of the site. Called for a site after all sites below
 * it. */
static void take_logged(struct etc_tally *t, uint32_t i)
{
	take_totals(t, i, t->logged[i].taken + (t->logged[i].count ? take_part(t, i) : 0));
}

/* Called for a site before the sites below it. Adds the sum of the site to the inclusive times of
 * rows, and subtracts it from the sum of the site's parent. So after all sites were visited, each
 * sum is exclusive time. */
static void enter(void *tally, uint32_t i)
{
	struct etc_tally *t = tally;

	add_total(t, i, t->open[open_place(t, i)]++ > 0);
	subtract(t, i);
	if (t->logged)
		count_logged(t, i);
}

static void leave(void *tally, uint32_t i)
{
	struct etc_tally *t = tally;

	t->open[open_place(t, i)]--;
	if (t->logged)
		take_logged(t, i);
}

static void walk_down(struct etc_tally *t)
{
	memset(t->open, 0, (t->m->row_count + 1) * sizeof *t->open);
	etc_nest_walk(&t->nest, enter, leave, t);
}

static bool is_added(const struct etc_tally *t, uint32_t i)
{
	return !etc_tally_is_whole(t, i) && etc_tally_has_row(t, i) && !t->is_leftover[i];
}

enum etc_status etc_tally_work(struct etc_tally *t, uint32_t run, struct etc_error *err)
{
	const struct etc_varying *v = t->sites->varying;
	const struct etc_work *work;

	if (!v || !t->sums)
		return ETC_OK;
	ETC_TRY(v->of_run(v, run, &work, err));
	for (uint32_t i = 0; i < v->count; i++)
		if (is_added(t, v->site[i]))
			etc_row_work_add(t->m->rows[t->row[v->site[i]]].work, &work[i], 1,
			                 t->sites->cache_bytes);
	return ETC_OK;
}

static void add_site(struct etc_tally *t, uint32_t i)
{
	struct etc_profile_row *r = &t->m->rows[t->row[i]];
	const struct etc_site *s = &t->sites->v[i];

	if (!etc_str_eq(r->backend, s->reading->backend))
		r->backend = (struct etc_str){ 0 };
	r->delegate = r->delegate && s->delegate;
	r->native = r->native && s->native;
	if (r->calls == 0 || t->first_time < r->first_time ||
	    (t->first_time == r->first_time &&
	     (t->first_run < r->first_run ||
	      (t->first_run == r->first_run && i < r->first_event)))) {
		r->first_time = t->first_time;
		r->first_run = t->first_run;
		r->first_event = i;
		r->facts = etc_site_said(t->sites, s).facts;
		r->why = t->nest.why[i];
	}
	r->calls += t->runs;
	r->truncated += s->reading->resolution ? t->runs : 0;
	if (t->sites->work)
		etc_row_work_add(r->work, &t->sites->work[i], t->runs, t->sites->cache_bytes);
	if (!(t->nest.flags[i] & ETC_NEST_VALID))
		return;
	r->valid += t->runs;
	if (!etc_tally_is_parallel(t, i))
		r->self += duration_of(t, i);
}

static void add_weight(struct etc_tally *t, uint64_t *weight, etc_u128 time)
{
	if (time >> 64 || __builtin_add_overflow(*weight, (uint64_t)time, weight)) {
		*weight = UINT64_MAX;
		t->nest.beyond = true;
	}
}

/* Adds the sums of sites to the rows. */
static void flush_sums(struct etc_tally *t)
{
	const struct etc_sites *sites = t->sites;

	for (uint32_t i = 0; t->weight && i < sites->count; i++)
		if (t->nest.flags[i] & ETC_NEST_VALID)
			add_weight(t, &t->weight[i], duration_of(t, i));
	for (uint32_t k = 0; k < t->beside_count; k++)
		t->m->rows[t->beside[k].row].beside += duration_of(t, t->beside[k].call);
	walk_down(t);
	for (uint32_t i = 0; i < sites->count; i++) {
		if (etc_tally_is_whole(t, i))
			t->m->path->unattributed += duration_of(t, i);
		else if (is_added(t, i))
			add_site(t, i);
	}
	for (uint32_t k = 0; k < t->bound_count; k++)
		t->m->rows[t->bounds[k].row].bound += t->bounds[k].sum;
	if (t->carried)
		memset(t->high, 0, sites->count * sizeof *t->high);
	t->carried = false;
}

void etc_tally_flush(struct etc_tally *t)
{
	struct etc_profile_path *path = t->m->path;

	if (t->runs == 0)
		return;
	if (t->sums)
		flush_sums(t);
	path->time += t->time;
	path->delegated += t->delegated;
	path->rounding += t->rounding;
	path->excess = t->excess > path->excess ? t->excess : path->excess;
	path->unattributed_delegate += t->inside;
	path->unattributed += t->inside;
	t->time = t->delegated = t->rounding = t->inside = 0;
	t->runs = 0;
}
