/* config_ini.c -- reads a configuration from an INI file:
 *
 *     [pipeline]              model, output_root
 *     [experiment NAME]       one for each experiment; NAME may be in quotes
 *     [compare LABEL]         baseline = NAME@THREADS, candidate = NAME@THREADS
 *     [schedule] [gates] [device] */
#include "base/map.h"
#include "commands/pipeline/config_internal.h"
#include "formats/config/ini.h"

struct ini {
	struct etc_config_reading *r;
	uint8_t scope;
	void *target; /* struct that the keys are set in; NULL: the section is unknown */
	/* maps the scope, target and name of each key that was set to the key's line */
	struct etc_map lines;
};

static struct etc_str unquote(struct etc_str s)
{
	s = etc_str_trim(s);
	if (s.len > 1 && s.ptr[0] == '"' && s.ptr[s.len - 1] == '"')
		s = etc_str_sub(s, 1, s.len - 1);
	return s;
}

/* Is the heading of the section "<kind> NAME"? If so, sets *name. NAME may be in quotes. */
static bool named(struct etc_str section, const char *kind, struct etc_str *name)
{
	size_t n = strlen(kind);

	if (!etc_str_starts(section, etc_str_of(kind)) || section.len <= n ||
	    (section.ptr[n] != ' ' && section.ptr[n] != '"'))
		return false;
	*name = unquote(etc_str_sub(section, n, section.len));
	return name->len > 0;
}

static enum etc_status begin_named(struct ini *i, struct etc_str name, bool pair,
                                   struct etc_error *err)
{
	const struct etc_config_value value = { .kind = ETC_CONFIG_JSON_TEXT, .text = name };

	i->scope = pair ? ETC_SCOPE_PAIR : ETC_SCOPE_EXPERIMENT;
	i->target = pair ? (void *)etc_config_new_pair(i->r, err)
	                 : (void *)etc_config_new_experiment(i->r, err);
	if (!i->target)
		return (enum etc_status)etc_code_info(err->code)->status;
	return etc_config_set(i->r, i->scope, i->target, pair ? ETC_STR("label") : ETC_STR("name"),
	                      &value, err);
}

static enum etc_status take_section(void *arg, struct etc_str section, struct etc_error *err)
{
	static const struct {
		const char *name;
		uint8_t scope;
	} plain[] = {
		{ "pipeline", ETC_SCOPE_PIPELINE },
		{ "schedule", ETC_SCOPE_SCHEDULE },
		{ "gates", ETC_SCOPE_GATES },
		{ "device", ETC_SCOPE_DEVICE },
	};
	struct ini *i = arg;
	struct etc_str name;

	section = etc_str_trim(section);
	if (named(section, "experiment", &name))
		return begin_named(i, name, false, err);
	if (named(section, "compare", &name))
		return begin_named(i, name, true, err);
	i->target = NULL;
	for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++)
		if (etc_str_eq(section, etc_str_of(plain[k].name))) {
			i->scope = plain[k].scope;
			i->target = i->r->out;
			return ETC_OK;
		}
	return etc_fail(err, E1001,
	                "[" ETC_STR_FMT "]; expected pipeline, experiment NAME, compare LABEL, "
	                "schedule, gates or device",
	                ETC_STR_ARG(section));
}

/* Checks that the key has not been set before. (Several sections may have the same heading; then
 * they are one section.) E0514, E0904. */
static enum etc_status check_first(struct ini *i, struct etc_str name, uint32_t line,
                                   struct etc_error *err)
{
	struct etc_str id = etc_arena_printf(i->r->arena, "%u %p " ETC_STR_FMT, i->scope, i->target,
	                                     ETC_STR_ARG(name));
	size_t first = id.ptr ? etc_map_add(&i->lines, id, line) : ETC_MAP_NONE;

	ETC_NEED(first != ETC_MAP_NONE, err);
	if (first == line)
		return ETC_OK;
	return etc_fail(err, E0514, "the key '" ETC_STR_FMT "', first in line %zu",
	                ETC_STR_ARG(name), first);
}

static enum etc_status take_key(void *arg, struct etc_str section, struct etc_str name,
                                struct etc_str value, uint32_t line, bool more,
                                struct etc_error *err)
{
	const struct etc_config_value v = { .kind = ETC_CONFIG_WORD, .text = value };
	struct ini *i = arg;

	(void)section;
	if (more)
		return etc_fail(err, E0519, "it would add '" ETC_STR_FMT "' to '" ETC_STR_FMT "'",
		                ETC_STR_ARG(value), ETC_STR_ARG(name));
	ETC_TRY(check_first(i, name, line, err));
	return etc_config_set(i->r, i->scope, i->target, name, &v, err);
}

enum etc_status etc_config_read_ini(struct etc_config_reading *r, const char *path,
                                    struct etc_error *err)
{
	struct ini i = { .r = r };
	const struct etc_ini_taker taker = { &i, take_section, take_key, E0513 };

	etc_map_init(&i.lines, r->arena);
	return etc_ini_read(path, &taker, err);
}
