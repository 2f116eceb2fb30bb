/* command.c -- `etcore report`: writes an HTML page, or a document in another format, about dumps.
 *
 * The command itself reads the dumps only for the timelines, which show the events of the runs.
 * Everything else is the output of other commands: the tables of `analyze`, `diff` and `memory`,
 * and the texts of `explain`. */
#include <stdio.h>

#include "commands/report/cut.h"
#include "commands/report/page.h"
#include "commands/report/timeline.h"
#include "context/ask.h"
#include "context/compare_options.h"
#include "context/files.h"
#include "context/kept.h"
#include "context/output.h"
#include "profile/plan.h"
#include "profile/roofline.h"
#include "profile/roofline_heads.h"

struct etc_report_request {
	struct etc_common_options common; /* operands: groups of files, "--" between them */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	const char *etrecord, *program, *names;
	bool no_siblings;
	struct etc_compare_words compare;
};

extern const struct etc_question etc_ask_report;

#define ETC_REPORT_FORMATS(X) X("html", "htm", 0) X("markdown", "md", 0)

/* Limits that keep the page of a usual model below 1 MB: number of slices of all timelines, bytes
 * of all tables, bytes of one table. If a dump has more than MOST_EVENTS distinct events, the page
 * has only one table. */
enum {
	MOST_SLICES = 10000,
	MOST_BYTES = 560 << 10,
	MOST_OF_ONE = 160 << 10,
	MOST_EVENTS = 100000,
	MOST_ROOFS = 5000 /* a dump with more events than this gets no roofline */
};

/* One group of operands; "--" separates groups. */
struct group {
	struct etc_opt_list operands; /* the operands as given */
	const char **dumps;
	uint32_t dump_count;
	/* the file given among the group's operands, else the file given for all groups */
	const char *etrecord, *program;
	struct etc_inputs *inputs; /* the files of each dump */
};

struct work {
	const struct etc_report_request *request;
	struct etc_asker *asker;
	struct etc_session *session;
	struct etc_plan plan;
	struct etc_targets targets;
	struct group *groups;
	uint32_t count;
	struct etc_str title;
	struct etc_text data; /* the data of the page, as JSON */
	/* JSON: for each table, by its key of --by, how many rows the page does not show, and the
	 * sums of their numbers */
	struct etc_text left;
	/* the JSON document that was made first, of a group or of the comparison; only this
	 * document has the hashes of the files */
	struct etc_text hashes;
	struct etc_text screen; /* the first result of a group, as text for a screen */
	/* the runs of the dumps as CSV, which is a fifth of the size of JSON */
	struct etc_text runs;
	size_t room;     /* number of bytes of tables that may still be written */
	uint32_t tables; /* number of tables that are still to be written */
	struct etc_text markdown;
};

static bool is_page(const struct etc_format *format)
{
	return strcmp(format->name, "html") == 0;
}

/* ---- files ---------------------------------------------------------------------- */

/* Rejects options for comparisons if there is only one group, because the options would have no
 * effect. */
static enum etc_status check_alone(const struct etc_report_request *r, struct etc_error *err)
{
	const struct {
		const char *name, *value;
	} of[] = {
		{ "names", r->names },           { "confidence", r->compare.confidence },
		{ "rounds", r->compare.rounds }, { "process-spread", r->compare.process_spread },
		{ "order", r->compare.order },
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (of[i].value)
			return etc_fail(err, E0501,
			                "--%s is for several groups: A.etdump -- B.etdump",
			                of[i].name);
	return ETC_OK;
}

static enum etc_status split(struct work *w, struct etc_error *err)
{
	const struct etc_opt_list *all = &w->request->common.operands;
	uint32_t n = 0;

