/* known.c -- see known.h */
#include "known.h"

#include <string.h>

/* By the length and both ends: operators begin alike, ordinals stand last. */
static uint64_t place(struct etcore_text text)
{
	uint64_t head = 0, tail = 0, n = text.len < sizeof head ? text.len : sizeof head, h;

	memcpy(&head, text.ptr, n);
	memcpy(&tail, text.ptr + text.len - n, n);
	tail ^= tail >> 32;
	h = head ^ (tail * 0x9e3779b97f4a7c15u) ^ text.len;
	h = (h ^ (h >> 32)) * 0xff51afd7ed558ccdu;
	return (h >> 32) % XNNPACK_KNOWN;
}

const struct xnnpack_known_name *xnnpack_known_find(struct xnnpack_known *known,
                                                    struct etcore_text text)
{
	struct xnnpack_known_name *k = &known->longer;

	if (text.len && text.len <= XNNPACK_KNOWN_LENGTH) {
		k = &known->v[place(text)];
		if (k->len == text.len && memcmp(k->text, text.ptr, (size_t)text.len) == 0)
			return k->is_name ? k : NULL;
		memcpy(k->text, text.ptr, (size_t)text.len);
		k->len = text.len;
		text.ptr = k->text;
	}
	k->is_name = xnnpack_name_parse(text, &k->name);
	if (k->is_name)
		xnnpack_classify(&k->name, &k->class);
	return k->is_name ? k : NULL;
}
