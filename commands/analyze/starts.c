/* starts.c -- finds start times of events on the runtime's clock; see starts.h.
 *
 * The device's clock and the runtime's clock have different zeros. If the plugin found readings in
 * the dump (the times of both clocks at one moment), events of the device get a start on the
 * runtime's clock. If such a start places an event outside its call, the readings are wrong, and no
 * reading of that call is used. Events without usable readings are placed relative to their parents
 * (by_parent()). */
#include "commands/analyze/starts.h"

#include <stdlib.h>

#include "stats/select.h"

#include "etcore/plugin.h"

__extension__ typedef __int128 signed_time;

/* An event whose time is known on both clocks, the device's and the host's. */
struct reading {
	uint32_t call, site;
	uint64_t device, host;
};

/* An event whose time is not known on both clocks. by_parent() places it relative to the first of
 * the events that have the same anchor (anchor_of()). */
struct shifted {
	uint32_t anchor, site;
};

struct finder {
	const struct etc_sites *sites;
	const struct etc_trace *trace;
	struct etc_host_clock clock;
	const uint32_t *runs;
	size_t run_count;
	struct etc_start *out;
	/* per call: enum etc_readings_fault; if it is not ETC_READINGS_FIT, no reading of the call
	 * is used */
	uint8_t *fault;
	/* per call: some clock readings of the call are unusable; its other readings may still be
	 * used */
	bool *useless;
	struct reading *readings;
	uint32_t reading_count;
	struct shifted *shifted;
	uint32_t shifted_count;
	uint64_t *room; /* scratch: the start of an event in each run */
	/* scratch: per run, the earliest start among the events with the same anchor
	 * (anchor_of()) */
	etc_u128 *first;
};

static struct etc_run_times times_of(const struct finder *f, size_t run)
{
	return etc_trace_times(f->trace, f->runs[run]);
}

static const struct etc_time_facts *said(const struct finder *f, uint32_t i)
{
	const struct etc_facts *facts = etc_site_said(f->sites, &f->sites->v[i]).facts;

	return facts ? &facts->time : NULL;
}

static bool has_readings(const struct finder *f, uint32_t i)
{
	const struct etc_time_facts *t = said(f, i);

	return t && (t->sync_device || t->sync_host);
}

/* Does the event have start times on a clock other than the runtime's, with a known tick length? */
static bool is_foreign(const struct etc_reading *as)
{
	return as->clock == ETCORE_CLOCK_FOREIGN && as->unit == ETCORE_UNIT_NS &&
	       as->why != ETC_DETACH_COUNTER && as->why != ETC_DETACH_INVALID;
}

static bool is_useful(const struct finder *f, const struct etc_reading *as)
{
	return is_foreign(as) && !as->wraps_at && f->clock.unit == ETCORE_UNIT_NS;
}

static uint32_t call_of(const struct finder *f, uint32_t i)
{
	uint32_t call = f->sites->v[i].call;

	return call != ETC_NO_SITE && f->sites->v[call].delegate_call ? call : ETC_NO_SITE;
}

/* ---- readings -------------------------------------------------------------------- */

static int by_call_and_device(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return x->host < y->host ? -1 : x->host > y->host;
}

static void find_readings(struct finder *f)
{
	for (uint32_t i = 0; i < f->sites->count; i++) {
		uint32_t call = call_of(f, i);

		if (!has_readings(f, i) || call == ETC_NO_SITE)
			continue;
		if (is_useful(f, f->sites->v[i].reading))
			f->readings[f->reading_count++] =
				(struct reading){ call, i, said(f, i)->sync_device,
				                  said(f, i)->sync_host };
		else
			f->useless[call] = true;
	}
	if (f->reading_count)
		qsort(f->readings, f->reading_count, sizeof *f->readings, by_call_and_device);
	for (uint32_t k = 1; k < f->reading_count; k++) {
		const struct reading *a = &f->readings[k - 1], *b = &f->readings[k];

		if (a->call == b->call && !f->fault[a->call] &&
		    (a->device == b->device ? a->host != b->host : a->host > b->host))
			f->fault[a->call] = ETC_READINGS_BACKWARDS;
	}
}

