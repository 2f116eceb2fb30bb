/* test_hooks.c -- calling the hooks of plugins: valid and invalid answers, exceptions,
 * annotators. test_hooks_isolated.c runs the same tests with isolated plugins. */
#include "hosted.h"

#include <unwind.h>

#include "host/guard.h"
#include "host/sink_intake.h"
#include "inspector/pyrepr.h"
#include "model/datum.h"

/* ---- parse_metadata ---------------------------------------------------------------- */

static void copies_a_dict_in_its_order(void **state)
{
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "good.so");
	ask(&f, "dict");
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_DICT);
	assert_int_equal(p.count, 6);
	assert_str(p.items[0].name, "text");
	assert_str(p.items[0].text, "3");
	assert_int_equal(p.items[1].i, INT64_MIN);
	assert_str(p.items[2].name, "real");
	assert_int_equal(p.items[2].kind, ETC_DATUM_I64);
	assert_int_equal(p.items[2].i, 7);
	assert_int_equal(p.items[3].i, 1);
	assert_str(p.items[4].text, "{\"a\": [1, NaN]}");
	assert_str(p.items[5].name, "good.family");
	assert_int_equal(p.items[5].kind, ETC_DATUM_NULL);
	assert_null(f.notes.first);
	stop(&f);
}

static void copies_a_list(void **state)
{
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "good.so");
	ask(&f, "list");
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_LIST);
	assert_int_equal(p.count, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(p.items[i].i, i);
	stop(&f);
}

static void columns_stand_beside_the_answer(void **state)
{
	struct etc_text shown = { 0 };
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "good.so");
	ask(&f, "both");
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_LIST);
	assert_int_equal(p.count, 1);
	assert_true(p.items[0].has_bytes);
	etc_datum_put(&shown, &p.items[0]);
	assert_str(etc_text_str(&shown), "{\"b\": [\"AP8n\", \"\"], \"c\": \"b\\\"b\"}");
	etc_text_release(&shown);
	etc_py_datum(&shown, &p.items[0]);
	assert_str(etc_text_str(&shown), "{'b': [b\"\\x00\\xff'\", b''], 'c': 'b\"b'}");
	etc_text_release(&shown);
	assert_true(p.has_columns);
	assert_int_equal(p.column_count, 2);
	assert_str(p.columns[0].name, "whole");
	assert_int_equal(p.columns[0].i, 2);
	assert_str(p.columns[1].text, "t");
	assert_null(f.notes.first);
	stop(&f);
}

static void a_large_dict_keeps_one_value_per_name(void **state)
{
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "good.so");
	ask(&f, "many");
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.count, 100);
	assert_str(p.items[42].name, "good.000042");
	assert_int_equal(p.items[42].i, -42);
	stop(&f);
}

static void nonsense_costs_one_note_and_that_answer(void **state)
{
	static const struct {
		const char *ask;
		enum etc_code code;
		const char *says;
	} bad[] = {
		{ "undeclared", W0611, "undeclared column 'surprise'" },
		{ "ignores the sink", W0611, "undeclared column" },
		{ "type", W0611, "another type than declared in column 'whole'" },
		{ "utf8", W0611, "not UTF-8" },
		{ "bad json", W0611, "not JSON" },
		{ "no pointer", W0611, "without a pointer" },
		{ "long", W0611, "16 MiB" },
		{ "mixed", W0611, "inside a list" },
		{ "unnamed", W0611, "outside a list" },
		{ "columns twice", W0611, "begin_columns a second time" },
		{ "bytes in a column", W0611, "bytes in column 'any'" },
		{ "bad base64", W0611, "not JSON" },
		{ "bytes in json", W0611, "not JSON" },
		{ "endless", W0611, "1048576" },
		{ "corrupt", W0610, "damaged data" },
		{ "strange result", W0610, "unknown result" },
		{ "remarks", W0613, "well, well" },
		{ "chats", N0614, "by the way" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct etc_parsed p;
		struct fixture f;

		start(&f, PLUGINS "good.so");
		ask(&f, bad[i].ask);
		for (int twice = 0; twice < 2; twice++)
			assert_ok(
				etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err),
				&f.err);
		assert_int_equal(p.form, ETC_PARSED_NONE);
		assert_int_equal(p.count, 0);
		assert_non_null(f.notes.first);
		assert_null(f.notes.first->next);
		assert_int_equal(f.notes.first->code, bad[i].code);
		assert_int_equal(f.notes.first->count, 2);
		if (!strstr(f.notes.first->text.ptr, bad[i].says))
			fail_msg("%s: '%s'", bad[i].ask, f.notes.first->text.ptr);
		assert_non_null(strstr(f.notes.first->text.ptr, "plugin 'good' in parse_metadata"));
		assert_non_null(strstr(f.notes.first->text.ptr, bad[i].ask));
		stop(&f);
	}
}

