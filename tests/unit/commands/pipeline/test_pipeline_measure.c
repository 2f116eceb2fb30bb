/* Reading a runner's output: its log, latencies and kernels. Also tests which devices a runner may
 * run on. */
#include "unit.h"

#include <math.h>

#include "base/cpus.h"
#include "base/shell.h"
#include "commands/pipeline/kernels.h"
#include "commands/pipeline/latency.h"
#include "commands/pipeline/measure.h"
#include "commands/pipeline/surroundings.h"
#include "commands/pipeline/target.h"

static struct etc_arena arena;

static int setup(void **state)
{
	(void)state;
	etc_arena_init(&arena, 16 << 20);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	etc_arena_release(&arena);
	return 0;
}

static struct etc_runner_log read_log(const char *text)
{
	struct etc_runner_log log;
	struct etc_error err;

	assert_ok(etc_runner_log_read(etc_str_of(text), &arena, &log, &err), &err);
	return log;
}

static void a_log_gives_its_last_series_of_iterations(void **state)
{
	struct etc_runner_log log = read_log(
		"I 00:00:00.1 executorch:executor_runner.cpp:624] Model loaded in 2.500000 ms.\n"
		"I x] Resetting threadpool with num threads = 4\n"
		"I x] Iteration 1 of 2: 9.5 ms\nI x] Iteration 1 of 2: 1.5 ms\r\n"
		"11-21 12:00 1 1 I ExecuTorch: I x] Iteration 2 of 2: 2.25 ms\n"
		"Model executed successfully 2 time(s) in 3.750000 ms.\n"
		"ETDump written to file 'x'.\nOutputX 0: tensor(sizes=[2], [1., nan])\n\n");

	(void)state;
	assert_int_equal(log.iterations, 2);
	assert_near(log.iteration_ms[0], 1.5, 0);
	assert_near(log.iteration_ms[1], 2.25, 0);
	assert_true(log.executed && log.loaded && log.not_a_number);
	assert_near(log.total_ms, 3.75, 0);
	assert_near(log.load_ms, 2.5, 0);
	assert_int_equal(log.threads, 4);
	assert_int_equal(log.skipped.len, 0);
	log = read_log(
		"Iteration 1 of 2: 9 us\nIteration 1 of 2: 2 ms\nIteration 2 of 2: 1300 us\n");
	assert_int_equal(log.iterations, 1);
	assert_str(log.skipped, "Iteration 2 of 2: 1300 us");
	log = read_log("ERROR: unknown command line flag 'etdump_path'\nnano banana_nan\n");
	assert_str(log.unknown_flag, "etdump_path");
	assert_str(log.last, "nano banana_nan");
	assert_false(log.not_a_number);
	assert_int_equal(log.threads, -1);
}

static void a_nan_counts_in_outputs_only(void **state)
{
	(void)state;
	assert_true(read_log("OutputX 0: tensor(sizes=[1, 2], [\n  0.5, nan,\n])\n").not_a_number);
	assert_true(read_log("I x] Output 1: -nan\n").not_a_number);
	assert_false(read_log("I x] Model file /tmp/nan/m.pte is loaded.\n").not_a_number);
	assert_false(read_log("OutputX 0: 1\nno nan here\n").not_a_number);
}

static void a_time_exists_and_has_a_zone(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds; /* 0: the text is no time */
	} rows[] = {
		{ "2026-11-21T14:00:00.000000+00:00", 1795269600 },
		{ "2026-11-21T14:00:00Z", 1795269600 },
		{ "2026-11-21T14:00:00", 1795269600 },
		{ "2026-11-21T14:00:00.5+02:30", 1795269600 - 9000 },
		{ "2026-11-21T14:00:00-0100", 1795269600 + 3600 },
		{ "2028-02-29T23:59:59Z", 1835481599 },
		{ "2026-02-29T12:00:00Z", 0 },
		{ "2026-02-31T12:00:00Z", 0 },
		{ "2026-11-21T24:00:00Z", 0 },
		{ "2026-11-21T14:60:00Z", 0 },
		{ "2026-11-21T14:00:60Z", 0 },
		{ "2026-11-00T14:00:00Z", 0 },
		{ "2026-11-21 14:00:00Z", 0 },
		{ "2026-11-21T14:00:00X", 0 },
		{ "2026-11-21T14:00:00.", 0 },
		{ "2026-11-21T14:00:00+24:00", 0 },
		{ "2026-11-21T14:00:00+01:0", 0 },
		{ "2026-11-21T 4:00:00Z", 0 },
		{ "2026-11-21T14:00", 0 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int64_t seconds = 0;

		assert_int_equal(etc_time_parse(etc_str_of(rows[i].text), &seconds),
		                 rows[i].seconds != 0);
		if (rows[i].seconds)
			assert_int_equal(seconds, rows[i].seconds);
	}
}

