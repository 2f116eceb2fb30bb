/* run_resume.c -- see run.h: what an earlier command left in the folder. Its manifest says
 * which blocks are whole and what they depended on; their numbers are read again from
 * their logs and dumps. */
#include "base/file.h"
#include "base/number.h"
#include "pipeline/run.h"
#include "pipeline/surroundings.h"
#include "read/json.h"

enum { MANIFEST_MOST = 256 << 20, PADDING = 64 };

/* One of "jobs". */
struct earlier {
	struct etc_str experiment, status, key, etdump_sha256, started, finished;
	double threads, block, wall_ms;
};

struct taking {
	struct etc_pipeline_run *run;
	bool kept;    /* something of what shall be measured now is there already */
	bool foreign; /* the folder is somebody else's, as the kit's: results without jobs */
};

static void put(struct etc_text *t, const char *text)
{
	etc_text_cstr(t, text ? text : "");
	etc_text_char(t, '\0');
}

const char *etc_run_key(const struct etc_pipeline_run *run, const struct etc_run_unit *u,
                        uint32_t block)
{
	const struct etc_experiment *x = u->plan->experiment;
	const struct etc_run_experiment *e = &run->experiments[x - run->config.experiments];
	const struct etc_words *lists[] = { &x->extra_args, &x->env, &x->inputs };
	struct etc_text t = { 0 };
	const char *key;

	put(&t, run->model_sha256);
	put(&t, e->runner.sha256);
	put(&t, x->name);
	put(&t, x->method);
	put(&t, x->data_path);
	put(&t, x->print_output);
	put(&t, x->cpu_affinity);
	put(&t, e->device ? e->device->serial ? e->device->serial : "adb" : "local");
	etc_text_printf(&t, "%u %u %u %u %u %u %d", x->mode, x->runs, x->warmup, u->plan->threads,
	                u->plan->blocks, block, x->etdump);
	for (size_t i = 0; i < 3; i++) {
		etc_text_printf(&t, " %u ", lists[i]->count);
		for (uint32_t k = 0; k < lists[i]->count; k++)
			put(&t, lists[i]->v[k]);
	}
	key = t.failed ? NULL : etc_hex_sha256(etc_span_of(etc_text_str(&t)), run->arena);
	etc_text_release(&t);
	return key;
}

static bool number(const struct etc_json_value *v, double *out)
{
	enum etc_json_type type = etc_json_type(v);

	return (type == ETC_JSON_INT || type == ETC_JSON_FLOAT) && etc_number_parse(v->raw, out);
}

static void take_member(struct earlier *e, struct etc_str key, const struct etc_json_value *v)
{
	const struct {
		const char *name;
		struct etc_str *text;
		double *number;
	} members[] = {
		{ "experiment", &e->experiment, NULL },
		{ "status", &e->status, NULL },
		{ "key", &e->key, NULL },
		{ "etdump_sha256", &e->etdump_sha256, NULL },
		{ "started_at", &e->started, NULL },
		{ "finished_at", &e->finished, NULL },
		{ "threads", NULL, &e->threads },
		{ "block", NULL, &e->block },
		{ "wall_ms", NULL, &e->wall_ms },
	};

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		if (!etc_str_eq(key, etc_str_of(members[i].name)))
			continue;
		if (members[i].text && etc_json_type(v) == ETC_JSON_STRING)
			*members[i].text = etc_json_inside(v->raw);
		if (members[i].number)
			number(v, members[i].number);
	}
}

/* The block of the plan that it is, or NULL. */
static struct etc_block_result *find(struct etc_pipeline_run *run, const struct earlier *e,
                                     struct etc_run_unit **unit, uint32_t *block)
{
	for (uint32_t i = 0; i < run->plan.unit_count; i++) {
		struct etc_run_unit *u = &run->units[i];
		bool bad = false;
		struct etc_str name = e->experiment;

		if (!etc_json_unescape(run->arena, e->experiment, &name, &bad) ||
		    !etc_str_eq(name, etc_str_of(u->plan->experiment->name)) ||
		    e->threads != u->plan->threads)
			continue;
		for (*block = 0; *block < u->plan->blocks; ++*block)
			if (e->block == *block + 1) {
				*unit = u;
				return &u->blocks[*block];
			}
	}
	return NULL;
}

/* Are its files as they were? */
static bool is_whole(struct etc_pipeline_run *run, const struct etc_run_unit *u, uint32_t block,
                     const struct earlier *e)
{
	const char *log = etc_plan_file(u->plan, block, ".log", run->arena);
	const char *dump = etc_plan_file(u->plan, block, ".etdump", run->arena);
	const char *sha;

	if (!log || !dump || !etc_file_exists(etc_run_path(run, log)))
		return false;
	if (!e->etdump_sha256.len)
		return !(u->plan->experiment->etdump &&
		         u->plan->experiment->mode == ETC_MODE_TIMING);
	sha = etc_file_sha256(etc_run_path(run, dump), run->arena, NULL);
	return sha && etc_str_eq(e->etdump_sha256, etc_str_of(sha));
}

static enum etc_status keep(struct etc_pipeline_run *run, struct etc_run_unit *u, uint32_t block,
                            const struct earlier *e, struct etc_error *err)
{
	struct etc_block_result *r = &u->blocks[block];
	struct etc_notes silent;
	const struct etc_block_place at = { u->plan, block, &silent };
	const char *log = etc_plan_file(u->plan, block, ".log", run->arena);
	const char *dump = etc_plan_file(u->plan, block, ".etdump", run->arena);

	etc_notes_init(&silent, run->arena);
	r->state = ETC_BLOCK_OK;
	r->wall_ms = e->wall_ms;
	r->started = e->started.len ? etc_arena_cstr(run->arena, e->started) : NULL;
	r->finished = e->finished.len ? etc_arena_cstr(run->arena, e->finished) : NULL;
	ETC_TRY(etc_block_collect(
		&at, etc_run_path(run, log), e->etdump_sha256.len ? etc_run_path(run, dump) : NULL,
		u->plan->experiment->warmup + u->plan->experiment->runs, run->arena, r, err));
	r->state = ETC_BLOCK_KEPT;
	r->code = ETC_CODE_NONE;
	r->why = NULL;
	return ETC_OK;
}

