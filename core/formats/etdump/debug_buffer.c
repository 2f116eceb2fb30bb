/* debug_buffer.c -- see debug_buffer.h.
 *
 * Products of sizes and sums of strides are checked for overflow before each step (times(),
 * plus()); a result beyond 63 bits is larger than any buffer. */
#include "formats/etdump/debug_buffer.h"

#include "model/limits.h"

static bool times(uint64_t *a, uint64_t b)
{
	if (b != 0 && *a > (uint64_t)INT64_MAX / b)
		return false;
	*a *= b;
	return true;
}

static bool plus(uint64_t *a, uint64_t b)
{
	if (b > (uint64_t)INT64_MAX - *a)
		return false;
	*a += b;
	return true;
}

/* Sets `*count` to the number of elements. False: a size is negative, or the product overflows. If
 * any size is 0, the tensor is empty, however large the other sizes are. */
static bool count_elements(const struct etc_tensor *t, uint64_t *count)
{
	bool empty = false;

	*count = 1;
	for (uint32_t i = 0; i < t->rank; i++) {
		if (t->sizes[i] < 0)
			return false;
		empty |= t->sizes[i] == 0;
	}
	if (empty)
		*count = 0;
	for (uint32_t i = 0; i < t->rank && !empty; i++)
		if (!times(count, (uint64_t)t->sizes[i]))
			return false;
	return true;
}

/* Sets `*extent` to the number of elements from the first to the last in memory, including gaps.
 * Sets `*contiguous` if the elements are packed in row-major order. Strides of dimensions with one
 * element are ignored. False: the strides are invalid. */
static bool measure_strides(const struct etc_tensor *t, uint64_t count, uint64_t *extent,
                            bool *contiguous)
{
	uint64_t packed = 1;

	*extent = count;
	*contiguous = true;
	if (t->stride_count == 0 || count == 0)
		return true;
	if (t->stride_count != t->rank)
		return false;
	*extent = 1;
	for (uint32_t i = t->rank; i-- > 0;) {
		uint64_t steps = (uint64_t)t->sizes[i] - 1, reach = steps;

		if (steps == 0)
			continue;
		if (t->strides[i] < 0 || !times(&reach, (uint64_t)t->strides[i]) ||
		    !plus(extent, reach))
			return false;
		*contiguous &= (uint64_t)t->strides[i] == packed;
		packed *= steps + 1; /* does not overflow: `packed` is at most `count` */
	}
	return true;
}

/* Sets `*size` to the number of bytes of `count` elements, rounded up for types of less than a
 * byte. False: the number does not fit in 63 bits. */
static bool byte_size(const struct etc_scalar_type *type, uint64_t count, uint64_t *size)
{
	*size = count;
	if (!times(size, type->bits) || !plus(size, 7))
		return false;
	*size /= 8;
	return true;
}

enum etc_status etc_debug_tensor(const struct etc_tensor *t, struct etc_span buffer,
                                 struct etc_tensor_view *out, struct etc_error *err)
{
	const struct etc_scalar_type *type = etc_scalar_type(t->scalar_type);
	uint64_t extent, size;

	*out = (struct etc_tensor_view){ .type = type, .sizes = t->sizes, .rank = t->rank };
	if (!type)
		return etc_fail(err, E0701, "scalar type %d", t->scalar_type);
	if (!t->has_sizes)
		return etc_fail(err, E0702, "the tensor has no sizes");
	if (t->rank > ETC_LIMIT_TENSOR_RANK)
		return etc_fail(err, E0702, "%u dimensions, at most %d are read", (unsigned)t->rank,
		                ETC_LIMIT_TENSOR_RANK);
	if (!count_elements(t, &out->count))
		return etc_fail(err, E0702, "a size is negative, or they multiply beyond 63 bits");
	if (!measure_strides(t, out->count, &extent, &out->contiguous))
		return etc_fail(err, E0704, "%u strides for %u sizes, or one is negative or huge",
		                (unsigned)t->stride_count, (unsigned)t->rank);
	if (!out->contiguous && type->bits < 8)
		return etc_fail(err, E0704, "strides in a type of %u bits", type->bits);
	out->strides = t->stride_count ? t->strides : NULL;
	if (out->count == 0)
		return ETC_OK;
	if (!byte_size(type, extent, &size) || t->offset < 0 || (uint64_t)t->offset > buffer.len ||
	    size > buffer.len - (uint64_t)t->offset)
		return etc_fail(
			err, E0703, "offset %lld, %llu elements of %s; the buffer has %zu bytes",
			(long long)t->offset, (unsigned long long)extent, type->name, buffer.len);
	/* Without a buffer only sizes and strides are checked. */
	if (buffer.ptr)
		out->bytes = (struct etc_span){ buffer.ptr + t->offset, (size_t)size };
	return ETC_OK;
}

