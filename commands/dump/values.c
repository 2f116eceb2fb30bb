/* values.c -- see values.h */
#include "commands/dump/values.h"

#include "tensor/program_tensor.h"
#include "commands/dump/program_text.h"

static const char *data_location(unsigned external)
{
	return external ? "EXTERNAL" : "SEGMENT";
}

/* clang-format off */
#define TENSOR struct etc_evalue_tensor
static const struct etc_schema tensor = { ETC_SCHEMA(TENSOR,
	{ ETC_FIELD(TENSOR, "scalar_type", scalar_type), .word = etc_scalar_type_word },
	{ ETC_FIELD(TENSOR, "storage_offset", storage_offset) },
	{ ETC_FIELD_VECTOR(TENSOR, "sizes", sizes, INT, 4) },
	{ ETC_FIELD_NUMBERS(TENSOR, "dim_order", dim_order.ptr, dim_order.len, UINT, 1) },
	{ ETC_FIELD(TENSOR, "requires_grad", requires_grad) },
	{ ETC_FIELD(TENSOR, "data_buffer_idx", data_buffer) },
	{ ETC_FIELD_GROUP(TENSOR, "allocation_info",
	  { ETC_FIELD(TENSOR, "memory_id", memory_id) },
	  { ETC_FIELD(TENSOR, "memory_offset", memory_offset) }), ETC_FIELD_IF(TENSOR, planned) },
	{ ETC_FIELD(TENSOR, "layout", layout) },
	{ ETC_FIELD(TENSOR, "shape_dynamism", dynamism), .word = etc_view_dynamism },
	{ ETC_FIELD_GROUP(TENSOR, "extra_tensor_info",
	  { ETC_FIELD(TENSOR, "mutable_data_segments_idx", mutable_segment) },
	  { ETC_FIELD(TENSOR, "fully_qualified_name", name) },
	  { ETC_FIELD_AS(UINT, TENSOR, "location", external), .word = data_location },
	  { ETC_FIELD(TENSOR, "device_type", device_type) },
	  { ETC_FIELD(TENSOR, "device_index", device_index) }), ETC_FIELD_IF(TENSOR, has_extra) }) };
/* clang-format on */

/* Writes what the fields of a tensor imply: its kind, its size, and where its data is. */
static void found(const struct etc_walk *w, const char *name, const void *value)
{
	const struct etc_dumped_program *c = w->context;
	const struct etc_evalue_tensor *t = ((const struct etc_evalue *)value)->tensor;
	struct etc_span inner = { w->file.ptr + c->base, w->file.len - c->base };
	struct etc_emit *e = w->e;
	enum etc_tensor_kind kind = etc_tensor_kind(t);
	struct etc_tensor_data_place place;
	uint64_t bytes;

	(void)name;
	etc_emit_text(e, "kind", etc_str_of(etc_tensor_kind_text(kind)));
	if (etc_tensor_bytes(t, &bytes))
		etc_emit_u64(e, "bytes", bytes);
	else
		etc_emit_null(e, "bytes");
	if (kind != ETC_TENSOR_CONSTANT && kind != ETC_TENSOR_INITIAL_STATE)
		return;
	if (!etc_tensor_data_place(c->p, inner, t, &place)) {
		etc_emit_null(e, "data");
		return;
	}
	etc_emit_open(e, "data", '{');
	etc_emit_u64(e, place.in_segment ? "segment" : "constant_buffer", place.index);
	etc_emit_u64(e, "offset", place.offset);
	if (place.bytes.ptr)
		etc_emit_u64(e, "at", (uint64_t)(place.bytes.ptr - w->file.ptr));
	else
		etc_emit_null(e, "at");
	etc_emit_close(e);
}

/* clang-format off */
#define VALUE struct etc_evalue
#define OF(kind) ETC_FIELD_WHEN(ETC_EVALUE_##kind)
const struct etc_schema etc_dump_value = { ETC_SCHEMA(VALUE,
	{ ETC_FIELD(VALUE, "val_type", kind), .word = etc_view_evalue_kind, .word_or_null = true },
	{ ETC_FIELD_IS("val", NULL), OF(NONE) },
	{ ETC_FIELD_IS("val", NULL), OF(NULL) },
	{ ETC_FIELD(VALUE, "val", integer), OF(INT) },
	{ ETC_FIELD_AS(BOOL, VALUE, "val", integer), OF(BOOL) },
	{ ETC_FIELD(VALUE, "val", number), OF(DOUBLE) },
	{ ETC_FIELD(VALUE, "val", text), OF(STRING) },
	{ ETC_FIELD_AS(LINK, VALUE, "val", tensor), .of = &tensor, OF(TENSOR) },
	{ ETC_FIELD_BY(NULL, found), OF(TENSOR) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, INT, 8), OF(INT_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, REAL, 8), OF(DOUBLE_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, BOOL, 1), OF(BOOL_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, INT, 4), OF(TENSOR_LIST) },
	{ ETC_FIELD_VECTOR(VALUE, "val", items, INT, 4), OF(OPTIONAL_TENSOR_LIST) }),
	.tag = offsetof(VALUE, kind) };
/* clang-format on */
