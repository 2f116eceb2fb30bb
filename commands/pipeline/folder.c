/* folder.c -- finds and reads the files of a run folder, and the jobs that they describe; see
 * folder.h. */
#define _POSIX_C_SOURCE 200809L
#include "commands/pipeline/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sha256_text.h"

/* ---- jobs ----------------------------------------------------------------------------- */

static struct etc_str first_text(const struct etc_tree *object, const char *a, const char *b)
{
	struct etc_str s = etc_tree_string(object, a);

	return s.len ? s : etc_tree_string(object, b);
}

static struct etc_str name_of(const struct etc_tree *result)
{
	return etc_tree_string(result, "experiment");
}

/* Did the job with these metrics run without writing a dump? This is known only for folders of
 * etcore: the mode is not timing, or the job is successful and its dump is null. */
static bool is_without_dump(const struct etc_tree *metrics)
{
	struct etc_str mode = etc_tree_string(metrics, "mode");
	const struct etc_tree *dump = etc_tree_get(metrics, "etdump_rel");

	return (mode.len && !etc_str_eq(mode, ETC_STR("timing"))) ||
	       (mode.len && dump && dump->type == ETC_JSON_NULL &&
	        etc_str_eq(etc_tree_string(metrics, "status"), ETC_STR("ok")));
}

/* Returns the entry of the job in `processes`, the list of processes in a manifest of etcore. NULL:
 * there is none. (Manifests of the kit have no such list.) */
static const struct etc_tree *process_of(const struct etc_tree *processes,
                                         const struct etc_folder_job *job)
{
	for (const struct etc_tree *t = processes ? processes->first : NULL; t; t = t->next)
		if (etc_tree_whole(t, "block") == job->block &&
		    etc_tree_whole(t, "threads") == job->threads &&
		    etc_str_eq(name_of(t), job->experiment))
			return t;
	return NULL;
}

/* Adds the jobs of a result, which is an object {experiment, metrics} in manifest.json or
 * metrics.json. `processes` is the list of processes in the manifest. */
static void add_result(const struct etc_tree *result, const struct etc_tree *processes,
                       struct etc_folder_job *jobs, uint32_t *count)
{
	const struct etc_tree *metrics = etc_tree_get(result, "metrics"), *blocks;
	struct etc_folder_job job = { .experiment = name_of(result) };

	if (metrics && metrics->type != ETC_JSON_OBJECT)
		metrics = NULL;
	job.metrics = job.entry = metrics;
	job.threads = etc_tree_whole(metrics, "threads");
	job.runs = etc_tree_whole(metrics, "runs");
	job.warmup = etc_tree_whole(metrics, "warmup_dropped");
	job.status = etc_tree_string(metrics, "status");
	job.etdump = first_text(metrics, "etdump_rel", "etdump");
	job.log = first_text(metrics, "log_rel", "log");
	job.without_dump = is_without_dump(metrics);
	blocks = etc_tree_list(metrics, "blocks");
	if (!blocks || !blocks->count) {
		jobs[(*count)++] = job;
		return;
	}
	for (const struct etc_tree *b = blocks->first; b; b = b->next) {
		struct etc_folder_job block = job;
		const struct etc_tree *process;

		block.block = etc_tree_whole(b, "block");
		process = process_of(processes, &block);
		block.etdump = first_text(b, "etdump_rel", "etdump");
		block.log = first_text(b, "log_rel", "log");
		block.runs = etc_tree_whole(b, "runs");
		block.warmup = etc_tree_whole(b, "warmup_dropped");
		block.status = etc_tree_string(b, "status");
		block.code = etc_tree_string(etc_tree_get(b, "error"), "code");
		block.why = etc_tree_string(etc_tree_get(b, "error"), "text");
		block.metrics = block.entry = b == blocks->first ? metrics : NULL;
		block.order = etc_tree_whole(process, "order");
		block.etdump_sha256 = etc_tree_string(process, "etdump_sha256");
		jobs[(*count)++] = block;
	}
}

