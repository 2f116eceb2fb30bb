/* test_etrecord.c -- ETRecords, whole, odd and damaged. Every real record is
 * compared with Python's view of it in tests/record_truth.py. */
#include "unit.h"

#include "base/file.h"
#include "read/etrecord.h"
#include "zip_maker.h"

struct fixture {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_error err;
	struct etc_record r;
	struct zip_maker maker;
	struct etc_file file;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, 64 << 20);
	etc_notes_init(&f->notes, &f->arena);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	etc_arena_release(&f->arena);
	zip_release(&f->maker);
	etc_file_release(&f->file);
	free(f);
	return 0;
}

static enum etc_status read_bytes(struct fixture *f, struct etc_span bytes, uint32_t want)
{
	f->err = (struct etc_error){ 0 };
	etc_notes_init(&f->notes, &f->arena);
	return etc_etrecord_read(bytes, want, &f->arena, &f->notes, &f->r, &f->err);
}

static enum etc_status read_path(struct fixture *f, const char *path, uint32_t want)
{
	etc_file_release(&f->file);
	f->file = (struct etc_file){ 0 };
	assert_ok(etc_file_open(&f->file, path, 1 << 24, &f->err), &f->err);
	return read_bytes(f, f->file.bytes, want);
}

static enum etc_status read_maker(struct fixture *f, uint32_t want)
{
	return read_bytes(f, zip_finish(&f->maker, ""), want);
}

static bool noted(const struct fixture *f, enum etc_code code)
{
	for (const struct etc_note *n = f->notes.first; n; n = n->next)
		if (n->code == code)
			return true;
	return false;
}

/* A program of the schema of 1.5 with these nodes, and its parts. */
static void put_program(struct zip_maker *z, const char *name, const char *nodes)
{
	struct etc_text t = { 0 };

	etc_text_cstr(&t, "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": "
	                  "\"x\"}}], \"outputs\": [], \"nodes\": [");
	etc_text_cstr(&t, nodes);
	etc_text_cstr(&t,
	              "], \"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}}, "
	              "\"signature\": {\"input_specs\": [], \"output_specs\": []}, "
	              "\"module_call_graph\": []}, \"opset_version\": {}, "
	              "\"range_constraints\": {\"s0\": {\"min_val\": 2, \"max_val\": Infinity}}, "
	              "\"schema_version\": {\"major\": 5, \"minor\": 4}}");
	etc_text_char(&t, '\0');
	zip_stored(z, name, t.ptr);
	etc_text_release(&t);
	for (int i = 0; i < 3; i++) {
		static const char *const parts[] = { "state_dict", "constants", "example_inputs" };
		char part[128];

		snprintf(part, sizeof part, "%s_%s", name, parts[i]);
		zip_stored(z, part, "");
	}
}

#define NODE(name, target, inputs, outputs, metadata)                               \
	"{\"name\": \"" name "\", \"target\": \"" target "\", \"inputs\": [" inputs \
	"], \"outputs\": [" outputs "], \"metadata\": {" metadata "}}"
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define NESTED                                                                                \
	"\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [], \"tensor_values\": {}, " \
	"\"sym_int_values\": {}, \"sym_bool_values\": {}"
#define TENSOR_INPUT "{\"name\": \"self\", \"arg\": " TENSOR("x") "}"
#define EDGE_OP      "executorch.exir.dialects.edge.ops."

static void put_maps(struct zip_maker *z)
{
	zip_stored(z, "ETRECORD_V0", "");
	zip_stored(z, "debug_handle_map", "{\"forward\": {\"0\": [1, 2], \"1\": 3}}");
	zip_stored(z, "delegate_map", "null");
	zip_stored(z, "instruction_id_to_num_outs_map", "{\"forward\": {\"0\": 2}}");
}

