/* baseline.c -- runs `etcore baseline`: saves, joins and describes baselines; see requests.h */
#include "commands/compare/requests.h"

#include <stdlib.h>

#include "commands/compare/diff_profiles.h"
#include "context/files.h"
#include "commands/compare/gate_record.h"
#include "profile/plan.h"
#include "commands/compare/stored.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/opened.h"
#include "commands/compare/baseline_write.h"
#include "base/exact.h"
#include "base/memory.h"
#include "table/words.h"
#include "model/baseline.h"

/* ---- text ----------------------------------------------------------------------------- */

static void put_count(struct etc_text *out, uint64_t n, const char *what)
{
	etc_text_printf(out, "%llu %s%s", (unsigned long long)n, what, etc_plural(n));
}

/* Writes the line about a file, such as "main.baseline: 3 dumps, 303 runs, 41210 bytes". */
static void put_line(const struct etc_baseline *baseline, struct etc_str name, size_t bytes,
                     struct etc_text *out)
{
	uint64_t runs = 0;

	for (uint32_t d = 0; d < baseline->count; d++) {
		const struct etc_profile *p = &baseline->dumps[d].views[ETC_BASELINE_EVENT];

		for (uint32_t i = 0; i < p->path_count; i++)
			runs += p->paths[i].runs;
	}
	etc_text_shown(out, name);
	etc_text_cstr(out, ": ");
	put_count(out, baseline->count, "dump");
	etc_text_cstr(out, ", ");
	put_count(out, runs, "run");
	etc_text_cstr(out, ", ");
	put_count(out, bytes, "byte");
	etc_text_char(out, '\n');
}

/* Sets *median to the median time of the kept runs. If their number is even, it is the mean of the
 * two times in the middle. Returns false if there are no kept runs, or if out of memory. */
static bool median_of(const struct etc_profile_path *p, double *median)
{
	uint64_t *v = etc_malloc((p->kept ? p->kept : 1) * sizeof *v);
	struct etc_ratio middle;

	if (!v || !p->kept) {
		free(v);
		return false;
	}
	memcpy(v, p->samples + p->warmup, p->kept * sizeof *v);
	qsort(v, p->kept, sizeof *v, etc_by_u64);
	middle = etc_ratio((etc_u128)v[(p->kept - 1) / 2] + v[p->kept / 2], (etc_u128)2 * p->den);
	*median = etc_ratio_double(middle);
	free(v);
	return true;
}

static void put_path(struct etc_text *out, const struct etc_profile *p, uint32_t path)
{
	const struct etc_profile_path *of = &p->paths[path];
	struct etc_scale scale;
	size_t from, to;
	double median;

	etc_profile_rows(p, path, &from, &to);
	etc_text_cstr(out, "  ");
	etc_text_shown(out, of->method.len ? of->method : ETC_STR("execute"));
	if (p->path_count > 1)
		etc_text_printf(out, ", path %u", of->number);
	etc_text_cstr(out, ": ");
	if (median_of(of, &median)) {
		scale = etc_scale_of(p, median);
		etc_text_cstr(out, "median ");
		etc_text_scaled(out, median, scale);
		etc_text_printf(out, " %s, ", scale.name);
	}
	put_count(out, of->kept, "run");
	etc_text_printf(out, " and %zu of warm-up, ", of->warmup);
	put_count(out, to - from, "event");
	etc_text_char(out, '\n');
}

static void put_files(struct etc_text *out, const struct etc_baseline_dump *d)
{
	static const char *const names[ETC_BASELINE_FILES] = { "", "ETRecord", "debug buffer",
		                                               "program" };

	for (int i = 0; i < ETC_BASELINE_FILES; i++) {
		const struct etc_baseline_file *f = &d->files[i];

		if (!f->path.len)
			continue;
		etc_text_cstr(out, i ? "  " : "");
		etc_text_cstr(out, names[i]);
		etc_text_cstr(out, i ? " " : "");
		etc_text_shown(out, f->path);
		etc_text_cstr(out, ": ");
		put_count(out, f->bytes, "byte");
		etc_text_cstr(out, ", SHA-256 ");
		etc_text_shown(out, f->sha256);
		etc_text_char(out, '\n');
	}
}

