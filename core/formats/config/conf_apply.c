/* conf_apply.c -- parses the values of the keys into struct etc_settings. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "formats/config/conf_internal.h"

struct applying {
	const struct etc_conf_set *set;
	struct etc_settings *out;
	struct etc_backend_settings *backends;
	struct etc_plugin_settings *plugins;
	struct etc_rule *rules; /* rules of all backends, concatenated */
	uint32_t rule_count;
};

static bool parse_size(struct etc_str s, size_t *out)
{
	unsigned shift = 0;
	uint64_t v;

	if (s.len && memchr("KMG", s.ptr[s.len - 1], 3)) {
		shift = s.ptr[s.len - 1] == 'K' ? 10 : s.ptr[s.len - 1] == 'M' ? 20 : 30;
		s.len--;
	}
	if (!etc_number_parse_u64(s, &v) || v > (SIZE_MAX >> shift))
		return false;
	*out = (size_t)v << shift;
	return true;
}

static bool parse_number(struct etc_str s, double *out)
{
	return etc_number_parse(s, out) && *out >= 0 && isfinite(*out);
}

/* Is `v` a number of ticks per second for which profile/plan.c can compute the length of a tick?
 * profile/plan.c doubles the number up to 33 times to get an integer, which must fit 64 bits. */
static bool is_rate(double v)
{
	return v >= 0x1p-33 && v < 0x1p63;
}

static bool parse_bits(struct etc_str s, uint8_t *out)
{
	uint64_t v;

	if (!etc_number_parse_u64(s, &v) || v > 63)
		return false;
	*out = (uint8_t)v;
	return true;
}

static bool parse_jobs(struct etc_str s, uint32_t *out)
{
	enum { MOST = 256 };
	uint64_t v;

	if (!etc_number_parse_u64(s, &v) || v > MOST)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool parse_bool(struct etc_str s, bool *out)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	for (int i = 0; i < 8; i++)
		if (etc_str_eq(s, etc_str_of(words[i]))) {
			*out = i & 1;
			return true;
		}
	return false;
}

static bool parse_unit(struct etc_str s, bool may_be_empty, uint8_t *out)
{
	*out = etc_unit_parse(s);
	return *out != ETC_UNIT_UNKNOWN || (may_be_empty && s.len == 0);
}

/* Splits `s` at blanks and commas into `out`, and returns the number of words. If `out` is NULL,
 * only counts them. */
static uint32_t split(struct etc_str s, struct etc_str *out)
{
	uint32_t n = 0;

	for (size_t i = 0; i < s.len;) {
		size_t from;

		while (i < s.len && memchr(" ,\t\n", s.ptr[i], 4))
			i++;
		from = i;
		while (i < s.len && !memchr(" ,\t\n", s.ptr[i], 4))
			i++;
		if (i > from && out)
			out[n] = etc_str_sub(s, from, i);
		n += i > from;
	}
	return n;
}

static enum etc_status apply_names(struct applying *a, struct etc_str value, struct etc_error *err)
{
	uint32_t n = split(value, NULL);
	struct etc_str *names = etc_new(a->set->arena, struct etc_str, n);

	ETC_NEED(names, err);
	split(value, names);
	a->out->plugins = names;
	a->out->plugin_count = n;
	a->out->has_plugins = n > 0;
	return ETC_OK;
}

/* Stores the list of folders in which plugins are searched. A relative folder is prefixed with the
 * folder of the INI file that names it. E0515: a relative folder does not come from an INI file. */
static enum etc_status apply_folders(struct applying *a, const struct etc_setting *s,
                                     struct etc_error *err)
{
	struct etc_str rest = s->value, all = { "", 0 };

