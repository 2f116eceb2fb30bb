/* config_json.c -- reads a configuration in JSON, the form that Arm's profiling kit uses. */
#include "commands/pipeline/config_internal.h"
#include "commands/pipeline/tree.h"

struct walk {
	struct etc_config_reading *r;
	struct etc_error *err;
};

/* If the error has no line number, adds the line of `t`. Returns `st`. */
static enum etc_status in_line(const struct walk *w, const struct etc_tree *t, enum etc_status st)
{
	if (st != ETC_OK && w->err && !w->err->line)
		w->err->line = t->line;
	return st;
}

static bool is_container(const struct etc_tree *t)
{
	return t->type == ETC_JSON_OBJECT || t->type == ETC_JSON_ARRAY;
}

static struct etc_config_value scalar(const struct etc_tree *t)
{
	static const uint8_t kinds[] = {
		[ETC_JSON_BAD] = ETC_CONFIG_STRANGE,   [ETC_JSON_OBJECT] = ETC_CONFIG_STRANGE,
		[ETC_JSON_ARRAY] = ETC_CONFIG_STRANGE, [ETC_JSON_STRING] = ETC_CONFIG_JSON_TEXT,
		[ETC_JSON_INT] = ETC_CONFIG_NUMBER,    [ETC_JSON_FLOAT] = ETC_CONFIG_NUMBER,
		[ETC_JSON_TRUE] = ETC_CONFIG_TRUE,     [ETC_JSON_FALSE] = ETC_CONFIG_FALSE,
		[ETC_JSON_NULL] = ETC_CONFIG_NOTHING,
	};

	return (struct etc_config_value){ .kind = kinds[t->type], .text = t->text };
}

/* Reads a list of scalars. If `list` is an object, reads its members as a list of "NAME=VALUE". */
static enum etc_status many(const struct walk *w, const struct etc_tree *list,
                            struct etc_config_value *out)
{
	struct etc_config_value *items = etc_new(w->r->arena, struct etc_config_value, list->count);

	*out = (struct etc_config_value){ .kind = ETC_CONFIG_MANY, .items = items };
	ETC_NEED(items, w->err);
	if (list->count > ETC_PIPELINE_LIST_MAX)
		return etc_fail(w->err, E1002, "a list of more than %d", ETC_PIPELINE_LIST_MAX);
	for (const struct etc_tree *t = list->first; t; t = t->next) {
		struct etc_config_value *one = &items[out->count++];

		*one = scalar(t);
		if (list->type != ETC_JSON_OBJECT || is_container(t))
			continue;
		one->text = etc_arena_printf(w->r->arena, ETC_STR_FMT "=" ETC_STR_FMT,
		                             ETC_STR_ARG(t->key), ETC_STR_ARG(t->text));
		one->kind = ETC_CONFIG_JSON_TEXT;
	}
	return ETC_OK;
}

static enum etc_status set(const struct walk *w, uint8_t scope, void *target,
                           const struct etc_tree *t)
{
	struct etc_config_value value = scalar(t);

	if (is_container(t) && etc_config_knows(scope, t->key))
		ETC_TRY(many(w, t, &value));
	return in_line(w, t, etc_config_set(w->r, scope, target, t->key, &value, w->err));
}

/* Sets one key of the configuration for each member of a JSON object. */
static enum etc_status object(const struct walk *w, uint8_t scope, void *target,
                              const struct etc_tree *t, const char *name)
{
	if (t->type != ETC_JSON_OBJECT)
		return in_line(w, t, etc_fail(w->err, E1002, "%s; expected an object", name));
	for (const struct etc_tree *m = t->first; m; m = m->next)
		ETC_TRY(set(w, scope, target, m));
	return ETC_OK;
}

/* Reads one side of a pair: {"experiment": "off", "threads": 1}, or a text with both. */
static enum etc_status side(const struct walk *w, const struct etc_tree *t, const char *which,
                            const char **experiment, uint32_t *threads)
{
	const struct etc_tree *name = etc_tree_get(t, "experiment");
	const struct etc_tree *count = etc_tree_get(t, "threads");
	struct etc_experiment e;

	if (t->type == ETC_JSON_STRING)
		return in_line(w, t, etc_config_side(w->r, t->text, experiment, threads, w->err));
	if (t->type != ETC_JSON_OBJECT)
		return in_line(w, t,
		               etc_fail(w->err, E1002, "%s of a pair; expected an object", which));
	for (const struct etc_tree *m = t->first; m; m = m->next)
		if (!etc_config_knows(ETC_SCOPE_SIDE, m->key))
			etc_config_unknown(w->r, ETC_SCOPE_SIDE, m->key);
	if (!etc_tree_text(name).len || !count)
		return in_line(w, t,
		               etc_fail(w->err, E1002, "%s of a pair lacks its %s", which,
		                        etc_tree_text(name).len ? "threads" : "experiment"));
	etc_experiment_defaults(&e);
	ETC_TRY(set(w, ETC_SCOPE_EXPERIMENT, &e, count));
	if (e.threads.count != 1)
		return in_line(w, count,
		               etc_fail(w->err, E1002, "%s of a pair has %u numbers of threads",
		                        which, e.threads.count));
	*threads = e.threads.v[0];
	*experiment = etc_arena_cstr(w->r->arena, name->text);
	return *experiment ? ETC_OK : etc_no_memory(w->err);
}

