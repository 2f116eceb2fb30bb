/* test_gap_graph.c -- pairing nodes of two exported graphs that compute the same value, and finding
 * the node of a graph for each entry of a file of reference values. */
#include "gap_fixture.h"

enum { NONE = -1 };

/* ---- two exports ------------------------------------------------------------------------- */

/* A cell of two linear layers, as one export writes it: each layer is one node. */
static const struct made_line as_linear[] = {
	{ .name = "x" },
	{ .name = "p_w" },
	{ .name = "p_b" },
	{ "first", "aten.linear.default", 1, { "x", "p_w", "p_b" }, 0 },
	{ "half", "aten.sigmoid.default", 1, { "first" }, 0 },
	{ "second", "aten.linear.default", 1, { "half", "p_w", "p_b" }, 0 },
	{ "end", "aten.tanh.default", 1, { "second" }, 0 },
	{ "y", "aten.neg.default", 2, { "end" }, 0 },
	{ .name = NULL },
};

static const struct made_line as_addmm[] = {
	{ .name = "x" },
	{ .name = "p_w" },
	{ .name = "p_b" },
	{ "turned", "aten.permute_copy.default", 1, { "p_w", "[1, 0]" }, 0 },
	{ "first", "aten.addmm.default", 1, { "p_b", "x", "turned" }, 0 },
	{ "half", "aten.sigmoid.default", 1, { "first" }, 0 },
	{ "again", "aten.permute_copy.default", 1, { "p_w", "[1, 0]" }, 0 },
	{ "second", "aten.addmm.default", 1, { "p_b", "half", "again" }, 0 },
	{ "end", "aten.tanh.default", 1, { "second" }, 0 },
	{ "y", "aten.neg.default", 2, { "end" }, 0 },
	{ .name = NULL },
};

/* Returns the name of the line in `to` that computes the same value as line `name` of `from`; "-"
 * if there is none. */
static struct etc_str same_as(struct fixture *f, const struct made_line *from, const char *name,
                              const struct made_line *to)
{
	struct etc_gap_graph *a = make_graph(f, from), *b = make_graph(f, to);
	const struct etc_gap_graphs left = { a, 1 }, right = { b, 1 };
	struct etc_gap_translations out;
	uint32_t line;

	assert_ok(etc_gap_translate(&left, &right, &f->arena, &out, &f->err), &f->err);
	assert_int_equal(out.count, 1);
	line = out.v[0].line[line_named(a, name)];
	return line == UINT32_MAX ? ETC_STR("-") : b->lines.v[line].name;
}

static void forms_of_linear_layers_are_the_same_node(void **state)
{
	static const char *const names[] = { "first", "half", "second", "end", "y" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		assert_str(same_as(*state, as_linear, names[i], as_addmm), names[i]);
		assert_str(same_as(*state, as_addmm, names[i], as_linear), names[i]);
	}
	assert_str(same_as(*state, as_addmm, "turned", as_linear), "-");
}

/* A matrix product is not the same as a linear layer with bias, because a later node may add the
 * bias. It is the same as a layer without bias. */
static void a_layer_with_bias_is_not_one_without(void **state)
{
	static const struct {
		const char *op, *other;
		bool biased;
	} forms[] = {
		{ "aten.mm.default", "aten.linear.default", true },
		{ "aten.mm.default", "aten.addmm.default", true },
		{ "aten.mm.default", "aten.linear.default", false },
	};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		const struct made_line a[] = {
			{ .name = "x" },
			{ .name = "p_w" },
			{ .name = "p_b" },
			{ "first", forms[i].op, 1, { "x", "p_w" }, 0 },
			{ "sum", "aten.add.Tensor", 1, { "first", "p_b" }, 0 },
			{ "y", "aten.neg.default", 2, { "sum" }, 0 },
			{ .name = NULL },
		};
		const struct made_line b[] = {
			{ .name = "x" },
			{ .name = "p_w" },
			{ .name = "p_b" },
			{ "first",
			  forms[i].other,
			  1,
			  { "x", "p_w", forms[i].biased ? "p_b" : "None" },
			  0 },
			{ "sum", "aten.add.Tensor", 1, { "first", "1" }, 0 },
			{ "y", "aten.neg.default", 2, { "sum" }, 0 },
			{ .name = NULL },
		};

		assert_str(same_as(*state, a, "first", b), forms[i].biased ? "-" : "first");
		assert_str(same_as(*state, b, "first", a), forms[i].biased ? "-" : "first");
		assert_str(same_as(*state, a, "sum", b), "sum");
	}
}

