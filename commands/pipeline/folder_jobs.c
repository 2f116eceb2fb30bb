/* folder_jobs.c -- see folder.h: the jobs that a folder's files describe. */
#include "base/number.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/folder_internal.h"

static struct etc_str first_text(const struct etc_tree *object, const char *a, const char *b)
{
	struct etc_str s = etc_tree_text(etc_tree_get(object, a));

	return s.len ? s : etc_tree_text(etc_tree_get(object, b));
}

static struct etc_str name_of(const struct etc_tree *result)
{
	return etc_tree_text(etc_tree_get(result, "experiment"));
}

/* Was it run without a dump? Known for folders of etcore only: the mode is not timing, or
 * a successful job has null as its dump. */
static bool is_without_dump(const struct etc_tree *metrics)
{
	struct etc_str mode = etc_tree_text(etc_tree_get(metrics, "mode"));
	const struct etc_tree *dump = etc_tree_get(metrics, "etdump_rel");

	return (mode.len && !etc_str_eq(mode, ETC_STR("timing"))) ||
	       (mode.len && dump && dump->type == ETC_JSON_NULL &&
	        etc_str_eq(etc_tree_text(etc_tree_get(metrics, "status")), ETC_STR("ok")));
}

/* The order of start; only manifests of etcore have it, in their list of processes. */
static uint64_t order_of(const struct etc_tree *processes, const struct etc_folder_job *job,
                         uint64_t block)
{
	for (const struct etc_tree *t = processes ? processes->first : NULL; t; t = t->next)
		if (etc_tree_whole(t, "block") == block &&
		    etc_tree_whole(t, "threads") == job->threads &&
		    etc_str_eq(name_of(t), job->experiment))
			return etc_tree_whole(t, "order");
	return 0;
}

/* Adds the jobs of {experiment, metrics} in manifest.json and metrics.json; `processes`
 * is the manifest's list. */
static void add_result(const struct etc_tree *result, const struct etc_tree *processes,
                       struct etc_folder_job *jobs, uint32_t *count)
{
	const struct etc_tree *metrics = etc_tree_get(result, "metrics"), *blocks;
	struct etc_folder_job job = { .experiment = name_of(result) };

	if (metrics && metrics->type != ETC_JSON_OBJECT)
		metrics = NULL;
	job.metrics = metrics;
	job.threads = etc_tree_whole(metrics, "threads");
	job.runs = etc_tree_whole(metrics, "runs");
	job.warmup = etc_tree_whole(metrics, "warmup_dropped");
	job.status = etc_tree_text(etc_tree_get(metrics, "status"));
	job.etdump = first_text(metrics, "etdump_rel", "etdump");
	job.log = first_text(metrics, "log_rel", "log");
	job.without_dump = is_without_dump(metrics);
	blocks = etc_tree_get(metrics, "blocks");
	if (!blocks || blocks->type != ETC_JSON_ARRAY || !blocks->count) {
		jobs[(*count)++] = job;
		return;
	}
	for (const struct etc_tree *b = blocks->first; b; b = b->next) {
		struct etc_folder_job block = job;

		block.etdump = first_text(b, "etdump_rel", "etdump");
		block.log = first_text(b, "log_rel", "log");
		block.runs = etc_tree_whole(b, "runs");
		block.warmup = etc_tree_whole(b, "warmup_dropped");
		block.status = etc_tree_text(etc_tree_get(b, "status"));
		block.code = etc_tree_text(etc_tree_get(etc_tree_get(b, "error"), "code"));
		block.why = etc_tree_text(etc_tree_get(etc_tree_get(b, "error"), "text"));
		block.metrics = b == blocks->first ? metrics : NULL;
		block.order = order_of(processes, &job, etc_tree_whole(b, "block"));
		jobs[(*count)++] = block;
	}
}

/* Adds one entry of "runs" in G3's summary. */
static void add_run(const struct etc_tree *run, struct etc_folder_job *jobs, uint32_t *count)
{
	const struct etc_tree *paths = etc_tree_get(run, "paths");
	struct etc_str mode = etc_tree_text(etc_tree_get(run, "mode"));

	if (mode.len && !etc_str_eq(mode, ETC_STR("timing")))
		return; /* writes no dump */
	jobs[(*count)++] = (struct etc_folder_job){
		.experiment = name_of(run),
		.status = etc_tree_text(etc_tree_get(run, "status")),
		.etdump = etc_tree_text(etc_tree_get(paths, "etdump")),
		.log = etc_tree_text(etc_tree_get(paths, "latency_log")),
		.threads = etc_tree_whole(run, "threads"),
		.runs = etc_tree_whole(run, "runs"),
		.metrics = etc_tree_get(run, "metrics"),
	};
}

