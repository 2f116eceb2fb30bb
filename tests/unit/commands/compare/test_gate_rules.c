/* test_gate_rules.c -- rules of `etcore check` in INI files. */
#define _DEFAULT_SOURCE /* mkdtemp, setenv */
#include "conf_fixture.h"

#include "model/profile.h"
#include "commands/compare/gate_rules.h"

static const struct etc_gate_rule usual = { .stat = ETC_STAT_TYPICAL, .limit = 0.05 };

static enum etc_status read_rules(struct fixture *f, const char *text, struct etc_gate_rules *out)
{
	write_bytes(f->path, text, strlen(text));
	*out = (struct etc_gate_rules){ 0 };
	return etc_gate_rules_read(f->path, &usual, &f->arena, out, &f->err);
}

static void a_rule_has_what_it_says_and_else_the_usual(void **state)
{
	struct fixture *f = *state;
	struct etc_gate_rules rules;

	assert_ok(
		read_rules(f,
	                   "; all of it\n[rule big GEMMs]\ncategory = GEMM ; why\nmethod=forward\n"
	                   "op = Fully Connected (NC, F32) GEMM\nmetric = median\n"
	                   "max_regression = 2.5 %\n\n[rule b]\nmax_regression: 50\n[rule c]\n",
	                   &rules),
		&f->err);
	assert_int_equal(rules.count, 3);
	assert_str(rules.v[0].name, "big GEMMs");
	assert_str(rules.v[0].category, "GEMM");
	assert_str(rules.v[0].method, "forward");
	assert_str(rules.v[0].op, "Fully Connected (NC, F32) GEMM");
	assert_int_equal(rules.v[0].stat, ETC_STAT_MEDIAN);
	assert_near(rules.v[0].limit, 0.025, 1e-15);
	assert_int_equal(rules.v[1].stat, ETC_STAT_TYPICAL);
	assert_near(rules.v[1].limit, 0.5, 0);
	assert_int_equal(rules.v[1].op.len, 0);
	assert_near(rules.v[2].limit, 0.05, 0);
}

static void a_mistake_has_its_line_and_the_nearest_key(void **state)
{
	struct fixture *f = *state;
	struct etc_gate_rules rules;

	assert_fails(read_rules(f, "[rule a]\nop = x\n\nmax_regresion = 1%\n", &rules), &f->err,
	             E0181);
	assert_int_equal(f->err.line, 4);
	assert_non_null(strstr(f->err.text, "did you mean 'max_regression'?"));
	assert_string_equal(f->err.file, f->path);
}

static void what_is_no_rule_is_refused(void **state)
{
	static const struct {
		const char *text;
		enum etc_code code;
	} bad[] = {
		{ "op = x\n", E0182 },
		{ "[rules a]\n", E0182 },
		{ "[rule]\nop = x\n", E0182 },
		{ "[rule a]\n[rule a]\n", E0514 },
		{ "[rule a]\nop = x\nop = x\n", E0514 },
		{ "[rule a]\nop =\n", E0183 },
		{ "[rule a]\nmetric = total\n", E0183 },
		{ "[rule a]\nmax_regression = -1%\n", E0183 },
		{ "[rule a]\nmax_regression = nan\n", E0183 },
		{ "[rule a]\nmax_regression = 0.05\n", E0550 },
		{ "[rule a]\nmax_regression = 1001%\n", E0183 },
		{ "[rule a]\nop = x\n y\n", E0519 },
		{ "[rule a]\nop\n", E0510 },
		{ "[rule a\nop = x\n", E0510 },
		{ "[rule a]\nop = \xff\n", E0517 },
	};
	struct fixture *f = *state;
	struct etc_gate_rules rules;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_fails(read_rules(f, bad[i].text, &rules), &f->err, bad[i].code);
}

static void there_is_a_bound_on_rules(void **state)
{
	struct fixture *f = *state;
	char text[ETC_GATE_RULES_MAX * 16 + 32];
	struct etc_gate_rules rules;
	int n = 0;

	for (int i = 0; i < ETC_GATE_RULES_MAX; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "[rule %d]\n", i);
	assert_ok(read_rules(f, text, &rules), &f->err);
	assert_int_equal(rules.count, ETC_GATE_RULES_MAX);
	snprintf(text + n, sizeof text - (size_t)n, "[rule last]\n");
	assert_fails(read_rules(f, text, &rules), &f->err, E0520);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_rule_has_what_it_says_and_else_the_usual, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_mistake_has_its_line_and_the_nearest_key, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(what_is_no_rule_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(there_is_a_bound_on_rules, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
