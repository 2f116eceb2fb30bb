/* cover.c -- see cover.h */
#include "memory/cover.h"

#include "base/exact.h"

#include <stdlib.h>

bool etc_cover_init(struct etc_cover *c, uint32_t ranges, struct etc_arena *arena)
{
	*c = (struct etc_cover){ .leaves = 1 };
	while (c->leaves < (uint64_t)ranges * 2 + 1)
		c->leaves *= 2;
	c->at = etc_new(arena, uint64_t, (size_t)ranges * 2);
	c->times = etc_new(arena, uint32_t, (size_t)c->leaves * 2);
	c->bytes = etc_new(arena, uint64_t, (size_t)c->leaves * 2);
	c->ending = etc_new(arena, uint32_t, (size_t)c->leaves * 2);
	return c->at && c->times && c->bytes && c->ending;
}

void etc_cover_range(struct etc_cover *c, uint64_t offset, uint64_t bytes)
{
	c->at[c->count++] = offset;
	c->at[c->count++] = offset + bytes;
}

void etc_cover_ready(struct etc_cover *c)
{
	uint32_t kept = 0;

	qsort(c->at, c->count, sizeof *c->at, etc_by_u64);
	for (uint32_t i = 0; i < c->count; i++)
		if (kept == 0 || c->at[kept - 1] != c->at[i])
			c->at[kept++] = c->at[i];
	c->count = kept;
	/* one leaf for each distinct start or end; there are few of these, because the planner lets
	 * tensors use the same memory one after the other */
	for (c->leaves = 1; c->leaves < kept + 1;)
		c->leaves *= 2;
}

static uint32_t place(const struct etc_cover *c, uint64_t at)
{
	uint32_t low = 0, high = c->count;

	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->at[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Adds `sign` to the number of ranges that cover each of the leaves [from, to), in the subtree of
 * `node`, whose leaves are [low, high). Leaf i represents the bytes from at[i] to at[i + 1]. */
static void change(struct etc_cover *c, uint32_t node, uint32_t low, uint32_t high, uint32_t from,
                   uint32_t to, int sign)
{
	if (from >= high || to <= low)
		return;
	if (from <= low && high <= to) {
		c->times[node] += (uint32_t)sign;
	} else {
		uint32_t middle = low + (high - low) / 2;

		change(c, node * 2, low, middle, from, to, sign);
		change(c, node * 2 + 1, middle, high, from, to, sign);
	}
	if (c->times[node])
		c->bytes[node] = c->at[high < c->count ? high : c->count - 1] - c->at[low];
	else
		c->bytes[node] = high - low > 1 ? c->bytes[node * 2] + c->bytes[node * 2 + 1] : 0;
}

void etc_cover_add(struct etc_cover *c, uint64_t offset, uint64_t bytes, int sign)
{
	uint32_t from = place(c, offset), to = place(c, offset + bytes);

	if (from < to)
		change(c, 1, 0, c->leaves, from, to, sign);
	for (uint32_t node = c->leaves + to; node; node /= 2)
		c->ending[node] += (uint32_t)sign;
}

uint64_t etc_cover_bytes(const struct etc_cover *c)
{
	return c->bytes[1];
}

uint64_t etc_cover_end(const struct etc_cover *c)
{
	uint32_t node = 1;

	if (!c->ending[1])
		return 0;
	while (node < c->leaves)
		node = node * 2 + (c->ending[node * 2 + 1] ? 1 : 0);
	return c->at[node - c->leaves];
}
