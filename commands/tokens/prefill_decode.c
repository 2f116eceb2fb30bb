/* prefill_decode.c -- decides which runs are prefill and which decode; see tokens.h.
 *
 * Only facts decide: an option, names of methods, shapes in the program, logged shapes, or the
 * runner's statistics. The duration of a run is not used. */
#include "commands/tokens/tokens.h"

#include "model/scalar_type.h"

#include <stdlib.h>

/* ---- list of the runs -------------------------------------------------------------------- */

static int by_run(const void *a, const void *b)
{
	uint32_t x = ((const struct etc_token_run *)a)->run;
	uint32_t y = ((const struct etc_token_run *)b)->run;

	return (x > y) - (x < y);
}

/* Lists the executions of all paths in t->runs, in file order. */
static enum etc_status list_runs(struct etc_tokens *t, struct etc_error *err)
{
	const struct etc_trace *trace = &t->trace;
	const struct etc_host_clock clock = t->profile_options.clock;
	const double unit = (double)clock.scale / (double)etc_clock_den(clock);
	size_t n = 0;

	for (uint32_t p = 0; p < t->paths.path_count; p++)
		n += t->paths.paths[p].runs;
	t->runs = etc_new(&t->s->arena, struct etc_token_run, n);
	ETC_NEED(t->runs, err);
	for (uint32_t p = 0; p < t->paths.path_count; p++)
		for (size_t i = 0; i < t->paths.paths[p].runs; i++) {
			uint32_t run = t->paths.paths[p].run[i], root = 0;
			const struct etc_run *r = &trace->runs[run];
			size_t at;

			(void)etc_template_kind(&trace->templates[r->template], &root);
			at = r->first_sample + (size_t)root;
			t->runs[t->run_count++] = (struct etc_token_run){
				.run = run,
				.path = p,
				.file = t->file ? t->file[run] : 0,
				.start = (double)(int64_t)(trace->start[at] - trace->start[0]) *
				         unit,
				.took = (double)(trace->end[at] - trace->start[at]) * unit,
			};
		}
	qsort(t->runs, t->run_count, sizeof *t->runs, by_run);
	return ETC_OK;
}

static uint8_t kind_of(struct etc_tokens *t, uint8_t role, struct etc_str name)
{
	for (uint32_t k = 0; k < t->kind_count; k++)
		if (t->kinds[k].role == role && etc_str_eq(t->kinds[k].name, name))
			return (uint8_t)k;
	if (t->kind_count == ETC_TOKEN_KINDS)
		return ETC_TOKEN_KINDS - 1;
	t->kinds[t->kind_count] = (struct etc_token_kind){ .name = name, .role = role };
	return (uint8_t)t->kind_count++;
}

static uint8_t known_kind(struct etc_tokens *t, uint8_t role)
{
	static const char *const names[] = { "run", "prefill", "decode", "other" };

	return kind_of(t, role, etc_str_of(names[role]));
}

/* ---- kinds of runs from names ------------------------------------------------------------ */

static bool has_word(struct etc_str name, const char *word)
{
	return etc_str_find(name, etc_str_of(word), 0) != SIZE_MAX;
}

/* Returns the role of a method with that name. Methods of exported LLMs are called prefill_forward
 * and kv_forward (examples/qualcomm), prefill and decode. The role of a text_decoder is unknown,
 * because it runs both prefill and decode. */
static uint8_t role_of_name(struct etc_str name)
{
	if (has_word(name, "prefill"))
		return ETC_TOKEN_PREFILL;
	if (has_word(name, "kv_forward") ||
	    (has_word(name, "decode") && !has_word(name, "decoder") && !has_word(name, "encode")))
		return ETC_TOKEN_DECODE;
	return ETC_TOKEN_OTHER;
}

