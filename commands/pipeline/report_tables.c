/* report_tables.c -- see report_tables.h */
#include "commands/pipeline/report_tables.h"

#include "base/folder.h"
#include "context/output.h"

/* ---- writing ----------------------------------------------------------------------------- */

/* The folder of --into, else the run folder. */
static const char *top_of(const struct etc_report_job *job)
{
	return job->options->into ? job->options->into : job->folder.path;
}

enum etc_status etc_report_folder(struct etc_report_job *job, const struct etc_folder_entry *e,
                                  const char **out, struct etc_error *err)
{
	const char *top = top_of(job);
	size_t n = e ? e->rel.len : 0;
	char *path;

	while (n && e->rel.ptr[n - 1] != '/')
		n--;
	path = etc_arena_cstr(job->summary.arena,
	                      etc_arena_printf(job->summary.arena, "%s%s%.*s", top, n ? "/" : "",
	                                       (int)(n ? n - 1 : 0), e ? e->rel.ptr : ""));
	ETC_NEED(path, err);
	*out = path;
	return job->options->into ? etc_folder_make_all(top, err) : ETC_OK;
}

enum etc_status etc_report_write(struct etc_report_job *job, const char *folder, struct etc_str id,
                                 const char *suffix, etc_file_writer *fn, const void *what,
                                 const char **path, struct etc_error *err)
{
	const char *name = etc_arena_printf(job->summary.arena, "%s/" ETC_STR_FMT "%s", folder,
	                                    ETC_STR_ARG(id), suffix)
	                           .ptr;

	ETC_NEED(name, err);
	ETC_TRY(etc_output_write(top_of(job), name, fn, what, err));
	if (path)
		*path = name;
	return ETC_OK;
}

/* ---- of a dump ------------------------------------------------------------------------------ */

struct tables {
	const struct etc_kit_dump *dump;
	const struct etc_kit_analysis *analysis;
	struct etc_arena *arena;
};

static enum etc_status all_runs(const void *what, struct etc_text *out, struct etc_error *err)
{
	const struct tables *t = what;

	return etc_kit_all_runs_csv(t->dump, t->arena, out, err);
}

static enum etc_status run0(const void *what, struct etc_text *out, struct etc_error *err)
{
	(void)err;
	etc_kit_run0_csv(((const struct tables *)what)->dump, out);
	return ETC_OK;
}

static enum etc_status ops_stats(const void *what, struct etc_text *out, struct etc_error *err)
{
	const struct tables *t = what;

	return etc_kit_ops_stats_csv(t->dump, t->arena, out, err);
}

static enum etc_status category_summary(const void *what, struct etc_text *out,
                                        struct etc_error *err)
{
	(void)err;
	etc_kit_category_summary_csv(((const struct tables *)what)->analysis, out);
	return ETC_OK;
}

static enum etc_status operator_details(const void *what, struct etc_text *out,
                                        struct etc_error *err)
{
	(void)err;
	etc_kit_operator_details_csv(((const struct tables *)what)->analysis, out);
	return ETC_OK;
}

static enum etc_status e2e_latency(const void *what, struct etc_text *out, struct etc_error *err)
{
	(void)err;
	etc_kit_e2e_latency_csv(((const struct tables *)what)->analysis, out);
	return ETC_OK;
}

static enum etc_status other_top_ops(const void *what, struct etc_text *out, struct etc_error *err)
{
	(void)err;
	(void)etc_kit_other_top_ops_csv(((const struct tables *)what)->analysis, out);
	return ETC_OK;
}

static enum etc_status robust_stats(const void *what, struct etc_text *out, struct etc_error *err)
{
	(void)err;
	etc_kit_robust_json(((const struct tables *)what)->analysis, out);
	return ETC_OK;
}

static bool has_other(const struct etc_kit_analysis *a)
{
	for (uint32_t i = 0; i < a->operator_count; i++)
		if (strcmp(a->operators[i].category, "OTHER") == 0)
			return true;
	return false;
}

