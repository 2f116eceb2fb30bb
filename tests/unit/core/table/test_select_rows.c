/* test_select_rows.c -- applying --where, --sort and --columns to a table. */
#include "unit.h"

#include "table/select.h"

enum { NAME, SELF, SHARE, DETACHED, COLUMNS };

static const struct etc_column columns[COLUMNS] = {
	[NAME] = { .name = "name" },
	[SELF] = { .name = "self_ns",
	           .title = "per run",
	           .alias = "a call",
	           .style = ETC_STYLE_TIME },
	[SHARE] = { .name = "share", .style = ETC_STYLE_SHARE },
	[DETACHED] = { .name = "detached" },
};

/* clang-format off */
#define ROW(text, self, part, apart)                                  \
	{ .kind = ETC_CELL_TEXT, .s = { text, sizeof(text) - 1 } },   \
	{ .kind = ETC_CELL_REAL, .f = self },                         \
	{ .kind = ETC_CELL_REAL, .f = part },                         \
	{ .kind = ETC_CELL_BOOL, .i = apart }
/* clang-format on */

static struct etc_cell cells[] = {
	ROW("conv", 3000, 0.5, 0),  ROW("add", 1000, 0.25, 0),
	ROW("10x", 20, 0.01, 1),    { .kind = ETC_CELL_TEXT, .s = { "blank", 5 } },
	{ .kind = ETC_CELL_BLANK }, { .kind = ETC_CELL_BLANK },
	{ .kind = ETC_CELL_BOOL },
};

static const struct etc_table table = {
	.columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = 4
};

/* Returns the names of the rows that --where and --sort select, each followed by '.'. */
static const char *chosen(const char *where, const char *sort, const uint32_t *block)
{
	static char names[64];
	struct etc_arena arena;
	struct etc_selection s;
	struct etc_error err = { 0 };
	uint32_t *rows, count;

	etc_arena_init(&arena, 1 << 20);
	assert_ok(etc_selection_parse(&where, where != NULL, sort, NULL, &arena, &s, &err), &err);
	assert_ok(etc_selection_rows(&s, &table, block, &arena, &rows, &count, &err), &err);
	names[0] = '\0';
	for (uint32_t i = 0; i < count; i++) {
		struct etc_str name = cells[rows[i] * COLUMNS + NAME].s;

		strncat(names, name.ptr, name.len);
		strcat(names, ".");
	}
	etc_selection_release(&s);
	etc_arena_release(&arena);
	return names;
}

static void relations_compare_numbers_in_their_units(void **state)
{
	(void)state;
	assert_string_equal(chosen("self_ns > 1000", NULL, NULL), "conv.");
	assert_string_equal(chosen("self>=1us", NULL, NULL), "conv.add.");
	assert_string_equal(chosen("self<0.02\xc2\xb5s", NULL, NULL), "");
	assert_string_equal(chosen("self<=20ns", NULL, NULL), "10x.");
	assert_string_equal(chosen("self > 0", NULL, NULL), "conv.add.10x.");
	assert_string_equal(chosen("share = 25 %", NULL, NULL), "add.");
	assert_string_equal(chosen("share != 25", NULL, NULL), "conv.10x.blank.");
}

static void relations_compare_text_as_it_is(void **state)
{
	(void)state;
	assert_string_equal(chosen("name=10x", NULL, NULL), "10x.");
	assert_string_equal(chosen("name!=conv", NULL, NULL), "add.10x.blank.");
	assert_string_equal(chosen("name~^(a|c)", NULL, NULL), "conv.add.");
	assert_string_equal(chosen("detached=yes", NULL, NULL), "10x.");
	assert_string_equal(chosen("detached!=true", NULL, NULL), "conv.add.blank.");
}

static void a_name_is_found_as_the_screen_escapes_it(void **state)
{
	const struct etc_str was = cells[NAME].s;

	(void)state;
	cells[NAME].s = ETC_STR("tab\there");
	assert_string_equal(chosen("name = tab\\there", NULL, NULL), "tab\there.");
	assert_string_equal(chosen("name = tab\there", NULL, NULL), "tab\there.");
	assert_string_equal(chosen("name = tab here", NULL, NULL), "");
	cells[NAME].s = was;
}

