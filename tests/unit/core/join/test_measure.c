/* test_measure.c -- the rows of a path (runs that executed the same instructions). The expected
 * values were computed by hand. */
#include "made.h"

#include "join/measure.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define GEMM     "Fully Connected (NC, F32) GEMM"

struct table {
	struct made made;
	struct etc_measure m;
	struct etc_profile_path path;
	struct etc_error err;
	bool single;  /* keep the values of every run */
	bool remarks; /* make only the rows that remarks need */
	bool sole;    /* the template is the only one of its path */
	struct etc_run_sample runs[MADE_RUNS];
	struct etc_run_values values;
};

/* Makes a template of `events` with `runs` runs, and measures them. use[i] is ETC_USE_* of run
 * i. */
static void measure(struct table *t, const struct made_event *events, uint32_t count,
                    const uint64_t (*const *times)[2], const uint8_t *use, size_t runs)
{
	uint32_t run[MADE_RUNS], index[MADE_RUNS];
	uint64_t time[MADE_RUNS];
	struct etc_measured_runs of_template = { run, time, use, index, runs, use };
	struct etc_sites sites;

	memset(&t->err, 0, sizeof t->err);
	memset(&t->path, 0, sizeof t->path);
	made_begin(&t->made);
	made_template(&t->made, events, count);
	for (size_t r = 0; r < runs; r++) {
		size_t last;

		run[r] = (uint32_t)made_run(&t->made, 0, times[r]);
		index[r] = (uint32_t)r;
		last = t->made.runs[run[r]].first_sample + count - 1;
		time[r] = t->made.end[last] - t->made.start[last];
	}
	made_sites(&t->made, 0, made_ns, &sites);
	if (t->single)
		etc_values_init(&t->values, &t->made.arena, t->runs);
	etc_measure_init(&t->m, &t->made.arena, &t->made.arena, &t->path, 0, ETC_BY_OP,
	                 t->single ? &t->values : NULL);
	t->m.remarks = t->remarks;
	t->m.sole = t->sole;
	assert_ok(etc_measure_template(&t->m, &t->made.trace, &sites, &of_template, &t->made.arena,
	                               &t->err),
	          &t->err);
	assert_ok(etc_measure_finish(&t->m, &t->err), &t->err);
}

struct want {
	const char *name;
	bool detached;
	uint64_t calls, self, total, bound;
};

static void expect(const struct table *t, const struct want *want, uint32_t count)
{
	etc_u128 sum = t->path.rounding + t->path.unattributed;

	assert_int_equal(t->m.row_count, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_profile_row *r = &t->m.rows[i];

		assert_str(r->name, want[i].name);
		assert_int_equal(r->detached, want[i].detached);
		assert_int_equal(r->calls, want[i].calls);
		assert_int_equal(r->self, want[i].self);
		assert_int_equal(r->total, want[i].total);
		assert_int_equal(r->bound, want[i].bound);
		sum += r->detached ? 0 : r->self;
	}
	/* no nanosecond is missing or counted twice */
	assert_true(sum == t->path.time);
}

static const struct made_event usual[] = { INSIDE("native_call_add.out", 0),
	                                   INSIDE("OPERATOR_CALL", 0), DELEGATE(GEMM " #1", 1),
	                                   INSIDE("DELEGATE_CALL", 1), AROUND("Method::execute") };
static const uint64_t first[][2] = {
	{ 10, 30 }, { 5, 40 }, { 50, 1050 }, { 45, 1545 }, { 0, 2000 }
};
static const uint64_t second[][2] = {
	{ 10, 20 }, { 5, 40 }, { 50, 2050 }, { 45, 3545 }, { 0, 4000 }
};
/* the delegate event is longer than its DELEGATE_CALL */
static const uint64_t exceeding[][2] = {
	{ 10, 20 }, { 5, 40 }, { 50, 2050 }, { 45, 1045 }, { 0, 4000 }
};

static void rows_and_foot_add_up_to_what_was_measured(void **state)
{
	static const uint64_t(*const times[])[2] = { first, second };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL };
	/* The GEMM's clock truncates to 1000 ns. So truncation may hide all of the 500 ns that
	 * remain in the first call, but only 1000 of the 1500 in the second. */
	static const struct want want[] = { { GEMM, false, 2, 3000, 3000, 1500 },
		                            { "OPERATOR_CALL", false, 2, 40, 70, 0 },
		                            { "add.out", false, 2, 30, 30, 0 } };
	struct table t = { 0 };

	(void)state;
	measure(&t, usual, COUNT(usual), times, use, 2);
	expect(&t, want, COUNT(want));
	assert_int_equal(t.path.time, 6000);
	assert_int_equal(t.path.rounding, 1500);
	assert_int_equal(t.path.unattributed_delegate, 500);
	assert_int_equal(t.path.unattributed, 500 + 465 + 465);
	assert_int_equal(t.path.delegated, 5000);
	assert_int_equal(t.path.partitions, 1);
	assert_int_equal(t.path.delegate_events, 1);
	made_end(&t.made);
}

