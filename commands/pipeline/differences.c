/* differences.c -- compares two JSON documents; see recompute.h. */
#include <math.h>

#include "commands/pipeline/recompute.h"

struct pair {
	struct etc_str file;
	const char *says;
	struct etc_findings *out;
};

static void look(const struct pair *p, struct etc_str path, const struct etc_tree *want,
                 const struct etc_tree *have);

static bool is_number(const struct etc_tree *t)
{
	return t->type == ETC_JSON_INT || t->type == ETC_JSON_FLOAT;
}

/* Returns a value as it is shown in messages: "5", "'ok'", "a list". */
static struct etc_str show(const struct pair *p, const struct etc_tree *t)
{
	if (!t)
		return ETC_STR("not there");
	if (is_number(t))
		return etc_str_sub(t->text, 0, 40);
	if (t->type == ETC_JSON_STRING)
		return etc_arena_printf(p->out->arena, "'" ETC_STR_FMT "'%s",
		                        ETC_STR_ARG(etc_str_sub(t->text, 0, 80)),
		                        t->text.len > 80 ? "…" : "");
	return etc_str_of(etc_tree_kind(t));
}

static void differs(const struct pair *p, struct etc_str path, const struct etc_tree *want,
                    const struct etc_tree *have)
{
	struct etc_str a = show(p, want), b = show(p, have);

	etc_finding(p->out, E1059, p->file, ETC_STR_FMT " is " ETC_STR_FMT "; %s " ETC_STR_FMT,
	            ETC_STR_ARG(path), ETC_STR_ARG(b), p->says, ETC_STR_ARG(a));
}

/* Do the numbers differ by at most 1e-13 of the larger one? A larger limit than 0 is needed because
 * the last bits may differ between machines. */
static bool same_number(const struct etc_tree *a, const struct etc_tree *b)
{
	double x, y;

	if (etc_str_eq(a->text, b->text))
		return true;
	return etc_tree_number(a, &x) && etc_tree_number(b, &y) && isfinite(x) && isfinite(y) &&
	       fabs(x - y) <= 1e-13 * fmax(fabs(x), fabs(y));
}

/* ---- lists ---------------------------------------------------------------------------- */

/* Returns a member that helps to identify an entry of a list of results: experiment, threads or
 * block. The member is in the entry itself, or in the member "metrics" of the entry. */
static const struct etc_tree *part_of(const struct etc_tree *entry, const char *key)
{
	const struct etc_tree *t = etc_tree_get(entry, key);

	return t ? t : etc_tree_get(etc_tree_get(entry, "metrics"), key);
}

static bool same_part(const struct etc_tree *a, const struct etc_tree *b, const char *key)
{
	const struct etc_tree *x = part_of(a, key), *y = part_of(b, key);

	if (!x || !y)
		return x == y;
	return x->type == y->type && etc_str_eq(x->text, y->text);
}

static bool is_entry(const struct etc_tree *t)
{
	return t->type == ETC_JSON_OBJECT &&
	       (etc_tree_get(t, "experiment") || etc_tree_get(t, "block"));
}

static bool same_entry(const struct etc_tree *a, const struct etc_tree *b)
{
	return same_part(a, b, "experiment") && same_part(a, b, "threads") &&
	       same_part(a, b, "block");
}

static struct etc_str path_of(const struct pair *p, struct etc_str path, const struct etc_tree *t)
{
	struct etc_str name = etc_tree_text(part_of(t, "experiment"));
	const struct etc_tree *threads = part_of(t, "threads"), *block = etc_tree_get(t, "block");
	struct etc_text s = { 0 };

	etc_text_put(&s, path);
	etc_text_char(&s, '[');
	etc_text_put(&s, name);
	if (threads && threads->type == ETC_JSON_INT)
		etc_text_printf(&s, ", threads " ETC_STR_FMT, ETC_STR_ARG(threads->text));
	if (block && block->type == ETC_JSON_INT)
		etc_text_printf(&s, "%sblock " ETC_STR_FMT, name.len ? ", " : "",
		                ETC_STR_ARG(block->text));
	etc_text_char(&s, ']');
	return etc_text_keep(&s, p->out->arena);
}

