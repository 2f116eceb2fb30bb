/* test_gap_nodes.c -- finding the node of the graph that an instruction computed, if several nodes
 * have the same debug handle. */
#include "gap_fixture.h"

/* An instruction of the record, and what it logged in the run. */
struct made_call {
	const char *instruction, *kernel; /* kernel NULL: a delegate */
	int64_t handles[MADE_ARGUMENTS];
	int64_t count; /* number of elements that it logged; 0: none */
};

enum { DELEGATE, FIRST, SECOND, AFTER };

static struct etc_gap_nodes nodes_of(struct fixture *f, const struct etc_gap_graph *g,
                                     const struct made_call *calls)
{
	struct etc_handle_entry handles[MADE_MOST] = { 0 };
	struct etc_delegate_entry delegates[MADE_MOST] = { 0 };
	struct etc_event events[MADE_MOST] = { 0 };
	struct etc_logged_event of[MADE_MOST] = { 0 };
	struct etc_logged logged[MADE_MOST] = { 0 };
	struct etc_tensor tensors[MADE_MOST] = { 0 };
	struct etc_num_outs_entry outputs = { .key = ETC_STR("0"), .outputs = f->outputs };
	struct etc_method_maps maps = { .handles = handles,
		                        .delegates = delegates,
		                        .num_outs = &outputs,
		                        .num_outs_count = f->outputs > 0 };
	struct etc_logged_list list = { .v = logged };
	struct etc_gap_nodes out;

	for (uint32_t i = 0; calls[i].instruction; i++) {
		struct etc_handle_entry *e = &handles[maps.handle_count++];

		e->key = etc_str_of(calls[i].instruction);
		e->handles.v = calls[i].handles;
		while (calls[i].handles[e->handles.count])
			e->handles.count++;
		if (!calls[i].kernel) {
			delegates[maps.delegate_count++].key = e->key;
			continue;
		}
		events[i].instruction_id = (int32_t)i;
		of[i] = (struct etc_logged_event){ .event = &events[i],
			                           .what = ETC_LOGGED_OPERATOR,
			                           .name = etc_str_of(calls[i].kernel) };
		tensors[i] = (struct etc_tensor){ .sizes = &calls[i].count, .rank = 1 };
		logged[list.count++] = (struct etc_logged){ .of = &of[i], .tensor = &tensors[i] };
	}
	assert_ok(etc_gap_nodes_find(g, &maps, &list, &f->arena, &out, &f->err), &f->err);
	return out;
}

static uint32_t output_of(const struct etc_gap_nodes *n, int32_t instruction)
{
	return etc_gap_call_of(n, instruction)->outputs[0];
}

/* A node of four elements and one of two have the same handle. A kernel and a delegate compute one
 * of them each; the number of elements that the kernel logged tells which. */