static void an_exception_ends_at_the_border(void **state)
{
	struct etc_plugin *owner;
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "throws.so");
	f.event[0].delegate_id = 1;
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_NONE);
	assert_non_null(strstr(f.notes.first->text.ptr, "no such table"));
	f.event[0].delegate_id = 2;
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	f.call.backend = text("");
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_null(owner);
	assert_int_equal(noted(&f, W0610), 3);
	assert_int_equal(f.host.hook_failures, 3);
	stop(&f);
}

static int cleaned_up;

static void clean_up(_Unwind_Reason_Code why, struct _Unwind_Exception *e)
{
	(void)e;
	assert_int_equal(why, _URC_FOREIGN_EXCEPTION_CAUGHT);
	cleaned_up++;
}

/* Throws an exception of another language, which no catch clause matches. */
static void throw_alien(void *arg)
{
	struct _Unwind_Exception *e = arg;

	memset(e, 0, sizeof *e);
	memcpy(&e->exception_class, "ALIEN\0\0", sizeof e->exception_class);
	e->exception_cleanup = clean_up;
	_Unwind_RaiseException(e);
	fail();
}

/* Throws in a guarded call inside of a guarded call, as when a hook calls a function that calls
 * hooks. */
static void throw_alien_within(void *arg)
{
	char what[80];

	assert_false(etc_guard(throw_alien, arg, what, sizeof what));
	throw_alien(arg);
}

static void return_at_once(void *arg)
{
	(void)arg;
}

static void an_exception_of_another_runtime_ends_there_too(void **state)
{
	struct _Unwind_Exception e;
	char what[80];

	(void)state;
	assert_false(etc_guard(throw_alien, &e, what, sizeof what));
	assert_string_equal(what, "not a std::exception");
	assert_int_equal(cleaned_up, 1);
	assert_false(etc_guard(throw_alien_within, &e, what, sizeof what));
	assert_int_equal(cleaned_up, 3);
	assert_true(etc_guard(return_at_once, NULL, what, sizeof what));
}

/* ---- times ------------------------------------------------------------------------ */

static void converts_times_as_integers_or_doubles(void **state)
{
	struct etcore_scales scales = { .size = sizeof scales, .factor = 4 };
	struct etc_converted out[3];
	struct fixture f;
	bool declined;

	(void)state;
	start(&f, PLUGINS "good.so");
	ask(&f, "both kinds");
	assert_ok(etc_host_convert_time(&f.host.plugins[0], &f.call, 0, &scales, f.start, 3, out,
	                                &declined, &f.err),
	          &f.err);
	assert_false(declined);
	assert_false(out[0].is_integer);
	assert_near(out[0].f, 2.5, 0);
	assert_true(out[1].is_integer);
	assert_int_equal(out[1].i, 20);
	ask(&f, "decline");
	assert_ok(etc_host_convert_time(&f.host.plugins[0], &f.call, 0, &scales, f.start, 3, out,
	                                &declined, &f.err),
	          &f.err);
	assert_true(declined);
	assert_null(f.notes.first);
	ask(&f, "few");
	assert_ok(etc_host_convert_time(&f.host.plugins[0], &f.call, 0, &scales, f.start, 3, out,
	                                &declined, &f.err),
	          &f.err);
	assert_true(declined);
	ask(&f, "too many");
	assert_ok(etc_host_convert_time(&f.host.plugins[0], &f.call, 0, &scales, f.start, 3, out,
	                                &declined, &f.err),
	          &f.err);
	assert_true(declined);
	assert_int_equal(noted(&f, W0611), 2);
	stop(&f);
}

