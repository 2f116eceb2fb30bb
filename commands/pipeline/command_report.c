/* command_report.c -- runs `etcore pipeline report`, which writes the report of a run folder; see
 * pipeline.h. */
#include "context/ask.h"
#include "context/output.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/recompute.h"
#include "commands/pipeline/report.h"
#include "commands/pipeline/validate.h"
#include "base/sha256_text.h"
#include "formats/etrecord/etrecord.h"
#include "formats/runner/runner_log.h"

enum { MOST_LOG = 64 << 20 };

static void put_text(void *what, struct etc_text *out)
{
	etc_summary_text(what, out);
}

static void put_json(void *what, struct etc_text *out)
{
	etc_summary_json(what, out);
}

static void put_html(void *what, struct etc_text *out)
{
	const struct etc_summary *s = what;

	etc_text_pass(out, etc_text_str(&s->page));
}

/* clang-format off */
#define REPORT_FORMATS(X) ETC_TEXT_JSON_FORMATS(X) X("html", "htm", put_html)
/* clang-format on */
static const struct etc_format formats[] = ETC_FORMAT_ARRAY(REPORT_FORMATS, ETC_DOCUMENT_FORMAT);

/* ---- the record --------------------------------------------------------------------- */

/* Finds the record next to the model. The model is searched first at the path that the folder's
 * files name, then at the same path below the run folder. NULL: there is no record. */
static const char *find_record(struct etc_session *s, const struct etc_run_folder *f)
{
	const char *model = etc_arena_cstr(&s->arena, f->model);
	const char *below = etc_run_folder_path(f, f->model, &s->arena);
	const char *found;

	if (!f->model.len || !model || !below)
		return NULL;
	found = etc_record_beside(model, &s->arena);
	return found ? found : etc_record_beside(below, &s->arena);
}

/* Opens the record, if there is one. If a record was found but cannot be read, it is ignored, and
 * W0422 is reported. If the user named the record, this is an error. */
static enum etc_status open_record(struct etc_session *s, const char *given,
                                   struct etc_report_job *job, struct etc_error *err)
{
	const char *path = given ? given : find_record(s, &job->folder);
	struct etc_error why = { .at = -1 };
	struct etc_span bytes;
	enum etc_status st;

	if (!path)
		return ETC_OK;
	if (!given)
		etc_session_found(s, path);
	s->notes.file = etc_str_of(path);
	st = etc_session_open(s, path, &bytes, &why);
	if (st == ETC_OK)
		st = etc_etrecord_read(bytes, ETC_RECORD_ALL, &s->arena, &s->notes, &job->record,
		                       &why);
	if (st != ETC_OK && (given || st == ETC_NOMEM)) {
		*err = why;
		return etc_in_file(err, st, path);
	}
	if (st != ETC_OK) {
		etc_note(&s->notes, W0422, "%s: %s: %s", path, etc_code_info(why.code)->name,
		         why.text);
		return ETC_OK;
	}
	job->has_record = true;
	job->summary.etrecord = path;
	return ETC_OK;
}

/* ---- the model ------------------------------------------------------------------------ */

static enum etc_status open_model(struct etc_report_job *job, struct etc_error *err)
{
	struct etc_arena *arena = job->summary.arena;
	struct etc_str sha256 = etc_tree_string(job->folder.manifest.tree, "model_sha256");

	if (job->folder.kind != ETC_FOLDER_ETCORE)
		return ETC_OK;
	return etc_model_open(&job->model, etc_arena_cstr(arena, job->folder.model),
	                      etc_arena_cstr(arena, sha256), arena, err);
}

/* ---- dumps and experiments ----------------------------------------------------------- */

/* Returns the name of the folder that contains the file; empty for the run folder itself. */
static struct etc_str parent_of(const struct etc_folder_entry *e)
{
	size_t end = e->rel.len - etc_path_name(e->rel).len;

	return etc_path_name(etc_str_sub(e->rel, 0, end - (end > 0)));
}

static struct etc_str id_of(const struct etc_folder_entry *e)
{
	struct etc_str name = etc_path_name(e->rel);

	return etc_str_sub(name, 0, name.len - strlen(".etdump"));
}

