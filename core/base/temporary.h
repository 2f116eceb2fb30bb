/* temporary.h -- output files that are not whole yet, for whoever ends the process: a
 * signal handler has no other way to know them. */
#ifndef ETC_BASE_TEMPORARY_H
#define ETC_BASE_TEMPORARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Takes note of the file `path`, before it is made; relative to the open folder `folder`
 * (AT_FDCWD: to the current one), which stays open until the file is forgotten. Returns
 * what to hand to etc_temporary_forget, or -1 when too many are under way at once. */
int etc_temporary_note(int folder, const char *path);

/* It is whole, or removed. -1 is allowed. */
void etc_temporary_forget(int which);

/* Removes all of them. Async-signal-safe. */
void etc_temporaries_unlink(void);

/* Only where the process is the program's own: a signal whose default action ends it
 * removes the files first, then ends it all the same. One that is ignored or has a handler
 * stays as it is. SIGXFSZ is ignored, so that write() says EFBIG. */
void etc_temporaries_own(void);

#ifdef __cplusplus
}
#endif
#endif
