/* sheets.c -- fills the tables of `batch` from the answers of `analyze`; see batch.h. */
#include "commands/analyze/batch/batch.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "commands/analyze/allocations.h"
#include "commands/analyze/machine.h"
#include "join/site.h"
#include "stats/sketch.h"
#include "table/cells.h"

/* A worker writes its rows when it holds more than this in memory: bytes of texts, number of
 * cells, number of folders. */
enum { TEXTS_MOST = 32 << 20, CELLS_MOST = 4 << 20, FOLDERS_MOST = 256 };

const char *const etc_sheet_names[ETC_SHEETS] = { "runs",    "paths",  "rows",
	                                          "notes",   "errors", "sketches",
	                                          "samples", "events", "baselines" };

/* clang-format off */
#define TEXT(key, text) { .name = key, .cell = ETC_CELL_TEXT, .help = text },
#define REAL(key)       { .name = key, .cell = ETC_CELL_REAL, .right = true, .help = "as in analyze --events" },
#define INT(key, text)  { .name = key, .cell = ETC_CELL_INT, .right = true, .help = text },

static const struct etc_column run_columns[] = {
	TEXT("run_id", "SHA-256 of the dump's bytes")
	TEXT("analysis_id", "SHA-256 of dump, program, plugins and configuration")
	TEXT("etcore", "version of etcore")
	INT("bytes", "of the dump")
	TEXT("method", "method of the program")
	{ .name = "load_ns", .cell = ETC_CELL_REAL, .right = true, .help = "its first load" },
#define COLUMN(key, kind, value) { .name = key, .cell = ETC_CELL_##kind, .help = "as in analyze -o json" },
#include "commands/analyze/path_columns.def"
	INT("modified_ns", "when the dump was last written, since 1970; of the first of its paths")
	{ .name = "allocated_bytes", .cell = ETC_CELL_REAL, .right = true,
	  .help = "that the runtime allocated, per run" },
	{ .name = "allocated_max_bytes", .cell = ETC_CELL_REAL, .right = true,
	  .help = "that it allocated in the largest run; an upper bound with several allocators" },
	INT("start_ticks", "when the first run of the path began, on the clock of the device")
};

static const struct etc_column path_columns[] = {
	TEXT("run_id", "SHA-256 of the file's bytes")
	TEXT("path", "of the file")
	INT("bytes", "of the file")
	INT("modified_ns", "when it was last written, since 1970")
};

static const struct etc_column row_columns[] = {
	TEXT("run_id", "SHA-256 of the dump's bytes")
	TEXT("analysis_id", "SHA-256 of dump, program, plugins and configuration")
#define COLUMN(id, key, form, extra, text, value) { .name = key, .help = text, ETC_FORM_##form },
#define FALLBACK_COLUMN(id, key, form, extra, text, value)
#define PLACE_COLUMN(id, key, form, extra, text, value)
#define ROOFLINE_COLUMN(id, key, form, extra, text, value)
#define TRACER_COLUMN(id, key, form, extra, text, value)
#include "commands/analyze/row_columns.def"
/* Until etc_sheets_init() runs, the entries made here use their members `title` and `unit` for
 * other data: `title` is the roll-up, `unit` the type of the value; see type_of(). */
#define X(key, type, of, rollup, text) { .name = key, .title = rollup, .unit = type, .help = text },
#include "model/agreed_columns.def"
#undef X
	{ .name = "columns", .cell = ETC_CELL_MAP, .help = "other columns of plugins" },
	TEXT("place", "CPU: outside delegates; runtime: no kernel; else whose delegate")
	INT("row", "number of the row in its analysis, from 0")
	{ .name = "alone", .cell = ETC_CELL_BOOL, .help = "no other row of its analysis has its name" },
};

static const struct etc_column note_columns[] = {
	TEXT("run_id", "SHA-256 of the dump's bytes")
	TEXT("analysis_id", "SHA-256 of dump, program, plugins and configuration")
	TEXT("code", "etcore explain CODE")
	TEXT("text", "of the note")
	INT("count", "times it was found")
};

static const struct etc_column error_columns[] = {
	TEXT("path", "of the file")
	TEXT("run_id", "SHA-256 of its bytes, where they can be read")
	TEXT("code", "etcore explain CODE")
	TEXT("message", "what is wrong")
	INT("offset", "of the byte where it is")
	INT("modified_ns", "when the file was last written, since 1970")
};

