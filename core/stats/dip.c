/* dip.c -- see dip.h
 *
 * The distribution function jumps by 1 at each sorted value x[i]. convex[i] is the change point
 * before i of the greatest convex minorant of x[0 .. i], and concave[i] is the change point after i
 * of the least concave majorant of x[i ..]. The modal interval [low, high] is shrunk step by step:
 * the next interval is where minorant and majorant are farthest apart. The dip is the largest
 * distance between the data and these curves outside of the modal interval. */
#include "stats/dip.h"

#include "stats/dip_table.h"

#include <math.h>

struct fit {
	const double *x;
	size_t n, low, high;
	/* one entry for each value; defined at the top of this file */
	uint32_t *convex, *concave;
	/* change points of the minorant, from `high` down to `low`; of the majorant, from `low` up
	 * to `high` */
	uint32_t *gcm, *lcm;
	size_t gcms, lcms;
	size_t ig, ih; /* indices in gcm and lcm of the ends of the next modal interval */
};

/* Is the distribution function less steep from value `a` to `b` than from `b` to `c`? */
static bool bends(const double *x, size_t a, size_t b, size_t c)
{
	double left = (x[b] - x[a]) * ((double)c - (double)b);
	double right = (x[c] - x[b]) * ((double)b - (double)a);

	return right < left;
}

static void find_hulls(struct fit *f)
{
	for (size_t j = 0; j < f->n; j++) {
		f->convex[j] = (uint32_t)(j ? j - 1 : 0);
		while (f->convex[j] != 0 && !bends(f->x, f->convex[f->convex[j]], f->convex[j], j))
			f->convex[j] = f->convex[f->convex[j]];
	}
	for (size_t k = f->n; k-- > 0;) {
		f->concave[k] = (uint32_t)(k + 1 < f->n ? k + 1 : k);
		while (f->concave[k] != f->n - 1 &&
		       !bends(f->x, f->concave[f->concave[k]], f->concave[k], k))
			f->concave[k] = f->concave[f->concave[k]];
	}
}

static void collect(struct fit *f)
{
	f->gcms = f->lcms = 1;
	f->gcm[0] = (uint32_t)f->high;
	for (; f->gcm[f->gcms - 1] > f->low; f->gcms++)
		f->gcm[f->gcms] = f->convex[f->gcm[f->gcms - 1]];
	f->lcm[0] = (uint32_t)f->low;
	for (; f->lcm[f->lcms - 1] < f->high; f->lcms++)
		f->lcm[f->lcms] = f->concave[f->lcm[f->lcms - 1]];
	f->ig = f->gcms - 1;
	f->ih = f->lcms - 1;
}

/* Returns how high above `a` the chord from (x[a], a) to (x[b], b) is at x[i]. */
static double chord(const double *x, size_t a, size_t b, size_t i)
{
	return (x[i] - x[a]) * ((double)b - (double)a) / (x[b] - x[a]);
}

/* Returns the largest distance between minorant and majorant. Sets f->ig and f->ih to the indices
 * in gcm and lcm of the change points at this distance. */
static double apart(struct fit *f)
{
	size_t ix = f->gcms - 2, iv = 1;
	double most = 0;

	if (f->gcms == 2 && f->lcms == 2)
		return 0;
	do {
		size_t g = f->gcm[ix], l = f->lcm[iv];

		if (g > l) { /* the next change point belongs to the majorant */
			size_t before = f->gcm[ix + 1];
			double d = (double)(l - before + 1) - chord(f->x, before, g, l);

			iv++;
			if (d >= most) {
				most = d;
				f->ig = ix + 1;
				f->ih = iv - 1;
			}
		} else {
			size_t before = f->lcm[iv - 1];
			double d = chord(f->x, before, l, g) - ((double)g - (double)before - 1);

			ix = ix ? ix - 1 : SIZE_MAX;
			if (d >= most) {
				most = d;
				f->ig = ix + 1;
				f->ih = iv;
			}
			ix = ix == SIZE_MAX ? 0 : ix;
		}
		iv = iv < f->lcms ? iv : f->lcms - 1;
	} while (f->gcm[ix] != f->lcm[iv]);
	return most;
}

