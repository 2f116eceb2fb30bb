/* order.c -- see order.h
 *
 * The fit has two unknown parts: the drift, a polynomial of the recordings' positions, and the
 * step, whose regressor is 1 for recordings of the second group and 0 for the others. The two parts
 * are fitted one after the other (theorem of Frisch and Waugh). First the polynomial is fitted to
 * the regressor of the step, and to the values, and subtracted from both. Then what is left of the
 * values is regressed on what is left of the regressor. */
#include "stats/order.h"

#include <math.h>

enum { MOST_COLUMNS = 4 };
/* The drift is fitted to the regressor of the step, and subtracted from it. If the mean square of
 * what is left is at most this limit, the position of a recording determines its group, and the
 * step is undefined. */
static const double ALL_EXPLAINED = 1e-6;

static size_t columns_for(size_t n)
{
	return n < 8 ? 2 : n < 14 ? 3 : 4;
}

static double product(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Subtracts from `v` its projection on `column`. `column` is a unit vector, or a vector of zeros;
 * then nothing is subtracted. */
static void take_away(double *v, const double *column, size_t n)
{
	double part = product(v, column, n);

	for (size_t i = 0; i < n; i++)
		v[i] -= part * column[i];
}

/* Makes the columns 1, t, t^2 ... orthonormal. A column that is a linear combination of the columns
 * before it becomes 0. */
static void make_columns(const double *t, size_t n, size_t columns, double *const *q)
{
	double low = HUGE_VAL, high = -HUGE_VAL;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, t[i]);
		high = fmax(high, t[i]);
	}
	for (size_t c = 0; c < columns; c++) {
		double length;

		for (size_t i = 0; i < n; i++)
			q[c][i] = pow(high > low ? 2 * (t[i] - low) / (high - low) - 1 : 0,
			              (double)c);
		for (size_t b = 0; b < c; b++)
			take_away(q[c], q[b], n);
		length = sqrt(product(q[c], q[c], n));
		for (size_t i = 0; i < n; i++)
			q[c][i] = length > 1e-9 ? q[c][i] / length : 0;
	}
}

enum etc_status etc_step_in_order(const double *y, const double *t, const bool *second, size_t n,
                                  double least, struct etc_step *out, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	size_t columns = columns_for(n), of_second = 0;
	double *room = etc_new(scratch, double, MOST_COLUMNS *n), *q[MOST_COLUMNS];
	double *step = etc_new(scratch, double, n), *rest = etc_new(scratch, double, n), length,
	       sum = 0;

	*out = (struct etc_step){ .why = ETC_UNDEFINED_FEW };
	ETC_NEED(room && step && rest, err);
	if (n < columns + 3)
		return ETC_OK;
	for (size_t c = 0; c < columns; c++)
		q[c] = room + c * n;
	make_columns(t, n, columns, q);
	for (size_t i = 0; i < n; i++) {
		step[i] = second[i];
		rest[i] = y[i];
		of_second += second[i];
	}
	for (size_t c = 0; c < columns; c++) {
		take_away(step, q[c], n);
		take_away(rest, q[c], n);
	}
	length = product(step, step, n);
	out->why = ETC_UNDEFINED_NO_METHOD;
	if (of_second == 0 || !(length > ALL_EXPLAINED * (double)n))
		return ETC_OK;
	out->size = product(step, rest, n) / length;
	for (size_t i = 0; i < n; i++)
		sum += pow(rest[i] - out->size * step[i], 2);
	out->freedom = (double)(n - columns - 1);
	out->variance = fmax(sum / out->freedom, least) / length;
	out->why = ETC_DEFINED;
	return ETC_OK;
}
