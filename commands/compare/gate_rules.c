/* gate_rules.c -- reads rules of `etcore check` from an INI file; see gate_rules.h */
#include "commands/compare/gate_rules.h"

#include "base/nearest.h"
#include "base/percent.h"
#include "model/profile.h"
#include "formats/config/ini.h"

enum { KEYS = 5, NO_KEYS = 0, MOST_PERCENT = 1000 };

struct reading {
	struct etc_arena *arena;
	const struct etc_gate_rule *usual;
	struct etc_gate_rules *out;
	uint32_t first; /* number of rules that were read from earlier files */
	uint32_t set;   /* set of 1 << key: the keys that the last rule sets */
};

enum key { METHOD, CATEGORY, OP, METRIC, MAX_REGRESSION };

static const struct etc_str keys[KEYS] = {
	[METHOD] = { "method", 6 },
	[CATEGORY] = { "category", 8 },
	[OP] = { "op", 2 },
	[METRIC] = { "metric", 6 },
	[MAX_REGRESSION] = { "max_regression", 14 },
};

enum etc_status etc_gate_rule_limit(const char *what, struct etc_str text, enum etc_code wrong,
                                    double *limit, struct etc_error *err)
{
	ETC_TRY(etc_percent_parse(what, text, 0, MOST_PERCENT, wrong, limit, err));
	*limit /= 100;
	return ETC_OK;
}

bool etc_gate_rule_metric(struct etc_str text, uint8_t *stat)
{
	*stat = etc_stat_parse(text);
	return *stat != ETC_STAT_MIN && *stat != ETC_STAT_TOTAL && *stat != ETC_STAT_COUNT;
}

/* Parses the section heading "rule NAME". */
static enum etc_status take_section(void *arg, struct etc_str section, struct etc_error *err)
{
	struct reading *r = arg;
	struct etc_gate_rules *rules = r->out;
	struct etc_str name = etc_str_trim(section);

	if (!etc_str_starts(name, ETC_STR("rule ")))
		return etc_fail(err, E0182, "[" ETC_STR_FMT "]; rules are [rule NAME]",
		                ETC_STR_ARG(section));
	name = etc_str_trim(etc_str_sub(name, 5, name.len));
	for (uint32_t i = r->first; i < rules->count; i++)
		if (etc_str_eq(rules->v[i].name, name))
			return etc_fail(err, E0514, "the rule '" ETC_STR_FMT "', first in line %u",
			                ETC_STR_ARG(name), (unsigned)rules->v[i].line);
	if (rules->count == ETC_GATE_RULES_MAX)
		return etc_fail(err, E0520, "more than %d rules", ETC_GATE_RULES_MAX);
	name = etc_arena_str(r->arena, name);
	ETC_NEED(name.ptr, err);
	rules->v[rules->count] = *r->usual;
	rules->v[rules->count++].name = name;
	r->set = NO_KEYS;
	return ETC_OK;
}

static enum etc_status find_key(struct etc_str name, uint32_t *out, struct etc_error *err)
{
	struct etc_str near;

	for (*out = 0; *out < KEYS; ++*out)
		if (etc_str_eq(keys[*out], name))
			return ETC_OK;
	near = etc_nearest(name, keys, KEYS);
	if (near.len)
		return etc_fail(err, E0181, "'" ETC_STR_FMT "'; did you mean '" ETC_STR_FMT "'?",
		                ETC_STR_ARG(name), ETC_STR_ARG(near));
	return etc_fail(err, E0181,
	                "'" ETC_STR_FMT "'; a rule has method, category, op, metric, "
	                "max_regression",
	                ETC_STR_ARG(name));
}

static enum etc_status unknown_metric(struct etc_str value, struct etc_error *err)
{
	struct etc_str names[ETC_STAT_COUNT], near;
	uint32_t n = 0;
	uint8_t known;

	for (uint8_t stat = 0; stat < ETC_STAT_COUNT; stat++) {
		names[n] = etc_str_of(etc_stat_name(stat));
		n += etc_gate_rule_metric(names[n], &known);
	}
	near = etc_nearest(value, names, n);
	if (near.len)
		return etc_fail(err, E0183,
		                "metric '" ETC_STR_FMT "'; did you mean '" ETC_STR_FMT "'?",
		                ETC_STR_ARG(value), ETC_STR_ARG(near));
	return etc_fail(err, E0183,
	                "metric '" ETC_STR_FMT "'; expected typical, mean, median, p90, p95 or p99",
	                ETC_STR_ARG(value));
}

static enum etc_status set_key(struct reading *r, struct etc_gate_rule *rule, uint32_t key,
                               struct etc_str value, struct etc_error *err)
{
	struct etc_str *const texts[] = { &rule->method, &rule->category, &rule->op };

	if (key == METRIC && !etc_gate_rule_metric(value, &rule->stat))
		return unknown_metric(value, err);
	if (key == MAX_REGRESSION)
		ETC_TRY(etc_gate_rule_limit("max_regression", value, E0183, &rule->limit, err));
	if (key > OP)
		return ETC_OK;
	if (value.len == 0)
		return etc_fail(err, E0183, "no value for '" ETC_STR_FMT "'",
		                ETC_STR_ARG(keys[key]));
	*texts[key] = etc_arena_str(r->arena, value);
	return texts[key]->ptr ? ETC_OK : etc_no_memory(err);
}

static enum etc_status take_key(void *arg, struct etc_str section, struct etc_str name,
                                struct etc_str value, uint32_t line, bool more,
                                struct etc_error *err)
{
	struct reading *r = arg;
	struct etc_gate_rule *rule;
	uint32_t key;

	if (r->out->count == r->first)
		return etc_fail(err, E0182, "'" ETC_STR_FMT "' in [" ETC_STR_FMT "]",
		                ETC_STR_ARG(name), ETC_STR_ARG(section));
	rule = &r->out->v[r->out->count - 1];
	if (more)
		return etc_fail(err, E0519, "it would add '" ETC_STR_FMT "' to '" ETC_STR_FMT "'",
		                ETC_STR_ARG(value), ETC_STR_ARG(name));
	ETC_TRY(find_key(name, &key, err));
	if (r->set & 1u << key)
		return etc_fail(err, E0514, "the key '" ETC_STR_FMT "'", ETC_STR_ARG(name));
	r->set |= 1u << key;
	if (rule->line == 0)
		rule->line = line;
	return set_key(r, rule, key, value, err);
}

enum etc_status etc_gate_rules_read(const char *path, const struct etc_gate_rule *usual,
                                    struct etc_arena *arena, struct etc_gate_rules *out,
                                    struct etc_error *err)
{
	struct reading r = { .arena = arena, .usual = usual, .out = out, .first = out->count };
	const struct etc_ini_taker taker = { &r, take_section, take_key, E0182 };

	if (!out->v)
		out->v = etc_new(arena, struct etc_gate_rule, ETC_GATE_RULES_MAX);
	ETC_NEED(out->v, err);
	return etc_ini_read(path, &taker, err);
}
