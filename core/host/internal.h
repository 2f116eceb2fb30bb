/* internal.h -- private to the files of host/. */
#ifndef ETC_HOST_INTERNAL_H
#define ETC_HOST_INTERNAL_H

#include "host/contract.h"
#include "host/guard.h"
#include "host/plugin.h"
#include "host/sink.h"

#define ETC_HAS_HOOK(p, hook) ((p) && (p)->abi && !(p)->broken && (p)->abi->hook)

/* find.c: a plugin's file in one of the folders that are searched. `stem` is its name without
 * ".so"; `origin` says how the folder was found. */
struct etc_found {
	struct etc_str path, stem, origin;
};
struct etc_search {
	struct etc_found *files; /* sorted by folder, in the order of search, then by name */
	uint32_t count;
	struct etc_looked *folders; /* the folders, in the order of search */
	uint32_t folder_count;
};
enum etc_status etc_search(struct etc_search *s, const struct etc_host_options *options,
                           struct etc_arena *arena, struct etc_notes *notes,
                           struct etc_error *err) ETC_MUST_CHECK;

/* Reports W0621 if other users could replace the file at `path`, which the user named as a
 * plugin. */
void etc_plugin_named(const char *path, const struct etc_host_options *options,
                      struct etc_arena *arena, struct etc_notes *notes);

/* Is the file in the plugin folder of etcore's installation? */
bool etc_plugin_installed(const char *path, const struct etc_host_options *options,
                          struct etc_arena *arena);

/* load.c: checks the bytes of the file without opening it; sets p->state to REFUSED if it is no
 * usable plugin. */
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

enum { ETC_EXCEPTION_MAX = 160, ETC_DIAGNOSE_MAX = 500 /* sizes of buffers in bytes */ };

/* One call of a hook: its arguments, and the destination of the answer. */
struct etc_hook_args {
	const struct etcore_call *call; /* the delegate call; NULL for the hooks open and close */
	/* index of the event; unused by hooks that receive the whole call */
	uint32_t index;
	/* arguments of convert_time: scales, and `count` numbers in ticks */
	const struct etcore_scales *scales;
	const uint64_t *raw;
	uint64_t count;
	/* The sinks of the hook, and the intake that collects its answer. Most hooks have one sink,
	 * expand_event has three; the members for other sinks are NULL. */
	const struct etcore_sink *data;
	const struct etcore_number_sink *numbers;
	const struct etcore_text_sink *facts; /* made by etc_facts_sink() */
	const struct etcore_map_sink *map;
	/* for expand_event, which also uses `data` and `facts` */
	const struct etcore_child_sink *children;
	struct etc_intake *in;
	struct etcore_time *const *times; /* answers of describe_time, one per event */
	/* Set by the call: */
	etcore_result result;
	int32_t score; /* the score that probe returned */
	void *self;    /* the instance that open() made */
};

/* Is the hook called once for each event? False: once for each delegate call. */
bool etc_hook_of_event(enum etc_hook hook);

/* Opens the plugin's instance, by the hook open(), if it is not open yet. False: open() failed. */
bool etc_hook_ready(struct etc_plugin *p);

/* Calls a hook, guarded against exceptions and crashes. False: it threw an exception, whose text is
 * in `what`. */
bool etc_hook_call(const struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a,
                   char what[ETC_EXCEPTION_MAX]);

/* Opens the plugin's instance if needed, and calls a hook. False: the hook could not be called, or
 * threw an exception; a note reports this. */
bool etc_hook_run(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a);

/* Prepares `in`, which collects a hook's answer: sets the members that all sinks use. */
void etc_hook_intake(struct etc_plugin *p, struct etc_intake *in);

/* Called by etc_hook_accepted() if an answer has a fault or if the hook's result is not ETCORE_OK.
 * Reports the fault or failure; if the hook declined, reports nothing. Returns false. */
bool etc_hook_excused(struct etc_plugin *p, enum etc_hook hook, const struct etc_hook_args *a);

/* Is the answer of a hook valid? True if the hook returned ETCORE_OK and its sink found no fault. A
 * fault or failure is reported by a note. */
static inline bool etc_hook_accepted(struct etc_plugin *p, enum etc_hook hook,
                                     const struct etc_hook_args *a)
{
	return (a->result == ETCORE_OK && !(a->in && a->in->fault[0])) ||
	       etc_hook_excused(p, hook, a);
}

/* Reports a note with `code` about a hook, and counts the failure. `index` is the index of the
 * event, or -1 if the note is not about one event. */
