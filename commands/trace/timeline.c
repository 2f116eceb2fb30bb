/* timeline.c -- arranges slices on tracks; see timeline.h */
#include "commands/trace/timeline.h"

#include <stdio.h>

#include "base/grow.h"
#include "base/map.h"
#include "commands/trace/counters.h"

enum { LANES_MAX = 64, KEY_MAX = 64 };

/* Ranks order the tracks of a dump. If a track belongs to method number n, its rank is n times
 * METHOD_RANKS, plus a number for its kind: 0 or 1 for events of the runtime, DELEGATE_RANK or more
 * for a delegate, COUNTER_RANK for a counter. */
enum { DELEGATE_RANK = 2, COUNTER_RANK = 255, METHOD_RANKS = 256 };

/* A lane: one of the tracks on which the events of a group are drawn. Events that overlap cannot be
 * on one track, so a group may need several lanes. */
struct lane {
	uint32_t track;
	/* end of the last closed slice; the next slice may begin at this time or later */
	uint64_t free;
};

struct group {
	struct etc_str name, description;
	/* parent: id of the track above the tracks of the group. In the groups of a dump and of a
	 * counter, it is instead the id of their own track */
	uint32_t parent, rank;
	struct etc_grow lanes; /* the lanes of the group: array of struct lane */
	uint32_t run;          /* serial number of the last run with events of the group */
	/* in the group of a method: number of groups for the delegates of this method */
	uint32_t delegates;
	bool loose; /* the events of the group may be outside of their runs */
};

/* Cache: the group that was used last for one kind of event. For events of delegates, the backend
 * of that group is cached, too. */
struct known_group {
	uint32_t group; /* index plus 1; 0: none */
	struct etc_str backend;
};

enum { STARTS = ETC_WALK_UNPLACED + 1 };

struct open_slice {
	struct etc_drawn drawn;
	uint64_t to; /* end of the slice in ns */
	uint32_t group;
	uint16_t lane; /* below LANES_MAX */
	bool loose;
};

struct drawer {
	struct etc_tracing *tracing;
	struct etc_traced *dump;
	uint32_t dump_index;
	const struct etc_timeline_sink *sink;
	struct etc_arena arena;
	struct etc_map keys;
	struct etc_grow groups; /* array of struct group */
	uint32_t tracks, runs, methods;
	uint64_t flows;
	/* State for the current event list: */
	uint32_t list; /* 1 + index of the event list */
	uint32_t lane; /* lane of the run that was drawn last (etc_traced.lane) */
	struct etc_arena of_list;
	/* The indices are: is it an event of a delegate? How was the start found (enum
	 * etc_walk_start)? Is the event loose? */
	struct known_group known[2][STARTS][2];
	/* stack of the open slices, the innermost last */
	struct etc_grow open; /* array of struct open_slice */
	uint32_t depth;       /* number of open slices */
	struct etc_planned planned;
	struct etc_allocations allocations;
	uint64_t *allocated; /* bytes allocated by each allocator since the start of the run */
	uint64_t *ends;      /* end of each event in the current run; NULL: not requested */
	/* the track of the counter of live planned bytes; its id is 0 until the track is made */
	struct etc_track live;
	struct etc_track *allocators;
};

const char *const etc_drawn_categories[ETC_DRAWN_CATEGORIES] = {
	[ETC_DRAWN_METHOD] = "method",       [ETC_DRAWN_OPERATOR] = "operator",
	[ETC_DRAWN_DELEGATE] = "delegate",   [ETC_DRAWN_FRAMEWORK] = "framework",
	[ETC_DRAWN_SYNTHETIC] = "synthetic", [ETC_DRAWN_UNPLACED] = "unplaced",
};

enum etc_drawn_category etc_drawn_category(const struct etc_drawn *d)
{
	static const uint8_t of[] = {
		[ETC_WALK_ROOT] = ETC_DRAWN_METHOD,
		[ETC_WALK_INSTRUCTION] = ETC_DRAWN_OPERATOR,
		[ETC_WALK_DELEGATE_CALL] = ETC_DRAWN_OPERATOR,
		[ETC_WALK_KERNEL] = ETC_DRAWN_OPERATOR,
		[ETC_WALK_DELEGATE] = ETC_DRAWN_DELEGATE,
		[ETC_WALK_OTHER] = ETC_DRAWN_FRAMEWORK,
	};

