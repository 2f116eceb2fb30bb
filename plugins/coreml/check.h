/* check.h -- checks whether Python's json.loads accepts a text. */
#ifndef PLUGINS_COREML_CHECK_H
#define PLUGINS_COREML_CHECK_H

#include "json.h"

/* A position in a text. */
struct pyjson_scan {
	const char *p, *end;
};

/* Checks one document and leaves `s` at its end. PYJSON_OK, _VALUE_ERROR or _TOO_DEEP. */
enum pyjson_status pyjson_check(struct pyjson_scan *s);

void pyjson_skip_space(struct pyjson_scan *s);

/* The number of the four digits after \u, or -1. */
int32_t pyjson_hex4(const char *p, const char *end);

#endif
