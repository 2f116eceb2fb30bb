/* sandbox.h -- drops the rights of an isolated plugin's process in two steps: some before the
 * plugin's code is loaded, the others afterwards. In the end, the process may only make system
 * calls for memory, open descriptors, time, threads and exit. */
#ifndef ETC_BASE_SANDBOX_H
#define ETC_BASE_SANDBOX_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the sandbox that are missing. NO_FILTER, NO_LANDLOCK: the kernel does not support
 * seccomp filters or Landlock. RELAXED: the program is built with a sanitizer, which needs more
 * rights than a plugin may have. */
enum { ETC_SANDBOX_NO_FILTER = 1, ETC_SANDBOX_NO_LANDLOCK = 2, ETC_SANDBOX_RELAXED = 4 };

/* Exit statuses of a process that made a forbidden system call. SIGSYS ends the process instead if
 * its handler cannot run. */
enum etc_breach {
	ETC_BREACH_OTHER = 80,
	ETC_BREACH_FILE,
	ETC_BREACH_SOCKET,
	ETC_BREACH_PROCESS,
	ETC_BREACH_PROGRAM
};

/* Returns the words for "…" in the message "it asked for … an isolated plugin may not have": the
 * kind of the forbidden call that ended the process, such as "a file, which". If SIGSYS ended the
 * process, the kind is unknown, and the text is "what". NULL: the process did not end because of a
 * forbidden call. */
const char *etc_breach_text(bool signaled, int status);

/* The first step: permanently restricts this thread and the threads that it starts. Only the folder
 * of the file `plugin` and the folders of the system's libraries can be read (otherwise EACCES).
 * The process ends if it creates a socket or a process, executes a program, traces or signals
 * another process, or creates, changes or removes a file. Limits cannot be changed (EPERM), calls
 * that loading a library does not need fail (ENOSYS), and set-user-ID programs give no new rights.
 * Call it before other threads exist. Returns the parts of the sandbox that are missing. */
unsigned etc_sandbox_load(const char *plugin);

/* The second step: permanently restricts all threads further. Opening a file now also ends the
 * process, and only calls for memory, open descriptors, time, threads and exit remain (others:
 * ENOSYS). `missing`: result of etc_sandbox_load(). Returns false if some threads could not be
 * restricted. */
bool etc_sandbox_run(unsigned missing);

#ifdef __cplusplus
}
#endif
#endif
