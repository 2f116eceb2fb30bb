/* test_etdump_sparse.c -- reading a dump and keeping the times of only one event of each event
 * list. */
#include "dump.h"

/* One dump with equal runs and delegate events, one with several event lists, one with other kinds
 * of events, one without runs. */
static const char *const files[] = {
	"tests/data/cases/mlp_xnnpack/run.etdump",
	"tests/data/cases/multi_method/run.etdump",
	"tests/data/cases/debug_mlp/run.etdump",
	"tests/data/cases/no_runs/run.etdump",
};

/* Returns the last event, which in a run of the runtime encloses all others. */
static uint32_t last_of(struct etc_template *template)
{
	return template->profiles - 1;
}

static uint32_t none_of(struct etc_template *template)
{
	(void)template;
	return UINT32_MAX;
}

static enum etc_status read_sparse(const struct dump *d, etc_keep_fn *keep, struct etc_arena *arena,
                                   struct etc_trace *out)
{
	etc_arena_init(arena, (size_t)64 << 20);
	return etc_etdump_read_sparse(NULL, (struct etc_span){ d->bytes, d->len }, NULL, keep,
	                              arena, NULL, out, NULL);
}

/* Compares the times of single events: of every third one of a run. */
static void expect_same_places(const struct etc_trace *a, const struct etc_trace *b, size_t run,
                               uint32_t n)
{
	struct etc_run_times x, y;
	uint32_t places[64];
	uint32_t count = 0;

	for (uint32_t k = 1; k < n && count < 64; k += 3)
		places[count++] = k;
	x = etc_trace_times_of(a, run, places, count);
	y = etc_trace_times_of(b, run, places, count);
	for (uint32_t k = 0; k < count; k++) {
		assert_int_equal(x.start[places[k]], y.start[places[k]]);
		assert_int_equal(x.end[places[k]], y.end[places[k]]);
	}
}

static void expect_same_run(const struct etc_trace *a, const struct etc_trace *b, size_t run)
{
	uint32_t n = etc_run_template(a, &a->runs[run])->profiles;
	struct etc_run_times x = etc_trace_times(a, run), y = etc_trace_times(b, run);

	assert_int_equal(etc_run_template(b, &b->runs[run])->profiles, n);
	assert_int_equal(a->runs[run].first_sample, b->runs[run].first_sample);
	assert_memory_equal(x.start, y.start, n * sizeof *x.start);
	assert_memory_equal(x.end, y.end, n * sizeof *x.end);
	assert_int_equal(b->sparse->start[run], n ? x.start[n - 1] : 0);
	assert_int_equal(b->sparse->end[run], n ? x.end[n - 1] : 0);
}

/* Reads the dump again without keeping columns of times, and compares the times that are then read
 * from the file. */
static void expect_the_same(struct dump *d)
{
	struct etc_wraps wraps = { 0 };
	struct etc_trace sparse;
	struct etc_arena arena;

	assert_int_equal(read_sparse(d, last_of, &arena, &sparse), ETC_OK);
	assert_null(sparse.start);
	assert_int_equal(sparse.run_count, d->trace.run_count);
	assert_int_equal(sparse.sample_count, d->trace.sample_count);
	for (size_t r = d->trace.run_count; r-- > 0;) {
		expect_same_places(&d->trace, &sparse, r,
		                   etc_run_template(&sparse, &sparse.runs[r])->profiles);
		expect_same_run(&d->trace, &sparse, r);
	}
	etc_wraps_add(&wraps, d->trace.start, d->trace.end, d->trace.sample_count);
	assert_int_equal(sparse.wraps.count, wraps.count);
	assert_int_equal(sparse.wraps.start, wraps.start);
	assert_int_equal(sparse.wraps.end, wraps.end);
	etc_arena_release(&arena);
}

static void has_the_times_that_columns_have(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		struct dump d;

		assert_int_equal(dump_file(&d, files[i]), ETC_OK);
		expect_the_same(&d);
		dump_release(&d);
	}
}

static void keeps_nothing_of_a_template_without_the_event(void **state)
{
	struct etc_trace sparse;
	struct etc_arena arena;
	struct dump d;

	(void)state;
	assert_int_equal(dump_file(&d, files[0]), ETC_OK);
	assert_int_equal(read_sparse(&d, none_of, &arena, &sparse), ETC_OK);
	for (size_t r = 0; r < sparse.run_count; r++)
		assert_int_equal(sparse.sparse->start[r] | sparse.sparse->end[r], 0);
	etc_arena_release(&arena);
	dump_release(&d);
}

/* Changes each byte in turn. Reading with and without columns of times must give the same values,
 * and reject the same files. */
static void reads_and_refuses_as_columns_do(void **state)
{
	size_t len, read = 0;
	uint8_t *bytes = file_bytes(files[0], &len);

	(void)state;
	for (size_t at = 0; at < len; at++) {
		struct etc_trace sparse;
		struct etc_arena arena;
		struct dump d;

		bytes[at] ^= 0x81;
		if (dump_bytes(&d, bytes, len) == ETC_OK) {
			expect_the_same(&d);
			read++;
		} else {
			assert_int_equal(read_sparse(&d, last_of, &arena, &sparse) == ETC_OK,
			                 false);
			etc_arena_release(&arena);
		}
		dump_release(&d);
		bytes[at] ^= 0x81;
	}
	assert_true(read > len / 4);
	free(bytes);
}

/* Times are read from the file when they are needed. If another process damaged it meanwhile, they
 * are 0. */
static void a_run_that_is_gone_has_no_times(void **state)
{
	struct etc_run_times times;
	struct etc_trace sparse;
	struct etc_arena arena;
	struct dump d;

	(void)state;
	assert_int_equal(dump_file(&d, files[0]), ETC_OK);
	assert_int_equal(read_sparse(&d, last_of, &arena, &sparse), ETC_OK);
	memset(d.bytes, 0xff, d.len);
	for (size_t r = 0; r < sparse.run_count; r++) {
		uint32_t n = etc_run_template(&sparse, &sparse.runs[r])->profiles;

		times = etc_trace_times(&sparse, r);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(times.start[i] | times.end[i], 0);
	}
	etc_arena_release(&arena);
	dump_release(&d);
}

static void counts_what_ends_before_it_starts_however_far_before(void **state)
{
	static const uint64_t times[] = { 0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX };
	enum { TIMES = sizeof times / sizeof times[0] };

	(void)state;
	for (size_t s = 0; s < TIMES; s++)
		for (size_t e = 0; e < TIMES; e++) {
			uint64_t start[] = { 3, times[s], 5 }, end[] = { 4, times[e], 5 };
			struct etc_wraps w = { 0 };

			etc_wraps_add(&w, start, end, 3);
			assert_int_equal(w.count, times[e] < times[s]);
			assert_int_equal(w.start, times[e] < times[s] ? times[s] : 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_the_times_that_columns_have),
		cmocka_unit_test(keeps_nothing_of_a_template_without_the_event),
		cmocka_unit_test(reads_and_refuses_as_columns_do),
		cmocka_unit_test(a_run_that_is_gone_has_no_times),
		cmocka_unit_test(counts_what_ends_before_it_starts_however_far_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
