/* descriptor.c -- checks the plugin's descriptor and its options. */
#include <stdio.h>

#include "commands/plugins/check/internal.h"
#include "host/guard.h"
#include "model/own_columns.h"

static void loaded(struct etc_checking *c)
{
	struct etc_check_board *b = c->board;
	const char *version = c->abi->version ? c->abi->version : "";

	snprintf(b->plugin, sizeof b->plugin, "%s", c->abi->name);
	snprintf(b->version, sizeof b->version, "%s", version);
	snprintf(b->abi, sizeof b->abi, "%u.%u", (unsigned)c->abi->abi_major,
	         (unsigned)c->abi->abi_minor);
	etc_check_note(c, "%s %s, ABI %s", b->plugin, version, b->abi);
}

void etc_check_load(struct etc_checking *c)
{
	const struct etc_plugin *p = c->plugin;

	if (p->state == ETC_PLUGIN_REFUSED)
		etc_check_failed(c, "%s: " ETC_STR_FMT, etc_code_info(p->why)->name,
		                 ETC_STR_ARG(p->reason));
	else
		loaded(c);
}

static bool blank(const char *s)
{
	return !s || !s[0];
}

/* Checks that a name can be used in --columns, and that none of etcore's own columns has this name.
 * Upper and lower case count as equal, because databases ignore case. */
static void check_column_name(struct etc_checking *c, const char *name)
{
	struct etc_str own = etc_column_own(etc_str_of(name));
	size_t n = strlen(name);

	if (n == 0 || strchr(name, ',') || name[0] == ' ' || name[n - 1] == ' ')
		etc_check_failed(c, "--columns cannot name column '%s'", name);
	if (own.ptr && !etc_str_eq(etc_str_of(name), own))
		etc_check_failed(c, "column '%s' is spelled like etcore's own '" ETC_STR_FMT "'",
		                 name, ETC_STR_ARG(own));
}

static void check_people(struct etc_checking *c)
{
	const struct etcore_plugin *p = c->abi;

	if (blank(p->version) || blank(p->vendor) || blank(p->description))
		etc_check_failed(c, "no %s",
		                 blank(p->version)  ? "version"
		                 : blank(p->vendor) ? "vendor"
		                                    : "description");
	for (uint32_t i = 0; p->options && p->options[i]; i++)
		if (blank(p->options[i]->help))
			etc_check_failed(c, "option '%s' has no help", p->options[i]->name);
	for (uint32_t i = 0; p->columns && p->columns[i]; i++) {
		if (blank(p->columns[i]->help))
			etc_check_failed(c, "column '%s' has no help", p->columns[i]->name);
		check_column_name(c, p->columns[i]->name);
	}
}

static const struct agreed {
	const char *name, *type, *unit, *rollup;
} agreed[] = {
#define X(name, type, unit, rollup, help) { name, type, unit, rollup },
#include "model/agreed_columns.def"
#undef X
};

/* Proposes a common name for a column. `own` is the name of the column without the name of the
 * plugin before it. */
static void propose_for(struct etc_proposals *all, const struct etcore_column *column,
                        const char *own)
{
	static const char *const types[] = { "", "str", "i64", "f64", "bool", "json" };
	static const char *const rollups[] = { "none", "first", "sum", "set",
		                               "mean", "min",   "max", "time_mean" };
	const char *unit = column->unit ? column->unit : "";

	for (size_t k = 0; k < sizeof agreed / sizeof agreed[0]; k++) {
		if (!etc_column_alike(etc_str_of(own), etc_str_of(agreed[k].name)))
			continue;
		if (strcmp(column->name, agreed[k].name) != 0) {
			etc_propose(all, "'%s' for '%s'", agreed[k].name, column->name);
			continue;
		}
		if (strcmp(types[column->type], agreed[k].type) != 0)
			etc_propose(all, "type '%s' for '%s'", agreed[k].type, column->name);
		if (strcmp(unit, agreed[k].unit) != 0)
			etc_propose(all, "unit '%s' for '%s'", agreed[k].unit, column->name);
		if (strcmp(rollups[etc_column_rollup(column)], agreed[k].rollup) != 0)
			etc_propose(all, "roll-up '%s' for '%s'", agreed[k].rollup, column->name);
	}
}