bool etc_job_succeeded(const struct etc_folder_job *j)
{
	static const char *const good[] = { "ok", "analysis-only", "done", NULL };

	return !j->status.len || etc_str_is_one_of(j->status, good);
}

/* Adds the job of one entry of "runs" in a summary of G3 (the kit's package). */
static void add_run(const struct etc_tree *run, struct etc_folder_job *jobs, uint32_t *count)
{
	const struct etc_tree *paths = etc_tree_get(run, "paths");
	struct etc_str mode = etc_tree_string(run, "mode");

	if (etc_str_eq(mode, ETC_STR("xnntrace")) || etc_str_eq(mode, ETC_STR("xtrace")))
		return; /* a trace of kernels writes no dump */
	jobs[(*count)++] = (struct etc_folder_job){
		.experiment = name_of(run),
		.status = etc_tree_string(run, "status"),
		.etdump = etc_tree_string(paths, "etdump"),
		.log = etc_tree_string(paths, "latency_log"),
		.threads = etc_tree_whole(run, "threads"),
		.runs = etc_tree_whole(run, "runs"),
		.metrics = etc_tree_get(run, "metrics"),
		.entry = run,
	};
}

/* Returns an upper bound of the number of jobs that the results in `list` describe. */
static size_t room_of(const struct etc_tree *list)
{
	size_t n = 0;

	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next) {
		const struct etc_tree *blocks = etc_tree_get(etc_tree_get(t, "metrics"), "blocks");

		n += 1 + (blocks ? blocks->count : 0);
	}
	return n;
}

static uint8_t kind_of(const struct etc_run_folder *f)
{
	const struct etc_tree *m = f->manifest.tree;

	if (etc_tree_get(m, "jobs") || etc_tree_get(m, "etcore") || etc_tree_get(m, "seal"))
		return ETC_FOLDER_ETCORE;
	if (f->manifest.there || f->metrics.there)
		return ETC_FOLDER_G1;
	return f->summary.there ? ETC_FOLDER_G3 : ETC_FOLDER_NONE;
}

/* Sets kind, model and jobs of the folder from its documents. E0904. */
static enum etc_status find_jobs(struct etc_run_folder *f, struct etc_arena *arena,
                                 struct etc_error *err)
{
	const struct etc_tree *results = etc_tree_list(f->manifest.tree, "results"),
			      *runs = etc_tree_list(f->summary.tree, "runs");
	struct etc_folder_job *jobs;
	size_t room;

	f->kind = kind_of(f);
	if (!results || !results->count)
		results = etc_tree_list(f->metrics.tree, "results");
	if (f->kind != ETC_FOLDER_G3 && results)
		runs = NULL;
	else
		results = NULL;
	room = room_of(results) + room_of(runs);
	jobs = etc_new(arena, struct etc_folder_job, room);
	ETC_NEED(jobs, err);
	f->jobs = jobs;
	for (const struct etc_tree *t = results ? results->first : NULL; t; t = t->next)
		add_result(t, etc_tree_list(f->manifest.tree, "jobs"), jobs, &f->job_count);
	for (const struct etc_tree *t = runs ? runs->first : NULL; t; t = t->next)
		add_run(t, jobs, &f->job_count);
	f->model = etc_tree_string(f->manifest.tree, "model");
	if (!f->model.len)
		f->model = etc_tree_string(f->summary.tree, "model");
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

const struct etc_folder_entry *etc_run_folder_find(const struct etc_folder_entries *list,
                                                   struct etc_str name)
{
	const struct etc_folder_entry *found = NULL;

	for (uint32_t i = 0; i < list->count; i++) {
		const struct etc_folder_entry *e = &list->v[i];

		if (etc_str_eq(e->rel, name) || etc_str_eq(etc_str_of(e->path), name))
			return e;
		if (!found && etc_str_eq(etc_path_name(e->rel), etc_path_name(name)))
			found = e;
	}
	return found;
}

const char *etc_run_folder_lacks(const struct etc_run_folder *f, struct etc_str name,
                                 struct etc_arena *arena)
{
	const char *path = etc_run_folder_path(f, name, arena);
	struct stat st;

