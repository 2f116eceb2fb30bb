/* config.c -- reads the configuration of a pipeline; see config.h */
#include "commands/pipeline/config.h"

#include <limits.h>
#include <math.h>

#include "base/file.h"
#include "commands/pipeline/config_internal.h"

enum { FILE_MOST = 4 << 20 };

static const char *const modes[] = { "timing", "xnntrace" };
static const char *const roles[] = { "none", "baseline", "candidate", "other" };
static const char *const orders[] = { "sequential", "interleave", "abba" };

const char *etc_mode_text(uint8_t mode)
{
	return modes[mode];
}

const char *etc_role_text(uint8_t role)
{
	return roles[role];
}

const char *etc_order_text(uint8_t order)
{
	return orders[order];
}

void etc_experiment_defaults(struct etc_experiment *e)
{
	static const uint32_t one[] = { 1 };

	*e = (struct etc_experiment){
		.runs = 100, /* the kit's defaults */
		.warmup = 10,
		.threads = { one, 1 },
		.timeout_s = 600,
		.etdump = true,
	};
}

unsigned etc_experiment_limit_ms(const struct etc_experiment *x)
{
	const double ms = ceil(x->timeout_s * 1000);

	return ms < UINT_MAX ? (unsigned)ms : UINT_MAX;
}

struct etc_experiment *etc_config_new_experiment(struct etc_config_reading *r,
                                                 struct etc_error *err)
{
	struct etc_pipeline_config *c = r->out;

	if (c->experiment_count == ETC_PIPELINE_EXPERIMENTS_MAX) {
		etc_fail(err, E1002, "more than %d experiments", ETC_PIPELINE_EXPERIMENTS_MAX);
		return NULL;
	}
	etc_experiment_defaults(&c->experiments[c->experiment_count]);
	return &c->experiments[c->experiment_count++];
}

struct etc_compare_pair *etc_config_new_pair(struct etc_config_reading *r, struct etc_error *err)
{
	struct etc_pipeline_config *c = r->out;

	if (c->pair_count == ETC_PIPELINE_EXPERIMENTS_MAX) {
		etc_fail(err, E1002, "more than %d pairs", ETC_PIPELINE_EXPERIMENTS_MAX);
		return NULL;
	}
	c->pairs[c->pair_count] = (struct etc_compare_pair){ .label = "" };
	return &c->pairs[c->pair_count++];
}

bool etc_experiment_named(const char *name)
{
	static const char *const taken[] = { "manifest.json", "metrics.json", "report.md",
		                             "analysis_summary.json", NULL };
	size_t n = strlen(name);

	if (etc_str_is_one_of(etc_str_of(name), taken) || n > 128 || name[0] == '.' ||
	    name[0] == '-')
		return false;
	for (size_t i = 0; i < n; i++)
		if (name[i] == '/' || (unsigned char)name[i] < ' ' || name[i] == 0x7f)
			return false;
	return true;
}

static enum etc_status check_experiment(const struct etc_pipeline_config *c, uint32_t i,
                                        struct etc_error *err)
{
	const struct etc_experiment *e = &c->experiments[i];

	if (!e->name)
		return etc_fail(err, E1002, "experiment %u has no name", i + 1);
	if (!etc_experiment_named(e->name))
		return etc_fail(err, E1002,
		                "name '%s'; it becomes a folder: at most 128 bytes, no '/' or "
		                "control character, no leading '.' or '-', not the name of a file "
		                "of the run folder",
		                e->name);
	for (uint32_t k = 0; k < i; k++)
		if (strcmp(c->experiments[k].name, e->name) == 0)
			return etc_fail(err, E1002, "two experiments are called '%s'", e->name);
	for (uint32_t k = 0; k < e->threads.count; k++)
		for (uint32_t m = 0; m < k; m++)
			if (e->threads.v[k] == e->threads.v[m])
				return etc_fail(err, E1002, "threads of '%s' has %u twice", e->name,
				                e->threads.v[k]);
	return ETC_OK;
}

/* Checks that one side of a pair is among the experiments that are measured. */
static enum etc_status check_side(const struct etc_pipeline_config *c, const char *name,
                                  uint32_t threads, struct etc_error *err)
{
	for (uint32_t i = 0; i < c->experiment_count; i++) {
		const struct etc_experiment *e = &c->experiments[i];

		for (uint32_t k = 0; k < e->threads.count; k++)
			if (strcmp(e->name, name) == 0 && e->threads.v[k] == threads)
				return ETC_OK;
	}
	return etc_fail(err, E1002, "a pair has '%s@%u'; no experiment is that", name, threads);
}

static bool is_side(const char *a, uint32_t a_threads, const char *b, uint32_t b_threads)
{
	return strcmp(a, b) == 0 && a_threads == b_threads;
}

static enum etc_status check_pair(const struct etc_pipeline_config *c, uint32_t i,
                                  struct etc_error *err)
{
	const struct etc_compare_pair *p = &c->pairs[i];

	if (!p->baseline || !p->candidate)
		return etc_fail(err, E1002, "pair %u lacks its %s", i + 1,
		                p->baseline ? "candidate" : "baseline");
	ETC_TRY(check_side(c, p->baseline, p->baseline_threads, err));
	ETC_TRY(check_side(c, p->candidate, p->candidate_threads, err));
	if (is_side(p->baseline, p->baseline_threads, p->candidate, p->candidate_threads))
		return etc_fail(err, E1002, "pair %u compares '%s@%u' with itself", i + 1,
		                p->baseline, p->baseline_threads);
	for (uint32_t k = 0; k < i; k++) {
		const struct etc_compare_pair *q = &c->pairs[k];

		if (is_side(q->baseline, q->baseline_threads, p->baseline, p->baseline_threads) &&
		    is_side(q->candidate, q->candidate_threads, p->candidate, p->candidate_threads))
			return etc_fail(err, E1002, "pair %u is pair %u again", i + 1, k + 1);
	}
	return ETC_OK;
}

