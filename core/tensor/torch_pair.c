/* torch_pair.c -- see torch_pair.h */
#include "tensor/torch_pair.h"

#include <string.h>

bool etc_same_shape(const struct etc_elements *a, const struct etc_elements *b)
{
	if (a->rank != b->rank)
		return false;
	for (uint32_t d = 0; d < a->rank; d++)
		if (a->sizes[d] != b->sizes[d])
			return false;
	return true;
}

/* Computes the strides of `e`, in elements, for the `rank` dimensions of the broadcast shape. The
 * stride is 0 in a dimension along which `e` is repeated. */
static void spread(const struct etc_elements *e, uint32_t rank, int64_t *strides)
{
	/* at most e->count; if another size is 0, it may wrap, but then no element is read */
	uint64_t row = 1;

	memset(strides, 0, rank * sizeof *strides);
	for (uint32_t d = e->rank; d-- > 0;) {
		if (e->sizes[d] != 1)
			strides[rank - e->rank + d] = e->strides ? e->strides[d] : (int64_t)row;
		row *= (uint64_t)e->sizes[d];
	}
}

static bool broadcast(const struct etc_elements *a, const struct etc_elements *b, uint32_t rank,
                      int64_t *sizes)
{
	for (uint32_t d = 0; d < rank; d++) {
		int64_t x = d + a->rank >= rank ? a->sizes[d + a->rank - rank] : 1;
		int64_t y = d + b->rank >= rank ? b->sizes[d + b->rank - rank] : 1;

		if (x != y && x != 1 && y != 1)
			return false;
		sizes[d] = x == 1 ? y : x;
	}
	return true;
}

static bool product(const int64_t *sizes, uint32_t rank, uint64_t *count)
{
	uint64_t n = 1;
	bool many = false;

	for (uint32_t d = 0; d < rank; d++) {
		if (sizes[d] == 0) {
			*count = 0;
			return true;
		}
		many |= n > UINT64_MAX / (uint64_t)sizes[d];
		n *= (uint64_t)sizes[d];
	}
	*count = n;
	return !many;
}

/* Is dimension `x` outside of dimension `y` in torch's order of loops? 1: yes; -1: no; 0: the
 * strides do not decide this. */
static int further_out(const struct etc_torch_pair *p, uint32_t x, uint32_t y)
{
	for (int k = 0; k < 2; k++) {
		int64_t sx = p->strides[k][x], sy = p->strides[k][y];

		if (sx == 0 || sy == 0)
			continue;
		if (sx != sy)
			return sx < sy ? -1 : 1;
		if (p->sizes[x] > p->sizes[y])
			return 1;
	}
	return 0;
}

/* Fills `inner` with the indices of the dimensions, from the innermost to the outermost, by
 * insertion sort. */
static void order(const struct etc_torch_pair *p, uint32_t rank, uint32_t *inner)
{
	for (uint32_t i = 0; i < rank; i++)
		inner[i] = rank - 1 - i;
	for (uint32_t i = 1; i < rank; i++)
		for (uint32_t at = i, k = i; k-- > 0;) {
			int c = further_out(p, inner[k], inner[at]);
			uint32_t t = inner[k];

			if (c < 0)
				break;
			if (c == 0)
				continue;
			inner[k] = inner[at];
			inner[at] = t;
			at = k;
		}
}

static void permute(int64_t *v, const uint32_t *inner, uint32_t rank)
{
	int64_t old[ETC_LIMIT_TENSOR_RANK];

	memcpy(old, v, rank * sizeof *v);
	for (uint32_t i = 0; i < rank; i++)
		v[i] = old[inner[rank - 1 - i]];
}

static void view(struct etc_torch_pair *p, const struct etc_elements *of, uint32_t rank, int which,
                 struct etc_elements *out)
{
	uint64_t row = 1;

	*out = *of;
	out->sizes = p->sizes;
	out->strides = p->strides[which];
	out->rank = rank;
	out->count = p->count;
	out->contiguous = true;
	for (uint32_t d = rank; d-- > 0;) {
		out->contiguous &= p->sizes[d] == 1 || p->strides[which][d] == (int64_t)row;
		row *= (uint64_t)p->sizes[d];
	}
}

enum etc_torch_pair_state etc_torch_pair(const struct etc_elements *a, const struct etc_elements *b,
                                         struct etc_torch_pair *out)
{
	uint32_t rank = a->rank > b->rank ? a->rank : b->rank;
	uint32_t inner[ETC_LIMIT_TENSOR_RANK] = { 0 };
	uint64_t stored;

	if (rank > ETC_LIMIT_TENSOR_RANK)
		return ETC_TORCH_MANY;
	if (!broadcast(a, b, rank, out->sizes))
		return ETC_TORCH_SHAPES;
	if (!product(out->sizes, rank, &out->count))
		return ETC_TORCH_MANY;
	stored = (a->bytes.len > b->bytes.len ? a->bytes.len : b->bytes.len) * 8;
	if (out->count > ETC_TORCH_PAIR_MOST && out->count > stored)
		return ETC_TORCH_MANY;
	spread(a, rank, out->strides[0]);
	spread(b, rank, out->strides[1]);
	order(out, rank, inner);
	permute(out->sizes, inner, rank);
	permute(out->strides[0], inner, rank);
	permute(out->strides[1], inner, rank);
	view(out, a, rank, 0, &out->a);
	view(out, b, rank, 1, &out->b);
	return ETC_TORCH_PAIRED;
}

/* Converts 64-bit integers to float32 in one step. Converting them to float64 first would round
 * twice. */
static size_t long_floats(struct etc_element_walk *w, double *out)
{
	uint8_t room[ETC_ELEMENT_BLOCK * 8];
	const uint8_t *bytes;
	size_t n = etc_element_walk_bytes(w, room, ETC_ELEMENT_BLOCK, &bytes);

	for (size_t i = 0; i < n; i++) {
		uint64_t v;

		memcpy(&v, bytes + i * sizeof v, sizeof v);
		out[i] = (double)(w->of->kind == ETC_SCALAR_SIGNED ? (float)(int64_t)v : (float)v);
	}
	return n;
}

static size_t block(struct etc_element_walk *w, bool floats, double *out)
{
	size_t n;

	if (floats && etc_elements_are_integers(w->of) && w->of->bits == 64)
		return long_floats(w, out);
	n = etc_element_walk_real(w, out, ETC_ELEMENT_BLOCK);
	if (w->of->parts == 2)
		for (size_t i = 0; i < n; i++)
			out[i] = out[2 * i];
	if (floats && w->of->bits == 64)
		for (size_t i = 0; i < n; i++)
			out[i] = (double)(float)out[i];
	return n;
}

void etc_torch_read_begin(struct etc_torch_reader *r, const struct etc_torch_pair *p, bool floats)
{
	etc_element_walk_begin(&r->walk[0], &p->a);
	etc_element_walk_begin(&r->walk[1], &p->b);
	r->floats = floats;
	r->have[0] = r->have[1] = 0;
	r->used[0] = r->used[1] = 0;
}

size_t etc_torch_read(struct etc_torch_reader *r, const double **a, const double **b)
{
	size_t n, left[2];

	for (int k = 0; k < 2; k++) {
		if (r->used[k] == r->have[k]) {
			r->have[k] = block(&r->walk[k], r->floats, r->block[k]);
			r->used[k] = 0;
		}
		left[k] = r->have[k] - r->used[k];
	}
	n = left[0] < left[1] ? left[0] : left[1];
	*a = r->block[0] + r->used[0];
	*b = r->block[1] + r->used[1];
	r->used[0] += n;
	r->used[1] += n;
	return n;
}
