/* compare_results.c -- writes what the Inspector's compare_results(plot=False) prints for each
 * block "Execute". Computes as the Inspector does: in float32, with sums in torch's order
 * (torch_sum.h). */
#include "commands/inspector/values.h"
#include "commands/inspector/writers.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "tensor/torch_pair.h"
#include "tensor/torch_sum.h"

struct pair {
	bool tensors; /* reference and run are both tensors; else the metrics are None */
	struct etc_elements reference, run;
};

struct comparison {
	struct pair *pairs;
	uint32_t count;
};

/* ---- the pairs ------------------------------------------------------------------- */

static enum etc_status raises(struct etc_error *err, uint32_t index, const char *why)
{
	return etc_fail(err, E0824, "output %u: %s", (unsigned)index, why);
}

static enum etc_status make_pair(const struct etc_ref_value *reference,
                                 const struct etc_insp_value *run, uint32_t index, struct pair *out,
                                 struct etc_error *err)
{
	out->tensors = reference->kind == ETC_REF_TENSOR && run->kind == ETC_INSP_TENSOR;
	if (!out->tensors)
		return ETC_OK;
	if (reference->tensor->quantizer)
		return raises(err, index, "the reference is quantised");
	if (!etc_elements_of_reference(reference->tensor, &out->reference))
		return raises(err, index, "the reference has no values");
	if (!etc_elements_of_inspector(run->tensors, &out->run))
		return raises(err, index, "the output has no values");
	return ETC_OK;
}

static enum etc_status make_pairs(struct etc_inspector *in, const struct etc_insp_block *b,
                                  struct comparison *out, struct etc_error *err)
{
	const struct etc_ref_value *reference = etc_insp_reference(in, b);

	if (!reference || reference->kind == ETC_REF_NONE)
		return etc_fail(err, E0824,
		                "'NoneType' object is not iterable: no record with "
		                "reference outputs");
	if (!etc_ref_is_list(reference))
		return etc_fail(err, E0824, "the reference output is no list");
	out->count = reference->count < b->output_count ? reference->count : b->output_count;
	out->pairs = etc_new(in->arena, struct pair, out->count);
	ETC_NEED(out->pairs, err);
	for (uint32_t i = 0; i < out->count; i++)
		ETC_TRY(make_pair(reference->items[i], &b->outputs[i], i, &out->pairs[i], err));
	return ETC_OK;
}

/* ---- sums in float32 --------------------------------------------------------------- */

enum term { PRODUCT, SQUARED_DIFFERENCE };

static float sum(const struct etc_torch_pair *p, enum term term)
{
	struct etc_torch_reader r;
	struct etc_torch_sum_f32 s;
	const double *a, *b;
	float v[ETC_ELEMENT_BLOCK];
	size_t n;

	etc_torch_sum_f32_begin(&s, p->count);
	etc_torch_read_begin(&r, p, true);
	while ((n = etc_torch_read(&r, &a, &b)) > 0) {
		for (size_t i = 0; i < n; i++) {
			float x = (float)a[i], y = (float)b[i], d = x - y;

			v[i] = term == PRODUCT ? x * y : d * d;
		}
		etc_torch_sum_f32_add(&s, v, n);
	}
	return etc_torch_sum_f32_end(&s);
}

static enum etc_status torch_sum(const struct etc_elements *a, const struct etc_elements *b,
                                 enum term term, uint32_t index, float *out, uint64_t *count,
                                 struct etc_error *err)
{
	struct etc_torch_pair p;
	enum etc_torch_pair_state st = etc_torch_pair(a, b, &p);

	if (st != ETC_TORCH_PAIRED)
		return raises(err, index,
		              st == ETC_TORCH_SHAPES ? "the shapes do not fit together"
		                                     : "too many elements");
	*out = sum(&p, term);
	*count = p.count;
	return ETC_OK;
}

static enum etc_status mean(const struct etc_elements *a, const struct etc_elements *b,
                            enum term term, uint32_t index, float *out, struct etc_error *err)
{
	uint64_t count;

