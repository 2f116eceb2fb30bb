/* analyze.c -- runs `etcore analyze`; see analyze.h
 *
 * The steps: read the configuration, load plugins and open files; pool the dumps of one program in
 * one part, or make a part of each dump; compute each part's profile and report; write the
 * requested formats. Nothing is written before all results are computed. */
#include "commands/analyze/analyze.h"

#include <stdlib.h>

#include "commands/analyze/answer.h"
#include "commands/analyze/overlay.h"
#include "context/again.h"
#include "context/ask.h"
#include "context/files.h"
#include "base/memory.h"
#include "join/pool.h"
#include "table/cells.h"

/* ---- files --------------------------------------------------------------- */

/* Finds the dump to use if none was given: the only dump in the folder of `beside`, a record or
 * program. E0501: there is no dump, or there are several. */
static enum etc_status find_dump(struct etc_answer *w, const char *beside, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	const char *found =
		o->no_siblings ? NULL
			       : etc_inputs_find_dump(w->session, beside, o->common.verbose > 0);

	if (!found)
		return etc_fail(err, E0501,
		                "which ETDump? %s is none, and there is not exactly one beside it",
		                beside);
	w->dumps[0] = found;
	w->dump_count = 1;
	return ETC_OK;
}

/* Called if the only operand could not be opened as a dump; `st` is the error. (An operand is
 * opened as a dump first, because a pipe can be read only once.)
 *
 * If the operand is a record or a program, and -r or -m gave no other one: uses the operand as the
 * record or program, stores the path of the dump in its folder in w->dumps, sets *again to true and
 * returns ETC_OK; the caller then opens that dump. E0501: the folder does not have exactly one
 * dump. In all other cases, sets *again to false and returns `st`. */
static enum etc_status was_no_dump(struct etc_answer *w, enum etc_status st, bool *again,
                                   struct etc_error *err)
{
	const char *path = w->dumps[0];
	enum etc_file_kind kind = etc_file_kind_of(w->inputs[0].dump.bytes);

	*again = false;
	if (st != ETC_FORMAT || w->options->common.operands.count > 1 || strcmp(path, "-") == 0)
		return st;
	if (kind == ETC_FILE_ETRECORD && !w->etrecord)
		w->etrecord = path;
	else if (kind == ETC_FILE_PROGRAM && !w->program)
		w->program = path;
	else
		return st;
	*again = true;
	return find_dump(w, path, err);
}

/* Sorts several operands by the kind of file, which their first bytes show. An ETRecord is used as
 * with -r, a program as with -m, and any other file as a dump. */
static enum etc_status sort_files(struct etc_answer *w, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	const char **files;
	uint32_t count;

	ETC_TRY(etc_session_operands(w->session, o->common.operands.v, o->common.operands.count,
	                             false, &files, &count, err));
	w->dumps = etc_new(&w->session->arena, const char *, count);
	w->etrecord = o->etrecord;
	w->program = o->program;
	ETC_NEED(w->dumps, err);
	for (uint32_t i = 0; i < count; i++) {
		struct etc_span bytes = { 0 };

		if (count > 1 && strcmp(files[i], "-") != 0)
			ETC_TRY(etc_in_file(err,
			                    etc_session_open(w->session, files[i], &bytes, err),
			                    files[i]));
		if (etc_file_kind_of(bytes) == ETC_FILE_ETRECORD && !w->etrecord)
			w->etrecord = files[i];
		else if (etc_file_kind_of(bytes) == ETC_FILE_PROGRAM && !w->program)
			w->program = files[i];
		else
			w->dumps[w->dump_count++] = files[i];
	}
	return w->dump_count || count == 0 ? ETC_OK : find_dump(w, files[0], err);
}

/* Drops dumps that were given twice, with a note about each. */
static void drop_copies(struct etc_answer *w)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < w->dump_count; i++) {
		const struct etc_inputs *known =
			etc_inputs_known(w->inputs, kept, &w->inputs[i], &w->session->arena);

		if (known) {
			etc_note_twice(&w->session->notes, &w->inputs[i], known);
			continue;
		}
		w->dumps[kept] = w->dumps[i];
		w->inputs[kept++] = w->inputs[i];
	}
	w->dump_count = kept;
}