	if (d->slice->start == ETC_WALK_SYNTHETIC || d->slice->start == ETC_WALK_LAID)
		return ETC_DRAWN_SYNTHETIC;
	return d->slice->start == ETC_WALK_UNPLACED ? ETC_DRAWN_UNPLACED : of[d->kind];
}

/* ---- tracks ----------------------------------------------------------------------- */

static struct group *group_at(const struct drawer *w, uint32_t i)
{
	return &((struct group *)w->groups.items)[i];
}

static struct lane *lane_at(const struct group *g, uint32_t i)
{
	return &((struct lane *)g->lanes.items)[i];
}

/* Makes a track and returns its id; 0: out of memory. */
static uint32_t make_track(struct drawer *w, struct etc_track track)
{
	track.id = ++w->tracks;
	track.dump = w->dump_index;
	return w->sink->track(w->sink->to, &track) ? track.id : 0;
}

/* Finds the group with that key; if there is none, adds an empty one and sets *made. Returns its
 * index. UINT32_MAX: out of memory. */
static uint32_t find_group(struct drawer *w, const char *key, bool *made)
{
	const uint32_t next = w->groups.count;
	size_t at = etc_map_intern(&w->keys, etc_str_of(key), next);
	struct group *g;

	*made = at == next;
	if (!*made)
		return at == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)at;
	g = ETC_GROW(&w->arena, &w->groups, struct group);
	if (!g)
		return UINT32_MAX;
	return next;
}

/* Finds or makes the track of the dump. 0: out of memory. */
static uint32_t dump_track(struct drawer *w)
{
	const struct etc_traced *d = w->dump;
	char key[KEY_MAX];
	struct etc_str about, lost;
	bool made;
	uint32_t g;

	snprintf(key, sizeof key, "%u", w->dump_index);
	g = find_group(w, key, &made);
	if (g == UINT32_MAX || !made)
		return g == UINT32_MAX ? 0 : group_at(w, g)->parent;
	about = etc_arena_printf(
		&w->arena, "%zu of %zu runs; 0 is the start of the first %s%s", d->chosen_count,
		d->trace->run_count, d->early ? "event" : "of them",
		d->profile.unit == ETC_UNIT_NS ? "" : "; ticks of unknown length are drawn as ns");
	lost = etc_traced_lost(d, &w->arena);
	if (lost.len && about.ptr)
		about = etc_arena_printf(&w->arena, ETC_STR_FMT "; " ETC_STR_FMT,
		                         ETC_STR_ARG(about), ETC_STR_ARG(lost));
	return group_at(w, g)->parent =
	               about.ptr && lost.ptr
	                       ? make_track(w, (struct etc_track){ .name = d->name,
	                                                           .description = about,
	                                                           .rank = w->dump_index })
	                       : 0;
}

/* Makes the group of the run's method. This group has no track. It holds the parent, the name and
 * the first rank of the method's tracks. UINT32_MAX: out of memory. */
static uint32_t method_group(struct drawer *w, const struct etc_walk_run *run)
{
	uint32_t lane = w->dump->lane[run->run], parent = dump_track(w), g;
	struct etc_str name = etc_traced_method(w->dump, run, &w->arena);
	char key[KEY_MAX];
	bool made;

	if (lane && name.ptr)
		name = etc_arena_printf(&w->arena, ETC_STR_FMT " (%u)", ETC_STR_ARG(name),
		                        lane + 1);
	snprintf(key, sizeof key, "%u.%u.%u", w->dump_index, lane, run->path);
	g = parent && name.ptr ? find_group(w, key, &made) : UINT32_MAX;
	if (g == UINT32_MAX || !made)
		return g;
	group_at(w, g)->parent = parent;
	group_at(w, g)->name = name;
	group_at(w, g)->rank = w->methods++ * METHOD_RANKS;
	return g;
}

