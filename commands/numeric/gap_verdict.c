/* gap_verdict.c -- decides which event caused an error; see gap_verdict.h.
 *
 * An error is proven to start at an event only if these conditions hold. (1) All inputs of the
 * event are known and correct. (2) Each node that lies between the event and its inputs in the
 * graph, and was not compared, is computed by the same event (as an inner node of a delegate), or
 * belongs to the same operator of the model. (3) Not all values that are computed from the event's
 * value are correct. */
#include "commands/numeric/gap_verdict.h"

#include <math.h>

#include "commands/numeric/gap_bound.h"
#include "base/number.h"
#include "model/builtin.h"

/* A value is clean if its relative difference is at most CLEAN_ULPS epsilons of its type. Rounding
 * alone is assumed to cause a relative difference of at most FINE_ULPS epsilons or ROUNDS,
 * whichever is smaller. However, COARSE_ULPS epsilons are always allowed; in coarse types such as
 * half, they are more than ROUNDS. */
#define CLEAN_ULPS  8.0
#define COARSE_ULPS 32.0
#define FINE_ULPS   1024.0
#define ROUNDS      1e-4
/* The largest relative difference that an approximation of a function (such as GELU) by a backend
 * causes. */
#define APPROXIMATES 1e-3
/* An error is clearly larger than the error of the inputs if it is more than this number times as
 * large. */
#define CLEARLY 4.0
/* The largest relative difference that a wrong layer is assumed to cause. A larger difference
 * suggests that the two sides had different inputs. */
#define ANOTHER_SAMPLE 0.5

/* The outputs of one instruction for which it is unknown which node computed them. For each of
 * these outputs, only a list of possible nodes is known. */
struct choice {
	uint32_t rows; /* number of lines (struct etc_gap_line) with these outputs */
	bool compared; /* all lines with these outputs were compared */
};

struct judge {
	struct etc_gap_verdicts *v;
	struct etc_arena *arena;
	const struct etc_gap_flow *flow; /* NULL: no graph */
	uint32_t n;                      /* number of lines of the graph */
	double *known;                   /* error of each line of the graph; -1: not compared */
	bool *clean, *mark, *from;
	bool *fed; /* fed[line]: is the line computed from a model input? */
	/* per line: which of its outputs other lines read; see find_used() */
	uint32_t *used;
	/* choices[i] describes the outputs of nodes->calls[i]; NULL: the nodes of all values are
	 * known */
	struct choice *choices;
};

static double rounding(const struct etc_gap_line *l)
{
	double fine = FINE_ULPS * l->epsilon < ROUNDS ? FINE_ULPS * l->epsilon : ROUNDS;

	return fine > COARSE_ULPS * l->epsilon ? fine : COARSE_ULPS * l->epsilon;
}

static bool is_clean(const struct etc_gap_line *l)
{
	return l->relative <= CLEAN_ULPS * l->epsilon;
}

bool etc_gap_is_carried(const struct etc_gap_line *l)
{
	double small = rounding(l);

	if (isinf(l->relative))
		return isinf(l->input);
	return l->relative <= (l->input > small ? CLEARLY * l->input : small);
}

/* ---- dependences along the graph ----------------------------------------------------- */

static bool is_among(const struct etc_node *n, const char *const *parts, size_t count)
{
	for (size_t i = 0; n && i < count; i++)
		if (etc_str_find(n->op, etc_str_of(parts[i]), 0) != SIZE_MAX)
			return true;
	return false;
}

/* Is the operator of line `i` discontinuous, so that a small difference of an input may become a
 * large one? An operator that selects elements, such as topk, is discontinuous only in its indices.
 * So it counts as discontinuous only if its indices are read. */
