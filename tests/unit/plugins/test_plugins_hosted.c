/* The plugins of etcore in the real host: their answers must pass its checks and be stored. */
#include "plugin_host.h"

#include "host/host.h"

#define XNNPACK  ETCORE_PLUGIN_FOLDER "/xnnpack.so"
#define KLEIDIAI ETCORE_PLUGIN_FOLDER "/kleidiai.so"
#define COREML   ETCORE_PLUGIN_FOLDER "/coreml.so"
#define QNN      ETCORE_PLUGIN_FOLDER "/qnn.so"
#define VULKAN   ETCORE_PLUGIN_FOLDER "/vulkan.so"

struct fixture {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_settings settings;
	struct etc_host host;
	struct etc_error err;
	struct made m;
};

static void start(struct fixture *f, const char *const *paths, uint32_t count)
{
	struct etc_host_options o = {
		.settings = &f->settings,
		.named = paths,
		.named_count = count,
		.only_named = true,
		.ignore_environment = true,
		.program_folder = "/nowhere",
	};

	memset(f, 0, sizeof *f);
	etc_arena_init(&f->arena, 64 << 20);
	etc_notes_init(&f->notes, &f->arena);
	made_init(&f->m);
	assert_ok(etc_host_load(&f->host, &o, &f->arena, &f->notes, &f->err), &f->err);
}

static void stop(struct fixture *f)
{
	etc_host_release(&f->host);
	etc_arena_release(&f->arena);
}

static void start_all(struct fixture *f)
{
	start(f, (const char *const[]){ XNNPACK, KLEIDIAI, COREML, QNN, VULKAN }, 5);
}

static void xnnpack_owns_by_probe_and_kleidiai_adds(void **state)
{
	struct etc_time_facts times[4];
	struct etc_facts facts[4];
	struct etc_plugin *owner;
	struct fixture f;
	bool described;

	(void)state;
	start_all(&f);
	made_add(&f.m, text_of("Fully Connected (NC, QP8, F32, QB4W) GEMM #2"));
	made_add(&f.m, text_of("Convolution (NHWC, QC8) DWConv #1"));
	made_add(&f.m, text_of("no such name"));
	made_add_call_event(&f.m);
	assert_ok(etc_host_owner(&f.host, &f.m.call, &owner, &f.err), &f.err);
	assert_non_null(owner);
	assert_str(owner->name, "xnnpack");
	assert_ok(etc_host_explain_call(&f.host, owner, &f.m.call, facts, &f.err), &f.err);
	assert_ok(etc_host_describe_time(owner, &f.m.call, times, &described, &f.err), &f.err);
	assert_true(described);

	assert_str(facts[0].backend, "XnnpackBackend");
	assert_str(facts[0].display, "Fully Connected (NC, QP8, F32, QB4W) GEMM");
	assert_str(facts[0].types, "QP8, F32, QB4W");
	assert_int_equal(facts[0].ordinal, 2);
	assert_str(facts[0].category, "gemm");
	assert_str(facts[0].variant, "gemm int4 block");
	assert_true(facts[0].is_matrix);
	assert_str(facts[0].annotator, "kleidiai");
	assert_str(facts[0].kernel_library, "kleidiai");
	assert_int_equal(facts[0].library_ran, ETCORE_RAN_YES);
	assert_str(facts[0].library_why, "QP8");
	assert_str(facts[0].isa, "I8MM or DotProd");
	assert_str(facts[0].canonical, "Fully Connected (NC, QD8, F32, QB4W) GEMM");

	assert_str(facts[1].variant, "conv int8");
	assert_false(facts[1].is_matrix);
	assert_int_equal(facts[1].library_ran, ETCORE_RAN_NO);
	assert_str(facts[1].library_why, "DWConv");
	assert_int_equal(facts[1].kernel_library.len, 0);

	assert_int_equal(facts[2].display.len, 0);
	assert_int_equal(facts[2].library_ran, ETCORE_RAN_UNKNOWN);
	assert_int_equal(facts[3].display.len, 0);

	for (int i = 0; i < 3; i++) {
		assert_int_equal(times[i].rounding, ETCORE_ROUNDING_TRUNCATED);
		assert_int_equal(times[i].resolution, 1000);
	}
	assert_null(f.notes.first);
	stop(&f);
}

