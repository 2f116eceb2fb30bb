/* The plugin qnn: what a number means follows from the id of its event, and from the order of the
 * events. */
#include "plugin_host.h"

static struct asked qnn;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&qnn, ETCORE_PLUGIN_FOLDER "/qnn.so", NULL, NULL);
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&qnn);
	return 0;
}

static const uint64_t zero[1], later[1] = { 5 }, value[1] = { 100 };

static void add(struct made *m, const char *id)
{
	struct etcore_event *e = made_add(m, text_of(id));

	e->start = zero;
	e->end = value;
}

/* The events that QNN logs of one execution on the HTP (Qualcomm's NPU) at the profiling level
 * "detailed". Behind each is its index. */
static const char *const detailed[] = {
	"Number of HVX threads used (count)",             /* 0 */
	"RPC (execute) time (us)",                        /* 1 */
	"QNN accelerator (execute) time (us)",            /* 2 */
	"Num times yield occured (count)",                /* 3 */
	"Time for initial VTCM acquire (us)",             /* 4 */
	"Accelerator (execute) time (cycles)",            /* 5 */
	"Input OpId_2 (cycles)",                          /* 6 */
	"aten_convolution_default_1:OpId_21 (cycles)",    /* 7 */
	"layers_0_self_attn_q_proj_fc:OpId_27",           /* 8: without QNN's unit */
	"Output OpId_3 (cycles)",                         /* 9 */
	"Accelerator (execute) time (us)",                /* 10 */
	"Accelerator (execute excluding wait) time (us)", /* 11 */
	"spill fill buffer (bytes)",                      /* 12 */
	"QNN (execute) time (us)",                        /* 13 */
	"something of the backend",                       /* 14 */
};
enum { DETAILED = sizeof detailed / sizeof *detailed };

static void add_detailed(struct made *m)
{
	made_init(m);
	for (int i = 0; i < DETAILED; i++)
		add(m, detailed[i]);
	made_add_call_event(m);
}

static void describe(const struct made *m, struct etcore_time *each)
{
	struct etcore_time *times[EVENTS_MAX];

	for (uint32_t i = 0; i < m->call.count; i++) {
		each[i] = (struct etcore_time){ .size = sizeof each[i], .parent = -1 };
		times[i] = &each[i];
	}
	assert_int_equal(qnn.abi->describe_time(qnn.self, &m->call, times), ETCORE_OK);
}

static void the_id_names_the_unit(void **state)
{
	static const uint32_t units[DETAILED] = {
		ETCORE_UNIT_COUNT,  ETCORE_UNIT_US,     ETCORE_UNIT_US,      ETCORE_UNIT_COUNT,
		ETCORE_UNIT_US,     ETCORE_UNIT_CYCLES, ETCORE_UNIT_CYCLES,  ETCORE_UNIT_CYCLES,
		ETCORE_UNIT_CYCLES, ETCORE_UNIT_CYCLES, ETCORE_UNIT_US,      ETCORE_UNIT_US,
		ETCORE_UNIT_BYTES,  ETCORE_UNIT_US,     ETCORE_UNIT_UNKNOWN,
	};
	struct etcore_time each[EVENTS_MAX];
	struct made m;

	(void)state;
	add_detailed(&m);
	describe(&m, each);
	for (int i = 0; i < DETAILED; i++) {
		bool counter = i == 0 || i == 3 || i == 12;

		assert_int_equal(each[i].unit, units[i]);
		assert_int_equal(each[i].kind == ETCORE_KIND_COUNTER, counter);
		assert_int_equal(each[i].clock, ETCORE_CLOCK_NONE);
		assert_int_equal(each[i].start, ETCORE_START_ABSENT);
		assert_true(each[i].ns_per_unit == 0);
	}
	assert_int_equal(each[DETAILED].clock, ETCORE_CLOCK_UNKNOWN); /* the DELEGATE_CALL itself */
}

