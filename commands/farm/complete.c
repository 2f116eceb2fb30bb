/* complete.c -- looks for signs that tables are incomplete; see farm.h. docs/farm.md ("The folder")
 * says which files `etcore batch` writes. */
#define _POSIX_C_SOURCE 200809L
#include "commands/farm/farm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/grow.h"

enum { PATH_ROOM = 4096, PARTITIONS_MOST = 16 };

/* A kind of fault: the number of files or folders that have it, and the first one. */
struct fault {
	uint64_t count;
	struct etc_str first;
};

/* A complete shard (one with a file _SUCCESS): number `i` of `n` shards. */
struct shard {
	uint64_t n, i;
};

struct look {
	struct etc_arena *arena;
	const char *folder; /* folder of the tables that are examined */
	bool listed;        /* `folder` has lists in _done, so `etcore batch` wrote it */
	struct fault empty, unlisted, unfinished;
	/* list of struct shard: one for each file _SUCCESS-I-of-N of all folders */
	struct etc_grow shards;
};

static enum etc_status found(struct look *l, struct fault *f, const char *path,
                             struct etc_error *err)
{
	if (f->count++ == 0) {
		f->first = etc_arena_str(l->arena, etc_str_of(path));
		ETC_NEED(f->first.ptr, err);
	}
	return ETC_OK;
}

/* Reads a number without a sign. Returns the text behind it; NULL: `s` does not begin with a
 * digit. */
static const char *read_number(const char *s, uint64_t *to)
{
	const char *first = s;

	for (*to = 0; etc_is_digit(*s); s++)
		*to = *to * 10 + (uint64_t)(*s - '0');
	return s > first ? s : NULL;
}

/* Reads "I-of-N". Returns the text behind it; NULL if `s` does not begin with such a text. */
static const char *read_shard(const char *s, struct shard *to)
{
	s = read_number(s, &to->i);
	return s && strncmp(s, "-of-", 4) == 0 ? read_number(s + 4, &to->n) : NULL;
}

/* ---- parts ----------------------------------------------------------------------------- */

static enum etc_status look_at_part(struct look *l, const char *path, const char *stem,
                                    int64_t bytes, struct etc_error *err)
{
	const char *dot = strrchr(stem, '.');
	char list[PATH_ROOM];
	struct shard s;

	if (bytes == 0)
		ETC_TRY(found(l, &l->empty, path, err));
	/* only parts named as `etcore batch` names them need a list in _done: other programs, such
	 * as merge.py, write parts with other names and no list */
	if (l->listed && dot && read_shard(stem, &s) &&
	    snprintf(list, sizeof list, "%s/_done/%.*s", l->folder, (int)(dot - stem), stem) <
	            PATH_ROOM &&
	    !etc_file_exists(list))
		ETC_TRY(found(l, &l->unlisted, path, err));
	return ETC_OK;
}

/* Looks at the parts in a folder of a table and in its partition folders, up to `depth` levels
 * below. Links are not followed, because they may lead back. */
static enum etc_status look_at_parts(struct look *l, const char *folder, unsigned depth,
                                     struct etc_error *err)
{
	static const char *const any[] = { "", NULL };
	const char **paths;
	uint32_t count;
	struct stat st;

	if (!etc_folder_exists(folder))
		return ETC_OK;
	ETC_TRY(etc_folder_list_all(folder, any, l->arena, &paths, &count, err));
	for (uint32_t i = 0; i < count; i++) {
		const char *name = strrchr(paths[i], '/') + 1;

		if (lstat(paths[i], &st) != 0)
			continue;
		if (S_ISREG(st.st_mode) && strncmp(name, "part-", 5) == 0)
			ETC_TRY(look_at_part(l, paths[i], name + 5, st.st_size, err));
		else if (S_ISDIR(st.st_mode) && depth && strchr(name, '='))
			ETC_TRY(look_at_parts(l, paths[i], depth - 1, err));
	}
	return ETC_OK;
}

/* ---- _SUCCESS -------------------------------------------------------------------------- */

static enum etc_status look_for_success(struct look *l, struct etc_error *err)
{
	DIR *dir = opendir(l->folder);
	const uint32_t before = l->shards.count;
	bool all = false, full = false;

