/* config_keys.c -- the keys of a pipeline's configuration, and the functions that parse their
 * values. */
#include <stddef.h>

#include "base/cpus.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/percent.h"
#include "commands/pipeline/config_internal.h"

enum type {
	TEXT,
	COUNT,   /* whole number, at least `least` */
	NUMBER,  /* number, at least 0 */
	LEVEL,   /* level of significance */
	PERCENT, /* percentage, at least 0 */
	SWITCH,
	CHOICE,
	COUNTS, /* list of whole numbers, at least 1 */
	/* list; if it is given as one text, the text is split into words as by a shell, but nothing
	 * is expanded */
	WORDS,
	FILES, /* list; if it is given as one text, the text is split at commas */
	PAIRS, /* list of NAME=VALUE; if it is given as one text, the text is split as for WORDS */
	CPUS,
	SHA256,   /* 64 hexadecimal digits */
	SIDE,     /* one experiment of a pair that is compared */
	ELSEWHERE /* an object or section, which the readers handle themselves */
};

struct key {
	uint8_t scope, type;
	const char *name, *choices;
	size_t at;
	uint32_t least;
};

#define EXPERIMENT(type, name, member, ...)                        \
	{                                                          \
		ETC_SCOPE_EXPERIMENT, type, name, __VA_ARGS__,     \
			offsetof(struct etc_experiment, member), 0 \
	}
#define OTHER(scope, type, name, member)                                                 \
	{                                                                                \
		scope, type, name, NULL, offsetof(struct etc_pipeline_config, member), 0 \
	}

#define MODES  "timing|xnntrace"
#define ROLES  "none|baseline|candidate|other"
#define ORDERS "sequential|interleave|abba"

/* clang-format off */
static const struct key keys[] = {
	OTHER(ETC_SCOPE_PIPELINE, TEXT, "model", model),
	OTHER(ETC_SCOPE_PIPELINE, TEXT, "output_root", output_root),
	{ ETC_SCOPE_PIPELINE, ELSEWHERE, "experiments", NULL, 0, 0 },
	{ ETC_SCOPE_PIPELINE, ELSEWHERE, "analysis", NULL, 0, 0 },
	{ ETC_SCOPE_PIPELINE, ELSEWHERE, "schedule", NULL, 0, 0 },
	{ ETC_SCOPE_PIPELINE, ELSEWHERE, "gates", NULL, 0, 0 },
	{ ETC_SCOPE_PIPELINE, ELSEWHERE, "device", NULL, 0, 0 },
	{ ETC_SCOPE_ANALYSIS, ELSEWHERE, "compare_pairs", NULL, 0, 0 },
	EXPERIMENT(TEXT, "name", name, NULL),
	EXPERIMENT(TEXT, "runner_path", runner_path, NULL),
	EXPERIMENT(TEXT, "quiet_runner", quiet_runner, NULL),
	EXPERIMENT(CHOICE, "mode", mode, MODES),
	EXPERIMENT(CHOICE, "role", role, ROLES),
	{ ETC_SCOPE_EXPERIMENT, COUNT, "runs", NULL, offsetof(struct etc_experiment, runs), 1 },
	EXPERIMENT(COUNT, "warmup", warmup, NULL),
	EXPERIMENT(COUNTS, "threads", threads, NULL),
	EXPERIMENT(WORDS, "extra_args", extra_args, NULL),
	EXPERIMENT(PAIRS, "env", env, NULL),
	EXPERIMENT(FILES, "inputs", inputs, NULL),
	EXPERIMENT(TEXT, "method", method, NULL),
	EXPERIMENT(TEXT, "data_path", data_path, NULL),
	EXPERIMENT(TEXT, "print_output", print_output, NULL),
	EXPERIMENT(CPUS, "cpu_affinity", cpu_affinity, NULL),
	EXPERIMENT(TEXT, "target", target, NULL),
	EXPERIMENT(SHA256, "expect_sha256", expect_sha256, NULL),
	EXPERIMENT(NUMBER, "timeout_s", timeout_s, NULL),
	EXPERIMENT(SWITCH, "etdump", etdump, NULL),
	{ ETC_SCOPE_SCHEDULE, CHOICE, "order", ORDERS, offsetof(struct etc_pipeline_config, schedule.order), 0 },
	{ ETC_SCOPE_SCHEDULE, COUNT, "blocks", NULL, offsetof(struct etc_pipeline_config, schedule.blocks), 1 },
	OTHER(ETC_SCOPE_SCHEDULE, COUNT, "cooldown_ms", schedule.cooldown_ms),
	OTHER(ETC_SCOPE_SCHEDULE, NUMBER, "max_temp_c", schedule.max_temp_c),
	OTHER(ETC_SCOPE_GATES, PERCENT, "regression_pct", gates.regression_pct),
	OTHER(ETC_SCOPE_GATES, LEVEL, "alpha", gates.alpha),
	OTHER(ETC_SCOPE_GATES, PERCENT, "min_effect_pct", gates.min_effect_pct),
	OTHER(ETC_SCOPE_GATES, PERCENT, "cv_max_pct", gates.cv_max_pct),
	OTHER(ETC_SCOPE_DEVICE, TEXT, "target", device.target),
	OTHER(ETC_SCOPE_DEVICE, TEXT, "dir", device.dir),
	{ ETC_SCOPE_PAIR, TEXT, "label", NULL, offsetof(struct etc_compare_pair, label), 0 },
	{ ETC_SCOPE_PAIR, SIDE, "baseline", NULL, offsetof(struct etc_compare_pair, baseline), 0 },
	{ ETC_SCOPE_PAIR, SIDE, "candidate", NULL, offsetof(struct etc_compare_pair, candidate), 0 },
	{ ETC_SCOPE_SIDE, ELSEWHERE, "experiment", NULL, 0, 0 },
	{ ETC_SCOPE_SIDE, ELSEWHERE, "threads", NULL, 0, 0 },
};
/* clang-format on */