static enum etc_status open_dumps(struct etc_answer *w, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	enum etc_status st;
	bool again;

	w->inputs = etc_new(&w->session->arena, struct etc_inputs, w->dump_count);
	ETC_NEED(w->inputs, err);
	for (uint32_t i = 0; i < w->dump_count; i++) {
		struct etc_input_paths paths = {
			.dump = w->dumps[i],
			.etrecord = w->etrecord,
			.debug_buffer = o->debug_buffer,
			.program = w->program,
			.no_siblings = o->no_siblings,
			.values = w->plan.by == ETC_BY_FALLBACK || w->plan.roofline,
			.flows = w->plan.by == ETC_BY_FALLBACK || etc_by_is_place(w->plan.by) ||
			         o->plan.events,
			.sizes = w->plan.roofline,
			.verbose = o->common.verbose > 0,
		};

		st = etc_inputs_open(w->session, &paths, &w->inputs[i], err);
		if (st != ETC_OK) {
			ETC_TRY(was_no_dump(w, st, &again, err));
			i -= again;
		}
	}
	drop_copies(w);
	return ETC_OK;
}

static bool same_file(const struct etc_input_file *a, const struct etc_input_file *b,
                      struct etc_arena *arena)
{
	return a->path && b->path ? etc_file_same(a, b, arena) : a->path == b->path;
}

/* Did two dumps run the same program? If both have a program file, these files must be equal. If
 * neither has one, the records must be equal; the answer is also yes if neither has a record. If
 * only one dump has a program file, the answer is no. */
static bool same_program(const struct etc_inputs *a, const struct etc_inputs *b,
                         struct etc_arena *arena)
{
	if (a->program.path && b->program.path)
		return etc_file_same(&a->program, &b->program, arena);
	return a->program.path == b->program.path && same_file(&a->etrecord, &b->etrecord, arena);
}

/* If the events and programs of all dumps agree, pools the dumps in one part; else makes a part of
 * each dump. */
static enum etc_status make_parts(struct etc_answer *w, struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	struct etc_arena *arena = &w->session->arena;
	bool agree = true;

	for (uint32_t i = 1; i < w->dump_count && agree; i++)
		agree = w->inputs[0].from_log == w->inputs[i].from_log &&
		        same_program(&w->inputs[0], &w->inputs[i], arena) &&
		        etc_pool_agrees(&w->inputs[0].trace, &w->inputs[i].trace);
	w->part_count = agree ? 1 : w->dump_count;
	w->parts = etc_new(arena, struct etc_part, w->part_count);
	ETC_NEED(w->parts, err);
	for (uint32_t i = 0; i < w->part_count; i++) {
		w->parts[i].inputs = &w->inputs[i];
		w->parts[i].count = agree ? w->dump_count : 1;
		w->parts[i].tracer = o->subtract_overhead ? &w->tracer : NULL;
		ETC_TRY(etc_part_pool(&w->parts[i], w->session, err));
	}
	w->session->notes.file = (struct etc_str){ 0 };
	if (w->dump_count > 1)
		etc_note(&w->session->notes, agree ? N0131 : N0132, "%u files", w->dump_count);
	w->session->notes.file = etc_str_of(w->dumps[0]);
	return ETC_OK;
}

/* ---- the answer ---------------------------------------------------------- */

/* Options that next_lines() does not repeat in the commands that it suggests, because they select a
 * view or only change how a view is shown. */
static const char views[] =
	"color no-color output events by top sort tree roofline peak bars columns where ";

static bool has_delegates(const struct etc_profile *p)
{
	for (uint32_t i = 0; i < p->path_count; i++)
		if (p->paths[i].partitions)
			return true;
	return false;
}

/* Sets r->next to commands that show the same dump in other views: by delegate, by module, and
 * single events. With --subtract-overhead, only the view by module is suggested, since the tracer's
 * cost cannot be subtracted in the other views. If there are several dumps, suggests nothing. */
static enum etc_status next_lines(struct etc_answer *w, struct etc_report *r, struct etc_error *err)
{
	bool subtracts = w->options->subtract_overhead;
	const struct {
		const char *more;
		bool offered;
	} all[] = {
		{ " --by delegate", !subtracts && w->plan.by != ETC_BY_DELEGATE &&
		                            has_delegates(&w->parts[0].profile) },
		{ " --by module", w->plan.by != ETC_BY_MODULE && w->inputs[0].etrecord.path },
		{ " --events", !subtracts && !w->options->plan.events },
	};
	uint32_t n = 0;

