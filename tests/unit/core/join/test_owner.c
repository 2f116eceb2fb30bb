/* Passing events to their owner (the plugin of a backend): which events it gets in one call, and
 * which of its answers are used. */
#include "made.h"

#include "host/sink.h"
#include "join/keys.h"

/* The plugin of this test owns every call with an event whose name begins with "acme". */
static bool is_acme(struct etcore_text name)
{
	return name.len >= 4 && memcmp(name.ptr, "acme", 4) == 0;
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *e = call->events[i];
		struct etcore_text name = e->name;

		if (name.len > 12 && memcmp(name.ptr, "native_call_", 12) == 0)
			name = (struct etcore_text){ name.ptr + 12, name.len - 12 };
		if (is_acme(name) || is_acme(e->delegate_name))
			return 50;
	}
	return 0;
}

/* Describes every event alike. The description must be used only for events that the plugin also
 * names. */
static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		times[i]->unit = ETCORE_UNIT_BYTES;
		times[i]->clock = ETCORE_CLOCK_NONE;
		times[i]->kind = ETCORE_KIND_COUNTER;
	}
	return ETCORE_OK;
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct etcore_event *e = call->events[index];
	char text[16];
	int len = snprintf(text, sizeof text, "%u of %u", (unsigned)index, (unsigned)call->count);

	(void)self;
	if (e->name.len > 2 && memcmp(e->name.ptr + e->name.len - 2, "me", 2) != 0)
		return ETCORE_DECLINE;
	return out->put(out->handle, ETCORE_NAME_DISPLAY,
	                (struct etcore_text){ text, (uint64_t)len });
}

static const char *const backends[] = { "AcmeBackend", NULL };
static struct etcore_plugin descriptor = {
	.size = sizeof descriptor,
	.role = ETCORE_ROLE_OWNER,
	.name = "acme",
	.backends = backends,
	.probe = probe,
	.describe_time = describe_time,
	.name_event = name_event,
};

static struct etc_settings settings;

/* Makes the sites of a template with the plugin as their owner. `sees` are the kinds of events
 * about which the plugin is asked. Its answers are stored in `answers`. */
static enum etc_status own_by(struct made *m, uint32_t template, uint32_t sees,
                              struct etc_arena *answers, struct etc_sites *sites)
{
	static const struct etc_method unknown;
	struct etc_plugin plugin = { .abi = &descriptor,
		                     .name = ETC_STR("acme"),
		                     .state = ETC_PLUGIN_LOADED };
	struct etc_notes notes;
	bool met[1] = { false };
	struct etc_host host = { .arena = &m->arena,
		                 .notes = &notes,
		                 .settings = &settings,
		                 .met_sections = met,
		                 .plugins = &plugin,
		                 .count = 1 };
	struct etc_join_input in = { .trace = &m->trace,
		                     .host = &host,
		                     .method = &unknown,
		                     .clock = made_ns,
		                     .metadata = m->trace.metadata.has };
	struct etc_error err = { 0 };
	enum etc_status st;
	uint32_t run = 0;

	plugin.host = &host;
	descriptor.sees = sees;
	etc_notes_init(&notes, &m->arena);
	host.recent = etc_new(&m->arena, struct etc_recent, 1);
	assert_non_null(host.recent);
	assert_ok(etc_sites_make(sites, &m->templates[template], made_ns, &m->arena, &err), &err);
	assert_ok(etc_sites_calls(sites, &err), &err);
	st = etc_sites_own(sites, &in, &run, 1, answers, &err);
	assert_int_equal(st == ETC_OK, etc_str_of(err.text).len == 0);
	assert_null(notes.first);
	return st;
}

static void own(struct made *m, uint32_t template, uint32_t sees, struct etc_sites *sites)
{
	assert_int_equal(own_by(m, template, sees, &m->arena, sites), ETC_OK);
}

/* Adds a run with two operators, a delegate call in which there is a scope of the runtime, a scope
 * outside of the call, and the event that encloses all. Returns its template. */
static uint32_t execute(struct made *m)
{
	static const struct made_event events[] = {
		INSIDE("native_call_acme", 0),
		INSIDE("OPERATOR_CALL", 0), /* events 0, 1 */
		DELEGATE("acme kernel", 1),
		INSIDE("acme::acme", 1),    /* events 2, 3 */
		INSIDE("DELEGATE_CALL", 1), /* event 4 */
		INSIDE("native_call_add", 2),
		INSIDE("OPERATOR_CALL", 2), /* events 5, 6 */
		AROUND("acme"),
		AROUND("Method::execute"), /* events 7, 8 */
	};
	static const uint64_t times[][2] = { { 10, 20 }, { 10, 21 }, { 30, 40 },
		                             { 30, 45 }, { 30, 50 }, { 60, 70 },
		                             { 60, 71 }, { 80, 90 }, { 0, 100 } };
	uint32_t template = made_template(m, events, sizeof events / sizeof *events);

	made_run(m, template, times);
	return template;
}

