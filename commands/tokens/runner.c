/* runner.c -- reads the statistics that a runner of LLMs prints, and compares them with the dump;
 * see tokens.h.
 *
 * The runner prints a line "PyTorchObserver {...}" for each generation. Source:
 * stats_to_json_string() and print_report() in extension/llm/runner/stats.h of
 * pytorch/executorch. */
#include "commands/tokens/tokens.h"

#include "formats/container/json.h"
#include "base/number.h"
#include "etcore/plugin.h"

#include <math.h>

/* The members of the runner's JSON object. Times are in units of 1/SCALING_FACTOR_UNITS_PER_SECOND
 * s. */
enum {
	PROMPT_TOKENS,
	GENERATED_TOKENS,
	LOAD_START,
	LOAD_END,
	INFERENCE_START,
	INFERENCE_END,
	PROMPT_END,
	FIRST_TOKEN,
	SAMPLING,
	PER_SECOND
};
static const char *const members[] = {
	[PROMPT_TOKENS] = "prompt_tokens",         [GENERATED_TOKENS] = "generated_tokens",
	[LOAD_START] = "model_load_start_ms",      [LOAD_END] = "model_load_end_ms",
	[INFERENCE_START] = "inference_start_ms",  [INFERENCE_END] = "inference_end_ms",
	[PROMPT_END] = "prompt_eval_end_ms",       [FIRST_TOKEN] = "first_token_ms",
	[SAMPLING] = "aggregate_sampling_time_ms", [PER_SECOND] = "SCALING_FACTOR_UNITS_PER_SECOND",
};
enum { MEMBERS = sizeof members / sizeof *members };

/* ---- reading ------------------------------------------------------------------------------- */

/* Returns the time between two of the runner's time stamps. Returns -1 if a time stamp is missing
 * or 0 (which means that the runner did not set it), or if the second is before the first. */
static double between(const double *v, unsigned from, unsigned to)
{
	return v[from] > 0 && v[to] >= v[from] ? v[to] - v[from] : -1;
}

static struct etc_token_stats stats_of(const double *v)
{
	struct etc_token_stats s = {
		.prompt_tokens = v[PROMPT_TOKENS],
		.generated_tokens = v[GENERATED_TOKENS],
		.load = between(v, LOAD_START, LOAD_END),
		.prompt = between(v, INFERENCE_START, PROMPT_END),
		.decode = between(v, PROMPT_END, INFERENCE_END),
		.inference = between(v, INFERENCE_START, INFERENCE_END),
		.unit = v[PER_SECOND] > 0 ? 1e9 / v[PER_SECOND] : 1e6,
	};

	return s;
}

static enum etc_status keep(struct etc_tokens *t, const struct etc_token_stats *s,
                            struct etc_error *err)
{
	const uint32_t n = t->stats_count;

	if ((n & (n - 1)) == 0) {
		struct etc_token_stats *more =
			etc_new(&t->s->arena, struct etc_token_stats, n ? (size_t)n * 2 : 1);

		ETC_NEED(more, err);
		if (n)
			memcpy(more, t->stats, n * sizeof *more);
		t->stats = more;
	}
	t->stats[t->stats_count++] = *s;
	return ETC_OK;
}

/* Writes the values of the known members to `v`. A member that is null stays unknown. Sets `any` if
 * one of the members is a number of tokens. Sets `bad` to the name of a member that is not a number
 * from 0 to 1e18. */
static void take_members(const struct etc_json_value *object, double *v, bool *any,
                         const char **bad)
{
	struct etc_json_iter it;

	if (!etc_json_enter(object, &it))
		return;
	while (etc_json_more(&it)) {
		enum etc_json_type type = etc_json_type(&it.value);

		for (unsigned m = 0; m < MEMBERS; m++) {
			if (!etc_str_eq(it.key, etc_str_of(members[m])) || type == ETC_JSON_NULL)
				continue;
			if ((type != ETC_JSON_INT && type != ETC_JSON_FLOAT) ||
			    !etc_number_parse(it.value.raw, &v[m]) || !isfinite(v[m]) || v[m] < 0 ||
			    v[m] > 1e18)
				*bad = members[m];
			*any = *any || m == PROMPT_TOKENS || m == GENERATED_TOKENS;
		}
	}
}

