/* tree.h -- a JSON document as a tree, for the small files of a run folder.
 *
 * Accepts the same as Python's json.loads: the last of duplicate keys counts, NaN and
 * Infinity are numbers. Text is the arena's. */
#ifndef ETC_COMMANDS_PIPELINE_TREE_H
#define ETC_COMMANDS_PIPELINE_TREE_H

#include "formats/container/json.h"

enum {
	ETC_TREE_BYTES = 64 << 20, /* most bytes of a document */
	ETC_TREE_VALUES = 1 << 20  /* most values in a document */
};

struct etc_tree {
	uint8_t type;        /* enum etc_json_type */
	struct etc_str key;  /* name, if it is a member of an object */
	struct etc_str text; /* STRING: unescaped; INT, FLOAT: as written */
	/* first: first member or element of this value; next: the member or element after this
	 * value, in the order of the file */
	const struct etc_tree *first, *next;
	uint32_t count; /* number of members or elements */
	uint32_t line;  /* line of the file, from 1 */
};

/* Parses a document. Sets *out to its root. E1052: Python's json.loads would not accept it. E1067:
 * it exceeds ETC_TREE_BYTES or ETC_TREE_VALUES. E0904. */
enum etc_status etc_tree_read(struct etc_span bytes, struct etc_arena *arena,
                              const struct etc_tree **out, struct etc_error *err) ETC_MUST_CHECK;

/* Opens and parses the file `path`. E0901, E0902, and the errors of etc_tree_read() with the file's
 * name. */
enum etc_status etc_tree_open(const char *path, struct etc_arena *arena,
                              const struct etc_tree **out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the member `key` of an object. NULL: there is no such member, or `object` is NULL or not
 * an object. */
const struct etc_tree *etc_tree_get(const struct etc_tree *object, const char *key);

/* Finds a member whose key occurs twice in its object; NULL: there is none. E0904. */
enum etc_status etc_tree_repeated(const struct etc_tree *value, const struct etc_tree **out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* The text of a STRING; empty for any other value. */
struct etc_str etc_tree_text(const struct etc_tree *value);

/* Is it an INT or FLOAT? Then sets `*v`, which may be nan or inf. */
bool etc_tree_number(const struct etc_tree *value, double *v);

/* Is it an integer that is at least 0? If so, `*v` is set. */
bool etc_tree_count(const struct etc_tree *value, uint64_t *v);

/* The integer value of a member; 0 if there is no such member. */
static inline uint64_t etc_tree_whole(const struct etc_tree *object, const char *key)
{
	uint64_t n = 0;

	return etc_tree_count(etc_tree_get(object, key), &n) ? n : 0;
}

/* A member that is a list, or NULL. */
static inline const struct etc_tree *etc_tree_list(const struct etc_tree *object, const char *key)
{
	const struct etc_tree *t = etc_tree_get(object, key);

	return t && t->type == ETC_JSON_ARRAY ? t : NULL;
}

/* The text of a member that is a STRING; empty for any other value. */
static inline struct etc_str etc_tree_string(const struct etc_tree *object, const char *key)
{
	return etc_tree_text(etc_tree_get(object, key));
}

/* The first element of a member that is a list; NULL: it has none. */
static inline const struct etc_tree *etc_tree_first(const struct etc_tree *object, const char *key)
{
	const struct etc_tree *t = etc_tree_list(object, key);

	return t ? t->first : NULL;
}

/* Returns a value as text for messages: the text of a number, or of a STRING that is not empty;
 * else the kind of the value in words. */
struct etc_str etc_tree_shown(const struct etc_tree *value);

/* The kind of a value in words, for messages: "an object", "text", "null" … */
const char *etc_tree_kind(const struct etc_tree *value);

#endif
