/* nearest.c -- see nearest.h. Levenshtein distance in which swapping two adjacent letters is
 * one edit (optimal string alignment), computed with three rows. */
#include "base/nearest.h"

#include "base/ascii.h"
#include "base/text.h"

enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return etc_lower(a) == etc_lower(b);
}

static unsigned distance(struct etc_str a, struct etc_str b)
{
	unsigned rows[3][LONGEST + 1];

	if (a.len > LONGEST || b.len > LONGEST)
		return LONGEST;
	for (unsigned j = 0; j <= b.len; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= a.len; i++) {
		unsigned *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		row[0] = i;
		for (unsigned j = 1; j <= b.len; j++) {
			unsigned best = last[j - 1] + !same(a.ptr[i - 1], b.ptr[j - 1]);

			best = least(best, least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a.ptr[i - 1], b.ptr[j - 2]) &&
			    same(a.ptr[i - 2], b.ptr[j - 1]))
				best = least(best, before[j - 2] + 1);
			row[j] = best;
		}
	}
	return rows[a.len % 3][b.len];
}

struct etc_str etc_nearest(struct etc_str word, const struct etc_str *names, size_t count)
{
	unsigned allowed = word.len < 5 ? 1 : word.len < 9 ? 2 : (unsigned)(word.len / 3);
	unsigned best = allowed + 1;
	struct etc_str found = { 0 };

	for (size_t i = 0; i < count; i++) {
		unsigned d = distance(word, names[i]);

		if (d < best && d < names[i].len) {
			best = d;
			found = names[i];
		}
	}
	return found;
}

enum { NAMES_SHOWN = 8 };

enum etc_status etc_fail_unknown(struct etc_error *err, enum etc_code code, struct etc_str word,
                                 const struct etc_str *names, size_t count, const char *has,
                                 const char *none)
{
	struct etc_str near = etc_nearest(word, names, count), shown[NAMES_SHOWN];
	struct etc_text list = { 0 };
	bool more = false;
	size_t n = 0;
	enum etc_status st;

	for (size_t i = 0; i < count && !more; i++) {
		if (!names[i].len || etc_str_is_in(names[i], shown, n))
			continue;
		if (n == NAMES_SHOWN)
			more = true;
		else
			shown[n++] = names[i];
	}
	if (near.len)
		etc_text_printf(&list, "did you mean '" ETC_STR_FMT "'?", ETC_STR_ARG(near));
	else if (n == 0)
		etc_text_cstr(&list, none);
	for (size_t i = 0; i < n && !near.len; i++)
		etc_text_printf(&list, "%s'" ETC_STR_FMT "'", i ? ", " : "", ETC_STR_ARG(shown[i]));
	st = etc_fail(err, code, "'" ETC_STR_FMT "'; %s%s" ETC_STR_FMT "%s", ETC_STR_ARG(word),
	              near.len || n == 0 ? "" : has, near.len || n == 0 ? "" : " ",
	              ETC_STR_ARG(etc_text_str(&list)), more && !near.len ? " and others" : "");
	etc_text_release(&list);
	return st;
}