/* Returns the rank (the position on the screen) of a new group of the method. `delegate`: the group
 * has events of a delegate. `other`: the group has events of the runtime that have no interval, or
 * that may be outside of their runs. */
static uint32_t rank_of(struct group *method, bool delegate, bool other)
{
	uint32_t rank = DELEGATE_RANK + method->delegates;

	method->delegates += delegate;
	if (!delegate)
		return method->rank + other;
	return method->rank + (rank < COUNTER_RANK ? rank : COUNTER_RANK - 1);
}

static const char *start_text(uint8_t start)
{
	static const char *const texts[] = {
		[ETC_WALK_MEASURED] = "",
		[ETC_WALK_SYNTHETIC] = " (start times invented)",
		[ETC_WALK_REBASED] = " (own clock, its zero moved to each call)",
		[ETC_WALK_LAID] = " (durations only, laid end to end)",
		[ETC_WALK_UNPLACED] = " (no times)",
	};

	return texts[start];
}

static const char *start_about(uint8_t start)
{
	static const char *const texts[] = {
		[ETC_WALK_MEASURED] = "Start and end were read on the runtime's clock.",
		[ETC_WALK_SYNTHETIC] =
			"Only durations were measured; the runtime laid the events of "
			"a call end to end.",
		[ETC_WALK_REBASED] =
			"Times were read on another clock, whose distance from the "
			"runtime's is not known: the first event inside an event of the "
			"runtime is put at its start.",
		[ETC_WALK_LAID] = "The backend gives durations without start times; they are laid "
				  "end to end from the start of the enclosing event.",
		[ETC_WALK_UNPLACED] = "Values that are no interval: the unit is not known, it is a "
				      "counter, or it ends before it starts.",
	};

	return texts[start];
}

/* Finds or makes the group of tracks in which a slice is drawn. Returns the group's index.
 * UINT32_MAX: out of memory. */
static uint32_t make_group(struct drawer *w, const struct etc_walk_run *run,
                           const struct etc_walk_slice *s, bool loose)
{
	bool delegate = etc_walk_kind(run, s->event) == ETC_WALK_DELEGATE, made = false;
	struct etc_str backend = etc_walk_backend(run, s->event);
	struct etc_text key = { 0 };
	uint32_t m = method_group(w, run), g = UINT32_MAX;
	struct group *group, *method;

	etc_text_printf(&key, "%u.%u.%u %d.%d.%d ", w->dump_index, w->dump->lane[run->run],
	                run->path, delegate,
	                delegate || s->start == ETC_WALK_UNPLACED ? s->start : 0, loose);
	if (!backend.len)
		backend = ETC_STR("delegate");
	if (delegate)
		etc_text_put(&key, backend);
	etc_text_char(&key, '\0');
	if (m != UINT32_MAX && !key.failed)
		g = find_group(w, key.ptr, &made);
	etc_text_release(&key);
	if (g == UINT32_MAX || !made)
		return g;
	group = group_at(w, g);
	method = group_at(w, m);
	group->parent = method->parent;
	group->loose = loose;
	group->rank = rank_of(method, delegate, s->start == ETC_WALK_UNPLACED || loose);
	group->name = etc_arena_printf(&w->arena, ETC_STR_FMT ": " ETC_STR_FMT "%s%s",
	                               ETC_STR_ARG(method->name),
	                               ETC_STR_ARG(delegate ? backend : ETC_STR("calls")),
	                               loose ? " outside of runs" : "", start_text(s->start));
	group->description = etc_str_of(start_about(s->start));
	return group->name.ptr ? g : UINT32_MAX;
}

/* Returns the index of the group of a slice. All events of the runtime have one group; the events
 * of each delegate have a group of their own. `loose`: the slice may be outside of its run.
 * UINT32_MAX: out of memory. */
