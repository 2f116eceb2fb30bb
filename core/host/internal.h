/* internal.h -- private to the files of host/. */
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

/* W0621 if other users could replace the file that was named. */
void etc_plugin_named(const char *path, const struct etc_host_options *options,
                      struct etc_arena *arena, struct etc_notes *notes);

/* Does the file lie in the folder of the plugins that are installed with etcore? */
bool etc_plugin_installed(const char *path, const struct etc_host_options *options,
                          struct etc_arena *arena);

/* load.c: checks the bytes of the file: p is REFUSED if it must not be opened. */
enum etc_status etc_plugin_look(struct etc_plugin *p, struct etc_arena *arena,
                                struct etc_error *err) ETC_MUST_CHECK;

/* ---- run.c: calling hooks ------------------------------------------------------- */

enum etc_hook {
	ETC_HOOK_OPEN,
	ETC_HOOK_CLOSE,
	ETC_HOOK_PROBE,
	ETC_HOOK_DESCRIBE,
	ETC_HOOK_NAME,
	ETC_HOOK_CLASSIFY,
	ETC_HOOK_MAP,
	ETC_HOOK_PARSE,
	ETC_HOOK_EXPAND,
	ETC_HOOK_CONVERT,
	ETC_HOOKS
};

enum { ETC_EXCEPTION_MAX = 160, ETC_DIAGNOSE_MAX = 500 /* bytes */ };

/* One call of a hook: its arguments, and the destination of the answer. */
struct etc_hook_args {
	const struct etcore_call *call; /* NULL: open, close */
	uint32_t index;                 /* of the event, if the hook is about one */
	/* convert_time */
	const struct etcore_scales *scales;
	const uint64_t *raw;
	uint64_t count;
	/* The sink of the hook, and its intake (NULL: none). */
	const struct etcore_sink *data;
	const struct etcore_number_sink *numbers;
	const struct etcore_text_sink *facts; /* of the host's: with a struct etc_facts_intake */
	const struct etcore_map_sink *map;
	const struct etcore_child_sink *children; /* with `data` and `facts` */
	struct etc_intake *in;
	struct etcore_time *const *times; /* describe_time */
	/* Answers. */
	etcore_result result;
	int32_t score; /* probe */
	void *self;    /* result of open() */
};

/* Is it asked for each event, not once for a call? */
bool etc_hook_of_event(enum etc_hook hook);

/* Opens the instance on first use. False: it cannot be opened. */
bool etc_hook_ready(struct etc_plugin *p);

/* Runs a hook behind the guard only: false if an exception left it. */
bool etc_hook_call(const struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a,
                   char what[ETC_EXCEPTION_MAX]);

/* Runs a hook, opening the instance first. False when it could not run or an
 * exception left it: the note is written. */
bool etc_hook_run(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a);

/* Prepares the common part of a hook's intake. */
void etc_hook_intake(struct etc_plugin *p, struct etc_intake *in);

/* An answer that may be dropped: as etc_hook_accepted(). */
bool etc_hook_excused(struct etc_plugin *p, enum etc_hook hook, const struct etc_hook_args *a);

/* Evaluates a hook's result and its sink: true if the answer counts. A fault or failure gets its
 * note. */
static inline bool etc_hook_accepted(struct etc_plugin *p, enum etc_hook hook,
                                     const struct etc_hook_args *a)
{
	return (a->result == ETCORE_OK && !(a->in && a->in->fault[0])) ||
	       etc_hook_excused(p, hook, a);
}

/* Writes a note (`code`) about a hook and counts the failure. `index`: of the
 * event, or -1. */
void etc_hook_note(struct etc_plugin *p, enum etc_code code, enum etc_hook hook,
                   const struct etcore_call *call, int64_t index, const char *text);

/* etcore_host.diagnose: `handle` is the struct etc_plugin. */
void etc_hook_diagnose(void *handle, uint32_t severity, struct etcore_text message);

/* etcore_host.get_service: no service exists yet. */
const void *etc_hook_service(void *handle, const char *id);

/* hooks.c: times without fault. */
struct etc_time_facts etc_time_taken(const struct etcore_time *t);

/* ask.c: a copy in the host's arena, or a recent equal one. */
const struct etc_facts *etc_facts_keep(struct etc_host *host, const struct etc_facts *f);

/* Backend of the call, as facts have it. */
struct etc_str etc_explain_backend(const struct etc_plugin *owner, const struct etcore_call *call);

/* ---- owner.c -------------------------------------------------------------------- */

/* Would etc_host_owner() ask this plugin's probe about the call? */
bool etc_owner_probes(const struct etc_plugin *p, const struct etcore_call *call);

/* The first section with `owner = PLUGIN`; NULL: none. */
const struct etc_backend_settings *etc_owner_appointing(const struct etc_plugin *p);

/* The section whose `owner =` keeps the plugin from the call; NULL: none does. */
const struct etc_backend_settings *etc_owner_bar(const struct etc_plugin *p,
                                                 const struct etcore_call *call);

/* owner.c: is `backend` one of the ids in the plugin's descriptor? */
bool etc_plugin_lists(const struct etc_plugin *p, struct etc_str backend);

/* ---- unasked.c ------------------------------------------------------------------ */

/* Records why other plugins than `owner` (NULL: none) do not own a delegate call. */
void etc_unasked_call(struct etc_host *host, const struct etcore_call *call,
                      const struct etc_plugin *owner);

/* ---- decode.c ------------------------------------------------------------------- */

/* The number of form `how` from byte `offset` on; false when the blob is shorter. */
bool etc_decode_at(enum etc_decoder how, struct etc_str blob, size_t offset,
                   struct etc_arena *arena, struct etc_datum *out);

/* One blob: text, hex digits, JSON or a number; what does not fit `how` is hex,
 * nothing is null. False: memory. */
bool etc_decode_blob(enum etc_decoder how, struct etc_str blob, struct etc_arena *arena,
                     struct etc_datum *out);

/* ---- explain.c: the two parts of etc_host_explain_call -------------------------- */

/* name_event and classify of the owner (NULL: none): out[0 .. call->count), zeroed. */
enum etc_status etc_explain_own(struct etc_plugin *owner, const struct etcore_call *call,
                                struct etc_facts *out, struct etc_error *err) ETC_MUST_CHECK;

/* The same two hooks of `p`, for what another owner left empty. */
enum etc_status etc_explain_fill(struct etc_plugin *p, const struct etcore_call *call,
                                 struct etc_facts *facts, struct etc_error *err) ETC_MUST_CHECK;

/* Does `p` add facts to the events of this call, whose facts are given? */
bool etc_explain_annotates(const struct etc_plugin *p, const struct etc_facts *facts);

/* The call as annotators see it: with facts, and columns of those events that were `parsed`
 * (NULL: none was). It lives in `arena`. */
enum etc_status etc_explain_annotated(const struct etcore_call *call, const struct etc_facts *facts,
                                      const struct etc_parsed *parsed, struct etc_arena *arena,
                                      struct etcore_call *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* classify of an annotator for every event of such a call. */
enum etc_status etc_explain_annotate(struct etc_plugin *p, const struct etcore_call *annotated,
                                     struct etc_facts *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
