/* program_tensor.h -- the kind of a program's tensor, its size, and the location of its data. The
 * first four kinds are those that the comment of table Tensor in program.fbs describes. Tensors
 * whose data are in a .ptd file have two further kinds. */
#ifndef ETC_TENSOR_PROGRAM_TENSOR_H
#define ETC_TENSOR_PROGRAM_TENSOR_H

#include "model/program.h"

enum etc_tensor_kind {
	ETC_TENSOR_CONSTANT, /* the data are in the program, and are used without a copy */
	/* the tensor has an offset in a memory that the memory planner laid out */
	ETC_TENSOR_PLANNED,
	/* the tensor gets its memory at run time, as an input or a result may */
	ETC_TENSOR_UNPLANNED,
	/* the tensor is in planned memory, and is initialised from the program when the method is
	 * loaded */
	ETC_TENSOR_INITIAL_STATE,
	/* the data are in a .ptd file, and are found by the tensor's name */
	ETC_TENSOR_EXTERNAL_CONSTANT,
	/* the tensor is in planned memory, and is initialised from a .ptd file */
	ETC_TENSOR_EXTERNAL_MUTABLE
};

enum etc_tensor_kind etc_tensor_kind(const struct etc_evalue_tensor *t);

/* Returns the kind as text: "planned", "mutable with initial state" ... */
const char *etc_tensor_kind_text(enum etc_tensor_kind kind);

/* Sets `*bytes` to the number of bytes of the tensor's elements; if the shape is dynamic, for the
 * largest sizes. False: the type is smaller than a byte, or the number exceeds 63 bits. */
bool etc_tensor_bytes(const struct etc_evalue_tensor *t, uint64_t *bytes);

/* Location of a tensor's data in the program. */
struct etc_tensor_data_place {
	bool in_segment;       /* the data are in a segment; false: in Program.constant_buffer */
	uint32_t index;        /* index of the segment or buffer */
	uint64_t offset;       /* offset in the segment or buffer */
	struct etc_span bytes; /* the tensor's data in the mapped file */
};

/* Finds the data of a tensor. `file` is a view of the program's bytes. False: the program contains
 * no data for the tensor, the tensor's size is unknown, or the location of the data is missing or
 * out of bounds. */
bool etc_tensor_data_place(const struct etc_program *p, struct etc_span file,
                           const struct etc_evalue_tensor *t, struct etc_tensor_data_place *out);

#endif