static void every_run_can_be_kept_by_itself(void **state)
{
	static const uint64_t(*const times[])[2] = { first, second };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL };
	struct table t = { .single = true };

	(void)state;
	measure(&t, usual, COUNT(usual), times, use, 2);
	assert_int_equal(t.runs[0].v[t.m.rows[0].value], 1000); /* the GEMM */
	assert_int_equal(t.runs[1].v[t.m.rows[0].value], 2000);
	assert_int_equal(t.runs[0].v[t.m.rows[2].value], 20); /* add.out */
	assert_int_equal(t.runs[1].v[t.m.rows[2].value], 10);
	for (size_t r = 0; r < 2; r++) {
		uint64_t sum = t.runs[r].v[ETC_VALUES_ROUNDING] + t.runs[r].v[ETC_VALUES_INSIDE] +
		               t.runs[r].v[ETC_VALUES_BETWEEN];

		for (uint32_t i = 0; i < t.m.row_count; i++)
			sum += t.runs[r].v[t.m.rows[i].value];
		assert_int_equal(sum, r ? 4000 : 2000);
	}
	assert_int_equal(t.runs[1].v[ETC_VALUES_ROUNDING], 1000);
	made_end(&t.made);
}

static void only_typical_runs_are_in_the_rows(void **state)
{
	static const uint64_t(*const times[])[2] = { second, first, second };
	static const uint8_t use[] = { ETC_USE_WARMUP, ETC_USE_TYPICAL, ETC_USE_KEPT };
	static const struct want want[] = { { GEMM, false, 1, 1000, 1000, 500 },
		                            { "add.out", false, 1, 20, 20, 0 },
		                            { "OPERATOR_CALL", false, 1, 15, 35, 0 } };
	struct table t = { 0 };

	(void)state;
	measure(&t, usual, COUNT(usual), times, use, 3);
	expect(&t, want, COUNT(want));
	assert_int_equal(t.path.time, 2000);
	made_end(&t.made);
}

static void what_is_detached_in_one_run_is_a_row_of_its_own(void **state)
{
	static const uint64_t(*const times[])[2] = { first, exceeding };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL };
	static const struct want want[] = { { GEMM, false, 1, 1000, 1000, 500 },
		                            { "DELEGATE_CALL", false, 1, 1000, 1000, 0 },
		                            { "OPERATOR_CALL", false, 2, 40, 70, 0 },
		                            { "add.out", false, 2, 30, 30, 0 },
		                            { GEMM, true, 1, 2000, 2000, 1000 } };
	struct table t = { 0 };

	(void)state;
	measure(&t, usual, COUNT(usual), times, use, 2);
	expect(&t, want, COUNT(want));
	assert_int_equal(t.path.rounding, 500);
	assert_int_equal(t.path.unattributed, 465 + (4000 - 35 - 1000));
	made_end(&t.made);
}

static void remarks_are_made_about_delegate_events_and_what_is_detached(void **state)
{
	static const uint64_t(*const times[])[2] = { first, exceeding };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL };
	struct table t = { .remarks = true };

	(void)state;
	measure(&t, usual, COUNT(usual), times, use, 2);
	assert_int_equal(t.m.row_count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		assert_str(t.m.rows[i].name, GEMM);
		assert_int_equal(t.m.rows[i].detached, i == 1);
		assert_int_equal(t.m.rows[i].self, i ? 2000 : 1000);
		assert_int_equal(t.m.rows[i].truncated, 1);
		assert_int_equal(t.m.rows[i].bound, 0);
	}
	assert_int_equal(t.m.rows[1].why, ETC_DETACH_EXCEED);
	/* the totals of the path are those of all events */
	assert_int_equal(t.path.time, 6000);
	assert_int_equal(t.path.rounding, 500);
	assert_int_equal(t.path.delegated, 1500 + 1000);
	assert_int_equal(t.path.unattributed, 465 + (4000 - 35 - 1000));
	made_end(&t.made);
}

static void runs_kept_for_remarks_have_the_values_of_their_rows_only(void **state)
{
	static const uint64_t(*const times[])[2] = { first, second };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL };

	(void)state;
	for (int sole = 0; sole < 2; sole++) {
		struct table t = { .single = true, .remarks = true, .sole = sole };

		measure(&t, usual, COUNT(usual), times, use, 2);
		assert_int_equal(t.m.row_count, 1); /* the GEMM */
		for (size_t r = 0; r < 2; r++) {
			assert_int_equal(t.runs[r].v[t.m.rows[0].value], r ? 2000 : 1000);
			assert_int_equal(t.runs[r].v[ETC_VALUES_DELEGATED], r ? 3500 : 1500);
			assert_int_equal(t.runs[r].v[ETC_VALUES_BETWEEN], 465);
		}
		made_end(&t.made);
	}
}

