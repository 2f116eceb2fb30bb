/* known.c -- caches the results of decide(); see known.h */
#include "known.h"

#include <stdlib.h>
#include <string.h>

/* Returns the last eight bytes of a text as a number. For a shorter text, the number is combined
 * from smaller reads of the text. Copying the text to a buffer and reading eight bytes of it would
 * be slow, because a read that is wider than the write before it has to wait for that write (store
 * forwarding). */
static uint64_t end_of(struct etcore_text text)
{
	uint64_t word = 0;
	uint32_t low, high;

	if (text.len >= sizeof word) {
		memcpy(&word, text.ptr + text.len - sizeof word, sizeof word);
	} else if (text.len >= sizeof low) {
		memcpy(&low, text.ptr, sizeof low);
		memcpy(&high, text.ptr + text.len - sizeof high, sizeof high);
		word = (uint64_t)high << 32 | low;
	} else if (text.len) {
		word = (uint64_t)(unsigned char)text.ptr[0] |
		       (uint64_t)(unsigned char)text.ptr[text.len / 2] << 8 |
		       (uint64_t)(unsigned char)text.ptr[text.len - 1] << 16;
	}
	return word;
}

static bool is_kind(const struct kleidiai_known_kind *k, const struct etcore_text *texts,
                    const uint64_t *end)
{
	const char *at = k->text;

	for (size_t i = 0; i < KLEIDIAI_KNOWN_TEXTS; at += k->len[i], i++)
		if (k->len[i] != texts[i].len || k->end[i] != end[i] ||
		    (texts[i].len > sizeof *end &&
		     memcmp(at, texts[i].ptr, (size_t)texts[i].len - sizeof *end) != 0))
			return false;
	return true;
}

/* Copies the texts into k->text, and makes `texts` point to the copies. */
static void keep(struct kleidiai_known_kind *k, struct etcore_text *texts, const uint64_t *end)
{
	char *at = k->text;

	for (size_t i = 0; i < KLEIDIAI_KNOWN_TEXTS; at += k->len[i], i++) {
		if (texts[i].len)
			memcpy(at, texts[i].ptr, (size_t)texts[i].len);
		k->len[i] = texts[i].len;
		k->end[i] = end[i];
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
	uint64_t h = 0, room = KLEIDIAI_KNOWN_LENGTH, end[KLEIDIAI_KNOWN_TEXTS];
	size_t left = KLEIDIAI_KNOWN_TEXTS;

	if (!facts->operator_name.len)
		return NULL;
	for (size_t i = 0; i < KLEIDIAI_KNOWN_TEXTS && texts[i].len <= room; i++) {
		room -= texts[i].len;
		end[i] = end_of(texts[i]);
		h = (h ^ end[i] ^ texts[i].len) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
		left--;
	}
	k = &known->v[h % KLEIDIAI_KNOWN];
	if (!*k && left == 0)
		*k = calloc(1, sizeof **k);
	if (!*k || left > 0) {
		learn(&known->longer, texts);
		return &known->longer;
	}
	if (!is_kind(*k, texts, end)) {
		keep(*k, texts, end);
		learn(*k, texts);
	}
	return *k;
}

void kleidiai_known_release(struct kleidiai_known *known)
{
	for (size_t i = 0; i < KLEIDIAI_KNOWN; i++)
		free(known->v[i]);
}
