/* json_pointer.h -- finds a value inside a JSON text by RFC 6901.
 *
 * The text must be valid JSON (etc_json_valid()), so the functions here report no syntax errors. If
 * an object has several equal keys, the last one is used, as in Python. */
#ifndef ETC_HOST_RULES_JSON_POINTER_H
#define ETC_HOST_RULES_JSON_POINTER_H

#include "base/arena.h"

/* Sets `*out` to the JSON text of the value at `pointer` ("" is the whole document). False: there
 * is no such value, or out of memory. */
bool etc_json_point(struct etc_str json, struct etc_str pointer, struct etc_arena *arena,
                    struct etc_str *out);

/* Sets `*out` to the text of a string token ("\"a\\n\"") with escapes resolved. It is UTF-8; a lone
 * surrogate becomes U+FFFD. False: out of memory. */
bool etc_json_string(struct etc_str token, struct etc_arena *arena, struct etc_str *out);

#endif
