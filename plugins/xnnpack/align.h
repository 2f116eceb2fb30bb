/* align.h -- finds the node of the blob for each event of a delegate call.
 *
 * XNNPACK logs its operators in the order of the nodes. But some nodes have no operator (they are
 * fused, folded or inlined), and a node may be logged under another name (a pointwise convolution
 * as Fully Connected). So events are assigned to nodes in order, by kind, types and shape. Such an
 * alignment is possible if every event has a node, and every node that XNNPACK never drops has an
 * event. An event gets the debug handle of a node only if it has the same handle in all possible
 * alignments. */
#ifndef PLUGINS_XNNPACK_ALIGN_H
#define PLUGINS_XNNPACK_ALIGN_H

#include "blob.h"

/* The properties of an event's node on which all possible alignments agree; 0: unknown. */
struct xnnpack_match {
	uint32_t handle; /* debug handle */
	/* number of rows of the left operand of a matrix product; an upper bound if its shape is
	 * dynamic */
	uint64_t rows;
};

/* Fills matches[0 .. call->count). May change the types in `*blob`. Returns ETCORE_OK or
 * ETCORE_NOMEM; ETCORE_DECLINE: no alignment is possible, or there are too many events or nodes. */
etcore_result xnnpack_align(const struct etcore_call *call, struct xnnpack_blob *blob,
                            struct xnnpack_match *matches);

#endif
