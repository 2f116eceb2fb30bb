/* recode.h -- converts bytes to text as Python's json.loads does.
 *
 * json.detect_encoding guesses UTF-8, -16 or -32 from the first bytes; the bytes are then
 * decoded with "surrogatepass". */
#ifndef PLUGINS_COREML_RECODE_H
#define PLUGINS_COREML_RECODE_H

#include "json.h"

/* Sets `*text` to the UTF-8 text of `bytes`. If it had to be converted, `*owned` is its memory,
 * which the caller frees; else `*owned` is NULL, and `*text` is a view of `bytes`.
 * PYJSON_VALUE_ERROR: Python raises UnicodeDecodeError. */
enum pyjson_status recode_to_utf8(struct etcore_bytes bytes, struct etcore_text *text,
                                  char **owned);

/* Writes one code point (surrogates are allowed) in one to four bytes; returns their number. */
size_t recode_put(uint32_t c, char *to);

#endif
