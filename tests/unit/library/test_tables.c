/* test_tables.c -- reading a result through etcore/etcore.h: by cells, by columns and in other
 * formats. */
#include "unit.h"

#include <inttypes.h>

#include "etcore/etcore.h"
#include "query.h"

#define DUMP  "tests/data/cases/mlp_xnnpack/run.etdump"
#define OTHER "tests/data/cases/control_flow_cond/run.etdump"

/* Returns the index of the column `name`. */
static uint32_t column(const struct etcore_query *q, uint32_t table, const char *name)
{
	struct etcore_column_info c = { .size = sizeof c };

	for (uint32_t i = 0; etcore_column(q, table, i, &c); i++)
		if (strcmp(c.name, name) == 0)
			return i;
	fail_msg("no column %s", name);
	return 0;
}

static struct etcore_cell at(const struct etcore_query *q, uint32_t table, uint64_t row,
                             const char *name)
{
	struct etcore_cell c = { .size = sizeof c };

	assert_int_equal(etcore_cell(q, table, row, column(q, table, name), &c), 1);
	return c;
}

static uint64_t rows_of(struct etcore_query *q, uint32_t table)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	uint64_t rows;

	if (etcore_table(q, table, &rows, NULL, &err) != ETCORE_STATUS_OK)
		fail_msg("%s %s", err.code, err.message);
	return rows;
}

/* Returns the table as TSV, made from its cells. The caller frees it. */
static char *as_tsv(struct etcore_query *q, uint32_t table)
{
	struct etcore_column_info info = { .size = sizeof info };
	struct etcore_cell c = { .size = sizeof c };
	char *text = malloc(1 << 20);
	uint64_t rows;
	uint32_t columns;
	size_t n = 0;

	assert_non_null(text);
	assert_int_equal(etcore_table(q, table, &rows, &columns, NULL), ETCORE_STATUS_OK);
	for (uint32_t i = 0; i < columns; i++) {
		assert_int_equal(etcore_column(q, table, i, &info), 1);
		n += (size_t)sprintf(text + n, "%s%s", i ? "\t" : "", info.name);
	}
	for (uint64_t r = 0; r < rows; r++)
		for (uint32_t i = 0; i < columns; i++) {
			assert_int_equal(etcore_cell(q, table, r, i, &c), 1);
			n += (size_t)sprintf(text + n, "%s", i ? "\t" : "\n");
			if (c.kind == ETCORE_CELL_TEXT)
				n += (size_t)sprintf(text + n, "%.*s", (int)c.length, c.text);
			else if (c.kind == ETCORE_CELL_INT)
				n += (size_t)sprintf(text + n, "%" PRId64, c.i);
			else if (c.kind == ETCORE_CELL_BOOL)
				n += (size_t)sprintf(text + n, "%s", c.i ? "true" : "false");
			else if (c.kind == ETCORE_CELL_REAL)
				n += (size_t)sprintf(text + n, "%.17g", c.f);
		}
	sprintf(text + n, "\n");
	return text;
}

static void rows_are_those_of_the_formats(void **state)
{
	struct etcore_query *q = query("analyze");
	char *ours, *tsv;

	(void)state;
	add(q, DUMP);
	set(q, "no-plugins", NULL);
	set(q, "columns", "name,method,path,calls,unit,detached");
	set(q, "sort", "name");
	set(q, "output", "tsv");
	tsv = run(q);
	ours = as_tsv(q, ETCORE_TABLE_ROWS);
	assert_string_equal(ours, tsv);
	free(ours);
	free(tsv);
	etcore_query_free(q);
}

static void any_format_is_written_of_one_answer(void **state)
{
	static const char *const formats[] = { "text", "csv", "tsv", "markdown", "json", "ndjson" };
	struct etcore_query *q = query("analyze");
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;

	(void)state;
	add(q, DUMP);
	add(q, OTHER);
	assert_int_equal(etcore_run(q, NULL, NULL, &err), ETCORE_STATUS_OK);
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		struct etcore_query *one = query("analyze");
		struct answer a = { 0 };
		char *expected;

		add(one, DUMP);
		add(one, OTHER);
		set(one, "output", formats[i]);
		expected = run(one);
		if (etcore_write(q, formats[i], take, &a, &err) != ETCORE_STATUS_OK)
			fail_msg("%s %s", err.code, err.message);
		assert_string_equal(a.text, expected);
		free(a.text);
		free(expected);
		etcore_query_free(one);
	}
	assert_int_equal(etcore_write(q, "xml", NULL, NULL, &err), ETCORE_STATUS_USAGE);
	assert_string_equal(err.code, "E0505");
	/* etcore_write() writes no files; the output only goes to its function */
	assert_int_equal(etcore_write(q, "csv=/tmp/etcore-file", NULL, NULL, &err),
	                 ETCORE_STATUS_USAGE);
	etcore_query_free(q);
}

