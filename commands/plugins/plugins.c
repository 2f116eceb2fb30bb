/* plugins.c -- `etcore plugins`: lists the plugins that were found, their origin, and why a plugin
 * was refused. */
#include "commands/plugins/plugins.h"
#include "context/output.h"
#include "context/session.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "host/contract.h"

enum { COLUMNS = 6 };

/* ---- words ------------------------------------------------------------------- */

/* clang-format off */
static const struct { const char *name; size_t at; } hooks[] = {
#define HOOK(name) { #name, offsetof(struct etcore_plugin, name) }
	HOOK(open), HOOK(close), HOOK(probe), HOOK(parse_metadata), HOOK(convert_time),
	HOOK(describe_time), HOOK(name_event), HOOK(classify), HOOK(map_event), HOOK(get_extension),
	HOOK(get_instance_extension), HOOK(expand_event),
#undef HOOK
};
static const struct { uint32_t bit; const char *name; } sights[] = {
	{ ETCORE_SEES_DELEGATE, "delegate" }, { ETCORE_SEES_OPERATOR, "operator" },
	{ ETCORE_SEES_FRAMEWORK, "framework" },
};
/* clang-format on */
enum { HOOKS = sizeof hooks / sizeof hooks[0], SIGHTS = sizeof sights / sizeof sights[0] };

static const char *rollup_name(uint32_t rollup)
{
	static const char *const names[] = { "none", "first", "sum", "set",
		                             "mean", "min",   "max", "time_mean" };

	return names[rollup <= ETCORE_ROLLUP_TIME_MEAN ? rollup : 0];
}

static const char *role_name(const struct etc_plugin *p)
{
	if (p->state == ETC_PLUGIN_REFUSED || !p->abi)
		return "refused";
	return p->abi->role == ETCORE_ROLE_OWNER ? "owner" : "annotator";
}

static bool has_hook(const struct etcore_plugin *abi, int i)
{
	void (*hook)(void);

	if (abi->size < hooks[i].at + sizeof hook)
		return false;
	memcpy(&hook, (const char *)abi + hooks[i].at, sizeof hook);
	return hook != NULL;
}

static const char *text_or(const char *s, const char *instead)
{
	return s && s[0] ? s : instead;
}

/* Returns the title that the plugin declares, or NULL. */
static const char *title_of(const struct etcore_plugin *abi)
{
	return ETCORE_HAS(abi, struct etcore_plugin, title) ? abi->title : NULL;
}

/* Returns the plugin that owns the events of `backend`. An annotator for that backend annotates
 * these events. */
static const struct etc_plugin *owner_of(const struct etc_host *host, const char *backend)
{
	for (uint32_t i = 0; i < host->count; i++) {
		const struct etc_plugin *p = &host->plugins[i];

		if (p->state == ETC_PLUGIN_REFUSED || !p->abi || p->abi->role != ETCORE_ROLE_OWNER)
			continue;
		for (uint32_t k = 0; p->abi->backends && p->abi->backends[k]; k++)
			if (strcmp(p->abi->backends[k], backend) == 0)
				return p;
	}
	return NULL;
}

/* Returns what a plugin is for: for an owner, the ids of its backends ("XnnpackBackend"); for an
 * annotator, the plugin that owns the events ("xnnpack events"). "-" if unknown. */
static struct etc_str for_whom(const struct etc_host *host, const struct etc_plugin *p,
                               struct etc_arena *arena)
{
	struct etc_str all = { "", 0 };

	if (p->state == ETC_PLUGIN_REFUSED || !p->abi || !p->abi->backends || !p->abi->backends[0])
		return ETC_STR("-");
	for (uint32_t i = 0; p->abi->backends[i] && all.ptr; i++) {
		const char *backend = p->abi->backends[i];
		bool annotator = p->abi->role == ETCORE_ROLE_ANNOTATOR;
		const struct etc_plugin *owner = annotator ? owner_of(host, backend) : NULL;

		all = etc_arena_printf(arena, ETC_STR_FMT "%s%s%s", ETC_STR_ARG(all),
		                       all.len ? ", " : "", owner ? owner->name.ptr : backend,
		                       annotator ? " events" : "");
	}
	return all;
}

/* Returns the plugin's path for display. For an installed plugin, the installation prefix is left
 * out. */
