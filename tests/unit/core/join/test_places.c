/* test_places.c -- finding the nodes of the graph that an event computed, and the modules and
 * source lines that these nodes have in common. */
#include "unit.h"

#include "host/host.h"
#include "join/keys.h"
#include "join/places.h"

static const struct etc_module root = { { "m", 1 }, { "", 0 }, { "__main__.Net", 12 } };
static const struct etc_module block_a[] = { { { "m", 1 }, { "", 0 }, { "__main__.Net", 12 } },
	                                     { { "f", 1 }, { "f", 1 }, { "nn.Seq", 6 } },
	                                     { { "a", 1 }, { "f.a", 3 }, { "nn.Conv", 7 } } };
static const struct etc_module block_b[] = { { { "m", 1 }, { "", 0 }, { "__main__.Net", 12 } },
	                                     { { "f", 1 }, { "f", 1 }, { "nn.Seq", 6 } },
	                                     { { "b", 1 }, { "f.b", 3 }, { "nn.Relu", 7 } } };
static const int64_t one = 1, two = 2, three = 3, partition[] = { 1, 2 };

static const struct etc_node nodes[] = {
	{ .debug_handle = { .form = ETC_HANDLES_INT, .v = &one, .count = 1 },
	  .modules = block_a,
	  .module_count = 3,
	  .source_file = { "net.py", 6 },
	  .source_line = 7,
	  .source_text = { "x = a(x)", 8 } },
	{ .debug_handle = { .form = ETC_HANDLES_INT, .v = &two, .count = 1 },
	  .modules = block_b,
	  .module_count = 3,
	  .source_file = { "net.py", 6 },
	  .source_line = 8 },
	{ .debug_handle = { .form = ETC_HANDLES_INT, .v = &three, .count = 1 },
	  .modules = &root,
	  .module_count = 1 },
};
static const struct etc_graph graph = { .kind = ETC_GRAPH_EDGE, .nodes = nodes, .node_count = 3 };

static const struct etc_handle_entry handles[] = {
	{ { "0", 1 }, { .form = ETC_HANDLES_LIST, .v = partition, .count = 2 } },
	{ { "1", 1 }, { .form = ETC_HANDLES_INT, .v = &three, .count = 1 } },
};
static const struct etc_handle_entry ids[] = {
	{ { "5", 1 }, { .form = ETC_HANDLES_INT, .v = &two, .count = 1 } },
	{ { "given", 5 }, { .form = ETC_HANDLES_INT, .v = &one, .count = 1 } },
};
static const struct etc_delegate_entry delegates[] = {
	{ .key = { "0", 1 }, .ids = ids, .count = 2 },
};
static const struct etc_method_maps maps = {
	.handles = handles, .handle_count = 2, .delegates = delegates, .delegate_count = 1
};

enum { BY_ID, UNKNOWN_ID, CALL, OPERATOR, OTHER, SITES };

static const struct etc_place **place(struct etc_said **said, const struct etc_method_maps *m,
                                      const struct etc_graph *g, struct etc_arena *arena)
{
	struct etc_site v[SITES] = { 0 };
	static const struct etc_event events[SITES] = {
		[BY_ID] = { .instruction_id = 0, .delegate_id = 5 },
		[UNKNOWN_ID] = { .instruction_id = 0, .delegate_id = 6 },
		[CALL] = { .instruction_id = 0, .delegate_id = -1 },
		[OPERATOR] = { .instruction_id = 1, .delegate_id = -1 },
		[OTHER] = { .instruction_id = 9, .delegate_id = -1 },
	};
	struct etc_sites sites = { .arena = arena,
		                   .events = events,
		                   .v = v,
		                   .count = SITES,
		                   .root = ETC_NO_SITE,
		                   .said = said };
	struct etc_places *places = etc_new(arena, struct etc_places, 1);
	struct etc_error err = { 0 };

	assert_non_null(places);
	for (int i = 0; i < SITES; i++) {
		v[i].call = i < CALL ? (uint32_t)CALL : ETC_NO_SITE;
		v[i].delegate = i < CALL;
		v[i].instruction = i >= CALL;
		v[i].delegate_call = i == CALL;
	}
	assert_ok(etc_places_init(places, m, g, arena, &err), &err);
	assert_ok(etc_sites_place(&sites, places, &err), &err);
	return sites.place;
}

static void events_get_their_own_nodes_or_those_of_the_partition(void **state)
{
	const struct etc_place **at;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	at = place(NULL, &maps, &graph, &arena);
	assert_int_equal(at[BY_ID]->how, ETC_PLACE_EXACT);
	assert_str(at[BY_ID]->module->name, "f.b");
	assert_str(at[BY_ID]->module->detail, "Relu");
	assert_str(at[BY_ID]->source->name, "net.py:8");
	assert_int_equal(at[UNKNOWN_ID]->how, ETC_PLACE_PARTITION);
	assert_str(at[UNKNOWN_ID]->module->name, "f.a, f.b");
	assert_int_equal(at[UNKNOWN_ID]->module->detail.len, 0);
	assert_str(at[UNKNOWN_ID]->module->members, "f.a, f.b");
	assert_str(at[UNKNOWN_ID]->source->name, "net.py:7, net.py:8");
	assert_int_equal(at[CALL]->how, ETC_PLACE_PARTITION);
	assert_str(at[OPERATOR]->module->name, "(root)");
	assert_str(at[OPERATOR]->source->name, "(no source line)");
	assert_int_equal(at[OTHER]->how, ETC_PLACE_UNKNOWN);
	etc_arena_release(&arena);
}

