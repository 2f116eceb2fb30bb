/* options.c -- see options.h */
#include "context/options.h"

#include <inttypes.h>
#include <math.h>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/number.h"
#include "table/select.h"

enum { NAMES_MAX = 64 };

static bool same_name(const char *a, const char *b)
{
	while (*a && etc_dash(*a) == etc_dash(*b))
		a++, b++;
	return *a == '\0' && *b == '\0';
}

const struct etc_opt *etc_opt_find(const struct etc_opt *options, unsigned count, const char *name,
                                   struct etc_error *err)
{
	struct etc_str names[NAMES_MAX], near;
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		if (same_name(options[i].name, name))
			return &options[i];
		if (n < NAMES_MAX)
			names[n++] = etc_str_of(options[i].name);
	}
	near = etc_nearest(etc_str_of(name), names, n);
	if (near.len)
		(void)etc_fail(err, E0502, "--%s; did you mean --" ETC_STR_FMT "?", name,
		               ETC_STR_ARG(near));
	else
		(void)etc_fail(err, E0502, "--%s", name);
	return NULL;
}

static bool chosen(const char *choices, const char *value)
{
	size_t n = strlen(value);

	for (const char *c = choices;; c++) {
		size_t word = strcspn(c, "|");

		if (word == n && memcmp(c, value, n) == 0)
			return true;
		c += word;
		if (*c == '\0')
			return false;
	}
}

enum etc_status etc_opt_append(struct etc_opt_list *list, const char *value,
                               struct etc_arena *arena, struct etc_error *err)
{
	char *copy = etc_arena_cstr(arena, etc_str_of(value));
	uint32_t n = list->count;
	const char **more = list->v;

	/* The array has room for the next power of two, so it is full when its length is 0 or a
	 * power of two. */
	if ((n & (n - 1)) == 0) {
		more = etc_new(arena, const char *, n ? (size_t)n * 2 : 1);
		if (more && n)
			memcpy(more, list->v, n * sizeof *more);
	}
	ETC_NEED(more && copy, err);
	list->v = more;
	list->v[list->count++] = copy;
	return ETC_OK;
}

/* Checks the value of option `o`, and stores it at `at`, in the command's struct of options. */
static enum etc_status keep(const struct etc_opt *o, const char *value, char *at,
                            struct etc_arena *arena, struct etc_error *err)
{
	if (!value[0] && !(o->kind & ETC_OPT_EMPTY) && etc_opt_kind(o) != ETC_OPT_OPTIONAL)
		return etc_fail(err, E0505, "--%s ''; expected %s", o->name, o->argument);
	if (etc_opt_kind(o) == ETC_OPT_CHOICE && !chosen(o->choices, value))
		return etc_fail(err, E0505, "--%s '%s'; expected one of %s", o->name, value,
		                o->choices);
	if (etc_opt_kind(o) == ETC_OPT_LIST)
		return etc_opt_append((struct etc_opt_list *)at, value, arena, err);
	value = etc_arena_cstr(arena, etc_str_of(value));
	*(const char **)at = value;
	return value ? ETC_OK : etc_no_memory(err);
}

enum etc_status etc_opt_set(const struct etc_opt *options, unsigned count, const char *name,
                            const char *value, void *args, struct etc_arena *arena,
                            struct etc_error *err)
{
	const struct etc_opt *o = etc_opt_find(options, count, name, err);
	unsigned kind = o ? etc_opt_kind(o) : 0;
	char *at = o ? (char *)args + o->target : NULL;

	if (!o)
		return ETC_USAGE;
	if (kind == ETC_OPT_FLAG || kind == ETC_OPT_COUNT) {
		if (value)
			return etc_fail(err, E0505, "--%s takes no argument", o->name);
		if (kind == ETC_OPT_FLAG)
			*(bool *)at = true;
		else if (*(uint8_t *)at < UINT8_MAX)
			++*(uint8_t *)at;
		return ETC_OK;
	}
	if (!value && kind == ETC_OPT_OPTIONAL)
		value = "";
	if (!value)
		return etc_fail(err, E0503, "--%s %s", o->name, o->argument);
	return keep(o, value, at, arena, err);
}

bool etc_opt_given(const struct etc_opt *o, const void *args)
{
	const char *at = (const char *)args + o->target;

	switch (etc_opt_kind(o)) {
	case ETC_OPT_FLAG:
	case ETC_OPT_COUNT:
		return *at != 0;
	case ETC_OPT_LIST:
		return ((const struct etc_opt_list *)(const void *)at)->count > 0;
	default:
		return *(const char *const *)(const void *)at != NULL;
	}
}

enum etc_status etc_opt_count(const char *name, const char *text, uint64_t most, uint64_t *out,
                              struct etc_error *err)
{
	uint64_t v;

	if (!text)
		return ETC_OK;
	if (!etc_number_parse_u64(etc_str_of(text), &v))
		return etc_fail(err, E0505, "--%s '%s'; expected a whole number from 0", name,
		                text);
	if (v > most)
		return etc_fail(err, E0505, "--%s '%s'; expected at most %" PRIu64, name, text,
		                most);
	*out = v;
	return ETC_OK;
}

bool etc_opt_number(const char *text, double *v, struct etc_str *rest)
{
	const struct etc_str all = etc_str_trim(etc_str_of(text));
	size_t n = 0;

	while (n < all.len && (etc_is_digit(all.ptr[n]) || all.ptr[n] == '.'))
		n++;
	*rest = etc_str_trim(etc_str_sub(all, n, all.len));
	return n && etc_number_parse(etc_str_sub(all, 0, n), v) && isfinite(*v);
}

bool etc_opt_time(const char *text, double *ns)
{
	struct etc_quantity time;

	if (!etc_quantity_parse(etc_str_of(text), &time) || time.share ||
	    !(time.number >= 0 && time.number <= 1e18))
		return false;
	*ns = time.number;
	return true;
}

enum etc_status etc_opt_fit(const struct etc_opt *options, unsigned count, const void *args,
                            const struct etc_opt_forms *of, const char *word, struct etc_error *err)
{
	unsigned form = 0;

	while (form < of->count && strcmp(of->v[form].word, word) != 0)
		form++;
	for (unsigned i = 0; i < count && form < of->count; i++) {
		const struct etc_opt *o = &options[i];

		if (!etc_opt_given(o, args) || etc_opt_listed(of->v[form].takes, o->name))
			continue;
		for (unsigned k = 0; k < of->count; k++)
			if (etc_opt_listed(of->v[k].takes, o->name))
				return etc_fail(err, E0501, "--%s belongs to %s %s", o->name,
				                of->command, of->v[k].word);
	}
	return ETC_OK;
}

bool etc_opt_listed(const char *names, const char *name)
{
	size_t n = strlen(name);

	for (const char *w = names; (w = strstr(w, name)); w += n)
		if ((w == names || w[-1] == ' ') && w[n] == ' ')
			return true;
	return false;
}