static uint32_t group_of(struct drawer *w, const struct etc_walk_run *run,
                         const struct etc_walk_slice *s, uint8_t kind, bool loose)
{
	const bool delegate = kind == ETC_WALK_DELEGATE;
	const struct etc_str backend =
		delegate ? etc_walk_backend(run, s->event) : (struct etc_str){ 0 };
	struct known_group *known = &w->known[delegate][s->start][loose];

	if (!known->group || !etc_str_eq(known->backend, backend)) {
		const uint32_t g = make_group(w, run, s, loose);

		if (g == UINT32_MAX)
			return g;
		*known = (struct known_group){ g + 1, backend };
	}
	return known->group - 1;
}

static bool add_lane(struct drawer *w, struct group *g)
{
	struct etc_str name = g->name;
	struct lane *lane = ETC_GROW(&w->arena, &g->lanes, struct lane);

	if (lane && g->lanes.count > 1)
		name = etc_arena_printf(&w->arena, ETC_STR_FMT " (%u)", ETC_STR_ARG(name),
		                        g->lanes.count);
	if (!lane || !name.ptr)
		return false;
	lane->track = make_track(w, (struct etc_track){ .parent = g->parent,
	                                                .name = name,
	                                                .description = g->description,
	                                                .rank = g->rank,
	                                                .slices = true });
	return lane->track != 0;
}

/* Finds a lane of group `g` that is free at `from`, the start of a slice: lane `first` if possible,
 * else the first free lane, else a new lane. If the group has too many lanes already, returns the
 * last lane. UINT32_MAX: out of memory. */
static uint32_t find_lane(struct drawer *w, struct group *g, uint32_t first, uint64_t from)
{
	if (first < g->lanes.count && lane_at(g, first)->free <= from)
		return first;
	for (uint32_t i = 0; i < g->lanes.count; i++)
		if (lane_at(g, i)->free <= from)
			return i;
	if (g->lanes.count == LANES_MAX)
		return LANES_MAX - 1;
	return add_lane(w, g) ? g->lanes.count - 1 : UINT32_MAX;
}

/* ---- slices ----------------------------------------------------------------------- */

/* `at` is a time since the start of the run. Returns its distance from the start of the dump, in
 * parts of the unit. Sets *before to whether the time is before that start. */
static etc_u128 distance(const struct etc_traced *d, const struct etc_walk_run *run, int64_t at,
                         bool *before)
{
	const bool later = run->begin >= d->base;
	const etc_u128 begin =
		(etc_u128)(later ? run->begin - d->base : d->base - run->begin) * d->clock.scale;
	const etc_u128 plus = (later ? begin : 0) + (at > 0 ? (uint64_t)at : 0) + d->early,
		       minus = (later ? 0 : begin) + (at < 0 ? (uint64_t)0 - (uint64_t)at : 0);

	*before = minus > plus;
	return *before ? minus - plus : plus - minus;
}

/* Converts a time of the run to nanoseconds since the start of the dump. */
static uint64_t ns_at(const struct drawer *w, const struct etc_walk_run *run, int64_t at)
{
	bool before;
	etc_u128 after = distance(w->dump, run, at, &before);

	if (before)
		return 0;
	if (w->dump->clock.den > 1) /* avoid a 128-bit division, which is slow */
		after /= w->dump->clock.den;
	return after < INT64_MAX ? (uint64_t)after : INT64_MAX;
}

static struct open_slice *innermost(const struct drawer *w)
{
	return &((struct open_slice *)w->open.items)[w->depth - 1];
}

/* Opens slice `i` inside the innermost open slice. It is drawn on a free lane (struct lane) of the
 * group of tracks to which slice `i` belongs. */
