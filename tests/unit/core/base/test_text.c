/* test_text.c -- the output buffer, JSON escapes, UTF-8 and widths. */
#include "unit.h"

#include "base/text.h"

static void appends_in_a_straight_line(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	etc_text_cstr(&t, "a");
	etc_text_char(&t, '|');
	etc_text_put(&t, (struct etc_str){ NULL, 0 });
	etc_text_repeat(&t, "xy", 3);
	etc_text_repeat(&t, "xy", 0);
	etc_text_repeat(&t, "", 5);
	etc_text_printf(&t, "|%d|%s", -5, "z");
	etc_text_hex(&t, (struct etc_span){ (const uint8_t *)"\x00\xff\x1a", 3 });
	etc_text_hex(&t, (struct etc_span){ NULL, 0 });
	assert_false(t.failed);
	assert_str(etc_text_str(&t), "a|xyxyxy|-5|z00ff1a");
	etc_text_release(&t);
	assert_null(t.ptr);
}

static void whole_numbers_to_both_ends(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	etc_text_u64(&t, 0);
	etc_text_char(&t, ' ');
	etc_text_u64(&t, UINT64_MAX);
	etc_text_char(&t, ' ');
	etc_text_i64(&t, INT64_MIN);
	etc_text_char(&t, ' ');
	etc_text_i64(&t, INT64_MAX);
	etc_text_char(&t, ' ');
	etc_text_i64(&t, -1);
	assert_str(etc_text_str(&t),
	           "0 18446744073709551615 -9223372036854775808 9223372036854775807 -1");
	etc_text_release(&t);
}

/* Numbers of every length, and around each power of ten. */
static void whole_numbers_are_those_of_printf(void **state)
{
	uint64_t power = 1, n = 1;

	(void)state;
	for (int digits = 1; digits <= 20; digits++, power *= 10)
		for (int i = 0; i < 2000; i++) {
			uint64_t v = i < 20 ? power + (uint64_t)i - 10 : n % power;
			char expected[24];
			struct etc_text t = { 0 };

			n = n * 6364136223846793005u + 1442695040888963407u;
			snprintf(expected, sizeof expected, "%llu", (unsigned long long)v);
			etc_text_u64(&t, v);
			assert_str(etc_text_str(&t), expected);
			etc_text_release(&t);
		}
}

struct collected {
	size_t bytes, chunks, refuse_at;
};

static bool collect(void *arg, struct etc_str chunk)
{
	struct collected *c = arg;

	c->chunks++;
	c->bytes += chunk.len;
	return c->chunks != c->refuse_at;
}

static void a_sink_keeps_the_buffer_small(void **state)
{
	struct collected c = { 0 };
	struct etc_text t = { .sink = collect, .arg = &c };

	(void)state;
	for (int i = 0; i < 500000; i++)
		etc_text_cstr(&t, "0123456789");
	assert_true(t.room <= 4 * ETC_TEXT_CHUNK);
	assert_true(etc_text_flush(&t));
	assert_int_equal(c.bytes, 5000000);
	assert_true(c.chunks > 4);
	etc_text_release(&t);
}

static void a_long_text_passes_without_a_copy(void **state)
{
	static char much[ETC_TEXT_CHUNK];
	struct collected c = { 0 };
	struct etc_text t = { .sink = collect, .arg = &c }, plain = { 0 };
	struct etc_str s = { much, sizeof much };

	(void)state;
	etc_text_cstr(&t, "before");
	etc_text_pass(&t, (struct etc_str){ much, sizeof much - 1 });
	assert_int_equal(etc_text_all(&t), 6 + sizeof much - 1);
	etc_text_flush(&t);
	t.room = 0; /* without room, any copy would have to allocate */
	free(t.ptr);
	t.ptr = NULL;
	etc_text_pass(&t, s);
	assert_null(t.ptr);
	assert_int_equal(c.bytes, 6 + 2 * sizeof much - 1);
	assert_int_equal(etc_text_all(&t), c.bytes);
	etc_text_pass(&plain, s);
	assert_int_equal(plain.len, sizeof much);
	assert_int_equal(etc_text_all(&plain), sizeof much);
	etc_text_release(&plain);
	c.refuse_at = c.chunks + 1;
	etc_text_pass(&t, s);
	assert_true(t.failed);
	etc_text_release(&t);
}

static void a_sink_that_refuses_is_remembered(void **state)
{
	struct collected c = { .refuse_at = 2 };
	struct etc_text t = { .sink = collect, .arg = &c };

	(void)state;
	for (int i = 0; i < 500000; i++)
		etc_text_cstr(&t, "0123456789");
	assert_true(t.failed);
	assert_false(etc_text_flush(&t));
	assert_int_equal(c.chunks, 2);
	assert_null(etc_text_reserve(&t, 1));
	etc_text_release(&t);
}

