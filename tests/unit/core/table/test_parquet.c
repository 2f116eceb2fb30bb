/* test_parquet.c -- writing Parquet files. Without a reader of Parquet, it checks their structure,
 * that equal tables give equal bytes, and that a long table is written in pieces.
 *
 * test_parquet FOLDER writes the tables as files, whose cells tests/api/parquet_live.py checks.
 * test_parquet FOLDER SEED writes a random table in three formats. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "table/cells.h"
#include "table/formats.h"
#include "table/thrift.h"

/* clang-format off */
#define TEXT(t) { .kind = ETC_CELL_TEXT, .s = { (t), sizeof(t) - 1 } }
#define INT(v)  { .kind = ETC_CELL_INT, .i = (v) }
#define UINT(v) { .kind = ETC_CELL_UINT, .u = (v) }
#define REAL(v) { .kind = ETC_CELL_REAL, .f = (v) }
#define BOOL(v) { .kind = ETC_CELL_BOOL, .i = (v) }
#define BLANK   { .kind = ETC_CELL_BLANK }
#define LIST(l) { .kind = ETC_CELL_LIST, .list = &(l) }

static const struct etc_column kinds[] = {
	{ .name = "text" },
	{ .name = "int", .cell = ETC_CELL_INT },
	{ .name = "uint", .cell = ETC_CELL_UINT },
	{ .name = "real", .cell = ETC_CELL_REAL },
	{ .name = "bool", .cell = ETC_CELL_BOOL },
	{ .name = "texts", .cell = ETC_CELL_LIST, .items = ETC_CELL_TEXT },
	{ .name = "ints", .cell = ETC_CELL_LIST, .items = ETC_CELL_INT },
	{ .name = "reals", .cell = ETC_CELL_LIST, .items = ETC_CELL_REAL },
	{ .name = "json", .style = ETC_STYLE_JSON },
	{ .name = "µ \"name\"", .right = true },
	{ .name = "blank", .cell = ETC_CELL_BOOL },
	{ .name = "zero", .cell = ETC_CELL_REAL },
};

static const struct etc_cell some_texts[] = { TEXT("a"), TEXT(""), TEXT("µ 名前"), BLANK };
static const struct etc_cell some_ints[] = { INT(INT64_MIN), BLANK, INT(-1), INT(INT64_MAX) };
static const struct etc_cell some_reals[] = { REAL(NAN), REAL(INFINITY), INT(7), REAL(-0.0) };
static const struct etc_cell_list texts = { .items = some_texts, .count = 4 };
static const struct etc_cell_list ints = { .items = some_ints, .count = 4 };
static const struct etc_cell_list reals = { .items = some_reals, .count = 4 };
static const struct etc_cell_list one_blank = { .items = some_ints + 1, .count = 1 };
static const struct etc_cell_list none = { .count = 0 };

static struct etc_cell cells[][12] = {
	{ BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, REAL(0.0) },
	{ TEXT("µ 名前 🎉"), INT(INT64_MIN), UINT(UINT64_MAX), REAL(NAN), BOOL(1), LIST(texts), LIST(ints),
	  LIST(reals), TEXT("[1, 2]"), INT(1), BLANK, REAL(0.0) },
	{ TEXT(""), INT(INT64_MAX), UINT(1ull << 63), REAL(INFINITY), BOOL(0), LIST(none), LIST(one_blank),
	  LIST(none), TEXT("{}"), INT(2), BLANK, REAL(0.0) },
	{ TEXT("\xff x \xc3"), INT(0), INT(0), REAL(-INFINITY), BOOL(1), BLANK, BLANK, BLANK, TEXT("3"),
	  REAL(3), BLANK, REAL(0.0) },
	/* A cell that does not fit its column's type becomes null; a text column takes
	 * everything. */
	{ REAL(14.5), UINT(1ull << 63), INT(-1), INT(7), INT(1), LIST(texts), LIST(ints), LIST(reals),
	  BLANK, REAL(0.5), BLANK, REAL(0.0) },
	{ TEXT("a\0b"), REAL(-0x1p63), REAL(0x1p63), REAL(-0.0), BLANK, BLANK, LIST(none), BLANK,
	  TEXT("null"), REAL(NAN), BLANK, REAL(0.0) },
	{ BOOL(1), REAL(0x1p63), REAL(0x1p64), TEXT("no number"), TEXT("true"), LIST(texts), LIST(ints),
	  LIST(reals), TEXT(""), TEXT("4"), BLANK, REAL(0.0) },
};
/* clang-format on */
enum { KINDS = sizeof kinds / sizeof kinds[0], ROWS = sizeof cells / sizeof cells[0] };

