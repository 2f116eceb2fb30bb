/* test_tally.c -- adding up the times of many runs, whose events are nested alike or
 * differently. */
#include "made.h"

#include "join/measure.h"

#define GEMM "Fully Connected (NC, F32) GEMM"
enum { RUNS = 2400, EVENTS = 6 };

static const struct made_event usual[EVENTS] = {
	INSIDE("native_call_add.out", 0), INSIDE("OPERATOR_CALL", 0),
	DELEGATE(GEMM " #1", 1),          DELEGATE("Convolution (NHWC, F32) IGEMM #1", 1),
	INSIDE("DELEGATE_CALL", 1),       AROUND("Method::execute")
};

/* Random runs of one template. */
struct drawn {
	struct made made;
	struct etc_run runs[RUNS];
	uint64_t start[RUNS * EVENTS], end[RUNS * EVENTS];
	uint32_t run[RUNS];
	uint64_t time[RUNS];
	uint8_t use[RUNS];
	uint64_t state;
};

struct sums {
	struct etc_measure m;
	struct etc_profile_path path;
};

static uint64_t draw(struct drawn *d, uint64_t below)
{
	d->state = d->state * 6364136223846793005u + 1442695040888963407u;
	return (d->state >> 33) % below;
}

/* Makes run `r`. With `odd`, the events of the delegate are longer than its call. With `zero`, one
 * event takes 0 ns. */
static void draw_run(struct drawn *d, size_t r, bool odd, bool zero)
{
	uint64_t base = 1000000 * r, kernel = 10 + draw(d, 30), gemm = 1 + draw(d, 900),
		 conv = zero ? 0 : 1000 * draw(d, 3),
		 call = odd ? gemm / 2 : gemm + conv + draw(d, 700);
	const uint64_t times[EVENTS][2] = {
		{ 10, 10 + kernel }, { 5, 20 + kernel },
		{ 100, 100 + gemm }, { 100 + gemm, 100 + gemm + conv },
		{ 90, 100 + call },  { 0, 5000 + draw(d, 40) },
	};

	for (size_t i = 0; i < EVENTS; i++) {
		d->start[r * EVENTS + i] = base + times[i][0];
		d->end[r * EVENTS + i] = base + times[i][1];
	}
	d->runs[r] = (struct etc_run){ .first_sample = (uint32_t)(r * EVENTS) };
	d->run[r] = (uint32_t)r;
	d->time[r] = times[EVENTS - 1][1];
}

static void measure(struct drawn *d, struct sums *out)
{
	const struct etc_measured_runs all = { d->run, d->time, d->use, NULL, RUNS, d->use };
	struct etc_error err = { 0 };
	struct etc_sites sites;

	memset(out, 0, sizeof *out);
	made_sites(&d->made, 0, made_ns, &sites);
	etc_measure_init(&out->m, &d->made.arena, &d->made.arena, &out->path, 0, ETC_BY_OP, NULL);
	assert_ok(etc_measure_template(&out->m, &d->made.trace, &sites, &all, &d->made.arena, &err),
	          &err);
	assert_ok(etc_measure_finish(&out->m, &err), &err);
}

/* Measures all runs. Rows, rounding and unattributed time must add up to the time of all typical
 * runs. */
static void expect_all_time(struct drawn *d)
{
	etc_u128 time = 0, told;
	struct sums one;

	d->made.trace.runs = d->runs;
	d->made.trace.start = d->start;
	d->made.trace.end = d->end;
	measure(d, &one);
	for (size_t r = 0; r < RUNS; r++)
		time += d->use[r] == ETC_USE_TYPICAL ? d->time[r] : 0;
	assert_true(one.path.time == time);
	assert_true(one.path.rounding > 0);
	told = one.path.rounding + one.path.unattributed;
	for (uint32_t r = 0; r < one.m.row_count; r++)
		told += one.m.rows[r].detached ? 0 : one.m.rows[r].self;
	assert_true(told == time);
}

static struct drawn *begin(void)
{
	struct drawn *d = calloc(1, sizeof *d);

	assert_non_null(d);
	made_begin(&d->made);
	d->made.arena.budget = 256 << 20;
	made_template(&d->made, usual, EVENTS);
	made_run(&d->made, 0, (const uint64_t[EVENTS][2]){ { 0, 0 } });
	for (size_t r = 0; r < RUNS; r++)
		d->use[r] = r < 3 ? ETC_USE_WARMUP : r % 11 ? ETC_USE_TYPICAL : ETC_USE_KEPT;
	return d;
}

static void end(struct drawn *d)
{
	made_end(&d->made);
	free(d);
}

static void adds_up_runs_of_one_nest(void **state)
{
	struct drawn *d = begin();

	(void)state;
	for (size_t r = 0; r < RUNS; r++)
		draw_run(d, r, false, r < 2000);
	expect_all_time(d);
	for (size_t r = 0; r < RUNS; r++)
		draw_run(d, r, false, true);
	expect_all_time(d);
	end(d);
}

static void adds_up_runs_whose_nests_change(void **state)
{
	static const size_t every[] = { 1, 2, 3, 50, 333, 1200, 2100 };
	struct drawn *d = begin();

	(void)state;
	for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
		for (size_t r = 0; r < RUNS; r++)
			draw_run(d, r, r / every[i] % 2, r % 2);
		expect_all_time(d);
	}
	for (size_t r = 0; r < RUNS; r++)
		draw_run(d, r, draw(d, 400) == 0, draw(d, 2));
	expect_all_time(d);
	end(d);
}

/* The times are so long that the sum of four runs exceeds 64 bits. */
static void keeps_sums_that_come_around(void **state)
{
	const uint64_t more = (uint64_t)1 << 62;
	struct drawn *d = begin();

	(void)state;
	for (size_t r = 0; r < RUNS; r++) {
		draw_run(d, r, r / 900 % 2, false);
		d->end[r * EVENTS] += more;
		d->end[r * EVENTS + 1] += more;
		d->end[r * EVENTS + EVENTS - 1] += more;
		d->time[r] += more;
	}
	expect_all_time(d);
	end(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_up_runs_of_one_nest),
		cmocka_unit_test(adds_up_runs_whose_nests_change),
		cmocka_unit_test(keeps_sums_that_come_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
