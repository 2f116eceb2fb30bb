/* defined.c -- see defined.h */
#include "stats/defined.h"

#include <math.h>

const char *etc_undefined_text(uint8_t why)
{
	static const char *const TEXT[ETC_UNDEFINED_COUNT] = {
		"",
		"no sample",
		"too few samples",
		"all samples are equal",
		"the base is zero, or may be",
		"a sample is infinite or not a number",
		"there is no method for this statistic",
	};

	return why < ETC_UNDEFINED_COUNT ? TEXT[why] : "";
}

enum etc_undefined etc_samples_check(const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabs(v[i]) <= 1e60)) /* the cubes of what is below do not overflow */
			return ETC_UNDEFINED_NOT_FINITE;
	return n == 0 ? ETC_UNDEFINED_EMPTY : ETC_DEFINED;
}