static bool decides(const struct judge *j, uint32_t i)
{
	static const char *const steps[] = {
		".round.",  ".floor.",     ".ceil.",         ".trunc.",   ".sign.",
		".fmod.",   ".remainder.", ".floor_divide.", "_mode",     ".argmax.",
		".argmin.", ".gt.",        ".lt.",           ".ge.",      ".le.",
		".eq.",     ".ne.",        ".bucketize.",    "quantize_", ".nonzero."
	};
	static const char *const selections[] = { ".topk.", ".sort.", ".max.dim", ".min.dim" };
	const struct etc_graph_line *line = &j->v->graph->lines.v[i];

	return line->op == ETC_LINE_CALL &&
	       (is_among(line->node, steps, sizeof steps / sizeof steps[0]) ||
	        (j->used[i] != 1 &&
	         is_among(line->node, selections, sizeof selections / sizeof selections[0])));
}

/* Sets j->mark for line `at`, and for the lines that it depends on, directly or through other
 * lines. Does not go beyond compared lines: such a line is marked, but not the lines that it
 * depends on. */
static void mark_sources(struct judge *j, uint32_t at)
{
	memset(j->mark, 0, j->n * sizeof *j->mark);
	j->mark[at] = true;
	for (uint32_t i = at + 1; i-- > 0;)
		for (uint32_t k = j->flow->first_input[i];
		     j->mark[i] && (i == at || j->known[i] < 0) && k < j->flow->first_input[i + 1];
		     k++)
			j->mark[j->flow->inputs[k]] = true;
}

/* Do all values that were computed from line `at` have only small errors (is_clean()), and was at
 * least one of these values compared? In place of a line that was not compared, the lines that read
 * it are examined. */
static bool consumers_are_clean(struct judge *j, uint32_t at)
{
	bool clean = false;

	memset(j->mark, 0, j->n * sizeof *j->mark);
	j->mark[at] = true;
	for (uint32_t i = at + 1; i < j->n; i++)
		for (uint32_t k = j->flow->first_input[i]; k < j->flow->first_input[i + 1]; k++) {
			if (!j->mark[j->flow->inputs[k]])
				continue;
			if (j->known[i] < 0)
				j->mark[i] = true;
			else if (!j->clean[i])
				return false;
			else
				clean = true;
		}
	return clean;
}

static bool is_of_handle(const struct etc_graph_line *line, int64_t handle)
{
	return line->op == ETC_LINE_CALL && line->node && line->node->debug_handle.count &&
	       line->node->debug_handle.v[0] == handle;
}

/* Returns the last line that meets three conditions: `l` depends on it; it was not compared;
 * another event or an earlier run computed it. NULL: there is no such line. Lines of the same
 * operator of the model as `l` are not returned; if another event computed one of them, sets
 * l->is_spread. Sets *step if `l`, or a line that `l` depends on and that was not compared, rounds
 * or is discontinuous. */
static const struct etc_graph_line *unseen_source(struct judge *j, struct etc_gap_line *l,
                                                  bool *step)
{
	const struct etc_gap_graph *g = j->v->graph;

	mark_sources(j, l->line);
	for (uint32_t i = l->line + 1; i-- > 0;) {
		int32_t owner = j->v->nodes->owner[i];

		if (!j->mark[i] || (i != l->line && j->known[i] >= 0))
			continue;
		*step |= decides(j, i);
		if (j->v->later && g->lines.v[i].input == ETC_INPUT_CHANGED)
			return &g->lines.v[i];
		/* A line that the same event computes, or that no instruction computes, is no
		 * reason for doubt. If another event computes a line of the same operator of the
		 * model, only l->is_spread is set. */
		if (owner == l->instruction || owner == ETC_GAP_NOBODY || (i == l->line && l->may))
			continue;
		if (!is_of_handle(&g->lines.v[i], l->handle))
			return &g->lines.v[i];
		l->is_spread = true;
	}
	return NULL;
}

/* May a backend have computed line `l`, or a line that is marked in j->mark, by formulas that
 * differ from those of the reference? */
