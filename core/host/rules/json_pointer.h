/* json_pointer.h -- a value inside a JSON text, by RFC 6901.
 *
 * The text was found valid before (etc_json_valid), so walking through it needs
 * no errors. Of keys that occur twice the last counts, as in Python. */
#ifndef ETC_HOST_JSON_POINTER_H
#define ETC_HOST_JSON_POINTER_H

#include "base/arena.h"

/* The value that `pointer` leads to ("" is all of it), as it is written; false
 * when there is none. False, too, when memory is short. */
bool etc_json_point(struct etc_str json, struct etc_str pointer, struct etc_arena *arena,
                    struct etc_str *out);

/* The text of a string token ("\"a\\n\""), escapes resolved: UTF-8, a lone
 * surrogate becomes U+FFFD. False: memory. */
bool etc_json_string(struct etc_str token, struct etc_arena *arena, struct etc_str *out);

#endif
