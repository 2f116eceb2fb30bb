/* kit_kernels.h -- makes the kit's tables of micro-kernels from a log in which XNNPACK names them
 * ("Using gemm microkernel '…'"). Such a line means that the kernel was selected for this processor
 * when the process started. It does not prove that the kernel was called. */
#ifndef ETC_COMMANDS_PIPELINE_KIT_KERNELS_H
#define ETC_COMMANDS_PIPELINE_KIT_KERNELS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

struct etc_kit_kernel {
	struct etc_str name;
	/* the word for the operation, in lower case, from the last log line with this kernel */
	struct etc_str category;
	uint32_t count;
	/* index of the first log line with the kernel; kernels with equal counts are ordered by
	 * this index */
	uint32_t first;
};

struct etc_kit_kernels {
	struct etc_str id; /* value of the column model_id */
	const struct etc_kit_kernel *v;
	uint32_t count;
};

/* Lists the kernels of a log. The kernels with the most lines come first. Texts are in the arena.
 * E0904. */
enum etc_status etc_kit_kernels_read(struct etc_str log, struct etc_str id, struct etc_arena *arena,
                                     struct etc_kit_kernels *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Writes <id>_kernels.csv; `kernels` is a struct etc_kit_kernels. As in the kit, the columns dtype
 * and xnn_op have the second and the third word of the name, which is wrong for names with two
 * types. */
void etc_kit_kernels_csv(const void *kernels, struct etc_text *out);

/* The content of kernel_view_gemm.md: a table of the kernels whose name contains "gemm", sorted by
 * name, which shows for each of two builds whether it has the kernel. If out of memory, out->failed
 * is set. */
struct etc_kit_kernels_view {
	const struct etc_kit_kernels *on, *off;
	struct etc_str title;
	struct etc_arena *arena;
};
void etc_kit_kernels_view_put(const void *view, struct etc_text *out);

#endif
