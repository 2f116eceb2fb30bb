/* enclose.c -- see enclose.h
 *
 * If intervals are sorted by start ascending, end descending, position in the file descending,
 * every interval comes after those that enclose it. If intervals are properly nested, a stack
 * finds the enclosing interval. If two overlap partially, a tree of minima over the ends is used
 * instead. */
#include "join/enclose.h"

#include <stdlib.h>

#include "base/memory.h"

#define NONE UINT32_MAX

static int by_start(const void *a, const void *b)
{
	const struct etc_event_interval *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order > y->order ? -1 : x->order < y->order;
}

/* Sets `around` of each of the sorted intervals, using a stack of the intervals that are still
 * open. Returns false if two intervals overlap partially; not every `around` is then set. */
static bool by_stack(struct etc_event_interval *v, uint32_t n, bool points, uint32_t *stack)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < n; i++) {
		while (depth && v[stack[depth - 1]].end < v[i].end) {
			uint64_t end = v[stack[depth - 1]].end;

			/* If there are points (intervals of length 0), the touching ends of two
			 * intervals count as an overlap, because a point there lies in both of
			 * them. */
			if (end > v[i].start || (end == v[i].start && points))
				return false;
			depth--;
		}
		v[i].around = depth ? v[stack[depth - 1]].order : NONE;
		stack[depth++] = i;
	}
	return true;
}

/* Returns the index of the shorter interval; if both are equally long, the index of the one that is
 * first in the file. */
static uint32_t smaller(const struct etc_event_interval *v, uint32_t a, uint32_t b)
{
	uint64_t da, db;

	if (a == NONE || b == NONE)
		return a == NONE ? b : a;
	da = v[a].end - v[a].start;
	db = v[b].end - v[b].start;
	if (da != db)
		return da < db ? a : b;
	return v[a].order < v[b].order ? a : b;
}

struct end {
	uint64_t end;
	uint32_t at;
};

static int by_end(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return x->end > y->end ? -1 : x->end < y->end;
}

/* Sets `around` with a Fenwick tree of minima. The intervals are ranked by their ends, the latest
 * end first. So the prefix of the tree up to rank r covers those intervals seen so far that do not
 * end before the interval with rank r does. Returns false if out of memory. */
static bool by_tree(struct etc_event_interval *v, uint32_t n, uint32_t *tree)
{
	struct end *ends = etc_calloc(n, sizeof *ends);
	uint32_t *rank = etc_calloc(n, sizeof *rank);

	if (!ends || !rank) {
		free(ends);
		free(rank);
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		ends[i] = (struct end){ v[i].end, i };
		tree[i] = NONE;
	}
	qsort(ends, n, sizeof *ends, by_end);
	/* Intervals with equal ends get the same rank, the last one of theirs, so that every prefix
	 * that contains one of them contains all. */
	for (uint32_t i = n; i-- > 0;)
		rank[ends[i].at] =
			i + 1 < n && ends[i].end == ends[i + 1].end ? rank[ends[i + 1].at] : i;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t best = NONE;

		if (i > 0 && v[i - 1].start == v[i].start && v[i - 1].end == v[i].end) {
			/* The interval with the same start and end that follows in the file
			 * encloses this one. */
			best = i - 1;
		} else {
			for (uint32_t r = rank[i] + 1; r > 0; r &= r - 1)
				best = smaller(v, best, tree[r - 1]);
		}
		v[i].around = best == NONE ? NONE : v[best].order;
		for (uint32_t r = rank[i] + 1; r <= n; r += r & -r)
			tree[r - 1] = smaller(v, tree[r - 1], i);
	}
	free(ends);
	free(rank);
	return true;
}

bool etc_enclose(struct etc_event_interval *v, uint32_t n, uint32_t *room)
{
	bool sorted = true, points = false;

	for (uint32_t i = 0; i < n; i++) {
		sorted = sorted && (i == 0 || by_start(&v[i - 1], &v[i]) <= 0);
		points = points || v[i].start == v[i].end;
	}
	if (!sorted)
		qsort(v, n, sizeof *v, by_start);
	return by_stack(v, n, points, room) || by_tree(v, n, room);
}