	w->count = 1;
	for (uint32_t i = 0; i < all->count; i++)
		w->count += strcmp(all->v[i], "--") == 0;
	w->groups = etc_new(&w->session->arena, struct group, w->count);
	ETC_NEED(w->groups, err);
	w->groups[0].operands.v = all->v;
	for (uint32_t i = 0; i < all->count; i++) {
		if (strcmp(all->v[i], "--") == 0)
			w->groups[++n].operands.v = all->v + i + 1;
		else
			w->groups[n].operands.count++;
	}
	for (uint32_t g = 0; g < w->count; g++)
		if (w->groups[g].operands.count == 0)
			return etc_fail(err, E0501, "group %u has no file", g + 1);
	return w->count == 1 ? check_alone(w->request, err) : ETC_OK;
}

/* Passes the bytes of an open input to the commands that are run. They must not open the file
 * again: a pipe can be read only once, and a file may have been replaced. */
static enum etc_status hand_on(struct work *w, const char *path, struct etc_span bytes,
                               const struct etc_trace *trace, struct etc_error *err)
{
	struct etc_given *given;

	for (const struct etc_given *known = w->asker->given; known; known = known->next)
		if (strcmp(known->name, path) == 0 && (known->trace || !trace))
			return ETC_OK;
	given = etc_new(&w->session->arena, struct etc_given, 1);
	ETC_NEED(given, err);
	given->next = w->asker->given ? w->asker->given : w->asker->args->given;
	given->name = path;
	given->bytes = bytes;
	given->on_disk = strcmp(path, "-") != 0;
	given->trace = trace;
	w->asker->given = given;
	return ETC_OK;
}

/* Passes a record or a program, which is already open, to the commands that are run, as hand_on()
 * does. */
static enum etc_status hand_on_extra(struct work *w, const struct etc_input_file *file,
                                     struct etc_error *err)
{
	return file->path ? hand_on(w, file->path, file->bytes, NULL, err) : ETC_OK;
}

/* Passes a dump and its trace, as hand_on() does. If there are notes about the dump, passes
 * nothing, so that each command reads the dump again and repeats the notes. */
static enum etc_status hand_on_trace(struct work *w, const struct etc_inputs *in,
                                     struct etc_error *err)
{
	const struct etc_str path = etc_str_of(in->dump.path);

	if (in->from_log)
		return ETC_OK;
	for (const struct etc_note *n = w->session->notes.first; n; n = n->next)
		if (etc_str_eq(n->file, path))
			return ETC_OK;
	return hand_on(w, in->dump.path, in->dump.bytes, &in->trace, err);
}

/* Sorts the operands of a group into record, program and dumps, by the first bytes of each file. If
 * the group has no dump, uses the dump in the folder of the first operand. E0501: there is no dump
 * in that folder, or there are several. */
static enum etc_status sort_files(struct work *w, struct group *g, struct etc_error *err)
{
	struct etc_session *s = w->session;
	const char **files;
	uint32_t count;

	ETC_TRY(etc_session_operands(s, g->operands.v, g->operands.count, false, &files, &count,
	                             err));
	g->etrecord = w->request->etrecord;
	g->program = w->request->program;
	g->dumps = etc_new(&s->arena, const char *, count + 1);
	ETC_NEED(g->dumps, err);
	for (uint32_t i = 0; i < count; i++) {
		struct etc_span bytes;

		ETC_TRY(etc_in_file(err, etc_session_open(s, files[i], &bytes, err), files[i]));
		ETC_TRY(hand_on(w, files[i], bytes, NULL, err));
		if (etc_file_kind_of(bytes) == ETC_FILE_ETRECORD)
			g->etrecord = files[i];
		else if (etc_file_kind_of(bytes) == ETC_FILE_PROGRAM)
			g->program = files[i];
		else
			g->dumps[g->dump_count++] = files[i];
	}
	if (g->dump_count)
		return ETC_OK;
	if (!w->request->no_siblings)
		g->dumps[0] = etc_inputs_find_dump(s, files[0], false);
	if (!g->dumps[0])
		return etc_fail(err, E0501,
		                "which ETDump? %s is none, and there is not exactly one beside it",
		                files[0]);
	g->dump_count = 1;
	return ETC_OK;
}

static enum etc_status open_dumps(struct work *w, struct group *g, struct etc_error *err)
{
	bool times = false;

