/* The plugin coreml: its answers for valid input, and no harm from invalid input.
 * tests/plugins/oracle/compare.py compares parse_metadata and convert_time with ExecuTorch's Python
 * functions. */
#include "plugin_host.h"

static struct asked coreml;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&coreml, ETCORE_PLUGIN_FOLDER "/coreml.so", NULL, NULL);
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&coreml);
	return 0;
}

static void add(struct made *m, const char *id, const char *json)
{
	made_add_blob(m, id, json, strlen(json));
}

/* Adds the operators of a model on the Neural Engine (NE). Two of them are on the CPU and one on
 * the GPU. */
static void add_model(struct made *m)
{
	made_init(m);
	add(m, "a:conv",
	    "{\"operatorName\":\"ios17.conv\",\"estimatedCost\":0.5,\"preferredComputeUnit\":"
	    "\"NE\","
	    "\"supportedComputeUnits\":[\"NE\",\"CPU\",\"GPU\"]}");
	add(m, "b:softmax",
	    "{\"operatorName\":\"ios17.softmax\",\"estimatedCost\":0.1,\"preferredComputeUnit\":"
	    "\"CPU\",\"supportedComputeUnits\":[\"CPU\"]}");
	add(m, "c:linear",
	    "{\"operatorName\":\"ios15.linear\",\"estimatedCost\":0.2,\"preferredComputeUnit\":"
	    "\"GPU\",\"supportedComputeUnits\":[\"NE\",\"CPU\",\"GPU\"]}");
	add(m, "d:relu",
	    "{\"operatorName\":\"relu\",\"estimatedCost\":0.05,\"preferredComputeUnit\":\"CPU\"}");
	add(m, "e:reduce_mean",
	    "{\"operatorName\":\"ios17.reduce_mean\",\"estimatedCost\":0.05,"
	    "\"supportedComputeUnits\":[]}");
	made_add(m, text_of("f:upsample_bilinear"));
	made_add_call_event(m);
}

static struct said explain(const struct made *m, uint32_t index)
{
	struct said s;

	memset(&s, 0, sizeof s);
	assert_int_equal(asked_say(&coreml, coreml.abi->name_event, m, index, &s), ETCORE_OK);
	assert_int_equal(asked_say(&coreml, coreml.abi->classify, m, index, &s), ETCORE_OK);
	return s;
}

static void names_operators_and_shows_who_leaves_the_main_unit(void **state)
{
	static const struct {
		const char *row, *name, *category, *unit;
	} rows[] = {
		{ "conv", "conv", "convolution", "NE" },
		{ "softmax on CPU (NE cannot)", "softmax", "activation", "CPU (NE cannot)" },
		{ "linear on GPU (NE could)", "linear", "gemm", "GPU (NE could)" },
		{ "relu on CPU (not NE)", "relu", "activation", "CPU (not NE)" },
		{ "reduce_mean", "reduce_mean", "reduction", "" },
		{ "upsample_bilinear", "upsample_bilinear", "resize", "" },
	};
	struct made m;

	(void)state;
	add_model(&m);
	for (uint32_t i = 0; i < 6; i++) {
		struct said s = explain(&m, i);

		assert_string_equal(s.text[ETCORE_NAME_DISPLAY], rows[i].row);
		assert_string_equal(s.text[ETCORE_NAME_OPERATOR], rows[i].name);
		assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], rows[i].category);
		assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], rows[i].unit);
	}
}

static void the_main_unit_follows_the_call(void **state)
{
	struct made m;
	struct said s;

	(void)state;
	add_model(&m);
	s = explain(&m, 2);
	assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], "GPU (NE could)");
	/* without costs of all, the unit of most operators is the main unit: here the CPU */
	made_init(&m);
	add(&m, "a:conv", "{\"preferredComputeUnit\":\"NE\",\"supportedComputeUnits\":[\"NE\"]}");
	add(&m, "b:add", "{\"preferredComputeUnit\":\"CPU\",\"estimatedCost\":0.1}");
	add(&m, "c:add", "{\"preferredComputeUnit\":\"CPU\",\"estimatedCost\":0.1}");
	s = explain(&m, 0);
	assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], "NE (CPU cannot)");
	s = explain(&m, 1);
	assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], "CPU");
}