static enum etc_status pair(const struct walk *w, const struct etc_tree *t)
{
	struct etc_compare_pair *p = etc_config_new_pair(w->r, w->err);

	if (!p)
		return (enum etc_status)etc_code_info(w->err->code)->status;
	if (t->type != ETC_JSON_OBJECT)
		return in_line(w, t, etc_fail(w->err, E1002, "compare_pairs; expected objects"));
	for (const struct etc_tree *m = t->first; m; m = m->next)
		if (etc_str_eq(m->key, ETC_STR("baseline")))
			ETC_TRY(side(w, m, "baseline", &p->baseline, &p->baseline_threads));
		else if (etc_str_eq(m->key, ETC_STR("candidate")))
			ETC_TRY(side(w, m, "candidate", &p->candidate, &p->candidate_threads));
		else
			ETC_TRY(set(w, ETC_SCOPE_PAIR, p, m));
	return ETC_OK;
}

static enum etc_status experiment(const struct walk *w, const struct etc_tree *t)
{
	struct etc_experiment *e = etc_config_new_experiment(w->r, w->err);

	if (!e)
		return (enum etc_status)etc_code_info(w->err->code)->status;
	return object(w, ETC_SCOPE_EXPERIMENT, e, t, "experiments");
}

static enum etc_status each(const struct walk *w, const struct etc_tree *list, const char *name,
                            enum etc_status (*one)(const struct walk *, const struct etc_tree *))
{
	if (list->type != ETC_JSON_ARRAY)
		return in_line(w, list, etc_fail(w->err, E1002, "%s; expected a list", name));
	for (const struct etc_tree *t = list->first; t; t = t->next)
		ETC_TRY(one(w, t));
	return ETC_OK;
}

static enum etc_status analysis(const struct walk *w, const struct etc_tree *t)
{
	if (t->type != ETC_JSON_OBJECT)
		return in_line(w, t, etc_fail(w->err, E1002, "analysis; expected an object"));
	for (const struct etc_tree *m = t->first; m; m = m->next)
		if (etc_str_eq(m->key, ETC_STR("compare_pairs")))
			ETC_TRY(each(w, m, "compare_pairs", pair));
		else
			etc_config_unknown(w->r, ETC_SCOPE_ANALYSIS, m->key);
	return ETC_OK;
}

static enum etc_status member_of_root(const struct walk *w, const struct etc_tree *t)
{
	static const struct {
		const char *name;
		uint8_t scope;
	} sections[] = {
		{ "schedule", ETC_SCOPE_SCHEDULE },
		{ "gates", ETC_SCOPE_GATES },
		{ "device", ETC_SCOPE_DEVICE },
	};

	if (etc_str_eq(t->key, ETC_STR("experiments")))
		return each(w, t, "experiments", experiment);
	if (etc_str_eq(t->key, ETC_STR("analysis")))
		return analysis(w, t);
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
		if (etc_str_eq(t->key, etc_str_of(sections[i].name)))
			return object(w, sections[i].scope, w->r->out, t, sections[i].name);
	return set(w, ETC_SCOPE_PIPELINE, w->r->out, t);
}

static enum etc_status root(const struct walk *w, const struct etc_tree *t)
{
	const struct etc_tree *twice;

	ETC_TRY(etc_tree_repeated(t, &twice, w->err));
	if (twice)
		return in_line(w, twice,
		               etc_fail(w->err, E0514, "the key '" ETC_STR_FMT "' of an object",
		                        ETC_STR_ARG(twice->key)));
	if (t->type != ETC_JSON_OBJECT)
		return etc_fail(w->err, E1001, "expected a JSON object");
	for (const struct etc_tree *m = t->first; m; m = m->next)
		ETC_TRY(member_of_root(w, m));
	return ETC_OK;
}

enum etc_status etc_config_read_json(struct etc_config_reading *r, struct etc_str text,
                                     struct etc_error *err)
{
	const struct walk w = { .r = r, .err = err };
	struct etc_error why = { .at = -1 };
	const struct etc_tree *t;
	enum etc_status st = etc_tree_read(etc_span_of(text), r->arena, &t, &why);

	if (st == ETC_NOMEM)
		return etc_no_memory(err);
	if (st != ETC_OK)
		return etc_fail(err, E1001, "%s", why.text);
	return root(&w, t);
}
