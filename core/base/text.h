/* text.h -- an append-only text buffer for all output; and functions for UTF-8, such as the width
 * of a text in a terminal.
 *
 * Errors are sticky, as with ferror(3): append without checks and test `failed` once at the end. A
 * buffer with a sink is flushed before it grows beyond ETC_TEXT_CHUNK bytes, so a table of any
 * length needs little memory. Does not depend on files or formats. */
#ifndef ETC_BASE_TEXT_H
#define ETC_BASE_TEXT_H

#include "base/attr.h"
#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_TEXT_CHUNK = 256 << 10 };

struct etc_arena; /* base/arena.h */

struct etc_text {
	char *ptr; /* malloc'ed; NULL while empty */
	size_t len, room;
	bool failed; /* out of memory, or the sink failed: further text is lost */
	bool prose;  /* text for people: its lines may be wrapped (base/fold.h) */

	/* Receives the text that was appended since the last call of the sink; the buffer is then
	 * empty. Returns false on failure. NULL: all text stays in the buffer. */
	bool (*sink)(void *arg, struct etc_str chunk);
	void *arg;
	uint64_t given; /* bytes passed to the sink */
};

void etc_text_release(struct etc_text *t);

/* Copies the text to the arena and releases the buffer. {NULL, 0} if the buffer or the arena is out
 * of memory. */
struct etc_str etc_text_keep(struct etc_text *t, struct etc_arena *arena);

/* Returns a pointer to room for `n` bytes; NULL if `failed` is set. The caller writes at most `n`
 * bytes and adds their number to t->len. */
static inline char *etc_text_reserve(struct etc_text *t, size_t n);

static inline void etc_text_put(struct etc_text *t, struct etc_str s);
static inline void etc_text_cstr(struct etc_text *t, const char *s);
static inline void etc_text_char(struct etc_text *t, char c);
void etc_text_repeat(struct etc_text *t, const char *s, size_t times);
void etc_text_printf(struct etc_text *t, const char *fmt, ...) ETC_PRINTF(2, 3);
void etc_text_u64(struct etc_text *t, uint64_t v);
void etc_text_i64(struct etc_text *t, int64_t v);
/* appends the bytes as hexadecimal digits, in lower case and without blanks */
void etc_text_hex(struct etc_text *t, struct etc_span bytes);

/* Appends `s`. A text of ETC_TEXT_CHUNK bytes or more goes directly to the sink, without a copy. */
void etc_text_pass(struct etc_text *t, struct etc_str s);

/* Returns the number of all bytes that were appended, including those that the sink has
 * received. */
static inline uint64_t etc_text_all(const struct etc_text *t)
{
	return t->given + t->len;
}

/* Returns the ending of a noun after the number `n`, "" or "s": for formats such as "%u run%s". */
static inline const char *etc_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Passes the buffered text to the sink, if there is one. Returns false if this or an earlier
 * operation on `t` failed. */
bool etc_text_flush(struct etc_text *t);

static inline struct etc_str etc_text_str(const struct etc_text *t)
{
	struct etc_str s = { t->ptr, t->len };

	return s;
}

/* Appends `s` as valid UTF-8: each byte that is not valid UTF-8 becomes U+FFFD. */
void etc_text_utf8(struct etc_text *t, struct etc_str s);

/* Appends `s` as the content of a JSON string, without quotes. Escapes ", \ and everything
 * unprintable, including control characters and direction marks that JSON would allow. Bytes that
 * are not UTF-8 become U+FFFD. */
void etc_text_json(struct etc_text *t, struct etc_str s);

/* Like etc_text_json(), with quotes around the string. */
void etc_text_json_string(struct etc_text *t, struct etc_str s);

/* Appends the shortest digits that parse to the same value; "nan", "inf" and "-inf" as JSON
 * strings, because JSON has no such numbers. */
void etc_text_json_real(struct etc_text *t, double v);

/* Appends `s` for display. Unprintable characters are escaped: as \n or \t, as the code point
 * (\u001b), or, for a byte that is not UTF-8, as \xff. Characters in `marked` get a \ before
 * them. */
void etc_text_clean(struct etc_text *t, struct etc_str s, const char *marked);

/* Like etc_text_clean(), without `marked`. Every text from a file that is displayed is appended by
 * this function. */
