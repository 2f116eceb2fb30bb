/* perf.c -- see perf.h: computes the statistics (PerfData) of every event of a block.
 *
 * The columns of times have all events of one run, then those of the next run, but a statistic
 * needs all runs of one event. So the times of sixteen events at a time are transposed, which uses
 * each cache line completely. Delegated events whose times no plugin converts are special: their
 * start and end are scaled before the subtraction. For all other events, the difference is
 * scaled. */
#include "inspector/perf.h"

#include <stdlib.h>

#include "base/memory.h"
#include "inspector/numpy.h"

enum { TOGETHER = 16 };

/* Returns the number of units per second, as in the Inspector's TIME_SCALE_DICT; 1 for cycles. */
static double per_second(uint8_t unit)
{
	return unit == ETC_UNIT_CYCLES ? 1 : 1e9 / etc_unit_ns(unit);
}

enum etc_status etc_inspector_scales(uint8_t source, uint8_t target, double *factor,
                                     struct etc_error *err)
{
	if ((source == ETC_UNIT_CYCLES) != (target == ETC_UNIT_CYCLES))
		return etc_fail(err, E0806, "source_time_scale %s, target_time_scale %s",
		                etc_unit_name(source), etc_unit_name(target));
	*factor = per_second(source) / per_second(target);
	return ETC_OK;
}

double etc_insp_divisor(const struct etc_inspector *in, uint8_t unit, double rate)
{
	double per = etc_unit_ns(unit) > 0 ? 1e9 / etc_unit_ns(unit) : rate;

	if (unit == ETC_UNIT_CYCLES && in->target == ETC_UNIT_CYCLES)
		return 1;
	if (unit == ETCORE_UNIT_BYTES || unit == ETCORE_UNIT_COUNT || in->target == ETC_UNIT_CYCLES)
		return 0;
	return per / per_second(in->target);
}

enum etc_status etc_insp_wraps(struct etc_error *err, const struct etc_insp_event *e, double start,
                               double end)
{
	return etc_fail(err, E0805, "event '" ETC_STR_FMT "': start %.17g, end %.17g",
	                ETC_STR_ARG(e->name), start, end);
}

/* Sets `*out` to the result of the Inspector's _calculate_elapsed_time() for raw ticks, with its
 * off-by-one error at a wrap-around. False: it raises an exception. */
static bool elapsed(uint64_t start, uint64_t end, uint64_t *out)
{
	if (start > end) {
		if (start > ETC_INSP_MAX_U32 || end > ETC_INSP_MAX_U32)
			return false;
		*out = ETC_INSP_MAX_U32 - start + end;
		return true;
	}
	*out = end - start;
	return true;
}

bool etc_insp_elapsed(double start, double end, double *out)
{
	if (start > end) {
		if (start > (double)ETC_INSP_MAX_U32 || end > (double)ETC_INSP_MAX_U32)
			return false;
		*out = ((double)ETC_INSP_MAX_U32 - start) + end;
		return true;
	}
	*out = end - start;
	return true;
}

/* Computes one raw value: an elapsed time in the target scale. False: the Inspector raises an
 * exception. */
static inline bool scaled(const struct etc_inspector *in, const struct etc_insp_event *e,
                          size_t sample, double *out)
{
	uint64_t start = in->trace->start[sample], end = in->trace->end[sample], ticks;

	if (e->is_delegated)
		return etc_insp_elapsed((double)start / in->factor, (double)end / in->factor, out);
	if (!elapsed(start, end, &ticks))
		return false;
	*out = (double)ticks / in->factor;
	return true;
}

void etc_insp_raw_of(const struct etc_inspector *in, const struct etc_insp_block *b,
                     const struct etc_insp_event *e, uint32_t from, uint32_t count, double *raw)
{
	uint32_t event = (uint32_t)(e - b->events);

	for (uint32_t i = 0; i < count; i++) {
		size_t at = etc_insp_sample(in, b, event, from + i);

		etc_insp_ahead(in, b, event, 1, from + i, true);
		if (!scaled(in, e, at, &raw[i]))
			/* never reached, because etc_insp_times() would have reported the error */
			raw[i] = 0;
	}
}

void etc_insp_statistics(const struct etc_insp_block *b, uint32_t event, const double *v,
                         uint64_t *keys)
{
	double *stats = &b->stats[(size_t)event * etc_insp_stats_kept(b)];
	size_t n = b->run_count;
	double min = v[0], max = v[0];

	if (n == 1) { /* with one run, the value is also minimum, maximum and each percentile */
		*stats = v[0];
		return;
	}
	for (size_t i = 1; i < n; i++) {
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
	}
	stats[ETC_INSP_AVG] =
		b->events[event].int_raw ? etc_insp_mean_of_integers(v, n) : etc_insp_mean(v, n);
	stats[ETC_INSP_MIN] = min;
	stats[ETC_INSP_MAX] = max;
	etc_insp_percentiles(v, n, keys, &stats[ETC_INSP_P10]);
}

