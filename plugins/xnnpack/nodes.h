/* nodes.h -- the nodes of all events of a call, found once.
 *
 * Hooks are asked event by event; the alignment is made for a call as a whole and
 * kept until another call is asked about. Used by every plugin that looks into
 * XNNPACK's blobs. */
#ifndef PLUGINS_XNNPACK_NODES_H
#define PLUGINS_XNNPACK_NODES_H

#include "align.h"

struct xnnpack_nodes {
	uint64_t key; /* of the call; 0: none */
	struct xnnpack_match *v;
	uint32_t count;
};

/* Fills v[0 .. call->count): zeros if there is no blob, no XNNPACK event, or no unique node.
 * False: no memory. Release it in the end. */
bool xnnpack_nodes_find(struct xnnpack_nodes *nodes, const struct etcore_call *call);
void xnnpack_nodes_release(struct xnnpack_nodes *nodes);

#endif
