/* debug.c -- converts debug values and program outputs to the values that the Inspector would have,
 * and compares the values of different runs.
 *
 * The Inspector reads numbers from JSON written by flatc, so a double is rounded to 12 decimals and
 * a float to 6. All runs of a block must have equal values; otherwise the Inspector raises an
 * exception. It compares program outputs elementwise, with broadcasting, and intermediate values by
 * torch.equal; the two comparisons raise different errors. */
#include "inspector/inspector.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/sha256.h"
#include "model/scalar_value.h"

/* Returns the number that Python reads after flatbuffers' FloatToString() has written `v`: rounded
 * to `decimals` decimals. */
static double through_json(double v, int decimals)
{
	char text[400];
	int n = snprintf(text, sizeof text, "%.*f", decimals, v);
	double back = v;

	etc_number_parse((struct etc_str){ text, (size_t)n }, &back);
	return back;
}

static enum etc_status check_tensor(const struct etc_tensor_data *t, struct etc_error *err)
{
	if (t->state == ETC_TENSOR_UNSUPPORTED)
		return etc_fail(err, E0818, "Unsupported scalar type in get_scalar_type_size");
	if (t->state == ETC_TENSOR_OUTSIDE)
		return etc_fail(err, E0817, "offset, sizes and buffer do not fit together");
	return ETC_OK;
}

static enum etc_status absent(const char *what, struct etc_error *err)
{
	return etc_fail(err, E0821, "Expected %s value, `None` provided", what);
}

/* Converts a value as the Inspector's inflate_runtime_output() does. */
static enum etc_status inflate(const struct etc_inspector *in, const struct etc_value *v,
                               struct etc_insp_value *out, struct etc_error *err)
{
	static const char *const names[] = { "",       "Int",    "Bool",      "Float",
		                             "Double", "Tensor", "TensorList" };

	*out = (struct etc_insp_value){ .kind = ETC_INSP_NONE };
	if (v->tag < ETC_VALUE_INT || v->tag > ETC_VALUE_TENSOR_LIST)
		return ETC_OK;
	if (!v->has_member)
		return absent(names[v->tag], err);
	switch (v->tag) {
	case ETC_VALUE_INT:
		*out = (struct etc_insp_value){ .kind = ETC_INSP_INT, .i = v->i };
		return ETC_OK;
	case ETC_VALUE_BOOL:
		*out = (struct etc_insp_value){ .kind = ETC_INSP_BOOL, .i = v->i != 0 };
		return ETC_OK;
	case ETC_VALUE_FLOAT:
	case ETC_VALUE_DOUBLE:
		out->kind = ETC_INSP_FLOAT;
		out->f = through_json(v->d, v->tag == ETC_VALUE_FLOAT ? 6 : 12);
		return ETC_OK;
	default:
		out->kind = v->tag == ETC_VALUE_TENSOR ? ETC_INSP_TENSOR : ETC_INSP_LIST;
		out->tensors = in->tensors ? in->tensors + v->first_tensor : NULL;
		out->count = v->count;
		for (uint32_t i = 0; i < v->count && out->tensors; i++)
			ETC_TRY(check_tensor(&out->tensors[i], err));
		return ETC_OK;
	}
}

/* ---- equality ------------------------------------------------------------------ */

struct element {
	bool is_float;
	double f;
	int64_t i; /* unsigned 64-bit types do not occur here */
};

/* Codes of ScalarType. HALF, FLOAT and DOUBLE are consecutive: an operation with two of these types
 * has the type with the larger code. */
enum { INT64 = 4, HALF, FLOAT, DOUBLE, BOOL = 11, BITS16 = 22, UINT16 = 27, NO_TYPE = -1 };

static bool is_floating(int code)
{
	return code >= HALF && code <= DOUBLE;
}

static struct element element_at(const struct etc_tensor_data *t, uint64_t i)
{
	const struct etc_scalar_type *type = t->type;
	const unsigned unused = 64 - type->bits;
	uint64_t bits = 0;

	if (t->zeros)
		return (struct element){ false, 0, 0 };
	if (is_floating(type->code))
		return (struct element){ true, etc_scalar_real(type, t->bytes.ptr, i), 0 };
	memcpy(&bits, t->bytes.ptr + i * type->bytes, type->bytes);
	if (type->kind == ETC_SCALAR_BOOL)
		bits = bits != 0;
	if (type->kind == ETC_SCALAR_SIGNED)
		bits = (uint64_t)((int64_t)(bits << unused) >> unused);
	return (struct element){ false, 0, (int64_t)bits };
}

/* ---- torch's == ------------------------------------------------------------------ */

enum comparison { DIFFERENT, EQUAL, RAISES };

static bool is_uint16(int code)
{
	return code == BITS16 || code == UINT16;
}

