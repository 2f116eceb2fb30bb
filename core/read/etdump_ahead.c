/* etdump_ahead.c -- see etdump_ahead.h
 *
 * Where the times of a run belong is known beforehand while all events are profile
 * events: behind as many as all runs before have. A range whose place turns out to be
 * another one, because debug events came in between, is read anew. */
#include "read/etdump_ahead.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "read/etdump_hint.h"

/* How often threads are started for one dump; shapes that a run is held against without
 * being expected; bytes that the system maps where one is read. */
enum { ROUNDS = 8, TRIES = 64, REACH = 64 << 10 };

static void fetch_part(void *reader, unsigned part)
{
	const struct etc_etdump_reader *r = reader;
	size_t len = r->out->used_bytes;

	etc_file_fetch(r->file, etc_part_begin(len, r->jobs, part),
	               etc_part_begin(len, r->jobs, part + 1));
}

void etc_etdump_fetch(struct etc_etdump_reader *r)
{
	size_t len = r->out->used_bytes, runs = r->out->run_count;
	bool all_over = runs >= len / REACH, stays = runs * sizeof *r->runs < len / 8;

	if (r->jobs > 1 && r->file && r->file->bytes.ptr == r->fb.ptr && all_over && stays)
		etc_parallel(r->jobs, fetch_part, r);
}

/* One range, and who reads it ahead. */
struct ahead {
	struct etc_etdump_reader reader; /* with hints, layouts and visits of its own */
	struct etc_trace found;          /* what is odd in it */
	uint32_t *next;                  /* as in struct etc_shapes */
	uint32_t known, last;            /* shapes, and that of the run before */
	unsigned tries;
	size_t from, to; /* runs */
	size_t at;       /* the first that is not read */
};