	ETC_TRY(sort_files(w, g, err));
	g->inputs = etc_new(&w->session->arena, struct etc_inputs, g->dump_count);
	ETC_NEED(g->inputs, err);
	for (uint32_t i = 0; i < g->dump_count; i++) {
		const struct etc_input_paths paths = {
			.dump = g->dumps[i],
			.etrecord = g->etrecord,
			.program = g->program,
			.no_siblings = w->request->no_siblings,
			.flows = true,
		};

		ETC_TRY(etc_inputs_open(w->session, &paths, &g->inputs[i], err));
		ETC_TRY(hand_on_extra(w, &g->inputs[i].etrecord, err));
		ETC_TRY(hand_on_extra(w, &g->inputs[i].program, err));
		ETC_TRY(hand_on_trace(w, &g->inputs[i], err));
		if (w->count > 1 && g->inputs[i].trace.salvage)
			return etc_fail(err, E0501,
			                "--salvage takes one group: %s is cut, and diff compares "
			                "whole dumps",
			                g->dumps[i]);
		times = times || g->inputs[i].trace.sample_count > 0;
	}
	return times ? ETC_OK : etc_fail(err, E0560, "%s", g->dumps[0]);
}

/* ---- other commands ---------------------------------------------------------------- */

/* A key of --by. `record` is true if the key needs an ETRecord. */
struct key {
	const char *word;
	bool record;
};
static const struct key keys[] = {
	{ "op", false },       { "kernel", false },  { "module", true },    { "source", true },
	{ "category", false }, { "backend", false }, { "delegate", false }, { "fallback", false },
};

/* Options for a command that is run; NULL: the option is not given. */
struct asked {
	const char *format, *by;
	const char *peaks; /* gives --roofline with these peaks; "": with the configured peaks */
	/* leaves out parts that take long to compute, and that another answer contains */
	bool brief;
};

/* Runs the command `question` on the operands and writes its answer to `out`. Also passes on the
 * files that were given for all groups (--etrecord, --pte). */
static enum etc_status ask(struct work *w, const char *question,
                           const struct etc_opt_list *operands, const struct asked *what,
                           struct etc_text *out, struct etc_error *err)
{
	const struct etc_report_request *r = w->request;
	const bool of_dumps = strcmp(question, "analyze") == 0 || strcmp(question, "diff") == 0;
	const struct etc_ask_option all[] = {
		{ "output", what->format },
		{ "by", what->by },
		{ "etrecord", of_dumps ? r->etrecord : NULL },
		{ "pte", of_dumps ? r->program : NULL },
		{ "names", strcmp(question, "diff") == 0 ? r->names : NULL },
	};
	struct etc_ask_option given[sizeof all / sizeof all[0] + 4] = { 0 };
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].value)
			given[n++] = all[i];
	if (what->brief)
		given[n++] = (struct etc_ask_option){ "brief", NULL };
	if (what->peaks)
		given[n++] = (struct etc_ask_option){ "roofline", NULL };
	if (what->peaks && what->peaks[0])
		given[n++] = (struct etc_ask_option){ "peak", what->peaks };
	return etc_ask(w->asker, question, operands, given, out, err);
}

static enum etc_status ask_json(struct work *w, const char *question,
                                const struct etc_opt_list *operands, struct etc_emit *e,
                                const char *name, struct etc_error *err)
{
	struct etc_text text = { 0 };
	enum etc_status st =
		ask(w, question, operands, &(struct asked){ .format = "json" }, &text, err);

	if (st == ETC_OK) {
		etc_emit_name(e, name);
		etc_text_pass(e->out, etc_text_str(&text));
	}
	etc_text_release(&text);
	return st;
}

/* Returns the number of bytes for the rows of the next table. The tables that are still to be
 * written share w->room; the next table gets twice as much as each later table, but at most
 * MOST_OF_ONE. */
static size_t room_of(const struct work *w)
{
	size_t room = 2 * w->room / (w->tables + 1);

	return room < MOST_OF_ONE ? room : MOST_OF_ONE;
}

/* Writes the rows that were kept, and stores in w->left how many were left out. */
static void put_rows(struct work *w, const char *by, const struct etc_report_cut *c,
                     struct etc_emit *e)
{
	const size_t bytes = c->kept.len;

	w->tables -= w->tables > 0;
	w->room -= bytes < w->room ? bytes : w->room;
	etc_emit_name(e, by);
	etc_text_pass(e->out, etc_text_str(&c->kept));
	if (!c->left_rows)
		return;
	etc_text_printf(&w->left, "%s\"%s\": [", w->left.len ? ", " : "", by);
	etc_text_pass(&w->left, etc_text_str(&c->left));
	etc_text_char(&w->left, ']');
	etc_note_each(&w->asker->notes, N0670, "--by %s: %llu of %llu, the smallest", by,
	              (unsigned long long)c->left_rows, (unsigned long long)c->rows);
}

/* Does the same as ask(). If the command can keep its answer, also sets w->screen to the answer as
 * text for a screen, and w->runs to the runs as CSV. */
static enum etc_status ask_first(struct work *w, const char *question,
                                 const struct etc_opt_list *operands, const struct asked *what,
                                 struct etc_text *out, struct etc_error *err)
{
	struct etc_kept *kept = NULL;
	enum etc_status st;

	w->asker->kept = &kept;
	st = ask(w, question, operands, what, out, err);
	w->asker->kept = NULL;
	if (st == ETC_OK && kept)
		st = kept->kind->write(kept, "text", &w->screen, err);
	if (st == ETC_OK && kept && kept->kind->write_runs)
		st = kept->kind->write_runs(kept, "name,method,path,total_ns,use,file,total_raw",
		                            &w->runs, err);
	if (kept)
		etc_kept_close(kept);
	return st;
}