static void nodes_belong_to_the_event_before_and_steps_to_the_next_outer_one(void **state)
{
	static const int32_t parents[DETAILED] = { -1, 13, 1, -1, -1, -1, 5, 5,
		                                   5,  5,  2, 10, -1, -1, -1 };
	struct etcore_time each[EVENTS_MAX];
	struct made m;

	(void)state;
	add_detailed(&m);
	describe(&m, each);
	for (int i = 0; i < DETAILED; i++)
		assert_int_equal(each[i].parent, parents[i]);
}

static void steps_that_were_logged_twice_are_not_nested(void **state)
{
	struct etcore_time each[EVENTS_MAX];
	struct made m;

	(void)state;
	made_init(&m);
	add(&m, "QNN (execute) time (us)");
	add(&m, "RPC (execute) time (us)");
	add(&m, "RPC (execute) time (us)");
	add(&m, "QNN accelerator (execute) time (us)");
	add(&m, "Accelerator (execute) time (us)");
	add(&m, "RPC (load binary) time (us)");
	describe(&m, each);
	assert_int_equal(each[1].parent, -1);
	assert_int_equal(each[2].parent, -1);
	assert_int_equal(each[3].parent, -1); /* two events could be the parent */
	assert_int_equal(each[4].parent, 3);
	assert_int_equal(each[5].parent, -1); /* it is of another phase */
}

/* On the LPAI (Qualcomm's low-power unit), events of nodes come after an event in microseconds. The
 * unit of the nodes' own times is unknown. */
static void a_node_without_a_unit_has_one_only_below_cycles(void **state)
{
	struct etcore_time each[EVENTS_MAX];
	struct made m;

	(void)state;
	made_init(&m);
	add(&m, "early:OpId_1");
	add(&m, "QNN (execute) time (us)");
	add(&m, "fc:OpId_17");
	add(&m, "some buffer (bytes)");
	add(&m, "fc:OpId_18 (cycles)");
	describe(&m, each);
	assert_int_equal(each[0].parent, -1);
	assert_int_equal(each[0].unit, ETCORE_UNIT_UNKNOWN);
	assert_int_equal(each[2].parent, 1);
	assert_int_equal(each[2].unit, ETCORE_UNIT_UNKNOWN);
	assert_int_equal(each[4].parent, -1); /* an event in bytes has no children */
	assert_int_equal(each[4].unit, ETCORE_UNIT_CYCLES);
}

static void nodes_have_an_operator_and_a_category(void **state)
{
	static const struct {
		const char *id, *op, *category;
	} rows[] = {
		{ "aten_convolution_default_12:OpId_21 (cycles)", "aten_convolution_default",
		  "convolution" },
		{ "aten_add_tensor:OpId_30", "aten_add_tensor", "elementwise" },
		{ "aten_addmm_default:OpId_1", "aten_addmm_default", "gemm" },
		{ "aten_max_dim:OpId_1", "aten_max_dim", "reduction" },
		{ "aten_max_pool2d_with_indices_default_3:OpId_1",
		  "aten_max_pool2d_with_indices_default", "pooling" },
		{ "aten__softmax_default:OpId_1", "aten__softmax_default", "activation" },
		{ "aten_slice_copy_tensor_2:OpId_1", "aten_slice_copy_tensor", "data movement" },
		{ "quantized_decomposed_quantize_per_tensor_default_7:OpId_1",
		  "quantized_decomposed_quantize_per_tensor_default", "quantize" },
		{ "layers_0_self_attn_q_proj_fc:OpId_27", "layers_0_self_attn_q_proj_fc", "" },
		{ "aten_addition_7:OpId_2", "aten_addition", "" },
		{ "Input OpId_2 (cycles)", "Input", "data movement" },
		{ "Output OpId_3", "Output", "data movement" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct made m;
		struct said s;

		memset(&s, 0, sizeof s);
		made_init(&m);
		add(&m, rows[i].id);
		assert_int_equal(asked_say(&qnn, qnn.abi->name_event, &m, 0, &s), ETCORE_OK);
		assert_int_equal(asked_say(&qnn, qnn.abi->classify, &m, 0, &s), ETCORE_OK);
		assert_string_equal(s.text[ETCORE_NAME_OPERATOR], rows[i].op);
		assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], rows[i].category);
		assert_string_equal(s.text[ETCORE_NAME_DISPLAY], "");
	}
}

