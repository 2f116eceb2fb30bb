/* test_words.c -- parsing command lines to options and operands. */
#include "unit.h"

#include "cli/command.h"

static const struct etc_command command = {
	.name = "test",
	.options = {
		{ .letter = 'c', .name = "config", .kind = ETCORE_OPTION_TEXT, .argument = "INI" },
		{ .name = "source_time_scale", .kind = ETCORE_OPTION_CHOICE, .argument = "S" },
		{ .name = "source_time_unit", .kind = ETCORE_OPTION_CHOICE, .argument = "S" },
		{ .name = "source", .kind = ETCORE_OPTION_CHOICE, .argument = "S" },
		{ .letter = 'p', .name = "plugin", .kind = ETCORE_OPTION_LIST, .argument = "NAME" },
		{ .letter = 'f', .name = "include-flag", .kind = ETCORE_OPTION_FLAG },
		{ .letter = 'v', .name = "verbose", .kind = ETCORE_OPTION_COUNT },
		{ .name = "graph", .kind = ETCORE_OPTION_OPTIONAL, .argument = "[NAME]" },
	},
	.option_count = 8,
};

enum { WORDS = 12 };

/* The parsed words in their order, each followed by a blank: "config=x" for an option with a value,
 * "verbose" for an option without one, "=x" for an operand. */
struct taken {
	char text[256];
	bool help;
};

static enum etc_status take(void *arg, const char *option, const char *value, struct etc_error *err)
{
	struct taken *t = arg;
	size_t n = strlen(t->text);

	(void)err;
	snprintf(t->text + n, sizeof t->text - n, "%s%s%s ", option ? option : "", value ? "=" : "",
	         value ? value : "");
	return ETC_OK;
}

/* Parses the words of `line`, which are separated by single blanks. */
static enum etc_status parse(const char *line, struct taken *t, struct etc_error *err)
{
	const struct etc_taker taker = { take, t };
	static char text[256];
	char *argv[WORDS + 1] = { "test" };
	int argc = 1;

	snprintf(text, sizeof text, "%s", line);
	for (char *w = strtok(text, " "); w && argc < WORDS; w = strtok(NULL, " "))
		argv[argc++] = w;
	memset(t, 0, sizeof *t);
	memset(err, 0, sizeof *err);
	return etc_words_parse(&command, argc, argv, &taker, &t->help, err);
}

static void expect(const char *line, const char *taken)
{
	struct etc_error err;
	struct taken t;

	assert_ok(parse(line, &t, &err), &err);
	assert_false(t.help);
	assert_string_equal(t.text, taken);
}

static void every_form_of_an_option(void **state)
{
	(void)state;
	expect("-c x", "config=x ");
	expect("-cx", "config=x ");
	expect("--config x", "config=x ");
	expect("--config=x", "config=x ");
	expect("--conf x", "config=x ");
	expect("-fc x", "include-flag config=x ");
	expect("-vfcx", "verbose include-flag config=x ");
	expect("--config y --config x", "config=y config=x ");
}

static void dash_and_underscore_are_the_same(void **state)
{
	(void)state;
	expect("--source-time-scale us --include_flag", "source_time_scale=us include-flag ");
}

static void a_full_name_wins_over_a_longer_one(void **state)
{
	struct etc_error err;
	struct taken t;

	(void)state;
	expect("--source a", "source=a ");
	expect("--source-time-s us", "source_time_scale=us ");
	assert_fails(parse("--sour a", &t, &err), &err, E0502);
	assert_non_null(strstr(err.text, "--source_time_scale"));
}

static void words_keep_their_order(void **state)
{
	(void)state;
	expect("one -p a -v two --plugin=b -vv - -- -x --plugin",
	       "=one plugin=a verbose =two plugin=b verbose verbose =- =-x =--plugin ");
}

static void an_option_may_take_what_looks_like_one(void **state)
{
	(void)state;
	expect("--config --plugin", "config=--plugin ");
	expect("--config=", "config= ");
}

static void an_optional_argument_does_not_begin_with_a_dash(void **state)
{
	(void)state;
	expect("--graph", "graph= ");
	expect("--graph -f", "graph= include-flag ");
	expect("--graph x", "graph=x ");
	expect("--graph=-x", "graph=-x ");
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
		{ "-config x", E0502, "-config; did you mean --config" },
		{ "--CONFIG x", E0502, "did you mean --config" },
		{ "-z", E0502, "-z" },
		{ "-fz", E0502, "-z" },
		{ "--config", E0503, "--config INI" },
		{ "-c", E0503, "-c INI" },
		{ "-fc", E0503, "-c INI" },
		{ "--include-flag=yes", E0505, "takes no argument" },
	};
	struct etc_error err;
	struct taken t;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_fails(parse(rows[i].line, &t, &err), &err, rows[i].code);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: '%s' does not say '%s'", rows[i].line, err.text,
			         rows[i].says);
	}
}

static void help_wins_over_mistakes_but_not_over_the_end_of_options(void **state)
{
	struct etc_error err;
	struct taken t;

	(void)state;
	assert_ok(parse("--zzz --help", &t, &err), &err);
	assert_true(t.help);
	assert_ok(parse("-h", &t, &err), &err);
	assert_true(t.help);
	expect("-- --help", "=--help ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_an_option),
		cmocka_unit_test(dash_and_underscore_are_the_same),
		cmocka_unit_test(a_full_name_wins_over_a_longer_one),
		cmocka_unit_test(words_keep_their_order),
		cmocka_unit_test(an_option_may_take_what_looks_like_one),
		cmocka_unit_test(an_optional_argument_does_not_begin_with_a_dash),
		cmocka_unit_test(mistakes_have_codes),
		cmocka_unit_test(help_wins_over_mistakes_but_not_over_the_end_of_options),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
