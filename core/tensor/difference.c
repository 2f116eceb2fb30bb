/* difference.c -- see difference.h.
 *
 * The tensors are compared piece by piece. A piece of each is converted to float64; then one loop
 * adds up the differences in eight independent lanes, so that compilers vectorise it. If the sums
 * are not finite, the piece is processed again element by element. */
#include "tensor/difference.h"

#include <math.h>
#include <string.h>

#include "tensor/torch_pair.h"

enum { LANES = 8 };

struct lanes {
	double abs[LANES], square[LANES], reference[LANES], run[LANES];
	double max[LANES], peak[LANES];
	/* `over`: the largest value of distance - rtol * |reference|, where the distance is |run -
	 * reference|. `steeper`: above 0 if, for some number, distance / |reference| is larger than
	 * max_rel. */
	double over[LANES], steeper[LANES];
};

struct comparer {
	struct etc_difference *d;
	struct etc_tolerance t;
	struct lanes l;
	/* type of the reference's elements; if d->has_ulp is set, the other tensor has this
	 * type, too */
	const struct etc_elements *type;
	/* index of the block's first number, in row-major order; a complex element is two
	 * numbers */
	uint64_t at;
	/* 1 + index of the last element that was counted in d->bad, d->nan_reference, d->nan_run;
	 * 0: none */
	uint64_t bad, nan_reference, nan_run;
};

/* ---- types --------------------------------------------------------------------- */

static bool is_float(const struct etc_elements *e)
{
	return e->kind >= ETC_SCALAR_FLOAT && e->parts == 1;
}

/* The precision of the numbers of a type. All 0: they are exact. */
struct precision {
	double epsilon;
	/* exponent of the smallest normal number; below it, numbers are as far apart as directly
	 * above it */
	int least;
	struct etc_tolerance tolerance;
};

static const struct precision *precision_of(const struct etc_elements *e)
{
	static const struct precision types[] = {
		[ETC_SCALAR_FLOAT] = { 0x1p-23, -126, { 1e-5, 1.3e-6 } },
		[ETC_SCALAR_HALF] = { 0x1p-10, -14, { 1e-5, 1e-3 } },
		[ETC_SCALAR_BFLOAT16] = { 0x1p-7, -126, { 1e-5, 1.6e-2 } },
		[ETC_SCALAR_E4M3FN] = { 0x1p-3, -6, { 1e-5, 0x1p-3 } },
		[ETC_SCALAR_E4M3FNUZ] = { 0x1p-3, -7, { 1e-5, 0x1p-3 } },
		[ETC_SCALAR_E5M2] = { 0x1p-2, -14, { 1e-5, 0x1p-2 } },
		[ETC_SCALAR_E5M2FNUZ] = { 0x1p-2, -15, { 1e-5, 0x1p-2 } },
	};
	static const struct precision of_double = { 0x1p-52, -1022, { 1e-7, 1e-7 } }, exact;

	if (e->kind == ETC_SCALAR_FLOAT && e->bits == 64)
		return &of_double;
	return e->kind < sizeof types / sizeof *types ? &types[e->kind] : &exact;
}

double etc_epsilon_of(const struct etc_elements *e)
{
	return precision_of(e)->epsilon;
}

struct etc_tolerance etc_tolerance_of(const struct etc_elements *reference,
                                      const struct etc_elements *run)
{
	const struct etc_tolerance a = precision_of(reference)->tolerance,
				   b = precision_of(run)->tolerance;

	return a.rtol > b.rtol || (a.rtol == b.rtol && a.atol > b.atol) ? a : b;
}

/* ---- element by element ------------------------------------------------------------ */

/* Maps a number of the type to an integer, so that two numbers that are n ULPs apart have integers
 * that differ by n. Both zeros become 0. */
static int64_t place_in_order(const struct etc_elements *type, double v)
{
	const struct precision *p = precision_of(type);
	int64_t bits;
	int32_t narrow;
	float f = (float)v;
	int exponent;

	if (type->kind == ETC_SCALAR_FLOAT && type->bits == 64) {
		memcpy(&bits, &v, sizeof bits);
		return bits < 0 ? (int64_t)((uint64_t)INT64_MIN - (uint64_t)bits) : bits;
	}
	if (type->kind == ETC_SCALAR_FLOAT) {
		memcpy(&narrow, &f, sizeof narrow);
		return narrow < 0 ? (int64_t)INT32_MIN - narrow : narrow;
	}
	/* The other types have few bits, so the number of ULPs from zero to the value is computed.
	 * Each range [2^k, 2^(k + 1)) below the value has the same number of ULPs, and the range of
	 * all subnormal numbers has this number, too. */
	(void)frexp(v, &exponent);
	exponent = v == 0 || exponent - 1 < p->least ? p->least : exponent - 1;
	bits = (int64_t)(fabs(v) / ldexp(p->epsilon, exponent)) +
	       (int64_t)(exponent - p->least) * (int64_t)(1 / p->epsilon);
	return v < 0 ? -bits : bits;
}

