/* program_values.c -- see program.h. Reads the values of a method: which of them are its outputs,
 * the memory planned for them, and whether a delegate's arguments or the method's inputs have
 * dynamic shapes. */
#include "formats/program/program_reader.h"

/* Field numbers: positions in program.fbs. A union has two fields: its type, then its table. */
enum { PLAN_CONTAINER = 1, PLAN_OUTPUTS = 4, PLAN_MEMORY = 8, PLAN_DEVICES };
enum { CONTAINER_IN, CONTAINER_OUT };
enum { DEVICE_MEMORY, DEVICE_TYPE, DEVICE_INDEX };
enum { VALUE_KIND, VALUE };
enum { ONLY };
enum {
	TENSOR_TYPE,
	TENSOR_OFFSET,
	TENSOR_SIZES,
	TENSOR_DIM_ORDER,
	TENSOR_GRAD,
	TENSOR_DATA,
	TENSOR_ALLOCATION,
	TENSOR_LAYOUT,
	TENSOR_DYNAMISM,
	TENSOR_EXTRA
};
enum { ALLOCATION_MEMORY, ALLOCATION_LOW, ALLOCATION_HIGH };
enum { EXTRA_SEGMENT, EXTRA_NAME, EXTRA_LOCATION, EXTRA_DEVICE, EXTRA_DEVICE_INDEX };

enum etc_status etc_program_read_dynamism(struct etc_program_reader *r, struct etc_numbers args,
                                          bool *dynamic, struct etc_error *err)
{
	for (uint32_t i = 0; i < args.count; i++) {
		struct etc_fb_table t =
			etc_program_element(r, TABLE_VALUE, r->values, (size_t)etc_i32_at(args, i));

		if (etc_fb_u8(&r->fb, t, VALUE_KIND, 0) != ETC_EVALUE_TENSOR)
			continue;
		t = etc_program_sub(r, TABLE_TENSOR, t, VALUE);
		*dynamic |= etc_fb_u8(&r->fb, t, TENSOR_DYNAMISM, 0) != ETC_SHAPE_STATIC;
	}
	return etc_program_check(&r->fb, err);
}

/* ---- tensors ----------------------------------------------------------------- */

static enum etc_status read_shape(struct etc_program_reader *r, struct etc_fb_table t,
                                  struct etc_evalue_tensor *out, struct etc_error *err)
{
	ETC_TRY(etc_program_numbers(r, t, TENSOR_SIZES, 4, &out->sizes, err));
	out->dim_order = etc_fb_bytes(&r->fb, t, TENSOR_DIM_ORDER);
	ETC_TRY(etc_program_check(&r->fb, err));
	for (uint32_t i = 0; i < out->sizes.count; i++)
		if (etc_i32_at(out->sizes, i) < 0)
			return etc_fail_at(err, E0433, t.at, "dimension %lu has size %ld",
			                   (unsigned long)i, (long)etc_i32_at(out->sizes, i));
	if (out->dim_order.len && out->dim_order.len != out->sizes.count)
		return etc_fail_at(err, E0433, t.at, "%lu sizes, but an order of %zu dimensions",
		                   (unsigned long)out->sizes.count, out->dim_order.len);
	return ETC_OK;
}

static void read_extra(struct etc_program_reader *r, struct etc_fb_table t,
                       struct etc_evalue_tensor *out)
{
	out->has_extra = t.at != 0;
	out->mutable_segment = etc_fb_u64(&r->fb, t, EXTRA_SEGMENT, 0);
	out->name = etc_fb_str(&r->fb, t, EXTRA_NAME);
	out->external = etc_fb_u8(&r->fb, t, EXTRA_LOCATION, 0) == 1;
	out->device_type = (int8_t)etc_fb_u8(&r->fb, t, EXTRA_DEVICE, 0);
	out->device_index = (int8_t)etc_fb_u8(&r->fb, t, EXTRA_DEVICE_INDEX, 0);
}

static enum etc_status read_tensor(struct etc_program_reader *r, struct etc_fb_table t,
                                   struct etc_evalue *value, struct etc_error *err)
{
	struct etc_evalue_tensor *out = etc_new(r->arena, struct etc_evalue_tensor, 1);
	struct etc_fb_table allocation = etc_program_sub(r, TABLE_ALLOCATION, t, TENSOR_ALLOCATION);
	struct etc_fb *fb = &r->fb;

	ETC_NEED(out, err);
	value->tensor = out;
	ETC_TRY(read_shape(r, t, out, err));
	out->scalar_type = (int8_t)etc_fb_u8(fb, t, TENSOR_TYPE, 0);
	out->storage_offset = etc_fb_i32(fb, t, TENSOR_OFFSET, 0);
	out->requires_grad = etc_fb_u8(fb, t, TENSOR_GRAD, 0) != 0;
	out->data_buffer = etc_fb_u32(fb, t, TENSOR_DATA, 0);
	out->layout = (int8_t)etc_fb_u8(fb, t, TENSOR_LAYOUT, 0);
	out->dynamism = etc_fb_u8(fb, t, TENSOR_DYNAMISM, 0);
	out->planned = allocation.at != 0;
	out->memory_id = etc_fb_u32(fb, allocation, ALLOCATION_MEMORY, 0);
	out->memory_offset = etc_fb_u32(fb, allocation, ALLOCATION_LOW, 0) |
	                     (uint64_t)etc_fb_u32(fb, allocation, ALLOCATION_HIGH, 0) << 32;
	read_extra(r, etc_program_sub(r, TABLE_EXTRA, t, TENSOR_EXTRA), out);
	return etc_program_check(&r->fb, err);
}