	if (w->dump_count > 1)
		return ETC_OK;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (!all[i].offered)
			continue;
		r->next[n] = etc_again(etc_ask_find("analyze"), &w->options->common, views,
		                       all[i].more, &w->session->arena);
		ETC_NEED(r->next[n].ptr, err);
		n += r->next[n].len > 0;
	}
	return ETC_OK;
}

/* Joins the table `of_parts[i]` of every part i. Columns are matched by name, since parts may have
 * columns of different plugins. */
enum etc_status etc_answer_join_tables(struct etc_answer *w, const struct etc_table *of_parts,
                                       struct etc_table *out, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	uint32_t room = 1, n = 0;
	struct etc_column *names;
	size_t rows = 0;
	struct etc_cell *cells;

	*out = of_parts[0];
	if (w->part_count == 1)
		return ETC_OK;
	for (uint32_t i = 0; i < w->part_count; i++) {
		room += of_parts[i].column_count;
		rows += of_parts[i].row_count;
	}
	names = etc_new(arena, struct etc_column, room);
	ETC_NEED(names, err);
	for (uint32_t i = 0; i < w->part_count; i++) {
		const struct etc_table *t = &of_parts[i];

		for (uint32_t c = 0; c < t->column_count; c++) {
			uint32_t k = 0;

			while (k < n && strcmp(names[k].name, t->columns[c].name) != 0)
				k++;
			if (k == n)
				names[n++] = t->columns[c];
		}
	}
	names[n++] = (struct etc_column){ .name = "file", .title = "file", .extra = true };
	ETC_NEED(rows <= UINT32_MAX, err);
	ETC_TRY(etc_table_make(out, names, n, (uint32_t)rows, arena, err));
	cells = out->cells;
	for (uint32_t i = 0; i < w->part_count; i++) {
		const struct etc_table *t = &of_parts[i];

		for (uint32_t r = 0; r < t->row_count; r++, cells += n) {
			for (uint32_t c = 0, k = 0; c < t->column_count; c++) {
				for (k = 0; strcmp(names[k].name, t->columns[c].name) != 0;)
					k++;
				cells[k] = t->cells[(size_t)r * t->column_count + c];
			}
			cells[n - 1] = etc_cell_text(w->parts[i].names[0]);
		}
	}
	return ETC_OK;
}

/* Joins the same table of all parts into one. `member` is the offset of the table in struct
 * etc_report. */
static enum etc_status join_tables(struct etc_answer *w, size_t member, struct etc_table *out,
                                   struct etc_error *err)
{
	struct etc_table *of_parts = etc_new(&w->session->arena, struct etc_table, w->part_count);

	ETC_NEED(of_parts, err);
	for (uint32_t i = 0; i < w->part_count; i++) {
		memcpy(&of_parts[i], (const char *)&w->parts[i].report + member, sizeof *of_parts);
		ETC_TRY(etc_table_fill(&of_parts[i], &w->session->arena, err));
	}
	return etc_answer_join_tables(w, of_parts, out, err);
}

/* Makes one report of all parts. It lists the files and methods of all parts and joins their
 * tables. */
static enum etc_status join_parts(struct etc_answer *w, struct etc_report *out,
                                  struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_report_file *files;
	struct etc_report_method *methods;
	uint32_t file_count = 0, method_count = 0;

	*out = w->parts[0].report;
	if (w->part_count == 1)
		return ETC_OK;
	for (uint32_t i = 0; i < w->part_count; i++) {
		file_count += w->parts[i].report.file_count;
		method_count += w->parts[i].report.method_count;
	}
	files = etc_new(arena, struct etc_report_file, file_count);
	methods = etc_new(arena, struct etc_report_method, method_count);
	ETC_NEED(files && methods, err);
	out->files = files;
	out->methods = methods;
	out->file_count = out->method_count = 0;
	for (uint32_t i = 0; i < w->part_count; i++) {
		const struct etc_report *r = &w->parts[i].report;

		memcpy(files + out->file_count, r->files, r->file_count * sizeof *files);
		out->file_count += r->file_count;
		memcpy(methods + out->method_count, r->methods, r->method_count * sizeof *methods);
		out->method_count += r->method_count;
	}
	ETC_TRY(join_tables(w, offsetof(struct etc_report, rows), &out->rows, err));
	ETC_TRY(join_tables(w, offsetof(struct etc_report, all_rows), &out->all_rows, err));
	ETC_TRY(join_tables(w, offsetof(struct etc_report, allocations), &out->allocations, err));
	return join_tables(w, offsetof(struct etc_report, events), &out->events, err);
}