/* Reads one JSON object that a runner printed. Appends it to t->stats if it contains a number of
 * tokens. Sets *valid to false if the text is not JSON. E1400: a member is not a number from 0 to
 * 1e18. */
static enum etc_status read_object(struct etc_tokens *t, struct etc_str text,
                                   struct etc_arena *scratch, bool *valid, struct etc_error *err)
{
	double v[MEMBERS];
	struct etc_error why = { 0 };
	struct etc_json_value root;
	struct etc_token_stats s;
	struct etc_json *doc;
	enum etc_status st;
	const char *bad = NULL;
	bool any = false;

	for (unsigned m = 0; m < MEMBERS; m++)
		v[m] = -1;
	ETC_TRY(etc_json_open(text, 0, scratch, &doc, err));
	etc_json_root(doc, &root);
	take_members(&root, v, &any, &bad);
	st = etc_json_check_end(doc, &why);
	etc_json_close(doc);
	if (st == ETC_NOMEM)
		return etc_no_memory(err);
	*valid = st == ETC_OK;
	if (!*valid || !any)
		return ETC_OK;
	if (bad)
		return etc_fail(err, E1400, "%s is no number from 0 to 1e18", bad);
	s = stats_of(v);
	return keep(t, &s, err);
}

static enum etc_status take_object(struct etc_tokens *t, struct etc_str text, bool *valid,
                                   struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st;

	etc_arena_init(&scratch, t->s->arena.budget);
	st = read_object(t, text, &scratch, valid, err);
	etc_arena_release(&scratch);
	return st;
}

/* Returns the runner's JSON object in a line of a log; empty if the line has none. */
static struct etc_str object_in(struct etc_str line)
{
	size_t word, from, to;

	line = etc_str_trim(line);
	word = etc_str_find(line, ETC_STR("PyTorchObserver"), 0);
	from = word == SIZE_MAX ? SIZE_MAX : etc_str_find(line, ETC_STR("{"), word);
	if (word == SIZE_MAX && etc_str_starts(line, ETC_STR("{")))
		from = 0;
	to = line.len;
	while (to > 0 && line.ptr[to - 1] != '}')
		to--;
	if (from == SIZE_MAX || from >= to)
		return ETC_STR_NONE;
	return etc_str_sub(line, from, to);
}

static enum etc_status read_lines(struct etc_tokens *t, struct etc_str text, struct etc_error *err)
{
	uint32_t number = 0;

	for (size_t at = 0, end; at < text.len; at = end + 1) {
		struct etc_str object;
		bool valid = true;

		end = etc_str_find(text, ETC_STR("\n"), at);
		end = end == SIZE_MAX ? text.len : end;
		number++;
		object = object_in(etc_str_sub(text, at, end));
		if (!object.len)
			continue;
		ETC_TRY(take_object(t, object, &valid, err));
		if (!valid && etc_str_find(object, ETC_STR("_tokens\""), 0) != SIZE_MAX)
			return etc_fail(err, E1400, "line %u is not valid JSON", number);
	}
	return ETC_OK;
}

enum etc_status etc_tokens_stats_read(struct etc_tokens *t, struct etc_error *err)
{
	const char *path = t->o->stats;
	struct etc_span bytes;
	struct etc_str text;
	bool valid = false;