static enum etc_status take_job(struct taking *t, const struct earlier *e, struct etc_error *err)
{
	struct etc_pipeline_run *run = t->run;
	struct etc_run_unit *u;
	uint32_t block;
	struct etc_block_result *r = find(run, e, &u, &block);
	const char *name;
	int64_t then;

	if (!r || !etc_str_eq(e->status, ETC_STR("ok")))
		return ETC_OK;
	name = u->plan->experiment->name;
	if (etc_time_parse(e->finished, &then) && then > etc_time_now() + 60)
		etc_note(run->notes, W1020, "%s was measured in the future: %.*s", name,
		         (int)e->finished.len, e->finished.ptr);
	if (u->plan->selected) {
		t->kept = true;
		if (run->options->force)
			return ETC_OK;
	}
	if (!r->key || !etc_str_eq(e->key, etc_str_of(r->key))) {
		if (run->options->resume && u->plan->selected)
			etc_note_each(run->notes, W1027,
			              "%s with %u thread%s: model, runner or settings are others",
			              name, u->plan->threads, u->plan->threads == 1 ? "" : "s");
		return ETC_OK;
	}
	if (!is_whole(run, u, block, e)) {
		if (run->options->resume && u->plan->selected)
			etc_note_each(run->notes, W1027,
			              "%s with %u thread%s: its files are not as they were", name,
			              u->plan->threads, u->plan->threads == 1 ? "" : "s");
		return ETC_OK;
	}
	return keep(run, u, block, e, err);
}

static enum etc_status take_jobs(struct taking *t, const struct etc_json_value *v,
                                 struct etc_error *err)
{
	struct etc_json_iter list, it;
	struct etc_json_value job, member;
	struct etc_str key;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &list))
		return ETC_OK;
	while (etc_json_next(&list, &key, &job)) {
		struct earlier e = { .threads = 0 };

		if (etc_json_type(&job) != ETC_JSON_OBJECT || !etc_json_enter(&job, &it))
			continue;
		while (etc_json_next(&it, &key, &member))
			take_member(&e, key, &member);
		ETC_TRY(take_job(t, &e, err));
	}
	return ETC_OK;
}

static bool has_member(const struct etc_json_value *list)
{
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;
	bool any = false;

	if (etc_json_type(list) != ETC_JSON_ARRAY || !etc_json_enter(list, &it))
		return false;
	while (etc_json_next(&it, &key, &member))
		any = true;
	return any;
}

static enum etc_status take(struct taking *t, struct etc_json *doc, struct etc_error *err)
{
	struct etc_json_iter it;
	struct etc_json_value root, member;
	struct etc_str key;
	struct etc_error why = { .at = -1 };
	bool jobs = false, results = false;

	etc_json_root(doc, &root);
	if (etc_json_type(&root) == ETC_JSON_OBJECT && etc_json_enter(&root, &it))
		while (etc_json_next(&it, &key, &member)) {
			if (etc_str_eq(key, ETC_STR("results")))
				results = has_member(&member);
			if (!etc_str_eq(key, ETC_STR("jobs")))
				continue;
			jobs = true;
			ETC_TRY(take_jobs(t, &member, err));
		}
	if (etc_json_check_end(doc, &why) != ETC_OK)
		return etc_fail(err, E1031, "%s", why.text);
	t->foreign = results && !jobs;
	return ETC_OK;
}

static enum etc_status read_manifest(struct taking *t, const char *path, struct etc_error *err)
{
	struct etc_json *doc = NULL;
	struct etc_file file;
	struct etc_str text;
	enum etc_status st;
	char *copy;

	ETC_TRY(etc_file_open(&file, path, MANIFEST_MOST, err));
	if (file.bytes.len > MANIFEST_MOST) {
		etc_file_release(&file);
		return etc_in_file(err, etc_fail(err, E1031, "it is too large"), path);
	}
	copy = etc_arena_alloc(t->run->arena, 1, 1, file.bytes.len + PADDING);
	if (copy && file.bytes.len)
		memcpy(copy, file.bytes.ptr, file.bytes.len);
	text = (struct etc_str){ copy, file.bytes.len };
	etc_file_release(&file);
	if (!copy)
		return etc_fail(err, E0904, "the manifest");
	ETC_TRY(etc_json_open(text, text.len + PADDING, t->run->arena, &doc, err));
	st = take(t, doc, err);
	etc_json_close(doc);
	return etc_in_file(err, st, path);
}

enum etc_status etc_run_take_over(struct etc_pipeline_run *run, struct etc_error *err)
{
	const char *path = etc_run_path(run, "manifest.json");
	struct taking t = { .run = run };

	if (!path)
		return etc_fail(err, E0904, "the manifest");
	if (!etc_file_exists(path))
		return ETC_OK;
	if (run->options->force && !run->options->only_count)
		return ETC_OK;
	ETC_TRY(read_manifest(&t, path, err));
	if (t.foreign && !run->options->force && !run->options->dry_run)
		return etc_fail(err, E1006, "'%s', not made by etcore", run->root);
	if (t.kept && !run->options->resume && !run->options->force && !run->options->dry_run)
		return etc_fail(err, E1006, "'%s'", run->root);
	return ETC_OK;
}
