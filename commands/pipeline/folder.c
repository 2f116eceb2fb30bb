/* folder.c -- see folder.h: finds and reads the files. */
#define _POSIX_C_SOURCE 200809L
#include "commands/pipeline/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "commands/pipeline/folder_internal.h"

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
		.time = st->st_mtime,
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
		return ETC_OK; /* it was deleted meanwhile */
	if (etc_str_ends(s, ETC_STR(".etdump")))
		ETC_TRY(add(w, &w->out->dumps, path.ptr, &st, err));
	if (etc_str_ends(s, ETC_STR("_xnntrace.log")))
		ETC_TRY(add(w, &w->out->traces, path.ptr, &st, err));
	else if (etc_str_ends(s, ETC_STR(".log")))
		ETC_TRY(add(w, &w->out->logs, path.ptr, &st, err));
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

/* Compares path components one by one, as Python sorts paths: "a/b" comes before "a.b". */
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

/* <model>_pipeline_summary.json in the folder itself; of several, the first by name. */
static const char *find_summary(const char *folder, struct etc_arena *arena)
{
	DIR *dir = opendir(folder);
	const char *best = NULL;

	if (!dir)
		etc_memory_errno(errno);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct etc_str name = etc_str_of(e->d_name);

		if (etc_str_ends(name, ETC_STR("_pipeline_summary.json")) &&
		    (!best || strcmp(name.ptr, best) < 0))
			best = etc_arena_cstr(arena, name);
	}
	if (dir)
		closedir(dir);
	return best;
}

static enum etc_status open_documents(struct etc_run_folder *f, struct etc_arena *arena,
                                      struct etc_error *err)
{
	const char *summary = find_summary(f->path, arena);
	const struct {
		const char *name;
		struct etc_folder_document *to;
	} rows[] = {
		{ "manifest.json", &f->manifest },
		{ "metrics.json", &f->metrics },
		{ "analysis_summary.json", &f->analysis },
		{ summary, &f->summary },
	};

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
	out->exists = stat(out->path, &st) == 0 && S_ISDIR(st.st_mode);
	if (!out->exists)
		return ETC_OK;
	w.root = clean.len + 1;
	ETC_TRY(look(&w, out->path, 0, err));
	sort(&out->dumps);
	sort(&out->logs);
	sort(&out->traces);
	ETC_TRY(open_documents(out, arena, err));
	return etc_run_folder_jobs(out, arena, err);
}