/* Proposes names of docs/columns.md for columns that seem to have the same meaning. */
static void propose_names(struct etc_checking *c)
{
	const struct etcore_plugin *p = c->abi;
	struct etc_proposals all = { .len = 0 };
	size_t prefix = strlen(p->name);

	for (uint32_t i = 0; p->columns && p->columns[i]; i++) {
		const char *name = p->columns[i]->name;
		bool prefixed = strncmp(name, p->name, prefix) == 0 && name[prefix] == '_';

		propose_for(&all, p->columns[i], prefixed ? name + prefix + 1 : name);
	}
	etc_propose_all(c, "docs/columns.md has ", &all);
}

void etc_check_declarations(struct etc_checking *c)
{
	const struct etcore_plugin *p = c->abi;
	bool backends = p->backends && p->backends[0];

	propose_names(c);
	etc_check_ends(c);
	check_people(c);
	if (p->role == ETCORE_ROLE_OWNER && !backends && !p->probe)
		etc_check_failed(c, "an owner with neither backends nor probe is never asked");
	else if (p->role == ETCORE_ROLE_OWNER && !backends &&
	         etc_contract_sees(p) == ETCORE_SEES_DELEGATE)
		etc_check_failed(c, "an owner of delegates without backends is not asked where a "
		                    "record or program names the backend");
	if (p->role == ETCORE_ROLE_ANNOTATOR && !backends)
		etc_check_failed(c, "an annotator without backends is never asked");
	if (p->role == ETCORE_ROLE_ANNOTATOR && !p->classify)
		etc_check_failed(c, "an annotator without classify has nothing to add");
	if (p->columns && p->columns[0] && !p->parse_metadata)
		etc_check_failed(c, "columns without parse_metadata stay empty");
	if (!(etc_contract_sees(p) &
	      (ETCORE_SEES_DELEGATE | ETCORE_SEES_OPERATOR | ETCORE_SEES_FRAMEWORK)))
		etc_check_failed(c, "`sees` has no kind of plugin.h: it is shown no event");
	for (uint32_t i = 0; backends && p->backends[i]; i++)
		for (uint32_t k = 0; k < i; k++)
			if (strcmp(p->backends[i], p->backends[k]) == 0)
				etc_check_failed(c, "backend '%s' twice", p->backends[i]);
}

/* ---- options ---------------------------------------------------------------------- */

/* Returns extreme values of the option's type, as texts, because the host passes values as texts.
 * The list ends with NULL. */
static const char *const *values_of(const struct etcore_option *o)
{
	/* the longest value that fits into a line of an INI file */
	static const char line[] =
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		"0123456789abcdef0123456789abcdef";
	static const char *const strs[] = { "",          "x",    "\xc3\xa4\xe2\x82\xac",
		                            "a b,c;d=e", "%s%n", "-1",
		                            line,        NULL };
	static const char *const i64s[] = {
		"0", "-1", "9223372036854775807", "-9223372036854775808", "007", NULL
	};
	static const char *const f64s[] = { "0",   "-0.0", "1e308", "-1e308", "4.9e-324",
		                            "0.1", "1000", "nan",   "inf",    NULL };
	static const char *const bools[] = { "yes", "no", NULL };
	static const char *const jsons[] = { "null", "{}", "[]", "[1, {\"a\": \"b\"}]", "0", NULL };

	switch (o->type) {
	case ETCORE_TYPE_I64:
		return i64s;
	case ETCORE_TYPE_F64:
		return f64s;
	case ETCORE_TYPE_BOOL:
		return bools;
	case ETCORE_TYPE_JSON:
		return jsons;
	default:
		return etc_option_now(o).choices ? etc_option_now(o).choices : strs;
	}
}

/* Makes the list of settings: the declared defaults, in which the setting `name` has the value
 * `value`. The list and the changed setting are in fenced memory. */
static bool settings_with(struct etc_checking *c, struct etc_fence *f, const char *name,
                          bool is_file, const char *value, const struct etcore_setting ***out,
                          uint32_t *count)
{
	uint32_t n = c->plugin->setting_count;
	const struct etcore_setting **list = etc_fence_new(f, (n + 1) * sizeof *list);
	struct etcore_setting *mine = etc_case_struct(f, sizeof *mine, 0);
	struct etcore_text text;
	bool ok = list && mine;

	if (!ok)
		return false;
	text = etc_fenced_text(f, value, strlen(value), &ok);
	*mine = (struct etcore_setting){ .size = sizeof *mine,
		                         .name = etc_fenced_text(f, name, strlen(name), &ok),
		                         .value = text };
	if (is_file)
		mine->content = (struct etcore_bytes){ (const uint8_t *)text.ptr, text.len };
	*count = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct etcore_setting *s = c->plugin->settings[i];

		if (s->name.len != strlen(name) || memcmp(s->name.ptr, name, strlen(name)) != 0)
			(*count)++;
	}
	list += n - *count;
	*out = list;
	for (uint32_t i = 0; i < n; i++) {
		const struct etcore_setting *s = c->plugin->settings[i];

		if (s->name.len != strlen(name) || memcmp(s->name.ptr, name, strlen(name)) != 0)
			*list++ = s;
	}
	*list = mine;
	(*count)++;
	return ok && etc_fence_seal(f);
}

