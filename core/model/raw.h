/* raw.h -- one entry of an ETDump as stored: every field of every table, including fields that
 * no measurement needs.
 *
 * trace.h has the measurements; the structs here have the stored values.
 * formats/etdump/etdump_walk.c makes one entry at a time, for `etcore dump`. Fields are named as in
 * etdump_schema_flatcc.fbs; a scalar that is not stored has the schema's default; text and bytes
 * whose ptr is NULL, and vectors and tables that are not `present`, are not in the file. */
#ifndef ETC_MODEL_RAW_H
#define ETC_MODEL_RAW_H

#include "base/span.h"

/* A FlatBuffers vector [long] in the file. Its numbers may be unaligned. */
struct etc_raw_longs {
	const uint8_t *at;
	uint32_t count;
	bool present;
};

static inline int64_t etc_raw_long(struct etc_raw_longs v, uint32_t i)
{
	int64_t n;

	memcpy(&n, v.at + (size_t)i * sizeof n, sizeof n);
	return n;
}

struct etc_raw_profile {
	bool present;
	struct etc_str name;
	int32_t chain_index, instruction_id, delegate_debug_id_int;
	struct etc_str delegate_debug_id_str;
	struct etc_span delegate_debug_metadata;
	uint64_t start_time, end_time;
};

struct etc_raw_allocation {
	bool present;
	int32_t allocator_id;
	uint64_t allocation_size;
};

struct etc_raw_tensor {
	bool present;
	int8_t scalar_type;
	struct etc_raw_longs sizes, strides;
	int64_t offset;
};

/* The table Value with all its members, not only the member that `val` selects. */
struct etc_raw_value {
	bool present;
	/* the file has the layout from before December 2023, and the value is read from the fields
	 * of that layout */
	bool layout_2023;
	int8_t val; /* enum etc_value_tag, or an unknown number */
	struct etc_raw_tensor tensor;
	/* has_tensor_list: the table TensorList is in the file; has_tensors: the vector `tensors`
	 * of that table is in the file */
	bool has_tensor_list, has_tensors;
	const struct etc_raw_tensor *tensors;
	uint32_t tensor_count;
	/* which of these members the table Value has in the file */
	bool has_int, has_float, has_double, has_bool, has_output;
	int64_t int_val;
	float float_val;
	double double_val;
	uint8_t bool_val, output; /* each is the stored byte, which may be neither 0 nor 1 */
};

struct etc_raw_debug {
	bool present;
	uint64_t chain_index;
	int32_t instruction_id, delegate_debug_id_int;
	struct etc_raw_value debug_entry;
	struct etc_str delegate_debug_id_str, name;
};

/* The table Event. The runtime sets one of the members, but the format also allows several or
 * none. */
struct etc_raw_event {
	struct etc_raw_profile profile_event;
	struct etc_raw_allocation allocation_event;
	struct etc_raw_debug debug_event;
};

#endif
