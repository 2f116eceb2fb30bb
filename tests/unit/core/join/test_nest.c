/* test_nest.c -- the nest of a run: which event encloses which, by their times. Expected values
 * were computed by hand. */
#include "made.h"

#include "join/nest.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define GEMM     "Fully Connected (NC, F32) GEMM #1"
#define SOFTMAX  "Softmax (NC, F32) #1"

struct tree {
	struct made made;
	struct etc_sites sites;
	struct etc_nest nest;
	struct etc_error err;
};

static void grow(struct tree *t, const struct made_event *events, uint32_t count,
                 struct etc_host_clock clock)
{
	memset(&t->err, 0, sizeof t->err);
	made_begin(&t->made);
	made_template(&t->made, events, count);
	made_sites(&t->made, 0, clock, &t->sites);
	assert_ok(etc_nest_init(&t->nest, &t->sites, &t->made.arena, &t->err), &t->err);
}

/* Adds a run with these times. If the nest of the run before does not fit it, makes another.
 * Returns whether it did. */
static bool look(struct tree *t, const uint64_t (*times)[2])
{
	size_t run = made_run(&t->made, 0, times), at = t->made.runs[run].first_sample;
	bool changed;

	assert_ok(etc_nest_check(&t->nest, t->made.start + at, t->made.end + at, &changed, &t->err),
	          &t->err);
	if (changed)
		etc_nest_adopt(&t->nest);
	return changed;
}

static void expect(const struct tree *t, const uint32_t *parents, const uint8_t *why)
{
	for (uint32_t i = 0; i < t->sites.count; i++)
		if (t->nest.parent[i] != parents[i] || t->nest.why[i] != why[i])
			fail_msg("event %u: parent %u, '%s'", i, t->nest.parent[i],
			         etc_detach_text(t->nest.why[i]));
}

