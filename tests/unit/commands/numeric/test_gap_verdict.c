/* test_gap_verdict.c -- which event is proven to cause an error. */
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

/* What both sides logged of a line. */
struct made_value {
	const char *name;
	float run[MADE_ELEMENTS], reference[MADE_ELEMENTS];
	/* the names of the lines of which it is one, if that is all that is known */
	const char *may[3];
	int32_t delegate; /* an instruction that has several such values; 0: none */
	bool inside;      /* another entry after the end names a line inside a delegate */
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

/* A value of a side. */
static struct etc_gap_value value_of(struct fixture *f, uint32_t line, const float *v)
{
	struct etc_logged *l = etc_new(&f->arena, struct etc_logged, 1);

	log_floats(f, l, v, &four);
	return (struct etc_gap_value){ .key = line, .logged = l, .count = 1 };
}

/* The state dict of a record. */
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

/* Describes the call that logged value `i`, of which only the lines that it may be of are known. */
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

/* Lists for each line the calls that may compute it. */
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

/* Judges a run of kernels, each line being of an instruction of its own. The verdict on line
 * `name`; `*problem`: why. */
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
	/* behind the last value: a line in a delegate, which nobody logged */
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

/* A number of the source says nothing about the inputs: with another sample, the first layer is as
 * far off as if it were wrong. */
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

/* Other inputs make the first layer wrong by as little as their noise. Only another value that keeps
 * all of the same input shows that the inputs were the same; its shape, a part of it, or what does
 * not depend on its scale does not. */
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

/* Inputs that are off by 7e-5 do not explain an error of 1 %, unless the operator can amplify their
 * error that much. */
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

/* `factor` was not logged, and is an operand of `product`. As a product of `b` and `c` it may
 * amplify the small error of `b`, so `product` may be wrong without a fault of its own. As the
 * negation of `a`, which has no error, it cannot. */
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

/* Eight layers that were not logged, and one that is off by 1 %. */
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

/* Values between the nodes of a delegate may be rounded to the coarser type of its output. */
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

/* Rounding grows by the weights of each layer, and not by the number of its weights. */
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
		dict[0].v[5 * i] *= 16; /* one large weight of each output */
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
}

/* A batch normalisation is a product with one number of each channel. */
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
	dict[2].v[2] = 1e6f; /* the value minus this mean cancels digits */
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
	dict[2].v[2] = 0;
	dict[3].v[1] = 1e-4f;
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
}

/* Two branches of one operator, and two kernels: which of them computed which is not known. */
static const struct made_line branches[] = {
	{ .name = "x" },
	{ "a", "aten.relu.default", 2, { "x" }, 0 },
	{ "left", "aten.neg.default", 1, { "a" }, 0 },
	{ "right", "aten.neg.default", 1, { "a" }, 0 },
	{ "sum", "aten.add.Tensor", 3, { "left", "right" }, 0 },
	{ "y", "aten.neg.default", 4, { "sum" }, 0 },
	{ .name = NULL },
};

/* If all calls that may have computed a node were right, it is right. */
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
	values[1].may[1] = NULL; /* only the other call may compute `right` */
	assert_int_equal(verdict_of(*state, branches, values, "two", &problem), ETC_GAP_STARTS);
}

/* A value of a node, or of the one that takes it: the error may start at either. */
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

/* Two outputs of a delegate: the second node takes the first, but both are the delegate's. */
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
	values[3].run[0] = 6; /* what takes it is right */
	assert_int_equal(verdict_of(*state, lines, values, "two", &problem), ETC_GAP_UNKNOWN);
	assert_str(problem, "all that was made of it is right");
	values[3].run[0] = 8;
	values[0].run[0] = 1.5f;
	values[1].run[0] = NAN;
	assert_int_not_equal(verdict_of(*state, lines, values, "two", &problem), ETC_GAP_STARTS);
}

/* Of one of the nodes that it may be, a source was not logged. */
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

/* The inner nodes of a delegate are not right because its outputs are. */
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

/* The largest of some numbers changes by as much as they do, its index may change by a step. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
