/* test_conf.c -- settings: their values in INI files, environment variables and options, and the
 * origin of each value. */
#define _DEFAULT_SOURCE /* mkdtemp, setenv */
#include "conf_fixture.h"

#include <sys/stat.h>

/* ---- values of a file -------------------------------------------------------------- */

static void without_a_file_the_built_in_values_hold(void **state)
{
	struct etc_conf_options o = { .only_file = true };
	struct fixture *f = *state;

	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_NS);
	assert_int_equal(f->settings.target_time_scale, ETC_UNIT_MS);
	assert_near(f->settings.ticks_per_second, 0, 0);
	assert_false(f->settings.has_plugins);
	assert_str(f->settings.color, "auto");
	assert_int_equal(f->settings.limits.max_memory, 0);
	assert_int_equal(f->settings.backend_count, 0);
	for (uint32_t i = 0; i < f->settings.all_count; i++) {
		assert_true(f->settings.all[i].built_in);
		assert_str(f->settings.all[i].origin, "built-in");
	}
}

static void reads_every_kind_of_value(void **state)
{
	struct fixture *f = *state;
	char origin[140];

	assert_ok(load(f, "[etcore]\n"
	                  "plugins = xnnpack, kleidiai\n"
	                  "source_time_scale = cycles ; of the DWT counter\n"
	                  "ticks_per_second: 1.2e9\n"
	                  "# a comment\n"
	                  "color=never\n"
	                  "[limits]\n"
	                  "max_memory = 3M\n"
	                  "max_visits = 17\n"
	                  "[plugin.acme]\n"
	                  "library = sub/acme.so\n"
	                  "enabled = off\n"
	                  "anything = goes here\n"
	                  "[backend.QnnBackend]\n"
	                  "owner = acme\n"
	                  "metadata = json\n"
	                  "source_time_scale = us\n"),
	          &f->err);
	assert_true(f->settings.has_plugins);
	assert_int_equal(f->settings.plugin_count, 2);
	assert_str(f->settings.plugins[0], "xnnpack");
	assert_str(f->settings.plugins[1], "kleidiai");
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_CYCLES);
	assert_near(f->settings.ticks_per_second, 1.2e9, 0);
	assert_str(f->settings.color, "never");
	assert_int_equal(f->settings.limits.max_memory, 3 << 20);
	assert_int_equal(f->settings.limits.max_visits, 17);
	assert_int_equal(f->settings.plugin_section_count, 1);
	assert_str(f->settings.plugin_sections[0].library, "sub/acme.so");
	assert_str(f->settings.plugin_sections[0].folder, f->folder);
	assert_false(f->settings.plugin_sections[0].enabled);
	assert_str(value(f, "plugin.acme", "anything"), "goes here");
	assert_int_equal(f->settings.backend_count, 1);
	assert_str(f->settings.backends[0].owner, "acme");
	assert_int_equal(f->settings.backends[0].metadata, ETC_DECODE_JSON);
	assert_true(f->settings.backends[0].has_metadata);
	assert_int_equal(f->settings.backends[0].source_time_scale, ETC_UNIT_US);
	snprintf(origin, sizeof origin, "%s:8", f->path);
	assert_str(
		etc_settings_find(&f->settings, ETC_STR("limits"), ETC_STR("max_memory"))->origin,
		origin);
}

static void takes_bom_crlf_and_a_missing_newline(void **state)
{
	struct fixture *f = *state;

	assert_ok(load(f, "\xef\xbb\xbf[etcore]\r\ncolor = never\r\nsource_time_scale = us"),
	          &f->err);
	assert_str(f->settings.color, "never");
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_US);
	assert_ok(load(f, ""), &f->err);
	assert_ok(load(f, "\n\n; nothing\n"), &f->err);
	assert_ok(load(f, "\xef\xbb\xbf"), &f->err);
}

static void a_comment_needs_a_blank_before_it(void **state)
{
	struct fixture *f = *state;

	assert_ok(load(f, "[plugin.x]\na = b;c\nd = e ;f\ng = #h\n"), &f->err);
	assert_str(value(f, "plugin.x", "a"), "b;c");
	assert_str(value(f, "plugin.x", "d"), "e");
	assert_str(value(f, "plugin.x", "g"), "#h");
}

