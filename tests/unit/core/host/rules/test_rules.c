/* A backend that the configuration describes by rules answers like a plugin. */
#define _DEFAULT_SOURCE /* mkstemp */
#include "hosted.h"

#include <unistd.h>

#include "formats/config/conf.h"

enum { EVENTS = 6 };

/* A call of EVENTS events of one sample each. */
struct rig {
	struct fixture f;
	struct etcore_event event[EVENTS];
	const struct etcore_event *events[EVENTS];
	uint64_t start[EVENTS], end[EVENTS];
	struct etcore_bytes blob[EVENTS];
	struct etcore_call call;
	struct etc_plugin *owner;
};

static enum etc_status configure(struct rig *r, const char *ini, const char *const *plugins,
                                 uint32_t count)
{
	char path[] = "/tmp/etcore-rules-XXXXXX";
	struct etc_conf_options o = { .file = path, .only_file = true };
	int fd = mkstemp(path);
	enum etc_status st;

	memset(r, 0, sizeof *r);
	init(&r->f);
	assert_true(fd >= 0 && write(fd, ini, strlen(ini)) == (ssize_t)strlen(ini));
	close(fd);
	st = etc_conf_load(&o, &r->f.arena, &r->f.settings, &r->f.err);
	unlink(path);
	assert_ok(st, &r->f.err);
	for (uint32_t i = 0; i < EVENTS; i++) {
		r->events[i] = &r->event[i];
		r->end[i] = 100 - i;
		r->event[i] = (struct etcore_event){ .size = sizeof *r->event,
			                             .flags = ETCORE_EVENT_DELEGATE,
			                             .samples = 1,
			                             .start = &r->start[i],
			                             .end = &r->end[i],
			                             .metadata = &r->blob[i],
			                             .delegate_id = -1 };
	}
	r->call = (struct etcore_call){
		.size = sizeof r->call, .count = EVENTS, .events = r->events, .backend = text("A")
	};
	return load(&r->f, plugins, count);
}

static void begin(struct rig *r, const char *ini)
{
	assert_ok(configure(r, ini, NULL, 0), &r->f.err);
	assert_ok(etc_host_owner(&r->f.host, &r->call, &r->owner, &r->f.err), &r->f.err);
}

static void event(struct rig *r, uint32_t i, const char *name, const void *blob, size_t len)
{
	r->event[i].delegate_name = text(name);
	r->blob[i] = (struct etcore_bytes){ blob, len };
}

static const struct etc_datum *parsed(struct rig *r, uint32_t i, const char *column)
{
	struct etc_parsed p;

	assert_ok(etc_host_parse_metadata(r->owner, &r->call, i, &p, &r->f.err), &r->f.err);
	for (uint32_t k = 0; k < p.count; k++)
		if (etc_str_eq(p.items[k].name, etc_str_of(column)))
			return &p.items[k];
	return NULL;
}

