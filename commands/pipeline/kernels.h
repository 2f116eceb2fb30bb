/* kernels.h -- finds the kernels that a process called, or selected.
 *
 * Two sources. (1) XNNPACK's log (built with XNN_LOG_LEVEL=5), "Using gemm microkernel
 * 'xnn_…'": the kernel was selected for this processor, once per process; this does not
 * prove that it ran. (2) Symbols that the dynamic loader bound (LD_DEBUG=bindings):
 * functions of KleidiAI and XNNPACK that are called across libraries are bound at their
 * first call, which proves it. A symbol that is bound while its library is loaded (-z
 * now, LD_BIND_NOW, tables of functions) proves nothing and is only counted; the loader's
 * messages distinguish the two. */
#ifndef ETC_COMMANDS_PIPELINE_KERNELS_H
#define ETC_COMMANDS_PIPELINE_KERNELS_H

#include "base/arena.h"
#include "base/error.h"

struct etc_seen_kernel {
	/* name of the kernel: "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2", "kai_run_…" */
	struct etc_str name;
	/* XNNPACK's word for the operation: "gemm"; empty: a bound symbol */
	struct etc_str category;
	struct etc_str dtype, op, tile, arch; /* parts of an XNNPACK name; empty: missing */
	uint32_t count;
	bool bound; /* the kernel was found in the loader's output; false: in XNNPACK's log */
};

struct etc_seen_kernels {
	struct etc_seen_kernel *v;
	uint32_t count, room;
	uint32_t at_load; /* number of symbols that were bound while libraries were loaded */
};

enum { ETC_KERNELS_MAX = 4096 };

/* Adds the kernels that XNNPACK's lines in `log` name. Texts are copied. E0904. */
enum etc_status etc_kernels_from_log(struct etc_str log, struct etc_arena *arena,
                                     struct etc_seen_kernels *k,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Adds kai_run_* and xnn_*_ukernel* that were bound at a call, from the loader's output
 * with LD_DEBUG=bindings,reloc,libs. E0904. */
enum etc_status etc_kernels_from_bindings(struct etc_str words, struct etc_arena *arena,
                                          struct etc_seen_kernels *k,
                                          struct etc_error *err) ETC_MUST_CHECK;

/* Splits the name of a micro-kernel: from "xnn_" to the operation is the type, after
 * "ukernel" the tile, after "__" the instruction set. */
void etc_kernel_part(struct etc_seen_kernel *k);

#endif
