/* divide.c -- divides integers as Python does; see divide.h */
#include "divide.h"

double python_true_divide(uint64_t n, uint64_t d)
{
	uint64_t q, r;
	double scale = 1.0;

	if (n <= (uint64_t)1 << 53)
		/* both operands are exact as doubles, so the quotient is rounded only once */
		return (double)n / (double)d;
	q = n / d;
	r = n % d;
	while (q >> 62 == 0 && r != 0) {
		r *= 2;
		q = q * 2 + (r >= d);
		r -= r >= d ? d : 0;
		scale *= 2.0;
	}
	/* The conversion to double below rounds to 53 bits. A remainder that is not zero sets the
	 * lowest bit, so that such a quotient never counts as the exact middle between two
	 * doubles. */
	q |= r != 0;
	return (double)q / scale;
}
