/* etdump_value.c -- reads table Value and the tables it refers to: the debug values of an
 * ETDump.
 *
 * Reads all members of a Value, not only the one that its tag names. flatc prints all of them, and
 * the Inspector decodes them, so damage in any member is an error. */
#include "formats/etdump/etdump_reader.h"

#include <math.h>

#include "model/scalar_value.h"

/* For each tag, the number of the field that it names: `slot` in the current layout, `old_slot` in
 * that of November 2023. TensorList, which was added later, increased the numbers of the fields
 * after it by one. -1 for `old_slot`: the number is the same, or the old layout has no such
 * field. */
static const struct member {
	int8_t slot, old_slot;
} members[] = {
	[ETC_VALUE_INT] = { VALUE_INT, VALUE_TENSOR_LIST },
	[ETC_VALUE_BOOL] = { VALUE_BOOL, VALUE_DOUBLE },
	[ETC_VALUE_FLOAT] = { VALUE_FLOAT, VALUE_INT },
	[ETC_VALUE_DOUBLE] = { VALUE_DOUBLE, VALUE_FLOAT },
	[ETC_VALUE_TENSOR] = { VALUE_TENSOR, -1 },
	[ETC_VALUE_TENSOR_LIST] = { VALUE_TENSOR_LIST, -1 },
};

static const struct member *member_of(int8_t tag)
{
	bool known = tag > ETC_VALUE_NULL && tag < ETC_VALUE_STRING;

	return known ? &members[tag] : NULL;
}

/* Copies a vector [long], because vectors in the file are not aligned. */
static enum etc_status read_longs(struct etc_etdump_reader *r, struct etc_fb_table t,
                                  unsigned field, const int64_t **out, uint32_t *count, bool *has,
                                  struct etc_error *err)
{
	struct etc_fb_vec v = etc_fb_vector(&r->fb, t, field, 8);
	int64_t *copy;

	*has = v.present;
	/* Two sizes or strides, which have 16 bytes, count as one visit (flatbuf.h). */
	etc_fb_spend(&r->fb, (v.count + 1) / 2);
	if (v.count == 0 || r->fb.fault)
		return etc_fb_check(&r->fb, err);
	copy = etc_new(r->arena, int64_t, v.count);
	ETC_NEED(copy, err);
	memcpy(copy, r->fb.ptr + v.at, v.count * sizeof *copy);
	*out = copy;
	*count = (uint32_t)v.count;
	return ETC_OK;
}

static enum etc_status read_tensor(struct etc_etdump_reader *r, struct etc_fb_table t, size_t run,
                                   struct etc_tensor *out, struct etc_error *err)
{
	struct etc_flaw *flaw = &r->out->not_decodable;
	const struct etc_scalar_type *type;

	out->scalar_type = (int8_t)etc_fb_u8(&r->fb, t, TENSOR_SCALAR_TYPE, 0);
	out->offset = (int64_t)etc_fb_u64(&r->fb, t, TENSOR_OFFSET, 0);
	ETC_TRY(read_longs(r, t, TENSOR_SIZES, &out->sizes, &out->rank, &out->has_sizes, err));
	ETC_TRY(read_longs(r, t, TENSOR_STRIDES, &out->strides, &out->stride_count,
	                   &out->has_strides, err));
	type = etc_scalar_type(out->scalar_type);
	if (!type || type->bytes == 0)
		etc_etdump_flaw(flaw, t.at, run, "scalar_type");
	else if (!out->has_sizes)
		etc_etdump_flaw(flaw, t.at, run, "sizes");
	else if (!out->has_strides)
		etc_etdump_flaw(flaw, t.at, run, "strides");
	return ETC_OK;
}

/* Reads Value.tensor as an array of one tensor. */
static enum etc_status read_one(struct etc_etdump_reader *r, struct etc_fb_table value, size_t run,
                                const struct etc_tensor **out, uint32_t *count,
                                struct etc_error *err)
{
	struct etc_fb_table t =
		etc_fb_sub(&r->fb, etc_layouts(r, TABLE_TENSOR), value, VALUE_TENSOR);
	struct etc_tensor *tensor;

	if (!t.at)
		return etc_fb_check(&r->fb, err);
	etc_fb_spend(&r->fb, 1);
	tensor = etc_new(r->arena, struct etc_tensor, 1);
	ETC_NEED(tensor, err);
	*out = tensor;
	*count = 1;
	return read_tensor(r, t, run, tensor, err);
}

static enum etc_status read_list(struct etc_etdump_reader *r, struct etc_fb_table value, size_t run,
                                 struct etc_value *out, struct etc_error *err)
{
	struct etc_fb_table l =
		etc_fb_sub(&r->fb, etc_layouts(r, TABLE_TENSOR_LIST), value, VALUE_TENSOR_LIST);
	struct etc_fb_vec v = etc_fb_vector(&r->fb, l, TENSOR_LIST_TENSORS, 4);
	struct etc_tensor *tensors;

	out->has_tensors = v.present;
	if (l.at && !v.present)
		etc_etdump_flaw(&r->out->not_decodable, l.at, run, "tensors");
	etc_fb_spend(&r->fb, v.count);
	ETC_TRY(etc_fb_check(&r->fb, err));
	tensors = etc_new(r->arena, struct etc_tensor, v.count);
	ETC_NEED(tensors, err);
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table t = etc_fb_element(&r->fb, etc_layouts(r, TABLE_TENSOR), v, i);

