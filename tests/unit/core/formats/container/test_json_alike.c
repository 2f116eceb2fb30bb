/* test_json_alike.c -- if etc_json recognises a container as similar to an earlier one, both must
 * have the same keys and types, and their scalars at the same positions */
#include "json_fixture.h"

#include "base/text.h"

/* Returns how many members of the root are similar to its first container. */
static unsigned count_alike(struct fixture *f, const char *text)
{
	struct etc_json_value root = open_doc(f, text), v;
	struct etc_json_iter it;
	struct etc_str key;
	unsigned alike = 0, first = ETC_JSON_LIKES;

	assert_true(etc_json_enter(&root, &it));
	while (etc_json_next(&it, &key, &v)) {
		if (etc_json_like(&f->likes, &v) < ETC_JSON_LIKES) {
			alike++;
			continue;
		}
		etc_json_verify(&v);
		if (first == ETC_JSON_LIKES)
			first = etc_json_learn(&f->likes, &v, NULL, 0);
	}
	assert_ok(etc_json_check_end(f->doc, &f->err), &f->err);
	return alike;
}

static void a_container_is_like_another_of_the_same_keys_and_types(void **state)
{
	static const struct {
		const char *text;
		unsigned alike;
	} texts[] = {
		{ "[[1, {\"a\": []}], [1, {\"a\": []}], 2]", 1 },
		{ "[{\"a\": 1, \"b\": \"x\"}, {\"a\": -20, \"b\": \"y]}\\\"\"}]", 1 },
		{ "[[\"\", 1.5, true], [\"a\" , NaN , true], [\"a\", 2e9, false]]", 1 },
		{ "{\"a\": {}, \"b\": {} , \"c\": [], \"d\":{}, \"e\": {\"f\": 1}}", 2 },
		/* differ in a type, a key, the order, the number of members, or the nesting */
		{ "[{\"a\": 1}, {\"a\": 1.0}, {\"a\": \"1\"}, {\"a\": true}, {\"a\": null}]", 0 },
		{ "[{\"a\": 1}, {\"b\": 1}, {\"ab\": 1}, {\"\": 1}, {\"a\": {}}, {\"a\": []}]", 0 },
		{ "[{\"key_of_nine\": 1}, {\"key_0f_nine\": 1}, {\"key_of_nin3\": 1}]", 0 },
		{ "[{\"a\": 1, \"b\": 2}, {\"b\": 2, \"a\": 1}, {\"a\": 1}, {\"a\": 1, \"b\": 2, "
		  "\"c\": 3}]",
		  0 },
		{ "[[1, [2]], [[1], 2], [1, 2], [1, [2], 3], [1, [2, 3]], [1, []]]", 0 },
		{ "[[[[]]], [[]]]", 0 },
		{ "[1, 1, 1, [1], [1]]", 1 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (count_alike(f, texts[i].text) != texts[i].alike)
			fail_msg("%s", texts[i].text);
}

static void what_is_known_says_nothing_of_what_lies_deeper(void **state)
{
	struct fixture *f = *state;
	struct etc_json_value root = open_doc(f, "[[1], [[1]], [2]]"), v, inner;
	struct etc_json_iter it, list;
	struct etc_str key;
	uint32_t known;

	assert_true(etc_json_enter(&root, &it));
	assert_true(etc_json_next(&it, &key, &v));
	etc_json_verify(&v);
	known = etc_json_learn(&f->likes, &v, NULL, 0);
	assert_true(known < ETC_JSON_LIKES);
	assert_true(etc_json_next(&it, &key, &v));
	assert_true(etc_json_enter(&v, &list));
	assert_true(etc_json_next(&list, &key, &inner));
	assert_int_equal(etc_json_like(&f->likes, &inner), ETC_JSON_LIKES);
	assert_true(etc_json_next(&it, &key, &v));
	assert_int_equal(etc_json_like(&f->likes, &v), known);
	assert_false(etc_json_next(&it, &key, &v));
	assert_ok(etc_json_check_end(f->doc, &f->err), &f->err);
}

static void a_container_that_was_left_in_the_middle_is_not_known(void **state)
{
	struct fixture *f = *state;
	struct etc_json_value root = open_doc(f, "[[1, 2], [1, 2]]"), v, item;
	struct etc_json_iter it, list;
	struct etc_str key;

	assert_true(etc_json_enter(&root, &it));
	assert_true(etc_json_next(&it, &key, &v));
	assert_true(etc_json_enter(&v, &list));
	assert_true(etc_json_next(&list, &key, &item));
	assert_int_equal(etc_json_learn(&f->likes, &v, NULL, 0), ETC_JSON_LIKES);
	assert_true(etc_json_next(&it, &key, &v));
	assert_int_equal(etc_json_like(&f->likes, &v), ETC_JSON_LIKES);
}

static void more_containers_than_are_remembered_are_found_for_as_long_as_they_are(void **state)
{
	struct fixture *f = *state;
	struct etc_text text = { 0 };
	struct etc_json_value root, v;
	struct etc_json_iter it;
	struct etc_str key;
	unsigned at = 0;

	etc_text_char(&text, '[');
	for (unsigned i = 0; i < 4 * ETC_JSON_LIKES; i++)
		etc_text_printf(&text, "{\"%u\": %u}, {\"%u\": 0}, ", i, i, i);
	etc_text_cstr(&text, "{\"0\": 1}]");
	etc_text_char(&text, (char)0);
	root = open_doc(f, etc_text_str(&text).ptr);
	assert_true(etc_json_enter(&root, &it));
	for (; etc_json_next(&it, &key, &v); at++) {
		const bool like = etc_json_like(&f->likes, &v) < ETC_JSON_LIKES;

		assert_int_equal(like, at % 2);
		if (like)
			continue;
		etc_json_verify(&v);
		assert_true(etc_json_learn(&f->likes, &v, NULL, 0) < ETC_JSON_LIKES);
	}
	assert_int_equal(at, 8 * ETC_JSON_LIKES + 1);
	assert_ok(etc_json_check_end(f->doc, &f->err), &f->err);
	etc_text_release(&text);
}

/* ---- compared with a complete walk ------------------------------------------------ */

enum { TEXTS = 4000, MOST = 12, LONGEST = 2400 };

/* The result of a walk through a container. `shape` has its keys, types and texts, which are equal
 * in similar containers. `scalars` are those that may differ. */
struct found {
	struct etc_text shape;
	struct etc_json_mark marks[MOST];
	struct etc_str scalars[MOST];
	uint32_t marked, taken;
};

static void look(const struct etc_json_value *v, struct found *x)
{
	const enum etc_json_type type = etc_json_type(v);
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;

	etc_text_printf(&x->shape, "%d ", (int)type);
	if (type != ETC_JSON_OBJECT && type != ETC_JSON_ARRAY) {
		etc_json_verify(v);
		return;
	}
	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &member)) {
		const bool same = etc_str_starts(key, ETC_STR("s"));
		const bool scalar = !memchr("{[", member.raw.ptr[0], 2);

		etc_text_printf(&x->shape, "%zu:", key.len);
		etc_text_put(&x->shape, key);
		if (scalar && x->marked < MOST && (same || etc_str_starts(key, ETC_STR("n")))) {
			x->marks[x->marked++] = (struct etc_json_mark){ member.at, !same };
			if (same)
				etc_text_put(&x->shape, member.raw);
			else
				x->scalars[x->taken++] = member.raw;
		}
		look(&member, x);
	}
	etc_text_char(&x->shape, ';');
}

