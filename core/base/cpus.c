/* cpus.c -- see cpus.h */
#define _GNU_SOURCE /* sched_setaffinity */
#include "base/cpus.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>

#include "base/number.h"

static void add(struct etc_cpus *c, uint64_t i)
{
	c->bits[i / 64] |= (uint64_t)1 << i % 64;
}

static int digit_of(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	ch = (char)(ch | 0x20);
	return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

static bool parse_mask(struct etc_str digits, struct etc_cpus *out)
{
	for (size_t i = 0; i < digits.len; i++) {
		int d = digit_of(digits.ptr[digits.len - 1 - i]);

		if (d < 0 || (d > 0 && i * 4 >= ETC_CPUS_MAX))
			return false;
		if (d > 0)
			out->bits[i / 16] |= (uint64_t)d << i % 16 * 4;
	}
	return true;
}

/* Adds the processors of a range such as "4" or "4-7". False: the range is invalid. */
static bool parse_range(struct etc_str text, struct etc_cpus *out)
{
	size_t dash = etc_str_find(text, ETC_STR("-"), 0);
	uint64_t first, last;

	if (!etc_number_parse_u64(etc_str_trim(etc_str_sub(text, 0, dash)), &first))
		return false;
	last = first;
	if (dash != SIZE_MAX &&
	    !etc_number_parse_u64(etc_str_trim(etc_str_sub(text, dash + 1, text.len)), &last))
		return false;
	if (first > last || last >= ETC_CPUS_MAX)
		return false;
	for (uint64_t i = first; i <= last; i++)
		add(out, i);
	return true;
}

bool etc_cpus_parse(struct etc_str text, struct etc_cpus *out)
{
	*out = (struct etc_cpus){ 0 };
	text = etc_str_trim(text);
	if (etc_str_starts(text, ETC_STR("0x")) || etc_str_starts(text, ETC_STR("0X"))) {
		if (!parse_mask(etc_str_sub(text, 2, text.len), out))
			return false;
		return etc_cpus_count(out) > 0;
	}
	for (size_t at = 0; at <= text.len;) {
		size_t end = etc_str_find(text, ETC_STR(","), at);

		if (!parse_range(etc_str_sub(text, at, end), out))
			return false;
		if (end == SIZE_MAX)
			break;
		at = end + 1;
	}
	return etc_cpus_count(out) > 0;
}

void etc_cpus_mask(const struct etc_cpus *c, char to[ETC_CPUS_TEXT])
{
	bool any = false;
	size_t n = (size_t)snprintf(to, ETC_CPUS_TEXT, "0x");

	for (int i = ETC_CPUS_MAX / 4 - 1; i >= 0; i--) {
		unsigned d = (unsigned)(c->bits[i / 16] >> i % 16 * 4) & 15;

		any = any || d > 0 || i == 0;
		if (any)
			to[n++] = "0123456789abcdef"[d];
	}
	to[n] = '\0';
}

uint32_t etc_cpus_count(const struct etc_cpus *c)
{
	uint32_t n = 0;

	for (size_t i = 0; i < ETC_CPUS_MAX; i++)
		n += (uint32_t)(c->bits[i / 64] >> i % 64 & 1);
	return n;
}

int etc_cpus_get(struct etc_cpus *c)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	*c = (struct etc_cpus){ 0 };
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return errno;
	for (size_t i = 0; i < ETC_CPUS_MAX && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			add(c, i);
	return 0;
}

int etc_cpus_set(const struct etc_cpus *c)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < ETC_CPUS_MAX && i < CPU_SETSIZE; i++)
		if (c->bits[i / 64] >> i % 64 & 1)
			CPU_SET(i, &set);
	return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}
