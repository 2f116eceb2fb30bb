/* host.h -- plugins as the rest of core sees them.
 *
 * Finds, checks and opens the shared objects, and calls their hooks through
 * one guarded door per hook: answers are copied into the arena, exceptions and
 * nonsense cost one note and that one answer, a crash is reported with plugin,
 * hook and event (crash.c). Knows the model, not the readers: what a call
 * consists of is put together by join/ and inspector/.
 *
 * Order of search: --plugin, the INI file's [plugin.X] library and plugin_path,
 * ETCORE_PLUGIN_PATH, the user's data folder, the installed folder beside the
 * program. Never the current folder, never a name from an input file. */
#ifndef ETC_HOST_HOST_H
#define ETC_HOST_HOST_H

#include "base/map.h"
#include "base/notes.h"
#include "etcore/plugin.h"
#include "model/facts.h"
#include "model/settings.h"

enum etc_plugin_state {
	ETC_PLUGIN_LOADED,   /* open and asked */
	ETC_PLUGIN_DISABLED, /* found, but enabled = no, --no-plugins, or not in `plugins =` */
	ETC_PLUGIN_REFUSED   /* cannot be used: `why` and `reason` */
};

struct etc_file;
struct etc_hook_place;
struct etc_recent;
struct etc_remote;

/* What its probe says of a call whose backend a record or program names. */
enum etc_belief {
	ETC_BELIEF_UNKNOWN, /* no call told yet */
	ETC_BELIEF_FILES,   /* it knows the events, or nobody does */
	ETC_BELIEF_EVENTS   /* it does not, and another plugin does: files are not believed */
};

struct etc_plugin {
	const struct etcore_plugin *abi; /* NULL when refused before it could be opened */
	struct etc_host *host;
	struct etc_str name;   /* descriptor's, or the file's stem */
	struct etc_str path;   /* of the shared object */
	struct etc_str origin; /* "installed", "user", "--plugin", "etcore.ini:14", … */
	uint8_t state;         /* enum etc_plugin_state */
	enum etc_code why;     /* REFUSED: E06xx */
	struct etc_str reason;
	bool named;          /* by --plugin or by `plugins =`: inspector runs only these */
	bool by_option;      /* by --plugin: enabled = no does not count */
	bool required;       /* its INI section gives its library: refused is an error */
	void *self;          /* instance; opened at first use */
	bool opened, broken; /* broken: open() failed or quarantined, no hook is called any more */
	bool quarantined;    /* isolated, and not asked any more */
	bool answered;       /* isolated, and some of what it said was used */
	bool unguarded;      /* its signals are its own: in a process for nothing else */
	uint8_t doubts;      /* calls that it did not know, and nobody else */
	uint8_t belief; /* enum etc_belief: does it know the events that files say are its own? */
	bool owns;      /* it owns a call of what was read so far, or adds to its owner */
	bool asked;     /* about an event at least */
	struct etc_str passed_over; /* why it was not asked about the first call that it might
	                             * have been asked about; empty: there was none */
	bool is_file;               /* seen to be a regular one: a pipe must not be opened */
	uint32_t abi_found;         /* ABI major that the file exports; 0: none */
	uint64_t device, inode;     /* of the file: each is opened once */
	/* For open(): every declared option with its value. */
	const struct etcore_setting *const *settings;
	uint32_t setting_count;
	struct etcore_host services;
	const struct etc_hook_place *place; /* the running hook, for diagnose() */
	struct etc_remote *remote;          /* isolated: its process; NULL: it runs here */
	struct etc_map families;            /* names of its families' columns */
};

struct etc_host_options {
	const struct etc_settings *settings;
	const char *const *named; /* --plugin NAME|PATH, in order */
	uint32_t named_count;
	bool none;       /* --no-plugins */
	bool only_named; /* inspector: --plugin and an explicit `plugins =` only */
	/* `etcore plugins`: a refused plugin is listed, never fatal; all are isolated. */
	bool list;
	bool check; /* `etcore config`: those that are off are opened and checked too */
	bool ignore_environment; /* inspector: no ETCORE_PLUGIN_PATH, no XDG folders */
	bool json_diagnostics;   /* a crash is told as one JSON object */
	bool isolate;            /* --isolate: every plugin runs in a process of its own */
	bool here;               /* --no-isolate: none does, whatever the rest says */
	bool gate;               /* those that are not installed with etcore do, unless `here` */
	/* The etcore program, which is started for that; NULL: /proc/self/exe. */
	const char *worker;
	/* Beside which the installed folder is looked for; NULL: the running program's. */
	const char *program_folder;
};

