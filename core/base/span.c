/* span.c -- see span.h */
#define _GNU_SOURCE /* memmem */
#include "base/span.h"

#include "base/ascii.h"

int etc_str_cmp(struct etc_str a, struct etc_str b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	if (order != 0)
		return order;
	return a.len < b.len ? -1 : a.len > b.len;
}

bool etc_str_is_one_of(struct etc_str s, const char *const *names)
{
	while (*names && !etc_str_eq(s, etc_str_of(*names)))
		names++;
	return *names != NULL;
}

size_t etc_str_ending(struct etc_str s, const char *const *endings)
{
	for (; *endings; endings++)
		if (etc_str_ends(s, etc_str_of(*endings)))
			return strlen(*endings);
	return 0;
}

size_t etc_str_find(struct etc_str s, struct etc_str needle, size_t from)
{
	const char *hit;

	if (!etc_fits(s.len, from, needle.len))
		return SIZE_MAX;
	if (needle.len == 0)
		return from;
	/* memmem() prepares tables for the needle, which is wasted time if the needle's first
	 * letter does not occur in `s`. */
	hit = memchr(s.ptr + from, needle.ptr[0], s.len - from);
	if (hit)
		hit = memmem(hit, s.len - (size_t)(hit - s.ptr), needle.ptr, needle.len);
	return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

struct etc_str etc_str_trim(struct etc_str s)
{
	while (s.len && etc_is_blank(s.ptr[0])) {
		s.ptr++;
		s.len--;
	}
	while (s.len && etc_is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}
