/* rolls.c -- an owner with a column of each type and roll-up, for tests/analyze/columns.py. Each of
 * the options `values1` to `values4` is a list "ID VALUE;ID VALUE". All columns of the event with
 * that id get the value: an integer, a double, or null. Events without an id in the lists have no
 * values. */
#include "etcore/plugin.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define COLUMN(id, type, name, rollup) \
	static const struct etcore_column id = ETCORE_COLUMN(type, name, "count", "of the test", rollup);
#define BOTH(word, rollup) \
	COLUMN(i_##word, ETCORE_TYPE_I64, "i_" #word, rollup) COLUMN(f_##word, ETCORE_TYPE_F64, "f_" #word, rollup)
BOTH(none, ETCORE_ROLLUP_NONE)
BOTH(first, ETCORE_ROLLUP_FIRST)
BOTH(sum, ETCORE_ROLLUP_SUM)
BOTH(set, ETCORE_ROLLUP_SET)
BOTH(mean, ETCORE_ROLLUP_MEAN)
BOTH(min, ETCORE_ROLLUP_MIN)
BOTH(max, ETCORE_ROLLUP_MAX)
BOTH(time_mean, ETCORE_ROLLUP_TIME_MEAN)
COLUMN(s_set, ETCORE_TYPE_STR, "s_set", ETCORE_ROLLUP_SET)
COLUMN(b_set, ETCORE_TYPE_BOOL, "b_set", ETCORE_ROLLUP_SET)
COLUMN(j_set, ETCORE_TYPE_JSON, "j_set", ETCORE_ROLLUP_SET)
COLUMN(never, ETCORE_TYPE_F64, "never", ETCORE_ROLLUP_SUM)
COLUMN(family, ETCORE_TYPE_I64, "family.*", ETCORE_ROLLUP_MAX)
static const struct etcore_column *const columns[] = {
	&i_none, &f_none, &i_first, &f_first, &i_sum, &f_sum, &i_set, &f_set, &i_mean, &f_mean,
	&i_min, &f_min, &i_max, &f_max, &i_time_mean, &f_time_mean, &s_set, &b_set, &j_set, &never,
	&family, NULL,
};
/* clang-format on */

/* The list is divided into four options, because a line of an INI file has at most 198 bytes. */
#define OPTION(id)                             \
	static const struct etcore_option id = \
		ETCORE_OPTION(ETCORE_TYPE_STR, #id, "", "ID VALUE;...");
OPTION(values1)
OPTION(values2)
OPTION(values3)
OPTION(values4)
static const struct etcore_option *const options[] = { &values1, &values2, &values3, &values4,
	                                               NULL };

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	size_t n = 2, at = 0;
	char *text;

	(void)host;
	for (uint32_t i = 0; i < count; i++)
		n += settings[i]->value.len + 1;
	text = calloc(1, n);
	if (!text)
		return ETCORE_NOMEM;
	for (uint32_t i = 0; i < count; i++) {
		text[at++] = ';';
		if (settings[i]->value.len)
			memcpy(text + at, settings[i]->value.ptr, settings[i]->value.len);
		at += settings[i]->value.len;
	}
	*self = text;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

/* Returns the start of the value for the event `id` in the joined lists; NULL if they have none. */
static const char *value_of(const char *text, struct etcore_text id)
{
	for (const char *at = strchr(text, ';'); at; at = strchr(at + 1, ';'))
		if (strncmp(at + 1, id.ptr, (size_t)id.len) == 0 && at[1 + id.len] == ' ')
			return at + 2 + id.len;
	return NULL;
}

static etcore_result put(const struct etcore_sink *out, const struct etcore_column *c,
                         const char *value, size_t n)
{
	struct etcore_text name = { c->name, strlen(c->name) }, text = { value, n };
	int whole = strcspn(value, ".eEna;") >= n;

	if (c == &never)
		return ETCORE_OK;
	if (c == &family)
		name = (struct etcore_text){ "family.one", 10 };
	if (n == 4 && strncmp(value, "null", 4) == 0)
		return out->null(out->handle, name);
	switch (c->type) {
	case ETCORE_TYPE_I64:
		return whole ? out->i64(out->handle, name, strtoll(value, NULL, 10)) : ETCORE_OK;
	case ETCORE_TYPE_F64:
		/* integers are allowed in a column of doubles */
		if (whole && n < 10)
			return out->i64(out->handle, name, strtoll(value, NULL, 10));
		return out->f64(out->handle, name, strtod(value, NULL));
	case ETCORE_TYPE_BOOL:
		return out->boolean(out->handle, name, value[0] != '-');
	case ETCORE_TYPE_JSON:
		return whole ? out->json(out->handle, name, text) : ETCORE_OK;
	default:
		return out->str(out->handle, name, text);
	}
}

static etcore_result parse(void *self, const struct etcore_call *call, uint32_t index,
                           const struct etcore_sink *out)
{
	const char *value = value_of(self, call->events[index]->delegate_name);
	etcore_result r = ETCORE_OK;

	if (!value)
		return ETCORE_DECLINE;
	for (uint32_t i = 0; columns[i] && r == ETCORE_OK; i++)
		r = put(out, columns[i], value, strcspn(value, ";"));
	return r;
}

static const char *const backends[] = { "CoreMLBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "rolls",
	.version = "1.0",
	.vendor = "tests",
	.description = "has a column of each type and roll-up",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = open_instance,
	.close = close_instance,
	.parse_metadata = parse,
};
