/* walk.c -- see walk.h.
 *
 * Visits the runs grouped by event list. Joining a list with plugins and record takes time and
 * memory, so the joined events of only two lists are kept: the longest, and the last one. */
#include "profile/walk.h"

#include <stdlib.h>

#include "etcore/plugin.h"
#include "join/keys.h"
#include "join/nest.h"
#include "profile/sites.h"
#include "stats/select.h"

struct child {
	int64_t from;
	uint32_t site;
};

/* State for one event list. Its arrays have one element for each event; some have a last element
 * for the events without a parent. */
struct list {
	const struct etc_sites *sites;
	struct etc_str *names;
	struct etc_nest nest;
	const uint64_t *start; /* ticks of the current run */
	uint64_t begin;        /* start of the current run, in ticks */
	uint8_t *by;           /* how the start of each event is known: enum etc_walk_start */
	/* start of each event; after place(), the start of its slice, which may be shortened */
	int64_t *from;
	int64_t *to; /* end of each event's slice */
	/* For each event that is not on the runtime's clock: the site to whose start the event's
	 * start is relative (base_of()). `base` and `zero` are written only if there is such an
	 * event. */
	uint32_t *base;
	/* for each site that is in `base`: the earliest start of the events whose start is relative
	 * to this site's start, on the clock of these events */
	uint64_t *zero;
	uint32_t *child; /* children, grouped by parent */
	/* working memory for sorting children that are not in the order of the file */
	struct child *sort;
	/* for each parent, the end of its children in `child`; the last entry is for events without
	 * a parent */
	uint32_t *behind;
	struct etc_walk_slice *slices;
	uint32_t slice_count;
	bool changed; /* the nesting of the events differs from that of the previous run */
	bool *done;
	bool *kernel_below; /* for each event: does it have a child native_call_<kernel>? */
};

/* An event list whose events are joined with plugins, record and program. */
struct joined {
	struct list list;
	struct etc_arena arena;
	uint32_t of; /* index of the event list, plus 1; 0: none */
};

struct etc_walker {
	const struct etc_trace *trace;
	struct etc_walk_options options;
	struct etc_profile_options profile; /* options.profile, with the walker's clock */
	struct etc_paths paths;
	struct etc_methods methods;
	struct etc_all_places places;
	struct etc_arena *arena;
	/* for each run, an enum etc_run_use: `use` with the requested --stat, `asked` with --stat
	 * typical */
	uint8_t *use, *asked;
	/* for each event list, the index in `runs` of its first run; a last element has the
	 * length of `runs` */
	size_t *first;
	/* indices of the runs: grouped by event list; in file order within each group */
	uint32_t *runs;
	/* the two joined event lists that are kept: the longest of the lists visited so far, and
	 * the list that was visited last */
	struct joined longest, other;
};

/* ---- positions of slices --------------------------------------------------------- */