static void what_the_plugin_found_comes_before_the_map(void **state)
{
	static const struct etc_mapped found = { .handles = &one, .count = 1 };
	static const struct etc_mapped key = { .key = { "given", 5 } };
	static const struct etc_mapped local = { .not_edge_handles = true };
	struct etc_said *said[SITES] = { NULL };
	const struct etc_place **at;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	said[BY_ID] = &(struct etc_said){ .mapped = &found };
	said[UNKNOWN_ID] = &(struct etc_said){ .mapped = &key };
	at = place(said, &maps, &graph, &arena);
	assert_str(at[BY_ID]->module->name, "f.a");
	assert_str(at[UNKNOWN_ID]->module->name, "f.a");
	said[BY_ID]->mapped = &local; /* the numbers of this delegate's map are no debug handles */
	at = place(said, &maps, &graph, &arena);
	assert_int_equal(at[BY_ID]->how, ETC_PLACE_PARTITION);
	etc_arena_release(&arena);
}

/* A node that quantises has the handle of the operator before it, in another module. */
static void an_operator_call_is_of_the_module_of_its_kernel(void **state)
{
	static const struct etc_node shared[] = {
		{ .op = { "aten.relu.default", 17 },
		  .debug_handle = { .form = ETC_HANDLES_INT, .v = &three, .count = 1 },
		  .modules = block_b,
		  .module_count = 3 },
		{ .op = { "quantized_decomposed.quantize_per_tensor.default", 48 },
		  .debug_handle = { .form = ETC_HANDLES_INT, .v = &three, .count = 1 },
		  .modules = &root,
		  .module_count = 1 },
	};
	static const struct etc_graph g = { .kind = ETC_GRAPH_EDGE,
		                            .nodes = shared,
		                            .node_count = 2 };
	struct etc_event events[] = { { .instruction_id = 1, .delegate_id = -1, .has_name = true },
		                      { .instruction_id = 1, .delegate_id = -1 } };
	struct etc_site v[] = { { .call = 1, .native = true },
		                { .call = ETC_NO_SITE, .instruction = true } };
	struct etc_sites sites = { .events = events, .v = v, .count = 2, .root = ETC_NO_SITE };
	struct etc_places places;
	struct etc_error err = { 0 };
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	sites.arena = &arena;
	events[0].name = etc_arena_sized(&arena, ETC_STR("native_call_quantize_per_tensor.out"));
	assert_ok(etc_places_init(&places, &maps, &g, &arena, &err), &err);
	assert_ok(etc_sites_place(&sites, &places, &err), &err);
	assert_str(sites.place[0]->module->name, "(root)");
	assert_str(sites.place[1]->module->name, "(root)");
	etc_arena_release(&arena);
}

static void without_a_record_everything_is_unknown(void **state)
{
	const struct etc_place **at;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	at = place(NULL, NULL, NULL, &arena);
	for (int i = 0; i < SITES; i++) {
		assert_int_equal(at[i]->how, ETC_PLACE_UNKNOWN);
		assert_str(at[i]->module->name, "(unknown)");
	}
	etc_arena_release(&arena);
}

static void kernels_have_a_category_by_their_name(void **state)
{
	(void)state;
	assert_str(etc_kernel_category(ETC_STR("mean.out")), "reduction");
	assert_str(etc_kernel_category(ETC_STR("aten::_softmax.out")), "activation");
	assert_str(etc_kernel_category(ETC_STR("zeros")), "data movement");
	assert_str(etc_kernel_category(ETC_STR("_adaptive_avg_pool2d.out")), "pooling");
	assert_str(etc_kernel_category(ETC_STR("_cdist_forward.out")), "reduction");
	assert_str(etc_kernel_category(ETC_STR("_h2d_copy.out")), "data movement");
	assert_str(etc_kernel_category(ETC_STR("max_pool2d_with_indices_backward.grad_input")),
	           "pooling");
	assert_str(etc_kernel_category(ETC_STR("var_mean.correction_out")), "reduction");
	assert_str(etc_kernel_category(ETC_STR("meaning.out")), "");
	assert_str(etc_kernel_category(ETC_STR("")), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_get_their_own_nodes_or_those_of_the_partition),
		cmocka_unit_test(what_the_plugin_found_comes_before_the_map),
		cmocka_unit_test(an_operator_call_is_of_the_module_of_its_kernel),
		cmocka_unit_test(without_a_record_everything_is_unknown),
		cmocka_unit_test(kernels_have_a_category_by_their_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
