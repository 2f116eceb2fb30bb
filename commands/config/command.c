/* command.c -- `etcore config`: lists every key with its value and origin, as a valid INI file.
 * A plugin's options are in the section of the plugin. */
#include "commands/config/config.h"
#include "context/output.h"
#include "context/question.h"

struct options {
	struct etc_common_options common;
	struct etc_opt_list output; /* -o, as in context/output.h */
};

static const char *type_name(uint8_t type)
{
	static const char *const names[] = {
		[ETC_CONF_TEXT] = "text",       [ETC_CONF_NAMES] = "names",
		[ETC_CONF_FOLDERS] = "folders", [ETC_CONF_FILE] = "file",
		[ETC_CONF_UNIT] = "scale",      [ETC_CONF_NUMBER] = "number",
		[ETC_CONF_SIZE] = "size",       [ETC_CONF_BOOL] = "bool",
		[ETC_CONF_CHOICE] = "choice",   [ETC_CONF_BITS] = "integer",
		[ETC_CONF_DECODER] = "decoder", [ETC_CONF_SOURCE] = "source",
		[ETC_CONF_PATTERN] = "pattern", [ETC_CONF_COLUMN] = "column",
		[ETC_CONF_JOBS] = "integer",    [ETC_CONF_RATE] = "number",
		[ETC_CONF_PEAK] = "number",
	};

	return names[type];
}

struct row {
	struct etc_str section, key, value, origin;
	const char *unit, *type, *built_in;
};

struct writer {
	struct etc_text *out;
	uint32_t width; /* width of the terminal; 0: none */
	bool json, first;
	struct etc_str section;
};

static void quoted(struct etc_text *out, const char *name, struct etc_str s, const char *after)
{
	etc_text_printf(out, "\"%s\":\"", name);
	etc_text_json(out, s);
	etc_text_printf(out, "\"%s", after);
}

static void put_comment(const struct row *r, struct etc_text *out)
{
	etc_text_tell(out, "; %s%s" ETC_STR_FMT "\n", r->unit, r->unit[0] ? ", " : "",
	              ETC_STR_ARG(r->origin));
}

static void write_row(struct writer *w, const struct row *r)
{
	struct etc_text *out = w->out;
	size_t used, comment;
	bool beside; /* true: the comment fits on the key's line; false: it is on the line above */

	if (w->json) {
		etc_text_cstr(out, w->first ? "\n{" : ",\n{");
		quoted(out, "section", r->section, ",");
		quoted(out, "key", r->key, ",");
		quoted(out, "value", r->value, ",");
		quoted(out, "type", etc_str_of(r->type), ",");
		quoted(out, "unit", etc_str_of(r->unit), ",");
		quoted(out, "default", etc_str_of(r->built_in), ",");
		quoted(out, "origin", r->origin, "}");
		w->first = false;
		return;
	}
	used = r->key.len + r->value.len;
	if (!etc_str_eq(w->section, r->section)) {
		etc_text_cstr(out, w->section.len ? "\n" : "");
		etc_text_tell(out, "[" ETC_STR_FMT "]\n", ETC_STR_ARG(r->section));
		w->section = r->section;
	}
	comment = strlen(r->unit) + (r->unit[0] ? 2 : 0) + r->origin.len;
	beside = !w->width || (used < 32 ? 32 : used + 1) + 3 + 3 + comment <= w->width;
	if (!beside)
		put_comment(r, out);
	etc_text_tell(out, ETC_STR_FMT " = " ETC_STR_FMT, ETC_STR_ARG(r->key),
	              ETC_STR_ARG(r->value));
	if (beside) {
		etc_text_repeat(out, " ", used < 32 ? 32 - used : 1);
		etc_text_char(out, ' ');
		put_comment(r, out);
	} else {
		etc_text_char(out, '\n');
	}
}

static const struct etc_plugin *plugin_of(const struct etc_host *host, struct etc_str section)
{
	struct etc_str name = etc_str_sub(section, 7, section.len);

	for (uint32_t i = 0; i < host->count; i++)
		if (host->plugins[i].state != ETC_PLUGIN_REFUSED && host->plugins[i].abi &&
		    etc_str_eq(host->plugins[i].name, name))
			return &host->plugins[i];
	return NULL;
}