static const struct etc_column sketch_columns[] = {
	TEXT("run_id", "SHA-256 of the dump's bytes")
	TEXT("analysis_id", "SHA-256 of dump, program, plugins and configuration")
	TEXT("method", "method of the program")
	INT("path", "execution path, from 1")
	TEXT("key", "row whose self time it is; null: the time of the path")
	TEXT("backend", "of the row")
	INT("bucket", "of DDSketch, from 0")
	{ .name = "value_ns", .cell = ETC_CELL_REAL, .right = true, .help = "middle of the bucket" },
	INT("count", "runs whose time is in the bucket")
	INT("row", "its number; null: the time of the path")
};

static const struct etc_column sample_columns[] = {
	TEXT("run_id", "SHA-256 of the dump's bytes")
	TEXT("analysis_id", "SHA-256 of dump, program, plugins and configuration")
	TEXT("method", "method of the program")
	INT("path", "execution path, from 1")
	INT("run", "number of the run in the path, from 1")
	TEXT("use", "warm-up, kept, or typical: in the rows")
	TEXT("key", "row whose self time it is; null: the time of the run")
	TEXT("backend", "of the row")
	{ .name = "ns", .cell = ETC_CELL_REAL, .right = true, .help = "the time" },
	INT("row", "its number; null: the time of the run")
};

static const struct etc_column event_columns[] = {
	TEXT("run_id", "SHA-256 of the dump's bytes")
	TEXT("analysis_id", "SHA-256 of dump, program, plugins and configuration")
	TEXT("block", "name of the block of events")
	INT("path", "execution path, from 1")
	INT("chain", "of the program")
	INT("instruction", "of the chain")
	TEXT("name", "of the event")
	TEXT("delegate", "name or number of a delegate's event")
	INT("samples", "runs that have it")
	REAL("p10_ns") REAL("p50_ns") REAL("p90_ns") REAL("avg_ns") REAL("min_ns") REAL("max_ns")
	REAL("self_spread")
	TEXT("unit", "of the raw numbers")
	INT("invalid", "of the samples end before they start")
	TEXT("clock", "host, device or none")
	REAL("start_ns")
	TEXT("start_by", "clock, readings or parent")
	REAL("p10_raw") REAL("p50_raw") REAL("p90_raw") REAL("avg_raw") REAL("min_raw") REAL("max_raw")
	TEXT("metadata", "of the delegate, as text")
#define X(key, type, of, rollup, text) { .name = key, .title = rollup, .unit = type, .help = text },
#include "model/agreed_columns.def"
#undef X
	{ .name = "columns", .cell = ETC_CELL_MAP, .help = "other columns of plugins" },
};