static void no_memory_is_remembered(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	etc_text_cstr(&t, "kept");
	assert_null(etc_text_reserve(&t, SIZE_MAX - 10));
	assert_true(t.failed);
	etc_text_cstr(&t, "lost");
	assert_str(etc_text_str(&t), "kept");
	etc_text_release(&t);
}

static void json(const char *bytes, size_t len, const char *want)
{
	struct etc_text t = { 0 };

	etc_text_json(&t, (struct etc_str){ bytes, len });
	assert_str(etc_text_str(&t), want);
	etc_text_release(&t);
}

static void json_escapes_and_repairs(void **state)
{
	(void)state;
	json("plain", 5, "plain");
	json("\"\\/", 3, "\\\"\\\\/");
	json("\n\r\t\b\x01\x7f", 6, "\\n\\r\\t\\u0008\\u0001\\u007f");
	json("a\0b", 3, "a\\u0000b");
	json("\xc3\xa9\xf0\x9f\x98\x80", 6, "\xc3\xa9\xf0\x9f\x98\x80");
	/* These have a byte that is no UTF-8, a truncated sequence, an overlong one, a surrogate,
	 * and a code point above U+10FFFF. */
	json("x\xffy", 3, "x\xef\xbf\xbdy");
	json("\xe2\x82", 2, "\xef\xbf\xbd\xef\xbf\xbd");
	json("\xc0\xaf", 2, "\xef\xbf\xbd\xef\xbf\xbd");
	json("\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	json("\xf4\x90\x80\x80", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

/* Every code point is encoded and decoded; all other values are rejected. */
static void every_code_point_decodes(void **state)
{
	(void)state;
	for (int32_t cp = 0; cp <= 0x10ffff; cp++) {
		char b[4];
		size_t n = 0, at = 0;

		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		if (cp < 0x80) {
			b[n++] = (char)cp;
		} else if (cp < 0x800) {
			b[n++] = (char)(0xc0 | cp >> 6);
			b[n++] = (char)(0x80 | (cp & 63));
		} else if (cp < 0x10000) {
			b[n++] = (char)(0xe0 | cp >> 12);
			b[n++] = (char)(0x80 | (cp >> 6 & 63));
			b[n++] = (char)(0x80 | (cp & 63));
		} else {
			b[n++] = (char)(0xf0 | cp >> 18);
			b[n++] = (char)(0x80 | (cp >> 12 & 63));
			b[n++] = (char)(0x80 | (cp >> 6 & 63));
			b[n++] = (char)(0x80 | (cp & 63));
		}
		if (etc_utf8_next((struct etc_str){ b, n }, &at) != cp || at != n)
			fail_msg("U+%04X", (unsigned)cp);
		at = 0;
		if (n > 1 && (etc_utf8_next((struct etc_str){ b, n - 1 }, &at) != -1 || at != 1))
			fail_msg("U+%04X cut", (unsigned)cp);
	}
}

static void counts_columns_as_a_terminal_does(void **state)
{
	(void)state;
	assert_int_equal(etc_utf8_width(ETC_STR("abc")), 3);
	assert_int_equal(etc_utf8_width(ETC_STR("\xc2\xb5s")), 2);                /* micro sign */
	assert_int_equal(etc_utf8_width(ETC_STR("\xe6\x97\xa5\xe6\x9c\xac")), 4); /* two wide */
	assert_int_equal(etc_utf8_width(ETC_STR("e\xcc\x81")), 1);                /* combining */
	assert_int_equal(etc_utf8_width(ETC_STR("\xff\xfe")), 2);                 /* bad bytes */
	assert_int_equal(etc_utf8_width(ETC_STR("")), 0);
	assert_int_equal(etc_utf8_count(ETC_STR("e\xcc\x81\xff")), 3);
	assert_int_equal(etc_utf8_fault(ETC_STR("ab\xff")), 2);
	assert_true(etc_utf8_fault(ETC_STR("ab\xc3\xa9")) == SIZE_MAX);
}

static void printable_is_what_python_says(void **state)
{
	(void)state;
	assert_true(etc_utf8_printable(' '));
	assert_true(etc_utf8_printable('~'));
	assert_true(etc_utf8_printable(0xe9));
	assert_true(etc_utf8_printable(0x1f600));
	assert_false(etc_utf8_printable('\n'));
	assert_false(etc_utf8_printable(0x7f));
	assert_false(etc_utf8_printable(0xa0));   /* no-break space: Zs */
	assert_false(etc_utf8_printable(0xad));   /* soft hyphen: Cf */
	assert_false(etc_utf8_printable(0x2028)); /* line separator: Zl */
	assert_false(etc_utf8_printable(0xe000)); /* private use: Co */
	assert_false(etc_utf8_printable(0x378));  /* not assigned: Cn */
}

/* The code checks eight bytes at once, so each value is tested at each position. */
static void every_byte_at_every_place_is_looked_at(void **state)
{
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++)
		for (size_t at = 0; at < 19; at++) {
			char text[] = "printable and plain";
			struct etc_str s = { text, sizeof text - 1 };
			bool printable = byte >= 0x20 && byte < 0x7f;
			struct etc_text json = { 0 };

			text[at] = (char)byte;
			assert_int_equal(etc_text_is_plain(s), printable);
			etc_text_json(&json, s);
			assert_int_equal(json.len == s.len && memcmp(json.ptr, s.ptr, s.len) == 0,
			                 printable && byte != '"' && byte != '\\');
			etc_text_release(&json);
		}
}

static void a_text_is_repeated_whole(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	etc_text_repeat(&t, "═", 300000);
	etc_text_repeat(&t, "", 7);
	etc_text_repeat(&t, "x", 0);
	assert_int_equal(t.len, 3 * 300000);
	for (size_t i = 0; i < t.len; i += 3)
		assert_memory_equal(t.ptr + i, "═", 3);
	etc_text_release(&t);
}

static void check(void (*put)(struct etc_text *t, struct etc_str s), struct etc_str s,
                  const char *expected)
{
	struct etc_text t = { 0 };

	put(&t, s);
	etc_text_char(&t, '\0');
	assert_false(t.failed);
	assert_string_equal(t.ptr, expected);
	etc_text_release(&t);
}

static void what_a_person_reads_is_escaped(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	check(etc_text_shown, ETC_STR("a\0b\x1b[m\n\xff"), "a\\u0000b\\u001b[m\\n\\xff");
	check(etc_text_markdown, ETC_STR("`$(x)` <b>& a_b|[c](d)"),
	      "\\`\\$(x)\\` &lt;b>&amp; a\\_b\\|\\[c\\](d)");
	check(etc_text_markdown, ETC_STR("~ ~x~ http://a www.b >"),
	      "~ \\~x\\~ http:\\//a www\\.b >");
	check(etc_text_markdown, ETC_STR("> a"), "\\> a");
	check(etc_text_markdown, ETC_STR("- a - b"), "\\- a - b");
	check(etc_text_markdown, ETC_STR("12. a"), "12\\. a");
	check(etc_text_markdown, ETC_STR("-1 12.5 -"), "-1 12.5 -");
	check(etc_text_markdown, ETC_STR("mailto:a@b.c @ d@"), "mailto:a@<!-- -->b.c @ d@");
	check(etc_text_markdown_name, ETC_STR("@a"), "@<!-- -->a");
	check(etc_text_markdown, ETC_STR("a#12 # 1 #x"), "a\\#<!-- -->12 \\# 1 \\#x");
	check(etc_text_markdown_name, ETC_STR(":bug: a::b :+1:c"),
	      ":<!-- -->bug: a::b :<!-- -->+1:c");
	check(etc_text_markdown_name, ETC_STR("run: 12:30"), "run: 12:30");
	check(etc_text_markdown_code, ETC_STR("a@b.c"), "`a@b.c`");
	check(etc_text_markdown_name, ETC_STR("a_b/c.d"), "a_b/c.d");
	check(etc_text_markdown_name, ETC_STR("a__b_1"), "a__b_1");
	check(etc_text_markdown_name, ETC_STR("a__"), "a\\_\\_");
	check(etc_text_markdown_name, ETC_STR("a._b"), "a.\\_b");
	check(etc_text_markdown_code, ETC_STR("a[b]*"), "`a[b]*`");
	check(etc_text_markdown_name, ETC_STR("_a_"), "\\_a\\_");
	check(etc_text_markdown_name, ETC_STR(""), "");
	check(etc_text_markdown_code, ETC_STR("a_b/c.d"), "`a_b/c.d`");
	check(etc_text_markdown_code, ETC_STR("a`b"), "a\\`b");
	check(etc_text_markdown_code, ETC_STR("x\n"), "x\\\\n");
	etc_text_tell(&t, "%s: %d\n", "a\nb\x1b", 7);
	etc_text_char(&t, '\0');
	assert_string_equal(t.ptr, "a\\nb\\u001b: 7\n");
	etc_text_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appends_in_a_straight_line),
		cmocka_unit_test(whole_numbers_to_both_ends),
		cmocka_unit_test(whole_numbers_are_those_of_printf),
		cmocka_unit_test(a_sink_keeps_the_buffer_small),
		cmocka_unit_test(a_long_text_passes_without_a_copy),
		cmocka_unit_test(a_sink_that_refuses_is_remembered),
		cmocka_unit_test(no_memory_is_remembered),
		cmocka_unit_test(json_escapes_and_repairs),
		cmocka_unit_test(every_code_point_decodes),
		cmocka_unit_test(counts_columns_as_a_terminal_does),
		cmocka_unit_test(printable_is_what_python_says),
		cmocka_unit_test(every_byte_at_every_place_is_looked_at),
		cmocka_unit_test(what_a_person_reads_is_escaped),
		cmocka_unit_test(a_text_is_repeated_whole),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
