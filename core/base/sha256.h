/* sha256.h -- SHA-256 (FIPS 180-4), streaming: identifies tensors and input files in reports.
 * Not for secrets. */
#ifndef ETC_BASE_SHA256_H
#define ETC_BASE_SHA256_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_SHA256_BYTES = 32, ETC_SHA256_BLOCK = 64 };

struct etc_sha256 {
	uint32_t h[8];
	uint64_t len; /* number of bytes so far */
	uint8_t block[ETC_SHA256_BLOCK];
};

void etc_sha256_init(struct etc_sha256 *s);
void etc_sha256_add(struct etc_sha256 *s, struct etc_span bytes);

/* Calls etc_sha256_add(). For use as a callback that gets the bytes piece by piece, such as an
 * etc_summary_tap; `sha256` is a struct etc_sha256. */
void etc_sha256_part(void *sha256, struct etc_span bytes);

/* Adds `count` zero bytes without a buffer. */
void etc_sha256_zeros(struct etc_sha256 *s, uint64_t count);

/* Completes the hash and writes it to `digest`. Call etc_sha256_init() before `s` is used again. */
void etc_sha256_end(struct etc_sha256 *s, uint8_t digest[ETC_SHA256_BYTES]);

/* Computes the hash of one piece of memory: init, add and end in one call. */
void etc_sha256_of(struct etc_span bytes, uint8_t digest[ETC_SHA256_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