static enum etc_status check(struct etc_pipeline_config *c, struct etc_error *err)
{
	if (!c->model)
		return etc_fail(err, E1002, "no model");
	for (uint32_t i = 0; i < c->experiment_count; i++) {
		struct etc_experiment *e = &c->experiments[i];

		if (!e->runner_path)
			e->runner_path = e->quiet_runner;
		ETC_TRY(check_experiment(c, i, err));
	}
	for (uint32_t i = 0; i < c->pair_count; i++)
		ETC_TRY(check_pair(c, i, err));
	return ETC_OK;
}

/* Applies KEY=VALUE, SECTION.KEY=VALUE or EXPERIMENT.KEY=VALUE. If KEY is a key of experiments and
 * has no name before it, it is set for all experiments. */
static enum etc_status apply_set(struct etc_config_reading *r, const char *word,
                                 struct etc_error *err)
{
	static const char *const sections[ETC_SCOPES] = {
		[ETC_SCOPE_PIPELINE] = "pipeline",
		[ETC_SCOPE_SCHEDULE] = "schedule",
		[ETC_SCOPE_GATES] = "gates",
		[ETC_SCOPE_DEVICE] = "device",
	};
	struct etc_pipeline_config *c = r->out;
	const char *eq = strchr(word, '=');
	struct etc_str key, section = { 0 };
	struct etc_config_value v = { .kind = ETC_CONFIG_WORD };
	bool found = false;

	if (!eq)
		return etc_fail(err, E1002, "--set %s; expected KEY=VALUE", word);
	key = etc_str_trim((struct etc_str){ word, (size_t)(eq - word) });
	v.text = etc_str_trim(etc_str_of(eq + 1));
	for (size_t i = key.len; i > 0; i--)
		if (key.ptr[i - 1] == '.') {
			section = etc_str_sub(key, 0, i - 1);
			key = etc_str_sub(key, i, key.len);
			break;
		}
	for (uint8_t s = 0; s < ETC_SCOPES; s++)
		if (sections[s] && (section.len ? etc_str_eq(section, etc_str_of(sections[s]))
		                                : etc_config_knows(s, key)))
			return etc_config_set(r, s, c, key, &v, err);
	if (!section.len && !etc_config_knows(ETC_SCOPE_EXPERIMENT, key))
		return etc_config_set(r, ETC_SCOPE_PIPELINE, c, key, &v, err);
	for (uint32_t i = 0; i < c->experiment_count; i++) {
		const char *name = c->experiments[i].name;

		if (section.len && !(name && etc_str_eq(section, etc_str_of(name))))
			continue;
		found = true;
		ETC_TRY(etc_config_set(r, ETC_SCOPE_EXPERIMENT, &c->experiments[i], key, &v, err));
	}
	return found ? ETC_OK : etc_fail(err, E1002, "--set %s; there is no such experiment", word);
}

/* Is the text JSON? "[pipeline]" starts an INI file. "[1" and "[]" start a JSON list, which the
 * JSON reader rejects. */
static bool is_json(struct etc_str text)
{
	char first = text.ptr[0], next = text.len > 1 ? (char)(text.ptr[1] | 0x20) : 'a';

	return first == '{' || first == '"' || (first == '[' && !(next >= 'a' && next <= 'z'));
}

static enum etc_status read_file(struct etc_config_reading *r, const char *path,
                                 struct etc_error *err)
{
	struct etc_file file;
	struct etc_str text, trimmed;
	enum etc_status st = ETC_OK;
	bool json = false;

	ETC_TRY(etc_file_open(&file, path, FILE_MOST, err));
	text = (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len };
	if (etc_str_starts(text, ETC_STR("\xef\xbb\xbf")))
		text = etc_str_sub(text, 3, text.len);
	trimmed = etc_str_trim(text);
	if (file.bytes.len > FILE_MOST)
		st = etc_fail(err, E1001, "%zu bytes", file.bytes.len);
	else if (!trimmed.len)
		st = etc_fail(err, E1001, "the file is empty");
	else
		json = is_json(trimmed);
	if (json)
		st = etc_config_read_json(r, text, err);
	etc_file_release(&file);
	if (st == ETC_OK && !json)
		st = etc_config_read_ini(r, path, err);
	return st;
}

enum etc_status etc_pipeline_config_read(const char *path, const char *const *set,
                                         uint32_t set_count, struct etc_arena *arena,
                                         struct etc_notes *notes, struct etc_pipeline_config *out,
                                         struct etc_error *err)
{
	struct etc_config_reading r = { .out = out, .arena = arena, .notes = notes };
	struct etc_str file = notes->file;
	enum etc_status st;

	*out = (struct etc_pipeline_config){
		.path = path,
		.experiments = etc_new(arena, struct etc_experiment, ETC_PIPELINE_EXPERIMENTS_MAX),
		.pairs = etc_new(arena, struct etc_compare_pair, ETC_PIPELINE_EXPERIMENTS_MAX),
		.schedule = { .order = ETC_ORDER_ABBA, .blocks = 3 },
		.gates = etc_gates_default,
	};
	ETC_NEED(out->experiments && out->pairs, err);
	notes->file = etc_arena_str(arena, etc_str_of(path));
	st = read_file(&r, path, err);
	notes->file = ETC_STR("--set");
	for (uint32_t i = 0; st == ETC_OK && i < set_count; i++)
		st = apply_set(&r, set[i], err);
	if (st == ETC_OK)
		st = check(out, err);
	notes->file = file;
	return etc_in_file(err, st, path);
}
