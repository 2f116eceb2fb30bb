/* host.c -- makes the list of plugins, in the order in which they are called. */
#include "host/host.h"
#include "host/internal.h"
#include "host/isolated/remote.h"
#include "host/rules/ini_backend.h"

#include <sys/stat.h>

#include "base/nearest.h"

/* ---- the list -------------------------------------------------------------- */

/* How a plugin was requested: not at all, by --plugin, by `plugins =`, or by `library =` of its INI
 * section. */
enum wish { WISH_NONE, WISH_OPTION, WISH_LISTED, WISH_LIBRARY };

struct loading {
	struct etc_host *host;
	const struct etc_host_options *options;
	struct etc_search found;
	bool searched;
	struct etc_error *err;
};

static struct etc_plugin *by_name(const struct etc_host *host, struct etc_str name)
{
	for (uint32_t i = 0; i < host->count; i++)
		if (host->plugins[i].state != ETC_PLUGIN_REFUSED &&
		    etc_str_eq(host->plugins[i].name, name))
			return &host->plugins[i];
	return NULL;
}

/* Did a plugin of this name crash when etcore tried to load it? */
static bool is_quarantined(const struct etc_host *host, struct etc_str name)
{
	for (uint32_t i = 0; i < host->count; i++)
		if (host->plugins[i].why == W0640 && etc_str_eq(host->plugins[i].name, name))
			return true;
	return false;
}

/* Must plugins be opened even if they will not be used, because the command lists or checks
 * them? */
static bool opens_all(const struct loading *l)
{
	return l->options->list || l->options->check;
}

static enum etc_status search(struct loading *l)
{
	if (l->searched)
		return ETC_OK;
	l->searched = true;
	ETC_TRY(etc_search(&l->found, l->options, l->host->arena, l->host->notes, l->err));
	l->host->looked = l->found.folders;
	l->host->looked_count = l->found.folder_count;
	return ETC_OK;
}

/* Returns the file name without folder and ending: "acme" for "/a/b/acme.so". */
static struct etc_str stem_of(struct etc_str path)
{
	size_t from = path.len;

	while (from > 0 && path.ptr[from - 1] != '/')
		from--;
	path = etc_str_sub(path, from, path.len);
	return etc_str_ends(path, ETC_STR(".so")) ? etc_str_sub(path, 0, path.len - 3) : path;
}

/* Is the plugin, which was found by the search, enabled? */
static bool enabled(const struct loading *l, const struct etc_plugin *p)
{
	const struct etc_settings *s = l->options->settings;
	const struct etc_plugin_settings *section = etc_settings_plugin(s, p->name);

	if (l->options->none)
		return false;
	if (p->by_option)
		return true;
	if (section && !section->enabled)
		return false;
	return p->named || (!s->has_plugins && !l->options->only_named);
}

static struct etc_str off_because(const struct loading *l, const struct etc_plugin *p)
{
	const struct etc_plugin_settings *section =
		etc_settings_plugin(l->options->settings, p->name);

	if (l->options->none)
		return ETC_STR("--no-plugins");
	if (section && !section->enabled)
		return ETC_STR("enabled = no");
	return ETC_STR("not in plugins =");
}

/* Reports an unusable plugin. It is an error if the plugin was requested, and a note if it was not,
 * or if it crashed in a process of its own. Reports nothing if plugins are only listed, or if the
 * file is not a plugin and was not requested. */
static enum etc_status refused(struct loading *l, const struct etc_plugin *p)
{
	enum etc_status st;

	if (l->options->list)
		return ETC_OK;
	if (p->why == W0640) {
		/* An isolated plugin's crash does not affect this process, so it is reported as a
		 * note, not as an error. */
		l->host->hook_failures++;
		etc_note_each(l->host->notes, W0640, "plugin '" ETC_STR_FMT "' " ETC_STR_FMT,
		              ETC_STR_ARG(p->name), ETC_STR_ARG(p->reason));
		return ETC_OK;
	}
	if (p->required && !p->named) {
		/* only the INI section requested the plugin, so the location of the error is the
		 * line with `library =` */
		st = etc_fail(l->err, p->why, ETC_STR_FMT ": " ETC_STR_FMT, ETC_STR_ARG(p->path),
		              ETC_STR_ARG(p->reason));
		etc_settings_place(p->origin, l->err);
		return st;
	}
	if (p->named) {
		st = etc_fail(l->err, p->why, ETC_STR_FMT, ETC_STR_ARG(p->reason));
		return etc_in_file(l->err, st, p->path.ptr);
	}
	if (p->why == E0608)
		etc_note_each(l->host->notes, N0617, ETC_STR_FMT ": " ETC_STR_FMT,
		              ETC_STR_ARG(p->path), ETC_STR_ARG(p->reason));
	else if (p->why != E0602 && p->why != E0603)
		etc_note_each(l->host->notes, W0612, ETC_STR_FMT ": " ETC_STR_FMT,
		              ETC_STR_ARG(p->path), ETC_STR_ARG(p->reason));
	return ETC_OK;
}

