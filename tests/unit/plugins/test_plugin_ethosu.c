/* The plugin ethosu, for Arm's Ethos-U: its events are scopes of the runtime, inside and outside of
 * delegate calls. */
#include "plugin_host.h"

static struct asked ethosu;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&ethosu, ETCORE_PLUGIN_FOLDER "/ethosu.so", NULL, NULL);
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&ethosu);
	return 0;
}

/* Adds an event of the runtime: it has a name, and no delegate id. */
static struct etcore_event *add(struct made *m, const char *name)
{
	struct etcore_event *e = made_add(m, text_of(NULL));

	e->flags = 0;
	e->name = text_of(name);
	return e;
}

static void describe(const struct made *m, struct etcore_time *each)
{
	struct etcore_time *times[EVENTS_MAX];

	for (uint32_t i = 0; i < m->call.count; i++) {
		each[i] = (struct etcore_time){ .size = sizeof each[i], .parent = -1 };
		times[i] = &each[i];
	}
	assert_int_equal(ethosu.abi->describe_time(ethosu.self, &m->call, times), ETCORE_OK);
}

static void scopes_have_a_kind_and_a_compute_unit(void **state)
{
	static const struct {
		const char *name, *category, *unit;
		uint32_t kind;
	} rows[] = {
		{ "EthosUBackend::execute()", "", "CPU", ETCORE_KIND_PHASE },
		{ "+EthosUBackend::execute()handles.input.memcpy()", "data movement", "CPU",
		  ETCORE_KIND_OVERHEAD },
		{ "+EthosUBackend::execute()NPU", "", "NPU", ETCORE_KIND_OP },
		{ "+EthosUBackend::init()processed_data", "", "CPU", ETCORE_KIND_PHASE },
		{ "+EthosUBackend::init()vela_bin_read()", "", "CPU", ETCORE_KIND_PHASE },
		{ "+EthosUBackend::execute()later scope", "", "", ETCORE_KIND_PHASE },
	};
	struct etcore_time each[EVENTS_MAX];
	struct made m;

	(void)state;
	made_init(&m);
	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
		add(&m, rows[i].name);
	describe(&m, each);
	for (uint32_t i = 0; i < m.call.count; i++) {
		struct said s;

		memset(&s, 0, sizeof s);
		assert_int_equal(asked_say(&ethosu, ethosu.abi->name_event, &m, i, &s), ETCORE_OK);
		assert_int_equal(asked_say(&ethosu, ethosu.abi->classify, &m, i, &s), ETCORE_OK);
		assert_string_equal(s.text[ETCORE_NAME_DISPLAY], rows[i].name);
		assert_string_equal(s.text[ETCORE_CLASS_CATEGORY], rows[i].category);
		assert_string_equal(s.text[ETCORE_CLASS_COMPUTE_UNIT], rows[i].unit);
		assert_int_equal(each[i].kind, rows[i].kind);
		assert_int_equal(each[i].clock, ETCORE_CLOCK_HOST);
		assert_int_equal(each[i].unit, ETCORE_UNIT_UNKNOWN); /* in ticks of the runtime */
		assert_int_equal(each[i].parent, ETCORE_PARENT_BY_TIME);
	}
}

static void other_events_are_left_alone(void **state)
{
	static const char *const names[] = {
		"",
		"+",
		"Method::init",
		"native_call_add.out",
		"EthosUBackend",
		"EthosUBackend:",
		"++EthosUBackend::execute()",
		"+EthosUBackend::\xff",
	};
	struct etcore_time each[EVENTS_MAX];
	struct made m;
	struct said s;

	(void)state;
	made_init(&m);
	for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
		add(&m, names[i]);
	/* events of a delegate are never those of Ethos-U */
	made_add(&m, text_of("EthosUBackend::execute()"));
	made_add_call_event(&m);
	describe(&m, each);
	for (uint32_t i = 0; i < m.call.count; i++) {
		assert_int_equal(asked_say(&ethosu, ethosu.abi->name_event, &m, i, &s),
		                 ETCORE_DECLINE);
		assert_int_equal(asked_say(&ethosu, ethosu.abi->classify, &m, i, &s),
		                 ETCORE_DECLINE);
		assert_int_equal(each[i].clock, ETCORE_CLOCK_UNKNOWN);
	}
	assert_int_equal(ethosu.abi->probe(NULL, &m.call), 0);
}

static void one_scope_is_enough_to_recognise_a_call(void **state)
{
	struct made m;

	(void)state;
	made_init(&m);
	add(&m, "Method::init");
	assert_int_equal(ethosu.abi->probe(NULL, &m.call), 0);
	add(&m, "+EthosUBackend::init()processed_data");
	assert_true(ethosu.abi->probe(NULL, &m.call) > 50);
	made_add(&m, text_of("VGF_INIT_TOTAL")); /* another backend's event in the same load */
	assert_true(ethosu.abi->probe(NULL, &m.call) > 0);
	assert_true(ethosu.abi->probe(NULL, &m.call) < 20);
}

static void says_once_what_the_ticks_may_be(void **state)
{
	struct etcore_time each[EVENTS_MAX];
	struct asked fresh;
	struct made m;

	(void)state;
	asked_open(&fresh, ETCORE_PLUGIN_FOLDER "/ethosu.so", NULL, NULL);
	made_init(&m);
	add(&m, "EthosUBackend::execute()");
	for (int i = 0; i < 2; i++) {
		struct etcore_time *times[] = { &each[0] };

		each[0] = (struct etcore_time){ .size = sizeof each[0] };
		assert_int_equal(fresh.abi->describe_time(fresh.self, &m.call, times), ETCORE_OK);
	}
	assert_int_equal(fresh.diagnoses, 1);
	assert_non_null(strstr(fresh.diagnosed, "--source-time-scale cycles"));
	asked_close(&fresh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scopes_have_a_kind_and_a_compute_unit),
		cmocka_unit_test(other_events_are_left_alone),
		cmocka_unit_test(one_scope_is_enough_to_recognise_a_call),
		cmocka_unit_test(says_once_what_the_ticks_may_be),
	};

	return cmocka_run_group_tests(tests, open_plugin, close_plugin);
}
