/* host.h -- the interface to plugins.
 *
 * Finds, checks and opens the shared objects, and calls their hooks through one guarded
 * function per hook. Answers are copied into the arena. An exception or an invalid answer is
 * reported by one note and the answer is dropped; a crash is reported with plugin, hook and
 * event (crash.c). Includes the model but no reader: join/ and inspector/ build the calls.
 *
 * Order of search: --plugin, the INI file's [plugin.X] library and plugin_path,
 * ETCORE_PLUGIN_PATH, the user's data folder, the installed folder beside the program. Never
 * the current folder, never a name from an input file. */
#ifndef ETC_HOST_HOST_H
#define ETC_HOST_HOST_H

#include "host/hooks.h"

/* Finds and checks the plugins. An unusable plugin that was only found gives a note. An unusable
 * plugin that was requested is an error (E06xx), except with options->list. A requested plugin that
 * crashed in a process of its own gives W0640 instead. Names, texts and notes live in `arena`. */
enum etc_status etc_host_load(struct etc_host *host, const struct etc_host_options *options,
                              struct etc_arena *arena, struct etc_notes *notes,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Closes all instances. Libraries stay mapped until the process ends. */
void etc_host_release(struct etc_host *host);

/* Sets call->backend of a delegate call whose backend no file names, if its events match a
 * `probe =` of a section [backend.ID]. Call it after etc_host_doubt(), and before all other
 * functions about the call. E0605: two sections have the same highest score. */
enum etc_status etc_host_recognise(struct etc_host *host, struct etcore_call *call,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Clears call->backend if a record or program names it, but the plugin that lists this backend does
 * not recognise the events, while another plugin, which does not list it, does with a score of at
 * least 50. This is decided once for each plugin and reported as W0636; it then applies to all
 * calls of the plugin's backends. A backend with `owner =` is never cleared. Call it before all
 * other functions about the call. */
enum etc_status etc_host_doubt(struct etc_host *host, struct etcore_call *call,
                               struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* Finds the owner of a call. NULL: none, so the call's events get the generic view.
 *
 * If call->backend is set, the owner is the plugin named by the INI's `owner =`, else a loaded
 * owner that lists the backend, else the rules in the backend's section of the INI file.
 *
 * If it is not set, the owner is the plugin with the highest probe score above 0. Plugins named by
 * an `owner =` come first, then those whose backend is not given to another plugin. If two have
 * this score, the one named by --plugin is the owner; if neither is named, the error is E0605.
 *
 * If that plugin is named by `owner =` of a section [backend.ID], call->backend is set to ID in two
 * cases: the plugin lists no backend, or an `owner =` gives the first backend that it lists to
 * another plugin. */
enum etc_status etc_host_owner(struct etc_host *host, struct etcore_call *call,
                               struct etc_plugin **owner, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the title of the loaded annotator if exactly one annotator is loaded; else NULL. An
 * annotator reports which events used a certain library, such as KleidiAI, and its title is the
 * name of that library. */
const char *etc_host_library(const struct etc_host *host);

/* Does the configuration allow this plugin to own the call? */
bool etc_host_lets_own(const struct etc_plugin *p, const struct etcore_call *call);

/* Records the backend of a delegate call, and the section that applies to it, for W0555.
 * etc_host_owner() does so, too. */
void etc_host_met(struct etc_host *host, const struct etcore_call *call,
                  const struct etc_plugin *owner);

/* Reports plugins that were never called (N0625), and sections [backend.ID] of --config and --set
 * that apply to no delegate call (W0555). Call it after all calls. */
void etc_host_note_unasked(struct etc_host *host);

/* Marks the owner of `backend` as the owner of a call, so that tables list its columns even if it
 * gets no call. */
void etc_host_meet(struct etc_host *host, struct etc_str backend);

/* Lists the declared columns of owners and sections [backend.ID], each name once: first those of
 * owners of calls in the dump. E0904. */
enum etc_status etc_host_declared(const struct etc_host *host, struct etc_arena *arena,
                                  const struct etc_declared **out, uint32_t *count,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Does an owner accept events of this kind (ETCORE_SEES_*)? */
bool etc_host_sees(const struct etc_host *host, uint32_t kind);

/* Is there an owner that expands events? */
bool etc_host_expands(const struct etc_host *host);

/* Returns the section [backend.ID] for the call's backend; if that is unknown, for the first
 * backend that the owner lists. NULL: there is no such section. */
const struct etc_backend_settings *etc_host_section(const struct etc_host *host,
                                                    const struct etc_plugin *owner,
                                                    const struct etcore_call *call);

/* Sets `*unit` to the unit of an event's ticks according to the section `b`: from `unit.*`, else
 * from the section's time scale; ETC_UNIT_UNKNOWN if neither is set. Sets `*rate` to the ticks per
 * second; 0: unknown. E0904. */
enum etc_status etc_host_scale(const struct etc_host *host, const struct etc_backend_settings *b,
                               const struct etcore_call *call, uint32_t index, uint8_t *unit,
                               double *rate, struct etc_error *err) ETC_MUST_CHECK;

/* Calls name_event and classify of the owner for all events of the call. Then calls classify of
 * every annotator that lists the call's backend, or, if that is unknown, the first backend that the
 * owner lists. Fills out[0 .. call->count) except `time`. */
enum etc_status etc_host_explain_call(struct etc_host *host, struct etc_plugin *owner,
                                      const struct etcore_call *call, struct etc_facts *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* One delegate call: which hooks are requested for it, and their answers. */
struct etc_asked {
	struct etcore_call *call; /* its `backend`, if empty, may be set (see etc_host_owner()) */
	bool map;                 /* map_event is called */
	/* [call->count]: events for which parse_metadata is called; NULL: none */
	const bool *parse;
	/* [call->count]: events for which expand_event is called; then no other hook is called
	 * except describe_time. NULL: the other hooks are called instead. */
	const bool *expand;
	struct etc_arena *lists; /* for samples of the children */
	/* [call->count]: children that an earlier etc_host_ask() returned, whose columns are to be
	 * computed again from the samples of `call`. NULL: none. */
	const struct etc_children *const *again;
	/* The answers, in the host's arena. */
	struct etc_plugin *owner; /* NULL: the generic view */
	bool described;           /* the owner has described the times */
	/* [call->count]: facts of each event, including `time`; events with equal facts share one
	 * struct. The array is in scratch memory. NULL: there is no owner. */
	const struct etc_facts *const *facts;
	struct etc_mapped *mapped; /* [call->count]; NULL: not requested, or no owner */
	struct etc_parsed *parsed; /* [call->count]; NULL: not requested, or the owner has no
	                                * parser */
	/* [call->count], in scratch memory; NULL: not requested, or the owner expands nothing */
	struct etc_children *children;
};

/* Calls the hooks for many delegate calls at once, so that an isolated plugin needs few
 * messages. `scratch` may be released afterwards. E0605, E0904. */
enum etc_status etc_host_ask(struct etc_host *host, struct etc_asked *calls, uint32_t count,
                             struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* A request that will be made soon for one event: the search for its owner if `plugin` is NULL,
 * else a call of the owner's convert_time if `scales` is set, else of parse_metadata. */
struct etc_expected {
	struct etcore_call *call;
	struct etc_plugin *plugin;
	const struct etcore_scales *scales;
	const uint64_t *starts, *ends; /* ticks to convert: `count` starts and `count` ends */
	uint64_t count;
	bool parse;
};

/* Sends requests to isolated plugins in one batch, before the same requests are made one by one.
 * All arguments must stay valid until then. E0904. */
enum etc_status etc_host_expect(struct etc_host *host, const struct etc_expected *all,
                                uint32_t count, struct etc_arena *scratch,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Decodes one event's blobs with a built-in decoder ([backend.X] metadata = …), as a plugin's
 * parse_metadata would: one item per sample. */
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
