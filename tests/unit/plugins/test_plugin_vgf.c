/* The plugin vgf: scopes on the runtime's clock, and statistics as JSON.
 * tests/plugins/oracle/vgf.py compares its parser with the one in Python. */
#include "plugin_host.h"

static struct asked vgf;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&vgf, ETCORE_PLUGIN_FOLDER "/vgf.so", NULL, NULL);
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&vgf);
	return 0;
}

static void scopes_nest_by_the_runtimes_clock(void **state)
{
	static const struct {
		const char *id, *category;
		uint32_t kind;
	} rows[] = {
		{ "VGF_EXECUTE", "", ETCORE_KIND_PHASE },
		{ "VGF_COPY_INPUTS", "data movement", ETCORE_KIND_OVERHEAD },
		{ "VGF_COPY_OUTPUTS", "data movement", ETCORE_KIND_OVERHEAD },
		{ "VGF_NEURAL_STATISTICS", "", ETCORE_KIND_OVERHEAD },
		{ "VGF_INIT_TOTAL", "", ETCORE_KIND_PHASE },
		{ "VGF_LATER", "", ETCORE_KIND_PHASE },
	};
	struct etcore_time each[EVENTS_MAX], *times[EVENTS_MAX];
	struct made m;

	(void)state;
	made_init(&m);
	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
		made_add(&m, text_of(rows[i].id));
	made_add(&m, text_of("VGF_"));
	made_add_call_event(&m);
	for (uint32_t i = 0; i < m.call.count; i++) {
		each[i] = (struct etcore_time){ .size = sizeof each[i], .parent = -1 };
		times[i] = &each[i];
	}
	assert_int_equal(vgf.abi->describe_time(vgf.self, &m.call, times), ETCORE_OK);
	for (uint32_t i = 0; i < m.call.count; i++) {
		bool mine = i < sizeof rows / sizeof *rows;
		struct said s;

		memset(&s, 0, sizeof s);
		assert_int_equal(asked_say(&vgf, vgf.abi->classify, &m, i, &s),
		                 mine ? ETCORE_OK : ETCORE_DECLINE);
		assert_int_equal(each[i].clock, mine ? ETCORE_CLOCK_HOST : ETCORE_CLOCK_UNKNOWN);
		assert_int_equal(each[i].unit, ETCORE_UNIT_UNKNOWN);
		assert_int_equal(each[i].parent, mine ? ETCORE_PARENT_BY_TIME : -1);
		assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], mine ? "CPU" : "");
		if (!mine)
			continue;
		assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], rows[i].category);
		assert_int_equal(each[i].kind, rows[i].kind);
	}
	assert_true(vgf.abi->probe(NULL, &m.call) > 50);
	made_init(&m);
	made_add(&m, text_of("ETVK_EXECUTE"));
	assert_int_equal(vgf.abi->probe(NULL, &m.call), 0);
}

#define HEAD "{\"schema\":\"executorch.vgf.neural_statistics\",\"schema_version\":"

static etcore_result parse(const char *blob, struct answer *a)
{
	struct made m;

	made_init(&m);
	made_add_blob(&m, "VGF_NEURAL_STATISTICS", blob, strlen(blob));
	return asked_metadata(&vgf, &m, 0, a);
}

static void blobs_become_bytes_and_their_sizes_columns(void **state)
{
	struct answer a;

	(void)state;
	assert_int_equal(parse(HEAD
	                       "1,\"data_available\":true,\"segments\":[{\"debug_database\":"
	                       "{\"available\":true,\"encoding\":\"base64\",\"data\":\"QUI=\"},"
	                       "\"statistics_info\":{\"available\":false}}, {}]}",
	                       &a),
	                 ETCORE_OK);
	assert_true(a.list && a.columns);
	assert_int_equal(a.answered, 1);
	assert_string_equal(a.values[0],
	                    "=json_bytes:" HEAD
	                    "1,\"data_available\":true,\"segments\":[{\"debug_database\":"
	                    "{\"available\":true,\"encoding\":\"base64\",\"data\":\"QUI=\","
	                    "\"raw_data\":b\"QUI=\"},\"statistics_info\":{\"available\":false,"
	                    "\"raw_data\":b\"\"}}, {}]}");
	assert_string_equal(a.values[1], "vgf_data_available=bool:True");
	assert_string_equal(a.values[2], "vgf_segments=int:2");
	assert_string_equal(a.values[3], "vgf_debug_database=int:2");
	assert_string_equal(a.values[4], "vgf_statistics_info=int:0");
	assert_string_equal(a.values[5], "vgf_statistics_memory=int:0");
	assert_int_equal(a.count, 6);
}

static void other_metadata_is_no_answer_and_damage_is_told(void **state)
{
	static const char *const others[] = {
		"", "x", "{}", "[1]", "{\"schema\":\"other\"}", "\xff"
	};
	static const char *const damaged[] = {
		HEAD "2}",
		HEAD "1,\"segments\":null}",
		HEAD "1,",
		HEAD "1,\"segments\":[{\"debug_database\":{\"available\":true}}]}",
		HEAD "1,\"segments\":[{\"debug_database\":{\"available\":true,"
		     "\"encoding\":\"base64\",\"data\":\"QUI\"}}]}",
	};
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		assert_int_equal(parse(others[i], &a), ETCORE_OK);
		assert_true(a.list);
		assert_false(a.columns);
		assert_int_equal(a.count, 0);
	}
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
		assert_int_equal(parse(damaged[i], &a), ETCORE_CORRUPT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scopes_nest_by_the_runtimes_clock),
		cmocka_unit_test(blobs_become_bytes_and_their_sizes_columns),
		cmocka_unit_test(other_metadata_is_no_answer_and_damage_is_told),
	};

	return cmocka_run_group_tests(tests, open_plugin, close_plugin);
}
