/* rank.c -- see rank.h */
#include "stats/rank.h"

#include "base/exact.h"
#include "stats/distribution.h"

#include <math.h>

enum {
	SCIPY_EXACT = 8, /* scipy's method="auto" gives an exact p if the smaller sample has at most
	                    * this many values */
	RANKED = 50,     /* etc_u_rank() is exact up to this number of values in each sample */
};

struct etc_pairs etc_pairs(const double *a, size_t m, const double *b, size_t n)
{
	struct etc_pairs p = { 0, 0, 0, 0 };
	size_t i = 0, j = 0;

	while (i < m || j < n) {
		double x = j >= n || (i < m && a[i] <= b[j]) ? a[i] : b[j];
		size_t s = i, t = j;
		double in_a, in_b, tied;

		while (i < m && a[i] == x)
			i++;
		while (j < n && b[j] == x)
			j++;
		in_a = (double)(i - s);
		in_b = (double)(j - t);
		tied = in_a + in_b;
		p.tie_term += tied * tied * tied - tied;
		p.equal += in_a * in_b;
		/* all values of A that were passed are less than `x` */
		p.greater += (double)s * in_b;
		p.less += in_a * (double)t;
	}
	return p;
}

/* Returns C(m + n, m); 0 if it needs more than 127 bits. */
static etc_u128 orders(size_t m, size_t n)
{
	etc_u128 c = 1, most = (etc_u128)1 << 127;

	for (size_t i = 1; i <= m; i++) {
		if (c > most / (n + i))
			return 0;
		c = c * (n + i) / i;
	}
	return c;
}

/* Sets f[k], for k <= u, to the number of orders of m and n values, without ties, for which
 * Mann-Whitney's U is k; m <= n. These are the coefficients of prod (1 - q^(n + i)) / (1 - q^i),
 * computed as products and quotients of power series modulo 2^128. All results are below 2^127, so
 * they are exact. */
static void count_orders(size_t m, size_t n, size_t u, etc_u128 *f)
{
	f[0] = 1;
	for (size_t i = 1; i <= m; i++) {
		for (size_t k = u; k >= n + i; k--)
			f[k] -= f[k - (n + i)];
		for (size_t k = i; k <= u; k++)
			f[k] += f[k - i];
	}
}

static double asymptotic(double larger, double m, double n, double tie_term)
{
	double all = m + n, z;
	double s = sqrt(m * n / 12 * (all + 1 - tie_term / (all * (all - 1))));

	if (!(s > 0))
		return 1; /* all values are equal */
	z = (larger - m * n / 2 - 0.5) / s;
	return 2 * etc_normal_cdf(-z);
}

static enum etc_status exact(size_t m, size_t n, double larger, etc_u128 all, double *p,
                             struct etc_arena *scratch, struct etc_error *err)
{
	size_t u = (size_t)((double)m * (double)n - larger); /* the smaller U */
	etc_u128 *f = etc_new(scratch, etc_u128, u + 1), sum = 0;

	ETC_NEED(f, err);
	count_orders(m, n, u, f);
	for (size_t k = 0; k <= u; k++)
		sum += f[k];
	*p = 2 * etc_ratio_double(etc_ratio(sum, all));
	return ETC_OK;
}

enum etc_status etc_u_rank(size_t m, size_t n, double alpha, double *k, struct etc_arena *scratch,
                           struct etc_error *err)
{
	size_t few = m < n ? m : n, many = m < n ? n : m, u = 0;
	double pairs = (double)m * (double)n;
	double guess =
		pairs / 2 + etc_normal_quantile(alpha / 2) * sqrt(pairs * (double)(m + n + 1) / 12);
	etc_u128 all = few <= SCIPY_EXACT || many <= RANKED ? orders(few, many) : 0, *f, sum = 0;

	*k = guess < 0 ? 0 : floor(guess);
	if (all == 0)
		return ETC_OK;
	f = etc_new(scratch, etc_u128, few * many / 2 + 1);
	ETC_NEED(f, err);
	count_orders(few, many, few * many / 2, f);
	while (u <= few * many / 2) {
		sum += f[u];
		if (2 * etc_ratio_double(etc_ratio(sum, all)) > alpha)
			break;
		u++;
	}
	*k = (double)u;
	return ETC_OK;
}

static enum etc_status divided(const double *a, size_t m, const double *b, size_t n, double *p,
                               struct etc_divisions *memory, struct etc_arena *scratch,
                               struct etc_error *err)
{
	if (!memory) {
		memory = etc_new(scratch, struct etc_divisions, 1);
		ETC_NEED(memory, err);
		memory->arena = scratch;
	}
	return etc_divisions_p(memory, a, m, b, n, p, err);
}

enum etc_status etc_mann_whitney(const double *a, size_t m, const double *b, size_t n,
                                 enum etc_u_method method, struct etc_mann_whitney *out,
                                 struct etc_divisions *memory, struct etc_arena *scratch,
                                 struct etc_error *err)
{
	size_t few = m < n ? m : n, many = m < n ? n : m;
	struct etc_pairs pairs;
	etc_u128 all = 0;
	double larger;

	*out = (struct etc_mann_whitney){ 0 };
	if (m == 0 || n == 0) {
		out->why = ETC_UNDEFINED_EMPTY;
		return ETC_OK;
	}
	pairs = etc_pairs(a, m, b, n);
	out->u = pairs.greater + pairs.equal / 2;
	larger = out->u > pairs.less + pairs.equal / 2 ? out->u : pairs.less + pairs.equal / 2;
	if (method == ETC_U_AUTO)
		method = few <= SCIPY_EXACT ? ETC_U_EXACT : ETC_U_ASYMPTOTIC;
	if (method == ETC_U_EXACT && pairs.tie_term == 0)
		all = orders(few, many);
	out->method = method == ETC_U_PERMUTATION && m + n <= ETC_DIVISIONS ? ETC_U_PERMUTATION
	              : all != 0                                            ? ETC_U_EXACT
	                                                                    : ETC_U_ASYMPTOTIC;
	if (out->method == ETC_U_ASYMPTOTIC)
		out->p = asymptotic(larger, (double)m, (double)n, pairs.tie_term);
	/* If no two values are equal, divided() and exact() give the same p-value. For few values,
	 * divided() is used, because it also allows equal values. */
	else if (m + n <= ETC_DIVISIONS)
		ETC_TRY(divided(a, m, b, n, &out->p, memory, scratch, err));
	else
		ETC_TRY(exact(few, many, larger, all, &out->p, scratch, err));
	out->p = out->p > 1 ? 1 : out->p;
	return ETC_OK;
}
