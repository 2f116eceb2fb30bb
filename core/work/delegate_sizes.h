/* delegate_sizes.h -- the sizes that the values of an XNNPACK graph had in one run.
 *
 * The arguments of a DELEGATE_CALL are the graph's inputs and results. The sizes of all other
 * values are computed from those of the inputs, node by node, as xnn_reshape_runtime() does. The
 * rule for a node is used only if it gives, for the sizes at export, the sizes that the graph has
 * for the node's result. */
#ifndef ETC_WORK_DELEGATE_SIZES_H
#define ETC_WORK_DELEGATE_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/delegate_graph.h"

/* The sizes of an argument of a call, in XNNPACK's order: if the channels are the last dimension in
 * memory, their number is the last size. */
struct etc_call_argument {
	uint32_t size[8];
	uint32_t rank;
	bool known;
};

/* Sets `*out` to the graph with the sizes of a run. Values whose sizes remain unknown are marked
 * `unsized`. If the dump has other sizes for a result than the rule of its node gives, all values
 * are marked `unsized`. E0904. */
enum etc_status etc_delegate_sizes(const struct etc_delegate_graph *g,
                                   const struct etc_call_argument *args, uint32_t count,
                                   struct etc_arena *arena, struct etc_delegate_graph *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