	if (path && stat(path, &st) != 0 && errno != ENOENT && errno != ENOTDIR)
		return etc_arena_printf(arena, ETC_STR_FMT " is not read: %s", ETC_STR_ARG(name),
		                        strerror(errno))
		        .ptr;
	for (uint32_t i = 0; i < f->links.count; i++) {
		const struct etc_folder_entry *link = &f->links.v[i];

		path = etc_arena_printf(arena, "%s/" ETC_STR_FMT, link->path,
		                        ETC_STR_ARG(etc_path_name(name)))
		               .ptr;

		if (path && etc_file_exists(path))
			return etc_arena_printf(arena,
			                        ETC_STR_FMT " is not read: " ETC_STR_FMT
			                                    " is a symbolic link to a folder",
			                        ETC_STR_ARG(name), ETC_STR_ARG(link->rel))
			        .ptr;
	}
	return etc_arena_printf(arena, ETC_STR_FMT " is missing", ETC_STR_ARG(name)).ptr;
}

bool etc_seal_holds(const struct etc_tree *manifest, const char *path, struct etc_arena *arena)
{
	struct etc_str seal = etc_tree_string(manifest, "seal"), text;
	const char *have = NULL;
	struct etc_file file;
	size_t at = SIZE_MAX;

	if (!seal.len || etc_file_open_found(&file, path, 0, NULL) != ETC_OK)
		return false;
	text = (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len };
	for (size_t i = 0; (i = etc_str_find(text, ETC_STR("\"seal\":"), i)) != SIZE_MAX; i++)
		at = i;
	while (at != SIZE_MAX && at && memchr(" \t\r\n,", text.ptr[at - 1], 5))
		at--;
	if (at != SIZE_MAX)
		have = etc_hex_sha256((struct etc_span){ file.bytes.ptr, at }, arena);
	etc_file_release(&file);
	return have && etc_str_eq(seal, etc_str_of(have));
}

const char *etc_record_beside(const char *model, struct etc_arena *arena)
{
	struct etc_str stem = etc_str_of(model);
	const char *path = etc_arena_printf(arena, ETC_STR_FMT ".etrecord", ETC_STR_ARG(stem)).ptr;

	if (path && etc_file_exists(path))
		return path;
	if (!etc_str_ends(stem, ETC_STR(".pte")))
		return NULL;
	stem.len -= 4;
	path = etc_arena_printf(arena, ETC_STR_FMT ".etrecord", ETC_STR_ARG(stem)).ptr;
	return path && etc_file_exists(path) ? path : NULL;
}

uint32_t etc_run_folder_experiments(const struct etc_run_folder *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->job_count; i++)
		n += i == 0 || f->jobs[i].threads != f->jobs[i - 1].threads ||
		     !etc_str_eq(f->jobs[i].experiment, f->jobs[i - 1].experiment);
	return n;
}

/* Parses the digits of `s` from index `from` on. Sets *end to the index after the last digit.
 * Returns false if there is no digit, or if the number does not fit into *v. */
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

/* ---- files ---------------------------------------------------------------------------- */

const char *etc_folder_kind_name(uint8_t kind)
{
	static const char *const names[] = { "none", "G1", "G3", "etcore" };

	return names[kind < 4 ? kind : 0];
}

struct walk {
	struct etc_arena *arena;
	struct etc_run_folder *out;
	size_t root; /* length of the folder's path with its '/' */
	uint32_t seen;
};