enum { KEYS = sizeof keys / sizeof keys[0] };

static const char *const scopes[ETC_SCOPES] = {
	[ETC_SCOPE_PIPELINE] = "the configuration",
	[ETC_SCOPE_EXPERIMENT] = "an experiment",
	[ETC_SCOPE_SCHEDULE] = "schedule",
	[ETC_SCOPE_GATES] = "gates",
	[ETC_SCOPE_DEVICE] = "device",
	[ETC_SCOPE_PAIR] = "a pair",
	[ETC_SCOPE_ANALYSIS] = "analysis",
	[ETC_SCOPE_SIDE] = "a side of a pair",
};

/* Wrong names that are often used for keys, and the right names. */
static const struct {
	const char *wrong, *right;
} usual[] = {
	{ "num_runs", "runs" },          { "num_threads", "threads" },
	{ "iterations", "runs" },        { "num_executions", "runs" },
	{ "cpu_threads", "threads" },    { "num_warmup", "warmup" },
	{ "runner", "runner_path" },     { "args", "extra_args" },
	{ "timeout", "timeout_s" },      { "model_path", "model" },
	{ "output_dir", "output_root" }, { "affinity", "cpu_affinity" },
	{ "environment", "env" },
};

static const struct key *find(uint8_t scope, struct etc_str name)
{
	for (size_t i = 0; i < KEYS; i++)
		if (keys[i].scope == scope && etc_str_eq(etc_str_of(keys[i].name), name))
			return &keys[i];
	return NULL;
}

bool etc_config_knows(uint8_t scope, struct etc_str key)
{
	return find(scope, key) != NULL;
}

void etc_config_unknown(struct etc_config_reading *r, uint8_t scope, struct etc_str key)
{
	struct etc_str names[KEYS], near = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < KEYS; i++)
		if (keys[i].scope == scope)
			names[n++] = etc_str_of(keys[i].name);
	for (size_t i = 0; i < sizeof usual / sizeof usual[0] && !near.len; i++)
		if (etc_str_eq(key, etc_str_of(usual[i].wrong)) &&
		    find(scope, etc_str_of(usual[i].right)))
			near = etc_str_of(usual[i].right);
	if (!near.len)
		near = etc_nearest(key, names, n);
	if (near.len)
		etc_note_each(r->notes, W1003,
		              "'" ETC_STR_FMT "' in %s; did you mean '" ETC_STR_FMT "'?",
		              ETC_STR_ARG(key), scopes[scope], ETC_STR_ARG(near));
	else
		etc_note_each(r->notes, W1003, "'" ETC_STR_FMT "' in %s", ETC_STR_ARG(key),
		              scopes[scope]);
}

static enum etc_status wrong(const struct key *k, const struct etc_config_value *v,
                             const char *expected, struct etc_error *err)
{
	if (v->text.len)
		return etc_fail(err, E1002, "%s '" ETC_STR_FMT "'; expected %s", k->name,
		                ETC_STR_ARG(v->text), expected);
	return etc_fail(err, E1002, "%s; expected %s", k->name, expected);
}

/* Parses a whole number that is at least `least` and less than 1e9. The value is a number, or a
 * text with a number, such as "5" or "1e2". */