/* Rounds `v` to the nearest number of half precision; a tie is rounded to even. */
static double to_half(double v)
{
	int exponent;

	if (fabs(v) >= 65520)
		return copysign(INFINITY, v);
	(void)frexp(v, &exponent);
	exponent = (exponent < -13 ? -13 : exponent) - 11;
	return ldexp(nearbyint(ldexp(v, -exponent)), exponent);
}

/* Returns the value of `e` after conversion to the floating-point type `code`. */
static double promoted(struct element e, int code)
{
	float f = e.is_float ? (float)e.f : (float)e.i;

	if (code == DOUBLE)
		return e.is_float ? e.f : (double)e.i;
	return code == FLOAT ? (double)f : to_half((double)f);
}

/* Returns torch.result_type of two tensors with the types `a` and `b`; NO_TYPE: torch raises an
 * exception. `ranked`: the first tensor has dimensions, and the second has none. In this case, if
 * both types are of one kind, such as float and double, the result is the type of the first
 * tensor. */
static int result_type(int a, int b, bool ranked)
{
	if (is_floating(a) && is_floating(b))
		return ranked || a > b ? a : b;
	if (is_floating(a) || is_floating(b))
		return is_floating(a) ? a : b;
	if (ranked && a != BOOL)
		return a;
	/* torch raises an exception if exactly one of two integer types is uint16 */
	return is_uint16(a) == is_uint16(b) ? INT64 : NO_TYPE;
}

static enum comparison same_element(struct element a, struct element b, int type)
{
	static const uint8_t bits[UINT16 + 1] = { 8, 8, 16, 32, 64, [BITS16] = 16, [UINT16] = 16 };
	bool same;

	if (type == NO_TYPE)
		return RAISES;
	if (is_floating(type))
		same = promoted(a, type) == promoted(b, type);
	else
		same = ((uint64_t)a.i ^ (uint64_t)b.i) << (64 - bits[type]) == 0;
	return same ? EQUAL : DIFFERENT;
}

static uint64_t numel(const struct etc_tensor_data *t)
{
	return t->type->bytes ? t->size / t->type->bytes : 0;
}

/* Returns the index in `t` of the element that is at `index` in the broadcast shape. */
static uint64_t place(const struct etc_tensor_data *t, const uint64_t *index, uint32_t rank)
{
	uint64_t at = 0;

	for (uint32_t d = 0; d < t->rank; d++)
		at = at * (uint64_t)t->sizes[d] +
		     (t->sizes[d] == 1 ? 0 : index[rank - t->rank + d]);
	return at;
}

/* Computes (a == b).all() of torch, with broadcasting, and sets `*count` to the number of elements
 * compared. RAISES: the shapes cannot be broadcast, or the types have no common type. */
static enum comparison broadcast(const struct etc_tensor_data *a, const struct etc_tensor_data *b,
                                 uint64_t *count)
{
	uint64_t sizes[ETC_LIMIT_TENSOR_RANK], index[ETC_LIMIT_TENSOR_RANK] = { 0 }, all = 1;
	uint32_t rank = a->rank > b->rank ? a->rank : b->rank;
	int type = a->rank == 0 && rank > 0
	                   ? result_type(b->type->code, a->type->code, true)
	                   : result_type(a->type->code, b->type->code, b->rank == 0 && rank > 0);

	if (rank > ETC_LIMIT_TENSOR_RANK || type == NO_TYPE)
		return RAISES;
	for (uint32_t d = 0; d < rank; d++) {
		int64_t x = d + a->rank >= rank ? a->sizes[d + a->rank - rank] : 1;
		int64_t y = d + b->rank >= rank ? b->sizes[d + b->rank - rank] : 1;

		if (x != y && x != 1 && y != 1)
			return RAISES;
		sizes[d] = (uint64_t)(x == 1 ? y : x);
		all *= sizes[d];
	}
	*count = all;
	for (uint64_t n = 0; n < all; n++) {
		enum comparison c = same_element(element_at(a, place(a, index, rank)),
		                                 element_at(b, place(b, index, rank)), type);

		if (c != EQUAL)
			return c;
		for (uint32_t d = rank; d-- > 0 && ++index[d] == sizes[d];)
			index[d] = 0;
	}
	return EQUAL;
}

/* Computes torch.equal: are the shapes and all elements equal? */
static enum comparison torch_equal(const struct etc_tensor_data *a, const struct etc_tensor_data *b)
{
	int type = result_type(a->type->code, b->type->code, false);
	enum comparison c = type == NO_TYPE ? RAISES : EQUAL;
	uint64_t n = numel(a);

