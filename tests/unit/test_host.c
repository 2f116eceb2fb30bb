#include "unit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "host/host.h"
#include "host/sink.h"

#define PLUGINS ETC_TEST_PLUGINS "/"

/* A host with the plugins of the test, and a call of one event. */
struct fixture {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_settings settings;
	struct etc_host host;
	struct etc_error err;
	struct etcore_event event[3];
	const struct etcore_event *events[3];
	struct etcore_call call;
	uint64_t start[3], end[3];
	struct etcore_bytes metadata[3];
};

static struct etcore_text text(const char *s)
{
	return (struct etcore_text){ s, strlen(s) };
}

static void init(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	etc_arena_init(&f->arena, 64 << 20);
	etc_notes_init(&f->notes, &f->arena);
	for (int i = 0; i < 3; i++) {
		f->start[i] = (uint64_t)(10 * i + 10);
		f->end[i] = f->start[i] + 5;
		f->metadata[i] = (struct etcore_bytes){ (const uint8_t *)"abc", (uint64_t)i };
		f->event[i] = (struct etcore_event){
			.size = sizeof f->event[i],
			.flags = ETCORE_EVENT_DELEGATE,
			.samples = 3,
			.start = f->start,
			.end = f->end,
			.metadata = f->metadata,
			.delegate_id = -1,
			.instruction_id = 4,
		};
		f->events[i] = &f->event[i];
	}
	f->call = (struct etcore_call){ .size = sizeof f->call, .count = 1, .events = f->events };
	f->call.backend = text("GoodBackend");
}

/* Loads only the named plugins: what is installed beside the tests is nothing
 * to them. */
static enum etc_status load(struct fixture *f, const char *const *paths, uint32_t count)
{
	struct etc_host_options o = {
		.settings = &f->settings,
		.named = paths,
		.named_count = count,
		.only_named = true,
		.ignore_environment = true,
		.program_folder = "/nowhere",
	};

	return etc_host_load(&f->host, &o, &f->arena, &f->notes, &f->err);
}

static void start(struct fixture *f, const char *path)
{
	init(f);
	assert_ok(load(f, &path, 1), &f->err);
	assert_int_equal(f->host.count, 1);
	assert_int_equal(f->host.plugins[0].state, ETC_PLUGIN_LOADED);
}

static void stop(struct fixture *f)
{
	etc_host_release(&f->host);
	etc_arena_release(&f->arena);
}

static void ask(struct fixture *f, const char *what)
{
	f->event[0].delegate_name = text(what);
}

static unsigned noted(const struct fixture *f, enum etc_code code)
{
	unsigned n = 0;

	for (const struct etc_note *i = f->notes.first; i; i = i->next)
		n += i->code == code;
	return n;
}

/* ---- loading -------------------------------------------------------------------- */

/* A copy of good.so that says it is for another machine. */
static void make_other_machine(void)
{
	struct etc_error err = { 0 };
	struct etc_file file;
	char *copy;

	assert_ok(etc_file_open(&file, PLUGINS "good.so", 0, &err), &err);
	copy = malloc(file.bytes.len);
	assert_non_null(copy);
	memcpy(copy, file.bytes.ptr, file.bytes.len);
	copy[18] ^= 1;
	assert_ok(etc_file_write(PLUGINS "other_machine.so",
	                         (struct etc_str){ copy, file.bytes.len }, &err),
	          &err);
	free(copy);
	etc_file_release(&file);
}

static void refuses_each_defect_with_its_code(void **state)
{
	static const struct {
		const char *file;
		enum etc_code code;
		const char *says;
	} bad[] = {
		{ "missing.so", E0601, "no such file" },
		{ "CMakeFiles", E0601, "no such file" },
		{ "cmake_install.cmake", E0602, "not an ELF" },
		{ "other_machine.so", E0602, "made for " },
		{ "no_symbol.so", E0603, "exports no etcore_plugin_v1" },
		{ "later_abi.so", E0604, "made for ABI 2, this etcore speaks 1" },
		{ "wrong_abi.so", E0604, "made for ABI 7, this etcore speaks 1" },
		{ "undefined.so", E0606, "etcore_test_nobody_defines_this" },
		{ "too_small.so", E0607, "too small" },
		{ "smaller.so", E0607, "too small" },
		{ "no_name.so", E0607, "no name" },
		{ "bad_name.so", E0607, "name is not" },
		{ "no_role.so", E0607, "neither an owner nor an annotator" },
		{ "open_only.so", E0607, "open without close" },
		{ "bad_option.so", E0607, "unknown type" },
		{ "reserved_option.so", E0607, "the host's" },
		{ "two_options.so", E0607, "two options" },
		{ "bad_default.so", E0607, "default" },
		{ "bad_column.so", E0607, "roll-up" },
		{ "two_columns.so", E0607, "two columns" },
	};

	(void)state;
	make_other_machine();
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct fixture f;
		char path[512];
		const char *const named = path;

		init(&f);
		snprintf(path, sizeof path, PLUGINS "%s", bad[i].file);
		assert_fails(load(&f, &named, 1), &f.err, bad[i].code);
		if (!strstr(f.err.text, bad[i].says))
			fail_msg("%s: '%s' does not say '%s'", bad[i].file, f.err.text,
			         bad[i].says);
		assert_string_equal(f.err.file, path);
		stop(&f);
	}
	unlink(PLUGINS "other_machine.so");
}