static void without_a_backend_remarks_only_say_that_events_are_there(void **state)
{
	static const struct made_event events[] = { INSIDE("native_call_add.out", 0),
		                                    INSIDE("OPERATOR_CALL", 0), DELEGATE("7", 1),
		                                    INSIDE("DELEGATE_CALL", 1),
		                                    AROUND("Method::execute") };
	static const uint64_t inside[][2] = {
		{ 10, 20 }, { 5, 40 }, { 50, 1040 }, { 45, 1045 }, { 0, 4000 }
	};
	static const uint64_t(*const times[])[2] = { first, inside };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL };
	struct table t = { .remarks = true, .sole = true };

	(void)state;
	measure(&t, events, COUNT(events), times, use, 2);
	assert_int_equal(t.m.row_count, 1);
	assert_str(t.m.rows[0].name, "7");
	assert_true(t.m.rows[0].delegate && !t.m.rows[0].detached);
	assert_int_equal(t.m.rows[0].backend.len, 0);
	assert_int_equal(t.m.rows[0].truncated, 0);
	assert_int_equal(t.path.time, 6000);
	assert_int_equal(t.path.delegated, 1500 + 1000);
	made_end(&t.made);
}

static void with_a_backend_remarks_say_what_is_detached(void **state)
{
	static const uint64_t(*const orders[][2])[2] = { { first, exceeding },
		                                         { exceeding, first } };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct table t = { .remarks = true, .sole = true };

		measure(&t, usual, COUNT(usual), orders[i], use, 2);
		assert_int_equal(t.m.row_count, 1);
		assert_str(t.m.rows[0].name, GEMM);
		assert_true(t.m.rows[0].detached);
		assert_int_equal(t.m.rows[0].why, ETC_DETACH_EXCEED);
		assert_int_equal(t.path.time, 6000);
		assert_int_equal(t.path.rounding, 500);
		assert_int_equal(t.path.delegated, 1500 + 1000);
		made_end(&t.made);
	}
}

static void a_row_inside_itself_counts_its_total_once(void **state)
{
	static const struct made_event events[] = {
		INSIDE("native_call_a", 0), INSIDE("native_call_a", 0), INSIDE("OPERATOR_CALL", 0),
		INSIDE("OPERATOR_CALL", 1), AROUND("Method::execute")
	};
	static const uint64_t run[][2] = {
		{ 12, 18 }, { 10, 20 }, { 5, 25 }, { 30, 37 }, { 0, 50 }
	};
	static const uint64_t(*const times[])[2] = { run };
	static const uint8_t use[] = { ETC_USE_TYPICAL };
	static const struct want want[] = { { "a", false, 2, 6 + 4, 10, 0 },
		                            { "OPERATOR_CALL", false, 1, 10, 20, 0 },
		                            { "instruction 1", false, 1, 7, 7, 0 } };
	struct table t = { 0 };

	(void)state;
	measure(&t, events, COUNT(events), times, use, 1);
	expect(&t, want, COUNT(want));
	assert_int_equal(t.path.unattributed, 50 - 20 - 7);
	made_end(&t.made);
}

/* The sum of three times 2^63 ns exceeds 64 bits. */
static void sums_do_not_overflow(void **state)
{
	static const struct made_event events[] = { INSIDE("OPERATOR_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t run[][2] = { { 0, UINT64_C(1) << 63 },
		                           { 0, (UINT64_C(1) << 63) + 1 } };
	static const uint64_t(*const times[])[2] = { run, run, run };
	static const uint8_t use[] = { ETC_USE_TYPICAL, ETC_USE_TYPICAL, ETC_USE_TYPICAL };
	struct table t = { 0 };

	(void)state;
	measure(&t, events, COUNT(events), times, use, 3);
	assert_int_equal(t.m.row_count, 1);
	assert_true(t.m.rows[0].self == ((etc_u128)3 << 63));
	assert_true(t.path.time == ((etc_u128)3 << 63) + 3);
	assert_int_equal(t.path.unattributed, 3);
	made_end(&t.made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_foot_add_up_to_what_was_measured),
		cmocka_unit_test(every_run_can_be_kept_by_itself),
		cmocka_unit_test(only_typical_runs_are_in_the_rows),
		cmocka_unit_test(what_is_detached_in_one_run_is_a_row_of_its_own),
		cmocka_unit_test(remarks_are_made_about_delegate_events_and_what_is_detached),
		cmocka_unit_test(runs_kept_for_remarks_have_the_values_of_their_rows_only),
		cmocka_unit_test(without_a_backend_remarks_only_say_that_events_are_there),
		cmocka_unit_test(with_a_backend_remarks_say_what_is_detached),
		cmocka_unit_test(a_row_inside_itself_counts_its_total_once),
		cmocka_unit_test(sums_do_not_overflow),
	};

	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
