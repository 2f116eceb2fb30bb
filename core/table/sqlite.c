/* sqlite.c -- see sqlite.h. The declarations are copied from sqlite3.h, whose interface does not
 * change. */
#include "table/sqlite.h"

#include <dlfcn.h>

#include "base/memory.h"
#include "table/cells.h"

struct sqlite3;
struct sqlite3_stmt;

enum { SQLITE_OK = 0, SQLITE_DONE = 101 };
enum { OPEN_READWRITE = 2, OPEN_CREATE = 4, OPEN_NOFOLLOW = 0x01000000 };

/* clang-format off */
#define FUNCTIONS(X)                                                                                  \
	X(int, open_v2, (const char *, struct sqlite3 **, int, const char *))                          \
	X(int, close, (struct sqlite3 *))                                                              \
	X(int, exec, (struct sqlite3 *, const char *, void *, void *, char **))                        \
	X(int, prepare_v2, (struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **)) \
	X(int, bind_text, (struct sqlite3_stmt *, int, const char *, int, void *))                     \
	X(int, bind_int64, (struct sqlite3_stmt *, int, long long))                                    \
	X(int, bind_double, (struct sqlite3_stmt *, int, double))                                      \
	X(int, clear_bindings, (struct sqlite3_stmt *))                                                \
	X(int, step, (struct sqlite3_stmt *))                                                          \
	X(int, reset, (struct sqlite3_stmt *))                                                         \
	X(int, finalize, (struct sqlite3_stmt *))                                                      \
	X(unsigned char *, serialize, (struct sqlite3 *, const char *, long long *, unsigned))         \
	X(const char *, errmsg, (struct sqlite3 *))                                                    \
	X(void, free, (void *))
/* clang-format on */

#define MEMBER(type, name, arguments) type(*name) arguments;
static struct {
	FUNCTIONS(MEMBER)
} sqlite;
static bool is_loaded;

static const struct {
	const char *name;
	void *to;
} functions[] = {
#define ROW(type, name, arguments) { "sqlite3_" #name, &sqlite.name },
	FUNCTIONS(ROW)
};

enum etc_status etc_sqlite_load(struct etc_error *err)
{
	void *library = is_loaded ? NULL : dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);

	if (is_loaded)
		return ETC_OK;
	if (!library)
		return etc_fail(err, E1206, "%s", dlerror());
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *symbol = dlsym(library, functions[i].name);

		if (!symbol)
			return etc_fail(err, E1206, "it has no %s", functions[i].name);
		memcpy(functions[i].to, &symbol, sizeof symbol);
	}
	is_loaded = true;
	return ETC_OK;
}

/* ---- a table ---------------------------------------------------------------------- */

struct writer {
	struct sqlite3 *db;
	struct sqlite3_stmt *insert;
	const struct etc_table *table;
	struct etc_text sql, fixed;
	bool failed;
};

static void put_name(struct etc_text *out, struct etc_str name)
{
	etc_text_char(out, '"');
	for (size_t i = 0; i < name.len; i++) {
		if (name.ptr[i] == '"')
			etc_text_char(out, '"');
		etc_text_char(out, name.ptr[i]);
	}
	etc_text_char(out, '"');
}

static const char *type_name(const struct etc_column *c)
{
	static const char *const names[] = {
		[ETC_CELL_TEXT] = "TEXT", [ETC_CELL_INT] = "INTEGER",  [ETC_CELL_UINT] = "INTEGER",
		[ETC_CELL_REAL] = "REAL", [ETC_CELL_BOOL] = "BOOLEAN", [ETC_CELL_BYTES] = "TEXT",
		[ETC_CELL_LIST] = "TEXT", [ETC_CELL_MAP] = "MAP",
	};

	return names[etc_column_type(c)];
}

/* Returns the SQL statement that was collected in w->sql, and empties w->sql. The result is valid
 * until text is appended to w->sql again. After a failure it is "". */
static const char *statement(struct writer *w)
{
	etc_text_char(&w->sql, '\0');
	w->failed = w->failed || w->sql.failed;
	w->sql.len = 0;
	return w->failed ? "" : w->sql.ptr;
}