static void takes_a_larger_descriptor(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "larger.so");
	stop(&f);
}

static void opens_each_file_once(void **state)
{
	const char *const twice[] = { PLUGINS "good.so", PLUGINS "../host/good.so" };
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(load(&f, twice, 2), &f.err);
	assert_int_equal(f.host.count, 1);
	stop(&f);
}

static void refuses_two_plugins_of_one_name(void **state)
{
	const char *const both[] = { PLUGINS "good.so", PLUGINS "namesake.so" };
	struct fixture f;

	(void)state;
	init(&f);
	assert_fails(load(&f, both, 2), &f.err, E0608);
	assert_non_null(strstr(f.err.text, "good.so"));
	stop(&f);
}

static void a_name_is_looked_for_in_folders_only(void **state)
{
	const char *const name = "good";
	struct fixture f;
	struct etc_host_options o = { .named = &name,
		                      .named_count = 1,
		                      .only_named = true,
		                      .ignore_environment = true,
		                      .program_folder = "/nowhere" };
	char here[1024];

	(void)state;
	init(&f);
	o.settings = &f.settings;
	/* Not even when the current folder has it. */
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(ETC_TEST_PLUGINS), 0);
	assert_fails(etc_host_load(&f.host, &o, &f.arena, &f.notes, &f.err), &f.err, E0601);
	assert_int_equal(chdir(here), 0);
	f.settings.plugin_path = etc_str_of(ETC_TEST_PLUGINS);
	assert_ok(etc_host_load(&f.host, &o, &f.arena, &f.notes, &f.err), &f.err);
	assert_int_equal(f.host.count, 1);
	assert_str(f.host.plugins[0].name, "good");
	assert_true(f.host.plugins[0].named);
	stop(&f);
}

static void a_folder_of_strangers_costs_notes_only(void **state)
{
	struct fixture f;
	struct etc_host_options o = { .ignore_environment = true, .program_folder = "/nowhere" };
	uint32_t on = 0;

	(void)state;
	init(&f);
	o.settings = &f.settings;
	f.settings.plugin_path = etc_str_of(ETC_TEST_PLUGINS);
	assert_ok(etc_host_load(&f.host, &o, &f.arena, &f.notes, &f.err), &f.err);
	for (uint32_t i = 0; i < f.host.count; i++)
		on += f.host.plugins[i].state == ETC_PLUGIN_LOADED;
	assert_int_equal(on, 8); /* adds crashes fails good larger rival rival2 throws */
	assert_true(noted(&f, W0612) >= 10);
	assert_int_equal(noted(&f, N0617), 1);
	stop(&f);
}

/* ---- options -------------------------------------------------------------------- */

static void configure(struct fixture *f, struct etc_setting *all, uint32_t count)
{
	f->settings.all = all;
	f->settings.all_count = count;
}

#define SETTING(k, v, o)                                                                 \
	{                                                                                \
		ETC_STR("plugin.good"), ETC_STR(k), ETC_STR(v), ETC_STR(o), { 0 }, false \
	}

static void checks_options_against_the_declared_ones(void **state)
{
	const struct {
		struct etc_setting s;
		enum etc_code code;
	} bad[] = {
		{ SETTING("levle", "1", "x.ini:3"), E0512 },
		{ SETTING("level", "1.5", "x.ini:3"), E0515 },
		{ SETTING("level", "9223372036854775808", "x.ini:3"), E0515 },
		{ SETTING("rate", "fast", "x.ini:3"), E0515 },
		{ SETTING("on", "maybe", "x.ini:3"), E0515 },
		{ SETTING("shape", "[1,", "x.ini:3"), E0515 },
	};
	const char *const path = PLUGINS "good.so";

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct etc_setting one = bad[i].s;
		struct fixture f;

		init(&f);
		configure(&f, &one, 1);
		assert_fails(load(&f, &path, 1), &f.err, bad[i].code);
		assert_string_equal(f.err.file, "x.ini");
		assert_int_equal(f.err.line, 3);
		if (bad[i].code == E0512)
			assert_non_null(strstr(f.err.text, "did you mean 'level'?"));
		stop(&f);
	}
}

