/* host.h -- the interface to plugins.
 *
 * Finds, checks and opens the shared objects, and calls their hooks through one guarded function
 * per hook: answers are copied into the arena; an exception or an invalid answer costs one note
 * and that answer; a crash is reported with plugin, hook and event (crash.c). Depends on the
 * model, not on the readers: join/ and inspector/ build the calls.
 *
 * Order of search: --plugin, the INI file's [plugin.X] library and plugin_path,
 * ETCORE_PLUGIN_PATH, the user's data folder, the installed folder beside the program. Never the
 * current folder, never a name from an input file. */
#ifndef ETC_HOST_HOST_H
#define ETC_HOST_HOST_H

#include "base/map.h"
#include "base/notes.h"
#include "etcore/plugin.h"
#include "model/facts.h"
#include "model/settings.h"

enum etc_plugin_state {
	ETC_PLUGIN_LOADED,   /* open and in use */
	ETC_PLUGIN_DISABLED, /* found, but enabled = no, --no-plugins, or not in `plugins =` */
	ETC_PLUGIN_REFUSED   /* cannot be used: `why` and `reason` */
};

struct etc_file;
struct etc_hook_place;
struct etc_recent;
struct etc_remote;

/* Does its probe confirm the backend that a record or program names for a call? */
enum etc_belief {
	ETC_BELIEF_UNKNOWN, /* no call so far was decisive */
	ETC_BELIEF_FILES,   /* it recognises the events, or no plugin does */
	ETC_BELIEF_EVENTS   /* another plugin recognises them: the files are not trusted */
};

struct etc_plugin {
	const struct etcore_plugin *abi; /* NULL if refused before it was opened */
	struct etc_host *host;
	struct etc_str name;   /* descriptor's, or the file's stem */
	struct etc_str path;   /* of the shared object */
	struct etc_str origin; /* "installed", "user", "--plugin", "etcore.ini:14", … */
	uint8_t state;         /* enum etc_plugin_state */
	enum etc_code why;     /* REFUSED: E06xx */
	struct etc_str reason;
	bool named;          /* by --plugin or by `plugins =`: inspector runs only these */
	bool by_option;      /* by --plugin: enabled = no does not count */
	bool required;       /* its INI section names its library: refusal is an error */
	void *self;          /* instance; opened at first use */
	bool opened, broken; /* broken: open() failed or quarantined, no hook is called any more */
	bool quarantined;    /* isolated, and not called any more */
	bool answered;       /* isolated, and some of its answers were used */
	bool unguarded;      /* without guard: in a process of its own */
	uint8_t doubts;      /* calls that neither it nor another plugin recognised */
	uint8_t belief;      /* enum etc_belief */
	bool owns;           /* it owns a call of what was read so far, or adds to its owner */
	bool asked;          /* called for an event at least once */
	/* Why it was not called for the first call that it could own; empty: no such call. */
	struct etc_str passed_over;
	bool is_file;           /* checked to be a regular file, since opening a pipe would block */
	uint32_t abi_found;     /* ABI major that the file exports; 0: none */
	uint64_t device, inode; /* of the file: each is opened once */
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
	bool json_diagnostics;   /* a crash is reported as one JSON object */
	bool isolate;            /* --isolate: every plugin runs in a process of its own */
	bool here;               /* --no-isolate: none does, overriding all else */
	bool gate;               /* plugins not installed with etcore do, unless `here` */
	/* The etcore program to start for isolation; NULL: /proc/self/exe. */
	const char *worker;
	/* The program beside which the installed folder is; NULL: the running one. */
	const char *program_folder;
};

struct etc_host {
	struct etc_arena *arena;
	struct etc_notes *notes;
	const struct etc_settings *settings;
	struct etc_plugin *plugins; /* in the order of calls */
	uint32_t count;
	uint64_t hook_failures; /* with --strict: exit status 9 */
	/* A plugin was quarantined after some of its answers were used. A caller that wants a
	 * consistent view of all events clears this and starts again. */
	bool regrets;
	bool met_delegates; /* there were events of a delegate */
	/* Mapped files, which isolated plugins can map themselves. */
	const struct etc_file *files;
	uint32_t file_count;
	struct etc_plugin *ruled; /* backends described by the configuration (rules.h) */
	uint32_t ruled_count;
	struct etc_recent *recent; /* cache of recent texts and facts of plugins */
	size_t most;               /* the arena's largest budget at a call of a hook */
};

/* The hidden command of the etcore program that runs an isolated plugin (etc_plugin_serve): PATH
 * BYTES. */
#define ETC_PLUGIN_COMMAND "plugin-host"

/* Finds and checks the plugins. A plugin that was named and cannot be used is
 * an error (E06xx) unless options->list; one that was merely found is a note.
 * Names, texts and notes live in `arena`. */
