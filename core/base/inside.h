/* inside.h -- writes below a folder that the user named. Links in the folder's own path are
 * followed, since that path is the user's choice; below it, where others may have put files, no
 * link is ever followed. A link in the place of a file or folder is replaced; its target stays
 * as it is.
 *
 * In all functions `path` begins with `folder` and a slash, and has no part "..". */
#ifndef ETC_BASE_INSIDE_H
#define ETC_BASE_INSIDE_H

#include "base/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As etc_output_open (file.h); folders on the way are made. E0903. */
enum etc_status etc_inside_open(struct etc_output *o, const char *folder, const char *path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The same with all of the text at once. */
enum etc_status etc_inside_write(const char *folder, const char *path, struct etc_str text,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* A new and empty file that is written to as it grows; what had its name is removed first.
 * The descriptor, or -1 and errno. */
int etc_inside_create(const char *folder, const char *path, unsigned mode);

/* Makes the folder `path` and those above it. E0903. */
enum etc_status etc_inside_make(const char *folder, const char *path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The same where etcore chose only the last part of `path`: its folder counts as named by the
 * user. */
enum etc_status etc_inside_write_beside(const char *path, struct etc_str text,
                                        struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