/* Returns the experiment of a dump, and sets *threads to its number of threads. If it is known
 * which process of the run wrote the dump, both are those of the process. Otherwise the experiment
 * is the name of the dump's folder, and the number of threads is taken from the dump's name. */
static struct etc_str experiment_of(const struct etc_run_folder *f,
                                    const struct etc_folder_entry *e, uint64_t *threads)
{
	const struct etc_folder_job *of = etc_run_folder_job(f, e);
	struct etc_str name = etc_dump_experiment(id_of(e), threads), parent = parent_of(e);

	if (of && of->threads)
		*threads = of->threads;
	if (of && of->experiment.len)
		return of->experiment;
	return parent.len ? parent : name;
}

/* Sets the dump's experiment. If the dump is a copy, `twin` is the dump that counts in its place,
 * and the copy gets the same experiment. Otherwise `twin` is NULL. */
static void place_dump(struct etc_report_job *job, struct etc_summary_dump *d,
                       const struct etc_folder_entry *twin)
{
	const struct etc_folder_job *of = etc_run_folder_job(&job->folder, d->entry);
	struct etc_summary *s = &job->summary;

	d->experiment = experiment_of(&job->folder, twin ? twin : d->entry, &d->threads);
	d->order = of ? of->order : 0;
	for (d->of = 0; d->of < s->experiment_count; d->of++)
		if (etc_str_eq(s->experiments[d->of].name, d->experiment) &&
		    s->experiments[d->of].threads == d->threads)
			break;
	if (d->of == s->experiment_count) {
		s->experiments[s->experiment_count++] =
			(struct etc_summary_experiment){ .name = d->experiment,
			                                 .threads = d->threads };
		etc_map_init(&job->operators[d->of].known, s->arena);
	}
	s->experiments[d->of].dumps += !twin;
}

static enum etc_status make_room(struct etc_report_job *job, struct etc_error *err)
{
	struct etc_summary *s = &job->summary;
	uint32_t n = job->folder.dumps.count;

	s->dumps = etc_new(s->arena, struct etc_summary_dump, n);
	s->experiments = etc_new(s->arena, struct etc_summary_experiment, n);
	job->operators = etc_new(s->arena, struct etc_report_operators, n);
	job->hashes = etc_new(s->arena, const char *, n);
	ETC_NEED(s->dumps && s->experiments && job->operators && job->hashes, err);
	for (uint32_t i = 0; i < n; i++)
		if (job->folder.dumps.v[i].kind == ETC_ENTRY_FILE && job->folder.dumps.v[i].bytes)
			job->hashes[i] =
				etc_file_sha256(job->folder.dumps.v[i].path, s->arena, NULL);
	return ETC_OK;
}

/* Does the entry of the folder stand for a dump that does not belong to the run? A run folder made
 * by etcore lists the run's dumps. Other dumps in the folder (for example of an earlier run) are
 * not counted. */
static bool is_stranger(const struct etc_run_folder *f, const struct etc_folder_entry *e)
{
	const struct etc_folder_job *of = etc_run_folder_job(f, e);

	if (f->kind != ETC_FOLDER_ETCORE || !f->job_count)
		return false;
	for (uint32_t i = 0; of && i < f->dumps.count; i++)
		if (&f->dumps.v[i] != e && etc_str_eq(f->dumps.v[i].rel, of->etdump))
			/* the process wrote that other dump, which has the same file name as `e` */
			return true;
	return !of;
}

static void leave_out(struct etc_report_job *job, const struct etc_folder_entry *e)
{
	struct etc_notes *notes = &job->session->notes;

	notes->file = etc_arena_str(job->summary.arena, e->rel);
	etc_note_each(notes, W1070, "no process of the run wrote it");
}

/* Of several equal dumps in the folder, only one counts. If dump `at` does not count, returns the
 * dump that counts in its place; otherwise NULL.
 *
 * Of equal dumps of one experiment, the one that a process of the run wrote counts; if no process
 * wrote one of them, the first one whose number of threads is known; else the first one. A dump
 * that no process wrote also does not count if it equals a dump of another experiment that a
 * process wrote. */