static bool told_by_names(struct etc_tokens *t)
{
	bool any = false;

	for (uint32_t p = 0; p < t->paths.path_count; p++)
		any = any || role_of_name(t->paths.paths[p].method) != ETC_TOKEN_OTHER;
	if (!any)
		return false;
	for (size_t i = 0; i < t->run_count; i++)
		t->runs[i].kind =
			known_kind(t, role_of_name(t->paths.paths[t->runs[i].path].method));
	t->how = etc_arena_printf(&t->s->arena, "the names of the methods");
	return true;
}

/* ---- kinds of runs from the program's shapes ------------------------------------------------ */

static const struct etc_evalue_tensor *integers(const struct etc_program_method *m, int64_t value)
{
	const struct etc_scalar_type *type;
	const struct etc_evalue_tensor *tensor;

	if (value < 0 || (uint64_t)value >= m->value_count ||
	    m->values[value].kind != ETC_EVALUE_TENSOR)
		return NULL;
	tensor = m->values[value].tensor;
	type = etc_scalar_type(tensor->scalar_type);
	return type && type->kind == ETC_SCALAR_SIGNED && type->bits >= 32 ? tensor : NULL;
}

/* Returns the number of tokens of a sequence from the sizes of a tensor: [batch, sequence], or [1].
 * Returns 0 if the number is unknown, for example for [n] with n > 1, where n may be the size of a
 * batch or of a sequence. */
static uint64_t sequence_length(const int64_t *sizes, size_t rank)
{
	if (rank > 2 || (rank == 1 && sizes[0] != 1))
		return 0;
	for (size_t i = 0; i < rank; i++)
		if (sizes[i] < 1)
			return 0;
	return rank ? (uint64_t)sizes[rank - 1] : 1;
}

static uint64_t tokens_of_tensor(const struct etc_evalue_tensor *tensor)
{
	int64_t sizes[2] = { 0 };

	if (!tensor || tensor->dynamism != ETC_SHAPE_STATIC || tensor->sizes.count > 2)
		return 0;
	for (uint32_t i = 0; i < tensor->sizes.count; i++)
		sizes[i] = etc_i32_at(tensor->sizes, i);
	return sequence_length(sizes, tensor->sizes.count);
}

/* Returns the tensor of indices of the method's first embedding; NULL: the method calls no
 * embedding. */
static const struct etc_evalue_tensor *embedding_indices(const struct etc_program_method *m)
{
	for (uint32_t c = 0; c < m->chain_count; c++)
		for (uint32_t i = 0; i < m->chains[c].count; i++) {
			const struct etc_instruction *n = &m->chains[c].instructions[i];

			if (n->kind != ETC_INSTRUCTION_KERNEL || n->index < 0 ||
			    (uint32_t)n->index >= m->operator_count ||
			    !has_word(m->operators[n->index].name, "embedding"))
				continue;
			for (uint32_t a = 0; a < n->args.count; a++) {
				const struct etc_evalue_tensor *tensor =
					integers(m, etc_i32_at(n->args, a));

				if (tensor)
					return tensor;
			}
		}
	return NULL;
}

/* Returns the number of tokens that a run of the method processes: the number of indices of its
 * first embedding; without an embedding, the size of its first integer input. Returns 0 if the
 * number is unknown or the shape is dynamic. */
static uint64_t tokens_of_method(const struct etc_program_method *m)
{
	const struct etc_evalue_tensor *tensor = embedding_indices(m);

	for (uint32_t i = 0; !tensor && i < m->inputs.count; i++)
		tensor = integers(m, etc_i32_at(m->inputs, i));
	return tokens_of_tensor(tensor);
}

static uint64_t tokens_of_path(const struct etc_program *program,
                               const struct etc_profile_path *path)
{
	const struct etc_program_method *m =
		program && !path->methods_fit ? etc_program_method(program, path->method) : NULL;

	return m && program->whole ? tokens_of_method(m) : 0;
}

/* Does the name of the run's method show that the run is neither prefill nor decode? */
static bool is_other(const struct etc_tokens *t, const struct etc_token_run *r)
{
	return t->told == ETC_TOLD_NAMES && t->kinds[r->kind].role == ETC_TOKEN_OTHER;
}

