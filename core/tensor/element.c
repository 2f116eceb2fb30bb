/* element.c -- see element.h: walks over elements, and reads single ones. */
#include "tensor/element.h"

enum { ROOM = ETC_ELEMENT_BLOCK * 8 }; /* size of the buffer for a block, in bytes */

/* ---- walk over the elements of a tensor ---------------------------------------- */

void etc_element_walk_begin(struct etc_element_walk *w, const struct etc_elements *of)
{
	uint32_t i = of->rank;

	*w = (struct etc_element_walk){ .of = of, .left = of->count, .step = 1 };
	w->run = of->count;
	if (!of->contiguous && of->count) {
		w->run = 1;
		w->outer = of->rank;
		/* A stretch (see element.h) consists of the innermost dimensions, as far as they
		 * are contiguous. */
		while (i-- > 0) {
			if (of->sizes[i] != 1 && (uint64_t)of->strides[i] != w->run)
				break;
			w->run *= (uint64_t)of->sizes[i];
			w->outer = i;
		}
		/* If all the dimensions up to here have size 1, the next outer dimension is the
		 * stretch. */
		if (w->run == 1) {
			w->outer = i;
			w->run = (uint64_t)of->sizes[i];
			w->step = (uint64_t)of->strides[i];
		}
	}
	w->run_left = w->run;
}

/* Moves to the next stretch: increments the index in the innermost of the dimensions outside of a
 * stretch, with carry to the next outer dimensions. */
static void next_run(struct etc_element_walk *w)
{
	const struct etc_elements *e = w->of;

	for (uint32_t d = w->outer; d-- > 0;) {
		if (e->sizes[d] == 1)
			continue;
		if (++w->index[d] < (uint64_t)e->sizes[d]) {
			w->start += (uint64_t)e->strides[d];
			break;
		}
		w->index[d] = 0;
		w->start -= (uint64_t)e->strides[d] * ((uint64_t)e->sizes[d] - 1);
	}
	w->at = w->start;
	w->run_left = w->run;
}

static void advance(struct etc_element_walk *w, uint64_t n)
{
	w->left -= n;
	w->run_left -= n;
	w->at += n * w->step;
	if (w->run_left == 0 && w->left)
		next_run(w);
}

/* Copies `n` elements that are `step` elements apart in memory. There is one loop for each width,
 * so that the width is a constant for the compiler. */
static void gather(uint8_t *to, const uint8_t *from, size_t width, uint64_t step, size_t n)
{
	size_t stride = (size_t)step * width;

	if (step == 1) {
		memcpy(to, from, n * width);
		return;
	}
#define ETC_GATHER(bytes)                                                   \
	case bytes:                                                         \
		for (size_t i = 0; i < n; i++)                              \
			memcpy(to + i * (bytes), from + i * stride, bytes); \
		break
	switch (width) {
		ETC_GATHER(1);
		ETC_GATHER(2);
		ETC_GATHER(4);
		ETC_GATHER(8);
		ETC_GATHER(16);
	}
#undef ETC_GATHER
}

/* Brings `n` elements to the machine's byte order (if e->swap), and applies e->neg and e->conj. */
static void mend(const struct etc_elements *e, uint8_t *v, size_t n)
{
	size_t width = e->bits / 8;

	for (size_t i = 0; i < n * e->parts; i++, v += width) {
		bool imaginary = e->parts == 2 && i % 2;

		for (size_t k = 0; e->swap && k < width / 2; k++) {
			uint8_t byte = v[k];

			v[k] = v[width - 1 - k];
			v[width - 1 - k] = byte;
		}
		if (e->neg != (e->conj && imaginary))
			v[width - 1] ^= 0x80;
	}
}

size_t etc_element_walk_bytes(struct etc_element_walk *w, uint8_t *room, size_t most,
                              const uint8_t **out)
{
	const struct etc_elements *e = w->of;
	bool plain = !e->swap && !e->conj && !e->neg;
	size_t width = etc_element_width(e), got = 0;

	*out = room;
	if (w->left == 0)
		return 0;
	if (width == 0) {
		got = (size_t)w->left;
		w->left = 0;
		*out = e->bytes.ptr;
		return got;
	}
	if (e->zeros) {
		got = w->left < most ? (size_t)w->left : most;
		memset(room, 0, got * width);
		w->left -= got;
		return got;
	}
	if (plain && w->step == 1 && (w->run_left >= most || w->run_left == w->left)) {
		*out = e->bytes.ptr + w->at * width;
		got = w->run_left < most ? (size_t)w->run_left : most;
		advance(w, got);
		return got;
	}
	while (got < most && w->left) {
		size_t n = w->run_left < most - got ? (size_t)w->run_left : most - got;

		gather(room + got * width, e->bytes.ptr + w->at * width, width, w->step, n);
		got += n;
		advance(w, n);
	}
	if (!plain)
		mend(e, room, got);
	return got;
}

size_t etc_element_walk_real(struct etc_element_walk *w, double *out, size_t most)
{
	const struct etc_elements *e = w->of;
	uint8_t room[ROOM];
	const uint8_t *from;
	size_t got = 0;

	most = most < ETC_ELEMENT_BLOCK / e->parts ? most : ETC_ELEMENT_BLOCK / e->parts;
	if (e->bits < 8) {
		while (got < most && w->left) {
			out[got++] = etc_element_real(e, e->count - w->left, 0);
			w->left--;
		}
		return got;
	}
	got = etc_element_walk_bytes(w, room, most, &from);
	etc_elements_decode(e->kind, e->bits, from, got * e->parts, out);
	return got;
}

/* ---- single elements ------------------------------------------------------------- */

/* Copies element `index` to `to`, in the machine's byte order, with conj and neg applied. */
static void fetch(const struct etc_elements *e, uint64_t index, uint8_t to[16])
{
	size_t width = etc_element_width(e);
	uint64_t at = index;

	memset(to, 0, 16);
	if (e->zeros)
		return;
	if (!e->contiguous) {
		at = 0;
		for (uint32_t d = e->rank; d-- > 0;) {
			at += index % (uint64_t)e->sizes[d] * (uint64_t)e->strides[d];
			index /= (uint64_t)e->sizes[d];
		}
	}
	memcpy(to, e->bytes.ptr + at * width, width);
	mend(e, to, 1);
}

double etc_element_real(const struct etc_elements *e, uint64_t index, unsigned part)
{
	uint8_t v[16];
	double number[2];
	size_t at;

	if (e->bits < 8) {
		at = (size_t)index * e->bits;
		return (double)(e->bytes.ptr[at / 8] >> at % 8 & ((1u << e->bits) - 1));
	}
	fetch(e, index, v);
	etc_elements_decode(e->kind, e->bits, v, e->parts, number);
	return number[part];
}

int64_t etc_element_integer(const struct etc_elements *e, uint64_t index)
{
	uint8_t v[16];
	uint64_t bits = 0;

	if (e->bits < 8)
		return (int64_t)etc_element_real(e, index, 0);
	fetch(e, index, v);
	memcpy(&bits, v, e->bits / 8);
	if (e->kind == ETC_SCALAR_BOOL)
		return bits != 0;
	if (e->kind == ETC_SCALAR_SIGNED)
		return (int64_t)(bits << (64 - e->bits)) >> (64 - e->bits);
	return (int64_t)bits;
}