static void only_lists_go_on_in_further_lines(void **state)
{
	struct fixture *f = *state;

	assert_ok(
		load(f,
	             "[etcore]\nplugins = a\n   b\n\tc\nplugin_path = /p\n  /q:/r\ncolor = auto\n"),
		&f->err);
	assert_int_equal(f->settings.plugin_count, 3);
	assert_str(f->settings.plugins[2], "c");
	assert_str(f->settings.plugin_path, "/p:/q:/r");
	assert_fails(load(f, "[plugin.x]\nlabel = a\n  b\n"), &f->err, E0519);
	assert_int_equal(f->err.line, 3);
	/* an indented line with a key does not continue the list before it */
	assert_fails(load(f, "[etcore]\nplugins = a\n  color = never\n"), &f->err, E0519);
	/* the first key may be indented, since no list precedes it */
	assert_ok(load(f, "[etcore]\n  color = never\n"), &f->err);
	assert_str(f->settings.color, "never");
}

static void folders_are_relative_to_their_file(void **state)
{
	static const char *const here[] = { "etcore.plugin_path=plugins" };
	struct etc_conf_options o = { .set = here, .set_count = 1, .only_file = true };
	struct fixture *f = *state;
	char want[200];

	assert_ok(load(f, "[etcore]\nplugin_path = a:/b::c/d\n"), &f->err);
	snprintf(want, sizeof want, "%s/a:/b:%s/c/d", f->folder, f->folder);
	assert_str(f->settings.plugin_path, want);
	/* without a file, there is no folder that the path could be relative to */
	assert_fails(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err, E0515);
}

/* ---- mistakes ------------------------------------------------------------------------ */

