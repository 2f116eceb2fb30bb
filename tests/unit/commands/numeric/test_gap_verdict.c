/* test_gap_verdict.c -- finding the event at which an error is proven to start. */
#include "gap_fixture.h"

#include <math.h>

#include "commands/numeric/gap_verdict.h"

/* A weight of the record. */
struct made_weight {
	const char *name;
	float v[MADE_ELEMENTS * MADE_ELEMENTS];
	int64_t sizes[2];
	uint32_t rank;
};

/* The values that the run and the reference have for a line of the graph. */
struct made_value {
	const char *name;
	float run[MADE_ELEMENTS], reference[MADE_ELEMENTS];
	/* names of the lines that the value may be of; none: it is of the line `name` */
	const char *may[3];
	/* instruction of the delegate that logged the value; 0: a kernel logged it. Used with
	 * `may` */
	int32_t delegate;
	/* for the entry after the last value: a node inside a delegate, which no value was logged
	 * for */
	bool inside;
};

static const int64_t four = MADE_ELEMENTS;

static void index_run(struct fixture *f, struct etc_gap_run *run, struct etc_gap_value *values,
                      uint32_t count)
{
	*run = (struct etc_gap_run){ .values = values, .count = count };
	etc_map_init(&run->index, &f->arena);
	for (uint32_t i = 0; i < count; i++) {
		char *key = (char *)etc_new(&f->arena, uint8_t, 12);

		memcpy(key, &values[i].key, 8);
		memcpy(key + 8, &values[i].occurrence, 4);
		etc_map_add(&run->index, (struct etc_str){ key, 12 }, i);
	}
}

/* Returns the value `v` of a line, as the run or the reference has it. */
static struct etc_gap_value value_of(struct fixture *f, uint32_t line, const float *v)
{
	struct etc_logged *l = etc_new(&f->arena, struct etc_logged, 1);

	log_floats(f, l, v, &four);
	return (struct etc_gap_value){ .key = line, .logged = l, .count = 1 };
}

/* Returns a state dict with the weights `w`; one without a name ends them. */
static const struct etc_ref_value *dict_of(struct fixture *f, const struct made_weight *w)
{
	struct etc_ref_value *dict = etc_new(&f->arena, struct etc_ref_value, 1);
	const struct etc_ref_value **items =
		etc_new(&f->arena, const struct etc_ref_value *, 2 * MADE_MOST);

	dict->kind = ETC_REF_DICT;
	dict->items = items;
	for (; w->name; w++) {
		struct etc_ref_value *v = etc_new(&f->arena, struct etc_ref_value, 2);
		struct etc_ref_tensor *t = etc_new(&f->arena, struct etc_ref_tensor, 1);
		int64_t *strides = etc_new(&f->arena, int64_t, 2);
		uint64_t count = 1;

		for (uint32_t d = w->rank; d-- > 0; count *= (uint64_t)w->sizes[d])
			strides[d] = (int64_t)count;
		*t = (struct etc_ref_tensor){
			.dtype = etc_torch_dtype(ETC_STR("float32")),
			.storage = etc_new(&f->arena, struct etc_ref_storage, 1),
			.sizes = w->sizes,
			.strides = strides,
			.rank = w->rank,
			.count = count,
			.bytes = { (const uint8_t *)w->v, (size_t)count * sizeof *w->v },
		};
		v[0] = (struct etc_ref_value){ .kind = ETC_REF_STRING,
			                       .text = etc_str_of(w->name) };
		v[1] = (struct etc_ref_value){ .kind = ETC_REF_TENSOR, .tensor = t };
		items[dict->count++] = &v[0];
		items[dict->count++] = &v[1];
	}
	return dict;
}

static double relative_of(const struct made_value *v)
{
	double off = 0, whole = 0;

	for (int i = 0; i < MADE_ELEMENTS; i++) {
		double d = (double)v->run[i] - (double)v->reference[i];

		off += d * d;
		whole += (double)v->reference[i] * (double)v->reference[i];
	}
	return sqrt(off / whole);
}

/* Fills `l` for a value that may be of several lines, and adds the call that logged it to `nodes`.
 * If the call is there already, it gets one output more. */
