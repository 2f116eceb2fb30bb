/* vlq.h -- encodes integers in few letters: as Base64 VLQ, like source maps, but with signs as in
 * Protocol Buffers (zigzag).
 *
 * A number d is written as 2d, or -2d - 1 if negative, five bits per letter, the lowest first;
 * a letter's sixth bit means that more follow. The letters are those of Base64 (RFC 4648,
 * section 4). Arithmetic is modulo 2^64, so that the difference of any two numbers can be
 * encoded. */
#ifndef ETC_BASE_VLQ_H
#define ETC_BASE_VLQ_H

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Appends the difference `d` of two numbers, modulo 2^64: UINT64_MAX stands for -1. */
void etc_vlq_put(struct etc_text *t, uint64_t d);

/* Parses one number and removes it from the front of `*rest`. False: the number is truncated, has
 * an invalid character, or more than 64 bits. */
bool etc_vlq_take(struct etc_str *rest, uint64_t *d);

#ifdef __cplusplus
}
#endif
#endif
