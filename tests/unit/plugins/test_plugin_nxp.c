/* The plugin nxp: a kernel is a number in one byte of metadata, times are ticks of a counter of 32
 * bits. */
#include "plugin_host.h"

static struct asked nxp, timed;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&nxp, ETCORE_PLUGIN_FOLDER "/nxp.so", "ticks_per_second", "0");
	asked_open(&timed, ETCORE_PLUGIN_FOLDER "/nxp.so", "ticks_per_second", "800000000");
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&nxp);
	asked_close(&timed);
	return 0;
}

/* Adds a call with the kernels 7, 7 and 12, an event whose metadata is no code, and one for writing
 * the profile. */
static void add_usual(struct made *m)
{
	static const char *const blobs[] = { "\x07", "\x07", "\x0c", "\xff\x01", "\x00" };

	made_init(m);
	for (int i = 0; i < 5; i++)
		made_add_blob(m, NULL, blobs[i], i == 3 ? 2 : 1)->delegate_id = i;
	made_add_call_event(m);
}

static void rows_are_kernels(void **state)
{
	static const char *const names[] = { "Neutron kernel 7", "Neutron kernel 7",
		                             "Neutron kernel 12", "Neutron event 3",
		                             "Profiling dump" };
	struct made m;

	(void)state;
	add_usual(&m);
	for (uint32_t i = 0; i < 5; i++) {
		struct said s;
		etcore_result r;

		memset(&s, 0, sizeof s);
		assert_int_equal(asked_say(&nxp, nxp.abi->name_event, &m, i, &s), ETCORE_OK);
		assert_string_equal(s.text[ETCORE_NAME_DISPLAY], names[i]);
		r = asked_say(&nxp, nxp.abi->classify, &m, i, &s);
		assert_int_equal(r, i == 4 ? ETCORE_DECLINE : ETCORE_OK);
		assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], i == 4 ? "" : "NPU");
	}
}

static void times_are_ticks_of_a_counter_that_restarts(void **state)
{
	struct etcore_time each[EVENTS_MAX], *times[EVENTS_MAX];
	struct made m;

	(void)state;
	add_usual(&m);
	for (uint32_t i = 0; i < m.call.count; i++) {
		each[i] = (struct etcore_time){ .size = sizeof each[i], .parent = -1 };
		times[i] = &each[i];
	}
	assert_int_equal(nxp.abi->describe_time(nxp.self, &m.call, times), ETCORE_OK);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(each[i].unit, ETCORE_UNIT_TICKS);
		assert_int_equal(each[i].clock, ETCORE_CLOCK_FOREIGN);
		assert_true(each[i].wraps_at == 4294967296u);
		assert_true(each[i].ns_per_unit == 0);
		/* Event 4 writes the profile. Its end includes ticks of the CPU's counter. */
		assert_int_equal(each[i].kind, i == 4 ? ETCORE_KIND_INVALID : ETCORE_KIND_OP);
	}
	assert_int_equal(each[5].clock, ETCORE_CLOCK_UNKNOWN);
	assert_int_equal(timed.abi->describe_time(timed.self, &m.call, times), ETCORE_OK);
	assert_true(each[0].ns_per_unit == 1.25);
}

static void says_one_text_per_run_and_one_column(void **state)
{
	static const uint8_t bytes[] = { 7, 7 };
	struct etcore_bytes blobs[] = { { bytes, 1 }, { bytes, 0 }, { bytes, 2 }, { bytes, 1 } };
	struct etcore_event *e;
	struct answer a;
	struct made m;

	(void)state;
	made_init(&m);
	e = made_add(&m, text_of(NULL));
	e->delegate_id = 0;
	e->samples = 2;
	e->metadata = blobs;
	assert_int_equal(asked_metadata(&nxp, &m, 0, &a), ETCORE_OK);
	assert_true(a.list && a.columns);
	assert_int_equal(a.answered, 2);
	assert_string_equal(a.values[0], "=str:Neutron kernel 7");
	assert_string_equal(a.values[1], "=str:Invalid metadata size");
	assert_int_equal(a.count, 3);
	assert_string_equal(a.values[2], "neutron_function_code=int:7");
	e->samples = 4; /* one of four samples has no code */
	assert_int_equal(asked_metadata(&nxp, &m, 0, &a), ETCORE_OK);
	assert_int_equal(a.count, 4);
	assert_false(a.columns);
	e->metadata = NULL;
	assert_int_equal(asked_metadata(&nxp, &m, 0, &a), ETCORE_OK);
	assert_true(a.list);
	assert_int_equal(a.count, 0);
}

