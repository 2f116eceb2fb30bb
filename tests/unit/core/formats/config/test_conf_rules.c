/* The rules in sections [backend.ID]: what their values mean, and which values are rejected. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "conf_fixture.h"

static const struct etc_rule *rule(const struct fixture *f, const char *key)
{
	const struct etc_backend_settings *b = &f->settings.backends[0];

	for (uint32_t i = 0; i < b->rule_count; i++)
		if (etc_str_eq(b->rules[i].key, etc_str_of(key)))
			return &b->rules[i];
	fail_msg("no rule %s", key);
	return NULL;
}

static void reads_sources_of_every_form(void **state)
{
	struct fixture *f = *state;
	const struct etc_rule *r;

	assert_ok(load(f, "[backend.A]\n"
	                  "column.whole = metadata : i64\n"
	                  "column.cost = /estimatedCost : f64 : ms\n"
	                  "column.deep = metadata /a~1b/0/x:y ~ \"^(a):(b)$\" : 2 : str : set\n"
	                  "column.id = name:i64:count:sum\n"
	                  "column.json = name /operator : json\n"
	                  "column.cycles = u64le@8 : cycles : sum\n"
	                  "column.share = f32be@1073741823\n"
	                  "column.code = u8@0 : str\n"
	                  "display = name ~ \"say \"x\" (.*)\" : \"<\\1>\"\n"
	                  "kernel = /kernel | metadata ~ \"^0$\" : \"none\" | name ~ \"a|b\"\n"),
	          &f->err);
	r = rule(f, "column.whole");
	assert_false(r->source.of_name || r->source.has_pointer || r->source.pattern.len);
	assert_int_equal(r->type, 2);
	r = rule(f, "column.cost");
	assert_str(r->word, "cost");
	assert_str(r->source.pointer, "/estimatedCost");
	assert_int_equal(r->type, 3);
	assert_str(r->unit, "ms");
	assert_int_equal(r->rollup, 0);
	r = rule(f, "column.deep");
	assert_str(r->source.pointer, "/a~1b/0/x:y");
	assert_str(r->source.pattern, "^(a):(b)$");
	assert_int_equal(r->source.group, 2);
	assert_int_equal(r->type, 1);
	assert_int_equal(r->rollup, 3);
	r = rule(f, "column.id");
	assert_true(r->source.of_name);
	assert_str(r->unit, "count");
	assert_int_equal(r->rollup, 2);
	r = rule(f, "column.json");
	assert_true(r->source.of_name && r->source.has_pointer);
	assert_int_equal(r->type, 5);
	r = rule(f, "column.cycles");
	assert_int_equal(r->source.form, ETC_DECODE_U64LE);
	assert_int_equal(r->source.offset, 8);
	assert_int_equal(r->type, 2);
	assert_str(r->unit, "cycles");
	assert_int_equal(r->rollup, 2);
	r = rule(f, "column.share");
	assert_int_equal(r->source.offset, 1073741823);
	assert_int_equal(r->type, 3);
	assert_int_equal(rule(f, "column.code")->type, 1);
	r = rule(f, "display");
	assert_str(r->source.pattern, "say \"x\" (.*)");
	assert_str(r->source.made, "<\\1>");
	r = rule(f, "kernel");
	assert_str(r->source.pointer, "/kernel");
	assert_str(r->source.next->made, "none");
	assert_str(r->source.next->next->pattern, "a|b");
	assert_null(r->source.next->next->next);
}

static void a_bare_expression_is_of_the_name(void **state)
{
	struct fixture *f = *state;
	const struct etc_rule *r;

	assert_ok(load(f, "[backend.A]\n"
	                  "category.data_movement = ^(copy|cat)\n"
	                  "unit.us = /(us)$\n"
	                  "probe = \"^acme_\"\n"
	                  "kind.invalid = metadata ~ \"^0$\"\n"
	                  "kind.phase = /phase ~ \".\"\n"
	                  "level.3 = name\n"),
	          &f->err);
	r = rule(f, "category.data_movement");
	assert_str(r->word, "data movement");
	assert_true(r->source.of_name);
	assert_int_equal(r->source.group, 1);
	r = rule(f, "unit.us");
	assert_true(r->source.of_name && !r->source.has_pointer);
	assert_int_equal(r->value, ETC_UNIT_US);
	assert_str(rule(f, "probe")->source.pattern, "^acme_");
	r = rule(f, "kind.invalid");
	assert_false(r->source.of_name);
	assert_str(r->source.pattern, "^0$");
	assert_true(rule(f, "kind.phase")->source.has_pointer);
	assert_int_equal(rule(f, "level.3")->value, 3);
}

static void rules_stay_in_the_order_of_the_file(void **state)
{
	struct fixture *f = *state;
	const char *const set[] = { "backend.A.b.category.pooling=x", "backend.A.b.unit.ns=y" };
	struct etc_conf_options o = {
		.file = f->path, .only_file = true, .set = set, .set_count = 2
	};
	const struct etc_backend_settings *b;

	assert_ok(load(f, "[backend.A.b]\nunit.s = a\ncategory.gemm = b\ncolumn.c = name : str\n"
	                  "category.convert =\n"),
	          &f->err);
	b = f->settings.backends;
	assert_int_equal(b->rule_count, 3);
	assert_str(b->rules[0].key, "unit.s");
	assert_str(b->rules[1].key, "category.gemm");
	assert_str(b->rules[2].key, "column.c");
	/* the rules of the section with the higher precedence come first */
	assert_ok(etc_conf_load(&o, &f->arena, &f->settings, &f->err), &f->err);
	b = f->settings.backends;
	assert_str(b->id, "A.b");
	assert_int_equal(b->rule_count, 5);
	assert_str(b->rules[0].key, "category.pooling");
	assert_str(b->rules[1].key, "unit.ns");
	assert_str(b->rules[2].key, "unit.s");
}

