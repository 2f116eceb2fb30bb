/* test_json_dom.c -- damaged JSON must be rejected or read in the same way as by simdjson's own
 * parser
 *
 * A few bytes of each text are damaged at random; the result is often still JSON. Damage never
 * inserts letters of NaN and Infinity, nor surrogates, because only etc_json accepts these. */
#include "unit.h"

#include "base/number.h"
#include "base/text.h"
#include "json_dom.h"
#include "formats/container/json.h"

enum { TEXTS = 60000, LONGEST = 2000 };

static const char *const seeds[] = {
	"{\"a\": [1, 2, {\"b\": null, \"c\\\"h\": [[], {}, [{}]]}], \"e\": \"x\\ny\", "
	"\"f\": {\"g\": -1.5e1, \"h\": true}, \"a\": false}",
	"[[[[]]], [{}, {\"k\": []}], {\"k\": {}}, [1, [2, [3]]], \"\", \"a:b\", 0, -7, 12.25]",
	"{\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], \"notes\": [{\"name\": "
	"\"p\\\\\", \"arg\": {\"as_ints\": [1, 2]}}]}, \"v\": [ ] , \"w\" : { } }",
	"{\n  \"x\" : [ 1 ,\n 2 ] ,\t\"y\": {\"z\" : \"\xc3\xa9 \\u00e9\\/\"}\r\n}",
	"[[[[[[[[{\"k\": [[[[[[{\"k\": [[[[null]]]]}]]]]]]}]]]]]]]]",
};

static uint32_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Changes, inserts or removes one byte, removes a piece or the end, or copies a piece. */
static size_t damage(char *text, size_t len, uint64_t *state)
{
	static const char bytes[] = "{}[]:,\"\\ \n1a-.e\t\x01\xfftl";
	size_t at = next(state) % len, from = next(state) % len, n = next(state) % 20;
	char byte = bytes[next(state) % (sizeof bytes - 1)], piece[20];

	n = n < len - at ? n : len - at;
	n = n < len - from ? n : len - from;
	switch (next(state) % 6) {
	case 0:
		text[at] = byte;
		return len;
	case 1:
		n = 1;
		/* fall through */
	case 2:
		memmove(text + at, text + at + n, len - at - n);
		return len - n;
	case 3:
		return at + 1;
	case 4:
		memmove(text + at + 1, text + at, len - at);
		text[at] = byte;
		return len + 1;
	default:
		memcpy(piece, text + from, n);
		memmove(text + at + n, text + at, len - at);
		memcpy(text + at, piece, n);
		return len + n;
	}
}

static bool put_string(struct etc_arena *arena, struct etc_text *out, struct etc_str inside)
{
	struct etc_str s;
	bool bad;

	if (!etc_json_unescape(arena, inside, &s, &bad))
		return false;
	etc_text_printf(out, "s%zu:", s.len);
	etc_text_put(out, s);
	return true;
}

static void put_number(struct etc_text *out, const struct etc_json_value *v)
{
	int64_t n;
	double d = 0;

	if (etc_json_type(v) == ETC_JSON_INT && etc_json_int(v->raw, &n))
		etc_text_printf(out, "i%lld;", (long long)n);
	else if (etc_number_parse(v->raw, &d))
		etc_text_printf(out, "d%a;", d);
}

/* Writes the value to `out` in the form of json_dom(). Returns false if the value is invalid. */
static bool put(struct etc_arena *arena, struct etc_text *out, const struct etc_json_value *v)
{
	enum etc_json_type type = etc_json_type(v);
	struct etc_json_iter it;
	struct etc_json_value child;
	struct etc_str key;

	switch (type) {
	case ETC_JSON_BAD:
		return false;
	case ETC_JSON_NULL:
	case ETC_JSON_TRUE:
	case ETC_JSON_FALSE:
		etc_text_char(out, v->raw.ptr[0]);
		return true;
	case ETC_JSON_INT:
	case ETC_JSON_FLOAT:
		put_number(out, v);
		return true;
	case ETC_JSON_STRING:
		return put_string(arena, out, etc_json_inside(v->raw));
	case ETC_JSON_ARRAY:
	case ETC_JSON_OBJECT:
		break;
	}
	if (!etc_json_enter(v, &it))
		return false;
	etc_text_char(out, v->raw.ptr[0]);
	while (etc_json_next(&it, &key, &child)) {
		if (type == ETC_JSON_OBJECT && !put_string(arena, out, key))
			return false;
		if (!put(arena, out, &child))
			return false;
	}
	etc_text_char(out, type == ETC_JSON_OBJECT ? '}' : ']');
	return true;
}

static bool read_text(struct etc_arena *arena, struct etc_str text, struct etc_text *out)
{
	struct etc_error err = { 0 };
	struct etc_json_value root;
	struct etc_json *doc;
	bool taken;

	assert_ok(etc_json_open(text, 0, arena, &doc, &err), &err);
	etc_json_root(doc, &root);
	taken = put(arena, out, &root) && etc_json_check_end(doc, &err) == ETC_OK;
	etc_json_close(doc);
	return taken;
}

/* Is the text a list or an object? Other values have one token only. */
static bool is_container(const char *text, size_t len)
{
	struct etc_str s = etc_str_trim((struct etc_str){ text, len });

	return s.len && (s.ptr[0] == '{' || s.ptr[0] == '[');
}

static void damaged_texts_are_refused_and_read_as_simdjson_does(void **unused)
{
	unsigned seen[3] = { 0 };
	uint64_t state = 1;

	(void)unused;
	for (int i = 0; i < TEXTS; i++) {
		const char *seed = seeds[next(&state) % (sizeof seeds / sizeof *seeds)];
		struct etc_text out = { 0 };
		struct etc_arena arena;
		struct etc_str want;
		char text[LONGEST];
		size_t len = strlen(seed);
		enum json_dom dom;
		bool taken;

		memcpy(text, seed, len);
		for (uint32_t n = next(&state) % 4; n > 0 && len; n--)
			len = damage(text, len, &state);
		if (!is_container(text, len))
			continue;
		dom = json_dom(text, len, &want);
		seen[dom]++;
		etc_arena_init(&arena, 1 << 20);
		taken = read_text(&arena, (struct etc_str){ text, len }, &out);
		if (dom != JSON_DOM_NUMBER && taken != (dom == JSON_DOM_READ))
			fail_msg("text %d is %s: %.*s", i, taken ? "taken" : "refused", (int)len,
			         text);
		if (dom == JSON_DOM_READ && !etc_str_eq(etc_text_str(&out), want))
			fail_msg("text %d is read as " ETC_STR_FMT ", not " ETC_STR_FMT, i,
			         ETC_STR_ARG(etc_text_str(&out)), ETC_STR_ARG(want));
		free((void *)(uintptr_t)want.ptr);
		etc_text_release(&out);
		etc_arena_release(&arena);
	}
	/* both results must occur; few texts may have a number that simdjson cannot decide on */
	assert_true(seen[JSON_DOM_READ] > TEXTS / 4 && seen[JSON_DOM_REFUSED] > TEXTS / 4);
	assert_true(seen[JSON_DOM_NUMBER] < TEXTS / 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_texts_are_refused_and_read_as_simdjson_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