	if (!path)
		return ETC_OK;
	ETC_TRY(etc_in_file(err, etc_session_open(t->s, path, &bytes, err), path));
	text = (struct etc_str){ (const char *)bytes.ptr, bytes.len };
	if (etc_str_starts(etc_str_trim(text), ETC_STR("{")))
		ETC_TRY(etc_in_file(err, take_object(t, etc_str_trim(text), &valid, err), path));
	if (!valid)
		ETC_TRY(etc_in_file(err, read_lines(t, text, err), path));
	if (!t->stats_count)
		return etc_in_file(
			err,
			etc_fail(err, E1400, "no object has prompt_tokens or generated_tokens"),
			path);
	return ETC_OK;
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* One generation in the dump. `first`: start of its first run; `prompt_end`: end of its last
 * prefill run; `end`: end of its last run; all in ns since the first event of the trace. `pause`:
 * time in ns from prompt_end to the start of the next run. `any`: the generation has a run;
 * `prefill`: it has a prefill run. */
struct generation {
	double first, prompt_end, pause, end;
	double decoded, taken; /* number of decode runs; number of tokens that prefill processed */
	bool any, prefill;
};

static enum etc_status list_generations(struct etc_tokens *t, struct generation **out,
                                        struct etc_error *err)
{
	struct generation *all = etc_new(&t->s->arena, struct generation, t->generation_count);

	ETC_NEED(all, err);
	*out = all;
	for (size_t i = 0; i < t->run_count; i++) {
		const struct etc_token_run *r = &t->runs[i];
		struct generation *g = &all[r->generation];

		if (!g->any)
			g->first = r->start;
		if (g->prefill && g->end == g->prompt_end)
			g->pause = fmax(0, r->start - g->prompt_end);
		g->any = true;
		g->end = r->start + r->took;
		g->decoded += t->kinds[r->kind].role == ETC_TOKEN_DECODE;
		if (t->kinds[r->kind].role != ETC_TOKEN_PREFILL)
			continue;
		g->prefill = true;
		g->prompt_end = g->end;
		g->taken += t->positions ? (double)r->tokens : 0;
	}
	return ETC_OK;
}

/* One quantity, as printed by the runner and as measured in the dump. */
struct pair {
	const char *measure, *unit;
	/* `runner`, `dump`: sums over the generations. `worst`, in `unit`: the largest amount by
	 * which the dump's value for a generation exceeds the runner's value plus the allowed
	 * deviation. For a number of tokens, a value of the dump that is too small counts, too. 0:
	 * the values agree */
	double runner, dump, worst;
	/* lines: number of generations for which the runner printed a value; pairs: number of
	 * generations for which both the runner and the dump have a value */
	size_t lines, pairs;
};

static void add(struct pair *p, double runner, double dump, double allowed)
{
	if (runner < 0)
		return;
	p->runner += runner;
	p->lines++;
	if (dump < 0)
		return;
	p->dump += dump;
	p->pairs++;
	p->worst = fmax(p->worst, dump - runner - allowed);
}

/* Returns a text that states the value in the dump: "the dump has 273.05 µs". */
static struct etc_str dump_has(struct etc_tokens *t, const struct pair *p)
{
	const double v = p->dump / (double)p->pairs;
	struct etc_text text = { 0 };

	etc_text_cstr(&text, "the dump has ");
	etc_tokens_put_amount(&text, v, v, p->unit);
	if (strcmp(p->unit, "ns") != 0)
		etc_text_printf(&text, " %s", p->unit);
	return etc_text_keep(&text, &t->s->arena);
}

static enum etc_status add_pair(struct etc_tokens *t, const struct pair *p, struct etc_error *err)
{
	struct etc_token_row row = { .kind = ETC_STR("runner"),
		                     .measure = p->measure,
		                     .unit = p->unit,
		                     .known = p->lines > 0,
		                     .count = p->lines,
		                     .share = NAN };