static void columns_and_values_are_typed_as_the_screen_shows_them(void **state)
{
	(void)state;
	assert_string_equal(chosen("per run > 1us", NULL, NULL), "conv.");
	assert_string_equal(chosen("Per Run = 0", NULL, NULL), "");
	assert_string_equal(chosen("share > 5", NULL, NULL), "conv.add.");
	assert_string_equal(chosen("share = 1.0 %", NULL, NULL), "10x.");
	assert_string_equal(chosen("share = 1.4 %", NULL, NULL), "");
	assert_string_equal(chosen("self = 0.02us", NULL, NULL), "10x.");
	assert_string_equal(chosen("self != 3.00us", NULL, NULL), "add.10x.blank.");
	assert_string_equal(chosen(NULL, "Per run:asc", NULL), "10x.add.conv.blank.");
	assert_string_equal(chosen(NULL, "per run \xc2\xb5s:asc", NULL), "10x.add.conv.blank.");
	assert_string_equal(chosen("per run us = 1.00", NULL, NULL), "add.");
	assert_string_equal(chosen("per run us > 0.9", NULL, NULL), "conv.add.");
	assert_string_equal(chosen("self ms < 1us", NULL, NULL), "10x.");
	assert_string_equal(chosen("a call us > 0.9", NULL, NULL), "conv.add.");
}

static void text_that_a_narrow_screen_cut_is_its_beginning_and_end(void **state)
{
	(void)state;
	assert_string_equal(chosen("name = co\xe2\x80\xa6", NULL, NULL), "conv.");
	assert_string_equal(chosen("name = b...", NULL, NULL), "blank.");
	assert_string_equal(chosen("name != b...", NULL, NULL), "conv.add.10x.");
	assert_string_equal(chosen("name = ...", NULL, NULL), "");
	assert_string_equal(chosen("name = c\xe2\x80\xa6nv", NULL, NULL), "conv.");
	assert_string_equal(chosen("name = co...onv", NULL, NULL), "");
	assert_string_equal(chosen("name = co...x", NULL, NULL), "");
}

/* = finds the values whose six digits on the screen are the number, and no others. */
static void six_digits_are_what_the_screen_shows(void **state)
{
	static const struct etc_column column = { .name = "x", .style = ETC_STYLE_NUMBER };
	static const struct {
		const char *where;
		double value;
		bool found;
	} cases[] = { { "x = 1", 0.9999998, true },        { "x = 1.00", 0.9999998, true },
		      { "x = 1", 0.999996, false },        { "x != 1", 0.999996, true },
		      { "x = 1", 1.000004, true },         { "x = 1", 1.000006, false },
		      { "x = -1", -0.999996, false },      { "x = 100", 99.9996, false },
		      { "x = 100", 99.99996, true },       { "x = 123456", 123456.4, true },
		      { "x = 123456", 123456.6, false },   { "x = 1e+06", 1000003, true },
		      { "x = 1e+06", 999999, false },      { "x = 0", 4e-7, false },
		      { "x = 1234567", 1234567, true },    { "x = 1234567", 1234568, false },
		      { "x = 1.23457e+06", 1234568, true } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct etc_cell cell = { .kind = ETC_CELL_REAL, .f = cases[i].value };
		const struct etc_table t = {
			.columns = &column, .column_count = 1, .cells = &cell, .row_count = 1
		};
		struct etc_arena arena;
		struct etc_selection s;
		struct etc_error err = { 0 };
		uint32_t *rows, count;

		etc_arena_init(&arena, 1 << 20);
		assert_ok(etc_selection_parse(&cases[i].where, 1, NULL, NULL, &arena, &s, &err),
		          &err);
		assert_ok(etc_selection_rows(&s, &t, NULL, &arena, &rows, &count, &err), &err);
		if (count != cases[i].found)
			fail_msg("%s: %.9g", cases[i].where, cases[i].value);
		etc_selection_release(&s);
		etc_arena_release(&arena);
	}
}