	ETC_TRY(torch_sum(a, b, term, index, out, &count, err));
	*out /= (float)count;
	return ETC_OK;
}

/* ---- the metrics ------------------------------------------------------------------- */

static enum etc_status snr(const struct pair *p, uint32_t index, float *out, struct etc_error *err)
{
	float signal, noise;

	ETC_TRY(mean(&p->reference, &p->reference, PRODUCT, index, &signal, err));
	ETC_TRY(mean(&p->reference, &p->run, SQUARED_DIFFERENCE, index, &noise, err));
	*out = 10 * (float)log10((double)(signal / noise));
	return ETC_OK;
}

static enum etc_status mse(const struct pair *p, uint32_t index, float *out, struct etc_error *err)
{
	return mean(&p->reference, &p->run, SQUARED_DIFFERENCE, index, out, err);
}

static enum etc_status cosine(const struct pair *p, uint32_t index, float *out,
                              struct etc_error *err)
{
	const struct etc_elements *a = &p->reference, *b = &p->run;
	float dot, aa, bb;
	uint64_t n;

	if (!etc_same_shape(a, b))
		return raises(err, index, "Input tensors must have the same shape");
	ETC_TRY(torch_sum(a, b, PRODUCT, index, &dot, &n, err));
	ETC_TRY(torch_sum(a, a, PRODUCT, index, &aa, &n, err));
	ETC_TRY(torch_sum(b, b, PRODUCT, index, &bb, &n, err));
	*out = dot / (sqrtf(aa) * sqrtf(bb));
	return ETC_OK;
}

static const struct {
	const char *name;
	enum etc_status (*of)(const struct pair *p, uint32_t index, float *out,
	                      struct etc_error *err);
} metrics[] = { { "snr", snr }, { "mse", mse }, { "cosine_similarity", cosine } };

/* ---- the text ------------------------------------------------------------------------ */

/* Writes a line as Python's f"{index:<5}{round(value, 2):>8.5f}" does. */
static void put_line(struct etc_text *t, uint32_t index, float value)
{
	double rounded = (double)value;
	char text[64];
	int n;

	if (isfinite(value)) {
		n = snprintf(text, sizeof text, "%.2f", (double)value);
		etc_number_parse((struct etc_str){ text, (size_t)n }, &rounded);
		etc_text_printf(t, "%-5u%8.5f\n", (unsigned)index, rounded);
		return;
	}
	etc_text_printf(t, "%-5u%8s\n", (unsigned)index,
	                isnan(value) ? "nan"
	                : value > 0  ? "inf"
	                             : "-inf");
}

/* Writes one metric: its heading, and its values up to the first None. All values are computed
 * before anything is written. */
static enum etc_status put_metric(unsigned m, const struct comparison *c, float *values,
                                  struct etc_text *out, struct etc_error *err)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->pairs[i].tensors)
			ETC_TRY(metrics[m].of(&c->pairs[i], i, &values[i], err));
	etc_text_printf(out, "%s\n--------------------\n", metrics[m].name);
	for (uint32_t i = 0; i < c->count; i++) {
		if (!c->pairs[i].tensors)
			return raises(
				err, i,
				"unsupported format string passed to NoneType.__format__: not "
				"two tensors");
		put_line(out, i, values[i]);
	}
	etc_text_cstr(out, "\n\n");
	return ETC_OK;
}

enum etc_status etc_insp_compare_results(struct etc_inspector *in, struct etc_text *out,
                                         struct etc_error *err)
{
	for (uint32_t k = 0; k < in->block_count; k++) {
		const struct etc_insp_block *b = &in->blocks[k];
		struct comparison c = { NULL, 0 };
		float *values;

		if (!etc_str_eq(b->name, ETC_STR("Execute")))
			continue;
		ETC_TRY(make_pairs(in, b, &c, err));
		values = etc_new(in->arena, float, c.count);
		ETC_NEED(values, err);
		for (unsigned m = 0; m < sizeof metrics / sizeof metrics[0]; m++)
			ETC_TRY(put_metric(m, &c, values, out, err));
	}
	return ETC_OK;
}
