/* test_formats.c -- machine-readable formats: every text and number must be read back unchanged. */
#include "unit.h"

#include <math.h>

#include "commands/numeric/export.h"
#include "table/formats.h"

/* clang-format off */
#define TEXT(t) { .kind = ETC_CELL_TEXT, .s = { (t), sizeof(t) - 1 } }
#define INT(v)  { .kind = ETC_CELL_INT, .i = (v) }
#define UINT(v) { .kind = ETC_CELL_UINT, .u = (v) }
#define REAL(v) { .kind = ETC_CELL_REAL, .f = (v) }
#define BOOL(v) { .kind = ETC_CELL_BOOL, .i = (v) }
#define BLANK   { .kind = ETC_CELL_BLANK }

static const struct etc_column columns[] = {
	{ .name = "name" },
	{ .name = "a \"b\",\tc" },
	{ .name = "more", .extra = true },
};

static struct etc_cell cells[][3] = {
	{ TEXT("plain name"),        INT(INT64_MIN),   BLANK },
	{ TEXT("Add (NC, F32) #1"),  UINT(UINT64_MAX), BOOL(1) },
	{ TEXT("say \"hi\""),        REAL(0.1),        BOOL(0) },
	{ TEXT("two\nlines\rthree"), REAL(-0.0),       TEXT("") },
	{ TEXT("a\ttab\\slash"),     REAL(1e300),      BLANK },
	{ TEXT("\x01\x7f\xc3\xbc\xff"), BLANK,         TEXT("x,y") },
	{ TEXT(""),                  REAL(14.5),       REAL(NAN) },
};
/* clang-format on */
static const struct etc_report report = {
	.rows = { .columns = columns, .column_count = 3, .cells = cells[0], .row_count = 7 },
	.all_rows = { .columns = columns, .column_count = 3, .cells = cells[0], .row_count = 7 },
	.stat = "typical",
	.by = "op",
};

static void expect(const char *format, const char *want)
{
	const struct etc_format *f = etc_format_find(etc_table_formats, etc_str_of(format));
	struct etc_screen screen = { 0 };
	struct etc_text out = { 0 };

	assert_non_null(f);
	f->tables(&report, &screen, &out);
	assert_false(out.failed);
	assert_str(etc_text_str(&out), want);
	etc_text_release(&out);
}

static void csv_quotes_what_would_end_a_field(void **state)
{
	(void)state;
	expect("csv", "name,\"a \"\"b\"\",\tc\",more\n"
	              "plain name,-9223372036854775808,\n"
	              "\"Add (NC, F32) #1\",18446744073709551615,true\n"
	              "\"say \"\"hi\"\"\",0.1,false\n"
	              "\"two\nlines\rthree\",-0.0,\n"
	              "a\ttab\\slash,1e+300,\n"
	              "\x01\x7f\xc3\xbc\xff,,\"x,y\"\n"
	              ",14.5,nan\n");
}

static void tsv_does_the_same_with_tabs(void **state)
{
	(void)state;
	expect("tsv", "name\t\"a \"\"b\"\",\tc\"\tmore\n"
	              "plain name\t-9223372036854775808\t\n"
	              "Add (NC, F32) #1\t18446744073709551615\ttrue\n"
	              "\"say \"\"hi\"\"\"\t0.1\tfalse\n"
	              "\"two\nlines\rthree\"\t-0.0\t\n"
	              "\"a\ttab\\slash\"\t1e+300\t\n"
	              "\x01\x7f\xc3\xbc\xff\t\tx,y\n"
	              "\t14.5\tnan\n");
}

static void json_escapes_and_has_null_for_what_is_no_number(void **state)
{
	(void)state;
	expect("json",
	       "{\"schema\": \"etcore.analyze/1\", \"stat\": \"typical\", \"by\": \"op\",\n"
	       " \"files\": [],\n"
	       " \"methods\": [],\n"
	       " \"rows\": [\n"
	       "  {\"name\": \"plain name\", \"a \\\"b\\\",\\tc\": -9223372036854775808, "
	       "\"columns\": {}},\n"
	       "  {\"name\": \"Add (NC, F32) #1\", \"a \\\"b\\\",\\tc\": 18446744073709551615, "
	       "\"columns\": {\"more\": true}},\n"
	       "  {\"name\": \"say \\\"hi\\\"\", \"a \\\"b\\\",\\tc\": 0.1, \"columns\": "
	       "{\"more\": false}},\n"
	       "  {\"name\": \"two\\nlines\\rthree\", \"a \\\"b\\\",\\tc\": -0.0, \"columns\": "
	       "{\"more\": \"\"}},\n"
	       "  {\"name\": \"a\\ttab\\\\slash\", \"a \\\"b\\\",\\tc\": 1e+300, \"columns\": "
	       "{}},\n"
	       "  {\"name\": \"\\u0001\\u007f\xc3\xbc\xef\xbf\xbd\", "
	       "\"name_hex\": \"017fc3bcff\", \"a \\\"b\\\",\\tc\": null, "
	       "\"columns\": {\"more\": \"x,y\"}},\n"
	       "  {\"name\": \"\", \"a \\\"b\\\",\\tc\": 14.5, \"columns\": {\"more\": null}}],\n"
	       " \"notes\": [],\n"
	       " \"config_origin\": {}}\n");
}

static void formats_are_found_by_name(void **state)
{
	(void)state;
	assert_null(etc_format_find(etc_table_formats, ETC_STR("cs")));
	assert_null(etc_format_find(etc_table_formats, ETC_STR("")));
	assert_true(etc_format_find(etc_table_formats, ETC_STR("json"))->machine);
	assert_false(etc_format_find(etc_table_formats, ETC_STR("text"))->machine);
}

/* Does -o select the format by `word`: by its name, or by the ending of a file's name? */
static bool is_word_of(const struct etc_format *f, const char *word)
{
	return strcmp(f->name, word) == 0 || (f->ending && strcmp(f->ending, word) == 0);
}

static void names_and_endings_are_of_one_format(void **state)
{
	(void)state;
	for (const struct etc_format *f = etc_values_formats; f->name; f++)
		for (const struct etc_format *other = f + 1; other->name; other++) {
			assert_false(is_word_of(other, f->name));
			assert_false(f->ending && is_word_of(other, f->ending));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_quotes_what_would_end_a_field),
		cmocka_unit_test(tsv_does_the_same_with_tabs),
		cmocka_unit_test(json_escapes_and_has_null_for_what_is_no_number),
		cmocka_unit_test(formats_are_found_by_name),
		cmocka_unit_test(names_and_endings_are_of_one_format),
	};

	return cmocka_run_group_tests_name("formats", tests, NULL, NULL);
}
