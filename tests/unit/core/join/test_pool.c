/* test_pool.c -- pooling several dumps to one trace; medians of the rows of a path. */
#include "unit.h"

#include "join/medians.h"
#include "join/pool.h"

/* The events of a run of one instruction. */
#define RUN_OF(instruction)                                 \
	{                                                   \
		{ .name = SIZED("OPERATOR_CALL"),           \
		  .instruction_id = (instruction),          \
		  .delegate_id = -1,                        \
		  .word = ETC_WORD_OPERATOR_CALL,           \
		  .has_name = true },                       \
			{ .name = SIZED("Method::execute"), \
			  .delegate_id = -1,                \
			  .column = 1,                      \
			  .word = ETC_WORD_EXECUTE,         \
			  .has_name = true },               \
	}

static const struct etc_event a_events[] = RUN_OF(1);
static const struct etc_event b_events[] = RUN_OF(2);
static const struct etc_template a_template = { .events = a_events, .count = 2, .profiles = 2 };
static const struct etc_template both[] = {
	{ .events = b_events, .count = 2, .profiles = 2 },
	{ .events = a_events, .count = 2, .profiles = 2, .first_run = 1 }
};
static const struct etc_run one_run[] = { { .template = 0 } };
static const struct etc_run two_runs[] = { { .template = 0 },
	                                   { .template = 1, .first_sample = 2 } };
static const uint64_t start[] = { 10, 0, 30, 20 }, end[] = { 12, 19, 33, 39 };
/* each blob is preceded by its length */
static const uint8_t bytes[] = { 0xff, 2, 0, 0, 0, 'h', 'i' };
static const uint32_t metadata_at[] = { 1 }, metadata_before[] = { 0 };
static const uint64_t has_metadata[] = { 1 << 2 };

static const struct etc_trace a = { .runs = one_run,
	                            .run_count = 1,
	                            .templates = &a_template,
	                            .template_count = 1,
	                            .start = start,
	                            .end = end,
	                            .sample_count = 2 };
static const struct etc_trace ab = { .runs = two_runs,
	                             .run_count = 2,
	                             .templates = both,
	                             .template_count = 2,
	                             .start = start,
	                             .end = end,
	                             .sample_count = 4,
	                             .metadata = { has_metadata, metadata_before, metadata_at },
	                             .bytes = bytes };

static void dumps_agree_when_they_log_the_same_events(void **state)
{
	(void)state;
	assert_true(etc_pool_agrees(&a, &a));
	assert_true(etc_pool_agrees(&ab, &ab));
	assert_false(etc_pool_agrees(&a, &ab));
	assert_false(etc_pool_agrees(&ab, &a));
}

static void runs_follow_file_by_file_and_share_templates(void **state)
{
	const struct etc_trace *const traces[] = { &a, &ab };
	struct etc_arena arena;
	struct etc_trace t;
	struct etc_error err = { 0 };
	struct etc_span blob;
	uint32_t *file;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	assert_ok(etc_pool_join(traces, 2, &arena, &t, &file, &err), &err);
	assert_int_equal(t.run_count, 3);
	assert_int_equal(t.template_count, 2);
	assert_int_equal(t.sample_count, 6);
	assert_int_equal(file[0], 0);
	assert_int_equal(file[2], 1);
	assert_int_equal(t.runs[0].template, 0);
	assert_int_equal(t.runs[1].template, 1);
	assert_int_equal(t.runs[2].template, 0);
	assert_int_equal(t.templates[1].first_run, 1);
	assert_int_equal(t.runs[2].first_sample, 4);
	assert_int_equal(t.start[4], 30);
	assert_int_equal(t.end[5], 39);
	blob = etc_trace_metadata(&t, 4);
	assert_int_equal(blob.len, 2);
	assert_memory_equal(blob.ptr, "hi", 2);
	assert_int_equal(etc_trace_metadata(&t, 1).len, 0);
	etc_arena_release(&arena);
}

/* Adds a run in which row 0 takes `x`, row 1 `y`, and the rounding `rounding`. */
static void add(struct etc_run_values *v, uint64_t x, uint64_t y, uint64_t rounding)
{
	assert_true(etc_values_begin(v, 2));
	etc_values_add(v, ETC_VALUES_ROWS, x);
	etc_values_add(v, ETC_VALUES_ROWS + 1, y);
	etc_values_add(v, ETC_VALUES_ROUNDING, rounding);
	assert_true(etc_values_end(v, 0));
}

static void a_median_counts_runs_without_the_row_as_zero(void **state)
{
	struct etc_profile_row rows[2] = { 0 };
	struct etc_profile_path path = { .median = { 7, 1 } };
	struct etc_run_values v;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	etc_values_init(&v, &arena, NULL);
	add(&v, 5, 0, 1);
	add(&v, 9, 0, 2);
	add(&v, 1, 8, 4);
	add(&v, 7, 2, 3);
	assert_true(etc_values_medians(&v, 4, &path, rows, 2));
	assert_int_equal(path.per, 2);
	assert_true(rows[0].self == 12); /* values are per 2 runs: twice the median of 1 5 7 9 */
	assert_true(rows[1].self == 2);  /* twice the median of 0 0 2 8 */
	assert_true(path.rounding == 5); /* twice the median of 1 2 3 4 */
	assert_true(path.time == 14);
	assert_true(rows[0].self_only);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dumps_agree_when_they_log_the_same_events),
		cmocka_unit_test(runs_follow_file_by_file_and_share_templates),
		cmocka_unit_test(a_median_counts_runs_without_the_row_as_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