/* Programs know the column as "backend", the screen calls it "on". Both words select it, with the
 * values of either. */
static void either_word_of_a_value_is_taken(void **state)
{
	static const struct etc_column two[] = {
		{ .name = "backend", .also = 2 },
		{ .name = "on", .typed = true, .also = 1 },
	};
#define TEXT(s_)                                                   \
	{                                                          \
		.kind = ETC_CELL_TEXT, .s = { s_, sizeof(s_) - 1 } \
	}
	static struct etc_cell both[] = {
		TEXT("XnnpackBackend"), TEXT("XNNPACK"), { .kind = ETC_CELL_BLANK }, TEXT("CPU")
	};
	static const struct etc_table t = {
		.columns = two, .column_count = 2, .cells = both, .row_count = 2
	};
	static const struct {
		const char *where;
		uint32_t count, first;
	} cases[] = {
		{ "on = XNNPACK", 1, 0 },  { "on=XnnpackBackend", 1, 0 },
		{ "backend=CPU", 1, 1 },   { "backend!=XNNPACK", 1, 1 },
		{ "on ~ Backend$", 1, 0 }, { "on != CPU", 1, 0 },
		{ "backend = ", 1, 1 },    { "on = ", 0, 0 },
	};
	struct etc_arena arena;
	struct etc_error err = { 0 };

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct etc_selection s;
		struct etc_table out;
		uint32_t *rows, count;

		assert_ok(etc_selection_parse(&cases[i].where, 1, NULL, NULL, &arena, &s, &err),
		          &err);
		assert_ok(etc_selection_rows(&s, &t, NULL, &arena, &rows, &count, &err), &err);
		assert_int_equal(count, cases[i].count);
		assert_true(count == 0 || rows[0] == cases[i].first);
		assert_ok(etc_selection_table(&s, &t, rows, count, &arena, &out, &err), &err);
		/* rows can be selected by the column "on", but the result does not have it */
		assert_int_equal(out.column_count, 1);
		etc_selection_release(&s);
	}
	etc_arena_release(&arena);
}