static struct etc_str short_path(const struct etc_plugin *p)
{
	size_t at;

	if (!etc_str_eq(p->origin, ETC_STR("installed")))
		return p->path;
	at = etc_str_find(p->path, ETC_STR("/../"), 0);
	if (at != SIZE_MAX)
		return etc_str_sub(p->path, at + 4, p->path.len);
	at = p->path.len > p->name.len ? p->path.len : 0;
	for (int slashes = 0; at > 0 && slashes < 2; at--)
		slashes += p->path.ptr[at - 1] == '/';
	return etc_str_sub(p->path, at ? at + 1 : 0, p->path.len);
}

static struct etc_str from_where(const struct etc_plugin *p, struct etc_arena *arena)
{
	struct etc_str path = short_path(p);

	if (p->state == ETC_PLUGIN_REFUSED)
		return etc_arena_printf(arena, ETC_STR_FMT ": " ETC_STR_FMT, ETC_STR_ARG(path),
		                        ETC_STR_ARG(p->reason));
	if (p->state == ETC_PLUGIN_DISABLED)
		return etc_arena_printf(
			arena, ETC_STR_FMT ": " ETC_STR_FMT " (off: " ETC_STR_FMT ")",
			ETC_STR_ARG(p->origin), ETC_STR_ARG(path), ETC_STR_ARG(p->reason));
	/* an origin such as "etcore.ini:12" is shown without the path, because that line of the INI
	 * file has the path */
	if (etc_str_find(p->origin, ETC_STR(".ini:"), 0) != SIZE_MAX)
		return p->origin;
	return etc_arena_printf(arena, ETC_STR_FMT ": " ETC_STR_FMT, ETC_STR_ARG(p->origin),
	                        ETC_STR_ARG(path));
}

static struct etc_str abi_of(const struct etc_plugin *p, struct etc_arena *arena)
{
	if (p->abi)
		return etc_arena_printf(arena, "%u.%u", (unsigned)p->abi->abi_major,
		                        (unsigned)p->abi->abi_minor);
	if (p->why == E0604)
		return etc_arena_printf(arena, "%u", (unsigned)p->abi_found);
	return ETC_STR("-");
}

/* ---- list ---------------------------------------------------------------------- */

static bool fill(struct etc_str *cells, const struct etc_host *host, const struct etc_plugin *p,
                 struct etc_arena *arena)
{
	bool usable = p->abi && p->state != ETC_PLUGIN_REFUSED;

	cells[0] = p->name;
	cells[1] = etc_str_of(role_name(p));
	cells[2] = for_whom(host, p, arena);
	cells[3] = etc_str_of(usable ? text_or(p->abi->version, "-") : "-");
	cells[4] = abi_of(p, arena);
	cells[5] = from_where(p, arena);
	return cells[2].ptr && cells[4].ptr && cells[5].ptr;
}

static struct etc_str shown(struct etc_str s, struct etc_arena *arena)
{
	struct etc_text t = { 0 };

	etc_text_shown(&t, s);
	return etc_text_keep(&t, arena);
}

/* Lists the folders of the search path. */
static void list_folders(const struct etc_host *host, struct etc_text *out)
{
	if (host->looked_count)
		etc_text_cstr(out, "\nsearched\n");
	for (uint32_t i = 0; i < host->looked_count; i++) {
		const struct etc_looked *f = &host->looked[i];

		etc_text_tell(out, "  %-18.*s  ", (int)f->origin.len, f->origin.ptr);
		etc_text_shown(out, f->path);
		etc_text_tell(out, "%s%s\n", f->state[0] ? ": " : "", f->state);
	}
}

static enum etc_status list_text(struct etc_session *s, struct etc_text *out, struct etc_error *err)
{
	static const char *const titles[COLUMNS] = {
		"name", "role", "for", "version", "abi", "from"
	};
	struct etc_str *cells = etc_new(&s->arena, struct etc_str, (s->host.count + 1) * COLUMNS);
	size_t width[COLUMNS] = { 0 };

