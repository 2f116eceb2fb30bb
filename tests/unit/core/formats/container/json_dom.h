/* json_dom.h -- parses a JSON text with simdjson's own parser, to compare etc_json with it. */
#ifndef ETC_UNIT_JSON_DOM_H
#define ETC_UNIT_JSON_DOM_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum json_dom { JSON_DOM_REFUSED, JSON_DOM_NUMBER, JSON_DOM_READ };

/* Parses `text`, and writes its values in their order to `out`, with escapes resolved: n, t and f
 * for null, true and false; i<integer>; d<hexadecimal float>; s<bytes>:<text>; [...];
 * {s<key><value>...}. The caller frees `out`, which is empty if JSON_DOM_READ is not returned.
 * JSON_DOM_NUMBER: a number is invalid, or too large for simdjson. */
enum json_dom json_dom(const char *text, size_t len, struct etc_str *out);

#ifdef __cplusplus
}
#endif
#endif
