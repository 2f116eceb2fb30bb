/* test_graph_flow.c -- sizes and types of the tensors that the nodes of a record's graph take and
 * give */
#include "record_fixture.h"

#include <math.h>

#include "formats/etrecord/graph_flow.h"

#define GRAPH  "edge_dialect_exported_program/forward"
#define INT(n) "{\"as_int\": " n "}"
#define MODULE(values)                                                    \
	"{\"graph_module\": {\"graph\": {\"inputs\": [], \"nodes\": [], " \
	"\"tensor_values\": " values "}}}"

static bool has(const struct etc_graph_flow *sizes, uint64_t n)
{
	return etc_map_get(&sizes->elements, (struct etc_str){ (const char *)&n, sizeof n }) !=
	       ETC_MAP_NONE;
}

/* Reads the sizes from the JSON of a graph, whose first, third and fourth node are those of
 * `graph`. Returns whether all of the JSON was read. */
static bool sizes_of(struct fixture *f, const char *json, struct etc_graph_flow *sizes)
{
	static const struct etc_node nodes[] = {
		{ .index = 0, .op = { "aten.hardtanh.default", 21 } },
		{ .index = 2, .op = { "aten.clamp.default", 18 } },
		{ .index = 3, .op = { "aten.convolution.default", 24 } }
	};
	struct etc_graph graph = { .name = ETC_STR(GRAPH), .nodes = nodes, .node_count = 3 };
	struct etc_zip zip;

	zip_release(&f->maker);
	f->maker = (struct zip_maker){ 0 };
	zip_stored(&f->maker, GRAPH, json);
	assert_ok(etc_zip_open(zip_finish(&f->maker, ""), &f->arena, &zip, &f->err), &f->err);
	f->err = (struct etc_error){ 0 };
	return etc_graph_flow_read(&zip, &graph, &f->arena, sizes, &f->err) == ETC_OK &&
	       sizes->whole;
}

static void multiplies_sizes(void **state)
{
	struct etc_graph_flow sizes;

	assert_true(sizes_of(*state,
	                     MODULE("{\"a\": {\"dtype\": 7, \"sizes\": [" INT("3") ", " INT(
				     "5") "]}, "
	                                  "\"scalar\": {\"sizes\": []}, "
	                                  "\"empty\": {\"sizes\": [" INT("0") ", " INT("9") "]}}"),
	                     &sizes));
	assert_int_equal(sizes.elements.count, 3);
	assert_true(has(&sizes, 15) && has(&sizes, 1) && has(&sizes, 0));
}

static bool takes(const struct etc_graph_flow *sizes, uint64_t elements, uint64_t node)
{
	struct etc_node_takes key = { elements, node };

	return etc_map_get(&sizes->takes, (struct etc_str){ (const char *)&key, sizeof key }) !=
	       ETC_MAP_NONE;
}

static void knows_what_nodes_take_beside_their_data(void **state)
{
	struct etc_graph_flow sizes;

	assert_true(sizes_of(
		*state,
		"{\"graph_module\": {\"graph\": {\"nodes\": [{\"target\": \"t\"}, {\"inputs\": ["
		"{\"name\": \"input\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}}, "
		"{\"name\": \"weight\", \"arg\": {\"as_tensor\": {\"name\": \"w\"}}}, "
		"{\"name\": \"bias\", \"arg\": {\"as_none\": true}}, "
		"{\"name\": \"more\", \"arg\": {\"as_tensors\": [{\"name\": \"v\"}]}}]}], "
		"\"tensor_values\": {\"x\": {\"sizes\": [" INT(
			"5") "]}, "
			     "\"w\": {\"sizes\": [" INT("3") ", " INT(
				     "4") "]}, "
					  "\"v\": {\"sizes\": [" INT("7") "]}}}}}",
		&sizes));
	assert_true(takes(&sizes, 12, 1) && takes(&sizes, 7, 1));
	assert_false(takes(&sizes, 5, 1) || takes(&sizes, 12, 0));
}

