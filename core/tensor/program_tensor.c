/* program_tensor.c -- see program_tensor.h */
#include "tensor/program_tensor.h"

#include "model/scalar_type.h"

enum etc_tensor_kind etc_tensor_kind(const struct etc_evalue_tensor *t)
{
	if (t->external)
		return t->planned ? ETC_TENSOR_EXTERNAL_MUTABLE : ETC_TENSOR_EXTERNAL_CONSTANT;
	if (t->data_buffer > 0)
		return t->planned ? ETC_TENSOR_INITIAL_STATE : ETC_TENSOR_CONSTANT;
	return t->planned ? ETC_TENSOR_PLANNED : ETC_TENSOR_UNPLANNED;
}

const char *etc_tensor_kind_text(enum etc_tensor_kind kind)
{
	static const char *const texts[] = {
		[ETC_TENSOR_CONSTANT] = "constant",
		[ETC_TENSOR_PLANNED] = "planned",
		[ETC_TENSOR_UNPLANNED] = "unplanned",
		[ETC_TENSOR_INITIAL_STATE] = "mutable with initial state",
		[ETC_TENSOR_EXTERNAL_CONSTANT] = "external constant",
		[ETC_TENSOR_EXTERNAL_MUTABLE] = "external mutable",
	};

	return texts[kind];
}

/* Sets `*elements` to the product of the tensor's sizes. False: it exceeds 63 bits. */
static bool count_elements(const struct etc_evalue_tensor *t, uint64_t *elements)
{
	uint64_t n = 1;
	bool zero = false;

	for (uint32_t i = 0; i < t->sizes.count; i++) {
		uint64_t size = (uint64_t)etc_i32_at(t->sizes, i);

		zero |= size == 0;
		if (size && n > INT64_MAX / size)
			return false;
		n *= size ? size : 1;
	}
	*elements = zero ? 0 : n;
	return true;
}

bool etc_tensor_bytes(const struct etc_evalue_tensor *t, uint64_t *bytes)
{
	const struct etc_scalar_type *type = etc_scalar_type(t->scalar_type);
	uint64_t n;

	if (!type || !type->bytes || !count_elements(t, &n) || n > INT64_MAX / type->bytes)
		return false;
	*bytes = n * type->bytes;
	return true;
}

/* ---- data ---------------------------------------------------------------------- */

static bool from_segment(const struct etc_program *p, struct etc_span file,
                         const struct etc_subsegments *s, uint32_t index, uint64_t bytes,
                         struct etc_tensor_data_place *out)
{
	const struct etc_segment *segment;

	if (index >= s->offsets.count || s->segment >= p->segment_count)
		return false;
	segment = &p->segments[s->segment];
	out->in_segment = true;
	out->index = s->segment;
	out->offset = (uint64_t)etc_i64_at(s->offsets, index);
	if (out->offset > segment->size || bytes > segment->size - out->offset)
		return false;
	out->bytes = (struct etc_span){ file.ptr + p->segments_at + segment->offset + out->offset,
		                        (size_t)bytes };
	return true;
}

bool etc_tensor_data_place(const struct etc_program *p, struct etc_span file,
                           const struct etc_evalue_tensor *t, struct etc_tensor_data_place *out)
{
	enum etc_tensor_kind kind = etc_tensor_kind(t);
	uint64_t bytes;

	*out = (struct etc_tensor_data_place){ 0 };
	if (!etc_tensor_bytes(t, &bytes))
		return false;
	if (kind == ETC_TENSOR_INITIAL_STATE)
		return t->mutable_segment < p->mutable_segment_count &&
		       from_segment(p, file, &p->mutable_segments[t->mutable_segment],
		                    t->data_buffer, bytes, out);
	if (kind != ETC_TENSOR_CONSTANT)
		return false;
	if (p->constants.offsets.count)
		return from_segment(p, file, &p->constants, t->data_buffer, bytes, out);
	if (t->data_buffer >= p->constant_buffer_count ||
	    p->constant_buffers[t->data_buffer].len < bytes)
		return false;
	out->index = t->data_buffer;
	out->bytes = (struct etc_span){ p->constant_buffers[t->data_buffer].ptr, (size_t)bytes };
	return true;
}