enum etc_status etc_debug_contiguous(const struct etc_tensor_view *view, struct etc_arena *arena,
                                     struct etc_span *out, struct etc_error *err)
{
	size_t width = view->type->bits / 8, index[ETC_LIMIT_TENSOR_RANK] = { 0 };
	const uint8_t *from = view->bytes.ptr;
	uint8_t *to;

	*out = view->bytes;
	if (view->contiguous || view->count == 0)
		return ETC_OK;
	to = view->count > SIZE_MAX ? NULL
	                            : etc_arena_alloc(arena, width, width, (size_t)view->count);
	ETC_NEED(to, err);
	*out = (struct etc_span){ to, (size_t)view->count * width };
	for (uint64_t i = 0; i < view->count; i++) {
		memcpy(to + i * width, from, width);
		/* Advance to the next element: a step in the last dimension, with carry to the
		 * dimensions before it. */
		for (uint32_t d = view->rank; d-- > 0;) {
			size_t step = (size_t)view->strides[d] * width;

			if (view->sizes[d] == 1)
				continue;
			if (++index[d] < (size_t)view->sizes[d]) {
				from += step;
				break;
			}
			index[d] = 0;
			from -= step * ((size_t)view->sizes[d] - 1);
		}
	}
	return ETC_OK;
}

/* ---- like the Inspector: _parse_tensor_value of _inspector_utils.py ---------- */

/* Computes Python's math.prod(sizes) as sign and magnitude; false when it is beyond 63 bits. */
static bool product(const struct etc_tensor *t, uint64_t *magnitude, bool *negative)
{
	bool fits = true;

	*magnitude = 1;
	*negative = false;
	for (uint32_t i = 0; i < t->rank; i++) {
		int64_t s = t->sizes[i];

		if (s == 0) {
			*magnitude = 0;
			return true;
		}
		*negative ^= s < 0;
		fits = fits && times(magnitude, s < 0 ? 0 - (uint64_t)s : (uint64_t)s);
	}
	return fits;
}

/* Returns an index of a Python slice, clamped to [0, len]. */
static size_t clamp(int64_t index, size_t len)
{
	if (index < 0)
		return (uint64_t)index + len < len ? (size_t)((uint64_t)index + len) : 0;
	return (uint64_t)index < len ? (size_t)index : len;
}

/* Limit in bytes for reproducing torch.zeros(sizes). Python fails to allocate a larger tensor,
 * and hashing it here would take minutes. */
static const uint64_t zeros_most = (uint64_t)4 << 30;

static void zeros(const struct etc_tensor *t, struct etc_tensor_data *d)
{
	uint64_t count;

	if (count_elements(t, &count) && times(&count, d->type->bytes) && count <= zeros_most) {
		d->state = ETC_TENSOR_READ;
		d->zeros = true;
		d->size = count;
	}
}

/* Would tensor.view(sizes) accept `count` elements? At most one size may be -1: it stands for the
 * size with which there are `count` elements. d->sizes then becomes a copy of t->sizes with this
 * size instead of -1. Sets `*memory` to false if out of memory. */
static bool view_fits(const struct etc_tensor *t, uint64_t count, struct etc_arena *arena,
                      struct etc_tensor_data *d, bool *memory)
{
	uint64_t others = 1;
	int64_t *sizes;
	uint32_t unknown = t->rank;