/* Returns the time of the runtime's clock, in 1/den of a nanosecond, at the moment when the
 * device's clock was at `ticks`. If the result is out of range, returns -1, which is outside of
 * every call. */
static signed_time placed(const struct finder *f, const struct reading *r, uint64_t ticks)
{
	signed_time at = (signed_time)r->host * (signed_time)f->clock.scale;
	bool before = ticks < r->device;
	uint64_t distance = etc_reading_units(f->sites->v[r->site].reading,
	                                      before ? r->device - ticks : ticks - r->device);

	if (distance == UINT64_MAX)
		return -1;
	return before ? at - distance : at + distance;
}

static void find_outside(struct finder *f)
{
	for (size_t run = 0; run < f->run_count; run++) {
		const struct etc_run_times t = times_of(f, run);

		for (uint32_t k = 0; k < f->reading_count; k++) {
			const struct reading *r = &f->readings[k];
			signed_time scale = (signed_time)f->clock.scale;

			if (!f->fault[r->call] && t.end[r->site] >= t.start[r->site] &&
			    (placed(f, r, t.start[r->site]) < t.start[r->call] * scale ||
			     placed(f, r, t.end[r->site]) > t.end[r->call] * scale))
				f->fault[r->call] = ETC_READINGS_OUTSIDE;
		}
	}
}

/* ---- medians --------------------------------------------------------------------- */

static void take_median(struct finder *f, uint32_t i, size_t n, enum etc_start_by by)
{
	if (n == 0)
		return;
	f->out[i].by = (uint8_t)by;
	f->out[i].after = etc_quantile(f->room, n, 5);
}

static uint64_t clamped(signed_time time)
{
	return time < 0 ? 0 : time > UINT64_MAX ? UINT64_MAX : (uint64_t)time;
}

static void by_clock(struct finder *f, uint32_t i)
{
	size_t n = 0;

	for (size_t run = 0; run < f->run_count; run++) {
		const struct etc_run_times t = times_of(f, run);
		uint64_t begin = t.start[f->sites->root];

		if (t.end[i] >= t.start[i] && t.start[i] >= begin)
			f->room[n++] =
				etc_reading_units(f->sites->v[i].reading, t.start[i] - begin);
	}
	take_median(f, i, n, ETC_START_CLOCK);
}

static void by_readings(struct finder *f, const struct reading *r)
{
	size_t n = 0;

	for (size_t run = 0; run < f->run_count; run++) {
		const struct etc_run_times t = times_of(f, run);
		signed_time begin =
			(signed_time)t.start[f->sites->root] * (signed_time)f->clock.scale;

		if (t.end[r->site] >= t.start[r->site])
			f->room[n++] = clamped(placed(f, r, t.start[r->site]) - begin);
	}
	take_median(f, r->site, n, ETC_START_READINGS);
}

/* Returns the innermost event on the runtime's clock that encloses event `i`; if there is none, the
 * DELEGATE_CALL of `i`. */
static uint32_t anchor_of(const struct finder *f, uint32_t i)
{
	uint32_t at = etc_site_parent(f->sites, i);

	while (at != ETC_NO_SITE && f->sites->v[at].reading->clock != ETCORE_CLOCK_HOST)
		at = etc_site_parent(f->sites, at);
	return at != ETC_NO_SITE ? at : call_of(f, i);
}