static bool may_approximate(const struct judge *j, const struct etc_gap_line *l)
{
	const struct etc_gap_call *c = etc_gap_call_of(j->v->nodes, l->instruction);
	const struct etc_graph_lines *lines = &j->v->graph->lines;
	const struct etc_builtin *backend = c ? etc_builtin_of(c->backend) : NULL;
	bool may = !backend || !backend->same_formulas || l->epsilon > 0x1p-23;

	for (uint32_t i = 0; i <= l->line && !may; i++)
		may = j->mark[i] && (i == l->line || j->known[i] < 0) &&
		      lines->v[i].op == ETC_LINE_CALL && !etc_gap_bound_same_formula(&lines->v[i]);
	return may;
}

/* Sets *why to the reason why it is not proven that `l` causes the error; to an empty text if it is
 * proven. */
static enum etc_status doubt_along_graph(struct judge *j, struct etc_gap_line *l,
                                         struct etc_str *why, struct etc_error *err)
{
	bool step = l->is_integer;
	const struct etc_graph_line *unseen = unseen_source(j, l, &step);
	const struct etc_gap_bound bound = {
		.graph = j->v->graph,
		.run = j->v->run,
		.reference = j->v->reference,
		.mark = j->mark,
		.known = j->known,
		.line = l,
		.allowed = rounding(l),
		.fed_most = j->v->fed_most,
	};

	if (unseen)
		*why = etc_arena_printf(
			j->arena, "it may come from " ETC_STR_FMT ", whose value was not compared",
			ETC_STR_ARG(unseen->name));
	else if (l->approximates && l->relative <= APPROXIMATES && may_approximate(j, l))
		*why = ETC_STR("a backend's other formulas make as much");
	else if (step && l->input > 0)
		*why = ETC_STR("it rounds or decides: the small error of its inputs may do it");
	else
		ETC_TRY(etc_gap_bound_doubt(&bound, j->arena, why, err));
	return ETC_OK;
}

/* Sets *out to the lines of the graph that may have computed the value of `l`. Returns their
 * number. */
static uint32_t lines_of(const struct etc_gap_line *l, const uint32_t **out)
{
	*out = l->may ? l->may : &l->line;
	return l->may ? l->may_count : 1;
}

/* Checks whether it is proven that `l` causes the error. If several lines of the graph may have
 * computed the value of `l`, each of them is checked as if it had. If the proof fails for one of
 * them, sets l->problem to the reason. */
static enum etc_status doubt_all(struct judge *j, struct etc_gap_line *l, struct etc_error *err)
{
	const uint32_t *lines;
	uint32_t count = lines_of(l, &lines), line = l->line;
	bool clean = true;

	for (uint32_t i = 0; i < count && !l->problem.len; i++) {
		l->line = lines[i];
		ETC_TRY(doubt_along_graph(j, l, &l->problem, err));
		clean &= consumers_are_clean(j, l->line);
	}
	l->line = line;
	if (!l->problem.len && clean)
		l->problem = ETC_STR("all that was made of it is right");
	return ETC_OK;
}

/* Returns the largest error of the inputs of the lines that may have computed the value of `l`. */
static double input_of(const struct judge *j, const struct etc_gap_line *l)
{
	const uint32_t *lines;
	uint32_t count = lines_of(l, &lines);
	double most = 0;

	for (uint32_t i = 0; i < count; i++) {
		double one = etc_gap_flow_input(j->flow, lines[i]);

		most = one > most ? one : most;
	}
	return most;
}

/* Finds the outputs of each node that other nodes read: bit k of used[line] is set if output k is
 * read. An output that is not read does not affect later values. Such an output is the mean that
 * the kernel of a layer normalisation also returns. */
static void find_used(const struct judge *j)
{
	uint32_t *used = j->used;
	const uint32_t *first = j->flow->first_input, *inputs = j->flow->inputs;

	for (uint32_t i = 0; i < j->n; i++)
		used[i] = 1;
	for (uint32_t i = 0; i < j->n; i++)
		for (uint32_t k = first[i]; k < first[i + 1]; k++) {
			const struct etc_graph_line *from = &j->v->graph->lines.v[inputs[k]];
			uint64_t item;

			if (etc_str_eq(from->target, ETC_STR("_operator.getitem")) &&
			    from->argument_count > 1 && first[inputs[k]] < first[inputs[k] + 1] &&
			    etc_number_parse_u64(from->arguments[1].text, &item) && item < 32)
				used[inputs[first[inputs[k]]]] |= 1U << item;
		}
}