/* A long table of three row groups: two of 131,072 rows, and one of 37,857. */
enum { LONG = 300001, LONG_COLUMNS = 9 };
static const struct etc_column long_columns[LONG_COLUMNS] = {
	{ .name = "row", .cell = ETC_CELL_INT },
	{ .name = "few" },
	{ .name = "unique" },
	{ .name = "high", .cell = ETC_CELL_UINT },
	{ .name = "real", .cell = ETC_CELL_REAL },
	{ .name = "share", .style = ETC_STYLE_SHARE },
	{ .name = "odd", .cell = ETC_CELL_BOOL },
	{ .name = "late", .right = true },
	{ .name = "list", .cell = ETC_CELL_LIST, .items = ETC_CELL_INT },
};

static struct etc_str text(char *room, size_t size, const char *format, uint32_t n)
{
	return (struct etc_str){ room, (size_t)snprintf(room, size, format, n) };
}

/* Makes row `r` of the long table. Its texts and lists are valid until the next row is made. */
static void make_long(void *of, uint32_t r, struct etc_cell *to)
{
	static char few[32], unique[32];
	static struct etc_cell items[4];
	static struct etc_cell_list list = { .items = items };

	(void)of;
	to[0] = etc_cell_int(-(int64_t)r);
	to[1] = etc_cell_text(text(few, sizeof few, "name %u", r % 7));
	to[2] = r % 11 ? etc_cell_text(text(unique, sizeof unique, "row %u", r)) : etc_cell_blank();
	to[3] = etc_cell_uint((1ull << 63) + r);
	to[4] = r % 10 ? etc_cell_double(r / 3.0) : etc_cell_blank();
	to[5] = etc_cell_double(r % 5 / 8.0);
	to[6] = etc_cell_bool(r % 2);
	if (r >= 200000)
		to[7] = etc_cell_int(r / 1000);
	list.count = r % 5;
	for (uint32_t i = 0; i < list.count; i++)
		items[i] = i == 3 ? etc_cell_blank() : etc_cell_int((int64_t)r + i);
	if (list.count)
		to[8] = (struct etc_cell){ .kind = ETC_CELL_LIST, .list = &list };
}

#define TABLE(of, rows)                                                                    \
	{                                                                                  \
		.columns = of, .column_count = sizeof of / sizeof of[0], .row_count = rows \
	}
static struct etc_report all_kinds = { .rows = TABLE(kinds, ROWS) };
static struct etc_report no_rows = { .rows = TABLE(kinds, 0) };
static struct etc_report all_blank = { .rows = TABLE(kinds, 1) };
static struct etc_report long_table = { .rows = TABLE(long_columns, LONG) };

static void make_tables(void)
{
	all_kinds.rows.cells = all_blank.rows.cells = cells[0];
	no_rows.rows.cells = cells[0];
	long_table.rows.make = make_long;
}

static void write(const struct etc_report *report, struct etc_text *out)
{
	const struct etc_screen screen = { 0 };

	etc_write_parquet(report, &screen, out);
}

static uint32_t footer_of(const struct etc_text *file)
{
	uint32_t length;

	assert_true(file->len > 12);
	assert_memory_equal(file->ptr, "PAR1", 4);
	assert_memory_equal(file->ptr + file->len - 4, "PAR1", 4);
	memcpy(&length, file->ptr + file->len - 8, 4);
	assert_true(length <= file->len - 12);
	return length;
}

static void a_file_has_its_frame(void **state)
{
	const struct etc_report *const reports[] = { &all_kinds, &no_rows, &all_blank };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct etc_text out = { 0 };
		uint32_t footer;

		write(reports[i], &out);
		assert_false(out.failed);
		footer = footer_of(&out);
		/* FileMetaData begins with field 1, the version as i32, which is 2. It ends with a
		 * 0. */
		assert_memory_equal(out.ptr + out.len - 8 - footer, "\x15\x04", 2);
		assert_int_equal(out.ptr[out.len - 9], 0);
		if (i == 1)
			assert_int_equal(out.len, footer + 12); /* no row groups */
		etc_text_release(&out);
	}
}

static void a_table_is_the_same_bytes_each_time(void **state)
{
	struct etc_text a = { 0 }, b = { 0 };

	(void)state;
	write(&long_table, &a);
	write(&long_table, &b);
	assert_false(a.failed || b.failed);
	footer_of(&a);
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.ptr, b.ptr, a.len);
	etc_text_release(&a);
	etc_text_release(&b);
}

/* Offsets in a file count from its beginning, also if the text buffer has other bytes before. */
static void offsets_are_those_of_the_file(void **state)
{
	struct etc_text a = { 0 }, b = { 0 };

	(void)state;
	etc_text_cstr(&b, "before");
	write(&all_kinds, &a);
	write(&all_kinds, &b);
	assert_int_equal(a.len + 6, b.len);
	assert_memory_equal(a.ptr, b.ptr + 6, a.len);
	etc_text_release(&a);
	etc_text_release(&b);
}

