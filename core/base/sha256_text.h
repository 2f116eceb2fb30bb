/* sha256_text.h -- SHA-256 as 64 hexadecimal digits. */
#ifndef ETC_BASE_SHA256_TEXT_H
#define ETC_BASE_SHA256_TEXT_H

#include "base/arena.h"
#include "base/span.h"

/* Returns the SHA-256 of the file `path` as 64 digits in the arena; NULL: the file cannot be read.
 * Sets `*bytes` to the file's size; `bytes` may be NULL. */
const char *etc_file_sha256(const char *path, struct etc_arena *arena, uint64_t *bytes);

/* Returns the SHA-256 of `bytes` as 64 digits in the arena; NULL: out of memory. */
const char *etc_hex_sha256(struct etc_span bytes, struct etc_arena *arena);

#endif