/* As in the kit, negative numbers, nan, and words without a number do not count as times. */
static void lines_that_are_no_times_give_none(void **state)
{
	struct etc_runner_log log = read_log("Model executed successfully 3 time(s) in -5.0 ms.\n"
	                                     "Model executed successfully 3 time(s) in nan ms.\n"
	                                     "Model executed successfully.\nIteration 1 of 2: ms\n"
	                                     "Iteration x of 2: 3 ms\nIteration 1 of 2: 3 s\n");

	(void)state;
	assert_false(log.executed);
	assert_int_equal(log.iterations, 0);
}

/* The expected values are those of robust_latency_analysis, the kit's function. */
static void statistics_are_those_of_the_kit(void **state)
{
	static const double a[] = { 12.3, 12.1, 12.2 };
	static const double b[] = { 10.0, 10.2, 9.9, 10.1, 10.0, 10.3, 9.8, 10.1, 10.0, 14.0 };
	struct etc_latency l;
	struct etc_error err;

	(void)state;
	assert_ok(etc_latency_of(a, 3, &arena, &l, &err), &err);
	assert_near(l.mean, 12.2, 1e-12);
	assert_near(l.median, 12.2, 1e-12);
	assert_near(l.stdev, 0.1, 1e-12);
	assert_near(l.cv_percent, 0.8197, 1e-4);
	assert_near(l.p90, 12.28, 1e-12);
	assert_near(l.p95, 12.29, 1e-12);
	assert_near(l.p99, 12.298, 1e-12);
	assert_ok(etc_latency_of(b, 10, &arena, &l, &err), &err);
	assert_near(l.mean, 10.44, 1e-12);
	assert_near(l.median, 10.05, 1e-12);
	assert_near(l.stdev, 1.258924, 1e-6);
	assert_near(l.cv_percent, 12.0587, 1e-4);
	assert_near(l.p90, 10.67, 1e-12);
	assert_near(l.p99, 13.667, 1e-12);
	assert_ok(etc_latency_of(a, 1, &arena, &l, &err), &err);
	assert_near(l.p99, 12.3, 0);
	assert_true(isnan(l.stdev) && isnan(l.cv_percent));
	assert_ok(etc_latency_of(a, 0, &arena, &l, &err), &err);
	assert_true(isnan(l.median));
}

static void warm_up_is_dropped_from_the_source_that_all_blocks_have(void **state)
{
	double ms[] = { 9, 1, 2 }, out[3];
	struct etc_block_result blocks[2] = { 0 };

	(void)state;
	blocks[0].log = (struct etc_runner_log){ .iteration_ms = ms, .iterations = 3 };
	blocks[0].times = (struct etc_times){ .execute_ms = ms, .runs = 2 };
	assert_int_equal(etc_block_source(blocks, 2, 1), ETC_SOURCE_ITERATIONS);
	assert_int_equal(etc_block_latencies(&blocks[0], ETC_SOURCE_ITERATIONS, 1, out), 2);
	assert_near(out[0], 1, 0);
	assert_int_equal(etc_block_latencies(&blocks[0], ETC_SOURCE_ITERATIONS, 5, out), 0);
	blocks[0].log.iterations = 1; /* one iteration, of which none is left after the warm-up */
	assert_int_equal(etc_block_source(blocks, 1, 1), ETC_SOURCE_ETDUMP);
	assert_int_equal(etc_block_source(blocks, 1, 2), ETC_SOURCE_NONE);
	blocks[0].log.iterations = 3;
	blocks[1].times = (struct etc_times){ .execute_ms = ms, .runs = 3 };
	assert_int_equal(etc_block_source(blocks, 2, 1), ETC_SOURCE_ETDUMP);
	blocks[1].times.runs = 0;
	blocks[1].log =
		(struct etc_runner_log){ .executed = true, .total_ms = 6, .total_count = 3 };
	assert_int_equal(etc_block_source(blocks, 2, 1), ETC_SOURCE_NONE);
	assert_int_equal(etc_block_latencies(&blocks[1], ETC_SOURCE_TOTAL, 1, out), 1);
	assert_near(out[0], 2, 0);
}

