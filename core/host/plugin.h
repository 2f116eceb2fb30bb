/* plugin.h -- a plugin, the list of all plugins (struct etc_host), and the options for finding and
 * opening them, as plain data. */
#ifndef ETC_HOST_PLUGIN_H
#define ETC_HOST_PLUGIN_H

#include "base/map.h"
#include "base/notes.h"
#include "etcore/plugin.h"
#include "model/facts.h"
#include "model/settings.h"

enum etc_plugin_state {
	ETC_PLUGIN_LOADED, /* the plugin is open and in use */
	/* found, but not used, because of `enabled = no`, --no-plugins, or a list `plugins =`
	 * without it */
	ETC_PLUGIN_DISABLED,
	ETC_PLUGIN_REFUSED /* the plugin cannot be used, for the reason in `why` and `reason` */
};

struct etc_file;
struct etc_hook_place;
struct etc_recent;
struct etc_remote;

/* For a plugin that lists a backend which a record or program names: do the events of this
 * backend's calls agree with these files, or contradict them? See etc_host_doubt(). */
enum etc_belief {
	ETC_BELIEF_UNKNOWN, /* not decided yet, because no such call was recognised by a probe */
	/* accepted, for one of three reasons: this plugin recognises the events; another plugin,
	 * which also lists the backend, recognises them; or no plugin recognised the events of many
	 * calls */
	ETC_BELIEF_FILES,
	/* contradicted: a plugin that does not list the backend recognises the events, and this one
	 * does not */
	ETC_BELIEF_EVENTS
};

struct etc_plugin {
	/* the plugin's descriptor; NULL: the plugin was refused before it was opened */
	const struct etcore_plugin *abi;
	struct etc_host *host;
	/* the plugin's name from its descriptor, or, before it is open, the file's name without
	 * .so */
	struct etc_str name;
	struct etc_str path; /* path of the shared object */
	/* how the plugin was found: "installed", "user", "--plugin", "etcore.ini:14", … */
	struct etc_str origin;
	uint8_t state; /* enum etc_plugin_state */
	/* if REFUSED: the code of the error (E06xx) or of the note (W0640) */
	enum etc_code why;
	struct etc_str reason;
	/* requested by --plugin or `plugins =`; `etcore inspector` uses only such plugins */
	bool named;
	bool by_option; /* requested by --plugin, which overrides `enabled = no` */
	/* the plugin's INI section has `library =`; if the plugin is refused, this is an error */
	bool required;
	void *self;  /* the instance that open() made; it is made at first use */
	bool opened; /* open() was called without an error */
	/* no hook is called any more: open() failed, the plugin was quarantined, or
	 * etc_host_release() was called */
	bool broken;
	/* the plugin is isolated and has failed, so it is not called any more */
	bool quarantined;
	bool answered; /* this isolated plugin has answered a hook other than probe */
	/* no crash handlers are installed, because this is the process of an isolated plugin */
	bool unguarded;
	/* number of calls so far that a record or program assigns to a backend of this plugin, and
	 * whose events no probe of any plugin recognised */
	uint8_t doubts;
	uint8_t belief; /* may the plugin own those calls? enum etc_belief */
	/* the plugin owns a call; or it was made from the rules of a section, and adds its answers
	 * to those of an owner */
	bool owns;
	bool asked; /* some hook of the plugin was called for an event */
	/* why the plugin was not called for the first delegate call that it could have owned;
	 * empty: there was no such delegate call, or the plugin was called */
	struct etc_str passed_over;
	/* `path` is a regular file: this is checked, because opening a pipe would block */
	bool is_file;
	/* N of the symbol etcore_plugin_v<N> that the file exports; 0: none */
	uint32_t abi_found;
	uint64_t device, inode; /* identify the plugin's file, so that it is opened only once */
	/* every declared option with its value; open() gets these */
	const struct etcore_setting *const *settings;
	uint32_t setting_count;
	struct etcore_host services;
	const struct etc_hook_place *place; /* the hook that is running; read by diagnose() */
	/* the process of an isolated plugin; NULL: the plugin runs in this process */
	struct etc_remote *remote;
	/* names of the columns that the plugin has returned so far and that belong to a declared
	 * family, such as "acme.*" */
	struct etc_map families;
};

struct etc_host_options {
	const struct etc_settings *settings;
	const char *const *named; /* --plugin NAME|PATH, in order */
	uint32_t named_count;
	bool none; /* --no-plugins */
	/* only plugins of --plugin and `plugins =` are used; set by `etcore inspector` */
	bool only_named;
	/* set by `etcore plugins`: a refused plugin is listed instead of being an error, and all
	 * plugins are isolated */
	bool list;
	/* disabled plugins are opened and checked, too; set by `etcore config` */
	bool check;
	/* ETCORE_PLUGIN_PATH and the XDG folders are not searched; set by `etcore inspector` */
	bool ignore_environment;
	bool json_diagnostics; /* a crash is reported as one JSON object */
	bool isolate;          /* --isolate: every plugin runs in a process of its own */
	/* --no-isolate: no plugin is isolated; overrides all other settings */
	bool here;
	/* plugins that were not installed with etcore are isolated; has no effect if `here` is
	 * set */
	bool gate;
	/* path of the etcore program, which is started for each isolated plugin; NULL:
	 * /proc/self/exe */
	const char *worker;
	/* The folder of an etcore executable, beside which the plugins of its installation are
	 * searched for. NULL: the folder of the running executable. */
	const char *program_folder;
};

/* A folder of the search path. For the folder of etcore's own plugins, `path` is empty if etcore
 * was installed without plugins. */
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
	struct etc_plugin *plugins; /* all plugins, in the order in which they are called */
	uint32_t count;
	/* number of failures of hooks so far; only tests read it (the exit status of --strict
	 * follows from the warnings) */
	uint64_t hook_failures;
	/* A plugin was quarantined after some of its answers had been used, so the results are
	 * inconsistent. The caller then sets this to false and starts the whole query again. */
	bool regrets;
	bool met_delegates; /* some event of a dump belongs to a delegate */
	/* the dump has a delegate call. Set by etc_host_met(), which `etcore inspector` also calls
	 * if it does not search for the call's owner */
	bool met_calls;
	/* [settings->backend_count]: for each section [backend.ID], whether a delegate call is of
	 * its backend */
	bool *met_sections;
	/* backends of the delegate calls, each once, at most 8 of them; the text of W0555 names
	 * them */
	struct etc_str backends[8];
	uint32_t backend_count;
	/* Mapped input files. An isolated plugin's process can map these itself, so that their
	 * bytes are not copied into messages. */
	const struct etc_file *files;
	uint32_t file_count;
	/* one plugin for each section [backend.ID] with rules (model/rules.h) */
	struct etc_plugin *ruled;
	uint32_t ruled_count;
	struct etc_recent *recent; /* cache of texts and facts that plugins returned recently */
	/* largest memory budget, in bytes, that the arena had when a hook was called; answers of
	 * plugins may use half of it */
	size_t most;
};

#endif