static void put_dump(struct etc_text *out, const struct etc_baseline_dump *d)
{
	const struct etc_profile *p = &d->views[ETC_BASELINE_EVENT];

	etc_text_char(out, '\n');
	put_files(out, d);
	for (uint32_t i = 0; i < p->path_count; i++)
		put_path(out, p, i);
	if (p->path_count == 0)
		etc_text_cstr(out, "  no execute run\n");
	etc_text_cstr(out, "  saved by etcore ");
	etc_text_shown(out, d->etcore.len ? d->etcore : ETC_STR("?"));
	for (uint32_t i = 0; i < d->plugin_count; i++) {
		etc_text_cstr(out, ", ");
		etc_text_shown(out, d->plugins[i]);
	}
	etc_text_printf(out, "; --warmup %llu, ", (unsigned long long)d->warmup);
	put_count(out, d->note_count, "note");
	etc_text_char(out, '\n');
}

/* Writes the screen of `baseline show`. `name` is the name of the file, `bytes` its size. */
static void put_screen(const struct etc_baseline *baseline, struct etc_str name, size_t bytes,
                       struct etc_text *out)
{
	put_line(baseline, name, bytes, out);
	for (uint32_t d = 0; d < baseline->count; d++)
		put_dump(out, &baseline->dumps[d]);
}

/* ---- actions -------------------------------------------------------------------------- */

enum action { SAVE, MERGE, SHOW, ACTIONS };

struct work {
	const struct etc_baseline_request *request;
	struct etc_session *session;
	struct etc_plan plan;
	const char *const *paths; /* operands after save, merge or show */
	uint32_t path_count;
	struct etc_file_groups files;
	struct etc_baseline baseline;
	enum action action;
};

static const struct etc_str actions[ACTIONS] = {
	[SAVE] = { "save", 4 },
	[MERGE] = { "merge", 5 },
	[SHOW] = { "show", 4 },
};

/* ---- options ------------------------------------------------------------------------ */

static enum etc_status find_action(struct work *w, struct etc_error *err)
{
	const struct etc_baseline_request *r = w->request;
	const struct etc_opt_list *operands = &r->common.operands;
	struct etc_str word, near;

	if (!operands->count)
		return etc_fail(err, E0501, "baseline save, merge or show?");
	word = etc_str_of(operands->v[0]);
	near = etc_nearest(word, actions, ACTIONS);
	w->paths = operands->v + 1;
	w->path_count = operands->count - 1;
	while (w->action < ACTIONS && !etc_str_eq(word, actions[w->action]))
		w->action++;
	if (w->action == ACTIONS)
		return etc_fail(err, E0504, "baseline %s%s" ETC_STR_FMT "%s", operands->v[0],
		                near.len ? "; did you mean '" : "; there are save, merge, show",
		                ETC_STR_ARG(near), near.len ? "'?" : "");
	if (w->path_count == 0)
		return etc_fail(err, E0501, "baseline %s: of which files?", operands->v[0]);
	if (w->action == SHOW ? r->output != NULL : !r->output)
		return etc_fail(err, E0501, "%s",
		                w->action == SHOW ? "baseline show writes to standard output"
		                                  : "where to? -o FILE; '-' is standard output");
	return ETC_OK;
}

static enum etc_status open_files(struct work *w, struct etc_error *err)
{
	const struct etc_baseline_request *r = w->request;
	struct etc_group_options o = r->groups;

	o.files = w->paths;
	o.file_count = w->path_count;
	o.single = true;
	ETC_TRY(etc_plan_make(&w->plan, &r->common, &r->plan, w->session, err));
	ETC_TRY(etc_groups_parse(&w->files, &o, w->session, err));
	if (w->files.count != 1)
		return etc_fail(err, E0501, "baseline: one group of files, without '--'");
	if (w->action == SAVE)
		ETC_TRY(etc_session_plugins(w->session, &r->common, 0, err));
	return etc_groups_open(&w->files, &o, w->session, err);
}

