/* The plugin vulkan: parsing the ids of its events, including invalid ids. */
#include "plugin_host.h"

static struct asked vulkan;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&vulkan, ETCORE_PLUGIN_FOLDER "/vulkan.so", NULL, NULL);
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&vulkan);
	return 0;
}

#define TENSOR                                                                           \
	"{\"type\": \"TENSOR\", \"value_ref\": 3, \"dtype\": \"Float\", \"sizes\": [1, " \
	"8], \"storage\": \"TEXTURE_3D\", \"packed_dim\": 0}"
#define RESULT                                                                          \
	"{\"type\": \"TENSOR\", \"value_ref\": 9, \"dtype\": \"Half\", \"sizes\": [2, " \
	"16], \"storage\": \"BUFFER\", \"packed_dim\": 0}"
#define WEIGHT \
	"{\"type\": \"TENSORREF\", \"value_ref\": 1, \"sizes\": [8, 3], \"dtype\": \"Int8x4\"}"
#define MINUS_INF "{\"type\": \"DOUBLE\", \"value_ref\": 4, \"value\": -inf}"

static const char linear[] =
	"{\"operator\": {\"name\": \"aten.linear.default\", \"delegate_node_id\": 12, "
	"\"args\": [" TENSOR ", " WEIGHT ", " MINUS_INF ", " RESULT "]}, "
	"\"kernel_name\": \"linear_naive\", \"operator_id\": 40, \"dispatch_id\": 7}";
static const char added[] = "{\"kernel_name\": \"nchw_to_image_texture3d_float\", "
			    "\"operator_id\": 0, \"dispatch_id\": 0}";

static struct said explain(const char *id)
{
	struct said s;
	struct made m;

	memset(&s, 0, sizeof s);
	made_init(&m);
	made_add(&m, text_of(id));
	assert_int_equal(asked_say(&vulkan, vulkan.abi->name_event, &m, 0, &s), ETCORE_OK);
	assert_int_equal(asked_say(&vulkan, vulkan.abi->classify, &m, 0, &s), ETCORE_OK);
	return s;
}

static void a_shader_is_named_after_its_operator_and_kernel(void **state)
{
	struct said s = explain(linear);

	(void)state;
	assert_string_equal(s.text[ETCORE_NAME_DISPLAY], "aten.linear.default (linear_naive)");
	assert_string_equal(s.text[ETCORE_NAME_OPERATOR], "aten.linear.default");
	assert_string_equal(s.text[ETCORE_NAME_KERNEL], "linear_naive");
	assert_string_equal(s.text[ETCORE_NAME_TYPES], "Float, Int8x4, Half");
	assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], "gemm");
	assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], "GPU");
	assert_string_equal(s.text[ETCORE_CLASS_PRECISION], "fp32"); /* the type of the inputs */
	s = explain(added);
	assert_string_equal(s.text[ETCORE_NAME_DISPLAY], "nchw_to_image_texture3d_float");
	assert_string_equal(s.text[ETCORE_NAME_OPERATOR], "");
	assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], "data movement");
	s = explain("conv2d_clamp_half_163");
	assert_string_equal(s.text[ETCORE_NAME_DISPLAY], "conv2d_clamp_half");
	assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], "convolution");
}

static void a_shader_that_cannot_be_read_keeps_its_id_and_its_clock(void **state)
{
	static const char *const ids[] = { "{\"operator\": {\"name\": \"cut off",
		                           "{\"kernel_name\": 7}",
		                           "{\"operator\": {}, \"operator_id\": 1}" };

	(void)state;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		struct etcore_time time = { .size = sizeof time }, *times[] = { &time };
		struct said s;
		struct made m;

		memset(&s, 0, sizeof s);
		made_init(&m);
		made_add(&m, text_of(ids[i]));
		assert_int_equal(asked_say(&vulkan, vulkan.abi->name_event, &m, 0, &s),
		                 ETCORE_DECLINE);
		assert_int_equal(asked_say(&vulkan, vulkan.abi->classify, &m, 0, &s), ETCORE_OK);
		assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], "GPU");
		assert_int_equal(vulkan.abi->describe_time(vulkan.self, &m.call, times), ETCORE_OK);
		assert_int_equal(time.clock, ETCORE_CLOCK_FOREIGN);
		assert_int_equal(time.unit, ETCORE_UNIT_NS);
	}
}

