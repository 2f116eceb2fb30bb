/* test_etrecord_nodes.c -- the nodes of an ETRecord: names, arguments, metadata */
#include "record_fixture.h"

#define NODE(name, target, inputs, outputs, metadata)                               \
	"{\"name\": \"" name "\", \"target\": \"" target "\", \"inputs\": [" inputs \
	"], \"outputs\": [" outputs "], \"metadata\": {" metadata "}}"
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define NESTED                                                                                \
	"\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [], \"tensor_values\": {}, " \
	"\"sym_int_values\": {}, \"sym_bool_values\": {}"
#define TENSOR_INPUT "{\"name\": \"self\", \"arg\": " TENSOR("x") "}"
#define EDGE_OP      "executorch.exir.dialects.edge.ops."

static void nodes_get_the_names_that_python_gives_them(void **state)
{
	static const char *const want[] = { "aten_native_layer_norm_default",
		                            "aten_native_layer_norm_default_1",
		                            "aten_add",
		                            "cond",
		                            "input_1",
		                            "getitem_6" };
	struct fixture *f = *state;

	put_maps(&f->maker);
	/* A node with several outputs is named after its operator, whatever name the file has. Each
	 * of its outputs takes a name, too. Control flow takes the names of its graphs. */
	put_program(
		&f->maker, "edge_dialect_exported_program/forward",
		NODE("ln_9", EDGE_OP "aten.native_layer_norm.default", "",
	             TENSOR("getitem") ", " TENSOR("getitem_1") ", " TENSOR("getitem_2"),
	             "") ", " NODE("ln_10", EDGE_OP "aten.native_layer_norm.default", "",
	                           TENSOR("getitem_3") ", " TENSOR("getitem_4") ", " TENSOR(
					   "getitem_5"),
	                           "") ", " NODE("ignored", EDGE_OP "aten.add.Tensor", "",
	                                         TENSOR("aten_add"),
	                                         "\"debug_handle\": \"7\", \"stack_trace\": "
	                                         "\"\"") ", " NODE("cond",
	                                                           "torch.ops.higher_order.cond",
	                                                           "{\"name\": \"\", \"arg\": "
	                                                           "{\"as_graph\": {\"name\": "
	                                                           "\"input\", " NESTED "}}}}",
	                                                           "{\"as_tensors\": "
	                                                           "[{\"name\": \"out\"}]}",
	                                                           "") ", " NODE("x",
	                                                                         EDGE_OP "aten.neg."
	                                                                                 "default",
	                                                                         "",
	                                                                         TENSOR("input"),
	                                                                         "") ", " NODE("y",
	                                                                                       EDGE_OP
	                                                                                       "ate"
	                                                                                       "n."
	                                                                                       "neg"
	                                                                                       ".de"
	                                                                                       "fau"
	                                                                                       "lt",
	                                                                                       "",
	                                                                                       TENSOR("getitem_5"),
	                                                                                       ""));
	assert_ok(read_maker(f, ETC_RECORD_ALL), &f->err);
	assert_int_equal(f->r.inspector_refuses, ETC_CODE_NONE);
	assert_int_equal(f->r.graphs[0].node_count, 6);
	for (uint32_t i = 0; i < 6; i++)
		if (i != 4)
			assert_str(f->r.graphs[0].nodes[i].name, want[i]);
	/* "input" is a Python builtin. So the graph argument gets the name input_1, the node
	 * input_2. */
	assert_str(f->r.graphs[0].nodes[4].name, "input_2");
	assert_int_equal(f->r.graphs[0].nodes[2].debug_handle.v[0], 7);
	assert_false(f->r.graphs[0].nodes[2].has_stack_trace);
	assert_false(f->r.graphs[0].nodes[2].has_modules);
	assert_true(f->r.graphs[0].nodes[3].has_modules); /* an empty dict, as Python sets it */
}

static void unsupported_arguments_are_found_where_python_finds_them(void **state)
{
#define ARG(kind, value) "{\"name\": \"a\", \"arg\": {\"" kind "\": " value "}}"
	static const struct {
		const char *node;
		bool unsupported;
	} nodes[] = {
		{ NODE("n", EDGE_OP "mylib.op.default", ARG("as_device", "{\"type\": \"cpu\"}"),
		       TENSOR("n"), ""),
		  true },
		{ NODE("n", EDGE_OP "mylib.op.default", ARG("as_strings", "[\"a\"]"), TENSOR("n"),
		       ""),
		  true },
		{ NODE("n", EDGE_OP "mylib.op.default", ARG("as_strings", "[]"), TENSOR("n"), ""),
		  false },
		{ NODE("n", EDGE_OP "mylib.op.default", ARG("as_ints", "[1]"), TENSOR("n"), ""),
		  false },
		{ NODE("n", EDGE_OP "aten.full.default", ARG("as_device", "{\"type\": \"cpu\"}"),
		       TENSOR("n"), ""),
		  /* The argument has a default, so it is a keyword argument. Python only warns of
		   * these. */
		  false },
		{ NODE("n", EDGE_OP "aten.to.device", ARG("as_device", "{\"type\": \"cpu\"}"),
		       TENSOR("n"), ""),
		  true },
		{ NODE("n", "torch.ops.higher_order.map", ARG("as_layout", "7"), TENSOR("n"), ""),
		  false },
		{ NODE("n", "torch.ops.higher_order.map",
		       "{\"name\": \"\", \"arg\": {\"as_layout\": 7}}", TENSOR("n"), ""),
		  true },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		zip_release(&f->maker);
		put_maps(&f->maker);
		put_program(&f->maker, "edge_dialect_exported_program/forward", nodes[i].node);
		assert_ok(read_maker(f, ETC_RECORD_ALL), &f->err);
		assert_int_equal(f->r.inspector_refuses, ETC_CODE_NONE);
		if (f->r.graphs_refuse != (nodes[i].unsupported ? E0815 : ETC_CODE_NONE))
			fail_msg("%s: %u", nodes[i].node, (unsigned)f->r.graphs_refuse);
	}
}