/* Makes the table of --by run, file or method: one table for all parts. */
static enum etc_status list_runs(struct etc_answer *w, struct etc_report *joined,
                                 struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_runs_part *parts = etc_new(arena, struct etc_runs_part, w->part_count);
	struct etc_selection selection = w->plan.selection, usual;
	struct etc_table all;
	uint32_t *order, count;
	bool salvaged = false;

	ETC_NEED(parts, err);
	for (uint32_t i = 0; i < w->part_count; i++) {
		ETC_TRY(etc_part_runs(&w->parts[i], arena, &parts[i], err));
		salvaged = salvaged || parts[i].layout;
	}
	ETC_TRY(etc_view_runs(parts, w->part_count, w->plan.by, arena, &all, err));
	ETC_TRY(etc_selection_rows(&selection, &all, NULL, arena, &order, &count, err));
	etc_selection_remark(&selection, &all, &w->session->notes);
	ETC_TRY(etc_selection_table(&selection, &all, order, count, arena, &joined->rows, err));
	if (!selection.column_count) {
		ETC_TRY(etc_selection_parse(
			NULL, 0, NULL, etc_runs_columns(w->plan.by, w->dump_count > 1, salvaged),
			arena, &usual, err));
		selection.columns = usual.columns;
		selection.column_count = usual.column_count;
	}
	ETC_TRY(etc_selection_table(&selection, &all, order, count, arena,
	                            &w->parts[w->part_count - 1].report.events, err));
	if (w->plan.by == ETC_BY_RUN)
		w->parts[w->part_count - 1].report.under =
			etc_view_runs_line(parts, w->part_count, arena);
	selection.column_count = 0;
	return etc_selection_table(&selection, &all, order, count, arena, &joined->all_rows, err);
}

enum etc_status etc_answer_join(struct etc_answer *w, struct etc_report *joined,
                                struct etc_error *err)
{
	ETC_TRY(join_parts(w, joined, err));
	joined->events_for_rows = w->options->plan.events;
	if (etc_plan_of_runs(&w->plan))
		ETC_TRY(list_runs(w, joined, err));
	ETC_TRY(etc_list_settings(&w->session->settings, &w->session->arena, joined, err));
	joined->notes = &w->session->notes;
	joined->note_files = w->part_count > 1;
	joined->stat = etc_stat_name(w->plan.profile.stat);
	joined->by = etc_row_key(w->plan.by)->word;
	return ETC_OK;
}

/* Does a ranked table have a time with "+N µs", the bound of timer truncation? */
static bool shows_bounds(const struct etc_report *r)
{
	for (uint32_t b = 0; b < r->block_count; b++) {
		const struct etc_table *t = &r->blocks[b].table;

		for (uint32_t c = 0; c < t->column_count; c++)
			for (uint32_t i = 0; i < t->row_count; i++)
				if (strcmp(t->columns[c].name, "bound_ns") == 0 &&
				    t->cells[(size_t)i * t->column_count + c].kind !=
				            ETC_CELL_BLANK)
					return true;
	}
	return false;
}

/* Returns the legend for the statistic of --stat. For the default statistic (typical), returns NULL
 * if no note contains the word "typical". */
static const char *legend_of_stat(const struct etc_answer *w)
{
	static const char *const legends[] = {
		[ETC_STAT_TYPICAL] = "typical is the mean of the runs near the median",
		[ETC_STAT_MEAN] = "times are means over all runs but those set aside",
		[ETC_STAT_MEDIAN] = "each time is a median of its own: rows do not add up",
		[ETC_STAT_MIN] = "times are those of the fastest run",
		[ETC_STAT_TOTAL] = "times are sums over all runs but those set aside",
	};
	const uint8_t stat = w->plan.profile.stat;
	bool said = stat != ETC_STAT_TYPICAL;

	for (const struct etc_note *n = w->session->notes.first; n; n = n->next)
		said = said || etc_str_find(n->text, ETC_STR("typical"), 0) != SIZE_MAX;
	return said && stat < sizeof legends / sizeof *legends ? legends[stat] : NULL;
}

