/* folder.h -- looking for files beside a file and for folders beside the program,
 * and making folders; the only mkdir(). */
#ifndef ETC_BASE_FOLDER_H
#define ETC_BASE_FOLDER_H

#include "base/arena.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The files of one kind in a folder. */
struct etc_neighbours {
	struct etc_str first, second; /* the first two paths by name, of however many */
	size_t count;
};

/* Plain files in the folder of `path` whose names end in one of `suffixes`
 * (NULL at the end; hidden files only for the suffix ""), without `path` itself. Paths are the arena's and end in a
 * NUL. A folder that cannot be read has none. */
struct etc_neighbours etc_folder_find(const char *path, const char *const *suffixes,
                                      struct etc_arena *arena);

/* Plain files in `folder` whose names end in one of `suffixes` (likewise), in
 * the order of their names; paths are the arena's and end in a NUL. E0901 the folder
 * cannot be read, E0904. */
enum etc_status etc_folder_list(const char *folder, const char *const *suffixes,
                                struct etc_arena *arena, const char ***out, uint32_t *count,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The same, with entries of such names that are no files: pipes, dangling links, folders. */
enum etc_status etc_folder_list_all(const char *folder, const char *const *suffixes,
                                    struct etc_arena *arena, const char ***out, uint32_t *count,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* The folder of the running program; an installed prefix may have been moved. In the arena; NULL
 * when it is not known (too long, no /proc). Costs as much as ten stat() calls, so call it once. */
const char *etc_program_folder(struct etc_arena *arena);

/* `folder`/`relative` ("../lib") without "..", the arena's, ending in a NUL. It need not exist. */
struct etc_str etc_folder_beside(const char *folder, const char *relative, struct etc_arena *arena);

/* Is `path` a folder? */
bool etc_folder_exists(const char *path);

/* Makes the folder `path`, which must not be there yet. E0632, E0903. */
enum etc_status etc_folder_make(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* Makes `path` and what is missing above it; it may be there. E0903. */
enum etc_status etc_folder_make_all(const char *path, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
