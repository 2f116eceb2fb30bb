/* etdump_ahead.c -- see etdump_ahead.h
 *
 * Where the times of a run belong is known beforehand while all events are profile
 * events: behind as many as all runs before have. A range whose place turns out to be
 * another one, because debug events came in between, is read anew. */
#include "formats/etdump/etdump_ahead.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "formats/etdump/etdump_hint.h"

/* How often threads are started for one dump; ranges for each of them; shapes that a run is
 * held against without being expected. */
enum { ROUNDS = 8, RANGES = 8, TRIES = 64 };

void etc_etdump_apart(const struct etc_etdump_reader *r, struct etc_etdump_reader *apart,
                      struct etc_trace *found)
{
	*apart = *r;
	*found = *r->out;
	apart->out = found;
	found->bad_utf8 = (struct etc_flaw){ .found = false };
	apart->fb.visits = apart->fb.allowed;
	apart->fb.no_nul = SIZE_MAX;
	etc_arena_init(&apart->scratch, 0);
}

bool etc_etdump_is_odd(const struct etc_etdump_reader *apart)
{
	const struct etc_fb *fb = &apart->fb;

	return fb->fault || fb->visits != fb->allowed || fb->no_nul != SIZE_MAX ||
	       apart->out->bad_utf8.found;
}

/* Runs that are read by one thread. */
struct range {
	size_t from, to;
	size_t at;         /* the first that is not read */
	bool any_metadata; /* was found */
	struct etc_wraps wraps;
};

/* A thread that reads ranges ahead. */
struct ahead {
	struct etc_etdump_reader reader; /* with hints, layouts and visits of its own */
	struct etc_trace found;          /* what is odd in them */
	uint32_t *next;                  /* as in struct etc_shapes */
	uint32_t known, last;            /* shapes, and that of the run before */
	unsigned tries;
};

struct round {
	struct etc_etdump_reader *r;
	etc_run_reader *read;
	struct etc_error *err;
	enum etc_status status; /* of the first range */
	struct range *ranges;
	struct etc_items items; /* which of them are taken */
	struct ahead *threads;
};

static bool follows(struct ahead *a, struct etc_fb_vec events, uint32_t shape)
{
	const struct etc_shape *s = &a->reader.shapes.list[shape];

	if (s->count != events.count || s->profiles != s->count ||
	    !etc_shapes_follow(&a->reader, events, shape))
		return false;
	a->next[a->last] = shape;
	a->last = shape;
	return true;
}

static bool follows_any(struct ahead *a, struct etc_fb_vec events)
{
	uint32_t next = a->next[a->last], last = a->last;

	if (follows(a, events, next) || (next != last && follows(a, events, last)))
		return true;
	for (uint32_t s = 0; s < a->known && a->tries; s++) {
		if (s == next || s == last || a->reader.shapes.list[s].count != events.count)
			continue;
		a->tries--;
		if (follows(a, events, s))
			return true;
	}
	return false;
}

/* False: there is something odd, and the thread is of no more use. */
static bool read_ahead(struct ahead *a, struct range *g)
{
	struct etc_etdump_reader *r = &a->reader;

	r->samples = etc_etdump_position(r, g->from);
	r->any_metadata = false;
	for (; g->at < g->to; g->at++) {
		size_t before = r->samples;

		if (!follows_any(a, etc_etdump_events(r, g->at)) || etc_etdump_is_odd(r))
			break;
		r->runs[g->at].shape = a->last;
		etc_etdump_wraps(r, before, &g->wraps);
	}
	g->any_metadata = r->any_metadata;
	if (g->at > g->from)
		etc_etdump_rest_runs(r, g->from, g->at);
	return !etc_etdump_is_odd(r);
}

static enum etc_status read_here(struct etc_etdump_reader *r, etc_run_reader *read, size_t from,
                                 size_t to, struct etc_error *err)
{
	for (size_t i = from; i < to; i++)
		ETC_TRY(read(r, i, err));
	return ETC_OK;
}

static void do_part(void *work, unsigned part)
{
	struct round *w = work;
	bool useful = true;
	size_t k;

	if (part == 0)
		w->status = read_here(w->r, w->read, w->ranges[0].from, w->ranges[0].to, w->err);
	while (useful && etc_items_take(&w->items, &k))
		useful = read_ahead(&w->threads[part], &w->ranges[k]);
}