static void every_kind_of_damage_has_its_code(void **state)
{
	static const struct {
		const char *name;
		enum etc_code code;
	} files[] = {
		{ "empty", E0401 },
		{ "text", E0401 },
		{ "no_identifier", E0401 },
		{ "zip_empty", E0401 },
		{ "v1", E0402 },
		{ "cut_end", E0403 },
		{ "cut_central", E0403 },
		{ "crc_wrong", E0404 },
		{ "deflate_broken", E0404 },
		{ "local_magic", E0404 },
		{ "local_name", E0404 },
		{ "local_offset_beyond", E0404 },
		{ "size_beyond", E0404 },
		{ "encrypted", E0405 },
		{ "map_cut", E0406 },
		{ "map_empty_entry", E0406 },
		{ "map_list", E0406 },
		{ "map_deep_100k", E0408 },
	};
	struct fixture *f = *state;
	char path[256];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "tests/data/edge/record_%s.etrecord", files[i].name);
		assert_fails(read_path(f, path, ETC_RECORD_ALL & ~ETC_RECORD_INSPECTOR), &f->err,
		             files[i].code);
	}
	/* The Inspector opens this one and raises later, so it is no error to read it. */
	assert_ok(read_path(f, "tests/data/edge/record_map_list.etrecord", ETC_RECORD_ALL),
	          &f->err);
	assert_true(f->r.handle_map_odd);
}

static void what_is_odd_but_readable_is_a_warning(void **state)
{
	static const struct {
		const char *name;
		enum etc_code code;
	} files[] = {
		{ "duplicate_last", W0410 },      { "map_duplicate_keys", W0411 },
		{ "map_strings", W0412 },         { "map_nan", W0412 },
		{ "map_huge_int", W0412 },        { "map_float", W0412 },
		{ "delegate_values", W0412 },     { "map_null", W0413 },
		{ "no_debug_handle_map", W0413 }, { "no_instruction_id_to_num_outs_map", W0414 },
		{ "num_outs_null", W0414 },       { "program_garbage", W0416 },
		{ "reference_garbage", W0417 },   { "no_state_dict", W0418 },
		{ "no_edge_program", W0419 },
	};
	struct fixture *f = *state;
	char path[256];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "tests/data/edge/record_%s.etrecord", files[i].name);
		assert_ok(read_path(f, path, ETC_RECORD_MAPS | ETC_RECORD_EDGE), &f->err);
		if (!noted(f, files[i].code))
			fail_msg("%s has no %s", path, etc_code_info(files[i].code)->name);
	}
	assert_ok(read_path(f, "tests/data/edge/record_good.etrecord", ETC_RECORD_ALL), &f->err);
	assert_null(f->notes.first);
}

static void an_id_that_cannot_be_read_is_a_warning(void **state)
{
	struct fixture *f = *state;

	put_maps(&f->maker);
	put_program(&f->maker, "edge_dialect_exported_program/forward", "");
	zip_stored(&f->maker, "export_graph_id", "seven");
	assert_ok(read_maker(f, ETC_RECORD_MAPS), &f->err);
	assert_false(f->r.has_export_graph_id);
	assert_true(noted(f, W0437));
}

static void what_the_inspector_refuses_is_a_fact_with_its_code(void **state)
{
	static const struct {
		const char *path;
		enum etc_code opening, graphs;
	} files[] = {
		{ "edge/record_good", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_prepended", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_zip64", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_descriptor", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_comment", E0822, ETC_CODE_NONE },
		{ "edge/record_no_state_dict", E0813, ETC_CODE_NONE },
		{ "edge/record_unknown_entry", E0813, ETC_CODE_NONE },
		{ "edge/record_traversal", E0813, ETC_CODE_NONE },
		{ "edge/record_reference_garbage", E0816, ETC_CODE_NONE },
		{ "edge/record_state_dict_garbage", E0820, ETC_CODE_NONE },
		{ "edge/record_program_garbage", E0406, ETC_CODE_NONE },
		{ "edge/record_two_edge_methods", ETC_CODE_NONE, E0811 },
		{ "executorch/sample-2023", E0813, ETC_CODE_NONE },
		{ "old/0.3.0/mlp_portable/model", E0813, ETC_CODE_NONE },
		{ "old/0.4.0/mlp_portable/model", E0814, ETC_CODE_NONE },
		{ "old/0.7.0/mlp_portable/model", E0814, ETC_CODE_NONE },
		{ "old/1.2.0/conv_partial/model", E0816, ETC_CODE_NONE },
		{ "old/1.3.1/conv_partial/model", ETC_CODE_NONE, ETC_CODE_NONE },
	};
	struct fixture *f = *state;
	char path[256];
	unsigned seen = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "tests/data/%s.etrecord", files[i].path);
		if (!etc_file_exists(path))
			continue;
		seen++;
		assert_ok(read_path(f, path, ETC_RECORD_ALL), &f->err);
		if (f->r.inspector_refuses != files[i].opening ||
		    f->r.graphs_refuse != files[i].graphs)
			fail_msg("%s: %u %u", path, (unsigned)f->r.inspector_refuses,
			         (unsigned)f->r.graphs_refuse);
	}
	assert_true(seen >= 12);
}

