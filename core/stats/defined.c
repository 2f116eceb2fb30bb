/* defined.c -- see defined.h */
#include "stats/defined.h"

#include <math.h>

enum etc_undefined etc_samples_check(const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabs(v[i]) <= 1e60)) /* up to this limit, sums of cubes do not overflow */
			return ETC_UNDEFINED_NOT_FINITE;
	return n == 0 ? ETC_UNDEFINED_EMPTY : ETC_DEFINED;
}
