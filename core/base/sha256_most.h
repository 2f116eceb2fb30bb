/* sha256_most.h -- SHA-256 with the processor's SHA instructions, if the processor has them. */
#ifndef ETC_BASE_SHA256_MOST_H
#define ETC_BASE_SHA256_MOST_H

#include "base/sha256.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The constants of the 64 rounds. */
extern const uint32_t etc_sha256_round[64];

/* Hashes whole blocks of `bytes` into `h` with the processor's SHA instructions, and returns the
 * number of bytes hashed. Returns 0 if the processor has no such instructions, or if the input is
 * so short that checking for the instructions would take longer than they save. */
size_t etc_sha256_most(uint32_t h[8], struct etc_span bytes);

#ifdef __cplusplus
}
#endif
#endif
