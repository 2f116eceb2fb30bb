/* crc32.h -- computes the CRC-32 of zip archives by carry-less multiplication, if the processor
 * supports it. This is ten times as fast as zlib, which matters for graphs of many megabytes. */
#ifndef ETC_FORMATS_CONTAINER_CRC32_H
#define ETC_FORMATS_CONTAINER_CRC32_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Continues `*crc` (0 at first), like zlib's crc32(), over the longest prefix of `bytes` that this
 * code can process. Returns the length of that prefix; the caller passes the rest to zlib. The
 * length is 0 for less than 64 bytes, and on processors without carry-less multiplication. */
size_t etc_crc32_most(uint32_t *crc, struct etc_span bytes);

#ifdef __cplusplus
}
#endif
#endif
