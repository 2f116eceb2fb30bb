/* gzip.h -- unpacks inputs compressed with gzip, which are recognised by their first bytes, not by
 * their name.
 *
 * An input may inflate to 16 MiB, or to 64 times its size if that is more; entries of zip archives
 * have the same limit. Several gzip members in a row are one file, as for gunzip. */
#ifndef ETC_FORMATS_CONTAINER_GZIP_H
#define ETC_FORMATS_CONTAINER_GZIP_H

#include "base/error.h"
#include "base/text.h"

bool etc_gzip_is(struct etc_span bytes);

/* Recognises a compressed file or archive by its first bytes, for messages. Returns its format:
 * "gzip", "xz", "zstd", "bzip2", "lz4", "7z" or "tar"; NULL: it is none of these. */
const char *etc_packed_kind(struct etc_span bytes);

/* Decompresses `packed` into `*out`, which the caller frees with free(). E0531 inflates beyond the
 * limit, E0532 damaged or truncated, E0904. */
enum etc_status etc_gzip_unpack(struct etc_span packed, struct etc_span *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Compresses `bytes` and appends the result to `out`. The header has no time and no name, so equal
 * bytes give equal output. E0904. */
enum etc_status etc_gzip_pack(struct etc_span bytes, struct etc_text *out,
                              struct etc_error *err) ETC_MUST_CHECK;

#endif