enum etc_status etc_host_load(struct etc_host *host, const struct etc_host_options *options,
                              struct etc_arena *arena, struct etc_notes *notes,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Closes all instances. Libraries stay mapped until the process ends. */
void etc_host_release(struct etc_host *host);

/* Sets call->backend if no file names the backend of a delegate call and a `probe =` of the
 * configuration recognises its events. Call it before all other questions about the call. E0605
 * if two sections have equal scores. */
enum etc_status etc_host_recognise(struct etc_host *host, struct etcore_call *call,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Clears call->backend (W0636) if the plugin of the backend that a record or program names does
 * not recognise the events and another one does; for all calls of that plugin. Call it before
 * all other questions about the call. `owner =` is never overruled. */
enum etc_status etc_host_doubt(struct etc_host *host, struct etcore_call *call,
                               struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* The owner of a call, or NULL for the generic view. With call->backend: the INI's `owner =`,
 * else a loaded owner that lists the backend, else the section's own rules. Without it: the
 * highest probe above 0, first among plugins named by an `owner =`, then among those whose
 * backend is not given to another. On a tie the one of --plugin; else E0605, naming both. Sets
 * `backend` where only the section with `owner =` implies it. */
enum etc_status etc_host_owner(struct etc_host *host, struct etcore_call *call,
                               struct etc_plugin **owner, struct etc_error *err) ETC_MUST_CHECK;

/* The same of the only annotator that is loaded; NULL: none is, or several are. */
const char *etc_host_library(const struct etc_host *host);

/* Does the configuration allow this plugin to own the call? */
bool etc_host_lets_own(const struct etc_plugin *p, const struct etcore_call *call);

/* Reports plugins that were never called (N0625); after all calls. */
void etc_host_note_unasked(struct etc_host *host);

/* Declares the columns of a named backend whose calls are not passed to hooks. */
void etc_host_meet(struct etc_host *host, struct etc_str backend);

/* The declared columns of owners and sections [backend.ID], each name once: first those of
 * owners of calls in the dump. E0904. */
enum etc_status etc_host_declared(const struct etc_host *host, struct etc_arena *arena,
                                  const struct etc_declared **out, uint32_t *count,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Is there an owner that sees events of this kind (ETCORE_SEES_*)? */
bool etc_host_sees(const struct etc_host *host, uint32_t kind);

/* Is there an owner that expands events? */
bool etc_host_expands(const struct etc_host *host);

/* The hooks. `*out` is always valid: zero or the generic answer if the plugin is NULL, has no
 * such hook, declines or fails. E0904 only. */
enum etc_status etc_host_parse_metadata(struct etc_plugin *p, const struct etcore_call *call,
                                        uint32_t index, struct etc_parsed *out,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* Appends the columns of the configuration to those of the owner in `parsed`. E0904. */
enum etc_status etc_host_add_columns(struct etc_plugin *owner, const struct etcore_call *call,
                                     uint32_t index, struct etc_parsed *parsed,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* The section [backend.ID] of the call's backend, or, without a backend, of its owner's. NULL:
 * none. */
const struct etc_backend_settings *etc_host_section(const struct etc_host *host,
                                                    const struct etc_plugin *owner,
                                                    const struct etcore_call *call);

/* The unit of an event's ticks according to the section: by `unit.*`, else its scale. UNKNOWN:
 * none given. `*rate`: ticks per second, 0: unknown. E0904. */
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

/* The answer of map_event. */
struct etc_mapped {
	struct etc_str key;     /* of the record's delegate map; empty: none given */
	const int64_t *handles; /* edge debug handles */
	uint32_t count;
	bool not_edge_handles;
};
enum etc_status etc_host_map_event(struct etc_plugin *p, const struct etcore_call *call,
                                   uint32_t index, struct etc_mapped *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* One delegate call, with the questions about it and the answers. */
struct etc_asked {
	struct etcore_call *call; /* `backend` may be filled in, as above */
	bool map;                 /* call map_event */
	const bool *parse;        /* [call->count]: call parse_metadata; NULL: for none */
	/* [call->count]: call expand_event and nothing else; NULL: for none. */
	const bool *expand;
	struct etc_arena *lists; /* for samples of the children */
	/* [call->count]: the children whose columns are computed again, from these samples;
	 * NULL: none. */
	const struct etc_children *const *again;
	/* The answers, in the host's arena. */
	struct etc_plugin *owner; /* NULL: the generic view */
	bool described;           /* the owner described the times */
	/* [call->count], with `time`; events with equal answers share one. The array is
	 * scratch memory. NULL without an owner. */
	const struct etc_facts *const *facts;
	struct etc_mapped *mapped;     /* [call->count]; NULL: not asked, or no owner */
	struct etc_parsed *parsed;     /* [call->count]; NULL: not asked, or it has no parser */
	struct etc_children *children; /* [call->count]; NULL: not asked, or no owner expands */
};

/* Calls the hooks for many delegate calls at once, as isolated plugins need. `scratch` may be
 * released after. E0605, E0904. */
enum etc_status etc_host_ask(struct etc_host *host, struct etc_asked *calls, uint32_t count,
                             struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* A request for one event: to find its owner (`plugin` is NULL), or to call the owner's
 * convert_time (with `scales`) or parse_metadata. */
struct etc_expected {
	struct etcore_call *call;
	struct etc_plugin *plugin;
	const struct etcore_scales *scales;
	const uint64_t *starts, *ends; /* `count` each, to be converted */
	uint64_t count;
	bool parse;
};

/* Sends requests to isolated plugins in one batch, ahead of the calls that will make
 * them; all arguments must live until then. E0904. */
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