/* ---- the model's inputs --------------------------------------------------------------- */

/* Returns the number of inputs of line `i` that were computed from an input of the model. */
static uint32_t fed_inputs(const struct judge *j, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t k = j->flow->first_input[i]; k < j->flow->first_input[i + 1]; k++)
		n += j->fed[j->flow->inputs[k]];
	return n;
}

/* Does every change of the input of line `i` also change the line's value? Which elements change,
 * and by how much, does not matter. The value of a slice, a maximum, an activation or a
 * normalisation may stay the same. The value of a sum, or of a product with constants, changes if
 * none of its other inputs was computed from the model's inputs. */
static bool keeps_input(const struct judge *j, uint32_t i)
{
	static const char *const places[] = { "view_copy",    "view",
		                              "permute_copy", "permute",
		                              "t_copy",       "transpose_copy",
		                              "expand_copy",  "unsqueeze_copy",
		                              "squeeze_copy", "alias_copy",
		                              "clone",        "_clone_dim_order",
		                              "detach_copy",  "cat",
		                              "neg",          NULL };
	static const char *const sums[] = { "add",    "sub",    "mm",        "addmm", "bmm",
		                            "linear", "matmul", "embedding", NULL };
	const struct etc_graph_line *line = &j->v->graph->lines.v[i];
	struct etc_str op, stride;

	if (line->op != ETC_LINE_CALL || !line->node || !etc_str_eq(line->node->name, line->name))
		return false;
	op = etc_gap_operator_of(line->node);
	if (etc_str_is_one_of(op, places))
		return true;
	if (fed_inputs(j, i) != 1)
		return false;
	if (!etc_str_eq(op, ETC_STR("convolution")))
		return etc_str_is_one_of(op, sums);
	/* a convolution with a larger stride may leave out elements of its input */
	stride = line->argument_count > 3 ? line->arguments[3].text : ETC_STR_NONE;
	return etc_str_eq(stride, ETC_STR("[1]")) || etc_str_eq(stride, ETC_STR("[1, 1]"));
}

/* Is it proven that line `input`, an input of the model, has the same value on both sides? The
 * proof is a line that every change of the input would change (keeps_input()), and whose value is
 * clean (with `equal`: equal on both sides). Line `except` is no proof, nor is a line that gets the
 * input only through `except`. */
static bool input_agrees(struct judge *j, uint32_t input, uint32_t except, bool equal)
{
	const uint32_t *first = j->flow->first_input;

	memset(j->from, 0, j->n * sizeof *j->from);
	j->from[input] = true;
	for (uint32_t i = input + 1; i < j->n; i++) {
		for (uint32_t k = first[i]; k < first[i + 1]; k++)
			j->from[i] |= j->from[j->flow->inputs[k]];
		j->from[i] = j->from[i] && i != except && keeps_input(j, i);
		if (j->from[i] && (j->known[i] == 0 || (!equal && j->known[i] > 0 && j->clean[i])))
			return true;
	}
	return false;
}

/* Is it proven that both sides had the same model inputs? Examines only those inputs of the model
 * from which `l` was computed without a compared value in between. */
static bool had_same_inputs(struct judge *j, const struct etc_gap_line *l, bool equal)
{
	const uint32_t *lines;
	uint32_t count = lines_of(l, &lines);

	if (j->v->same_inputs || !j->flow)
		return j->v->same_inputs;
	for (uint32_t c = 0; c < count; c++) {
		if (lines[c] >= j->n)
			return false;
		mark_sources(j, lines[c]);
		for (uint32_t i = 0; i < lines[c]; i++)
			if (j->mark[i] && etc_gap_is_model_input(&j->v->graph->lines.v[i]) &&
			    !input_agrees(j, i, lines[c], equal))
				return false;
	}
	return true;
}