static bool place(struct drawer *w, const struct etc_walk_run *run, uint32_t i)
{
	const struct etc_walk_slice *s = &run->slices[i];
	const uint8_t kind = etc_walk_kind(run, s->event);
	uint64_t from = ns_at(w, run, s->from);
	const struct open_slice *parent;
	struct open_slice *to;
	struct group *g;
	uint32_t lane;

	if (w->depth == w->open.count && !ETC_GROW(&w->of_list, &w->open, struct open_slice))
		return false;
	parent = w->depth++ ? innermost(w) - 1 : NULL;
	to = innermost(w);
	to->loose = parent ? parent->loose : kind != ETC_WALK_ROOT;
	to->group = group_of(w, run, s, kind, to->loose);
	if (to->group == UINT32_MAX)
		return false;
	g = group_at(w, to->group);
	if (g->run != w->runs && !g->loose)
		for (uint32_t k = 0; k < g->lanes.count; k++)
			lane_at(g, k)->free = 0;
	g->run = w->runs;
	lane = find_lane(w, g, parent && parent->group == to->group ? parent->lane : 0, from);
	if (lane == UINT32_MAX)
		return false;
	to->lane = (uint16_t)lane;
	if (from < lane_at(g, lane)->free)
		from = lane_at(g, lane)->free;
	to->to = ns_at(w, run, s->to);
	to->to = to->to < from ? from : to->to;
	to->drawn = (struct etc_drawn){
		.track = lane_at(g, lane)->track,
		.at = from,
		.length = to->to - from,
		.kind = kind,
		.slice = s,
		.run = run,
		.dump = w->dump,
		.unplaced = s->start == ETC_WALK_UNPLACED,
	};
	if (w->ends)
		w->ends[s->event] = to->to;
	return true;
}

/* Returns by how many ns the slice is shorter than its event. */
static uint64_t cut_of(const struct etc_drawn *d)
{
	uint64_t length = etc_traced_ns(d->dump, d->slice->time);

	return !d->unplaced && length > d->length ? length - d->length : 0;
}

static void tally(struct drawer *w, const struct etc_drawn *d)
{
	struct etc_drawing *to = &w->tracing->drawing;

	to->slices++;
	to->cut += d->cut > 0;
	to->cut_time += d->cut;
	to->starts[d->slice->start]++;
}

/* Is the slice a DELEGATE_CALL, and the next slice the first event of the delegate? */
static bool enters_delegate(const struct etc_drawn *d)
{
	const struct etc_walk_slice *next = d->slice + 1;

	return d->kind == ETC_WALK_DELEGATE_CALL && next < &d->run->slices[d->slice->end] &&
	       etc_walk_kind(d->run, next->event) == ETC_WALK_DELEGATE;
}

/* Closes the open slices that do not contain slice `i`. */
static bool close_slices(struct drawer *w, uint32_t i)
{
	while (w->depth && innermost(w)->drawn.slice->end <= i) {
		const struct open_slice *d = innermost(w);
		struct lane *lane = lane_at(group_at(w, d->group), d->lane);

		w->depth--;
		lane->free = d->to > lane->free ? d->to : lane->free;
		if (!w->sink->end(w->sink->to, &d->drawn))
			return false;
	}
	return true;
}

/* ---- counters --------------------------------------------------------------------- */

/* Makes a track for a counter of bytes, next to the tracks of the run's method. Does nothing if
 * *track has an id already. */
static bool need_counter(struct drawer *w, const struct etc_walk_run *run, struct etc_str name,
                         const char *about, struct etc_track *track)
{
	struct etc_text key = { 0 };
	uint32_t g = UINT32_MAX, m;
	const struct group *method;
	bool made = false;

	if (track->id)
		return true;
	m = method_group(w, run);
	etc_text_printf(&key, "%u.%u.%u bytes " ETC_STR_FMT, w->dump_index, w->dump->lane[run->run],
	                run->path, ETC_STR_ARG(name));
	etc_text_char(&key, '\0');
	if (m != UINT32_MAX && !key.failed)
		g = find_group(w, key.ptr, &made);
	etc_text_release(&key);
	if (g == UINT32_MAX)
		return false;
	method = group_at(w, m);
	name = etc_arena_printf(&w->arena, ETC_STR_FMT ": " ETC_STR_FMT, ETC_STR_ARG(method->name),
	                        ETC_STR_ARG(name));
	*track = (struct etc_track){ .parent = method->parent,
		                     .name = name,
		                     .description = etc_str_of(about),
		                     .rank = method->rank + COUNTER_RANK,
		                     .counter = true };
	if (!made) /* an earlier event list of the same method has made the counter already */
		track->id = group_at(w, g)->parent;
	else if (name.ptr)
		track->id = group_at(w, g)->parent = make_track(w, *track);
	return name.ptr && track->id != 0;
}