static enum etc_status refuse(struct loading *l, struct etc_plugin *p, enum etc_code why,
                              struct etc_str reason)
{
	p->state = ETC_PLUGIN_REFUSED;
	p->why = why;
	p->reason = reason;
	return reason.ptr ? refused(l, p) : etc_no_memory(l->err);
}

/* Does plugin `p`, called `name`, run in a process of its own? */
static bool isolated(const struct loading *l, const struct etc_plugin *p, struct etc_str name)
{
	const struct etc_host_options *o = l->options;
	const struct etc_settings *s = o->settings;
	const struct etc_plugin_settings *section = etc_settings_plugin(s, name);

	if (o->here)
		return false;
	if (o->isolate || o->list)
		return true;
	if (o->gate && !etc_plugin_installed(p->path.ptr, o, l->host->arena))
		return true;
	return section && section->has_isolate ? section->isolate : s->isolate;
}

static enum etc_status open_isolated(struct loading *l, struct etc_plugin *p)
{
	enum etc_status st = etc_remote_open(p, l->options, l->host->arena, l->err);

	if (st == ETC_OK || !l->options->list || l->err->code != E0641)
		return st;
	etc_remote_close(p);
	/* The etcore program cannot be started as a worker, so installed plugins are opened in this
	 * process. */
	if (etc_plugin_installed(p->path.ptr, l->options, l->host->arena))
		return etc_plugin_open(p, l->host->arena, l->err);
	p->state = ETC_PLUGIN_REFUSED;
	p->why = E0641;
	p->reason = etc_arena_str(l->host->arena, etc_str_of(l->err->text));
	return p->reason.ptr ? ETC_OK : etc_no_memory(l->err);
}

/* Opens `p` and sets p->state. `section`: the name of the plugin's INI section, or empty. */
static enum etc_status judge(struct loading *l, struct etc_plugin *p, struct etc_str section)
{
	struct etc_arena *arena = l->host->arena;
	const struct etc_plugin *other;

	p->name = stem_of(p->path);
	if (isolated(l, p, section.len ? section : p->name)) {
		ETC_TRY(open_isolated(l, p));
	} else {
		ETC_TRY(etc_plugin_open(p, arena, l->err));
		/* The name in the descriptor may differ from the name used so far, which is the
		 * file's. The INI file may demand isolation for the name in the descriptor. */
		if (p->state != ETC_PLUGIN_REFUSED && isolated(l, p, p->name))
			ETC_TRY(open_isolated(l, p));
	}
	if (p->state == ETC_PLUGIN_REFUSED)
		return refused(l, p);
	if (section.len && !etc_str_eq(section, p->name))
		return refuse(l, p, E0607,
		              etc_arena_printf(arena,
		                               "its name is '" ETC_STR_FMT
		                               "', so its section must be [plugin." ETC_STR_FMT
		                               "], not [plugin." ETC_STR_FMT "]",
		                               ETC_STR_ARG(p->name), ETC_STR_ARG(p->name),
		                               ETC_STR_ARG(section)));
	other = by_name(l->host, p->name);
	if (other && other != p)
		return refuse(l, p, E0608,
		              etc_arena_printf(
				      arena, "the name '" ETC_STR_FMT "' is taken by " ETC_STR_FMT,
				      ETC_STR_ARG(p->name), ETC_STR_ARG(other->path)));
	if (!l->options->none && etc_str_is_in(p->name, l->options->settings->plugins,
	                                       l->options->settings->plugin_count))
		p->named = true;
	if (!enabled(l, p)) {
		p->state = ETC_PLUGIN_DISABLED;
		p->reason = off_because(l, p);
	}
	return etc_plugin_configure(p, l->options->settings, arena, l->err);
}

