/* difference.h -- compares a run's tensor with its reference in one pass over both.
 *
 * Two NaNs at the same position are equal, and so are two equal infinities. A NaN and a number, or
 * an infinity and any other number, are a mismatch under any tolerance. A mismatch counts as a bad
 * element and in max_abs, but not in the sums, so that one NaN does not make a sum NaN. Sums are
 * float64 and have the same bits on every machine. The Inspector adds in another order; its sums
 * are computed by torch_sum.h. */
#ifndef ETC_TENSOR_DIFFERENCE_H
#define ETC_TENSOR_DIFFERENCE_H

#include "tensor/element.h"

/* A value is inside the tolerance if |run - reference| <= atol + rtol * |reference|. */
struct etc_tolerance {
	double atol, rtol;
};

/* Returns the default tolerance (atol + rtol) of torch.testing.assert_close for the coarser of the
 * two types: float64 1e-7 + 1e-7, float32 1e-5 + 1.3e-6, float16 1e-5 + 1e-3, bfloat16 1e-5 +
 * 1.6e-2, eight-bit floats 1e-5 + their epsilon, other types 0 + 0. */
struct etc_tolerance etc_tolerance_of(const struct etc_elements *reference,
                                      const struct etc_elements *run);

/* Returns the distance from 1 to the next number of the type; 0 for integers. */
double etc_epsilon_of(const struct etc_elements *e);

enum etc_compared {
	ETC_COMPARED,
	/* nothing was compared, because the sizes differ or only one tensor is complex */
	ETC_COMPARED_SHAPES,
	/* nothing was compared, because there are more than ETC_TORCH_PAIR_MOST elements, and both
	 * tensors have far fewer bytes */
	ETC_COMPARED_MANY
};

#define ETC_NO_ELEMENT UINT64_MAX

/* Results of a comparison. A complex element is compared as two numbers, the real part first.
 * Counts and indices are of elements; only `finite` counts numbers. A complex element is bad, or
 * NaN, if its real or its imaginary part is bad, or NaN. */
struct etc_difference {
	uint64_t count; /* number of elements */
	/* number of pairs of which both numbers are finite; only these are in the sums */
	uint64_t finite;
	uint64_t bad; /* number of elements outside the tolerance */
	/* number of NaN elements in the reference, and in the run */
	uint64_t nan_reference, nan_run;
	/* row-major index of the first bad element (ETC_NO_ELEMENT: no element is bad), and the
	 * values of this element in the two tensors */
	uint64_t first_bad;
	double first_reference, first_run;
	/* largest |run - reference|; largest |run - reference| / |reference| */
	double max_abs, max_rel;
	double sum_abs, sum_square; /* sums of |run - reference| and of its square */
	/* sums of the squares of the reference's numbers, and of the run's numbers */
	double sum_reference, sum_run;
	double peak; /* largest |reference| */
	/* set if both tensors have the same floating-point type; max_ulp is then the largest
	 * difference in ULPs */
	bool has_ulp;
	uint64_t max_ulp;
};

/* Compares `run` with `reference`. If `ulp` is true, also computes max_ulp, which takes longer. */
enum etc_compared etc_difference_of(const struct etc_elements *reference,
                                    const struct etc_elements *run, struct etc_tolerance tolerance,
                                    bool ulp, struct etc_difference *out);

/* These functions return common measures of the difference. NaN: no pair of elements is finite. The
 * cosine is also NaN if all elements of exactly one tensor are 0. */
double etc_difference_mse(const struct etc_difference *d);
/* signal-to-noise ratio in dB; inf: the tensors are equal */
double etc_difference_snr(const struct etc_difference *d);
/* peak signal-to-noise ratio in dB: 10 log10(peak^2 / mean square difference) */
double etc_difference_psnr(const struct etc_difference *d);
/* cosine of the angle between the tensors as vectors; 1: they have the same direction */
double etc_difference_cosine(const struct etc_difference *d);

/* Returns the root mean square of the difference, divided by that of the reference: 10^(-snr/20).
 * If the reference is all zeros: 0 if the tensors are equal, else inf. */
double etc_difference_relative(const struct etc_difference *d);

#endif
