/* conf_load.c -- reads all sources of the configuration, lowest precedence first. */
#define _GNU_SOURCE /* scandir, secure_getenv */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/folder.h"
#include "formats/config/conf_internal.h"

enum { PATH_ROOM = 4096 };

/* ---- the set of all settings ----------------------------------------------- */

static bool reserve(struct etc_conf_set *set)
{
	uint32_t room = set->room ? set->room * 2 : 32;
	struct etc_setting *all;
	uint32_t *source;

	if (set->count < set->room)
		return true;
	all = etc_new(set->arena, struct etc_setting, room);
	source = etc_new(set->arena, uint32_t, room);
	if (!all || !source)
		return false;
	if (set->count) {
		memcpy(all, set->all, set->count * sizeof *all);
		memcpy(source, set->source, set->count * sizeof *source);
	}
	set->all = all;
	set->source = source;
	set->room = room;
	return true;
}

/* Returns the value of `s` with `more` appended, separated by ":" in a list of folders and by a
 * blank in other lists. {NULL}: out of memory. */
static struct etc_str joined(struct etc_conf_set *set, const struct etc_setting *s,
                             struct etc_str more)
{
	const struct etc_conf_key *k = etc_conf_find(s->section, s->key);
	const char *between = k && k->type == ETC_CONF_FOLDERS ? ":" : " ";

	return etc_arena_printf(set->arena, ETC_STR_FMT "%s" ETC_STR_FMT, ETC_STR_ARG(s->value),
	                        between, ETC_STR_ARG(more));
}

enum etc_status etc_conf_put(struct etc_conf_set *set, struct etc_setting s, bool more,
                             struct etc_error *err)
{
	struct etc_str id = etc_arena_printf(set->arena, ETC_STR_FMT "\n" ETC_STR_FMT,
	                                     ETC_STR_ARG(s.section), ETC_STR_ARG(s.key));
	size_t at = etc_map_get(&set->index, id);
	struct etc_str section = s.section;

	ETC_NEED(id.ptr, err);
	if (at != ETC_MAP_NONE && more) {
		set->all[at].value = joined(set, &set->all[at], s.value);
		return set->all[at].value.ptr ? ETC_OK : etc_no_memory(err);
	}
	if (at != ETC_MAP_NONE && set->source[at] == set->sources && s.folder.len)
		return etc_fail(err, E0514,
		                "the key '" ETC_STR_FMT "' in [" ETC_STR_FMT
		                "], first in " ETC_STR_FMT,
		                ETC_STR_ARG(s.key), ETC_STR_ARG(s.section),
		                ETC_STR_ARG(set->all[at].origin));
	s.section = etc_str_sub(id, 0, section.len);
	s.key = etc_str_sub(id, section.len + 1, id.len);
	s.value = etc_arena_str(set->arena, s.value);
	ETC_NEED(s.value.ptr && reserve(set), err);
	if (at == ETC_MAP_NONE) {
		at = set->count++;
		if (etc_map_add(&set->index, id, at) == ETC_MAP_NONE)
			return etc_no_memory(err);
	}
	s.order = (uint64_t)~set->sources << 32 | set->puts++;
	set->all[at] = s;
	set->source[at] = set->sources;
	return ETC_OK;
}

/* ---- sources ----------------------------------------------------------------- */

static enum etc_status built_in(struct etc_conf_set *set, struct etc_error *err)
{
	uint32_t count;
	const struct etc_conf_key *keys = etc_conf_keys(&count);

	for (uint32_t i = 0; i < count; i++) {
		struct etc_setting s = { etc_str_of(keys[i].section),
			                 etc_str_of(keys[i].key),
			                 etc_str_of(keys[i].value),
			                 ETC_STR("built-in"),
			                 { 0 },
			                 true,
			                 0 };

		if (strcmp(keys[i].section, "plugin") != 0 &&
		    strcmp(keys[i].section, "backend") != 0)
			ETC_TRY(etc_conf_put(set, s, false, err));
	}
	return ETC_OK;
}

