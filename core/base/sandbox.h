/* sandbox.h -- what the process of an isolated plugin gives up: some before it loads the plugin's
 * code, all but memory, its line, time, threads and its end once it has. */
#ifndef ETC_BASE_SANDBOX_H
#define ETC_BASE_SANDBOX_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What does not hold it: this kernel has none, or (RELAXED) the program has a sanitizer, which needs
 * more than a plugin may. */
enum { ETC_SANDBOX_NO_FILTER = 1, ETC_SANDBOX_NO_LANDLOCK = 2, ETC_SANDBOX_RELAXED = 4 };

/* Exit statuses of a process that asked for what it may not have. SIGSYS where it could not say
 * for what. */
enum etc_breach {
	ETC_BREACH_OTHER = 80,
	ETC_BREACH_FILE,
	ETC_BREACH_SOCKET,
	ETC_BREACH_PROCESS,
	ETC_BREACH_PROGRAM
};

/* "a file, which": what a process that ended with this status, or SIGSYS, asked for; NULL: it did not. */
const char *etc_breach_text(bool signaled, int status);

/* From here on, for this thread and those that it starts, for ever: no new rights by exec; only the
 * folder of the file `plugin` and those of the system's libraries can be read (EACCES); who asks
 * for a socket, another process or program, to trace or signal one, or to make, change or remove a
 * file is ended. Limits stay as they are (EPERM), and calls that no library needs to be loaded do
 * not exist (ENOSYS). Before there are other threads. Returns what is missing. */
unsigned etc_sandbox_load(const char *plugin);

/* From here on, for all threads: who opens any file is ended as well, and of all else only memory,
 * descriptors that are open, time, threads and the end are left (ENOSYS). `missing`: of
 * etc_sandbox_load(). False: not all threads could be held. */
bool etc_sandbox_run(unsigned missing);

#ifdef __cplusplus
}
#endif
#endif