static void hands_options_to_open(void **state)
{
	struct etc_setting all[] = { SETTING("level", "-9223372036854775808", "x.ini:3"),
		                     SETTING("on", "off", "x.ini:4") };
	const char *const path = PLUGINS "good.so";
	struct etc_parsed parsed;
	struct fixture f;

	(void)state;
	init(&f);
	configure(&f, all, 2);
	assert_ok(load(&f, &path, 1), &f.err);
	assert_int_equal(f.host.plugins[0].setting_count, 4); /* label has no default */
	assert_memory_equal(f.host.plugins[0].settings[2]->value.ptr, "no", 2);
	ask(&f, "dict");
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &parsed, &f.err), &f.err);
	assert_str(parsed.items[0].text, "-9223372036854775808");
	stop(&f);
}

static void a_plugin_that_cannot_start_is_asked_nothing(void **state)
{
	struct etc_setting all[] = { SETTING("label", "fail", "x.ini:3") };
	const char *const path = PLUGINS "good.so";
	struct etc_parsed parsed;
	struct fixture f;

	(void)state;
	init(&f);
	configure(&f, all, 1);
	assert_ok(load(&f, &path, 1), &f.err);
	ask(&f, "dict");
	for (int i = 0; i < 2; i++) {
		assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &parsed, &f.err),
		          &f.err);
		assert_int_equal(parsed.form, ETC_PARSED_NONE);
	}
	assert_int_equal(noted(&f, W0615), 1);
	stop(&f);
}

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

/* ---- times ------------------------------------------------------------------------ */

static void converts_times_as_integers_or_doubles(void **state)
{
	struct etcore_scales scales = { .size = sizeof scales, .factor = 4 };
	struct etc_converted out[3];
	struct fixture f;
	bool declined;

	(void)state;
	start(&f, PLUGINS "good.so");
	ask(&f, "");
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
	struct etc_facts facts[3], one;
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
	/* Half an answer of name_event is none; classify is another answer. */
	assert_int_equal(facts[1].display.len, 0);
	assert_str(facts[1].category, "gemm");
	assert_int_equal(facts[2].display.len, 0);
	assert_int_equal(noted(&f, W0611), 2);
	assert_ok(etc_host_explain(&f.host, owner, &f.call, 0, &one, &f.err), &f.err);
	assert_str(one.library_why, "Fully Connected");
	stop(&f);
}

