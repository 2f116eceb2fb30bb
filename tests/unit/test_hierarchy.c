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

/* conv appears twice, once through another path to the same type; free has no
 * source function, bare no module stack. */
static const struct etc_node nodes[] = {
	NODE("conv_0", "conv,torch.nn.modules.conv.Conv2d", true),
	NODE("free", "", true),
	NODE("relu", "relu,torch.nn.functional.relu", true),
	NODE("conv_1", "conv,torch.nn.Conv2d", true),
	NODE("bare", "conv,torch.nn.Conv2d", false),
	NODE("conv_2", "conv,torch.nn.Conv1d", true),
};
static const struct etc_graph graph = { .nodes = nodes, .node_count = 6 };

static void expect(bool hierarchy, const char *const *names)
{
	const struct etc_node **order;
	struct etc_arena arena;

	etc_arena_init(&arena, 1 << 24);
	order = etc_insp_order(&graph, hierarchy, &arena);
	assert_non_null(order);
	for (uint32_t i = 0; i < graph.node_count; i++)
		assert_str(order[i]->name, names[i]);
	etc_arena_release(&arena);
}

static void without_the_option_the_graphs_order_stays(void **state)
{
	static const char *const names[] = { "conv_0", "free", "relu", "conv_1", "bare", "conv_2" };

	(void)state;
	expect(false, names);
}

static void modules_follow_the_rest_by_first_appearance(void **state)
{
	static const char *const names[] = { "free", "bare", "conv_0", "conv_1", "relu", "conv_2" };

	(void)state;
	expect(true, names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_the_option_the_graphs_order_stays),
		cmocka_unit_test(modules_follow_the_rest_by_first_appearance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
