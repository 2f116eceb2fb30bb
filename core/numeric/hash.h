/* hash.h -- XXH64 of bytes that come in pieces: equal tensors have equal hashes.
 *
 * No secret and no proof: it tells values apart at the speed of memory, where
 * SHA-256 would take ten times as long. Any xxHash library gives the same.
 * Source: doc/xxhash_spec.md of Cyan4973/xxHash. */
#ifndef ETC_NUMERIC_HASH_H
#define ETC_NUMERIC_HASH_H

#include "base/span.h"

struct etc_xxh64 {
	uint64_t lane[4], total;
	uint8_t rest[32]; /* not yet hashed */
	size_t rest_len;
};

void etc_xxh64_begin(struct etc_xxh64 *h);
void etc_xxh64_add(struct etc_xxh64 *h, struct etc_span bytes);
uint64_t etc_xxh64_end(const struct etc_xxh64 *h);

#endif