static void a_kernel_computes_a_node_of_its_shape(void **state)
{
	struct fixture *f = *state;
	struct made_line lines[] = { { .name = "x" },
		                     { "four", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                     { "two", "aten.mul.Tensor", 1, { "x", "x" }, 2 },
		                     { .name = NULL } };
	struct made_call calls[] = { { "0", NULL, { 1 }, 0 },
		                     { "1", "mul.out", { 1 }, 2 },
		                     { .instruction = NULL } };
	struct etc_gap_graph *g = make_graph(f, lines);
	struct etc_gap_nodes n = nodes_of(f, g, calls);

	assert_int_equal(n.owner[1], DELEGATE);
	assert_int_equal(n.owner[2], FIRST);
	assert_int_equal(output_of(&n, FIRST), 2);

	calls[1].count = 4;
	n = nodes_of(f, g, calls);
	assert_int_equal(n.owner[1], FIRST);
	assert_int_equal(n.owner[2], DELEGATE);

	lines[1].size = -1; /* its size is not fixed, so it may have two elements as well */
	calls[1].count = 2;
	n = nodes_of(f, g, calls);
	assert_int_equal(n.owner[1], ETC_GAP_UNSURE);
	assert_int_equal(n.owner[2], ETC_GAP_UNSURE);

	lines[1].size = 0; /* the record does not tell its size */
	n = nodes_of(f, make_graph(f, lines), calls);
	assert_int_equal(n.owner[1], ETC_GAP_UNSURE);
	assert_int_equal(output_of(&n, FIRST), UINT32_MAX);
}

/* `a` and `b` are the only products, and two kernels log products. So no delegate computes `a` or
 * `b`. The first delegate computes two nodes before `w` is computed. Only `c` and `d` do not need
 * `w`. */
static void kernels_exclude_others_from_their_nodes(void **state)
{
	struct fixture *f = *state;
	struct made_line lines[] = { { .name = "x" },
		                     { "w", "aten.abs.default", 3, { "x" }, 4 },
		                     { "a", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                     { "b", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                     { "c", "aten.neg.default", 1, { "x" }, 4 },
		                     { "d", "aten.neg.default", 1, { "x" }, 4 },
		                     { "z", "aten.add.Tensor", 2, { "c", "d" }, 4 },
		                     { "e", "aten.neg.default", 1, { "w" }, 4 },
		                     { "f", "aten.neg.default", 1, { "w" }, 4 },
		                     { .name = NULL } };
	const struct made_call calls[] = {
		{ "0", NULL, { 1, 1 }, 0 },   { "1", "abs.out", { 3 }, 4 },
		{ "2", "mul.out", { 1 }, 4 }, { "3", "mul.out", { 1 }, 4 },
		{ "4", NULL, { 1 }, 0 },      { "5", "add.out", { 2 }, 4 },
		{ "6", NULL, { 1 }, 0 },      { .instruction = NULL },
	};
	struct etc_gap_graph *g = make_graph(f, lines);
	struct etc_gap_nodes n = nodes_of(f, g, calls);

	assert_int_equal(n.owner[line_named(g, "c")], DELEGATE);
	assert_int_equal(n.owner[line_named(g, "d")], DELEGATE);
	assert_int_equal(n.owner[line_named(g, "a")], ETC_GAP_UNSURE);
	assert_int_equal(n.owner[line_named(g, "e")], ETC_GAP_UNSURE);

	lines[5].op = "aten.mul.Tensor"; /* now there are three products for two kernels */
	g = make_graph(f, lines);
	n = nodes_of(f, g, calls);
	/* The other two delegates compute `e` and `f`. So the first one computes `c` and a
	 * product. */
	for (uint32_t i = line_named(g, "a"); i <= line_named(g, "d"); i++)
		assert_int_equal(n.owner[i], i == line_named(g, "c") ? DELEGATE : ETC_GAP_UNSURE);
}

/* `d` takes `c` before the second product's kernel runs. So that kernel computes `a` or `b`. But
 * the first kernel or the delegate computes one of these, too, so it is not known which. */
static void one_kernel_does_not_exclude_others_from_two_nodes(void **state)
{
	struct fixture *f = *state;
	const struct made_line lines[] = { { .name = "x" },
		                           { "a", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                           { "b", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                           { "c", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                           { "d", "aten.neg.default", 2, { "c" }, 4 },
		                           { .name = NULL } };
	const struct made_call calls[] = {
		{ "0", NULL, { 1 }, 0 },      { "1", "mul.out", { 1 }, 4 },
		{ "2", "neg.out", { 2 }, 4 }, { "3", "mul.out", { 1 }, 4 },
		{ .instruction = NULL },
	};
	struct etc_gap_graph *g = make_graph(f, lines);
	struct etc_gap_nodes n = nodes_of(f, g, calls);

	for (uint32_t i = line_named(g, "a"); i <= line_named(g, "c"); i++)
		assert_int_equal(n.owner[i], ETC_GAP_UNSURE);
	assert_int_equal(n.owner[line_named(g, "d")], SECOND);
	assert_int_equal(output_of(&n, FIRST), UINT32_MAX);
	assert_int_equal(output_of(&n, AFTER), UINT32_MAX);
}

/* Two kernels compute views, and three nodes are views. `early` is computed before the second of
 * these kernels runs. If the first one computes it, the second one computes `a` or `b`, and no
 * kernel computes the other view. */
static void a_view_that_no_kernel_may_compute_has_no_owner(void **state)
{
	struct fixture *f = *state;
	const struct made_line lines[] = { { .name = "x" },
		                           { "early", "aten.view_copy.default", 1, { "x" }, 4 },
		                           { "y", "aten.neg.default", 2, { "early" }, 4 },
		                           { "a", "aten.view_copy.default", 1, { "x" }, 4 },
		                           { "b", "aten.view_copy.default", 1, { "x" }, 4 },
		                           { .name = NULL } };
	const struct made_call calls[] = {
		{ "0", NULL, { 3 }, 0 },      { "1", "view_copy.out", { 1 }, 4 },
		{ "2", "neg.out", { 2 }, 4 }, { "3", "view_copy.out", { 1 }, 4 },
		{ .instruction = NULL },
	};
	struct etc_gap_nodes n = nodes_of(f, make_graph(f, lines), calls);

	assert_int_equal(n.owner[1], ETC_GAP_UNSURE);
	assert_int_equal(output_of(&n, FIRST), UINT32_MAX);
	assert_int_equal(output_of(&n, AFTER), UINT32_MAX);
}

/* The view `v` of `c` need not be computed at all. So it does not tell when `c` was computed, and
 * the delegate may have computed `a`, `b` or `c`. */
static void a_view_that_may_vanish_limits_nothing(void **state)
{
	struct fixture *f = *state;
	const struct made_line lines[] = { { .name = "x" },
		                           { "a", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                           { "b", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                           { "c", "aten.mul.Tensor", 1, { "x", "x" }, 4 },
		                           { "v", "aten.view_copy.default", 1, { "c" }, 4 },
		                           { .name = NULL } };
	struct made_call calls[] = { { "0", NULL, { 1 }, 0 },
		                     { "1", "mul.out", { 1 }, 4 },
		                     { "2", "mul.out", { 1 }, 4 },
		                     { .instruction = NULL } };
	struct etc_gap_graph *g = make_graph(f, lines);
	struct etc_gap_nodes n = nodes_of(f, g, calls);

	for (uint32_t i = line_named(g, "a"); i <= line_named(g, "c"); i++)
		assert_int_equal(n.owner[i], ETC_GAP_UNSURE);
	assert_int_equal(output_of(&n, FIRST), UINT32_MAX);

	calls[0].handles[1] = 1; /* the delegate computes two nodes now, so `v` is computed, too */
	n = nodes_of(f, g, calls);
	assert_int_equal(n.owner[line_named(g, "c")], DELEGATE);
	assert_int_equal(n.owner[line_named(g, "v")], DELEGATE);
}

/* Each of two delegates computes one of the nodes `a` and `b`, and `b` takes `a`. The first
 * delegate cannot have computed `b`, since `a` would not have been computed before. */
static void a_choice_that_leaves_a_call_without_nodes_is_none(void **state)
{
	struct fixture *f = *state;
	struct made_line lines[] = { { .name = "x" },
		                     { "a", "aten.sigmoid.default", 1, { "x" }, 4 },
		                     { "b", "aten.mul.Tensor", 1, { "x", "a" }, 4 },
		                     { "y", "aten.neg.default", 2, { "b" }, 4 },
		                     { .name = NULL } };
	const struct made_call calls[] = { { "0", NULL, { 1 }, 0 },
		                           { "1", NULL, { 1 }, 0 },
		                           { "2", "neg.out", { 2 }, 4 },
		                           { .instruction = NULL } };
	struct etc_gap_graph *g = make_graph(f, lines);
	struct etc_gap_nodes n = nodes_of(f, g, calls);

	assert_int_equal(n.owner[1], 0);
	assert_int_equal(n.owner[2], 1);
	assert_int_equal(output_of(&n, 0), 1);
	assert_int_equal(output_of(&n, 1), 2);

	lines[2].arguments[1] = NULL; /* now `b` does not take `a` */
	n = nodes_of(f, make_graph(f, lines), calls);
	assert_int_equal(n.owner[1], ETC_GAP_UNSURE);
	assert_int_equal(n.owner[2], ETC_GAP_UNSURE);
}

static void check_choices(const struct etc_gap_nodes *n, uint32_t line, uint32_t count)
{
	assert_int_equal(n->first_call[line + 1] - n->first_call[line], count);
}

/* Two kernels computed the nodes `a` and `b`, but it is not known which computed which. */
static void a_call_lists_the_nodes_that_it_may_compute(void **state)
{
	struct fixture *f = *state;
	const struct made_line lines[] = { { .name = "x" },
		                           { "a", "aten.neg.default", 1, { "x" }, 4 },
		                           { "b", "aten.neg.default", 1, { "x" }, 4 },
		                           { "c", "aten.abs.default", 1, { "b" }, 4 },
		                           { .name = NULL } };
	struct made_call calls[] = { { "0", "neg.out", { 1 }, 4 },
		                     { "1", "neg.out", { 1 }, 4 },
		                     { "2", NULL, { 1 }, 0 },
		                     { .instruction = NULL } };
	struct etc_gap_graph *g = make_graph(f, lines);
	struct etc_gap_nodes n = nodes_of(f, g, calls);

	for (int32_t i = 0; i < 2; i++) {
		const struct etc_gap_call *c = etc_gap_call_of(&n, i);

		assert_int_equal(c->may_count, 2);
		assert_int_equal(c->may[0], line_named(g, "a"));
		assert_int_equal(c->may[1], line_named(g, "b"));
	}
	check_choices(&n, line_named(g, "a"), 2);
	check_choices(&n, line_named(g, "c"), 1);
	assert_int_equal(etc_gap_call_of(&n, 2)->may_count, 0); /* only one node is possible */
}

/* A delegate logged two outputs. They are `a` and `c`, but the graph does not tell their order. */
static void a_delegate_lists_the_outputs_that_have_no_order(void **state)
{
	struct fixture *f = *state;
	const struct made_line lines[] = { { .name = "x" },
		                           { "a", "aten.neg.default", 1, { "x" }, 4 },
		                           { "b", "aten.neg.default", 1, { "x" }, 4 },
		                           { "c", "aten.abs.default", 1, { "b" }, 4 },
		                           { "d", "aten.add.Tensor", 2, { "a", "c" }, 4 },
		                           { .name = NULL } };
	const struct made_call calls[] = { { "0", NULL, { 1, 1, 1 }, 0 },
		                           { "1", "add.out", { 2 }, 4 },
		                           { .instruction = NULL } };
	struct etc_gap_graph *g = make_graph(f, lines);
	struct etc_gap_nodes n;

	f->outputs = 2;
	n = nodes_of(f, g, calls);
	assert_int_equal(output_of(&n, 0), UINT32_MAX);
	assert_int_equal(etc_gap_call_of(&n, 0)->may_count, 2);
	assert_int_equal(etc_gap_call_of(&n, 0)->may[0], line_named(g, "a"));
	assert_int_equal(etc_gap_call_of(&n, 0)->may[1], line_named(g, "c"));
}

/* A recurrent layer of two hundred nodes with one handle: delegates and kernels compute its nodes in
 * turns, each from the one before. */
static void the_nodes_of_a_large_handle_are_found(void **state)
{
	enum { NODES = 200, NAME = 8 };
	struct fixture *f = *state;
	struct made_line lines[NODES + 2] = { { .name = "x" } };
	struct made_call calls[NODES + 1] = { { .instruction = NULL } };
	char names[NODES + 1][NAME] = { "x" }, numbers[NODES][NAME];
	struct etc_gap_nodes n;

	for (uint32_t i = 0; i < NODES; i++) {
		bool kernel = i % 2;

		(void)snprintf(names[i + 1], NAME, "n%u", (unsigned)i);
		(void)snprintf(numbers[i], NAME, "%u", (unsigned)i);
		lines[i + 1] = (struct made_line){ names[i + 1],
			                           kernel ? "aten.sin.default" : "aten.neg.default",
			                           1,
			                           { names[i] },
			                           4 };
		calls[i] = (struct made_call){
			numbers[i], kernel ? "sin.out" : NULL, { 1 }, kernel ? 4 : 0
		};
	}
	n = nodes_of(f, make_graph(f, lines), calls);
	for (uint32_t i = 0; i < NODES; i++)
		assert_int_equal(n.owner[i + 1], i);
}

/* The record lists no instruction of the branches of `c`, and `c` is no view. */
static void a_node_that_runs_graphs_has_an_unknown_owner(void **state)
{
	struct fixture *f = *state;
	const struct made_line lines[] = { { .name = "x" },
		                           { "c", "higher_order.cond", 2, { "x" }, 4 },
		                           { "y", "aten.neg.default", 1, { "c" }, 4 },
		                           { .name = NULL } };
	const struct made_call calls[] = { { "0", "neg.out", { 1 }, 4 }, { .instruction = NULL } };
	struct etc_gap_nodes n = nodes_of(f, make_graph(f, lines), calls);

	assert_int_equal(n.owner[1], ETC_GAP_UNSURE);
	assert_int_equal(n.owner[2], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_kernel_computes_a_node_of_its_shape, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(kernels_exclude_others_from_their_nodes, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(one_kernel_does_not_exclude_others_from_two_nodes,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(a_view_that_no_kernel_may_compute_has_no_owner,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(a_view_that_may_vanish_limits_nothing, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_choice_that_leaves_a_call_without_nodes_is_none,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(a_call_lists_the_nodes_that_it_may_compute, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_delegate_lists_the_outputs_that_have_no_order,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(the_nodes_of_a_large_handle_are_found, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_node_that_runs_graphs_has_an_unknown_owner, setup,
		                                teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
