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

/* Judges a run of kernels, each line being of an instruction of its own. The verdict on line
 * `name`; `*problem`: why. */
static uint8_t verdict_with(struct fixture *f, const struct made_line *made,
                            const struct made_weight *weights, const struct made_value *values,
                            const char *name, struct etc_str *problem)
{
	struct etc_gap_graph *g = make_graph(f, made);
	struct etc_gap_value run[MADE_MOST], reference[MADE_MOST];
	struct etc_gap_run a, b;
	int32_t owner[MADE_MOST];
	struct etc_gap_line lines[MADE_MOST];
	struct etc_gap_nodes nodes = { .graph = g, .owner = owner };
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
		uint32_t line = line_named(g, of->name);

		owner[line] = (int32_t)line;
		run[v.count] = value_of(f, line, of->run);
		reference[v.count] = value_of(f, line, of->reference);
		lines[v.count] = (struct etc_gap_line){ .item = -1,
			                                .instruction = (int32_t)line,
			                                .line = line,
			                                .handle = made[line].handle,
			                                .has_handle = true,
			                                .compared = true,
			                                .epsilon = 0x1p-23,
			                                .relative = relative_of(of) };
	}
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
		{ "number", { 1, 1, 1, 1 }, { 1, 1, 1, 1 } },
		{ "layer", { 1, -2, 3, -4 }, { -1, 2, 3, 4 } },
		{ "y", { -1, 2, -3, 4 }, { 1, -2, -3, -4 } },
		{ NULL, { 0 }, { 0 } },
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
	assert_str(problem, "nothing that was made of the model's inputs agrees: other inputs may "
	                    "have been given");
	lines[2].arguments[0] = "x";
	assert_int_equal(verdict_of(*state, lines, values, "layer", &problem), ETC_GAP_STARTS);
}

/* A product makes a large error of a small one. It was not logged, and is a factor of the next
 * product: so that may be as far off. */
static void a_factor_that_was_not_logged_may_be_wrong(void **state)
{
	static const struct made_value values[] = {
		{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 } },
		{ "b", { 1e-4f, 1, 1, 1 }, { 1.02e-4f, 1, 1, 1 } },
		{ "c", { 1e4f, 1, 1, 1 }, { 1e4f, 1, 1, 1 } },
		{ "product", { 1, 2, 3, 4 }, { 1.02f, 2, 3, 4 } },
		{ "y", { -1, -2, -3, -4 }, { -1.02f, -2, -3, -4 } },
		{ NULL, { 0 }, { 0 } },
	};
	static const struct made_line sources[] = {
		{ "factor", "aten.mul.Tensor", 4, { "b", "c" }, 0 },
		{ "factor", "aten.neg.default", 4, { "a" }, 0 }, /* it has no error */
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
	{ "a", { 1, 2, 3, 4 }, { 1, 2, 3, 4 } },
	{ "last", { 1, -2, 3, 4 }, { 1.01f, -2.02f, 3.03f, 4.04f } },
	{ "y", { -1, 2, -3, -4 }, { -1.01f, 2.02f, -3.03f, -4.04f } },
	{ NULL, { 0 }, { 0 } },
};

static const char *const deep_names[] = { "a", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "last" };

static void make_deep(struct made_line *lines, uint32_t at, const char *op,
                      const char *const *weights)
{
	lines[at++] = (struct made_line){ "a", "aten.relu.default", 1, { "x" }, 0 };
	for (uint32_t k = 1; k < sizeof deep_names / sizeof deep_names[0]; k++, at++) {
		lines[at] = (struct made_line){ deep_names[k], op, k + 1, { deep_names[k - 1] }, 0 };
		for (uint32_t w = 0; weights[w]; w++)
			lines[at].arguments[w + 1] = weights[w];
	}
	lines[at] = (struct made_line){ "y", "aten.neg.default", 20, { "last" }, 0 };
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
		{ "p_g", { 1, -1, 1, .5f }, { 4 }, 1 },    { "p_b", { .1f, .2f, 0, 0 }, { 4 }, 1 },
		{ "b_m", { .1f, .2f, .3f, 0 }, { 4 }, 1 }, { "b_v", { 1, 1, 1, 1 }, { 4 }, 1 },
		{ .name = NULL },
	};
	struct made_line lines[MADE_MOST] = { { .name = "x" },   { .name = "p_g" }, { .name = "p_b" },
		                              { .name = "b_m" }, { .name = "b_v" } };
	struct etc_str problem;

	make_deep(lines, 5, "aten._native_batch_norm_legit_no_training.default", weights);
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_STARTS);
	dict[2].v[2] = 1e6f; /* such a mean cancels the value */
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
	dict[2].v[2] = 0;
	dict[3].v[1] = 1e-4f;
	assert_int_equal(verdict_with(*state, lines, dict, deep_values, "last", &problem),
	                 ETC_GAP_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_clean_number_does_not_show_that_the_inputs_agree,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(a_factor_that_was_not_logged_may_be_wrong, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(rounding_grows_by_the_weights_of_a_chain_of_layers,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(rounding_grows_by_the_scales_of_batch_normalisations,
		                                setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