static bool count_by_program(struct etc_tokens *t)
{
	const struct etc_program *program = t->profile_options.program;

	for (size_t i = 0; i < t->run_count; i++) {
		struct etc_token_run *r = &t->runs[i];

		if (is_other(t, r))
			continue;
		r->tokens = tokens_of_path(program, &t->paths.paths[r->path]);
		if (r->tokens == 0)
			return false;
	}
	return t->run_count > 0;
}

/* ---- numbers of tokens from logged shapes --------------------------------------------------- */

/* Returns the debug event that has the output of the first embedding in the event list; NULL: there
 * is none. */
static const struct etc_event *logged_embedding(const struct etc_template *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		const struct etc_event *kernel = &list->events[i];

		if (kernel->word != ETC_WORD_KERNEL ||
		    !has_word(etc_event_name(kernel), "embedding"))
			continue;
		for (uint32_t j = 0; j < list->count; j++) {
			const struct etc_event *e = &list->events[j];

			if (e->kind == ETC_EVENT_DEBUG && e->chain == kernel->chain &&
			    e->instruction_id == kernel->instruction_id &&
			    !etc_event_is_delegate(e))
				return e;
		}
	}
	return NULL;
}

/* Returns the number of tokens of a run, from the sizes of the embedding's output. The last size is
 * not counted; it is the number of elements per token. */
static uint64_t logged_tokens(const struct etc_trace *trace, const struct etc_run *run,
                              const struct etc_event *event)
{
	const struct etc_value *v = &trace->values[run->first_value + event->column];

	if (v->tag != ETC_VALUE_TENSOR || v->count != 1 || v->tensors[0].rank < 2)
		return 0;
	return sequence_length(v->tensors[0].sizes, (size_t)v->tensors[0].rank - 1);
}

static enum etc_status count_by_values(struct etc_tokens *t, bool *known, struct etc_error *err)
{
	const struct etc_trace *trace = &t->trace;
	const struct etc_event **events =
		etc_new(&t->s->arena, const struct etc_event *, trace->template_count);

	*known = false;
	ETC_NEED(events, err);
	for (size_t i = 0; i < trace->template_count; i++)
		events[i] = logged_embedding(&trace->templates[i]);
	for (size_t i = 0; i < t->run_count; i++) {
		const struct etc_run *run = &trace->runs[t->runs[i].run];
		const struct etc_event *event = events[run->template];

		if (is_other(t, &t->runs[i]))
			continue;
		t->runs[i].tokens = event ? logged_tokens(trace, run, event) : 0;
		if (!t->runs[i].tokens)
			return ETC_OK;
	}
	*known = t->run_count > 0;
	return ETC_OK;
}

/* ---- numbers of tokens ----------------------------------------------------------------------- */

/* Sets the number of tokens of each run. Sets *source to the source of the numbers:
 * ETC_TOLD_PROGRAM or ETC_TOLD_LOGGED; ETC_TOLD_NOT if the numbers are unknown. */
static enum etc_status count_tokens(struct etc_tokens *t, enum etc_token_told *source,
                                    struct etc_error *err)
{
	bool logged = false;

	*source = count_by_program(t) ? ETC_TOLD_PROGRAM : ETC_TOLD_NOT;
	if (*source == ETC_TOLD_NOT)
		ETC_TRY(count_by_values(t, &logged, err));
	if (logged)
		*source = ETC_TOLD_LOGGED;
	return ETC_OK;
}

/* Classifies runs by their number of tokens: a run of one token is decode, a run of several tokens
 * is prefill. Returns false if all runs process one token, or if all process several (as an encoder
 * does), because runs cannot be classified then. */