static bool may_be(const uint32_t *may, uint32_t count, uint32_t line)
{
	for (uint32_t i = 0; i < count; i++)
		if (may[i] == line)
			return true;
	return false;
}

/* Finds those outputs of instruction `c` that `line` may have computed; if there are none, all
 * outputs of `c` whose node is unknown. Raises *worst to the largest error of these outputs. Clears
 * *clean if one of these outputs has a larger error than is_clean() allows. */
static void read_rows(const struct judge *j, const struct etc_gap_call *c, uint32_t line,
                      double *worst, bool *clean)
{
	bool found = false;

	for (uint32_t i = 0; i < j->v->count; i++)
		found |= j->v->lines[i].instruction == c->instruction &&
		         may_be(j->v->lines[i].may, j->v->lines[i].may_count, line);
	for (uint32_t i = 0; i < j->v->count; i++) {
		const struct etc_gap_line *l = &j->v->lines[i];

		if (!l->may || l->instruction != c->instruction ||
		    (found && !may_be(l->may, l->may_count, line)))
			continue;
		*clean &= is_clean(l);
		*worst = l->relative > *worst ? l->relative : *worst;
	}
}

/* Sets the error of a line for which it is unknown which call computed it. The error is the largest
 * error of the calls that may have computed the line, without the call `other`. If one of these
 * calls was not compared, the error is -1. */
static void learn_line(struct judge *j, uint32_t line, const struct etc_gap_call *other)
{
	const struct etc_gap_nodes *n = j->v->nodes;
	double worst = -1;
	bool clean = true;

	j->known[line] = -1;
	for (uint32_t k = n->first_call[line]; k < n->first_call[line + 1]; k++) {
		const struct etc_gap_call *c = &n->calls[n->may_call[k]];
		const struct choice *what = &j->choices[n->may_call[k]];
		uint32_t rows = 0;

		if (c == other)
			continue;
		for (uint32_t i = 0; i < c->output_count; i++)
			rows += c->outputs[i] == UINT32_MAX;
		if (!may_be(c->may, c->may_count, line) || !what->compared ||
		    what->rows < (c->is_delegate ? rows : 1))
			return;
		read_rows(j, c, line, &worst, &clean);
	}
	j->clean[line] = clean;
	j->known[line] = worst;
}

static enum etc_status learn_choices(struct judge *j, struct etc_error *err)
{
	const struct etc_gap_nodes *n = j->v->nodes;

	j->choices = etc_new(j->arena, struct choice, n->call_count);
	ETC_NEED(j->choices, err);
	for (uint32_t i = 0; i < j->v->count; i++) {
		const struct etc_gap_line *l = &j->v->lines[i];
		const struct etc_gap_call *c = etc_gap_call_of(n, l->instruction);
		struct choice *what = c ? &j->choices[c - n->calls] : NULL;

		if (!l->may || !what)
			continue;
		what->compared = l->compared && (what->compared || !what->rows);
		what->rows++;
	}
	for (uint32_t i = 0; i < j->n; i++)
		if (j->known[i] < 0 && n->first_call[i] < n->first_call[i + 1])
			learn_line(j, i, NULL);
	return ETC_OK;
}

static bool counts(const struct judge *j, const struct etc_gap_line *l)
{
	return !l->may && l->line < j->n &&
	       (l->item < 0 || l->item >= 32 || (j->used[l->line] >> l->item & 1));
}

static void find_fed(const struct judge *j)
{
	for (uint32_t i = 0; i < j->n; i++)
		j->fed[i] = etc_gap_is_model_input(&j->v->graph->lines.v[i]) || fed_inputs(j, i);
}

static enum etc_status prepare(struct judge *j, struct etc_error *err)
{
	struct etc_gap_verdicts *v = j->v;

