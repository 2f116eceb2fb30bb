/* options.c -- checks a plugin's INI section against the options that it declares. */
#include "host/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/number.h"
#include "host/sink.h"

enum {
	/* number of etcore's own keys of a section [plugin.X]: library, enabled, isolate */
	OF_HOST = 3,
	NAMES_MAX = 256 + OF_HOST, /* contract.c allows 256 options */
	CONTENT_MOST = 16 << 20,   /* largest file, in bytes, for an option that sets no limit */
	FAULT_TEXT = 100
};

static bool is_integer(struct etc_str s)
{
	uint64_t u;
	bool minus = s.len > 1 && s.ptr[0] == '-';

	if (!etc_number_parse_u64(etc_str_sub(s, minus, s.len), &u))
		return false;
	return u <= (uint64_t)INT64_MAX + minus;
}

/* Returns "yes" or "no" for a word that is a truth value ("on", "0" …); an empty text for any other
 * word. */
static struct etc_str truth(struct etc_str s)
{
	static const char *const yes[] = { "yes", "true", "on", "1" };
	static const char *const no[] = { "no", "false", "off", "0" };

	for (int i = 0; i < 4; i++) {
		if (etc_str_eq(s, etc_str_of(yes[i])))
			return ETC_STR("yes");
		if (etc_str_eq(s, etc_str_of(no[i])))
			return ETC_STR("no");
	}
	return (struct etc_str){ 0 };
}

static bool in_range(const struct etcore_option *o, struct etc_str value)
{
	double d;

	return etc_number_parse(value, &d) &&
	       ((o->least == 0 && o->most == 0) || (d >= o->least && d <= o->most));
}

static bool is_choice(const struct etcore_option *o, struct etc_str value)
{
	bool is = !o->choices;

	for (uint32_t i = 0; !is && o->choices[i]; i++)
		is = etc_str_eq(value, etc_str_of(o->choices[i]));
	return is;
}

static bool allows(const struct etcore_option *o, struct etc_str *value)
{
	switch (o->type) {
	case ETCORE_TYPE_I64:
		return is_integer(*value) && in_range(o, *value);
	case ETCORE_TYPE_F64:
		return in_range(o, *value);
	case ETCORE_TYPE_BOOL:
		*value = truth(*value);
		return value->len != 0;
	case ETCORE_TYPE_JSON:
		return etc_json_valid(*value);
	default:
		return is_choice(o, *value);
	}
}

static void describe_choices(const struct etcore_option *o, char to[ETC_OPTION_TEXT])
{
	size_t at = (size_t)snprintf(to, ETC_OPTION_TEXT, "one of");

	for (uint32_t i = 0; o->choices[i]; i++) {
		const char *comma = i ? "," : "";

		/* leave space for the ellipsis */
		if (at + strlen(comma) + strlen(o->choices[i]) +
		            strlen(" ''"
		                   ", ...") >=
		    ETC_OPTION_TEXT) {
			snprintf(to + at, ETC_OPTION_TEXT - at, "%s ...", comma);
			return;
		}
		at += (size_t)snprintf(to + at, ETC_OPTION_TEXT - at, "%s '%s'", comma,
		                       o->choices[i]);
	}
}

static void describe(const struct etcore_option *o, char to[ETC_OPTION_TEXT])
{
	uint64_t most = o->most_bytes ? o->most_bytes : CONTENT_MOST;
	const char *what = o->type == ETCORE_TYPE_I64    ? "a whole number"
	                   : o->type == ETCORE_TYPE_F64  ? "a number"
	                   : o->type == ETCORE_TYPE_BOOL ? "yes or no"
	                   : o->type == ETCORE_TYPE_JSON ? "JSON"
	                                                 : "";

	if (o->form == ETCORE_FORM_FILE)
		snprintf(to, ETC_OPTION_TEXT, "a regular file of at most %llu bytes",
		         (unsigned long long)most);
	else if (o->choices)
		describe_choices(o, to);
	else if (o->least != 0 || o->most != 0)
		snprintf(to, ETC_OPTION_TEXT, "%s from %.17g to %.17g%s%s", what, o->least, o->most,
		         o->unit ? " " : "", o->unit ? o->unit : "");
	else
		snprintf(to, ETC_OPTION_TEXT, "%s", what);
}

void etc_option_allowed(const struct etcore_option *o, char to[ETC_OPTION_TEXT])
{
	const struct etcore_option now = etc_option_now(o);

	to[0] = '\0';
	if (now.form == ETCORE_FORM_FILE || now.choices || now.least != 0 || now.most != 0)
		describe(&now, to);
}

