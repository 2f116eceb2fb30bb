/* check.h -- checks whether Python's json.loads accepts a text. */
#ifndef PLUGINS_COREML_CHECK_H
#define PLUGINS_COREML_CHECK_H

#include "json.h"

/* A position in a text. */
struct pyjson_scan {
	const char *p, *end;
};

/* Checks that the whole text is one JSON document, with only white space around it. Moves `s` to
 * the end; after an error, the position of `s` is unspecified. Returns PYJSON_OK,
 * PYJSON_VALUE_ERROR or PYJSON_TOO_DEEP. */
enum pyjson_status pyjson_check(struct pyjson_scan *s);

void pyjson_skip_space(struct pyjson_scan *s);

/* Returns the number that the four hexadecimal digits after \u encode; -1: no four hexadecimal
 * digits follow. */
int32_t pyjson_hex4(const char *p, const char *end);

#endif