/* Checks the tensors of a list against `want`, "SIZES/TYPE SIZES/TYPE": "3x4/6 ?/-1". "?" and -1:
 * unknown. */
static void assert_tensors(const struct etc_graph_flow *s, struct etc_graph_tensors list,
                           const char *want)
{
	char text[200] = "";
	size_t n = 0;

	for (uint32_t i = 0; i < list.count; i++) {
		const struct etc_graph_tensor *t = &s->tensors[list.first + i];

		n += (size_t)snprintf(text + n, sizeof text - n, i ? " " : "");
		for (uint32_t k = 0; k < t->rank; k++)
			n += (size_t)snprintf(text + n, sizeof text - n, k ? "x%d" : "%d",
			                      (int)t->sizes[k]);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s/%d", t->known ? "" : "?",
		                      t->type);
	}
	assert_string_equal(text, want);
}

static void lists_the_tensors_of_each_node(void **state)
{
	struct etc_graph_flow sizes;

	assert_true(sizes_of(
		*state,
		"{\"graph_module\": {\"graph\": {\"nodes\": ["
		"{\"inputs\": [{\"name\": \"x\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}}, "
		"{\"name\": \"size\", \"arg\": {\"as_sym_ints\": [{\"as_name\": \"x\"}]}}, "
		"{\"name\": \"bias\", \"arg\": {\"as_none\": true}}, "
		"{\"name\": \"y\", \"arg\": {\"as_none\": null, \"as_tensor\": {\"name\": "
		"\"far\"}}}, "
		"{\"name\": \"at\", \"arg\": {\"as_optional_tensors\": [{\"as_none\": true}, "
		"{\"as_tensor\": {\"name\": \"b\"}}]}}, "
		"{\"name\": \"body\", \"arg\": {\"as_graph\": {\"name\": \"x\"}}}], "
		"\"outputs\": [{\"as_tensors\": [{\"name\": \"b\"}, {\"name\": \"s\"}]}]}, "
		"{\"inputs\": [{\"name\": \"x\", \"arg\": {\"as_tensor\": {\"name\": \"s\"}}}]}, "
		"{\"outputs\": [{\"as_tensor\": {\"name\": \"x\"}}]}], "
		"\"tensor_values\": {\"x\": {\"dtype\": 7, \"sizes\": [" INT("5") ", " INT(
			"2") "]}, \"b\": {\"dtype\": 12, \"sizes\": [{\"as_expr\": "
			     "{}}, " INT("3") "]}, "
					      "\"s\": {\"dtype\": 13, \"sizes\": "
					      "[]}}}}}",
		&sizes));
	assert_tensors(&sizes, sizes.calls[0].inputs, "5x2/6 ?/-1 -1x3/11");
	assert_tensors(&sizes, sizes.calls[0].outputs, "-1x3/11 /15");
	assert_int_equal(sizes.calls[0].nones, 1);
	assert_tensors(&sizes, sizes.calls[1].inputs, "");
	assert_tensors(&sizes, sizes.calls[1].outputs, "5x2/6");
}

static void knows_what_limits_a_value(void **state)
{
	struct etc_graph_flow sizes;

	assert_true(sizes_of(*state,
	                     "{\"graph_module\": {\"graph\": {\"nodes\": [{\"inputs\": ["
	                     "{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"b\"}}}, "
	                     "{\"name\": \"max_val\", \"arg\": {\"as_float\": 6.5}}]}, {}, "
	                     "{\"inputs\": ["
	                     "{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"c\"}}}, "
	                     "{\"name\": \"min\", \"arg\": {\"as_none\": true}}, "
	                     "{\"name\": \"max\", \"arg\": {\"as_sym_int\": {\"as_name\": "
	                     "\"n\"}}}]}], "
	                     "\"tensor_values\": {\"a\": {}, \"b\": {}, \"c\": {}}}}}",
	                     &sizes));
	assert_true(sizes.calls[0].clamps && sizes.calls[1].clamps);
	assert_true(sizes.calls[0].low == -1 && sizes.calls[0].high == 6.5F);
	assert_true(sizes.calls[1].low == -INFINITY && isnan(sizes.calls[1].high));
	assert_true(sizes.behind[0] == 0 && sizes.behind[1] == 1 && sizes.behind[2] == UINT32_MAX);
}