/* Binary formats may be written to a file, a pipe or a callback, but not to a terminal. */
static void a_binary_form_is_not_for_a_terminal(void **state)
{
	struct etcore_query *q = query("analyze");
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct answer a = { 0 };

	(void)state;
	add(q, DUMP);
	set(q, "output", "parquet");
	assert_int_equal(etcore_run(q, take, &a, &err), ETCORE_STATUS_OK);
	assert_true(a.size > 8);
	assert_memory_equal(a.text, "PAR1", 4);
	assert_memory_equal(a.text + a.size - 4, "PAR1", 4);
	free(a.text);
	set(q, "terminal", NULL);
	assert_int_equal(etcore_run(q, take, &a, &err), ETCORE_STATUS_USAGE);
	assert_string_equal(err.code, "E0561");
	etcore_query_free(q);
}

static void samples_add_up_to_events(void **state)
{
	struct etcore_samples s = { .size = sizeof s };
	struct etcore_query *q = query("analyze");
	uint64_t events, runs, samples, *sum, *count, first = 0;

	(void)state;
	add(q, DUMP);
	set(q, "warmup", "0");
	set(q, "where", "self > 1s"); /* applies to the table ROWS only */
	assert_int_equal(etcore_run(q, NULL, NULL, NULL), ETCORE_STATUS_OK);
	assert_int_equal(etcore_samples(q, 0, &s), 0); /* etcore_table() was not called yet */
	events = rows_of(q, ETCORE_TABLE_EVENTS);
	runs = rows_of(q, ETCORE_TABLE_RUNS);
	samples = rows_of(q, ETCORE_TABLE_SAMPLES);
	assert_int_equal(rows_of(q, ETCORE_TABLE_ROWS), 0);
	assert_true(events > 3 && runs > 3 && samples > events);
	assert_int_equal(etcore_samples(q, 0, &s), 1);
	assert_int_equal(s.count, samples);
	sum = calloc(events, sizeof *sum);
	count = calloc(events, sizeof *count);
	assert_true(sum && count);
	for (uint64_t i = 0; i < samples; i++) {
		struct etcore_cell c = { .size = sizeof c };

		assert_true(s.event[i] < events && s.run[i] < runs);
		sum[s.event[i]] += s.end[i] - s.start[i];
		count[s.event[i]]++;
		assert_int_equal(etcore_cell(q, ETCORE_TABLE_SAMPLES, i, 3, &c), 1);
		assert_int_equal(c.kind, ETCORE_CELL_UINT);
		assert_true(c.u == s.end[i]);
	}
	for (uint64_t e = 0; e < events; e++) {
		assert_int_equal(at(q, ETCORE_TABLE_EVENTS, e, "samples").i, count[e]);
		assert_true(at(q, ETCORE_TABLE_EVENTS, e, "avg_ns").f ==
		            (double)sum[e] / (double)count[e]);
	}
	for (uint64_t r = 0; r < runs; r++) {
		assert_int_equal(at(q, ETCORE_TABLE_RUNS, r, "first_sample").i, first);
		assert_int_equal(s.run[first], r);
		first += at(q, ETCORE_TABLE_RUNS, r, "samples").u;
	}
	assert_int_equal(first, samples);
	assert_int_equal(etcore_samples(q, 1, &s), 0);
	free(sum);
	free(count);
	etcore_query_free(q);
}

static void dumps_that_differ_are_joined(void **state)
{
	struct etcore_samples a = { .size = sizeof a }, b = { .size = sizeof b };
	struct etcore_query *q = query("analyze");
	struct etcore_cell c;
	uint64_t rows;

	(void)state;
	add(q, DUMP);
	add(q, OTHER);
	assert_int_equal(etcore_run(q, NULL, NULL, NULL), ETCORE_STATUS_OK);
	rows = rows_of(q, ETCORE_TABLE_SAMPLES);
	assert_int_equal(etcore_samples(q, 0, &a), 1);
	assert_int_equal(etcore_samples(q, 1, &b), 1);
	assert_int_equal(etcore_samples(q, 2, NULL), 0);
	assert_int_equal(a.count + b.count, rows);
	rows_of(q, ETCORE_TABLE_RUNS);
	rows_of(q, ETCORE_TABLE_EVENTS);
	c = at(q, ETCORE_TABLE_RUNS, b.run[0], "file");
	assert_memory_equal(c.text, OTHER, c.length);
	c = at(q, ETCORE_TABLE_EVENTS, b.event[0], "file");
	assert_memory_equal(c.text, OTHER, c.length);
	c = at(q, ETCORE_TABLE_EVENTS, b.event[0] - 1, "file");
	assert_memory_equal(c.text, DUMP, c.length);
	assert_true(at(q, ETCORE_TABLE_SAMPLES, a.count, "start").u == b.start[0]);
	rows = rows_of(q, ETCORE_TABLE_PATHS);
	c = at(q, ETCORE_TABLE_PATHS, rows - 1, "file");
	assert_memory_equal(c.text, OTHER, c.length);
	assert_true(rows_of(q, ETCORE_TABLE_FILES) >= 2);
	etcore_query_free(q);
}