	j->n = v->graph ? v->graph->lines.count : 0;
	j->flow = v->graph ? &v->graph->flow : NULL;
	j->known = etc_new(j->arena, double, j->n);
	j->clean = etc_new(j->arena, bool, j->n);
	j->mark = etc_new(j->arena, bool, j->n);
	j->from = etc_new(j->arena, bool, j->n);
	j->fed = etc_new(j->arena, bool, j->n);
	j->used = etc_new(j->arena, uint32_t, j->n);
	ETC_NEED(j->known && j->clean && j->mark && j->from && j->fed && j->used, err);
	for (uint32_t i = 0; i < j->n; i++)
		j->known[i] = -1;
	if (v->graph) {
		find_used(j);
		find_fed(j);
	}
	for (uint32_t i = 0; i < v->count; i++) {
		const struct etc_gap_line *l = &v->lines[i];

		if (!l->compared || !counts(j, l))
			continue;
		j->clean[l->line] = is_clean(l) && (j->known[l->line] < 0 || j->clean[l->line]);
		if (l->relative > j->known[l->line])
			j->known[l->line] = l->relative;
	}
	/* All outputs of a node are on one line of the graph. So the error of the line is known
	 * only if all of these outputs were compared. */
	for (uint32_t i = 0; i < v->count; i++)
		if (!v->lines[i].compared && counts(j, &v->lines[i]))
			j->known[v->lines[i].line] = -1;
	if (v->nodes && v->nodes->first_call)
		ETC_TRY(learn_choices(j, err));
	if (v->graph)
		etc_gap_flow_run(&v->graph->flow, j->known);
	return ETC_OK;
}

/* ---- outputs in the order of execution -------------------------------------------------- */

/* Is the value `at` certainly an output of its instruction? A delegate logs its inputs before its
 * outputs, so the last of its arguments is certainly an output. If a record has the number n of
 * outputs, the last n arguments are certainly outputs. For an argument, this function returns true
 * only if, in addition, all arguments before it are clean. */
static bool is_sure_output(const struct judge *j, uint32_t at)
{
	const struct etc_gap_line *l = &j->v->lines[at];
	const struct etc_gap_call *c = NULL;
	uint32_t end = at + 1;
	bool last;

	if (l->item < 0 || !l->is_delegate)
		return true;
	while (end < j->v->count && j->v->lines[end].item > j->v->lines[end - 1].item)
		end++;
	if (j->v->calls && l->value->logged->what == ETC_LOGGED_ARGUMENT &&
	    l->value->logged->of->event->chain == 0)
		c = etc_gap_call_of(j->v->calls, l->instruction);
	last = end - at <= (c ? c->output_count : 1);
	for (uint32_t i = at; last && i-- > 0 && j->v->lines[i].item < j->v->lines[i + 1].item;)
		if (!is_clean(&j->v->lines[i]))
			return false;
	return last;
}

static struct etc_str doubt_in_order(const struct judge *j, uint32_t at, bool all)
{
	const struct etc_gap_line *l = &j->v->lines[at];

	if (!all)
		return ETC_STR("not all values before it were compared, and no graph tells what it "
		               "was made of");
	if (!is_sure_output(j, at))
		return ETC_STR("it may be an input of the delegate: no ETRecord tells");
	if (j->v->calls && j->v->later)
		return ETC_STR("an earlier run may have left another state");
	if (l->input > 0)
		return ETC_STR(
			"values before it differ a little, and no graph tells what it makes of "
			"them");
	return ETC_STR_NONE;
}

/* ---- verdicts ----------------------------------------------------------------------------- */

/* Sets the verdict of a value whose error is not explained by its inputs. `all`: all values before
 * this value were compared. */
static enum etc_status blame(struct judge *j, uint32_t at, bool all, struct etc_error *err)
{
	struct etc_gap_verdicts *v = j->v;
	struct etc_gap_line *l = &v->lines[at];
	bool same;

