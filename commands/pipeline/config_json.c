/* config_json.c -- reads a configuration in JSON, the format of Arm's profiling kit. */
#include "commands/pipeline/config_internal.h"
#include "base/text.h"
#include "formats/container/json.h"

enum { PADDING = 64 }; /* readable bytes after the text: formats/container/json.h */

struct walk {
	struct etc_config_reading *r;
	struct etc_json *doc;
	struct etc_error *err;
};

static enum etc_status unescape(const struct walk *w, struct etc_str inside, struct etc_str *out)
{
	bool bad = false;

	if (etc_json_unescape(w->r->arena, inside, out, &bad))
		return ETC_OK;
	return bad ? etc_fail(w->err, E1001, "a text with an escape that is no JSON")
	           : etc_no_memory(w->err);
}

static enum etc_status scalar(const struct walk *w, const struct etc_json_value *v,
                              struct etc_config_value *out)
{
	static const uint8_t kinds[] = {
		[ETC_JSON_BAD] = ETC_CONFIG_STRANGE,   [ETC_JSON_OBJECT] = ETC_CONFIG_STRANGE,
		[ETC_JSON_ARRAY] = ETC_CONFIG_STRANGE, [ETC_JSON_STRING] = ETC_CONFIG_JSON_TEXT,
		[ETC_JSON_INT] = ETC_CONFIG_NUMBER,    [ETC_JSON_FLOAT] = ETC_CONFIG_NUMBER,
		[ETC_JSON_TRUE] = ETC_CONFIG_TRUE,     [ETC_JSON_FALSE] = ETC_CONFIG_FALSE,
		[ETC_JSON_NULL] = ETC_CONFIG_NOTHING,
	};
	enum etc_json_type type = etc_json_type(v);

	*out = (struct etc_config_value){ .kind = kinds[type] };
	if (type == ETC_JSON_STRING)
		return unescape(w, etc_json_inside(v->raw), &out->text);
	if (out->kind != ETC_CONFIG_STRANGE)
		out->text = v->raw;
	return ETC_OK;
}

/* Reads a list of scalars, or the members of an object as a list of "NAME=VALUE". */
static enum etc_status many(const struct walk *w, const struct etc_json_value *v,
                            struct etc_config_value *out)
{
	struct etc_config_value *items = NULL;
	struct etc_json_iter it;
	uint32_t room = 0;

	*out = (struct etc_config_value){ .kind = ETC_CONFIG_MANY };
	if (!etc_json_enter(v, &it))
		return ETC_OK;
	while (etc_json_more(&it)) {
		struct etc_config_value *one;

		if (out->count == ETC_PIPELINE_LIST_MAX)
			return etc_fail(w->err, E1002, "a list of more than %d",
			                ETC_PIPELINE_LIST_MAX);
		one = ETC_APPEND(w->r->arena, items, out->count, room);
		ETC_NEED(one, w->err);
		ETC_TRY(scalar(w, &it.value, one));
		if (etc_json_type(v) == ETC_JSON_OBJECT && one->kind != ETC_CONFIG_STRANGE) {
			ETC_TRY(unescape(w, it.key, &it.key));
			one->text = etc_arena_printf(w->r->arena, ETC_STR_FMT "=" ETC_STR_FMT,
			                             ETC_STR_ARG(it.key), ETC_STR_ARG(one->text));
			one->kind = ETC_CONFIG_JSON_TEXT;
		}
	}
	out->items = items;
	return ETC_OK;
}

static enum etc_status set(const struct walk *w, uint8_t scope, void *target, struct etc_str key,
                           const struct etc_json_value *v)
{
	enum etc_json_type type = etc_json_type(v);
	struct etc_config_value value;

	if (!etc_config_knows(scope, key)) {
		etc_config_unknown(w->r, scope, key);
		return ETC_OK;
	}
	if (type == ETC_JSON_OBJECT || type == ETC_JSON_ARRAY)
		ETC_TRY(many(w, v, &value));
	else
		ETC_TRY(scalar(w, v, &value));
	return etc_config_set(w->r, scope, target, key, &value, w->err);
}

/* Sets a key for each member of an object. */
static enum etc_status object(const struct walk *w, uint8_t scope, void *target,
                              const struct etc_json_value *v, const char *name)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return etc_fail(w->err, E1002, "%s; expected an object", name);
	while (etc_json_more(&it)) {
		ETC_TRY(unescape(w, it.key, &it.key));
		ETC_TRY(set(w, scope, target, it.key, &it.value));
	}
	return ETC_OK;
}

/* Reads one side of a pair: {"experiment": "off", "threads": 1}, or a text that names both. */
static enum etc_status side(const struct walk *w, const struct etc_json_value *v, const char *which,
                            const char **experiment, uint32_t *threads)
{
	struct etc_json_iter it;
	struct etc_config_value value;
	struct etc_str text = { 0 };
	bool has_threads = false;

	if (etc_json_type(v) == ETC_JSON_STRING) {
		ETC_TRY(scalar(w, v, &value));
		return etc_config_side(w->r, value.text, experiment, threads, w->err);
	}
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return etc_fail(w->err, E1002, "%s of a pair; expected an object", which);
	while (etc_json_more(&it)) {
		ETC_TRY(scalar(w, &it.value, &value));
		if (etc_str_eq(it.key, ETC_STR("experiment"))) {
			text = value.text;
		} else if (etc_str_eq(it.key, ETC_STR("threads"))) {
			struct etc_experiment e;

			etc_experiment_defaults(&e);
			ETC_TRY(etc_config_set(w->r, ETC_SCOPE_EXPERIMENT, &e, it.key, &value,
			                       w->err));
			*threads = e.threads.v[0];
			has_threads = true;
		} else {
			etc_config_unknown(w->r, ETC_SCOPE_SIDE, it.key);
		}
	}
	if (!text.len || !has_threads)
		return etc_fail(w->err, E1002, "%s of a pair lacks its %s", which,
		                text.len ? "threads" : "experiment");
	*experiment = etc_arena_cstr(w->r->arena, text);
	return *experiment ? ETC_OK : etc_no_memory(w->err);
}