static void add_choice(struct fixture *f, struct etc_gap_nodes *nodes, const struct made_value *of,
                       struct etc_gap_line *l)
{
	struct etc_gap_call *c = &nodes->calls[nodes->call_count];
	uint32_t *may = etc_new(&f->arena, uint32_t, 3);
	const struct etc_gap_call *before = etc_gap_call_of(nodes, of->delegate);

	l->line = UINT32_MAX;
	l->may = may;
	while (l->may_count < 3 && of->may[l->may_count]) {
		may[l->may_count] = line_named(nodes->graph, of->may[l->may_count]);
		nodes->owner[may[l->may_count++]] = of->delegate ? of->delegate : ETC_GAP_UNSURE;
	}
	l->instruction = of->delegate ? of->delegate : 100 + (int32_t)nodes->call_count;
	l->is_delegate = of->delegate != 0;
	if (before) {
		nodes->calls[before - nodes->calls].output_count++;
		return;
	}
	c->instruction = l->instruction;
	c->is_delegate = l->is_delegate;
	c->outputs = etc_new(&f->arena, uint32_t, 3);
	memset(c->outputs, 0xff, 3 * sizeof *c->outputs);
	c->output_count = 1;
	c->may = l->may;
	c->may_count = l->may_count;
	etc_map_add(&nodes->of_instruction,
	            (struct etc_str){ (const char *)&c->instruction, sizeof c->instruction },
	            nodes->call_count++);
}

/* Lists for each line of the graph the calls that may have computed it. */
static void list_calls(struct fixture *f, struct etc_gap_nodes *nodes)
{
	uint32_t *first = etc_new(&f->arena, uint32_t, MADE_MOST + 1);
	uint32_t *calls = etc_new(&f->arena, uint32_t, MADE_MOST * 3), count = 0;

	for (uint32_t i = 0; i < nodes->graph->lines.count; first[++i] = count)
		for (uint32_t c = 0; c < nodes->call_count; c++) {
			bool may = nodes->owner[i] == nodes->calls[c].instruction;

			for (uint32_t k = 0; k < nodes->calls[c].may_count; k++)
				may |= nodes->calls[c].may[k] == i;
			if (may)
				calls[count++] = c;
		}
	nodes->first_call = first;
	nodes->may_call = calls;
}

/* Judges the values of a run, each logged by an instruction of its own. Returns the verdict on the
 * value `name`; *problem gets the reason. */
static uint8_t verdict_with(struct fixture *f, const struct made_line *made,
                            const struct made_weight *weights, const struct made_value *values,
                            const char *name, struct etc_str *problem)
{
	struct etc_gap_graph *g = make_graph(f, made);
	const struct made_value *inner;
	struct etc_gap_value run[MADE_MOST], reference[MADE_MOST];
	struct etc_gap_run a, b;
	int32_t owner[MADE_MOST];
	struct etc_gap_line lines[MADE_MOST];
	struct etc_gap_call calls[MADE_MOST] = { 0 };
	struct etc_gap_nodes nodes = { .graph = g, .owner = owner, .calls = calls };
	struct etc_gap_verdicts v = { .lines = lines,
		                      .graph = g,
		                      .nodes = &nodes,
		                      .run = &a,
		                      .reference = &b,
		                      .later = f->later,
		                      .fed_most = 1 };

	g->weights = weights ? dict_of(f, weights) : NULL;
	etc_map_init(&nodes.of_instruction, &f->arena);
	for (uint32_t i = 0; i < g->lines.count; i++)
		owner[i] = ETC_GAP_NOBODY;
	for (; values[v.count].name; v.count++) {
		const struct made_value *of = &values[v.count];
		uint32_t line = of->may[0] ? 1000 + v.count : line_named(g, of->name);

		if (!of->may[0])
			owner[line] = (int32_t)line;
		run[v.count] = value_of(f, line, of->run);
		reference[v.count] = value_of(f, line, of->reference);
		lines[v.count] =
			(struct etc_gap_line){ .item = -1,
			                       .instruction = (int32_t)line,
			                       .line = line,
			                       .handle = of->may[0] ? 1 : made[line].handle,
			                       .has_handle = true,
			                       .value = &run[v.count],
			                       .other = &reference[v.count],
			                       .compared = !isnan(of->run[0]),
			                       .epsilon = f->epsilon > 0 ? f->epsilon : 0x1p-23,
			                       .relative = relative_of(of) };
		if (of->may[0])
			add_choice(f, &nodes, of, &lines[v.count]);
	}
	/* the entry after the last value: a node inside a delegate, which no value was logged
	 * for */
	inner = &values[v.count + 1];
	if (v.count && values[v.count - 1].inside && inner->name)
		owner[line_named(g, inner->name)] = inner->delegate;
	list_calls(f, &nodes);
	index_run(f, &a, run, v.count);
	index_run(f, &b, reference, v.count);
	assert_ok(etc_gap_judge(&v, &f->arena, &f->err), &f->err);
	for (uint32_t i = 0; i < v.count; i++)
		if (strcmp(values[i].name, name) == 0) {
			*problem = lines[i].problem;
			return lines[i].verdict;
		}
	fail_msg("no value %s", name);
	return 0;
}

