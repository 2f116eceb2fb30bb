/* hash.h -- XXH64 of bytes that arrive in pieces: equal tensors have equal hashes.
 *
 * Not cryptographic: it is as fast as memory can be read, ten times faster than SHA-256. Any xxHash
 * library computes the same hash. Source: doc/xxhash_spec.md of Cyan4973/xxHash. */
#ifndef ETC_TENSOR_HASH_H
#define ETC_TENSOR_HASH_H

#include "base/span.h"

struct etc_xxh64 {
	uint64_t lane[4], total;
	/* the last bytes so far, which do not fill a stripe and are not hashed yet */
	uint8_t rest[32];
	size_t rest_len;
};

#define ETC_XXH64_PRIME1 ((uint64_t)0x9e3779b185ebca87u)
#define ETC_XXH64_PRIME2 ((uint64_t)0xc2b2ae3d27d4eb4fu)

enum { ETC_XXH64_STRIPE = 32 };

static inline uint64_t etc_xxh64_mix(uint64_t lane, uint64_t word)
{
	lane += word * ETC_XXH64_PRIME2;
	return (lane << 31 | lane >> 33) * ETC_XXH64_PRIME1;
}

void etc_xxh64_begin(struct etc_xxh64 *h);
void etc_xxh64_add(struct etc_xxh64 *h, struct etc_span bytes);
uint64_t etc_xxh64_end(const struct etc_xxh64 *h);

#endif