	if (a->rank != b->rank)
		return DIFFERENT;
	for (uint32_t d = 0; d < a->rank; d++)
		if (a->sizes[d] != b->sizes[d])
			return DIFFERENT;
	for (uint64_t i = 0; i < n && c == EQUAL && !(a->zeros && b->zeros); i++)
		c = same_element(element_at(a, i), element_at(b, i), type);
	return c;
}

/* Computes bool(tensor == number) for a tensor and a Python number. The number counts as a
 * 0-dimensional tensor of type int64, bool or float32. */
static enum comparison same_as_number(const struct etc_tensor_data *t,
                                      const struct etc_insp_value *v)
{
	struct element number = { v->kind == ETC_INSP_FLOAT, v->f, v->i };
	int type = number.is_float ? FLOAT : v->kind == ETC_INSP_BOOL ? BOOL : INT64;

	if (numel(t) != 1)
		return RAISES;
	return same_element(element_at(t, 0), number, result_type(t->type->code, type, true));
}

static bool is_number(const struct etc_insp_value *v)
{
	return v->kind == ETC_INSP_INT || v->kind == ETC_INSP_BOOL || v->kind == ETC_INSP_FLOAT;
}

/* Are two Python numbers equal? The comparison is exact, also between int and float. */
static bool same_number(const struct etc_insp_value *a, const struct etc_insp_value *b)
{
	if (a->kind == ETC_INSP_FLOAT && b->kind == ETC_INSP_FLOAT)
		return a->f == b->f;
	if (a->kind != ETC_INSP_FLOAT && b->kind != ETC_INSP_FLOAT)
		return a->i == b->i;
	if (a->kind != ETC_INSP_FLOAT)
		return same_number(b, a);
	return a->f >= -9223372036854775808.0 && a->f < 9223372036854775808.0 &&
	       (double)(int64_t)a->f == a->f && (int64_t)a->f == b->i;
}

/* Compares two values as the Inspector's is_inference_output_equal() does. */
static enum comparison same_value(const struct etc_insp_value *a, const struct etc_insp_value *b)
{
	enum comparison c = EQUAL;

	if (a->kind == ETC_INSP_TENSOR && b->kind == ETC_INSP_TENSOR)
		return torch_equal(a->tensors, b->tensors);
	if (a->kind == ETC_INSP_LIST && b->kind == ETC_INSP_LIST) {
		for (uint32_t i = 0; i < a->count && i < b->count && c == EQUAL; i++)
			c = torch_equal(&a->tensors[i], &b->tensors[i]);
		return c;
	}
	if (a->kind == ETC_INSP_TENSOR && is_number(b))
		return same_as_number(a->tensors, b);
	if (b->kind == ETC_INSP_TENSOR && is_number(a))
		return same_as_number(b->tensors, a);
	if (is_number(a) && is_number(b))
		return same_number(a, b) ? EQUAL : DIFFERENT;
	return a->kind == ETC_INSP_NONE && b->kind == ETC_INSP_NONE ? EQUAL : DIFFERENT;
}

/* ---- intermediate values --------------------------------------------------------- */

static enum etc_status inflate_column(const struct etc_inspector *in, const struct etc_run *run,
                                      uint32_t column, struct etc_insp_value *out,
                                      struct etc_error *err)
{
	return inflate(in, &in->trace->values[run->first_value + column], out, err);
}

static enum etc_status compare_runs(struct etc_inspector *in, const struct etc_insp_block *b,
                                    uint32_t event, uint32_t first, struct etc_error *err)
{
	const struct etc_insp_variant *v = &in->variants[b->variant[first]];
	const struct etc_run *run = &in->trace->runs[b->runs[first]];
	uint32_t count = v->debug_count[event];
	const uint32_t *columns = v->debug_list + v->debug_first[event];

	for (uint32_t i = first + 1; i < b->run_count; i++) {
		const struct etc_insp_variant *w = &in->variants[b->variant[i]];
		const uint32_t *others = w->debug_list + w->debug_first[event];

		for (uint32_t k = 0; k < count && k < w->debug_count[event]; k++) {
			struct etc_insp_value x, y;
			enum comparison c;

			ETC_TRY(inflate_column(in, &in->trace->runs[b->runs[i]], others[k], &x,
			                       err));
			ETC_TRY(inflate_column(in, run, columns[k], &y, err));
			c = same_value(&x, &y);
			if (c == RAISES)
				return etc_fail(err, E0821, "two values cannot be compared");
			if (c == DIFFERENT)
				return etc_fail(err, E0808, "event '" ETC_STR_FMT "', run %u",
				                ETC_STR_ARG(b->events[event].name),
				                (unsigned)b->runs[i]);
		}
	}
	return ETC_OK;
}

/* Sets the debug data of every event, in the order of events, as the Inspector's
 * _populate_debugging_related_fields() does. */