static uint32_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Writes an object. In one of six objects, on average, one byte is damaged. */
static size_t write_object(char *to, uint64_t *state)
{
	static const char *const values[] = { "1",    "-2.5", "\"x\"", "\"a\\\"b\"", "null",
		                              "true", "\"\"", "[]",    "{\"n\":1}",  "1 " };
	static const char bytes[] = "{}[]:,\"\\ \n1a-.sn";
	const char *target = next(state) % 4 ? "add" : "mul";
	size_t len = (size_t)sprintf(
		to,
		"{\"name\": %s, \"s\": \"%s\", \"l\": [{\"n\": %s}, %s], \"nn\":%s, "
		"\"long_key_of_it\": {\"s2\": %u, \"o\": %s}}",
		values[next(state) % 3 ? 0 : next(state) % 4], target, values[2 + next(state) % 2],
		values[next(state) % 10 ? 0 : next(state) % 10], values[2 + next(state) % 2],
		next(state) % 8 == 0, values[next(state) % 5 ? 3 : next(state) % 10]);

	if (next(state) % 6 == 0)
		to[next(state) % len] = bytes[next(state) % (sizeof bytes - 1)];
	return len;
}

/* Reads each member of the list `root` twice: as similar to an earlier member, and by a complete
 * walk. Both must find the same. The list may be damaged. Returns the number of similar members. */