	ETC_NEED(cells, err);
	for (int c = 0; c < COLUMNS; c++)
		cells[c] = etc_str_of(titles[c]);
	for (uint32_t i = 0; i < s->host.count; i++)
		ETC_NEED(fill(cells + (i + 1) * COLUMNS, &s->host, &s->host.plugins[i], &s->arena),
		         err);
	for (uint32_t i = 0; i < (s->host.count + 1) * COLUMNS; i++) {
		size_t w;

		if (!etc_text_is_plain(cells[i]) && !(cells[i] = shown(cells[i], &s->arena)).ptr)
			return etc_no_memory(err);
		w = etc_utf8_width(cells[i]);

		width[i % COLUMNS] = w > width[i % COLUMNS] ? w : width[i % COLUMNS];
	}
	for (uint32_t i = 0; i < (s->host.count + 1) * COLUMNS; i++) {
		bool last = i % COLUMNS == COLUMNS - 1;

		etc_text_put(out, cells[i]);
		if (!last)
			etc_text_repeat(out, " ",
			                width[i % COLUMNS] + 2 - etc_utf8_width(cells[i]));
		else
			etc_text_char(out, '\n');
	}
	if (s->host.count == 0)
		etc_text_cstr(out, "no plugin was found\n");
	list_folders(&s->host, out);
	return ETC_OK;
}

/* ---- json ---------------------------------------------------------------------- */

static void member(struct etc_text *out, const char *name, struct etc_str s, const char *after)
{
	etc_text_printf(out, "\"%s\":", name);
	if (s.ptr)
		etc_text_json_string(out, s);
	else
		etc_text_cstr(out, "null");
	etc_text_cstr(out, after);
}

static void json_options(const struct etc_plugin *p, struct etc_text *out)
{
	etc_text_cstr(out, "\"options\":[");
	for (uint32_t i = 0; p->abi->options && p->abi->options[i]; i++) {
		const struct etcore_option *o = p->abi->options[i];
		char allowed[ETC_OPTION_TEXT];

		etc_option_allowed(o, allowed);
		etc_text_cstr(out, i ? ",{" : "{");
		member(out, "name", etc_str_of(o->name), ",");
		member(out, "type", etc_str_of(etc_type_name(o->type)), ",");
		member(out, "default", etc_str_of(o->default_value), ",");
		member(out, "unit", etc_str_of(etc_option_now(o).unit), ",");
		member(out, "allowed", etc_str_of(allowed[0] ? allowed : NULL), ",");
		member(out, "help", etc_str_of(o->help), "}");
	}
	etc_text_cstr(out, "],\"columns\":[");
	for (uint32_t i = 0; p->abi->columns && p->abi->columns[i]; i++) {
		const struct etcore_column *c = p->abi->columns[i];

		etc_text_cstr(out, i ? ",{" : "{");
		member(out, "name", etc_str_of(c->name), ",");
		member(out, "type", etc_str_of(etc_type_name(c->type)), ",");
		member(out, "unit", etc_str_of(c->unit), ",");
		member(out, "rollup", etc_str_of(rollup_name(etc_column_rollup(c))), ",");
		member(out, "help", etc_str_of(c->help), "}");
	}
	etc_text_cstr(out, "]");
}

static void json_descriptor(const struct etc_plugin *p, struct etc_text *out)
{
	const struct etcore_plugin *abi = p->abi;
	const char *comma = "";

	etc_text_printf(out, "\"abi_least\":\"%u.%u\",", (unsigned)abi->abi_major,
	                (unsigned)etc_contract_least(abi));
	member(out, "title", etc_str_of(title_of(abi)), ",");
	member(out, "version", etc_str_of(abi->version), ",");
	member(out, "vendor", etc_str_of(abi->vendor), ",");
	member(out, "description", etc_str_of(abi->description), ",");
	etc_text_cstr(out, "\"backends\":[");
	for (uint32_t i = 0; abi->backends && abi->backends[i]; i++) {
		etc_text_cstr(out, i ? ",\"" : "\"");
		etc_text_json(out, etc_str_of(abi->backends[i]));
		etc_text_char(out, '"');
	}
	etc_text_cstr(out, "],\"sees\":[");
	for (int i = 0; i < SIGHTS; i++)
		if (etc_contract_sees(abi) & sights[i].bit) {
			etc_text_printf(out, "%s\"%s\"", comma, sights[i].name);
			comma = ",";
		}
	etc_text_cstr(out, "],\"hooks\":[");
	comma = "";
	for (int i = 0; i < HOOKS; i++)
		if (has_hook(abi, i)) {
			etc_text_printf(out, "%s\"%s\"", comma, hooks[i].name);
			comma = ",";
		}
	etc_text_cstr(out, "],");
	json_options(p, out);
}