static const struct etc_folder_entry *twin_of(const struct etc_report_job *job, uint32_t at)
{
	const struct etc_run_folder *f = &job->folder;
	const struct etc_folder_entry *v = f->dumps.v;
	bool named = etc_run_folder_job(f, &v[at]) != NULL;
	uint64_t threads, others;
	struct etc_str name = experiment_of(f, &v[at], &threads);

	for (uint32_t i = 0; job->hashes[at] && i < f->dumps.count; i++) {
		int better;

		if (i == at || !job->hashes[i] || strcmp(job->hashes[i], job->hashes[at]) != 0 ||
		    is_stranger(f, &v[i]))
			continue;
		better = 2 * ((etc_run_folder_job(f, &v[i]) != NULL) - named);
		if (better > 0)
			return &v[i];
		if (!etc_str_eq(name, experiment_of(f, &v[i], &others)) ||
		    (threads && others && threads != others))
			continue;
		better += (others > 0) - (threads > 0);
		if (better > 0 || (!better && i < at))
			return &v[i];
	}
	return NULL;
}

/* Does the manifest have a hash of the dump that differs from the hash of the dump's bytes? */
static bool is_replaced(const struct etc_report_job *job, uint32_t at)
{
	const struct etc_folder_job *of =
		etc_run_folder_job(&job->folder, &job->folder.dumps.v[at]);

	return of && of->etdump_sha256.len && job->hashes[at] &&
	       !etc_str_eq(of->etdump_sha256, etc_str_of(job->hashes[at]));
}

/* If the dump was left out of the report, or the kit's tables of the dump were not made, reports
 * why. */
static void note_problems(struct etc_report_job *job, const struct etc_summary_dump *d)
{
	struct etc_notes *notes = &job->session->notes;

	notes->file = etc_arena_str(job->summary.arena, d->entry->rel);
	if (d->why.code == N0180)
		etc_note_each(notes, N0180, "%s", d->why.text);
	else if (d->why.code != ETC_CODE_NONE)
		etc_note_each(notes, W1070, "%s: %s", etc_code_info(d->why.code)->name,
		              d->why.text);
	if (d->kit_why.code != ETC_CODE_NONE)
		etc_note_each(notes, W1071, "%s: %s", etc_code_info(d->kit_why.code)->name,
		              d->kit_why.text);
}

/* Compares the number of threads in the log of the process that wrote the dump with that of the
 * run, and reports a difference. Does nothing if the log is missing or cannot be read. */
static enum etc_status check_threads(struct etc_report_job *job, const struct etc_summary_dump *d,
                                     struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_folder_job *of = etc_run_folder_job(&job->folder, d->entry);
	const struct etc_folder_entry *log =
		of && of->log.len ? etc_run_folder_find(&job->folder.logs, of->log) : NULL;
	struct etc_summary_experiment *x = &job->summary.experiments[d->of];
	struct etc_notes *notes = &job->session->notes;
	struct etc_runner_log r;
	struct etc_file file;
	enum etc_status st;

	if (!log || !d->threads || etc_file_open_found(&file, log->path, MOST_LOG, NULL) != ETC_OK)
		return ETC_OK;
	st = etc_runner_log_read((struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len },
	                         arena, &r, err);
	etc_file_release(&file);
	ETC_TRY(st);
	if (r.threads < 0 || (uint64_t)r.threads == d->threads)
		return ETC_OK;
	notes->file = etc_arena_str(job->summary.arena, log->rel);
	etc_note_each(notes, W1024, ETC_STR_FMT " with %llu thread%s: %d, not %llu",
	              ETC_STR_ARG(d->experiment), (unsigned long long)d->threads,
	              etc_plural(d->threads), r.threads, (unsigned long long)d->threads);
	x->other_threads = true;
	x->told_threads = (uint32_t)r.threads;
	return ETC_OK;
}

/* Does an argument in the experiment's `extra_args` name a model? The experiment then has that
 * model, not the model of the run. */
static bool has_own_model(const struct etc_report_job *job, struct etc_str experiment)
{
	const struct etc_tree *manifest = job->folder.manifest.tree;

	for (const struct etc_tree *x = etc_tree_first(manifest, "experiments"); x; x = x->next)
		if (etc_str_eq(etc_tree_string(x, "name"), experiment))
			for (const struct etc_tree *t = etc_tree_first(x, "extra_args"); t;
			     t = t->next)
				if (etc_model_is_named_by(etc_tree_text(t)))
					return true;
	return false;
}

