/* temporary.h -- registers unfinished output files, so that a signal handler can remove them. */
#ifndef ETC_BASE_TEMPORARY_H
#define ETC_BASE_TEMPORARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Registers the file `path`, before it is made; relative to the open folder `folder` (AT_FDCWD:
 * to the current one), which must stay open until the file is forgotten. Returns the handle for
 * etc_temporary_forget, or -1 when too many are registered. */
int etc_temporary_note(int folder, const char *path);

/* The file is complete, or removed. -1 is allowed. */
void etc_temporary_forget(int which);

/* Removes all of them. Async-signal-safe. */
void etc_temporaries_unlink(void);

/* Only where the process is the program's own: signals whose default action ends the process
 * remove the files and the line of progress first, then end it. Ignored or handled signals stay so. SIGXFSZ is ignored,
 * so that write() fails with EFBIG. */
void etc_temporaries_own(void);

#ifdef __cplusplus
}
#endif
#endif
