/* clock.c -- see clock.h */
#include "clock.h"

double coreml_true_divide(uint64_t n, uint64_t d)
{
	uint64_t q, r;
	double scale = 1.0;

	if (n <= (uint64_t)1 << 53)
		return (double)n / (double)d; /* exact operands: rounded once */
	q = n / d;
	r = n % d;
	while (q >> 62 == 0 && r != 0) {
		r *= 2;
		q = q * 2 + (r >= d);
		r -= r >= d ? d : 0;
		scale *= 2.0;
	}
	/* Bits below the 53 kept ones decide a tie: the last says "inexact". */
	q |= r != 0;
	return (double)q / scale;
}

etcore_result coreml_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	(void)self;
	(void)call;
	(void)index;
	(void)scales;
	for (uint64_t i = 0; i < count; i++) {
		double ms = coreml_true_divide(raw[i], 1000 * 1000);
		etcore_result r = out->f64(out->handle, ms);

		if (r != ETCORE_OK)
			return r;
	}
	return ETCORE_OK;
}

etcore_result coreml_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		struct etcore_time *t = times[i];

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		t->unit = ETCORE_UNIT_NS;
		t->ns_per_unit = 1.0;
		t->clock = ETCORE_CLOCK_FOREIGN;
		t->start = ETCORE_START_SYNTHETIC;
		t->duration = ETCORE_DURATION_ESTIMATED;
		t->parent = ETCORE_PARENT_CALL;
	}
	return ETCORE_OK;
}
