/* distribution.h -- the distributions that tests and intervals refer to. */
#ifndef ETC_STATS_DISTRIBUTION_H
#define ETC_STATS_DISTRIBUTION_H

/* log |gamma(x)|. lgamma() itself writes to a global variable, which is not thread-safe. */
double etc_log_gamma(double x);

/* P(Z <= z) of the standard normal, erfc(-z / sqrt 2) / 2: scipy.special.ndtr. */
double etc_normal_cdf(double z);

/* The inverse of etc_normal_cdf() for 0 < p < 1, -HUGE_VAL at 0 and HUGE_VAL at 1:
 * scipy.special.ndtri. Wichura, "Algorithm AS 241", Applied Statistics 37 (1988), PPND16. */
double etc_normal_quantile(double p);

/* P(|T| >= |t|) of Student's t with `df` > 0 degrees of freedom (a fraction is
 * allowed), I_{df / (df + t^2)}(df / 2, 1 / 2): 2 * scipy.stats.t.sf(|t|, df). */
double etc_student_two_sided(double t, double df);

/* t with P(T <= t) = p, 0 < p < 1: scipy.stats.t.ppf. */
double etc_student_quantile(double p, double df);

#endif