static void a_host_that_knows_no_columns_gets_the_texts(void **state)
{
	struct answer a;
	struct etcore_sink sink = { offsetof(struct etcore_sink, begin_columns),
		                    0,
		                    &a,
		                    answer_str,
		                    answer_i64,
		                    answer_f64,
		                    answer_bool,
		                    answer_null,
		                    answer_json,
		                    answer_list,
		                    NULL,
		                    NULL };
	struct made m;

	(void)state;
	memset(&a, 0, sizeof a);
	add_usual(&m);
	assert_int_equal(nxp.abi->parse_metadata(nxp.self, &m.call, 2, &sink), ETCORE_OK);
	assert_int_equal(a.count, 1);
	assert_string_equal(a.values[0], "=str:Neutron kernel 12");
}

struct numbers {
	double v[8];
	int count;
};

static etcore_result take_f64(void *handle, double value)
{
	struct numbers *n = handle;

	n->v[n->count++] = value;
	return ETCORE_OK;
}

static void converts_only_with_a_frequency_and_to_time(void **state)
{
	static const uint64_t raw[] = { 800, 4294921763, 0 };
	struct numbers n = { .count = 0 };
	struct etcore_number_sink sink = { sizeof sink, 0, &n, NULL, take_f64 };
	struct etcore_scales scales = { .size = sizeof scales, .target = ETCORE_UNIT_US };
	struct made m;

	(void)state;
	add_usual(&m);
	assert_int_equal(nxp.abi->convert_time(nxp.self, &m.call, 0, &scales, raw, 3, &sink),
	                 ETCORE_DECLINE);
	assert_int_equal(timed.abi->convert_time(timed.self, &m.call, 0, &scales, raw, 3, &sink),
	                 ETCORE_OK);
	assert_int_equal(n.count, 3);
	for (int i = 0; i < 3; i++)
		assert_true(n.v[i] == (double)raw[i] / 800.0);
	scales.target = ETCORE_UNIT_CYCLES;
	assert_int_equal(timed.abi->convert_time(timed.self, &m.call, 0, &scales, raw, 3, &sink),
	                 ETCORE_DECLINE);
}

static void recognises_ids_that_count_with_a_byte_each(void **state)
{
	struct made m;

	(void)state;
	add_usual(&m);
	assert_true(nxp.abi->probe(NULL, &m.call) > 40);
	for (uint32_t i = 0; i < 5; i++)
		m.events[i].delegate_id += 1; /* the ids do not begin with 0 */
	assert_int_equal(nxp.abi->probe(NULL, &m.call), 0);
	made_init(&m);
	assert_int_equal(nxp.abi->probe(NULL, &m.call), 0);
	made_add(&m, text_of("VGF_EXECUTE"));
	assert_int_equal(nxp.abi->probe(NULL, &m.call), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_kernels),
		cmocka_unit_test(times_are_ticks_of_a_counter_that_restarts),
		cmocka_unit_test(says_one_text_per_run_and_one_column),
		cmocka_unit_test(a_host_that_knows_no_columns_gets_the_texts),
		cmocka_unit_test(converts_only_with_a_frequency_and_to_time),
		cmocka_unit_test(recognises_ids_that_count_with_a_byte_each),
	};

	return cmocka_run_group_tests(tests, open_plugin, close_plugin);
}