static void a_plugin_is_asked_about_delegates_unless_it_sees_more(void **state)
{
	struct etc_sites sites;
	struct made m;

	(void)state;
	made_begin(&m);
	own(&m, execute(&m), 0, &sites);
	assert_str(etc_site_name(&sites, 2, &m.arena), "0 of 3");
	assert_str(sites.v[2].reading->backend, "AcmeBackend");
	assert_int_equal(sites.v[2].reading->unit, ETCORE_UNIT_BYTES);
	for (uint32_t i = 0; i < sites.count; i++) {
		if (i == 2)
			continue;
		assert_null(etc_site_said(&sites, &sites.v[i]).facts);
		assert_int_equal(sites.v[i].reading->clock, ETCORE_CLOCK_HOST);
	}
	assert_str(etc_site_name(&sites, 0, &m.arena), "acme");
	assert_str(etc_site_name(&sites, 3, &m.arena), "acme::acme");
	made_end(&m);
}

static void operators_are_calls_of_their_own(void **state)
{
	struct etc_sites sites;
	struct made m;

	(void)state;
	made_begin(&m);
	own(&m, execute(&m), ETCORE_SEES_OPERATOR, &sites);
	assert_str(etc_site_name(&sites, 0, &m.arena), "0 of 2");
	assert_str(sites.v[0].reading->backend, "AcmeBackend");
	assert_int_equal(sites.v[0].reading->why, ETC_DETACH_COUNTER);
	/* OPERATOR_CALL is an event of the runtime, not of the plugin */
	assert_null(etc_site_said(&sites, &sites.v[1]).facts);
	/* here the plugin does not see events of delegates */
	assert_null(etc_site_said(&sites, &sites.v[2]).facts);
	assert_str(etc_site_name(&sites, 5, &m.arena), "add");
	assert_null(etc_site_said(&sites, &sites.v[5]).facts); /* the plugin's probe returned 0 */
	assert_int_equal(sites.v[5].reading->backend.len, 0);
	made_end(&m);
}

static void scopes_inside_and_outside_of_calls_are_the_runtimes(void **state)
{
	struct etc_sites sites;
	struct made m;

	(void)state;
	made_begin(&m);
	own(&m, execute(&m), ETCORE_SEES_DELEGATE | ETCORE_SEES_FRAMEWORK, &sites);
	assert_str(etc_site_name(&sites, 2, &m.arena), "0 of 3");
	assert_str(etc_site_name(&sites, 3, &m.arena), "1 of 3");
	assert_int_equal(sites.v[3].reading->unit, ETCORE_UNIT_BYTES);
	assert_null(etc_site_said(&sites, &sites.v[4]).facts);
	assert_str(etc_site_name(&sites, 7, &m.arena), "0 of 2");
	assert_str(sites.v[7].reading->backend, "AcmeBackend");
	/* the plugin did not name this event, so its description is not used */
	assert_int_equal(sites.v[8].reading->backend.len, 0);
	assert_int_equal(sites.v[8].reading->unit, ETCORE_UNIT_NS);
	assert_null(etc_site_said(&sites, &sites.v[0]).facts);
	made_end(&m);
}

static void delegate_events_outside_of_calls_are_owned_too(void **state)
{
	static const struct made_event events[] = {
		{ "", -1, 0, "acme init" },
		AROUND("Method::init"),
		AROUND("Program::load_method"),
	};
	static const uint64_t times[][2] = { { 10, 20 }, { 5, 30 }, { 0, 40 } };
	struct etc_sites sites;
	uint32_t template;
	struct made m;

	(void)state;
	made_begin(&m);
	template = made_template(&m, events, 3);
	made_run(&m, template, times);
	own(&m, template, ETCORE_SEES_DELEGATE, &sites);
	assert_str(etc_site_name(&sites, 0, &m.arena), "0 of 3");
	assert_str(sites.v[0].reading->backend, "AcmeBackend");
	assert_int_equal(etc_site_parent(&sites, 0), ETC_NO_SITE);
	assert_int_equal(sites.v[0].reading->clock, ETCORE_CLOCK_NONE);
	assert_null(etc_site_said(&sites, &sites.v[1]).facts);
	assert_int_equal(sites.v[1].reading->backend.len, 0);
	made_end(&m);
}

enum { CALLS = 5000 };

/* A template with many calls of one event each. */
struct many {
	struct made made;
	struct etc_event events[2 * CALLS];
	uint64_t start[2 * CALLS], end[2 * CALLS];
};

static struct many *make_many(void)
{
	static const struct made_event usual[] = { DELEGATE("acme kernel", 1),
		                                   INSIDE("DELEGATE_CALL", 1) };
	static const uint64_t times[2][2];
	struct many *m = calloc(1, sizeof *m);

	assert_non_null(m);
	made_begin(&m->made);
	made_template(&m->made, usual, 2);
	made_run(&m->made, 0, times);
	for (uint32_t i = 0; i < 2 * CALLS; i++) {
		m->events[i] = m->made.events[0][i % 2];
		m->events[i].column = i;
		m->events[i].instruction_id = (int32_t)i / 2;
		m->end[i] = m->start[i] + i;
	}
	m->made.templates[0].events = m->events;
	m->made.templates[0].count = m->made.templates[0].profiles = 2 * CALLS;
	m->made.trace.start = m->start;
	m->made.trace.end = m->end;
	return m;
}