/* The same cell as it is exported for an input of three dimensions: the first layer is a product
 * and a sum. */
static void a_product_and_a_sum_are_a_linear_layer(void **state)
{
	static const char *const names[] = { "first", "half", "second", "end", "y" };
	struct made_line as_bmm[] = {
		{ .name = "x" },
		{ .name = "p_w" },
		{ .name = "p_b" },
		{ "wide", "aten.expand_copy.default", 1, { "x", "[1, 2, 2]" }, 4 },
		{ "turned", "aten.permute_copy.default", 1, { "p_w", "[1, 0]" }, 4 },
		{ "repeated", "aten.expand_copy.default", 1, { "turned", "[1, 2, 2]" }, 8 },
		{ "viewed", "aten.view_copy.default", 1, { "repeated", "[1, 2, 2]" }, 8 },
		{ "product", "aten.bmm.default", 1, { "x", "viewed" }, 4 },
		{ "shaped", "aten.view_copy.default", 1, { "product", "[2, 2]" }, 4 },
		{ "first", "aten.add.Tensor", 1, { "shaped", "p_b" }, 4 },
		{ "half", "aten.sigmoid.default", 1, { "first" }, 4 },
		{ "second", "aten.linear.default", 1, { "half", "p_w", "p_b" }, 4 },
		{ "end", "aten.tanh.default", 1, { "second" }, 4 },
		{ "y", "aten.neg.default", 2, { "end" }, 4 },
		{ .name = NULL },
	};
	struct made_line other[sizeof as_bmm / sizeof as_bmm[0]];

	memcpy(other, as_bmm, sizeof other);
	memmove(&as_bmm[3], &as_bmm[4], 11 * sizeof *as_bmm);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		assert_str(same_as(*state, as_linear, names[i], as_bmm), names[i]);
		assert_str(same_as(*state, as_bmm, names[i], as_linear), names[i]);
	}
	assert_str(same_as(*state, as_bmm, "product", as_linear), "-");
	/* The product takes `wide`, x repeated, instead of x. So it has another value. */
	other[7].arguments[0] = "wide";
	assert_str(same_as(*state, other, "half", as_linear), "-");
	memcpy(other, as_bmm, sizeof other);
	other[8].arguments[1] = "x"; /* x is added instead of the bias */
	assert_str(same_as(*state, other, "half", as_linear), "-");
}

/* Nodes of two exports that quantise have the same value if their scales are equal. */
static void quantised_values_are_the_same_with_the_same_scale(void **state)
{
	struct made_line a[] = {
		{ .name = "x" },
		{ "relu", "aten.relu.default", 1, { "x" }, 0 },
		{ "q",
		  "quantized_decomposed.quantize_per_tensor.default",
		  1,
		  { "relu", "0.5", "3" },
		  0 },
		{ "d",
		  "quantized_decomposed.dequantize_per_tensor.default",
		  1,
		  { "q", "0.5", "3" },
		  0 },
		{ "y", "aten.neg.default", 2, { "d" }, 0 },
		{ .name = NULL },
	};
	struct made_line b[sizeof a / sizeof a[0]];

	memcpy(b, a, sizeof b);
	assert_str(same_as(*state, a, "q", b), "q");
	assert_str(same_as(*state, a, "relu", b), "relu");
	b[2].arguments[1] = b[3].arguments[1] = "0.25";
	assert_str(same_as(*state, a, "q", b), "-");
	assert_str(same_as(*state, a, "relu", b), "relu");
}

static const int64_t one_handle[] = { 1 }, another_handle[] = { 2 };

