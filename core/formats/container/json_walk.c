/* json_walk.c -- walks a document by its token index; see json.h.
 *
 * The document stores the number of the next token, and its depth. A caller may stop the walk
 * through a container before its end. The walk through the enclosing container then skips tokens
 * until it is at its own depth again. */
#include "formats/container/json_document.h"

#include "base/attr.h"
#include "model/limits.h"

#include <stdio.h>

void etc_json_fail(struct etc_json *j, const char *at, const char *why)
{
	if (j->failed)
		return;
	j->failed = true;
	j->failed_at = at >= j->text.ptr && at <= j->text.ptr + j->text.len
	                       ? (size_t)(at - j->text.ptr)
	                       : 0;
	snprintf(j->why, sizeof j->why, "%s", why);
}

/* Returns the first byte of a token; '\0' after the last token. */
static ETC_INLINE char first_byte(struct etc_json *j, uint32_t token)
{
	return etc_json_has(j, token) ? j->base[j->index[token - j->first]] : '\0';
}

/* Records the error that token `token` is not expected at its position. Always returns false. */
static bool fault(struct etc_json *j, uint32_t token)
{
	etc_json_fail(j, etc_json_place(j, token), etc_json_improper());
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Returns the text that begins at the token and ends before the next token, without the blanks
 * before that next token. */
static struct etc_str written(struct etc_json *j, uint32_t token)
{
	const char *from = etc_json_place(j, token), *to = etc_json_place(j, token + 1);

	while (to > from && is_blank(to[-1]))
		to--;
	return (struct etc_str){ from, (size_t)(to - from) };
}

void etc_json_root(struct etc_json *j, struct etc_json_value *v)
{
	*v = (struct etc_json_value){ .doc = j, .depth = 1, .raw = j->text };
	if (j->failed || j->scalar)
		return;
	v->raw.len = 1;
	j->at = 0;
	j->depth = 1;
}

bool etc_json_enter(const struct etc_json_value *v, struct etc_json_iter *it)
{
	struct etc_json *j = v->doc;
	const char first = v->raw.len ? v->raw.ptr[0] : '\0';

	*it = (struct etc_json_iter){ .doc = j, .depth = v->depth, .object = first == '{' };
	if (j->failed)
		return false;
	if (first != '{' && first != '[') {
		etc_json_reject(v, "an object or a list");
		return false;
	}
	if (v->depth > ETC_LIMIT_JSON_DEPTH) {
		etc_json_fail(j, v->raw.ptr, "nested too deeply");
		j->deep = true;
		return false;
	}
	j->at = v->at + 1;
	j->depth = v->depth + 1;
	if (first_byte(j, j->at) == (it->object ? '}' : ']')) {
		j->at++;
		j->depth = v->depth - 1;
	}
	return true;
}

/* Skips all tokens deeper than `depth`. Counts opening and closing brackets without checking that
 * their kinds match. */
static bool skip(struct etc_json *j, uint32_t depth)
{
	static const int8_t deeper[256] = { ['['] = 1, ['{'] = 1, [']'] = -1, ['}'] = -1 };
	const uint32_t *x;
	uint32_t at = j->at, count;
	size_t now = j->depth;
	char first;

	if (now <= depth)
		return true;
	/* Until here, `now` is the depth of the first token. Change `now` to the number of
	 * containers that are open after the first token: after a scalar or a closing bracket,
	 * `now` is one too large; after '[', '{', ':' or ',', it is right. */
	first = first_byte(j, at++);
	if (first != '[' && first != '{' && first != ':' && first != ',')
		now--;
	while (now > depth && (count = etc_json_page(j, at, &x)))
		for (uint32_t i = 0; i < count && now > depth; i++, at++)
			now += (size_t)deeper[(uint8_t)j->base[x[i]]];
	j->at = at;
	j->depth = (uint32_t)now;
	return now <= depth || fault(j, at - 1);
}

/* Is there another element? Skips the comma if there is. */
static bool more(struct etc_json_iter *it)
{
	struct etc_json *j = it->doc;
	char c;

	if (!it->started) {
		it->started = true;
		return j->depth >= it->depth; /* true: the container is not empty */
	}
	if (j->depth < it->depth || !skip(j, it->depth))
		return false;
	c = first_byte(j, j->at++);
	if (c == ',')
		return true;
	if (c != (it->object ? '}' : ']'))
		return fault(j, j->at - 1);
	j->depth--;
	return false;
}

/* Reads the text between a key's quotes; only blanks and the colon may follow. */
static bool take_key(struct etc_json *j, struct etc_str *key)
{
	const char *end;

	if (first_byte(j, j->at) != '"')
		return fault(j, j->at);
	key->ptr = etc_json_place(j, j->at++) + 1;
	if (first_byte(j, j->at) != ':')
		return fault(j, j->at);
	end = etc_json_place(j, j->at++);
	while (end > key->ptr && *--end != '"')
		;
	key->len = (size_t)(end - key->ptr);
	return true;
}

bool etc_json_next(struct etc_json_iter *it, struct etc_str *key, struct etc_json_value *v)
{
	struct etc_json *j = it->doc;

	*key = (struct etc_str){ 0 };
	if (j->failed || !more(it) || (it->object && !take_key(j, key)))
		return false;
	j->depth = it->depth + 1;
	*v = (struct etc_json_value){ j, j->at, j->depth, written(j, j->at) };
	if (v->raw.len == 0)
		etc_json_fail(j, v->raw.ptr, "the text ends inside of a list or an object");
	return v->raw.len != 0;
}

enum etc_json_type etc_json_type(const struct etc_json_value *v)
{
	const char first = v->raw.len ? v->raw.ptr[0] : '\0';

	if (v->doc->failed)
		return ETC_JSON_BAD;
	if (first == '"' && v->raw.len > 1 && v->raw.ptr[v->raw.len - 1] == '"')
		return ETC_JSON_STRING;
	return first == '{'   ? ETC_JSON_OBJECT
	       : first == '[' ? ETC_JSON_ARRAY
	                      : etc_json_classify(v->raw);
}

void etc_json_verify(const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value child;
	struct etc_str key;
	enum etc_json_type type = etc_json_type(v);

	if (type == ETC_JSON_BAD) {
		etc_json_reject(v, "a value");
		return;
	}
	if ((type != ETC_JSON_OBJECT && type != ETC_JSON_ARRAY) || !etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &child))
		etc_json_verify(&child);
}