static void says_that_times_are_estimates_on_another_clock(void **state)
{
	struct etcore_time each[7], *times[7];
	struct asked fresh;
	struct made m;

	(void)state;
	add_model(&m);
	for (int i = 0; i < 7; i++) {
		each[i] = (struct etcore_time){ .size = sizeof each[i], .parent = -1 };
		times[i] = &each[i];
	}
	asked_open(&fresh, ETCORE_PLUGIN_FOLDER "/coreml.so", NULL, NULL);
	assert_int_equal(fresh.abi->describe_time(fresh.self, &m.call, times), ETCORE_OK);
	assert_int_equal(fresh.abi->describe_time(fresh.self, &m.call, times), ETCORE_OK);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(each[i].unit, ETCORE_UNIT_NS);
		assert_true(each[i].ns_per_unit == 1.0);
		assert_int_equal(each[i].clock, ETCORE_CLOCK_FOREIGN);
		assert_int_equal(each[i].duration, ETCORE_DURATION_ESTIMATED);
		assert_int_equal(each[i].parent, ETCORE_PARENT_CALL);
	}
	assert_int_equal(each[6].unit, ETCORE_UNIT_UNKNOWN);
	assert_int_equal(fresh.diagnoses, 1);
	assert_non_null(strstr(fresh.diagnosed, "estimates"));
	assert_non_null(strstr(fresh.diagnosed,
	                       "prefers NE for most, another unit for 3 of 4 operators "
	                       "(1 cannot run on NE)"));
	asked_close(&fresh);
}

static etcore_result keep_key(void *handle, struct etcore_text key)
{
	keep_text(handle, key);
	return ETCORE_OK;
}

static etcore_result map(const struct made *m, uint32_t index, char *key)
{
	struct etcore_map_sink sink = { .size = sizeof sink, .handle = key, .key = keep_key };

	return coreml.abi->map_event(coreml.self, &m->call, index, &sink);
}

static void the_symbol_is_the_key_of_the_map(void **state)
{
	char key[TEXT_MAX] = "";
	struct made m;

	(void)state;
	add_model(&m);
	assert_int_equal(map(&m, 0, key), ETCORE_OK);
	assert_string_equal(key, "a:conv");
	assert_int_equal(map(&m, 6, key), ETCORE_DECLINE); /* the DELEGATE_CALL itself */
	made_init(&m);
	made_add(&m, text_of("x\xff:conv"));
	made_add(&m, text_of(""))->delegate_id = 3;
	assert_int_equal(map(&m, 0, key), ETCORE_DECLINE);
	assert_int_equal(map(&m, 1, key), ETCORE_DECLINE);
}

static void recognises_a_call_by_ids_and_metadata(void **state)
{
	struct made m;

	(void)state;
	add_model(&m);
	assert_true(coreml.abi->probe(NULL, &m.call) > 50);
	made_init(&m);
	assert_int_equal(coreml.abi->probe(NULL, &m.call), 0);
	made_add_call_event(&m);
	made_add(&m, text_of("a:conv")); /* such an id may be of any backend */
	add(&m, "VGF_NEURAL_STATISTICS", "{\"schema\":\"executorch.vgf.neural_statistics\"}");
	add(&m, "a:b", "not JSON");
	assert_int_equal(coreml.abi->probe(NULL, &m.call), 0);
}

static void declines_what_says_nothing(void **state)
{
	static const char *const ids[] = { "", ":", "conv", "conv:", ":conv", "a:b c", "a:\x01" };
	struct made m;
	struct said s;

	(void)state;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		made_init(&m);
		made_add(&m, text_of(ids[i]));
		assert_int_equal(asked_say(&coreml, coreml.abi->name_event, &m, 0, &s),
		                 ETCORE_DECLINE);
		assert_int_equal(asked_say(&coreml, coreml.abi->classify, &m, 0, &s),
		                 ETCORE_DECLINE);
	}
}

