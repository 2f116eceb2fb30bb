/* fuzz_export.c -- makes a result with names and values from the input, and writes it in every
 * format that other programs read. Reads the output again, and compares. */
#include <stdlib.h>
#include <string.h>

#include "commands/pipeline/tree.h"
#include "formats/container/safetensors.h"
#include "formats/container/zip.h"
#include "commands/numeric/tensor_files.h"
#include "table/formats.h"
#include "table/sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 4, COLUMNS = 3, TENSORS = 2 };

static const struct etc_column columns[COLUMNS] = {
	{ .name = "name", .title = "name" },
	{ .name = "self_ns", .title = "self", .style = ETC_STYLE_TIME, .right = true },
	{ .name = "count", .title = "count", .right = true },
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static struct etc_cell word(struct etc_str s, uint32_t column)
{
	struct etc_cell c = { .kind = s.len ? ETC_CELL_TEXT : ETC_CELL_BLANK };
	uint64_t bits = 0;

	c.s = s;
	if (column == 0)
		return c;
	memcpy(&bits, s.ptr, s.len < 8 ? s.len : 8);
	c.kind = column == 1 ? ETC_CELL_REAL : bits & 1 ? ETC_CELL_INT : ETC_CELL_UINT;
	/* sets the double, or the signed or unsigned integer, to these bits */
	memcpy(&c.u, &bits, sizeof bits);
	return c;
}

/* Copies the field at `at` of a CSV text to `out`, without quotes. `comma` is the separator.
 * Returns the position after the field. */
static size_t field(struct etc_str csv, size_t at, char comma, struct etc_text *out)
{
	bool quoted = at < csv.len && csv.ptr[at] == '"';

	out->len = 0;
	for (at += quoted; at < csv.len; at++) {
		char c = csv.ptr[at];

		if (quoted && c == '"') {
			if (at + 1 == csv.len || csv.ptr[at + 1] != '"')
				return at + 1;
			at++;
		} else if (!quoted && (c == comma || c == '\n')) {
			return at;
		}
		etc_text_char(out, c);
	}
	return at;
}

static void separated(const struct etc_report *report, char comma)
{
	const struct etc_table *t = &report->rows;
	struct etc_text out = { 0 }, got = { 0 };
	struct etc_screen screen = { 0 };
	size_t at = 0;

	(comma == ',' ? etc_write_csv : etc_write_tsv)(report, &screen, &out);
	for (uint32_t r = 0; r <= t->row_count; r++)
		for (uint32_t c = 0; c < t->column_count; c++) {
			const struct etc_cell *cell = &t->cells[(r - 1) * t->column_count + c];

			at = field(etc_text_str(&out), at, comma, &got);
			require(at < out.len &&
			        out.ptr[at] == (c + 1 < t->column_count ? comma : '\n'));
			at++;
			if (r && cell->kind == ETC_CELL_TEXT)
				require(etc_str_eq(etc_text_str(&got), cell->s));
		}
	require(at == out.len && !out.failed);
	etc_text_release(&out);
	etc_text_release(&got);
}

/* The document must be valid JSON, and text that is UTF-8 must be unchanged. */
static void json(const struct etc_report *report)
{
	const struct etc_table *t = &report->rows;
	const struct etc_tree *root, *row;
	struct etc_text out = { 0 };
	struct etc_error err = { 0 };
	struct etc_arena arena;

	etc_arena_init(&arena, 16 << 20);
	etc_write_parquet(report, &(const struct etc_screen){ 0 }, &out);
	require(!out.failed);
	out.len = 0;
	etc_write_sheet_json(report, &out);
	require(!out.failed);
	require(etc_tree_read(etc_span_of(etc_text_str(&out)), &arena, &root, &err) == ETC_OK);
	row = etc_tree_get(root, "rows");
	require(row && row->count == t->row_count);
	row = row->first;
	for (uint32_t r = 0; r < t->row_count; r++, row = row->next) {
		const struct etc_cell *name = &t->cells[r * t->column_count];

		if (name->kind == ETC_CELL_TEXT && etc_utf8_fault(name->s) == SIZE_MAX)
			require(etc_str_eq(etc_tree_text(etc_tree_get(row, "name")), name->s));
	}
	out.len = 0;
	etc_write_sheet_ndjson(report, &out);
	for (size_t at = 0, end; at < out.len; at = end + 1) {
		end = at + (size_t)((const char *)memchr(out.ptr + at, '\n', out.len - at) -
		                    (out.ptr + at));
		require(etc_tree_read((struct etc_span){ (uint8_t *)out.ptr + at, end - at },
		                      &arena, &root, &err) == ETC_OK);
	}
	etc_text_release(&out);
	etc_arena_release(&arena);
}

static bool same(struct etc_span a, struct etc_span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static void tensors(struct etc_span one, struct etc_span two)
{
	const int64_t sizes[TENSORS] = { (int64_t)one.len, (int64_t)two.len };
	const struct etc_span all[TENSORS] = { one, two };
	struct etc_export e[TENSORS] = { { .name = ETC_STR("a") }, { .name = ETC_STR("b/c") } };
	const struct etc_zip_entry *entry;
	struct etc_safetensors st;
	struct etc_text out = { 0 };
	struct etc_error err = { 0 };
	struct etc_zip_data got;
	struct etc_arena arena;
	size_t order[TENSORS];
	struct etc_zip zip;

	for (int i = 0; i < TENSORS; i++)
		e[i].elements = (struct etc_elements){ .type = "uint8",
			                               .bytes = all[i],
			                               .sizes = &sizes[i],
			                               .rank = 1,
			                               .count = all[i].len,
			                               .bits = 8,
			                               .parts = 1,
			                               .contiguous = true };
	etc_arena_init(&arena, 4 << 20);
	etc_write_npz(e, TENSORS, &out);
	require(etc_zip_open(etc_span_of(etc_text_str(&out)), &arena, &zip, &err) == ETC_OK);
	entry = etc_zip_find(&zip, ETC_STR("b/c.npy"));
	require(entry && etc_zip_read(&zip, entry, 0, &arena, &got, &err) == ETC_OK);
	require(got.bytes.len >= two.len &&
	        (two.len == 0 ||
	         memcmp(got.bytes.ptr + got.bytes.len - two.len, two.ptr, two.len) == 0));
	out.len = 0;
	etc_write_safetensors(e, TENSORS, order, &out);
	require(etc_safetensors_read(etc_span_of(etc_text_str(&out)), &arena, &st, &err) == ETC_OK);
	require(st.count == TENSORS);
	for (uint32_t i = 0; i < st.count; i++) {
		bool second = etc_str_eq(st.tensors[i].name, ETC_STR("b/c"));

		require(same(st.tensors[i].bytes, all[second]));
	}
	etc_text_release(&out);
	etc_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_cell cells[ROWS * COLUMNS];
	struct etc_str all = { (const char *)data, size };
	struct etc_report_file file = { .kind = "etdump" };
	struct etc_notes notes;
	struct etc_report report = {
		.files = &file, .file_count = 1, .schema = "etcore.fuzz/1", .notes = &notes
	};
	size_t part = size / (ROWS * COLUMNS) + 1;
	struct etc_text out = { 0 };
	struct etc_screen screen = { .width = 80 };
	struct etc_arena arena;

	etc_arena_init(&arena, 1 << 20);
	etc_notes_init(&notes, &arena);
	for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
		cells[i] = word(etc_str_sub(all, i * part, (i + 1) * part), i % COLUMNS);
	file.path = all;
	report.rows = (struct etc_table){
		.columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = ROWS
	};
	separated(&report, ',');
	separated(&report, '\t');
	json(&report);
	etc_write_markdown(&report, &screen, &out);
	require(!out.failed);
	/* no control character may reach a terminal */
	for (size_t i = 0; i < out.len; i++)
		require((uint8_t)out.ptr[i] >= 0x20 || out.ptr[i] == '\n');
	etc_text_release(&out);
	tensors(etc_span_of(etc_str_sub(all, 0, size / 3)),
	        etc_span_of(etc_str_sub(all, size / 3, size)));
	etc_arena_release(&arena);
	return 0;
}