uint32_t etc_json_tokens(const struct etc_json_value *v)
{
	const struct etc_json *j = v->doc;
	const bool whole = !j->failed && j->depth == v->depth - 1 && j->at > v->at + 1;

	return whole ? j->at - v->at : 0;
}

void etc_json_pass(const struct etc_json_value *v, uint32_t tokens)
{
	v->doc->at = v->at + tokens;
	v->doc->depth = v->depth - 1;
}

size_t etc_json_rest(const struct etc_json_value *v)
{
	return (size_t)(v->doc->text.ptr + v->doc->text.len - v->raw.ptr);
}

struct etc_str etc_json_through(const struct etc_json_value *v)
{
	struct etc_json *j = v->doc;
	struct etc_str s = v->raw;

	if (j->failed || s.len == 0 || (s.ptr[0] != '{' && s.ptr[0] != '['))
		return s;
	s.len = (size_t)(etc_json_place(j, j->at) - s.ptr);
	return etc_str_trim(s);
}

void etc_json_reject(const struct etc_json_value *v, const char *expected)
{
	char why[sizeof v->doc->why];

	snprintf(why, sizeof why, "expected %s, found '%.*s'", expected,
	         (int)(v->raw.len < 24 ? v->raw.len : 24), v->raw.len ? v->raw.ptr : "");
	etc_json_fail(v->doc, v->raw.ptr, why);
}

void etc_json_forgive(struct etc_json *j)
{
	j->failed = j->unreadable;
	j->deep = false;
}

bool etc_json_unreadable(const struct etc_json *j)
{
	return j->unreadable;
}

bool etc_json_failed(const struct etc_json *j)
{
	return j->failed;
}

enum etc_status etc_json_check(struct etc_json *j, struct etc_error *err)
{
	etc_json_complete(j);
	if (!j->failed)
		return ETC_OK;
	if (j->deep)
		return etc_fail_at(err, E0408, j->failed_at,
		                   "lists and objects nest deeper than %d", ETC_LIMIT_JSON_DEPTH);
	return etc_fail_at(err, E0406, j->failed_at, "byte %zu of %zu: %s", j->failed_at,
	                   j->text.len, j->why);
}

enum etc_status etc_json_check_end(struct etc_json *j, struct etc_error *err)
{
	if (!j->failed && !j->scalar && etc_json_has(j, j->at))
		etc_json_fail(j, etc_json_place(j, j->at),
		              "something follows the end of the document");
	return etc_json_check(j, err);
}