	for (uint32_t i = 0; i < t->rank; i++) {
		if (t->sizes[i] < -1 || (t->sizes[i] == -1 && unknown < t->rank))
			return false;
		if (t->sizes[i] == -1)
			unknown = i;
		else if (!times(&others, (uint64_t)t->sizes[i]))
			return false;
	}
	if (unknown == t->rank)
		return others == count;
	if (others == 0 || count % others != 0)
		return false;
	sizes = etc_new(arena, int64_t, t->rank);
	*memory = sizes != NULL;
	if (!sizes)
		return false;
	memcpy(sizes, t->sizes, t->rank * sizeof *sizes);
	sizes[unknown] = (int64_t)(count / others);
	d->sizes = sizes;
	return true;
}

static bool as_inspector(const struct etc_tensor *t, const struct etc_span *buffer,
                         struct etc_arena *arena, struct etc_tensor_data *d)
{
	uint64_t size;
	int64_t end = t->offset;
	size_t from, to;
	bool negative, fits, memory = true;

	*d = (struct etc_tensor_data){ .sizes = t->sizes, .rank = t->rank };
	d->state = ETC_TENSOR_UNSUPPORTED;
	d->type = etc_scalar_type(t->scalar_type);
	if (!d->type || !d->type->inspector_reads)
		return true;
	d->state = ETC_TENSOR_OUTSIDE;
	fits = product(t, &size, &negative) && times(&size, d->type->bytes);
	if (!buffer || (fits && size == 0)) {
		zeros(t, d);
		return true;
	}
	/* the slice buffer[offset : offset + size] of Python, in which negative numbers count from
	 * the end */
	if (!fits || (!negative && t->offset > INT64_MAX - (int64_t)size) ||
	    (negative && t->offset < INT64_MIN + (int64_t)size))
		return true;
	end = negative ? t->offset - (int64_t)size : t->offset + (int64_t)size;
	from = clamp(t->offset, buffer->len);
	to = clamp(end, buffer->len);
	if (from >= to || (to - from) % d->type->bytes != 0 ||
	    !view_fits(t, (to - from) / d->type->bytes, arena, d, &memory))
		return memory;
	d->state = ETC_TENSOR_READ;
	d->size = to - from;
	d->bytes = (struct etc_span){ buffer->ptr + from, to - from };
	return true;
}

enum etc_status etc_debug_as_inspector(const struct etc_trace *trace, const struct etc_span *buffer,
                                       struct etc_arena *arena, const struct etc_tensor_data **out,
                                       struct etc_error *err)
{
	struct etc_tensor_data *data = etc_new(arena, struct etc_tensor_data, trace->tensor_count);

	*out = data;
	ETC_NEED(data, err);
	for (size_t v = 0; v < trace->value_count; v++) {
		const struct etc_value *value = &trace->values[v];

		for (uint32_t i = 0; i < value->count; i++)
			ETC_NEED(as_inspector(&value->tensors[i], buffer, arena,
			                      &data[value->first_tensor + i]),
			         err);
	}
	return ETC_OK;
}

/* ---- notes ------------------------------------------------------------------ */

void etc_debug_check(const struct etc_trace *trace, const struct etc_span *buffer,
                     struct etc_notes *notes)
{
	/* Without a buffer any offset is accepted. */
	struct etc_span any = { NULL, SIZE_MAX };

	for (size_t v = 0; v < trace->value_count; v++) {
		const struct etc_value *value = &trace->values[v];

		for (uint32_t i = 0; i < value->count; i++) {
			struct etc_tensor_view view;
			struct etc_error err = { .text = "" };

			if (etc_debug_tensor(&value->tensors[i], buffer ? *buffer : any, &view,
			                     &err) == ETC_OK)
				continue;
			if (err.code == E0701)
				etc_note(notes, W0706, "%s", err.text);
			else if (err.code == E0703 && buffer)
				etc_note(notes, W0705, "%s", err.text);
			else if (err.code != E0703)
				etc_note(notes, W0707, "%s", err.text);
		}
	}
}