static void coreml_owns_by_probe_and_fills_its_columns(void **state)
{
	static const char json[] =
		"{\"supportedComputeUnits\":[\"NE\",\"CPU\"],\"operatorName\":\"ios17.conv\","
		"\"estimatedCost\":1,\"preferredComputeUnit\":\"CPU\"}";
	struct etc_plugin *owner;
	struct etc_mapped mapped;
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start_all(&f);
	made_add_blob(&f.m, "a:conv", json, strlen(json));
	assert_ok(etc_host_owner(&f.host, &f.m.call, &owner, &f.err), &f.err);
	assert_non_null(owner);
	assert_str(owner->name, "coreml");
	assert_ok(etc_host_parse_metadata(owner, &f.m.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_DICT);
	assert_int_equal(p.count, 4);
	assert_str(p.items[0].name, "coreml_operator");
	assert_str(p.items[0].text, "ios17.conv");
	assert_str(p.items[1].name, "coreml_estimated_cost");
	assert_int_equal(p.items[1].kind, ETC_DATUM_I64); /* the number is an int in Python */
	assert_int_equal(p.items[1].i, 1);
	assert_str(p.items[2].text, "CPU");
	assert_str(p.items[3].text, "[\"NE\",\"CPU\"]");
	assert_ok(etc_host_map_event(owner, &f.m.call, 0, &mapped, &f.err), &f.err);
	assert_str(mapped.key, "a:conv");
	assert_null(f.notes.first);
	stop(&f);
}

static void qnn_owns_by_probe_and_nests_nodes_and_steps(void **state)
{
	static const char *const ids[] = { "RPC (execute) time (us)",
		                           "Accelerator (execute) time (cycles)",
		                           "aten_add_tensor_2:OpId_30 (cycles)",
		                           "spill fill buffer (bytes)", "QNN (execute) time (us)" };
	static const int32_t parents[] = { 4, ETCORE_PARENT_CALL, 1, ETCORE_PARENT_CALL,
		                           ETCORE_PARENT_CALL };
	static const uint64_t zero[1];
	struct etc_time_facts times[5];
	struct etc_facts facts[5];
	struct etc_plugin *owner;
	struct fixture f;
	bool described;

	(void)state;
	start_all(&f);
	for (int i = 0; i < 5; i++)
		made_add(&f.m, text_of(ids[i]))->start = zero;
	assert_ok(etc_host_owner(&f.host, &f.m.call, &owner, &f.err), &f.err);
	assert_non_null(owner);
	assert_str(owner->name, "qnn");
	assert_ok(etc_host_describe_time(owner, &f.m.call, times, &described, &f.err), &f.err);
	assert_true(described);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(times[i].parent, parents[i]);
		assert_int_equal(times[i].clock, ETCORE_CLOCK_NONE);
	}
	assert_int_equal(times[2].unit, ETCORE_UNIT_CYCLES);
	assert_int_equal(times[3].kind, ETCORE_KIND_COUNTER);
	assert_ok(etc_host_explain_call(&f.host, owner, &f.m.call, facts, &f.err), &f.err);
	assert_str(facts[2].backend, "QnnBackend");
	assert_str(facts[2].operator_name, "aten_add_tensor");
	assert_str(facts[2].category, "elementwise");
	assert_null(f.notes.first);
	stop(&f);
}