static void names_every_mistake_with_its_line(void **state)
{
	static const struct {
		const char *line;
		enum etc_code code;
		const char *says;
	} bad[] = {
		{ "column.a = estimatedCost : f64", E0525, "/POINTER" },
		{ "column.a = metdata : f64", E0525, "did you mean 'metadata'?" },
		{ "column.a = : f64", E0525, "/POINTER" },
		{ "column.a = /a~2b : f64", E0525, "after '~'" },
		{ "column.a = /a~ : f64", E0525, "after '~'" },
		{ "column.a = name or so : str", E0525, "'or so : str' behind" },
		{ "column.a = u12le@4 : i64", E0525, "'u12le' before '@'" },
		{ "column.a = text@4 : str", E0525, "'text' before '@'" },
		{ "column.a = u8@ : i64", E0525, "'' behind '@'" },
		{ "column.a = u8@-1", E0525, "'-1' behind '@'" },
		{ "column.a = u8@1073741824", E0525, "from 0 to 1073741823" },
		{ "column.a = u8@0 /x : i64", E0525, "'/x : i64' behind" },
		{ "column.a = u8@0 : cycels", E0527, "did you mean" },
		{ "column.a = u8@0 ~ \"1\"", E0527, "no type" },
		{ "display = /a | nam", E0525, "did you mean 'name'?" },
		{ "display = /a |", E0525, "/POINTER" },
		{ "display = name : str", E0525, "': str' behind" },
		{ "display = name ~ \"x\" : \"\"", E0525, "empty text" },
		{ "column.a = name ~ \"(x\" : str", E0526, "(x" },
		{ "column.a = name ~ \"(?<op>x)\" : str", E0526, "?<op>" },
		{ "column.a = name ~ x : str", E0526, "quotes" },
		{ "column.a = name ~ \"x : str", E0526, "quotes" },
		{ "column.a = name ~ \"\" : str", E0526, "empty" },
		{ "column.a = name ~ \"(x)\" : 2 : str", E0526,
		  "group 2 of an expression that has 1" },
		{ "display = name ~ \"x\" : \"\\1\"", E0526,
		  "group 1 of an expression that has 0" },
		{ "category.gemm = (", E0526, "(" },
		{ "column.a = name", E0527, "no type" },
		{ "column.a = name : string", E0527, "expected str, i64, f64, bool, json" },
		{ "column.a = name : int64", E0527, "did you mean 'i64'?" },
		{ "column.a = name : str : mss", E0527, "did you mean 'ms'?" },
		{ "column.a = name : str : hours", E0527, "unit or roll-up 'hours'" },
		{ "column.a = name : i64 : avg", E0527, "count, none, first, sum, set, mean" },
		{ "column.a = name : i64 : time_men", E0527, "did you mean 'time_mean'?" },
		{ "column.a = name : str : ms : summ", E0527, "did you mean 'sum'?" },
		{ "column.a = name : str : sum : ms", E0527, "roll-up 'ms'; expected" },
		{ "column.a = name : str : sum : sum", E0527, "roll-up 'sum' a second time" },
		{ "column.9 = name : str", E0527, "'9'" },
		{ "column.a-b = name : str", E0527, "'a-b'" },
		{ "category.convolutoin = x", E0512, "did you mean 'convolution'?" },
		{ "unit.hours = x", E0512, "expected ns, us, ms, s, cycles" },
		{ "kind.phases = x", E0512, "did you mean 'phase'?" },
		{ "level.0 = x", E0512, "level '0'" },
		{ "colum.cost = name : str", E0512, "did you mean 'column.cost'?" },
		{ "column. = name : str", E0512, "column." },
		{ "column.a = name : str\ncolumn.a = name : str", E0514, "column.a" },
		{ "counter_bits = 64", E0515, "0 to 63" },
		{ "time = values", E0515, "interval|value" },
		{ "clock = both", E0515, "device|host" },
		{ "metadata = u16", E0515, "le or be" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char ini[300];
		uint32_t line = bad[i].code == E0514 ? 3 : 2;

		snprintf(ini, sizeof ini, "[backend.A]\n%s\n", bad[i].line);
		if (load(f, ini) == ETC_OK)
			fail_msg("'%s' is taken", bad[i].line);
		if (f->err.code != bad[i].code || f->err.line != line ||
		    !strstr(f->err.text, bad[i].says) || strcmp(f->err.file, f->path) != 0)
			fail_msg("%s: E%04d line %u, '%s'", bad[i].line, (int)f->err.code,
			         (unsigned)f->err.line, f->err.text);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(reads_sources_of_every_form),
		TEST(a_bare_expression_is_of_the_name),
		TEST(rules_stay_in_the_order_of_the_file),
		TEST(names_every_mistake_with_its_line),
	};
#undef TEST
	return cmocka_run_group_tests_name("conf_rules", tests, NULL, NULL);
}
