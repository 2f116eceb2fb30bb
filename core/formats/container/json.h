/* json.h -- walks a JSON document that lies in memory, without building it.
 *
 * A document is a tree of values. Containers are walked in a loop, scalars
 * are looked at as they are written:
 *
 *     etc_json_root(j, &root);
 *     etc_json_enter(&root, &object);
 *     while (etc_json_next(&object, &key, &value))
 *             if (etc_json_type(&value) == ETC_JSON_STRING) ...
 *     ETC_TRY(etc_json_check(j, err));
 *
 * Errors are sticky: after the first one every loop ends, and it is asked for
 * once. A container must be walked before the next member of the one around
 * it is taken; what is not entered is skipped at the speed of memory and only
 * as far checked as finding its end needs. Members come as they are in the
 * file, duplicates included: like Python, callers let the last one win.
 *
 * Accepts what Python's json.loads does: NaN, Infinity and -Infinity, numbers
 * of any length, lone surrogates, a byte order mark. Behind it is simdjson's
 * index of tokens; this is its only user. */
#ifndef ETC_READ_JSON_H
#define ETC_READ_JSON_H

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
	ETC_JSON_INT,   /* any number of digits */
	ETC_JSON_FLOAT, /* also NaN, Infinity, -Infinity */
	ETC_JSON_TRUE,
	ETC_JSON_FALSE,
	ETC_JSON_NULL
};

struct etc_json; /* one open document */

struct etc_json_value {
	struct etc_json *doc;
	uint32_t at, depth; /* its first token; containers it lies in, and itself */
	struct etc_str raw; /* a scalar as it is written; of containers the first byte */
};

struct etc_json_iter {
	struct etc_json *doc;
	uint32_t depth; /* of the container */
	bool object, started;
};

/* Opens a document of `room` readable bytes behind `text`; both must stay in
 * place. Close it in any case; closing NULL is allowed. Fails with E0904. */
enum etc_status etc_json_open(struct etc_str text, size_t room, struct etc_arena *arena,
                              struct etc_json **doc, struct etc_error *err) ETC_MUST_CHECK;

/* The same for a long text that is walked from its beginning to its end: its index, which takes
 * a third of its room, is made a page at a time, as the walk goes on. What makes the text as a
 * whole unreadable is then found on the way, or by etc_json_check(); what was read is void. */
enum etc_status etc_json_open_long(struct etc_str text, size_t room, struct etc_arena *arena,
                                   struct etc_json **doc, struct etc_error *err) ETC_MUST_CHECK;
bool etc_json_unreadable(const struct etc_json *doc);

void etc_json_close(struct etc_json *doc);

/* The document as one value; a second call restarts the walk. */
void etc_json_root(struct etc_json *doc, struct etc_json_value *v);

/* Judges a scalar by every byte of it, a container by its first. */
enum etc_json_type etc_json_type(const struct etc_json_value *v);

/* Starts walking an object or array. False, with the error recorded, for
 * anything else and beyond ETC_LIMIT_JSON_DEPTH. */
bool etc_json_enter(const struct etc_json_value *v, struct etc_json_iter *it);

/* The next member, or false at the end. `*key` gets the inside of the key's
 * quotes as it is written (see etc_json_unescape); empty in arrays. */
bool etc_json_next(struct etc_json_iter *it, struct etc_str *key, struct etc_json_value *v);

/* Walks through `v` and validates every token in it; errors are recorded. */
void etc_json_verify(const struct etc_json_value *v);

/* How many tokens a container has that was just walked to its end; 0: it was not. */
uint32_t etc_json_tokens(const struct etc_json_value *v);

/* Goes behind a container of so many tokens, as if it had been walked. */
void etc_json_pass(const struct etc_json_value *v, uint32_t tokens);

/* Clears the recorded error, for a caller that only tried to read. */
void etc_json_forgive(struct etc_json *doc);

/* Bytes from where the value starts to the end of the document. */
size_t etc_json_rest(const struct etc_json_value *v);

/* The text of a value that was walked to its end (or is a scalar). */
struct etc_str etc_json_through(const struct etc_json_value *v);

/* Records an error: the value is no JSON, or not what must be here. */
void etc_json_reject(const struct etc_json_value *v, const char *expected);

/* Was an error recorded? */
bool etc_json_failed(const struct etc_json *doc);

/* E0406 damaged JSON, E0408 nested too deeply; else ETC_OK. */
enum etc_status etc_json_check(struct etc_json *doc, struct etc_error *err) ETC_MUST_CHECK;

