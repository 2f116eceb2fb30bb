/* sha256.c -- see sha256.h */
#include "base/sha256.h"

#include "base/attr.h"
#include "base/progress.h"
#include "base/sha256_most.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const uint32_t etc_sha256_round[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t ror(uint32_t v, unsigned n)
{
	return v >> n | v << (32 - n);
}

static uint32_t load_big(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_big(uint8_t *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* Computes round `i`. v[0..7] are the variables a to h of FIPS 180-4, rotated by the round number,
 * so that no values move. The compiler unrolls eight rounds, and the indices become constants. */
static ETC_INLINE void turn(uint32_t v[8], unsigned i, uint32_t word)
{
	uint32_t a = v[(8 - i) & 7], b = v[(9 - i) & 7], c = v[(10 - i) & 7];
	uint32_t e = v[(12 - i) & 7], f = v[(13 - i) & 7], g = v[(14 - i) & 7];
	uint32_t *d = &v[(11 - i) & 7], *h = &v[(15 - i) & 7];
	uint32_t one = *h + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & g)) + word;

	*d += one;
	*h = one + (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void compress(uint32_t state[8], const uint8_t *block)
{
	const uint32_t *k = etc_sha256_round;
	uint32_t w[64], v[8];

	for (unsigned i = 0; i < 16; i++)
		w[i] = load_big(block + 4 * i);
	for (unsigned i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) +
		       (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
	}
	memcpy(v, state, sizeof v);
	for (unsigned i = 0; i < 64; i += 8) {
		turn(v, 0, k[i] + w[i]);
		turn(v, 1, k[i + 1] + w[i + 1]);
		turn(v, 2, k[i + 2] + w[i + 2]);
		turn(v, 3, k[i + 3] + w[i + 3]);
		turn(v, 4, k[i + 4] + w[i + 4]);
		turn(v, 5, k[i + 5] + w[i + 5]);
		turn(v, 6, k[i + 6] + w[i + 6]);
		turn(v, 7, k[i + 7] + w[i + 7]);
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

void etc_sha256_init(struct etc_sha256 *s)
{
	/* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
	static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memcpy(s->h, start, sizeof s->h);
	s->len = 0;
}

/* Hashes all whole blocks of `bytes` into `state`; returns the number of bytes hashed. */
static size_t compress_all(uint32_t state[8], struct etc_span bytes)
{
	size_t at = etc_sha256_most(state, bytes);

	for (; bytes.len - at >= ETC_SHA256_BLOCK; at += ETC_SHA256_BLOCK)
		compress(state, bytes.ptr + at);
	return at;
}

void etc_sha256_add(struct etc_sha256 *s, struct etc_span bytes)
{
	size_t used = s->len % ETC_SHA256_BLOCK;

	s->len += bytes.len;
	while (bytes.len) {
		size_t n = ETC_SHA256_BLOCK - used;

		if (used == 0 && bytes.len >= ETC_SHA256_BLOCK) {
			n = compress_all(s->h, bytes);
		} else {
			n = n < bytes.len ? n : bytes.len;
			memcpy(s->block + used, bytes.ptr, n);
			used += n;
			if (used < ETC_SHA256_BLOCK)
				return;
			compress(s->h, s->block);
			used = 0;
		}
		bytes.ptr += n;
		bytes.len -= n;
	}
}

void etc_sha256_part(void *sha256, struct etc_span bytes)
{
	etc_sha256_add(sha256, bytes);
}

void etc_sha256_zeros(struct etc_sha256 *s, uint64_t count)
{
	static const uint8_t zeros[ETC_SHA256_BLOCK * 16] = { 0 };

	while (count) {
		size_t n = count < sizeof zeros ? (size_t)count : sizeof zeros;

		etc_sha256_add(s, (struct etc_span){ zeros, n });
		count -= n;
	}
}

void etc_sha256_end(struct etc_sha256 *s, uint8_t digest[ETC_SHA256_BYTES])
{
	uint64_t bits = s->len * 8;
	uint8_t tail[8];

	etc_sha256_add(s, (struct etc_span){ (const uint8_t *)"\x80", 1 });
	etc_sha256_zeros(s, (ETC_SHA256_BLOCK + 56 - s->len % ETC_SHA256_BLOCK) % ETC_SHA256_BLOCK);
	store_big(tail, (uint32_t)(bits >> 32));
	store_big(tail + 4, (uint32_t)bits);
	etc_sha256_add(s, (struct etc_span){ tail, sizeof tail });
	for (unsigned i = 0; i < 8; i++)
		store_big(digest + 4 * i, s->h[i]);
}

void etc_sha256_of(struct etc_span bytes, uint8_t digest[ETC_SHA256_BYTES])
{
	struct etc_sha256 s;

	enum { PIECE = 16 << 20 };

	etc_sha256_init(&s);
	for (size_t at = 0; at < bytes.len; at += PIECE) {
		etc_sha256_add(&s, (struct etc_span){ bytes.ptr + at, bytes.len - at < PIECE
		                                                              ? bytes.len - at
		                                                              : PIECE });
		etc_progress("hashing", NULL, at, bytes.len);
	}
	etc_sha256_end(&s, digest);
}