static bool same_program(struct fixture *f, const struct made_line *lines,
                         const struct made_line *others, const int64_t *handles)
{
	struct etc_handle_entry x = { ETC_STR("0"), { .v = one_handle, .count = 1 } };
	struct etc_handle_entry y = { ETC_STR("0"), { .v = handles, .count = 1 } };
	const struct etc_method_maps a = { .method = ETC_STR("forward"),
		                           .handles = &x,
		                           .handle_count = 1 };
	const struct etc_method_maps b = { .method = ETC_STR("forward"),
		                           .handles = &y,
		                           .handle_count = 1 };
	const struct etc_record left = { .methods = &a, .method_count = 1 };
	const struct etc_record right = { .methods = &b, .method_count = 1 };
	const struct etc_gap_graphs of_left = { make_graph(f, lines), 1 };
	const struct etc_gap_graphs of_right = { make_graph(f, others), 1 };

	return etc_gap_same_program(&of_left, &left, &of_right, &right);
}

static void programs_are_the_same_with_equal_graphs_and_handles(void **state)
{
	struct made_line other[sizeof as_linear / sizeof as_linear[0]];

	memcpy(other, as_linear, sizeof other);
	assert_true(same_program(*state, as_linear, other, one_handle));
	assert_false(same_program(*state, as_linear, other, another_handle));
	assert_false(same_program(*state, as_linear, as_addmm, one_handle));
	other[5].arguments[0] = "first";
	assert_false(same_program(*state, as_linear, other, one_handle));
}

static void other_operators_are_other_nodes(void **state)
{
	struct made_line other[sizeof as_addmm / sizeof as_addmm[0]];

	memcpy(other, as_addmm, sizeof other);
	other[5].op = "aten.hardsigmoid.default";
	assert_str(same_as(*state, as_linear, "first", other), "-");
	assert_str(same_as(*state, as_linear, "half", other), "-");
	assert_str(same_as(*state, as_linear, "end", other), "end");
}

/* Two exports whose branches are in another order: in both, each line has the same operator, but
 * the lines take other values. */
static void nodes_take_the_same_values(void **state)
{
	struct made_line a[] = {
		{ .name = "x" },
		{ .name = "p_w" },
		{ .name = "p_v" },
		{ "one", "aten.linear.default", 1, { "x", "p_w" }, 0 },
		{ "two", "aten.linear.default", 1, { "x", "p_v" }, 0 },
		{ "three", "aten.sigmoid.default", 1, { "one" }, 0 },
		{ "end", "aten.sub.Tensor", 1, { "three", "two" }, 0 },
		{ "y", "aten.neg.default", 2, { "end" }, 0 },
		{ .name = NULL },
	};
	struct made_line b[sizeof a / sizeof a[0]];

	memcpy(b, a, sizeof b);
	assert_str(same_as(*state, a, "one", b), "one");
	a[5].arguments[1] = "0";
	b[5].arguments[1] = "1";
	assert_str(same_as(*state, a, "one", b), "-");
	b[5].arguments[1] = "0";
	b[5].arguments[0] = "two";
	b[6].arguments[1] = "one";
	assert_str(same_as(*state, a, "one", b), "-");
	assert_str(same_as(*state, a, "end", b), "end");
	for (int i = 3; i < 5; i++)
		b[i].op = "aten.mm.default";
	assert_str(same_as(*state, a, "one", b), "-");
	b[5].arguments[0] = "one";
	b[6].arguments[1] = "two";
	assert_str(same_as(*state, a, "one", b), "one");
}

/* ---- a file of references ---------------------------------------------------------------- */

struct made_node {
	int64_t handle;
	const char *op;
	int line; /* expected line of the graph; NONE: none */
};