/* A node that is similar to a valid one counts as valid without another check against the schema. A
 * wrong node must nevertheless be refused, alone and between others. */
static void a_wrong_node_is_refused_wherever_it_stands(void **state)
{
#define RIGHT(name) NODE(name, "t", INPUT("x"), TENSOR(name), "\"stack_trace\": \"s\"")
#define REST                                                                            \
	"\"inputs\": [" INPUT("x") "], \"outputs\": [" TENSOR("n") "], \"metadata\": {" \
								   "\"stack_trace\": \"s\"}"
#define INPUT(name) "{\"name\": \"self\", \"arg\": " TENSOR(name) "}"
	enum { FIRST_WRONG = 5 };
	static const char *const nodes[] = {
		NODE("n", "t", INPUT("x"), TENSOR("n"), "\"stack_trace\": \"s\""),
		NODE("n", "t", INPUT("x"), TENSOR("n"), "\"stack_trace\": \"s\", \"more\": \"\""),
		NODE("n", "t", INPUT("x"), TENSOR("n"), "\"stack_trace\": []"),
		NODE("n", "t", "", TENSOR("n"), "\"stack_trace\": \"s\""),
		"{\"target\": \"t\", \"name\": \"n\", " REST "}",
		/* from here on, the nodes are wrong */
		NODE("n", "t", INPUT("x"), TENSOR("n"), "\"stack_trace\": [1]"),
		NODE("n", "t", INPUT("x"), TENSOR("n"), "\"stack_trace\": {}"),
		NODE("n", "t", INPUT("x"), "{\"as_tensor\": {\"mane\": \"n\"}}",
		     "\"stack_trace\": \"s\""),
		NODE("n", "t", INPUT("x"), "{\"as_tensor\": {\"name\": 1}}",
		     "\"stack_trace\": \"s\""),
		NODE("n", "t", INPUT("x"), "{\"as_tensor\": {\"name\": \"n\", \"x\": 1}}",
		     "\"stack_trace\": \"s\""),
		NODE("n", "t", INPUT("x"), "{\"as_tensor\": \"n\"}", "\"stack_trace\": \"s\""),
		"{\"name\": \"n\", \"target\": \"t\", \"inputs\": [], \"outputs\": []}",
		"{\"name\": \"n\", \"target\": 1, " REST "}",
		"{\"name\": \"n\", \"target\": \"t\", " REST ", \"is_hop\": 1}",
	};
	const char *const around[][2] = {
		{ "", "" },
		{ RIGHT("a") ", ", "" },
		{ RIGHT("a") ", " RIGHT("b") ", ", ", " RIGHT("c") },
		{ "", ", " RIGHT("b") ", " RIGHT("c") },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		uint32_t alone = ETC_CODE_NONE;
		char *why = NULL;

		for (size_t k = 0; k < sizeof around / sizeof *around; k++) {
			struct etc_text t = { 0 };
			struct etc_str reason;

			etc_text_printf(&t, "%s%s%s%c", around[k][0], nodes[i], around[k][1], 0);
			put_maps(&f->maker);
			put_program(&f->maker, "edge_dialect_exported_program/forward", t.ptr);
			assert_ok(read_maker(f, ETC_RECORD_INSPECTOR), &f->err);
			reason = f->r.graphs[0].python_reason;
			if (k == 0) {
				alone = f->r.graphs[0].python_refuses;
				why = etc_arena_cstr(&f->arena, reason);
			}
			if (f->r.graphs[0].python_refuses != alone)
				fail_msg("%s: %u, not %u", t.ptr,
				         (unsigned)f->r.graphs[0].python_refuses, (unsigned)alone);
			assert_str(reason, why);
			etc_text_release(&t);
			zip_release(&f->maker);
		}
		assert_int_equal(alone != ETC_CODE_NONE, i >= FIRST_WRONG);
	}
}