static unsigned hold_likes_against_a_walk(struct fixture *f, const char *text,
                                          struct etc_json_value *root)
{
	struct found of[ETC_JSON_LIKES] = { 0 };
	struct etc_json_iter it;
	struct etc_json_value v;
	struct etc_str key;
	unsigned alike = 0;

	if (!etc_json_enter(root, &it))
		return 0;
	while (etc_json_next(&it, &key, &v)) {
		const uint32_t like = etc_json_like(&f->likes, &v);
		const uint32_t behind = like < ETC_JSON_LIKES ? etc_json_tokens(&v) : 0;
		struct found here = { 0 };
		uint32_t at = 0, taken = 0;

		look(&v, &here);
		if (etc_json_failed(f->doc)) {
			assert_int_equal(like, ETC_JSON_LIKES);
			etc_text_release(&here.shape);
			break;
		}
		if (like == ETC_JSON_LIKES) {
			at = etc_json_learn(&f->likes, &v, here.marks, here.marked);
			if (at < ETC_JSON_LIKES) {
				etc_text_release(&of[at].shape);
				of[at] = here;
			} else {
				etc_text_release(&here.shape);
			}
			continue;
		}
		alike++;
		if (!etc_str_eq(etc_text_str(&here.shape), etc_text_str(&of[like].shape)) ||
		    behind != etc_json_tokens(&v))
			fail_msg("not alike: %s", text);
		for (uint32_t i = 0; i < f->likes.known[like].count; i++) {
			const struct etc_json_hole *hole = &f->likes.known[like].holes[i];
			struct etc_json_value scalar = etc_json_in_hole(&v, hole);

			assert_int_equal(etc_json_type(&scalar), hole->type);
			if (hole->mark == 1 && !etc_str_eq(scalar.raw, here.scalars[taken++]))
				fail_msg("another scalar: %s", text);
		}
		assert_int_equal(taken, here.taken);
		etc_text_release(&here.shape);
	}
	for (size_t i = 0; i < ETC_JSON_LIKES; i++)
		etc_text_release(&of[i].shape);
	return alike;
}

static void what_is_like_another_is_so_for_a_walk_too(void **state)
{
	struct fixture *f = *state;
	uint64_t random = 1;
	unsigned alike = 0;

	for (int i = 0; i < TEXTS; i++) {
		char text[LONGEST];
		struct etc_json_value root;
		size_t len = 0;

		text[len++] = '[';
		for (uint32_t n = 1 + next(&random) % 12; n > 0; n--) {
			len += write_object(text + len, &random);
			memcpy(text + len, ", ", 2);
			len += 2;
		}
		memcpy(text + len - 2, "]", 2);
		root = open_doc(f, text);
		alike += hold_likes_against_a_walk(f, text, &root);
		etc_json_close(f->doc);
		f->doc = NULL;
		etc_arena_reuse(&f->arena);
	}
	if (alike <= TEXTS / 2)
		fail_msg("%u alike", alike);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(a_container_is_like_another_of_the_same_keys_and_types),
		T(what_is_known_says_nothing_of_what_lies_deeper),
		T(a_container_that_was_left_in_the_middle_is_not_known),
		T(more_containers_than_are_remembered_are_found_for_as_long_as_they_are),
		T(what_is_like_another_is_so_for_a_walk_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
