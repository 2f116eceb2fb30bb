/* values_text.c -- writes the values of a method, one line per value; see program_text.h */
#include "base/number.h"
#include "tensor/program_tensor.h"
#include "model/scalar_type.h"
#include "commands/dump/etdump_text.h"
#include "commands/dump/program_text.h"

/* Number of items of a list that are shown as text; JSON shows all items. */
enum { SHOWN = 16 };

const char *etc_view_evalue_kind(unsigned kind)
{
	static const char *const names[ETC_EVALUE_KINDS] = {
		[ETC_EVALUE_NULL] = "Null",
		[ETC_EVALUE_INT] = "Int",
		[ETC_EVALUE_BOOL] = "Bool",
		[ETC_EVALUE_DOUBLE] = "Double",
		[ETC_EVALUE_TENSOR] = "Tensor",
		[ETC_EVALUE_STRING] = "String",
		[ETC_EVALUE_INT_LIST] = "IntList",
		[ETC_EVALUE_DOUBLE_LIST] = "DoubleList",
		[ETC_EVALUE_BOOL_LIST] = "BoolList",
		[ETC_EVALUE_TENSOR_LIST] = "TensorList",
		[ETC_EVALUE_OPTIONAL_TENSOR_LIST] = "OptionalTensorList",
	};

	return kind < ETC_EVALUE_KINDS ? names[kind] : NULL;
}

const char *etc_view_dynamism(unsigned dynamism)
{
	static const char *const names[] = {
		[ETC_SHAPE_STATIC] = "STATIC",
		[ETC_SHAPE_DYNAMIC_BOUND] = "DYNAMIC_BOUND",
		[ETC_SHAPE_DYNAMIC_UNBOUND] = "DYNAMIC_UNBOUND",
	};

	return dynamism <= ETC_SHAPE_DYNAMIC_UNBOUND ? names[dynamism] : NULL;
}

static void item(const struct etc_evalue *v, uint32_t i, struct etc_text *out)
{
	switch (v->kind) {
	case ETC_EVALUE_INT_LIST:
		etc_text_i64(out, etc_i64_at(v->items, i));
		break;
	case ETC_EVALUE_DOUBLE_LIST:
		etc_text_printf(out, "%.17g", etc_f64_at(v->items, i));
		break;
	case ETC_EVALUE_BOOL_LIST:
		etc_text_cstr(out, v->items.ptr[i] ? "true" : "false");
		break;
	default:
		etc_text_i64(out, etc_i32_at(v->items, i));
	}
}

static void list(const struct etc_evalue *v, struct etc_text *out)
{
	bool direct = v->kind == ETC_EVALUE_DOUBLE_LIST || v->kind == ETC_EVALUE_BOOL_LIST;

	etc_text_cstr(out, direct ? "[" : "of values [");
	for (uint32_t i = 0; i < v->items.count && i < SHOWN; i++) {
		if (i)
			etc_text_cstr(out, ", ");
		item(v, i, out);
	}
	if (v->items.count > SHOWN)
		etc_text_printf(out, ", ... %lu in all", (unsigned long)v->items.count);
	etc_text_char(out, ']');
}

static bool row_major(const struct etc_evalue_tensor *t)
{
	for (size_t i = 0; i < t->dim_order.len; i++)
		if (t->dim_order.ptr[i] != i)
			return false;
	return true;
}

static void tensor(const struct etc_evalue_tensor *t, struct etc_text *out)
{
	uint64_t bytes;

	etc_view_type_and_sizes(t->scalar_type, t->sizes, out);
	if (t->dynamism != ETC_SHAPE_STATIC)
		etc_text_printf(out, " %s",
		                t->dynamism == ETC_SHAPE_DYNAMIC_BOUND ? "at most" : "unbounded");
	etc_text_printf(out, "  %s", etc_tensor_kind_text(etc_tensor_kind(t)));
	if (etc_tensor_bytes(t, &bytes))
		etc_text_printf(out, ", %llu bytes", (unsigned long long)bytes);
	if (t->planned)
		etc_text_printf(out, " at %llu of memory %lu", (unsigned long long)t->memory_offset,
		                (unsigned long)t->memory_id);
	if (t->data_buffer && !t->external)
		etc_text_printf(out, ", data %lu", (unsigned long)t->data_buffer);
	if (t->storage_offset)
		etc_text_printf(out, ", storage_offset %ld", (long)t->storage_offset);
	if (!row_major(t)) {
		etc_text_cstr(out, ", dim_order");
		for (size_t i = 0; i < t->dim_order.len && i < SHOWN; i++)
			etc_text_printf(out, " %u", (unsigned)t->dim_order.ptr[i]);
	}
	if (t->device_type || t->device_index)
		etc_text_printf(out, ", device %d:%d", t->device_type, t->device_index);
	if (t->name.len) {
		etc_text_cstr(out, ", ");
		etc_view_quoted(t->name, out);
	}
}

void etc_view_dump_value(uint32_t index, const struct etc_evalue *v, struct etc_text *out)
{
	const char *kind = etc_view_evalue_kind(v->kind);

	etc_text_printf(out, "    [%lu] %s", (unsigned long)index, kind ? kind : "-");
	if (v->kind != ETC_EVALUE_NULL && v->kind != ETC_EVALUE_NONE)
		etc_text_char(out, ' ');
	switch (v->kind) {
	case ETC_EVALUE_NONE:
	case ETC_EVALUE_NULL:
		break;
	case ETC_EVALUE_INT:
		etc_text_i64(out, v->integer);
		break;
	case ETC_EVALUE_BOOL:
		etc_text_cstr(out, v->integer ? "true" : "false");
		break;
	case ETC_EVALUE_DOUBLE:
		etc_text_printf(out, "%.17g", v->number);
		break;
	case ETC_EVALUE_STRING:
		etc_view_quoted(v->text, out);
		break;
	case ETC_EVALUE_TENSOR:
		tensor(v->tensor, out);
		break;
	default:
		list(v, out);
	}
	etc_text_char(out, '\n');
}
