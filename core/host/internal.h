/* internal.h -- what the files of host/ share; nobody else includes it. */
#ifndef ETC_HOST_INTERNAL_H
#define ETC_HOST_INTERNAL_H

#include "host/contract.h"
#include "host/guard.h"
#include "host/host.h"
#include "host/sink.h"

#define ETC_HAS_HOOK(p, hook) ((p) && (p)->abi && !(p)->broken && (p)->abi->hook)

/* find.c: the files of the search path. */
struct etc_found {
	struct etc_str path, stem, origin;
};
struct etc_search {
	struct etc_found *files; /* by folder in order of search, then by name */
	uint32_t count;
};
enum etc_status etc_search(struct etc_search *s, const struct etc_host_options *options,
                           struct etc_arena *arena, struct etc_notes *notes,
                           struct etc_error *err) ETC_MUST_CHECK;

/* Is `path` a regular file? One that is not (a pipe) must not be opened. */
bool etc_is_regular(const char *path);

/* hooks.c: runs body(arg) as hook `hook` of `p`, opening the instance first.
 * `call` may be NULL. False when it could not run or an exception left it: the
 * note is written. */
bool etc_hook_run(struct etc_plugin *p, const char *hook, const struct etcore_call *call,
                  int64_t index, void (*body)(void *arg), void *arg);

/* What a hook's result and its sink (NULL: none) come to: true when the answer
 * counts. A fault or failure gets its note. */
bool etc_hook_accepted(struct etc_plugin *p, const char *hook, const struct etcore_call *call,
                       int64_t index, etcore_result r, const struct etc_intake *in);

static inline enum etc_status etc_hook_nomem(struct etc_error *err, const char *hook)
{
	return etc_fail(err, E0904, "the answer of %s", hook);
}

/* Writes a note (`code`) about a hook and counts the failure. */
void etc_hook_note(struct etc_plugin *p, enum etc_code code, const char *hook,
                   const struct etcore_call *call, int64_t index, const char *text);

#endif
