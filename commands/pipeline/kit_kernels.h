/* kit_kernels.h -- the kit's tables of micro-kernels, from a log of an XNNPACK that names
 * them ("Using gemm microkernel '…'"). A line means that the kernel was selected for this
 * processor when the process started; it does not prove a call. */
#ifndef ETC_COMMANDS_PIPELINE_KIT_KERNELS_H
#define ETC_COMMANDS_PIPELINE_KIT_KERNELS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

struct etc_kit_kernel {
	struct etc_str name;
	/* the word for the operation, in lower case, as in the last log line that has this name */
	struct etc_str category;
	uint32_t count;
	/* index of the first log line with the kernel; kernels with equal counts are in this
	 * order */
	uint32_t first;
};

struct etc_kit_kernels {
	struct etc_str id; /* value of the column model_id */
	const struct etc_kit_kernel *v;
	uint32_t count;
};

/* Lists the kernels of a log; those with most lines come first. Texts are the arena's. E0904. */
enum etc_status etc_kit_kernels_read(struct etc_str log, struct etc_str id, struct etc_arena *arena,
                                     struct etc_kit_kernels *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Writes <id>_kernels.csv; `kernels` is a struct etc_kit_kernels. As in the kit, the columns dtype
 * and xnn_op are the second and third word of the name, which is wrong for names with two types. */
void etc_kit_kernels_csv(const void *kernels, struct etc_text *out);

/* The content of kernel_view_gemm.md: the kernels of two builds whose name contains "gemm", sorted
 * by name, and which build has each. If out of memory, out->failed is set. */
struct etc_kit_kernels_view {
	const struct etc_kit_kernels *on, *off;
	struct etc_str title;
	struct etc_arena *arena;
};
void etc_kit_kernels_view_put(const void *view, struct etc_text *out);

#endif
