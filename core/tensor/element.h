/* element.h -- the elements of a tensor as numbers, whatever its type, strides and
 * byte order: of a debug buffer, or of what torch.save wrote.
 *
 * Elements come in row-major order of the sizes ("logical" order), however they
 * lie in memory: a channels-last tensor reads like any other. Nothing is copied
 * but blocks that the caller has room for; nothing is allocated. */
#ifndef ETC_NUMERIC_ELEMENT_H
#define ETC_NUMERIC_ELEMENT_H

#include "model/bundled.h"
#include "model/limits.h"
#include "model/reference.h"
#include "model/tensor.h"

struct etc_elements {
	const char *type;       /* torch's spelling: "float32", "qint8" */
	struct etc_span bytes;  /* from the first element to the last; else empty */
	const int64_t *sizes;   /* `rank`, none negative unless `count` is 0 */
	const int64_t *strides; /* in elements, none negative; NULL: row-major */
	uint32_t rank;
	uint64_t count;
	uint8_t kind;       /* enum etc_scalar_kind, of each part */
	uint8_t bits;       /* of each part: 64 at most; below 8: packed, lowest bits first */
	uint8_t parts;      /* 2: complex, the real one first; else 1 */
	int8_t scalar_type; /* ExecuTorch's code, or -1 */
	bool contiguous;    /* bytes are the elements in row-major order */
	bool zeros;         /* all of them are 0; no bytes */
	bool swap;          /* the other byte order than this machine's */
	bool conj, neg;     /* elements count conjugated, negated */
};

/* The elements of a tensor in a debug buffer. False if there are no bytes for them. */
bool etc_elements_of_view(const struct etc_tensor_view *view, struct etc_elements *out);

/* The elements of an ETRecord's value. False if it has no numbers to read: meta tensors,
 * packed storages, types that are neither the schema's nor complex, those smaller than a
 * byte, and more than ETC_LIMIT_TENSOR_RANK dimensions. */
bool etc_elements_of_reference(const struct etc_ref_tensor *t, struct etc_elements *out);

/* As the Inspector reads it; false for what it cannot read. */
bool etc_elements_of_inspector(const struct etc_tensor_data *t, struct etc_elements *out);

/* The elements of a BundledProgram's tensor; sizes and strides are stored where `*out`
 * then points to. False for other values, and if sizes, order and data do not fit. */
bool etc_elements_of_bundled(const struct etc_bundled_value *v,
                             int64_t sizes[ETC_LIMIT_TENSOR_RANK],
                             int64_t strides[ETC_LIMIT_TENSOR_RANK], struct etc_elements *out);

/* Bytes of an element, 0 for types below a byte. */
static inline size_t etc_element_width(const struct etc_elements *e)
{
	return (size_t)(e->bits / 8) * e->parts;
}

/* Is element a number that etc_element_integer() gives? */
static inline bool etc_elements_are_integers(const struct etc_elements *e)
{
	return e->kind <= ETC_SCALAR_BOOL && e->parts == 1;
}

/* State of a walk over all elements. Elements of one contiguous run are `step` bytes
 * apart. */
struct etc_element_walk {
	const struct etc_elements *of;
	uint64_t left;                /* elements still to come */
	uint64_t start, at;           /* of the run, and the next one: from `bytes` */
	uint64_t run, run_left, step; /* elements */
	uint32_t outer;               /* dimensions before those of a run */
	uint64_t index[ETC_LIMIT_TENSOR_RANK];
};

void etc_element_walk_begin(struct etc_element_walk *w, const struct etc_elements *of);

/* The next elements, at most `most`: how many; less only at the end. In this machine's byte
 * order, conj and neg applied. `*out` points into the tensor's bytes if they lie
 * there so, else into `room` (of `most` elements). Types below a byte: the whole at
 * once, packed as it is, whatever `most`. */
size_t etc_element_walk_bytes(struct etc_element_walk *w, uint8_t *room, size_t most,
                              const uint8_t **out);

enum { ETC_ELEMENT_BLOCK = 2048 }; /* numbers that one call gives at most */

/* The next elements as numbers, `parts` each, at most `most` elements and a block of
 * numbers: how many elements; 0 at the end. Integers above 2^53 are rounded,
 * quantised ones are as stored. */
size_t etc_element_walk_real(struct etc_element_walk *w, double *out, size_t most);

/* `count` numbers of one kind, side by side, as doubles. */
void etc_elements_decode(uint8_t kind, uint8_t bits, const uint8_t *from, size_t count,
                         double *out);

/* The same as floats, which is exact for the types of at most 16 bits; only for them. */
void etc_elements_decode_small(uint8_t kind, uint8_t bits, const uint8_t *from, size_t count,
                               float *out);

/* Element `index` (less than count) in row-major order: its number (part 0 or 1), or
 * its integer exactly (of 64 unsigned bits: those bits). */
double etc_element_real(const struct etc_elements *e, uint64_t index, unsigned part);
int64_t etc_element_integer(const struct etc_elements *e, uint64_t index);

#endif