/* ---- dumps -------------------------------------------------------------------------- */

static enum etc_status list_files(const struct etc_inputs *in, struct etc_arena *arena,
                                  struct etc_baseline_dump *to, struct etc_error *err)
{
	const struct etc_input_file *files[ETC_BASELINE_FILES] = {
		[ETC_BASELINE_DUMP] = &in->dump,
		[ETC_BASELINE_RECORD] = &in->etrecord,
		[ETC_BASELINE_BUFFER] = &in->debug_buffer,
		[ETC_BASELINE_PROGRAM] = &in->program,
	};

	for (int i = 0; i < ETC_BASELINE_FILES; i++) {
		struct etc_baseline_file *f = &to->files[i];

		if (!files[i]->path)
			continue;
		*f = (struct etc_baseline_file){ etc_str_of(files[i]->path),
			                         etc_file_hash(files[i], arena),
			                         files[i]->bytes.len };
		ETC_NEED(f->sha256.ptr, err);
	}
	return ETC_OK;
}

static bool is_about(const struct etc_note *n, const struct etc_baseline_dump *d)
{
	for (int i = 0; i < ETC_BASELINE_FILES; i++)
		if (d->files[i].path.len && etc_str_eq(n->file, d->files[i].path))
			return true;
	return false;
}

/* Stores the diagnostics about the dump in to->notes. The notes up to and including `end` were
 * reported when the dump's files were read; all later notes were reported when its profile was
 * made. If `end` is NULL, all notes are later ones. */
static enum etc_status list_notes(const struct etc_notes *notes, const struct etc_note *end,
                                  struct etc_arena *arena, struct etc_baseline_dump *to,
                                  struct etc_error *err)
{
	struct etc_baseline_note *list = etc_new(arena, struct etc_baseline_note, notes->kinds);
	bool of_profile = end == NULL;

	ETC_NEED(list, err);
	to->notes = list;
	for (const struct etc_note *n = notes->first; n; n = n->next) {
		if (is_about(n, to))
			list[to->note_count++] = (struct etc_baseline_note){
				.code = etc_str_of(etc_code_info(n->code)->name),
				.file = n->file,
				.text = n->text,
				.count = n->count,
				.of_profile = of_profile,
			};
		of_profile = of_profile || n == end;
	}
	return ETC_OK;
}

static enum etc_status make_views(struct work *w, const struct etc_inputs *in,
                                  struct etc_baseline_dump *to, struct etc_error *err)
{
	struct etc_session *s = w->session;
	struct etc_notes said;
	enum etc_status st;

	s->notes.file = etc_str_of(in->dump.path);
	ETC_TRY(etc_diff_profile(&w->plan, in, ETC_BY_EVENT, true, s,
	                         &to->views[ETC_BASELINE_EVENT], err));
	/* the diagnostics of the second profile are dropped, since the first profile caused the
	 * same ones */
	said = s->notes;
	etc_notes_init(&s->notes, &s->arena);
	st = etc_diff_profile(&w->plan, in, ETC_BY_DELEGATE, true, s,
	                      &to->views[ETC_BASELINE_DELEGATE], err);
	s->notes = said;
	return st;
}

static enum etc_status make_dumps(struct work *w, struct etc_error *err)
{
	struct etc_session *s = w->session;
	const struct etc_file_group *g = &w->files.v[0];
	struct etc_baseline_dump *dumps =
		etc_new(&s->arena, struct etc_baseline_dump, g->dump_count);
	const struct etc_note *end = NULL;