static bool count(struct drawer *w, const struct etc_track *track, uint64_t at, uint64_t value)
{
	return w->sink->count(w->sink->to, track, at, value);
}

/* Writes the counter of planned live bytes at the start of a slice. Only instructions and the run's
 * root change this counter. */
static bool count_planned(struct drawer *w, const struct etc_drawn *d)
{
	const struct etc_event *ids = etc_walk_ids(d->run, d->slice->event);
	bool instruction = d->kind == ETC_WALK_INSTRUCTION || d->kind == ETC_WALK_DELEGATE_CALL;
	uint64_t step = instruction ? (uint64_t)ids->instruction_id + 1 : 0;

	if (!w->planned.count || (!instruction && d->kind != ETC_WALK_ROOT) ||
	    (instruction && ids->chain) || step >= w->planned.count)
		return true;
	return need_counter(
		       w, d->run, ETC_STR("planned live bytes"),
		       "Tensors of the program's memory plan that are alive at the instruction.",
		       &w->live) &&
	       count(w, &w->live, d->at, w->planned.bytes[step]);
}

static bool count_allocations(struct drawer *w, const struct etc_walk_run *run)
{
	const struct etc_allocations *a = &w->allocations;
	const struct etc_trace *t = w->dump->trace;
	const uint64_t *size = &t->allocation_size[t->runs[run->run].first_allocation];
	uint64_t begin = ns_at(w, run, 0);

	for (uint32_t k = 0; k < a->allocator_count; k++) {
		struct etc_str name = etc_arena_printf(&w->arena, "allocated: " ETC_STR_FMT,
		                                       ETC_STR_ARG(a->allocators[k]));

		w->allocated[k] = 0;
		if (!name.ptr ||
		    !need_counter(w, run, name,
		                  "Bytes since the start of the run. The events have no time: "
		                  "each is drawn where the event logged before it ends.",
		                  &w->allocators[k]) ||
		    !count(w, &w->allocators[k], begin, 0))
			return false;
	}
	for (uint32_t i = 0; i < a->count; i++) {
		uint64_t *sum = &w->allocated[a->v[i].allocator],
			 at = a->v[i].after == ETC_NO_SITE ? begin : w->ends[a->v[i].after];

		if (__builtin_add_overflow(*sum, size[a->v[i].column], sum))
			*sum = UINT64_MAX;
		if (!count(w, &w->allocators[a->v[i].allocator], at, *sum))
			return false;
	}
	return true;
}

static bool draw_run(struct drawer *w, const struct etc_walk_run *run)
{
	uint64_t flow = 0;

	w->depth = 0;
	for (uint32_t i = 0; i < run->slice_count; i++) {
		struct etc_drawn *d;

		if (!close_slices(w, i) || !place(w, run, i))
			return false;
		d = &innermost(w)->drawn;
		d->cut = cut_of(d);
		tally(w, d);
		d->flow_in = flow;
		d->flow_out = flow = enters_delegate(d) ? ++w->flows : 0;
		if (!w->sink->begin(w->sink->to, d) || !count_planned(w, d))
			return false;
	}
	return close_slices(w, ETC_NO_SITE) && (!w->allocations.count || count_allocations(w, run));
}

static enum etc_status find_counters(struct drawer *w, const struct etc_walk_run *run,
                                     struct etc_error *err)
{
	const struct etc_profile *p = &w->dump->profile;

	w->planned = (struct etc_planned){ 0 };
	w->live = (struct etc_track){ 0 };
	if (run->path < p->path_count)
		ETC_TRY(etc_planned_find(w->dump->options.program, p->paths[run->path].method,
		                         &w->of_list, &w->planned, err));
	ETC_TRY(etc_allocations_find(w->dump->trace, run, &w->of_list, &w->allocations, err));
	w->allocated = etc_new(&w->of_list, uint64_t, w->allocations.allocator_count);
	w->allocators = etc_new(&w->of_list, struct etc_track, w->allocations.allocator_count);
	w->ends = w->allocations.count ? etc_new(&w->of_list, uint64_t, run->event_count) : NULL;
	ETC_NEED(w->allocated && w->allocators && (w->ends || !w->allocations.count), err);
	return ETC_OK;
}