	while (rest.len) {
		const char *colon = memchr(rest.ptr, ':', rest.len);
		size_t n = colon ? (size_t)(colon - rest.ptr) : rest.len;
		struct etc_str one = etc_str_trim(etc_str_sub(rest, 0, n));
		bool prefix = one.len && one.ptr[0] != '/' && s->folder.len;

		rest = etc_str_sub(rest, n + (colon != NULL), rest.len);
		if (one.len == 0)
			continue;
		if (one.ptr[0] != '/' && !prefix) {
			etc_fail(err, E0515,
			         "'" ETC_STR_FMT
			         "' for 'plugin_path'; expected absolute folders here",
			         ETC_STR_ARG(one));
			etc_settings_place(s->origin, err);
			return ETC_USAGE;
		}
		all = etc_arena_printf(a->set->arena, "%s%s" ETC_STR_FMT "%s" ETC_STR_FMT,
		                       all.len ? all.ptr : "", all.len ? ":" : "",
		                       ETC_STR_ARG(prefix ? s->folder : ETC_STR_NONE),
		                       prefix ? "/" : "", ETC_STR_ARG(one));
		ETC_NEED(all.ptr, err);
	}
	a->out->plugin_path = all;
	return ETC_OK;
}

/* Stores the value in the key's member of `base`; false: invalid value. */
static bool store(const struct etc_conf_key *k, struct etc_str v, void *base)
{
	void *at = (char *)base + k->at;
	int i;

	switch (k->type) {
	case ETC_CONF_UNIT:
		return parse_unit(v, k->value[0] == '\0', at);
	case ETC_CONF_NUMBER:
		return parse_number(v, at);
	case ETC_CONF_RATE:
		return parse_number(v, at) && (*(double *)at == 0 || is_rate(*(double *)at));
	case ETC_CONF_PEAK:
		return v.len == 0 || (parse_number(v, at) && *(double *)at > 0);
	case ETC_CONF_SIZE:
		return parse_size(v, at);
	case ETC_CONF_BITS:
		return parse_bits(v, at);
	case ETC_CONF_JOBS:
		return parse_jobs(v, at);
	case ETC_CONF_BOOL:
		return parse_bool(v, at);
	case ETC_CONF_DECODER:
	case ETC_CONF_CHOICE:
		i = etc_conf_choice(k->choices, v);
		if (i >= 0 && strcmp(k->section, "backend") == 0)
			*(uint8_t *)at = (uint8_t)i; /* index of the choice, which is the enum's
			                              * value */
		else if (i >= 0)
			*(struct etc_str *)at = v;
		return i >= 0;
	default:
		*(struct etc_str *)at = v;
		return true;
	}
}

/* Parses a rule and adds it to the rules of `b`. An empty value adds no rule. */
static enum etc_status apply_rule(struct applying *a, const struct etc_conf_key *k,
                                  struct etc_backend_settings *b, const struct etc_setting *s,
                                  struct etc_error *err)
{
	struct etc_rule *rule = &a->rules[a->rule_count];
	enum etc_status st;

	if (s->value.len == 0)
		return ETC_OK;
	st = etc_conf_rule(k, s, a->set->arena, rule, err);
	if (st == ETC_USAGE)
		etc_settings_place(s->origin, err);
	if (st != ETC_OK)
		return st;
	if (b->rule_count == 0)
		b->rules = rule;
	b->rule_count++;
	a->rule_count++;
	return ETC_OK;
}

static enum etc_status apply(struct applying *a, const struct etc_conf_key *k, void *base,
                             const struct etc_setting *s, struct etc_error *err)
{
	if (k->type == ETC_CONF_NAMES)
		return apply_names(a, s->value, err);
	if (k->type == ETC_CONF_FOLDERS)
		return apply_folders(a, s, err);
	if (k->type >= ETC_CONF_SOURCE)
		return apply_rule(a, k, base, s, err);
	if (!store(k, s->value, base)) {
		enum etc_status st = etc_fail(
			err, E0515, "'" ETC_STR_FMT "' for '%s' in [" ETC_STR_FMT "]; expected %s",
			ETC_STR_ARG(s->value), k->key, ETC_STR_ARG(s->section),
			etc_conf_expected(k));

		etc_settings_place(s->origin, err);
		return st;
	}
	return ETC_OK;
}

