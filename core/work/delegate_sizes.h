/* delegate_sizes.h -- the sizes that the values of an XNNPACK graph had in one run.
 *
 * The arguments of a DELEGATE_CALL are the graph's inputs and results; the sizes of all others
 * follow from those of the inputs, node by node, as xnn_reshape_runtime() finds them. A node's rule
 * is only used if, from the sizes at export, it gives the sizes that the export stored for the
 * result. */
#ifndef ETC_WORK_DELEGATE_SIZES_H
#define ETC_WORK_DELEGATE_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/delegate_graph.h"

/* The sizes of an argument of a call in the order of XNNPACK: the channels come last if they do in
 * memory. */
struct etc_call_argument {
	uint32_t size[8];
	uint32_t rank;
	bool known;
};

/* `*out` is the graph with the sizes of a run; values that remain unknown are unsized. All values
 * are unsized if a result was logged with other sizes than its node's rule gives. E0904. */
enum etc_status etc_delegate_sizes(const struct etc_delegate_graph *g,
                                   const struct etc_call_argument *args, uint32_t count,
                                   struct etc_arena *arena, struct etc_delegate_graph *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