/* Makes the data that all runs of an event list share. */
static enum etc_status begin_list(struct drawer *w, const struct etc_walk_run *run,
                                  struct etc_error *err)
{
	etc_arena_reuse(&w->of_list);
	w->list = run->template + 1;
	memset(w->known, 0, sizeof w->known);
	w->open = (struct etc_grow){ 0 };
	ETC_TRY(find_counters(w, run, err));
	ETC_NEED(w->sink->list(w->sink->to, w->dump, run), err);
	return ETC_OK;
}

/* Drops the cached groups and counters, which belong to the previous lane. Runs on another lane
 * have other tracks. */
static void change_lane(struct drawer *w)
{
	memset(w->known, 0, sizeof w->known);
	w->live.id = 0;
	for (uint32_t k = 0; k < w->allocations.allocator_count; k++)
		w->allocators[k].id = 0;
}

static enum etc_status visit(void *arg, const struct etc_walk_run *run, struct etc_error *err)
{
	struct drawer *w = arg;
	uint32_t lane = w->dump->lane[run->run];

	if (w->list != run->template + 1)
		ETC_TRY(begin_list(w, run, err));
	if (lane != w->lane)
		change_lane(w);
	w->lane = lane;
	w->runs++;
	w->tracing->drawing.runs++;
	return draw_run(w, run) ? ETC_OK : etc_no_memory(err);
}

struct early {
	const struct etc_traced *dump;
	/* In parts of the unit. `lost`: by how much the earliest event is before the start of the
	 * dump; `last`: time of the end of the last event since the start of the dump. */
	etc_u128 lost, last;
};

static void see(struct early *w, const struct etc_walk_run *run, int64_t at)
{
	bool before;
	const etc_u128 far = distance(w->dump, run, at, &before);
	etc_u128 *most = before ? &w->lost : &w->last;

	*most = far > *most ? far : *most;
}

static enum etc_status find_early(void *arg, const struct etc_walk_run *run, struct etc_error *err)
{
	(void)err;
	for (uint32_t i = 0; i < run->slice_count; i = run->slices[i].end) {
		see(arg, run, run->slices[i].from);
		see(arg, run, run->slices[i].to);
	}
	return ETC_OK;
}

enum etc_status etc_timeline_prepare(const struct etc_tracing *t, struct etc_traced *d,
                                     struct etc_error *err)
{
	struct early w = { .dump = d };

	ETC_TRY(etc_traced_walk(t, d, find_early, &w, err));
	/* Early events are usually early by little. If the earliest event is more than ten seconds
	 * before the start of the dump, and the last event is closer to this start, the time of the
	 * earliest event was probably never set. Then no event counts as early. */
	if (w.lost <= w.last || w.lost <= (etc_u128)10000000000 * etc_clock_den(d->clock))
		d->early = w.lost;
	return ETC_OK;
}

static enum etc_status draw_dumps(struct drawer *w, struct etc_error *err)
{
	struct etc_tracing *t = w->tracing;

	t->drawing = (struct etc_drawing){ 0 };
	for (uint32_t i = 0; i < t->count; i++) {
		w->dump = &t->dumps[i];
		w->dump_index = i;
		w->list = 0;
		ETC_TRY(etc_traced_walk(t, w->dump, visit, w, err));
	}
	return ETC_OK;
}

enum etc_status etc_timeline_draw(struct etc_tracing *tracing, const struct etc_timeline_sink *sink,
                                  struct etc_error *err)
{
	const size_t budget = tracing->session->arena.budget;
	struct drawer w = { .tracing = tracing, .sink = sink };
	enum etc_status st;

	etc_arena_init(&w.arena, budget);
	etc_arena_init(&w.of_list, budget);
	etc_map_init(&w.keys, &w.arena);
	st = draw_dumps(&w, err);
	etc_arena_release(&w.of_list);
	etc_arena_release(&w.arena);
	return st;
}
