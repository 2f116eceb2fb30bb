/* known.c -- caches parsed names; see known.h */
#include "known.h"

#include <stdlib.h>
#include <string.h>

/* Returns the index in the cache for a text: a hash of its length, its beginning and its end. Many
 * names have the same beginning, but differ in the kernel, which is at the end. */
static uint64_t place(struct etcore_text text)
{
	uint64_t head = 0, tail = 0, h;

	if (text.len >= sizeof head) {
		memcpy(&head, text.ptr, sizeof head);
		memcpy(&tail, text.ptr + text.len - sizeof tail, sizeof tail);
	} else {
		memcpy(&head, text.ptr, (size_t)text.len);
	}
	tail ^= tail >> 32;
	h = head ^ (tail * 0x9e3779b97f4a7c15u) ^ text.len;
	h = (h ^ (h >> 32)) * 0xff51afd7ed558ccdu;
	return (h >> 32) % XNNPACK_KNOWN;
}

static struct etcore_text word(const char *text)
{
	return (struct etcore_text){ text, text ? strlen(text) : 0 };
}

static void learn(struct xnnpack_known_name *k, struct etcore_text text)
{
	k->is_name = xnnpack_name_parse_rest(text, &k->name);
	if (!k->is_name)
		return;
	k->is_typical = xnnpack_name_is_typical(&k->name);
	xnnpack_classify(&k->name, &k->class);
	k->category = word(k->class.category);
	k->precision = word(k->class.precision);
	k->variant = word(k->class.variant);
}

struct xnnpack_known_name *xnnpack_known_find(struct xnnpack_known *known, struct etcore_text text)
{
	struct xnnpack_known_name *k = &known->longer;
	int64_t ordinal;

	if (!xnnpack_name_take_ordinal(&text, &ordinal))
		return NULL;
	if (text.len <= XNNPACK_KNOWN_LENGTH) {
		struct xnnpack_known_name **at = &known->v[place(text)];

		if (!*at)
			*at = calloc(1, sizeof **at);
		k = *at ? *at : k;
	}
	if (k == &known->longer) {
		learn(k, text);
	} else if (k->len != text.len || memcmp(k->text, text.ptr, (size_t)text.len) != 0) {
		memcpy(k->text, text.ptr, (size_t)text.len);
		k->len = text.len;
		learn(k, (struct etcore_text){ k->text, k->len });
	}
	k->name.ordinal = ordinal;
	return k->is_name ? k : NULL;
}

void xnnpack_known_release(struct xnnpack_known *known)
{
	for (size_t i = 0; i < XNNPACK_KNOWN; i++)
		free(known->v[i]);
}
