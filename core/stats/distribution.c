/* distribution.c -- see distribution.h */
#define _GNU_SOURCE /* lgamma_r */
#include "stats/distribution.h"

#include <float.h>
#include <math.h>

double etc_log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

double etc_normal_cdf(double z)
{
	return 0.5 * erfc(-z * 0.70710678118654752440);
}

static double polynomial(const double *c, int n, double x)
{
	double sum = c[n - 1];

	for (int i = n - 2; i >= 0; i--)
		sum = sum * x + c[i];
	return sum;
}

/* clang-format off */
static const double A[8] = { 3.3871328727963666080e0, 1.3314166789178437745e+2,
	1.9715909503065514427e+3, 1.3731693765509461125e+4, 4.5921953931549871457e+4,
	6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3 };
static const double B[8] = { 1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2,
	5.3941960214247511077e+3, 2.1213794301586595867e+4, 3.9307895800092710610e+4,
	2.8729085735721942674e+4, 5.2264952788528545610e+3 };
static const double C[8] = { 1.42343711074968357734e0, 4.63033784615654529590e0,
	5.76949722146069140550e0, 3.64784832476320460504e0, 1.27045825245236838258e0,
	2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4 };
static const double D[8] = { 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
	6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
	5.47593808499534494600e-4, 1.05075007164441684324e-9 };
static const double E[8] = { 6.65790464350110377720e0, 5.46378491116411436990e0,
	1.78482653991729133580e0, 2.96560571828504891230e-1, 2.65321895265761230930e-2,
	1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7 };
static const double F[8] = { 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
	1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
	1.42151175831644588870e-7, 2.04426310338993978564e-15 };
/* clang-format on */

double etc_normal_quantile(double p)
{
	double q = p - 0.5, r, z;

	if (fabs(q) <= 0.425) {
		r = 0.180625 - q * q;
		return q * polynomial(A, 8, r) / polynomial(B, 8, r);
	}
	r = q < 0 ? p : 1 - p;
	if (!(r > 0))
		return q < 0 ? -HUGE_VAL : HUGE_VAL;
	r = sqrt(-log(r));
	if (r <= 5)
		z = polynomial(C, 8, r - 1.6) / polynomial(D, 8, r - 1.6);
	else
		z = polynomial(E, 8, r - 5) / polynomial(F, 8, r - 5);
	return q < 0 ? -z : z;
}

/* Returns the continued fraction of I_x(a, b), without the factor before it. It converges for x <
 * (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = DBL_MIN / DBL_EPSILON;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double change;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		change = d * c;
		f *= change;
		if (fabs(change - 1) < DBL_EPSILON)
			break;
	}
	return f;
}

/* Returns -log B(a, b). B(a, b) is the divisor in the density of the beta distribution. */
static double beta_logarithm(double a, double b)
{
	return etc_log_gamma(a + b) - etc_log_gamma(a) - etc_log_gamma(b);
}

/* Returns I_x(a, b), the regularised incomplete beta function. `rest` is 1 - x; the caller passes
 * it so that no digits are lost near x = 1. `logarithm` is beta_logarithm(a, b). */
static double beta_both(double a, double b, double x, double rest, double logarithm)
{
	double factor;

	if (x <= 0)
		return 0;
	if (rest <= 0)
		return 1;
	factor = exp(logarithm + a * log(x) + b * log(rest));
	if (x < (a + 1) / (a + b + 2))
		return factor * beta_fraction(a, b, x) / a;
	return 1 - factor * beta_fraction(b, a, rest) / b;
}

/* Student's distribution with `df` degrees of freedom. */
struct student {
	double df, logarithm;
};

static struct student student_of(double df)
{
	return (struct student){ df, beta_logarithm(df / 2, 0.5) };
}

static double two_sided(const struct student *s, double t)
{
	double square = t * t, df = s->df;

	if (!isfinite(square))
		return 0;
	return beta_both(df / 2, 0.5, df / (df + square), square / (df + square), s->logarithm);
}

double etc_student_two_sided(double t, double df)
{
	struct student s = student_of(df);

	return two_sided(&s, t);
}

/* An interval that contains the quantile, from which bisection starts. */
struct bracket {
	double low, high;
};

/* Returns a narrow interval that contains the quantile. Newton's method finds it from the
 * Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5). If the method does not converge, the
 * interval is the whole range. */
static struct bracket bracket_of(const struct student *s, double tail)
{
	const struct bracket all = { 0, HUGE_VAL };
	double z = etc_normal_quantile(1 - tail), z2 = z * z, df = s->df, t, close;
	struct bracket b;

	t = z + z * (z2 + 1) / (4 * df) + z * ((5 * z2 + 16) * z2 + 3) / (96 * df * df) +
	    z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * df * df * df);
	for (int i = 0; i < 8; i++) {
		/* Student's density; `logarithm` is that of its constant factor, without
		 * sqrt(df) */
		double density = exp(s->logarithm - (df + 1) / 2 * log1p(t * t / df)) / sqrt(df);
		double step = (two_sided(s, t) / 2 - tail) / density;

		t += step;
		if (!(t > 0) || !isfinite(t))
			return all;
		/* converged: the relative error after this step is about the square of this step */
		if (fabs(step) < 1e-8 * t)
			break;
	}
	/* the rounding error of the logarithms grows with df */
	close = (64 + 4 * df) * DBL_EPSILON * t;
	b = (struct bracket){ t - close, t + close };
	return two_sided(s, b.low) / 2 > tail && two_sided(s, b.high) / 2 <= tail ? b : all;
}

double etc_student_quantile(double p, double df)
{
	struct student s = student_of(df);
	double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;
	struct bracket b;

	if (p == 0.5)
		return 0;
	b = bracket_of(&s, tail);
	while (high < 1e300 && (high <= b.low || (high < b.high && two_sided(&s, high) / 2 > tail)))
		high *= 2;
	/* Bisection: the function is monotonic, and 200 halvings reach the last bit. */
	for (int i = 0; i < 200 && low < high; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (middle <= b.low || (middle < b.high && two_sided(&s, middle) / 2 > tail))
			low = middle;
		else
			high = middle;
	}
	return p < 0.5 ? -high : high;
}