/* Writes the rows by the key `by` as a member with the name of the key. If there are too many rows,
 * writes only the largest. */
static enum etc_status ask_rows(struct work *w, const char *question,
                                const struct etc_opt_list *operands, const char *by,
                                struct etc_emit *e, struct etc_error *err)
{
	const bool diff = strcmp(question, "diff") == 0, first = w->hashes.len == 0;
	const struct asked what = { .format = "json", .by = by, .brief = !first };
	struct etc_report_cut cut = {
		.room = room_of(w),
		.groups = diff ? w->count : 1,
		.hashes = etc_text_str(&w->hashes),
	};
	struct etc_text all = { .sink = etc_report_cut_sink, .arg = &cut };
	enum etc_status st = (first ? ask_first : ask)(w, question, operands, &what, &all, err);

	if (st == ETC_OK && !(etc_text_flush(&all) && etc_report_cut_end(&cut)))
		st = etc_no_memory(err);
	if (st == ETC_OK)
		put_rows(w, by, &cut, e);
	if (st == ETC_OK && first)
		etc_text_put(&w->hashes, etc_text_str(&cut.kept));
	if (st == ETC_OK &&
	    (w->left.failed || w->hashes.failed || w->screen.failed || w->runs.failed))
		st = etc_no_memory(err);
	etc_text_release(&all);
	etc_report_cut_release(&cut);
	return st;
}

/* Writes the member `name` with w->left, and empties w->left and w->hashes. */
static void put_left(struct work *w, struct etc_emit *e, const char *name)
{
	etc_emit_name(e, name);
	etc_text_char(e->out, '{');
	etc_text_pass(e->out, etc_text_str(&w->left));
	etc_text_char(e->out, '}');
	w->left.len = w->hashes.len = 0;
}

static void put_runs(struct work *w, struct etc_emit *e)
{
	etc_emit_name(e, "runs");
	etc_text_json_string(e->out, etc_text_str(&w->runs));
	w->runs.len = 0;
}

/* Writes the lines that the screen shows above each ranked table. */
static void put_heads(struct work *w, struct etc_emit *e)
{
	const struct etc_str screen = etc_text_str(&w->screen), gap = ETC_STR("\n\n");

	etc_emit_open(e, "heads", '[');
	for (size_t from = 0, to; (to = etc_str_find(screen, gap, from)) != SIZE_MAX;
	     from = to + gap.len) {
		size_t table = to + gap.len;

		while (table < screen.len && screen.ptr[table] == ' ')
			table++;
		if (!etc_str_starts(etc_str_sub(screen, table, screen.len), ETC_STR("#  ")))
			continue;
		etc_emit_name(e, NULL);
		etc_text_json_string(e->out, etc_str_sub(screen, from, to));
	}
	etc_emit_close(e);
	w->screen.len = 0;
}

/* Lists the serial logs among the files, with the hashes of the logs. (The answers of other
 * commands have the hashes of the dumps that were extracted from the logs.) */
static enum etc_status put_logs(struct work *w, const struct group *g, struct etc_emit *e,
                                struct etc_error *err)
{
	etc_emit_open(e, "logs", '[');
	for (uint32_t i = 0; i < g->dump_count; i++) {
		struct etc_input_file log = { .path = g->inputs[i].dump.path };

		if (!g->inputs[i].from_log)
			continue;
		ETC_TRY(etc_session_open(w->session, log.path, &log.bytes, err));
		etc_emit_open(e, NULL, '{');
		etc_emit_cstr(e, "path", log.path);
		etc_emit_text(e, "sha256", etc_file_hash(&log, &w->session->arena));
		etc_emit_close(e);
	}
	etc_emit_close(e);
	return ETC_OK;
}

/* Returns the number of events in the event lists of the group's largest dump. Runs that logged the
 * same events share one event list, so these events count once. */
static size_t events_of(const struct group *g)
{
	size_t most = 0;

	for (uint32_t i = 0; i < g->dump_count; i++) {
		const struct etc_trace *t = &g->inputs[i].trace;
		size_t count = 0;

		for (size_t k = 0; k < t->template_count; k++)
			count += t->templates[k].count;
		most = count > most ? count : most;
	}
	return most;
}

static bool can_ask(const struct key *k, const struct group *g)
{
	if (k != keys && events_of(g) > MOST_EVENTS)
		return false;
	return !k->record || etc_inputs_record(&g->inputs[0]);
}

/* Returns the operands for `memory`: the program, and the group's first dump. The dump is left out
 * if it comes from standard input or from a log, or is truncated, because `memory` cannot read it
 * then. */