/* Measures a dump. A dump that cannot be of the model is not measured. */
static enum etc_status measure_dump(struct etc_report_job *job, struct etc_dump_work *w,
                                    struct etc_summary_dump *d, struct etc_error *err)
{
	const struct etc_model *model = has_own_model(job, d->experiment) ? NULL : job->model;
	const char *why;

	ETC_TRY(etc_model_contradicts(model, &w->trace, &w->arena, &why, err));
	if (!why)
		return etc_report_measure(job, w, d, err);
	(void)etc_fail(&d->why, W1079, "%s", why);
	return ETC_OK;
}

static enum etc_status report_dump(struct etc_report_job *job, uint32_t at, struct etc_error *err)
{
	const struct etc_folder_entry *e = &job->folder.dumps.v[at], *twin = twin_of(job, at);
	struct etc_summary_dump *d = &job->summary.dumps[job->summary.dump_count++];
	struct etc_dump_work w = { 0 };
	enum etc_status st = ETC_OK;

	*d = (struct etc_summary_dump){
		.entry = e, .id = id_of(e), .load_ms = -1, .sha256 = job->hashes[at]
	};
	d->why.at = d->kit_why.at = -1;
	place_dump(job, d, twin);
	if (twin)
		(void)etc_fail(&d->why, N0180, "it is " ETC_STR_FMT, ETC_STR_ARG(twin->rel));
	else if (is_replaced(job, at))
		(void)etc_fail(&d->why, E1060, "it is not the dump that the process wrote");
	else if (e->kind != ETC_ENTRY_FILE || !e->bytes)
		(void)etc_fail(&d->why, E1055, "%s",
		               e->kind == ETC_ENTRY_FILE ? "there is nothing in it"
		                                         : "it is no file");
	else if (etc_dump_work_open(&w, e->path, &job->session->settings.limits, &d->why) == ETC_OK)
		st = measure_dump(job, &w, d, err);
	if (st == ETC_OK && d->why.code == ETC_CODE_NONE)
		st = check_threads(job, d, &w.arena, err);
	if (st == ETC_OK && d->why.code == ETC_CODE_NONE)
		st = etc_report_tables(job, &w, d, err);
	etc_dump_work_close(&w);
	note_problems(job, d);
	return st;
}

static enum etc_status check_folder(const struct etc_run_folder *f, struct etc_error *err)
{
	if (f->why_not)
		return etc_fail(err, E1051, "%s: %s", f->why_not, f->path);
	if (!f->dumps.count && f->kind == ETC_FOLDER_NONE)
		return etc_fail(err, E1054, "%s", f->path);
	return ETC_OK;
}

/* Returns an error if no dump could be measured. (The report contains the reasons in any case.) */
static enum etc_status check_any(const struct etc_summary *s, struct etc_error *err)
{
	const struct etc_error *why = &s->dumps[0].why;

	for (uint32_t i = 0; i < s->dump_count; i++)
		if (s->dumps[i].why.code == ETC_CODE_NONE)
			return ETC_OK;
	if (!s->dump_count)
		return etc_fail(err, E1054, "%s%s", s->folder->path,
		                s->failure_count ? "; the report has the reasons"
		                : etc_run_folder_dumpless(s->folder)
		                        ? "; none was recorded, as the configuration says (etdump)"
		                        : "");
	return etc_fail(err, E1055, "%s: %s: %s%s", s->dumps[0].entry->path,
	                etc_code_info(why->code)->name, why->text,
	                s->dump_count > 1 ? "; nor any other" : "");
}

/* Lists the dumps that were measured, with "--" between the groups; each experiment is a group.
 * *names is set to the names of the groups. It is set to NULL if there is only one group, or if a
 * name contains a comma. */
