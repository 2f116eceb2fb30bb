/* program_sizes.h -- computes what the bytes of a program file are used for.
 *
 * Computes the same sums as ExecuTorch's size_analysis_tool (devtools/size_analysis_tool,
 * total_tensor_data_size and total_delegate_blob_data_size), but from the file alone. Only values
 * in the program's list of values count as tensors. A constant inside a delegate's blob counts as a
 * part of the blob. */
#ifndef ETC_TENSOR_PROGRAM_SIZES_H
#define ETC_TENSOR_PROGRAM_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/program.h"

struct etc_program_sizes {
	uint64_t file;
	/* bytes of the data of constant tensors; data that several tensors share count once */
	uint64_t constants;
	uint64_t initial; /* bytes of the data with which mutable tensors are initialised at load */
	/* bytes of the delegates' data (blobs); data that several delegates share count once */
	uint64_t delegates;
	/* bytes of named data that are not delegates' blobs; data that several names share count
	 * once */
	uint64_t named;
	/* bytes of tensors whose data are in a .ptd file; each name counts once */
	uint64_t external;
	/* bytes of FlatBuffer and padding: the size of the file minus constants, initial, delegates
	 * and named */
	uint64_t rest;
	uint32_t constant_count, initial_count, delegate_count, named_count, external_count;
};

/* Returns the bytes of one piece of named data; an empty view if its segment is empty. */
struct etc_span etc_named_data_bytes(const struct etc_program *p, struct etc_span file, uint32_t i);

/* Computes the sizes. `file` is a view of the program's bytes; only its address and length are
 * used, the bytes are not read. E0904. */
enum etc_status etc_program_sizes(const struct etc_program *p, struct etc_span file,
                                  struct etc_arena *arena, struct etc_program_sizes *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
