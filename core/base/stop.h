/* stop.h -- Ctrl-C and its like for work that must end in good order: the signal is
 * taken note of, whoever waits looks. */
#ifndef ETC_BASE_STOP_H
#define ETC_BASE_STOP_H

#ifdef __cplusplus
extern "C" {
#endif

/* From here on SIGINT, SIGTERM and SIGHUP are taken note of; one that was ignored (nohup)
 * stays so. Only where the process is the program's own. */
void etc_stop_catch(void);

/* Puts the handlers back as they were; what came stays known. */
void etc_stop_release(void);

/* The first signal that came, or 0. */
int etc_stop_signal(void);

#ifdef __cplusplus
}
#endif
#endif