/* Writes the JSON object of a plugin; `open` is the beginning of the object. */
static void json_plugin(const struct etc_plugin *p, const char *open, struct etc_text *out,
                        struct etc_arena *arena)
{
	static const char *const states[] = { "on", "off", "refused" };
	bool usable = p->abi && p->state != ETC_PLUGIN_REFUSED;
	struct etc_str none = { 0 };

	etc_text_cstr(out, open);
	member(out, "name", p->name, ",");
	member(out, "state", etc_str_of(states[p->state]), ",");
	member(out, "role", usable ? etc_str_of(role_name(p)) : none, ",");
	member(out, "abi", p->abi || p->why == E0604 ? abi_of(p, arena) : none, ",");
	member(out, "origin", p->origin, ",");
	member(out, "path", p->path, ",");
	member(out, "code",
	       p->state == ETC_PLUGIN_REFUSED ? etc_str_of(etc_code_info(p->why)->name) : none,
	       ",");
	member(out, "reason", p->reason.len ? p->reason : none, usable ? "," : "");
	if (usable)
		json_descriptor(p, out);
	etc_text_char(out, '}');
}

static void list_json(struct etc_session *s, struct etc_text *out)
{
	etc_text_cstr(out, "{\"schema\":\"etcore.plugins/1\",\"plugins\":[");
	for (uint32_t i = 0; i < s->host.count; i++) {
		json_plugin(&s->host.plugins[i], i ? ",\n{" : "\n{", out, &s->arena);
	}
	etc_text_cstr(out, "\n],\"folders\":[");
	for (uint32_t i = 0; i < s->host.looked_count; i++) {
		const struct etc_looked *f = &s->host.looked[i];

		etc_text_cstr(out, i ? ",\n{" : "\n{");
		member(out, "path", f->path, ",");
		member(out, "origin", f->origin, ",");
		member(out, "state", f->state[0] ? etc_str_of(f->state) : (struct etc_str){ 0 },
		       "}");
	}
	etc_text_cstr(out, "\n]}\n");
}

/* ---- info ---------------------------------------------------------------------- */

static void line(struct etc_text *out, const char *name, struct etc_str value)
{
	etc_text_tell(out, "  %-8s  ", name);
	etc_text_shown(out, value);
	etc_text_char(out, '\n');
}

/* Joins names, such as "a, b": the hooks that the plugin has if `of_hooks`, else the kinds of data
 * that it gets. "-": there are none. */
static struct etc_str joined(const struct etcore_plugin *abi, bool of_hooks,
                             struct etc_arena *arena)
{
	struct etc_str all = { "", 0 };

	for (int i = 0; all.ptr && i < (of_hooks ? HOOKS : SIGHTS); i++) {
		if (of_hooks ? !has_hook(abi, i) : !(etc_contract_sees(abi) & sights[i].bit))
			continue;
		all = etc_arena_printf(arena, ETC_STR_FMT "%s%s", ETC_STR_ARG(all),
		                       all.len ? ", " : "",
		                       of_hooks ? hooks[i].name : sights[i].name);
	}
	return all.len ? all : ETC_STR("-");
}

static struct etc_str value_of(const struct etc_plugin *p, const char *name)
{
	for (uint32_t i = 0; i < p->setting_count; i++)
		if (etc_str_eq((struct etc_str){ p->settings[i]->name.ptr,
		                                 (size_t)p->settings[i]->name.len },
		               etc_str_of(name)))
			return (struct etc_str){ p->settings[i]->value.ptr,
				                 (size_t)p->settings[i]->value.len };
	return (struct etc_str){ 0 };
}

/* Writes "  (default 0)  description (a number from 1 to 8 ns)". If the option accepts all values,
 * the parentheses at the end contain only the unit; without a unit, they are left out. */
static void info_option(const struct etcore_option *o, struct etc_text *out)
{
	char allowed[ETC_OPTION_TEXT];
	const char *more = allowed;

	etc_option_allowed(o, allowed);
	if (!allowed[0])
		more = text_or(etc_option_now(o).unit, "");
	etc_text_tell(out, "  (default %s)  %s%s%s%s\n", text_or(o->default_value, "none"),
	              text_or(o->help, ""), more[0] ? " (" : "", more, more[0] ? ")" : "");
}