static enum etc_status list_groups(const struct etc_summary *s, struct etc_opt_list *files,
                                   const char **names, struct etc_error *err)
{
	struct etc_str all = { 0 };
	uint32_t groups = 0;
	bool comma = false;

	for (uint32_t e = 0; e < s->experiment_count; e++) {
		const struct etc_summary_experiment *of = &s->experiments[e];
		uint32_t first = files->count;

		for (uint32_t d = 0; d < s->dump_count; d++) {
			if (s->dumps[d].of != e || s->dumps[d].why.code != ETC_CODE_NONE)
				continue;
			if (files->count == first && groups++)
				ETC_TRY(etc_opt_append(files, "--", s->arena, err));
			ETC_TRY(etc_opt_append(files, s->dumps[d].entry->path, s->arena, err));
		}
		if (files->count == first)
			continue;
		comma = comma || etc_str_find(of->label, ETC_STR(","), 0) != SIZE_MAX;
		all = etc_arena_printf(s->arena, ETC_STR_FMT "%s" ETC_STR_FMT, ETC_STR_ARG(all),
		                       all.len ? "," : "", ETC_STR_ARG(of->label));
		ETC_NEED(all.ptr, err);
	}
	*names = comma || groups < 2 ? NULL : all.ptr;
	return ETC_OK;
}

/* Takes the HTML pages out of the targets. */
static void drop_pages(struct etc_targets *targets)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < targets->count; i++)
		if (targets->v[i].format->document != put_html)
			targets->v[kept++] = targets->v[i];
	targets->count = kept;
}

/* If -o asks for an HTML page, makes the page with `etcore report`. */
static enum etc_status ask_page(struct etc_report_job *job, struct etc_targets *targets,
                                struct etc_error *err)
{
	static const char *const own[] = { "output", "etrecord", "config", "strict", NULL };
	struct etc_asker asker = { .question = etc_ask_find("pipeline"),
		                   .args = &job->options->common,
		                   .own = own,
		                   .arena = job->summary.arena };
	struct etc_ask_option more[5] = { { "output", "html" } };
	struct etc_opt_list files = { 0 };
	const char *names = NULL;
	unsigned n = 1;
	bool wanted = false;

	for (uint32_t i = 0; i < targets->count; i++)
		wanted = wanted || targets->v[i].format->document == put_html;
	if (!wanted)
		return ETC_OK;
	etc_notes_init(&asker.notes, asker.arena);
	ETC_TRY(list_groups(&job->summary, &files, &names, err));
	if (!files.count) {
		/* the other formats and the warnings say for each dump why it is not used */
		drop_pages(targets);
		return ETC_OK;
	}
	if (!job->options->common.no_isolate) /* plugins are also isolated while the page is made */
		more[n++] = (struct etc_ask_option){ "isolate", NULL };
	if (names)
		more[n++] = (struct etc_ask_option){ "names", names };
	if (job->summary.etrecord)
		more[n++] = (struct etc_ask_option){ "etrecord", job->summary.etrecord };
	return etc_ask(&asker, "report", &files, more, &job->summary.page, err);
}

static uint8_t profile_of(const char *word)
{
	uint8_t p = ETC_PROFILE_ETCORE;

	while (word && p < ETC_PROFILES && strcmp(etc_profile_names[p], word) != 0)
		p++;
	/* the option parser has checked the value */
	return p < ETC_PROFILES ? p : ETC_PROFILE_ETCORE;
}

/* Checks that the documents of the folder can be read. A folder with a metrics.json must also have
 * a manifest.json. A folder without any document contains only dumps, and is accepted. */
static void check_documents(const struct etc_run_folder *f, struct etc_findings *out)
{
	if (f->manifest.there || f->metrics.there)
		(void)etc_folder_document_usable(&f->manifest, "manifest.json", out);
	if (f->metrics.there)
		(void)etc_folder_document_usable(&f->metrics, "metrics.json", out);
	if (f->summary.there)
		(void)etc_folder_document_usable(&f->summary, "pipeline_summary.json", out);
}

/* Searches for the contradictions that `etcore pipeline validate` reports for a folder made by
 * etcore. This is needed because the report takes settings, order and states from the manifest. */
static enum etc_status find_contradictions(struct etc_report_job *job, struct etc_error *err)
{
	struct etc_summary *s = &job->summary;
	struct etc_findings found = { .arena = s->arena };