static struct etc_opt_list memory_files(const struct group *g, const char *files[2])
{
	const struct etc_inputs *first = &g->inputs[0];

	files[0] = first->program.path;
	files[1] = first->dump.path;
	if (strcmp(files[1], "-") == 0 || first->from_log || first->trace.salvage)
		return (struct etc_opt_list){ files, 1 };
	return (struct etc_opt_list){ files, 2 };
}

/* Returns the values of --peak, joined by commas. */
static const char *peaks_of(const struct work *w)
{
	const struct etc_opt_list *all = &w->request->plan.peak;
	const char *text = all->count ? all->v[0] : "";

	for (uint32_t i = 1; i < all->count && text; i++)
		text = etc_arena_printf(&w->session->arena, "%s,%s", text, all->v[i]).ptr;
	return text;
}

static void put_peaks(const struct etc_peaks *p, struct etc_emit *e)
{
	etc_emit_open(e, "peaks", '{');
	for (uint8_t t = 0; t < ETC_WORK_OTHER; t++)
		if (p->gflops[t] > 0)
			etc_emit_real(e, etc_work_type_name(t), p->gflops[t]);
	if (p->gbps > 0)
		etc_emit_real(e, "gbps", p->gbps);
	if (p->gbps_cache > 0 && p->cache_bytes)
		etc_emit_real(e, "gbps_cache", p->gbps_cache);
	etc_emit_close(e);
}

/* Writes the titles of the columns of --roofline, each as a member with the name of its column. */
static void put_titles(struct etc_emit *e)
{
	const char *name, *title;

	etc_emit_open(e, "titles", '{');
	for (unsigned i = 0; (title = etc_roofline_title(i, &name)); i++)
		etc_emit_cstr(e, name, title);
	etc_emit_close(e);
}

/* If peaks are known, writes the rows by operator with their rooflines. */
static enum etc_status ask_roofline(struct work *w, const struct group *g, struct etc_emit *e,
                                    struct etc_error *err)
{
	const struct etc_peaks *peaks = &w->session->settings.peaks;
	struct asked what = { .format = "json", .by = "op", .brief = true, .peaks = peaks_of(w) };
	struct etc_text text = { 0 };
	enum etc_status st;

	if (!etc_peaks_given(peaks) || events_of(g) > MOST_ROOFS)
		return ETC_OK;
	ETC_NEED(what.peaks, err);
	put_peaks(peaks, e);
	put_titles(e);
	st = ask(w, "analyze", &g->operands, &what, &text, err);
	if (st == ETC_OK) {
		etc_emit_name(e, "roofline");
		etc_text_pass(e->out, etc_text_str(&text));
	}
	etc_text_release(&text);
	return st;
}

static enum etc_status ask_group(struct work *w, const struct group *g, struct etc_emit *e,
                                 struct etc_error *err)
{
	const char *files[2];
	struct etc_timelines counts = { .room = MOST_SLICES / w->count };

	etc_emit_block(e, NULL, '{');
	etc_emit_block(e, "by", '{');
	for (unsigned k = 0; k < sizeof keys / sizeof keys[0]; k++)
		if (can_ask(&keys[k], g))
			ETC_TRY(ask_rows(w, "analyze", &g->operands, keys[k].word, e, err));
	etc_emit_close(e);
	put_left(w, e, "left");
	put_heads(w, e);
	ETC_TRY(ask_roofline(w, g, e, err));
	put_runs(w, e);
	ETC_TRY(put_logs(w, g, e, err));
	if (etc_inputs_program(&g->inputs[0])) {
		const struct etc_opt_list both = memory_files(g, files);

		ETC_TRY(ask_json(w, "memory", &both, e, "memory", err));
	}
	/* Release the memory of the files, which were read for their hashes and are not needed any
	 * more. */
	etc_session_rest(w->session, (struct etc_span){ 0 });
	etc_emit_block(e, "timelines", '[');
	for (uint32_t i = 0; i < g->dump_count; i++)
		if (!etc_inputs_known(g->inputs, i, &g->inputs[i], &w->session->arena))
			ETC_TRY(etc_report_timelines(&g->inputs[i], &w->plan, w->session, &counts,
			                             e, err));
	etc_emit_close(e);
	etc_emit_close(e);
	return ETC_OK;
}

/* Can the rows of all groups be compared by the key `k`? */
static bool can_compare(const struct work *w, const struct key *k)
{
	bool all = w->count > 1 && strcmp(k->word, "fallback") != 0;

	for (uint32_t g = 0; g < w->count; g++)
		all = all && can_ask(k, &w->groups[g]);
	return all;
}