static struct etc_str legend_line(const struct etc_answer *w)
{
	static const char plus[] = "+ is what truncated times may hide of a row";
	const char *stat = legend_of_stat(w);
	bool bounds = false;

	for (uint32_t i = 0; i < w->part_count; i++)
		bounds = bounds || shows_bounds(&w->parts[i].report);
	if (!bounds && !stat)
		return (struct etc_str){ 0 };
	return etc_arena_printf(&w->session->arena, "where: %s%s%s", bounds ? plus : "",
	                        bounds && stat ? "; " : "", stat ? stat : "");
}

static enum etc_status write_all(struct etc_answer *w, const struct etc_targets *targets,
                                 struct etc_text *out, struct etc_error *err)
{
	struct etc_screen screen = etc_session_screen(w->session, &w->options->common);
	struct etc_report *reports, joined;

	screen.bars = w->options->bars;
	ETC_TRY(etc_answer_join(w, &joined, err));
	reports = etc_new(&w->session->arena, struct etc_report, w->part_count);
	ETC_NEED(reports, err);
	for (uint32_t i = 0; i < w->part_count; i++) {
		bool last = i + 1 == w->part_count;

		reports[i] = w->parts[i].report;
		if (!etc_targets_row_by_row(targets))
			ETC_TRY(etc_table_fill(&reports[i].events, &w->session->arena, err));
		reports[i].unit_ns = etc_unit_ns(w->plan.shown_unit);
		reports[i].notes = last ? &w->session->notes : NULL;
		reports[i].note_files = joined.note_files;
		if (last)
			ETC_TRY(next_lines(w, &reports[i], err));
		if (last)
			reports[i].legend = legend_line(w);
		if (w->part_count > 1)
			reports[i].title = w->parts[i].names[0];
		else if (w->dump_count > 1)
			reports[i].title = etc_arena_printf(&w->session->arena, "%u files: %s …",
			                                    w->dump_count, w->dumps[0]);
	}
	return etc_targets_tables(targets, &joined, reports, w->part_count, &screen, out, err);
}

static enum etc_status answer_parts(struct etc_answer *w, bool hashes, struct etc_error *err)
{
	struct etc_session *s = w->session;
	const struct etc_session_mark mark = etc_session_mark(s);
	struct etc_part *parts = etc_new(&s->arena, struct etc_part, w->part_count);

	ETC_NEED(parts, err);
	memcpy(parts, w->parts, w->part_count * sizeof *parts);
	do {
		memcpy(w->parts, parts, w->part_count * sizeof *parts);
		for (uint32_t i = 0; i < w->part_count; i++)
			ETC_TRY(etc_part_make(&w->parts[i], &w->plan, s, hashes, err));
	} while (etc_session_again(s, &mark));
	return ETC_OK;
}

static enum etc_status parse_output(struct etc_answer *w, struct etc_overlay_target *overlay,
                                    struct etc_error *err)
{
	static const struct etc_format formats[] =
		ETC_FORMAT_ARRAY(ETC_ANALYZE_FORMATS, ETC_TABLE_FORMAT);
	struct etc_opt_list tables;

	ETC_TRY(etc_overlay_parse(&w->options->output, &w->session->arena, &tables, overlay, err));
	if (overlay->wanted && tables.count == 0) {
		w->targets = (struct etc_targets){ 0 };
		return ETC_OK;
	}
	ETC_TRY(etc_targets_parse(&w->targets, formats, &tables, &w->session->arena, err));
	for (uint32_t i = 0; i < w->targets.count; i++)
		/* -o FILE.model-explorer is an error: the extension selects the format
		 * model-explorer, which is not a format of tables */
		if (!w->targets.v[i].format->tables)
			return etc_format_unknown(etc_table_formats, "-o ",
			                          etc_str_of(w->targets.v[i].path), err);
	return ETC_OK;
}