static void columns_come_from_json_names_and_numbers(void **state)
{
	static const char json[] =
		"{\"cost\": 0.25, \"n\": 7, \"op\": \"ios17.conv\", \"on\": true, "
		"\"list\": [1, {\"a\": \"b\"}], \"none\": null}";
	struct rig r;

	(void)state;
	begin(&r, "[backend.A]\n"
	          "column.cost = /cost : f64 : ms : sum\n"
	          "column.n = /n : i64\n"
	          "column.n_f = /n : f64\n"
	          "column.op = /op : str : set\n"
	          "column.short = /op ~ \"([^.]*)$\" : str\n"
	          "column.opset = /op ~ \"ios([0-9]+)[.](.*)\" : i64\n"
	          "column.both = /op ~ \"ios([0-9]+)[.](.*)\" : \"\\2 of \\1\" : str\n"
	          "column.on = /on : bool\n"
	          "column.list = /list : json\n"
	          "column.deep = /list/1/a : str\n"
	          "column.none = /none : str\n"
	          "column.wrong = /op : f64\n"
	          "column.name = name : str\n"
	          "column.hole = /nowhere : str\n");
	event(&r, 0, "conv:ios17.conv", json, sizeof json); /* the blob ends with a NUL */
	assert_near(parsed(&r, 0, "cost")->f, 0.25, 0);
	assert_int_equal(parsed(&r, 0, "cost")->rollup, ETCORE_ROLLUP_SUM);
	assert_int_equal(parsed(&r, 0, "n")->i, 7);
	/* integers in JSON stay integers, as in Python */
	assert_int_equal(parsed(&r, 0, "n_f")->kind, ETC_DATUM_I64);
	assert_str(parsed(&r, 0, "op")->text, "ios17.conv");
	assert_int_equal(parsed(&r, 0, "op")->rollup, ETCORE_ROLLUP_SET);
	assert_str(parsed(&r, 0, "short")->text, "conv");
	assert_int_equal(parsed(&r, 0, "opset")->i, 17);
	assert_str(parsed(&r, 0, "both")->text, "conv of 17");
	assert_int_equal(parsed(&r, 0, "on")->kind, ETC_DATUM_BOOL);
	assert_str(parsed(&r, 0, "list")->text, "[1, {\"a\": \"b\"}]");
	assert_str(parsed(&r, 0, "deep")->text, "b");
	assert_str(parsed(&r, 0, "name")->text, "conv:ios17.conv");
	assert_null(parsed(&r, 0, "none"));
	assert_null(parsed(&r, 0, "wrong"));
	assert_null(parsed(&r, 0, "hole"));
	/* Invalid JSON has no members. The event's name can be used nevertheless. */
	event(&r, 1, "x", "{\"cost\": 0.25", 13);
	assert_null(parsed(&r, 1, "cost"));
	assert_str(parsed(&r, 1, "name")->text, "x");
	event(&r, 2, "x", "\xff\xfe", 2);
	assert_null(parsed(&r, 2, "cost"));
	assert_int_equal(noted(&r.f, W0610) + noted(&r.f, W0611), 0);
	stop(&r.f);
}