static enum etc_status ask_changes(struct work *w, struct etc_emit *e, struct etc_error *err)
{
	etc_emit_block(e, "changes", '{');
	for (unsigned k = 0; k < sizeof keys / sizeof keys[0]; k++)
		if (can_compare(w, &keys[k]))
			ETC_TRY(ask_rows(w, "diff", &w->request->common.operands, keys[k].word, e,
			                 err));
	etc_emit_close(e);
	put_left(w, e, "left");
	ETC_TRY(ask(w, "diff", &w->request->common.operands,
	            &(struct asked){ .format = "text", .brief = true }, &w->screen, err));
	etc_emit_name(e, "screen");
	etc_text_json_string(e->out, etc_text_str(&w->screen));
	return ETC_OK;
}

/* Returns the number of tables that the page will have. */
static uint32_t count_tables(const struct work *w)
{
	uint32_t n = 0;

	for (unsigned k = 0; k < sizeof keys / sizeof keys[0]; k++) {
		n += can_compare(w, &keys[k]);
		for (uint32_t g = 0; g < w->count; g++)
			n += can_ask(&keys[k], &w->groups[g]);
	}
	return n;
}

/* Calls each() once for every code that a note has. */
static enum etc_status for_codes(struct work *w,
                                 enum etc_status (*each)(struct work *w, const char *code,
                                                         void *arg, struct etc_error *err),
                                 void *arg, struct etc_error *err)
{
	for (const struct etc_note *n = w->asker->notes.first; n; n = n->next) {
		const struct etc_note *before = w->asker->notes.first;

		while (before->code != n->code)
			before = before->next;
		if (before == n)
			ETC_TRY(each(w, etc_code_info(n->code)->name, arg, err));
	}
	return ETC_OK;
}

static enum etc_status ask_code(struct work *w, const char *code, void *arg, struct etc_error *err)
{
	return ask_json(w, "explain", &(struct etc_opt_list){ &code, 1 }, arg, NULL, err);
}

/* Writes the notes N0670, which are about the page itself, so that no answer of a command has
 * them. */