static void every_node_has_its_own_lines_and_modules_however_many_there_are(void **state)
{
	enum { NODES = 5000, TEXTS = 1500 }; /* more than the reader remembers; texts repeat */
	struct fixture *f = *state;
	struct etc_text t = { 0 };

	for (int i = 0; i < NODES; i++)
		etc_text_printf(&t,
		                "%s" NODE("n%d", "t", "", TENSOR("n"),
		                          "\"stack_trace\": \"File \\\"m.py\\\", line %d, in f\", "
		                          "\"nn_module_stack\": \"k,p%d,c\""),
		                i ? ", " : "", i, i % TEXTS + 1, i % (TEXTS + 7));
	etc_text_char(&t, '\0');
	put_maps(&f->maker);
	put_program(&f->maker, "edge_dialect_exported_program/forward", t.ptr);
	assert_ok(read_maker(f, ETC_RECORD_ALL & ~ETC_RECORD_GRAPHS), &f->err);
	assert_int_equal(f->r.graphs[0].node_count, NODES);
	for (int i = 0; i < NODES; i++) {
		const struct etc_node *n = &f->r.graphs[0].nodes[i];
		char path[16];

		snprintf(path, sizeof path, "p%d", i % (TEXTS + 7));
		assert_str(n->source_file, "m.py");
		assert_int_equal(n->source_line, i % TEXTS + 1);
		assert_int_equal(n->module_count, 1);
		assert_str(n->modules[0].path, path);
	}
	etc_text_release(&t);
}

static void the_verdict_is_the_same_where_nobody_asks_for_the_nodes(void **state)
{
	static const struct {
		const char *nodes;
		enum etc_code code;
	} cases[] = {
		{ NODE("n", "t", TENSOR_INPUT, TENSOR("n"), ""), ETC_CODE_NONE },
		{ NODE("n", "t", TENSOR_INPUT, TENSOR("n"), "\"debug_handle\": \"7\""),
		  ETC_CODE_NONE },
		{ NODE("n", "t", TENSOR_INPUT, TENSOR("n"), "\"debug_handle\": \"x\""), E0895 },
		{ NODE("n", "t", "", TENSOR("n"), "\"nn_module_stack\": \"a,b;c\""), E0895 },
		{ NODE("N.1", "t", "", TENSOR("n"), "") ", " NODE("N.1", "t", "", TENSOR("m"),
		                                                  "\"nn_module_stack\": \"a)\""),
		  E0895 },
		{ NODE("n", "t", "", TENSOR("n"), "\"stack_trace\": \"\\x\""), E0406 },
		{ NODE("n", "t", "", TENSOR("\\x"), ""), E0406 },
		{ NODE("n", "t", "", TENSOR("n") ", {\"as_tensors\": [{\"name\": \"a\"}]}",
		       "") ", " NODE("m", "t",
		                     "{\"name\": \"x\", \"arg\": {\"as_tensor\": {\"name\": "
		                     "\"\\x\"}}}",
		                     TENSOR("m"), ""),
		  E0406 },
		{ "{\"target\": \"t\", \"inputs\": [], \"outputs\": [], \"metadata\": {}}", E0814 },
		{ "{\"target\": \"memory.alloc\", \"inputs\": [], \"outputs\": [], \"metadata\": "
		  "{\"debug_handle\": \"x\"}, \"name\": \"n\"}",
		  ETC_CODE_NONE },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct etc_span bytes;
		const char *why;

		put_maps(&f->maker);
		put_program(&f->maker, "exported_program", cases[i].nodes);
		bytes = zip_finish(&f->maker, "");
		assert_ok(read_bytes(f, bytes, ETC_RECORD_ALL), &f->err);
		if (f->r.graphs[0].python_refuses != cases[i].code)
			fail_msg("%s: %u", cases[i].nodes, (unsigned)f->r.graphs[0].python_refuses);
		why = etc_arena_cstr(&f->arena, f->r.graphs[0].python_reason);
		assert_ok(read_bytes(f, bytes, ETC_RECORD_ALL & ~ETC_RECORD_GRAPHS), &f->err);
		assert_int_equal(f->r.graphs[0].python_refuses, cases[i].code);
		assert_str(f->r.graphs[0].python_reason, why);
		zip_release(&f->maker);
	}
}

static void a_graph_of_a_later_release_is_read_and_said_to_be_one(void **state)
{
	struct fixture *f = *state;

	put_maps(&f->maker);
	put_program(&f->maker, "exported_program",
	            "{\"name\": \"a\", \"target\": \"torch.ops.aten.add.Tensor\", \"inputs\": [], "
	            "\"outputs\": [" TENSOR("a") "], \"metadata\": {}, \"novelty\": {\"x\": [1]}}");
	assert_ok(read_maker(f, ETC_RECORD_ALL), &f->err);
	assert_int_equal(f->r.inspector_refuses, E0814);
	assert_true(noted(f, N0428));
	assert_int_equal(f->r.graphs[0].node_count, 1);
	assert_str(f->r.graphs[0].nodes[0].op, "add.Tensor");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(nodes_get_the_names_that_python_gives_them),
		T(unsupported_arguments_are_found_where_python_finds_them),
		T(a_wrong_node_is_refused_wherever_it_stands),
		T(every_node_has_its_own_lines_and_modules_however_many_there_are),
		T(the_verdict_is_the_same_where_nobody_asks_for_the_nodes),
		T(a_graph_of_a_later_release_is_read_and_said_to_be_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
