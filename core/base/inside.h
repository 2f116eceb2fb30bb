/* inside.h -- writes files below a folder that the user named.
 *
 * Links in the path of that folder are followed, since the user chose the path. Below the folder,
 * where other users may have put files, no link is ever followed: a link in place of a file or
 * folder is replaced, and its target stays unchanged.
 *
 * In all functions `path` begins with `folder` and a slash, and contains no "..". */
#ifndef ETC_BASE_INSIDE_H
#define ETC_BASE_INSIDE_H

#include "base/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Like etc_output_open (file.h); missing folders are made. E0903. */
enum etc_status etc_inside_open(struct etc_output *o, const char *folder, const char *path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_inside_open(), but writes the whole text and closes the file. */
enum etc_status etc_inside_write(const char *folder, const char *path, struct etc_str text,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Creates an empty file and opens it for appending. A file of that name that exists already is
 * removed first. Returns the descriptor, or -1 with errno set. */
int etc_inside_create(const char *folder, const char *path, unsigned mode);

/* Removes a file; failures are ignored. */
void etc_inside_remove(const char *folder, const char *path);

/* Makes the folder `path`, and the missing folders between `folder` and `path`. E0903. */
enum etc_status etc_inside_make(const char *folder, const char *path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_inside_write(), with the folder that contains `path` as `folder`. It is for files whose
 * name etcore chose, in a folder that the user named. */
enum etc_status etc_inside_write_beside(const char *path, struct etc_str text,
                                        struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