/* Number `index` was found to be bad or NaN. Adds 1 to `*sum` for the element that contains this
 * number, unless this element was the last one counted (a complex element has two numbers). `*last`
 * is the index of the last element counted, plus 1. */
static void count(const struct comparer *c, uint64_t index, uint64_t *last, uint64_t *sum)
{
	uint64_t element = index / c->type->parts;

	*sum += *last != element + 1;
	*last = element + 1;
}

static void judge(struct comparer *c, double reference, double run, uint64_t index, bool bad)
{
	if (!bad)
		return;
	count(c, index, &c->bad, &c->d->bad);
	if (c->d->first_bad != ETC_NO_ELEMENT)
		return;
	c->d->first_bad = index / c->type->parts;
	c->d->first_reference = reference;
	c->d->first_run = run;
}

/* Compares two numbers of which at least one is not finite. They count as equal, or as a bad pair
 * with an infinite distance, but are never part of the sums. */
static void special(struct comparer *c, double reference, double run, uint64_t index)
{
	bool equal = (isnan(reference) && isnan(run)) || reference == run;

	if (isnan(reference))
		count(c, index, &c->nan_reference, &c->d->nan_reference);
	if (isnan(run))
		count(c, index, &c->nan_run, &c->d->nan_run);
	judge(c, reference, run, index, !equal);
	if (!equal)
		c->d->max_abs = (double)INFINITY;
}

static double more(double a, double b)
{
	return a > b ? a : b;
}

static void one(struct comparer *c, double reference, double run, uint64_t index)
{
	struct etc_difference *d = c->d;
	double distance = fabs(run - reference), size = fabs(reference);

	if (!isfinite(reference) || !isfinite(run)) {
		special(c, reference, run, index);
		return;
	}
	d->finite++;
	d->sum_abs += distance;
	d->sum_square += distance * distance;
	d->sum_reference += reference * reference;
	d->sum_run += run * run;
	d->peak = size > d->peak ? size : d->peak;
	judge(c, reference, run, index, distance - c->t.rtol * size > c->t.atol);
	d->max_abs = more(distance, d->max_abs);
	if (distance > d->max_rel * size)
		d->max_rel = distance / size;
}

static void ulps(struct comparer *c, const double *reference, const double *run, size_t n)
{
	struct etc_difference *d = c->d;

	for (size_t i = 0; i < n; i++) {
		int64_t a, b;
		uint64_t between;

		if (run[i] == reference[i] || !isfinite(run[i]) || !isfinite(reference[i]))
			continue;
		a = place_in_order(c->type, reference[i]);
		b = place_in_order(c->type, run[i]);
		between = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
		d->max_ulp = between > d->max_ulp ? between : d->max_ulp;
	}
}

/* ---- blocks ------------------------------------------------------------------------ */

static void sum_lanes(struct lanes *l, struct etc_tolerance t, double slope,
                      const double *restrict reference, const double *restrict run, size_t n)
{
	struct lanes s = *l;

	for (size_t i = 0; i + LANES <= n; i += LANES)
		for (size_t k = 0; k < LANES; k++) {
			double a = reference[i + k], b = run[i + k];
			double distance = fabs(b - a), size = fabs(a);

			s.abs[k] += distance;
			s.square[k] += distance * distance;
			s.reference[k] += a * a;
			s.run[k] += b * b;
			s.max[k] = more(distance, s.max[k]);
			s.peak[k] = more(size, s.peak[k]);
			s.over[k] = more(distance - t.rtol * size, s.over[k]);
			s.steeper[k] = more(distance - slope * size, s.steeper[k]);
		}
	*l = s;
}

static double total(const double v[LANES])
{
	return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

static double largest(const double v[LANES])
{
	double m = v[0];

	for (int k = 1; k < LANES; k++)
		m = v[k] > m ? v[k] : m;
	return m;
}

/* Reads a block of elements again to count its bad elements and to update max_rel. This is needed
 * because the loop over the block (sum_lanes()) only finds whether the block has some bad element,
 * or some relative distance larger than max_rel. */
static void find(struct comparer *c, const double *reference, const double *run, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double apart = fabs(run[i] - reference[i]), size = fabs(reference[i]);

		judge(c, reference[i], run[i], c->at + i, apart - c->t.rtol * size > c->t.atol);
		if (apart > c->d->max_rel * size)
			c->d->max_rel = apart / size;
	}
}

static void add_lanes(struct comparer *c, const double *reference, const double *run, size_t n,
                      double slope)
{
	struct etc_difference *d = c->d;

	if (largest(c->l.over) > c->t.atol ||
	    (slope < (double)INFINITY && largest(c->l.steeper) > 0))
		find(c, reference, run, n);
	d->finite += n;
	d->max_abs = more(largest(c->l.max), d->max_abs);
	d->sum_abs += total(c->l.abs);
	d->sum_square += total(c->l.square);
	d->sum_reference += total(c->l.reference);
	d->sum_run += total(c->l.run);
	d->peak = more(largest(c->l.peak), d->peak);
}