enum etc_status etc_insp_debug(struct etc_inspector *in, struct etc_insp_block *b,
                               struct etc_error *err)
{
	const struct etc_insp_variant *v = &in->variants[b->variant[0]];
	const struct etc_run *run = &in->trace->runs[b->runs[0]];

	for (uint32_t k = 0; v->debug_at && k < b->event_count; k++) {
		struct etc_insp_event *e = &b->events[k];
		struct etc_insp_value *values;

		if (!e->extra || !e->extra->debug)
			continue;
		ETC_TRY(compare_runs(in, b, k, 0, err));
		values = etc_new(in->arena, struct etc_insp_value, v->debug_count[k]);
		ETC_NEED(values, err);
		for (uint32_t i = 0; i < v->debug_count[k]; i++)
			ETC_TRY(inflate_column(in, run, v->debug_list[v->debug_first[k] + i],
			                       &values[i], err));
		e->extra->debug_data = values;
		e->extra->debug_count = v->debug_count[k];
	}
	return ETC_OK;
}

/* ---- program outputs --------------------------------------------------------------- */

/* Would isinstance(a, type(b)) be true in Python? */
static bool is_instance(const struct etc_insp_value *a, const struct etc_insp_value *b)
{
	return a->kind == b->kind || (a->kind == ETC_INSP_BOOL && b->kind == ETC_INSP_INT);
}

/* Computes list == list for lists of tensors. The result for each pair of tensors is converted to a
 * bool. The conversion raises an exception if the result does not have exactly one element. */
static enum comparison same_list(const struct etc_insp_value *a, const struct etc_insp_value *b)
{
	if (a->count != b->count)
		return DIFFERENT;
	for (uint32_t i = 0; i < a->count; i++) {
		uint64_t count = 0;
		enum comparison c = broadcast(&a->tensors[i], &b->tensors[i], &count);

		if (c == RAISES || count != 1)
			return RAISES;
		if (c == DIFFERENT)
			return DIFFERENT;
	}
	return EQUAL;
}

static enum etc_status same_output(const struct etc_insp_value *a, const struct etc_insp_value *b,
                                   struct etc_error *err)
{
	enum comparison c;
	uint64_t count;

	if (!is_instance(a, b))
		return etc_fail(err, E0807,
		                "Debug Data Types are different. Expected to be equal.");
	if (a->kind == ETC_INSP_LIST) {
		c = same_list(a, b);
	} else if (a->kind == ETC_INSP_TENSOR) {
		c = broadcast(a->tensors, b->tensors, &count);
	} else {
		c = a->kind == ETC_INSP_NONE || same_number(a, b) ? EQUAL : DIFFERENT;
	}
	if (c == RAISES)
		return etc_fail(
			err, E0821, "%s",
			a->kind == ETC_INSP_LIST
				? "Boolean value of Tensor with more than one value is ambiguous"
				: "two values cannot be compared");
	if (c != EQUAL)
		return etc_fail(err, E0807, "%s Debug Data is different. Expected to be equal",
		                a->kind == ETC_INSP_TENSOR ? "Tensors" : "Scalar");
	return ETC_OK;
}

/* Collects the program outputs of a run, and checks that they equal those of the first run of the
 * block that has any, as the Inspector's _collect_run_outputs() and verify_debug_data_equivalence()
 * do. */
enum etc_status etc_insp_outputs(struct etc_inspector *in, struct etc_insp_block *b,
                                 const struct etc_run *run, struct etc_error *err)
{
	const struct etc_template *template = etc_run_template(in->trace, run);
	struct etc_insp_value *found;
	uint32_t count = 0;

	found = etc_new(in->arena, struct etc_insp_value, template->debugs);
	ETC_NEED(found, err);
	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		const struct etc_value *v;

		if (e->kind != ETC_EVENT_DEBUG)
			continue;
		v = &in->trace->values[run->first_value + e->column];
		if (v->has_output && v->output)
			ETC_TRY(inflate(in, v, &found[count++], err));
	}
	if (b->output_count == 0) {
		b->outputs = found;
		b->output_count = count;
		return ETC_OK;
	}
	if (count != b->output_count)
		return etc_fail(err, E0807,
		                "Unequal debug data length encountered. Expected to be equal.");
	for (uint32_t i = 0; i < count; i++)
		ETC_TRY(same_output(&b->outputs[i], &found[i], err));
	return ETC_OK;
}

void etc_insp_digest(const struct etc_tensor_data *t, uint8_t digest[ETC_SHA256_BYTES])
{
	struct etc_sha256 s;

	etc_sha256_init(&s);
	if (t->zeros)
		etc_sha256_zeros(&s, t->size);
	else
		etc_sha256_add(&s, t->bytes);
	etc_sha256_end(&s, digest);
}