static void operators_have_categories(void **state)
{
	static const char *const rows[][2] = {
		{ "et_vk.conv_with_clamp.default", "convolution" },
		{ "conv_with_clamp.default", "convolution" },
		{ "aten._softmax.default", "activation" },
		{ "et_vk.q8ta_conv2d_pw.default", "convolution" },
		{ "et_vk.linear_q4gsw.default", "gemm" },
		{ "aten.max.dim", "reduction" },
		{ "aten.max_pool2d.default", "pooling" },
		{ "quantized_decomposed.quantize_per_tensor.default", "quantize" },
		{ "llama.custom_sdpa.default", "attention" },
		{ "add", "elementwise" },
		{ "aten.adder.default", "" },
		{ "et_vk.fused_ce.default", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char id[200];

		snprintf(id, sizeof id,
		         "{\"operator\": {\"name\": \"%s\", \"args\": []}, \"kernel_name\": \"k\"}",
		         rows[i][0]);
		assert_string_equal(explain(id).text[ETCORE_CLASS_CATEGORY], rows[i][1]);
	}
}

static void assert_answer(const char *id, const char *const *values, size_t count)
{
	struct answer a;
	struct made m;

	made_init(&m);
	made_add(&m, text_of(id));
	assert_int_equal(asked_metadata(&vulkan, &m, 0, &a), ETCORE_OK);
	assert_false(a.list);
	assert_int_equal(a.count, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(a.values[i], values[i]);
}

static void the_values_of_an_id_are_columns(void **state)
{
	static const char *const all[] = {
		"vulkan_operator=str:aten.linear.default",
		"shader=str:linear_naive",
		"node=int:12",
		"dispatch=int:7",
		"vulkan_operator_id=int:40",
		"dtype=str:Half",
		"sizes=json:[2, 16]",
		"storage=str:BUFFER",
	};
	static const char *const few[] = { "shader=str:nchw_to_image_texture3d_float",
		                           "dispatch=int:0", "vulkan_operator_id=int:0" };
	static const char *const old[] = { "shader=str:conv2d_clamp_half", "dispatch=int:163" };

	(void)state;
	assert_answer(linear, all, 8);
	assert_answer(added, few, 3);
	assert_answer("conv2d_clamp_half_163", old, 2);
	assert_answer("ETVK_EXECUTE", NULL, 0);
	assert_answer("something else", NULL, 0);
}

static void what_is_no_text_or_size_is_left_out(void **state)
{
	static const char *const kernel[] = { "shader=str:k" };
	static const char *const ids[] = {
		"{\"kernel_name\": \"k\", \"operator\": {\"name\": \"a\\\"b\"}}",
		"{\"kernel_name\": \"k\", \"operator\": {\"name\": \"\xff\"}}",
		"{\"kernel_name\": \"k\", \"operator\": [1, 2]}",
		"{\"kernel_name\": \"k\", \"dispatch_id\": -1}",
		"{\"kernel_name\": \"k\", \"dispatch_id\": 9223372036854775808}",
		"{\"kernel_name\": \"k\", \"dispatch_id\": \"7\"}",
		"{\"kernel_name\": \"k\", ]",
	};
	static const char *const sizes[] = { "[]",   "[1, 08]", "[1 2]", "[1,]",
		                             "[,1]", "[1, x]",  "[[1]]", "[-1]" };
	static const char *const rest[] = { "shader=str:k", "storage=str:BUFFER" };

	(void)state;
	for (size_t i = 0; i + 1 < sizeof ids / sizeof *ids; i++)
		assert_answer(ids[i], kernel, 1);
	assert_answer(ids[6], NULL, 0);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char id[200];

		snprintf(id, sizeof id,
		         "{\"operator\": {\"args\": [{\"sizes\": %s, \"storage\": \"BUFFER\"}]}, "
		         "\"kernel_name\": \"k\"}",
		         sizes[i]);
		assert_answer(id, rest, 2);
	}
}

/* Adds a call with the events of a partition, as the delegate logs them, and with an event of
 * another backend. */
static void add_call(struct made *m)
{
	made_init(m);
	made_add(m, text_of("ETVK_COPY_INPUTS"));
	made_add(m, text_of("ETVK_COMPUTE_GRAPH_EXECUTE"));
	made_add(m, text_of(added));
	made_add(m, text_of(linear));
	made_add(m, text_of("ETVK_COPY_OUTPUTS"));
	made_add(m, text_of("ETVK_EXECUTE"));
	made_add(m, text_of("no id of ours"));
	made_add_call_event(m);
}

static void describe(struct asked *a, const struct made *m, struct etcore_time *each)
{
	struct etcore_time *times[EVENTS_MAX];

	for (uint32_t i = 0; i < m->call.count; i++) {
		each[i] = (struct etcore_time){ .size = sizeof each[i], .parent = -1 };
		times[i] = &each[i];
	}
	assert_int_equal(a->abi->describe_time(a->self, &m->call, times), ETCORE_OK);
}

static void steps_are_on_the_runtimes_clock_and_shaders_on_the_gpus(void **state)
{
	static const bool host[] = { true, true, false, false, true, true };
	struct etcore_time each[EVENTS_MAX];
	struct made m;

	(void)state;
	add_call(&m);
	describe(&vulkan, &m, each);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(each[i].clock, host[i] ? ETCORE_CLOCK_HOST : ETCORE_CLOCK_FOREIGN);
		/* only the user can tell the length of the runtime's ticks */
		assert_int_equal(each[i].unit, host[i] ? ETCORE_UNIT_UNKNOWN : ETCORE_UNIT_NS);
		assert_int_equal(each[i].parent, host[i] ? ETCORE_PARENT_BY_TIME : 1);
		assert_int_equal(each[i].duration, ETCORE_DURATION_MEASURED);
	}
	assert_int_equal(each[1].kind, ETCORE_KIND_PHASE);
	assert_int_equal(each[4].kind, ETCORE_KIND_OVERHEAD);
	assert_int_equal(each[6].clock, ETCORE_CLOCK_UNKNOWN);
	assert_int_equal(each[7].clock, ETCORE_CLOCK_UNKNOWN);
}