static bool whole(const struct etc_config_value *v, uint32_t least, uint32_t *out)
{
	double d;

	if (v->kind > ETC_CONFIG_NUMBER || !etc_number_parse(etc_str_trim(v->text), &d) ||
	    !(d >= least && d < 1e9) || (double)(uint32_t)d != d)
		return false;
	*out = (uint32_t)d;
	return true;
}

/* Reads the next word of `text`, from *at on. Words are separated by blanks that are not in single
 * or double quotes. Sets `*open` if a quote has no end. Returns false at the end of the text. */
static bool next_word(struct etc_arena *arena, struct etc_str text, size_t *at, const char **out,
                      bool *open)
{
	char *to, quote = 0;
	size_t n = 0;

	while (*at < text.len && strchr(" \t\n\r", text.ptr[*at]))
		++*at;
	if (*at == text.len)
		return false;
	to = etc_arena_alloc(arena, 1, 1, text.len - *at + 1);
	for (; to && *at < text.len; ++*at) {
		char ch = text.ptr[*at];

		if (!quote && strchr(" \t\n\r", ch))
			break;
		if (ch == quote)
			quote = 0;
		else if (!quote && (ch == '"' || ch == '\''))
			quote = ch;
		else
			to[n++] = ch;
	}
	*out = to;
	*open = quote != 0;
	return true;
}

static enum etc_status append(struct etc_words *w, const char *word, uint32_t room,
                              struct etc_error *err)
{
	ETC_NEED(word, err);
	if (w->count == room)
		return etc_fail(err, E1002, "a list of more than %u", room);
	w->v[w->count++] = word;
	return ETC_OK;
}

/* Splits the text of a value into a list: at commas for a list of files or of counts, at blanks for
 * any other list. */
static enum etc_status part(struct etc_config_reading *r, const struct key *k,
                            const struct etc_config_value *v, struct etc_words *out,
                            struct etc_error *err)
{
	const struct etc_str text = v->text;
	const bool commas = k->type == FILES || k->type == COUNTS;
	uint32_t room = text.len / 2 + 1 < ETC_PIPELINE_LIST_MAX ? (uint32_t)(text.len / 2 + 1)
	                                                         : ETC_PIPELINE_LIST_MAX;
	const char *word;
	bool open;

	*out = (struct etc_words){ .v = etc_new(r->arena, const char *, room) };
	ETC_NEED(out->v, err);
	for (size_t at = 0; !commas && next_word(r->arena, text, &at, &word, &open);)
		ETC_TRY(open ? wrong(k, v, "an end of each quote", err)
		             : append(out, word, room, err));
	for (size_t at = 0; commas && text.len && at <= text.len;) {
		size_t end = etc_str_find(text, ETC_STR(","), at);

		word = etc_arena_cstr(r->arena, etc_str_trim(etc_str_sub(text, at, end)));
		ETC_TRY(append(out, word, room, err));
		at = end == SIZE_MAX ? SIZE_MAX : end + 1;
		if (end == SIZE_MAX)
			break;
	}
	return ETC_OK;
}

static const char counts[] = "whole numbers from 1";

static enum etc_status set_words(struct etc_config_reading *r, const struct key *k,
                                 const struct etc_config_value *v, struct etc_words *out,
                                 struct etc_error *err)
{
	const char *expected = k->type == COUNTS ? counts : "a list of texts";

	if (v->kind == ETC_CONFIG_WORD || v->kind == ETC_CONFIG_JSON_TEXT)
		return part(r, k, v, out, err);
	if (v->kind == ETC_CONFIG_NOTHING) {
		*out = (struct etc_words){ 0 };
		return ETC_OK;
	}
	if (v->kind != ETC_CONFIG_MANY)
		return wrong(k, v, expected, err);
	*out = (struct etc_words){ .v = etc_new(r->arena, const char *, v->count) };
	ETC_NEED(out->v, err);
	for (uint32_t i = 0; i < v->count; i++) {
		if (v->items[i].kind > ETC_CONFIG_NUMBER)
			return wrong(k, &v->items[i], expected, err);
		ETC_TRY(append(out, etc_arena_cstr(r->arena, v->items[i].text), v->count, err));
	}
	return ETC_OK;
}

static enum etc_status set_counts(struct etc_config_reading *r, const struct key *k,
                                  const struct etc_config_value *v, struct etc_numbers *out,
                                  struct etc_error *err)
{
	struct etc_words words = { 0 };
	struct etc_config_value one;
	uint32_t *numbers;

