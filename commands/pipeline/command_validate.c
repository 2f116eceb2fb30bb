/* command_validate.c -- runs `etcore pipeline validate`, which checks a run folder and its dumps;
 * see pipeline.h. */
#include <time.h>

#include "context/output.h"
#include "commands/pipeline/dump.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/findings.h"
#include "commands/pipeline/gates.h"
#include "commands/pipeline/kit_stats.h"
#include "commands/pipeline/latency.h"
#include "formats/runner/failures.h"
#include "commands/pipeline/recompute.h"
#include "commands/pipeline/validate.h"

enum level { AUTO, SCHEMA, CONTENT, QUALITY, LEVELS };
static const char *const level_names[LEVELS] = { "auto", "schema", "content", "quality" };

enum { MOST_LOG = 64 << 20 };

struct job {
	struct etc_session *session;
	struct etc_run_folder folder;
	struct etc_findings findings;
	enum level level;
};

/* ---- the level of checks --------------------------------------------------------------- */

static bool is_etdump(const char *path)
{
	struct etc_file file;
	bool is = false;

	if (etc_file_open_found(&file, path, 64, NULL) == ETC_OK) {
		is = etc_file_kind_of(file.bytes) == ETC_FILE_ETDUMP;
		etc_file_release(&file);
	}
	return is;
}

/* Is the run folder an example, such as those of the kit's tests? Such a folder has no readable
 * ETDump and no log. */
static bool is_example(const struct etc_run_folder *f)
{
	if (f->logs.count || f->traces.count || f->kind == ETC_FOLDER_ETCORE || !f->dumps.count)
		return false;
	for (uint32_t i = 0; i < f->dumps.count; i++)
		if (f->dumps.v[i].kind == ETC_ENTRY_FILE && is_etdump(f->dumps.v[i].path))
			return false;
	return true;
}

/* ---- dumps ----------------------------------------------------------------------------- */

/* Did a clock run backwards during a Method::execute event, or from one such event to the next? */
static bool is_skewed(const struct etc_trace *t)
{
	uint64_t before = 0;

	for (size_t r = 0; r < t->run_count; r++) {
		const struct etc_template *s = etc_run_template(t, &t->runs[r]);

		for (uint32_t e = 0; e < s->count; e++) {
			size_t at = t->runs[r].first_sample + s->events[e].column;

			if (!etc_event_is_execute(&s->events[e]))
				continue;
			if (t->end[at] < t->start[at] || t->start[at] < before)
				return true;
			before = t->start[at];
		}
	}
	return false;
}

static double execution_ms(const struct etc_trace *t, size_t run)
{
	const struct etc_template *s = etc_run_template(t, &t->runs[run]);

	for (uint32_t e = 0; e < s->count; e++) {
		size_t at = t->runs[run].first_sample + s->events[e].column;

		if (etc_event_is_execute(&s->events[e]))
			return t->end[at] > t->start[at] ? (double)(t->end[at] - t->start[at]) / 1e6
			                                 : 0;
	}
	return -1;
}

static enum etc_status check_quality(struct job *j, struct etc_dump_work *w, struct etc_str where,
                                     uint64_t warmup, struct etc_error *err)
{
	double *v = etc_new(&w->arena, double, w->trace.run_count);
	struct etc_kit_robust r;
	struct etc_gates gates;
	size_t n = 0;

	ETC_NEED(v, err);
	for (size_t run = 0; run < w->trace.run_count; run++) {
		double ms = execution_ms(&w->trace, run);

		if (ms < 0)
			continue;
		if (warmup)
			warmup--;
		else
			v[n++] = ms;
	}
	/* the latencies of a process of etcore are added to those of the other processes of its
	 * unit, so one process may have few */
	if (n < ETC_LATENCY_FEWEST && j->folder.kind != ETC_FOLDER_ETCORE) {
		etc_finding(&j->findings, W1062, where,
		            "%zu executions; of fewer than %d no difference can be significant", n,
		            ETC_LATENCY_FEWEST);
		return ETC_OK;
	}
	if (!n)
		return ETC_OK;
	ETC_TRY(etc_kit_robust_of(v, n, &w->arena, &r, err));
	etc_gates_read(j->folder.manifest.tree, &gates, NULL);
	if (r.clean_cv > gates.cv_max_pct)
		etc_finding(&j->findings, W1062, where,
		            "latencies vary by %.1f %% even without outliers; cv_max_pct is %g",
		            r.clean_cv, gates.cv_max_pct);
	return ETC_OK;
}