		ETC_TRY(etc_fb_check(&r->fb, err));
		ETC_TRY(read_tensor(r, t, run, &tensors[i], err));
	}
	out->tensors = tensors;
	out->count = (uint32_t)v.count;
	return ETC_OK;
}

/* Returns the number in the sub-table that `field` points to. */
static double read_real(struct etc_etdump_reader *r, struct etc_fb_table value, unsigned field,
                        size_t run)
{
	bool wide = field == VALUE_DOUBLE;
	struct etc_fb_layouts *layouts = etc_layouts(r, wide ? TABLE_DOUBLE : TABLE_FLOAT);
	struct etc_fb_table t = etc_fb_sub(&r->fb, layouts, value, field);
	double d = wide ? etc_real_of_f64(etc_fb_u64(&r->fb, t, SCALAR_VALUE, 0))
	                : etc_real_of_f32(etc_fb_u32(&r->fb, t, SCALAR_VALUE, 0));

	if (!isfinite(d))
		etc_etdump_flaw(&r->out->not_finite, t.at, run, wide ? "double_val" : "float_val");
	return d;
}

static void count_oddities(struct etc_etdump_reader *r, struct etc_fb_table value,
                           const struct etc_value *v)
{
	const struct member *m = member_of(v->tag);

	if (!m)
		r->unknown_tags += v->tag != ETC_VALUE_NULL;
	else if (!v->has_member && m->old_slot >= 0 && etc_fb_has(value, (unsigned)m->old_slot))
		r->old_values++;
	else if (!v->has_member)
		r->no_members++;
}

static enum etc_status read_value(struct etc_etdump_reader *r, struct etc_fb_table t, size_t run,
                                  struct etc_value *v, struct etc_error *err)
{
	struct etc_fb *fb = &r->fb;
	const struct member *m;
	const struct etc_tensor *one = NULL;
	struct etc_fb_table integer = etc_fb_sub(fb, etc_layouts(r, TABLE_INT), t, VALUE_INT);
	struct etc_fb_table boolean = etc_fb_sub(fb, etc_layouts(r, TABLE_BOOL), t, VALUE_BOOL);
	struct etc_fb_table output = etc_fb_sub(fb, etc_layouts(r, TABLE_BOOL), t, VALUE_OUTPUT);
	double single = read_real(r, t, VALUE_FLOAT, run),
	       wide = read_real(r, t, VALUE_DOUBLE, run);
	uint32_t ones = 0;

	/* `boolean` and `output` are tables of one type. Reading `output` replaced the layout of
	 * `boolean`, so only boolean.at may be used from here on. */
	v->present = true;
	v->tag = (int8_t)etc_fb_u8(fb, t, VALUE_TAG, ETC_VALUE_NULL);
	v->has_output = output.at != 0;
	v->output = etc_fb_u8(fb, output, SCALAR_VALUE, 0) != 0;
	m = member_of(v->tag);
	v->has_member = m && etc_fb_has(t, (unsigned)m->slot);
	count_oddities(r, t, v);
	ETC_TRY(etc_fb_check(fb, err));
	/* In the layout of November 2023, the field with the number VALUE_TENSOR_LIST was the
	 * integer. So the integer's table is read from the field with that number. */
	if (m && !v->has_member && m->old_slot >= 0 && etc_fb_has(t, (unsigned)m->old_slot)) {
		(void)etc_fb_sub(fb, etc_layouts(r, TABLE_INT), t, VALUE_TENSOR_LIST);
		ETC_TRY(etc_fb_check(fb, err));
		return read_one(r, t, run, &one, &ones, err);
	}
	ETC_TRY(read_one(r, t, run, &one, &ones, err));
	ETC_TRY(read_list(r, t, run, v, err));
	if (v->tag == ETC_VALUE_TENSOR_LIST)
		return ETC_OK;
	v->tensors = NULL;
	v->count = 0;
	if (v->tag == ETC_VALUE_TENSOR) {
		v->tensors = one;
		v->count = ones;
	} else if (v->tag == ETC_VALUE_INT) {
		v->i = (int64_t)etc_fb_u64(fb, integer, SCALAR_VALUE, 0);
	} else if (v->tag == ETC_VALUE_BOOL) {
		boolean = etc_fb_table_at(fb, etc_layouts(r, TABLE_BOOL), boolean.at);
		v->i = etc_fb_u8(fb, boolean, SCALAR_VALUE, 0) != 0;
	} else if (v->tag == ETC_VALUE_FLOAT) {
		v->d = single;
	} else if (v->tag == ETC_VALUE_DOUBLE) {
		v->d = wide;
	}
	return ETC_OK;
}

enum etc_status etc_etdump_value(struct etc_etdump_reader *r, size_t debug_at, size_t run,
                                 struct etc_value *value, struct etc_error *err)
{
	struct etc_fb_table d = etc_fb_table_at(&r->fb, etc_layouts(r, TABLE_DEBUG), debug_at);
	struct etc_fb_table v = etc_fb_sub(&r->fb, etc_layouts(r, TABLE_VALUE), d, DEBUG_ENTRY);

	*value = (struct etc_value){ 0 };
	ETC_TRY(etc_fb_check(&r->fb, err));
	if (!v.at) {
		r->no_entries++;
		etc_etdump_flaw(&r->out->not_decodable, d.at, run, "debug_entry");
		return ETC_OK;
	}
	return read_value(r, v, run, value, err);
}
