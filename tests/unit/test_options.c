/* test_options.c -- command lines into structs. */
#include "unit.h"

#include "cli/options.h"

struct args {
	struct etc_opt_list operands, plugins;
	const char *config, *scale, *choice_2;
	bool flag;
	uint8_t verbose;
};

static const struct etc_opt options[] = {
	{ 'c', "config", ETC_OPT_TEXT, offsetof(struct args, config), "INI", NULL, "" },
	{ 0, "source_time_scale", ETC_OPT_CHOICE, offsetof(struct args, scale), "S", "ns|us|cycles",
	  "" },
	{ 0, "source", ETC_OPT_CHOICE, offsetof(struct args, choice_2), "S", "a|b", "" },
	{ 'p', "plugin", ETC_OPT_LIST, offsetof(struct args, plugins), "NAME", NULL, "" },
	{ 'f', "include-flag", ETC_OPT_FLAG, offsetof(struct args, flag), NULL, NULL, "" },
	{ 'v', "verbose", ETC_OPT_COUNT, offsetof(struct args, verbose), NULL, NULL, "" },
};

static const struct etc_command command = {
	.name = "test",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.operands = offsetof(struct args, operands),
};

enum { WORDS = 12 };

/* Parses the words of `line`, which are separated by single blanks. */
static enum etc_status parse(const char *line, struct args *a, bool *help, struct etc_error *err)
{
	static char text[256];
	char *argv[WORDS + 1] = { "test" };
	int argc = 1;

	snprintf(text, sizeof text, "%s", line);
	for (char *w = strtok(text, " "); w && argc < WORDS; w = strtok(NULL, " "))
		argv[argc++] = w;
	memset(a, 0, sizeof *a);
	memset(err, 0, sizeof *err);
	return etc_opt_parse(&command, argc, argv, a, help, err);
}

static void every_form_of_an_option(void **state)
{
	static const char *const forms[] = {
		"-c x",     "-cx",   "--config x", "--config=x",
		"--conf x", "-fc x", "-vfcx",      "--config y --config x",
	};
	struct etc_error err;
	struct args a;
	bool help;

	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		assert_ok(parse(forms[i], &a, &help, &err), &err);
		assert_false(help);
		assert_string_equal(a.config, "x");
		assert_int_equal(a.operands.count, 0);
		etc_opt_release(&command, &a);
	}
}

static void dash_and_underscore_are_the_same(void **state)
{
	struct etc_error err;
	struct args a;
	bool help;

	(void)state;
	assert_ok(parse("--source-time-scale us --include_flag", &a, &help, &err), &err);
	assert_string_equal(a.scale, "us");
	assert_true(a.flag);
	etc_opt_release(&command, &a);
}

static void a_full_name_wins_over_a_longer_one(void **state)
{
	struct etc_error err;
	struct args a;
	bool help;

	(void)state;
	assert_ok(parse("--source a", &a, &help, &err), &err);
	assert_string_equal(a.choice_2, "a");
	assert_null(a.scale);
	etc_opt_release(&command, &a);
	assert_ok(parse("--source-t us", &a, &help, &err), &err);
	assert_string_equal(a.scale, "us");
	etc_opt_release(&command, &a);
	assert_fails(parse("--sour a", &a, &help, &err), &err, E0502);
	assert_non_null(strstr(err.text, "--source_time_scale"));
	etc_opt_release(&command, &a);
}

static void lists_keep_their_order_and_counts_count(void **state)
{
	struct etc_error err;
	struct args a;
	bool help;

	(void)state;
	assert_ok(parse("one -p a -v two --plugin=b -vv - -- -x --plugin", &a, &help, &err), &err);
	assert_int_equal(a.plugins.count, 2);
	assert_string_equal(a.plugins.v[0], "a");
	assert_string_equal(a.plugins.v[1], "b");
	assert_int_equal(a.verbose, 3);
	assert_int_equal(a.operands.count, 5);
	assert_string_equal(a.operands.v[1], "two");
	assert_string_equal(a.operands.v[2], "-");
	assert_string_equal(a.operands.v[3], "-x");
	assert_string_equal(a.operands.v[4], "--plugin");
	etc_opt_release(&command, &a);
}

static void an_option_may_take_what_looks_like_one(void **state)
{
	struct etc_error err;
	struct args a;
	bool help;

	(void)state;
	assert_ok(parse("--config --plugin", &a, &help, &err), &err);
	assert_string_equal(a.config, "--plugin");
	etc_opt_release(&command, &a);
	assert_ok(parse("--config=", &a, &help, &err), &err);
	assert_string_equal(a.config, "");
	etc_opt_release(&command, &a);
}

static void mistakes_have_codes(void **state)
{
	static const struct {
		const char *line;
		enum etc_code code;
		const char *says;
	} rows[] = {
		{ "--confog x", E0502, "did you mean --config" },
		{ "--zzzzzzzzz", E0502, "--zzzzzzzzz" },
		{ "-z", E0502, "-z" },
		{ "-fz", E0502, "-z" },
		{ "--config", E0503, "--config INI" },
		{ "-c", E0503, "-c INI" },
		{ "-fc", E0503, "-c INI" },
		{ "--source c", E0505, "a|b" },
		{ "--source_time_scale n", E0505, "ns|us|cycles" },
		{ "--source_time_scale ns|us", E0505, "ns|us|cycles" },
		{ "--source_time_scale=", E0505, "ns|us|cycles" },
		{ "--include-flag=yes", E0505, "takes no argument" },
	};
	struct etc_error err;
	struct args a;
	bool help;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_fails(parse(rows[i].line, &a, &help, &err), &err, rows[i].code);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: '%s' does not say '%s'", rows[i].line, err.text,
			         rows[i].says);
		etc_opt_release(&command, &a);
	}
}

static void help_wins_over_mistakes_but_not_over_the_end_of_options(void **state)
{
	struct etc_error err;
	struct args a;
	bool help;

	(void)state;
	assert_ok(parse("--zzz --help", &a, &help, &err), &err);
	assert_true(help);
	etc_opt_release(&command, &a);
	assert_ok(parse("-h", &a, &help, &err), &err);
	assert_true(help);
	etc_opt_release(&command, &a);
	assert_ok(parse("-- --help", &a, &help, &err), &err);
	assert_false(help);
	assert_int_equal(a.operands.count, 1);
	etc_opt_release(&command, &a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_an_option),
		cmocka_unit_test(dash_and_underscore_are_the_same),
		cmocka_unit_test(a_full_name_wins_over_a_longer_one),
		cmocka_unit_test(lists_keep_their_order_and_counts_count),
		cmocka_unit_test(an_option_may_take_what_looks_like_one),
		cmocka_unit_test(mistakes_have_codes),
		cmocka_unit_test(help_wins_over_mistakes_but_not_over_the_end_of_options),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