static void only_what_is_asked_for_is_touched(void **state)
{
	struct fixture *f = *state;

	put_maps(&f->maker);
	zip_raw(&f->maker, "edge_dialect_exported_program/forward", ETC_STR("garbage"), 0, 0, 0, 7);
	zip_raw(&f->maker, "edge_dialect_exported_program/forward_state_dict", ETC_STR("garbage"),
	        0, 1, 0, 7);
	zip_raw(&f->maker, "reference_outputs", ETC_STR("PK and a wrong CRC"), 0, 0, 0, 18);
	assert_ok(read_maker(f, ETC_RECORD_MAPS), &f->err);
	assert_null(f->notes.first);
	assert_int_equal(f->r.graph_count, 1);
	assert_int_equal(f->r.graphs[0].node_count, 0);
	assert_true(f->r.reference_outputs.present);
	assert_false(f->r.reference_outputs.is_pickle);
	assert_int_equal(f->r.reference_outputs.bytes, 18);
	assert_true(f->r.delegate_map_null);
	assert_int_equal(f->r.methods[0].handle_count, 2);
	assert_int_equal(f->r.methods[0].handles[1].handles.v[0], 3);
}

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
	/* Several outputs: named after the operator, whatever the file says; each
	 * output takes a name; control flow takes those of its graphs. */
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
	/* "input" is a builtin: the graph argument got input_1, the node input_2. */
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
		  false }, /* has a default: a keyword, only warned about */
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

/* The weights are an archive with that pickle; torch's verdict is Python's. */
/* The schema is asked of each kind of node once: who is like one that was right is right. */
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
		/* From here on they are wrong. */
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
	enum { NODES = 5000, TEXTS = 1500 }; /* more than are remembered, and again and again */
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
		{ NODE("n", "t", TENSOR_INPUT, TENSOR("n"), "\"debug_handle\": \"x\""), E0814 },
		{ NODE("n", "t", "", TENSOR("n"), "\"nn_module_stack\": \"a,b;c\""), E0814 },
		{ NODE("N.1", "t", "", TENSOR("n"), "") ", " NODE("N.1", "t", "", TENSOR("m"),
		                                                  "\"nn_module_stack\": \"a)\""),
		  E0814 },
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