static void wished(struct loading *l, struct etc_plugin *p, enum wish wish)
{
	p->by_option |= wish == WISH_OPTION;
	p->named |= wish == WISH_OPTION || wish == WISH_LISTED;
	p->required |= wish == WISH_LIBRARY;
	if (p->state == ETC_PLUGIN_DISABLED && enabled(l, p))
		p->state = ETC_PLUGIN_LOADED;
}

/* Adds the plugin at `path` to the list, unless it is in the list already. `named`: the user gave
 * the path. */
static enum etc_status take(struct loading *l, struct etc_str path, struct etc_str origin,
                            enum wish wish, struct etc_str section, bool named)
{
	struct etc_host *host = l->host;
	struct stat st = { 0 };
	struct etc_plugin *p;
	enum etc_status status;

	if (stat(path.ptr, &st) == 0)
		for (uint32_t i = 0; i < host->count; i++) {
			p = &host->plugins[i];
			if (p->inode != st.st_ino || p->device != st.st_dev)
				continue;
			wished(l, p, wish);
			return p->state == ETC_PLUGIN_REFUSED ? refused(l, p) : ETC_OK;
		}
	if (host->count == ETC_LIMIT_PLUGINS)
		return etc_fail(l->err, E0616, "more than %d", ETC_LIMIT_PLUGINS);
	if (named)
		etc_plugin_named(path.ptr, l->options, host->arena, host->notes);
	p = &host->plugins[host->count++];
	*p = (struct etc_plugin){ .host = host,
		                  .path = path,
		                  .origin = origin,
		                  .is_file = S_ISREG(st.st_mode),
		                  .device = st.st_dev,
		                  .inode = st.st_ino };
	wished(l, p, wish);
	status = judge(l, p, section);
	/* A file in a plugin folder that is no plugin is skipped silently. */
	if (status == ETC_OK && p->state == ETC_PLUGIN_REFUSED && !wish && !l->options->list &&
	    (p->why == E0602 || p->why == E0603))
		host->count--;
	return status;
}

static enum etc_status take_found_file(struct loading *l, const struct etc_found *f, enum wish wish)
{
	return take(l, f->path, f->origin, wish, (struct etc_str){ 0 }, false);
}

/* ---- names ------------------------------------------------------------------ */

static enum etc_status library_of(struct loading *l, const struct etc_plugin_settings *section,
                                  struct etc_str *path)
{
	*path = etc_settings_path(section->folder, section->library, l->host->arena);
	return path->ptr ? ETC_OK : etc_no_memory(l->err);
}

/* Fails: there is no plugin called `name`. In the message, `why` follows the name. */
static enum etc_status not_found(struct loading *l, struct etc_str name, const char *why,
                                 struct etc_str origin)
{
	struct etc_str names[ETC_LIMIT_PLUGINS * 2], near;
	bool by_option = etc_str_eq(origin, ETC_STR("--plugin"));
	enum etc_status st;
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->host->count; i++)
		names[n++] = l->host->plugins[i].name;
	for (uint32_t i = 0; i < l->found.count && n < ETC_LIMIT_PLUGINS * 2; i++)
		names[n++] = l->found.files[i].stem;
	near = etc_nearest(name, names, n);
	st = etc_fail(l->err, by_option ? E0601 : E0516, "'" ETC_STR_FMT "'%s%s" ETC_STR_FMT "%s",
	              ETC_STR_ARG(name), why, near.len ? "; did you mean '" : "", ETC_STR_ARG(near),
	              near.len ? "'?" : "");
	if (!by_option)
		etc_settings_place(origin, l->err);
	return st;
}

/* Finds the plugin called `name` and adds it to the list. Tries in this order: the file that
 * `library =` of its INI section names; the file NAME.so in the search path; a plugin in the search
 * path whose descriptor has this name. */
static enum etc_status take_name(struct loading *l, struct etc_str name, enum wish wish,
                                 struct etc_str origin)
{
	const struct etc_plugin_settings *section = etc_settings_plugin(l->options->settings, name);
	struct etc_plugin *p = by_name(l->host, name);
	struct etc_str path;