static void numbers_have_their_size_and_sign(void **state)
{
	static const uint8_t b[9] = { 0xfe, 0xff, 0xff, 0x80, 0x00, 0x00, 0xc0, 0x7f };
	static const struct {
		const char *decoder;
		uint64_t len;
		double value;
	} all[] = {
		{ "u8", 1, 254 },
		{ "i8", 1, -2 },
		{ "u16le", 2, 65534 },
		{ "u16be", 2, 65279 },
		{ "i16le", 2, -2 },
		{ "i16be", 2, -257 },
		{ "u32le", 4, 2164260862.0 },
		{ "u32be", 4, 4278189952.0 },
		{ "i32le", 4, -2130706434.0 },
		{ "i32be", 4, -16777344.0 },
		{ "u64be", 8, 18374685929915859071.0 },
		{ "i64le", 8, 9205357640509554686.0 },
		{ "f32be", 4, -1.701398853862546e+38 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct etc_datum *d;
		char ini[120];
		struct rig r;

		snprintf(ini, sizeof ini, "[backend.A]\nmetadata = %s\ncolumn.v = metadata : f64\n",
		         all[i].decoder);
		begin(&r, ini);
		event(&r, 0, "x", b, all[i].len);
		event(&r, 1, "x", b, all[i].len - 1);
		event(&r, 2, "x", b, all[i].len + 1);
		d = parsed(&r, 0, "v");
		assert_non_null(d);
		if ((d->kind == ETC_DATUM_F64 ? d->f : (double)d->i) != all[i].value)
			fail_msg("%s: %.17g", all[i].decoder,
			         d->kind == ETC_DATUM_F64 ? d->f : (double)d->i);
		/* metadata that are a byte shorter or longer are not decoded */
		assert_null(parsed(&r, 1, "v"));
		assert_null(parsed(&r, 2, "v"));
		stop(&r.f);
	}
}

/* A column takes every signed number of 64 bits. A number that its type does not fit is left out,
 * and noted. */
static void whole_numbers_reach_to_both_ends_of_64_bits(void **state)
{
	static const uint8_t high[8] = { 0, 0, 0, 0, 0, 0, 0, 0x80 };
	static const struct {
		const char *name, *json;
		bool fits;
		int64_t value;
	} all[] = {
		{ "-9223372036854775808", "[-9223372036854775808]", true, INT64_MIN },
		{ "9223372036854775807", "[9223372036854775807]", true, INT64_MAX },
		{ "-0", "[-0]", true, 0 },
		{ "9223372036854775808", "[9223372036854775808]", false, 0 },
		{ "-9223372036854775809", "[-1e300]", false, 0 },
		{ "99999999999999999999999", "[18446744073709551616]", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct rig r;

		begin(&r, "[backend.A]\ncolumn.n = name ~ \".*\" : i64\ncolumn.j = /0 : i64\n"
		          "column.f = /0 : f64\ncolumn.s = name : str\n");
		event(&r, 0, all[i].name, all[i].json, strlen(all[i].json));
		assert_int_equal(parsed(&r, 0, "n") != NULL, all[i].fits);
		assert_int_equal(parsed(&r, 0, "j") != NULL, all[i].fits);
		assert_non_null(parsed(&r, 0, "f"));
		assert_str(parsed(&r, 0, "s")->text, all[i].name);
		if (all[i].fits)
			assert_true(parsed(&r, 0, "n")->i == all[i].value &&
			            parsed(&r, 0, "j")->i == all[i].value);
		assert_int_equal(noted(&r.f, N0645) > 0, !all[i].fits);
		stop(&r.f);
	}
	for (int i = 0; i < 2; i++) {
		struct rig r;

		begin(&r, i ? "[backend.A]\ncolumn.v = u64le@0 : f64\n"
		            : "[backend.A]\ncolumn.v = u64le@0\n");
		event(&r, 0, "x", high, sizeof high);
		event(&r, 1, "none", high, 7);
		assert_int_equal(parsed(&r, 0, "v") != NULL, i);
		assert_null(parsed(&r, 1, "v"));
		assert_int_equal(noted(&r.f, N0645), !i);
		stop(&r.f);
	}
}

static void bytes_are_reached_by_their_place(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, "[backend.A]\nmetadata = list\ncolumn.third = /2 : i64\ncolumn.all = metadata : "
	          "json\n");
	event(&r, 0, "x", "\x01\x02\xff", 3);
	assert_int_equal(parsed(&r, 0, "third")->i, 255);
	assert_str(parsed(&r, 0, "all")->text, "[1,2,255]");
	stop(&r.f);
}

static void units_kinds_and_levels_go_by_the_name(void **state)
{
	struct etc_time_facts t[EVENTS];
	bool described;
	struct rig r;

	(void)state;
	begin(&r, "[backend.A]\n"
	          "time = value\n"
	          "ticks_per_second = 500000000\n"
	          "unit.us = [(]us[)]$\n"
	          "unit.bytes = [(]bytes[)]$\n"
	          "unit.cycles = cycles|OpId\n"
	          "kind.phase = time\n"
	          "level.1 = ^outer [(](.*)[)] time\n"
	          "level.3 = ^inner [(](.*)[)] time\n"
	          "level.8 = cycles\n"
	          "level.9 = OpId\n");
	event(&r, 0, "inner (execute) time (us)", NULL, 0);
	event(&r, 1, "outer (load) time (us)", NULL, 0);
	event(&r, 2, "outer (execute) time (us)", NULL, 0);
	event(&r, 3, "cycles", NULL, 0);
	event(&r, 4, "add:OpId_3", NULL, 0);
	event(&r, 5, "heap (bytes)", NULL, 0);
	assert_ok(etc_host_describe_time(r.owner, &r.call, t, &described, &r.f.err), &r.f.err);
	assert_true(described);
	assert_int_equal(t[0].unit, ETCORE_UNIT_US);
	assert_int_equal(t[0].kind, ETCORE_KIND_PHASE);
	assert_int_equal(t[0].clock, ETCORE_CLOCK_NONE);
	assert_int_equal(t[0].start, ETCORE_START_ABSENT);
	assert_int_equal(t[0].parent, 2); /* the parent is logged later, in the same phase */
	assert_int_equal(t[1].parent, ETCORE_PARENT_CALL);
	assert_int_equal(t[2].parent, ETCORE_PARENT_CALL);
	assert_int_equal(t[3].unit, ETCORE_UNIT_CYCLES);
	assert_near(t[3].ns_per_unit, 2, 0);
	assert_int_equal(t[4].parent, 3);
	assert_int_equal(t[5].unit, ETCORE_UNIT_BYTES);
	assert_int_equal(t[5].kind, ETCORE_KIND_COUNTER);
	assert_near(t[5].ns_per_unit, 0, 0);
	stop(&r.f);
}

static void clocks_are_as_they_are_set(void **state)
{
	static const struct {
		const char *ini;
		bool described;
		uint8_t clock, duration;
		int32_t parent;
		uint64_t wraps_at;
	} all[] = {
		{ "source_time_scale = us\n", false, 0, 0, ETCORE_PARENT_CALL, 0 },
		{ "time = interval\n", true, ETCORE_CLOCK_FOREIGN, 0, ETCORE_PARENT_CALL, 0 },
		{ "clock = host\n", true, ETCORE_CLOCK_HOST, 0, ETCORE_PARENT_BY_TIME, 0 },
		{ "counter_bits = 32\n", true, ETCORE_CLOCK_FOREIGN, 0, ETCORE_PARENT_CALL,
		  (uint64_t)1 << 32 },
		{ "time = estimate\n", true, ETCORE_CLOCK_FOREIGN, ETCORE_DURATION_ESTIMATED,
		  ETCORE_PARENT_CALL, 0 },
		{ "time = parallel\n", true, ETCORE_CLOCK_FOREIGN, ETCORE_DURATION_CONCURRENT,
		  ETCORE_PARENT_CALL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct etc_time_facts t[EVENTS];
		bool described;
		char ini[200];
		struct rig r;

		snprintf(ini, sizeof ini, "[backend.A]\ncategory.gemm = mm\n%s", all[i].ini);
		begin(&r, ini);
		assert_ok(etc_host_describe_time(r.owner, &r.call, t, &described, &r.f.err),
		          &r.f.err);
		assert_int_equal(described, all[i].described);
		assert_int_equal(t[0].clock, all[i].clock);
		assert_int_equal(t[0].duration, all[i].duration);
		assert_int_equal(t[0].parent, all[i].parent);
		assert_int_equal(t[0].wraps_at, all[i].wraps_at);
		stop(&r.f);
	}
}

static void the_first_category_that_matches_counts(void **state)
{
	struct etc_facts facts[EVENTS];
	struct rig r;

	(void)state;
	begin(&r, "[backend.A]\ncategory.gemm = mm|linear\ncategory.elementwise = add|addmm\n"
	          "display = name ~ \"(.*):\"\nkernel = /k | name ~ \"^c\" : \"slow\"\n");
	event(&r, 0, "addmm:1", "{\"k\":\"fast\"}", 12);
	event(&r, 1, "add:2", NULL, 0);
	event(&r, 2, "cat", NULL, 0);
	assert_ok(etc_host_explain_call(&r.f.host, r.owner, &r.call, facts, &r.f.err), &r.f.err);
	assert_str(facts[0].category, "gemm");
	assert_str(facts[0].display, "addmm");
	assert_str(facts[0].kernel, "fast");
	assert_str(facts[0].backend, "A");
	assert_str(facts[1].category, "elementwise");
	assert_int_equal(facts[1].kernel.len, 0);
	assert_str(facts[2].kernel, "slow");
	assert_int_equal(facts[2].category.len + facts[2].display.len, 0);
	stop(&r.f);
}

static void a_call_without_a_backend_is_recognised_by_its_names(void **state)
{
	struct rig r;

	(void)state;
	begin(&r, "[backend.A]\nprobe = ^acme_\n");
	r.call.backend = (struct etcore_text){ 0 };
	r.call.count = 3;
	event(&r, 0, "acme_1", NULL, 0);
	event(&r, 1, "acme_2", NULL, 0);
	event(&r, 2, "other", NULL, 0);
	assert_ok(etc_host_recognise(&r.f.host, &r.call, &r.f.err), &r.f.err);
	assert_int_equal(r.call.backend.len, 1);
	assert_ok(etc_host_owner(&r.f.host, &r.call, &r.owner, &r.f.err), &r.f.err);
	assert_non_null(r.owner);
	event(&r, 1, "another", NULL, 0);
	r.call.backend = (struct etcore_text){ 0 };
	assert_ok(etc_host_recognise(&r.f.host, &r.call, &r.f.err), &r.f.err);
	assert_ok(etc_host_owner(&r.f.host, &r.call, &r.owner, &r.f.err), &r.f.err);
	assert_null(r.owner);
	stop(&r.f);
}

static void beside_a_plugin_rules_add_what_it_leaves_open(void **state)
{
	static const char good[] = PLUGINS "good.so";
	const char *const plugins[] = { good };
	struct etc_asked asked = { .call = NULL };
	bool parse[EVENTS] = { true };
	struct rig r;

	(void)state;
	assert_ok(configure(&r, "[backend.GoodBackend]\ncolumn.more = name : str\n", plugins, 1),
	          &r.f.err);
	r.call.backend = text("GoodBackend");
	r.call.count = 1;
	event(&r, 0, "dict", "x", 1);
	asked.call = &r.call;
	asked.parse = parse;
	assert_ok(etc_host_ask(&r.f.host, &asked, 1, &r.f.arena, &r.f.err), &r.f.err);
	assert_str(asked.owner->name, "good");
	assert_int_equal(asked.parsed[0].form, ETC_PARSED_DICT);
	assert_true(asked.parsed[0].count > 1);
	assert_str(asked.parsed[0].items[asked.parsed[0].count - 1].name, "more");
	assert_str(asked.parsed[0].items[asked.parsed[0].count - 1].text, "dict");
	stop(&r.f);
	/* with owner = none, the plugin is not called */
	assert_ok(configure(&r, "[backend.GoodBackend]\nowner = none\n", plugins, 1), &r.f.err);
	r.call.backend = text("GoodBackend");
	assert_ok(etc_host_owner(&r.f.host, &r.call, &r.owner, &r.f.err), &r.f.err);
	assert_null(r.owner);
	stop(&r.f);
}

static void what_the_plugin_says_itself_is_refused(void **state)
{
	static const char good[] = PLUGINS "good.so";
	const char *const plugins[] = { good };
	static const struct {
		const char *ini;
		enum etc_code code;
		uint32_t line;
	} bad[] = {
		{ "[backend.GoodBackend]\nprobe = x\ncolumn.good.x = name : str\n", E0528, 3 },
		{ "[backend.GoodBackend]\nowner = good\nmetadata = u8\n", E0529, 3 },
		{ "[backend.GoodBackend]\nowner = good\ntime = value\n", E0529, 3 },
		{ "[backend.GoodBackend]\nowner = good\n\nkind.op = x\n", E0529, 4 },
		{ "[backend.GoodBackend]\ncounter_bits = 8\nowner = good\n", E0529, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct rig r;
		enum etc_status st;

		st = configure(&r, bad[i].ini, plugins, 1);
		if (st == ETC_OK || r.f.err.code != bad[i].code || r.f.err.line != bad[i].line)
			fail_msg("%s: E%04d line %u %s", bad[i].ini, (int)r.f.err.code,
			         (unsigned)r.f.err.line, r.f.err.text);
		stop(&r.f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_come_from_json_names_and_numbers),
		cmocka_unit_test(numbers_have_their_size_and_sign),
		cmocka_unit_test(whole_numbers_reach_to_both_ends_of_64_bits),
		cmocka_unit_test(bytes_are_reached_by_their_place),
		cmocka_unit_test(units_kinds_and_levels_go_by_the_name),
		cmocka_unit_test(clocks_are_as_they_are_set),
		cmocka_unit_test(the_first_category_that_matches_counts),
		cmocka_unit_test(a_call_without_a_backend_is_recognised_by_its_names),
		cmocka_unit_test(beside_a_plugin_rules_add_what_it_leaves_open),
		cmocka_unit_test(what_the_plugin_says_itself_is_refused),
	};
	return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