struct numbers {
	double v[4];
	size_t count;
};

static etcore_result keep_f64(void *handle, double value)
{
	struct numbers *n = handle;

	assert_true(n->count < 4);
	n->v[n->count++] = value;
	return ETCORE_OK;
}

static etcore_result convert(struct asked *a, const char *id, uint32_t target, struct numbers *n)
{
	static const uint64_t raw[] = { 0, 2132005513768, UINT64_MAX };
	struct etcore_number_sink sink = { .size = sizeof sink, .handle = n, .f64 = keep_f64 };
	struct etcore_scales scales = { .size = sizeof scales, .target = target };
	struct made m;

	n->count = 0;
	made_init(&m);
	made_add(&m, text_of(id));
	return a->abi->convert_time(a->self, &m.call, 0, &scales, raw, 3, &sink);
}

static void a_known_tick_corrects_what_the_runtime_rounded(void **state)
{
	static const char *const unknown[] = { "0", "-1", "nan", "inf", "1e300", "" };
	struct etcore_time each[EVENTS_MAX];
	struct numbers n;
	struct asked a;
	struct made m;

	(void)state;
	add_call(&m);
	assert_int_equal(convert(&vulkan, linear, ETCORE_UNIT_MS, &n), ETCORE_DECLINE);
	asked_open(&a, ETCORE_PLUGIN_FOLDER "/vulkan.so", "timestamp_period", "52.08");
	describe(&a, &m, each);
	assert_int_equal(each[3].unit, ETCORE_UNIT_TICKS);
	assert_true(each[3].ns_per_unit == 52.08 / 52);
	assert_int_equal(each[0].unit, ETCORE_UNIT_UNKNOWN);
	assert_int_equal(convert(&a, linear, ETCORE_UNIT_MS, &n), ETCORE_OK);
	assert_int_equal(n.count, 3);
	assert_true(n.v[0] == 0);
	assert_true(n.v[1] == 2132005513768. * 52.08 / 52 / 1e6);
	assert_true(n.v[2] == 18446744073709551615. * 52.08 / 52 / 1e6);
	assert_int_equal(convert(&a, "ETVK_EXECUTE", ETCORE_UNIT_MS, &n), ETCORE_DECLINE);
	assert_int_equal(convert(&a, linear, ETCORE_UNIT_CYCLES, &n), ETCORE_DECLINE);
	asked_close(&a);
	asked_open(&a, ETCORE_PLUGIN_FOLDER "/vulkan.so", "timestamp_period", "0.4");
	describe(&a, &m, each); /* 0.4 is rounded to 0, for which the runtime uses 52 */
	assert_true(each[3].ns_per_unit == 0.4 / 52);
	asked_close(&a);
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		asked_open(&a, ETCORE_PLUGIN_FOLDER "/vulkan.so", "timestamp_period", unknown[i]);
		describe(&a, &m, each);
		assert_int_equal(each[3].unit, ETCORE_UNIT_NS);
		asked_close(&a);
	}
}

struct mapped {
	char key[TEXT_MAX];
	bool local;
};

static etcore_result keep_key(void *handle, struct etcore_text key)
{
	keep_text(((struct mapped *)handle)->key, key);
	return ETCORE_OK;
}

