/* json.h -- walks a JSON document in memory without building a tree.
 *
 * A document is a tree of values. Containers (objects and arrays) are walked in a loop; scalars are
 * returned as written:
 *
 *     etc_json_root(j, &root);
 *     etc_json_enter(&root, &object);
 *     while (etc_json_more(&object))
 *             if (etc_json_type(&object.value) == ETC_JSON_STRING) ...
 *     ETC_TRY(etc_json_check(j, err));
 *
 * Errors are sticky: after the first error every loop ends, and the caller checks once. A container
 * must be walked before the next member of its parent is taken. A container that is not entered is
 * skipped: its end is found by counting brackets, and nothing else in it is checked. If an object
 * has several members of one name, all are returned, in file order; callers use the last one, as
 * Python does.
 *
 * Accepts what Python's json.loads does: NaN, Infinity and -Infinity, numbers of any length,
 * lone surrogates, a byte order mark. Uses simdjson's index of tokens; nothing else uses
 * simdjson. */
#ifndef ETC_FORMATS_CONTAINER_JSON_H
#define ETC_FORMATS_CONTAINER_JSON_H

#include "base/arena.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum etc_json_type {
	ETC_JSON_BAD, /* no JSON value */
	ETC_JSON_OBJECT,
	ETC_JSON_ARRAY,
	ETC_JSON_STRING,
	ETC_JSON_INT,   /* an integer of any number of digits */
	ETC_JSON_FLOAT, /* also NaN, Infinity, -Infinity */
	ETC_JSON_TRUE,
	ETC_JSON_FALSE,
	ETC_JSON_NULL
};

struct etc_json; /* one open document */

struct etc_json_value {
	struct etc_json *doc;
	/* `at`: number of the value's first token; `depth`: nesting depth, the value included */
	uint32_t at, depth;
	struct etc_str raw; /* a scalar's text; for a container only its first byte */
};

struct etc_json_iter {
	struct etc_json *doc;
	uint32_t depth; /* depth of the container */
	bool object, started;
	struct etc_str key; /* key of the member; set by etc_json_more() */
	struct etc_json_value value;
};

/* Opens a document with `room` readable bytes after `text`; both must stay valid. Close the
 * document even after a failure; closing NULL is allowed. E0904. */