	if (v->kind == ETC_CONFIG_NUMBER)
		return set_counts(r, k,
		                  &(struct etc_config_value){
					  .kind = ETC_CONFIG_MANY, .items = v, .count = 1 },
		                  out, err);
	ETC_TRY(set_words(r, k, v, &words, err));
	if (!words.count)
		return wrong(k, v, counts, err);
	numbers = etc_new(r->arena, uint32_t, words.count);
	ETC_NEED(numbers, err);
	for (uint32_t i = 0; i < words.count; i++) {
		one = (struct etc_config_value){ .kind = ETC_CONFIG_NUMBER,
			                         .text = etc_str_of(words.v[i]) };
		if (!whole(&one, 1, &numbers[i]))
			return wrong(k, &one, counts, err);
	}
	*out = (struct etc_numbers){ numbers, words.count };
	return ETC_OK;
}

static enum etc_status set_env(const struct key *k, const struct etc_words *words,
                               struct etc_error *err)
{
	for (uint32_t i = 0; i < words->count; i++) {
		const char *eq = strchr(words->v[i], '=');

		if (!eq || eq == words->v[i])
			return etc_fail(err, E1002, "%s '%s'; expected NAME=VALUE", k->name,
			                words->v[i]);
	}
	return ETC_OK;
}

static enum etc_status set_choice(const struct key *k, const struct etc_config_value *v,
                                  uint8_t *out, struct etc_error *err)
{
	uint8_t i = 0;

	for (const char *c = k->choices; *c; i++) {
		size_t n = strcspn(c, "|");

		if (v->kind <= ETC_CONFIG_JSON_TEXT &&
		    etc_str_eq(v->text, (struct etc_str){ c, n })) {
			*out = i;
			return ETC_OK;
		}
		c += n + (c[n] == '|');
	}
	return wrong(k, v, k->choices, err);
}

static enum etc_status set_text(struct etc_config_reading *r, const struct key *k,
                                const struct etc_config_value *v, const char **out,
                                struct etc_error *err)
{
	bool number_too = strcmp(k->name, "name") == 0;

	if (v->kind == ETC_CONFIG_NOTHING || (v->kind <= ETC_CONFIG_JSON_TEXT && !v->text.len)) {
		*out = NULL;
		return ETC_OK;
	}
	if (v->kind > ETC_CONFIG_JSON_TEXT && !(number_too && v->kind == ETC_CONFIG_NUMBER))
		return wrong(k, v, "text", err);
	if (memchr(v->text.ptr, 0, v->text.len))
		return wrong(k, v, "text without NUL", err);
	*out = etc_arena_cstr(r->arena, v->text);
	return *out ? ETC_OK : etc_no_memory(err);
}

static enum etc_status set_switch(const struct key *k, const struct etc_config_value *v, bool *out,
                                  struct etc_error *err)
{
	static const char *const words[][2] = {
		{ "no", "yes" }, { "false", "true" }, { "off", "on" }, { "0", "1" }
	};

	if (v->kind == ETC_CONFIG_TRUE || v->kind == ETC_CONFIG_FALSE) {
		*out = v->kind == ETC_CONFIG_TRUE;
		return ETC_OK;
	}
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		for (int on = 0; on < 2; on++)
			if (v->kind <= ETC_CONFIG_NUMBER &&
			    etc_str_eq(v->text, etc_str_of(words[i][on]))) {
				*out = on;
				return ETC_OK;
			}
	return wrong(k, v, "yes or no", err);
}

static enum etc_status set_number(const struct key *k, const struct etc_config_value *v,
                                  double *out, struct etc_error *err)
{
	double d;

	if (v->kind > ETC_CONFIG_NUMBER || !etc_number_parse(etc_str_trim(v->text), &d) ||
	    !(d >= 0 && d < 1e9))
		return wrong(k, v, "a number from 0, below 1e9", err);
	*out = d;
	return ETC_OK;
}

/* Sets a level of significance, such as 0.05. */
static enum etc_status set_level(const struct key *k, const struct etc_config_value *v, double *out,
                                 struct etc_error *err)
{
	double d;

	if (v->kind > ETC_CONFIG_NUMBER || !etc_number_parse(etc_str_trim(v->text), &d) ||
	    !(d >= ETC_GATES_ALPHA_LEAST && d <= ETC_GATES_ALPHA_MOST))
		return wrong(k, v, "a probability from 0.0001 to 0.5, as 0.05", err);
	*out = d;
	return ETC_OK;
}

