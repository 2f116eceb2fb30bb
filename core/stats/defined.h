/* defined.h -- reasons why a statistic has no value.
 *
 * Every statistic of core/stats returns ETC_DEFINED or one of these reasons next to its
 * numbers. Undefined numbers are 0, never NaN, and nothing is divided by zero. Samples
 * are doubles: ticks below 2^53 convert exactly. */
#ifndef ETC_STATS_DEFINED_H
#define ETC_STATS_DEFINED_H

#include <stddef.h>
#include <stdint.h>

enum etc_undefined {
	ETC_DEFINED,
	ETC_UNDEFINED_EMPTY,      /* there is no number */
	ETC_UNDEFINED_FEW,        /* fewer numbers than the statistic needs */
	ETC_UNDEFINED_CONSTANT,   /* all numbers are equal */
	ETC_UNDEFINED_ZERO,       /* a ratio to zero, or to a number that may be zero */
	ETC_UNDEFINED_NOT_FINITE, /* a number is infinite, NaN, or beyond 1e60 */
	ETC_UNDEFINED_NO_METHOD,  /* no method exists, as for the interval of a minimum */
};

/* Checks the numbers v[0 .. n). Returns ETC_DEFINED, ETC_UNDEFINED_EMPTY (n is 0), or
 * ETC_UNDEFINED_NOT_FINITE. */
enum etc_undefined etc_samples_check(const double *v, size_t n);

#endif
