/* parsers.c -- the metadata parsers of hooks.h */
#include "hooks.h"

#include "metadata.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(literal) ((struct etcore_text){ "" literal, sizeof(literal) - 1 })

static const struct etcore_text no_name = { "", 0 };

/* The argument of a parser in the Inspector: one blob per run, or no blob if no run has
 * metadata. */
struct blobs {
	const struct etcore_bytes *at;
	uint64_t count;
};

static struct blobs blobs_of(const struct etcore_call *call, uint32_t index)
{
	const struct etcore_event *event = call->events[index];

	return (struct blobs){ event->metadata, event->metadata ? event->samples : 0 };
}

/* ---- lists -------------------------------------------------------------- */

/* Returns the length of the UTF-8 sequence at p. If it is invalid, sets *bad and returns the length
 * of the part that Python replaces by a single U+FFFD. */
static size_t sequence(const uint8_t *p, const uint8_t *end, bool *bad)
{
	uint8_t low = 0x80, high = 0xbf; /* limits of the second byte */
	size_t want = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;

	*bad = want == 0 || *p > 0xf4;
	if (*bad || want == 1)
		return 1;
	if (*p == 0xe0)
		low = 0xa0;
	else if (*p == 0xed)
		high = 0x9f;
	else if (*p == 0xf0)
		low = 0x90;
	else if (*p == 0xf4)
		high = 0x8f;
	for (size_t n = 1; n < want; n++) {
		if (p + n == end || p[n] < low || p[n] > high) {
			*bad = true;
			return n;
		}
		low = 0x80;
		high = 0xbf;
	}
	return want;
}

/* Passes what bytes.decode("utf-8", "replace") returns for the blob. */
static etcore_result put_text(struct etcore_bytes blob, const struct etcore_sink *out)
{
	const uint8_t *p = blob.ptr, *end = p + blob.len;
	char *text, *to;
	etcore_result r;

	if (blob.len == 0)
		return out->str(out->handle, no_name, no_name);
	text = to = malloc((size_t)blob.len * 3);
	if (!text)
		return ETCORE_NOMEM;
	while (p < end) {
		bool bad;
		size_t n = sequence(p, end, &bad);

		if (bad) {
			memcpy(to, "\xef\xbf\xbd", 3);
			to += 3;
		} else {
			memcpy(to, p, n);
			to += n;
		}
		p += n;
	}
	r = out->str(out->handle, no_name, (struct etcore_text){ text, (uint64_t)(to - text) });
	free(text);
	return r;
}

etcore_result parse_utf8(void *self, const struct etcore_call *call, uint32_t index,
                         const struct etcore_sink *out)
{
	struct blobs blobs = blobs_of(call, index);
	etcore_result r = out->begin_list(out->handle);

	(void)self;
	for (uint64_t i = 0; i < blobs.count && r == ETCORE_OK; i++)
		r = put_text(blobs.at[i], out);
	return r;
}

etcore_result parse_text_each(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_sink *out)
{
	return parse_utf8(self, call, index, out);
}

etcore_result parse_neutron_function(void *self, const struct etcore_call *call, uint32_t index,
                                     const struct etcore_sink *out)
{
	struct blobs blobs = blobs_of(call, index);
	etcore_result r = out->begin_list(out->handle);

	(void)self;
	for (uint64_t i = 0; i < blobs.count && r == ETCORE_OK; i++) {
		struct etcore_bytes blob = blobs.at[i];
		char text[32];
		int len;

		if (blob.len != 1)
			len = snprintf(text, sizeof text, "Invalid metadata size");
		else if (blob.ptr[0] == 0)
			len = snprintf(text, sizeof text, "Profiling dump");
		else
			len = snprintf(text, sizeof text, "Neutron kernel %u", blob.ptr[0]);
		r = out->str(out->handle, no_name, (struct etcore_text){ text, (uint64_t)len });
	}
	return r;
}

/* ---- dicts -------------------------------------------------------------- */

etcore_result parse_summary(void *self, const struct etcore_call *call, uint32_t index,
                            const struct etcore_sink *out)
{
	struct blobs blobs = blobs_of(call, index);
	uint64_t bytes = 0;
	etcore_result r;

	(void)self;
	for (uint64_t i = 0; i < blobs.count; i++)
		bytes += blobs.at[i].len;
	r = out->i64(out->handle, TEXT("entries"), (int64_t)blobs.count);
	if (r == ETCORE_OK)
		r = out->i64(out->handle, TEXT("bytes"), (int64_t)bytes);
	return r;
}

