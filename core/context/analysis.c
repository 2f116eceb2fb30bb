/* analysis.c -- see analysis.h */
#include "context/analysis.h"

#include <math.h>

#include "context/files.h"
#include "table/cells.h"

static enum etc_status hand_on(struct etc_analyses *a, const char *path, struct etc_error *err)
{
	struct etc_given *given = etc_new(&a->session->arena, struct etc_given, 1);

	ETC_NEED(given, err);
	ETC_TRY(etc_in_file(err, etc_session_open(a->session, path, &given->bytes, err), path));
	given->next = a->asker.given ? a->asker.given : a->asker.args->given;
	given->name = path;
	given->on_disk = strcmp(path, "-") != 0;
	a->asker.given = given;
	return ETC_OK;
}

enum etc_status etc_analyses_begin(struct etc_analyses *a, const struct etc_asker *asker,
                                   const struct etc_opt_list *operands, struct etc_session *session,
                                   struct etc_error *err)
{
	const char **files;
	uint32_t count;

	*a = (struct etc_analyses){ .asker = *asker, .session = session };
	a->asker.arena = &session->arena;
	etc_notes_init(&a->asker.notes, &session->arena);
	for (const struct etc_note *n = session->notes.first; n; n = n->next)
		etc_note_again(&a->asker.notes, n);
	ETC_TRY(etc_session_operands(session, operands->v, operands->count, false, &files, &count,
	                             err));
	if (count)
		a->asker.notes.file = etc_str_of(files[0]);
	a->operands = (struct etc_opt_list){ files, count };
	for (uint32_t i = 0; i < count; i++)
		ETC_TRY(hand_on(a, files[i], err));
	return ETC_OK;
}

void etc_analyses_release(struct etc_analyses *a)
{
	for (struct etc_analysis *k = a->first; k; k = k->next)
		etc_kept_close(k->kept);
	a->first = NULL;
}

static enum etc_status table_of(struct etc_analysis *k, enum etc_answer_table which,
                                const struct etc_table **out, struct etc_error *err)
{
	ETC_TRY(k->kept->kind->make(k->kept, which - k->kept->kind->first, err));
	*out = &etc_kept_table(k->kept, which)->table;
	return ETC_OK;
}

enum etc_status etc_analyses_ask(struct etc_analyses *a, const struct etc_ask_option *more,
                                 const struct etc_analysis **out, struct etc_error *err)
{
	struct etc_analysis *k = etc_new(&a->session->arena, struct etc_analysis, 1);
	struct etc_text text = { 0 };
	enum etc_status st;

	ETC_NEED(k, err);
	a->asker.kept = &k->kept;
	st = etc_ask(&a->asker, "analyze", &a->operands, more, &text, err);
	a->asker.kept = NULL;
	etc_text_release(&text);
	if (k->kept) {
		k->next = a->first;
		a->first = k;
	}
	ETC_TRY(st);
	ETC_TRY(table_of(k, ETC_TABLE_ROWS, &k->rows, err));
	ETC_TRY(table_of(k, ETC_TABLE_PATHS, &k->paths, err));
	ETC_TRY(table_of(k, ETC_TABLE_RUNS, &k->runs, err));
	ETC_TRY(table_of(k, ETC_TABLE_FILES, &k->files, err));
	*out = k;
	return ETC_OK;
}

enum etc_status etc_analyses_report(struct etc_analyses *a, bool strict,
                                    const struct etc_reply *reply, struct etc_error *err)
{
	/* asker.notes includes the notes that the session already had before the answers */
	a->session->notes = a->asker.notes;
	return etc_session_report(a->session, strict, reply, err);
}

enum etc_status etc_analysis_files(struct etc_analyses *a, const struct etc_analysis *of,
                                   bool hashes, const struct etc_report_file **out, uint32_t *count,
                                   struct etc_error *err)
{
	struct etc_arena *arena = &a->session->arena;
	struct etc_report_file *list = etc_new(arena, struct etc_report_file, of->files->row_count);

	ETC_NEED(list, err);
	for (uint32_t i = 0; i < of->files->row_count; i++) {
		struct etc_input_file file = {
			.path = etc_arena_cstr(arena, etc_analysis_text(of->files, i, "path")),
		};

		ETC_NEED(file.path, err);
		list[i].path = etc_str_of(file.path);
		list[i].kind = etc_arena_cstr(arena, etc_analysis_text(of->files, i, "kind"));
		if (hashes) {
			ETC_TRY(etc_session_open(a->session, file.path, &file.bytes, err));
			list[i].sha256 = etc_file_hash(&file, arena);
		}
		ETC_NEED(list[i].kind && (!hashes || list[i].sha256.ptr), err);
	}
	*out = list;
	*count = of->files->row_count;
	return ETC_OK;
}

const struct etc_cell *etc_analysis_cell(const struct etc_table *t, uint32_t row,
                                         const char *column)
{
	static const struct etc_cell blank = { .kind = ETC_CELL_BLANK };

	for (uint32_t c = 0; c < t->column_count && row < t->row_count; c++)
		if (strcmp(t->columns[c].name, column) == 0)
			return &t->cells[(size_t)row * t->column_count + c];
	return &blank;
}

double etc_analysis_number(const struct etc_table *t, uint32_t row, const char *column)
{
	double v;

	return etc_cell_number(etc_analysis_cell(t, row, column), &v) ? v : NAN;
}

struct etc_str etc_analysis_text(const struct etc_table *t, uint32_t row, const char *column)
{
	const struct etc_cell *c = etc_analysis_cell(t, row, column);

	return c->kind == ETC_CELL_TEXT ? c->s : ETC_STR("");
}

size_t etc_analysis_times(const struct etc_analysis *a, uint32_t row, uint64_t *to, size_t most)
{
	return a->kept->kind->row_times ? a->kept->kind->row_times(a->kept, row, to, most) : 0;
}

static bool is_of_path(const struct etc_table *rows, uint32_t row, const struct etc_table *paths,
                       uint32_t path)
{
	return etc_analysis_number(rows, row, "path") == etc_analysis_number(paths, path, "path") &&
	       etc_str_eq(etc_analysis_text(rows, row, "method"),
	                  etc_analysis_text(paths, path, "method")) &&
	       etc_str_eq(etc_analysis_text(rows, row, "file"),
	                  etc_analysis_text(paths, path, "file"));
}

static bool is_detached(const struct etc_table *rows, uint32_t row)
{
	const struct etc_cell *detached = etc_analysis_cell(rows, row, "detached");

	return detached->kind == ETC_CELL_BOOL && detached->i;
}

bool etc_analysis_in_path(const struct etc_table *rows, uint32_t row, const struct etc_table *paths,
                          uint32_t path)
{
	return !is_detached(rows, row) && is_of_path(rows, row, paths, path);
}

bool etc_analysis_detached(const struct etc_table *rows, uint32_t row,
                           const struct etc_table *paths, uint32_t path)
{
	return is_detached(rows, row) && is_of_path(rows, row, paths, path);
}
