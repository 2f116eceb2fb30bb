/* folder.h -- looking for files beside a file, and making folders; the only
 * opendir() for input and the only mkdir(). */
#ifndef ETC_BASE_FOLDER_H
#define ETC_BASE_FOLDER_H

#include "base/arena.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a folder holds of one kind. */
struct etc_found {
	struct etc_str first,
		second; /* paths in the order of their names; the second of how ever many */
	size_t count;
};

/* Plain files in the folder of `path` whose names end in one of `suffixes`
 * (NULL at the end), without `path` itself. Paths are the arena's and end in a
 * NUL. A folder that cannot be read has none. */
struct etc_found etc_folder_find(const char *path, const char *const *suffixes,
                                 struct etc_arena *arena);

/* Makes the folder `path`, which must not be there yet. E0632, E0903. */
enum etc_status etc_folder_make(const char *path, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
