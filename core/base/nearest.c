/* nearest.c -- see nearest.h. Levenshtein distance, one row at a time. */
#include "base/nearest.h"

enum { LONGEST = 63 };

static unsigned distance(struct etc_str a, struct etc_str b)
{
	unsigned row[LONGEST + 1];

	if (a.len > LONGEST || b.len > LONGEST)
		return LONGEST;
	for (unsigned j = 0; j <= b.len; j++)
		row[j] = j;
	for (unsigned i = 1; i <= a.len; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= b.len; j++) {
			unsigned best = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);

			best = best < row[j] + 1 ? best : row[j] + 1;
			best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[b.len];
}

struct etc_str etc_nearest(struct etc_str word, const struct etc_str *names, size_t count)
{
	unsigned allowed = word.len / 3 > 2 ? (unsigned)(word.len / 3) : 2, best = allowed + 1;
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
