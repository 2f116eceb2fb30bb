/* program_sizes.h -- what the bytes of a program file are.
 *
 * The sums of ExecuTorch's size_analysis_tool (devtools/size_analysis_tool,
 * total_tensor_data_size and total_delegate_blob_data_size), from the file alone:
 * the tensors are the values, so constants that lie inside a delegate's data are
 * the delegate's here. */
#ifndef ETC_MEMORY_SIZES_H
#define ETC_MEMORY_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/program.h"

struct etc_program_sizes {
	uint64_t file;
	uint64_t constants; /* distinct data of constant tensors, shared ones once */
	uint64_t initial;   /* of tensors with an initial state */
	uint64_t delegates; /* distinct blobs */
	uint64_t named;     /* distinct segments of named data that are no blobs */
	uint64_t external;  /* of tensors whose data lie in a .ptd, by name once */
	uint64_t rest;      /* FlatBuffer, padding: the file without the above but external */
	uint32_t constant_count, initial_count, delegate_count, named_count, external_count;
};

/* The bytes of one piece of named data; an empty view where its segment is empty. */
struct etc_span etc_named_data_bytes(const struct etc_program *p, struct etc_span file, uint32_t i);

/* `file`: the program's bytes; they are not touched. E0904. */
enum etc_status etc_program_sizes(const struct etc_program *p, struct etc_span file,
                                  struct etc_arena *arena, struct etc_program_sizes *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
