/* opened.h -- records the input files of the query that this thread runs.
 *
 * The list of these files has two uses. An output must not replace an input. And if a mapped input
 * is truncated, reading it raises SIGBUS: the signal handler finds here the name of the file that
 * is mapped at the address of the fault. */
#ifndef ETC_BASE_OPENED_H
#define ETC_BASE_OPENED_H

#include <sys/stat.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_opened;

/* etc_opened_begin() begins a query that has no input files yet, and returns the former list of
 * files. The caller passes this list to etc_opened_end(), which discards the current list and
 * restores the former one. */
struct etc_opened *etc_opened_begin(void);
void etc_opened_end(struct etc_opened *before);

/* Adds a file to the current query. If an allocation fails, the file is not added, and memory.h
 * records the failure. */
void etc_opened_add(const struct stat *file);

/* Fails with E0909 if `path` ("-": standard output) is an input file of the current query, under
 * any name or link. */
enum etc_status etc_opened_spare(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* These functions add and remove a mapped file, which the handler of SIGBUS can then find. `path`
 * is borrowed. */
void etc_mapped_add(const void *at, size_t size, const char *path);
void etc_mapped_remove(const void *at);

/* Returns the path of the file that is mapped at `address`, and sets `*offset` to the address's
 * offset in the file. NULL: no file is mapped there. Async-signal-safe. */
const char *etc_mapped_at(const void *address, size_t *offset);

#ifdef __cplusplus
}
#endif
#endif
