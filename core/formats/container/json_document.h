/* json_document.h -- an open JSON document; not for others than json.cpp and json_walk.c. */
#ifndef ETC_READ_JSON_DOCUMENT_H
#define ETC_READ_JSON_DOCUMENT_H

#include "formats/container/json.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_json {
	struct etc_str text; /* without blanks around it */
	/* The page of the index at hand: where each of its tokens starts, counted from `base`;
	 * brackets and commas are tokens, too. A short text has one page. */
	const uint32_t *index;
	const char *base;
	uint32_t first, have; /* number of its first token, and how many there are */
	uint32_t at;          /* the token that comes next */
	uint32_t depth;       /* of what comes next: 1 for the root, 0 behind it */
	bool scalar;          /* the root is no container: there is no index */
	bool failed, deep;
	bool unreadable;  /* failed: there is no index of the text as a whole */
	size_t failed_at; /* byte of the text */
	char why[96];
};

/* The message for wrong brackets, commas and colons. */
const char *etc_json_improper(void);

/* Takes the page with the token at hand; false: it is behind the last one. */
bool etc_json_turn(struct etc_json *j, uint32_t token);

/* Makes sure that there is an index of the whole text. */
void etc_json_complete(struct etc_json *j);

static inline bool etc_json_has(struct etc_json *j, uint32_t token)
{
	return token - j->first < j->have || etc_json_turn(j, token);
}

/* The start of a token; after the last one, the end of the text. */
static inline const char *etc_json_place(struct etc_json *j, uint32_t token)
{
	return etc_json_has(j, token) ? j->base + j->index[token - j->first]
	                              : j->text.ptr + j->text.len;
}

/* How many tokens are at hand from `token` on, which is `(*x)[0]`; 0: it is behind the last. */
static inline uint32_t etc_json_page(struct etc_json *j, uint32_t token, const uint32_t **x)
{
	*x = NULL;
	if (!etc_json_has(j, token))
		return 0;
	*x = j->index + (token - j->first);
	return j->have - (token - j->first);
}

/* Records an error at `at`, unless there is one. */
void etc_json_fail(struct etc_json *j, const char *at, const char *why);

#ifdef __cplusplus
}
#endif
#endif