struct pieces {
	uint64_t bytes;
	size_t most;
	uint64_t room; /* take() refuses bytes beyond these */
};

static bool take(void *arg, struct etc_str piece)
{
	struct pieces *p = arg;

	p->bytes += piece.len;
	p->most = piece.len > p->most ? piece.len : p->most;
	return p->bytes <= p->room;
}

static void a_long_table_is_written_in_pieces(void **state)
{
	struct pieces all = { .room = UINT64_MAX };
	struct etc_text out = { .sink = take, .arg = &all };

	(void)state;
	write(&long_table, &out);
	assert_true(etc_text_flush(&out));
	assert_true(all.bytes == etc_text_all(&out));
	assert_true(all.most < all.bytes / 2);
	etc_text_release(&out);
}

static void a_sink_that_refuses_ends_it(void **state)
{
	struct pieces some = { .room = 1 << 20 };
	struct etc_text out = { .sink = take, .arg = &some };

	(void)state;
	write(&long_table, &out);
	assert_true(out.failed);
	assert_true(some.bytes < 3 << 20);
	etc_text_release(&out);
}

static void thrift_is_compact(void **state)
{
	struct etc_text out = { 0 };
	struct etc_thrift t = { .out = &out };

	(void)state;
	etc_thrift_open(&t, 0);
	etc_thrift_i32(&t, 1, -2);
	etc_thrift_i64(&t, 16, 64);
	assert_memory_equal(out.ptr, "\x15\x03\xf6\x80\x01", 5); /* -2, and 64 in two bytes */
	out.len = 0;
	etc_thrift_list(&t, 17, ETC_THRIFT_I32,
	                15); /* from 15 on, the count follows in bytes of its own */
	assert_memory_equal(out.ptr, "\x19\xf5\x0f", 3);
	out.len = 0;
	etc_thrift_i32(&t, 40, 0); /* 23 above the field before: too far for 4 bits */
	assert_memory_equal(out.ptr, "\x05\x50\x00", 3);
	out.len = 0;
	etc_thrift_bool(&t, 41, true);
	etc_thrift_bool(&t, 42, false);
	etc_thrift_close(&t);
	assert_memory_equal(out.ptr, "\x11\x12\x00", 3);
	assert_int_equal(out.len, 3);
	etc_text_release(&out);
}

static int write_as(const char *folder, const char *name, const char *ending,
                    const struct etc_report *report)
{
	const struct etc_screen screen = { 0 };
	struct etc_text out = { 0 };
	char path[4096];
	FILE *file;
	bool whole;

	snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
	if (strcmp(ending, "ndjson") == 0)
		etc_write_lines(report, &screen, &out);
	else
		etc_format_find(etc_table_formats, etc_str_of(ending))
			->tables(report, &screen, &out);
	file = fopen(path, "wb");
	whole = !out.failed && file && fwrite(out.ptr, 1, out.len, file) == out.len;
	whole = file && fclose(file) == 0 && whole;
	etc_text_release(&out);
	return whole ? 0 : 1;
}

/* ---- random tables ------------------------------------------------------------- */

enum { RANDOM_MOST = 24, ITEMS_MOST = 5 };

/* A random table: its columns, and room for the one row that exists at a time. */
struct random_table {
	uint64_t state;
	struct etc_column columns[RANDOM_MOST];
	char names[RANDOM_MOST][16];
	/* for each column: one of `blank` cells is blank; others have one of `few` values */
	uint32_t blank[RANDOM_MOST], few[RANDOM_MOST];
	struct etc_cell items[RANDOM_MOST][2 * ITEMS_MOST];
	struct etc_cell_list lists[RANDOM_MOST];
	char texts[RANDOM_MOST][2 * ITEMS_MOST][48];
};

static uint64_t next_random(struct random_table *t)
{
	t->state ^= t->state << 13;
	t->state ^= t->state >> 7;
	t->state ^= t->state << 17;
	return t->state;
}

static struct etc_cell random_text(struct random_table *t, char *to, uint32_t few)
{
	static const char *const words[] = { "",      "a",      "\xc2\xb5",     "\xff",
		                             "name ", "\"\\\n", "\xe5\x90\x8d", "x" };
	struct etc_text out = { 0 };
	struct etc_cell cell;
	uint64_t v = next_random(t) % few;

	for (uint32_t i = 0; i < 1 + v % 5; i++)
		etc_text_cstr(&out, words[(v >> i) % 8]);
	etc_text_u64(&out, v);
	cell = etc_cell_string((struct etc_str){ to, out.len < 48 ? out.len : 47 });
	memcpy(to, out.ptr, cell.s.len);
	etc_text_release(&out);
	return cell;
}

