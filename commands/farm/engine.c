/* engine.c -- runs a query with DuckDB; see farm.h. There are two engines: the program `duckdb`,
 * and `python3` with the package duckdb. All SQL statements are one argument of the engine's
 * command line; the result is read from the engine's standard output. */
#include "commands/farm/farm.h"

#include <dirent.h>
#include <stdio.h>

#include "base/folder.h"
#include "base/process.h"

enum { PATH_ROOM = 4096, NO_PACKAGE = 79 };

/* Removes the current folder from Python's module path. Otherwise Python would import a file
 * duckdb.py in that folder. */
static const char python[] = "import sys\n"
			     "sys.path = [p for p in sys.path if p]\n"
			     "try:\n"
			     "    import duckdb\n"
			     "except ImportError:\n"
			     "    raise SystemExit(79)\n"
			     "try:\n"
			     "    duckdb.connect().execute(sys.argv[1])\n"
			     "except Exception as e:\n"
			     "    raise SystemExit(str(e))\n";

struct etc_str etc_farm_sql(const char *name)
{
	const struct etc_farm_sql *f = etc_farm_files;

	while (f->name && strcmp(f->name, name) != 0)
		f++;
	return f->text;
}

/* Writes the folder's path as an SQL text. Wildcards in the path are escaped. With `below`, the
 * text is a pattern that matches every file in the folder. */
static void put_folder(struct etc_text *sql, const char *folder, bool below)
{
	etc_text_char(sql, '\'');
	for (const char *p = folder; *p; p++) {
		if (strchr("*?[", *p))
			etc_text_printf(sql, "[%c]", *p);
		else if (*p == '\'')
			etc_text_cstr(sql, "''");
		else
			etc_text_char(sql, *p);
	}
	etc_text_cstr(sql, below ? "/*'" : "'");
}

static void put_script(struct etc_text *sql, const char *folder, bool below, struct etc_str filter,
                       struct etc_str query)
{
	etc_text_cstr(sql, "SET autoinstall_known_extensions = false;\nSET VARIABLE farm = ");
	put_folder(sql, folder, below);
	etc_text_cstr(sql, ";\n");
	etc_text_put(sql, etc_farm_sql("prelude-duckdb"));
	etc_text_put(sql, filter);
	etc_text_cstr(sql, "COPY (\n");
	etc_text_put(sql, query);
	etc_text_cstr(sql, "\n) TO '/dev/stdout' (FORMAT json, ARRAY true);\n");
	etc_text_char(sql, '\0');
}

/* Returns the first line that the engine wrote to standard error. */
static struct etc_str complaint(const struct etc_process *p)
{
	struct etc_str s = etc_str_trim(etc_text_str(&p->err));
	size_t line = etc_str_find(s, ETC_STR("\n"), 0);

	return line == SIZE_MAX ? s : etc_str_sub(s, 0, line);
}

/* Returns the columns that DuckDB proposes in place of an unknown column. DuckDB writes them on a
 * separate line: "a", "b". */
static struct etc_str candidates(const struct etc_process *p)
{
	static const struct etc_str head = { "\nCandidate bindings: ", 21 };
	struct etc_str s = etc_text_str(&p->err);
	size_t at = etc_str_find(s, head, 0), end;

	if (at == SIZE_MAX)
		return (struct etc_str){ 0 };
	end = etc_str_find(s, ETC_STR("\n"), at + head.len);
	return etc_str_trim(etc_str_sub(s, at + head.len, end == SIZE_MAX ? s.len : end));
}

static enum etc_status conclude(const struct etc_process *p, size_t most, struct etc_error *err)
{
	struct etc_str said = complaint(p), near = candidates(p);

	if (p->out.failed || p->err.failed)
		return etc_no_memory(err);
	if (p->end == ETC_PROCESS_SIGNALED)
		return etc_fail(err, E1221, "ended by %s", etc_signal_name(p->status));
	if (p->status)
		return etc_fail(err, E1221, ETC_STR_FMT "%s" ETC_STR_FMT "%s", ETC_STR_ARG(said),
		                near.len ? ETC_FARM_NEAR : "", ETC_STR_ARG(near),
		                near.len ? "?" : "");
	if (p->out_bytes > most)
		return etc_fail(err, E1222, "%llu bytes, and at most %zu are read",
		                (unsigned long long)p->out_bytes, most);
	return ETC_OK;
}

/* Runs one of the two engines. Sets *there to whether the engine is installed. If etcore ends, even
 * by Ctrl-C, the engine is killed. */
static enum etc_status ask(const char *const *argv, size_t most, bool *there, struct etc_text *out,
                           struct etc_error *err)
{
	struct etc_process p = { .argv = argv, .capture = most };
	struct etc_leash leash;
	int bad = etc_leash_make(&leash);
	enum etc_status st;

	if (bad)
		return etc_fail(err, E0902, "cannot start %s: %s", argv[0], strerror(bad));
	p.group = leash.group;
	st = etc_process_run(&p, err);
	etc_leash_end(&leash);
	*there = st == ETC_OK && !(p.end == ETC_PROCESS_EXITED && p.status == NO_PACKAGE);
	if (*there)
		st = conclude(&p, most, err);
	if (st == ETC_OK && *there) {
		etc_text_put(out, etc_text_str(&p.out));
		etc_text_repeat(out, "\n", ETC_FARM_ROOM);
		if (out->failed)
			st = etc_no_memory(err);
		else
			out->len -= ETC_FARM_ROOM;
	}
	etc_process_release(&p);
	return st;
}

static enum etc_status ask_engines(const char *sql, size_t most, struct etc_text *out,
                                   struct etc_error *err)
{
	char path[PATH_ROOM];
	const char *program[] = { path, "-batch", "-bail", "-init", "/dev/null", "-c", sql, NULL };
	const char *package[] = { path, "-c", python, sql, NULL };
	bool there = etc_process_find("duckdb", path, sizeof path);

	if (there)
		return ask(program, most, &there, out, err);
	if (etc_process_find("python3", path, sizeof path))
		ETC_TRY(ask(package, most, &there, out, err));
	return there ? ETC_OK
	             : etc_fail(err, E1220, "%s",
	                        "no program duckdb in PATH, and no package duckdb of python3");
}

/* Does the folder contain partition folders with tables, such as date=2026-11-27? */
static bool has_tables_below(const char *folder)
{
	DIR *dir = opendir(folder);
	char rows[PATH_ROOM];
	bool has = false;

	for (struct dirent *e; dir && !has && (e = readdir(dir));)
		has = e->d_name[0] != '.' &&
		      snprintf(rows, sizeof rows, "%s/%s/rows", folder, e->d_name) < PATH_ROOM &&
		      etc_folder_exists(rows);
	if (dir)
		closedir(dir);
	return has;
}

bool etc_farm_below(const char *folder)
{
	char runs[PATH_ROOM];

	snprintf(runs, sizeof runs, "%s/runs", folder);
	return !etc_folder_exists(runs);
}

enum etc_status etc_farm_ask(const char *folder, struct etc_str filter, struct etc_str query,
                             size_t most, struct etc_text *out, struct etc_error *err)
{
	const bool below = etc_farm_below(folder);
	struct etc_text sql = { 0 };
	enum etc_status st;

	if (below && !has_tables_below(folder))
		return etc_fail(err, E1223, "'%s'", folder);
	put_script(&sql, folder, below, filter, query);
	st = sql.failed ? etc_no_memory(err) : ask_engines(sql.ptr, most, out, err);
	etc_text_release(&sql);
	return st;
}
