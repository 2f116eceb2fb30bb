/* host.h -- the interface to plugins.
 *
 * Finds, checks and opens the shared objects, and calls their hooks, guarded against exceptions and
 * crashes. Answers are copied into the arena. If a hook throws an exception or its answer is
 * invalid, the answer is dropped, and a note reports this; a crash is reported with plugin, hook
 * and event (crash.c). core/join and core/inspector build the delegate calls (struct etcore_call)
 * that the functions here take; core/host reads no files of ExecuTorch.
 *
 * Plugins are searched in this order: --plugin, the key `library` of [plugin.X] and the key
 * `plugin_path` of the INI file, ETCORE_PLUGIN_PATH, the user's data folder, the plugin folder of
 * the installation. The current folder is never searched, and a name in an input file is never used
 * to find a plugin. */
#ifndef ETC_HOST_HOST_H
#define ETC_HOST_HOST_H

#include "host/hooks.h"

/* Finds and checks the plugins. An unusable plugin is an error (E06xx) if the user requested it,
 * and a note if it was only found by the search; with options->list, there is no error. A plugin
 * that crashed in a process of its own is always the note W0640. Names, texts and notes are
 * allocated in `arena`. */
enum etc_status etc_host_load(struct etc_host *host, const struct etc_host_options *options,
                              struct etc_arena *arena, struct etc_notes *notes,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Calls close() of all plugins that were opened. Their libraries stay mapped until the process
 * ends. */
void etc_host_release(struct etc_host *host);

/* If neither record nor program names the backend of the delegate call, and its events match a
 * `probe =` of a section [backend.ID], sets call->backend to ID. Call it after etc_host_doubt(),
 * and before all other functions about the call. E0605: two sections have the same highest
 * score. */
enum etc_status etc_host_recognise(struct etc_host *host, struct etcore_call *call,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Clears call->backend, which a record or program names, if the events contradict it: the probe of
 * the plugin that lists this backend does not recognise the events, but the probe of a plugin that
 * does not list it returns a score of at least 50. This is decided once for each plugin, for all
 * calls of its backends, and reported as W0636. A backend with `owner =` is never cleared. Call it
 * before all other functions about the call. */
enum etc_status etc_host_doubt(struct etc_host *host, struct etcore_call *call,
                               struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* Finds the owner of a call. If `*owner` is NULL, the call has none, and its events get the generic
 * view.
 *
 * If call->backend is set, the owner is the plugin that `owner =` of the backend's INI section
 * names; without `owner =`, a loaded plugin that lists the backend; if there is none, the plugin
 * made from the rules of the section.
 *
 * If call->backend is not set, the owner is the plugin with the highest probe score above 0.
 * Plugins that an `owner =` names are tried first, then plugins whose backend no `owner =` gives to
 * another plugin. If two plugins have the highest score, the one that --plugin names is the owner;
 * if --plugin names neither, the error is E0605.
 *
 * If the probe finds a plugin that `owner =` of a section [backend.ID] names, call->backend is set
 * to ID in two cases: the plugin lists no backend, or an `owner =` gives the first backend in its
 * list to another plugin. */
enum etc_status etc_host_owner(struct etc_host *host, struct etcore_call *call,
                               struct etc_plugin **owner, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the title of the loaded annotator if exactly one annotator is loaded; else NULL. An
 * annotator reports which events used a certain library, such as KleidiAI, and its title is the
 * name of that library. */
const char *etc_host_library(const struct etc_host *host);

/* Does the configuration allow this plugin to own the call? */
bool etc_host_lets_own(const struct etc_plugin *p, const struct etcore_call *call);

/* Records the backend of a delegate call, and the section [backend.ID] that applies to it; W0555
 * reports sections that apply to no call. etc_host_owner() calls this function. */
void etc_host_met(struct etc_host *host, const struct etcore_call *call,
                  const struct etc_plugin *owner);

/* Reports plugins that were never called (N0625), and sections [backend.ID] of --config and --set
 * that apply to no delegate call (W0555). Call this function when all delegate calls were
 * handled. */
void etc_host_note_unasked(struct etc_host *host);

/* Marks the plugin that owns `backend` as the owner of a call, so that tables list the plugin's
 * columns even if no dump has a call of this backend. */
void etc_host_meet(struct etc_host *host, struct etc_str backend);

/* Lists the columns that owners and sections [backend.ID] declare, each name once. Columns of
 * plugins and sections that own calls in the dump come first. E0904. */
enum etc_status etc_host_declared(const struct etc_host *host, struct etc_arena *arena,
                                  const struct etc_declared **out, uint32_t *count,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Does any loaded owner accept events of this kind (ETCORE_SEES_*)? */
bool etc_host_sees(const struct etc_host *host, uint32_t kind);

/* Does a loaded owner have the hook expand_event? */
bool etc_host_expands(const struct etc_host *host);

/* Returns the section [backend.ID] for the call's backend; if the backend is unknown, for the first
 * backend that the owner lists. NULL: there is no such section. */
const struct etc_backend_settings *etc_host_section(const struct etc_host *host,
                                                    const struct etc_plugin *owner,
                                                    const struct etcore_call *call);

/* Sets `*unit` to the unit of an event's ticks according to the section `b`: that of a rule
 * `unit.*` which matches the event; if none does, the section's source_time_scale; if this is not
 * set, ETC_UNIT_UNKNOWN. Sets `*rate` to the ticks per second; 0: unknown. E0904. */
enum etc_status etc_host_scale(const struct etc_host *host, const struct etc_backend_settings *b,
                               const struct etcore_call *call, uint32_t index, uint8_t *unit,
                               double *rate, struct etc_error *err) ETC_MUST_CHECK;

/* Calls name_event and classify of the owner for all events of the call. Then calls classify of
 * every annotator that lists the call's backend. If the call's backend is unknown, the first
 * backend that the owner lists is used instead. Fills out[0 .. call->count) except `time`. */
enum etc_status etc_host_explain_call(struct etc_host *host, struct etc_plugin *owner,
                                      const struct etcore_call *call, struct etc_facts *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* The request to call hooks for one delegate call, and their answers. "[call->count]" marks the
 * members that are arrays with one element for each event of the call. */
struct etc_asked {
	/* the delegate call; if its backend is empty, finding its owner may set it (see
	 * etc_host_owner()) */
	struct etcore_call *call;
	bool map; /* is map_event called, too? */
	/* [call->count]: events for which parse_metadata is called; NULL: none */
	const bool *parse;
	/* [call->count]: events for which expand_event is called. If it is set, only expand_event
	 * and describe_time are called; if it is NULL, expand_event is not called. */
	const bool *expand;
	/* memory for the samples of the children that expand_event returns */
	struct etc_arena *lists;
	/* [call->count]: children that an earlier etc_host_ask() returned. Their columns are
	 * computed again, from the samples in `call`. NULL: there are none. */
	const struct etc_children *const *again;
	/* The members below are the answers, in the host's arena. */
	/* NULL: the call has no owner, and is shown in the generic view */
	struct etc_plugin *owner;
	bool described; /* the owner has described the times */
	/* [call->count]: facts of each event, including `time`; events with equal facts share one
	 * struct. The array is in scratch memory. NULL: there is no owner. */
	const struct etc_facts *const *facts;
	/* [call->count]: answers of map_event; NULL: not requested, or no owner */
	struct etc_mapped *mapped;
	/* [call->count]: answers of parse_metadata; NULL: not requested, or the owner does not have
	 * this hook */
	struct etc_parsed *parsed;
	/* [call->count]: answers of expand_event, in scratch memory; NULL: not requested, or the
	 * owner does not have this hook */
	struct etc_children *children;
};

/* Calls the hooks for many delegate calls at once, so that an isolated plugin needs few
 * messages. `scratch` may be released afterwards. E0605, E0904. */
enum etc_status etc_host_ask(struct etc_host *host, struct etc_asked *calls, uint32_t count,
                             struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* A request that the caller will make soon. If `plugin` is NULL: find the owner of the delegate
 * call `call`. Otherwise `call` must have exactly one event, and the request is to run a hook of
 * `plugin` for this event: convert_time if `scales` is set, parse_metadata if `parse` is set. */
struct etc_expected {
	struct etcore_call *call;
	struct etc_plugin *plugin;
	const struct etcore_scales *scales;
	const uint64_t *starts, *ends; /* ticks to convert: `count` starts and `count` ends */
	uint64_t count;
	bool parse;
};

/* Sends requests to isolated plugins in one batch. When the caller then makes the same requests one
 * by one, their answers are there already. All arguments must stay valid until then. E0904. */
enum etc_status etc_host_expect(struct etc_host *host, const struct etc_expected *all,
                                uint32_t count, struct etc_arena *scratch,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Decodes the metadata of an event's `count` samples with a built-in decoder (the key `metadata =`
 * of [backend.ID]). The result has the form of an answer of parse_metadata, with one item per
 * sample. */
enum etc_status etc_host_decode(enum etc_decoder how, const struct etcore_bytes *blobs,
                                uint64_t count, struct etc_arena *arena, struct etc_parsed *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Returns the name of an ETCORE_TYPE_*, the type of an option or column; "" for another number. */
static inline const char *etc_type_name(uint32_t type)
{
	static const char *const names[] = { "", "text", "integer", "number", "bool", "json" };

	return names[type <= ETCORE_TYPE_JSON ? type : 0];
}

#endif
