/* align.h -- finds the node of the blob for each event of a delegate call.
 *
 * XNNPACK logs its operators in the order of the nodes, but some nodes have no operator (they
 * are fused, folded or inlined) and a node may be logged under another name (a pointwise
 * convolution as Fully Connected). So events and nodes are aligned monotonically by kind,
 * types and shape. An alignment is possible if every event has a node and every node that
 * XNNPACK never drops has an event. An event gets the handle of a node only if all possible
 * alignments give it the same one. */
#ifndef PLUGINS_XNNPACK_ALIGN_H
#define PLUGINS_XNNPACK_ALIGN_H

#include "blob.h"

/* The properties of an event's node on which all possible alignments agree; 0: unknown. */
struct xnnpack_match {
	uint32_t handle; /* debug handle */
	uint64_t rows; /* rows of the left operand of a matrix product; an upper bound if dynamic */
};

/* Fills matches[0 .. call->count). May change the types in *blob. Returns ETCORE_OK;
 * ETCORE_DECLINE: events and nodes do not match, or there are too many of them; or ETCORE_NOMEM. */
etcore_result xnnpack_align(const struct etcore_call *call, struct xnnpack_blob *blob,
                            struct xnnpack_match *matches);

#endif
