/* span.h -- borrowed views of bytes and text.
 *
 * A view does not own its memory, which belongs to a file mapping or an arena; the view is valid as
 * long as its memory. Pass views by value. Text is UTF-8 (as far as the input is) and not
 * NUL-terminated: print it with ETC_STR_FMT and ETC_STR_ARG. A zeroed view is empty; every function
 * here accepts it. */
#ifndef ETC_BASE_SPAN_H
#define ETC_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etc_span {
	const uint8_t *ptr;
	size_t len;
};
struct etc_str {
	const char *ptr;
	size_t len;
};

/* A text in 8 bytes instead of 16: the pointer only. The length is in the four bytes before the
 * text, as in a FlatBuffer. {NULL}: no text. */
struct etc_sized {
	const char *ptr;
};

#ifdef __cplusplus
#define ETC_STR(lit) (etc_str{ "" lit, sizeof(lit) - 1 })
#else
#define ETC_STR(lit) ((struct etc_str){ "" lit, sizeof(lit) - 1 })
/* The text {NULL, 0}, for use as an operand of ?:. It is in parentheses, because cppcheck fails on
 * an initialiser without them. */
#define ETC_STR_NONE ((struct etc_str){ NULL, 0 })
#endif
/* For printf(). At most 4096 bytes are printed: the length of a hostile 2 GiB name would overflow
 * printf's int. */
#define ETC_STR_FMT    "%.*s"
#define ETC_STR_ARG(s) (int)((s).len < 4096 ? (s).len : 4096), (s).len ? (s).ptr : ""

/* Is [at, at + n) inside a buffer of `len` bytes? No sum in this test can overflow. Readers check
 * offsets with this function. */
static inline bool etc_fits(size_t len, size_t at, size_t n)
{
	return at <= len && n <= len - at;
}

static inline struct etc_str etc_str_of(const char *nul_terminated)
{
	struct etc_str s = { nul_terminated, nul_terminated ? strlen(nul_terminated) : 0 };

	return s;
}

static inline struct etc_str etc_sized_str(struct etc_sized text)
{
	struct etc_str s = { text.ptr, 0 };
	uint32_t len;

	if (text.ptr) {
		memcpy(&len, text.ptr - sizeof len, sizeof len);
		s.len = len;
	}
	return s;
}

static inline bool etc_str_eq(struct etc_str a, struct etc_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool etc_str_starts(struct etc_str s, struct etc_str prefix)
{
	return s.len >= prefix.len &&
	       (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

static inline bool etc_str_ends(struct etc_str s, struct etc_str suffix)
{
	return s.len >= suffix.len &&
	       (suffix.len == 0 || memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

static inline bool etc_str_is_in(struct etc_str s, const struct etc_str *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (etc_str_eq(s, list[i]))
			return true;
	return false;
}

/* Returns the part [from, to) of `s`. `from` and `to` are limited to the length of `s`. */
static inline struct etc_str etc_str_sub(struct etc_str s, size_t from, size_t to)
{
	struct etc_str r;

	to = to < s.len ? to : s.len;
	from = from < to ? from : to;
	r.ptr = s.ptr ? s.ptr + from : s.ptr;
	r.len = to - from;
	return r;
}

/* Load a number in native byte order. The address need not be aligned. */
static inline uint32_t etc_load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint64_t etc_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* Returns the last component of a path. */
static inline struct etc_str etc_path_name(struct etc_str path)
{
	size_t from = path.len;

	while (from && path.ptr[from - 1] != '/')
		from--;
	return etc_str_sub(path, from, path.len);
}

static inline const char *etc_file_name(const char *path)
{
	return etc_path_name(etc_str_of(path)).ptr;
}

/* Are the `len` bytes at `at` equal to `id`? */
static inline bool etc_span_has(struct etc_span s, size_t at, const char *id, size_t len)
{
	return etc_fits(s.len, at, len) && memcmp(s.ptr + at, id, len) == 0;
}

/* Does `s` have, at `at`, a FlatBuffers identifier that consists of the two letters `letters` and
 * two digits, such as "ET12"? */
static inline bool etc_span_has_version(struct etc_span s, size_t at, const char *letters)
{
	return etc_fits(s.len, at, 4) && memcmp(s.ptr + at, letters, 2) == 0 &&
	       s.ptr[at + 2] >= '0' && s.ptr[at + 2] <= '9' && s.ptr[at + 3] >= '0' &&
	       s.ptr[at + 3] <= '9';
}

/* Returns `s` without the NULs at its end. */
static inline struct etc_str etc_str_without_nul(struct etc_str s)
{
	while (s.len && s.ptr[s.len - 1] == '\0')
		s.len--;
	return s;
}

/* Returns the last eight bytes of `s` as a number; for a shorter text, a number made of its bytes;
 * 0 for an empty text. A short text is not copied to eight bytes that are then loaded, because the
 * load would have to wait for the store. */
static inline uint64_t etc_str_last_word(struct etc_str s)
{
	uint64_t word = 0;
	uint32_t low, high;

	if (s.len >= sizeof word) {
		memcpy(&word, s.ptr + s.len - sizeof word, sizeof word);
	} else if (s.len >= sizeof low) {
		memcpy(&low, s.ptr, sizeof low);
		memcpy(&high, s.ptr + s.len - sizeof high, sizeof high);
		word = (uint64_t)high << 32 | low;
	} else if (s.len) {
		word = (uint64_t)(uint8_t)s.ptr[0] | (uint64_t)(uint8_t)s.ptr[s.len / 2] << 8 |
		       (uint64_t)(uint8_t)s.ptr[s.len - 1] << 16;
	}
	return word;
}

static inline struct etc_span etc_span_of(struct etc_str s)
{
	struct etc_span r = { (const uint8_t *)s.ptr, s.len };

	return r;
}

/* Compares two texts byte by byte, like strcmp(); a prefix comes first. */
int etc_str_cmp(struct etc_str a, struct etc_str b);

/* Is the text equal to one of `names`, which end with NULL? */
bool etc_str_is_one_of(struct etc_str s, const char *const *names);

/* Returns the length of the first text in `endings` with which `s` ends; 0: `s` ends with none of
 * them. NULL ends the list. */
size_t etc_str_ending(struct etc_str s, const char *const *endings);

/* Returns the position of the first `needle` at or after `from`, or SIZE_MAX. The empty needle is
 * found at `from`. */
size_t etc_str_find(struct etc_str s, struct etc_str needle, size_t from);

/* Returns `s` without leading and trailing blanks (space, \t, \r, \n, \f, \v). */
struct etc_str etc_str_trim(struct etc_str s);

#ifdef __cplusplus
}
#endif
#endif