	for (struct dirent *e; dir && !full && (e = readdir(dir));) {
		struct shard s, *to;
		const char *end = strncmp(e->d_name, "_SUCCESS-", 9) == 0
		                          ? read_shard(e->d_name + 9, &s)
		                          : NULL;

		all |= strcmp(e->d_name, "_SUCCESS") == 0;
		if (!end || *end)
			continue;
		to = ETC_GROW(l->arena, &l->shards, struct shard);
		if (to)
			*to = s;
		full = !to;
	}
	if (dir)
		closedir(dir);
	ETC_NEED(!full, err);
	if (all)
		l->shards.count = before;
	else if (l->shards.count == before)
		return found(l, &l->unfinished, l->folder, err);
	return ETC_OK;
}

static int by_shard(const void *a, const void *b)
{
	const struct shard *x = a, *y = b;

	return x->n != y->n ? (x->n > y->n) - (x->n < y->n) : (x->i > y->i) - (x->i < y->i);
}

/* Reports shards without a file _SUCCESS. A batch of N shards may have one folder or a folder for
 * each shard, and there may be several such batches. So the number of files _SUCCESS-I-of-N must be
 * the same for each I. */
static void remark_shards(const struct look *l, struct etc_notes *notes)
{
	struct shard *shards = l->shards.items;
	const uint32_t count = l->shards.count;

	if (count)
		qsort(shards, count, sizeof *shards, by_shard);
	for (uint32_t i = 0, of_n; i < count; i += of_n) {
		const struct shard *s = shards + i;
		uint32_t most = 0, same = 0;

		for (of_n = 0; of_n < count - i && s[of_n].n == s->n; of_n++) {
			same = of_n && s[of_n].i == s[of_n - 1].i ? same + 1 : 1;
			most = same > most ? same : most;
		}
		if (s->n != of_n / most || of_n % most)
			etc_note_each(notes, W1229, "%u file%s _SUCCESS-…-of-%llu instead of %.0f",
			              of_n, etc_plural(of_n), (unsigned long long)s->n,
			              (double)s->n * most);
	}
}

/* ---- the folder ------------------------------------------------------------------------ */

static enum etc_status look_at(struct look *l, const char *folder, struct etc_error *err)
{
	static const char *const tables[] = { "runs",   "rows",      "notes", "paths",
		                              "errors", "baselines", NULL };
	char path[PATH_ROOM];

	l->folder = folder;
	snprintf(path, sizeof path, "%s/_done", folder);
	l->listed = etc_folder_exists(path);
	for (const char *const *t = tables; *t; t++)
		if (snprintf(path, sizeof path, "%s/%s", folder, *t) < PATH_ROOM)
			ETC_TRY(look_at_parts(l, path, PARTITIONS_MOST, err));
	return l->listed ? look_for_success(l, err) : ETC_OK;
}

static void remark(const struct fault *f, const char *one, const char *several,
                   struct etc_notes *notes)
{
	if (f->count == 1)
		etc_note_each(notes, W1229, "%s '" ETC_STR_FMT "'", one, ETC_STR_ARG(f->first));
	else if (f->count)
		etc_note_each(notes, W1229, "%llu %s, the first is '" ETC_STR_FMT "'",
		              (unsigned long long)f->count, several, ETC_STR_ARG(f->first));
}

enum etc_status etc_farm_complete(const char *folder, struct etc_notes *notes,
                                  struct etc_arena *arena, struct etc_error *err)
{
	static const char *const any[] = { "", NULL };
	struct look l = { .arena = arena };
	const char **paths;
	uint32_t count;

	if (!etc_farm_below(folder)) {
		ETC_TRY(look_at(&l, folder, err));
	} else {
		ETC_TRY(etc_folder_list_all(folder, any, arena, &paths, &count, err));
		for (uint32_t i = 0; i < count; i++)
			if (strrchr(paths[i], '/')[1] != '.')
				ETC_TRY(look_at(&l, paths[i], err));
	}
	remark(&l.empty, "a part of 0 bytes:", "parts of 0 bytes", notes);
	remark(&l.unlisted, "a part without a list in _done:", "parts without a list in _done",
	       notes);
	remark(&l.unfinished, "no file _SUCCESS in", "folders without a file _SUCCESS", notes);
	remark_shards(&l, notes);
	return ETC_OK;
}