/* A member of a JSON object. As in Python, one of several equal keys counts: it has the position of
 * the first and the value of the last. */
struct member {
	struct etcore_text key;
	char *owned;
	struct pyjson_value value;
	uint64_t place;
};

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	uint64_t shorter = x->key.len < y->key.len ? x->key.len : y->key.len;
	int order = shorter ? memcmp(x->key.ptr, y->key.ptr, (size_t)shorter) : 0;

	if (order == 0)
		order = (x->key.len > y->key.len) - (x->key.len < y->key.len);
	return order ? order : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

static bool same_key(const struct member *x, const struct member *y)
{
	return x->key.len == y->key.len &&
	       (x->key.len == 0 || memcmp(x->key.ptr, y->key.ptr, (size_t)x->key.len) == 0);
}

/* Unites members with equal keys: the position of the first, the value of the last. Returns the
 * number of members that are left. */
static uint64_t unite(struct member *members, uint64_t count)
{
	uint64_t kept = 0;

	qsort(members, (size_t)count, sizeof *members, by_key);
	for (uint64_t i = 0; i < count; i++) {
		if (kept > 0 && same_key(&members[kept - 1], &members[i])) {
			members[kept - 1].value = members[i].value;
			free(members[i].owned);
		} else {
			members[kept++] = members[i];
		}
	}
	qsort(members, (size_t)kept, sizeof *members, by_place);
	return kept;
}

static etcore_result put_members(struct pyjson_value object, const struct etcore_sink *out)
{
	struct pyjson_value key, value;
	struct member *members;
	uint64_t at = 0, count = 0;
	etcore_result r = ETCORE_OK;

	while (pyjson_member(object, &at, &key, &value))
		count++;
	if (count == 0)
		return ETCORE_OK;
	members = calloc((size_t)count, sizeof *members);
	if (!members)
		return ETCORE_NOMEM;
	at = 0;
	count = 0;
	while (r == ETCORE_OK && pyjson_member(object, &at, &key, &value)) {
		struct member *m = &members[count];

		m->value = value;
		m->place = count++;
		r = pyjson_string(key, &m->key, &m->owned);
	}
	if (r == ETCORE_OK)
		count = unite(members, count);
	for (uint64_t i = 0; i < count; i++) {
		if (r == ETCORE_OK)
			r = pyjson_put(members[i].value, members[i].key, out);
		free(members[i].owned);
	}
	free(members);
	return r;
}

/* Passes the members of a blob that is a JSON object, and then sets *taken. Passes nothing if
 * Python raises ValueError for the blob. Other exceptions are errors, because the Python functions
 * do not catch them. */
static etcore_result put_object(struct etcore_bytes blob, const struct etcore_sink *out,
                                bool *taken)
{
	struct pyjson doc;
	enum pyjson_status st = pyjson_load(&doc, blob);
	etcore_result r = ETCORE_OK;

	*taken = false;
	if (st == PYJSON_VALUE_ERROR)
		return ETCORE_OK;
	if (st != PYJSON_OK)
		return st == PYJSON_NOMEM ? ETCORE_NOMEM : ETCORE_CORRUPT;
	if (doc.root.kind == PYJSON_OBJECT) {
		*taken = true;
		r = put_members(doc.root, out);
	}
	pyjson_release(&doc);
	return r;
}

etcore_result parse_json(void *self, const struct etcore_call *call, uint32_t index,
                         const struct etcore_sink *out)
{
	struct blobs blobs = blobs_of(call, index);
	etcore_result r = ETCORE_OK;
	bool taken = false;

	(void)self;
	for (uint64_t i = 0; i < blobs.count && r == ETCORE_OK && !taken; i++)
		r = put_object(blobs.at[i], out, &taken);
	return r;
}

etcore_result parse_json_keys(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_sink *out)
{
	struct blobs blobs = blobs_of(call, index);
	bool taken;

	(void)self;
	return blobs.count ? put_object(blobs.at[0], out, &taken) : ETCORE_OK;
}

/* Calls the parser of the Core ML plugin, which does what this Python function does. */
etcore_result parse_coreml_json(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_sink *out)
{
	return coreml_parse_metadata(self, call, index, out);
}
