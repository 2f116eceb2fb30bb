/* test_arrow.c -- tables through the Arrow C data interface must be as it specifies: formats,
 * buffers, validity, and releasing. */
#include "unit.h"

#include <pthread.h>

#include "base/text.h"
#include "etcore/arrow.h"
#include "etcore/etcore.h"
#include "query.h"

#define DUMP "tests/data/cases/mlp_xnnpack/run.etdump"

static struct etcore_query *answered(const char *path)
{
	struct etcore_query *q = query("analyze");

	add(q, path);
	set(q, "no-siblings", NULL);
	set(q, "warmup", "0");
	assert_int_equal(etcore_run(q, NULL, NULL, NULL), ETCORE_STATUS_OK);
	return q;
}

static struct ArrowArrayStream stream_of(struct etcore_query *q, uint32_t table)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct ArrowArrayStream s;

	if (etcore_arrow(q, table, &s, &err) != ETCORE_STATUS_OK)
		fail_msg("%s %s", err.code, err.message);
	assert_non_null(s.release);
	return s;
}

static struct ArrowSchema schema_of(struct ArrowArrayStream *s)
{
	struct ArrowSchema schema;

	assert_int_equal(s->get_schema(s, &schema), 0);
	assert_non_null(schema.release);
	assert_string_equal(schema.format, "+s");
	return schema;
}

static struct ArrowArray next_of(struct ArrowArrayStream *s)
{
	struct ArrowArray a;

	assert_int_equal(s->get_next(s, &a), 0);
	return a;
}

static bool is_valid(const struct ArrowArray *a, int64_t row)
{
	const uint8_t *bits = a->buffers[0];

	return !bits || bits[row / 8] >> row % 8 & 1;
}

static void samples_are_views_that_outlive_the_query(void **state)
{
	struct etcore_query *q = answered(DUMP);
	struct ArrowArrayStream s = stream_of(q, ETCORE_TABLE_SAMPLES);
	struct etcore_samples raw = { .size = sizeof raw };
	static const char *const names[] = { "event", "run", "start", "end" };
	static const char *const formats[] = { "I", "I", "L", "L" };
	struct ArrowSchema schema = schema_of(&s);
	struct ArrowArray a = next_of(&s), moved;
	uint64_t first, last;

	(void)state;
	assert_int_equal(schema.n_children, 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(schema.children[i]->name, names[i]);
		assert_string_equal(schema.children[i]->format, formats[i]);
		assert_int_equal(schema.children[i]->flags, 0);
	}
	schema.release(&schema);
	assert_null(schema.release);
	assert_int_equal(etcore_samples(q, 0, &raw), 1);
	assert_int_equal(a.length, raw.count);
	assert_int_equal(a.n_buffers, 1);
	assert_int_equal(a.n_children, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(a.children[i]->length, raw.count);
		assert_int_equal(a.children[i]->null_count, 0);
		assert_int_equal(a.children[i]->n_buffers, 2);
		assert_null(a.children[i]->buffers[0]);
	}
	/* the buffers are the query's arrays, not copies */
	assert_ptr_equal(a.children[2]->buffers[1], raw.start);
	assert_ptr_equal(a.children[3]->buffers[1], raw.end);
	first = raw.start[0];
	last = raw.end[raw.count - 1];
	assert_null(next_of(&s).release);
	s.release(&s);
	assert_null(s.release);
	etcore_query_free(q);
	/* a consumer moves one column out and releases the others */
	moved = *a.children[3];
	a.children[3]->release = NULL;
	assert_true(((const uint64_t *)a.children[2]->buffers[1])[0] == first);
	a.release(&a);
	assert_null(a.release);
	assert_true(((const uint64_t *)moved.buffers[1])[moved.length - 1] == last);
	moved.release(&moved);
	assert_null(moved.release);
}

/* Compares the Arrow value in `row` with the same cell of the table, from etcore_cell(). */
static void compare(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row,
                    const struct etcore_cell *c)
{
	assert_int_equal(is_valid(a, row), c->kind != ETCORE_CELL_BLANK);
	if (c->kind == ETCORE_CELL_BLANK)
		return;
	if (strcmp(schema->format, "U") == 0) {
		const int64_t *at = a->buffers[1];
		const char *text = a->buffers[2];

		if (c->kind == ETCORE_CELL_TEXT) {
			assert_int_equal(at[row + 1] - at[row], c->length);
			assert_memory_equal(text + at[row], c->text, c->length);
		} else {
			assert_int_equal(strtoll(text + at[row], NULL, 10), c->i);
		}
	} else if (strcmp(schema->format, "g") == 0) {
		assert_true(((const double *)a->buffers[1])[row] == c->f);
	} else if (strcmp(schema->format, "l") == 0) {
		assert_true(((const int64_t *)a->buffers[1])[row] == c->i);
	} else if (strcmp(schema->format, "b") == 0) {
		assert_int_equal(((const uint8_t *)a->buffers[1])[row / 8] >> row % 8 & 1, c->i);
	} else {
		fail_msg("format %s", schema->format);
	}
}