/* Are the raw values of the event computed from the columns of times? */
static bool is_computed(const struct etc_insp_event *e)
{
	return e->has_profile && !etc_insp_extra(e)->converted;
}

/* How an event's raw values are computed from the columns of times. OF_TICKS: the start is
 * subtracted from the end, then the difference is scaled. OF_SCALED: start and end are scaled, then
 * subtracted. OTHERWISE: the values are not from the columns. */
enum way { OTHERWISE, OF_TICKS, OF_SCALED };

static enum way way_of(const struct etc_insp_event *e)
{
	return !is_computed(e) ? OTHERWISE : e->is_delegated ? OF_SCALED : OF_TICKS;
}

/* Writes the raw values of events [from, from + count) to `row`: the values of the first event in
 * all runs, then those of the second, and so on. `count` is at most TOGETHER. False: the Inspector
 * raises an exception for one of the values. */
static bool transpose(const struct etc_inspector *in, const struct etc_insp_block *b, uint32_t from,
                      uint32_t count, double *row)
{
	const uint64_t *start = in->trace->start, *end = in->trace->end;
	const struct etc_insp_event *events = b->events + from;
	const double factor = in->factor;
	const size_t n = b->run_count;
	enum way ways[TOGETHER];

	for (uint32_t k = 0; k < count; k++)
		ways[k] = way_of(&events[k]);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *columns = in->variants[b->variant[i]].profile;
		size_t first = in->trace->runs[b->runs[i]].first_sample;

		etc_insp_ahead(in, b, from, count, i, true);
		for (uint32_t k = 0; k < count; k++) {
			size_t at = first + (columns ? columns[from + k] : from + k);
			double *to = &row[k * n + i];

			if (ways[k] == OF_TICKS && start[at] <= end[at] &&
			    end[at] - start[at] <= INT64_MAX)
				*to = (double)(int64_t)(end[at] - start[at]) / factor;
			else if (ways[k] != OTHERWISE && !scaled(in, &events[k], at, to))
				return false;
		}
	}
	return true;
}

/* Reports the first time for which the Inspector raises an exception, because the event ends before
 * it starts. "First" is in the order of the Inspector: event by event, and all runs of each
 * event. */
static enum etc_status first_wrap(const struct etc_inspector *in, const struct etc_insp_block *b,
                                  uint32_t from, uint32_t to, struct etc_error *err)
{
	for (uint32_t k = from; k < to; k++)
		for (uint32_t i = 0; i < b->run_count && is_computed(&b->events[k]); i++) {
			size_t at = etc_insp_sample(in, b, k, i);
			double v;

			if (!scaled(in, &b->events[k], at, &v))
				return etc_insp_wraps(err, &b->events[k],
				                      (double)in->trace->start[at],
				                      (double)in->trace->end[at]);
		}
	return ETC_OK;
}

/* Computes the statistics of events [from, from + count) from the columns of times. `rows` and
 * `keys` are scratch memory. */
static enum etc_status compute(const struct etc_inspector *in, const struct etc_insp_block *b,
                               uint32_t from, uint32_t count, double *rows, uint64_t *keys,
                               struct etc_error *err)
{
	if (!transpose(in, b, from, count, rows))
		return first_wrap(in, b, from, from + count, err);
	for (uint32_t k = 0; k < count; k++)
		if (is_computed(&b->events[from + k]))
			etc_insp_statistics(b, from + k, rows + k * (size_t)b->run_count, keys);
	return ETC_OK;
}

enum etc_status etc_insp_times(struct etc_inspector *in, struct etc_insp_block *b,
                               struct etc_error *err)
{
	size_t runs = b->run_count ? b->run_count : 1;
	uint32_t all = b->event_count, some;
	enum etc_status st = ETC_OK;
	double *rows;
	uint64_t *keys;

	b->stats = etc_new(in->arena, double, (size_t)all *etc_insp_stats_kept(b));
	ETC_NEED(b->stats, err);
	ETC_TRY(etc_insp_convert(in, b, err));
	rows = etc_malloc((all < TOGETHER ? all : TOGETHER) * sizeof *rows * runs);
	keys = etc_malloc(runs * sizeof *keys);
	if (!rows || !keys)
		st = etc_no_memory(err);
	for (uint32_t at = 0; at < all && st == ETC_OK; at += some) {
		some = all - at < TOGETHER ? all - at : TOGETHER;
		st = compute(in, b, at, some, rows, keys, err);
	}
	free(keys);
	free(rows);
	return st;
}