static void names_every_mistake_with_its_line(void **state)
{
	static const struct {
		const char *ini;
		enum etc_code code;
		uint32_t line;
		const char *says;
	} bad[] = {
		{ "[backend.Q]\nmetadata = json\n\n\n\n\nsource_time_scales = us\n", E0512, 7,
		  "'source_time_scales' in [backend.Q]; did you mean 'source_time_scale'?" },
		{ "[etcore]\nx = 1\n", E0512, 2, "'x' in [etcore]" },
		{ "[etcor]\n", E0513, 1, "did you mean [etcore]?" },
		{ "[plugins.acme]\n", E0513, 1, "did you mean [plugin.acme]?" },
		{ "[plugin]\n", E0513, 1, "[plugin.NAME]" },
		{ "[backend.]\n", E0513, 1, "[backend.NAME]" },
		{ "[limits.x]\n", E0513, 1, "did you mean [limits]?" },
		{ "color = auto\n", E0513, 1, "before any section" },
		{ "[etcore]\ncolor = auto\ncolor = auto\n", E0514, 3, "x.ini:2" },
		{ "[etcore]\ncolor = auto\n[limits]\n[etcore]\ncolor = never\n", E0514, 5,
		  "'color'" },
		{ "[etcore]\ncolor = red\n", E0515, 2, "auto|always|never" },
		{ "[etcore]\nsource_time_scale = \n", E0515, 2, "ns, us, ms, s, cycles or ticks" },
		{ "[etcore]\nsource_time_scale = NS\n", E0515, 2, "'NS'" },
		{ "[etcore]\nticks_per_second = -1\n", E0515, 2, "a number from 0" },
		{ "[etcore]\nticks_per_second = inf\n", E0515, 2, "a number from 0" },
		{ "[limits]\nmax_pipe = 99999999999G\n", E0515, 2, "whole number" },
		{ "[plugin.x]\nenabled = perhaps\n", E0515, 2, "yes or no" },
		{ "[etcore]\ncolor\n", E0510, 2, "no '='" },
		{ "[etcore]\n= 1\n", E0510, 2, "no key" },
		{ "[etcore\n", E0510, 1, "without ']'" },
		{ "[etcore] color = never\n", E0510, 1, "after the section" },
		{ "[etcore]\ncolor = \xff\n", E0517, 2, "not UTF-8" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_fails(load(f, bad[i].ini), &f->err, bad[i].code);
		if (f->err.line != bad[i].line || !strstr(f->err.text, bad[i].says))
			fail_msg("%s: line %u, '%s'", bad[i].ini, (unsigned)f->err.line,
			         f->err.text);
		assert_string_equal(f->err.file, f->path);
	}
}

static void refuses_what_inih_would_cut(void **state)
{
	struct fixture *f = *state;
	char line[400];

	/* a line of 198 bytes is read completely; a longer one is an error */
	for (int n = 190; n < 230; n++) {
		snprintf(line, sizeof line, "[plugin.x]\nlabel = ");
		memset(line + 11 + 8, 'v', (size_t)n - 8); /* 11: length of the line before */
		line[11 + n] = '\0';
		if (n <= 198) {
			assert_ok(load(f, line), &f->err);
			assert_int_equal(value(f, "plugin.x", "label").len, (size_t)n - 8);
		} else {
			assert_fails(load(f, line), &f->err, E0511);
			assert_int_equal(f->err.line, 2);
		}
	}
	snprintf(line, sizeof line, "[plugin.%s]\nk = 1\n",
	         "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeee");
	assert_fails(load(f, line), &f->err, E0511);
	snprintf(line, sizeof line, "[plugin.%s]\nk = 1\n",
	         "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddee");
	assert_ok(load(f, line), &f->err);
	assert_int_equal(f->settings.plugin_sections[0].name.len, 42);
	snprintf(line, sizeof line, "[plugin.x]\n%s = 1\n",
	         "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee");
	assert_fails(load(f, line), &f->err, E0511);
	snprintf(line, sizeof line, "[plugin.x]\n%s = 1\n",
	         "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeee");
	assert_ok(load(f, line), &f->err);
	assert_fails(load_bytes(f, "[etcore]\ncolor = auto\0x\n", 24), &f->err, E0517);
	assert_int_equal(f->err.line, 2);
}

static void refuses_a_huge_file(void **state)
{
	struct fixture *f = *state;
	char *bytes = malloc((1 << 20) + 1);

	assert_non_null(bytes);
	memset(bytes, '\n', (1 << 20) + 1);
	assert_ok(load_bytes(f, bytes, 1 << 20), &f->err);
	assert_fails(load_bytes(f, bytes, (1 << 20) + 1), &f->err, E0520);
	free(bytes);
}

static void survives_every_budget(void **state)
{
	static const char ini[] = "[etcore]\nplugins = a b\nplugin_path = x:y\n[plugin.a]\nk = v\n"
				  "[backend.B]\nowner = a\n";
	struct fixture *f = *state;
	unsigned worked = 0;

	for (size_t budget = 0; budget < 65536; budget += 512) {
		struct etc_conf_options o = { .file = f->path, .only_file = true };
		struct etc_settings settings;
		struct etc_arena arena;
		enum etc_status st;

		write_bytes(f->path, ini, sizeof ini - 1);
		etc_arena_init(&arena, budget);
		st = etc_conf_load(&o, &arena, &settings, &f->err);
		assert_true(st == ETC_OK || st == ETC_NOMEM);
		worked += st == ETC_OK;
		etc_arena_release(&arena);
	}
	assert_true(worked > 0);
}

/* ---- precedence ----------------------------------------------------------------------- */

static void each_source_beats_the_ones_below_it(void **state)
{
	static const char *const set[] = { "etcore.color=never", "backend.A.b.metadata=hex" };
	const struct etc_conf_override option = { "etcore", "source_time_scale", "ms",
		                                  "--source-time-scale" };
	static const char user[] =
		"[etcore]\ncolor=always\nsource_time_scale=us\n[limits]\nmax_pipe=1\n";
	struct fixture *f = *state;
	struct etc_conf_options o = { 0 };
	char path[256];

	setenv("XDG_CONFIG_HOME", f->folder, 1);
	snprintf(path, sizeof path, "%s/etcore", f->folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof path, "%s/etcore/etcore.d", f->folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof path, "%s/etcore/etcore.ini", f->folder);
	write_bytes(path, user, sizeof user - 1);
	snprintf(path, sizeof path, "%s/etcore/etcore.d/b.ini", f->folder);
	write_bytes(path, "[limits]\nmax_pipe=3\n", 20);
	snprintf(path, sizeof path, "%s/etcore/etcore.d/a.ini", f->folder);
	write_bytes(path, "[limits]\nmax_pipe=2\nmax_visits=2\n", 33);
	snprintf(path, sizeof path, "%s/etcore/etcore.d/notes.txt", f->folder);
	write_bytes(path, "not an INI file", 15);
	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	assert_int_equal(f->settings.limits.max_pipe, 3);
	assert_int_equal(f->settings.limits.max_visits, 2);
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_US);

	write_bytes(f->path, "[etcore]\nsource_time_scale=s\ntarget_time_scale=s\n", 49);
	o.file = f->path;
	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_S);
	assert_str(f->settings.color, "always");

	setenv("ETCORE_SOURCE_TIME_SCALE", "ticks", 1);
	setenv("ETCORE_COLOR", "", 1);
	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_TICKS);
	assert_int_equal(f->settings.target_time_scale, ETC_UNIT_S);
	assert_str(f->settings.color, "always");

	o.set = set;
	o.set_count = 2;
	o.overrides = &option;
	o.override_count = 1;
	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_MS);
	assert_str(f->settings.color, "never");
	assert_str(f->settings.backends[0].id, "A.b");
	assert_str(etc_settings_find(&f->settings, ETC_STR("etcore"), ETC_STR("source_time_scale"))
	                   ->origin,
	           "--source-time-scale");

	/* `inspector` uses only the file and the arguments */
	o = (struct etc_conf_options){ .file = f->path, .only_file = true };
	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	assert_int_equal(f->settings.source_time_scale, ETC_UNIT_S);
	assert_str(f->settings.color, "auto");
	assert_int_equal(f->settings.limits.max_pipe, 0);

	setenv("ETCORE_SOURCE_TIME_SCALE", "hours", 1);
	o.only_file = false;
	assert_fails(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err, E0515);
	assert_string_equal(f->err.file, "ETCORE_SOURCE_TIME_SCALE");
	unsetenv("ETCORE_SOURCE_TIME_SCALE");
	unsetenv("ETCORE_COLOR");
	unsetenv("XDG_CONFIG_HOME");
}

