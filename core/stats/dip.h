/* dip.h -- does the distribution of numbers have several modes? Hartigan's dip test.
 *
 * The dip is the largest distance between the empirical distribution and the
 * nearest unimodal one: Hartigan and Hartigan, Annals of Statistics 13 (1985)
 * 70-84; algorithm: Hartigan, "AS 217", Applied Statistics 34 (1985) 320-325, with
 * the corrections of Maechler (package diptest of R and PyPI: diptest.dipstat). */
#ifndef ETC_STATS_DIP_H
#define ETC_STATS_DIP_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

struct etc_dip {
	double dip;  /* from 1 / (2 n) to 1 / 4 */
	double p;    /* probability of at least this dip if the population is uniform */
	uint8_t why; /* enum etc_undefined; ETC_UNDEFINED_FEW: fewer than 4 values */
};

/* Computes the dip of v[0 .. n), which is sorted and finite. p is interpolated in a table of
 * simulated dips of uniform samples, made by tests/stats/dip_table.c. E0904. */
enum etc_status etc_dip_test(const double *v, size_t n, struct etc_dip *out,
                             struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

#endif
