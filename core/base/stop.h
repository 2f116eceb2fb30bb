/* stop.h -- records SIGINT, SIGTERM and SIGHUP for work that must not be ended at an arbitrary
 * point; its loops poll etc_stop_signal(). */
#ifndef ETC_BASE_STOP_H
#define ETC_BASE_STOP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts recording SIGINT, SIGTERM and SIGHUP; a signal that was ignored (nohup) stays ignored.
 * Only for the etcore program, not for users of the library. */
void etc_stop_catch(void);

/* Restores the former handlers; a recorded signal stays recorded. */
void etc_stop_release(void);

/* Returns the first recorded signal, or 0. */
int etc_stop_signal(void);

#ifdef __cplusplus
}
#endif
#endif
