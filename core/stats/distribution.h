/* distribution.h -- the distributions that tests and intervals refer to. */
#ifndef ETC_STATS_DISTRIBUTION_H
#define ETC_STATS_DISTRIBUTION_H

/* Returns log |gamma(x)|. lgamma() is not used, because it writes to a global variable, which is
 * not thread-safe. */
double etc_log_gamma(double x);

/* Returns P(Z <= z) of the standard normal distribution, which is erfc(-z / sqrt 2) / 2. The
 * result is that of scipy.special.ndtr. */
double etc_normal_cdf(double z);

/* Inverts etc_normal_cdf() for 0 < p < 1. Returns -HUGE_VAL at 0 and HUGE_VAL at 1. The result
 * is that of scipy.special.ndtri. Source: Wichura, "Algorithm AS 241", Applied Statistics 37
 * (1988), PPND16. */
double etc_normal_quantile(double p);

/* Returns P(|T| >= |t|) of Student's distribution with `df` > 0 degrees of freedom, which may be a
 * fraction. It is I_{df / (df + t^2)}(df / 2, 1 / 2): 2 * scipy.stats.t.sf(|t|, df). */
double etc_student_two_sided(double t, double df);

/* Returns the t for which P(T <= t) = p, 0 < p < 1, in Student's distribution:
 * scipy.stats.t.ppf. */
double etc_student_quantile(double p, double df);

#endif