struct etc_host {
	struct etc_arena *arena;
	struct etc_notes *notes;
	const struct etc_settings *settings;
	struct etc_plugin *plugins; /* in the order in which they are asked */
	uint32_t count;
	uint64_t hook_failures; /* with --strict: exit status 9 */
	/* A plugin was quarantined after some of what it said was used: who wants one view
	 * of all events clears this and asks again. */
	bool regrets;
	bool met_delegates; /* events of a delegate were to be explained */
	/* What isolated plugins need not be sent: files that are mapped. */
	const struct etc_file *files;
	uint32_t file_count;
	struct etc_plugin *ruled; /* backends that the configuration explains (rules.h) */
	uint32_t ruled_count;
	struct etc_recent *recent; /* texts and facts that plugins said lately */
	size_t most;               /* that the arena's budget was when a hook was asked */
};

/* The hidden command of the etcore program that is a plugin's own process
 * (etc_plugin_serve): PATH BYTES. */
#define ETC_PLUGIN_COMMAND "plugin-host"

/* Finds and checks the plugins. A plugin that was named and cannot be used is
 * an error (E06xx) unless options->list; one that was merely found is a note.
 * Names, texts and notes live in `arena`. */
enum etc_status etc_host_load(struct etc_host *host, const struct etc_host_options *options,
                              struct etc_arena *arena, struct etc_notes *notes,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Closes all instances. Libraries stay mapped until the process ends. */
void etc_host_release(struct etc_host *host);

/* Where no file names the backend of a delegate call and a `probe =` of the configuration
 * knows its events, call->backend is filled in: before anybody is asked about the call.
 * E0605 when two sections are equally sure. */
enum etc_status etc_host_recognise(struct etc_host *host, struct etcore_call *call,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Where a record or program names the backend of a delegate call, and the plugin that lists it
 * does not know the events while another does, call->backend is emptied (W0636), of all calls of
 * that plugin: before anything else is asked about the call. `owner =` is never doubted. */
enum etc_status etc_host_doubt(struct etc_host *host, struct etcore_call *call,
                               struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* The one owner of a call, or NULL for the generic view. By call->backend: the INI's
 * `owner =`, else a loaded owner that lists it, else the section's own rules. Without a
 * backend the highest probe above 0, of those that an `owner =` names, else of those whose
 * backend it gives to nobody else. Of two that are equally sure the one of --plugin; E0605
 * where that does not tell, naming both. `backend` is filled in where only the section
 * with the `owner =` tells it. */
enum etc_status etc_host_owner(struct etc_host *host, struct etcore_call *call,
                               struct etc_plugin **owner, struct etc_error *err) ETC_MUST_CHECK;

/* The same of the only annotator that is loaded; NULL: none is, or several are. */
const char *etc_host_library(const struct etc_host *host);

/* Does the configuration leave the call to this plugin, rather than to another or none? */
bool etc_host_lets_own(const struct etc_plugin *p, const struct etcore_call *call);

/* N0625 for plugins that were asked about nothing: after all calls were asked about. */
void etc_host_note_unasked(struct etc_host *host);

/* A backend that is named, of whose calls nobody is asked: its owner's columns are known all
 * the same. */
void etc_host_meet(struct etc_host *host, struct etc_str backend);

/* What owners and sections [backend.ID] declare, each name once: first those of who owns
 * something that was read. E0904. */
enum etc_status etc_host_declared(const struct etc_host *host, struct etc_arena *arena,
                                  const struct etc_declared **out, uint32_t *count,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Is there an owner that sees events of this kind (ETCORE_SEES_*)? */
bool etc_host_sees(const struct etc_host *host, uint32_t kind);

/* Is there an owner that expands events? */
bool etc_host_expands(const struct etc_host *host);

/* Hooks. `*out` is always valid: zero or the generic answer when the plugin is
 * NULL, has no such hook, declines or fails. E0904 only. */
enum etc_status etc_host_parse_metadata(struct etc_plugin *p, const struct etcore_call *call,
                                        uint32_t index, struct etc_parsed *out,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* The columns that the configuration has beside the plugin that owns the call, behind those
 * in `parsed`. E0904. */
enum etc_status etc_host_add_columns(struct etc_plugin *owner, const struct etcore_call *call,
                                     uint32_t index, struct etc_parsed *parsed,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* The section [backend.ID] of the call's backend; where nothing names it, of its owner's.
 * NULL: none. */
const struct etc_backend_settings *etc_host_section(const struct etc_host *host,
                                                    const struct etc_plugin *owner,
                                                    const struct etcore_call *call);

/* What the section says that an event's ticks are: by `unit.*`, else its scale. UNKNOWN:
 * nothing. `*rate`: ticks per second, 0: unknown. E0904. */
enum etc_status etc_host_scale(const struct etc_host *host, const struct etc_backend_settings *b,
                               const struct etcore_call *call, uint32_t index, uint8_t *unit,
                               double *rate, struct etc_error *err) ETC_MUST_CHECK;

/* `*declined` tells that the host's own division applies to this event. */
enum etc_status etc_host_convert_time(struct etc_plugin *p, const struct etcore_call *call,
                                      uint32_t index, const struct etcore_scales *scales,
                                      const uint64_t *raw, uint64_t count,
                                      struct etc_converted *out, bool *declined,
                                      struct etc_error *err) ETC_MUST_CHECK;
/* For all events of the call at once: out[0 .. call->count). */
enum etc_status etc_host_describe_time(struct etc_plugin *p, const struct etcore_call *call,
                                       struct etc_time_facts *out, bool *described,
                                       struct etc_error *err) ETC_MUST_CHECK;
/* name_event and classify of the owner for all events of the call, then classify
 * of every annotator that lists the owner's backend (or the call's): out[0 ..
 * call->count). Fills everything but `time`. */
enum etc_status etc_host_explain_call(struct etc_host *host, struct etc_plugin *owner,
                                      const struct etcore_call *call, struct etc_facts *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* What map_event said. */
struct etc_mapped {
	struct etc_str key;     /* of the record's delegate map; empty: none given */
	const int64_t *handles; /* edge debug handles */
	uint32_t count;
	bool not_edge_handles;
};
enum etc_status etc_host_map_event(struct etc_plugin *p, const struct etcore_call *call,
                                   uint32_t index, struct etc_mapped *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* One delegate call, and everything that is asked about it. */
struct etc_asked {
	struct etcore_call *call; /* `backend` may be filled in, as above */
	bool map;                 /* ask the owner which nodes its events are */
	const bool *parse;        /* [call->count]: whose metadata is parsed; NULL: nobody's */
	/* [call->count]: what is expanded, and nothing else is asked; NULL: nothing is. */
	const bool *expand;
	struct etc_arena *lists; /* of samples of their children */
	/* [call->count]: what they consist of, where the columns of that are asked for again,
	 * of these samples; NULL: nothing is. */
	const struct etc_children *const *again;
	/* Answers; what they point to is the host's arena's. */
	struct etc_plugin *owner; /* NULL: the generic view */
	bool described;           /* the owner said what the times are */
	/* [call->count], with `time`; events of which the same was said share one. The
	 * array is scratch. NULL without owner. */
	const struct etc_facts *const *facts;
	struct etc_mapped *mapped;     /* [call->count]; NULL: not asked, or no owner */
	struct etc_parsed *parsed;     /* [call->count]; NULL: not asked, or it has no parser */
	struct etc_children *children; /* [call->count]; NULL: not asked, or nobody expands */
};

/* Asks about many calls at once, which is what isolated plugins need. `scratch`
 * may be released after. E0605, E0904. */
enum etc_status etc_host_ask(struct etc_host *host, struct etc_asked *calls, uint32_t count,
                             struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* What is about to be asked about a call of one event: who owns it (`plugin` is
 * NULL), or its owner's convert_time (with `scales`) and parse_metadata. */
struct etc_expected {
	struct etcore_call *call;
	struct etc_plugin *plugin;
	const struct etcore_scales *scales;
	const uint64_t *starts, *ends; /* `count` each; both are going to be converted */
	uint64_t count;
	bool parse;
};

/* Tells isolated plugins what they are going to be asked, all at once; everything
 * given must stay until it was asked. E0904. */
enum etc_status etc_host_expect(struct etc_host *host, const struct etc_expected *all,
                                uint32_t count, struct etc_arena *scratch,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The built-in decoders of the INI ([backend.X] metadata = …): the generic
 * answer for one event's blobs, one item per sample. */
enum etc_status etc_host_decode(enum etc_decoder how, const struct etcore_bytes *blobs,
                                uint64_t count, struct etc_arena *arena, struct etc_parsed *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The word for an enum etcore_type, of options and columns; "" of others. */
static inline const char *etc_type_name(uint32_t type)
{
	static const char *const names[] = { "", "text", "integer", "number", "bool", "json" };

	return names[type <= ETCORE_TYPE_JSON ? type : 0];
}

#endif