/* Checks the statistics that G3 (the kit's package) computed from the dump and stored in the
 * summary. */
static enum etc_status check_summary(struct job *j, struct etc_dump_work *w,
                                     const struct etc_folder_job *of, struct etc_str where,
                                     struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_kit_analysis a;
	struct etc_dump_kit kit;
	enum etc_status st = etc_dump_work_kit(w, where, NULL, &kit, &why);

	if (st == ETC_NOMEM) {
		*err = why;
		return st;
	}
	if (st != ETC_OK)
		return ETC_OK; /* the Inspector raises an exception, so the kit has no numbers */
	ETC_TRY(etc_kit_analyse(&kit.dump, &a, err));
	if (a.runs)
		etc_validate_summary(of, &a.robust, where, &j->findings);
	return ETC_OK;
}

static enum etc_status check_contents(struct job *j, struct etc_dump_work *w,
                                      const struct etc_folder_entry *e, struct etc_error *err)
{
	const struct etc_folder_job *of = etc_run_folder_job(&j->folder, e);
	size_t executions = etc_dump_work_executions(w);
	/* G1 (the kit's first scripts) starts one process per run, and keeps the dump of the last
	 * one */
	uint64_t wanted = of && j->folder.kind != ETC_FOLDER_G1 ? of->runs + of->warmup : 1;

	if (executions < wanted)
		etc_finding(&j->findings, E1057, e->rel, "%zu of %llu executions", executions,
		            (unsigned long long)wanted);
	else if (!executions)
		etc_finding(&j->findings, E1057, e->rel, "no Method::execute event");
	else if (of && of->runs && j->folder.kind == ETC_FOLDER_G3 && executions > wanted)
		etc_finding(&j->findings, E1059, e->rel, "%zu executions of %llu", executions,
		            (unsigned long long)wanted);
	if (is_skewed(&w->trace))
		etc_finding(&j->findings, W1061, e->rel,
		            "a Method::execute ends before it starts, "
		            "or starts before the one before it");
	if (of && j->folder.kind == ETC_FOLDER_G3)
		ETC_TRY(check_summary(j, w, of, e->rel, err));
	return j->level == QUALITY ? check_quality(j, w, e->rel, of ? of->warmup : 0, err) : ETC_OK;
}

static enum etc_status check_dump(struct job *j, const struct etc_folder_entry *e,
                                  struct etc_error *err)
{
	static const char *const odd[] = { [ETC_ENTRY_FOLDER] = "it is a folder",
		                           [ETC_ENTRY_DANGLING] = "a link to nowhere",
		                           [ETC_ENTRY_SPECIAL] = "it is no file" };
	struct etc_error why = { .at = -1 };
	struct etc_dump_work w;
	enum etc_status st;

	if (e->kind != ETC_ENTRY_FILE) {
		etc_finding(&j->findings, E1055, e->rel, "%s", odd[e->kind]);
		return ETC_OK;
	}
	if (!e->bytes) {
		etc_finding(&j->findings, E1055, e->rel, "there is nothing in it");
		return ETC_OK;
	}
	st = etc_dump_work_open(&w, e->path, &j->session->settings.limits, &why);
	if (st == ETC_OK)
		st = check_contents(j, &w, e, err);
	else
		etc_finding_error(&j->findings, E1055, e->rel, &why);
	etc_dump_work_close(&w);
	return why.code ? ETC_OK : st;
}

static enum etc_status check_dumps(struct job *j, struct etc_error *err)
{
	uint64_t before = j->findings.failed;