static void events_hang_below_the_smallest_interval_around_them(void **state)
{
	static const struct made_event events[] = {
		INSIDE("native_call_sum.out", 0), INSIDE("native_call_add.out", 0),
		INSIDE("OPERATOR_CALL", 0),       INSIDE("native_call_mul.out", 1),
		INSIDE("OPERATOR_CALL", 1),       AROUND("Method::execute"),
	};
	static const uint64_t times[][2] = { { 12, 18 }, { 10, 20 }, { 5, 25 },
		                             { 31, 39 }, { 30, 40 }, { 0, 100 } };
	static const uint32_t parents[] = { 1, 2, 5, 4, 5, ETC_NO_SITE };
	static const uint8_t attached[COUNT(events)] = { 0 };
	static const uint64_t below[] = { 0, 6, 10, 0, 8, 30 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	assert_true(look(&t, times));
	expect(&t, parents, attached);
	for (uint32_t i = 0; i < COUNT(events); i++) {
		assert_int_equal(t.nest.time[i], times[i][1] - times[i][0]);
		assert_int_equal(t.nest.below[i], below[i]);
	}
	/* the same times again: the nest stays */
	assert_false(look(&t, times));
	made_end(&t.made);
}

static void of_equal_intervals_the_later_one_is_around(void **state)
{
	static const struct made_event events[] = { INSIDE("native_call_a", 0),
		                                    INSIDE("native_call_b", 0),
		                                    INSIDE("OPERATOR_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t times[][2] = { { 3, 7 }, { 3, 7 }, { 3, 7 }, { 3, 7 } };
	static const uint32_t parents[] = { 1, 2, 3, ETC_NO_SITE };
	static const uint8_t attached[COUNT(events)] = { 0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	look(&t, times);
	expect(&t, parents, attached);
	made_end(&t.made);
}

static void children_that_exceed_their_parent_are_detached_in_that_run(void **state)
{
	static const struct made_event events[] = { DELEGATE(GEMM, 0), DELEGATE(SOFTMAX, 0),
		                                    INSIDE("DELEGATE_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t fits[][2] = {
		{ 10, 1010 }, { 1010, 2010 }, { 5, 2505 }, { 0, 3000 }
	};
	static const uint64_t much[][2] = {
		{ 10, 2010 }, { 2010, 3010 }, { 5, 2505 }, { 0, 3000 }
	};
	static const uint32_t parents[] = { 2, 2, 3, ETC_NO_SITE };
	static const uint8_t attached[COUNT(events)] = { 0 };
	static const uint8_t exceeding[] = { ETC_DETACH_EXCEED, ETC_DETACH_EXCEED, 0, 0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	assert_int_equal(t.sites.v[0].reading->resolution, 1000);
	assert_true(look(&t, fits));
	expect(&t, parents, attached);
	assert_int_equal(t.nest.below[2], 2000);
	assert_true(look(&t, much));
	expect(&t, parents, exceeding);
	assert_true(look(&t, fits));
	expect(&t, parents, attached);
	made_end(&t.made);
}

static void an_event_that_ends_before_it_starts_takes_what_is_below_it_along(void **state)
{
	static const struct made_event events[] = { INSIDE("native_call_a", 0),
		                                    INSIDE("OPERATOR_CALL", 0), DELEGATE(GEMM, 1),
		                                    INSIDE("DELEGATE_CALL", 1),
		                                    AROUND("Method::execute") };
	static const uint64_t times[][2] = {
		{ 6, 9 }, { 5, 10 }, { 20, 1020 }, { 3000, 19 }, { 0, 4000 }
	};
	static const uint32_t parents[] = { 1, 4, 3, 4, ETC_NO_SITE };
	/* Event 3 ends before it starts, so it has no valid time, and its child is too long for
	 * it. */
	static const uint8_t why[] = { 0, 0, ETC_DETACH_EXCEED, ETC_DETACH_INVALID, 0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	look(&t, times);
	expect(&t, parents, why);
	assert_int_equal(t.nest.time[3], 0);
	assert_int_equal(t.nest.below[4], 5);
	made_end(&t.made);
}

static void a_stranger_is_of_the_runtimes_clock_inside_its_call_only(void **state)
{
	static const struct made_event events[] = { DELEGATE("conv_7", 0), DELEGATE("conv_8", 0),
		                                    INSIDE("DELEGATE_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t inside[][2] = { { 12, 15 }, { 11, 18 }, { 10, 20 }, { 0, 30 } };
	static const uint64_t outside[][2] = { { 12, 15 }, { 19, 21 }, { 10, 20 }, { 0, 30 } };
	static const uint32_t nested[] = { 1, 2, 3, ETC_NO_SITE };
	static const uint32_t side[] = { 2, 2, 3, ETC_NO_SITE };
	static const uint8_t attached[COUNT(events)] = { 0 };
	static const uint8_t unknown[] = { 0, ETC_DETACH_UNIT, 0, 0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	look(&t, inside);
	expect(&t, nested, attached);
	look(&t, outside);
	expect(&t, side, unknown);
	made_end(&t.made);
}

static void what_nothing_encloses_is_detached(void **state)
{
	static const struct made_event events[] = { AROUND("custom"), AROUND("custom"),
		                                    AROUND("Method::execute") };
	static const uint64_t times[][2] = { { 5, 9 }, { 40, 50 }, { 0, 30 } };
	static const uint32_t parents[] = { 2, ETC_NO_SITE, ETC_NO_SITE };
	static const uint8_t why[] = { 0, ETC_DETACH_PARENT, 0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	look(&t, times);
	expect(&t, parents, why);
	made_end(&t.made);
}

struct times {
	uint64_t start[MADE_EVENTS], end[MADE_EVENTS];
};

/* Checks a run with the nest of the run before, and with a nest that is made for it alone. Both
 * must give the same result. Returns whether the nest changed. */
static bool expect_as_made_anew(struct tree *t, const struct times *times)
{
	struct etc_nest anew, *both[] = { &t->nest, &anew };
	uint32_t n = t->sites.count;
	bool changed[2];

	assert_ok(etc_nest_init(&anew, &t->sites, &t->made.arena, &t->err), &t->err);
	for (int i = 0; i < 2; i++) {
		assert_ok(etc_nest_check(both[i], times->start, times->end, &changed[i], &t->err),
		          &t->err);
		if (changed[i])
			etc_nest_adopt(both[i]);
	}
	assert_memory_equal(t->nest.parent, anew.parent, n * sizeof *anew.parent);
	assert_memory_equal(t->nest.around, anew.around, n * sizeof *anew.around);
	assert_memory_equal(t->nest.time, anew.time, n * sizeof *anew.time);
	assert_memory_equal(t->nest.below, anew.below, n * sizeof *anew.below);
	assert_memory_equal(t->nest.flags, anew.flags, n);
	assert_memory_equal(t->nest.why, anew.why, n);
	assert_int_equal(t->nest.whole, anew.whole);
	return changed[0];
}

static void a_nest_that_is_kept_is_as_one_made_anew(void **state)
{
	enum { RUNS = 3000, EVENTS = 12 };
	static const struct made_event events[EVENTS] = {
		INSIDE("native_call_a", 0), INSIDE("native_call_b", 0), INSIDE("OPERATOR_CALL", 0),
		INSIDE("native_call_c", 1), INSIDE("OPERATOR_CALL", 1), DELEGATE("conv_7", 2),
		DELEGATE("conv_8", 2),      INSIDE("DELEGATE_CALL", 2), DELEGATE(GEMM, 3),
		INSIDE("DELEGATE_CALL", 3), AROUND("custom"),           AROUND("Method::execute"),
	};
	static const struct times usual = { { 12, 10, 5, 31, 30, 50, 56, 48, 70, 1000, 4000, 0 },
		                            { 18, 20, 25, 39, 40, 55, 58, 60, 1070, 3000, 4010,
		                              5000 } };
	static const uint64_t odd[] = { 0, 1, 15, 35, 57, 4005, 5001, UINT64_MAX - 1, UINT64_MAX };
	uint32_t drawn = 1, kept = 0;
	struct tree t;

	(void)state;
	grow(&t, events, EVENTS, made_ns);
	for (int r = 0; r < RUNS; r++) {
		struct times times = usual;

		/* none, one or two of the times are unusual */
		for (int k = 0; k < r % 3; k++) {
			drawn = drawn * 1664525 + 1013904223;
			(drawn >> 8 & 1 ? times.start : times.end)[(drawn >> 12 & 0xff) % EVENTS] =
				odd[(drawn >> 20) % COUNT(odd)];
		}
		kept += !expect_as_made_anew(&t, &times);
	}
	assert_in_range(kept, 1, RUNS - 1);
	made_end(&t.made);
}

static void ticks_count_as_the_clock_says(void **state)
{
	static const struct made_event events[] = { INSIDE("OPERATOR_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t times[][2] = { { 5, 9 }, { 0, 30 } };
	struct etc_host_clock us = { .unit = ETCORE_UNIT_NS, .scale = 1000 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), us);
	look(&t, times);
	assert_int_equal(t.nest.time[0], 4000);
	assert_int_equal(t.nest.time[1], 30000);
	assert_int_equal(t.nest.below[1], 4000);
	made_end(&t.made);
}

static struct etc_reading at_rate(double rate)
{
	struct etc_ratio r = etc_ratio_near(rate);

	return (struct etc_reading){ .scale = (uint64_t)r.num,
		                     .per = (uint64_t)r.den,
		                     .unit = ETCORE_UNIT_NS,
		                     .clock = ETCORE_CLOCK_FOREIGN,
		                     .timed = true };
}

static void ticks_become_whole_units_or_the_nearest(void **state)
{
	struct etc_reading s = { .scale = 1000 };

	(void)state;
	assert_int_equal(etc_reading_units(&s, 0), 0);
	assert_int_equal(etc_reading_units(&s, 7), 7000);
	assert_true(etc_reading_units(&s, UINT64_MAX / 1000) == UINT64_MAX / 1000 * 1000);
	assert_true(etc_reading_units(&s, UINT64_MAX / 1000 + 1) == UINT64_MAX);
	s = at_rate(52.08 / 52);
	assert_int_equal(etc_reading_units(&s, 0), 0);
	assert_int_equal(etc_reading_units(&s, 52000), 52080);
	assert_int_equal(etc_reading_units(&s, 300), 300); /* the exact value is 300.46 */
	assert_int_equal(etc_reading_units(&s, 400), 401); /* the exact value is 400.62 */
	assert_true(etc_reading_units(&s, UINT64_MAX) == UINT64_MAX);
	s = at_rate(1e-300);
	assert_int_equal(etc_reading_units(&s, UINT64_MAX), 0);
	s = at_rate(1e300);
	assert_true(etc_reading_units(&s, 1) == UINT64_MAX);
}

/* If a unit is divided into etc_sites_finer() times as many parts, the ticks of all clocks are
 * whole numbers of parts. */
static void ticks_of_several_clocks_have_common_parts(void **state)
{
	static const struct made_event events[] = { DELEGATE("a", 0), DELEGATE("b", 0),
		                                    DELEGATE("c", 0), INSIDE("DELEGATE_CALL", 0),
		                                    AROUND("Method::execute") };
	/* 1.6 GHz, 1.4 GHz, 19.2 MHz */
	static const double ns[] = { 1e9 / 1.6e9, 1e9 / 1.4e9, 1e9 / 19.2e6 };
	struct etc_reading as;
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	assert_int_equal(etc_sites_finer(&t.sites, 1, UINT32_MAX), 1);
	for (uint32_t i = 0; i < COUNT(ns); i++) {
		as = at_rate(ns[i]);
		assert_true(etc_sites_read(&t.sites, &t.sites.v[i], &as));
	}
	t.sites.rounds = true;
	assert_int_equal(etc_sites_finer(&t.sites, 1, UINT32_MAX), 8 * 7 * 3);
	assert_int_equal(etc_sites_finer(&t.sites, 5, UINT32_MAX), 8 * 7 * 3 * 5);
	assert_int_equal(etc_sites_finer(&t.sites, 1, 8 * 7), 8 * 7);
	assert_int_equal(etc_sites_finer(&t.sites, 1, 1), 1);
	/* A clock that needs smaller parts than allowed is rounded: to the parts of the other
	 * clocks, or to 1/1000. */
	as = at_rate(1e9 / 2419200123);
	assert_true(etc_sites_read(&t.sites, &t.sites.v[1], &as));
	assert_int_equal(etc_sites_finer(&t.sites, 1, 1 << 20), 3000);
	assert_int_equal(etc_sites_finer(&t.sites, 1, 100), 24);
	made_end(&t.made);
}

/* A random tree of events of a device, inside of one call. */
struct device {
	struct tree t;
	/* index of each event's parent, which has a larger index; the call is the last but one */
	uint32_t parent[MADE_EVENTS];
	/* while a run is generated: ticks of each event that no child has taken yet */
	double left[MADE_EVENTS];
};

static uint32_t draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(*seed >> 4) * below >> 28);
}

enum rates { ANY_RATES, ONE_RATE, RATES_BY_CLOCK, RATES };

/* Gives every event a parent and a clock, as a plugin would. */
static void describe(struct device *d, uint32_t *seed, enum rates kind)
{
	static const double rates[] = { 1e9 / 1.2e9,  52.08,   1, 0.7,
		                        1e9 / 19.2e6, 1.0 / 7, 3, 1e9 / 3e6 };
	struct etc_sites *sites = &d->t.sites;
	uint32_t call = sites->count - 2, rate = draw(seed, COUNT(rates)),
		 hosts = draw(seed, COUNT(rates));

	for (uint32_t i = 0; i < call; i++) {
		struct etc_reading as;

		bool foreign = draw(seed, 4);

		rate = kind == ANY_RATES ? draw(seed, COUNT(rates)) : rate;
		as = at_rate(rates[kind == RATES_BY_CLOCK && !foreign ? hosts : rate]);
		as.clock = foreign ? ETCORE_CLOCK_FOREIGN : ETCORE_CLOCK_HOST;
		sites->clocks = sites->clocks || as.clock != ETCORE_CLOCK_HOST;
		d->parent[i] = i + 1 + draw(seed, call - i);
		sites->scaled = sites->scaled || etc_reading_scales(&as);
		sites->rounds = sites->rounds || etc_reading_rounds(&as);
		assert_true(etc_sites_hang(sites, &sites->v[i], d->parent[i]));
		assert_true(etc_sites_read(sites, &sites->v[i], &as));
	}
	assert_ok(etc_nest_init(&d->t.nest, sites, &d->t.made.arena, &d->t.err), &d->t.err);
}

static double rate_of(const struct etc_reading *as)
{
	return (double)as->scale / (double)(as->per ? as->per : 1);
}

/* Generates a run. Each event takes all of the time that is left of its parent, or a part of it,
 * and sometimes a tick more. */
static void run_device(struct device *d, uint32_t *seed, uint32_t most, struct times *out)
{
	uint32_t n = d->t.sites.count;

	for (uint32_t i = n; i-- > 0;) {
		uint32_t p = d->parent[i], ticks = 1 + draw(seed, most);

		if (i < n - 2) {
			double ratio =
				rate_of(d->t.sites.v[p].reading) / rate_of(d->t.sites.v[i].reading);
			double fits = d->left[p] > 0 ? d->left[p] * ratio : 0;

			ticks = (uint32_t)fits;
			if (draw(seed, 2))
				ticks = draw(seed, ticks + 1);
			ticks += draw(seed, 50) == 0;
			d->left[p] -= ticks / ratio;
		}
		d->left[i] = ticks;
		out->start[i] = draw(seed, most);
		out->end[i] = out->start[i] + (i == n - 1 ? UINT64_C(1) << 40 : ticks);
	}
}

/* number of parts of a unit: with it, a tick of every rate above is a whole number of parts */
enum { PARTS = 6 * 25 * 10 * 12 * 7 * 3 };

__extension__ typedef __int128 parts;

static parts exactly(const struct device *d, const struct times *run, uint32_t i)
{
	const struct etc_reading *as = d->t.sites.v[i].reading;
	uint64_t per = as->per ? as->per : 1;

	assert_int_equal(PARTS % per, 0);
	return (parts)(run->end[i] - run->start[i]) * as->scale * (PARTS / per);
}

static uint64_t in_units(const struct device *d, const struct times *run, uint32_t i)
{
	return etc_reading_units(d->t.sites.v[i].reading, run->end[i] - run->start[i]);
}

/* Times of the children of a site, in parts of a unit. */
struct children {
	parts all, alike; /* alike: of those whose ticks are as long as the site's */
	uint32_t rounded; /* number of those with other ticks whose times are rounded */
	bool any_other;
};

/* Adds the times of the children of site `p` that have `flag`. */
static void add_those(const struct device *d, const struct times *run, uint32_t p, uint8_t flag,
                      struct children *to)
{
	const struct etc_site *v = d->t.sites.v;

	for (uint32_t i = 0; i < d->t.sites.count; i++) {
		if (d->t.nest.parent[i] != p || !(d->t.nest.flags[i] & flag) ||
		    run->end[i] == run->start[i])
			continue;
		to->all += exactly(d, run, i);
		if (rate_of(v[i].reading) == rate_of(v[p].reading)) {
			to->alike += exactly(d, run, i);
			continue;
		}
		to->any_other = true;
		to->rounded += etc_reading_rounds(v[i].reading);
	}
}

/* Checks `fits`, which says whether the children `c` of site `p` fit into the time of `p`. If the
 * sum of their exact times is not longer than `p`, they fit. If the children whose ticks are as
 * long as those of `p` are together longer than `p`, none fits. The other children do not fit if
 * the sum exceeds `p` by more than 1.5 units, plus 1.5 units for each child whose time is
 * rounded. */
static void expect_fit(const struct device *d, const struct times *run, uint32_t p,
                       const struct children *c, bool fits)
{
	parts time = exactly(d, run, p), slack = PARTS / 2 * (3 * (parts)c->rounded + 3);

	if (c->all <= time)
		assert_true(fits);
	if (c->alike > time || c->all > time + slack)
		assert_false(fits);
	if (!c->any_other)
		assert_int_equal(fits, c->all <= time);
}

/* Checks which children count as a part of the time of site `p`. */
static void expect_judged(const struct device *d, const struct times *run, uint32_t p)
{
	const struct etc_nest *nest = &d->t.nest;
	bool exceeds = nest->flags[p] & ETC_NEST_EXCEED, spills = nest->flags[p] & ETC_NEST_SPILLS;
	struct children own = { 0 }, others = { 0 };

	add_those(d, run, p, ETC_NEST_OWN, &own);
	expect_fit(d, run, p, &own, !exceeds);
	add_those(d, run, p, ETC_NEST_OTHER, &others);
	if (others.all == 0)
		assert_false(spills);
	if (!exceeds)
		add_those(d, run, p, ETC_NEST_OWN, &others);
	expect_fit(d, run, p, &others, !spills);
	for (uint32_t i = 0; i < d->t.sites.count; i++)
		if (nest->parent[i] == p && nest->flags[i] & (ETC_NEST_OWN | ETC_NEST_OTHER))
			assert_int_equal((nest->flags[i] & ETC_NEST_CANDIDATE) != 0,
			                 nest->flags[i] & ETC_NEST_OWN ? !exceeds : !spills);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Checks that no event is shorter than its attached children, and that rounding changes each time
 * by no more than 3 units (1 with `one_rate`). Returns how many events would be shorter if each
 * time were converted to units by itself. */
static uint32_t expect_rounded(const struct device *d, const struct times *run, bool one_rate)
{
	const struct etc_nest *nest = &d->t.nest;
	uint64_t sum[MADE_EVENTS] = { 0 }, exact[MADE_EVENTS] = { 0 }, units[MADE_EVENTS] = { 0 };
	uint32_t n = d->t.sites.count, saved = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t ticks = run->end[i] - run->start[i];

		assert_true(distance(nest->time[i], in_units(d, run, i)) <= (one_rate ? 1 : 3));
		exact[i] += ticks;
		if (!(nest->flags[i] & ETC_NEST_CANDIDATE))
			continue;
		sum[nest->parent[i]] += nest->time[i];
		units[nest->parent[i]] += in_units(d, run, i);
		exact[nest->parent[i]] -= ticks;
	}
	for (uint32_t i = 0; i < n; i++) {
		expect_judged(d, run, i);
		assert_int_equal(nest->below[i], sum[i]);
		assert_true(sum[i] <= nest->time[i]);
		saved += units[i] > in_units(d, run, i);
		if (one_rate && i < n - 2)
			assert_true(distance(nest->time[i] - sum[i],
			                     etc_reading_units(d->t.sites.v[i].reading,
			                                       exact[i])) <= 1);
	}
	return saved;
}

static void rounding_detaches_nothing_and_all_adds_up(void **state)
{
	enum { TREES = 400, RUNS = 60, EVENTS = MADE_EVENTS };
	struct made_event events[EVENTS];
	uint32_t seed = 7, saved[RATES] = { 0 }, kept = 0;
	struct device d = { 0 };

	(void)state;
	for (uint32_t i = 0; i < EVENTS; i++)
		events[i] = (struct made_event)DELEGATE("layer", 0);
	events[EVENTS - 2] = (struct made_event)INSIDE("DELEGATE_CALL", 0);
	events[EVENTS - 1] = (struct made_event)AROUND("Method::execute");
	for (int k = 0; k < TREES; k++) {
		enum rates kind = (enum rates)(k % RATES);

		grow(&d.t, events, EVENTS, made_ns);
		describe(&d, &seed, kind);
		for (int r = 0; r < RUNS; r++) {
			struct times run;

			run_device(&d, &seed, 1u << (3 + r % 20), &run);
			kept += !expect_as_made_anew(&d.t, &run);
			saved[kind] += expect_rounded(&d, &run, kind == ONE_RATE);
		}
		made_end(&d.t.made);
	}
	for (int k = 0; k < RATES; k++)
		assert_in_range(saved[k], 100, UINT32_MAX);
	assert_in_range(kept, 1000, TREES * RUNS);
}

/* Children on another clock than their parent's are part of its time if all of them fit next to the
 * children on its own clock. Otherwise none of them is. Whether the children on its own clock are
 * part does not depend on them. */
static void what_another_clock_measured_is_attached_where_it_fits(void **state)
{
	static const struct made_event events[] = { DELEGATE("kernel", 0), DELEGATE("other", 0),
		                                    DELEGATE("copy", 0), INSIDE("DELEGATE_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t fits[][2] = {
		{ 900, 940 }, { 940, 970 }, { 12, 42 }, { 10, 110 }, { 0, 200 }
	};
	static const uint64_t much[][2] = {
		{ 900, 940 }, { 940, 971 }, { 12, 42 }, { 10, 110 }, { 0, 200 }
	};
	static const uint32_t parents[] = { 3, 3, 3, 4, ETC_NO_SITE };
	static const uint8_t attached[COUNT(events)] = { 0 };
	static const uint8_t apart[] = { ETC_DETACH_EXCEED, ETC_DETACH_EXCEED, 0, 0, 0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	for (uint32_t i = 0; i < 3; i++) {
		struct etc_reading as = at_rate(1);

		as.clock = i == 2 ? ETCORE_CLOCK_HOST : ETCORE_CLOCK_FOREIGN;
		assert_true(etc_sites_hang(&t.sites, &t.sites.v[i], 3));
		assert_true(etc_sites_read(&t.sites, &t.sites.v[i], &as));
	}
	t.sites.clocks = true;
	assert_ok(etc_nest_init(&t.nest, &t.sites, &t.made.arena, &t.err), &t.err);
	for (int k = 0; k < 2; k++) {
		assert_true(look(&t, fits));
		expect(&t, parents, attached);
		assert_int_equal(t.nest.below[3], 100);
		assert_int_equal(t.nest.excess, 0);
		assert_false(look(&t, fits));
		assert_true(look(&t, much));
		expect(&t, parents, apart);
		assert_int_equal(t.nest.below[3], 30);
		assert_int_equal(t.nest.excess, 1);
	}
	made_end(&t.made);
}

/* The same holds if the ticks of all clocks have the same length. Then ticks are compared instead
 * of units. */
static void ticks_of_another_clock_take_nobody_along(void **state)
{
	static const struct made_event events[] = { DELEGATE("own", 0), DELEGATE("other", 0),
		                                    DELEGATE("layer", 0),
		                                    INSIDE("DELEGATE_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t fits[][2] = {
		{ 0, 85 }, { 0, 185 }, { 0, 270 }, { 10, 990 }, { 0, 999 }
	};
	static const uint64_t much[][2] = {
		{ 0, 85 }, { 0, 186 }, { 0, 270 }, { 10, 990 }, { 0, 999 }
	};
	static const uint64_t both[][2] = {
		{ 0, 300 }, { 0, 186 }, { 0, 270 }, { 10, 990 }, { 0, 999 }
	};
	static const uint32_t parents[] = { 2, 2, 3, 4, ETC_NO_SITE };
	static const uint8_t attached[COUNT(events)] = { 0 };
	static const uint8_t apart[] = { 0, ETC_DETACH_EXCEED, 0, 0, 0 };
	static const uint8_t own[] = { ETC_DETACH_EXCEED, 0, 0, 0, 0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	for (uint32_t i = 0; i < 3; i++) {
		struct etc_reading as = at_rate(7.0 / 13);

		as.clock = i == 1 ? ETCORE_CLOCK_NONE : ETCORE_CLOCK_FOREIGN;
		assert_true(etc_sites_hang(&t.sites, &t.sites.v[i], parents[i]));
		assert_true(etc_sites_read(&t.sites, &t.sites.v[i], &as));
	}
	t.sites.clocks = t.sites.scaled = t.sites.rounds = true;
	assert_ok(etc_nest_init(&t.nest, &t.sites, &t.made.arena, &t.err), &t.err);
	for (int k = 0; k < 2; k++) {
		assert_true(look(&t, fits));
		expect(&t, parents, attached);
		assert_true(look(&t, much));
		expect(&t, parents, apart);
		assert_true(look(&t, both));
		expect(&t, parents, own);
		assert_int_equal(t.nest.below[2], 100);
		assert_int_equal(t.nest.excess, 162 - 145);
	}
	made_end(&t.made);
}

/* Events that run in parallel are in no sum. The events below them are in no sum either, for the
 * same reason if they have no other. */
static void what_runs_in_parallel_takes_what_is_below_it_along(void **state)
{
	static const struct made_event events[] = {
		DELEGATE("step", 0),  DELEGATE("part", 0),        DELEGATE("guess", 0),
		DELEGATE("other", 0), INSIDE("DELEGATE_CALL", 0), AROUND("Method::execute")
	};
	static const uint64_t times[][2] = { { 10, 20 },  { 10, 60 },  { 20, 30 },
		                             { 10, 100 }, { 10, 110 }, { 0, 200 } };
	static const uint32_t parents[] = { 1, 4, 1, 4, 5, ETC_NO_SITE };
	static const uint8_t why[] = { ETC_DETACH_PARALLEL,
		                       ETC_DETACH_PARALLEL,
		                       ETC_DETACH_ESTIMATE,
		                       ETC_DETACH_PARALLEL,
		                       0,
		                       0 };
	struct tree t;

	(void)state;
	grow(&t, events, COUNT(events), made_ns);
	for (uint32_t i = 0; i < 4; i++) {
		struct etc_reading as = at_rate(1);

		as.clock = ETCORE_CLOCK_FOREIGN;
		as.why = i == 2 ? ETC_DETACH_ESTIMATE : i ? ETC_DETACH_PARALLEL : ETC_ATTACHED;
		assert_true(etc_sites_hang(&t.sites, &t.sites.v[i], parents[i]));
		assert_true(etc_sites_read(&t.sites, &t.sites.v[i], &as));
	}
	t.sites.clocks = true;
	assert_ok(etc_nest_init(&t.nest, &t.sites, &t.made.arena, &t.err), &t.err);
	assert_true(look(&t, times));
	expect(&t, parents, why);
	assert_int_equal(t.nest.below[1], 10);
	assert_int_equal(t.nest.below[4], 0);
	made_end(&t.made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_hang_below_the_smallest_interval_around_them),
		cmocka_unit_test(of_equal_intervals_the_later_one_is_around),
		cmocka_unit_test(children_that_exceed_their_parent_are_detached_in_that_run),
		cmocka_unit_test(an_event_that_ends_before_it_starts_takes_what_is_below_it_along),
		cmocka_unit_test(a_stranger_is_of_the_runtimes_clock_inside_its_call_only),
		cmocka_unit_test(what_nothing_encloses_is_detached),
		cmocka_unit_test(a_nest_that_is_kept_is_as_one_made_anew),
		cmocka_unit_test(ticks_count_as_the_clock_says),
		cmocka_unit_test(ticks_become_whole_units_or_the_nearest),
		cmocka_unit_test(ticks_of_several_clocks_have_common_parts),
		cmocka_unit_test(what_another_clock_measured_is_attached_where_it_fits),
		cmocka_unit_test(ticks_of_another_clock_take_nobody_along),
		cmocka_unit_test(what_runs_in_parallel_takes_what_is_below_it_along),
		cmocka_unit_test(rounding_detaches_nothing_and_all_adds_up),
	};

	return cmocka_run_group_tests_name("nest", tests, NULL, NULL);
}
