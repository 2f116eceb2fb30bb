/* Checks that conf/etcore.ini lists every key with its default, unit and meaning.
 * tests/conf/effects.py checks that each key does what the file says. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "conf_fixture.h"

#include "base/file.h"
#include "host/host.h"

static struct etc_str shipped(struct fixture *f)
{
	struct etc_file file;
	struct etc_str copy;

	assert_ok(etc_file_open(&file, "conf/etcore.ini", 0, &f->err), &f->err);
	copy = etc_arena_str(&f->arena,
	                     (struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len });
	etc_file_release(&file);
	return copy;
}

/* Copies the text without each ';' at the start of a line: keys and sections are then no
 * comments. */
static size_t uncommented(struct etc_str text, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != ';' || (i > 0 && text.ptr[i - 1] != '\n'))
			to[n++] = text.ptr[i];
	return n;
}

static void the_shipped_file_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct etc_conf_options o = { .file = "conf/etcore.ini", .only_file = true };

	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	for (uint32_t i = 0; i < f->settings.all_count; i++)
		assert_true(f->settings.all[i].built_in);
}

static void the_shipped_file_has_every_key_with_default_unit_and_meaning(void **state)
{
	struct fixture *f = *state;
	struct etc_str text = shipped(f);
	uint32_t count;
	const struct etc_conf_key *keys = etc_conf_keys(&count);

	for (uint32_t i = 0; i < count; i++) {
		/* the file has one example for a family of keys such as "column.*", so only the
		 * prefix is searched */
		struct etc_str line =
			strchr(keys[i].key, '*')
				? etc_arena_printf(&f->arena, "\n;%.*s",
		                                   (int)strcspn(keys[i].key, "*"), keys[i].key)
				: etc_arena_printf(&f->arena, "\n;%s =%s%s\n", keys[i].key,
		                                   keys[i].value[0] ? " " : "", keys[i].value);
		struct etc_str help = etc_arena_printf(&f->arena, "\n# %s\n", keys[i].help);
		size_t at = etc_str_find(text, help, 0), key;

		if (at == SIZE_MAX)
			fail_msg("conf/etcore.ini does not explain %s as '%s'", keys[i].key,
			         keys[i].help);
		key = etc_str_find(text, line, at);
		if (key == SIZE_MAX || etc_str_find(text, ETC_STR("\n\n"), at) < key)
			fail_msg("conf/etcore.ini lacks '%s' below its explanation", line.ptr + 1);
		if (keys[i].unit[0] && etc_str_find(etc_str_sub(text, at, key),
		                                    etc_str_of(keys[i].unit), 0) == SIZE_MAX)
			fail_msg("conf/etcore.ini does not give the unit of %s", keys[i].key);
		if (keys[i].environment &&
		    etc_str_find(etc_str_sub(text, at, key), etc_str_of(keys[i].environment), 0) ==
		            SIZE_MAX)
			fail_msg("conf/etcore.ini does not name %s", keys[i].environment);
	}
}