static void put_own_notes(struct work *w, struct etc_emit *e)
{
	etc_emit_open(e, "notes", '[');
	for (const struct etc_note *n = w->asker->notes.first; n; n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);
		char text[512];

		if (n->code != N0670)
			continue;
		etc_code_message(info, n->text, text, sizeof text);
		etc_emit_open(e, NULL, '{');
		etc_emit_cstr(e, "code", info->name);
		etc_emit_cstr(e, "text", text);
		etc_emit_text(e, "place", n->file.len ? n->file : ETC_STR_NONE);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static enum etc_status ask_all(struct work *w, struct etc_error *err)
{
	struct etc_emit e = { .out = &w->data };

	w->room = MOST_BYTES;
	w->tables = count_tables(w);
	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.report/1"));
	etc_emit_text(&e, "version", ETC_STR(ETCORE_VERSION));
	etc_emit_block(&e, "groups", '[');
	for (uint32_t g = 0; g < w->count; g++)
		ETC_TRY(ask_group(w, &w->groups[g], &e, err));
	etc_emit_close(&e);
	if (w->count > 1)
		ETC_TRY(ask_changes(w, &e, err));
	put_own_notes(w, &e);
	etc_emit_block(&e, "codes", '[');
	ETC_TRY(for_codes(w, ask_code, &e, err));
	etc_emit_close(&e);
	etc_emit_close(&e);
	return w->data.failed ? etc_no_memory(err) : ETC_OK;
}

/* ---- title ------------------------------------------------------------------------- */

/* Makes the title of the page: the name of the file or files, or the groups that are compared. */
static enum etc_status make_title(struct work *w, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	const char *names = w->request->names;

	w->title = ETC_STR("");
	for (uint32_t i = 0; i < w->count; i++) {
		const struct group *g = &w->groups[i];
		const int name = names ? (int)strcspn(names, ",") : 0;
		const char *before = w->title.ptr, *between = i ? " against " : "";

		if (name)
			w->title =
				etc_arena_printf(arena, "%s%s%.*s", before, between, name, names);
		else if (g->dump_count > 1)
			w->title = etc_arena_printf(arena, "%s%s%u files: %s …", before, between,
			                            g->dump_count, g->dumps[0]);
		else
			w->title = etc_arena_printf(arena, "%s%s%s", before, between, g->dumps[0]);
		ETC_NEED(w->title.ptr, err);
		names = names && names[name] ? names + name + 1 : NULL;
	}
	return ETC_OK;
}

/* ---- markdown ---------------------------------------------------------------------- */

static enum etc_status put_part(struct work *w, const char *title, const char *question,
                                const struct etc_opt_list *operands, const char *by,
                                struct etc_error *err)
{
	enum etc_status st;

	etc_text_printf(&w->markdown, "\n<details><summary>%s</summary>\n\n", title);
	st = ask(w, question, operands, &(struct asked){ .format = "markdown", .by = by },
	         &w->markdown, err);
	etc_text_cstr(&w->markdown, "\n</details>\n");
	return st;
}

/* Writes the text as a code block of Markdown. The fence has more backquotes than any sequence of
 * backquotes in the text. */
static void put_block(struct etc_text *out, struct etc_str text)
{
	size_t longest = 3, now = 0;

	for (size_t i = 0; i < text.len; i++) {
		now = text.ptr[i] == '`' ? now + 1 : 0;
		longest = now >= longest ? now + 1 : longest;
	}
	etc_text_repeat(out, "`", longest);
	etc_text_cstr(out, "text\n");
	etc_text_pass(out, text);
	etc_text_repeat(out, "`", longest);
	etc_text_char(out, '\n');
}

static enum etc_status put_memory(struct work *w, const struct group *g, struct etc_error *err)
{
	const char *files[2];
	struct etc_text text = { 0 };
	enum etc_status st;
	const struct etc_opt_list both = memory_files(g, files);

	st = ask(w, "memory", &both, &(struct asked){ .format = "text" }, &text, err);
	if (st == ETC_OK) {
		etc_text_cstr(&w->markdown, "\n## Memory\n\n");
		put_block(&w->markdown, etc_text_str(&text));
	}
	etc_text_release(&text);
	return st;
}

static enum etc_status put_code(struct work *w, const char *code, void *arg, struct etc_error *err)
{
	struct etc_text text = { 0 };
	enum etc_status st = ask(w, "explain", &(struct etc_opt_list){ &code, 1 },
	                         &(struct asked){ .format = "text" }, &text, err);

	(void)arg;
	if (st == ETC_OK) {
		etc_text_printf(&w->markdown, "\n<details><summary>%s</summary>\n\n", code);
		put_block(&w->markdown, etc_text_str(&text));
		etc_text_cstr(&w->markdown, "\n</details>\n");
	}
	etc_text_release(&text);
	return st;
}

static enum etc_status put_markdown(struct work *w, struct etc_error *err)
{
	const struct group *first = &w->groups[0];
	const char *question = w->count > 1 ? "diff" : "analyze";
	const struct etc_opt_list *all = &w->request->common.operands;
	char title[64];

	etc_text_cstr(&w->markdown, "# ");
	etc_text_markdown_name(&w->markdown, w->title);
	etc_text_cstr(&w->markdown, "\n\n");
	ETC_TRY(ask(w, question, all, &(struct asked){ .format = "markdown" }, &w->markdown, err));
	for (unsigned k = 1; k < sizeof keys / sizeof keys[0]; k++) {
		const bool known =
			w->count == 1 ? can_ask(&keys[k], first) : can_compare(w, &keys[k]);

		snprintf(title, sizeof title, "By %s", keys[k].word);
		if (known)
			ETC_TRY(put_part(w, title, question, all, keys[k].word, err));
	}
	if (w->count == 1) {
		ETC_TRY(put_part(w, "Runs", question, all, "run", err));
		if (etc_inputs_program(&first->inputs[0]))
			ETC_TRY(put_memory(w, first, err));
	}
	etc_text_cstr(&w->markdown, "\n## What the notes mean\n");
	ETC_TRY(for_codes(w, put_code, NULL, err));
	return w->markdown.failed ? etc_no_memory(err) : ETC_OK;
}

/* ---- the answer ------------------------------------------------------------------- */

/* Implements etc_target_writer: writes the report in one format, as page or as Markdown document.
 * `what` is a struct work. */
static enum etc_status write_one(const struct etc_format *format, bool for_file, void *what,
                                 struct etc_text *out, struct etc_error *err)
{
	struct work *w = what;

	(void)for_file;
	(void)err;
	if (is_page(format))
		etc_report_page(w->title, etc_text_str(&w->data), out);
	else
		etc_text_pass(out, etc_text_str(&w->markdown));
	return ETC_OK;
}

/* Runs all commands whose answers the formats need. If one of the commands fails, nothing is
 * written. */
static enum etc_status prepare(struct work *w, struct etc_error *err)
{
	bool page = false, markdown = false;

	ETC_TRY(make_title(w, err));
	for (uint32_t i = 0; i < w->targets.count; i++) {
		page = page || is_page(w->targets.v[i].format);
		markdown = markdown || !is_page(w->targets.v[i].format);
	}
	for (uint32_t g = 0; g < w->count; g++)
		if (events_of(&w->groups[g]) > MOST_EVENTS)
			etc_note_each(&w->asker->notes, N0670,
			              "all but those by operator, of %zu events",
			              events_of(&w->groups[g]));
	if (page)
		ETC_TRY(ask_all(w, err));
	return markdown ? put_markdown(w, err) : ETC_OK;
}

static enum etc_status run(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	static const struct etc_format formats[] =
		ETC_FORMAT_ARRAY(ETC_REPORT_FORMATS, ETC_NAMED_FORMAT);
	const struct etc_report_request *r = w->request;
	struct etc_session *s = w->session;

	ETC_TRY(etc_plan_make(&w->plan, &r->common, &r->plan, s, err));
	w->plan.roofline = false; /* the answer of `analyze` has the rooflines */
	ETC_TRY(etc_targets_parse(&w->targets, formats, &r->output, &s->arena, err));
	if (r->common.terminal && !r->output.count)
		return etc_fail(
			err, E0501,
			"a page of HTML is not for a terminal: -o report.html, or -o markdown");
	ETC_TRY(split(w, err));
	ETC_TRY(etc_session_plugins(s, &r->common, 0, err));
	for (uint32_t g = 0; g < w->count; g++)
		ETC_TRY(open_dumps(w, &w->groups[g], err));
	ETC_TRY(prepare(w, err));
	s->notes = w->asker->notes; /* these notes include the notes of the inputs */
	ETC_TRY(etc_session_report(s, r->common.strict, reply, err));
	return etc_targets_write(&w->targets, write_one, w, reply->out, err);
}

/* Makes the report. E0501, E0560, E0904, and the errors of the commands that it runs. */
static enum etc_status make_report(struct etc_session *s, const void *options,
                                   const struct etc_reply *reply, struct etc_error *err)
{
	static const char *const own[] = { "output", "etrecord", "pte", "names", "peak", NULL };
	const struct etc_report_request *request = options;
	struct etc_asker asker = { .question = &etc_ask_report,
		                   .args = &request->common,
		                   .own = own,
		                   .arena = &s->arena };
	struct work w = { .request = request, .asker = &asker, .session = s };
	enum etc_status st;

	etc_notes_init(&asker.notes, &s->arena);
	asker.notes.file = etc_str_of(request->common.operands.v[0]);
	st = run(&w, reply, err);
	if (st == ETC_OK)
		st = etc_session_end(s, err);
	etc_text_release(&w.data);
	etc_text_release(&w.left);
	etc_text_release(&w.hashes);
	etc_text_release(&w.screen);
	etc_text_release(&w.runs);
	etc_text_release(&w.markdown);
	etc_plan_release(&w.plan);
	return st;
}

/* ---- options ------------------------------------------------------------------- */

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct etc_report_request, etrecord), "FILE", NULL,
	  "the ETRecord of all dumps (default: those among or beside them)" },
	{ 'm', "pte", ETC_OPT_FILE, offsetof(struct etc_report_request, program), "FILE", NULL,
	  "the program of all dumps (default: those among or beside them)" },
	ETC_NO_SIBLINGS_ROW(struct etc_report_request, no_siblings),
	ETC_OUTPUT_ROW(struct etc_report_request, ETC_REPORT_FORMATS, ""),
	{ 0, "names", ETC_OPT_TEXT, offsetof(struct etc_report_request, names), "A,B,…", NULL,
	  "names of the groups (default: the parts of their paths that differ)" },
	ETC_METHOD_ROW(struct etc_report_request, plan.method),
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct etc_report_request, plan.stat), "STATISTIC",
	  "typical|mean|median|min", "how the times of the runs become one time (default: typical)" },
	ETC_WARMUP_ROW(struct etc_report_request),
	ETC_PEAK_ROW(struct etc_report_request, "the roofline with"),
	ETC_COMPARE_ROWS(struct etc_report_request, "the first group"),
	ETC_ANALYSIS_ROWS(struct etc_report_request),
};
/* clang-format on */

const struct etc_question etc_ask_report = {
	.name = "report",
	.summary = "one page to look at: table, flame graph, timeline, runs, memory",
	.usage = "FILE… [-- FILE…] [-o report.html]",
	.examples = "etcore report run.etdump -o report.html\n"
		    "etcore report before.etdump -- after.etdump -o diff.html\n"
		    "etcore report run.etdump -o markdown",
	.groups = true,
	ETC_OPTIONS(struct etc_report_request),
	.needs = "which file? etcore report run.etdump -o report.html",
	.answer = make_report,
};