/* Returns the largest distance of the distribution function, which jumps by 1 at each value, from
 * the chord between a and b: above it if `sign` is 1, below it if `sign` is -1. The result is at
 * least 1. */
static double missed(const double *x, size_t a, size_t b, int sign)
{
	double most = 1;

	if (b - a <= 1 || x[a] == x[b])
		return most;
	for (size_t i = a; i <= b; i++) {
		double d = sign * ((double)(i - a) - chord(x, a, b, i)) + 1;

		most = d > most ? d : most;
	}
	return most;
}

static double dip_outside(const struct fit *f)
{
	double most = 0;

	for (size_t j = f->ig; j + 1 < f->gcms; j++)
		most = fmax(most, missed(f->x, f->gcm[j + 1], f->gcm[j], 1));
	for (size_t j = f->ih; j + 1 < f->lcms; j++)
		most = fmax(most, missed(f->x, f->lcm[j], f->lcm[j + 1], -1));
	return most;
}

static double dip_of(struct fit *f)
{
	double dip = 0;

	find_hulls(f);
	for (;;) {
		collect(f);
		if (apart(f) < dip)
			break;
		dip = fmax(dip, dip_outside(f));
		if (f->gcm[f->ig] == f->low && f->lcm[f->ih] == f->high)
			break;
		f->low = f->gcm[f->ig];
		f->high = f->lcm[f->ih];
	}
	return dip / (2 * (double)f->n);
}

/* Returns the probability that the dip of n uniform numbers is at least `dip`. It is
 * interpolated between entries of ETC_DIP_TABLE, by n and by sqrt(n) * dip. (The distribution of
 * sqrt(n) * dip depends little on n.) */
static double p_of(double dip, size_t n)
{
	double scaled = sqrt((double)n) * dip, part = 0, before = 0;
	size_t row = 0;

	while (row + 2 < ETC_DIP_ROWS && (double)n >= ETC_DIP_SIZES[row + 1])
		row++;
	part = ((double)n - ETC_DIP_SIZES[row]) / (ETC_DIP_SIZES[row + 1] - ETC_DIP_SIZES[row]);
	part = part < 0 ? 0 : part > 1 ? 1 : part;
	for (size_t c = 0; c < ETC_DIP_COLUMNS; c++) {
		double here = (1 - part) * ETC_DIP_TABLE[row][c] + part * ETC_DIP_TABLE[row + 1][c];

		if (scaled <= here) {
			double low = c ? ETC_DIP_P[c - 1] : 1;

			return c && here > before ? low + (scaled - before) / (here - before) *
			                                            (ETC_DIP_P[c] - low)
			                          : 1;
		}
		before = here;
	}
	return 0;
}

enum etc_status etc_dip_test(const double *v, size_t n, struct etc_dip *out,
                             struct etc_arena *scratch, struct etc_error *err)
{
	uint32_t *room;
	struct fit f = { .x = v, .n = n, .high = n ? n - 1 : 0 };

	*out = (struct etc_dip){ .p = 1, .why = (uint8_t)etc_samples_check(v, n) };
	if (out->why == ETC_DEFINED && n < 4)
		out->why = ETC_UNDEFINED_FEW;
	if (out->why == ETC_DEFINED && v[0] == v[n - 1])
		out->why = ETC_UNDEFINED_CONSTANT;
	if (out->why != ETC_DEFINED)
		return ETC_OK;
	room = etc_new(scratch, uint32_t, 4 * (n + 1));
	ETC_NEED(room, err);
	f.convex = room;
	f.concave = room + n + 1;
	f.gcm = room + 2 * (n + 1);
	f.lcm = room + 3 * (n + 1);
	out->dip = dip_of(&f);
	out->p = p_of(out->dip, n);
	return ETC_OK;
}
