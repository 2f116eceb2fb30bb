/* recode.h -- converts bytes to text as Python's json.loads does.
 *
 * Python's json.detect_encoding() guesses from the first bytes whether they are UTF-8, UTF-16 or
 * UTF-32. Python then decodes them with the error handler "surrogatepass", which accepts lone
 * surrogates. */
#ifndef PLUGINS_COREML_RECODE_H
#define PLUGINS_COREML_RECODE_H

#include "json.h"

/* Sets `*text` to the UTF-8 text of `bytes`. If the text had to be converted, `*owned` is its
 * memory, which the caller frees; otherwise `*owned` is NULL, and `*text` is a view into `bytes`.
 * PYJSON_VALUE_ERROR: Python raises UnicodeDecodeError. */
enum pyjson_status recode_to_utf8(struct etcore_bytes bytes, struct etcore_text *text,
                                  char **owned);

/* Writes one code point (surrogates are allowed) in one to four bytes; returns their number. */
size_t recode_put(uint32_t c, char *to);

#endif