static void write_setting(struct writer *w, const struct etc_host *host,
                          const struct etc_setting *s)
{
	const struct etc_conf_key *k = etc_conf_find(s->section, s->key);
	struct row r = { s->section, s->key, s->value, s->origin, "", "text", "" };

	if (k) {
		r.unit = k->unit;
		r.type = type_name(k->type);
		r.built_in = k->value;
	} else {
		const struct etc_plugin *p = plugin_of(host, s->section);

		for (uint32_t i = 0; p && p->abi->options && p->abi->options[i]; i++)
			if (etc_str_eq(etc_str_of(p->abi->options[i]->name), s->key)) {
				r.type = etc_type_name(p->abi->options[i]->type);
				r.built_in = p->abi->options[i]->default_value;
			}
	}
	write_row(w, &r);
}

/* Writes the options that a plugin declares and that no source sets, with their defaults. */
static void write_defaults(struct writer *w, const struct etc_settings *settings,
                           const struct etc_plugin *p, struct etc_arena *arena)
{
	struct etc_str section =
		etc_arena_printf(arena, "plugin." ETC_STR_FMT, ETC_STR_ARG(p->name));

	for (uint32_t i = 0; section.ptr && p->abi->options && p->abi->options[i]; i++) {
		const struct etcore_option *o = p->abi->options[i];
		struct row r = { section,
			         etc_str_of(o->name),
			         etc_str_of(o->default_value),
			         ETC_STR("built-in"),
			         "",
			         etc_type_name(o->type),
			         o->default_value };

		if (!etc_settings_find(settings, section, r.key))
			write_row(w, &r);
	}
}

static const struct etc_format formats[] =
	ETC_FORMAT_ARRAY(ETC_TEXT_JSON_FORMATS, ETC_NAMED_FORMAT);

struct answer {
	struct etc_session *session;
	uint32_t width; /* width of the terminal; 0: there is no terminal */
};

static enum etc_status put(const struct etc_format *format, bool for_file, void *what,
                           struct etc_text *out, struct etc_error *err)
{
	const struct answer *a = what;
	struct etc_session *s = a->session;
	const bool json = strcmp(format->name, "json") == 0;
	struct writer w = {
		.out = out, .width = for_file ? 0 : a->width, .json = json, .first = true
	};

	(void)err;
	out->prose = false; /* do not wrap: a wrapped line is not valid INI */
	if (json)
		etc_text_cstr(out, "{\"schema\":\"etcore.config/1\",\"keys\":[");
	for (uint32_t i = 0; i < s->settings.all_count; i++) {
		const struct etc_setting *key = &s->settings.all[i];
		bool last =
			i + 1 == s->settings.all_count || !etc_str_eq(key[1].section, key->section);
		const struct etc_plugin *p =
			last && etc_str_starts(key->section, ETC_STR("plugin."))
				? plugin_of(&s->host, key->section)
				: NULL;

		write_setting(&w, &s->host, key);
		if (p)
			write_defaults(&w, &s->settings, p, &s->arena);
	}
	for (uint32_t i = 0; i < s->host.count; i++) {
		const struct etc_plugin *p = &s->host.plugins[i];

		if (p->abi && p->state != ETC_PLUGIN_REFUSED &&
		    !etc_settings_plugin(&s->settings, p->name))
			write_defaults(&w, &s->settings, p, &s->arena);
	}
	if (json)
		etc_text_cstr(out, "\n]}\n");
	return ETC_OK;
}

static enum etc_status answer(struct etc_session *s, const void *options,
                              const struct etc_reply *reply, struct etc_error *err)
{
	const struct options *o = options;
	struct answer a = { s, o->common.width };
	struct etc_targets targets;

	if (o->common.operands.count)
		return etc_fail(err, E0501, "config takes no operands; -c FILE names a file");
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_session_plugins(s, &o->common, ETC_SESSION_CHECK, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	return etc_targets_write(&targets, put, &a, reply->out, err);
}

bool etc_key_at(uint32_t i, struct etc_key *out)
{
	uint32_t count;
	const struct etc_conf_key *k = etc_conf_keys(&count);

	if (i >= count)
		return false;
	k += i;
	*out = (struct etc_key){ k->section,           k->key,        k->value, k->unit, k->help,
		                 etc_conf_expected(k), k->environment };
	return true;
}

static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct options, ETC_TEXT_JSON_FORMATS, ""),
	ETC_COMMON_ROWS(struct options),
};

const struct etc_question etc_ask_config = {
	.name = "config",
	.summary = "the effective configuration, with the origin of every key",
	.usage = "[-c INI]",
	.examples = "etcore config\netcore config -c etcore.ini\netcore config -o json",
	ETC_OPTIONS(struct options),
	.answer = answer,
};