static void paths_have_their_methods(void **state)
{
	struct etcore_query *q = query("analyze");
	struct etcore_cell c;
	uint64_t rows;

	(void)state;
	add(q, "tests/data/cases/multi_method/run.etdump");
	set(q, "etrecord", "tests/data/cases/multi_method/model.etrecord");
	assert_int_equal(etcore_run(q, NULL, NULL, NULL), ETCORE_STATUS_OK);
	rows = rows_of(q, ETCORE_TABLE_PATHS);
	assert_true(rows > 1);
	for (uint64_t r = 0; r < rows; r++) {
		assert_int_equal(at(q, ETCORE_TABLE_PATHS, r, "method").kind, ETCORE_CELL_TEXT);
		assert_true(at(q, ETCORE_TABLE_PATHS, r, "typical_ns").f > 0);
		assert_true(at(q, ETCORE_TABLE_PATHS, r, "runs").i > 0);
	}
	assert_int_equal(rows_of(q, ETCORE_TABLE_FILES), 2);
	c = at(q, ETCORE_TABLE_FILES, 0, "kind");
	assert_memory_equal(c.text, "etdump", c.length);
	etcore_query_free(q);
}

static void a_column_has_one_type(void **state)
{
	struct etcore_column_info info = { .size = sizeof info };
	struct etcore_query *q = query("analyze");
	struct etcore_cell c = { .size = sizeof c };

	(void)state;
	add(q, DUMP);
	assert_int_equal(etcore_run(q, NULL, NULL, NULL), ETCORE_STATUS_OK);
	for (uint32_t t = ETCORE_TABLE_ROWS; t <= ETCORE_TABLE_FILES; t++) {
		uint64_t rows = rows_of(q, t);

		for (uint32_t i = 0; etcore_column(q, t, i, &info); i++) {
			assert_true(info.type > ETCORE_CELL_BLANK && info.type <= ETCORE_CELL_BOOL);
			assert_true(info.name[0] && info.help);
			if (strstr(info.name, "_ns"))
				assert_int_equal(info.type, ETCORE_CELL_REAL);
			for (uint64_t r = 0; r < rows; r++) {
				assert_int_equal(etcore_cell(q, t, r, i, &c), 1);
				assert_true(c.kind == ETCORE_CELL_BLANK || c.kind == info.type ||
				            info.type == ETCORE_CELL_TEXT ||
				            (info.type == ETCORE_CELL_REAL &&
				             c.kind != ETCORE_CELL_TEXT));
			}
		}
	}
	etcore_query_free(q);
}

static void what_is_not_there_is_refused(void **state)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct etcore_column_info info = { .size = sizeof info };
	struct etcore_query *q = query("analyze"), *other = query("explain");
	struct etcore_cell c = { .size = sizeof c };
	uint64_t rows = 1;

	(void)state;
	add(q, DUMP);
	assert_int_equal(etcore_table(q, ETCORE_TABLE_ROWS, &rows, NULL, &err),
	                 ETCORE_STATUS_USAGE); /* the query has not run */
	assert_string_equal(err.code, "E0991");
	assert_int_equal(rows, 0);
	assert_int_equal(etcore_run(q, NULL, NULL, &err), ETCORE_STATUS_OK);
	assert_int_equal(etcore_table(q, 7, &rows, NULL, &err), ETCORE_STATUS_USAGE);
	assert_int_equal(etcore_table(q, UINT32_MAX, &rows, NULL, NULL), ETCORE_STATUS_USAGE);
	/* etcore_table() was not called */
	assert_int_equal(etcore_cell(q, ETCORE_TABLE_ROWS, 0, 0, &c), 0);
	assert_int_equal(etcore_column(q, ETCORE_TABLE_ROWS, 0, &info), 0);
	rows = rows_of(q, ETCORE_TABLE_ROWS);
	assert_int_equal(etcore_cell(q, ETCORE_TABLE_ROWS, rows, 0, &c), 0);
	assert_int_equal(etcore_cell(q, ETCORE_TABLE_ROWS, 0, UINT32_MAX, &c), 0);
	assert_int_equal(etcore_cell(q, 99, 0, 0, &c), 0);
	/* a failed run discards the result */
	set(q, "etrecord", "no such file");
	assert_int_equal(etcore_run(q, NULL, NULL, &err), ETCORE_STATUS_IO);
	assert_int_equal(etcore_cell(q, ETCORE_TABLE_ROWS, 0, 0, &c), 0);
	assert_int_equal(etcore_write(q, "csv", NULL, NULL, &err), ETCORE_STATUS_USAGE);
	assert_string_equal(err.code, "E0991");
	add(other, "W0203");
	assert_int_equal(etcore_run(other, NULL, NULL, &err), ETCORE_STATUS_OK);
	assert_int_equal(etcore_table(other, 0, NULL, NULL, &err), ETCORE_STATUS_USAGE);
	etcore_query_free(q);
	etcore_query_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_those_of_the_formats),
		cmocka_unit_test(any_format_is_written_of_one_answer),
		cmocka_unit_test(a_binary_form_is_not_for_a_terminal),
		cmocka_unit_test(samples_add_up_to_events),
		cmocka_unit_test(dumps_that_differ_are_joined),
		cmocka_unit_test(paths_have_their_methods),
		cmocka_unit_test(a_column_has_one_type),
		cmocka_unit_test(what_is_not_there_is_refused),
	};

	return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