static enum etc_status set_percent(const struct key *k, const struct etc_config_value *v,
                                   double *out, struct etc_error *err)
{
	if (v->kind > ETC_CONFIG_NUMBER)
		return wrong(k, v, "a percentage", err);
	return etc_percent_parse(k->name, v->text, 0, ETC_GATES_PERCENT_MOST, E1002, out, err);
}

static enum etc_status set_cpus(struct etc_config_reading *r, const struct key *k,
                                const struct etc_config_value *v, const char **out,
                                struct etc_error *err)
{
	struct etc_cpus cpus;

	ETC_TRY(set_text(r, k, v, out, err));
	if (*out && !etc_cpus_parse(etc_str_of(*out), &cpus))
		return wrong(k, v, "a mask such as 0x80, or a list such as 0,4-7", err);
	return ETC_OK;
}

static enum etc_status set_sha256(struct etc_config_reading *r, const struct key *k,
                                  const struct etc_config_value *v, const char **out,
                                  struct etc_error *err)
{
	char *digits;

	ETC_TRY(set_text(r, k, v, out, err));
	if (!*out)
		return ETC_OK;
	if (strlen(*out) != 64 || strspn(*out, "0123456789abcdefABCDEF") != 64)
		return wrong(k, v, "64 hexadecimal digits, as sha256sum prints", err);
	*out = digits = etc_arena_alloc(r->arena, 1, 1, 65);
	ETC_NEED(digits, err);
	for (size_t i = 0; i < 64; i++)
		/* makes letters lower case; digits stay as they are */
		digits[i] = (char)(v->text.ptr[i] | 0x20);
	digits[64] = 0;
	return ETC_OK;
}

enum etc_status etc_config_side(struct etc_config_reading *r, struct etc_str text,
                                const char **experiment, uint32_t *threads, struct etc_error *err)
{
	struct etc_config_value v = { .kind = ETC_CONFIG_WORD };
	size_t at = text.len;

	while (at && text.ptr[at - 1] != '@')
		at--;
	*threads = 1;
	if (at) {
		v.text = etc_str_sub(text, at, text.len);
		text = etc_str_trim(etc_str_sub(text, 0, at - 1));
		if (!whole(&v, 1, threads))
			return etc_fail(err, E1002,
			                "threads '" ETC_STR_FMT "'; expected EXPERIMENT@THREADS",
			                ETC_STR_ARG(v.text));
	}
	*experiment = etc_arena_cstr(r->arena, text);
	return *experiment ? ETC_OK : etc_no_memory(err);
}

static enum etc_status set_side(struct etc_config_reading *r, const struct key *k,
                                const struct etc_config_value *v, void *pair, struct etc_error *err)
{
	struct etc_compare_pair *p = pair;
	bool base = strcmp(k->name, "baseline") == 0;

	if (v->kind != ETC_CONFIG_WORD || !v->text.len)
		return wrong(k, v, "EXPERIMENT@THREADS", err);
	return etc_config_side(r, v->text, base ? &p->baseline : &p->candidate,
	                       base ? &p->baseline_threads : &p->candidate_threads, err);
}

enum etc_status etc_config_set(struct etc_config_reading *r, uint8_t scope, void *target,
                               struct etc_str key, const struct etc_config_value *value,
                               struct etc_error *err)
{
	const struct key *k = find(scope, key);
	void *at = k ? (char *)target + k->at : NULL;

	if (!k) {
		etc_config_unknown(r, scope, key);
		return ETC_OK;
	}
	switch (k->type) {
	case TEXT:
		return set_text(r, k, value, at, err);
	case COUNT:
		return whole(value, k->least, at)
		               ? ETC_OK
		               : wrong(k, value,
		                       k->least ? "a whole number from 1 to 999999999"
		                                : "a whole number from 0 to 999999999",
		                       err);
	case NUMBER:
		return set_number(k, value, at, err);
	case LEVEL:
		return set_level(k, value, at, err);
	case PERCENT:
		return set_percent(k, value, at, err);
	case SWITCH:
		return set_switch(k, value, at, err);
	case CHOICE:
		return set_choice(k, value, at, err);
	case COUNTS:
		return set_counts(r, k, value, at, err);
	case PAIRS:
		ETC_TRY(set_words(r, k, value, at, err));
		return set_env(k, at, err);
	case WORDS:
	case FILES:
		return set_words(r, k, value, at, err);
	case CPUS:
		return set_cpus(r, k, value, at, err);
	case SHA256:
		return set_sha256(r, k, value, at, err);
	case SIDE:
		return set_side(r, k, value, target, err);
	default:
		return wrong(k, value, "a section of its own", err);
	}
}