static enum etc_status run(struct etc_answer *w, const struct etc_reply *reply,
                           struct etc_error *err)
{
	const struct etc_analyze_options *o = w->options;
	struct etc_session *s = w->session;
	struct etc_overlay_target overlay_target;
	struct etc_overlay overlay;
	bool hashes;

	ETC_TRY(etc_plan_make(&w->plan, &o->common, &o->plan, s, err));
	ETC_TRY(parse_output(w, &overlay_target, err));
	if (o->subtract_overhead && overlay_target.wanted)
		return etc_fail(
			err, E0501,
			"--subtract-overhead and -o model-explorer, which has no mark for it");
	if (o->subtract_overhead)
		ETC_TRY(etc_tracer_read(&w->tracer, o->subtract_overhead, &w->plan, s, err));
	ETC_TRY(sort_files(w, err));
	ETC_TRY(etc_session_plugins(s, &o->common, 0, err));
	ETC_TRY(open_dumps(w, err));
	ETC_TRY(make_parts(w, err));
	hashes = etc_targets_want_hashes(&w->targets) && !o->plan.brief;
	ETC_TRY(answer_parts(w, hashes, err));
	if (overlay_target.wanted)
		ETC_TRY(etc_overlay_make(w, &overlay_target, &overlay, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	if (overlay_target.wanted)
		ETC_TRY(etc_overlay_write(&overlay, w->targets.count > 0, reply->out, err));
	if (reply->unheard)
		etc_targets_only_files(&w->targets);
	if (w->targets.count == 0)
		return ETC_OK;
	return write_all(w, &w->targets, reply->out, err);
}

static enum etc_status write_kept(struct etc_kept *kept, const char *format, struct etc_text *out,
                                  struct etc_error *err)
{
	struct etc_answer *w = (struct etc_answer *)kept;
	struct etc_target target = { .format = etc_format_find(etc_table_formats,
		                                               etc_str_of(format)) };
	const struct etc_targets targets = { &target, 1 };

	if (!target.format)
		return etc_format_unknown(etc_table_formats, "", etc_str_of(format), err);
	for (uint32_t i = 0; i < w->part_count; i++)
		ETC_TRY(etc_part_files(&w->parts[i], &w->session->arena, target.format->hashes,
		                       err));
	return write_all(w, &targets, out, err);
}

/* Writes the output of `--by run -o csv --columns …` from the answer that is already there. */
static enum etc_status write_runs(struct etc_kept *kept, const char *columns, struct etc_text *out,
                                  struct etc_error *err)
{
	struct etc_answer *w = (struct etc_answer *)kept;

	w->plan.by = ETC_BY_RUN;
	ETC_TRY(etc_selection_parse(NULL, 0, NULL, columns, &w->session->arena, &w->plan.selection,
	                            err));
	return write_kept(kept, "csv", out, err);
}

static void release(struct etc_kept *kept)
{
	struct etc_answer *a = (struct etc_answer *)kept;

	etc_arena_release(&a->own_session.arena);
	free(a);
}

static void close_files(struct etc_kept *kept)
{
	struct etc_answer *a = (struct etc_answer *)kept;

	etc_plan_release(&a->plan);
	etc_session_close(&a->own_session);
}

enum etc_status etc_analyze(void *options, const struct etc_reply *reply, struct etc_error *err)
{
	static const char *const names[ETC_TABLE_COUNT] = { "rows",   "paths",   "runs",
		                                            "events", "samples", "allocations",
		                                            "files" };
	static const struct etc_kept_kind kind = {
		.first = ETC_TABLE_ROWS,
		.count = ETC_TABLE_COUNT,
		.names = names,
		.make = etc_answer_make,
		.write = write_kept,
		.write_runs = write_runs,
		.row_times = etc_answer_row_times,
		.close = close_files,
		.release = release,
	};
	struct etc_answer *a = etc_calloc(1, sizeof *a);

	ETC_NEED(a, err);
	etc_kept_init(&a->kept, &kind, a->tables);
	a->own_options = *(const struct etc_analyze_options *)options;
	a->options = &a->own_options;
	a->session = &a->own_session;
	etc_session_init(a->session, 0);
	return etc_session_hand_over(a->session, &a->kept, run(a, reply, err), reply, err);
}
