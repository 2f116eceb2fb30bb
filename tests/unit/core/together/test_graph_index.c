/* test_graph_index.c -- finding the nodes and instructions that have a debug handle. */
#include "json_fixture.h"

#include "together/graph_index.h"

enum { HANDLES = 2000, INSTRUCTIONS = 3 };

/* A graph whose node i has the handle i + 1, or 1 if it is `crowded`. Instruction 0 has all handles
 * except the last, instruction 1 has the last and the first, instruction 2 has none. */
struct example {
	int64_t handles[HANDLES], others[2];
	struct etc_node nodes[HANDLES];
	struct etc_handle_entry entries[INSTRUCTIONS];
	struct etc_method_maps maps;
	struct etc_graph graph;
	struct etc_graph_index x;
};

static struct example *example(struct fixture *f, bool crowded)
{
	static const char *const keys[INSTRUCTIONS] = { "0", "1", "2" };
	struct example *e = etc_new(&f->arena, struct example, 1);

	assert_non_null(e);
	for (uint32_t i = 0; i < HANDLES; i++) {
		e->handles[i] = crowded ? 1 : i + 1;
		e->nodes[i] = (struct etc_node){
			.index = i,
			.op = ETC_STR("aten.relu.default"),
			.debug_handle = { .form = ETC_HANDLES_INT, .v = &e->handles[i], .count = 1 }
		};
	}
	e->others[0] = HANDLES;
	e->others[1] = 1;
	for (uint32_t i = 0; i < INSTRUCTIONS; i++)
		e->entries[i].key = etc_str_of(keys[i]);
	e->entries[0].handles = (struct etc_handles){ .v = e->handles, .count = HANDLES - 1 };
	e->entries[1].handles = (struct etc_handles){ .v = e->others, .count = 2 };
	e->maps = (struct etc_method_maps){ .handles = e->entries, .handle_count = INSTRUCTIONS };
	e->graph = (struct etc_graph){ .nodes = e->nodes, .node_count = HANDLES };
	assert_true(etc_graph_index_init(&e->x, &e->maps, &e->graph, &f->arena));
	return e;
}

static void knows_the_instruction_of_each_node(void **state)
{
	struct example *e = example(*state, false);

	for (uint32_t times = 0; times < 4; times++)
		for (uint32_t i = 0; i < HANDLES; i++) {
			assert_int_equal(etc_graph_index_is_node(&e->x, i, 0), i < HANDLES - 1);
			assert_int_equal(etc_graph_index_is_node(&e->x, i, 1),
			                 i == 0 || i == HANDLES - 1);
		}
	assert_int_equal(etc_graph_index_is_node(&e->x, 0, 2), -1);
	assert_int_equal(etc_graph_index_is_node(&e->x, 0, INSTRUCTIONS), -1);
}

static void compares_nothing_if_a_handle_has_too_many_nodes(void **state)
{
	struct example *few = example(*state, false), *many = example(*state, true);

	assert_true(few->x.whole && etc_graph_index_handles(&few->x, 0));
	assert_true(!many->x.whole && !etc_graph_index_handles(&many->x, 0));
	assert_int_equal(etc_graph_index_is_node(&many->x, 0, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(knows_the_instruction_of_each_node, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(compares_nothing_if_a_handle_has_too_many_nodes,
		                                setup, teardown),
	};

	return cmocka_run_group_tests_name("together_graph_index", tests, NULL, NULL);
}
