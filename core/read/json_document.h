/* json_document.h -- an open JSON document; not for others than json.cpp and json_walk.c. */
#ifndef ETC_READ_JSON_DOCUMENT_H
#define ETC_READ_JSON_DOCUMENT_H

#include "read/json.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_json {
	struct etc_str text;   /* without blanks around it */
	const uint32_t *index; /* where each token starts in the text, brackets and commas too */
	uint32_t count;        /* tokens */
	uint32_t at;           /* the token that comes next; `count` at the end */
	uint32_t depth;        /* of what comes next: 1 for the root, 0 behind it */
	bool scalar;           /* the root is no container: there is no index */
	bool failed, deep;
	size_t failed_at; /* byte of the text */
	char why[96];
};

/* What simdjson says where brackets, commas and colons are wrong. */
const char *etc_json_improper(void);

/* Records an error at `at`, unless there is one. */
void etc_json_fail(struct etc_json *j, const char *at, const char *why);

#ifdef __cplusplus
}
#endif
#endif