static void a_pattern_that_may_take_long_is_refused(void **state)
{
	static const struct {
		const char *pattern;
		bool good;
	} patterns[] = {
		{ "name~((((a{255}){255}){255}){255})", false },
		{ "name~(a{200}b{200}){200}", false },
		{ "name~a+++++++++++++++++++++++++++++++++", false },
		{ "name~c+++?+++++", false },
		{ "name~.*?{0,16}+.", false },
		{ "name~(([ab]*)*((.?){1,3})){0,17}", false },
		{ "name~x(a{1,13}.?((x||){2,14}[ab]{0,4}?)+)", false },
		{ "name~(conv)_\\1", false },
		{ "name~.*?conv.+?_[0-9]{1,3}?$", true },
		{ "name~(layers[.][0-9]+[.])*(q|k|v)_proj", true },
		{ "name~[]\\1*+]", true },
		{ "name~([a-z]{1,3}|[]{3}]{2}|\\{)*", true },
		{ "name~(conv|add){2,100}[[:alpha:]]{1,60}", true },
		{ "name~^(a+b+)+c+[^]}]+\\(x\\){3}$", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		struct etc_selection s;
		struct etc_error err = { 0 };
		struct etc_arena arena;

		etc_arena_init(&arena, 1 << 20);
		if (patterns[i].good)
			assert_ok(etc_selection_parse(&patterns[i].pattern, 1, NULL, NULL, &arena,
			                              &s, &err),
			          &err);
		else
			assert_fails(etc_selection_parse(&patterns[i].pattern, 1, NULL, NULL,
			                                 &arena, &s, &err),
			             &err, E0552);
		etc_selection_release(&s);
		etc_arena_release(&arena);
	}
}

static void unknown_is_equal_to_the_empty_text_and_to_no_other(void **state)
{
	(void)state;
	assert_string_equal(chosen("self<1s", NULL, NULL), "conv.add.10x.");
	assert_string_equal(chosen("self_ns!=5", NULL, NULL), "conv.add.10x.blank.");
	assert_string_equal(chosen("self=", NULL, NULL), "blank.");
	assert_string_equal(chosen("self!=", NULL, NULL), "conv.add.10x.");
}

static void sorting_keeps_blocks_together_and_unknown_last(void **state)
{
	static const uint32_t block[] = { 0, 0, 1, 1 };

	(void)state;
	assert_string_equal(chosen(NULL, "self", NULL), "conv.add.10x.blank.");
	assert_string_equal(chosen(NULL, "self:asc", NULL), "10x.add.conv.blank.");
	assert_string_equal(chosen(NULL, "name", NULL), "10x.add.blank.conv.");
	assert_string_equal(chosen(NULL, "name:desc", NULL), "conv.blank.add.10x.");
	assert_string_equal(chosen(NULL, "self:asc", block), "add.conv.10x.blank.");
}

static void what_cannot_be_meant_is_an_error(void **state)
{
	static const struct {
		const char *where;
		enum etc_code code;
	} bad[] = { { "fast", E0507 },        { "=5", E0507 },         { "self>slow", E0507 },
		    { "share>3us", E0507 },   { "name~(", E0552 },     { "slef>3", E0506 },
		    { "colour=5", E0506 },    { "share us=5", E0506 }, { "us=5", E0506 },
		    { "detached>5%", E0507 }, { "share>0.5", E0550 },  { "per run>3", E0507 },
		    { "self>3", E0507 },      { "self!=3", E0507 } };
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct etc_selection s;
		struct etc_error err = { 0 };
		uint32_t *rows, count;
		enum etc_status st =
			etc_selection_parse(&bad[i].where, 1, NULL, NULL, &arena, &s, &err);

		if (st == ETC_OK)
			st = etc_selection_rows(&s, &table, NULL, &arena, &rows, &count, &err);
		assert_fails(st, &err, bad[i].code);
		etc_selection_release(&s);
	}
	etc_arena_release(&arena);
}

static void a_table_may_be_replaced_by_its_own_selection(void **state)
{
	struct etc_table t = table;
	struct etc_arena arena;
	struct etc_selection s;
	struct etc_error err = { 0 };
	uint32_t rows[] = { 3, 0 };

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	assert_ok(etc_selection_parse(NULL, 0, NULL, "share, self ,name", &arena, &s, &err), &err);
	assert_ok(etc_selection_table(&s, &t, rows, 2, &arena, &t, &err), &err);
	assert_int_equal(t.column_count, 3);
	assert_string_equal(t.columns[1].name, "self_ns");
	assert_int_equal(t.cells[0].kind, ETC_CELL_BLANK);
	assert_str(t.cells[2].s, "blank");
	assert_near(t.cells[4].f, 3000, 0);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relations_compare_numbers_in_their_units),
		cmocka_unit_test(relations_compare_text_as_it_is),
		cmocka_unit_test(a_name_is_found_as_the_screen_escapes_it),
		cmocka_unit_test(columns_and_values_are_typed_as_the_screen_shows_them),
		cmocka_unit_test(text_that_a_narrow_screen_cut_is_its_beginning_and_end),
		cmocka_unit_test(six_digits_are_what_the_screen_shows),
		cmocka_unit_test(either_word_of_a_value_is_taken),
		cmocka_unit_test(a_pattern_that_may_take_long_is_refused),
		cmocka_unit_test(unknown_is_equal_to_the_empty_text_and_to_no_other),
		cmocka_unit_test(sorting_keeps_blocks_together_and_unknown_last),
		cmocka_unit_test(what_cannot_be_meant_is_an_error),
		cmocka_unit_test(a_table_may_be_replaced_by_its_own_selection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