/* A dump whose name ends in "_xtrace" has other file names. */
static struct etc_str prefix_of(struct etc_str id, struct etc_arena *arena)
{
	bool xtrace = etc_str_ends(id, ETC_STR("_xtrace"));
	struct etc_str stem = xtrace ? etc_str_sub(id, 0, id.len - 7) : id;

	return etc_arena_printf(arena, ETC_STR_FMT "%s", ETC_STR_ARG(stem),
	                        xtrace ? "_xtrace" : "_exec");
}

static enum etc_status write_all(struct etc_report_job *job, const struct tables *t,
                                 struct etc_summary_dump *d, struct etc_error *err)
{
	struct etc_str prefix = prefix_of(d->id, job->summary.arena);
	const struct {
		struct etc_str prefix;
		const char *suffix;
		etc_file_writer *fn;
		const char **path;
		bool wanted;
	} rows[] = {
		{ prefix, "_all_runs_timeline.csv", all_runs, &d->all_runs, true },
		{ prefix, "_run0_timeline.csv", run0, &d->timeline, true },
		{ prefix, "_ops_stats.csv", ops_stats, &d->stats, true },
		{ d->id, "_category_summary.csv", category_summary, NULL, t->analysis->runs > 0 },
		{ d->id, "_operator_details.csv", operator_details, NULL, t->analysis->runs > 0 },
		{ d->id, "_e2e_latency.csv", e2e_latency, NULL, t->analysis->runs > 0 },
		{ d->id, "_other_top_ops.csv", other_top_ops, NULL, has_other(t->analysis) },
		{ prefix, "_all_runs_timeline_robust_stats.json", robust_stats, NULL,
		  t->analysis->runs > 0 },
	};
	const char *folder;

	ETC_NEED(prefix.ptr, err);
	ETC_TRY(etc_report_folder(job, d->entry, &folder, err));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].wanted)
			ETC_TRY(etc_report_write(job, folder, rows[i].prefix, rows[i].suffix,
			                         rows[i].fn, t, rows[i].path, err));
	return ETC_OK;
}

/* Keeps the data that comparisons of pairs need. */
static enum etc_status keep(struct etc_report_job *job, const struct etc_kit_analysis *a,
                            struct etc_summary_dump *d, struct etc_error *err)
{
	struct etc_kit_category *c =
		etc_new(job->summary.arena, struct etc_kit_category, a->category_count);

	ETC_NEED(c, err);
	if (a->category_count)
		memcpy(c, a->categories, a->category_count * sizeof *c);
	d->kit = *a;
	d->kit.id = d->id;
	d->kit.categories = c;
	d->kit.operators = NULL;
	d->kit.operator_count = 0;
	d->kit.latency_ms = NULL;
	return ETC_OK;
}

/* Keeps the categories in the order in which the kit encounters them. */
static void keep_categories(const struct etc_dump_kit *kit, struct etc_summary_dump *d)
{
	uint32_t before = 0;

	d->rows = kit->rows;
	memcpy(d->hints, kit->hints, sizeof d->hints);
	for (int n = 0; n < 5; n++) {
		int best = -1;

		for (int c = 0; c < 5; c++)
			if (kit->v1_seen[c] && kit->first_v1[c] > before &&
			    (best < 0 || kit->first_v1[c] < kit->first_v1[best]))
				best = c;
		if (best < 0)
			return;
		before = kit->first_v1[best];
		d->kit_category[n] = etc_kit_v1_names[best];
		d->kit_ms[n] = kit->v1_ms[best];
	}
}

enum etc_status etc_report_tables(struct etc_report_job *job, struct etc_dump_work *w,
                                  struct etc_summary_dump *d, struct etc_error *err)
{
	const struct etc_record *record =
		job->has_record && !job->record.inspector_refuses ? &job->record : NULL;
	struct etc_kit_analysis analysis;
	struct etc_dump_kit kit;
	enum etc_status st = etc_dump_work_kit(w, d->id, record, &kit, &d->kit_why);

	if (st == ETC_NOMEM) {
		*err = d->kit_why;
		return st;
	}
	if (st != ETC_OK)
		return ETC_OK;
	ETC_TRY(etc_kit_analyse(&kit.dump, &w->arena, &analysis, err));
	keep_categories(&kit, d);
	ETC_TRY(write_all(job, &(struct tables){ &kit.dump, &analysis, &w->arena }, d, err));
	return keep(job, &analysis, d, err);
}