	if (!p->lines)
		return ETC_OK;
	row.v.value = p->runner / (double)p->lines;
	if (p->pairs == p->lines) {
		row.verdict = p->worst > 0 ? "disagrees" : "agrees";
		row.share = p->runner > 0 ? p->dump / p->runner : NAN;
		row.why = dump_has(t, p);
	} else {
		row.verdict = "cannot tell";
		row.why =
			t->stats_count == t->generation_count
				? ETC_STR("the dump does not tell prefill and its tokens")
				: etc_arena_printf(&t->s->arena,
		                                   "%u generations of the runner, %zu of the dump",
		                                   t->stats_count, t->generation_count);
	}
	if (p->worst > 0)
		etc_note_each(&t->s->notes, W1402, "%s: %.0f %s, " ETC_STR_FMT, p->measure,
		              row.v.value, p->unit, ETC_STR_ARG(row.why));
	return etc_tokens_add(t, &row, err);
}

/* Returns the mean load time of the dumps in ns. Returns -1 if it is unknown. Also returns -1 if
 * there are several dumps, but not one dump for each generation of the runner. */
static double load_time(const struct etc_tokens *t)
{
	double sum = 0;

	if (!t->paths.load_count || t->paths.unit != ETCORE_UNIT_NS ||
	    (t->input_count > 1 && t->input_count != t->stats_count))
		return -1;
	for (size_t i = 0; i < t->paths.load_count; i++)
		sum += (double)t->paths.loads[i].time / (double)t->paths.den;
	return sum / (double)t->input_count;
}

enum etc_status etc_tokens_stats_rows(struct etc_tokens *t, struct etc_error *err)
{
	struct pair load = { .measure = "load", .unit = "ns" };
	struct pair prompt = { .measure = "prompt", .unit = "ns" };
	struct pair decode = { .measure = "decode", .unit = "ns" };
	struct pair whole = { .measure = "inference", .unit = "ns" };
	struct pair made = { .measure = "generated tokens", .unit = "tokens" };
	struct pair taken = { .measure = "prompt tokens", .unit = "tokens" };
	const bool paired =
		t->stats_count == t->generation_count && t->paths.unit == ETCORE_UNIT_NS;
	struct generation *all = NULL;

	ETC_TRY(list_generations(t, &all, err));
	for (uint32_t i = 0; i < t->stats_count; i++) {
		const struct etc_token_stats *s = &t->stats[i];
		const struct generation *g = paired ? &all[i] : NULL;
		const double unit = s->unit;

		add(&load, s->load * unit, load_time(t), unit);
		add(&prompt, s->prompt * unit, g && g->prefill ? g->prompt_end - g->first : -1,
		    unit);
		/* The runner reads the clock somewhere between its last prefill run and the next
		 * run, so the pause between these runs is an allowed deviation. */
		add(&decode, s->decode * unit, g && g->prefill ? g->end - g->prompt_end : -1,
		    unit + (g && g->prefill ? g->pause : 0));
		add(&whole, s->inference * unit, g ? g->end - g->first : -1, unit);
		/* The prefill produces the first token. Some runners count this token as generated,
		 * others do not, so a difference of 1 is allowed. */
		add(&made, s->generated_tokens, g && g->prefill ? g->decoded : -1, 1);
		if (g && g->prefill)
			made.worst = fmax(made.worst, s->generated_tokens - g->decoded - 1);
		/* A prefill of fixed length may process more tokens than the prompt has, so the
		 * dump's number may be larger by any amount. */
		add(&taken, s->prompt_tokens, g && g->taken > 0 ? g->taken : -1, HUGE_VAL);
		if (g && g->taken > 0)
			taken.worst = fmax(taken.worst, s->prompt_tokens - g->taken);
	}
	ETC_TRY(add_pair(t, &load, err));
	ETC_TRY(add_pair(t, &prompt, err));
	ETC_TRY(add_pair(t, &decode, err));
	ETC_TRY(add_pair(t, &whole, err));
	ETC_TRY(add_pair(t, &taken, err));
	return add_pair(t, &made, err);
}
