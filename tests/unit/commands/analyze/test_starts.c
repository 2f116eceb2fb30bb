/* test_starts.c -- the start times of events that a device's clock measured. Expected values were
 * computed by hand. */
#include "made.h"

#include "commands/analyze/starts.h"

enum { EVENTS = 5, A = 0, B, INNER, CALL, ROOT };

/* A delegate call with the events A and B of a device, and with INNER inside of A. */
struct rig {
	struct made made;
	struct etc_sites sites;
	struct etc_facts facts[EVENTS];
	struct etc_starts starts;
	bool microseconds; /* the runtime's ticks are microseconds */
};

static void begin(struct rig *r, double ns)
{
	static const struct made_event events[EVENTS] = {
		[A] = DELEGATE("a", 3),
		[B] = DELEGATE("b", 3),
		[INNER] = DELEGATE("inner", 3),
		[CALL] = INSIDE("DELEGATE_CALL", 3),
		[ROOT] = AROUND("Method::execute"),
	};

	memset(r, 0, sizeof *r);
	made_begin(&r->made);
	made_template(&r->made, events, EVENTS);
	made_sites(&r->made, 0, made_ns, &r->sites);
	for (uint32_t i = A; i <= INNER; i++) {
		struct etc_reading as = { .scale = (uint64_t)ns,
			                  .per = 1,
			                  .unit = ETCORE_UNIT_NS,
			                  .clock = ETCORE_CLOCK_FOREIGN,
			                  .timed = true };
		struct etc_said *said = etc_sites_say(&r->sites, &r->sites.v[i]);

		assert_non_null(said);
		said->facts = &r->facts[i];
		assert_true(etc_sites_hang(&r->sites, &r->sites.v[i], i == INNER ? A : CALL));
		assert_true(etc_sites_read(&r->sites, &r->sites.v[i], &as));
	}
}

static void readings(struct rig *r, uint32_t i, uint64_t device, uint64_t host)
{
	r->facts[i].time.sync_device = device;
	r->facts[i].time.sync_host = host;
}

static void find(struct rig *r)
{
	struct etc_join_input in = { .trace = &r->made.trace, .clock = made_ns };
	uint32_t runs[MADE_RUNS];
	struct etc_error err = { 0 };

	in.clock.scale = r->microseconds ? 1000 : 1;
	for (uint32_t k = 0; k < r->made.trace.run_count; k++)
		runs[k] = k;
	assert_ok(etc_starts_find(&r->sites, &in, runs, r->made.trace.run_count, &r->made.arena,
	                          &r->starts, &err),
	          &err);
}

static void expect(const struct rig *r, uint32_t i, enum etc_start_by by, double after)
{
	assert_int_equal(r->starts.v[i].by, by);
	assert_near(etc_ratio_double(r->starts.v[i].after), after, 0);
}

static unsigned faults(const struct rig *r)
{
	return r->starts.faults[ETC_READINGS_USELESS] +
	       r->starts.faults[ETC_READINGS_BACKWARDS] * 10 +
	       r->starts.faults[ETC_READINGS_OUTSIDE] * 100;
}

/* A, B and INNER in ticks of 10 ns of the device's clock; the call and its run in ns of the
 * runtime's. The call begins 100 ns after its run. */
static const uint64_t times[][2] = {
	{ 50, 60 }, { 60, 80 }, { 52, 54 }, { 1100, 1600 }, { 1000, 2000 }
};
/* Another run, 1000 ns later; its call begins 101 ns after the run. */
static const uint64_t later[][2] = {
	{ 150, 160 }, { 160, 180 }, { 152, 154 }, { 2101, 2601 }, { 2000, 3000 }
};

static void readings_place_events_on_the_runtimes_clock(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 10);
	made_run(&r.made, 0, times);
	made_run(&r.made, 0, later);
	for (uint32_t i = A; i <= INNER; i++)
		readings(&r, i, 55, 1200);
	find(&r);
	assert_int_equal(faults(&r), 0);
	expect(&r, A, ETC_START_READINGS, 150);
	expect(&r, B, ETC_START_READINGS, 250);
	expect(&r, INNER, ETC_START_READINGS, 170);
	expect(&r, CALL, ETC_START_CLOCK, 100.5);
	expect(&r, ROOT, ETC_START_CLOCK, 0);
	made_end(&r.made);
}

