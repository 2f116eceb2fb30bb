/* place.c -- makes struct etc_elements, which describes where the elements of a tensor are and how
 * they are stored, for tensors of each kind of file; see element.h. */
#include "model/scalar_type.h"
#include "tensor/element.h"

static bool row_major(const int64_t *sizes, const int64_t *strides, uint32_t rank)
{
	uint64_t packed = 1;

	for (uint32_t i = rank; i-- > 0;) {
		if (sizes[i] == 1)
			continue;
		if ((uint64_t)strides[i] != packed)
			return false;
		packed *= (uint64_t)sizes[i];
	}
	return true;
}

/* Returns the description of the elements of an ExecuTorch type. The caller sets sizes and
 * bytes. */
static struct etc_elements of_type(const struct etc_scalar_type *type)
{
	const struct etc_torch_dtype *dtype = etc_torch_dtype_of_scalar(type->code);

	return (struct etc_elements){
		.type = dtype ? dtype->name.ptr : type->name,
		.kind = type->kind,
		.bits = type->bits,
		.parts = 1,
	};
}

bool etc_elements_of_view(const struct etc_tensor_view *view, struct etc_elements *out)
{
	*out = of_type(view->type);
	out->bytes = view->bytes;
	out->sizes = view->sizes;
	out->strides = view->strides;
	out->rank = view->rank;
	out->count = view->count;
	out->contiguous = view->contiguous || view->count == 0;
	return view->count == 0 || view->bytes.ptr;
}

bool etc_elements_of_inspector(const struct etc_tensor_data *t, struct etc_elements *out)
{
	if (t->state != ETC_TENSOR_READ || t->rank > ETC_LIMIT_TENSOR_RANK)
		return false;
	*out = of_type(t->type);
	out->bytes = t->bytes;
	out->sizes = t->sizes;
	out->rank = t->rank;
	out->count = t->size / t->type->bytes;
	out->contiguous = true;
	out->zeros = t->zeros;
	return true;
}

bool etc_elements_of_safetensor(const struct etc_safetensor *t, struct etc_elements *out)
{
	if (!t->type || t->type->bytes == 0 || t->rank > ETC_LIMIT_TENSOR_RANK)
		return false;
	*out = of_type(t->type);
	out->bytes = t->bytes;
	out->sizes = t->sizes;
	out->rank = t->rank;
	out->count = t->count;
	out->contiguous = true;
	return true;
}

/* Sets `*out` to the description of the elements of a complex type; the caller sets sizes and
 * bytes. False: the type is not complex. */
static bool of_complex(const struct etc_torch_dtype *dtype, struct etc_elements *out)
{
	if (!dtype->complex)
		return false;
	*out = (struct etc_elements){
		.type = dtype->name.ptr,
		.kind = dtype->bytes == 4 ? ETC_SCALAR_HALF : ETC_SCALAR_FLOAT,
		.bits = (uint8_t)(dtype->bytes * 4),
		.parts = 2,
	};
	return true;
}

bool etc_elements_of_reference(const struct etc_ref_tensor *t, struct etc_elements *out)
{
	const struct etc_scalar_type *type =
		t->dtype->scalar_type < 0 ? NULL : etc_scalar_type(t->dtype->scalar_type);

	if (type && type->bits >= 8)
		*out = of_type(type);
	else if (!of_complex(t->dtype, out))
		return false;
	out->bytes = t->bytes;
	out->sizes = t->sizes;
	out->strides = t->strides;
	out->rank = t->rank;
	out->count = t->count;
	out->swap = t->storage && t->storage->big_endian && out->bits > 8;
	out->conj = t->conj;
	out->neg = t->neg;
	if (t->rank > ETC_LIMIT_TENSOR_RANK || (t->count && !t->bytes.ptr))
		return false;
	out->contiguous = t->count == 0 || row_major(t->sizes, t->strides, t->rank);
	return true;
}

bool etc_elements_of_bundled(const struct etc_bundled_value *v,
                             int64_t sizes[ETC_LIMIT_TENSOR_RANK],
                             int64_t strides[ETC_LIMIT_TENSOR_RANK], struct etc_elements *out)
{
	const struct etc_scalar_type *type = etc_scalar_type(v->scalar_type);
	uint32_t rank = v->sizes.count;
	uint64_t count = 1;
	bool empty = false;

	if (v->kind != ETC_BUNDLED_TENSOR || !type || type->bits < 8 ||
	    rank > ETC_LIMIT_TENSOR_RANK || (v->dim_order.len && v->dim_order.len != rank))
		return false;
	*out = of_type(type);
	for (uint32_t i = 0; i < rank; i++) {
		sizes[i] = etc_i32_at(v->sizes, i);
		strides[i] = 0;
		empty |= sizes[i] == 0;
	}
	/* dim_order lists the dimensions from the outermost to the innermost. If no size is 0,
	 * `count` cannot overflow, because it is at most data.len before each multiplication. If a
	 * size is 0, `count` may overflow, but is 0 at the end. */
	for (uint32_t i = rank; i-- > 0;) {
		uint32_t d = v->dim_order.len ? v->dim_order.ptr[i] : i;

		if (d >= rank || strides[d] != 0 || sizes[d] < 0 || (count > v->data.len && !empty))
			return false;
		strides[d] = count ? (int64_t)count : 1;
		count *= (uint64_t)sizes[d];
	}
	if (count > v->data.len / (type->bits / 8))
		return false;
	out->bytes = (struct etc_span){ v->data.ptr, (size_t)count * (type->bits / 8) };
	out->sizes = sizes;
	out->strides = strides;
	out->rank = rank;
	out->count = count;
	out->contiguous = count == 0 || row_major(sizes, strides, rank);
	return true;
}
