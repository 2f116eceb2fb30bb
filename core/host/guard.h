/* guard.h -- the one door to a plugin's code.
 *
 * A C++ exception that leaves a hook ends here (guard.cpp); in the etcore program
 * a signal is caught on a stack of its own and ends it with plugin, hook and
 * event, exit status 9 (crash.c). */
#ifndef ETC_HOST_GUARD_H
#define ETC_HOST_GUARD_H

#include "base/span.h"
#include "etcore/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is running: for messages. Texts live while the hook runs. */
struct etc_hook_place {
	struct etc_str plugin, path;
	const char *hook;                 /* "parse_metadata" */
	const struct etcore_call *call;   /* NULL: none */
	const struct etcore_event *event; /* of it; NULL: the hook is asked for no event */
};

/* Calls body(arg). False when a C++ exception left it: `what` then holds its
 * text (at most `room` bytes with NUL). */
bool etc_guard(void (*body)(void *arg), void *arg, char *what, size_t room);

/* Where libstdc++ would end the program outside hooks, etc_crash_no_memory() does. */
void etc_guard_own(void);

/* Ends the program with E0904, unless a hook runs: then it returns. */
void etc_crash_no_memory(void);

/* The process is the program's own: it may end when a plugin crashes. Without
 * this, as in a program that uses the library, nothing below is done: a crash is
 * that program's. Before any thread is started. */
void etc_crash_own(void);
bool etc_crash_owned(void);

/* Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT with
 * their stack, once; outside hooks a signal goes where it went before. A hook
 * that calls exit() is told like a signal. */
void etc_crash_install(void);
/* Puts everything back as it was. */
void etc_crash_uninstall(void);

/* How a crash is told: one JSON object on a line, or text (the default). */
void etc_crash_as_json(bool json);

/* Between the two calls a signal is `place`'s fault. */
void etc_crash_enter(const struct etc_hook_place *place);
void etc_crash_leave(void);

/* "event 3" as messages name it: name, delegate id, instruction; bounded. */
enum { ETC_PLACE_MAX = 400 };
size_t etc_hook_place_text(const struct etc_hook_place *place, char to[ETC_PLACE_MAX]);

#ifdef __cplusplus
}
#endif
#endif
