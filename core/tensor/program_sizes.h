/* program_sizes.h -- computes what the bytes of a program file are used for.
 *
 * The sums of ExecuTorch's size_analysis_tool (devtools/size_analysis_tool,
 * total_tensor_data_size and total_delegate_blob_data_size), from the file alone: tensors are
 * the program's values, so constants inside a delegate's data count as the delegate's. */
#ifndef ETC_MEMORY_SIZES_H
#define ETC_MEMORY_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/program.h"

struct etc_program_sizes {
	uint64_t file;
	uint64_t constants; /* bytes of the data of constant tensors, shared data once */
	uint64_t initial;   /* bytes of tensors with an initial state */
	uint64_t delegates; /* bytes of the delegates' data (blobs), shared data once */
	/* bytes of the named data that are not blobs, each segment once */
	uint64_t named;
	uint64_t external; /* bytes of tensors whose data are in a .ptd, each name once */
	/* bytes of the FlatBuffer and padding: `file` without constants, initial, delegates and
	 * named */
	uint64_t rest;
	uint32_t constant_count, initial_count, delegate_count, named_count, external_count;
};

/* The bytes of one piece of named data; an empty view if its segment is empty. */
struct etc_span etc_named_data_bytes(const struct etc_program *p, struct etc_span file, uint32_t i);

/* Computes the sizes. `file` are the program's bytes; only their addresses and their number are
 * used, they are not read. E0904. */
enum etc_status etc_program_sizes(const struct etc_program *p, struct etc_span file,
                                  struct etc_arena *arena, struct etc_program_sizes *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