static void tables_cross_with_every_cell(void **state)
{
	static const uint32_t tables[] = { ETCORE_TABLE_ROWS,        ETCORE_TABLE_PATHS,
		                           ETCORE_TABLE_RUNS,        ETCORE_TABLE_EVENTS,
		                           ETCORE_TABLE_ALLOCATIONS, ETCORE_TABLE_FILES };
	struct etcore_query *q = answered(DUMP);

	(void)state;
	for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
		struct ArrowArrayStream s = stream_of(q, tables[t]);
		struct ArrowSchema schema = schema_of(&s);
		struct ArrowArray a = next_of(&s);
		struct etcore_column_info info = { .size = sizeof info };
		struct etcore_cell c = { .size = sizeof c };
		uint64_t rows;
		uint32_t columns;

		assert_int_equal(etcore_table(q, tables[t], &rows, &columns, NULL), 0);
		assert_int_equal(a.length, rows);
		assert_int_equal(a.n_children, columns);
		assert_int_equal(schema.n_children, columns);
		for (uint32_t i = 0; i < columns; i++) {
			int64_t blank = 0;

			assert_int_equal(etcore_column(q, tables[t], i, &info), 1);
			assert_string_equal(schema.children[i]->name, info.name);
			assert_int_equal(schema.children[i]->flags, ARROW_FLAG_NULLABLE);
			assert_int_equal(a.children[i]->length, rows);
			assert_int_equal(a.children[i]->offset, 0);
			for (uint64_t r = 0; r < rows; r++) {
				assert_int_equal(etcore_cell(q, tables[t], r, i, &c), 1);
				compare(schema.children[i], a.children[i], (int64_t)r, &c);
				blank += c.kind == ETCORE_CELL_BLANK;
			}
			assert_int_equal(a.children[i]->null_count, blank);
		}
		schema.release(&schema);
		a.release(&a);
		s.release(&s);
	}
	etcore_query_free(q);
}

static void text_is_utf8_whatever_the_file_says(void **state)
{
	struct etcore_query *q = answered("tests/data/edge/utf8_invalid.etdump");
	struct ArrowArrayStream s = stream_of(q, ETCORE_TABLE_EVENTS);
	struct ArrowSchema schema = schema_of(&s);
	struct ArrowArray a = next_of(&s);
	bool replaced = false;

	(void)state;
	for (int64_t i = 0; i < a.n_children; i++) {
		const struct ArrowArray *c = a.children[i];
		struct etc_str text;

		if (strcmp(schema.children[i]->format, "U") != 0)
			continue;
		text = (struct etc_str){ c->buffers[2],
			                 (size_t)((const int64_t *)c->buffers[1])[c->length] };
		assert_true(etc_utf8_fault(text) == SIZE_MAX);
		for (size_t k = 0; k + 3 <= text.len; k++)
			replaced = replaced || memcmp(text.ptr + k, "\xEF\xBF\xBD", 3) == 0;
	}
	assert_true(replaced);
	schema.release(&schema);
	a.release(&a);
	s.release(&s);
	etcore_query_free(q);
}

static void a_stream_that_is_not_read_is_released_whole(void **state)
{
	struct etcore_query *q = answered(DUMP);
	struct ArrowArrayStream s = stream_of(q, ETCORE_TABLE_SAMPLES), rows;
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;

	(void)state;
	rows = stream_of(q, ETCORE_TABLE_ROWS);
	etcore_query_free(q);
	s.release(&s);
	rows.release(&rows);
	q = query("analyze");
	assert_int_equal(etcore_arrow(q, ETCORE_TABLE_ROWS, &s, &err), ETCORE_STATUS_USAGE);
	assert_null(s.release);
	assert_string_equal(err.code, "E0991");
	etcore_query_free(q);
}

static void *release(void *arg)
{
	struct ArrowArray *a = arg;

	a->release(a);
	return NULL;
}

static void arrays_are_released_on_any_thread(void **state)
{
	enum { THREADS = 8 };
	struct ArrowArray arrays[THREADS];
	struct etcore_query *q = answered(DUMP);
	pthread_t threads[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++) {
		struct ArrowArrayStream s = stream_of(q, ETCORE_TABLE_SAMPLES);

		arrays[i] = next_of(&s);
		s.release(&s);
	}
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, release, &arrays[i]), 0);
	etcore_query_free(q);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_views_that_outlive_the_query),
		cmocka_unit_test(tables_cross_with_every_cell),
		cmocka_unit_test(text_is_utf8_whatever_the_file_says),
		cmocka_unit_test(a_stream_that_is_not_read_is_released_whole),
		cmocka_unit_test(arrays_are_released_on_any_thread),
	};

	return cmocka_run_group_tests_name("arrow", tests, NULL, NULL);
}