static void the_shipped_file_uncommented_is_the_built_in_configuration(void **state)
{
	struct fixture *f = *state;
	struct etc_str text = shipped(f);
	char *active = malloc(text.len);
	struct etc_conf_options none = { .only_file = true };
	struct etc_settings built_in;
	uint32_t count;
	const struct etc_conf_key *keys = etc_conf_keys(&count);

	assert_non_null(active);
	assert_ok(load_bytes(f, active, uncommented(text, active)), &f->err);
	free(active);
	assert_ok(etc_conf_load(&none, &f->arena, &built_in, &f->err), &f->err);
	for (uint32_t i = 0; i < built_in.all_count; i++) {
		const struct etc_setting *b = &built_in.all[i];
		const struct etc_setting *s = etc_settings_find(&f->settings, b->section, b->key);

		assert_non_null(s);
		assert_false(s->built_in);
		assert_true(etc_str_eq(s->value, b->value));
	}
	assert_int_equal(f->settings.source_time_scale, built_in.source_time_scale);
	assert_int_equal(f->settings.target_time_scale, built_in.target_time_scale);
	assert_near(f->settings.ticks_per_second, built_in.ticks_per_second, 0);
	assert_int_equal(f->settings.has_plugins, built_in.has_plugins);
	assert_true(etc_str_eq(f->settings.plugin_path, built_in.plugin_path));
	assert_true(etc_str_eq(f->settings.color, built_in.color));
	assert_memory_equal(&f->settings.limits, &built_in.limits, sizeof built_in.limits);
	assert_int_equal(f->settings.backend_count, 1);
	assert_int_equal(f->settings.backends[0].owner.len, 0);
	assert_int_equal(f->settings.backends[0].metadata, ETC_DECODE_HEX);
	assert_int_equal(f->settings.backends[0].source_time_scale, ETC_UNIT_UNKNOWN);
	assert_near(f->settings.backends[0].ticks_per_second, 0, 0);
	assert_int_equal(f->settings.backends[0].time, ETC_RULE_TIME_AUTO);
	assert_int_equal(f->settings.backends[0].clock, ETC_RULE_CLOCK_AUTO);
	assert_int_equal(f->settings.backends[0].counter_bits, 0);
	assert_int_equal(f->settings.backends[0].rule_count, 0);
	assert_true(f->settings.plugin_section_count > 0);
	for (uint32_t i = 0; i < f->settings.plugin_section_count; i++) {
		assert_true(f->settings.plugin_sections[i].enabled);
		assert_int_equal(f->settings.plugin_sections[i].library.len, 0);
	}
	/* Every key of the file must be in the table of keys, or belong to a plugin. */
	for (uint32_t i = 0; i < f->settings.all_count; i++) {
		bool known = etc_str_starts(f->settings.all[i].section, ETC_STR("plugin."));

		for (uint32_t k = 0; k < count; k++)
			known |= etc_str_eq(f->settings.all[i].key, etc_str_of(keys[k].key)) ||
			         (strchr(keys[k].key, '*') &&
			          etc_str_starts(f->settings.all[i].key,
			                         (struct etc_str){ keys[k].key,
			                                           strcspn(keys[k].key, "*") }));
		assert_true(known);
	}
}

static void the_shipped_file_has_every_option_of_our_plugins(void **state)
{
	struct fixture *f = *state;
	struct etc_str text = shipped(f);
	char *active = malloc(text.len);
	struct etc_host_options o = { .settings = &f->settings,
		                      .ignore_environment = true,
		                      .program_folder = ETC_TEST_BUILD };
	struct etc_notes notes;
	struct etc_host host;

	assert_non_null(active);
	assert_ok(load_bytes(f, active, uncommented(text, active)), &f->err);
	free(active);
	etc_notes_init(&notes, &f->arena);
	/* The host rejects options that a plugin does not declare. */
	assert_ok(etc_host_load(&host, &o, &f->arena, &notes, &f->err), &f->err);
	assert_int_equal(host.count, f->settings.plugin_section_count); /* one section each */
	for (uint32_t i = 0; i < host.count; i++) {
		const struct etcore_plugin *abi = host.plugins[i].abi;
		struct etc_str section = etc_arena_printf(&f->arena, "plugin.%s", abi->name);

		assert_int_equal(host.plugins[i].state, ETC_PLUGIN_LOADED);
		for (uint32_t k = 0; abi->options && abi->options[k]; k++) {
			const char *built_in = abi->options[k]->default_value;
			const struct etc_setting *s = etc_settings_find(
				&f->settings, section, etc_str_of(abi->options[k]->name));

			if (!s || !etc_str_eq(s->value, etc_str_of(built_in ? built_in : "")))
				fail_msg("conf/etcore.ini: %s of [plugin.%s]",
				         abi->options[k]->name, abi->name);
		}
	}
	etc_host_release(&host);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_shipped_file_changes_nothing),
		TEST(the_shipped_file_has_every_key_with_default_unit_and_meaning),
		TEST(the_shipped_file_uncommented_is_the_built_in_configuration),
		TEST(the_shipped_file_has_every_option_of_our_plugins),
	};
#undef TEST
	return cmocka_run_group_tests_name("conf_file", tests, NULL, NULL);
}
