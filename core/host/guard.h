/* guard.h -- protects etcore while a plugin's code runs; all calls of hooks go through this file.
 *
 * guard.cpp catches C++ exceptions that leave a hook. crash.c handles crashes, in the etcore
 * program only: its signal handler runs on a separate stack, reports plugin, hook and event, and
 * ends the program with status 9. */
#ifndef ETC_HOST_GUARD_H
#define ETC_HOST_GUARD_H

#include "base/span.h"
#include "etcore/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hook that is running, for messages. The texts must stay valid until the hook returns. */
struct etc_hook_place {
	struct etc_str plugin, path;
	const char *hook;               /* "parse_metadata" */
	const struct etcore_call *call; /* NULL: none */
	/* the event for which the hook was called; NULL: it was called for the whole call */
	const struct etcore_event *event;
};

/* Calls body(arg). Returns false if `body` threw a C++ exception; `what` then has the exception's
 * text, in at most `room` bytes with the NUL. */
bool etc_guard(void (*body)(void *arg), void *arg, char *what, size_t room);

/* Installs a std::terminate handler that calls etc_crash_no_memory(). Outside of hooks, the only
 * exception that reaches this handler is a failed allocation of a C++ library. */
void etc_guard_own(void);

/* Reports E0904 and ends the program. If a hook is running, does nothing. */
void etc_crash_no_memory(void);

/* etc_crash_own() allows the functions etc_crash_*() below to end the process when a plugin
 * crashes. Unless it is called, they do nothing; so a program that uses libetcore is never ended by
 * them. Call it before any thread is started. etc_crash_owned(): was it called? */
void etc_crash_own(void);
bool etc_crash_owned(void);

/* Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, which run on a stack of their
 * own. Does nothing if they are already installed. If such a signal arrives while no hook is
 * running, the former handler gets it. A hook that calls exit is reported like a crash. */
void etc_crash_install(void);
/* Restores the handlers that were installed before etc_crash_install(). */
void etc_crash_uninstall(void);
/* Keeps the handlers installed until the program ends, if a library was remembered
 * (etc_crash_remember()). Otherwise restores the former handlers. */
void etc_crash_until_end(void);

/* Remembers the address range [from, to) of the code of a plugin's library. If the program crashes
 * at its end, after etc_crash_until_end(), and this code is on the stack, the crash is reported as
 * that of the plugin's destructors or exit handlers. Texts that are too long are truncated. */
void etc_crash_remember(struct etc_str plugin, struct etc_str path, uintptr_t from, uintptr_t to);

/* Selects how a crash is reported: as one JSON object on a line, or as text (the default). */
void etc_crash_as_json(bool json);

/* etc_crash_enter() is called before a hook, etc_crash_leave() after it. A crash between the two is
 * reported with the plugin and hook of `place`. */
void etc_crash_enter(const struct etc_hook_place *place);
void etc_crash_leave(void);

/* Writes the backend, the event (its name or delegate id) and the instruction, as a part of a
 * message, to `to`; truncates the text to ETC_PLACE_MAX bytes. Returns its length. */
enum { ETC_PLACE_MAX = 400 };
size_t etc_hook_place_text(const struct etc_hook_place *place, char to[ETC_PLACE_MAX]);

#ifdef __cplusplus
}
#endif
#endif
