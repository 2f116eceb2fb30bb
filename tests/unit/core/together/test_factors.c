/* test_factors.c -- finding factors of a delegate's nodes that contradict those of the record's
 * nodes. */
#include "json_fixture.h"

#include "model/xnode.h"
#include "together/finder.h"

#define ELU(alpha) "{\"inputs\": [{\"name\": \"alpha\", \"arg\": {\"as_float\": " alpha "}}]}"
#define OPEN       "{\"inputs\": ["

enum { NODES = 2, ROOM = 128 };

/* Compares an ELU of a delegate, whose alpha is 0.5, with two nodes of the same debug handle, after
 * `bytes` of arguments were read. */
static struct etc_conflicts compare(struct fixture *f, const char *first, const char *second,
                                    uint64_t bytes)
{
	static int64_t handle = 7;
	const char *const texts[NODES] = { first, second };
	struct etc_node nodes[NODES];
	struct etc_graph_call calls[NODES];
	const struct etc_graph graph = { .nodes = nodes, .node_count = NODES };
	const struct etc_method_maps maps = { .handle_count = 0 };
	const struct etc_delegate_node node = { .handle = handle, .kind = ETC_DELEGATE_ELU };
	const struct etc_delegate_operator operator= { .kind = ETC_XNODE_ELU, .factor = 0.5f };
	const struct etc_delegate_graph blob = {
		.nodes = &node, .count = 1, .operators = &operator};
	struct etc_conflicts out = { .uncompared = 0 };
	struct etc_finder finder = { .arena = &f->arena, .out = &out, .read_arguments = bytes };
	struct etc_graph_index x;
	const struct etc_compared_delegate delegate = { .blob = &blob, .x = &x };

	for (uint32_t i = 0; i < NODES; i++) {
		char *json = etc_new(&f->arena, char, ROOM + ETC_GRAPH_NODE_ROOM);

		assert_non_null(json);
		strcpy(json, texts[i]);
		calls[i] = (struct etc_graph_call){ .json = { json, strlen(json) } };
		nodes[i] = (struct etc_node){
			.index = i,
			.op = ETC_STR("aten.elu.default"),
			.debug_handle = { .form = ETC_HANDLES_INT, .v = &handle, .count = 1 }
		};
	}
	assert_true(etc_graph_index_init(&x, &maps, &graph, &f->arena));
	x.flow = (struct etc_graph_flow){ .calls = calls, .whole = true };
	x.flow_asked = true;
	assert_ok(etc_conflicts_in_factors(&finder, &delegate, &f->err), &f->err);
	return out;
}

static void accepts_each_node_of_the_handle(void **state)
{
	const struct etc_conflicts first = compare(*state, ELU("0.5"), ELU("0.25"), 0);
	const struct etc_conflicts second = compare(*state, ELU("0.25"), ELU("0.5"), 0);
	const struct etc_conflicts none = compare(*state, ELU("0.25"), ELU("0.75"), 0);

	assert_true(!first.record_program[0] && !first.uncompared);
	assert_true(!second.record_program[0] && !second.uncompared);
	assert_non_null(strstr(none.record_program, "debug handle 7 has another alpha"));
}

static void counts_a_factor_that_is_unknown(void **state)
{
	const struct etc_conflicts unknown = compare(*state, ELU("0.25"), OPEN, 0);
	const struct etc_conflicts known = compare(*state, OPEN, ELU("0.5"), 0);

	assert_true(!unknown.record_program[0] && unknown.uncompared == 1);
	assert_true(!known.record_program[0] && !known.uncompared);
}

static void reads_no_more_than_a_limit(void **state)
{
	const struct etc_conflicts out = compare(*state, ELU("0.25"), ELU("0.5"), 1 << 24);

	assert_true(!out.record_program[0] && out.uncompared == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(accepts_each_node_of_the_handle, setup, teardown),
		cmocka_unit_test_setup_teardown(counts_a_factor_that_is_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_no_more_than_a_limit, setup, teardown),
	};

	return cmocka_run_group_tests_name("together_factors", tests, NULL, NULL);
}
