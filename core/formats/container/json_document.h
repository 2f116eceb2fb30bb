/* json_document.h -- an open JSON document; private to json.cpp, json_walk.c and json_alike.c. */
#ifndef ETC_FORMATS_CONTAINER_JSON_DOCUMENT_H
#define ETC_FORMATS_CONTAINER_JSON_DOCUMENT_H

#include "formats/container/json.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_json {
	struct etc_str text; /* without blanks around it */
	/* The current page of the index: the offset of each token of the page from `base`.
	 * Brackets, commas and colons are tokens too. A short text has one page. */
	const uint32_t *index;
	const char *base;
	uint32_t first, have; /* number of the page's first token; number of its tokens */
	uint32_t at;          /* number of the next token */
	uint32_t depth;       /* depth of the next token: 1 for the root, 0 after the root */
	bool scalar;          /* the root is a scalar, so there is no index of tokens */
	bool failed, deep;
	bool unreadable;  /* indexing failed */
	size_t failed_at; /* offset of the error in the text */
	char why[96];
};

/* Returns the error text for misplaced brackets, commas and colons. */
const char *etc_json_improper(void);

/* Loads the page of the index that contains the token. Returns false if the token is after the last
 * one. */
bool etc_json_turn(struct etc_json *j, uint32_t token);

/* Indexes the rest of the text, if only a part is indexed. */
void etc_json_complete(struct etc_json *j);

static inline bool etc_json_has(struct etc_json *j, uint32_t token)
{
	return token - j->first < j->have || etc_json_turn(j, token);
}

/* Returns the start of a token; after the last one, the end of the text. */
static inline const char *etc_json_place(struct etc_json *j, uint32_t token)
{
	return etc_json_has(j, token) ? j->base + j->index[token - j->first]
	                              : j->text.ptr + j->text.len;
}

/* Sets `*x` to the offsets of token `token` and the tokens after it in the loaded page, and returns
 * their number. 0: `token` is after the last token. */
static inline uint32_t etc_json_page(struct etc_json *j, uint32_t token, const uint32_t **x)
{
	*x = NULL;
	if (!etc_json_has(j, token))
		return 0;
	*x = j->index + (token - j->first);
	return j->have - (token - j->first);
}

/* Records an error at `at`, unless an earlier error is recorded already. */
void etc_json_fail(struct etc_json *j, const char *at, const char *why);

#ifdef __cplusplus
}
#endif
#endif
