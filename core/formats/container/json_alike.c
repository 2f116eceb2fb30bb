/* json_alike.c -- recognises objects and lists that differ only in their scalars from one that was
 * walked before. See json.h.
 *
 * Between two scalars there are only keys and punctuation. If this text has the same bytes in both,
 * it has the same tokens. So it is compared as bytes, and the index of tokens is used only to find
 * the scalars. */
#include "formats/container/json_document.h"

/* Compares texts that are mostly short: keys and the punctuation around them. */
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

/* Returns the type of the scalar from offset `from` to offset `to`, where the next token starts. */
static enum etc_json_type type_of(const char *text, uint32_t from, uint32_t to)
{
	if (text[from] == '"' && text[to - 1] == '"' && to - from > 1)
		return ETC_JSON_STRING;
	return etc_json_classify(etc_str_trim((struct etc_str){ text + from, to - from }));
}

/* Does the scalar between offsets `from` and `to` have the type of the remembered scalar `hole`?
 * Compares the bytes first, because most scalars are equal to the remembered ones. */
static bool fits(const struct etc_json_known *k, const struct etc_json_hole *hole, const char *text,
                 uint32_t from, uint32_t to)
{
	if (hole->type != ETC_JSON_STRING && to - from == hole->size &&
	    memcmp(text + from, k->text + hole->from + hole->len, hole->size) == 0)
		return true;
	return type_of(text, from, to) == hole->type;
}

static bool is_like(const struct etc_json_value *v, const struct etc_json_known *k)
{
	struct etc_json *j = v->doc;
	const uint32_t *x = NULL;
	uint32_t from;

	if (j->failed || k->tokens == 0 || k->doc != j || v->depth > k->depth ||
	    etc_json_page(j, v->at, &x) < k->tokens)
		return false;
	/* Compare the bytes of the complete container first, because tables of tensors repeat the
	 * same container thousands of times. */
	from = x[k->tokens - 1] + 1 - x[0];
	if (from == k->from + k->len && same_bytes(j->base + x[0], k->text, from))
		return true;
	from = x[0];
	for (uint32_t i = 0; i < k->count; i++) {
		const struct etc_json_hole *hole = &k->holes[i];

		if (x[hole->token] - from != hole->len ||
		    !same_bytes(j->base + from, k->text + hole->from, hole->len))
			return false;
		from = x[hole->token + 1];
		if (!fits(k, hole, j->base, x[hole->token], from))
			return false;
	}
	return x[k->tokens - 1] + 1 - from == k->len &&
	       same_bytes(j->base + from, k->text + k->from, k->len);
}

uint32_t etc_json_like(struct etc_json_likes *l, const struct etc_json_value *v)
{
	uint32_t at = l->then[l->last];

	if (!is_like(v, &l->known[at]))
		for (at = 0; at < ETC_JSON_LIKES && !is_like(v, &l->known[at]);)
			at++;
	if (at == ETC_JSON_LIKES)
		return at;
	etc_json_pass(v, l->known[at].tokens);
	l->then[l->last] = (uint8_t)at;
	l->last = (uint8_t)at;
	return at;
}

/* Is the token at x[0] a bracket, comma, colon or key? x[1] is the offset of the next token. */
static bool is_frame(const char *text, const uint32_t *x)
{
	return memchr("{}[],:", text[x[0]], 6) || (text[x[0]] == '"' && text[x[1]] == ':');
}

/* Finds the scalars of a container. A token follows each scalar, at least the closing bracket. */
static bool find_holes(struct etc_arena *arena, const struct etc_json_value *v,
                       const struct etc_json_mark *marks, uint32_t count, struct etc_json_known *k)
{
	struct etc_json *j = v->doc;
	const uint32_t *x = NULL;
	uint32_t from, m = 0;

	if (etc_json_page(j, v->at, &x) < k->tokens)
		return false;
	from = x[0];
	for (uint32_t i = 0; i + 1 < k->tokens; i++) {
		const bool marked = m < count && marks[m].token == v->at + i;
		const uint32_t mark = marked ? marks[m++].name : ETC_JSON_UNMARKED;
		struct etc_json_hole *hole;

		if (mark == ETC_JSON_SAME || is_frame(j->base, x + i))
			continue;
		hole = ETC_APPEND(arena, k->holes, k->count, k->room);
		if (!hole)
			return false;
		*hole = (struct etc_json_hole){ .token = i,
			                        .from = from - x[0],
			                        .len = x[i] - from,
			                        .size = x[i + 1] - x[i],
			                        .mark = mark,
			                        .type = type_of(j->base, x[i], x[i + 1]) };
		if (hole->type == ETC_JSON_BAD)
			return false;
		from = x[i + 1];
	}
	k->from = from - x[0];
	k->len = x[k->tokens - 1] + 1 - from;
	return true;
}

uint32_t etc_json_learn(struct etc_json_likes *l, const struct etc_json_value *v,
                        const struct etc_json_mark *marks, uint32_t count)
{
	const uint32_t at = (l->newest + 1U) % ETC_JSON_LIKES;
	struct etc_json_known *k = &l->known[at];

	k->doc = v->doc;
	k->text = v->raw.ptr;
	k->depth = v->depth;
	k->count = 0;
	k->tokens = etc_json_tokens(v);
	if (k->tokens == 0 || !find_holes(l->arena, v, marks, count, k)) {
		k->tokens = 0;
		return ETC_JSON_LIKES;
	}
	l->newest = (uint8_t)at;
	l->then[l->last] = (uint8_t)at;
	l->last = (uint8_t)at;
	return at;
}

struct etc_json_value etc_json_in_hole(const struct etc_json_value *v,
                                       const struct etc_json_hole *hole)
{
	struct etc_json *j = v->doc;
	struct etc_json_value scalar = { .doc = j,
		                         .at = v->at + hole->token,
		                         .depth = v->depth + 1 };
	const uint32_t *x;

	if (etc_json_page(j, scalar.at, &x) < 2) /* cannot happen: the container lies in one page */
		return scalar;
	scalar.raw = (struct etc_str){ j->base + x[0], x[1] - x[0] };
	if ((uint8_t)scalar.raw.ptr[scalar.raw.len - 1] <= ' ')
		scalar.raw = etc_str_trim(scalar.raw);
	return scalar;
}
