/* fuzz_api.c -- passes any bytes as a file in memory to etcore/etcore.h. The result must be an
 * error with a code, or tables. All cells and samples of tables must be readable, and Arrow streams
 * of them must follow the specification. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "etcore/arrow.h"
#include "etcore/etcore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_cells(struct etcore_query *q, uint32_t table, uint64_t rows, uint32_t columns)
{
	struct etcore_column_info info = { .size = sizeof info };
	struct etcore_cell c = { .size = sizeof c };
	volatile char last = 0;

	for (uint32_t i = 0; i < columns; i++) {
		must(etcore_column(q, table, i, &info) == 1 && info.name[0]);
		for (uint64_t r = 0; r < rows; r++) {
			must(etcore_cell(q, table, r, i, &c) == 1 && c.kind <= ETCORE_CELL_BYTES);
			for (size_t k = 0;
			     (c.kind == ETCORE_CELL_TEXT || c.kind == ETCORE_CELL_BYTES) &&
			     k < c.length;
			     k++)
				last = c.text[k];
		}
	}
	(void)last;
	must(etcore_column(q, table, columns, &info) == 0);
	must(etcore_cell(q, table, rows, 0, &c) == 0);
}

/* Checks a column of text: offsets must ascend, and the bytes between must be UTF-8. */
static void check_text(const struct ArrowArray *a)
{
	const int64_t *at = a->buffers[1];
	struct etc_str all = { a->buffers[2], (size_t)at[a->length] };

	must(at[0] == 0 && etc_utf8_fault(all) == SIZE_MAX);
	for (int64_t r = 0; r < a->length; r++)
		must(at[r] <= at[r + 1]);
}

static void check_samples(const struct ArrowArray *batch, uint64_t events, uint64_t runs)
{
	const uint32_t *event = batch->children[0]->buffers[1],
		       *run = batch->children[1]->buffers[1];
	const uint64_t *start = batch->children[2]->buffers[1],
		       *end = batch->children[3]->buffers[1];
	volatile uint64_t sum = 0;

	for (int64_t i = 0; i < batch->length; i++) {
		must(event[i] < events && run[i] < runs);
		sum += start[i] ^ end[i];
	}
	(void)sum;
}

static void check_arrow(struct ArrowArrayStream *s, uint32_t table, uint64_t rows, uint32_t columns,
                        uint64_t events, uint64_t runs)
{
	struct ArrowSchema schema;
	struct ArrowArray a;
	uint64_t seen = 0;

	must(s->get_schema(s, &schema) == 0 && schema.n_children == columns);
	for (;;) {
		must(s->get_next(s, &a) == 0);
		if (!a.release)
			break;
		seen += (uint64_t)a.length;
		for (int64_t i = 0; i < a.n_children; i++)
			if (strcmp(schema.children[i]->format, "U") == 0)
				check_text(a.children[i]);
		if (table == ETCORE_TABLE_SAMPLES)
			check_samples(&a, events, runs);
		a.release(&a);
	}
	must(seen == rows);
	schema.release(&schema);
	s->release(s);
}

/* Reads the cells of tables `from` to `to`, frees the query, and then reads the tables as Arrow
 * streams. */
static void read_on(struct etcore_query *q, uint32_t from, uint32_t to)
{
	struct ArrowArrayStream streams[ETCORE_TABLE_VALUES + 1];
	uint64_t rows[ETCORE_TABLE_VALUES + 1] = { 0 };
	uint32_t columns[ETCORE_TABLE_VALUES + 1];
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	int st;

	for (uint32_t t = from; t <= to; t++) {
		st = etcore_table(q, t, &rows[t], &columns[t], &err);
		must(st == ETCORE_STATUS_OK || err.code[0]);
		if (st == ETCORE_STATUS_OK)
			check_cells(q, t, rows[t], columns[t]);
		st = etcore_arrow(q, t, &streams[t], NULL);
		must((st == ETCORE_STATUS_OK) == (streams[t].release != NULL));
	}
	/* the streams must stay valid without the query */
	etcore_query_free(q);
	for (uint32_t t = from; t <= to; t++)
		if (streams[t].release)
			check_arrow(&streams[t], t, rows[t], columns[t], rows[ETCORE_TABLE_EVENTS],
			            rows[ETCORE_TABLE_RUNS]);
}

/* Runs a query on the bytes and reads tables `from` to `to` of its result. The bytes are the file
 * of `option`, or an operand if `option` is NULL. */
static void ask(const char *question, const char *option, const uint8_t *data, size_t size,
                uint32_t from, uint32_t to)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct etcore_query *q;

	must(etcore_query_new(question, &q, &err) == ETCORE_STATUS_OK);
	must(etcore_set(q, "no-plugins", NULL, &err) == ETCORE_STATUS_OK);
	must(etcore_add_memory(q, option, "fuzz", data, size, &err) == ETCORE_STATUS_OK);
	if (etcore_run(q, NULL, NULL, &err) == ETCORE_STATUS_OK) {
		read_on(q, from, to);
		return;
	}
	must(err.code[0] && err.message[0]);
	etcore_query_free(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	ask("analyze", NULL, data, size, ETCORE_TABLE_ROWS, ETCORE_TABLE_FILES);
	ask("inspector", "etdump_path", data, size, ETCORE_TABLE_BLOCKS, ETCORE_TABLE_VALUES);
	return 0;
}