static void without_an_owner_the_view_is_generic(void **state)
{
	struct etc_facts facts;
	struct etc_time_facts time;
	struct etc_plugin *owner;
	struct fixture f;
	bool described;

	(void)state;
	init(&f);
	assert_ok(load(&f, NULL, 0), &f.err);
	assert_ok(etc_host_owner(&f.host, &f.call, &owner, &f.err), &f.err);
	assert_null(owner);
	assert_ok(etc_host_explain(&f.host, NULL, &f.call, 0, &facts, &f.err), &f.err);
	assert_int_equal(facts.owner.len, 0);
	assert_str(facts.backend, "GoodBackend");
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

/* rival sees delegates only; good sees operators too. */
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

/* ---- decoders ------------------------------------------------------------------------ */

static void decodes_metadata_without_a_plugin(void **state)
{
	static const uint8_t json[] = "{\"a\":1}", odd[] = { 0xff, 0x00, 0x0a };
	const struct etcore_bytes blobs[] = { { json, 7 }, { NULL, 0 }, { odd, 3 } };
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(etc_host_decode(ETC_DECODE_NONE, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_NONE);
	assert_ok(etc_host_decode(ETC_DECODE_HEX, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.count, 3);
	assert_str(p.items[0].text, "7b2261223a317d");
	assert_int_equal(p.items[1].kind, ETC_DATUM_NULL);
	assert_ok(etc_host_decode(ETC_DECODE_TEXT, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_str(p.items[0].text, "{\"a\":1}");
	assert_str(p.items[2].text, "ff000a");
	assert_ok(etc_host_decode(ETC_DECODE_JSON, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.items[0].kind, ETC_DATUM_JSON);
	assert_int_equal(p.items[2].kind, ETC_DATUM_STR);
	assert_ok(etc_host_decode(ETC_DECODE_LIST, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_str(p.items[2].text, "[255,0,10]");
	assert_str(p.items[1].text, "[]");
	assert_ok(etc_host_decode(ETC_DECODE_HEX, blobs + 1, 1, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_NONE);
	stop(&f);
}

static void knows_json_from_other_text(void **state)
{
	static const char *const good[] = { "1",
		                            " [ ] ",
		                            "{}",
		                            "[[],{},[1,2.5e-3,-0]]",
		                            "\"\\u00e9\\n\"",
		                            "{\"a\":{\"b\":[true,false,null]},\"c\":1}",
		                            "[NaN,Infinity,-Infinity]" };
	static const char *const bad[] = { "",      " ",       "[",         "]",
		                           "{",     "[1,]",    "{\"a\"}",   "{\"a\":1,}",
		                           "01",    "1.",      "--1",       "nul",
		                           "\"",    "\"\\x\"", "\"\n\"",    "1 2",
		                           "{1:2}", "[1}",     "{\"a\":1]", "\"\\u12g4\"",
		                           "+1",    "[,1]",    "{,}" };
	enum { DEEP = ETC_LIMIT_JSON_DEPTH };
	static char deep[2 * DEEP + 2];

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (!etc_json_valid(etc_str_of(good[i])))
			fail_msg("refuses %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (etc_json_valid(etc_str_of(bad[i])))
			fail_msg("accepts %s", bad[i]);
	memset(deep, '[', DEEP);
	memset(deep + DEEP, ']', DEEP);
	assert_true(etc_json_valid((struct etc_str){ deep, (size_t)2 * DEEP }));
	memset(deep, '[', DEEP + 1);
	memset(deep + DEEP + 1, ']', DEEP + 1);
	assert_false(etc_json_valid((struct etc_str){ deep, (size_t)2 * DEEP + 2 }));
}

/* ---- crashes ---------------------------------------------------------------------------- */

static void crash(const char *how)
{
	const char *const path = PLUGINS "crashes.so";
	struct etc_parsed p;
	struct fixture f;

	init(&f);
	if (load(&f, &path, 1) != ETC_OK)
		_exit(100);
	ask(&f, how);
	if (etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err) != ETC_OK)
		_exit(101);
	_exit(102);
}

static void a_crash_names_plugin_hook_and_event(void **state)
{
	static const char *const ways[][2] = {
		{ "null", "SIGSEGV" }, { "exit", "it ended the program" }, { "abort", "SIGABRT" },
		{ "fpe", "SIGFPE" },   { "stack", "SIGSEGV" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		char said[2000] = "", event[64];
		ssize_t n, at = 0;
		int pipe_to[2], status;
		pid_t child;

		assert_int_equal(pipe(pipe_to), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			dup2(pipe_to[1], STDERR_FILENO);
			crash(ways[i][0]);
		}
		close(pipe_to[1]);
		while ((n = read(pipe_to[0], said + at, sizeof said - 1 - (size_t)at)) > 0)
			at += n;
		close(pipe_to[0]);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != ETC_PLUGIN)
			fail_msg("%s: status %x, said %s", ways[i][0], (unsigned)status, said);
		snprintf(event, sizeof event, "event '%s' of instruction 4", ways[i][0]);
		assert_non_null(strstr(said, "plugin 'crashes' in parse_metadata"));
		assert_non_null(strstr(said, event));
		assert_non_null(strstr(said, ways[i][1]));
		assert_non_null(strstr(said, "E0609"));
		assert_non_null(strstr(said, "--no-plugins"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_each_defect_with_its_code),
		cmocka_unit_test(takes_a_larger_descriptor),
		cmocka_unit_test(opens_each_file_once),
		cmocka_unit_test(refuses_two_plugins_of_one_name),
		cmocka_unit_test(a_name_is_looked_for_in_folders_only),
		cmocka_unit_test(a_folder_of_strangers_costs_notes_only),
		cmocka_unit_test(checks_options_against_the_declared_ones),
		cmocka_unit_test(hands_options_to_open),
		cmocka_unit_test(a_plugin_that_cannot_start_is_asked_nothing),
		cmocka_unit_test(copies_a_dict_in_its_order),
		cmocka_unit_test(copies_a_list),
		cmocka_unit_test(a_large_dict_keeps_one_value_per_name),
		cmocka_unit_test(nonsense_costs_one_note_and_that_answer),
		cmocka_unit_test(an_exception_ends_at_the_border),
		cmocka_unit_test(converts_times_as_integers_or_doubles),
		cmocka_unit_test(takes_times_event_by_event),
		cmocka_unit_test(breaks_circles_of_parents),
		cmocka_unit_test(annotators_hear_the_owner_and_add),
		cmocka_unit_test(without_an_owner_the_view_is_generic),
		cmocka_unit_test(finds_owners_by_probe_and_names_a_tie),
		cmocka_unit_test(asks_only_those_who_see_such_events),
		cmocka_unit_test(maps_events),
		cmocka_unit_test(decodes_metadata_without_a_plugin),
		cmocka_unit_test(knows_json_from_other_text),
		cmocka_unit_test(a_crash_names_plugin_hook_and_event),
	};
	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