static void names_of_kernels_come_apart(void **state)
{
	static const struct {
		const char *name, *dtype, *op, *tile, *arch;
	} cases[] = {
		{ "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2", "pf16", "gemm", "32x32c2",
		  "neonsme2" },
		{ "xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme", "pf16_f16", "igemm",
		  "32x32c2", "neonsme" },
		{ "xnn_qp8_f32_qc4w_gemm_minmax_ukernel_16x64c4__neonsme2", "qp8_f32_qc4w", "gemm",
		  "16x64c4", "neonsme2" },
		{ "xnn_f32_vadd_ukernel__neon_u8", "f32", "vadd", "", "neon_u8" },
		{ "xnn_f32_gemm_minmax_ukernel_6x8", "f32", "gemm", "6x8", "" },
		{ "xnn", "", "", "", "" },
		{ "xnn_", "", "", "", "" },
		{ "a__b__c", "", "", "", "b__c" },
		{ "kai_run_matmul_clamp_f32_qai8dxp1x8_neon_dotprod", "", "", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct etc_seen_kernel k = { .name = etc_str_of(cases[i].name) };

		etc_kernel_part(&k);
		assert_str(k.dtype, cases[i].dtype);
		assert_str(k.op, cases[i].op);
		assert_str(k.tile, cases[i].tile);
		assert_str(k.arch, cases[i].arch);
	}
}

static void only_what_is_bound_at_a_call_is_seen(void **state)
{
	static const char words[] =
		" 1: relocation processing: ./prog\n"
		" 1: binding file a [0] to b [0]: normal symbol `kai_run_early' [V1]\n"
		" 1: calling init: b\n"
		" 1: binding file a [0] to b [0]: normal symbol `kai_run_late' [V1]\n"
		" 1: binding file a [0] to b [0]: normal symbol `kai_get_m_step'\n"
		" 1: binding file a [0] to b [0]: normal symbol `xnn_f32_gemm_ukernel_4x8__sse'\n"
		" 1: binding file a [0] to b [0]: normal symbol `kai_run_late'\n"
		" 1: binding file a [0] to b [0]: normal symbol `kai_run_cut";
	struct etc_seen_kernels k = { 0 };
	struct etc_error err;

	(void)state;
	assert_ok(etc_kernels_from_bindings(etc_str_of(words), &arena, &k, &err), &err);
	assert_int_equal(k.count, 2);
	assert_str(k.v[0].name, "kai_run_late");
	assert_int_equal(k.v[0].count, 2);
	assert_str(k.v[1].arch, "sse");
	assert_int_equal(k.at_load, 1);
}

static void processors_are_a_mask_or_a_list(void **state)
{
	static const char *const wrong[] = { "",    "0x",   "0x0",  "x",   "4-",
		                             "7-4", "1,,2", "1024", "0xg", "-1" };
	char mask[ETC_CPUS_TEXT];
	struct etc_cpus c;

	(void)state;
	assert_true(etc_cpus_parse(ETC_STR("0x80"), &c));
	etc_cpus_mask(&c, mask);
	assert_string_equal(mask, "0x80");
	assert_true(etc_cpus_parse(ETC_STR(" 0, 4-7,64 "), &c));
	etc_cpus_mask(&c, mask);
	assert_string_equal(mask, "0x100000000000000f1");
	assert_int_equal(etc_cpus_count(&c), 6);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_false(etc_cpus_parse(etc_str_of(wrong[i]), &c));
}

static void words_for_a_shell_are_quoted(void **state)
{
	(void)state;
	assert_str(etc_shell_word("--a=b/c.d", &arena), "--a=b/c.d");
	assert_str(etc_shell_word("", &arena), "''");
	assert_str(etc_shell_word("a b", &arena), "'a b'");
	assert_str(etc_shell_word("$(rm)';x", &arena), "'$(rm)'\\'';x'");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_log_gives_its_last_series_of_iterations),
		TEST(a_nan_counts_in_outputs_only),
		TEST(a_time_exists_and_has_a_zone),
		TEST(lines_that_are_no_times_give_none),
		TEST(statistics_are_those_of_the_kit),
		TEST(warm_up_is_dropped_from_the_source_that_all_blocks_have),
		TEST(names_of_kernels_come_apart),
		TEST(only_what_is_bound_at_a_call_is_seen),
		TEST(processors_are_a_mask_or_a_list),
		TEST(words_for_a_shell_are_quoted),
	};
	return cmocka_run_group_tests_name("pipeline_measure", tests, NULL, NULL);
}