static const struct etc_column baseline_columns[] = {
	TEXT("run_id", "SHA-256 of the dump's bytes")
	TEXT("analysis_id", "SHA-256 of dump, program, plugins and configuration")
	TEXT("baseline", "what etcore baseline save writes of the dump")
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct {
	const struct etc_column *columns;
	uint32_t count;
	bool meta;
} forms[ETC_SHEETS] = {
	[ETC_SHEET_RUNS] = { run_columns, COUNT(run_columns), true },
	[ETC_SHEET_PATHS] = { path_columns, COUNT(path_columns), true },
	[ETC_SHEET_ROWS] = { row_columns, COUNT(row_columns), false },
	[ETC_SHEET_NOTES] = { note_columns, COUNT(note_columns), false },
	[ETC_SHEET_ERRORS] = { error_columns, COUNT(error_columns), false },
	[ETC_SHEET_SKETCHES] = { sketch_columns, COUNT(sketch_columns), false },
	[ETC_SHEET_SAMPLES] = { sample_columns, COUNT(sample_columns), false },
	[ETC_SHEET_EVENTS] = { event_columns, COUNT(event_columns), false },
	[ETC_SHEET_BASELINES] = { baseline_columns, COUNT(baseline_columns), false },
};

bool etc_sheets_own(struct etc_str name)
{
	for (int k = 0; k < ETC_SHEETS; k++)
		for (uint32_t c = 0; forms[k].meta && c < forms[k].count; c++)
			if (etc_str_eq(name, etc_str_of(forms[k].columns[c].name)))
				return true;
	return false;
}

/* Returns the type of a column's cells. Plugins' columns with the roll-up "set" have several values
 * per cell, so their cells are text. */
static uint8_t type_of(const struct etc_column *c)
{
	if (!c->title)
		return etc_column_type(c);
	if (strcmp(c->title, "set") == 0)
		return ETC_CELL_TEXT;
	return strcmp(c->unit, "i64") == 0 ? ETC_CELL_INT : ETC_CELL_REAL;
}

enum etc_status etc_sheets_wanted(const char *more, uint32_t *out, struct etc_error *err)
{
	struct etc_str left = etc_str_of(more ? more : "");

	*out = (1u << ETC_SHEET_SAMPLES) - 1;
	while (left.len) {
		size_t n = etc_str_find(left, ETC_STR(","), 0);
		const struct etc_str word = etc_str_sub(left, 0, n < left.len ? n : left.len);
		uint32_t k = ETC_SHEET_SAMPLES;

		while (k < ETC_SHEETS && !etc_str_eq(word, etc_str_of(etc_sheet_names[k])))
			k++;
		if (k == ETC_SHEETS)
			return etc_fail(err, E0505,
			                "--tables '%s'; the others are samples, events, baselines",
			                more);
		*out |= 1u << k;
		left = etc_str_sub(left, word.len + (n < left.len), left.len);
	}
	return ETC_OK;
}

enum etc_status etc_sheets_init(struct etc_sheets *s, const struct etc_meta *meta, uint32_t wanted,
                                struct etc_arena *arena, struct etc_error *err)
{
	*s = (struct etc_sheets){ .meta = meta, .wanted = wanted };
	etc_arena_init(&s->arena, SIZE_MAX / 2);
	for (int k = 0; k < ETC_SHEETS; k++) {
		uint32_t n = forms[k].count, more = forms[k].meta ? meta->count : 0;
		struct etc_column *c = etc_new(arena, struct etc_column, n + more);

		ETC_NEED(c, err);
		for (uint32_t i = 0; i < n + more; i++) {
			c[i] = i < n ? forms[k].columns[i]
			             : (struct etc_column){ .name = meta->names[i - n].ptr,
				                            .help = "of --meta" };
			c[i].cell = type_of(&c[i]);
			c[i].title = c[i].name;
			c[i].unit = NULL;
			c[i].extra = false;
			c[i].right = c[i].cell != ETC_CELL_TEXT;
		}
		s->of[k].table = (struct etc_table){ .columns = c, .column_count = n + more };
	}
	return ETC_OK;
}

enum etc_status etc_sheets_begin(struct etc_sheets *s, const struct etc_dump *d,
                                 struct etc_error *err)
{
	const struct etc_str folder = etc_meta_folder(s->meta, d->path, &s->arena);
	struct etc_str *new;

	ETC_NEED(folder.ptr, err);
	for (s->folder = s->folder_count; s->folder-- > 0;)
		if (etc_str_eq(s->folders[s->folder], folder))
			return ETC_OK;
	s->folder = s->folder_count;
	new = ETC_APPEND(&s->arena, s->folders, s->folder_count, s->folder_room);
	ETC_NEED(new, err);
	*new = folder;
	return ETC_OK;
}

enum etc_status etc_sheets_of_folder(const struct etc_sheets *s, enum etc_sheet_kind kind,
                                     uint32_t folder, struct etc_table *out, struct etc_cell **room,
                                     struct etc_error *err)
{
	const struct etc_sheet *sheet = &s->of[kind];
	const size_t columns = sheet->table.column_count;
	uint32_t n = 0;

	*out = sheet->table;
	*room = NULL;
	for (uint32_t r = 0; r < out->row_count; r++)
		n += sheet->folders[r] == folder;
	if (n == out->row_count)
		return ETC_OK;
	out->row_count = 0;
	out->cells = *room = n ? etc_malloc(n * columns * sizeof **room) : NULL;
	if (n)
		ETC_NEED(*room, err);
	for (uint32_t r = 0; n && r < sheet->table.row_count; r++)
		if (sheet->folders[r] == folder)
			memcpy(out->cells + out->row_count++ * columns,
			       sheet->table.cells + r * columns, columns * sizeof **room);
	return ETC_OK;
}

void etc_sheets_clear(struct etc_sheets *s)
{
	s->folders = NULL;
	s->folder_count = s->folder_room = 0;
	for (int k = 0; k < ETC_SHEETS; k++)
		s->of[k].table.row_count = 0;
	etc_arena_release(&s->arena);
	etc_arena_init(&s->arena, SIZE_MAX / 2);
}

void etc_sheets_release(struct etc_sheets *s)
{
	for (int k = 0; k < ETC_SHEETS; k++) {
		free(s->of[k].table.cells);
		free(s->of[k].folders);
	}
	etc_arena_release(&s->arena);
}

bool etc_sheets_full(const struct etc_sheets *s)
{
	size_t cells = 0;

	for (int k = 0; k < ETC_SHEETS; k++)
		cells += (size_t)s->of[k].table.row_count * s->of[k].table.column_count;
	return s->arena.taken > TEXTS_MOST || cells > CELLS_MOST || s->folder_count > FOLDERS_MOST;
}

/* ---- cells ----------------------------------------------------------------------- */

/* Appends a row of blank cells to the sheet, and returns its cells; NULL: out of memory. */
static struct etc_cell *new_row(struct etc_sheets *s, enum etc_sheet_kind kind)
{
	struct etc_sheet *sheet = &s->of[kind];
	struct etc_table *t = &sheet->table;
	size_t used = (size_t)t->row_count * t->column_count;

	if (sheet->room - used < t->column_count) {
		size_t room = sheet->room ? sheet->room * 2 : 4096;
		struct etc_cell *more = etc_realloc(t->cells, room * sizeof *more);

		if (!more)
			return NULL;
		t->cells = more;
		sheet->room = room;
	}
	if (t->row_count == sheet->row_room) {
		uint32_t room = sheet->row_room ? sheet->row_room * 2 : 256;
		uint32_t *more = etc_realloc(sheet->folders, room * sizeof *more);

		if (!more)
			return NULL;
		sheet->folders = more;
		sheet->row_room = room;
	}
	sheet->folders[t->row_count] = s->folder;
	t->row_count++;
	return memset(t->cells + used, 0, t->column_count * sizeof *t->cells);
}

/* Returns a text cell with a copy of the text. If the copy fails, the arena records the failure;
 * rows of an arena with a failure are never written. */
static struct etc_cell text(struct etc_sheets *s, struct etc_str t)
{
	return etc_cell_text(etc_arena_str(&s->arena, t));
}

/* Converts the cell to `type` and copies its text; blank if it cannot be converted. */
static struct etc_cell fit(struct etc_sheets *s, const struct etc_cell *c, uint8_t type)
{
	struct etc_text plain = { 0 };
	struct etc_cell out;

	if (c->kind == ETC_CELL_BLANK)
		return *c;
	if (type != ETC_CELL_TEXT)
		return c->kind == type || (type == ETC_CELL_REAL && c->kind == ETC_CELL_INT)
		               ? *c
		               : etc_cell_blank();
	if (c->kind == ETC_CELL_TEXT)
		return etc_cell_string(etc_arena_str(&s->arena, c->s));
	etc_write_plain(&plain, c);
	out = text(s, etc_text_str(&plain));
	etc_text_release(&plain);
	return out;
}

/* Returns the index of the column `name` in the sheet; UINT32_MAX if the sheet has no such column.
 * *guess is the index that is tried first; it is set to the index that was found. */
static uint32_t place(const struct etc_table *sheet, const char *name, uint32_t *guess)
{
	if (*guess < sheet->column_count && strcmp(sheet->columns[*guess].name, name) == 0)
		return *guess;
	for (uint32_t i = 0; i < sheet->column_count; i++)
		if (strcmp(sheet->columns[i].name, name) == 0)
			return *guess = i;
	return UINT32_MAX;
}

/* Returns the index of the sheet's column for the column `name` of an answer. In an answer whose
 * times are not in ns, percentiles are called "p10"; the sheet calls these columns "p10_raw". */
static uint32_t place_of(const struct etc_table *sheet, const char *name, uint32_t *guess)
{
	uint32_t at = place(sheet, name, guess);
	char raw[32];

	if (at != UINT32_MAX || strlen(name) != 3)
		return at;
	snprintf(raw, sizeof raw, "%s_raw", name);
	return place(sheet, raw, guess);
}

static void put_json(struct etc_text *out, const struct etc_cell *c)
{
	if (c->kind == ETC_CELL_REAL)
		etc_text_json_real(out, c->f);
	else if (c->kind == ETC_CELL_TEXT)
		etc_text_json_string(out, c->s);
	else
		etc_write_plain(out, c);
}

/* The values of an answer's row for which the sheet has no column, collected into one map. */
struct others {
	struct etc_text json;   /* `{"a": 1, ...` without the closing brace */
	struct etc_cell *items; /* name, value, name ... */
	uint32_t count, room;
};

static enum etc_status put_other(struct etc_sheets *s, struct others *o, const char *name,
                                 const struct etc_cell *c, struct etc_error *err)
{
	struct etc_text *out = &o->json;
	struct etc_cell *items = ETC_APPEND(&s->arena, o->items, o->count, o->room);

	ETC_NEED(items, err);
	*items = text(s, etc_str_of(name));
	items = ETC_APPEND(&s->arena, o->items, o->count, o->room);
	ETC_NEED(items, err);
	*items = fit(s, c, ETC_CELL_TEXT);
	etc_text_cstr(out, out->len ? ", " : "{");
	etc_text_json_string(out, etc_str_of(name));
	etc_text_cstr(out, ": ");
	if (c->kind != ETC_CELL_LIST) {
		put_json(out, c);
		return ETC_OK;
	}
	for (uint32_t i = 0; i < c->list->count; i++) {
		etc_text_cstr(out, i ? ", " : "[");
		put_json(out, &c->list->items[i]);
	}
	etc_text_char(out, ']');
	return ETC_OK;
}

/* Makes a cell with the map `o`, which has the values for which the sheet has no column; a blank
 * cell if there are no such values. */
static enum etc_status end_others(struct etc_sheets *s, struct others *o, struct etc_cell *to,
                                  struct etc_error *err)
{
	struct etc_cell_list *list;

	if (!o->count)
		return ETC_OK;
	etc_text_char(&o->json, '}');
	list = etc_new(&s->arena, struct etc_cell_list, 1);
	ETC_NEED(list && !o->json.failed, err);
	*list = (struct etc_cell_list){ etc_arena_str(&s->arena, etc_text_str(&o->json)), o->items,
		                        o->count };
	*to = (struct etc_cell){ .kind = ETC_CELL_MAP, .list = list };
	return ETC_OK;
}

/* Copies row `r` of an answer to a new row of the sheet. Values for which the sheet has no column
 * go into the column with index `others`; UINT32_MAX: the sheet has no such column. */
static enum etc_status copy_row(struct etc_sheets *s, enum etc_sheet_kind kind,
                                const struct etc_table *from, uint32_t r, uint32_t others,
                                struct etc_cell *to, struct etc_error *err)
{
	uint32_t *guess = s->guess[kind];
	const struct etc_table *sheet = &s->of[kind].table;
	const struct etc_cell *cells = from->cells + (size_t)r * from->column_count;
	struct others other = { 0 };
	enum etc_status st = ETC_OK;

	for (uint32_t c = 0; st == ETC_OK && c < from->column_count; c++) {
		const char *name = from->columns[c].name;
		uint32_t at;

		if (cells[c].kind == ETC_CELL_BLANK)
			continue;
		at = place_of(sheet, name, &guess[c % COUNT(s->guess[0])]);
		if (at != UINT32_MAX)
			to[at] = fit(s, &cells[c], sheet->columns[at].cell);
		else if (others != UINT32_MAX)
			st = put_other(s, &other, name, &cells[c], err);
	}
	if (st == ETC_OK && others != UINT32_MAX)
		st = end_others(s, &other, &to[others], err);
	etc_text_release(&other.json);
	return st;
}

/* Sets the columns run_id and analysis_id, the first two of most tables. */
static void put_ids(struct etc_sheets *s, const struct etc_dump *d, struct etc_cell *to)
{
	to[0] = text(s, etc_str_of(d->run_id));
	to[1] = text(s, etc_str_of(d->analysis_id));
}

static void put_meta(struct etc_sheets *s, enum etc_sheet_kind kind, const struct etc_dump *d,
                     struct etc_cell *to)
{
	struct etc_str values[ETC_META_MOST];

	etc_meta_of(s->meta, d->path, values);
	for (uint32_t i = 0; i < s->meta->count; i++)
		to[forms[kind].count + i] = text(s, values[i]);
}

static struct etc_cell known(int64_t v)
{
	return v >= 0 ? etc_cell_int(v) : etc_cell_blank();
}

/* ---- rows ------------------------------------------------------------------------ */

enum etc_status etc_sheets_path(struct etc_sheets *s, const struct etc_dump *d,
                                struct etc_error *err)
{
	struct etc_cell *to = new_row(s, ETC_SHEET_PATHS);

	ETC_NEED(to, err);
	to[0] = text(s, etc_str_of(d->run_id));
	to[1] = text(s, etc_str_of(d->path));
	to[2] = known(d->bytes);
	to[3] = known(d->modified_ns);
	put_meta(s, ETC_SHEET_PATHS, d, to);
	return ETC_OK;
}

enum {
	RUN_PATH = 6,
	RUN_START = COUNT(run_columns) - 1,
	RUN_ALLOCATED_MAX = RUN_START - 1,
	RUN_ALLOCATED = RUN_ALLOCATED_MAX - 1,
	RUN_MODIFIED = RUN_ALLOCATED - 1
};

/* Sets the columns of allocated bytes to the sums over all allocators of the row's path. They
 * stay unknown if no allocation was logged in that path. */
static void put_allocated(const struct etc_table *of, struct etc_cell *to)
{
	double bytes = 0, most = 0, v;
	bool any = false;

	for (uint32_t r = 0; r < of->row_count; r++) {
		const struct etc_cell *row = of->cells + (size_t)r * of->column_count;

		if (row[ETC_ALLOCATIONS_PATH].kind != ETC_CELL_INT ||
		    row[ETC_ALLOCATIONS_PATH].i != to[RUN_PATH].i)
			continue;
		any = true;
		bytes += etc_cell_number(&row[ETC_ALLOCATIONS_BYTES], &v) ? v : 0;
		most += etc_cell_number(&row[ETC_ALLOCATIONS_MOST], &v) ? v : 0;
	}
	if (!any)
		return;
	to[RUN_ALLOCATED] = etc_cell_double(bytes);
	to[RUN_ALLOCATED_MAX] = etc_cell_double(most);
}

/* Returns the start of the path's first run, in ticks of the dump's clock. The zero of that clock
 * is unknown; often it is the start of the device. */
static struct etc_cell start_of(const struct etc_part *part, uint32_t path)
{
	const struct etc_trace *t = part->trace;
	uint32_t root;
	size_t run;

	if (path >= part->profile.path_count)
		return etc_cell_blank();
	run = part->profile.paths[path].first_run;
	if (etc_template_kind(etc_run_template(t, &t->runs[run]), &root) != ETC_RUN_EXECUTE)
		return etc_cell_blank();
	return known((int64_t)etc_trace_times(t, run).start[root]);
}

/* Adds a row for an execution path; a dump without paths gets one row. */
static enum etc_status add_run(struct etc_sheets *s, const struct etc_dump *d,
                               const struct etc_table *paths, const struct etc_part *part,
                               uint32_t r, struct etc_error *err)
{
	struct etc_cell *to = new_row(s, ETC_SHEET_RUNS);

	ETC_NEED(to, err);
	put_ids(s, d, to);
	to[2] = etc_cell_text(etc_str_of(etc_batch_version));
	to[3] = known(d->bytes);
	to[RUN_MODIFIED] = known(d->modified_ns);
	put_meta(s, ETC_SHEET_RUNS, d, to);
	if (r == paths->row_count)
		return ETC_OK;
	ETC_TRY(copy_row(s, ETC_SHEET_RUNS, paths, r, UINT32_MAX, to, err));
	put_allocated(&part->report.allocations, to);
	to[RUN_START] = start_of(part, r);
	return ETC_OK;
}

enum {
	ROW_NAME = 3,
	ROW_ALONE = COUNT(row_columns) - 1,
	ROW_NUMBER = ROW_ALONE - 1,
	ROW_PLACE = ROW_NUMBER - 1,
	ROW_OTHERS = ROW_PLACE - 1
};

/* Sets the column ROW_ALONE of each row from `first` on; these are the rows of one analysis. It is
 * true if no other of these rows has the same name. A query that counts dumps then needs to search
 * for duplicates only among the rows where the column is false. */
static enum etc_status mark_alone(const struct etc_table *rows, uint32_t first,
                                  struct etc_error *err)
{
	struct etc_text fixed = { 0 };
	struct etc_arena arena;
	struct etc_map names;
	enum etc_status st = ETC_OK;

	etc_arena_init(&arena, SIZE_MAX / 2);
	etc_map_init(&names, &arena);
	for (uint32_t r = first; st == ETC_OK && r < rows->row_count; r++) {
		struct etc_cell *row = rows->cells + (size_t)r * rows->column_count;
		const struct etc_str name = etc_cell_utf8(ETC_CELL_TEXT, &row[ROW_NAME], &fixed);
		const size_t owner = etc_map_intern(&names, name, r);

		row[ROW_ALONE] = etc_cell_bool(owner == r);
		if (owner == ETC_MAP_NONE || fixed.failed)
			st = etc_no_memory(err);
		else
			rows->cells[owner * rows->column_count + ROW_ALONE] = row[ROW_ALONE];
	}
	etc_text_release(&fixed);
	etc_arena_release(&arena);
	return st;
}

enum etc_status etc_sheets_answer(struct etc_sheets *s, const struct etc_dump *d,
                                  const struct etc_table *paths, const struct etc_table *rows,
                                  const struct etc_part *part, struct etc_error *err)
{
	const uint32_t first = s->of[ETC_SHEET_ROWS].table.row_count;
	struct etc_cell ids[2];

	put_ids(s, d, ids);
	for (uint32_t r = 0; r < paths->row_count || r == 0; r++)
		ETC_TRY(add_run(s, d, paths, part, r, err));
	for (uint32_t r = 0; r < rows->row_count; r++) {
		struct etc_cell *to = new_row(s, ETC_SHEET_ROWS);

		ETC_NEED(to, err);
		memcpy(to, ids, sizeof ids);
		ETC_TRY(copy_row(s, ETC_SHEET_ROWS, rows, r, ROW_OTHERS, to, err));
		to[ROW_NUMBER] = etc_cell_u64(r);
	}
	return mark_alone(&s->of[ETC_SHEET_ROWS].table, first, err);
}

enum etc_status etc_sheets_events(struct etc_sheets *s, const struct etc_dump *d,
                                  const struct etc_table *events, struct etc_error *err)
{
	struct etc_cell ids[2];

	put_ids(s, d, ids);
	for (uint32_t r = 0; r < events->row_count; r++) {
		struct etc_cell *to = new_row(s, ETC_SHEET_EVENTS);

		ETC_NEED(to, err);
		memcpy(to, ids, sizeof ids);
		ETC_TRY(copy_row(s, ETC_SHEET_EVENTS, events, r, COUNT(event_columns) - 1, to,
		                 err));
	}
	return ETC_OK;
}

enum etc_status etc_sheets_baseline(struct etc_sheets *s, const struct etc_dump *d,
                                    struct etc_str baseline, struct etc_error *err)
{
	struct etc_cell *to = new_row(s, ETC_SHEET_BASELINES);

	ETC_NEED(to, err);
	put_ids(s, d, to);
	to[2] = text(s, baseline);
	return ETC_OK;
}

/* ---- sketches and samples -------------------------------------------------------- */

/* What the times of a sketch (a histogram, docs/farm.md) or of samples belong to: a path, or a row
 * of a path. */
struct owner {
	struct etc_cell ids[2], method, path, key, backend, row;
	uint64_t den; /* times are in 1/den ns */
};

static enum etc_status add_bucket(struct etc_sheets *s, const struct owner *of, uint32_t bucket,
                                  size_t count, struct etc_error *err)
{
	struct etc_cell *to = new_row(s, ETC_SHEET_SKETCHES);
	const struct etc_cell row[] = { of->ids[0],
		                        of->ids[1],
		                        of->method,
		                        of->path,
		                        of->key,
		                        of->backend,
		                        etc_cell_int(bucket),
		                        etc_cell_double(etc_sketch_value(bucket)),
		                        etc_cell_u64(count),
		                        of->row };

	ETC_NEED(to, err);
	memcpy(to, row, sizeof row);
	return ETC_OK;
}

/* Sorts the `n` times, and adds a row for each bucket of the sketch that contains at least one
 * time. */
static enum etc_status add_buckets(struct etc_sheets *s, const struct owner *of, uint64_t *v,
                                   size_t n, struct etc_error *err)
{
	qsort(v, n, sizeof *v, etc_by_u64);
	for (size_t i = 0, next; i < n; i = next) {
		const uint32_t bucket = etc_sketch_bucket(v[i], of->den);

		for (next = i + 1; next < n && etc_sketch_bucket(v[next], of->den) == bucket;)
			next++;
		ETC_TRY(add_bucket(s, of, bucket, next - i, err));
	}
	return ETC_OK;
}

static enum etc_status add_sample(struct etc_sheets *s, const struct owner *of,
                                  const struct etc_profile_path *p, size_t run, uint64_t time,
                                  struct etc_error *err)
{
	struct etc_cell *to = new_row(s, ETC_SHEET_SAMPLES);
	const struct etc_cell row[] = { of->ids[0],
		                        of->ids[1],
		                        of->method,
		                        of->path,
		                        etc_cell_u64(run + 1),
		                        etc_cell_word(etc_run_use_name(p->use[run])),
		                        of->key,
		                        of->backend,
		                        etc_cell_ratio(etc_ratio(time, of->den)),
		                        of->row };

	ETC_NEED(to, err);
	memcpy(to, row, sizeof row);
	return ETC_OK;
}

static bool wants_samples(const struct etc_sheets *s)
{
	return s->wanted >> ETC_SHEET_SAMPLES & 1;
}

static enum etc_status add_path_times(struct etc_sheets *s, const struct owner *of,
                                      const struct etc_profile_path *p, uint64_t *room,
                                      struct etc_error *err)
{
	size_t n = 0;

	for (size_t i = 0; i < p->runs; i++)
		if (p->use[i] != ETC_USE_WARMUP)
			room[n++] = p->samples[i];
	ETC_TRY(add_buckets(s, of, room, n, err));
	for (size_t i = 0; wants_samples(s) && i < p->runs; i++)
		ETC_TRY(add_sample(s, of, p, i, p->samples[i], err));
	return ETC_OK;
}

static enum etc_status add_row_times(struct etc_sheets *s, const struct owner *of,
                                     const struct etc_profile_path *p,
                                     const struct etc_profile_row *row, uint64_t *room,
                                     struct etc_error *err)
{
	size_t n = 0;

	for (size_t i = 0, kept = 0; p->values && i < p->runs; i++) {
		const struct etc_run_sample *v = &p->values[kept];

		if (p->use[i] == ETC_USE_WARMUP)
			continue;
		kept++;
		if (!v->v)
			continue;
		room[n] = row->value < v->count ? v->v[row->value] : 0;
		if (wants_samples(s))
			ETC_TRY(add_sample(s, of, p, i, room[n], err));
		n++;
	}
	return add_buckets(s, of, room, n, err);
}

enum etc_status etc_sheets_times(struct etc_sheets *s, const struct etc_dump *d,
                                 const struct etc_profile *profile, struct etc_error *err)
{
	struct owner of = { .den = profile->den };
	uint64_t *room;

	if (profile->unit != ETC_UNIT_NS)
		return ETC_OK;
	room = etc_row_room(profile, &s->arena);
	ETC_NEED(room, err);
	put_ids(s, d, of.ids);
	for (uint32_t i = 0; i < profile->path_count; i++) {
		const struct etc_profile_path *p = &profile->paths[i];
		size_t from, to;

		of.method = text(s, p->method);
		of.path = etc_cell_u64(p->number);
		of.key = of.backend = of.row = etc_cell_blank();
		ETC_TRY(add_path_times(s, &of, p, room, err));
		etc_profile_rows(profile, i, &from, &to);
		for (size_t r = from; r < to; r++) {
			const struct etc_profile_row *row = &profile->rows[r];

			if (row->detached || row->unit != ETC_UNIT_NS || !row->valid)
				continue;
			of.key = text(s, row->name);
			of.backend = text(s, row->backend);
			of.row = etc_cell_u64(r);
			ETC_TRY(add_row_times(s, &of, p, row, room, err));
		}
	}
	return ETC_OK;
}

enum etc_status etc_sheets_note(struct etc_sheets *s, const struct etc_dump *d,
                                const struct etc_note *note, struct etc_error *err)
{
	const struct etc_code_info *info = etc_code_info(note->code);
	struct etc_cell *to = new_row(s, ETC_SHEET_NOTES);

	ETC_NEED(to, err);
	put_ids(s, d, to);
	to[2] = text(s, etc_str_of(info->name));
	to[3] = etc_cell_text(etc_arena_printf(&s->arena, "%s%s" ETC_STR_FMT, info->title,
	                                       note->text.len ? ": " : "",
	                                       ETC_STR_ARG(note->text)));
	to[4] = etc_cell_u64(note->count);
	return ETC_OK;
}

enum etc_status etc_sheets_error(struct etc_sheets *s, const struct etc_dump *d,
                                 const struct etc_error *what, struct etc_error *err)
{
	const struct etc_code_info *info = etc_code_info(what->code);
	struct etc_cell *to = new_row(s, ETC_SHEET_ERRORS);
	char message[1280];

	ETC_NEED(to, err);
	etc_code_message(info, etc_str_of(what->text), message, sizeof message);
	to[0] = text(s, etc_str_of(d->path));
	to[1] = text(s, etc_str_of(d->run_id));
	to[2] = text(s, etc_str_of(info->name));
	to[3] = text(s, etc_str_of(message));
	to[4] = known(what->at);
	to[5] = known(d->modified_ns);
	return ETC_OK;
}