static void takes_times_event_by_event(void **state)
{
	struct etc_time_facts out[3];
	struct fixture f;
	bool described;

	(void)state;
	start(&f, PLUGINS "good.so");
	f.call.count = 3;
	ask(&f, "strange unit");
	assert_ok(etc_host_describe_time(&f.host.plugins[0], &f.call, out, &described, &f.err),
	          &f.err);
	assert_true(described);
	assert_int_equal(out[0].unit, ETC_UNIT_UNKNOWN);
	assert_int_equal(out[0].resolution, 1);
	assert_int_equal(out[1].unit, ETC_UNIT_US);
	assert_near(out[1].ns_per_unit, 1000, 0);
	assert_int_equal(out[1].rounding, ETCORE_ROUNDING_TRUNCATED);
	assert_int_equal(out[1].parent, ETCORE_PARENT_CALL);
	assert_int_equal(noted(&f, W0611), 1);
	ask(&f, "in parallel");
	assert_ok(etc_host_describe_time(&f.host.plugins[0], &f.call, out, &described, &f.err),
	          &f.err);
	assert_int_equal(out[0].duration, ETCORE_DURATION_CONCURRENT);
	assert_int_equal(out[0].sync_device, UINT64_MAX - 1);
	assert_int_equal(out[0].sync_host, 17);
	assert_int_equal(out[1].sync_device, 0);
	assert_int_equal(noted(&f, W0611), 1);
	ask(&f, "unheard of");
	assert_ok(etc_host_describe_time(&f.host.plugins[0], &f.call, out, &described, &f.err),
	          &f.err);
	assert_int_equal(out[0].duration, ETCORE_DURATION_MEASURED);
	assert_int_equal(out[0].clock, ETCORE_CLOCK_UNKNOWN);
	ask(&f, "far parent");
	assert_ok(etc_host_describe_time(&f.host.plugins[0], &f.call, out, &described, &f.err),
	          &f.err);
	assert_int_equal(out[0].clock, ETCORE_CLOCK_UNKNOWN);
	stop(&f);
}

static void breaks_circles_of_parents(void **state)
{
	struct etc_time_facts out[3];
	struct fixture f;
	bool described;

	(void)state;
	start(&f, PLUGINS "good.so");
	f.call.count = 3;
	for (int i = 0; i < 3; i++)
		f.event[i].delegate_name = text("circle");
	assert_ok(etc_host_describe_time(&f.host.plugins[0], &f.call, out, &described, &f.err),
	          &f.err);
	for (int i = 0; i < 3; i++) {
		int64_t at = i;

		for (int steps = 0; at >= 0; steps++) {
			assert_true(steps < 3);
			at = out[at].parent;
		}
	}
	assert_int_equal(noted(&f, W0611), 1);
	stop(&f);
}

/* ---- facts -------------------------------------------------------------------------- */

static void annotators_hear_the_owner_and_add(void **state)
{
	const char *const both[] = { PLUGINS "adds.so", PLUGINS "good.so" };
	struct etc_facts facts[3];
	struct etc_plugin *owner;
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(load(&f, both, 2), &f.err);
	f.call.count = 3;
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_str(owner->name, "good");
	f.event[1].delegate_name = text("ordinal 0");
	f.event[2].delegate_name = text("wrong field");
	assert_ok(etc_host_explain_call(&f.host, owner, &f.call, facts, &f.err), &f.err);
	assert_str(facts[0].owner, "good");
	assert_str(facts[0].backend, "GoodBackend");
	assert_str(facts[0].display, "Fully Connected #2");
	assert_int_equal(facts[0].ordinal, 2);
	assert_str(facts[0].category, "gemm");
	assert_str(facts[0].annotator, "adds");
	assert_str(facts[0].library_why, "Fully Connected");
	assert_int_equal(facts[0].library_ran, ETCORE_RAN_YES);
	assert_true(facts[0].is_matrix);
	/* An incomplete answer of name_event is dropped. That of classify is used nevertheless. */
	assert_int_equal(facts[1].display.len, 0);
	assert_str(facts[1].category, "gemm");
	assert_int_equal(facts[2].display.len, 0);
	assert_int_equal(noted(&f, W0611), 2);
	stop(&f);
}

