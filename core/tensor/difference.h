/* difference.h -- how far a run's tensor is from its reference: one pass over both.
 *
 * NaN in both at one place, or the same infinity, is equal. NaN in one of them, or
 * an infinity against anything else, is a mismatch that no tolerance allows; it
 * counts among the bad elements and in max_abs, and is left out of the sums, so
 * that one NaN does not hide the rest. Sums are float64 and have the same bits on
 * every machine; they are not the Inspector's (torch_sum.h). */
#ifndef ETC_NUMERIC_DIFFERENCE_H
#define ETC_NUMERIC_DIFFERENCE_H

#include "tensor/element.h"

/* |run - reference| <= atol + rtol * |reference| */
struct etc_tolerance {
	double atol, rtol;
};

/* The defaults of torch.testing.assert_close for the coarser of the two types:
 * float64 1e-7 + 1e-7, float32 1e-5 + 1.3e-6, float16 1e-5 + 1e-3, bfloat16
 * 1e-5 + 1.6e-2; the eight-bit floats one unit of their last place; others 0. */
struct etc_tolerance etc_tolerance_of(const struct etc_elements *reference,
                                      const struct etc_elements *run);

/* Distance from 1 to the next number of the type; 0 for integers. */
double etc_epsilon_of(const struct etc_elements *e);

enum etc_compared {
	ETC_COMPARED,
	ETC_COMPARED_SHAPES, /* the sizes differ: nothing was compared */
	ETC_COMPARED_MANY    /* a few bytes that claim to be more elements than can be walked */
};

#define ETC_NO_ELEMENT UINT64_MAX

struct etc_difference {
	uint64_t count;                    /* elements */
	uint64_t finite;                   /* of them, pairs in the sums */
	uint64_t bad;                      /* outside the tolerance */
	uint64_t nan_reference, nan_run;   /* elements that are NaN */
	uint64_t first_bad;                /* row-major index, or ETC_NO_ELEMENT … */
	double first_reference, first_run; /* … and its numbers */
	uint64_t worst;                    /* of max_abs, or ETC_NO_ELEMENT */
	double max_abs, max_rel;           /* max_rel: |run - reference| / |reference| */
	double sum_abs, sum_square;        /* of run - reference: L1 and n * MSE */
	double sum_reference, sum_run;     /* of squares */
	double peak;                       /* largest |reference| */
	/* Units of the last place between them; both of the same floating point type. */
	bool has_ulp;
	uint64_t max_ulp;
};

/* `run` against `reference`; `ulp`: also units of the last place, which takes longer. */
enum etc_compared etc_difference_of(const struct etc_elements *reference,
                                    const struct etc_elements *run, struct etc_tolerance tolerance,
                                    bool ulp, struct etc_difference *out);

/* The usual measures; NaN if undefined (no element). */
double etc_difference_mse(const struct etc_difference *d);
double etc_difference_snr(const struct etc_difference *d);    /* dB; inf: equal */
double etc_difference_psnr(const struct etc_difference *d);   /* dB, against `peak` */
double etc_difference_cosine(const struct etc_difference *d); /* 1: the same direction */

/* Root mean square of the difference over that of the reference: 10^(-snr/20). With
 * a reference of zeros only: inf, or 0 if they are equal. */
double etc_difference_relative(const struct etc_difference *d);

#endif
