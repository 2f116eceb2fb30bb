/* kernels.h -- evidence of kernels: which ones a process bound or said it uses.
 *
 * Two sources. XNNPACK's own lines (XNN_LOG_LEVEL=5 when it is built), "Using gemm
 * microkernel 'xnn_…'": registered for this processor, once per process; not proof that it
 * ran. Symbols that the dynamic loader bound (LD_DEBUG=bindings): functions of KleidiAI and
 * XNNPACK that are called across libraries are bound at their first call, which is proof.
 * What is bound while a library is loaded (-z now, LD_BIND_NOW, tables of functions) is
 * not, and only counted: the loader's words tell the two apart. */
#ifndef ETC_PIPELINE_KERNELS_H
#define ETC_PIPELINE_KERNELS_H

#include "base/arena.h"
#include "base/error.h"

struct etc_seen_kernel {
	struct etc_str name; /* "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2", "kai_run_…" */
	struct etc_str category;              /* "gemm"; empty: a bound symbol */
	struct etc_str dtype, op, tile, arch; /* parts of an XNNPACK name; empty: it has none */
	uint32_t count;
	bool bound; /* by the loader, not from a line of XNNPACK */
};

struct etc_seen_kernels {
	struct etc_seen_kernel *v;
	uint32_t count;
	uint32_t at_load; /* symbols that were bound while libraries were loaded */
};

enum { ETC_KERNELS_MAX = 4096 };

/* Adds what the lines of XNNPACK in `log` name. Texts are copied. E0904. */
enum etc_status etc_kernels_from_log(struct etc_str log, struct etc_arena *arena,
                                     struct etc_seen_kernels *k,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Adds kai_run_* and xnn_*_ukernel* that were bound at a call, after what the loader says
 * under LD_DEBUG=bindings,reloc,libs. E0904. */
enum etc_status etc_kernels_from_bindings(struct etc_str words, struct etc_arena *arena,
                                          struct etc_seen_kernels *k,
                                          struct etc_error *err) ETC_MUST_CHECK;

/* Parts the name of a micro-kernel: everything between "xnn_" and the operation is its
 * type, what follows "ukernel" its tile, what follows "__" its instruction set. */
void etc_kernel_part(struct etc_seen_kernel *k);

#endif
