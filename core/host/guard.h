/* guard.h -- the only calls into a plugin's code.
 *
 * A C++ exception that leaves a hook is caught here (guard.cpp); in the etcore program a crash
 * is handled on a separate stack, reported with plugin, hook and event, and ends the program
 * with status 9 (crash.c). */
#ifndef ETC_HOST_GUARD_H
#define ETC_HOST_GUARD_H

#include "base/span.h"
#include "etcore/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The running hook, for messages. Its texts must live as long as the hook runs. */
struct etc_hook_place {
	struct etc_str plugin, path;
	const char *hook;               /* "parse_metadata" */
	const struct etcore_call *call; /* NULL: none */
	/* event of the call; NULL: the hook is not about a single event */
	const struct etcore_event *event;
};

/* Calls body(arg). Returns false if body threw a C++ exception; `what` then contains its text (at
 * most `room` bytes with NUL). */
bool etc_guard(void (*body)(void *arg), void *arg, char *what, size_t room);

/* Installs a std::terminate handler that calls etc_crash_no_memory() outside hooks. */
void etc_guard_own(void);

/* Ends the program with E0904. If a hook is running, it does nothing and returns. */
void etc_crash_no_memory(void);

/* Allows the functions below to end the process when a plugin crashes. Without this call, as in a
 * program that uses the library, the functions etc_crash_*() below do nothing. Call it before any
 * thread is started. */
void etc_crash_own(void);
bool etc_crash_owned(void);

/* Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, which run on a stack of their
 * own. Does nothing if they are installed. A signal outside hooks is passed to the handler that was
 * installed before. A hook that calls exit() is reported like a crash. */
void etc_crash_install(void);
/* Restores the former handlers. */
void etc_crash_uninstall(void);
/* Keeps the handlers installed until the program ends, if a library was remembered
 * (etc_crash_remember()). Otherwise restores the former handlers. */
void etc_crash_until_end(void);

/* Remembers an opened library, whose code is at [from, to), for the end of the program: after
 * etc_crash_until_end(), a crash with this code on the stack is reported as that of the plugin's
 * destructors or exit handlers. Texts that are too long are truncated. */
void etc_crash_remember(struct etc_str plugin, struct etc_str path, uintptr_t from, uintptr_t to);

/* Selects how a crash is reported: as one JSON object on a line, or as text (the default). */
void etc_crash_as_json(bool json);

/* etc_crash_enter() is called before a hook, etc_crash_leave() after it. A crash between the two is
 * reported with the plugin and hook of `place`. */
void etc_crash_enter(const struct etc_hook_place *place);
void etc_crash_leave(void);

/* Writes backend, event (name or delegate id) and instruction for a message, truncated to
 * ETC_PLACE_MAX bytes. Returns the length. */
enum { ETC_PLACE_MAX = 400 };
size_t etc_hook_place_text(const struct etc_hook_place *place, char to[ETC_PLACE_MAX]);

#ifdef __cplusplus
}
#endif
#endif