static void knows_what_a_convolution_is_told(void **state)
{
	static const char json[] =
		"{\"graph_module\": {\"graph\": {\"nodes\": [{}, {}, {}, {\"inputs\": ["
		"{\"name\": \"stride\", \"arg\": {\"as_int\": null, \"as_ints\": [2, 3]}}, "
		"{\"name\": \"padding\", \"arg\": {\"as_ints\": [7]}}, "
		"{\"name\": \"dilation\", \"arg\": {\"as_sym_ints\": [{\"as_int\": 1}]}}, "
		"{\"name\": \"transposed\", \"arg\": {\"as_bool\": true}}, "
		"{\"name\": \"groups\", \"arg\": {\"as_int\": 4}}]}], \"tensor_values\": {}}}}";
	const struct etc_convolution *c;
	struct etc_graph_flow sizes;

	assert_true(sizes_of(*state, json, &sizes));
	assert_null(sizes.calls[0].convolution);
	c = sizes.calls[2].convolution;
	assert_non_null(c);
	assert_true(c->stride[0] == 2 && c->stride[1] == 3 && c->groups == 4 && c->transposed == 1);
	assert_true(c->padding[0] == 7 && c->padding[1] == -1);
	assert_true(c->dilation[0] == -1 && c->dilation[1] == -1);
}

static void leaves_out_what_has_no_fixed_size(void **state)
{
	static const char *const tensors[] = {
		"{\"sizes\": [{\"as_expr\": {\"expr_str\": \"s0\"}}, " INT("4") "]}",
		"{\"sizes\": [" INT("-1") "]}",
		"{\"sizes\": [" INT("1.5") "]}",
		"{\"sizes\": [4]}",
		"{\"sizes\": 4}",
		"{\"dtype\": 7}",
		"[]",
		/* the numbers of elements are 2^32 * 2^32, and more than 64 bits can hold */
		"{\"sizes\": [" INT("4294967296") ", " INT("4294967296") "]}",
		"{\"sizes\": [" INT("99999999999999999999") "]}",
	};
	struct etc_graph_flow sizes;
	char json[300];

	for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
		snprintf(json, sizeof json,
		         MODULE("{\"a\": %s, \"b\": {\"sizes\": [" INT("7") "]}}"), tensors[i]);
		assert_true(sizes_of(*state, json, &sizes));
		assert_int_equal(sizes.elements.count, 1);
		assert_true(has(&sizes, 7));
	}
}

static void says_where_it_could_not_read_all(void **state)
{
	static const char *const texts[] = {
		"[]", "{}", "{\"graph_module\": {}}", "{\"graph_module\": {\"graph\": []}}",
		"{\"graph_module\": {\"graph\": {\"tensor_values\": 7}}}"
	};
	struct etc_graph elsewhere = { .name = ETC_STR("another") };
	struct fixture *f = *state;
	struct etc_graph_flow sizes;
	struct etc_zip zip;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_false(sizes_of(f, texts[i], &sizes));
	assert_false(sizes_of(
		f, "{\"graph_module\": {\"graph\": {\"tensor_values\": {\"a\": {\"sizes\": [",
		&sizes));
	zip_release(&f->maker);
	f->maker = (struct zip_maker){ 0 };
	zip_stored(&f->maker, GRAPH, "{}");
	f->err = (struct etc_error){ 0 };
	assert_ok(etc_zip_open(zip_finish(&f->maker, ""), &f->arena, &zip, &f->err), &f->err);
	assert_ok(etc_graph_flow_read(&zip, &elsewhere, &f->arena, &sizes, &f->err), &f->err);
	assert_false(sizes.whole);
}

