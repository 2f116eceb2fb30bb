/* gap_measure.c -- see numeric_gap.h: computes MSE, L1 and SNR as element_compare() of the
 * Inspector's three comparators does, in float64 and with torch's order of sums. */
#include <float.h>
#include <math.h>

#include "commands/inspector/numeric_gap.h"
#include "tensor/torch_pair.h"
#include "tensor/torch_sum.h"

/* A value, converted as the Inspector's function convert_to_float_tensor() does. */
struct operand {
	struct etc_elements e;
	union {
		int64_t i;
		double d;
	} number;
	bool tame; /* the tensor contains a NaN, so its values are converted by torch.nan_to_num */
};

static bool of_value(const struct etc_insp_value *v, struct operand *out)
{
	if (v->kind == ETC_INSP_TENSOR)
		return etc_elements_of_inspector(v->tensors, &out->e);
	if (v->kind != ETC_INSP_INT && v->kind != ETC_INSP_BOOL && v->kind != ETC_INSP_FLOAT)
		return false;
	out->number.i = v->i;
	if (v->kind == ETC_INSP_FLOAT)
		out->number.d = v->f;
	out->e = (struct etc_elements){
		.type = "float64",
		.bytes = { (const uint8_t *)&out->number, sizeof out->number },
		.count = 1,
		.kind = v->kind == ETC_INSP_FLOAT ? ETC_SCALAR_FLOAT : ETC_SCALAR_SIGNED,
		.bits = 64,
		.parts = 1,
		.contiguous = true,
	};
	return true;
}

static bool has_nan(const struct etc_elements *e)
{
	double block[ETC_ELEMENT_BLOCK];
	struct etc_element_walk w;
	size_t n;

	if (e->kind < ETC_SCALAR_FLOAT || e->zeros)
		return false;
	etc_element_walk_begin(&w, e);
	while ((n = etc_element_walk_real(&w, block, ETC_ELEMENT_BLOCK)) > 0) {
		unsigned found = 0;

		for (size_t i = 0; i < n; i++)
			found |= block[i] != block[i];
		if (found)
			return true;
	}
	return false;
}

static double tamed(double v)
{
	if (isnan(v))
		return 0;
	return isinf(v) ? copysign(DBL_MAX, v) : v;
}

enum term { SQUARE, SQUARED_DIFFERENCE, DISTANCE };

static double sum(const struct etc_torch_pair *p, bool tame_a, bool tame_b, enum term term)
{
	struct etc_torch_reader r;
	struct etc_torch_sum_f64 s;
	const double *x, *y;
	double v[ETC_ELEMENT_BLOCK];
	size_t n;

	etc_torch_sum_f64_begin(&s, p->count);
	etc_torch_read_begin(&r, p, false);
	while ((n = etc_torch_read(&r, &x, &y)) > 0) {
		for (size_t i = 0; i < n; i++) {
			double a = tame_a ? tamed(x[i]) : x[i], b = tame_b ? tamed(y[i]) : y[i];
			double d = a - b;

			v[i] = term == SQUARE ? a * a : term == DISTANCE ? fabs(d) : d * d;
		}
		etc_torch_sum_f64_add(&s, v, n);
	}
	return etc_torch_sum_f64_end(&s);
}

const char *const etc_gap_names[ETC_GAP_DISTANCES] = { "MSE", "L1", "SNR" };

static enum etc_status raises(struct etc_error *err, uint8_t distance, const char *why)
{
	return etc_fail(err, E0825, "Error computing %s difference between tensors: %s",
	                etc_gap_names[distance], why);
}

enum etc_status etc_gap_measure(const struct etc_safetensor *aot, const struct etc_insp_value *run,
                                uint8_t distance, double *out, struct etc_error *err)
{
	struct operand a = { 0 }, b = { 0 };
	struct etc_torch_pair pair, alone;
	double noise, signal;

	if (!etc_elements_of_safetensor(aot, &a.e) || !of_value(run, &b))
		return etc_fail(err, E0825, "Cannot convert a value to a tensor");
	a.tame = has_nan(&a.e);
	b.tame = has_nan(&b.e);
	switch (etc_torch_pair(&a.e, &b.e, &pair)) {
	case ETC_TORCH_SHAPES:
		return raises(err, distance, "the shapes do not broadcast");
	case ETC_TORCH_MANY:
		return raises(err, distance, "too many elements");
	default:
		break;
	}
	if (distance == ETC_GAP_L1) {
		*out = sum(&pair, a.tame, b.tame, DISTANCE);
		return ETC_OK;
	}
	noise = sum(&pair, a.tame, b.tame, SQUARED_DIFFERENCE) / (double)pair.count;
	*out = noise;
	if (distance == ETC_GAP_MSE)
		return ETC_OK;
	if (etc_torch_pair(&a.e, &a.e, &alone) != ETC_TORCH_PAIRED)
		return raises(err, distance, "too many elements");
	signal = sum(&alone, a.tame, a.tame, SQUARE) / (double)alone.count;
	*out = 10 * (double)log10l((long double)(signal / noise));
	return ETC_OK;
}
