/* sandbox.h -- what the process of an isolated plugin gives up before it loads the plugin's code. */
#ifndef ETC_BASE_SANDBOX_H
#define ETC_BASE_SANDBOX_H

#ifdef __cplusplus
extern "C" {
#endif

/* What this kernel has not. */
enum { ETC_SANDBOX_NO_FILTER = 1, ETC_SANDBOX_NO_LANDLOCK = 2, ETC_SANDBOX_ALL = 3 };

/* From here on, for this process and for ever: no new rights by exec; who asks for a socket, a
 * process, another program, to trace one or to shorten a file is ended by SIGSYS; no file can be made, written
 * to, renamed or removed but by descriptors that are open. Threads may still be started. Returns what is missing. A program with a
 * sanitizer, which needs more than a plugin does, gives up nothing. */
unsigned etc_sandbox_enter(void);

#ifdef __cplusplus
}
#endif
#endif
