/* convert.c -- converts times of QNN's events; see convert.h */
#include "convert.h"

#include "../python/divide.h"

/* Passes the product n * by, which is an int in Python. Passes it as an integer if it fits into an
 * int64_t, else as a double. */
static etcore_result put_product(const struct etcore_number_sink *out, uint64_t n, uint64_t by)
{
	if (n <= INT64_MAX / by)
		return out->i64(out->handle, (int64_t)(n * by));
	return out->f64(out->handle, (double)n * (double)by);
}

static etcore_result put_us(const struct etcore_number_sink *out, uint64_t us, uint32_t target)
{
	switch (target) {
	case ETCORE_UNIT_NS:
		return put_product(out, us, 1000);
	case ETCORE_UNIT_MS:
		return out->f64(out->handle, python_true_divide(us, 1000));
	case ETCORE_UNIT_S:
		return out->f64(out->handle, python_true_divide(us, 1000000));
	/* the target scale is microseconds; or cycles, to which microseconds cannot be converted */
	default:
		return put_product(out, us, 1);
	}
}

etcore_result qnn_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_scales *scales, const uint64_t *raw,
                               uint64_t count, const struct etcore_number_sink *out)
{
	struct qnn_event e = qnn_event_of(call->events[index]);
	uint32_t target = e.unit == ETCORE_UNIT_US ? scales->target : ETCORE_UNIT_US;
	etcore_result r = ETCORE_OK;

	(void)self;
	for (uint64_t i = 0; i < count && r == ETCORE_OK; i++)
		r = put_us(out, raw[i], target);
	return r;
}
