/* profile.c -- see profile.h */
#include "model/profile.h"

const char *etc_detach_text(uint8_t why)
{
	static const char *const texts[ETC_DETACH_COUNT] = {
		[ETC_ATTACHED] = "",
		[ETC_DETACH_BELOW] = "below a detached event",
		[ETC_DETACH_PARENT] = "no parent",
		[ETC_DETACH_EXCEED] = "children exceed parent",
		[ETC_DETACH_INVALID] = "invalid",
		[ETC_DETACH_UNIT] = "unit or clock unknown",
		[ETC_DETACH_COUNTER] = "a counter, not a time",
		[ETC_DETACH_ESTIMATE] = "estimated",
		[ETC_DETACH_THREADS] = "a sum over threads",
	};

	return why < ETC_DETACH_COUNT ? texts[why] : "";
}