static void vulkan_owns_by_probe_and_reads_its_ids(void **state)
{
	static const char shader[] =
		"{\"operator\": {\"name\": \"aten.add.Tensor\", \"delegate_node_id\": 3, "
		"\"args\": []}, \"kernel_name\": \"binary_add\", \"dispatch_id\": 4}";
	struct etc_time_facts times[3];
	struct etc_facts facts[3];
	struct etc_plugin *owner;
	struct etc_mapped mapped;
	struct etc_parsed p;
	struct fixture f;
	bool described;

	(void)state;
	start_all(&f);
	made_add(&f.m, text_of("ETVK_COMPUTE_GRAPH_EXECUTE"));
	made_add(&f.m, text_of(shader));
	made_add(&f.m, text_of("ETVK_EXECUTE"));
	assert_ok(etc_host_owner(&f.host, &f.m.call, &owner, &f.err), &f.err);
	assert_non_null(owner);
	assert_str(owner->name, "vulkan");
	assert_ok(etc_host_describe_time(owner, &f.m.call, times, &described, &f.err), &f.err);
	assert_int_equal(times[0].clock, ETCORE_CLOCK_HOST);
	assert_int_equal(times[0].parent, ETCORE_PARENT_BY_TIME);
	assert_int_equal(times[1].clock, ETCORE_CLOCK_FOREIGN);
	assert_int_equal(times[1].parent, 0);
	assert_ok(etc_host_explain_call(&f.host, owner, &f.m.call, facts, &f.err), &f.err);
	assert_str(facts[1].display, "aten.add.Tensor (binary_add)");
	assert_str(facts[1].category, "elementwise");
	assert_ok(etc_host_parse_metadata(owner, &f.m.call, 1, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_DICT);
	assert_int_equal(p.count, 4);
	assert_str(p.items[2].name, "node");
	assert_int_equal(p.items[2].i, 3);
	assert_ok(etc_host_map_event(owner, &f.m.call, 1, &mapped, &f.err), &f.err);
	assert_str(mapped.key, "3");
	assert_true(mapped.not_edge_handles);
	assert_null(f.notes.first);
	stop(&f);
}

/* In a dict, the key "" is a column without a name, as in Python. It does not make the answer a
 * list. */
static void a_parser_of_the_datas_keys_may_meet_the_empty_one(void **state)
{
	static const char json[] = "{\"a\": [1, {}], \"\": null, \"b\": NaN, \"a\": true}";
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, (const char *const[]){ ETCORE_ORACLE_FOLDER "/json_keys__none.so" }, 1);
	made_add_blob(&f.m, "op", json, strlen(json));
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.m.call, 0, &p, &f.err), &f.err);
	assert_null(f.notes.first);
	assert_int_equal(p.form, ETC_PARSED_DICT);
	assert_int_equal(p.count, 3);
	assert_str(p.items[0].name, "a");
	assert_int_equal(p.items[0].kind, ETC_DATUM_BOOL);
	assert_str(p.items[1].name, "");
	assert_int_equal(p.items[1].kind, ETC_DATUM_NULL);
	assert_str(p.items[2].name, "b");
	assert_true(p.items[2].f != p.items[2].f);
	stop(&f);
}

static void a_list_parser_gives_a_list_even_of_nothing(void **state)
{
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, (const char *const[]){ ETCORE_ORACLE_FOLDER "/text_each__none.so" }, 1);
	made_add(&f.m, text_of("op"));
	made_add_blob(&f.m, "op", "a\xff", 2);
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.m.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.count, 0);
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.m.call, 1, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_LIST);
	assert_int_equal(p.count, 1);
	assert_str(p.items[0].text, "a\xef\xbf\xbd");
	assert_null(f.notes.first);
	stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xnnpack_owns_by_probe_and_kleidiai_adds),
		cmocka_unit_test(coreml_owns_by_probe_and_fills_its_columns),
		cmocka_unit_test(qnn_owns_by_probe_and_nests_nodes_and_steps),
		cmocka_unit_test(vulkan_owns_by_probe_and_reads_its_ids),
		cmocka_unit_test(a_parser_of_the_datas_keys_may_meet_the_empty_one),
		cmocka_unit_test(a_list_parser_gives_a_list_even_of_nothing),
	};
	return cmocka_run_group_tests_name("plugins_hosted", tests, NULL, NULL);
}