static void look_at_entries(const struct pair *p, struct etc_str path, const struct etc_tree *want,
                            const struct etc_tree *have)
{
	for (const struct etc_tree *w = want->first; w; w = w->next) {
		const struct etc_tree *found = NULL;

		for (const struct etc_tree *h = have->first; h && !found; h = h->next)
			found = same_entry(w, h) ? h : NULL;
		if (found)
			look(p, path_of(p, path, w), w, found);
		else
			etc_finding(p->out, E1059, p->file, ETC_STR_FMT " is missing",
			            ETC_STR_ARG(path_of(p, path, w)));
	}
	if (have->count > want->count)
		etc_finding(p->out, E1059, p->file,
		            ETC_STR_FMT " has %u entries; %s that there are %u", ETC_STR_ARG(path),
		            have->count, p->says, want->count);
}

static void look_at_list(const struct pair *p, struct etc_str path, const struct etc_tree *want,
                         const struct etc_tree *have)
{
	const struct etc_tree *h = have->first;
	uint32_t i = 0;

	if (want->count != have->count) {
		etc_finding(p->out, E1059, p->file,
		            ETC_STR_FMT " has %u values; %s that there are %u", ETC_STR_ARG(path),
		            have->count, p->says, want->count);
		return;
	}
	for (const struct etc_tree *w = want->first; w && h; w = w->next, h = h->next)
		look(p, etc_arena_printf(p->out->arena, ETC_STR_FMT "[%u]", ETC_STR_ARG(path), i++),
		     w, h);
}

/* Is `key` a member that folders of older versions of etcore do not have? */
static bool is_new(struct etc_str key)
{
	return etc_str_eq(key, ETC_STR("order")) || etc_str_eq(key, ETC_STR("log_sha256"));
}

static void look_at_members(const struct pair *p, struct etc_str path, const struct etc_tree *want,
                            const struct etc_tree *have)
{
	for (const struct etc_tree *w = want->first; w; w = w->next) {
		const struct etc_tree *h = NULL;
		struct etc_str below;

		for (const struct etc_tree *t = have->first; t; t = t->next)
			h = etc_str_eq(t->key, w->key) ? t : h;
		if (!h && is_new(w->key))
			continue;
		below = etc_arena_printf(p->out->arena, ETC_STR_FMT "%s" ETC_STR_FMT,
		                         ETC_STR_ARG(path), path.len ? "." : "",
		                         ETC_STR_ARG(w->key));
		if (h)
			look(p, below, w, h);
		else
			differs(p, below, w, NULL);
	}
}

static void look(const struct pair *p, struct etc_str path, const struct etc_tree *want,
                 const struct etc_tree *have)
{
	if (is_number(want) && is_number(have)) {
		if (!same_number(want, have))
			differs(p, path, want, have);
	} else if (want->type != have->type ||
	           (want->type == ETC_JSON_STRING && !etc_str_eq(want->text, have->text))) {
		differs(p, path, want, have);
	} else if (want->type == ETC_JSON_OBJECT) {
		look_at_members(p, path, want, have);
	} else if (want->type == ETC_JSON_ARRAY) {
		if (want->first ? is_entry(want->first) : have->first && is_entry(have->first))
			look_at_entries(p, path, want, have);
		else
			look_at_list(p, path, want, have);
	}
}

void etc_tree_differences(const struct etc_tree *want, const struct etc_tree *have,
                          struct etc_str file, const char *name, const char *says,
                          struct etc_findings *out)
{
	const struct pair p = { file, says, out };

	if (!want)
		return;
	if (have)
		look(&p, etc_str_of(name), want, have);
	else
		differs(&p, etc_str_of(name), want, have);
}