void etc_hook_note(struct etc_plugin *p, enum etc_code code, enum etc_hook hook,
                   const struct etcore_call *call, int64_t index, const char *text);

/* Implements etcore_host.diagnose. `handle` is the struct etc_plugin. */
void etc_hook_diagnose(void *handle, uint32_t severity, struct etcore_text message);

/* Implements etcore_host.get_service. No service exists yet. */
const void *etc_hook_service(void *handle, const char *id);

/* hooks.c: converts a valid answer of describe_time to the struct in which etcore stores it. */
struct etc_time_facts etc_time_taken(const struct etcore_time *t);

/* ask.c: returns a copy of the facts in the host's arena; if a recent copy is equal, returns that
 * one. */
const struct etc_facts *etc_facts_keep(struct etc_host *host, const struct etc_facts *f);

/* Returns the backend id that is stored in the facts of the call's events: the backend of the call,
 * or, if it is unknown, the first backend that the owner lists. */
struct etc_str etc_explain_backend(const struct etc_plugin *owner, const struct etcore_call *call);

/* ---- owner.c -------------------------------------------------------------------- */

/* Does etc_host_owner() call the hook probe of this plugin for the call? */
bool etc_owner_probes(const struct etc_plugin *p, const struct etcore_call *call);

/* Returns the first section [backend.ID] whose `owner =` names the plugin; NULL: there is none. */
const struct etc_backend_settings *etc_owner_appointing(const struct etc_plugin *p);

/* Returns the section [backend.ID] of the call's backend if its `owner =` gives the backend to
 * another plugin than `p`, or to none. NULL: `p` may own the call. */
const struct etc_backend_settings *etc_owner_bar(const struct etc_plugin *p,
                                                 const struct etcore_call *call);

/* owner.c: does the plugin's descriptor list this backend? */
bool etc_plugin_lists(const struct etc_plugin *p, struct etc_str backend);

/* ---- unasked.c ------------------------------------------------------------------ */

/* Records, for each plugin except `owner`, why the plugin does not own this delegate call. `owner`
 * is NULL if no plugin owns it. */
void etc_unasked_call(struct etc_host *host, const struct etcore_call *call,
                      const struct etc_plugin *owner);

/* ---- decode.c ------------------------------------------------------------------- */

/* Reads the number that is stored in format `how` at byte `offset` of the blob. False: the blob is
 * too short. */
bool etc_decode_at(enum etc_decoder how, struct etc_str blob, size_t offset,
                   struct etc_arena *arena, struct etc_datum *out);

/* Decodes one blob as text, hex digits, JSON or a number. A blob that cannot be decoded by `how`
 * becomes hex digits; an empty blob becomes null. False: out of memory. */
bool etc_decode_blob(enum etc_decoder how, struct etc_str blob, struct etc_arena *arena,
                     struct etc_datum *out);

/* ---- explain.c: the steps of etc_host_explain_call -------------------------- */

/* Calls name_event and classify of the owner (NULL: none) for all events. Fills out[0 ..
 * call->count), which must be zeroed. */
enum etc_status etc_explain_own(struct etc_plugin *owner, const struct etcore_call *call,
                                struct etc_facts *out, struct etc_error *err) ETC_MUST_CHECK;

/* Calls name_event and classify of `p`, the plugin made from a section [backend.ID] of the
 * configuration, to fill the fields of `facts` that the owner left empty. */
enum etc_status etc_explain_fill(struct etc_plugin *p, const struct etcore_call *call,
                                 struct etc_facts *facts, struct etc_error *err) ETC_MUST_CHECK;

/* Does `p` add facts to the events of a call? It does if it is a loaded annotator, and if its
 * descriptor lists the backend of the call. `facts` are the facts about the call's first event, and
 * name that backend. */
bool etc_explain_annotates(const struct etc_plugin *p, const struct etc_facts *facts);

/* Makes a copy of the call for annotators, in `arena`. In the copy, each event also has the owner's
 * facts about it, and the columns in `parsed`, which has one element per event. If `parsed` is
 * NULL, no event has columns. */
enum etc_status etc_explain_annotated(const struct etcore_call *call, const struct etc_facts *facts,
                                      const struct etc_parsed *parsed, struct etc_arena *arena,
                                      struct etcore_call *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Calls an annotator's classify for every event of a call made by etc_explain_annotated(). */
enum etc_status etc_explain_annotate(struct etc_plugin *p, const struct etcore_call *annotated,
                                     struct etc_facts *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