/* ---- values ------------------------------------------------------------------ */

static enum etc_status read_list(struct etc_program_reader *r, struct etc_fb_table t,
                                 struct etc_evalue *value, struct etc_error *err)
{
	switch (value->kind) {
	case ETC_EVALUE_TENSOR_LIST:
		return etc_program_indices(r, t, ONLY, false, &value->items, err);
	case ETC_EVALUE_OPTIONAL_TENSOR_LIST:
		return etc_program_indices(r, t, ONLY, true, &value->items, err);
	case ETC_EVALUE_BOOL_LIST:
		return etc_program_numbers(r, t, ONLY, 1, &value->items, err);
	default:
		return etc_program_numbers(r, t, ONLY, 8, &value->items, err);
	}
}

static enum etc_status read_value(struct etc_program_reader *r, struct etc_fb_table value,
                                  struct etc_evalue *out, struct etc_error *err)
{
	static const uint8_t types[ETC_EVALUE_KINDS] = {
		[ETC_EVALUE_INT] = TABLE_VALUE8,
		[ETC_EVALUE_BOOL] = TABLE_VALUE1,
		[ETC_EVALUE_DOUBLE] = TABLE_VALUE8,
		[ETC_EVALUE_STRING] = TABLE_VALUE4,
		[ETC_EVALUE_INT_LIST] = TABLE_VALUE4,
		[ETC_EVALUE_DOUBLE_LIST] = TABLE_VALUE4,
		[ETC_EVALUE_BOOL_LIST] = TABLE_VALUE4,
		[ETC_EVALUE_TENSOR] = TABLE_TENSOR,
		[ETC_EVALUE_TENSOR_LIST] = TABLE_VALUE4,
		[ETC_EVALUE_OPTIONAL_TENSOR_LIST] = TABLE_VALUE4,
	};
	uint8_t kind = etc_fb_u8(&r->fb, value, VALUE_KIND, 0);
	struct etc_fb_table t;

	if (kind >= ETC_EVALUE_KINDS || !types[kind]) {
		out->kind = kind == ETC_EVALUE_NULL ? ETC_EVALUE_NULL : ETC_EVALUE_NONE;
		return etc_program_check(&r->fb, err);
	}
	t = etc_program_sub(r, types[kind], value, VALUE);
	ETC_TRY(etc_program_check(&r->fb, err));
	if (t.at == 0)
		return etc_fail_at(err, E0433, value.at, "a value without its table");
	out->kind = kind;
	switch (kind) {
	case ETC_EVALUE_INT:
		out->integer = (int64_t)etc_fb_u64(&r->fb, t, ONLY, 0);
		return ETC_OK;
	case ETC_EVALUE_BOOL:
		out->integer = etc_fb_u8(&r->fb, t, ONLY, 0) != 0;
		return ETC_OK;
	case ETC_EVALUE_DOUBLE: {
		uint64_t bits = etc_fb_u64(&r->fb, t, ONLY, 0);

		memcpy(&out->number, &bits, sizeof bits);
		return ETC_OK;
	}
	case ETC_EVALUE_STRING:
		out->text = etc_fb_str(&r->fb, t, ONLY);
		return etc_program_check(&r->fb, err);
	case ETC_EVALUE_TENSOR:
		return read_tensor(r, t, out, err);
	default:
		return read_list(r, t, out, err);
	}
}

static enum etc_status read_devices(struct etc_program_reader *r, struct etc_fb_table plan,
                                    struct etc_program_method *m, struct etc_error *err)
{
	struct etc_memory_device *devices;
	struct etc_fb_vec v;

	ETC_TRY(etc_program_list(&r->fb, plan, PLAN_DEVICES, &v, err));
	m->devices = devices = etc_new(r->arena, struct etc_memory_device, v.count);
	ETC_NEED(devices, err);
	m->device_count = (uint32_t)v.count;
	for (size_t i = 0; i < v.count; i++) {
		struct etc_fb_table t = etc_program_element(r, TABLE_DEVICE, v, i);

		devices[i].memory_id = etc_fb_i32(&r->fb, t, DEVICE_MEMORY, 0);
		devices[i].type = (int8_t)etc_fb_u8(&r->fb, t, DEVICE_TYPE, 0);
		devices[i].index = (int8_t)etc_fb_u8(&r->fb, t, DEVICE_INDEX, 0);
	}
	return etc_program_check(&r->fb, err);
}

enum etc_status etc_program_read_values(struct etc_program_reader *r, struct etc_fb_table plan,
                                        struct etc_program_method *m, struct etc_error *err)
{
	struct etc_fb_table container = etc_program_sub(r, TABLE_CONTAINER, plan, PLAN_CONTAINER);
	struct etc_evalue *values = etc_new(r->arena, struct etc_evalue, r->values.count);

	ETC_NEED(values, err);
	m->values = values;
	m->value_count = (uint32_t)r->values.count;
	for (size_t i = 0; i < r->values.count; i++)
		ETC_TRY(etc_context(err,
		                    read_value(r, etc_program_element(r, TABLE_VALUE, r->values, i),
		                               &values[i], err),
		                    "value %zu", i));
	m->container_in = etc_fb_str(&r->fb, container, CONTAINER_IN);
	m->container_out = etc_fb_str(&r->fb, container, CONTAINER_OUT);
	ETC_TRY(etc_program_indices(r, plan, PLAN_OUTPUTS, false, &m->outputs, err));
	ETC_TRY(etc_program_numbers(r, plan, PLAN_MEMORY, 8, &m->memory, err));
	return read_devices(r, plan, m, err);
}