static uint8_t verdict_of(struct fixture *f, const struct made_line *made,
                          const struct made_value *values, const char *name,
                          struct etc_str *problem)
{
	return verdict_with(f, made, NULL, values, name, problem);
}

/* A value that is computed only from a number in the model's source is right for any input. So it
 * does not show that both sides had the same input, and a first layer that is wrong may have had
 * another input. */
static void a_clean_number_does_not_show_that_the_inputs_agree(void **state)
{
	static const struct made_value values[] = {
		{ "number", { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { NULL }, 0, false },
		{ "layer", { 1, -2, 3, -4 }, { -1, 2, 3, 4 }, { NULL }, 0, false },
		{ "y", { -1, 2, -3, 4 }, { 1, -2, -3, -4 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	struct made_line lines[] = {
		{ .name = "x" },
		{ .name = "_lifted_tensor_constant0" },
		{ "number", "aten.neg.default", 1, { "_lifted_tensor_constant0" }, 0 },
		{ "layer", "aten.relu.default", 2, { "x" }, 0 },
		{ "y", "aten.neg.default", 3, { "layer" }, 0 },
		{ .name = NULL },
	};
	struct etc_str problem;

	assert_int_equal(verdict_of(*state, lines, values, "layer", &problem), ETC_GAP_UNKNOWN);
	assert_str(problem, "nothing shows that both sides had the same inputs: others may have "
	                    "been given");
	lines[2].arguments[0] = "x";
	assert_int_equal(verdict_of(*state, lines, values, "layer", &problem), ETC_GAP_STARTS);
}

/* A cache has what earlier runs left there, which may be wrong. */
static void an_error_may_come_from_a_buffer_that_an_earlier_run_changed(void **state)
{
	static const struct made_value values[] = {
		{ "witness", { -1, 2, -3, 4 }, { -1, 2, -3, 4 }, { NULL }, 0, false },
		{ "sum", { 1, -2, 3, -4 }, { 1.02f, -2, 3, -4 }, { NULL }, 0, false },
		{ "y", { -1, 2, -3, 4 }, { -1.02f, 2, -3, 4 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	static const struct made_line lines[] = {
		{ .name = "x" },
		{ .name = "b_cache" },
		{ "witness", "aten.neg.default", 1, { "x" }, 0 },
		{ "sum", "aten.add.Tensor", 2, { "x", "b_cache" }, 0 },
		{ "y", "aten.neg.default", 3, { "sum" }, 0 },
		{ .name = NULL },
	};
	struct fixture *f = *state;
	struct etc_str problem;

	f->changed = "b_cache";
	assert_int_equal(verdict_of(f, lines, values, "sum", &problem), ETC_GAP_STARTS);
	f->later = true;
	assert_int_equal(verdict_of(f, lines, values, "sum", &problem), ETC_GAP_UNKNOWN);
	assert_str(problem, "it may come from b_cache, whose value was not compared");
	f->changed = NULL;
	assert_int_equal(verdict_of(f, lines, values, "sum", &problem), ETC_GAP_STARTS);
}

/* The first layer is wrong by 2 %, which slightly different inputs could cause. Only another right
 * value of the same input shows that the inputs were the same, and only if it depends on all of the
 * input and on its scale. */
static void an_error_starts_on_condition_if_nothing_shows_the_inputs(void **state)
{
	static const struct made_value values[] = {
		{ "witness", { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { NULL }, 0, false },
		{ "layer", { 1, -2, 3, -4 }, { 1.02f, -2, 3, -4 }, { NULL }, 0, false },
		{ "y", { -1, 2, -3, 4 }, { -1.02f, 2, -3, 4 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	static const struct {
		const char *op, *of;
		uint8_t verdict;
	} cases[] = {
		{ "aten.full_like.default", "x", ETC_GAP_STARTS_IF },
		{ "aten.gt.Scalar", "x", ETC_GAP_STARTS_IF },
		{ "aten.relu.default", "x", ETC_GAP_STARTS_IF },
		{ "aten.slice_copy.Tensor", "x", ETC_GAP_STARTS_IF },
		{ "aten._softmax.default", "x", ETC_GAP_STARTS_IF },
		{ "aten.neg.default", "other", ETC_GAP_STARTS_IF },
		{ "aten.neg.default", "x", ETC_GAP_STARTS },
		{ "aten.mm.default", "x", ETC_GAP_STARTS },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct made_line lines[] = {
			{ .name = "x" },
			{ .name = "other" },
			{ "witness", cases[i].op, 1, { cases[i].of }, 0 },
			{ "layer", "aten.sin.default", 2, { "x" }, 0 },
			{ "y", "aten.neg.default", 3, { "layer" }, 0 },
			{ .name = NULL },
		};
		struct etc_str problem;

		assert_int_equal(verdict_of(*state, lines, values, "layer", &problem),
		                 cases[i].verdict);
	}
}

/* An error of 7e-5 in the inputs does not explain an error of 1 % if the operator cannot amplify it
 * so much. */
static void a_small_error_of_the_inputs_does_not_explain_a_large_one(void **state)
{
	static const struct made_value values[] = {
		{ "b", { 1, -1, 1, -1 }, { 1, -1, 1, -1 }, { NULL }, 0, false },
		{ "a",
		  { 1, 2, 3, 4 },
		  { 1.00007f, 2.00014f, 3.00021f, 4.00028f },
		  { NULL },
		  0,
		  false },
		{ "layer", { 1, -2, 3, -4 }, { 1.01f, -2.02f, 3.03f, -4.04f }, { NULL }, 0, false },
		{ "y", { -1, 2, -3, 4 }, { -1.01f, 2.02f, -3.03f, 4.04f }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	static const struct made_line lines[] = {
		{ .name = "x" },
		{ "b", "aten.relu.default", 1, { "x" }, 0 },
		{ "a", "aten.relu.default", 2, { "x" }, 0 },
		{ "layer", "aten.mul.Tensor", 3, { "a", "b" }, 0 },
		{ "y", "aten.neg.default", 4, { "layer" }, 0 },
		{ .name = NULL },
	};
	struct etc_str problem;

	assert_int_equal(verdict_of(*state, lines, values, "layer", &problem), ETC_GAP_STARTS);
}

/* `factor` was not logged, and is an operand of `product`. If it is the product of `b` and `c`, it
 * may amplify the small error of `b`. Then `product` may be wrong without a fault of its own. If it
 * is the negation of `a`, which has no error, the fault is that of `product`. */
static void a_factor_that_was_not_logged_may_be_wrong(void **state)
{
	static const struct made_value values[] = {
		{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "b", { 1e-4f, 1, 1, 1 }, { 1.02e-4f, 1, 1, 1 }, { NULL }, 0, false },
		{ "c", { 1e4f, 1, 1, 1 }, { 1e4f, 1, 1, 1 }, { NULL }, 0, false },
		{ "product", { 1, 2, 3, 4 }, { 1.02f, 2, 3, 4 }, { NULL }, 0, false },
		{ "y", { -1, -2, -3, -4 }, { -1.02f, -2, -3, -4 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	static const struct made_line sources[] = {
		{ "factor", "aten.mul.Tensor", 4, { "b", "c" }, 0 },
		{ "factor", "aten.neg.default", 4, { "a" }, 0 }, /* `a` has no error */
	};
	struct made_line lines[] = {
		{ .name = "x" },
		{ "a", "aten.relu.default", 1, { "x" }, 0 },
		{ "b", "aten.relu.default", 2, { "x" }, 0 },
		{ "c", "aten.relu.default", 3, { "x" }, 0 },
		{ .name = "" },
		{ "product", "aten.mul.Tensor", 5, { NULL }, 0 },
		{ "y", "aten.neg.default", 6, { "product" }, 0 },
		{ .name = NULL },
	};
	struct etc_str problem;

	for (int i = 0; i < 4; i++) {
		lines[4] = sources[i / 2];
		lines[5].arguments[i % 2] = "a";
		lines[5].arguments[1 - i % 2] = "factor";
		assert_int_equal(verdict_of(*state, lines, values, "product", &problem),
		                 i < 2 ? ETC_GAP_UNKNOWN : ETC_GAP_STARTS);
	}
}

/* A chain of layers, of which only the eighth and last was logged: it is off by 1 %. */
static const struct made_value deep_values[] = {
	{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
	{ "last", { 1, -2, 3, 4 }, { 1.01f, -2.02f, 3.03f, 4.04f }, { NULL }, 0, false },
	{ "y", { -1, 2, -3, -4 }, { -1.01f, 2.02f, -3.03f, -4.04f }, { NULL }, 0, false },
	{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
};

static const char *const deep_names[] = { "a", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "last" };

static void make_deep(struct made_line *lines, uint32_t at, const char *op,
                      const char *const *weights)
{
	lines[at++] = (struct made_line){ "a", "aten.relu.default", 1, { "x" }, 0 };
	for (uint32_t k = 1; k < sizeof deep_names / sizeof deep_names[0]; k++, at++) {
		lines[at] =
			(struct made_line){ deep_names[k], op, k + 1, { deep_names[k - 1] }, 0 };
		for (uint32_t w = 0; weights[w]; w++)
			lines[at].arguments[w + 1] = weights[w];
	}
	lines[at] = (struct made_line){ "y", "aten.neg.default", 20, { "last" }, 0 };
}

/* A delegate may round the values between its nodes to the type of its output, which may be
 * coarser. */
static void rounding_inside_a_delegate_is_that_of_its_type(void **state)
{
	static const char *const weights[] = { NULL };
	static const struct made_value values[] = {
		{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "last", { 1, -2, 3, 4 }, { 1.1f, -2.2f, 3.3f, 4.4f }, { NULL }, 0, false },
		{ "y", { -1, 2, -3, -4 }, { -1.1f, 2.2f, -3.3f, -4.4f }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	struct made_line lines[MADE_MOST] = { { .name = "x" } };
	struct fixture *f = *state;
	struct etc_str problem;

	make_deep(lines, 1, "aten.neg.default", weights);
	assert_int_equal(verdict_of(f, lines, values, "last", &problem), ETC_GAP_STARTS);
	f->epsilon = 0x1p-10;
	assert_int_equal(verdict_of(f, lines, values, "last", &problem), ETC_GAP_UNKNOWN);
}

/* The possible rounding error grows with the sizes of each layer's weights, not with their
 * number. */
static void rounding_grows_by_the_weights_of_a_chain_of_layers(void **state)
{
	static const char *const weights[] = { "p_w", NULL };
	struct made_weight dict[] = {
		{ "p_w",
		  { .5f, .5f, .5f, .5f, .5f, -.5f, .5f, -.5f, .5f, .5f, -.5f, -.5f, .5f, -.5f, -.5f,
		    .5f },
		  { 4, 4 },
		  2 },
		{ .name = NULL },
	};
	struct made_line lines[MADE_MOST] = { { .name = "x" }, { .name = "p_w" } };
	struct etc_str problem;

	make_deep(lines, 2, "aten.linear.default", weights);
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_STARTS);
	for (int i = 0; i < MADE_ELEMENTS; i++)
		dict[0].v[5 * i] *= 16; /* one weight of each output becomes large */
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
}

/* A batch normalisation multiplies each channel by a number. The possible rounding error grows with
 * it. */
static void rounding_grows_by_the_scales_of_batch_normalisations(void **state)
{
	static const char *const weights[] = { "p_g", "p_b", "b_m", "b_v", "0.1", "0.0001", NULL };
	struct made_weight dict[] = {
		{ "p_g", { 1, -1, 1, .5f }, { 4 }, 1 },
		{ "p_b", { .1f, .2f, 0, 0 }, { 4 }, 1 },
		{ "b_m", { .1f, .2f, .3f, 0 }, { 4 }, 1 },
		{ "b_v", { 1, 1, 1, 1 }, { 4 }, 1 },
		{ .name = NULL },
	};
	struct made_line lines[MADE_MOST] = { { .name = "x" },
		                              { .name = "p_g" },
		                              { .name = "p_b" },
		                              { .name = "b_m" },
		                              { .name = "b_v" } };
	struct etc_str problem;

	make_deep(lines, 5, "aten._native_batch_norm_legit_no_training.default", weights);
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_STARTS);
	dict[2].v[2] = 1e6f; /* subtracting so large a mean cancels digits */
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
	dict[2].v[2] = 0;
	dict[3].v[1] = 1e-4f;
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
}

/* Two branches with the same operator, computed by two kernels. It is not known which kernel
 * computed which branch. */
static const struct made_line branches[] = {
	{ .name = "x" },
	{ "a", "aten.relu.default", 2, { "x" }, 0 },
	{ "left", "aten.neg.default", 1, { "a" }, 0 },
	{ "right", "aten.neg.default", 1, { "a" }, 0 },
	{ "sum", "aten.add.Tensor", 3, { "left", "right" }, 0 },
	{ "y", "aten.neg.default", 4, { "sum" }, 0 },
	{ .name = NULL },
};

/* A node is right if all calls that may have computed it are right. */
static void nodes_are_right_if_all_calls_that_may_compute_them_are(void **state)
{
	struct made_value values[] = {
		{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "one", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { "left", "right" }, 0, false },
		{ "two", { 5, 6, 7, 8 }, { 5, 6, 7, 8 }, { "left", "right" }, 0, false },
		{ "sum", { 6, 8, 10, 13 }, { 6, 8, 10, 12 }, { NULL }, 0, false },
		{ "y", { 6, 8, 10, 13 }, { 6, 8, 10, 12 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	struct etc_str problem;

	assert_int_equal(verdict_of(*state, branches, values, "sum", &problem), ETC_GAP_STARTS);
	values[2].run[0] = NAN; /* this value cannot be compared */
	assert_int_equal(verdict_of(*state, branches, values, "sum", &problem), ETC_GAP_UNKNOWN);
	values[2].run[0] = 6; /* this value is wrong: the error starts at "two" */
	assert_int_equal(verdict_of(*state, branches, values, "two", &problem), ETC_GAP_STARTS);
	assert_int_equal(verdict_of(*state, branches, values, "one", &problem), ETC_GAP_CLEAN);
	values[1].may[1] = NULL; /* "one" can only be `left` now */
	assert_int_equal(verdict_of(*state, branches, values, "two", &problem), ETC_GAP_STARTS);
}

/* Here `right` takes `left`, and each of the two wrong values may be of either. So the error may
 * start at either value. */
static void an_error_does_not_start_at_a_value_that_may_follow_another(void **state)
{
	struct made_line lines[sizeof branches / sizeof branches[0]];
	struct made_value values[] = {
		{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "one", { 2, 2, 3, 4 }, { 1, 2, 3, 4 }, { "left", "right" }, 0, false },
		{ "two", { 7, 6, 7, 8 }, { 5, 6, 7, 8 }, { "left", "right" }, 0, false },
		{ "y", { 7, 8, 10, 13 }, { 6, 8, 10, 12 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	struct etc_str problem;

	memcpy(lines, branches, sizeof lines);
	lines[3].arguments[0] = "left";
	for (int i = 1; i < 3; i++)
		assert_int_not_equal(verdict_of(*state, lines, values, values[i].name, &problem),
		                     ETC_GAP_STARTS);
	values[1].run[0] = 1; /* "one" is right now, so the error starts at "two" */
	assert_int_equal(verdict_of(*state, lines, values, "two", &problem), ETC_GAP_STARTS);
}

/* Here `right` takes `left`, and both are outputs of one delegate. Whichever of them is wrong, the
 * error starts in the delegate. */
static void an_error_starts_in_a_delegate_whichever_output_it_is(void **state)
{
	struct made_line lines[sizeof branches / sizeof branches[0]];
	struct made_value values[] = {
		{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "one", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { "left", "right" }, 50, false },
		{ "two", { 7, 6, 7, 8 }, { 5, 6, 7, 8 }, { "left", "right" }, 50, false },
		{ "sum", { 8, 8, 10, 12 }, { 6, 8, 10, 12 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	struct etc_str problem;

	memcpy(lines, branches, sizeof lines);
	lines[3].arguments[0] = "left";
	assert_int_equal(verdict_of(*state, lines, values, "two", &problem), ETC_GAP_STARTS);
	assert_int_not_equal(verdict_of(*state, lines, values, "sum", &problem), ETC_GAP_STARTS);
	values[3].run[0] = 6; /* `sum`, which takes the wrong value, is right now */
	assert_int_equal(verdict_of(*state, lines, values, "two", &problem), ETC_GAP_UNKNOWN);
	assert_str(problem, "all that was made of it is right");
	values[3].run[0] = 8;
	values[0].run[0] = 1.5f;
	values[1].run[0] = NAN;
	assert_int_not_equal(verdict_of(*state, lines, values, "two", &problem), ETC_GAP_STARTS);
}

/* The wrong value may be of `left` or of `right`, and `right` takes `b`, which was not logged. */
static void an_error_starts_only_where_each_possible_node_proves_it(void **state)
{
	struct made_line lines[] = {
		{ .name = "x" },
		{ "a", "aten.relu.default", 2, { "x" }, 0 },
		{ "b", "aten.relu.default", 5, { "x" }, 0 },
		{ "left", "aten.neg.default", 1, { "a" }, 0 },
		{ "right", "aten.neg.default", 1, { "b" }, 0 },
		{ "y", "aten.add.Tensor", 4, { "left", "right" }, 0 },
		{ .name = NULL },
	};
	static const struct made_value values[] = {
		{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "one", { 2, 2, 3, 4 }, { 1, 2, 3, 4 }, { "left", "right" }, 0, false },
		{ "two", { 5, 6, 7, 8 }, { 5, 6, 7, 8 }, { "left", "right" }, 0, false },
		{ "y", { 7, 8, 10, 12 }, { 6, 8, 10, 12 }, { NULL }, 0, true },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
		{ "b", { 0 }, { 0 }, { NULL }, 77, false },
	};
	struct etc_str problem;

	assert_int_equal(verdict_of(*state, lines, values, "one", &problem), ETC_GAP_UNKNOWN);
	assert_str(problem, "it may come from b, whose value was not compared");
	lines[4].arguments[0] = "a";
	assert_int_equal(verdict_of(*state, lines, values, "one", &problem), ETC_GAP_STARTS);
}

/* Even if one output of a delegate is right, the nodes inside the delegate may be wrong. */
static void nodes_inside_a_delegate_hide_nothing(void **state)
{
	struct made_line lines[sizeof branches / sizeof branches[0]];
	const struct made_value values[] = {
		{ "a", { NAN, 2, 3, 4 }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "one", { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { "right", "sum" }, 50, false },
		{ "two", { 7, 6, 7, 8 }, { 5, 6, 7, 8 }, { "right", "sum" }, 50, false },
		{ "y", { 8, 8, 10, 12 }, { 6, 8, 10, 12 }, { NULL }, 0, true },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
		{ "left", { 0 }, { 0 }, { NULL }, 50, false },
	};
	struct etc_str problem;

	memcpy(lines, branches, sizeof lines);
	lines[3].arguments[0] = "left";
	assert_int_equal(verdict_of(*state, lines, values, "two", &problem), ETC_GAP_UNKNOWN);
	assert_str(problem, "it may come from a, whose value was not compared");
}

/* A small error of numbers changes their maximum by no more, but it may change the index of the
 * maximum to any other. */
static void a_maximum_decides_only_on_its_index(void **state)
{
	struct made_line lines[] = {
		{ .name = "x" },
		{ "a", "aten.relu.default", 1, { "x" }, 0 },
		{ "most", "aten.max.dim", 2, { "a", "0" }, 0 },
		{ "value", "_operator.getitem", 0, { "most", "0" }, 0 },
		{ "y", "aten.neg.default", 3, { "value" }, 0 },
		{ "z", "aten.neg.default", 4, { "y" }, 0 },
		{ .name = NULL },
	};
	static const struct made_value values[] = {
		{ "a", { 1, 2, 3, 4.000001f }, { 1, 2, 3, 4 }, { NULL }, 0, false },
		{ "y", { 2, 2, 2, 2 }, { 1, 1, 1, 1 }, { NULL }, 0, false },
		{ "z", { 2, 2, 2, 2 }, { 1, 1, 1, 1 }, { NULL }, 0, false },
		{ NULL, { 0 }, { 0 }, { NULL }, 0, false },
	};
	struct etc_str problem;

	assert_int_equal(verdict_of(*state, lines, values, "y", &problem), ETC_GAP_STARTS);
	lines[3].arguments[1] = "1";
	assert_int_equal(verdict_of(*state, lines, values, "y", &problem), ETC_GAP_UNKNOWN);
	assert_str(problem, "it rounds or decides: the small error of its inputs may do it");
}

/* A delegate logs inputs, then outputs. Of the four arguments the last two are wrong, which are
 * outputs only if the record tells that the delegate has two. */
static void a_record_tells_which_arguments_are_outputs(void **state)
{
	static const struct etc_event event = { .chain = 0 };
	static const struct etc_logged_event of = { .event = &event };
	static const struct etc_logged logged = { .of = &of, .what = ETC_LOGGED_ARGUMENT };
	static const struct etc_gap_value value = { .logged = &logged };
	struct etc_gap_call call = { .instruction = 5, .output_count = 2 };
	struct etc_gap_nodes calls = { .calls = &call, .call_count = 1 };
	struct etc_gap_line lines[4];
	struct etc_gap_verdicts v = {
		.lines = lines, .count = 4, .same_inputs = true, .all = true
	};
	struct fixture *f = *state;

	etc_map_init(&calls.of_instruction, &f->arena);
	etc_map_add(&calls.of_instruction,
	            (struct etc_str){ (const char *)&call.instruction, sizeof call.instruction },
	            0);
	for (int i = 0; i < 4; i++)
		lines[i] = (struct etc_gap_line){ .item = i,
			                          .instruction = 5,
			                          .line = UINT32_MAX,
			                          .value = &value,
			                          .is_delegate = true,
			                          .compared = true,
			                          .epsilon = 0x1p-23,
			                          .relative = i < 2 ? 0 : 0.5 };
	assert_ok(etc_gap_judge(&v, &f->arena, &f->err), &f->err);
	assert_int_equal(lines[2].verdict, ETC_GAP_UNKNOWN);
	v.calls = &calls;
	assert_ok(etc_gap_judge(&v, &f->arena, &f->err), &f->err);
	assert_int_equal(lines[2].verdict, ETC_GAP_STARTS);
	v.later = true;
	assert_ok(etc_gap_judge(&v, &f->arena, &f->err), &f->err);
	assert_int_equal(lines[2].verdict, ETC_GAP_UNKNOWN);
	v.later = false;
	call.output_count = 1;
	assert_ok(etc_gap_judge(&v, &f->arena, &f->err), &f->err);
	assert_int_equal(lines[2].verdict, ETC_GAP_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			an_error_may_come_from_a_buffer_that_an_earlier_run_changed, setup,
			teardown),
		cmocka_unit_test_setup_teardown(a_record_tells_which_arguments_are_outputs, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_clean_number_does_not_show_that_the_inputs_agree,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(
			an_error_starts_on_condition_if_nothing_shows_the_inputs, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_small_error_of_the_inputs_does_not_explain_a_large_one, setup, teardown),
		cmocka_unit_test_setup_teardown(a_factor_that_was_not_logged_may_be_wrong, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(rounding_inside_a_delegate_is_that_of_its_type,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(rounding_grows_by_the_weights_of_a_chain_of_layers,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(
			rounding_grows_by_the_scales_of_batch_normalisations, setup, teardown),
		cmocka_unit_test_setup_teardown(
			nodes_are_right_if_all_calls_that_may_compute_them_are, setup, teardown),
		cmocka_unit_test_setup_teardown(
			an_error_does_not_start_at_a_value_that_may_follow_another, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			an_error_starts_in_a_delegate_whichever_output_it_is, setup, teardown),
		cmocka_unit_test_setup_teardown(
			an_error_starts_only_where_each_possible_node_proves_it, setup, teardown),
		cmocka_unit_test_setup_teardown(nodes_inside_a_delegate_hide_nothing, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_maximum_decides_only_on_its_index, setup,
		                                teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