/* As in `analyze`, sizes are read together with the nodes. Most nodes are similar to an earlier
 * one. */
static void reads_similar_nodes_while_it_reads_the_graph(void **state)
{
#define IN(name, x) "{\"name\": \"" name "\", \"arg\": {\"as_tensor\": {\"name\": \"" x "\"}}}"
#define OUT(x)      "\"outputs\": [{\"as_tensor\": {\"name\": \"" x "\"}}], \"metadata\": {}}"
#define OP(op, in) \
	"{\"target\": \"executorch.exir.dialects.edge.ops.aten." op "\", \"inputs\": [" in "], "
#define SIZES(a, b)                                                                           \
	"{\"dtype\": 7, \"sizes\": [" INT(a) ", " INT(b) "], \"strides\": [" INT(b) ", " INT( \
		"1") "]}"
	static const char json[] =
		"{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [" OP(
			"add.Tensor",
			IN("self", "a") ", " IN(
				"other", "b")) OUT("c") ", " OP("add.Tensor",
	                                                        IN("self", "c") ", " IN("other",
	                                                                                "d"))
			OUT("e") ", " OP("mul.Tensor", IN("self", "e") ", " IN("other", "a")) OUT(
				"f") ", " OP("hardtanh.default", "{\"name\": \"max_val\", \"arg\": "
	                                                         "{\"as_float\": 6.0}}")
				OUT("g") ", " OP(
					"hardtanh.default",
					"{\"name\": \"max_val\", \"arg\": {\"as_float\": 2.0}}")
					OUT("h") "], \"tensor_values\": {\"a\": " SIZES("2", "3") ", \"b\": " SIZES(
						"2",
						"1") ", \"c\": " SIZES("2",
	                                                               "3") ", \"d\": " SIZES("2",
	                                                                                      "3") ", \"e\": {\"sizes\": [{\"as_expr\": {\"expr_str\": "
												   "\"s0\"}}]}, \"f\": {\"sizes\": [{\"as_expr\": {\"expr_str\": \"s1\"}}]}}}}}";
	static const char *const inputs[] = { "2x3/6 2x1/6", "2x3/6 2x3/6", "-1/-1 2x3/6", "", "" };
	static const char *const outputs[] = { "2x3/6", "-1/-1", "-1/-1", "?/-1", "?/-1" };
	struct fixture *f = *state;
	const struct etc_graph_flow *flow;
	struct etc_notes notes;
	struct etc_record r;

	zip_release(&f->maker);
	f->maker = (struct zip_maker){ 0 };
	zip_stored(&f->maker, "ETRECORD_V0", "");
	zip_stored(&f->maker, GRAPH, json);
	etc_notes_init(&notes, &f->arena);
	assert_ok(etc_etrecord_read(zip_finish(&f->maker, ""), ETC_RECORD_EDGE | ETC_RECORD_FLOWS,
	                            &f->arena, &notes, &r, &f->err),
	          &f->err);
	flow = r.graphs[0].tensors;
	assert_true(flow && flow->whole && r.graphs[0].node_count == 5);
	for (uint32_t i = 0; i < 5; i++) {
		assert_tensors(flow, flow->calls[i].inputs, inputs[i]);
		assert_tensors(flow, flow->calls[i].outputs, outputs[i]);
	}
	assert_true(flow->calls[3].high == 6.0F && flow->calls[4].high == 2.0F);
	assert_string_equal(
		etc_arena_str(&f->arena, flow->tensors[flow->calls[2].outputs.first].expressions[0])
			.ptr,
		"s1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(multiplies_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_what_nodes_take_beside_their_data, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(lists_the_tensors_of_each_node, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_what_limits_a_value, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_what_a_convolution_is_told, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_similar_nodes_while_it_reads_the_graph, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(leaves_out_what_has_no_fixed_size, setup, teardown),
		cmocka_unit_test_setup_teardown(says_where_it_could_not_read_all, setup, teardown),
	};

	return cmocka_run_group_tests_name("graph_flow", tests, NULL, NULL);
}
