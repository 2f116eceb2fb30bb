/* test_hierarchy.c -- the order of a graph's nodes with and without the Inspector's module
 * hierarchy. */
#include "unit.h"

#include "base/arena.h"
#include "inspector/inspector.h"

#define NODE(n, fn, stack)                                                   \
	{                                                                    \
		.name = { n, sizeof n - 1 }, .has_source_fn = sizeof fn > 1, \
		.has_modules = (stack), .source_fn = {                       \
			fn,                                                  \
			sizeof fn - 1                                        \
		}                                                            \
	}

/* conv_0 and conv_1 have the same class by two paths, conv_2 has another. `free` has no source
 * function, `bare` no module stack. */
static const struct etc_node nodes[] = {
	NODE("conv_0", "conv,torch.nn.modules.conv.Conv2d", true),
	NODE("free", "", true),
	NODE("relu", "relu,torch.nn.functional.relu", true),
	NODE("conv_1", "conv,torch.nn.Conv2d", true),
	NODE("bare", "conv,torch.nn.Conv2d", false),
	NODE("conv_2", "conv,torch.nn.Conv1d", true),
};
static const struct etc_graph graph = { .nodes = nodes, .node_count = 6 };

/* Classes that have the same name in different modules. Two classes of torch are the same if their
 * __name__ is equal, since the Inspector looks them up. Other classes are the same if they are
 * written equally. */
static const struct etc_node namesakes[] = {
	NODE("a_0", "x,one.Block", true),
	NODE("b_0", "x,two.Block", true),
	NODE("c_0", "x,one.Outer.Block", true),
	NODE("d_0", "x,torchvision.ops.Block", true),
	NODE("e_0", "x,torch.nn.modules.Block", true),
	NODE("f_0", "x,torch.ops.aten.add.Tensor", true),
	NODE("g_0", "x,torch.ops.aten.sub.Tensor", true),
	NODE("a_1", "x,one.Block", true),
	NODE("b_1", "x,two.Block", true),
	NODE("c_1", "x,one.Outer.Block", true),
	NODE("d_1", "x,torchvision.ops.Block", true),
	NODE("e_1", "x,torch.nn.Block", true),
	NODE("f_1", "x,torch.ops.aten.add.Tensor", true),
	NODE("g_1", "x,torch.ops.aten.sub.Tensor", true),
};
static const struct etc_graph of_namesakes = { .nodes = namesakes, .node_count = 14 };

static void expect_order(const struct etc_graph *g, bool hierarchy, const char *const *names)
{
	const struct etc_node **order;
	struct etc_arena arena;

	etc_arena_init(&arena, 1 << 24);
	order = etc_insp_order(g, hierarchy, &arena);
	assert_non_null(order);
	for (uint32_t i = 0; i < g->node_count; i++)
		assert_str(order[i]->name, names[i]);
	etc_arena_release(&arena);
}

static void without_the_option_the_graphs_order_stays(void **state)
{
	static const char *const names[] = { "conv_0", "free", "relu", "conv_1", "bare", "conv_2" };

	(void)state;
	expect_order(&graph, false, names);
}

static void modules_follow_the_rest_by_first_appearance(void **state)
{
	static const char *const names[] = { "free", "bare", "conv_0", "conv_1", "relu", "conv_2" };

	(void)state;
	expect_order(&graph, true, names);
}

static void only_types_of_torch_are_known_by_their_last_name(void **state)
{
	static const char *const names[] = { "a_0", "a_1", "b_0", "b_1", "c_0", "c_1", "d_0",
		                             "d_1", "e_0", "e_1", "f_0", "f_1", "g_0", "g_1" };

	(void)state;
	expect_order(&of_namesakes, true, names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_the_option_the_graphs_order_stays),
		cmocka_unit_test(modules_follow_the_rest_by_first_appearance),
		cmocka_unit_test(only_types_of_torch_are_known_by_their_last_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