static enum etc_status add(struct walk *w, struct etc_folder_entries *to, const char *path,
                           const struct stat *st, struct etc_error *err)
{
	struct etc_folder_entry *new = ETC_APPEND(w->arena, to->v, to->count, to->room);
	struct stat target;
	uint8_t kind = ETC_ENTRY_SPECIAL;

	ETC_NEED(new, err);
	if (S_ISLNK(st->st_mode) && stat(path, &target) != 0)
		kind = ETC_ENTRY_DANGLING;
	if (S_ISLNK(st->st_mode) && kind != ETC_ENTRY_DANGLING)
		st = &target;
	if (S_ISREG(st->st_mode))
		kind = ETC_ENTRY_FILE;
	if (S_ISDIR(st->st_mode))
		kind = ETC_ENTRY_FOLDER;
	*new = (struct etc_folder_entry){
		.path = path,
		.rel = etc_str_of(path + w->root),
		.kind = kind,
		.bytes = (uint64_t)st->st_size,
	};
	return ETC_OK;
}

static enum etc_status look(struct walk *w, const char *folder, unsigned depth,
                            struct etc_error *err);

static enum etc_status look_at(struct walk *w, const char *folder, const char *name, unsigned depth,
                               struct etc_error *err)
{
	struct etc_str s = etc_str_of(name), path;
	struct stat st;

	if (++w->seen > ETC_FOLDER_ENTRIES)
		return etc_fail(err, E1067, "more than %d files below %s", ETC_FOLDER_ENTRIES,
		                w->out->path);
	path = etc_arena_printf(w->arena, "%s/%s", folder, name);
	ETC_NEED(path.ptr, err);
	if (lstat(path.ptr, &st) != 0)
		return ETC_OK; /* the entry has been deleted in the meantime */
	if (etc_str_ends(s, ETC_STR(".etdump")))
		ETC_TRY(add(w, &w->out->dumps, path.ptr, &st, err));
	if (etc_str_ends(s, ETC_STR(".etdp")) || etc_str_ends(s, ETC_STR(".etdp.gz")) ||
	    etc_str_ends(s, ETC_STR(".etdump.gz")))
		ETC_TRY(add(w, &w->out->odd_dumps, path.ptr, &st, err));
	if (etc_str_ends(s, ETC_STR("_xnntrace.log")))
		ETC_TRY(add(w, &w->out->traces, path.ptr, &st, err));
	else if (etc_str_ends(s, ETC_STR(".log")))
		ETC_TRY(add(w, &w->out->logs, path.ptr, &st, err));
	if (S_ISLNK(st.st_mode) && etc_folder_exists(path.ptr))
		return add(w, &w->out->links, path.ptr, &st, err);
	return S_ISDIR(st.st_mode) ? look(w, path.ptr, depth + 1, err) : ETC_OK;
}

static enum etc_status look(struct walk *w, const char *folder, unsigned depth,
                            struct etc_error *err)
{
	enum etc_status st = ETC_OK;
	DIR *dir;

	if (depth > ETC_FOLDER_DEPTH)
		return etc_fail(err, E1067, "more than %d folders in each other below %s",
		                ETC_FOLDER_DEPTH, w->out->path);
	dir = opendir(folder);
	if (!dir)
		etc_memory_errno(errno);
	if (!dir)
		return ETC_OK; /* missing files are reported when they are needed */
	for (struct dirent *e; st == ETC_OK && (e = readdir(dir));)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			st = look_at(w, folder, e->d_name, depth, err);
	closedir(dir);
	return st;
}

/* Compares two paths component by component, which is the order in which Python sorts paths: "a/b"
 * comes before "a.b". */
static int by_path(const void *x, const void *y)
{
	const struct etc_folder_entry *a = x, *b = y;
	size_t i = 0;

	while (i < a->rel.len && i < b->rel.len && a->rel.ptr[i] == b->rel.ptr[i])
		i++;
	if (i == a->rel.len || i == b->rel.len)
		return (a->rel.len > b->rel.len) - (a->rel.len < b->rel.len);
	if (a->rel.ptr[i] == '/' || b->rel.ptr[i] == '/')
		return a->rel.ptr[i] == '/' ? -1 : 1;
	return (unsigned char)a->rel.ptr[i] < (unsigned char)b->rel.ptr[i] ? -1 : 1;
}