enum etc_status etc_json_open(struct etc_str text, size_t room, struct etc_arena *arena,
                              struct etc_json **doc, struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_json_open(), for a long text that is walked once from start to end: its index is made a
 * page at a time, in a third of the memory. Errors of the text as a whole, such as invalid UTF-8,
 * are then found only during the walk or by etc_json_check(); after such an error nothing that was
 * read is valid. */
enum etc_status etc_json_open_long(struct etc_str text, size_t room, struct etc_arena *arena,
                                   struct etc_json **doc, struct etc_error *err) ETC_MUST_CHECK;
/* Did indexing the text fail? Then nothing that was read from it is valid. */
bool etc_json_unreadable(const struct etc_json *doc);

void etc_json_close(struct etc_json *doc);

/* Sets `*v` to the root value of the document. Another call starts the walk again. */
void etc_json_root(struct etc_json *doc, struct etc_json_value *v);

/* Returns the type of a value. A scalar is validated completely; of a container only the first byte
 * is examined. */
enum etc_json_type etc_json_type(const struct etc_json_value *v);

/* Starts walking an object or array. For any other value, and beyond depth ETC_LIMIT_JSON_DEPTH,
 * records an error and returns false. */
bool etc_json_enter(const struct etc_json_value *v, struct etc_json_iter *it);

/* Gets the next member or element; false at the end. `*key` is the text between the key's quotes as
 * written (see etc_json_unescape); empty in arrays. */
bool etc_json_next(struct etc_json_iter *it, struct etc_str *key, struct etc_json_value *v);

/* Like etc_json_next(), but sets it->key and it->value. */
static inline bool etc_json_more(struct etc_json_iter *it)
{
	return etc_json_next(it, &it->key, &it->value);
}

/* Walks through `v` and validates every token in it; errors are recorded. */
void etc_json_verify(const struct etc_json_value *v);

/* Returns the number of tokens of a container that was just walked to its end; 0 if the walk
 * stopped before the end. */
uint32_t etc_json_tokens(const struct etc_json_value *v);

/* Skips container `v`, which has `tokens` tokens, as if it had been walked. */
void etc_json_pass(const struct etc_json_value *v, uint32_t tokens);

/* Clears the recorded error, for a caller that tried to read a value and can continue without it.
 * If the text cannot be indexed at all, the error stays. */
void etc_json_forgive(struct etc_json *doc);

/* Returns the number of bytes from the start of the value to the end of the document. */
size_t etc_json_rest(const struct etc_json_value *v);

/* Returns the JSON text of `v`. An object or list must have been walked to its end. */
struct etc_str etc_json_through(const struct etc_json_value *v);

/* Records an error: the value is not JSON, or is not what `expected` says, such as "an object". */
void etc_json_reject(const struct etc_json_value *v, const char *expected);

/* Was an error recorded? */
bool etc_json_failed(const struct etc_json *doc);

/* Fails with the first recorded error: E0406 for damaged JSON, E0408 if containers are nested too
 * deeply. ETC_OK if none was recorded. */
enum etc_status etc_json_check(struct etc_json *doc, struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_json_check(), but also fails if anything but blanks follows the root value. */
enum etc_status etc_json_check_end(struct etc_json *doc, struct etc_error *err) ETC_MUST_CHECK;

/* --- containers similar to an earlier one (json_alike.c) ---------------------- */

/* Generated documents repeat the same structure with other values. For a container that was walked,
 * the text between its scalars is remembered. If a later container has the same text between its
 * scalars, and scalars of the same types, both have the same keys and types. The scalars of the
 * later container are then read directly, without a walk. */

/* A scalar that the caller wants from similar containers. A scalar with the name ETC_JSON_SAME must
 * have the same text in all similar containers. */
struct etc_json_mark {
	uint32_t token; /* value.at */
	/* a number by which the caller recognises the scalar later; not the scalar's key */
	uint32_t name;
};

enum { ETC_JSON_SAME = 0, ETC_JSON_UNMARKED = INT32_MAX };

/* A scalar whose value may differ between similar containers. */
struct etc_json_hole {
	uint32_t token;     /* index among the container's tokens */
	uint32_t from, len; /* the text between the previous hole and this hole: its offset in the
	                     * container, and its length */
	uint32_t size;      /* length of the scalar and of the blanks that follow it */
	/* etc_json_mark.name of the caller's mark for this scalar; ETC_JSON_UNMARKED: the caller
	 * did not mark it */
	uint32_t mark;
	enum etc_json_type type;
};

struct etc_json_known {
	const struct etc_json *doc;
	const char *text; /* start of the remembered container */
	struct etc_json_hole *holes;
	uint32_t count, room;
	/* the text after the last scalar: its offset in the container, and its length */
	uint32_t from, len;
	uint32_t tokens; /* number of tokens of the remembered container; 0: there is none */
	uint32_t depth;
};

enum { ETC_JSON_LIKES = 64 };

/* The most recently remembered containers. `newest` is the container remembered last, `last` the
 * container found or remembered last. then[i] is the container that was found or remembered
 * directly after container i the last time; so after container i it is compared first. */
struct etc_json_likes {
	struct etc_arena *arena;
	struct etc_json_known known[ETC_JSON_LIKES];
	uint8_t then[ETC_JSON_LIKES], last, newest;
};

/* Returns the number of a remembered container that is similar to `v`; `v` is then skipped as if
 * walked. ETC_JSON_LIKES: no container is similar, and `v` may still be walked. */
uint32_t etc_json_like(struct etc_json_likes *likes, const struct etc_json_value *v);

/* Remembers a container that was just walked to its end, with the `marks` of its scalars, in file
 * order. Returns the container's number; ETC_JSON_LIKES if it was not walked to the end or contains
 * an error. */
uint32_t etc_json_learn(struct etc_json_likes *likes, const struct etc_json_value *v,
                        const struct etc_json_mark *marks, uint32_t count);

/* Returns the scalar of `v` in the place of `hole`. `hole` is a scalar's place in the remembered
 * container that etc_json_like() found for `v`. */
struct etc_json_value etc_json_in_hole(const struct etc_json_value *v,
                                       const struct etc_json_hole *hole);

/* --- text (json_text.c) ----------------------------------------------------- */

/* Returns the type of the value that begins with the token; ETC_JSON_BAD if no value begins with
 * it. */
enum etc_json_type etc_json_classify(struct etc_str token);

/* Returns the text between a string token's quotes. */
static inline struct etc_str etc_json_inside(struct etc_str token)
{
	return etc_str_sub(token, 1, token.len - 1);
}

/* Resolves the escapes in the text between a string's quotes. Sets `*out` to `inside` if it has no
 * escapes, else to a copy in the arena. The result is UTF-8; lone surrogates become three bytes
 * each, as with Python's "surrogatepass". False: out of memory, or an invalid escape (then `*bad`
 * is set). */
bool etc_json_unescape(struct etc_arena *arena, struct etc_str inside, struct etc_str *out,
                       bool *bad);

/* Are all escapes in the text between a string's quotes valid? */
bool etc_json_escapes(struct etc_str inside);

/* Sets `*v` to the value of an ETC_JSON_INT token. False: it exceeds 64 bits. */
bool etc_json_int(struct etc_str token, int64_t *v);

/* Does the document contain an integer of more than 4300 digits, for which json.loads raises
 * ValueError? Examines every 4301st byte; if it is a digit, also the bytes around it. */
bool etc_json_long_number(struct etc_str text);

/* Converts UTF-16 or UTF-32 text, with or without byte order mark, to UTF-8 in the arena, and skips
 * a mark before UTF-8. Sets `*moved` if `*text` was converted; then 64 readable bytes follow it.
 * Detects the encoding like Python's json.detect_encoding. E0406, E0904. */
enum etc_status etc_json_utf8(struct etc_arena *arena, struct etc_str *text, bool *moved,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_json_utf8(), for a file other than an ETRecord: damage is reported as `damaged`, not as
 * E0406. */
enum etc_status etc_json_utf8_as(struct etc_arena *arena, struct etc_str *text, bool *moved,
                                 enum etc_code damaged, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
