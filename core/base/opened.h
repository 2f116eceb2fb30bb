/* opened.h -- the input files of the query that this thread runs.
 *
 * Two things must not go unnoticed: an output that would replace an input, and an input that
 * is truncated while it is mapped, since reading it then raises SIGBUS. The signal handler has
 * no other way to map the address of a fault back to the name of a file. */
#ifndef ETC_BASE_OPENED_H
#define ETC_BASE_OPENED_H

#include <sys/stat.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_opened;

/* Begins a query with no files. Returns the former state; restore it at the end, which forgets
 * the files added since. */
struct etc_opened *etc_opened_begin(void);
void etc_opened_end(struct etc_opened *before);

/* Adds a file, during a query. If an allocation fails it is not added, which memory.h records. */
void etc_opened_add(const struct stat *file);

/* E0909 when `path` ("-": standard output) is one of them, by whatever name or link. */
enum etc_status etc_opened_spare(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* The mapped files of the process, for the handler of SIGBUS. `path` is borrowed. */
void etc_mapped_add(const void *at, size_t size, const char *path);
void etc_mapped_remove(const void *at);

/* The path of the file whose bytes are at `address`, and which byte it is; or NULL.
 * Async-signal-safe. */
const char *etc_mapped_at(const void *address, size_t *offset);

#ifdef __cplusplus
}
#endif
#endif
