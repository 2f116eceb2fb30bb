/* folder.h -- lists the files of a folder, finds the folder of the running executable, and makes
 * folders. */
#ifndef ETC_BASE_FOLDER_H
#define ETC_BASE_FOLDER_H

#include "base/arena.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The files of one kind in a folder. */
struct etc_neighbours {
	/* the first two of the paths in alphabetical order; empty: there are fewer */
	struct etc_str first, second;
	size_t count;
};

/* Finds the regular files in the folder of `path` whose names end in one of `suffixes`, without
 * `path` itself. The suffixes end with NULL; only the suffix "" also matches hidden files. Paths
 * are NUL-terminated, in the arena. A folder that cannot be read counts as empty. */
struct etc_neighbours etc_folder_find(const char *path, const char *const *suffixes,
                                      struct etc_arena *arena);

/* Lists the regular files in `folder` whose names end in one of `suffixes` (see etc_folder_find()),
 * sorted by name. Paths are NUL-terminated, in the arena. E0901: the folder cannot be read.
 * E0904. */
enum etc_status etc_folder_list(const char *folder, const char *const *suffixes,
                                struct etc_arena *arena, const char ***out, uint32_t *count,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_folder_list(), but includes entries that are no regular files: pipes, dangling links,
 * folders. */
enum etc_status etc_folder_list_all(const char *folder, const char *const *suffixes,
                                    struct etc_arena *arena, const char ***out, uint32_t *count,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Returns the folder of the running executable, in the arena. The folder is determined at run time,
 * because an installation may have been moved. NULL: unknown (path too long, no /proc). A call
 * costs as much as ten stat() calls, so call it once. */
const char *etc_program_folder(struct etc_arena *arena);

/* Returns the path of `relative`, such as "../lib", in `folder`, without "..". The result is
 * NUL-terminated, in the arena. The path need not exist. */
struct etc_str etc_folder_beside(const char *folder, const char *relative, struct etc_arena *arena);

/* Is `path` a folder? */
bool etc_folder_exists(const char *path);

/* Makes the folder `path`. E0632 the path exists already, E0903 the system cannot make it. */
enum etc_status etc_folder_make(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* Makes `path` and the missing folders above it; succeeds if `path` exists. E0903. */
enum etc_status etc_folder_make_all(const char *path, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
