/* kernels.h -- finds the kernels that a process selected, or called.
 *
 * There are two sources:
 *
 * (1) The log of an XNNPACK that was built with XNN_LOG_LEVEL=5. A line "Using gemm microkernel
 *     'xnn_…'" is written once per process. It means that the kernel was selected for this
 *     processor, but not that it ran.
 * (2) The symbols that the dynamic loader bound (LD_DEBUG=bindings). Functions of KleidiAI and
 *     XNNPACK that another library calls are bound at their first call, which proves the call. A
 *     symbol that is bound while its library is loaded (-z now, LD_BIND_NOW, tables of functions)
 *     proves nothing, and is only counted. The messages of the loader distinguish the two cases. */
#ifndef ETC_COMMANDS_PIPELINE_KERNELS_H
#define ETC_COMMANDS_PIPELINE_KERNELS_H

#include "base/arena.h"
#include "base/error.h"

struct etc_seen_kernel {
	/* name of the kernel: "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2", "kai_run_…" */
	struct etc_str name;
	/* XNNPACK's word for the operation: "gemm"; empty if the kernel is a symbol that the loader
	 * bound */
	struct etc_str category;
	/* parts of the name of an XNNPACK kernel; empty: the name does not have the part */
	struct etc_str dtype, op, tile, arch;
	uint32_t count;
	bool bound; /* true: found in the loader's output; false: found in XNNPACK's log */
};

struct etc_seen_kernels {
	struct etc_seen_kernel *v;
	uint32_t count, room;
	/* number of kernel functions that the loader bound while it loaded libraries; it is unknown
	 * whether these were called */
	uint32_t at_load;
};

enum { ETC_KERNELS_MAX = 4096 };

/* Adds the kernels that XNNPACK's lines in `log` name. The texts are copied. E0904. */
enum etc_status etc_kernels_from_log(struct etc_str log, struct etc_arena *arena,
                                     struct etc_seen_kernels *k,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Adds the functions kai_run_* and xnn_*_ukernel* that were bound at a call. `words` is the
 * loader's output with LD_DEBUG=bindings,reloc,libs. E0904. */
enum etc_status etc_kernels_from_bindings(struct etc_str words, struct etc_arena *arena,
                                          struct etc_seen_kernels *k,
                                          struct etc_error *err) ETC_MUST_CHECK;

/* Splits the name of a micro-kernel into its parts. The type is between "xnn_" and the operation,
 * the tile is after "ukernel", the instruction set is after "__". */
void etc_kernel_part(struct etc_seen_kernel *k);

#endif