static etcore_result keep_local(void *handle)
{
	((struct mapped *)handle)->local = true;
	return ETCORE_OK;
}

static struct mapped map(const char *id, etcore_result expected)
{
	struct mapped to = { .local = false };
	struct etcore_map_sink sink = {
		.size = sizeof sink, .handle = &to, .key = keep_key, .not_edge_handles = keep_local
	};
	struct made m;

	made_init(&m);
	made_add(&m, text_of(id));
	assert_int_equal(vulkan.abi->map_event(vulkan.self, &m.call, 0, &sink), expected);
	return to;
}

static void the_maps_handles_are_the_delegates_own(void **state)
{
	struct mapped to = map(linear, ETCORE_OK);

	(void)state;
	assert_string_equal(to.key, "12");
	assert_true(to.local);
	to = map(added, ETCORE_OK);
	assert_string_equal(to.key, "");
	assert_true(to.local);
	assert_true(map("ETVK_EXECUTE", ETCORE_OK).local);
	assert_false(map("no id of ours", ETCORE_DECLINE).local);
}

static void recognises_a_call_by_its_ids(void **state)
{
	static const uint64_t inside[1] = { 20 }, outside[1] = { 2000 }, end[1] = { 100 };
	struct made m;

	(void)state;
	add_call(&m);
	assert_true(vulkan.abi->probe(vulkan.self, &m.call) > 50);
	made_init(&m);
	assert_int_equal(vulkan.abi->probe(vulkan.self, &m.call), 0);
	made_add_call_event(&m);
	m.events[0].end = end;
	made_add(&m, text_of("conv2d_clamp_half_163"))->start = outside;
	assert_int_equal(vulkan.abi->probe(vulkan.self, &m.call), 40);
	m.events[1].start = inside; /* inside of the call, the name may be of any backend */
	assert_int_equal(vulkan.abi->probe(vulkan.self, &m.call), 0);
	m.events[1].delegate_name = text_of("Softmax (NC, F32) #1");
	assert_int_equal(vulkan.abi->probe(vulkan.self, &m.call), 0);
}

/* Calls every hook for an event with this id, in a block of exactly its size. */
static void ask_everything(const char *bytes, size_t len)
{
	struct etcore_time each[EVENTS_MAX];
	char *exact = malloc(len ? len : 1);
	struct mapped to;
	struct etcore_map_sink sink = {
		.size = sizeof sink, .handle = &to, .key = keep_key, .not_edge_handles = keep_local
	};
	struct answer answer;
	struct said s;
	struct made m;

	assert_non_null(exact);
	memcpy(exact, bytes, len);
	made_init(&m);
	made_add(&m, (struct etcore_text){ exact, len });
	assert_int_equal(asked_metadata(&vulkan, &m, 0, &answer), ETCORE_OK);
	(void)vulkan.abi->probe(vulkan.self, &m.call);
	describe(&vulkan, &m, each);
	(void)asked_say(&vulkan, vulkan.abi->name_event, &m, 0, &s);
	(void)asked_say(&vulkan, vulkan.abi->classify, &m, 0, &s);
	(void)vulkan.abi->map_event(vulkan.self, &m.call, 0, &sink);
	free(exact);
}

static void survives_every_prefix_and_every_changed_byte(void **state)
{
	char changed[sizeof linear];

	(void)state;
	for (size_t n = 0; n < sizeof linear; n++)
		ask_everything(linear, n);
	for (size_t i = 0; i + 1 < sizeof linear; i++) {
		for (int c = (int)i % unit_share(); c < 256; c += unit_share()) {
			memcpy(changed, linear, sizeof linear);
			changed[i] = (char)c;
			ask_everything(changed, sizeof linear - 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shader_is_named_after_its_operator_and_kernel),
		cmocka_unit_test(a_shader_that_cannot_be_read_keeps_its_id_and_its_clock),
		cmocka_unit_test(operators_have_categories),
		cmocka_unit_test(the_values_of_an_id_are_columns),
		cmocka_unit_test(what_is_no_text_or_size_is_left_out),
		cmocka_unit_test(steps_are_on_the_runtimes_clock_and_shaders_on_the_gpus),
		cmocka_unit_test(a_known_tick_corrects_what_the_runtime_rounded),
		cmocka_unit_test(the_maps_handles_are_the_delegates_own),
		cmocka_unit_test(recognises_a_call_by_its_ids),
		cmocka_unit_test(survives_every_prefix_and_every_changed_byte),
	};

	return cmocka_run_group_tests(tests, open_plugin, close_plugin);
}
