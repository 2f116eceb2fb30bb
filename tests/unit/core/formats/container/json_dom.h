/* json_dom.h -- a JSON text as simdjson's own parser has it: what etc_json is held against. */
#ifndef ETC_UNIT_JSON_DOM_H
#define ETC_UNIT_JSON_DOM_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum json_dom { JSON_DOM_REFUSED, JSON_DOM_NUMBER, JSON_DOM_READ };

/* The values in the order of the text, escapes resolved, into `out` (malloc; empty unless read):
 * n t f, i<integer>; d<hexadecimal float>; s<bytes>:<text> [...] {s<key><value>...}
 * JSON_DOM_NUMBER: a number is wrong, or of a size that simdjson does not take. */
enum json_dom json_dom(const char *text, size_t len, struct etc_str *out);

#ifdef __cplusplus
}
#endif
#endif