static bool told_by_tokens(struct etc_tokens *t, enum etc_token_told source)
{
	bool one = false, several = false;

	for (size_t i = 0; i < t->run_count; i++) {
		one = one || t->runs[i].tokens == 1;
		several = several || t->runs[i].tokens > 1;
	}
	t->one_token = !several;
	t->how = source == ETC_TOLD_PROGRAM ? ETC_STR("the program's shapes")
	                                    : ETC_STR("the logged outputs of the embedding");
	if (!one || !several)
		return false;
	for (size_t i = 0; i < t->run_count; i++)
		t->runs[i].kind =
			known_kind(t, t->runs[i].tokens > 1 ? ETC_TOKEN_PREFILL : ETC_TOKEN_DECODE);
	return true;
}

/* Do the numbers of tokens agree with the kinds of the runs? A decode run must process one token. A
 * run of a method that is named for prefill must process several. If they disagree, the integers
 * that were taken for tokens may be something else, such as a position. */
static bool tokens_agree(const struct etc_tokens *t)
{
	for (size_t i = 0; i < t->run_count; i++) {
		const uint8_t role = t->kinds[t->runs[i].kind].role;

		if ((role == ETC_TOKEN_DECODE && t->runs[i].tokens != 1) ||
		    (role == ETC_TOKEN_PREFILL && t->told == ETC_TOLD_NAMES &&
		     t->runs[i].tokens == 1))
			return false;
	}
	return true;
}

/* ---- classifying runs by their events only --------------------------------------------------- */

/* Classifies runs by path. Different paths have different instructions, kernels or delegate
 * events. */
static bool told_by_paths(struct etc_tokens *t)
{
	if (t->paths.path_count < 2 || t->paths.path_count > ETC_TOKEN_KINDS)
		return false;
	for (size_t i = 0; i < t->run_count; i++) {
		const struct etc_profile_path *path = &t->paths.paths[t->runs[i].path];
		struct etc_str name = etc_arena_printf(&t->s->arena, ETC_STR_FMT "%spath %u",
		                                       ETC_STR_ARG(path->method),
		                                       path->method.len ? " " : "", path->number);

		t->runs[i].kind = kind_of(t, ETC_TOKEN_RUN, name);
	}
	t->how = etc_arena_printf(
		&t->s->arena,
		"the calls of kernels and delegates: which path is the prefill cannot be told");
	return true;
}

/* ---- generations ----------------------------------------------------------------------------- */

static bool begins(const struct etc_tokens *t, size_t i, uint64_t length, size_t since)
{
	const struct etc_token_run *r = &t->runs[i];

	if (i == 0 || r->file != r[-1].file)
		return true;
	if (length)
		return since == length;
	return t->kinds[r->kind].role == ETC_TOKEN_PREFILL &&
	       t->kinds[r[-1].kind].role != ETC_TOKEN_PREFILL;
}

static void number_generations(struct etc_tokens *t, uint64_t length)
{
	size_t since = 0;

	t->generation_count = 0;
	for (size_t i = 0; i < t->run_count; i++, since++) {
		if (begins(t, i, length, since)) {
			t->generation_count++;
			since = 0;
		}
		t->runs[i].generation = (uint32_t)t->generation_count - 1;
	}
}

/* Sets the position of each run: the number of tokens, or runs, before it in its generation. */
static void count_positions(struct etc_tokens *t)
{
	uint64_t position = 0;

	for (size_t i = 0; i < t->run_count; i++) {
		struct etc_token_run *r = &t->runs[i];

		position = i && r->generation != r[-1].generation ? 0 : position;
		r->position = position;
		if (t->kinds[r->kind].role != ETC_TOKEN_OTHER &&
		    __builtin_add_overflow(position, t->positions ? r->tokens : 1, &position))
			position = UINT64_MAX;
	}
}

/* Classifies the first `count[g]` runs of generation g as prefill, and the other runs as decode. If
 * `each` is false, count[0] is the number for every generation. */