static void end_many(struct many *m)
{
	made_end(&m->made);
	free(m);
}

static void owns_many_calls(void **state)
{
	struct many *m = make_many();
	struct etc_sites sites;

	(void)state;
	assert_int_equal(own_by(&m->made, 0, 0, &m->made.arena, &sites), ETC_OK);
	for (uint32_t i = 0; i < 2 * CALLS; i++) {
		assert_str(sites.v[i].reading->backend, "AcmeBackend");
		assert_int_equal(sites.v[i].reading->unit,
		                 i % 2 ? ETCORE_UNIT_NS : ETCORE_UNIT_BYTES);
	}
	end_many(m);
}

static void what_there_is_no_memory_for_is_an_error(void **state)
{
	struct many *m = make_many();
	struct etc_arena little;
	struct etc_sites sites;

	(void)state;
	etc_arena_init(&little, 300 << 10);
	assert_int_equal(own_by(&m->made, 0, 0, &little, &sites), ETC_NOMEM);
	etc_arena_release(&little);
	end_many(m);
}

/* No file tells the backend. The plugin's probe recognises the events, and only from the plugin it
 * is known that the settings of AcmeBackend apply. */
static void metadata_are_decoded_for_a_backend_that_only_its_plugin_recognises(void **state)
{
	static const struct made_event events[] = { DELEGATE("acme kernel", 1),
		                                    INSIDE("DELEGATE_CALL", 1),
		                                    AROUND("Method::execute") };
	static const uint64_t times[][2] = { { 10, 20 }, { 5, 30 }, { 0, 40 } };
	static const uint32_t at[] = { 4, 0, 0 };
	static const struct etc_backend_settings acme = { .id = { "AcmeBackend", 11 },
		                                          .metadata = ETC_DECODE_TEXT,
		                                          .has_metadata = true };
	static const struct {
		uint32_t none, len;
		char text[4];
	} bytes = { 0, 4, { 'd', 'a', 't', 'a' } };
	const struct etc_parsed *parsed;
	struct etc_sites sites;
	struct made m;

	(void)state;
	made_begin(&m);
	made_template(&m, events, 3);
	made_run(&m, 0, times);
	assert_true(etc_metadata_pack(at, 3, &m.arena, &m.trace.metadata));
	m.trace.bytes = (const uint8_t *)&bytes;
	settings = (struct etc_settings){ .backends = &acme, .backend_count = 1 };
	own(&m, 0, 0, &sites);
	settings = (struct etc_settings){ 0 };
	parsed = etc_site_said(&sites, &sites.v[0]).metadata;
	assert_non_null(parsed);
	assert_int_equal(parsed->count, 1);
	assert_str(parsed->items[0].text, "data");
	made_end(&m);
}

static void what_is_known_of_one_event_is_of_no_other(void **state)
{
	static const struct made_event events[] = { INSIDE("native_call_add.out", 0),
		                                    INSIDE("OPERATOR_CALL", 0),
		                                    AROUND("Method::execute") };
	static const uint64_t times[][2] = { { 10, 20 }, { 5, 30 }, { 0, 40 } };
	static const struct etc_facts facts;
	struct etc_sites sites;
	struct etc_arena none;
	uint32_t template;
	struct made m;

	(void)state;
	made_begin(&m);
	template = made_template(&m, events, 3);
	made_run(&m, template, times);
	made_sites(&m, template, made_ns, &sites);
	etc_arena_init(&none, 0);
	sites.arena = &none;
	assert_true(etc_sites_hang(&sites, &sites.v[1], 2)); /* it has this parent already */
	assert_false(etc_sites_hang(&sites, &sites.v[0], 2));
	assert_null(etc_sites_say(&sites, &sites.v[0]));
	sites.arena = &m.arena;
	assert_true(etc_sites_hang(&sites, &sites.v[0], 2));
	etc_sites_say(&sites, &sites.v[0])->facts = &facts;
	assert_int_equal(etc_site_parent(&sites, 0), 2);
	assert_int_equal(etc_site_parent(&sites, 1), 2);
	assert_int_equal(etc_site_parent(&sites, 2), ETC_NO_SITE);
	assert_ptr_equal(etc_site_said(&sites, &sites.v[0]).facts, &facts);
	assert_null(etc_site_said(&sites, &sites.v[1]).facts);
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plugin_is_asked_about_delegates_unless_it_sees_more),
		cmocka_unit_test(operators_are_calls_of_their_own),
		cmocka_unit_test(scopes_inside_and_outside_of_calls_are_the_runtimes),
		cmocka_unit_test(delegate_events_outside_of_calls_are_owned_too),
		cmocka_unit_test(owns_many_calls),
		cmocka_unit_test(what_there_is_no_memory_for_is_an_error),
		cmocka_unit_test(
			metadata_are_decoded_for_a_backend_that_only_its_plugin_recognises),
		cmocka_unit_test(what_is_known_of_one_event_is_of_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