static void set_takes_section_key_and_value(void **state)
{
	static const struct {
		const char *set;
		enum etc_code code;
	} all[] = {
		{ "color", E0518 },
		{ "color=never", E0518 },
		{ "etcore.=1", E0518 },
		{ ".color=1", E0518 },
		{ "etcor.color=1", E0513 },
		{ "etcore.colour=1", E0512 },
		{ "etcore.color=1", E0515 },
		{ "=", E0518 },
		{ "", E0518 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct etc_conf_options o = { .set = &all[i].set,
			                      .set_count = 1,
			                      .only_file = true };

		assert_fails(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err,
		             all[i].code);
	}
}

static void a_file_that_is_named_must_be_there(void **state)
{
	struct fixture *f = *state;
	struct etc_conf_options o = { .file = "/nowhere/etcore.ini", .only_file = true };

	assert_fails(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err, E0901);
	o.file = f->folder;
	assert_fails(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err, E0901);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(without_a_file_the_built_in_values_hold),
		TEST(reads_every_kind_of_value),
		TEST(takes_bom_crlf_and_a_missing_newline),
		TEST(a_comment_needs_a_blank_before_it),
		TEST(only_lists_go_on_in_further_lines),
		TEST(folders_are_relative_to_their_file),
		TEST(names_every_mistake_with_its_line),
		TEST(refuses_what_inih_would_cut),
		TEST(refuses_a_huge_file),
		TEST(survives_every_budget),
		TEST(each_source_beats_the_ones_below_it),
		TEST(set_takes_section_key_and_value),
		TEST(a_file_that_is_named_must_be_there),
	};
#undef TEST
	return cmocka_run_group_tests_name("conf", tests, NULL, NULL);
}