/* Returns the struct of the section [plugin.NAME] or [backend.ID] that contains the key `s`, and
 * creates it at the section's first key. Keys are sorted by section, so only the struct created
 * last can be that of the section. */
static void *member_of(struct applying *a, const struct etc_setting *s, bool plugin)
{
	struct etc_str name = etc_str_sub(s->section, plugin ? 7 : 8, s->section.len);
	struct etc_settings *out = a->out;

	if (plugin) {
		struct etc_plugin_settings *p = &a->plugins[out->plugin_section_count];

		if (out->plugin_section_count && etc_str_eq(p[-1].name, name))
			return p - 1;
		*p = (struct etc_plugin_settings){
			.name = name, .enabled = true, .origin = s->origin, .folder = s->folder
		};
		out->plugin_section_count++;
		return p;
	}
	if (out->backend_count && etc_str_eq(a->backends[out->backend_count - 1].id, name))
		return &a->backends[out->backend_count - 1];
	a->backends[out->backend_count] = (struct etc_backend_settings){ .id = name,
		                                                         .metadata = ETC_DECODE_HEX,
		                                                         .origin = s->origin };
	return &a->backends[out->backend_count++];
}

static int by_key(const void *x, const void *y)
{
	const struct etc_setting *a = x, *b = y;
	int order = etc_str_cmp(a->section, b->section);

	return order ? order : etc_str_cmp(a->key, b->key);
}

static int by_order(const void *x, const void *y)
{
	const struct etc_rule *a = x, *b = y;

	return a->order < b->order ? -1 : a->order > b->order;
}

enum etc_status etc_conf_apply(const struct etc_conf_set *set, struct etc_settings *out,
                               struct etc_error *err)
{
	struct applying a = { .set = set, .out = out };

	if (set->count > 1)
		qsort(set->all, set->count, sizeof *set->all, by_key);
	out->all = set->all;
	out->all_count = set->count;
	a.plugins = etc_new(set->arena, struct etc_plugin_settings, set->count);
	a.backends = etc_new(set->arena, struct etc_backend_settings, set->count);
	a.rules = etc_new(set->arena, struct etc_rule, set->count);
	ETC_NEED(a.plugins && a.backends && a.rules, err);
	out->plugin_sections = a.plugins;
	out->backends = a.backends;
	for (uint32_t i = 0; i < set->count; i++) {
		const struct etc_setting *s = &set->all[i];
		const struct etc_conf_key *k = etc_conf_find(s->section, s->key);
		struct etc_str kind = etc_conf_kind(s->section);
		bool plugin = etc_str_eq(kind, ETC_STR("plugin"));
		void *base = out;

		if (plugin || etc_str_eq(kind, ETC_STR("backend")))
			base = member_of(&a, s, plugin);
		if (base != out && !plugin && ~(uint32_t)(s->order >> 32) > set->shared)
			((struct etc_backend_settings *)base)->given = true;
		if (!k)
			continue; /* a plugin's own option */
		ETC_TRY(apply(&a, k, base, s, err));
		if (strcmp(k->key, "library") == 0) {
			struct etc_plugin_settings *p = base;

			p->folder = s->folder;
			p->origin = s->origin;
		}
		if (plugin && strcmp(k->key, "isolate") == 0)
			((struct etc_plugin_settings *)base)->has_isolate = true;
		if (strcmp(k->key, "metadata") == 0)
			((struct etc_backend_settings *)base)->has_metadata = true;
	}
	for (uint32_t i = 0; i < out->backend_count; i++)
		if (a.backends[i].rule_count)
			qsort(a.rules + (a.backends[i].rules - a.rules), a.backends[i].rule_count,
			      sizeof *a.rules, by_order);
	return ETC_OK;
}
