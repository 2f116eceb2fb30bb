/* values.c -- see values.h */
#include "commands/dump/values.h"

#include "tensor/program_tensor.h"
#include "model/scalar_type.h"
#include "commands/dump/program_text.h"

void etc_dump_indices(struct etc_emit *e, const char *name, struct etc_numbers v)
{
	etc_emit_open(e, name, '[');
	for (uint32_t i = 0; i < v.count && !e->out->failed; i++)
		etc_emit_i64(e, NULL, etc_i32_at(v, i));
	etc_emit_close(e);
}

void etc_dump_bytes(struct etc_emit *e, const char *name, struct etc_span v)
{
	etc_emit_open(e, name, '[');
	for (size_t i = 0; i < v.len && !e->out->failed; i++)
		etc_emit_u64(e, NULL, v.ptr[i]);
	etc_emit_close(e);
}

/* The name of an enumerator, else its number. */
static void named(struct etc_emit *e, const char *member, const char *name, int64_t number)
{
	if (name)
		etc_emit_text(e, member, etc_str_of(name));
	else
		etc_emit_i64(e, member, number);
}

static void allocation(struct etc_emit *e, const struct etc_evalue_tensor *t)
{
	if (!t->planned) {
		etc_emit_null(e, "allocation_info");
		return;
	}
	etc_emit_open(e, "allocation_info", '{');
	etc_emit_u64(e, "memory_id", t->memory_id);
	etc_emit_u64(e, "memory_offset", t->memory_offset);
	etc_emit_close(e);
}

static void extra(struct etc_emit *e, const struct etc_evalue_tensor *t)
{
	if (!t->has_extra) {
		etc_emit_null(e, "extra_tensor_info");
		return;
	}
	etc_emit_open(e, "extra_tensor_info", '{');
	etc_emit_u64(e, "mutable_data_segments_idx", t->mutable_segment);
	etc_emit_text(e, "fully_qualified_name", t->name);
	etc_emit_text(e, "location", t->external ? ETC_STR("EXTERNAL") : ETC_STR("SEGMENT"));
	etc_emit_i64(e, "device_type", t->device_type);
	etc_emit_i64(e, "device_index", t->device_index);
	etc_emit_close(e);
}

static void tensor(struct etc_emit *e, const struct etc_evalue_tensor *t)
{
	const struct etc_scalar_type *type = etc_scalar_type(t->scalar_type);

	etc_emit_open(e, "val", '{');
	named(e, "scalar_type", type ? type->name : NULL, t->scalar_type);
	etc_emit_i64(e, "storage_offset", t->storage_offset);
	etc_dump_indices(e, "sizes", t->sizes);
	etc_dump_bytes(e, "dim_order", t->dim_order);
	etc_emit_bool(e, "requires_grad", t->requires_grad);
	etc_emit_u64(e, "data_buffer_idx", t->data_buffer);
	allocation(e, t);
	etc_emit_i64(e, "layout", t->layout);
	named(e, "shape_dynamism", etc_view_dynamism(t->dynamism), t->dynamism);
	extra(e, t);
	etc_emit_close(e);
}

/* The tensor that its fields describe. */
static void found(struct etc_emit *e, struct etc_span file, size_t base,
                  const struct etc_program *p, const struct etc_evalue_tensor *t)
{
	struct etc_span inner = { file.ptr + base, file.len - base };
	enum etc_tensor_kind kind = etc_tensor_kind(t);
	struct etc_tensor_data_place place;
	uint64_t bytes;

	etc_emit_text(e, "kind", etc_str_of(etc_tensor_kind_text(kind)));
	if (etc_tensor_bytes(t, &bytes))
		etc_emit_u64(e, "bytes", bytes);
	else
		etc_emit_null(e, "bytes");
	if (kind != ETC_TENSOR_CONSTANT && kind != ETC_TENSOR_INITIAL_STATE)
		return;
	if (!etc_tensor_data_place(p, inner, t, &place)) {
		etc_emit_null(e, "data");
		return;
	}
	etc_emit_open(e, "data", '{');
	etc_emit_u64(e, place.in_segment ? "segment" : "constant_buffer", place.index);
	etc_emit_u64(e, "offset", place.offset);
	if (place.bytes.ptr)
		etc_emit_u64(e, "at", (uint64_t)(place.bytes.ptr - file.ptr));
	else
		etc_emit_null(e, "at");
	etc_emit_close(e);
}

static void list(struct etc_emit *e, const struct etc_evalue *v)
{
	etc_emit_open(e, "val", '[');
	for (uint32_t i = 0; i < v->items.count && !e->out->failed; i++)
		switch (v->kind) {
		case ETC_EVALUE_INT_LIST:
			etc_emit_i64(e, NULL, etc_i64_at(v->items, i));
			break;
		case ETC_EVALUE_DOUBLE_LIST:
			etc_emit_real(e, NULL, etc_f64_at(v->items, i));
			break;
		case ETC_EVALUE_BOOL_LIST:
			etc_emit_bool(e, NULL, v->items.ptr[i] != 0);
			break;
		default:
			etc_emit_i64(e, NULL, etc_i32_at(v->items, i));
		}
	etc_emit_close(e);
}

void etc_dump_value(struct etc_emit *e, struct etc_span file, size_t base,
                    const struct etc_program *p, const struct etc_evalue *v)
{
	const char *kind = etc_view_evalue_kind(v->kind);

	etc_emit_open(e, NULL, '{');
	if (kind)
		etc_emit_text(e, "val_type", etc_str_of(kind));
	else
		etc_emit_null(e, "val_type");
	switch (v->kind) {
	case ETC_EVALUE_NONE:
	case ETC_EVALUE_NULL:
		etc_emit_null(e, "val");
		break;
	case ETC_EVALUE_INT:
		etc_emit_i64(e, "val", v->integer);
		break;
	case ETC_EVALUE_BOOL:
		etc_emit_bool(e, "val", v->integer != 0);
		break;
	case ETC_EVALUE_DOUBLE:
		etc_emit_real(e, "val", v->number);
		break;
	case ETC_EVALUE_STRING:
		etc_emit_text(e, "val", v->text);
		break;
	case ETC_EVALUE_TENSOR:
		tensor(e, v->tensor);
		found(e, file, base, p, v->tensor);
		break;
	default:
		list(e, v);
	}
	etc_emit_close(e);
}