static void without_them_the_first_begins_with_what_contains_it(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 10);
	made_run(&r.made, 0, times);
	find(&r);
	assert_null(r.starts.v); /* no event has readings of both clocks */
	readings(&r, B, 55, 1200);
	find(&r);
	assert_int_equal(faults(&r), 0);
	expect(&r, A, ETC_START_PARENT, 100);
	expect(&r, INNER, ETC_START_PARENT, 120);
	expect(&r, B, ETC_START_READINGS, 250);
	made_end(&r.made);
}

static void readings_that_cannot_be_are_not_used(void **state)
{
	static const struct {
		uint64_t a[2], b[2];
		unsigned faults;
	} all[] = {
		/* the clocks run in opposite directions */
		{ { 55, 1200 }, { 56, 1199 }, 10 },
		/* two host times for one device time */
		{ { 55, 1200 }, { 55, 1201 }, 10 },
		/* would place a before the begin of the call */
		{ { 55, 1149 }, { 55, 1149 }, 100 },
		/* would place b past the end of the call */
		{ { 55, 1351 }, { 55, 1351 }, 100 },
		{ { 0, UINT64_MAX }, { 0, UINT64_MAX }, 100 }, /* far outside of the call */
		{ { UINT64_MAX, 1 }, { UINT64_MAX, 1 }, 100 },
		{ { UINT64_MAX, 1 }, { 0, UINT64_MAX }, 10 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		struct rig r;

		begin(&r, 10);
		made_run(&r.made, 0, times);
		readings(&r, A, all[k].a[0], all[k].a[1]);
		readings(&r, B, all[k].b[0], all[k].b[1]);
		find(&r);
		assert_int_equal(faults(&r), all[k].faults);
		expect(&r, A, ETC_START_PARENT, 100);
		expect(&r, B, ETC_START_PARENT, 200);
		made_end(&r.made);
	}
}

/* A start that is 2^64 ticks of 10 ns away does not fit 64 bits. It must not be cut to a value that
 * fits. */
static void readings_too_far_away_are_not_used(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 10);
	made_run(&r.made, 0, times);
	r.microseconds = true;
	readings(&r, A, UINT64_MAX, UINT64_MAX / 1000 + 1300);
	find(&r);
	assert_int_equal(faults(&r), 100);
	made_end(&r.made);
}

/* Readings are valid if they are of the first or the last moment of a call. */
static void readings_hold_at_the_ends_of_a_call(void **state)
{
	struct rig r;

	(void)state;
	for (uint64_t host = 1150; host <= 1350; host += 200) {
		begin(&r, 10);
		made_run(&r.made, 0, times);
		readings(&r, A, 55, host);
		readings(&r, B, 55, host);
		find(&r);
		assert_int_equal(faults(&r), 0);
		expect(&r, A, ETC_START_READINGS, (double)host - 1050);
		made_end(&r.made);
	}
}

static void what_has_no_clock_of_its_own_has_no_use_for_them(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, 10);
	made_run(&r.made, 0, times);
	for (uint32_t i = A; i <= INNER; i++) {
		struct etc_reading as = *r.sites.v[i].reading;

		readings(&r, i, 55, 1200);
		as.unit = i == A ? ETCORE_UNIT_CYCLES : ETCORE_UNIT_NS;
		as.wraps_at = i == B ? 1000 : 0;
		assert_true(etc_sites_read(&r.sites, &r.sites.v[i], &as));
	}
	find(&r);
	assert_int_equal(faults(&r), 1);
	assert_int_equal(r.starts.v[A].by, ETC_START_UNKNOWN);
	expect(&r, B, ETC_START_PARENT, 100);
	expect(&r, INNER, ETC_START_READINGS, 170);
	made_end(&r.made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readings_place_events_on_the_runtimes_clock),
		cmocka_unit_test(without_them_the_first_begins_with_what_contains_it),
		cmocka_unit_test(readings_that_cannot_be_are_not_used),
		cmocka_unit_test(readings_too_far_away_are_not_used),
		cmocka_unit_test(readings_hold_at_the_ends_of_a_call),
		cmocka_unit_test(what_has_no_clock_of_its_own_has_no_use_for_them),
	};

	return cmocka_run_group_tests_name("starts", tests, NULL, NULL);
}
