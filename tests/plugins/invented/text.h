/* text.h -- parses `KEY=VALUE` in texts without a terminating NUL. */
#ifndef INVENTED_TEXT_H
#define INVENTED_TEXT_H

#include <etcore/plugin.h>

#include <string.h>

#define TEXT(literal) ((struct etcore_text){ (literal), sizeof(literal) - 1 })

static inline struct etcore_text text_of(const char *s)
{
	return (struct etcore_text){ s, strlen(s) };
}

static inline int same(struct etcore_text a, struct etcore_text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, (size_t)a.len) == 0);
}

static inline int is_printable(struct etcore_text t)
{
	for (uint64_t i = 0; i < t.len; i++)
		if (t.ptr[i] < ' ' || t.ptr[i] > '~')
			return 0;
	return 1;
}

/* Returns the VALUE of `key`, up to a blank; an empty text if `in` has no such key. */
static inline struct etcore_text value_of(struct etcore_bytes in, struct etcore_text key)
{
	const char *at = (const char *)in.ptr;

	for (uint64_t i = 0; i + key.len < in.len; i++) {
		uint64_t end = i + key.len + 1;

		if ((i && at[i - 1] != ' ') || memcmp(at + i, key.ptr, (size_t)key.len) != 0 ||
		    at[i + key.len] != '=')
			continue;
		while (end < in.len && at[end] != ' ')
			end++;
		return (struct etcore_text){ at + i + key.len + 1, end - i - key.len - 1 };
	}
	return (struct etcore_text){ NULL, 0 };
}

/* Parses a whole number into *out. Returns 0 if `t` is not one, or is too large for an int64_t. */
static inline int number_of(struct etcore_text t, uint64_t *out)
{
	uint64_t v = 0;

	for (uint64_t i = 0; i < t.len; i++) {
		if (t.ptr[i] < '0' || t.ptr[i] > '9' || v > (INT64_MAX - 9) / 10)
			return 0;
		v = v * 10 + (uint64_t)(t.ptr[i] - '0');
	}
	*out = v;
	return t.len > 0;
}

/* Computes the mean over an event's samples of the number that `key` has in their metadata, rounded
 * down. Returns 0 if a sample has no such number. */
static inline int mean_of(const struct etcore_event *e, struct etcore_text key, int64_t *out)
{
	uint64_t sum = 0, v;

	if (!e->metadata || e->samples == 0)
		return 0;
	for (uint64_t i = 0; i < e->samples; i++) {
		if (!number_of(value_of(e->metadata[i], key), &v) || v > INT64_MAX - sum)
			return 0;
		sum += v;
	}
	*out = (int64_t)(sum / e->samples);
	return 1;
}

#endif
