/* crc32.h -- the CRC-32 of zip archives with carry-less multiplication where the processor
 * supports it: ten times zlib's speed, for graphs of many megabytes. */
#ifndef ETC_READ_CRC32_H
#define ETC_READ_CRC32_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Continues `*crc` (0 at first), like zlib's crc32(), over the longest prefix of `bytes` that it
 * can process, and returns the length of that prefix. It is 0 on other processors and for less than
 * 64 bytes; the caller passes the rest to zlib. */
size_t etc_crc32_most(uint32_t *crc, struct etc_span bytes);

#ifdef __cplusplus
}
#endif
#endif
