/* clock.c -- the unit and clock of Core ML's times; see clock.h */
#include "clock.h"

#include "../python/divide.h"

etcore_result coreml_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	(void)self;
	(void)call;
	(void)index;
	(void)scales;
	for (uint64_t i = 0; i < count; i++) {
		double ms = python_true_divide(raw[i], 1000 * 1000);
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
