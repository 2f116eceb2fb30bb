/* conf_rules.c -- parses the rules of a backend: columns, and patterns that select events.
 *
 *   PATTERN = REGEX or "REGEX", matched against the name of the event; or SOURCE ~ "REGEX"
 *   COLUMN  = SOURCE : TYPE [: UNIT] [: ROLL-UP]     without TYPE if SOURCE is a NUMBER@OFFSET
 *
 * conf_source.c describes SOURCE. */
#include "model/facts.h"
#include "formats/config/conf_internal.h"

/* clang-format off */
/* The numbers are those of ETCORE_TYPE_* and of the other enums of etcore/plugin.h, which
 * core/formats must not include. */
static const struct etc_word types[] = { { "str", 1 }, { "i64", 2 }, { "f64", 3 }, { "bool", 4 }, { "json", 5 } };
static const struct etc_word rollups[] = { { "none", 0 }, { "first", 1 }, { "sum", 2 }, { "set", 3 },
                                       { "mean", ETC_ROLLUP_MEAN }, { "min", ETC_ROLLUP_MIN }, { "max", ETC_ROLLUP_MAX },
                                       { "time_mean", ETC_ROLLUP_TIME_MEAN } };
static const struct etc_word kinds[] = { { "op", 0 }, { "phase", 1 }, { "packing", 2 }, { "overhead", 3 },
                                     { "counter", 4 }, { "invalid", 5 } };
static const struct etc_word levels[] = { { "1", 1 }, { "2", 2 }, { "3", 3 }, { "4", 4 }, { "5", 5 }, { "6", 6 },
                                      { "7", 7 }, { "8", 8 }, { "9", 9 } };
static const struct etc_word units[] = { { "ns", ETC_UNIT_NS }, { "us", ETC_UNIT_US }, { "ms", ETC_UNIT_MS },
                                     { "s", ETC_UNIT_S }, { "cycles", ETC_UNIT_CYCLES }, { "ticks", ETC_UNIT_TICKS },
                                     { "bytes", ETC_UNIT_BYTES }, { "count", ETC_UNIT_COUNT } };
static const struct etc_word categories[] = {
#define X(word) { word, 0 },
#include "model/categories.def"
#undef X
};
/* clang-format on */
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- rules -------------------------------------------------------------------- */

static enum etc_status only_source(struct etc_str value, struct etc_arena *arena,
                                   struct etc_rule *out, struct etc_error *err)
{
	ETC_TRY(etc_conf_source(&value, arena, &out->source, err));
	if (value.len)
		return etc_fail(err, E0525, "unexpected '" ETC_STR_FMT "' behind a source",
		                ETC_STR_ARG(value));
	return ETC_OK;
}

/* Parses a regular expression with an optional source; without a source, the expression is matched
 * against the event's name. */
static enum etc_status pattern(struct etc_str value, struct etc_arena *arena, struct etc_rule *out,
                               struct etc_error *err)
{
	struct etc_str word = etc_conf_first_word(value);
	bool has_source = etc_str_find(value, ETC_STR("~ \""), 0) != SIZE_MAX &&
	                  (etc_str_eq(word, ETC_STR("name")) ||
	                   etc_str_find(word, ETC_STR("@"), 0) != SIZE_MAX ||
	                   etc_str_eq(word, ETC_STR("metadata")) || value.ptr[0] == '/');
	uint32_t groups;

	if (has_source)
		return only_source(value, arena, out, err);
	if (value.len > 2 && value.ptr[0] == '"' && value.ptr[value.len - 1] == '"')
		value = etc_str_sub(value, 1, value.len - 1);
	out->source = (struct etc_rule_source){ .of_name = true, .pattern = value };
	ETC_TRY(etc_conf_groups(value, &groups, err));
	out->source.group = groups > 0;
	return ETC_OK;
}

/* Returns the ETCORE_TYPE_* of values from `s`, if `s` is a binary number such as u32le@8 without a
 * regular expression or an alternative. 0: `s` is another source, which does not imply a type. */
static uint8_t own_type(const struct etc_rule_source *s)
{
	if (!s->form || s->pattern.len || s->next)
		return 0;
	return s->form >= ETC_DECODE_F32LE ? 3 : 2;
}

static enum etc_status unit_or_rollup_unknown(struct etc_str word, struct etc_error *err)
{
	struct etc_word both[COUNT(units) + COUNT(rollups)];

	memcpy(both, units, sizeof units);
	memcpy(both + COUNT(units), rollups, sizeof rollups);
	return etc_word_unknown(E0527, "unit or roll-up", word, both, COUNT(both), err);
}

static enum etc_status column(struct etc_str value, struct etc_arena *arena, struct etc_rule *out,
                              struct etc_error *err)
{
	const struct etc_word *type, *rollup, *unit;
	bool has_rollup = false;

