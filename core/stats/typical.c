/* typical.c -- see typical.h. */
#include "stats/typical.h"

#include "stats/select.h"

/* Returns the sum of the two middle values of v[0 .. n). Reorders `v`. */
static etc_u128 middle_two(uint64_t *v, size_t n)
{
	etc_u128 low = etc_select(v, n, (n - 1) / 2, NULL);

	return low + etc_select(v, n, n / 2, NULL);
}

/* Returns |2 t - m2|, which is twice the distance of `t` from the median, because m2 is twice the
 * median. Half of the result, rounded down, fits 64 bits and sorts in the same order, because all
 * results for one m2 have the same last bit. */
static etc_u128 deviation(uint64_t t, etc_u128 m2)
{
	etc_u128 t2 = (etc_u128)t * 2;

	return t2 > m2 ? t2 - m2 : m2 - t2;
}

/* The limits by which a run counts as near the median. m2 and d2 are defined in typical.h. */
struct near {
	bool all; /* all runs count, because there are too few */
	etc_u128 m2, d2;
};

/* Measures the centre and the spread of the times of the kept runs. `v` is a copy of the times; it
 * is overwritten. */
static struct near measure(uint64_t *v, size_t n)
{
	struct near out = { n < ETC_TYPICAL_LEAST, middle_two(v, n), 0 };

	for (size_t i = 0; i < n; i++)
		v[i] = (uint64_t)(deviation(v[i], out.m2) >> 1);
	out.d2 = 2 * middle_two(v, n) + 2 * (out.m2 & 1);
	return out;
}

static size_t mark_near(const uint64_t *samples, size_t n, struct near r, uint8_t *use)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		bool near = r.all || ETC_TYPICAL_UNIT * deviation(samples[i], r.m2) <=
		                             ETC_TYPICAL_REACH * r.d2;

		if (use[i] == ETC_USE_WARMUP)
			continue;
		use[i] = near ? ETC_USE_TYPICAL : ETC_USE_KEPT;
		count += near;
	}
	return count;
}

/* Returns the spread of the runs: 1.4826 times the median absolute deviation, d2 / 4, divided by
 * the median, m2 / 2. 0/0: it is not defined. */
static struct etc_ratio spread_of(struct near r)
{
	if (r.all || r.m2 == 0)
		return etc_ratio(0, 0);
	return etc_ratio(ETC_TYPICAL_REACH * r.d2, 3 * ETC_TYPICAL_UNIT * r.m2);
}

struct etc_ratio etc_spread(uint64_t *v, size_t n)
{
	return n > 0 ? spread_of(measure(v, n)) : etc_ratio(0, 0);
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
	struct near near;
	size_t kept = 0;

	*out = (struct etc_typical){ 0 };
	ETC_NEED(v, err);
	for (size_t i = 0; i < n; i++) {
		if (use[i] == ETC_USE_WARMUP)
			continue;
		v[kept++] = samples[i];
		out->kept_time += samples[i];
		out->max = out->max > samples[i] ? out->max : samples[i];
		out->min = kept > 1 && out->min < samples[i] ? out->min : samples[i];
	}
	out->kept = kept;
	out->warmup = n - kept;
	out->mean = etc_ratio(out->kept_time, kept);
	out->median = etc_quantile(v, kept, 5);
	out->p90 = etc_quantile(v, kept, 9);
	near = measure(v, kept);
	out->spread = spread_of(near);
	out->typical = stat == ETC_STAT_TYPICAL ? mark_near(samples, n, near, use)
	               : stat == ETC_STAT_MIN   ? mark_fastest(samples, n, use)
	                                        : mark_all(n, use);
	return ETC_OK;
}