/* The first run from `from` on with so many events before it. */
static size_t run_at(const struct etc_etdump_reader *r, size_t from, size_t to, size_t events)
{
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (r->runs[middle].first_sample < events)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* A reader of its own for one of `parts` threads, that begins with the hints of the loop; false:
 * no memory. */
static bool prepare(struct etc_etdump_reader *r, size_t from, unsigned parts, struct ahead *a)
{
	uint32_t known = (uint32_t)r->shapes.count;

	*a = (struct ahead){ .next = etc_new(&r->scratch, uint32_t, known),
		             .known = known,
		             .last = r->runs[from - 1].shape,
		             .tries = TRIES };
	etc_etdump_apart(r, &a->reader, &a->found);
	a->reader.shapes.hints = etc_new(&r->scratch, struct etc_hint *, known);
	etc_arena_init(&a->reader.scratch, r->scratch.budget / parts);
	if (!a->next || !a->reader.shapes.hints)
		return false;
	memcpy(a->next, r->shapes.next, known * sizeof *a->next);
	a->reader.shapes.hints[a->last] = r->shapes.shared;
	return true;
}

/* Cuts runs [from, to) into `count` ranges of as many events. */
static void cut(const struct etc_etdump_reader *r, size_t from, size_t to, unsigned count,
                struct range *ranges)
{
	size_t begin = etc_etdump_position(r, from), events = etc_etdump_position(r, to) - begin;

	for (unsigned k = 0; k < count; k++) {
		size_t before = begin + etc_part_begin(events, count, k + 1);
		struct range *g = &ranges[k];

		g->from = g->at = k ? ranges[k - 1].to : from;
		g->to = k + 1 < count ? run_at(r, g->from, to, before) : to;
	}
}

/* Takes what was read ahead, if it is where it belongs. */
static void take(struct etc_etdump_reader *r, struct range *g)
{
	size_t begin = etc_etdump_position(r, g->from);

	if (r->samples != begin) {
		if (g->any_metadata)
			memset(r->metadata_at + begin, 0,
			       (etc_etdump_position(r, g->to) - begin) * sizeof *r->metadata_at);
		g->at = g->from;
		return;
	}
	for (size_t i = g->from; i < g->at; i++) {
		r->runs[i].first_value = (uint32_t)r->out->value_count;
		r->runs[i].first_allocation = (uint32_t)r->out->allocation_count;
		r->shapes.next[r->runs[i - 1].shape] = r->runs[i].shape;
	}
	r->any_metadata = r->any_metadata || (g->at > g->from && g->any_metadata);
	etc_wraps_join(&r->out->wraps, &g->wraps);
	r->samples = etc_etdump_position(r, g->at);
}

static enum etc_status read_range(struct etc_etdump_reader *r, etc_run_reader *read, size_t from,
                                  size_t to, struct etc_error *err);

/* Runs [from, to) by as many threads as there may be, in ranges that are not too long to
 * keep one waiting for another. */
static enum etc_status read_round(struct etc_etdump_reader *r, etc_run_reader *read, size_t from,
                                  size_t to, struct etc_error *err)
{
	unsigned parts = etc_parts(r->jobs, to - from);
	unsigned count = etc_parts(parts * RANGES, to - from);
	struct etc_refusal known = etc_memory_refused();
	struct round w = { .r = r, .read = read, .err = err, .items = { count, 1 } };
	bool ready;

	r->shapes.shared = r->shapes.hints[r->runs[from - 1].shape];
	w.ranges = etc_new(&r->scratch, struct range, count);
	w.threads = etc_new(&r->scratch, struct ahead, parts);
	ready = w.ranges && w.threads;
	for (unsigned k = 0; k < parts && ready; k++)
		ready = prepare(r, from, parts, &w.threads[k]);
	etc_memory_forgive(known); /* more threads only save time */
	if (ready) {
		cut(r, from, to, count, w.ranges);
		etc_parallel(parts, do_part, &w);
	}
	r->shapes.shared = NULL;
	for (unsigned k = 0; w.threads && k < parts; k++)
		etc_arena_release(&w.threads[k].reader.scratch);
	if (!ready)
		return read_here(r, read, from, to, err);
	for (unsigned k = 1; k < count && w.status == ETC_OK; k++) {
		take(r, &w.ranges[k]);
		w.status = read_range(r, read, w.ranges[k].at, w.ranges[k].to, err);
	}
	return w.status;
}

/* Is there reason to believe that the runs after run `i` are known? Of a list that is new, hints
 * were made only if so. */
static bool repeats(const struct etc_etdump_reader *r, size_t i)
{
	uint32_t shape = r->runs[i].shape;

	return r->shapes.list[shape].first_run != i || r->shapes.hints[shape];
}

/* One run after the other, until the next ones may be read ahead. */
static enum etc_status read_range(struct etc_etdump_reader *r, etc_run_reader *read, size_t from,
                                  size_t to, struct etc_error *err)
{
	for (size_t i = from; i < to; i++) {
		ETC_TRY(read(r, i, err));
		if (r->rounds == 0 || to - i <= 2 || r->samples != etc_etdump_position(r, i + 1) ||
		    !repeats(r, i))
			continue;
		r->rounds--;
		return read_round(r, read, i + 1, to, err);
	}
	return ETC_OK;
}

enum etc_status etc_etdump_runs(struct etc_etdump_reader *r, etc_run_reader *read,
                                struct etc_error *err)
{
	r->rounds = r->jobs > 1 ? ROUNDS : 0;
	return read_range(r, read, 0, r->out->run_count, err);
}