static void info_options(const struct etc_plugin *p, struct etc_text *out)
{
	const struct etcore_plugin *abi = p->abi;

	if (abi->options && abi->options[0]) {
		etc_text_char(out, '\n');
		etc_text_tell(out, "options of [plugin.%s]\n", abi->name);
	} else {
		line(out, "options", ETC_STR("none"));
	}
	for (uint32_t i = 0; abi->options && abi->options[i]; i++) {
		const struct etcore_option *o = abi->options[i];

		etc_text_tell(out, "  %-24s  %-8s  ", o->name, etc_type_name(o->type));
		etc_text_shown(out, value_of(p, o->name));
		info_option(o, out);
	}
	if (abi->columns && abi->columns[0])
		etc_text_cstr(out, "\ncolumns\n");
	for (uint32_t i = 0; abi->columns && abi->columns[i]; i++) {
		const struct etcore_column *c = abi->columns[i];

		etc_text_tell(out, "  %-32s  %-8s  %-6s  roll-up %-5s  %s\n", c->name,
		              etc_type_name(c->type), text_or(c->unit, "-"),
		              rollup_name(etc_column_rollup(c)), text_or(c->help, ""));
	}
}

static void info_text(struct etc_session *s, const struct etc_plugin *p, struct etc_text *out)
{
	bool usable = p->abi && p->state != ETC_PLUGIN_REFUSED;

	etc_text_shown(out, p->name);
	if (usable)
		etc_text_tell(out, " %s", p->abi->version);
	if (usable && text_or(p->abi->vendor, NULL))
		etc_text_tell(out, " (%s)", p->abi->vendor);
	if (usable && text_or(p->abi->description, NULL))
		etc_text_tell(out, ": %s", p->abi->description);
	etc_text_char(out, '\n');
	if (usable && title_of(p->abi))
		line(out, "title", etc_str_of(title_of(p->abi)));
	line(out, "role", etc_str_of(role_name(p)));
	if (p->state == ETC_PLUGIN_REFUSED)
		etc_text_tell(out, "  %-8s  %s: " ETC_STR_FMT "\n", "why",
		              etc_code_info(p->why)->name, ETC_STR_ARG(p->reason));
	if (p->state == ETC_PLUGIN_DISABLED)
		etc_text_tell(out, "  %-8s  off: " ETC_STR_FMT "\n", "state",
		              ETC_STR_ARG(p->reason));
	if (usable) {
		line(out, "for", for_whom(&s->host, p, &s->arena));
		line(out, "sees", joined(p->abi, false, &s->arena));
	}
	line(out, "abi", abi_of(p, &s->arena));
	if (usable && etc_contract_least(p->abi))
		etc_text_tell(out, "  %-8s  etcore with ABI %u.%u or later\n", "needs",
		              (unsigned)p->abi->abi_major, (unsigned)etc_contract_least(p->abi));
	line(out, "from", p->origin);
	line(out, "path", p->path);
	if (usable) {
		line(out, "hooks", joined(p->abi, true, &s->arena));
		info_options(p, out);
	}
}

/* Finds the plugin called `name`, or the plugin that was loaded from the path `name`. */
static const struct etc_plugin *find(const struct etc_host *host, const char *name)
{
	const struct etc_plugin *hit = NULL;

	for (uint32_t i = 0; i < host->count; i++) {
		const struct etc_plugin *p = &host->plugins[i];

		if (strchr(name, '/') ? p->by_option && etc_str_eq(p->path, etc_str_of(name))
		                      : etc_str_eq(p->name, etc_str_of(name)))
			if (!hit || hit->state == ETC_PLUGIN_REFUSED)
				hit = p;
	}
	return hit;
}

static enum etc_status unknown(struct etc_session *s, const char *name, struct etc_error *err)
{
	struct etc_str names[ETC_LIMIT_PLUGINS], near;

	for (uint32_t i = 0; i < s->host.count; i++)
		names[i] = s->host.plugins[i].name;
	near = etc_nearest(etc_str_of(name), names, s->host.count);
	return etc_fail(err, E0601, "'%s'%s" ETC_STR_FMT "%s", name,
	                near.len ? "; did you mean '" : "", ETC_STR_ARG(near),
	                near.len ? "'?" : "");
}