/* ---- of a pair ---------------------------------------------------------------------------------- */

struct pair {
	const struct etc_kit_analysis *base, *candidate;
	const char *base_name, *candidate_name;
};

static enum etc_status comparison(const void *what, struct etc_text *out, struct etc_error *err)
{
	const struct pair *p = what;

	(void)err;
	etc_kit_comparison_csv(p->candidate, p->base, p->candidate_name, p->base_name, out);
	return ETC_OK;
}

static enum etc_status robust_comparison(const void *what, struct etc_text *out,
                                         struct etc_error *err)
{
	const struct pair *p = what;

	(void)err;
	etc_kit_robust_comparison_json(&p->base->robust, &p->candidate->robust, p->base_name,
	                               p->candidate_name, out);
	return ETC_OK;
}

/* The name that the kit uses if the experiment is one of the kit's two builds, else the
 * experiment's name. */
static const char *kit_name(const struct etc_summary *s, uint32_t experiment)
{
	struct etc_str name = s->experiments[experiment].name;

	if (etc_str_ends(name, ETC_STR("sme2_on")) || etc_str_ends(name, ETC_STR("sme2-on")))
		return "SME2-On";
	if (etc_str_ends(name, ETC_STR("sme2_off")) || etc_str_ends(name, ETC_STR("sme2-off")))
		return "SME2-Off";
	return etc_arena_cstr(s->arena, s->experiments[experiment].label);
}

static const struct etc_summary_dump *first_dump(const struct etc_summary *s, uint32_t experiment)
{
	for (uint32_t i = 0; i < s->dump_count; i++)
		if (s->dumps[i].of == experiment && s->dumps[i].kit.runs)
			return &s->dumps[i];
	return NULL;
}

enum etc_status etc_report_pairs(struct etc_report_job *job, struct etc_error *err)
{
	const struct etc_summary *s = &job->summary;
	const char *folder;

	ETC_TRY(etc_report_folder(job, NULL, &folder, err));
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		const struct etc_summary_comparison *c = &s->comparisons[i];
		const struct etc_summary_dump *a = first_dump(s, c->base),
					      *b = first_dump(s, c->candidate);
		struct pair p = { .base_name = kit_name(s, c->base),
			          .candidate_name = kit_name(s, c->candidate) };
		struct etc_str name;

		if (!a || !b)
			continue;
		p.base = &a->kit;
		p.candidate = &b->kit;
		name = etc_arena_printf(s->arena, ETC_STR_FMT "_vs_" ETC_STR_FMT,
		                        ETC_STR_ARG(a->id), ETC_STR_ARG(b->id));
		ETC_NEED(name.ptr && p.base_name && p.candidate_name, err);
		ETC_TRY(etc_report_write(job, folder, b->id, "_comparison.csv", comparison, &p,
		                         NULL, err));
		ETC_TRY(etc_report_write(job, folder, name, "_robust_comparison.json",
		                         robust_comparison, &p, NULL, err));
	}
	return ETC_OK;
}

/* ---- documents --------------------------------------------------------------------------------- */

static enum etc_status summary_json(const void *what, struct etc_text *out, struct etc_error *err)
{
	(void)err;
	etc_summary_json(what, out);
	return ETC_OK;
}

static enum etc_status report_md(const void *what, struct etc_text *out, struct etc_error *err)
{
	(void)err;
	etc_summary_markdown(what, out);
	return ETC_OK;
}

enum etc_status etc_report_documents(struct etc_report_job *job, struct etc_error *err)
{
	const char *folder;

	ETC_TRY(etc_report_folder(job, NULL, &folder, err));
	ETC_TRY(etc_report_write(job, folder, ETC_STR("analysis_summary"), ".json", summary_json,
	                         &job->summary, NULL, err));
	return etc_report_write(job, folder, ETC_STR("report"), ".md", report_md, &job->summary,
	                        NULL, err);
}
