/* test_json_long.c -- reading a long document page by page must give the same values as reading it
 * at once */
#include "unit.h"

#include "base/text.h"
#include "formats/container/json.h"

enum { LONG = 900 << 10, ROOM = 64 };

static uint32_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Writes a list of objects. With `cuts`, they have strings that look like the end of one object and
 * the start of the next. */
static void write_list(struct etc_text *t, bool cuts, const char *blanks, uint64_t *state)
{
	static const char *const inner[] = { "}, {", "\\\"}, {\\\"", "x", "[{\\\\", "\xc3\xa9" };

	etc_text_char(t, '[');
	while (t->len < LONG) {
		etc_text_printf(t, "{\"name\": \"%s\", \"n\": %u, \"list\": [1, {}, {\"s\": \"",
		                inner[cuts ? next(state) % 5 : 2], next(state) % 1000);
		for (uint32_t i = next(state) % 40; i > 0; i--)
			etc_text_cstr(t, inner[cuts ? next(state) % 5 : 4]);
		etc_text_printf(t, "\"}]},%s", blanks);
	}
	etc_text_cstr(t, "{}]  ");
}

/* Appends the types, keys and scalars that a walk through `v` finds. With `twice`, each member is
 * verified before it is walked. */
static void walk(struct etc_text *out, const struct etc_json_value *v, bool twice)
{
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;
	enum etc_json_type type = etc_json_type(v);

	etc_text_char(out, (char)('a' + type));
	if (type != ETC_JSON_OBJECT && type != ETC_JSON_ARRAY) {
		etc_json_verify(v);
		etc_text_put(out, v->raw);
		return;
	}
	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &member)) {
		etc_text_put(out, key);
		if (twice)
			etc_json_verify(&member);
		walk(out, &member, false);
	}
}

/* Appends the text of each member of the root. Members that are similar to an earlier one are not
 * read. */
static void walk_likes(struct etc_text *out, const struct etc_json_value *v,
                       struct etc_arena *arena)
{
	struct etc_json_likes *likes = etc_new(arena, struct etc_json_likes, 1);
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;

	likes->arena = arena;
	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &member)) {
		if (etc_json_like(likes, &member) == ETC_JSON_LIKES) {
			etc_json_verify(&member);
			etc_json_learn(likes, &member, NULL, 0);
		}
		etc_text_put(out, etc_json_through(&member));
	}
}

static void read_text(struct etc_str text, bool by_pages, struct etc_text *out)
{
	struct etc_error err = { 0 };
	struct etc_json_value root;
	struct etc_json *doc;
	struct etc_arena arena;

	etc_arena_init(&arena, 64 << 20);
	assert_ok((by_pages ? etc_json_open_long : etc_json_open)(text, ROOM, &arena, &doc, &err),
	          &err);
	for (int i = 0; i < 3; i++) {
		out->len = i ? out->len : 0;
		etc_json_root(doc, &root);
		if (i < 2)
			walk(out, &root, i == 1);
		else
			walk_likes(out, &root, &arena);
		if (etc_json_check_end(doc, &err) == ETC_OK)
			continue;
		if (etc_json_unreadable(doc))
			out->len = 0;
		etc_text_put(out, etc_str_of(err.text));
		break;
	}
	etc_json_close(doc);
	etc_arena_release(&arena);
}

static bool reads_alike(struct etc_str text)
{
	struct etc_text whole = { 0 }, pages = { 0 };
	bool same;

	read_text(text, false, &whole);
	read_text(text, true, &pages);
	same = etc_str_eq(etc_text_str(&whole), etc_text_str(&pages));
	etc_text_release(&whole);
	etc_text_release(&pages);
	return same;
}

static void a_long_list_is_read_alike(void **unused)
{
	static const char *const blanks[] = { " ", "", "\n  ", "\t\t" };
	uint64_t state = 1;

	(void)unused;
	for (int i = 0; i < 8; i++) {
		struct etc_text t = { 0 };

		write_list(&t, i % 2, blanks[i / 2], &state);
		if (!reads_alike(etc_text_str(&t)))
			fail_msg("list %d", i);
		etc_text_release(&t);
	}
}

static void a_long_text_without_a_place_to_cut_is_read_alike(void **unused)
{
	static const char *const texts[] = {
		"[\"", "[1", "[[", "{\"a\": [", "[\"}, {", "[{}, {\""
	};

	(void)unused;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct etc_text t = { 0 };

		while (t.len < LONG)
			etc_text_cstr(&t, texts[i]);
		if (!reads_alike(etc_text_str(&t)))
			fail_msg("text %zu", i);
		etc_text_release(&t);
	}
}

static void damage_of_a_long_list_is_told_alike(void **unused)
{
	static const char bytes[] = "{}[]:,\"\\ \n1a-.e\x01\xff\xc3";
	uint64_t state = 7;

	(void)unused;
	for (int i = 0; i < 24; i++) {
		struct etc_text t = { 0 };

		write_list(&t, i % 2, i % 3 ? " " : "", &state);
		for (int n = 1 + i % 3; n > 0; n--)
			t.ptr[next(&state) % t.len] = bytes[next(&state) % (sizeof bytes - 1)];
		if (i % 5 == 0)
			t.len -= next(&state) % (LONG / 2);
		if (!reads_alike(etc_text_str(&t)))
			fail_msg("list %d", i);
		etc_text_release(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_list_is_read_alike),
		cmocka_unit_test(a_long_text_without_a_place_to_cut_is_read_alike),
		cmocka_unit_test(damage_of_a_long_list_is_told_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