static int64_t limited(etc_u128 v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

static int64_t later(int64_t from, uint64_t by)
{
	int64_t to;

	return by > INT64_MAX || __builtin_add_overflow(from, (int64_t)by, &to) ? INT64_MAX : to;
}

/* Returns the start of event `i` on the runtime's clock, relative to the start of the run. */
static int64_t host_start(const struct list *l, uint32_t i)
{
	const struct etc_reading *as = l->sites->v[i].reading;
	uint64_t at = l->start[i];

	if (at >= l->begin && !etc_reading_scales(as))
		return limited(at - l->begin);
	return at >= l->begin ? limited(etc_reading_units(as, at - l->begin))
	                      : -limited(etc_reading_units(as, l->begin - at));
}

static enum etc_walk_start start_of(const struct list *l, uint32_t i)
{
	const struct etc_reading *as = l->sites->v[i].reading;
	unsigned flags = l->nest.flags[i];

	if (!(flags & ETC_NEST_VALID) || flags & ETC_NEST_UNKNOWN || as->unit != l->sites->unit ||
	    as->why == ETC_DETACH_COUNTER || as->why == ETC_DETACH_INVALID)
		return ETC_WALK_UNPLACED;
	if (as->clock == ETCORE_CLOCK_HOST)
		return as->synthetic ? ETC_WALK_SYNTHETIC : ETC_WALK_MEASURED;
	if (as->clock == ETCORE_CLOCK_FOREIGN && !as->synthetic)
		return ETC_WALK_REBASED;
	return ETC_WALK_LAID;
}

static uint32_t parent_of(const struct list *l, uint32_t i)
{
	uint32_t p = l->nest.parent[i];

	return p == ETC_NO_SITE ? l->sites->count : p;
}

/* An event that is not on the runtime's clock (REBASED) has a start that is relative to the start
 * of another site. Returns that site: the innermost enclosing event that is not REBASED itself;
 * without such an event, the call to which the event belongs; without a call, sites->count. */
static uint32_t base_of(struct list *l, uint32_t i)
{
	const uint32_t n = l->sites->count;
	uint32_t top = i, base;

	while (l->base[top] == ETC_NO_SITE && parent_of(l, top) < n &&
	       l->by[parent_of(l, top)] == ETC_WALK_REBASED)
		top = parent_of(l, top);
	base = l->base[top];
	if (base == ETC_NO_SITE)
		base = parent_of(l, top) < n                  ? parent_of(l, top)
		       : l->sites->v[top].call == ETC_NO_SITE ? n
		                                              : l->sites->v[top].call;
	for (; l->base[i] == ETC_NO_SITE; i = parent_of(l, i)) {
		l->base[i] = base;
		if (i == top)
			break;
	}
	return base;
}

/* Sets for each event how its start is known. If the ticks of an expanded event are not on the
 * clock of the event from which a plugin made it, only the duration of the expanded event is
 * used. */
static void find_starts(struct list *l)
{
	const struct etc_sites *sites = l->sites;
	bool rebased = false;

	for (uint32_t i = 0; i < sites->count; i++) {
		l->by[i] = (uint8_t)start_of(l, i);
		rebased = rebased || l->by[i] == ETC_WALK_REBASED;
	}
	for (uint32_t k = 0; k < sites->expanded_count; k++) {
		const struct etc_expanded *e = &sites->expanded[k];

		if (!e->same_clock && l->by[e->site] != ETC_WALK_UNPLACED)
			l->by[e->site] = ETC_WALK_LAID;
	}
	if (!rebased)
		return;
	for (uint32_t i = 0; i <= sites->count; i++) {
		l->zero[i] = UINT64_MAX;
		l->base[i] = ETC_NO_SITE;
	}
	for (uint32_t i = 0; i < sites->count; i++) {
		uint32_t base = l->by[i] == ETC_WALK_REBASED ? base_of(l, i) : ETC_NO_SITE;

		if (base != ETC_NO_SITE && l->start[i] < l->zero[base])
			l->zero[base] = l->start[i];
	}
}

static int by_start(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

/* Lists the children of each event, if the nest differs from that of the previous run. */
static void list_children(struct list *l)
{
	uint32_t n = l->sites->count, sum = 0;

	if (!l->changed)
		return; /* children and their order are those of the previous run */
	memset(l->kernel_below, 0, n);
	for (uint32_t i = 0; i < n; i++)
		if (l->sites->v[i].native && l->nest.parent[i] != ETC_NO_SITE)
			l->kernel_below[l->nest.parent[i]] = true;
	memset(l->behind, 0, (n + 1) * sizeof *l->behind);
	for (uint32_t i = 0; i < n; i++)
		l->behind[parent_of(l, i)]++;
	for (uint32_t p = 0; p <= n; p++) {
		uint32_t count = l->behind[p];

		l->behind[p] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < n; i++)
		l->child[l->behind[parent_of(l, i)]++] = i;
}

/* Returns the start of event `i`, relative to the start of the run. If the event was not measured
 * on the runtime's clock, its start is computed from the start of its base (base_of()), or from
 * `parent`, the start of its parent. */
static int64_t natural_start(const struct list *l, uint32_t i, int64_t parent)
{
	uint32_t base;

	if (l->by[i] == ETC_WALK_MEASURED || l->by[i] == ETC_WALK_SYNTHETIC)
		return host_start(l, i);
	if (l->by[i] != ETC_WALK_REBASED)
		return parent;
	base = l->base[i];
	return later(base < l->sites->count && l->done[base] ? l->from[base] : parent,
	             etc_reading_units(l->sites->v[i].reading, l->start[i] - l->zero[base]));
}

/* Sorts children by their starts. */
static void sort_children(struct list *l, uint32_t *child, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		l->sort[k] = (struct child){ l->from[child[k]], child[k] };
	qsort(l->sort, count, sizeof *l->sort, by_start);
	for (uint32_t k = 0; k < count; k++)
		child[k] = l->sort[k].site;
}

/* Sets the starts of the children of `p`, and sorts the children by their starts. If `p` is
 * sites->count, the children are the events without a parent. */
static void order_children(struct list *l, uint32_t p)
{
	uint32_t n = l->sites->count, from = p ? l->behind[p - 1] : 0, to = l->behind[p];
	int64_t begin = p == n ? 0 : l->from[p], laid = begin, last = INT64_MIN;
	uint32_t before = 0;
	bool sorted = true;

	for (uint32_t k = from; k < to; k++) {
		uint32_t i = l->child[k];

		l->from[i] = natural_start(l, i, begin);
		if (l->by[i] == ETC_WALK_LAID) {
			l->from[i] = laid;
			laid = later(laid, l->nest.time[i]);
		}
		sorted = sorted && (last < l->from[i] || (last == l->from[i] && before < i));
		last = l->from[i];
		before = i;
	}
	if (!sorted)
		sort_children(l, &l->child[from], to - from);
}

static int64_t within(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* Sets the interval of event `i`, shortened to that of its parent `p`. */
static void place(struct list *l, uint32_t i, uint32_t p)
{
	int64_t from = l->from[i];
	int64_t to = l->by[i] == ETC_WALK_UNPLACED ? from : later(from, l->nest.time[i]);

	if (p < l->sites->count) {
		from = within(from, l->from[p], l->to[p]);
		to = within(to, from, l->to[p]);
	}
	l->from[i] = from;
	l->to[i] = to;
	l->done[i] = true;
}

static uint64_t length_of_slice(const struct list *l, uint32_t i)
{
	return (uint64_t)l->to[i] - (uint64_t)l->from[i];
}

/* Adds the slice of event `i` to the list of slices, and returns the slice's index. */
static uint32_t draw(struct list *l, uint32_t i, uint32_t parent)
{
	const struct etc_nest *nest = &l->nest;
	uint64_t time = nest->time[i];

	l->slices[l->slice_count] = (struct etc_walk_slice){
		.event = i,
		.parent = parent,
		.start = l->by[i],
		.why = nest->why[i],
		.dispatch =
			l->kernel_below[i] && !l->sites->v[i].delegate &&
			etc_site_event(l->sites, &l->sites->v[i])->word == ETC_WORD_OPERATOR_CALL,
		.unit = nest->flags[i] & ETC_NEST_UNKNOWN ? ETC_UNIT_UNKNOWN
		                                          : l->sites->v[i].reading->unit,
		.time = time,
		.self = time > nest->below[i] ? time - nest->below[i] : 0,
		.from = l->from[i],
		.to = l->to[i],
	};
	return l->slice_count++;
}

/* Visits all events, parents before children, and lists those whose slices are at least `least`
 * long. With `first`, also sets the order and the intervals of the events, which later calls for
 * the same run use. */
static void draw_all(struct list *l, bool first, uint64_t least)
{
	const uint32_t n = l->sites->count;
	/* per parent: which of its children is drawn next. The memory is borrowed from the nest,
	 * which uses it only while it checks a run. */
	uint32_t *next = l->nest.room;
	uint32_t at = n, open = ETC_NO_SITE;

	l->slice_count = 0;
	for (uint32_t i = n;; i = l->child[next[at]++]) {
		if (first && i < n)
			place(l, i, at);
		if (first)
			order_children(l, i);
		if (i < n && length_of_slice(l, i) >= least)
			open = draw(l, i, open);
		next[i] = i ? l->behind[i - 1] : 0;
		for (at = i; next[at] == l->behind[at]; at = parent_of(l, at)) {
			if (at == n)
				return;
			if (open == ETC_NO_SITE || l->slices[open].event != at)
				continue;
			l->slices[open].end = l->slice_count;
			open = l->slices[open].parent;
		}
	}
}

/* Returns the least length of a slice that is listed. It is chosen so that at most `most` slices
 * are listed. Call it only if the run has more slices than that. */
static uint64_t least_length(struct list *l, uint32_t most)
{
	const size_t keep = (size_t)most + 1;
	uint64_t *longest = l->zero; /* memory of `zero`, which is not needed any more: the
	                              * events have their intervals now */
	size_t count = 0;

	for (uint32_t i = 0; i < l->sites->count; i++) {
		longest[count++] = length_of_slice(l, i);
		if (count < 2 * keep)
			continue;
		etc_select(longest, count, keep, NULL);
		memcpy(longest, longest + keep, keep * sizeof *longest);
		count = keep;
	}
	return 1 + etc_select(longest, count, count - keep, NULL);
}

/* Lists the slices of the current run: all, or, if `most` is not NULL, only the `*most` longest. In
 * the second case, a first pass computes all intervals without listing a slice, and a second pass
 * lists the slices that are long enough (least_length()). A slice that encloses a listed one is at
 * least as long, so it is listed, too. */
static void draw_run(struct list *l, const uint32_t *most)
{
	const bool some = most && *most < l->sites->count;

	memset(l->done, 0, l->sites->count);
	find_starts(l);
	list_children(l);
	draw_all(l, true, some ? UINT64_MAX : 0);
	if (some)
		draw_all(l, false, least_length(l, *most));
}

/* ---- event lists ---------------------------------------------------------------- */

uint8_t etc_walk_kind(const struct etc_walk_run *run, uint32_t event)
{
	const struct etc_site *s = &run->sites->v[event];

	if (event == run->sites->root)
		return ETC_WALK_ROOT;
	if (s->delegate_call)
		return ETC_WALK_DELEGATE_CALL;
	if (s->instruction)
		return ETC_WALK_INSTRUCTION;
	if (s->delegate)
		return ETC_WALK_DELEGATE;
	return s->native ? ETC_WALK_KERNEL : ETC_WALK_OTHER;
}

struct etc_str etc_walk_name(const struct etc_walk_run *run, uint32_t event, bool dispatch)
{
	struct etc_str *name;

	if (dispatch)
		return ETC_STR("OPERATOR_CALL");
	if (!run->names)
		return etc_site_name(run->sites, event, run->sites->arena);
	name = &run->names[event];
	if (!name->ptr)
		*name = etc_site_name(run->sites, event, run->sites->arena);
	return *name;
}

const struct etc_node *etc_walk_node(const struct etc_walk_run *run, uint32_t event)
{
	const struct etc_place *place = etc_sites_place_of(run->sites, event);

	return place && place->count && place->source->count == 1 ? place->nodes[0] : NULL;
}

struct etc_walk_about etc_walk_about(const struct etc_walk_run *run, uint32_t event)
{
	const struct etc_facts *facts = etc_site_said(run->sites, &run->sites->v[event]).facts;

	return (struct etc_walk_about){
		.backend = etc_walk_backend(run, event),
		.category = etc_sites_category(run->sites, event),
		.kernel = facts ? facts->kernel : (struct etc_str){ 0 },
		.place = etc_sites_place_of(run->sites, event),
	};
}

/* Allocates the arrays of a list. `all`: every slice of a run will be listed, not only the longest
 * ones. In that case, the names of the slices are stored, too. */
static enum etc_status make_list(struct list *l, const struct etc_sites *sites, bool all,
                                 struct etc_arena *arena, struct etc_error *err)
{
	size_t n = sites->count;

	*l = (struct list){
		.sites = sites,
		.names = all ? etc_new(arena, struct etc_str, n) : NULL,
		.by = etc_new(arena, uint8_t, n),
		.from = etc_new(arena, int64_t, n),
		.to = etc_new(arena, int64_t, n),
		.child = etc_new(arena, uint32_t, n),
		.behind = etc_new(arena, uint32_t, n + 1),
		.done = etc_new(arena, bool, n),
		.kernel_below = etc_new(arena, bool, n),
	};
	ETC_NEED((l->names || !all) && l->by && l->from && l->to && l->child && l->behind &&
	                 l->done && l->kernel_below,
	         err);
	ETC_TRY(etc_nest_init(&l->nest, sites, arena, err));
	/* These arrays are large, and often only their first elements are used. They are adjacent,
	 * with no fully used array between them, so that huge pages do not make all of their memory
	 * resident. */
	l->base = etc_new(arena, uint32_t, n + 1);
	l->zero = etc_new(arena, uint64_t, n + 1);
	l->sort = etc_new(arena, struct child, n);
	l->slices = etc_new(arena, struct etc_walk_slice, n);
	ETC_NEED(l->base && l->zero && l->sort && l->slices, err);
	return ETC_OK;
}

/* Returns the start time of a run: that of its root; without a root, that of its first event. */
static uint64_t begin_of(const struct etc_sites *sites, const uint64_t *start)
{
	uint64_t first = UINT64_MAX;

	if (sites->root != ETC_NO_SITE)
		return start[sites->root];
	for (uint32_t i = 0; i < sites->count; i++)
		if (!sites->v[i].delegate && start[i] < first)
			first = start[i];
	return first == UINT64_MAX ? 0 : first;
}

static enum etc_status visit_run(struct etc_walker *w, struct list *l, uint32_t template,
                                 uint32_t run, etc_walk_visit *visit, void *arg,
                                 struct etc_error *err)
{
	struct etc_run_times times = etc_trace_times(w->trace, run);
	const uint8_t kind = w->paths.kind[template];
	struct etc_walk_run r = {
		.run = run,
		.template = template,
		.path = kind == ETC_RUN_LOAD    ? ETC_PROFILE_LOAD
		        : kind == ETC_RUN_OTHER ? ETC_WALK_NO_PATH
		                                : w->paths.path[template],
		.use = w->use[run],
		.event_count = l->sites->count,
		.slices = l->slices,
		.start = times.start,
		.end = times.end,
		.sites = l->sites,
		.names = l->names,
	};
	bool changed;

	ETC_TRY(etc_nest_check(&l->nest, times.start, times.end, &changed, err));
	l->changed = changed;
	if (changed)
		etc_nest_adopt(&l->nest);
	l->start = times.start;
	l->begin = r.begin = begin_of(l->sites, times.start);
	draw_run(l, w->options.most);
	r.slice_count = l->slice_count;
	return visit(arg, &r, err);
}

static void release_list(struct joined *j)
{
	etc_arena_release(&j->arena);
	j->of = 0;
}

void etc_walker_release(struct etc_walker *w)
{
	release_list(&w->longest);
	release_list(&w->other);
}

static uint32_t length_of(const struct etc_walker *w, uint32_t template)
{
	return w->trace->templates[template].profiles;
}

/* Joins the events of a list with plugins, record and program. Does nothing if the joined list is
 * still kept from an earlier visit. */
static enum etc_status need_list(struct etc_walker *w, uint32_t template, struct list **out,
                                 struct etc_error *err)
{
	const bool shorter =
		w->longest.of && length_of(w, template) < length_of(w, w->longest.of - 1);
	struct joined *j = shorter ? &w->other : &w->longest;
	const uint32_t *runs = &w->runs[w->first[template]];
	size_t count = w->first[template + 1] - w->first[template];
	struct etc_sites_runs of = { .run = runs, .count = count };
	struct etc_sites *sites;
	uint8_t *asked;

	*out = &j->list;
	if (j->of == template + 1)
		return ETC_OK;
	release_list(j);
	etc_arena_init(&j->arena, w->arena->budget);
	sites = etc_new(&j->arena, struct etc_sites, 1);
	of.use = asked = etc_new(&j->arena, uint8_t, count);
	ETC_NEED(asked && sites, err);
	for (size_t r = 0; r < count; r++)
		asked[r] = w->asked[runs[r]];
	ETC_TRY(etc_profile_sites(sites, w->trace, template, &w->profile,
	                          etc_methods_of(&w->methods, &w->paths, template), &w->places,
	                          w->options.nodes, &of, w->arena, &j->arena, err));
	ETC_TRY(make_list(&j->list, sites, !w->options.most, &j->arena, err));
	j->of = template + 1;
	return ETC_OK;
}

/* Groups the runs by event list. A run that belongs to no path counts as a kept run. */
static enum etc_status sort_runs(struct etc_walker *w, const struct etc_profile *profile,
                                 struct etc_error *err)
{
	const struct etc_trace *t = w->trace;

	w->use = etc_new(w->arena, uint8_t, t->run_count);
	w->asked = etc_new(w->arena, uint8_t, t->run_count);
	w->first = etc_new(w->arena, size_t, t->template_count + 2);
	w->runs = etc_new(w->arena, uint32_t, t->run_count);
	ETC_NEED(w->use && w->asked && w->first && w->runs, err);
	memset(w->use, ETC_USE_KEPT, t->run_count);
	memset(w->asked, ETC_USE_KEPT, t->run_count);
	for (uint32_t p = 0; p < profile->path_count; p++)
		for (size_t i = 0; i < profile->paths[p].runs; i++) {
			w->use[profile->paths[p].run[i]] = profile->paths[p].use[i];
			w->asked[profile->paths[p].run[i]] = profile->paths[p].asked[i];
		}
	for (size_t r = 0; r < t->run_count; r++)
		w->first[t->runs[r].template + 2]++;
	for (size_t s = 2; s < t->template_count + 2; s++)
		w->first[s] += w->first[s - 1];
	for (uint32_t r = 0; r < t->run_count; r++)
		w->runs[w->first[t->runs[r].template + 1]++] = r;
	return ETC_OK;
}

/* Moves `*at` to the first position in `runs`, at or after `*at`, of a chosen run of the event
 * list `template`. Returns false if there is none. */
static bool find_chosen(const struct etc_walker *w, uint32_t template, size_t *at)
{
	const bool *chosen = w->options.chosen;

	while (*at < w->first[template + 1] && chosen && !chosen[w->runs[*at]])
		++*at;
	return *at < w->first[template + 1];
}

/* Does a time of some event in a chosen run exceed 64 bits? */
static enum etc_status find_beyond(struct etc_walker *w, bool *beyond, struct etc_error *err)
{
	struct list *list;
	bool changed;

	*beyond = false;
	for (uint32_t s = 0; s < w->trace->template_count; s++)
		for (size_t r = w->first[s]; find_chosen(w, s, &r); r++) {
			const struct etc_run_times times = etc_trace_times(w->trace, w->runs[r]);

			ETC_TRY(need_list(w, s, &list, err));
			ETC_TRY(etc_nest_check(&list->nest, times.start, times.end, &changed, err));
			*beyond = *beyond || list->nest.beyond;
		}
	return ETC_OK;
}

/* If ticks are not whole numbers of the parts into which the clock's unit is divided, makes these
 * parts finer, by a factor of at most `finest`. */
static enum etc_status refine(struct etc_walker *w, uint64_t finest, struct etc_error *err)
{
	const struct etc_host_clock clock = w->profile.clock;
	uint64_t finer = 1;
	struct list *list;
	bool beyond;

	for (uint32_t s = 0; s < w->trace->template_count; s++) {
		size_t r = w->first[s];

		if (!find_chosen(w, s, &r))
			continue;
		ETC_TRY(need_list(w, s, &list, err));
		finer = etc_sites_finer(list->sites, finer, finest);
	}
	if (finer == 1)
		return ETC_OK;
	etc_walker_release(w);
	w->profile.clock = etc_clock_finer(clock, finer);
	ETC_TRY(find_beyond(w, &beyond, err));
	if (beyond) {
		etc_walker_release(w);
		w->profile.clock = clock;
	}
	return ETC_OK;
}

enum etc_status etc_walker_make(struct etc_walker **out, const struct etc_trace *trace,
                                const struct etc_profile *profile,
                                const struct etc_walk_options *options, struct etc_arena *arena,
                                struct etc_error *err)
{
	const struct etc_profile_options *po = options->profile;
	struct etc_walker *w = etc_new(arena, struct etc_walker, 1);
	enum etc_status st;

	ETC_NEED(w, err);
	w->profile = *po;
	w->profile.clock = etc_clock_finer(po->clock, profile->den / etc_clock_den(po->clock));
	w->trace = trace;
	w->options = *options;
	w->arena = arena;
	*out = w;
	ETC_TRY(etc_paths_find(&w->paths, trace, arena, err));
	ETC_TRY(etc_methods_find(&w->methods, &w->paths, trace, po->program, po->record, arena,
	                         err));
	ETC_TRY(etc_places_all(&w->places, po->record, arena, err));
	ETC_TRY(sort_runs(w, profile, err));
	st = refine(w, etc_profile_finest(profile), err);
	if (st != ETC_OK)
		etc_walker_release(w);
	return st;
}

struct etc_host_clock etc_walker_clock(const struct etc_walker *w)
{
	return w->profile.clock;
}

enum etc_status etc_walker_visit(struct etc_walker *w, etc_walk_visit *visit, void *arg,
                                 struct etc_error *err)
{
	struct list *list;

	for (uint32_t s = 0; s < w->trace->template_count; s++)
		for (size_t r = w->first[s]; find_chosen(w, s, &r); r++) {
			ETC_TRY(need_list(w, s, &list, err));
			ETC_TRY(visit_run(w, list, s, w->runs[r], visit, arg, err));
		}
	return ETC_OK;
}

/* ---- the representative run of a path --------------------------------------------- */

/* Returns |time * n - sum|, which is n times the distance of `time` from the mean. */
static etc_u128 distance(uint64_t time, etc_u128 sum, size_t n)
{
	etc_u128 v = (etc_u128)time * n;

	return v > sum ? v - sum : sum - v;
}

static void choose_of_path(const struct etc_profile_path *p, bool *chosen)
{
	etc_u128 sum = 0, best = 0;
	size_t n = 0, at = p->runs;

	for (size_t i = 0; i < p->runs; i++)
		if (p->asked[i] == ETC_USE_TYPICAL) {
			sum += p->samples[i];
			n++;
		}
	for (size_t i = 0; i < p->runs; i++) {
		etc_u128 d = distance(p->samples[i], sum, n);

		if (p->asked[i] != ETC_USE_TYPICAL || (at < p->runs && d >= best))
			continue;
		best = d;
		at = i;
	}
	if (at < p->runs)
		chosen[p->run[at]] = true;
}

void etc_walk_typical(const struct etc_trace *trace, const struct etc_profile *profile,
                      bool *chosen)
{
	uint32_t root;

	for (uint32_t p = 0; p < profile->path_count; p++)
		choose_of_path(&profile->paths[p], chosen);
	for (size_t r = 0; r < trace->run_count && !profile->path_count; r++) {
		chosen[r] = etc_template_kind(etc_run_template(trace, &trace->runs[r]), &root) ==
		                    ETC_RUN_LOAD ||
		            !profile->load_count;
		if (chosen[r] && profile->load_count)
			return;
	}
}

uint32_t etc_walk_number(const struct etc_trace *trace, const struct etc_profile *profile,
                         const char *method, uint32_t *number)
{
	uint32_t last = 0;

	memset(number, 0, trace->run_count * sizeof *number);
	for (uint32_t k = 0; k < profile->path_count; k++)
		for (size_t i = 0; i < profile->paths[k].runs; i++)
			number[profile->paths[k].run[i]] =
				!method || etc_str_eq(profile->paths[k].method, etc_str_of(method));
	for (size_t r = 0; r < trace->run_count; r++)
		if (number[r])
			number[r] = ++last;
	return last;
}
