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

/* The kept runs between the cuts. */
static size_t mark_middle(const uint64_t *samples, size_t n, struct cut low, struct cut high,
                          uint8_t *use)
{
	size_t at_low = 0, at_high = 0, count = 0;

	for (size_t i = 0; i < n; i++) {
		bool in = samples[i] >= low.time && samples[i] <= high.time;

		if (use[i] == ETC_USE_WARMUP)
			continue;
		if (in && samples[i] == low.time)
			in = at_low++ >= low.before;
		if (samples[i] == high.time)
			in = at_high++ <= high.before && in;
		use[i] = in ? ETC_USE_TYPICAL : ETC_USE_KEPT;
		count += in;
	}
	return count;
}

static size_t mark_fastest(const uint64_t *samples, size_t n, uint8_t *use)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++) {
		if (use[i] == ETC_USE_WARMUP)
			continue;
		use[i] = ETC_USE_KEPT;
		if (best == n || samples[i] < samples[best])
			best = i;
	}
	use[best] = ETC_USE_TYPICAL;
	return 1;
}

static size_t mark_all(size_t n, uint8_t *use)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (use[i] != ETC_USE_WARMUP) {
			use[i] = ETC_USE_TYPICAL;
			count++;
		}
	return count;
}

enum etc_status etc_typical_runs(const uint64_t *samples, size_t n, uint8_t stat, uint8_t *use,
                                 struct etc_typical *out, struct etc_arena *scratch,
                                 struct etc_error *err)
{
	uint64_t *v = etc_new(scratch, uint64_t, n);
	size_t kept = 0;

	*out = (struct etc_typical){ 0 };
	if (!v)
		return etc_fail(err, E0904, "%zu runs", n);
	for (size_t i = 0; i < n; i++) {
		if (use[i] == ETC_USE_WARMUP)
			continue;
		v[kept++] = samples[i];
		out->kept_time += samples[i];
		out->max = out->max > samples[i] ? out->max : samples[i];
	}
	out->kept = kept;
	out->warmup = n - kept;
	out->mean = etc_ratio(out->kept_time, kept);
	out->median = etc_quantile(v, kept, 5);
	out->p90 = etc_quantile(v, kept, 9);
	if (stat == ETC_STAT_TYPICAL) {
		struct cut low = cut_at(v, kept, kept / 4);
		struct cut high = cut_at(v, kept, kept - kept / 4 - 1);

		out->typical = mark_middle(samples, n, low, high, use);
	} else {
		out->typical =
			stat == ETC_STAT_MIN ? mark_fastest(samples, n, use) : mark_all(n, use);
	}
	return ETC_OK;
}