static void create(struct writer *w)
{
	const struct etc_table *t = w->table;

	etc_text_cstr(&w->sql, "create table ");
	put_name(&w->sql, t->title);
	for (uint32_t c = 0; c < t->column_count; c++) {
		etc_text_cstr(&w->sql, c ? ", " : " (");
		put_name(&w->sql, etc_str_of(t->columns[c].name));
		etc_text_printf(&w->sql, " %s", type_name(&t->columns[c]));
	}
	etc_text_cstr(&w->sql, "); begin");
	w->failed = sqlite.exec(w->db, statement(w), NULL, NULL, NULL) != SQLITE_OK || w->failed;
	etc_text_cstr(&w->sql, "insert into ");
	put_name(&w->sql, t->title);
	for (uint32_t c = 0; c < t->column_count; c++)
		etc_text_cstr(&w->sql, c ? ", ?" : " values (?");
	etc_text_char(&w->sql, ')');
	w->failed = sqlite.prepare_v2(w->db, statement(w), -1, &w->insert, NULL) != SQLITE_OK ||
	            w->failed;
}

/* Binds the text of `cell` to parameter `at` of the insert statement. SQLite copies a text that is
 * in w->fixed, since this buffer is reused; other texts stay valid until the row is inserted. */
static int bind_text(struct writer *w, int at, const struct etc_cell *cell)
{
	const struct etc_str s = etc_cell_utf8(ETC_CELL_TEXT, cell, &w->fixed);
	/* (void *)-1 is SQLITE_TRANSIENT, which makes SQLite copy the text; NULL is
	 * SQLITE_STATIC */
	void *const life = s.ptr == w->fixed.ptr ? (void *)(intptr_t)-1 : NULL;

	if (w->fixed.failed || s.len > INT32_MAX)
		return SQLITE_DONE;
	return sqlite.bind_text(w->insert, at, s.ptr ? s.ptr : "", (int)s.len, life);
}

static int bind(struct writer *w, int at, uint8_t type, const struct etc_cell *cell)
{
	uint64_t bits;
	double f;

	if (cell->kind == ETC_CELL_BLANK || cell->kind > ETC_CELL_MAP)
		return SQLITE_OK;
	if (type == ETC_CELL_REAL)
		return etc_cell_number(cell, &f) ? sqlite.bind_double(w->insert, at, f) : SQLITE_OK;
	if (type == ETC_CELL_BOOL)
		return cell->kind == ETC_CELL_BOOL ? sqlite.bind_int64(w->insert, at, cell->i != 0)
		                                   : SQLITE_OK;
	if (type == ETC_CELL_INT || type == ETC_CELL_UINT)
		return etc_cell_bits(ETC_CELL_INT, cell, &bits)
		               ? sqlite.bind_int64(w->insert, at, (int64_t)bits)
		               : SQLITE_OK;
	return bind_text(w, at, cell);
}

static void insert(struct writer *w, const struct etc_cell *row)
{
	const struct etc_table *t = w->table;

	(void)sqlite.clear_bindings(w->insert);
	for (uint32_t c = 0; c < t->column_count; c++)
		if (bind(w, (int)c + 1, etc_column_type(&t->columns[c]), &row[c]) != SQLITE_OK)
			w->failed = true;
	if (w->failed || sqlite.step(w->insert) != SQLITE_DONE)
		w->failed = true;
	(void)sqlite.reset(w->insert);
}

static void put_database(struct writer *w, struct etc_text *out)
{
	long long length = 0;
	unsigned char *bytes = NULL;

	w->failed = sqlite.exec(w->db, "commit", NULL, NULL, NULL) != SQLITE_OK || w->failed;
	if (!w->failed)
		bytes = sqlite.serialize(w->db, "main", &length, 0);
	if (bytes)
		etc_text_pass(out, (struct etc_str){ (const char *)bytes, (size_t)length });
	sqlite.free(bytes);
	w->failed = w->failed || !bytes;
}

void etc_write_sqlite(const struct etc_report *report, const struct etc_screen *screen,
                      struct etc_text *out)
{
	struct writer w = { .table = etc_report_table(report) };
	struct etc_cell room[ETC_TABLE_MADE];

	(void)screen;
	w.failed =
		sqlite.open_v2(":memory:", &w.db, OPEN_READWRITE | OPEN_CREATE, NULL) != SQLITE_OK;
	if (!w.failed)
		create(&w);
	for (uint32_t r = 0; !w.failed && r < w.table->row_count; r++)
		insert(&w, etc_table_row(w.table, r, room));
	(void)sqlite.finalize(w.insert);
	if (!w.failed)
		put_database(&w, out);
	(void)sqlite.close(w.db);
	if (w.failed) /* a database in memory can only fail if memory is exhausted */
		etc_memory_refuse(w.sql.room, 0);
	out->failed = out->failed || w.failed;
	etc_text_release(&w.sql);
	etc_text_release(&w.fixed);
}