	ETC_NEED(dumps, err);
	for (const struct etc_note *n = s->notes.first; n; n = n->next)
		end = n;
	w->baseline = (struct etc_baseline){ dumps, g->dump_count };
	for (uint32_t d = 0; d < g->dump_count; d++) {
		const struct etc_inputs *in = &g->inputs[d];

		if (in->stored) {
			dumps[d] = *in->stored;
			continue;
		}
		if (w->action != SAVE)
			return etc_in_file(err,
			                   etc_fail(err, E0176, "it is a dump; save takes those"),
			                   in->dump.path);
		dumps[d] = (struct etc_baseline_dump){ .etcore = ETC_STR(ETCORE_VERSION),
			                               .typical = ETC_STR(ETC_BASELINE_TYPICAL),
			                               .warmup = w->plan.profile.warmup };
		ETC_TRY(list_files(in, &s->arena, &dumps[d], err));
		ETC_TRY(etc_list_plugins(&s->host, &s->arena, &dumps[d].plugins,
		                         &dumps[d].plugin_count, err));
		ETC_TRY(make_views(w, in, &dumps[d], err));
	}
	for (uint32_t d = 0; d < g->dump_count; d++)
		if (!g->inputs[d].stored)
			ETC_TRY(list_notes(&s->notes, end, &s->arena, &dumps[d], err));
	return ETC_OK;
}

/* ---- the answer --------------------------------------------------------------------- */

static void remark(struct work *w)
{
	struct etc_notes *notes = &w->session->notes;

	notes->file = (struct etc_str){ 0 };
	for (uint32_t d = 0; d < w->baseline.count; d++)
		if (w->baseline.dumps[d].views[ETC_BASELINE_EVENT].path_count == 0)
			etc_note_each(notes, W0168, "%s", w->files.v[0].dumps[d]);
}

static enum etc_status show(struct work *w, struct etc_text *out, struct etc_error *err)
{
	struct etc_span bytes;

	if (w->path_count != 1)
		return etc_fail(err, E0501, "baseline show: one file");
	ETC_TRY(etc_session_open(w->session, w->paths[0], &bytes, err));
	put_screen(&w->baseline, etc_str_of(w->paths[0]), bytes.len, out);
	return ETC_OK;
}

/* Is the existing file a baseline? `merge` and `save` do not overwrite other files. */
static bool is_baseline(const char *path)
{
	struct etc_file file;
	bool is;

	if (etc_file_open_found(&file, path, 0, NULL) != ETC_OK)
		return false;
	is = etc_stored_is(file.bytes);
	etc_file_release(&file);
	return is;
}

/* Reports the dumps that were given twice. Such a dump counts once. */
static void say_copies(const struct etc_notes *notes, struct etc_text *out)
{
	for (const struct etc_note *n = notes->first; n; n = n->next)
		if (n->code == N0180)
			etc_text_tell(out, "  N0180  %s: " ETC_STR_FMT "\n",
			              etc_code_info(n->code)->title, ETC_STR_ARG(n->text));
}

static enum etc_status write_file(struct work *w, struct etc_text *out, struct etc_error *err)
{
	const char *path = w->request->output;
	struct etc_text text = { 0 };
	enum etc_status st;

	if (strcmp(path, "-") == 0)
		return etc_write_baseline(&w->baseline, &w->session->arena, out, err);
	st = etc_opened_spare(path, err);
	if (st != ETC_OK && !is_baseline(path))
		return st;
	st = etc_write_baseline(&w->baseline, &w->session->arena, &text, err);
	if (st == ETC_OK)
		st = etc_file_write(path, etc_text_str(&text), err);
	if (st == ETC_OK) {
		put_line(&w->baseline, etc_str_of(path), text.len, out);
		say_copies(&w->session->notes, out);
	}
	etc_text_release(&text);
	return st;
}

static enum etc_status run(struct work *w, const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_session *s = w->session;

	ETC_TRY(find_action(w, err));
	ETC_TRY(open_files(w, err));
	ETC_TRY(make_dumps(w, err));
	remark(w);
	ETC_TRY(etc_session_report(s, w->request->common.strict, reply, err));
	reply->out->prose = !w->request->output || strcmp(w->request->output, "-") != 0;
	return w->action == SHOW ? show(w, reply->out, err) : write_file(w, reply->out, err);
}

enum etc_status etc_baseline(struct etc_session *s, const void *options,
                             const struct etc_reply *reply, struct etc_error *err)
{
	struct work w = { .request = options, .session = s };
	enum etc_status st = run(&w, reply, err);

	etc_plan_release(&w.plan);
	return st;
}