static inline void etc_text_shown(struct etc_text *t, struct etc_str s)
{
	etc_text_clean(t, s, "");
}

/* Like etc_text_printf(), but for one line: the formatted text is escaped as by etc_text_shown(),
 * except for a line end at the end of `fmt`. */
void etc_text_tell(struct etc_text *t, const char *fmt, ...) ETC_PRINTF(2, 3);

/* Appends `s` as Markdown that displays it unchanged, without mark-up, HTML, or addresses that
 * become links. Unprintable characters are escaped as by etc_text_shown(). */
void etc_text_markdown(struct etc_text *t, struct etc_str s);

/* A function that appends a string for display, or as Markdown. */
typedef void etc_text_put_fn(struct etc_text *t, struct etc_str s);

/* Like etc_text_markdown(), but does not escape a text that Markdown shows unchanged, such as most
 * names and paths. */
void etc_text_markdown_name(struct etc_text *t, struct etc_str s);

/* Appends the text as a code span (`text`). If a code span cannot contain the text, does the same
 * as etc_text_markdown(). */
void etc_text_markdown_code(struct etc_text *t, struct etc_str s);

/* Like etc_text_clean(), but writes to `room` bytes, with a NUL; longer text is truncated. */
void etc_clean(char *to, size_t room, struct etc_str s);

/* Is all of the text printable ASCII, blanks included? */
bool etc_text_is_plain(struct etc_str s);

/* Decodes one code point and moves `*at` past it. For bytes that are not UTF-8 (overlong,
 * surrogate, above U+10FFFF, truncated) returns -1 and moves one byte. */
int32_t etc_utf8_next(struct etc_str s, size_t *at);

/* Is `s` ASCII only, as most texts are? */
static inline bool etc_is_ascii(struct etc_str s)
{
	uint64_t high = 0, word;
	size_t at = 0;

	for (; s.len - at > 8; at += 8) {
		memcpy(&word, s.ptr + at, 8);
		high |= word;
	}
	if (s.len >= 8) {
		memcpy(&word, s.ptr + s.len - 8, 8); /* overlaps bytes that were checked */
		high |= word;
		at = s.len;
	}
	for (; at < s.len; at++)
		high |= (uint8_t)s.ptr[at];
	return !(high & 0x8080808080808080u);
}

/* Returns the position of the first byte that is not UTF-8, or SIZE_MAX. */
size_t etc_utf8_fault(struct etc_str s);

/* Returns the number of code points (an invalid byte counts as one). */
size_t etc_utf8_count(struct etc_str s);

/* Returns the number of terminal columns that the text takes: 2 for wide characters, 0 for
 * combining ones. */
size_t etc_utf8_width(struct etc_str s);

/* Computes str.isprintable() of Python for one code point. */
bool etc_utf8_printable(int32_t cp);

/* Computes str.isprintable() of Python for a text. A byte that is not UTF-8 is not printable. */
bool etc_utf8_all_printable(struct etc_str s);

/* Computes str.isalnum() of Python for one code point: is it a letter or number of any script? */
bool etc_utf8_alphanumeric(int32_t cp);

/* Returns the value of a decimal digit of any script (general category Nd), else -1. */
int etc_utf8_decimal(int32_t cp);

/* Is the code point white space for Python's str.isspace() and for \s in Python's regular
 * expressions? */
bool etc_utf8_is_space(int32_t cp);

/* The slow path of etc_text_reserve(): flushes the buffer to the sink, or makes it larger. */
char *etc_text_grow(struct etc_text *t, size_t n);

static inline char *etc_text_reserve(struct etc_text *t, size_t n)
{
	return etc_fits(t->room, t->len, n) && !t->failed ? t->ptr + t->len : etc_text_grow(t, n);
}

static inline void etc_text_put(struct etc_text *t, struct etc_str s)
{
	char *to = s.len ? etc_text_reserve(t, s.len) : NULL;

	if (to) {
		memcpy(to, s.ptr, s.len);
		t->len += s.len;
	}
}

static inline void etc_text_cstr(struct etc_text *t, const char *s)
{
	etc_text_put(t, etc_str_of(s));
}

static inline void etc_text_char(struct etc_text *t, char c)
{
	etc_text_put(t, (struct etc_str){ &c, 1 });
}

#ifdef __cplusplus
}
#endif
#endif