static void sort(struct etc_folder_entries *e)
{
	if (e->count)
		qsort(e->v, e->count, sizeof *e->v, by_path);
}

/* ---- documents ---------------------------------------------------------------------- */

static enum etc_status open_document(const char *path, struct etc_arena *arena,
                                     struct etc_folder_document *d, struct etc_error *err)
{
	struct stat st;
	enum etc_status status;

	d->there = stat(path, &st) == 0;
	if (!d->there)
		return ETC_OK;
	d->why = (struct etc_error){ .at = -1 };
	if (!S_ISREG(st.st_mode)) {
		(void)etc_in_file(
			&d->why,
			etc_fail(&d->why, E1052, "%s",
		                 S_ISDIR(st.st_mode) ? "it is a folder" : "it is no file"),
			path);
		return ETC_OK;
	}
	status = etc_tree_open(path, arena, &d->tree, &d->why);
	return status == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

/* Finds <model>_pipeline_summary.json in the folder itself, not in folders below it. If there are
 * several such files, returns the first one by name. Adds the number of such files to *count. */
static const char *find_summary(const char *folder, struct etc_arena *arena, uint32_t *count)
{
	DIR *dir = opendir(folder);
	const char *best = NULL;

	if (!dir)
		etc_memory_errno(errno);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct etc_str name = etc_str_of(e->d_name);

		if (!etc_str_ends(name, ETC_STR("_pipeline_summary.json")))
			continue;
		++*count;
		if (!best || strcmp(name.ptr, best) < 0)
			best = etc_arena_cstr(arena, name);
	}
	if (dir)
		closedir(dir);
	return best;
}

static enum etc_status open_documents(struct etc_run_folder *f, struct etc_arena *arena,
                                      struct etc_error *err)
{
	const char *summary = find_summary(f->path, arena, &f->summary_count);
	const struct {
		const char *name;
		struct etc_folder_document *to;
	} rows[] = {
		{ "manifest.json", &f->manifest },
		{ "metrics.json", &f->metrics },
		{ "analysis_summary.json", &f->analysis },
		{ summary, &f->summary },
	};

	f->summary_name = summary;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct etc_str path;

		if (!rows[i].name)
			continue;
		path = etc_arena_printf(arena, "%s/%s", f->path, rows[i].name);
		ETC_NEED(path.ptr, err);
		ETC_TRY(open_document(path.ptr, arena, rows[i].to, err));
	}
	return ETC_OK;
}

enum etc_status etc_run_folder_read(const char *path, struct etc_arena *arena,
                                    struct etc_run_folder *out, struct etc_error *err)
{
	struct etc_str clean = etc_str_of(path);
	struct walk w = { .arena = arena, .out = out };
	struct stat st;

	while (clean.len > 1 && clean.ptr[clean.len - 1] == '/')
		clean.len--;
	*out = (struct etc_run_folder){ .path = etc_arena_cstr(arena, clean) };
	ETC_NEED(out->path, err);
	if (stat(out->path, &st) != 0)
		out->why_not = errno == ENOENT ? "there is no such folder" : strerror(errno);
	else if (!S_ISDIR(st.st_mode))
		out->why_not = "it is no folder";
	else if (access(out->path, R_OK | X_OK) != 0)
		out->why_not = strerror(errno);
	if (out->why_not)
		return ETC_OK;
	w.root = clean.len + 1;
	ETC_TRY(look(&w, out->path, 0, err));
	sort(&out->dumps);
	sort(&out->odd_dumps);
	sort(&out->logs);
	sort(&out->traces);
	sort(&out->links);
	ETC_TRY(open_documents(out, arena, err));
	return find_jobs(out, arena, err);
}

bool etc_run_folder_dumpless(const struct etc_run_folder *f)
{
	uint32_t without = 0;

	for (uint32_t i = 0; i < f->job_count; i++)
		without += f->jobs[i].without_dump;
	return f->kind == ETC_FOLDER_ETCORE && without && without == f->job_count;
}
