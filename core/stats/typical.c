/* typical.c -- see typical.h
 *
 * No sorting: the two times at the cuts are selected, and of the runs that are
 * exactly as long as a cut the first in the file fall to its lower side. */
#include "stats/typical.h"

#include "stats/select.h"

/* The time at place `k` of the order, and how many equal runs lie before it. */
struct cut {
	uint64_t time;
	size_t before;
};

static struct cut cut_at(uint64_t *v, size_t n, size_t k)
{
	struct cut c;
	size_t below;

	c.time = etc_select(v, n, k, &below);
	c.before = k - below;
	return c;
}

static size_t mark(const uint64_t *kept, size_t n, struct cut low, struct cut high, uint8_t *use)
{
	size_t at_low = 0, at_high = 0, count = 0;

	for (size_t i = 0; i < n; i++) {
		bool in = kept[i] >= low.time && kept[i] <= high.time;

		if (in && kept[i] == low.time)
			in = at_low++ >= low.before;
		if (in || kept[i] == high.time) {
			if (kept[i] == high.time)
				in = at_high++ <= high.before && in;
		}
		use[i] = in ? ETC_USE_TYPICAL : ETC_USE_KEPT;
		count += in;
	}
	return count;
}

enum etc_status etc_typical_runs(const uint64_t *samples, size_t n, size_t warmup, uint8_t *use,
                                 struct etc_typical *out, struct etc_arena *scratch,
                                 struct etc_error *err)
{
	size_t set_aside = warmup < n ? warmup : n - 1, kept = n - set_aside, out_each = kept / 4;
	uint64_t *v = etc_new(scratch, uint64_t, kept);
	struct cut low, high;

	*out = (struct etc_typical){ .warmup = set_aside, .kept = kept };
	if (!v)
		return etc_fail(err, E0904, "%zu runs", n);
	memcpy(v, samples + set_aside, kept * sizeof *v);
	for (size_t i = 0; i < kept; i++) {
		out->kept_time += v[i];
		out->max = out->max > v[i] ? out->max : v[i];
	}
	out->mean = etc_ratio(out->kept_time, kept);
	out->median = etc_quantile(v, kept, 5);
	out->p90 = etc_quantile(v, kept, 9);
	low = cut_at(v, kept, out_each);
	high = cut_at(v, kept, kept - out_each - 1);
	memset(use, ETC_USE_WARMUP, set_aside);
	out->typical = mark(samples + set_aside, kept, low, high, use + set_aside);
	return ETC_OK;
}
