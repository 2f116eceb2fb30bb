/* progress.h -- shows the progress of long work in one line on a terminal: activity, bytes, and
 * remaining time.
 *
 *     reading run.etdump: 1.2 of 4.0 GB, about 6 s left
 *
 * The etcore program enables the line. Loops over many bytes call etc_progress() for each piece;
 * while the line is disabled, such a call costs one comparison. */
#ifndef ETC_BASE_PROGRESS_H
#define ETC_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Enables the progress line on the terminal `fd`. It is shown for work that takes longer than a
 * second. Only for the etcore program, not for users of the library. */
void etc_progress_begin(int fd);

/* Disables the progress line, and erases it. */
void etc_progress_end(void);

/* Erases the progress line, so that other output can be written; the next report shows it again.
 * Async-signal-safe. */
void etc_progress_clear(void);

/* Reports that `doing` ("reading") has reached byte `at` of `of` (0: unknown) in the file
 * `name`. */
extern bool etc_progress_on;
void etc_progress_tell(const char *doing, const char *name, uint64_t at, uint64_t of);

static inline void etc_progress(const char *doing, const char *name, uint64_t at, uint64_t of)
{
	if (etc_progress_on)
		etc_progress_tell(doing, name, at, of);
}

#ifdef __cplusplus
}
#endif
#endif
