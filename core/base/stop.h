/* stop.h -- records SIGINT, SIGTERM and SIGHUP for work that must end in good order; loops poll
 * etc_stop_signal(). */
#ifndef ETC_BASE_STOP_H
#define ETC_BASE_STOP_H

#ifdef __cplusplus
extern "C" {
#endif

/* From here on SIGINT, SIGTERM and SIGHUP are recorded; one that was ignored (nohup) stays
 * ignored. Only where the process is the program's own. */
void etc_stop_catch(void);

/* Restores the former handlers; a recorded signal stays recorded. */
void etc_stop_release(void);

/* The first recorded signal, or 0. */
int etc_stop_signal(void);

#ifdef __cplusplus
}
#endif
#endif
