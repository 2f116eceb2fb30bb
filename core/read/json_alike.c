/* json_alike.c -- containers that are like one that was walked before. See json.h
 *
 * What a document holds follows from the first bytes of its tokens, and where tokens start
 * from the bytes since the first bracket, which is one itself. */
#include "read/json_document.h"

void etc_json_know(const struct etc_json_value *v, struct etc_json_known *known)
{
	const struct etc_json *j = v->doc;
	const bool whole = !j->failed && j->depth == v->depth - 1 && j->at > v->at + 1;

	*known = (struct etc_json_known){ *v, whole ? j->at - v->at : 0 };
}

/* The token without the blanks behind it. */
static struct etc_str token(const struct etc_json *j, uint32_t at)
{
	const uint32_t *x = j->index + at;

	return etc_str_trim((struct etc_str){ j->text.ptr + x[0], x[1] - x[0] });
}

/* Most keys are of 8 to 16 bytes. */
static bool same_bytes(const char *a, const char *b, size_t len)
{
	uint64_t x[2], y[2];

	if (len < 8 || len > 16)
		return memcmp(a, b, len) == 0;
	memcpy(&x[0], a, 8);
	memcpy(&y[0], b, 8);
	memcpy(&x[1], a + len - 8, 8);
	memcpy(&y[1], b + len - 8, 8);
	return x[0] == y[0] && x[1] == y[1];
}

/* Are the scalars, which are no keys, of one type? */
static bool same_type(const struct etc_json *j, uint32_t a, uint32_t b)
{
	const enum etc_json_type x = etc_json_classify(token(j, a));

	return x == etc_json_classify(token(j, b)) && x != ETC_JSON_BAD && x != ETC_JSON_OBJECT &&
	       x != ETC_JSON_ARRAY;
}

/* From a bracket to the one that closes it, so no token but that is the last one. */
static bool same_tokens(const struct etc_json *j, uint32_t a, uint32_t b, uint32_t count)
{
	static const bool mark[256] = {
		['{'] = true, ['}'] = true, ['['] = true, [']'] = true, [','] = true, [':'] = true
	};
	const char *text = j->text.ptr;
	const uint32_t *x = j->index + a, *y = j->index + b;

	for (uint32_t i = 0; i < count; i++) {
		const char c = text[x[i]];
		bool same = c == text[y[i]];

		if (same && mark[(uint8_t)c])
			continue;
		if (i + 1 == count)
			return false;
		if (same && c == '"' && text[x[i + 1]] == ':') /* the colon belongs to a key */
			same = x[i + 1] - x[i] == y[i + 1] - y[i] &&
			       same_bytes(text + x[i], text + y[i], x[i + 1] + 1 - x[i]);
		else if (!same || c != '"' || text[x[i + 1] - 1] != '"' ||
		         text[y[i + 1] - 1] != '"')
			same = same_type(j, a + i, b + i);
		if (!same)
			return false;
	}
	return true;
}

static bool same_text(const struct etc_json *j, uint32_t a, uint32_t b, uint32_t count)
{
	const size_t len = j->index[a + count - 1] + 1 - j->index[a];

	return etc_fits(j->text.len, j->index[b], len) &&
	       memcmp(j->text.ptr + j->index[a], j->text.ptr + j->index[b], len) == 0;
}

bool etc_json_alike(const struct etc_json_value *v, const struct etc_json_known *known)
{
	struct etc_json *j = v->doc;
	const uint32_t at = known->value.at, count = known->tokens;

	if (j->failed || count == 0 || known->value.doc != j || v->depth > known->value.depth ||
	    !etc_fits(j->count, v->at, count))
		return false;
	if (v->at != at && !same_text(j, at, v->at, count) && !same_tokens(j, at, v->at, count))
		return false;
	j->at = v->at + count;
	j->depth = v->depth - 1;
	return true;
}

void etc_json_forgive(struct etc_json *j)
{
	j->failed = j->deep = false;
}