struct round {
	struct etc_etdump_reader *r;
	etc_run_reader *read;
	struct etc_error *err;
	enum etc_status status; /* of the first range */
	size_t from, to;        /* that */
	struct ahead *others;
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

/* Is there anything that is to be told, or paid for, in the order of the runs? */
static bool is_odd(const struct ahead *a)
{
	const struct etc_fb *fb = &a->reader.fb;

	return fb->fault || fb->visits != fb->allowed || fb->no_nul != SIZE_MAX ||
	       a->found.bad_utf8.found;
}

static void read_ahead(struct ahead *a)
{
	struct etc_etdump_reader *r = &a->reader;

	for (; a->at < a->to; a->at++) {
		struct etc_fb_vec events = etc_etdump_events(r, a->at);

		if (!follows_any(a, events) || is_odd(a))
			return;
		r->runs[a->at].shape = a->last;
		etc_etdump_rest(r, events.count);
	}
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

	if (part)
		read_ahead(&w->others[part - 1]);
	else
		w->status = read_here(w->r, w->read, w->from, w->to, w->err);
}

/* How many events there are before run `i`. */
static size_t position(const struct etc_etdump_reader *r, size_t i)
{
	return i < r->out->run_count ? r->runs[i].first_sample : r->events;
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

/* The hints of the loop: to make them anew would take as long as to read a run twice. */
static void copy_hints(const struct etc_etdump_reader *r, struct ahead *a)
{
	const struct etc_hint *hints = r->shapes.hints[a->last];
	size_t count = r->shapes.list[a->last].count;
	struct etc_hint *copy;

	copy = hints ? etc_new(&a->reader.scratch, struct etc_hint, count) : NULL;
	if (copy)
		memcpy(copy, hints, count * sizeof *copy);
	a->reader.shapes.hints[a->last] = copy;
}

/* Ranges [from, to) is cut into, the first of them left out; false: no memory. */
static bool prepare(struct etc_etdump_reader *r, size_t from, size_t to, unsigned parts,
                    struct ahead *others)
{
	size_t begin = position(r, from), events = position(r, to) - begin;
	uint32_t known = (uint32_t)r->shapes.count;

	for (unsigned k = 1; k < parts; k++) {
		struct ahead *a = &others[k - 1];

		*a = (struct ahead){ .reader = *r,
			             .found = *r->out,
			             .next = etc_new(&r->scratch, uint32_t, known),
			             .known = known,
			             .last = r->runs[from - 1].shape,
			             .tries = TRIES };
		a->from = a->at = run_at(r, from, to, begin + etc_part_begin(events, parts, k));
		a->to = k + 1 < parts
		                ? run_at(r, from, to, begin + etc_part_begin(events, parts, k + 1))
		                : to;
		a->reader.shapes.hints = etc_new(&r->scratch, struct etc_hint *, known);
		if (!a->next || !a->reader.shapes.hints)
			return false;
		memcpy(a->next, r->shapes.next, known * sizeof *a->next);
		a->reader.out = &a->found;
		a->found.bad_utf8 = (struct etc_flaw){ .found = false };
		a->reader.any_metadata = false;
		a->reader.since = 0;
		a->reader.samples = position(r, a->from);
		a->reader.fb.visits = a->reader.fb.allowed;
		a->reader.fb.no_nul = SIZE_MAX;
		etc_arena_init(&a->reader.scratch, r->scratch.budget / parts);
		copy_hints(r, a);
	}
	return true;
}

/* Takes what was read ahead, if it is where it belongs. */
static void take(struct etc_etdump_reader *r, struct ahead *a)
{
	size_t begin = position(r, a->from);

	if (r->samples != begin) {
		if (a->reader.any_metadata)
			memset(r->metadata_at + begin, 0,
			       (position(r, a->to) - begin) * sizeof *r->metadata_at);
		a->at = a->from;
		return;
	}
	for (size_t i = a->from; i < a->at; i++) {
		r->runs[i].first_value = (uint32_t)r->out->value_count;
		r->runs[i].first_allocation = (uint32_t)r->out->allocation_count;
		r->shapes.next[r->runs[i - 1].shape] = r->runs[i].shape;
	}
	r->any_metadata = r->any_metadata || (a->at > a->from && a->reader.any_metadata);
	r->samples = position(r, a->at);
}

static enum etc_status read_range(struct etc_etdump_reader *r, etc_run_reader *read, size_t from,
                                  size_t to, struct etc_error *err);

/* Runs [from, to), in as many ranges as there are threads. */
static enum etc_status read_round(struct etc_etdump_reader *r, etc_run_reader *read, size_t from,
                                  size_t to, struct etc_error *err)
{
	unsigned parts = to - from < r->jobs ? (unsigned)(to - from) : r->jobs;
	struct etc_refusal known = etc_memory_refused();
	struct ahead *others = etc_new(&r->scratch, struct ahead, parts - 1);
	struct round w = { .r = r, .read = read, .err = err, .from = from };
	bool ready = others && prepare(r, from, to, parts, others);

	etc_memory_forgive(known); /* more threads only save time */
	if (!ready)
		return read_here(r, read, from, to, err);
	w.to = others[0].from;
	w.others = others;
	etc_parallel(parts, do_part, &w);
	for (unsigned k = 0; k + 1 < parts; k++) {
		etc_arena_release(&others[k].reader.scratch);
		if (w.status != ETC_OK)
			continue;
		take(r, &others[k]);
		w.status = read_range(r, read, others[k].at, others[k].to, err);
	}
	return w.status;
}

/* One run after the other, until there is reason to believe that the next ones are known. */
static enum etc_status read_range(struct etc_etdump_reader *r, etc_run_reader *read, size_t from,
                                  size_t to, struct etc_error *err)
{
	for (size_t i = from; i < to; i++) {
		ETC_TRY(read(r, i, err));
		if (r->rounds == 0 || to - i <= 2 || r->samples != position(r, i + 1) ||
		    r->shapes.list[r->runs[i].shape].first_run == i)
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
