/* report_tables.c -- writes the files of `etcore pipeline report`; see report.h. */
#include "commands/pipeline/report.h"

#include "base/folder.h"
#include "commands/pipeline/kit_kernels.h"
#include "context/output.h"

enum { MOST_LOG = 64 << 20 };

/* ---- writing ----------------------------------------------------------------------------- */

/* Returns the folder of --into; without --into, the run folder. */
static const char *top_of(const struct etc_report_job *job)
{
	return job->options->into ? job->options->into : job->folder.path;
}

/* Finds the folder for the tables of the file `e`. Without --into, it is the folder of the file.
 * With --into, it is the folder with the same relative path below --into, which is created. If `e`
 * is NULL, finds the folder for files about the whole run. */
static enum etc_status find_folder(struct etc_report_job *job, const struct etc_folder_entry *e,
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

/* A document, and the function that writes it. */
struct document {
	etc_kit_writer *put;
	const void *what;
};

static enum etc_status put_document(const void *of, struct etc_text *out, struct etc_error *err)
{
	const struct document *d = of;

	(void)err;
	d->put(d->what, out);
	return ETC_OK;
}

/* Writes FOLDER/<id><suffix> in pieces. After an error, the file does not exist. If `path` is not
 * NULL, sets *path to the path of the file. */
static enum etc_status write_file(struct etc_report_job *job, const char *folder, struct etc_str id,
                                  const char *suffix, etc_kit_writer *put, const void *what,
                                  const char **path, struct etc_error *err)
{
	const char *name = etc_arena_printf(job->summary.arena, "%s/" ETC_STR_FMT "%s", folder,
	                                    ETC_STR_ARG(id), suffix)
	                           .ptr;

	ETC_NEED(name, err);
	ETC_TRY(etc_output_write(top_of(job), name, put_document, &(struct document){ put, what },
	                         err));
	if (path)
		*path = name;
	return ETC_OK;
}

/* ---- tables of a dump ----------------------------------------------------------------------- */

static bool has_other(const struct etc_kit_analysis *a)
{
	for (uint32_t i = 0; i < a->operator_count; i++)
		if (strcmp(a->operators[i].category, "OTHER") == 0)
			return true;
	return false;
}

/* Returns the beginning of the names of a dump's tables: the name of the dump and "_exec". A name
 * that ends with "_xtrace" is used without "_exec". */
static struct etc_str prefix_of(struct etc_str id, struct etc_arena *arena)
{
	bool xtrace = etc_str_ends(id, ETC_STR("_xtrace"));
	struct etc_str stem = xtrace ? etc_str_sub(id, 0, id.len - 7) : id;

	return etc_arena_printf(arena, ETC_STR_FMT "%s", ETC_STR_ARG(stem),
	                        xtrace ? "_xtrace" : "_exec");
}

static enum etc_status write_all(struct etc_report_job *job, const struct etc_kit_dump *dump,
                                 const struct etc_kit_analysis *a, struct etc_summary_dump *d,
                                 struct etc_error *err)
{
	struct etc_str prefix = prefix_of(d->id, job->summary.arena);
	const struct {
		struct etc_str prefix;
		const char *suffix;
		etc_kit_writer *put;
		const void *what;
		const char **path;
		bool wanted;
	} rows[] = {
		{ prefix, "_all_runs_timeline.csv", etc_kit_all_runs_csv, dump, &d->all_runs,
		  true },
		{ prefix, "_run0_timeline.csv", etc_kit_run0_csv, dump, &d->timeline, true },
		{ prefix, "_ops_stats.csv", etc_kit_ops_stats_csv, dump, &d->stats, true },
		{ d->id, "_category_summary.csv", etc_kit_category_summary_csv, a, NULL, a->runs },
		{ d->id, "_operator_details.csv", etc_kit_operator_details_csv, a, NULL, a->runs },
		{ d->id, "_e2e_latency.csv", etc_kit_e2e_latency_csv, a, NULL, a->runs },
		{ d->id, "_other_top_ops.csv", etc_kit_other_top_ops_csv, a, NULL, has_other(a) },
		{ prefix, "_all_runs_timeline_robust_stats.json", etc_kit_robust_json, a, NULL,
		  a->runs },
	};
	const char *folder;

	ETC_NEED(prefix.ptr, err);
	ETC_TRY(find_folder(job, d->entry, &folder, err));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].wanted)
			ETC_TRY(write_file(job, folder, rows[i].prefix, rows[i].suffix, rows[i].put,
			                   rows[i].what, rows[i].path, err));
	return ETC_OK;
}

/* Stores in d->kit the numbers of the dump that are needed to compare pairs of experiments. */
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

/* Stores three facts of the dump in `d`: the number of rows, how often each text of etc_kit_hints
 * occurs, and the categories in the order in which the kit finds them. */
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
	ETC_TRY(etc_kit_analyse(&kit.dump, &analysis, err));
	keep_categories(&kit, d);
	ETC_TRY(write_all(job, &kit.dump, &analysis, d, err));
	return keep(job, &analysis, d, err);
}

/* ---- tables of a pair of experiments --------------------------------------------------------- */