/* Opens an instance with one value of an option, calls every hook, and closes the instance. open()
 * may refuse the value. */
static void try_value(struct etc_checking *c, const struct etcore_option *o, const char *value)
{

	const struct etcore_setting **settings;
	struct etc_drive d = { .c = c };
	struct etc_fence f = { 0 };
	uint32_t count;

	if (!settings_with(c, &f, o->name, etc_option_now(o).form == ETCORE_FORM_FILE, value,
	                   &settings, &count)) {
		etc_check_failed(c, "out of memory");
	} else {
		if (etc_drive_open_with(&d, c, settings, count))
			etc_drive_cases(&d, ETC_CASES_ORDINARY);
		if (d.result[0] || d.threw[0])
			etc_check_failed(c, "%s = %s: %s", o->name, value,
			                 d.result[0] ? d.result : d.threw);
		etc_drive_close(&d);
	}
	etc_fence_release(&f);
}

static bool allows(const struct etcore_option *o, const char *value)
{
	struct etc_str v = etc_str_of(value);
	char expected[ETC_OPTION_TEXT];

	etc_option_fault(o, &v, expected);
	return !expected[0];
}

/* Tries the smallest and the largest value of an option's range. */
static void try_bounds(struct etc_checking *c, const struct etcore_option *o)
{
	const struct etcore_option now = etc_option_now(o);
	const double ends[] = { now.least, now.most };
	char value[40];

	for (size_t i = 0; i < 2 && now.least < now.most && !etc_check_has_failed(c); i++) {
		snprintf(value, sizeof value, "%.17g", ends[i]);
		if (allows(o, value))
			try_value(c, o, value);
	}
}

void etc_check_options(struct etc_checking *c)
{
	struct etc_drive d = { .c = c };

	if (!etc_drive_open(&d, c)) {
		etc_drive_close(&d);
		return;
	}
	etc_drive_close(&d);
	if (!c->abi->options || !c->abi->options[0]) {
		etc_check_skip(c, "it declares no option");
		return;
	}
	for (uint32_t i = 0; c->abi->options[i]; i++) {
		const struct etcore_option *o = c->abi->options[i];

		for (const char *const *v = values_of(o); *v && !etc_check_has_failed(c); v++)
			if (allows(o, *v))
				try_value(c, o, *v);
		try_bounds(c, o);
	}
}

/* ---- get_extension ------------------------------------------------------------------ */

struct asked {
	const struct etcore_plugin *abi;
	void *self; /* the instance that get_instance_extension is called with */
	bool of_instance;
	const char *id;
	const void *answer;
};

static void ask(void *arg)
{
	struct asked *a = arg;

	a->answer = a->of_instance ? a->abi->get_instance_extension(a->self, a->id)
	                           : a->abi->get_extension(a->id);
}

static void ask_unknown(struct etc_checking *c, bool of_instance, void *self)
{
	static const char *const ids[] = { "", "etcore.check.nobody/1", "\xff" };
	const char *hook = of_instance ? "get_instance_extension" : "get_extension";
	char what[160];

	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
		struct asked a = {
			.abi = c->abi, .self = self, .of_instance = of_instance, .id = ids[i]
		};

		snprintf(c->board->doing, sizeof c->board->doing, "%s", hook);
		if (!etc_guard(ask, &a, what, sizeof what))
			etc_check_failed(c, "a C++ exception left %s: %s", hook, what);
		else if (a.answer)
			etc_check_failed(c, "%s(\"%s\") is not NULL", hook, ids[i]);
	}
}

void etc_check_extension(struct etc_checking *c)
{
	bool of_instance = etc_contract_has_instance_extension(c->abi);
	struct etc_drive d = { .c = c };

	if (!c->abi->get_extension && !of_instance) {
		etc_check_skip(c, "it has no get_extension");
		return;
	}
	if (c->abi->get_extension)
		ask_unknown(c, false, NULL);
	if (of_instance && etc_drive_open(&d, c))
		ask_unknown(c, true, d.self);
	etc_drive_close(&d);
}
