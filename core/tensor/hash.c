/* hash.c -- see hash.h */
#include "tensor/hash.h"

#include "base/span.h"

enum { STRIPE = ETC_XXH64_STRIPE };

static const uint64_t prime1 = ETC_XXH64_PRIME1, prime2 = ETC_XXH64_PRIME2,
		      prime3 = 0x165667b19e3779f9u, prime4 = 0x85ebca77c2b2ae63u,
		      prime5 = 0x27d4eb2f165667c5u;

static uint64_t turn(uint64_t v, unsigned by)
{
	return v << by | v >> (64 - by);
}

void etc_xxh64_begin(struct etc_xxh64 *h)
{
	*h = (struct etc_xxh64){ .lane = { prime1 + prime2, prime2, 0, 0 - prime1 } };
}

/* Hashes all complete stripes (of STRIPE bytes) of the `len` bytes at `at`. Returns the number of
 * bytes hashed. */
static size_t add_stripes(struct etc_xxh64 *h, const uint8_t *at, size_t len)
{
	uint64_t a = h->lane[0], b = h->lane[1], c = h->lane[2], d = h->lane[3];
	size_t i = 0;

	for (; i + STRIPE <= len; i += STRIPE) {
		a = etc_xxh64_mix(a, etc_load64(at + i));
		b = etc_xxh64_mix(b, etc_load64(at + i + 8));
		c = etc_xxh64_mix(c, etc_load64(at + i + 16));
		d = etc_xxh64_mix(d, etc_load64(at + i + 24));
	}
	h->lane[0] = a;
	h->lane[1] = b;
	h->lane[2] = c;
	h->lane[3] = d;
	return i;
}

void etc_xxh64_add(struct etc_xxh64 *h, struct etc_span bytes)
{
	size_t n;

	if (bytes.len == 0)
		return;
	h->total += bytes.len;
	if (h->rest_len) {
		n = STRIPE - h->rest_len < bytes.len ? STRIPE - h->rest_len : bytes.len;
		memcpy(h->rest + h->rest_len, bytes.ptr, n);
		h->rest_len += n;
		bytes.ptr += n;
		bytes.len -= n;
		if (h->rest_len < STRIPE)
			return;
		add_stripes(h, h->rest, STRIPE);
		h->rest_len = 0;
	}
	n = add_stripes(h, bytes.ptr, bytes.len);
	h->rest_len = bytes.len - n;
	memcpy(h->rest, bytes.ptr + n, h->rest_len);
}

/* Returns the lanes combined to one number; prime5 if there was no complete stripe. */
static uint64_t merge(const struct etc_xxh64 *h)
{
	uint64_t v;

	if (h->total < STRIPE)
		return prime5;
	v = turn(h->lane[0], 1) + turn(h->lane[1], 7) + turn(h->lane[2], 12) + turn(h->lane[3], 18);
	for (unsigned i = 0; i < 4; i++)
		v = (v ^ etc_xxh64_mix(0, h->lane[i])) * prime1 + prime4;
	return v;
}

uint64_t etc_xxh64_end(const struct etc_xxh64 *h)
{
	uint64_t v = merge(h) + h->total;
	size_t i = 0;

	for (; i + 8 <= h->rest_len; i += 8)
		v = turn(v ^ etc_xxh64_mix(0, etc_load64(h->rest + i)), 27) * prime1 + prime4;
	if (i + 4 <= h->rest_len) {
		uint32_t word;

		memcpy(&word, h->rest + i, sizeof word);
		v = turn(v ^ word * prime1, 23) * prime2 + prime3;
		i += 4;
	}
	for (; i < h->rest_len; i++)
		v = turn(v ^ h->rest[i] * prime5, 11) * prime1;
	v = (v ^ v >> 33) * prime2;
	v = (v ^ v >> 29) * prime3;
	return v ^ v >> 32;
}