void etc_option_fault(const struct etcore_option *declared, struct etc_str *value,
                      char to[ETC_OPTION_TEXT])
{
	const struct etcore_option o = etc_option_now(declared);

	to[0] = '\0';
	if (!allows(&o, value))
		describe(&o, to);
}

static const struct etcore_option *declared(const struct etcore_plugin *abi, struct etc_str key)
{
	for (uint32_t i = 0; abi->options && abi->options[i]; i++)
		if (etc_str_eq(etc_str_of(abi->options[i]->name), key))
			return abi->options[i];
	return NULL;
}

/* Appends a suggestion for an unknown key: the most similar of the `count` names, or, if none is
 * similar, all options that the plugin declares. The first OF_HOST names are not options, but
 * etcore's own keys. */
static void suggest(struct etc_text *to, struct etc_str key, const struct etc_str *names,
                    uint32_t count)
{
	struct etc_str near = etc_nearest(key, names, count);

	if (near.len) {
		etc_text_printf(to, "; did you mean '" ETC_STR_FMT "'?", ETC_STR_ARG(near));
		return;
	}
	etc_text_cstr(to, count > OF_HOST ? "; its options are " : "; it has no options, only ");
	for (uint32_t i = count > OF_HOST ? OF_HOST : 0, k = i; i < count; i++)
		etc_text_printf(to, "%s" ETC_STR_FMT, i > k ? ", " : "", ETC_STR_ARG(names[i]));
}

static enum etc_status unknown(const struct etc_plugin *p, const struct etc_setting *s,
                               struct etc_error *err)
{
	struct etc_str names[NAMES_MAX] = { ETC_STR("library"), ETC_STR("enabled"),
		                            ETC_STR("isolate") };
	struct etc_text more = { 0 };
	uint32_t n = OF_HOST;
	enum etc_status st;

	for (uint32_t i = 0; p->abi->options && p->abi->options[i] && n < NAMES_MAX; i++)
		names[n++] = etc_str_of(p->abi->options[i]->name);
	suggest(&more, s->key, names, n);
	st = etc_fail(err, E0512, "'" ETC_STR_FMT "' in [" ETC_STR_FMT "]" ETC_STR_FMT,
	              ETC_STR_ARG(s->key), ETC_STR_ARG(s->section),
	              ETC_STR_ARG(etc_text_str(&more)));
	etc_text_release(&more);
	etc_settings_place(s->origin, err);
	return st;
}

bool etc_option_of(const struct etc_setting *s, struct etc_str plugin)
{
	return etc_str_starts(s->section, ETC_STR("plugin.")) &&
	       etc_str_eq(etc_str_sub(s->section, 7, s->section.len), plugin) &&
	       !etc_str_eq(s->key, ETC_STR("library")) && !etc_str_eq(s->key, ETC_STR("enabled")) &&
	       !etc_str_eq(s->key, ETC_STR("isolate"));
}

/* Checks that the plugin declares every key of [plugin.NAME]. */
static enum etc_status check_keys(const struct etc_plugin *p, const struct etc_settings *settings,
                                  struct etc_error *err)
{
	for (uint32_t i = 0; i < settings->all_count; i++) {
		const struct etc_setting *s = &settings->all[i];

		if (etc_option_of(s, p->name) && !declared(p->abi, s->key))
			return unknown(p, s, err);
	}
	return ETC_OK;
}

const char *etc_option_default_fault(const struct etcore_plugin *abi)
{
	for (uint32_t i = 0; abi->options && abi->options[i]; i++) {
		struct etc_str value = etc_str_of(abi->options[i]->default_value);
		char expected[ETC_OPTION_TEXT] = "";

		if (value.ptr)
			etc_option_fault(abi->options[i], &value, expected);
		if (expected[0])
			return "an option whose default is not of its type, or excluded by it";
	}
	return NULL;
}

static enum etc_status unfit(const struct etc_setting *s, const char *expected,
                             struct etc_error *err)
{
	enum etc_status st = etc_fail(
		err, E0515,
		"'" ETC_STR_FMT "' for '" ETC_STR_FMT "' in [" ETC_STR_FMT "]; expected %s",
		ETC_STR_ARG(s->value), ETC_STR_ARG(s->key), ETC_STR_ARG(s->section), expected);

	etc_settings_place(s->origin, err);
	return st;
}