/* An annotator gets the columns that the owner returned for an event. The first of three events has
 * columns of all types. */
static void annotators_hear_the_columns(void **state)
{
	const char *const both[] = { PLUGINS "good.so", PLUGINS "hears/hears.so" };
	static const bool parse[3] = { true, true, true };
	struct etc_asked asked = { .parse = parse };
	struct etc_arena scratch;
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(load(&f, both, 2), &f.err);
	etc_arena_init(&scratch, 1 << 20);
	f.event[0].delegate_name = text("dict");
	f.event[1].delegate_name = text("list");
	f.event[2].delegate_name = text("both");
	f.call.count = 3;
	asked.call = &f.call;
	assert_ok(etc_host_ask(&f.host, &asked, 1, &scratch, &f.err), &f.err);
	assert_str(asked.facts[0]->library_why,
	           "text str 3; whole i64 -9223372036854775808; real f64 7; flag bool yes; "
	           "any json {\"a\": [1, NaN]}");
	assert_int_equal(asked.facts[1]->library_why.len, 0);
	assert_str(asked.facts[2]->library_why, "whole i64 2; text str t");
	assert_int_equal(f.notes.kinds, 0);
	etc_arena_release(&scratch);
	stop(&f);
}

/* Each text is given twice, and must be stored once. Texts of one length differ in one byte
 * only. */
static void a_text_is_kept_as_it_was_given(void **state)
{
	struct etc_intake in = { 0 };
	struct fixture f;

	(void)state;
	init(&f);
	in.arena = &f.arena;
	in.recent = etc_new(&f.arena, struct etc_recent, 1);
	assert_non_null(in.recent);
	for (size_t len = 1; len <= 40; len++) {
		for (size_t at = 0; at < 3 * len; at++) {
			char given[40];
			struct etc_str kept[2];

			memset(given, 'x', sizeof given);
			given[at % len] = (char)('a' + at / len);
			for (int twice = 0; twice < 2; twice++) {
				assert_int_equal(etc_intake_keep(&in,
				                                 (struct etcore_text){ given, len },
				                                 &kept[twice]),
				                 ETCORE_OK);
				assert_int_equal(kept[twice].len, len);
				assert_memory_equal(kept[twice].ptr, given, len);
			}
			assert_ptr_equal(kept[0].ptr, kept[1].ptr);
		}
	}
	etc_arena_release(&f.arena);
}

/* A plugin may change a text at the same address, so the cache must compare contents. */
static void a_text_may_change_where_it_is(void **state)
{
	struct etc_intake in = { 0 };
	struct fixture f;
	char place[] = "abc";

	(void)state;
	init(&f);
	in.arena = &f.arena;
	in.recent = etc_new(&f.arena, struct etc_recent, 1);
	assert_non_null(in.recent);
	for (int i = 0; i < 20; i++) {
		size_t len = (size_t)(i * i % 3 + 1);
		struct etc_str kept;

		place[0] = (char)('a' + i * i % 5);
		assert_int_equal(etc_intake_keep(&in, (struct etcore_text){ place, len }, &kept),
		                 ETCORE_OK);
		assert_int_equal(kept.len, len);
		assert_memory_equal(kept.ptr, place, len);
		assert_ptr_not_equal(kept.ptr, place);
	}
	place[0] = (char)0xff;
	assert_int_equal(
		etc_intake_keep(&in, (struct etcore_text){ place, 1 }, &(struct etc_str){ 0 }),
		ETCORE_FAILED);
	etc_arena_release(&f.arena);
}

