/* known.c -- see known.h */
#include "known.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t h, struct etcore_text text)
{
	uint64_t head = 0, tail = 0;

	if (text.len >= sizeof head) {
		memcpy(&head, text.ptr, sizeof head);
		memcpy(&tail, text.ptr + text.len - sizeof tail, sizeof tail);
	} else { /* reading eight bytes of which few were copied would wait for the copy */
		for (uint64_t i = 0; i < text.len; i++)
			head = head << 8 | (unsigned char)text.ptr[i];
	}
	h = (h ^ head ^ tail * 0x9e3779b97f4a7c15u ^ text.len) * 0xff51afd7ed558ccdu;
	return h ^ h >> 32;
}

static bool is_kind(const struct kleidiai_known_kind *k, const struct etcore_text *texts)
{
	const char *at = k->text;

	for (size_t i = 0; i < KLEIDIAI_KNOWN_TEXTS; at += k->len[i], i++)
		if (k->len[i] != texts[i].len ||
		    (texts[i].len && memcmp(at, texts[i].ptr, (size_t)texts[i].len) != 0))
			return false;
	return true;
}

/* Keeps the texts, which are `texts` from now on. */
static void keep(struct kleidiai_known_kind *k, struct etcore_text *texts)
{
	char *at = k->text;

	for (size_t i = 0; i < KLEIDIAI_KNOWN_TEXTS; at += k->len[i], i++) {
		if (texts[i].len)
			memcpy(at, texts[i].ptr, (size_t)texts[i].len);
		k->len[i] = texts[i].len;
		texts[i].ptr = at;
	}
}

static void learn(struct kleidiai_known_kind *k, const struct etcore_text *texts)
{
	const struct etcore_facts facts = { .size = sizeof facts,
		                            .operator_name = texts[0],
		                            .layout = texts[1],
		                            .types = texts[2],
		                            .kernel = texts[3],
		                            .precision = texts[4] };

	decide(&facts, &k->decision);
	k->told = false;
}

struct kleidiai_known_kind *kleidiai_known_find(struct kleidiai_known *known,
                                                const struct etcore_facts *facts)
{
	struct etcore_text texts[KLEIDIAI_KNOWN_TEXTS] = { facts->operator_name, facts->layout,
		                                           facts->types, facts->kernel,
		                                           facts->precision };
	struct kleidiai_known_kind **k;
	uint64_t h = 0, room = KLEIDIAI_KNOWN_LENGTH;
	size_t left = KLEIDIAI_KNOWN_TEXTS;

	if (!facts->operator_name.len)
		return NULL;
	for (size_t i = 0; i < KLEIDIAI_KNOWN_TEXTS && texts[i].len <= room; i++) {
		room -= texts[i].len;
		h = mix(h, texts[i]);
		left--;
	}
	k = &known->v[h % KLEIDIAI_KNOWN];
	if (!*k && left == 0)
		*k = calloc(1, sizeof **k);
	if (!*k || left > 0) {
		learn(&known->longer, texts);
		return &known->longer;
	}
	if (!is_kind(*k, texts)) {
		keep(*k, texts);
		learn(*k, texts);
	}
	return *k;
}

void kleidiai_known_release(struct kleidiai_known *known)
{
	for (size_t i = 0; i < KLEIDIAI_KNOWN; i++)
		free(known->v[i]);
}