/* Returns the name that the kit has for the experiment, if it is one of the kit's two builds; else
 * the name of the experiment. */
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

	ETC_TRY(find_folder(job, NULL, &folder, err));
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		const struct etc_summary_comparison *c = &s->comparisons[i];
		const struct etc_summary_dump *a = first_dump(s, c->base),
					      *b = first_dump(s, c->candidate);
		struct etc_kit_pair p = { .base_name = kit_name(s, c->base),
			                  .candidate_name = kit_name(s, c->candidate) };
		struct etc_str name;

		if (!a || !b)
			continue;
		p.base = &a->kit;
		p.candidate = &b->kit;
		name = etc_arena_printf(s->arena, ETC_STR_FMT "_vs_" ETC_STR_FMT,
		                        ETC_STR_ARG(a->id), ETC_STR_ARG(b->id));
		ETC_NEED(name.ptr && p.base_name && p.candidate_name, err);
		ETC_TRY(write_file(job, folder, b->id, "_comparison.csv", etc_kit_comparison_csv,
		                   &p, NULL, err));
		ETC_TRY(write_file(job, folder, name, "_robust_comparison.json",
		                   etc_kit_robust_comparison_json, &p, NULL, err));
	}
	return ETC_OK;
}

/* ---- tables of traces ------------------------------------------------------------------------ */

/* Reads the names of kernels from the log of one kernel trace. If the log cannot be read, there are
 * none. */
static enum etc_status read_trace(struct etc_report_job *job, const struct etc_folder_entry *e,
                                  struct etc_kit_kernels *out, struct etc_error *err)
{
	struct etc_str name = etc_path_name(e->rel);
	struct etc_file file;
	enum etc_status st;

	*out = (struct etc_kit_kernels){ .id = etc_str_sub(name, 0,
		                                           name.len - strlen("_xnntrace.log")) };
	if (e->kind != ETC_ENTRY_FILE || e->bytes > MOST_LOG ||
	    etc_file_open_found(&file, e->path, MOST_LOG, NULL) != ETC_OK)
		return ETC_OK;
	st = etc_kit_kernels_read((struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len },
	                          out->id, job->summary.arena, out, err);
	etc_file_release(&file);
	return st;
}

static bool holds(struct etc_str s, const char *a, const char *b)
{
	return etc_str_find(s, etc_str_of(a), 0) != SIZE_MAX ||
	       etc_str_find(s, etc_str_of(b), 0) != SIZE_MAX;
}

/* Writes the kit's comparison of two builds, with and without SME2, from the first log with a
 * kernel trace of each build. Writes nothing if one of the builds has no such log. */
static enum etc_status write_view(struct etc_report_job *job, const struct etc_kit_kernels *k,
                                  uint32_t count, const char **path, struct etc_error *err)
{
	struct etc_str name = etc_path_name(job->folder.model);
	struct etc_kit_kernels_view v = { .arena = job->summary.arena };
	const char *folder;

	for (uint32_t i = 0; i < count; i++) {
		if (holds(k[i].id, "sme2_off", "sme2-off"))
			v.off = v.off ? v.off : &k[i];
		else if (holds(k[i].id, "sme2", "f16igemm"))
			v.on = v.on ? v.on : &k[i];
	}
	if (!v.on || !v.off)
		return ETC_OK;
	if (etc_str_ends(name, ETC_STR(".pte")))
		name.len -= 4;
	v.title = etc_arena_printf(
		v.arena,
		ETC_STR_FMT ": GEMM/IGEMM Kernel view (XNNPACK Delegated):", ETC_STR_ARG(name));
	ETC_NEED(v.title.ptr, err);
	ETC_TRY(find_folder(job, NULL, &folder, err));
	return write_file(job, folder, ETC_STR("kernel_view_gemm"), ".md", etc_kit_kernels_view_put,
	                  &v, path, err);
}

enum etc_status etc_report_traces(struct etc_report_job *job, struct etc_error *err)
{
	const struct etc_folder_entries *traces = &job->folder.traces;
	struct etc_summary *s = &job->summary;
	struct etc_kit_kernels *k = etc_new(s->arena, struct etc_kit_kernels, traces->count);
	struct etc_str *files = etc_new(s->arena, struct etc_str, (size_t)traces->count + 1);

	ETC_NEED(k && files, err);
	s->kernels = files;
	for (uint32_t i = 0; i < traces->count; i++) {
		const char *folder, *path;

		ETC_TRY(read_trace(job, &traces->v[i], &k[i], err));
		ETC_TRY(find_folder(job, &traces->v[i], &folder, err));
		ETC_TRY(write_file(job, folder, k[i].id, "_kernels.csv", etc_kit_kernels_csv, &k[i],
		                   &path, err));
		files[s->kernel_count++] = etc_str_of(path);
	}
	if (traces->count) {
		const char *path = NULL;

		ETC_TRY(write_view(job, k, traces->count, &path, err));
		if (path)
			files[s->kernel_count++] = etc_str_of(path);
	}
	return ETC_OK;
}

/* ---- documents ------------------------------------------------------------------------------- */

enum etc_status etc_report_documents(struct etc_report_job *job, struct etc_error *err)
{
	const char *folder;

	ETC_TRY(find_folder(job, NULL, &folder, err));
	ETC_TRY(write_file(job, folder, ETC_STR("analysis_summary"), ".json", etc_summary_json,
	                   &job->summary, NULL, err));
	return write_file(job, folder, ETC_STR("report"), ".md", etc_summary_markdown,
	                  &job->summary, NULL, err);
}
