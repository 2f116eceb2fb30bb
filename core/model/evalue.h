/* evalue.h -- the values used by a method's instructions.
 *
 * formats/program/program_values.c makes them; text and numbers are views into the mapped file.
 * Source: exir/_serialize/program.fbs of pytorch/executorch, table EValue and the tables of its
 * union KernelTypes. */
#ifndef ETC_MODEL_EVALUE_H
#define ETC_MODEL_EVALUE_H

#include "base/span.h"

/* The kinds of values: the numbers of the members of the schema's union KernelTypes
 * (EValue.val). */
enum etc_evalue_kind {
	ETC_EVALUE_NONE, /* no value, or of a kind that only a newer schema has */
	ETC_EVALUE_NULL,
	ETC_EVALUE_INT,
	ETC_EVALUE_BOOL,
	ETC_EVALUE_DOUBLE,
	ETC_EVALUE_TENSOR,
	ETC_EVALUE_STRING,
	ETC_EVALUE_INT_LIST,
	ETC_EVALUE_DOUBLE_LIST,
	ETC_EVALUE_BOOL_LIST,
	ETC_EVALUE_TENSOR_LIST,
	ETC_EVALUE_OPTIONAL_TENSOR_LIST,
	ETC_EVALUE_KINDS
};

/* A view of a vector of numbers in the file, at any alignment. */
struct etc_numbers {
	const uint8_t *ptr;
	uint32_t count;
};

static inline int32_t etc_i32_at(struct etc_numbers v, uint32_t i)
{
	int32_t n;

	memcpy(&n, v.ptr + (size_t)i * sizeof n, sizeof n);
	return n;
}

static inline int64_t etc_i64_at(struct etc_numbers v, uint32_t i)
{
	int64_t n;

	memcpy(&n, v.ptr + (size_t)i * sizeof n, sizeof n);
	return n;
}

static inline double etc_f64_at(struct etc_numbers v, uint32_t i)
{
	double n;

	memcpy(&n, v.ptr + (size_t)i * sizeof n, sizeof n);
	return n;
}

/* Values of the schema's field Tensor.shape_dynamism. */
enum etc_shape_dynamism {
	ETC_SHAPE_STATIC,
	ETC_SHAPE_DYNAMIC_BOUND,  /* the sizes are upper bounds */
	ETC_SHAPE_DYNAMIC_UNBOUND /* no upper bound of the sizes is known; `sizes` is unused */
};

/* A tensor of the program: the schema's table Tensor. */
struct etc_evalue_tensor {
	struct etc_numbers sizes; /* non-negative integers of 32 bits */
	/* indices of the dimensions, from the outermost to the innermost in memory, one byte for
	 * each dimension; may be empty */
	struct etc_span dim_order;
	/* the field ExtraTensorInfo.fully_qualified_name; may be empty */
	struct etc_str name;
	/* offset of the tensor in the planned memory `memory_id`, in bytes (table
	 * AllocationDetails) */
	uint64_t memory_offset;
	uint64_t mutable_segment; /* the field ExtraTensorInfo.mutable_data_segments_idx */
	uint32_t memory_id;       /* the field AllocationDetails.memory_id */
	/* index of the tensor's data (.data_buffer_idx); 0: the program has no data for it */
	uint32_t data_buffer;
	/* index of the tensor's first element in its storage; 0 in every known file */
	int32_t storage_offset;
	/* scalar_type: a code of etc_scalar_type(); layout: Tensor.layout */
	int8_t scalar_type, layout;
	uint8_t dynamism; /* enum etc_shape_dynamism */
	/* the device that has the tensor (table ExtraTensorInfo); type 0 is the CPU */
	int8_t device_type, device_index;
	bool requires_grad;
	/* the field allocation_info is present, so the tensor is in planned memory */
	bool planned;
	bool has_extra; /* the field extra_tensor_info is present */
	/* the tensor's data are in a .ptd file, under the key `name` (field
	 * ExtraTensorInfo.location) */
	bool external;
};

/* A value of the program: the schema's table EValue. */
struct etc_evalue {
	uint8_t kind; /* enum etc_evalue_kind */
	union {
		int64_t integer; /* the value of an INT or BOOL */
		double number;
		struct etc_str text;
		/* The items of a list. DOUBLE_LIST: the numbers themselves; BOOL_LIST: a byte for
		 * each. INT_LIST: indices of values, int64; lists of tensors: indices of values,
		 * int32. */
		struct etc_numbers items;
		const struct etc_evalue_tensor *tensor;
	};
};

#endif