static enum etc_status pair(const struct walk *w, const struct etc_json_value *v)
{
	struct etc_compare_pair *p = etc_config_new_pair(w->r, w->err);
	struct etc_json_iter it;

	if (!p)
		return (enum etc_status)etc_code_info(w->err->code)->status;
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return etc_fail(w->err, E1002, "compare_pairs; expected objects");
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("baseline")))
			ETC_TRY(side(w, &it.value, "baseline", &p->baseline, &p->baseline_threads));
		else if (etc_str_eq(it.key, ETC_STR("candidate")))
			ETC_TRY(side(w, &it.value, "candidate", &p->candidate,
			             &p->candidate_threads));
		else
			ETC_TRY(set(w, ETC_SCOPE_PAIR, p, it.key, &it.value));
	}
	return ETC_OK;
}

static enum etc_status experiment(const struct walk *w, const struct etc_json_value *v)
{
	struct etc_experiment *e = etc_config_new_experiment(w->r, w->err);

	if (!e)
		return (enum etc_status)etc_code_info(w->err->code)->status;
	return object(w, ETC_SCOPE_EXPERIMENT, e, v, "experiments");
}

static enum etc_status each(const struct walk *w, const struct etc_json_value *v, const char *name,
                            enum etc_status (*one)(const struct walk *,
                                                   const struct etc_json_value *))
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return etc_fail(w->err, E1002, "%s; expected a list", name);
	while (etc_json_more(&it))
		ETC_TRY(one(w, &it.value));
	return ETC_OK;
}

static enum etc_status analysis(const struct walk *w, const struct etc_json_value *v)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return etc_fail(w->err, E1002, "analysis; expected an object");
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("compare_pairs"))) {
			/* the last of equal keys replaces the others */
			w->r->out->pair_count = 0;
			ETC_TRY(each(w, &it.value, "compare_pairs", pair));
		} else {
			etc_config_unknown(w->r, ETC_SCOPE_ANALYSIS, it.key);
		}
	}
	return ETC_OK;
}

static enum etc_status member_of_root(const struct walk *w, struct etc_str key,
                                      const struct etc_json_value *v)
{
	struct etc_pipeline_config *c = w->r->out;

	if (etc_str_eq(key, ETC_STR("experiments"))) {
		c->experiment_count = 0;
		return each(w, v, "experiments", experiment);
	}
	if (etc_str_eq(key, ETC_STR("analysis")))
		return analysis(w, v);
	if (etc_str_eq(key, ETC_STR("schedule")))
		return object(w, ETC_SCOPE_SCHEDULE, c, v, "schedule");
	if (etc_str_eq(key, ETC_STR("gates")))
		return object(w, ETC_SCOPE_GATES, c, v, "gates");
	if (etc_str_eq(key, ETC_STR("device")))
		return object(w, ETC_SCOPE_DEVICE, c, v, "device");
	return set(w, ETC_SCOPE_PIPELINE, c, key, v);
}

static enum etc_status root(const struct walk *w)
{
	struct etc_json_iter it;
	struct etc_json_value v;

	etc_json_root(w->doc, &v);
	if (etc_json_type(&v) != ETC_JSON_OBJECT || !etc_json_enter(&v, &it))
		return etc_fail(w->err, E1001, "expected a JSON object");
	while (etc_json_more(&it)) {
		ETC_TRY(unescape(w, it.key, &it.key));
		ETC_TRY(member_of_root(w, it.key, &it.value));
	}
	return ETC_OK;
}

/* Parses the document. A syntax error takes precedence over errors in the values. */
static enum etc_status parse(struct walk *w)
{
	enum etc_status st = root(w);
	struct etc_error json = { .at = -1 };

	if (etc_json_failed(w->doc) || st == ETC_OK)
		if (etc_json_check_end(w->doc, &json) != ETC_OK)
			return etc_fail(w->err, E1001, "%s", json.text);
	return st;
}

enum etc_status etc_config_read_json(struct etc_config_reading *r, struct etc_span bytes,
                                     struct etc_error *err)
{
	struct walk w = { .r = r, .err = err };
	char *copy = etc_arena_alloc(r->arena, 1, 1, bytes.len + PADDING);
	struct etc_str text = { copy, bytes.len };
	enum etc_status st;
	bool moved;

	ETC_NEED(copy, err);
	memcpy(copy, bytes.ptr, bytes.len);
	ETC_TRY(etc_json_utf8_as(r->arena, &text, &moved, E1001, err));
	if (etc_utf8_fault(text) != SIZE_MAX)
		return etc_fail(err, E1001, "bytes that are not UTF-8");
	ETC_TRY(etc_json_open(text, text.len + PADDING, r->arena, &w.doc, err));
	st = parse(&w);
	etc_json_close(w.doc);
	return st;
}
