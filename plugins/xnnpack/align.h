/* align.h -- which node of the blob each event is.
 *
 * Events come in the order of the nodes, but not every node has an event (fused,
 * removed) and XNNPACK adds conversions of its own. So events are aligned with
 * nodes of a kind that fits, in order, as many as possible; an event is a node
 * only if all such alignments give it the same debug handle. */
#ifndef PLUGINS_XNNPACK_ALIGN_H
#define PLUGINS_XNNPACK_ALIGN_H

#include "blob.h"
#include "names.h"

/* May an event of this name be that node? */
bool xnnpack_fits(const struct xnnpack_name *name, const struct xnnpack_node *node);

/* What all best alignments agree on; 0: they do not, or nothing is known. */
struct xnnpack_match {
	uint32_t handle; /* debug handle */
	uint64_t rows;   /* of the left operand */
};

/* Fills matches[0 .. count). False: the events are not of this blob, there are too
 * many, or no memory; all matches are then 0. */
bool xnnpack_align(const struct xnnpack_name *names, uint32_t count,
                   const struct xnnpack_blob *blob, struct xnnpack_match *matches);

#endif