static void split(struct etc_tokens *t, const uint64_t *count, bool each)
{
	uint64_t in = 0;

	t->kind_count = 0;
	for (size_t i = 0; i < t->run_count; i++, in++) {
		struct etc_token_run *r = &t->runs[i];
		uint64_t of = count[each ? r->generation : 0];

		in = i && r->generation != r[-1].generation ? 0 : in;
		r->kind = known_kind(t, in < of ? ETC_TOKEN_PREFILL : ETC_TOKEN_DECODE);
	}
}

/* Returns how many runs one generation has if each run processes one token, computed from the
 * numbers of tokens that the runner printed. 0: the runner did not print both numbers. `last`:
 * the last generated token was also the input of a run. */
static uint64_t runs_of(const struct etc_token_stats *s, bool last)
{
	const double n = s->prompt_tokens + s->generated_tokens - (last ? 0 : 1);

	return s->prompt_tokens >= 1 && s->generated_tokens >= 0 && n < 1e9 ? (uint64_t)n : 0;
}

/* If there is only one dump: is its number of runs the sum of runs_of() over all generations of the
 * runner? Then the runner's numbers of tokens determine where each generation begins. False if
 * there are several dumps. `last`: see runs_of(). */
static bool lengths_fit(const struct etc_tokens *t, bool last)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->stats_count; i++) {
		uint64_t n = runs_of(&t->stats[i], last);

		if (n == 0)
			return false;
		sum += n;
	}
	return t->input_count == 1 && sum == t->run_count;
}

static void cut_by_lengths(struct etc_tokens *t, bool last)
{
	uint64_t left = 0;
	uint32_t next = 0;

	for (size_t i = 0; i < t->run_count; i++, left--) {
		while (left == 0)
			left = runs_of(&t->stats[next++], last);
		t->runs[i].generation = next - 1;
	}
	t->generation_count = t->stats_count;
}

/* Finds which runs are for prefill and which for decode, if each run processes one token. The
 * runner's report has the number of tokens of each prompt. `cut`: the report may also determine
 * where generations begin. */
static enum etc_status told_by_stats(struct etc_tokens *t, bool cut, struct etc_error *err)
{
	uint64_t *count = etc_new(&t->s->arena, uint64_t, t->stats_count);

	ETC_NEED(count, err);
	if (!t->one_token || !t->stats_count)
		return ETC_OK;
	for (uint32_t i = 0; i < t->stats_count; i++) {
		count[i] = t->stats[i].prompt_tokens >= 1 && t->stats[i].prompt_tokens < 1e9
		                   ? (uint64_t)t->stats[i].prompt_tokens
		                   : 0;
		if (!count[i])
			return ETC_OK;
	}
	if (cut && t->stats_count != t->generation_count) {
		const bool last = lengths_fit(t, true);

		if (last || lengths_fit(t, false))
			cut_by_lengths(t, last);
	}
	if (t->stats_count != t->generation_count)
		return ETC_OK;
	split(t, count, true);
	t->told = ETC_TOLD_STATS;
	t->how = etc_arena_printf(&t->s->arena,
	                          "each run takes one token (" ETC_STR_FMT
	                          "), and the runner's prompt_tokens",
	                          ETC_STR_ARG(t->how));
	return ETC_OK;
}

/* Adds the first row of the machine-readable table. It says how runs were divided into prefill
 * and decode: by an option, by names, ... or not at all. On the screen, this row is a line above
 * the tables. */
static enum etc_status add_told(struct etc_tokens *t, struct etc_error *err)
{
	static const char *const by[] = {
		[ETC_TOLD_NOT] = "not",       [ETC_TOLD_OPTION] = "option",
		[ETC_TOLD_NAMES] = "names",   [ETC_TOLD_PROGRAM] = "program",
		[ETC_TOLD_LOGGED] = "logged", [ETC_TOLD_STATS] = "runner",
		[ETC_TOLD_PATHS] = "paths",
	};
	const struct etc_token_row row = {
		.kind = ETC_STR("told"),
		.measure = by[t->told],
		.verdict =
			t->told == ETC_TOLD_NOT || t->told == ETC_TOLD_PATHS ? "cannot tell" : NULL,
		.why = t->how,
		.count = t->run_count,
	};