static void check_lines(struct fixture *f, const struct etc_gap_graph *g,
                        const struct made_node *nodes)
{
	struct etc_reference_op ops[MADE_MOST] = { 0 };
	struct etc_reference made[MADE_MOST] = { 0 };
	struct etc_reference_method m = { .nodes = made };
	const uint32_t *line;

	for (; nodes[m.node_count].handle; m.node_count++) {
		ops[m.node_count].name = etc_str_of(nodes[m.node_count].op);
		made[m.node_count] = (struct etc_reference){ .handle = &nodes[m.node_count].handle,
			                                     .handle_count = 1,
			                                     .ops = &ops[m.node_count],
			                                     .op_count = 1 };
	}
	line = etc_gap_lines_of_nodes(g, &m, &f->arena);
	assert_non_null(line);
	for (uint32_t i = 0; i < m.node_count; i++)
		assert_int_equal((int)line[i], nodes[i].line);
}

static void nodes_of_a_file_are_those_of_a_handle_with_the_same_operators(void **state)
{
	static const struct made_line lines[] = {
		{ .name = "x" },
		{ "a", "aten.exp.default", 1, { "x" }, 0 },
		{ "b", "aten.neg.default", 2, { "x" }, 0 },
		{ "c", "aten.log.default", 1, { "a" }, 0 },
		{ "d", "aten.abs.default", 1, { "c" }, 0 },
		{ .name = NULL },
	};
	struct made_line in_record[sizeof lines / sizeof lines[0]];
	static const struct made_node same[] = {
		{ 1, "aten.exp.default", 1 },    { 1, "aten.log.default", 3 },
		{ 2, "aten.neg.default", 2 },    { 1, "aten.abs.default", 4 },
		{ 3, "aten.abs.default", NONE }, { 0, NULL, 0 }
	};
	static const struct made_node another[] = { { 1, "aten.exp.default", NONE },
		                                    { 1, "aten.tan.default", NONE },
		                                    { 2, "aten.neg.default", 2 },
		                                    { 1, "aten.abs.default", NONE },
		                                    { 0, NULL, 0 } };
	static const struct made_node fewer[] = { { 1, "aten.exp.default", NONE },
		                                  { 1, "aten.log.default", NONE },
		                                  { 2, "aten.neg.default", 2 },
		                                  { 0, NULL, 0 } };
	static const struct made_node more[] = {
		{ 1, "aten.exp.default", NONE }, { 1, "aten.log.default", NONE },
		{ 1, "aten.abs.default", NONE }, { 1, "aten.abs.default", NONE },
		{ 2, "aten.neg.default", 2 },    { 0, NULL, 0 }
	};
	struct etc_gap_graph *g = make_graph(*state, lines);

	memcpy(in_record, lines, sizeof in_record);
	check_lines(*state, g, same);
	check_lines(*state, g, another);
	check_lines(*state, g, fewer);
	check_lines(*state, g, more);
	in_record[1].op = "torch.ops.aten.exp.default";
	in_record[3].op = "log.default"; /* some records leave out the namespace */
	check_lines(*state, make_graph(*state, in_record), same);
}

/* ---- inputs ------------------------------------------------------------------------------ */

static void lifted_numbers_are_no_inputs_of_the_model(void **state)
{
	static const struct made_line lines[] = {
		{ .name = "x" },
		{ .name = "_lifted_tensor_constant0" },
		{ .name = "p_w" },
		{ .name = "b_mean" },
		{ .name = "c_lifted_tensor_0" },
		{ "y", "aten.neg.default", 1, { "x" }, 0 },
		{ .name = NULL },
	};
	const struct etc_gap_graph *g = make_graph(*state, lines);

	for (uint32_t i = 0; i < g->lines.count; i++)
		assert_int_equal(etc_gap_is_model_input(&g->lines.v[i]), i == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(forms_of_linear_layers_are_the_same_node, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_layer_with_bias_is_not_one_without, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_product_and_a_sum_are_a_linear_layer, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(quantised_values_are_the_same_with_the_same_scale,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(programs_are_the_same_with_equal_graphs_and_handles,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(other_operators_are_other_nodes, setup, teardown),
		cmocka_unit_test_setup_teardown(nodes_take_the_same_values, setup, teardown),
		cmocka_unit_test_setup_teardown(
			nodes_of_a_file_are_those_of_a_handle_with_the_same_operators, setup,
			teardown),
		cmocka_unit_test_setup_teardown(lifted_numbers_are_no_inputs_of_the_model, setup,
		                                teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