	if (section && section->library.len && !p) {
		ETC_TRY(library_of(l, section, &path));
		return take(l, path, section->origin, wish, name, true);
	}
	ETC_TRY(search(l));
	for (uint32_t i = 0; i < l->found.count && !p; i++) {
		const struct etc_found *f = &l->found.files[i];

		if (!etc_str_eq(f->stem, name))
			continue;
		ETC_TRY(take_found_file(l, f, wish));
		p = by_name(l->host, name);
	}
	for (uint32_t i = 0; i < l->found.count && !p; i++) {
		const struct etc_found *f = &l->found.files[i];

		ETC_TRY(take_found_file(l, f, WISH_NONE));
		p = by_name(l->host, name);
	}
	if (!p && l->options->list && l->host->count < ETC_LIMIT_PLUGINS) {
		l->host->plugins[l->host->count++] = (struct etc_plugin){
			.host = l->host,
			.name = name,
			.path = name,
			.origin = origin,
			.state = ETC_PLUGIN_REFUSED,
			.why = E0601,
			.reason = ETC_STR("not found"),
		};
		return ETC_OK;
	}
	if (!p && is_quarantined(l->host, name))
		return ETC_OK;
	if (!p)
		return not_found(l, name, "", origin);
	wished(l, p, wish);
	return ETC_OK;
}

/* ---- loading ------------------------------------------------------------------ */

static enum etc_status take_options(struct loading *l)
{
	const struct etc_host_options *o = l->options;
	struct etc_str path;

	for (uint32_t i = 0; i < o->named_count; i++) {
		if (!strchr(o->named[i], '/')) {
			ETC_TRY(take_name(l, etc_str_of(o->named[i]), WISH_OPTION,
			                  ETC_STR("--plugin")));
			continue;
		}
		path = etc_arena_str(l->host->arena, etc_str_of(o->named[i]));
		ETC_NEED(path.ptr, l->err);
		ETC_TRY(take(l, path, ETC_STR("--plugin"), WISH_OPTION, (struct etc_str){ 0 },
		             true));
	}
	return ETC_OK;
}

/* Opens the plugins that `library =` of sections [plugin.X] names, and the plugins in the search
 * path. Disabled plugins are left out. */
static enum etc_status take_found(struct loading *l)
{
	const struct etc_settings *s = l->options->settings;
	struct etc_str path;

	for (uint32_t i = 0; i < s->plugin_section_count; i++) {
		const struct etc_plugin_settings *section = &s->plugin_sections[i];

		if (section->library.len == 0 || (!section->enabled && !opens_all(l)))
			continue;
		ETC_TRY(library_of(l, section, &path));
		ETC_TRY(take(l, path, section->origin, section->enabled ? WISH_LIBRARY : WISH_NONE,
		             section->name, true));
	}
	ETC_TRY(search(l));
	for (uint32_t i = 0; i < l->found.count; i++) {
		const struct etc_found *f = &l->found.files[i];
		const struct etc_plugin_settings *section = etc_settings_plugin(s, f->stem);

		/* A disabled plugin is opened only if the command lists or checks all plugins. */
		if (section && !section->enabled && !opens_all(l))
			continue;
		ETC_TRY(take_found_file(l, f, WISH_NONE));
	}
	return ETC_OK;
}

/* Does [plugin.NAME] set options of the plugin? False if it has only etcore's own keys (`library`,
 * `enabled`, `isolate`). */
static bool has_options(const struct etc_settings *s, struct etc_str name)
{
	for (uint32_t i = 0; i < s->all_count; i++)
		if (etc_option_of(&s->all[i], name))
			return true;
	return false;
}

/* Opens plugins that the list `plugins =` leaves out, but for which the INI file sets options, to
 * check these options. So a mistyped key is reported before the plugin is enabled. */
static enum etc_status check_left_out(struct loading *l)
{
	const struct etc_settings *s = l->options->settings;

	for (uint32_t i = 0; i < s->plugin_section_count; i++) {
		const struct etc_plugin_settings *section = &s->plugin_sections[i];

		if (!section->enabled || by_name(l->host, section->name) ||
		    !has_options(s, section->name))
			continue;
		for (uint32_t k = 0; k < l->found.count; k++) {
			const struct etc_found *f = &l->found.files[k];

			if (section->library.len == 0 && etc_str_eq(f->stem, section->name))
				ETC_TRY(take_found_file(l, f, WISH_NONE));
		}
		if (section->library.len) {
			struct etc_str path;

			ETC_TRY(library_of(l, section, &path));
			ETC_TRY(take(l, path, section->origin, WISH_LIBRARY, section->name, true));
		}
	}
	return ETC_OK;
}

/* Does the search path have a file NAME.so, opened or not? */
static bool has_file(const struct loading *l, struct etc_str name)
{
	for (uint32_t i = 0; i < l->found.count; i++)
		if (etc_str_eq(l->found.files[i].stem, name))
			return true;
	return false;
}

