/* fuzz_where.c -- parses the lines of the input as `--sort`, `--columns` and any number of
 * `--where`, and applies them to a table with cells of every kind. The result must be rows of that
 * table, or an error with a code. */
#include <string.h>

#include "touch.h"
#include "table/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES_MAX = 8, COLUMNS = 5, ROWS = 4 };

static const struct etc_column columns[COLUMNS] = {
	{ .name = "name" },
	{ .name = "self_ns", .style = ETC_STYLE_TIME, .right = true },
	{ .name = "share", .style = ETC_STYLE_SHARE, .right = true },
	{ .name = "detached" },
	{ .name = "count", .right = true },
};

/* clang-format off */
#define TEXT(t) { .kind = ETC_CELL_TEXT, .s = { t, sizeof(t) - 1 } }
#define REAL(v) { .kind = ETC_CELL_REAL, .f = v }
#define BLANK { .kind = ETC_CELL_BLANK }
static struct etc_cell cells[ROWS * COLUMNS] = {
	TEXT("conv"), REAL(3000), REAL(0.5), { .kind = ETC_CELL_BOOL, .i = 1 }, { .kind = ETC_CELL_INT, .i = -7 },
	TEXT(""), REAL(1e300), REAL(-0.0), { .kind = ETC_CELL_BOOL }, { .kind = ETC_CELL_UINT, .u = UINT64_MAX },
	TEXT("\xff[\n"), BLANK, BLANK, BLANK, { .kind = ETC_CELL_INT, .i = INT64_MIN },
	BLANK, REAL(1000), REAL(0.25), { .kind = ETC_CELL_BOOL }, BLANK,
};
/* clang-format on */

static const struct etc_table table = {
	.columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = ROWS
};

static void apply(const struct etc_selection *s, struct etc_arena *arena)
{
	uint32_t *rows, count, last = 0;
	struct etc_error err = { 0 };
	struct etc_table out;

	if (etc_selection_rows(s, &table, NULL, arena, &rows, &count, &err) != ETC_OK) {
		require(err.code != ETC_CODE_NONE && err.text[0]);
		return;
	}
	require(count <= ROWS);
	for (uint32_t i = 0; i < count; i++) {
		require(rows[i] < ROWS && (i == 0 || s->sort.len || rows[i] > last));
		last = rows[i];
	}
	if (etc_selection_table(s, &table, rows, count, arena, &out, &err) != ETC_OK) {
		require(err.code == E0506 || err.code == E0904);
		return;
	}
	require(out.row_count == count && out.column_count > 0);
	for (uint32_t i = 0; i < out.row_count * out.column_count; i++)
		if (out.cells[i].kind == ETC_CELL_TEXT)
			bytes(etc_span_of(out.cells[i].s));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *next = text;
	const char *lines[LINES_MAX];
	struct etc_error err = { 0 };
	struct etc_selection s;
	struct etc_arena arena;
	uint32_t count = 0;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	while (next && count < LINES_MAX) {
		char *end = strchr(next, '\n');

		if (end)
			*end = '\0';
		lines[count++] = next;
		next = end ? end + 1 : NULL;
	}
	etc_arena_init(&arena, 4 << 20);
	if (etc_selection_parse(lines + (count > 2 ? 2 : count), count > 2 ? count - 2 : 0,
	                        *lines[0] ? lines[0] : NULL,
	                        count > 1 && *lines[1] ? lines[1] : NULL, &arena, &s,
	                        &err) == ETC_OK)
		apply(&s, &arena);
	else
		require(err.code != ETC_CODE_NONE && err.text[0]);
	etc_selection_release(&s);
	etc_arena_release(&arena);
	free(text);
	return 0;
}