	return etc_tokens_add(t, &row, err);
}

/* Checks the number of runs, `count`, that the option `name` asks for. E0505: `of`, such as "the
 * dump", has only `runs` runs. */
static enum etc_status check_count(const char *name, const char *given, uint64_t count, size_t runs,
                                   const char *of, struct etc_error *err)
{
	if (!given || !runs || count <= runs)
		return ETC_OK;
	return etc_fail(err, E0505, "--%s '%s'; %s has %zu run%s", name, given, of, runs,
	                etc_plural(runs));
}

/* Checks the options --generation and --prefill; `length` and `prefill` are their values, or 0 if
 * an option was not given. E0505: no dump has as many runs as a generation should have, or no
 * generation has as many runs as its prefill should have. */
static enum etc_status check_counts(const struct etc_tokens *t, uint64_t prefill, uint64_t length,
                                    struct etc_error *err)
{
	size_t longest = 0, largest = 0, in = 0, of = 0;

	for (size_t i = 0; i < t->run_count; i++) {
		const struct etc_token_run *r = &t->runs[i];

		in = i && r->generation == r[-1].generation ? in + 1 : 1;
		of = i && r->file == r[-1].file ? of + 1 : 1;
		longest = in > longest ? in : longest;
		largest = of > largest ? of : largest;
	}
	ETC_TRY(check_count("generation", t->o->generation, length, largest,
	                    t->input_count > 1 ? "the longest dump" : "the dump", err));
	return check_count("prefill", t->o->prefill, prefill, longest,
	                   t->generation_count > 1 ? "the longest generation" : "the generation",
	                   err);
}

enum etc_status etc_tokens_classify(struct etc_tokens *t, struct etc_error *err)
{
	uint64_t prefill = 0, length = 0;
	const bool given = t->o->prefill != NULL;
	enum etc_token_told source;

	t->told = ETC_TOLD_NOT;
	t->one_token = t->positions = false;
	ETC_TRY(etc_opt_count("prefill", t->o->prefill, UINT32_MAX, &prefill, err));
	ETC_TRY(etc_opt_count("generation", t->o->generation, UINT32_MAX, &length, err));
	if (t->o->generation && length == 0)
		return etc_fail(err, E0505, "--generation '%s'; expected a whole number from 1",
		                t->o->generation);
	ETC_TRY(list_runs(t, err));
	if (given)
		t->told = ETC_TOLD_OPTION;
	else if (told_by_names(t))
		t->told = ETC_TOLD_NAMES;
	ETC_TRY(count_tokens(t, &source, err));
	if (t->told == ETC_TOLD_NOT && source != ETC_TOLD_NOT && told_by_tokens(t, source))
		t->told = (uint8_t)source;
	if (t->told == ETC_TOLD_NOT && !t->one_token && told_by_paths(t))
		t->told = ETC_TOLD_PATHS;
	if (t->kind_count == 0)
		(void)known_kind(t, ETC_TOKEN_RUN);
	number_generations(t, length);
	ETC_TRY(check_counts(t, prefill, length, err));
	if (given) {
		split(t, &prefill, false);
		t->how = etc_arena_printf(&t->s->arena,
		                          "--prefill: the first %llu of each generation",
		                          (unsigned long long)prefill);
	} else if (t->told == ETC_TOLD_NOT) {
		ETC_TRY(told_by_stats(t, length == 0, err));
	}
	t->positions = source != ETC_TOLD_NOT && tokens_agree(t);
	count_positions(t);
	if (t->told == ETC_TOLD_NOT) {
		t->how = ETC_STR("nothing, so all runs are one kind");
		if (t->run_count)
			etc_note(&t->s->notes, N1401, "%zu runs", t->run_count);
	}
	for (size_t i = 0; i < t->run_count; i++)
		t->kinds[t->runs[i].kind].runs++;
	return add_told(t, err);
}