/* The same, and after the root value nothing but blanks follows. */
enum etc_status etc_json_check_end(struct etc_json *doc, struct etc_error *err) ETC_MUST_CHECK;

/* --- containers that are like one before (json_alike.c) ---------------------- */

/* Documents of machines say the same over and over with other values. A container that was
 * walked is remembered as the text between its scalars. A later one with the same text and
 * scalars of the same types has the same keys and types, so its scalars are read where they
 * are, without walking the container again. */

/* A scalar of the container at hand that matters. ETC_JSON_SAME: its text does, too. */
struct etc_json_mark {
	uint32_t token; /* value.at */
	uint32_t name;  /* chosen by the caller */
};

enum { ETC_JSON_SAME = 0, ETC_JSON_UNMARKED = INT32_MAX };

/* A scalar that may be another one in the like of it. */
struct etc_json_hole {
	uint32_t token; /* counted from the container's first */
	uint32_t from,
		len;   /* the text before it, up to the hole before; counted from the container */
	uint32_t size; /* of the scalar, with the blanks behind it */
	uint32_t mark; /* or ETC_JSON_UNMARKED */
	enum etc_json_type type;
};

struct etc_json_known {
	const struct etc_json *doc;
	const char *text; /* where it starts */
	struct etc_json_hole *holes;
	uint32_t count, room;
	uint32_t from, len; /* the text behind the last hole */
	uint32_t tokens;    /* 0: none is known */
	uint32_t depth;
};

enum { ETC_JSON_LIKES = 64 };

/* Those met last, and which one followed each the last time. */
struct etc_json_likes {
	struct etc_arena *arena;
	struct etc_json_known known[ETC_JSON_LIKES];
	uint8_t then[ETC_JSON_LIKES], last, newest;
};

/* The remembered container that `v` equals, which is then skipped as if walked; ETC_JSON_LIKES:
 * none. `v` may still be entered. */
uint32_t etc_json_like(struct etc_json_likes *likes, const struct etc_json_value *v);

/* Remembers a container that was just walked to its end; `marks` in their order. Returns its
 * number, or ETC_JSON_LIKES: it was left in the middle, or has what is no JSON. */
uint32_t etc_json_learn(struct etc_json_likes *likes, const struct etc_json_value *v,
                        const struct etc_json_mark *marks, uint32_t count);

/* The scalar of `v`, which is like the one that has the hole. */
struct etc_json_value etc_json_in_hole(const struct etc_json_value *v,
                                       const struct etc_json_hole *hole);

/* --- text (json_text.c) ----------------------------------------------------- */

/* The kind of value that the token begins; ETC_JSON_BAD if none. */
enum etc_json_type etc_json_classify(struct etc_str token);

/* The inside of a string token's quotes. */
static inline struct etc_str etc_json_inside(struct etc_str token)
{
	return etc_str_sub(token, 1, token.len - 1);
}

/* Resolves escapes in the inside of a string. Without any it is the same view,
 * else a copy in the arena. UTF-8 comes out; lone surrogates become three bytes
 * each, as Python's "surrogatepass" writes them. False: memory is exhausted, or
 * an escape is no JSON (then `*bad` is set). */
bool etc_json_unescape(struct etc_arena *arena, struct etc_str inside, struct etc_str *out,
                       bool *bad);

/* Has the inside of a string none but escapes of JSON? */
bool etc_json_escapes(struct etc_str inside);

/* An ETC_JSON_INT token as a number; false beyond 64 bit. */
bool etc_json_int(struct etc_str token, int64_t *v);

/* Does the document hold an integer of more than 4300 digits? json.loads raises
 * ValueError then. Looks at one byte in 4301 unless there are such runs. */
bool etc_json_long_number(struct etc_str text);

/* UTF-16 or UTF-32 text, with or without byte order mark, as UTF-8 in the
 * arena; UTF-8 loses its mark. True if `*text` changed place; then 64 readable
 * bytes follow it. Python's json.detect_encoding decides which it is. */
enum etc_status etc_json_utf8(struct etc_arena *arena, struct etc_str *text, bool *moved,
                              struct etc_error *err) ETC_MUST_CHECK;

/* The same of a file that is no ETRecord: damage is `damaged`, not E0406. */
enum etc_status etc_json_utf8_as(struct etc_arena *arena, struct etc_str *text, bool *moved,
                                 enum etc_code damaged, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
