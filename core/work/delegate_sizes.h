/* delegate_sizes.h -- the sizes that the values of an XNNPACK graph had in one run.
 *
 * The arguments of a DELEGATE_CALL are the graph's inputs and results; the sizes of all other
 * values follow from those of the inputs, node by node, as xnn_reshape_runtime() finds them. A
 * node's rule is used only if it is right for the sizes at export: it must give the sizes that are
 * stored in the graph for the result. */
#ifndef ETC_WORK_DELEGATE_SIZES_H
#define ETC_WORK_DELEGATE_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/delegate_graph.h"

/* The sizes of an argument of a call, in XNNPACK's order: if the channels are last in memory, they
 * are the last size. */
struct etc_call_argument {
	uint32_t size[8];
	uint32_t rank;
	bool known;
};

/* Sets `*out` to the graph with the sizes of a run. Values whose sizes remain unknown are unsized.
 * If a result was logged with other sizes than its node's rule gives, all values are unsized.
 * E0904. */
enum etc_status etc_delegate_sizes(const struct etc_delegate_graph *g,
                                   const struct etc_call_argument *args, uint32_t count,
                                   struct etc_arena *arena, struct etc_delegate_graph *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