static struct etc_cell random_value(struct random_table *t, uint8_t kind, char *room, uint32_t few)
{
	const uint64_t v = next_random(t), small = v % few;

	switch (kind) {
	case ETC_CELL_INT:
		return etc_cell_int(few > 1000 ? (int64_t)v : (int64_t)small - few / 2);
	case ETC_CELL_UINT:
		return etc_cell_u64(few > 1000 ? v : small);
	case ETC_CELL_REAL:
		return etc_cell_double(few > 1000 ? (double)(int64_t)v / 1e6 : (double)small / 8);
	case ETC_CELL_BOOL:
		return etc_cell_bool(v >> 40 & 1);
	default:
		return random_text(t, room, few);
	}
}

static void make_random(void *of, uint32_t r, struct etc_cell *to)
{
	struct random_table *t = of;

	(void)r;
	for (uint32_t c = 0; t->names[c][0]; c++) {
		const struct etc_column *column = &t->columns[c];
		const bool map = column->cell == ETC_CELL_MAP;
		struct etc_cell_list *list = &t->lists[c];

		if (next_random(t) % t->blank[c] == 0)
			continue;
		if (!map && column->cell != ETC_CELL_LIST) {
			to[c] = random_value(t, column->cell, t->texts[c][0], t->few[c]);
			continue;
		}
		list->items = t->items[c];
		list->count = (uint32_t)(next_random(t) % ITEMS_MOST) * (map ? 2 : 1);
		list->joined = ETC_STR("{}");
		for (uint32_t i = 0; i < list->count; i++)
			t->items[c][i] = random_value(t, map ? ETC_CELL_TEXT : column->items,
			                              t->texts[c][i], t->few[c]);
		for (uint32_t i = 0; map && i < list->count; i += 2) /* keys of a map must differ */
			t->items[c][i].s = text(t->texts[c][i], sizeof t->texts[c][i], "key %u", i);
		to[c] = (struct etc_cell){ .kind = column->cell, .list = list };
	}
}

/* Writes one random table as Parquet, Arrow and lines. Equal seeds give equal tables. */
static int write_random(const char *folder, uint64_t seed)
{
	static const uint8_t types[] = { ETC_CELL_TEXT, ETC_CELL_INT,  ETC_CELL_UINT, ETC_CELL_REAL,
		                         ETC_CELL_BOOL, ETC_CELL_LIST, ETC_CELL_MAP };
	static const uint32_t blanks[] = { 2, 5, 1000, 1u << 30 }, fews[] = { 1, 3, 100, 100000 };
	static const char *const endings[] = { "parquet", "arrow", "ndjson" };
	int wrong = 0;

	for (uint32_t i = 0; i < 3; i++) {
		static struct random_table t;
		struct etc_report report = {
			.rows = { .columns = t.columns, .make = make_random, .of = &t }
		};

		memset(&t, 0, sizeof t);
		t.state = seed * 0x9e3779b97f4a7c15u + 1;
		report.rows.column_count = 1 + (uint32_t)(next_random(&t) % (RANDOM_MOST - 1));
		report.rows.row_count = (uint32_t)(next_random(&t) % (seed % 7 ? 60 : 3000));
		for (uint32_t c = 0; c < report.rows.column_count; c++) {
			snprintf(t.names[c], sizeof t.names[c], "c%u", (unsigned)c);
			t.columns[c] = (struct etc_column){ .name = t.names[c],
				                            .cell = types[next_random(&t) % 7],
				                            .items = types[next_random(&t) % 5] };
			t.blank[c] = blanks[next_random(&t) % 4];
			t.few[c] = fews[next_random(&t) % 4];
		}
		wrong |= write_as(folder, "random", endings[i], &report);
	}
	return wrong;
}

static int write_file(const char *folder, const char *name, const struct etc_report *report)
{
	return write_as(folder, name, "parquet", report) | write_as(folder, name, "arrow", report);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_has_its_frame),
		cmocka_unit_test(a_table_is_the_same_bytes_each_time),
		cmocka_unit_test(offsets_are_those_of_the_file),
		cmocka_unit_test(a_long_table_is_written_in_pieces),
		cmocka_unit_test(a_sink_that_refuses_ends_it),
		cmocka_unit_test(thrift_is_compact),
	};

	make_tables();
	if (argc > 2)
		return write_random(argv[1], strtoull(argv[2], NULL, 10));
	if (argc > 1)
		return write_file(argv[1], "kinds", &all_kinds) |
		       write_file(argv[1], "empty", &no_rows) |
		       write_file(argv[1], "blank", &all_blank) |
		       write_file(argv[1], "long", &long_table);
	return cmocka_run_group_tests_name("parquet", tests, NULL, NULL);
}