static void add_block(struct comparer *c, const double *reference, const double *run, size_t n)
{
	size_t whole = n / LANES * LANES;
	double slope = c->d->max_rel;

	memset(&c->l, 0, sizeof c->l);
	sum_lanes(&c->l, c->t, slope < (double)INFINITY ? slope : 0, reference, run, whole);
	if (isfinite(total(c->l.reference) + total(c->l.run) + total(c->l.square)))
		add_lanes(c, reference, run, whole, slope);
	else
		whole = 0;
	for (size_t i = whole; i < n; i++)
		one(c, reference[i], run[i], c->at + i);
	if (c->d->has_ulp)
		ulps(c, reference, run, n);
	c->at += n;
}

/* Loads the next elements of a tensor, at most `most`, as doubles. Returns their number, which is 0
 * at the end. Numbers of types of at most 16 bits and float32 are first written to an array of
 * floats; this is exact, and floats take half the memory of doubles. */
static size_t load(struct etc_element_walk *w, double *out, size_t most)
{
	const struct etc_elements *e = w->of;
	uint8_t room[ETC_ELEMENT_BLOCK * sizeof(float)];
	float small[ETC_ELEMENT_BLOCK];
	const uint8_t *bytes;
	bool is_float = e->kind == ETC_SCALAR_FLOAT && e->bits == 32;
	size_t n;

	if (e->parts != 1 || e->bits < 8 || (e->bits > 16 && !is_float))
		return etc_element_walk_real(w, out, most);
	n = etc_element_walk_bytes(w, room, most, &bytes);
	if (is_float)
		memcpy(small, bytes, n * sizeof *small);
	else
		etc_elements_decode_small(e->kind, e->bits, bytes, n, small);
	for (size_t i = 0; i < n; i++)
		out[i] = (double)small[i];
	return n;
}

/* Compares the tensors element by element. Complex numbers are compared part by part; the
 * difference of a part is never larger than |a - b|. */
enum etc_compared etc_difference_of(const struct etc_elements *reference,
                                    const struct etc_elements *run, struct etc_tolerance tolerance,
                                    bool ulp, struct etc_difference *out)
{
	double a[ETC_ELEMENT_BLOCK], b[ETC_ELEMENT_BLOCK];
	struct etc_element_walk x, y;
	struct comparer c = { .d = out, .t = tolerance, .type = reference };

	*out = (struct etc_difference){ .count = run->count, .first_bad = ETC_NO_ELEMENT };
	if (!etc_same_shape(reference, run) || reference->parts != run->parts)
		return ETC_COMPARED_SHAPES;
	if (run->count > ETC_TORCH_PAIR_MOST && run->count / 8 > reference->bytes.len &&
	    run->count / 8 > run->bytes.len)
		return ETC_COMPARED_MANY;
	out->has_ulp = ulp && is_float(reference) && reference->kind == run->kind &&
	               reference->bits == run->bits;
	etc_element_walk_begin(&x, reference);
	etc_element_walk_begin(&y, run);
	for (;;) {
		/* Read some elements of the reference. Then read the same elements of the run's
		 * tensor, in one or several pieces. */
		size_t n = etc_element_walk_real(&x, a, ETC_ELEMENT_BLOCK / reference->parts),
		       m = 0;

		while (m < n) {
			size_t got = load(&y, b, n - m);

			if (!got)
				return ETC_COMPARED;
			add_block(&c, a + m * reference->parts, b, got * reference->parts);
			m += got;
		}
		if (!n)
			return ETC_COMPARED;
	}
}

/* ---- derived measures ----------------------------------------------------------------- */

double etc_difference_mse(const struct etc_difference *d)
{
	return d->finite ? d->sum_square / (double)d->finite : (double)NAN;
}

static double decibels(double signal, double noise)
{
	if (noise == 0)
		return (double)INFINITY;
	return signal == 0 ? -(double)INFINITY : 10 * (double)log10l((long double)(signal / noise));
}

double etc_difference_snr(const struct etc_difference *d)
{
	return d->finite ? decibels(d->sum_reference, d->sum_square) : (double)NAN;
}

double etc_difference_psnr(const struct etc_difference *d)
{
	return d->finite ? decibels(d->peak * d->peak, etc_difference_mse(d)) : (double)NAN;
}

double etc_difference_cosine(const struct etc_difference *d)
{
	double lengths = sqrt(d->sum_reference) * sqrt(d->sum_run), v;
	double dot = 0.5 * (d->sum_reference + d->sum_run - d->sum_square);

	if (d->finite && d->sum_square == 0)
		return 1;
	if (lengths == 0)
		return (double)NAN;
	v = dot / lengths;
	return v > 1 ? 1 : v < -1 ? -1 : v;
}

double etc_difference_relative(const struct etc_difference *d)
{
	if (!d->finite)
		return (double)NAN;
	if (d->sum_square == 0)
		return 0;
	return d->sum_reference == 0 ? (double)INFINITY : sqrt(d->sum_square / d->sum_reference);
}
