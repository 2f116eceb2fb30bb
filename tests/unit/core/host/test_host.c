/* test_host.c -- finding, opening and rejecting plugins, and passing their options. */
#include "hosted.h"

#include <unistd.h>

#include "base/file.h"

/* ---- loading -------------------------------------------------------------------- */

/* Makes a copy of good.so that is marked for another processor. */
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
		{ "CMakeFiles", E0601, "not a regular file" },
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
	/* the current folder is not searched, even if the file is in it */
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
	assert_int_equal(on, 9); /* adds crashes fails good larger rival rival2 second throws */
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

#define SETTING(k, v, o)                                                                    \
	{                                                                                   \
		ETC_STR("plugin.good"), ETC_STR(k), ETC_STR(v), ETC_STR(o), { 0 }, false, 0 \
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
	};
	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