/* Calls every hook for an event with this metadata, in a block of exactly its size. */
static void ask_everything(const char *bytes, size_t len)
{
	struct etcore_time time = { .size = sizeof time }, *times[] = { &time };
	char *exact = malloc(len ? len : 1);
	struct answer answer;
	struct said s;
	struct made m;
	etcore_result r;

	assert_non_null(exact);
	memcpy(exact, bytes, len);
	made_init(&m);
	made_add_blob(&m, "a:conv", exact, len);
	r = asked_metadata(&coreml, &m, 0, &answer);
	assert_true(r == ETCORE_OK || r == ETCORE_CORRUPT);
	(void)coreml.abi->probe(coreml.self, &m.call);
	assert_int_equal(coreml.abi->describe_time(coreml.self, &m.call, times), ETCORE_OK);
	(void)asked_say(&coreml, coreml.abi->name_event, &m, 0, &s);
	(void)asked_say(&coreml, coreml.abi->classify, &m, 0, &s);
	free(exact);
}

static void survives_every_prefix_and_every_changed_byte(void **state)
{
	static const char json[] =
		"{\"operatorName\":\"ios17.c\\u00e9\\ud83d\\ude00\\n\",\"estimatedCost\":-0.25e+1,"
		"\"preferredComputeUnit\":\"NE\",\"supportedComputeUnits\":[\"NE\",{\"a\":[]},null]"
		"}";
	char changed[sizeof json];

	(void)state;
	for (size_t n = 0; n < sizeof json; n++)
		ask_everything(json, n);
	for (size_t i = 0; i + 1 < sizeof json; i++) {
		for (int c = 0; c < 256; c++) {
			memcpy(changed, json, sizeof json);
			changed[i] = (char)c;
			ask_everything(changed, sizeof json - 1);
		}
	}
}

static void survives_a_megabyte_of_anything(void **state)
{
	size_t len = (size_t)1 << 20;
	char *big = malloc(len);

	(void)state;
	assert_non_null(big);
	for (const char *fill = "[{\"1\\ -e,:u\xff\xed"; *fill; fill++) {
		memset(big, *fill, len);
		ask_everything(big, len);
		memcpy(big, "{\"operatorName\":\"", 17);
		ask_everything(big, len);
	}
	memset(big, 0, len);
	ask_everything(big, len);
	free(big);
}

/* A blob that is JSON, but no object, is ETCORE_CORRUPT, because Python raises for it (at
 * obj.get). */
static void json_that_is_no_object_is_corrupt(void **state)
{
	static const char *const blobs[] = { "[]", "5", "null", "\"x\"", "true" };
	struct answer answer;
	struct made m;

	(void)state;
	for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++) {
		made_init(&m);
		add(&m, "a:conv", blobs[i]);
		assert_int_equal(asked_metadata(&coreml, &m, 0, &answer), ETCORE_CORRUPT);
		assert_int_equal(answer.count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_operators_and_shows_who_leaves_the_main_unit),
		cmocka_unit_test(the_main_unit_follows_the_call),
		cmocka_unit_test(says_that_times_are_estimates_on_another_clock),
		cmocka_unit_test(the_symbol_is_the_key_of_the_map),
		cmocka_unit_test(recognises_a_call_by_ids_and_metadata),
		cmocka_unit_test(declines_what_says_nothing),
		cmocka_unit_test(survives_every_prefix_and_every_changed_byte),
		cmocka_unit_test(survives_a_megabyte_of_anything),
		cmocka_unit_test(json_that_is_no_object_is_corrupt),
	};
	return cmocka_run_group_tests_name("plugin_coreml", tests, open_plugin, close_plugin);
}