static void weights_that_torch_refuses_stop_only_the_inspector(void **state)
{
	static const struct {
		const char *pickle;
		uint32_t refused;
	} cases[] = {
		{ "}.", ETC_CODE_NONE },
		{ ").", ETC_CODE_NONE },
		{ "].", E0820 },
		{ "}", E0820 },
		{ "cos\nsystem\nU\4true\x85R.", E0820 },
		{ "}U\1aN.", E0820 },
		/* torch has them where torchao is installed */
		{ "ctorchao.quantization\nIntxUnpackedToInt8Tensor\n)R.", ETC_CODE_NONE },
		{ "}U\1acexecutorch.exir.serde.export_serialize\n_reconstruct_fake_tensor\n)Rs.",
		  ETC_CODE_NONE },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct zip_maker inner = { 0 };
		struct etc_span bytes;

		zip_release(&f->maker);
		zip_stored(&inner, "archive/data.pkl", cases[i].pickle);
		zip_stored(&inner, "archive/version", "3");
		bytes = zip_finish(&inner, "");
		put_maps(&f->maker);
		put_program(&f->maker, "exported_program", "");
		zip_raw(&f->maker, "exported_program_constants",
		        (struct etc_str){ (const char *)bytes.ptr, bytes.len }, 0, 0,
		        (uint32_t)crc32_z(0, bytes.ptr, bytes.len), (uint32_t)bytes.len);
		zip_release(&inner);
		assert_ok(read_maker(f, ETC_RECORD_ALL), &f->err);
		if (f->r.inspector_refuses != cases[i].refused)
			fail_msg("%s: %u", cases[i].pickle, (unsigned)f->r.inspector_refuses);
		assert_false(f->r.graphs[0].truncated);
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

static void a_bomb_of_a_map_is_a_limit(void **state)
{
	static char blanks[1 << 20];
	struct fixture *f = *state;

	memset(blanks, ' ', sizeof blanks);
	zip_stored(&f->maker, "ETRECORD_V0", "");
	zip_deflated(&f->maker, "debug_handle_map", (struct etc_str){ blanks, sizeof blanks }, 200);
	assert_fails(read_maker(f, ETC_RECORD_MAPS), &f->err, E0407);
}

static void keys_keep_their_first_place_and_last_value_in_any_order(void **state)
{
	static const struct {
		const char *map;
		uint32_t count;
		bool twice;
		const char *keys; /* their first letters */
		int64_t two;      /* the value of "2" */
	} maps[] = {
		{ "\"1\": 1, \"2\": 2, \"10\": 10", 3, false, "121", 2 },
		{ "\"10\": 10, \"2\": 2, \"1\": 1", 3, false, "121", 2 },
		{ "\"1\": 1, \"2\": 2, \"2\": 3", 2, true, "12", 3 },
		{ "\"2\": 2, \"3\": 3, \"2\": 5, \"4\": 4, \"3\": 6", 3, true, "234", 5 },
		{ "\"\": 0, \"\": 1, \"2\": 2", 2, true, "\"2", 2 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		const struct etc_method_maps *m;
		char text[200];

		snprintf(text, sizeof text, "{\"forward\": {%s}}", maps[i].map);
		zip_stored(&f->maker, "ETRECORD_V0", "");
		zip_stored(&f->maker, "debug_handle_map", text);
		assert_ok(read_maker(f, ETC_RECORD_MAPS), &f->err);
		m = etc_record_method(&f->r, ETC_STR("forward"));
		assert_non_null(m);
		assert_int_equal(m->handle_count, maps[i].count);
		for (uint32_t k = 0; k < m->handle_count; k++) {
			const struct etc_handle_entry *e = &m->handles[k];

			assert_int_equal(e->key.ptr[0], maps[i].keys[k]);
			if (e->key.ptr[0] == '2')
				assert_int_equal(e->handles.v[0], maps[i].two);
		}
		assert_int_equal(noted(f, W0411), maps[i].twice);
		zip_release(&f->maker);
	}
}

static void every_truncation_of_a_record_is_refused(void **state)
{
	struct fixture *f = *state;
	struct etc_span whole;

	assert_ok(etc_file_open(&f->file, "tests/data/edge/record_good.etrecord", 1 << 24, &f->err),
	          &f->err);
	whole = f->file.bytes;
	for (size_t n = 0; n < whole.len; n++) {
		uint8_t *cut = malloc(n ? n : 1);
		enum etc_status st;

		memcpy(cut, whole.ptr, n);
		st = read_bytes(f, (struct etc_span){ cut, n }, ETC_RECORD_ALL);
		assert_true(st == ETC_FORMAT || st == ETC_CORRUPT);
		free(cut);
	}
}

static void lack_of_memory_is_said_at_every_point(void **state)
{
	struct fixture *f = *state;
	unsigned failures = 0;
	bool done = false;

	assert_ok(etc_file_open(&f->file, "tests/data/edge/record_good.etrecord", 1 << 24, &f->err),
	          &f->err);
	for (size_t budget = 0; budget < 1 << 20 && !done; budget += 4096) {
		struct etc_arena small;
		struct etc_notes notes;
		enum etc_status st;

		etc_arena_init(&small, budget);
		etc_notes_init(&notes, &small);
		st = etc_etrecord_read(f->file.bytes, ETC_RECORD_ALL, &small, &notes, &f->r,
		                       &f->err);
		done = st == ETC_OK;
		failures += !done;
		assert_true(done || st == ETC_NOMEM || st == ETC_LIMIT);
		etc_arena_release(&small);
	}
	assert_true(done && failures);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(every_kind_of_damage_has_its_code),
		T(what_is_odd_but_readable_is_a_warning),
		T(an_id_that_cannot_be_read_is_a_warning),
		T(what_the_inspector_refuses_is_a_fact_with_its_code),
		T(only_what_is_asked_for_is_touched),
		T(nodes_get_the_names_that_python_gives_them),
		T(unsupported_arguments_are_found_where_python_finds_them),
		T(a_wrong_node_is_refused_wherever_it_stands),
		T(every_node_has_its_own_lines_and_modules_however_many_there_are),
		T(the_verdict_is_the_same_where_nobody_asks_for_the_nodes),
		T(weights_that_torch_refuses_stop_only_the_inspector),
		T(a_graph_of_a_later_release_is_read_and_said_to_be_one),
		T(a_bomb_of_a_map_is_a_limit),
		T(keys_keep_their_first_place_and_last_value_in_any_order),
		T(every_truncation_of_a_record_is_refused),
		T(lack_of_memory_is_said_at_every_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