	l->verdict = ETC_GAP_RISES;
	if (v->starts || l->input > rounding(l))
		return ETC_OK;
	same = had_same_inputs(j, l, false);
	if (v->other_inputs)
		l->problem =
			ETC_STR("the run was given other inputs or constants than the reference");
	else if (!same && v->near_inputs)
		l->problem = ETC_STR("the inputs of both sides differ a little");
	else if (!same && j->flow && l->relative > ANOTHER_SAMPLE)
		l->problem = ETC_STR("nothing shows that both sides had the same inputs: "
		                     "others may have been given");
	else if (!j->flow && l->approximates && l->relative <= APPROXIMATES)
		l->problem = ETC_STR("a backend's other formulas make as much");
	else if (j->flow && !l->may && l->line >= j->n)
		l->problem = ETC_STR("the graph has no such node");
	else if (j->flow)
		ETC_TRY(doubt_all(j, l, err));
	else
		l->problem = doubt_in_order(j, at, all);
	if (l->problem.len) {
		l->verdict = ETC_GAP_UNKNOWN;
		l->first_seen = !v->unproven;
		v->unproven = true;
		return ETC_OK;
	}
	l->verdict = same ? ETC_GAP_STARTS : ETC_GAP_STARTS_IF;
	if (!same)
		l->problem = ETC_STR("only if both sides had the same inputs: nothing shows that");
	v->starts++;
	return ETC_OK;
}

/* Calls learn_line() for each line that may have been computed by the call that gave the value of
 * `l`. If `past` is set, learn_line() leaves out this call. */
static void look_past(struct judge *j, const struct etc_gap_line *l, bool past)
{
	const struct etc_gap_call *c = etc_gap_call_of(j->v->nodes, l->instruction);

	for (uint32_t i = 0; c && j->choices && i < c->may_count; i++)
		learn_line(j, c->may[i], past ? c : NULL);
	etc_gap_flow_run(&j->v->graph->flow, j->known);
}

/* Did both sides compute the value by the same operators from equal values? If so, a difference
 * that is not small cannot be explained by rounding. */
static bool has_other_bits(struct judge *j, struct etc_gap_line *l)
{
	bool step = false, spread = l->is_spread, same;

	if (!j->v->same_program || !j->flow || l->may || l->line >= j->n || l->input > 0 ||
	    l->approximates || !etc_str_eq(l->name, l->reference_name))
		return false;
	same = !unseen_source(j, l, &step) && had_same_inputs(j, l, true);
	l->is_spread = spread;
	return same;
}

static enum etc_status judge_line(struct judge *j, uint32_t at, double before, bool all,
                                  struct etc_error *err)
{
	struct etc_gap_line *l = &j->v->lines[at];
	double clean = CLEAN_ULPS * l->epsilon, base;

	l->input = j->flow && (l->may || l->line < j->n) ? input_of(j, l) : before;
	base = l->input > clean ? l->input : clean;
	l->rise = l->relative == 0 ? 0 : l->relative / base;
	if (isinf(l->relative))
		l->rise = isinf(l->input) ? 1 : (double)INFINITY;
	if (is_clean(l))
		l->verdict = ETC_GAP_CLEAN;
	else if (etc_gap_is_carried(l)) {
		l->verdict = ETC_GAP_CARRIES;
		l->other_bits = has_other_bits(j, l);
	} else {
		ETC_TRY(blame(j, at, all, err));
	}
	return ETC_OK;
}

enum etc_status etc_gap_judge(struct etc_gap_verdicts *v, struct etc_arena *arena,
                              struct etc_error *err)
{
	struct judge j = { .v = v, .arena = arena };
	double before = 0;
	bool all = v->all;

	v->starts = 0;
	v->unproven = false;
	ETC_TRY(prepare(&j, err));
	for (uint32_t i = 0; i < v->count; i++) {
		struct etc_gap_line *l = &v->lines[i];

		if (!l->compared) {
			all = false;
			continue;
		}
		if (l->may)
			look_past(&j, l, true);
		ETC_TRY(judge_line(&j, i, before, all, err));
		if (l->may)
			look_past(&j, l, false);
		before = l->relative > before ? l->relative : before;
	}
	return ETC_OK;
}