/* Writes to `why` the reason why the file cannot be the value of an option. "": it can be. */
static void file_fault(const char *path, uint64_t most, char why[FAULT_TEXT])
{
	struct stat st;

	why[0] = '\0';
	if (stat(path, &st) != 0)
		snprintf(why, FAULT_TEXT, "%s", strerror(errno));
	else if (S_ISDIR(st.st_mode))
		snprintf(why, FAULT_TEXT, "it is a folder");
	else if (!S_ISREG(st.st_mode))
		snprintf(why, FAULT_TEXT, "it is no regular file");
	else if ((uint64_t)st.st_size > most)
		snprintf(why, FAULT_TEXT, "it has %llu bytes", (unsigned long long)st.st_size);
}

static enum etc_status copy_content(const char *path, uint64_t most, struct etc_arena *arena,
                                    struct etcore_bytes *out, char why[FAULT_TEXT],
                                    struct etc_error *err)
{
	struct etc_file file = { 0 };
	uint8_t *copy;
	enum etc_status st = etc_file_open_found(&file, path, (size_t)most, err);

	/* The file has grown since its size was read; or it is a file in /proc, whose size is
	 * always reported as 0. */
	if ((st != ETC_OK && err->code == E0906) || (st == ETC_OK && file.bytes.len > most)) {
		snprintf(why, FAULT_TEXT, "it has more");
		etc_file_release(&file);
		return ETC_OK;
	}
	if (st != ETC_OK)
		return st;
	copy = etc_new(arena, uint8_t, file.bytes.len);
	if (copy && file.bytes.len)
		memcpy(copy, file.bytes.ptr, file.bytes.len);
	*out = (struct etcore_bytes){ copy, file.bytes.len };
	etc_file_release(&file);
	return copy ? ETC_OK : etc_no_memory(err);
}

/* Reads the file that is the value of a setting. A relative path is relative to the folder of the
 * INI file. */
static enum etc_status read_content(const struct etcore_option *o, const struct etc_setting *s,
                                    struct etc_arena *arena, struct etcore_bytes *out,
                                    struct etc_error *err)
{
	uint64_t given = etc_option_now(o).most_bytes, most = given ? given : CONTENT_MOST;
	struct etc_str path = etc_settings_path(s->folder, s->value, arena);
	char expected[ETC_OPTION_TEXT], why[FAULT_TEXT];
	const char *all;

	ETC_NEED(path.ptr, err);
	file_fault(path.ptr, most, why);
	if (!why[0])
		ETC_TRY(copy_content(path.ptr, most, arena, out, why, err));
	if (!why[0])
		return ETC_OK;
	etc_option_allowed(o, expected);
	all = etc_arena_printf(arena, "%s; " ETC_STR_FMT ": %s", expected, ETC_STR_ARG(path), why)
	              .ptr;
	return all ? unfit(s, all, err) : etc_no_memory(err);
}

enum etc_status etc_plugin_configure(struct etc_plugin *p, const struct etc_settings *settings,
                                     struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str section =
		etc_arena_printf(arena, "plugin." ETC_STR_FMT, ETC_STR_ARG(p->name));
	struct etcore_setting *values, **pointers;
	uint32_t room = 0;

	while (p->abi->options && p->abi->options[room])
		room++;
	values = etc_new(arena, struct etcore_setting, room);
	pointers = etc_new(arena, struct etcore_setting *, room + 1);
	ETC_NEED(section.ptr && values && pointers, err);
	ETC_TRY(check_keys(p, settings, err));
	p->setting_count = 0;
	for (uint32_t i = 0; i < room; i++) {
		const struct etcore_option *o = p->abi->options[i];
		const struct etc_setting *s =
			etc_settings_find(settings, section, etc_str_of(o->name));
		struct etc_str value = s ? s->value : etc_str_of(o->default_value);
		char expected[ETC_OPTION_TEXT];

		/* An option that is unset or empty, and has no default, is left out. */
		if (!o->default_value && value.len == 0)
			continue;
		etc_option_fault(o, &value, expected);
		if (expected[0] && !s)
			return etc_fail(err, E0607, "the default of its option '%s' is not %s",
			                o->name, expected);
		if (expected[0])
			return unfit(s, expected, err);
		pointers[p->setting_count] = &values[p->setting_count];
		values[p->setting_count] = (struct etcore_setting){
			.size = sizeof(struct etcore_setting),
			.name = { o->name, strlen(o->name) },
			.value = { value.ptr, value.len },
		};
		if (etc_option_now(o).form == ETCORE_FORM_FILE)
			ETC_TRY(read_content(o, s, arena, &values[p->setting_count].content, err));
		p->setting_count++;
	}
	p->settings = (const struct etcore_setting *const *)pointers;
	return ETC_OK;
}