static void only_cycles_show_that_a_node_ran_on_the_npu(void **state)
{
	static const struct {
		const char *total, *node, *unit;
	} rows[] = {
		{ "Accelerator (execute) time (cycles)", "aten_add_tensor:OpId_30", "NPU" },
		{ "QNN (execute) time (us)", "aten_add_tensor:OpId_30 (cycles)", "NPU" },
		{ "QNN (execute) time (us)", "aten_add_tensor:OpId_30 (us)", "" }, /* GPU, CPU */
		{ "QNN (execute) time (us)", "aten_add_tensor:OpId_30", "" },      /* LPAI */
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct made m;
		struct said s;

		memset(&s, 0, sizeof s);
		made_init(&m);
		add(&m, rows[i].total);
		add(&m, rows[i].node);
		assert_int_equal(asked_say(&qnn, qnn.abi->classify, &m, 1, &s), ETCORE_OK);
		assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], rows[i].unit);
	}
}

static void declines_what_is_no_node(void **state)
{
	static const char *const ids[] = {
		"",          "OpId_2", ":OpId_2",      "a:OpId_", "a:OpId_x",
		"a.OpId_12", "OpId_",  "a:OpId_2 (x)", "(us)",    "RPC (execute) time (us)",
	};
	struct made m;
	struct said s;

	(void)state;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		made_init(&m);
		add(&m, ids[i]);
		assert_int_equal(asked_say(&qnn, qnn.abi->name_event, &m, 0, &s), ETCORE_DECLINE);
		assert_int_equal(asked_say(&qnn, qnn.abi->classify, &m, 0, &s), ETCORE_DECLINE);
	}
}

static void recognises_a_call_by_zero_starts_and_units(void **state)
{
	struct made m;

	(void)state;
	add_detailed(&m);
	assert_true(qnn.abi->probe(NULL, &m.call) > 50);
	made_init(&m);
	assert_int_equal(qnn.abi->probe(NULL, &m.call), 0);
	made_add_call_event(&m);
	add(&m, "Fully Connected (NC, F32) GEMM #1");
	add(&m, "Softmax (NC, F32) #1");
	assert_int_equal(qnn.abi->probe(NULL, &m.call), 0);
	for (uint32_t i = 0; i < 3; i++)
		add(&m, "RPC (execute) time (us)");
	assert_true(qnn.abi->probe(NULL, &m.call) > 0);
	for (uint32_t i = 0; i < m.call.count; i++)
		m.events[i].start = later; /* events of QNN have the start time 0 */
	assert_int_equal(qnn.abi->probe(NULL, &m.call), 0);
	for (uint32_t i = 0; i < m.call.count; i++)
		m.events[i].start = NULL; /* or none */
	assert_int_equal(qnn.abi->probe(NULL, &m.call), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_id_names_the_unit),
		cmocka_unit_test(nodes_belong_to_the_event_before_and_steps_to_the_next_outer_one),
		cmocka_unit_test(steps_that_were_logged_twice_are_not_nested),
		cmocka_unit_test(a_node_without_a_unit_has_one_only_below_cycles),
		cmocka_unit_test(nodes_have_an_operator_and_a_category),
		cmocka_unit_test(only_cycles_show_that_a_node_ran_on_the_npu),
		cmocka_unit_test(declines_what_is_no_node),
		cmocka_unit_test(recognises_a_call_by_zero_starts_and_units),
	};

	return cmocka_run_group_tests(tests, open_plugin, close_plugin);
}
