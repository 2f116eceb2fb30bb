/* farm.h -- `etcore farm`: the parts that its files share. Questions about the tables of `etcore batch` are SQL (share/sql), which
 * DuckDB answers in a process of its own. docs/farm.md has the questions. */
#ifndef ETC_COMMANDS_FARM_H
#define ETC_COMMANDS_FARM_H

#include "context/question.h"
#include "context/session.h"
#include "table/table.h"

struct etc_farm_options {
	struct etc_common_options common; /* operands: the question, the folder */
	struct etc_opt_list output;       /* -o, as in output.h */
	struct etc_opt_list where;
	const char *since, *last, *top;
};

/* A file of share/sql. */
struct etc_farm_sql {
	const char *name; /* "trend", "prelude-duckdb" */
	struct etc_str text;
};
extern const struct etc_farm_sql
	etc_farm_files[]; /* made by embed.cmake; a zeroed row at the end */

/* Returns the text of the SQL file called `name`; empty if there is none. */
struct etc_str etc_farm_sql(const char *name);

/* filter.c: appends the statements that restrict the views of the prelude to the dumps that the options choose; nothing without
 * such options. E0505, E0507, E0551. */
enum etc_status etc_farm_filter(const struct etc_farm_options *o, struct etc_text *sql,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Does DuckDB's error message name a column or a value of --where? */
bool etc_farm_blames(const struct etc_farm_options *o, struct etc_str message);

/* engine.c: DuckDB's answer to the query (no ';' at its end) over the tables in `folder`: a JSON array of objects, in `out`,
 * at most `most` bytes, with ETC_FARM_ROOM readable bytes after it. `filter`: statements before it. E0904, E1220 no DuckDB,
 * E1221 it failed, E1222 too much, E1223 no tables in the folder. */
enum { ETC_FARM_ROOM = 64 };
enum etc_status etc_farm_ask(const char *folder, struct etc_str filter, struct etc_str query,
                             size_t most, struct etc_text *out,
                             struct etc_error *err) ETC_MUST_CHECK;

/* answer.c: the answer as a table with the columns `names`, which are separated by blanks. Texts are in the arena. E0904, E1221. */
enum etc_status etc_farm_read(struct etc_str json, const char *names, struct etc_arena *arena,
                              struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* An empty table with these columns, and room for `rows`. E0904. */
enum etc_status etc_farm_table(const char *names, uint32_t rows, struct etc_arena *arena,
                               struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* changes.c: the change points of each series of `trend`. E0904. */
#define ETC_FARM_TREND   "model device method path day dumps typical_ns least_ns most_ns change"
#define ETC_FARM_CHANGES "model device method path day before_days days before_ns typical_ns change"
enum etc_status etc_farm_changes(const struct etc_table *trend, struct etc_arena *arena,
                                 struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* baseline.c: joins the stored baselines in the rows of `t`, which has the columns ETC_FARM_BASELINE, into the file of -o, and says so in
 * `out`. `farm`: this command. E0904, E1225 no rows, E1226 several models or devices, E1227 a dump without a baseline, and those of
 * `etcore baseline merge`. */
#define ETC_FARM_BASELINE "model device run_id baseline"
enum etc_status etc_farm_baseline(struct etc_session *s, const struct etc_question *farm,
                                  const struct etc_farm_options *o, const struct etc_table *t,
                                  struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
