/* temporary.h -- registers unfinished output files, so that a signal handler can remove these
 * files. */
#ifndef ETC_BASE_TEMPORARY_H
#define ETC_BASE_TEMPORARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Registers the file `path` before it is made. `path` is relative to the open folder `folder`
 * (AT_FDCWD: to the current folder), which must stay open until etc_temporary_forget(). Returns the
 * handle for etc_temporary_forget(), or -1 if too many files are registered. */
int etc_temporary_note(int folder, const char *path);

/* Unregisters a file that is complete or removed. -1 is allowed and does nothing. */
void etc_temporary_forget(int which);

/* Removes all registered files. Async-signal-safe. */
void etc_temporaries_unlink(void);

/* Installs handlers for the signals whose default action ends the process: they first remove the
 * registered files and erase the progress line, then end the process. Ignored or handled signals
 * are not changed. SIGXFSZ is ignored, so that write() fails with EFBIG. Only for processes of the
 * etcore program, not for users of the library. */
void etc_temporaries_own(void);

#ifdef __cplusplus
}
#endif
#endif