	for (uint32_t i = 0; i < j->folder.dumps.count; i++)
		ETC_TRY(check_dump(j, &j->folder.dumps.v[i], err));
	if (j->findings.failed == before && j->folder.dumps.count)
		etc_finding_passed(&j->findings, "contents of %lu ETDump%s",
		                   (unsigned long)j->folder.dumps.count,
		                   etc_plural(j->folder.dumps.count));
	return ETC_OK;
}

/* ---- logs ------------------------------------------------------------------------------- */

static void check_log(struct job *j, const struct etc_folder_entry *e)
{
	struct etc_log_facts facts;
	struct etc_error why = { .at = -1 };
	struct etc_file file;
	struct etc_str text;

	if (e->kind != ETC_ENTRY_FILE) {
		etc_finding(&j->findings, E1051, e->rel, "the log is no file");
		return;
	}
	if (etc_file_open_found(&file, e->path, MOST_LOG, &why) != ETC_OK) {
		etc_finding_error(&j->findings, E1051, e->rel, &why);
		return;
	}
	text = (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len };
	etc_log_read(text, &facts);
	if (facts.failed.len)
		etc_finding(&j->findings, E1058, e->rel, ETC_STR_FMT, ETC_STR_ARG(facts.failed));
	else if (facts.not_a_number.len)
		etc_finding(&j->findings, E1059, e->rel, "an output is no number: " ETC_STR_FMT,
		            ETC_STR_ARG(facts.not_a_number));
	else
		etc_validate_log(&j->folder, e, text, &j->findings);
	etc_file_release(&file);
}

static void check_logs(struct job *j)
{
	uint64_t before = j->findings.failed;

	for (uint32_t i = 0; i < j->folder.logs.count; i++)
		check_log(j, &j->folder.logs.v[i]);
	if (j->findings.failed == before && j->folder.logs.count)
		etc_finding_passed(&j->findings, "%lu log%s", (unsigned long)j->folder.logs.count,
		                   etc_plural(j->folder.logs.count));
}

/* ---- the answer -------------------------------------------------------------------------- */

static enum etc_status choose_level(struct job *j, const char *word)
{
	for (j->level = AUTO; word && strcmp(level_names[j->level], word) != 0;)
		j->level++; /* find the level called `word` */
	if (j->level != AUTO)
		return ETC_OK;
	j->level = CONTENT;
	if (is_example(&j->folder)) {
		j->level = SCHEMA;
		etc_finding(&j->findings, W1056, (struct etc_str){ 0 },
		            "no dump is an ETDump, and there is no log");
	}
	return ETC_OK;
}

static enum etc_status judge(struct job *j, const char *word, struct etc_error *err)
{
	etc_validate_layout(&j->folder, &j->findings);
	ETC_TRY(choose_level(j, word));
	if (j->level >= CONTENT) {
		etc_validate_jobs(&j->folder, &j->findings);
		etc_validate_times(&j->folder, (int64_t)time(NULL), &j->findings);
		etc_validate_hashes(&j->folder, &j->findings);
		ETC_TRY(check_dumps(j, err));
		check_logs(j);
		ETC_TRY(etc_recompute(&j->folder, j->level == QUALITY, &j->findings, err));
	}
	return j->findings.no_memory ? etc_no_memory(err) : ETC_OK;
}

enum etc_status etc_pipeline_validate(struct etc_session *s, const void *options,
                                      const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_pipeline_options *o = options;
	struct job j = { .session = s, .findings = { .arena = &s->arena } };
	struct etc_targets targets;

	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_targets_parse(&targets, etc_verdict_formats, &o->output, &s->arena, err));
	j.findings.strict = o->common.strict || (o->level && strcmp(o->level, "quality") == 0);
	ETC_TRY(etc_run_folder_read(o->folder, &s->arena, &j.folder, err));
	ETC_TRY(judge(&j, o->level, err));
	return etc_verdict_give(
		&(struct etc_verdict){
			.folder = &j.folder,
			.findings = &j.findings,
			.schema = "etcore.pipeline.validate/1",
			.level = level_names[j.level],
			.only_layout = j.level == SCHEMA,
			.code = E1050,
		},
		&targets, s, reply, err);
}
