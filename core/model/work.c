/* work.c -- see work.h */
#include "model/work.h"

const char *etc_work_type_name(uint8_t type)
{
	static const char *const names[ETC_WORK_TYPES] = { "fp32", "fp16", "bf16", "int8",
		                                           "other" };

	return names[type < ETC_WORK_TYPES ? type : ETC_WORK_OTHER];
}

const char *etc_work_why_text(uint8_t why)
{
	static const char *const texts[ETC_WORK_WHYS] = {
		[ETC_WORK_NONE] = "",
		[ETC_WORK_KNOWN] = "",
		[ETC_WORK_NO_SHAPES] = "no program tells its tensors",
		[ETC_WORK_NO_NODE] = "not known which node it is",
		[ETC_WORK_NO_FORMULA] = "no formula for this operator",
		[ETC_WORK_DYNAMIC] = "depends on values of the run",
		[ETC_WORK_BEYOND] = "a product exceeds 64 bits",
		[ETC_WORK_CONTRADICTS] = "its shapes contradict the operator",
		[ETC_WORK_NO_TYPE] = "the size of an element is not known",
	};

	return texts[why < ETC_WORK_WHYS ? why : ETC_WORK_NONE];
}

uint64_t etc_peaks_cache(const struct etc_peaks *p)
{
	return p->gbps_cache > 0 ? p->cache_bytes : 0;
}

void etc_row_work_add(struct etc_row_work *to, const struct etc_work *work, uint64_t runs,
                      uint64_t cache_bytes)
{
	const etc_u128 bytes = (etc_u128)work->read + work->written;

	if (work->why == ETC_WORK_NONE)
		return;
	if (work->why != ETC_WORK_KNOWN) {
		to->why = to->unknown ? to->why : work->why;
		to->unknown += runs;
		return;
	}
	to->known += runs;
	to->flops[work->type] += (etc_u128)work->flops * runs;
	to->read += (etc_u128)work->read * runs;
	to->written += (etc_u128)work->written * runs;
	if (bytes <= cache_bytes)
		to->cached += bytes * runs;
}