static int by_anchor(const void *a, const void *b)
{
	const struct shifted *x = a, *y = b;

	if (x->anchor != y->anchor)
		return x->anchor < y->anchor ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static etc_u128 device_start(const struct finder *f, const struct etc_run_times *t, uint32_t i)
{
	return etc_reading_wide(f->sites->v[i].reading, t->start[i]);
}

/* Places the events that have the same anchor. The earliest of them gets the start of the anchor,
 * and the others keep their distances from it. */
static void by_parent(struct finder *f, const struct shifted *s, uint32_t count)
{
	uint32_t anchor = s->anchor;

	for (size_t run = 0; run < f->run_count; run++) {
		const struct etc_run_times t = times_of(f, run);

		f->first[run] = ~(etc_u128)0;
		for (uint32_t k = 0; k < count; k++)
			if (t.end[s[k].site] >= t.start[s[k].site] &&
			    device_start(f, &t, s[k].site) < f->first[run])
				f->first[run] = device_start(f, &t, s[k].site);
	}
	for (uint32_t k = 0; k < count; k++) {
		size_t n = 0;

		for (size_t run = 0; run < f->run_count; run++) {
			const struct etc_run_times t = times_of(f, run);
			signed_time at = (signed_time)t.start[anchor] - t.start[f->sites->root];

			if (t.end[s[k].site] >= t.start[s[k].site])
				f->room[n++] =
					clamped(at * (signed_time)f->clock.scale +
				                (signed_time)(device_start(f, &t, s[k].site) -
				                              f->first[run]));
		}
		take_median(f, s[k].site, n, ETC_START_PARENT);
	}
}

/* Does the expanded event `i` have the same clock as the event that a plugin made it from? The
 * search for the entry of `i` in sites->expanded starts at *next, which is set to the index of that
 * entry. */
static bool places_child(const struct finder *f, uint32_t i, uint32_t *next)
{
	while (f->sites->expanded[*next].site < i)
		++*next;
	return f->sites->expanded[*next].same_clock;
}

static void find_starts(struct finder *f)
{
	uint32_t expanded = 0;

	for (uint32_t i = 0; i < f->sites->count; i++) {
		const struct etc_site *s = &f->sites->v[i];
		uint32_t call = call_of(f, i);

		if (s->expanded && !places_child(f, i, &expanded))
			continue;
		if (s->reading->clock == ETCORE_CLOCK_HOST && (!s->delegate || s->reading->timed))
			by_clock(f, i);
		else if (is_foreign(s->reading) && call != ETC_NO_SITE &&
		         (!has_readings(f, i) || !is_useful(f, s->reading) || f->fault[call]))
			f->shifted[f->shifted_count++] = (struct shifted){ anchor_of(f, i), i };
	}
	for (uint32_t k = 0; k < f->reading_count; k++)
		if (!f->fault[f->readings[k].call])
			by_readings(f, &f->readings[k]);
	if (f->shifted_count)
		qsort(f->shifted, f->shifted_count, sizeof *f->shifted, by_anchor);
	for (uint32_t from = 0, to; from < f->shifted_count; from = to) {
		for (to = from + 1;
		     to < f->shifted_count && f->shifted[to].anchor == f->shifted[from].anchor;)
			to++;
		by_parent(f, &f->shifted[from], to - from);
	}
}

static void note(struct etc_starts *out, unsigned fault, uint32_t call)
{
	if (out->faults[fault]++ == 0)
		out->first[fault] = call;
}

enum etc_status etc_starts_find(const struct etc_sites *sites, const struct etc_join_input *in,
                                const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                                struct etc_starts *out, struct etc_error *err)
{
	struct finder f = { .sites = sites,
		            .trace = in->trace,
		            .clock = in->clock,
		            .runs = runs,
		            .run_count = run_count };
	uint32_t n = 0;

	*out = (struct etc_starts){ 0 };
	for (uint32_t i = 0; i < sites->count; i++)
		n += has_readings(&f, i);
	if (n == 0 || sites->root == ETC_NO_SITE)
		return ETC_OK;
	f.out = etc_new(arena, struct etc_start, sites->count);
	f.fault = etc_new(arena, uint8_t, sites->count);
	f.useless = etc_new(arena, bool, sites->count);
	f.readings = etc_new(arena, struct reading, n);
	f.shifted = etc_new(arena, struct shifted, sites->count);
	f.room = etc_new(arena, uint64_t, run_count);
	f.first = etc_new(arena, etc_u128, run_count);
	ETC_NEED(f.out && f.fault && f.useless && f.readings && f.shifted && f.room && f.first,
	         err);
	find_readings(&f);
	find_outside(&f);
	find_starts(&f);
	out->v = f.out;
	for (uint32_t i = 0; i < sites->count; i++) {
		if (f.useless[i])
			note(out, ETC_READINGS_USELESS, i);
		if (f.fault[i])
			note(out, f.fault[i], i);
	}
	return ETC_OK;
}