/* Reports that an annotator cannot own the backend of section `b`. */
static enum etc_status no_owner(struct loading *l, const struct etc_backend_settings *b,
                                struct etc_str origin)
{
	enum etc_status st = etc_fail(l->err, E0515,
	                              "owner = '" ETC_STR_FMT
	                              "'; this plugin is an annotator, which owns no backend",
	                              ETC_STR_ARG(b->owner));

	etc_settings_place(origin, l->err);
	return st;
}

/* Checks the names in the configuration: X in [plugin.X] must be a plugin, and X in `owner = X`
 * must be an owner. */
static enum etc_status check_names(struct loading *l)
{
	const struct etc_settings *s = l->options->settings;

	for (uint32_t i = 0; i < s->plugin_section_count; i++) {
		const struct etc_plugin_settings *p = &s->plugin_sections[i];

		if (p->library.len == 0 && !by_name(l->host, p->name) && !has_file(l, p->name) &&
		    !is_quarantined(l->host, p->name))
			return not_found(l, p->name, " (its section has no key library)",
			                 p->origin);
	}
	for (uint32_t i = 0; i < s->backend_count; i++) {
		const struct etc_backend_settings *b = &s->backends[i];
		struct etc_str section = etc_arena_printf(l->host->arena, "backend." ETC_STR_FMT,
		                                          ETC_STR_ARG(b->id));
		const struct etc_setting *owner = etc_settings_find(s, section, ETC_STR("owner"));

		const struct etc_plugin *named = by_name(l->host, b->owner);
		struct etc_str origin = owner ? owner->origin : b->origin;

		if (named && named->abi && named->abi->role == ETCORE_ROLE_ANNOTATOR)
			return no_owner(l, b, origin);
		if (b->owner.len == 0 || etc_str_eq(b->owner, ETC_STR("none")) || named ||
		    has_file(l, b->owner) || is_quarantined(l->host, b->owner) ||
		    etc_settings_plugin(s, b->owner))
			continue;
		return not_found(l, b->owner, "", origin);
	}
	return ETC_OK;
}

enum etc_status etc_host_load(struct etc_host *host, const struct etc_host_options *options,
                              struct etc_arena *arena, struct etc_notes *notes,
                              struct etc_error *err)
{
	const struct etc_settings *s = options->settings;
	struct loading l = { .host = host, .options = options, .err = err };
	const struct etc_setting *key;

	etc_crash_as_json(options->json_diagnostics);
	*host = (struct etc_host){ .arena = arena, .notes = notes, .settings = s };
	host->met_sections = etc_new(arena, bool, s->backend_count);
	ETC_NEED(host->met_sections, err);
	ETC_TRY(etc_ruled_load(host, err));
	if (options->none && !opens_all(&l) && host->ruled_count == 0)
		return ETC_OK;
	host->plugins = etc_new(arena, struct etc_plugin, ETC_LIMIT_PLUGINS);
	host->recent = etc_new(arena, struct etc_recent, 1);
	ETC_NEED(host->plugins && host->recent, err);
	if (options->none && !opens_all(&l))
		return ETC_OK;
	ETC_TRY(take_options(&l));
	key = etc_settings_find(s, ETC_STR("etcore"), ETC_STR("plugins"));
	for (uint32_t i = 0; s->has_plugins && i < s->plugin_count; i++)
		ETC_TRY(take_name(&l, s->plugins[i], WISH_LISTED,
		                  key ? key->origin : ETC_STR("plugins")));
	if (options->only_named && !opens_all(&l))
		return etc_ruled_check(host, err);
	if (!s->has_plugins || opens_all(&l)) {
		ETC_TRY(take_found(&l));
	} else {
		ETC_TRY(search(&l));
		ETC_TRY(check_left_out(&l));
	}
	ETC_TRY(check_names(&l));
	return etc_ruled_check(host, err);
}

/* ---- closing ------------------------------------------------------------------ */

void etc_host_release(struct etc_host *host)
{
	for (uint32_t i = 0; i < host->count; i++) {
		struct etc_plugin *p = &host->plugins[i];

		if (p->remote)
			etc_remote_close(p);
		else if (p->opened && !p->broken && p->abi->close)
			etc_hook_run(p, ETC_HOOK_CLOSE, &(struct etc_hook_args){ 0 });
		p->opened = false;
		p->broken = true;
	}
	etc_ruled_release(host);
	etc_crash_until_end();
}
