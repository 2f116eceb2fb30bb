/* program_tensor.h -- the kind of a tensor of a program, its size, and the location of its data.
 * The kinds are those of the comment at table Tensor in program.fbs; tensors whose data are in a
 * .ptd are kinds of their own. */
#ifndef ETC_MEMORY_TENSORS_H
#define ETC_MEMORY_TENSORS_H

#include "model/program.h"

enum etc_tensor_kind {
	ETC_TENSOR_CONSTANT,          /* data in the program, read where they lie */
	ETC_TENSOR_PLANNED,           /* a place in a planned memory */
	ETC_TENSOR_UNPLANNED,         /* gets its place at run time: an input, a result */
	ETC_TENSOR_INITIAL_STATE,     /* planned, and copied there from the program at load */
	ETC_TENSOR_EXTERNAL_CONSTANT, /* data in a .ptd, by name */
	ETC_TENSOR_EXTERNAL_MUTABLE   /* planned, and copied there from a .ptd */
};

enum etc_tensor_kind etc_tensor_kind(const struct etc_evalue_tensor *t);

/* "planned", "mutable with initial state" ... */
const char *etc_tensor_kind_text(enum etc_tensor_kind kind);

/* Bytes of its elements by its (largest) sizes. False where the type has no
 * whole bytes or the product does not fit into 63 bits. */
bool etc_tensor_bytes(const struct etc_evalue_tensor *t, uint64_t *bytes);

/* Location of data in the program. */
struct etc_tensor_data_place {
	bool in_segment;       /* else in Program.constant_buffer */
	uint32_t index;        /* of the segment or of the buffer */
	uint64_t offset;       /* in it */
	struct etc_span bytes; /* of the mapped file; as many as the tensor has */
};

/* `file`: the program's bytes. False: it has no data there, they are out of bounds, or their
 * location is not given. */
bool etc_tensor_data_place(const struct etc_program *p, struct etc_span file,
                           const struct etc_evalue_tensor *t, struct etc_tensor_data_place *out);

#endif