static const struct etc_format formats[] =
	ETC_FORMAT_ARRAY(ETC_TEXT_JSON_FORMATS, ETC_NAMED_FORMAT);

struct answer {
	struct etc_session *session;
	const struct etc_plugin *plugin; /* NULL: all plugins are listed */
};

static enum etc_status put(const struct etc_format *format, bool for_file, void *what,
                           struct etc_text *out, struct etc_error *err)
{
	const struct answer *a = what;
	const struct etc_plugin *p = a->plugin;
	struct etc_session *s = a->session;
	const bool json = strcmp(format->name, "json") == 0;

	(void)for_file;
	if (!p && !json)
		return list_text(s, out, err);
	if (!p) {
		list_json(s, out);
	} else if (json) {
		json_plugin(p, "{\"schema\":\"etcore.plugins-info/1\",", out, &s->arena);
		etc_text_char(out, '\n');
	} else {
		info_text(s, p, out);
	}
	return ETC_OK;
}

/* Flushes `out`, which contains the facts about the refused plugin `p`. Then returns the error with
 * the code of the refusal. */
static enum etc_status refusal(const struct etc_plugin *p, struct etc_text *out,
                               struct etc_error *err)
{
	if (!etc_text_flush(out))
		return etc_fail(err, E0903, "the answer");
	return etc_in_file(err, etc_fail(err, p->why, ETC_STR_FMT, ETC_STR_ARG(p->reason)),
	                   p->path.ptr);
}

static enum etc_status answer(struct etc_session *s, const struct etc_plugins_options *o,
                              const struct etc_targets *targets, struct etc_text *out,
                              struct etc_error *err)
{
	const char *name = etc_operand(&o->common, 1);
	struct answer a = { s, name ? find(&s->host, name) : NULL };

	if (name && !a.plugin)
		return unknown(s, name, err);
	/* After a failed allocation, a valid plugin may be marked as refused. */
	if (name && a.plugin->state == ETC_PLUGIN_REFUSED && etc_memory_refused().wanted)
		return etc_no_memory(err);
	ETC_TRY(etc_targets_write(targets, put, &a, out, err));
	return name && a.plugin->state == ETC_PLUGIN_REFUSED ? refusal(a.plugin, out, err) : ETC_OK;
}

/* For `info PATH`: adds the file to the plugins to load, in the same way as --plugin PATH. */
static enum etc_status with_path(struct etc_session *s, struct etc_common_options *common,
                                 const char *path, struct etc_error *err)
{
	const struct etc_opt_list given = common->plugins;

	common->plugins = (struct etc_opt_list){ 0 };
	for (uint32_t i = 0; i < given.count; i++)
		ETC_TRY(etc_opt_append(&common->plugins, given.v[i], &s->arena, err));
	return etc_opt_append(&common->plugins, path, &s->arena, err);
}

static enum etc_status check(const struct etc_plugins_options *o, struct etc_error *err)
{
	const char *action = etc_operand(&o->common, 0), *name = etc_operand(&o->common, 1);
	bool info = action && strcmp(action, "info") == 0;

	if (action && !info && strcmp(action, "list") != 0)
		return etc_fail(err, E0504, "'plugins %s'; expected list, info, check or new",
		                action);
	if (info && !name)
		return etc_fail(err, E0501, "plugins info needs a NAME or a PATH");
	if (!info && name)
		return etc_fail(err, E0501, "plugins list takes no name");
	return ETC_OK;
}

enum etc_status etc_plugins(struct etc_session *s, const void *options,
                            const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_plugins_options *o = options;
	struct etc_common_options common = o->common;
	const char *name = etc_operand(&common, 1);
	struct etc_targets targets;

	ETC_TRY(check(o, err));
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	ETC_TRY(etc_session_configure(s, &common, NULL, 0, 0, err));
	if (name && strchr(name, '/'))
		ETC_TRY(with_path(s, &common, name, err));
	ETC_TRY(etc_session_plugins(s, &common, ETC_SESSION_LIST, err));
	ETC_TRY(etc_session_report(s, common.strict, reply, err));
	return answer(s, o, &targets, reply->out, err);
}
