/* tree.h -- reads a JSON document as a tree. Intended for the small files of a run folder.
 *
 * Accepts the same documents as Python's json.loads: the last of several equal keys counts, and NaN
 * and Infinity are numbers. Texts are in the arena. */
#ifndef ETC_COMMANDS_PIPELINE_TREE_H
#define ETC_COMMANDS_PIPELINE_TREE_H

#include "formats/container/json.h"

enum {
	ETC_TREE_BYTES = 64 << 20, /* maximum number of bytes of a document */
	ETC_TREE_VALUES = 1 << 20  /* maximum number of values in a document */
};

struct etc_tree {
	uint8_t type;       /* enum etc_json_type */
	struct etc_str key; /* key of the value, if it is a member of an object */
	/* STRING: the text without escapes; INT, FLOAT: the number as written */
	struct etc_str text;
	/* first: first member or element of this value; next: the member or element after this
	 * value, in the order of the file */
	const struct etc_tree *first, *next;
	uint32_t count; /* number of members or elements */
	uint32_t line;  /* line in the file at which the value is, from 1 */
};

/* Parses a document. Sets *out to its root. E1052: Python's json.loads would not accept it. E1067:
 * the document exceeds ETC_TREE_BYTES or ETC_TREE_VALUES. E0904. */
enum etc_status etc_tree_read(struct etc_span bytes, struct etc_arena *arena,
                              const struct etc_tree **out, struct etc_error *err) ETC_MUST_CHECK;

/* Opens and parses the file at `path`. E0901, E0902, and the errors of etc_tree_read(), to which
 * the name of the file is added. */
enum etc_status etc_tree_open(const char *path, struct etc_arena *arena,
                              const struct etc_tree **out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the member `key` of an object. NULL if there is no such member, if `object` is NULL, or
 * if it is not an object. */
const struct etc_tree *etc_tree_get(const struct etc_tree *object, const char *key);

/* Finds a member whose key occurs twice in its object. *out is NULL if there is no such member.
 * E0904. */
enum etc_status etc_tree_repeated(const struct etc_tree *value, const struct etc_tree **out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Returns the text of a STRING; empty for any other value. */
struct etc_str etc_tree_text(const struct etc_tree *value);

/* Is the value an INT or a FLOAT? If so, sets `*v`, which may be nan or infinite. */
bool etc_tree_number(const struct etc_tree *value, double *v);

/* Is the value an integer that is at least 0? If so, sets `*v`. */
bool etc_tree_count(const struct etc_tree *value, uint64_t *v);

/* Returns the value of an integer member that is at least 0; 0 if there is no such member. */
static inline uint64_t etc_tree_whole(const struct etc_tree *object, const char *key)
{
	uint64_t n = 0;

	return etc_tree_count(etc_tree_get(object, key), &n) ? n : 0;
}

/* Returns the member `key` if it is a list, else NULL. */
static inline const struct etc_tree *etc_tree_list(const struct etc_tree *object, const char *key)
{
	const struct etc_tree *t = etc_tree_get(object, key);

	return t && t->type == ETC_JSON_ARRAY ? t : NULL;
}

/* Returns the text of the member `key`; empty if it is not a STRING. */
static inline struct etc_str etc_tree_string(const struct etc_tree *object, const char *key)
{
	return etc_tree_text(etc_tree_get(object, key));
}

/* Returns the first element of the member `key`; NULL if it is not a list, or is empty. */
static inline const struct etc_tree *etc_tree_first(const struct etc_tree *object, const char *key)
{
	const struct etc_tree *t = etc_tree_list(object, key);

	return t ? t->first : NULL;
}

/* Returns a value as text for messages: the text of a number, or of a STRING that is not empty;
 * else the kind of the value in words. */
struct etc_str etc_tree_shown(const struct etc_tree *value);

/* Returns the kind of a value in words, for messages: "an object", "text", "null" … */
const char *etc_tree_kind(const struct etc_tree *value);

#endif
