/* folder.c -- see folder.h */
#define _POSIX_C_SOURCE 200809L
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"

/* Does the name end in one of the suffixes? The suffix "" matches every file. Other suffixes do not
 * match hidden files such as "._run.etdump", which macOS makes next to run.etdump. */
static bool has_suffix(const char *name, const char *const *suffixes)
{
	for (; *suffixes; suffixes++)
		if (**suffixes == '\0' ||
		    (name[0] != '.' && etc_str_ends(etc_str_of(name), etc_str_of(*suffixes))))
			return true;
	return false;
}

/* Counts a path that was found, and keeps it if it is one of the first two so far in alphabetical
 * order. */
static void keep(struct etc_neighbours *found, struct etc_str path)
{
	found->count++;
	if (found->count == 1 || etc_str_cmp(path, found->first) < 0) {
		found->second = found->first;
		found->first = path;
	} else if (found->second.len == 0 || etc_str_cmp(path, found->second) < 0) {
		found->second = path;
	}
}

struct etc_neighbours etc_folder_find(const char *path, const char *const *suffixes,
                                      struct etc_arena *arena)
{
	const char *slash = strrchr(path, '/');
	struct etc_neighbours found = { .count = 0 };
	struct etc_str folder = { path, slash ? (size_t)(slash - path) + 1 : 0 };
	const char *name = folder.len ? etc_arena_cstr(arena, folder) : "./";
	DIR *dir = name ? opendir(name) : NULL;

	if (!dir) {
		etc_memory_errno(errno);
		return found;
	}
	for (struct dirent *e; (e = readdir(dir));) {
		struct etc_str p;

		if (!has_suffix(e->d_name, suffixes))
			continue;
		p = etc_arena_printf(arena, "%.*s%s", (int)folder.len, path, e->d_name);
		if (p.ptr && strcmp(p.ptr, path) != 0 && etc_file_exists(p.ptr))
			keep(&found, p);
	}
	closedir(dir);
	return found;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the files in an open folder. When the array of paths is full, its size is doubled. */
static enum etc_status list(DIR *dir, const char *folder, const char *const *suffixes, bool all,
                            struct etc_arena *arena, const char ***out, uint32_t *count,
                            struct etc_error *err)
{
	size_t n = strlen(folder);
	const char *slash = n && folder[n - 1] == '/' ? "" : "/";

	for (struct dirent *e; (e = readdir(dir));) {
		struct etc_str p;

		if (!has_suffix(e->d_name, suffixes))
			continue;
		p = etc_arena_printf(arena, "%s%s%s", folder, slash, e->d_name);
		if (p.ptr && !all && !etc_file_exists(p.ptr))
			continue;
		if (p.ptr && (*count & (*count - 1)) == 0) {
			const char **more =
				etc_new(arena, const char *, *count ? (size_t)*count * 2 : 1);

			if (more && *count)
				memcpy(more, *out, *count * sizeof *more);
			*out = more;
		}
		ETC_NEED(p.ptr && *out, err);
		(*out)[(*count)++] = p.ptr;
	}
	if (*count)
		qsort(*out, *count, sizeof **out, by_name);
	return ETC_OK;
}

static enum etc_status list_folder(const char *folder, const char *const *suffixes, bool all,
                                   struct etc_arena *arena, const char ***out, uint32_t *count,
                                   struct etc_error *err)
{
	DIR *dir = opendir(folder);
	enum etc_status st;

	*out = NULL;
	*count = 0;
	if (!dir)
		etc_memory_errno(errno);
	if (!dir)
		return etc_in_file(err, etc_fail(err, E0901, "%s", strerror(errno)), folder);
	st = list(dir, folder, suffixes, all, arena, out, count, err);
	closedir(dir);
	return st;
}

enum etc_status etc_folder_list(const char *folder, const char *const *suffixes,
                                struct etc_arena *arena, const char ***out, uint32_t *count,
                                struct etc_error *err)
{
	return list_folder(folder, suffixes, false, arena, out, count, err);
}

enum etc_status etc_folder_list_all(const char *folder, const char *const *suffixes,
                                    struct etc_arena *arena, const char ***out, uint32_t *count,
                                    struct etc_error *err)
{
	return list_folder(folder, suffixes, true, arena, out, count, err);
}

enum etc_status etc_folder_make(const char *path, struct etc_error *err)
{
	if (mkdir(path, 0777) == 0)
		return ETC_OK;
	if (errno == EEXIST)
		return etc_fail(err, E0632, "'%s'", path);
	return etc_fail(err, E0903, "%s: %s", path, strerror(errno));
}

enum etc_status etc_folder_make_all(const char *path, struct etc_error *err)
{
	char part[4096];
	size_t n = strlen(path);

	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		if (snprintf(part, sizeof part, "%.*s", (int)i, path) >= (int)sizeof part)
			return etc_fail(err, E0903, "%s: %s", path, strerror(ENAMETOOLONG));
		if (!etc_folder_exists(part) && mkdir(part, 0777) != 0 && errno != EEXIST)
			return etc_fail(err, E0903, "%s: %s", part, strerror(errno));
	}
	return etc_folder_exists(path) ? ETC_OK
	                               : etc_fail(err, E0903, "%s: %s", path, strerror(ENOTDIR));
}

const char *etc_program_folder(struct etc_arena *arena)
{
	char here[4096];
	size_t len;

	if (!etc_program_path(here, sizeof here))
		return NULL;
	for (len = strlen(here); len && here[len - 1] != '/';)
		len--;
	return etc_arena_str(arena, (struct etc_str){ here, len }).ptr;
}

struct etc_str etc_folder_beside(const char *folder, const char *relative, struct etc_arena *arena)
{
	size_t len = strlen(folder);

	while (len > 1 && folder[len - 1] == '/')
		len--;
	for (; strncmp(relative, "../", 3) == 0; relative += 3) {
		while (len && folder[len - 1] != '/')
			len--;
		while (len && folder[len - 1] == '/')
			len--;
	}
	return etc_arena_printf(arena, "%.*s/%s", (int)len, folder, relative);
}

bool etc_folder_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
