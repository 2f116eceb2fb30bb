/* element.h -- reads the elements of a tensor as numbers, for any type, strides and byte order:
 * from a debug buffer, an ETRecord (torch.save), a safetensors file or a BundledProgram.
 *
 * Elements are returned in row-major order of the sizes ("logical" order), regardless of their
 * order in memory: a channels-last tensor reads like any other. Nothing is allocated: elements are
 * read in place, or copied piece by piece into memory of the caller. */
#ifndef ETC_TENSOR_ELEMENT_H
#define ETC_TENSOR_ELEMENT_H

#include "model/bundled.h"
#include "model/limits.h"
#include "model/reference.h"
#include "model/safetensors.h"
#include "model/tensor.h"

struct etc_elements {
	const char *type; /* torch's spelling: "float32", "qint8" */
	/* the bytes from the first element to the last; empty if there are none */
	struct etc_span bytes;
	const int64_t *sizes; /* `rank` sizes; may be negative only if `count` is 0 */
	/* distances between neighbours in each dimension, in elements, non-negative; NULL:
	 * row-major */
	const int64_t *strides;
	uint32_t rank;
	uint64_t count;
	/* enum etc_scalar_kind of an element, or of the parts of a complex element */
	uint8_t kind;
	/* number of bits of each part, at most 64; if below 8, elements are packed, beginning with
	 * the lowest bits */
	uint8_t bits;
	/* numbers per element: 2 for complex types (the real part first), 1 for all others */
	uint8_t parts;
	bool contiguous; /* the bytes contain the elements in row-major order */
	bool zeros;      /* all elements are 0; there are no bytes */
	bool swap;       /* the byte order is not that of this machine */
	bool conj, neg;  /* elements must be conjugated, or negated, when they are read */
};

/* Sets `*out` to the elements of a tensor in a debug buffer. False: the tensor has elements, but
 * `view` has no bytes. */
bool etc_elements_of_view(const struct etc_tensor_view *view, struct etc_elements *out);

/* Sets `*out` to the elements of an ETRecord's value. Returns false if the numbers cannot be read,
 * for one of these reasons: it is a meta tensor, or its storage is packed; the type is neither in
 * ExecuTorch's schema nor complex; the type is smaller than a byte; or the tensor has more than
 * ETC_LIMIT_TENSOR_RANK dimensions. */
bool etc_elements_of_reference(const struct etc_ref_tensor *t, struct etc_elements *out);

/* Sets `*out` to the elements of a tensor as ExecuTorch's Inspector reads them. False: the
 * Inspector cannot read the tensor, or it has more than ETC_LIMIT_TENSOR_RANK dimensions. */
bool etc_elements_of_inspector(const struct etc_tensor_data *t, struct etc_elements *out);

/* Sets `*out` to the elements of a tensor in a safetensors file. False: ExecuTorch does not have
 * the type, or the type is smaller than a byte, or the tensor has more than ETC_LIMIT_TENSOR_RANK
 * dimensions. */
bool etc_elements_of_safetensor(const struct etc_safetensor *t, struct etc_elements *out);

/* Sets `*out` to the elements of a BundledProgram's tensor. `*out` refers to the caller's arrays
 * `sizes` and `strides`, which this function fills. False: the value is not a tensor; its type is
 * unknown or smaller than a byte; or its sizes, dim_order and data do not match. */
bool etc_elements_of_bundled(const struct etc_bundled_value *v,
                             int64_t sizes[ETC_LIMIT_TENSOR_RANK],
                             int64_t strides[ETC_LIMIT_TENSOR_RANK], struct etc_elements *out);

/* Returns the number of bytes per element; 0 for types of less than a byte. */
static inline size_t etc_element_width(const struct etc_elements *e)
{
	return (size_t)(e->bits / 8) * e->parts;
}

/* Are the elements integers? Then etc_element_integer() returns them. */
static inline bool etc_elements_are_integers(const struct etc_elements *e)
{
	return e->kind <= ETC_SCALAR_BOOL && e->parts == 1;
}

/* State of a walk over all elements in row-major order. The walk divides the elements into
 * stretches of equal length. The elements of a stretch are at equal distances in memory. */
struct etc_element_walk {
	const struct etc_elements *of;
	uint64_t left; /* number of elements that were not returned yet */
	/* positions in memory, counted in elements: `start` of the current stretch; `at`: of the
	 * next element */
	uint64_t start, at;
	/* `run`: number of elements of a stretch. `run_left`: number of elements of the current
	 * stretch that were not returned yet. `step`: distance in memory between two successive
	 * elements of a stretch, counted in elements. */
	uint64_t run, run_left, step;
	uint32_t outer; /* number of dimensions that are outside of a stretch */
	uint64_t index[ETC_LIMIT_TENSOR_RANK];
};

void etc_element_walk_begin(struct etc_element_walk *w, const struct etc_elements *of);

/* Sets `*out` to the next elements, at most `most`, and returns their number. This number is
 * smaller than `most` only at the end of the tensor. The elements are in the machine's byte order,
 * with conj and neg applied. `*out` points into the tensor's bytes if these can be used directly,
 * otherwise to `room`, which has space for `most` elements. Elements of a type below a byte are
 * returned all at once, packed, whatever `most` is. */
size_t etc_element_walk_bytes(struct etc_element_walk *w, uint8_t *room, size_t most,
                              const uint8_t **out);

/* etc_element_walk_real() returns at most this many numbers at once */
enum { ETC_ELEMENT_BLOCK = 2048 };

/* Writes the next elements to `out`, each as etc_elements.parts numbers (2 if complex): at most
 * `most` elements, and at most ETC_ELEMENT_BLOCK numbers. Returns the number of elements, which is
 * 0 at the end. Integers above 2^53 are rounded. Quantised types are returned as their stored
 * integers. */
size_t etc_element_walk_real(struct etc_element_walk *w, double *out, size_t most);

/* Converts `count` contiguous numbers of one kind to doubles. */
void etc_elements_decode(uint8_t kind, uint8_t bits, const uint8_t *from, size_t count,
                         double *out);

/* Converts `count` contiguous numbers of one kind to floats; only for types of at most 16 bits, for
 * which this is exact. */
void etc_elements_decode_small(uint8_t kind, uint8_t bits, const uint8_t *from, size_t count,
                               float *out);

/* Both functions return the element with the row-major index `index`, which must be below `count`.
 * etc_element_real() returns it as a double: of a complex element the real (`part` is 0) or the
 * imaginary part (`part` is 1). etc_element_integer() returns an integer exactly; an unsigned
 * 64-bit integer as the int64 with the same bits. */
double etc_element_real(const struct etc_elements *e, uint64_t index, unsigned part);
int64_t etc_element_integer(const struct etc_elements *e, uint64_t index);

#endif