	etc_validate_summaries(&job->folder, &found);
	check_documents(&job->folder, &found);
	etc_validate_members(&job->folder, &found);
	ETC_TRY(etc_recompute(&job->folder, false, &found, err));
	if (found.no_memory)
		return etc_no_memory(err);
	for (uint32_t i = 0; i < found.count; i++) {
		const struct etc_finding *f = &found.v[i];

		if (f->code == W1020 || f->code == W1078) {
			job->session->notes.file = f->where;
			etc_note_each(&job->session->notes, f->code, ETC_STR_FMT,
			              ETC_STR_ARG(f->text));
		}
		/* a process that has not run yet is not a contradiction */
		if (!f->fails || f->code == E1068)
			continue;
		if (!s->contradiction_count++)
			s->contradiction = etc_arena_printf(
				s->arena, ETC_STR_FMT "%s" ETC_STR_FMT, ETC_STR_ARG(f->where),
				f->where.len ? ": " : "", ETC_STR_ARG(f->text));
	}
	job->session->notes.file = (struct etc_str){ 0 };
	if (s->contradiction_count)
		etc_note_each(&job->session->notes, W1076,
		              ETC_STR_FMT "; %u contradiction%s in all",
		              ETC_STR_ARG(s->contradiction), s->contradiction_count,
		              etc_plural(s->contradiction_count));
	return ETC_OK;
}

/* Reports the dumps that the two sides of a comparison have in common. */
static void note_shared(struct etc_report_job *job)
{
	const struct etc_summary *s = &job->summary;

	job->session->notes.file = (struct etc_str){ 0 };
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		const struct etc_summary_comparison *c = &s->comparisons[i];

		if (c->shared)
			etc_note_each(&job->session->notes, N0141, ETC_STR_FMT " and " ETC_STR_FMT,
			              ETC_STR_ARG(c->shared->entry->rel),
			              ETC_STR_ARG(c->shared_with->entry->rel));
	}
}

static enum etc_status run(struct etc_report_job *job, const struct etc_reply *reply,
                           struct etc_error *err)
{
	const struct etc_pipeline_options *o = job->options;
	struct etc_session *s = job->session;
	struct etc_targets targets;

	job->summary.compare = etc_compare_defaults();
	ETC_TRY(etc_compare_options_parse(&o->compare, &job->summary.compare, err));
	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	ETC_TRY(etc_session_plugins(s, &o->common, ETC_SESSION_GATE, err));
	ETC_TRY(etc_run_folder_read(o->folder, &s->arena, &job->folder, err));
	ETC_TRY(check_folder(&job->folder, err));
	ETC_TRY(find_contradictions(job, err));
	ETC_TRY(make_room(job, err));
	ETC_TRY(open_record(s, o->etrecord, job, err));
	ETC_TRY(open_model(job, err));
	for (uint32_t i = 0; i < job->folder.dumps.count; i++)
		if (is_stranger(&job->folder, &job->folder.dumps.v[i]))
			leave_out(job, &job->folder.dumps.v[i]);
		else
			ETC_TRY(report_dump(job, i, err));
	etc_report_operators_finish(job);
	ETC_TRY(etc_summary_finish(&job->summary, err));
	note_shared(job);
	if (!job->summary.failure_count)
		ETC_TRY(check_any(&job->summary, err));
	ETC_TRY(etc_report_pairs(job, err));
	ETC_TRY(etc_report_traces(job, err));
	ETC_TRY(etc_report_documents(job, err));
	ETC_TRY(ask_page(job, &targets, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	ETC_TRY(etc_targets_document(&targets, &job->summary, reply->out, err));
	ETC_TRY(check_any(&job->summary, err));
	return etc_summary_verdict(&job->summary, err);
}

enum etc_status etc_pipeline_report(struct etc_session *s, const void *options,
                                    const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_pipeline_options *o = options;
	struct etc_report_job job = { .options = o, .session = s };
	enum etc_status st;

	job.summary = (struct etc_summary){ .folder = &job.folder,
		                            .arena = &s->arena,
		                            .shown = profile_of(o->categories) };
	st = run(&job, reply, err);
	etc_text_release(&job.summary.page);
	etc_model_close(job.model);
	return st;
}