static void without_an_owner_the_view_is_generic(void **state)
{
	struct etc_facts facts[3];
	struct etc_time_facts time;
	struct etc_plugin *owner;
	struct fixture f;
	bool described;

	(void)state;
	init(&f);
	assert_ok(load(&f, NULL, 0), &f.err);
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_null(owner);
	assert_ok(etc_host_explain_call(&f.host, NULL, &f.call, facts, &f.err), &f.err);
	assert_int_equal(facts[0].owner.len, 0);
	assert_str(facts[0].backend, "GoodBackend");
	assert_ok(etc_host_describe_time(NULL, &f.call, &time, &described, &f.err), &f.err);
	assert_false(described);
	assert_int_equal(time.parent, ETCORE_PARENT_CALL);
	stop(&f);
}

static void finds_owners_by_probe_and_names_a_tie(void **state)
{
	const char *const three[] = { PLUGINS "good.so", PLUGINS "rival.so", PLUGINS "rival2.so" };
	struct etc_backend_settings backend = { .id = ETC_STR("RivalBackend"),
		                                .owner = ETC_STR("rival2") };
	struct etc_plugin *owner;
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(load(&f, three, 2), &f.err);
	f.call.backend = text("");
	ask(&f, "nobody's");
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_str(owner->name, "rival");
	ask(&f, "mine");
	assert_fails(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err, E0605);
	assert_non_null(strstr(f.err.text, "'good' and 'rival'"));
	ask(&f, "score 1000");
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_str(owner->name, "rival");
	assert_int_equal(noted(&f, W0611), 1);
	stop(&f);
	init(&f);
	assert_ok(load(&f, three, 3), &f.err);
	f.call.backend = text("RivalBackend");
	assert_fails(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err, E0605);
	f.settings.backends = &backend;
	f.settings.backend_count = 1;
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_str(owner->name, "rival2");
	stop(&f);
}

/* The plugin "rival" is asked about delegate events only, "good" also about operators. */
static void asks_only_those_who_see_such_events(void **state)
{
	const char *const both[] = { PLUGINS "good.so", PLUGINS "rival.so" };
	struct etc_plugin *owner;
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(load(&f, both, 2), &f.err);
	f.call.backend = text("");
	f.event[0].flags = 0;
	f.event[0].name = text("native_call_add.out");
	ask(&f, "mine");
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_str(owner->name, "good");
	f.event[0].name = text("Method::init");
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_null(owner);
	stop(&f);
}

static void maps_events(void **state)
{
	struct etc_mapped m;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "good.so");
	ask(&f, "");
	assert_ok(etc_host_map_event(&f.host.plugins[0], &f.call, 0, &m, &f.err), &f.err);
	assert_str(m.key, "key 7");
	assert_int_equal(m.count, 2);
	assert_int_equal(m.handles[0], 3);
	assert_false(m.not_edge_handles);
	ask(&f, "not edge");
	assert_ok(etc_host_map_event(&f.host.plugins[0], &f.call, 0, &m, &f.err), &f.err);
	assert_true(m.not_edge_handles);
	stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_a_dict_in_its_order),
		cmocka_unit_test(copies_a_list),
		cmocka_unit_test(columns_stand_beside_the_answer),
		cmocka_unit_test(a_large_dict_keeps_one_value_per_name),
		cmocka_unit_test(nonsense_costs_one_note_and_that_answer),
		cmocka_unit_test(an_exception_ends_at_the_border),
		cmocka_unit_test(an_exception_of_another_runtime_ends_there_too),
		cmocka_unit_test(converts_times_as_integers_or_doubles),
		cmocka_unit_test(takes_times_event_by_event),
		cmocka_unit_test(breaks_circles_of_parents),
		cmocka_unit_test(annotators_hear_the_owner_and_add),
		cmocka_unit_test(annotators_hear_the_columns),
		cmocka_unit_test(a_text_is_kept_as_it_was_given),
		cmocka_unit_test(a_text_may_change_where_it_is),
		cmocka_unit_test(without_an_owner_the_view_is_generic),
		cmocka_unit_test(finds_owners_by_probe_and_names_a_tie),
		cmocka_unit_test(asks_only_those_who_see_such_events),
		cmocka_unit_test(maps_events),
	};
	return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}