static int ini_only(const struct dirent *e)
{
	struct etc_str name = etc_str_of(e->d_name);

	return name.ptr[0] != '.' && etc_str_ends(name, ETC_STR(".ini"));
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Reads FOLDER/etcore.ini, then FOLDER/etcore.d/NAME.ini in the order of names. */
static enum etc_status read_folder(struct etc_conf_set *set, const char *folder,
                                   struct etc_error *err)
{
	struct dirent **entries = NULL;
	enum etc_status st = ETC_OK;
	struct etc_str path = etc_arena_printf(set->arena, "%s/etcore.ini", folder),
		       parts = etc_arena_printf(set->arena, "%s/etcore.d", folder);
	int n;

	ETC_NEED(path.ptr && parts.ptr, err);
	if (etc_file_exists(path.ptr))
		ETC_TRY(etc_conf_read_file(set, path.ptr, err));
	n = scandir(parts.ptr, &entries, ini_only, by_name);
	for (int i = 0; i < n; i++) {
		path = etc_arena_printf(set->arena, "%s/%s", parts.ptr, entries[i]->d_name);
		if (st == ETC_OK && !path.ptr)
			st = etc_no_memory(err);
		if (st == ETC_OK)
			st = etc_conf_read_file(set, path.ptr, err);
		free(entries[i]);
	}
	free(entries);
	return st;
}

/* Reads the system's configuration files. Their folder is found relative to `program_folder`, as in
 * an installation; if that folder does not exist, the folder that was configured at build time is
 * used. */
static enum etc_status system_files(struct etc_conf_set *set, const char *program_folder,
                                    struct etc_error *err)
{
	struct etc_str here = { 0 };

	if (program_folder)
		here = etc_folder_beside(program_folder, ETCORE_SYSCONFDIR_FROM_BINDIR, set->arena);
	if (here.len && etc_folder_exists(here.ptr))
		return read_folder(set, here.ptr, err);
	return read_folder(set, ETCORE_SYSCONFDIR "/etcore", err);
}

static enum etc_status user_files(struct etc_conf_set *set, struct etc_error *err)
{
	const char *config = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");
	char folder[PATH_ROOM];
	int n = 0;

	if (config && config[0] == '/')
		n = snprintf(folder, sizeof folder, "%s/etcore", config);
	else if (home && home[0] == '/')
		n = snprintf(folder, sizeof folder, "%s/.config/etcore", home);
	if (n <= 0 || (size_t)n >= sizeof folder)
		return ETC_OK;
	return read_folder(set, folder, err);
}

static enum etc_status environment(struct etc_conf_set *set, struct etc_error *err)
{
	uint32_t count;
	const struct etc_conf_key *keys = etc_conf_keys(&count);

	for (uint32_t i = 0; i < count; i++) {
		const char *value = keys[i].environment ? secure_getenv(keys[i].environment) : NULL;
		struct etc_setting s = { etc_str_of(keys[i].section),
			                 etc_str_of(keys[i].key),
			                 etc_str_of(value),
			                 etc_str_of(keys[i].environment),
			                 { 0 },
			                 false,
			                 0 };

		if (value && value[0])
			ETC_TRY(etc_conf_put(set, s, false, err));
	}
	return ETC_OK;
}

/* Returns the dot between section and key. Usually this is `dot`, the last dot before '='. But in
 * "backend.Acme.column.cost", for example, the key "column.cost" belongs to the family "column.";
 * then the dot before "column" is returned. */
static const char *family_dot(const char *text, const char *dot)
{
	const char *before = dot;
	struct etc_str word;

	if (!dot || strncmp(text, "backend.", 8) != 0)
		return dot;
	while (before > text && *--before != '.')
		;
	if (before <= text + 7)
		return dot;
	word = (struct etc_str){ before + 1, (size_t)(dot - before) };
	return etc_conf_is_family(word) ? before : dot;
}

/* Parses SECTION.KEY=VALUE. KEY is the part between the last '.' and '='. Only a key of a family,
 * such as "column.cost", contains a '.' itself. */
static enum etc_status set_option(struct etc_conf_set *set, const char *text, struct etc_error *err)
{
	const char *eq = strchr(text, '='), *dot = eq;
	struct etc_setting s = { .origin = ETC_STR("--set") };

	while (dot && dot > text && *dot != '.')
		dot--;
	dot = family_dot(text, dot);
	if (!eq || dot == text || dot + 1 == eq)
		return etc_fail(err, E0518, "got '%s'", text);
	s.section = (struct etc_str){ text, (size_t)(dot - text) };
	s.key = (struct etc_str){ dot + 1, (size_t)(eq - dot - 1) };
	s.value = etc_str_of(eq + 1);
	ETC_TRY(etc_in_file(err, etc_conf_check_section(s.section, err), "--set"));
	ETC_TRY(etc_in_file(err, etc_conf_check_key(s.section, s.key, err), "--set"));
	return etc_conf_put(set, s, false, err);
}

static enum etc_status arguments(struct etc_conf_set *set, const struct etc_conf_options *o,
                                 struct etc_error *err)
{
	for (uint32_t i = 0; i < o->set_count; i++)
		ETC_TRY(set_option(set, o->set[i], err));
	for (uint32_t i = 0; i < o->override_count; i++) {
		const struct etc_conf_override *w = &o->overrides[i];
		struct etc_setting s = { etc_str_of(w->section),
			                 etc_str_of(w->key),
			                 etc_str_of(w->value),
			                 etc_str_of(w->option),
			                 { 0 },
			                 false,
			                 0 };

		if (!w->value)
			continue;
		ETC_TRY(etc_in_file(err, etc_conf_check_key(s.section, s.key, err), w->option));
		ETC_TRY(etc_conf_put(set, s, false, err));
	}
	return ETC_OK;
}

enum etc_status etc_conf_load(const struct etc_conf_options *options, struct etc_arena *arena,
                              struct etc_settings *out, struct etc_error *err)
{
	struct etc_conf_set set = { .arena = arena };

	*out = (struct etc_settings){ 0 };
	etc_map_init(&set.index, arena);
	ETC_TRY(built_in(&set, err));
	if (!options->only_file) {
		ETC_TRY(system_files(&set, options->program_folder, err));
		ETC_TRY(user_files(&set, err));
	}
	set.shared = set.sources;
	if (options->file)
		ETC_TRY(etc_conf_read_file(&set, options->file, err));
	set.sources++;
	if (!options->only_file)
		ETC_TRY(environment(&set, err));
	ETC_TRY(arguments(&set, options, err));
	return etc_conf_apply(&set, out, err);
}