	ETC_TRY(etc_conf_source(&value, arena, &out->source, err));
	out->type = own_type(&out->source);
	for (int i = 0; value.len; i++) {
		struct etc_str rest = etc_conf_after(value, 1), field;
		const char *colon = rest.len ? memchr(rest.ptr, ':', rest.len) : NULL;
		size_t n = colon ? (size_t)(colon - rest.ptr) : rest.len;

		field = etc_str_trim(etc_str_sub(rest, 0, n));
		value = etc_str_sub(rest, n, rest.len);
		type = etc_word_find(types, COUNT(types), field);
		unit = etc_word_find(units, COUNT(units), field);
		rollup = etc_word_find(rollups, COUNT(rollups), field);
		if (i == 0 && !type && !out->type)
			return etc_word_unknown(E0527, "type", field, types, COUNT(types), err);
		if (i == 0 && type)
			out->type = type->value;
		else if (unit && !out->unit.len && !has_rollup)
			out->unit = field;
		else if (rollup && !has_rollup)
			out->rollup = rollup->value;
		else
			return i <= 1 ? unit_or_rollup_unknown(field, err)
			              : etc_word_unknown(E0527, "roll-up", field, rollups,
			                                 COUNT(rollups), err);
		has_rollup = has_rollup || rollup;
	}
	if (!out->type)
		return etc_word_unknown(E0527, "no type:", (struct etc_str){ 0 }, types,
		                        COUNT(types), err);
	if (out->rollup > ETC_ROLLUP_SET && out->type != ETC_TYPE_I64 && out->type != ETC_TYPE_F64)
		return etc_fail(err, E0527, "the roll-up '%s' of a %s; it is of i64 and f64 alone",
		                rollups[out->rollup].name, types[out->type - 1].name);
	return ETC_OK;
}

/* Checks that a column's name has the form [A-Za-z][A-Za-z0-9_.]*, which --columns and --where
 * accept. */
static enum etc_status column_name(struct etc_str name, struct etc_error *err)
{
	bool ok = name.len && ((name.ptr[0] | 32) >= 'a' && (name.ptr[0] | 32) <= 'z');

	for (size_t i = 0; i < name.len && ok; i++) {
		char c = name.ptr[i];

		ok = ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
		     c == '.';
	}
	return ok ? ETC_OK
	          : etc_fail(err, E0527,
	                     "the name '" ETC_STR_FMT "'; expected letters, digits, '_' and '.'",
	                     ETC_STR_ARG(name));
}

static enum etc_status word_of(struct etc_str name, const struct etc_word *table, size_t count,
                               const char *family, const struct etc_word **out,
                               struct etc_error *err)
{
	*out = etc_word_find(table, count, name);
	return *out ? ETC_OK : etc_word_unknown(E0512, family, name, table, count, err);
}

/* Parses the part of a key after the dot, such as "cost" in "column.cost", and stores it in
 * out->word. For a fixed word such as a unit, also stores its number in out->value. E0512: unknown
 * word. E0527: invalid name of a column. */
static enum etc_status take_word(struct etc_str word, struct etc_arena *arena, struct etc_rule *out,
                                 struct etc_error *err)
{
	const struct etc_word *known = NULL;

	out->word = word;
	switch (out->kind) {
	case ETC_RULE_COLUMN:
		return column_name(word, err);
	case ETC_RULE_CATEGORY: {
		char *copy = etc_arena_alloc(arena, word.len + 1, 1, 1);

		ETC_NEED(copy, err);
		for (size_t i = 0; i < word.len; i++)
			copy[i] = word.ptr[i] == '_' ? ' ' : word.ptr[i];
		out->word = (struct etc_str){ copy, word.len };
		return word_of(out->word, categories, COUNT(categories), "category", &known, err);
	}
	case ETC_RULE_UNIT:
		ETC_TRY(word_of(word, units, COUNT(units), "unit", &known, err));
		break;
	case ETC_RULE_KIND:
		ETC_TRY(word_of(word, kinds, COUNT(kinds), "kind", &known, err));
		break;
	case ETC_RULE_LEVEL:
		ETC_TRY(word_of(word, levels, COUNT(levels), "level", &known, err));
		break;
	default:
		return ETC_OK;
	}
	out->value = known->value;
	return ETC_OK;
}

enum etc_status etc_conf_rule(const struct etc_conf_key *key, const struct etc_setting *s,
                              struct etc_arena *arena, struct etc_rule *out, struct etc_error *err)
{
	size_t family = strlen(key->key) - 1; /* "column.*" without the '*' */

	*out = (struct etc_rule){
		.kind = (uint8_t)key->at, .origin = s->origin, .key = s->key, .order = s->order
	};
	if (key->key[family] == '*')
		ETC_TRY(take_word(etc_str_sub(s->key, family, s->key.len), arena, out, err));
	if (key->type == ETC_CONF_COLUMN)
		return column(s->value, arena, out, err);
	return key->type == ETC_CONF_PATTERN ? pattern(s->value, arena, out, err)
	                                     : only_source(s->value, arena, out, err);
}