/* Upper bound of the number of jobs. */
static size_t room_of(const struct etc_tree *list)
{
	size_t n = 0;

	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next) {
		const struct etc_tree *blocks = etc_tree_get(etc_tree_get(t, "metrics"), "blocks");

		n += 1 + (blocks ? blocks->count : 0);
	}
	return n;
}

static const struct etc_tree *list_of(const struct etc_tree *document, const char *key)
{
	const struct etc_tree *list = etc_tree_get(document, key);

	return list && list->type == ETC_JSON_ARRAY ? list : NULL;
}

static uint8_t kind_of(const struct etc_run_folder *f)
{
	const struct etc_tree *m = f->manifest.tree;

	if (etc_tree_get(m, "jobs") || etc_tree_get(m, "etcore"))
		return ETC_FOLDER_ETCORE;
	if (f->manifest.there || f->metrics.there)
		return ETC_FOLDER_G1;
	return f->summary.there ? ETC_FOLDER_G3 : ETC_FOLDER_NONE;
}

enum etc_status etc_run_folder_jobs(struct etc_run_folder *f, struct etc_arena *arena,
                                    struct etc_error *err)
{
	const struct etc_tree *results = list_of(f->manifest.tree, "results"),
			      *runs = list_of(f->summary.tree, "runs");
	struct etc_folder_job *jobs;
	size_t room;

	f->kind = kind_of(f);
	if (!results || !results->count)
		results = list_of(f->metrics.tree, "results");
	if (f->kind != ETC_FOLDER_G3 && results)
		runs = NULL;
	else
		results = NULL;
	room = room_of(results) + room_of(runs);
	jobs = etc_new(arena, struct etc_folder_job, room);
	ETC_NEED(jobs, err);
	f->jobs = jobs;
	for (const struct etc_tree *t = results ? results->first : NULL; t; t = t->next)
		add_result(t, list_of(f->manifest.tree, "jobs"), jobs, &f->job_count);
	for (const struct etc_tree *t = runs ? runs->first : NULL; t; t = t->next)
		add_run(t, jobs, &f->job_count);
	f->model = etc_tree_text(etc_tree_get(f->manifest.tree, "model"));
	if (!f->model.len)
		f->model = etc_tree_text(etc_tree_get(f->summary.tree, "model"));
	return ETC_OK;
}

const char *etc_run_folder_path(const struct etc_run_folder *f, struct etc_str name,
                                struct etc_arena *arena)
{
	if (name.len && name.ptr[0] == '/')
		return etc_arena_cstr(arena, name);
	return etc_arena_printf(arena, "%s/" ETC_STR_FMT, f->path, ETC_STR_ARG(name)).ptr;
}

const struct etc_folder_job *etc_run_folder_job(const struct etc_run_folder *f,
                                                const struct etc_folder_entry *dump)
{
	const struct etc_folder_job *found = NULL;
	bool several = false;

	for (uint32_t i = 0; i < f->job_count; i++) {
		const struct etc_folder_job *j = &f->jobs[i];

		if (etc_str_eq(j->etdump, dump->rel) ||
		    etc_str_eq(j->etdump, etc_str_of(dump->path)))
			return j;
		if (!etc_str_eq(etc_path_name(j->etdump), etc_path_name(dump->rel)))
			continue;
		several = found != NULL;
		found = j;
	}
	return several ? NULL : found;
}

uint32_t etc_run_folder_experiments(const struct etc_run_folder *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->job_count; i++)
		n += i == 0 || f->jobs[i].threads != f->jobs[i - 1].threads ||
		     !etc_str_eq(f->jobs[i].experiment, f->jobs[i - 1].experiment);
	return n;
}

/* Parses the number in [from, end) of `s`; false if there is none. */
static bool number_at(struct etc_str s, size_t from, size_t *end, uint64_t *v)
{
	for (*end = from; *end < s.len && s.ptr[*end] >= '0' && s.ptr[*end] <= '9';)
		(*end)++;
	return etc_number_parse_u64(etc_str_sub(s, from, *end), v);
}

struct etc_str etc_dump_experiment(struct etc_str stem, uint64_t *threads)
{
	size_t last = SIZE_MAX;

	*threads = 0;
	for (size_t at = 0; (at = etc_str_find(stem, ETC_STR("_t"), at)) != SIZE_MAX; at++) {
		size_t end;
		uint64_t n;

		if (number_at(stem, at + 2, &end, &n) &&
		    (end == stem.len || stem.ptr[end] == '_')) {
			last = at;
			*threads = n;
		}
	}
	return last == SIZE_MAX ? stem : etc_str_sub(stem, 0, last);
}
