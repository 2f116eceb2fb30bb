/* plugin.h -- a plugin, the host that calls it, and the options of both, as plain data. */
#ifndef ETC_HOST_PLUGIN_H
#define ETC_HOST_PLUGIN_H

#include "base/map.h"
#include "base/notes.h"
#include "etcore/plugin.h"
#include "model/facts.h"
#include "model/settings.h"

enum etc_plugin_state {
	ETC_PLUGIN_LOADED,   /* open and in use */
	ETC_PLUGIN_DISABLED, /* found, but enabled = no, --no-plugins, or not in `plugins =` */
	ETC_PLUGIN_REFUSED   /* cannot be used: see `why` and `reason` */
};

struct etc_file;
struct etc_hook_place;
struct etc_recent;
struct etc_remote;

/* When a record or a program names the backend of a call, and a plugin lists this backend: does the
 * plugin's probe recognise the events? */
enum etc_belief {
	ETC_BELIEF_UNKNOWN, /* no call has decided this yet */
	/* the files are trusted: the plugin recognises the events, or no plugin does, or the plugin
	 * that does lists the backend, too */
	ETC_BELIEF_FILES,
	/* the files are not trusted: another plugin, which does not list the backend, recognises
	 * the events */
	ETC_BELIEF_EVENTS
};

struct etc_plugin {
	const struct etcore_plugin *abi; /* NULL if refused before it was opened */
	struct etc_host *host;
	struct etc_str name;   /* from the descriptor, or the file's name without .so */
	struct etc_str path;   /* path of the shared object */
	struct etc_str origin; /* "installed", "user", "--plugin", "etcore.ini:14", … */
	uint8_t state;         /* enum etc_plugin_state */
	enum etc_code why;     /* code of the reason if REFUSED: E06xx, or W0640 */
	struct etc_str reason;
	bool named;     /* by --plugin or `plugins =`: the inspector command uses only such
	                      * plugins */
	bool by_option; /* requested by --plugin, which overrides enabled = no */
	bool required;  /* its INI section has `library =`, so it is an error if the plugin
	                      * is refused */
	void *self;     /* instance; opened at first use */
	bool opened;    /* the instance is open */
	/* open() failed, the plugin was quarantined, or the host was released; no hook is called
	 * any more */
	bool broken;
	/* the plugin is isolated and has failed, so it is not called any more */
	bool quarantined;
	bool answered; /* this isolated plugin has answered a hook other than probe */
	/* no crash handlers are installed, because the process is the plugin's own */
	bool unguarded;
	/* number of calls so far that this plugin's probe did not recognise, although a file names
	 * a backend of this plugin, and about which no other plugin's probe was sure */
	uint8_t doubts;
	uint8_t belief; /* enum etc_belief */
	/* the plugin owns a call; or this plugin is made from the rules of a section, and adds to
	 * the answers of a call's owner */
	bool owns;
	bool asked; /* called for an event at least once */
	/* Why the plugin was not called for the first call that it could have owned; empty: there
	 * is no such call. */
	struct etc_str passed_over;
	bool is_file;           /* checked to be a regular file, since opening a pipe would block */
	uint32_t abi_found;     /* ABI major that the file exports; 0: none */
	uint64_t device, inode; /* identify the plugin's file, so that it is opened only once */
	/* Every declared option with its value, for open(). */
	const struct etcore_setting *const *settings;
	uint32_t setting_count;
	struct etcore_host services;
	const struct etc_hook_place *place; /* the hook that is running; read by diagnose() */
	struct etc_remote *remote;          /* an isolated plugin's process; NULL: the plugin runs
	                                     * in this process */
	struct etc_map families;            /* names of columns that belong to declared families */
};

struct etc_host_options {
	const struct etc_settings *settings;
	const char *const *named; /* --plugin NAME|PATH, in order */
	uint32_t named_count;
	bool none;       /* --no-plugins */
	bool only_named; /* inspector: --plugin and an explicit `plugins =` only */
	/* `etcore plugins`: a refused plugin is listed instead of ending the command; all
	 * plugins are isolated. */
	bool list;
	bool check;              /* `etcore config`: disabled plugins are opened and checked too */
	bool ignore_environment; /* inspector: no ETCORE_PLUGIN_PATH, no XDG folders */
	bool json_diagnostics;   /* a crash is reported as one JSON object */
	bool isolate;            /* --isolate: every plugin runs in a process of its own */
	/* --no-isolate: no plugin is isolated; overrides all other settings */
	bool here;
	/* every plugin that was not installed with etcore is isolated, unless `here` is set */
	bool gate;
	/* The etcore program to start for isolation; NULL: /proc/self/exe. */
	const char *worker;
	/* The installed plugin folder is searched relative to this program; NULL: relative to the
	 * running program. */
	const char *program_folder;
};

/* A folder of the search path; `path` is empty if etcore is not installed with plugins. */
struct etc_looked {
	struct etc_str path, origin;
	const char *state; /* "", or the reason why the folder is not used */
};

struct etc_host {
	struct etc_arena *arena;
	struct etc_notes *notes;
	const struct etc_settings *settings;
	/* folders where plugins were searched for */
	const struct etc_looked *looked;
	uint32_t looked_count;
	struct etc_plugin *plugins; /* in the order in which they are called */
	uint32_t count;
	/* failures of hooks so far; read by tests only: the exit status of --strict follows from
	 * the warnings */
	uint64_t hook_failures;
	/* A plugin was quarantined after some of its answers had been used, so the results are
	 * inconsistent. The caller then sets this to false and starts the whole query again. */
	bool regrets;
	bool met_delegates; /* some event belongs to a delegate */
	bool met_calls;     /* etc_host_met() was called */
	/* [settings->backend_count]: for each section [backend.ID], whether a delegate call is of
	 * its backend */
	bool *met_sections;
	/* the first distinct backends of the delegate calls, for the text of W0555 */
	struct etc_str backends[8];
	uint32_t backend_count;
	/* Mapped input files. An isolated plugin's process can map these itself, so that their
	 * bytes are not copied into messages. */
	const struct etc_file *files;
	uint32_t file_count;
	/* one plugin per section [backend.ID] with rules (model/rules.h) */
	struct etc_plugin *ruled;
	uint32_t ruled_count;
	struct etc_recent *recent; /* cache of texts and facts that plugins returned recently */
	/* the highest budget in bytes that the arena has had when a hook was called; answers of
	 * plugins may use half of this budget */
	size_t most;
};

#endif
