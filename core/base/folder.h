/* folder.h -- finds files next to a file and folders relative to the program, and makes
 * folders; the only user of mkdir(). */
#ifndef ETC_BASE_FOLDER_H
#define ETC_BASE_FOLDER_H

#include "base/arena.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The files of one kind in a folder. */
struct etc_neighbours {
	/* the first two paths found, sorted by name; there may be more */
	struct etc_str first, second;
	size_t count;
};

/* Finds the regular files in the folder of `path` whose names end in one of `suffixes`, without
 * `path` itself. The suffixes end with NULL; only the suffix "" also matches hidden files. Paths
 * are NUL-terminated, in the arena. A folder that cannot be read counts as empty. */
struct etc_neighbours etc_folder_find(const char *path, const char *const *suffixes,
                                      struct etc_arena *arena);

/* Lists the regular files in `folder` whose names end in one of `suffixes` (see
 * etc_folder_find()), sorted by name. Paths are NUL-terminated, in the arena. E0901 the folder
 * cannot be read, E0904. */
enum etc_status etc_folder_list(const char *folder, const char *const *suffixes,
                                struct etc_arena *arena, const char ***out, uint32_t *count,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_folder_list(), but includes entries that are no regular files: pipes, dangling links,
 * folders. */
enum etc_status etc_folder_list_all(const char *folder, const char *const *suffixes,
                                    struct etc_arena *arena, const char ***out, uint32_t *count,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Returns the folder of the running program, in the arena. It is searched at run time, because an
 * installed prefix may have been moved. NULL: unknown (path too long, no /proc). Costs as much as
 * ten stat() calls, so it should be called once. */
const char *etc_program_folder(struct etc_arena *arena);

/* Returns the path of `relative`, such as "../lib", in `folder`, without "..". It is
 * NUL-terminated, in the arena. It need not exist. */
struct etc_str etc_folder_beside(const char *folder, const char *relative, struct etc_arena *arena);

/* Is `path` a folder? */
bool etc_folder_exists(const char *path);

/* Makes the folder `path`, which must not exist yet. E0632, E0903. */
enum etc_status etc_folder_make(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* Makes `path` and the missing folders above it; succeeds if `path` exists. E0903. */
enum etc_status etc_folder_make_all(const char *path, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
