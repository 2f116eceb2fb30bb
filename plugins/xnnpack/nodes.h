/* nodes.h -- the nodes of all events of a call, found once.
 *
 * Hooks are called event by event, but the alignment is made for a whole call, and kept until a
 * hook is called for another one. Used by every plugin that reads XNNPACK's blobs. */
#ifndef PLUGINS_XNNPACK_NODES_H
#define PLUGINS_XNNPACK_NODES_H

#include "align.h"

struct xnnpack_nodes {
	uint64_t key; /* identifies the call; 0: none */
	struct xnnpack_match *v;
	uint32_t count;
};

/* Fills v[0 .. call->count): zeros if there is no blob, no XNNPACK event, or no unique node.
 * False: out of memory. Release it in the end. */
bool xnnpack_nodes_find(struct xnnpack_nodes *nodes, const struct etcore_call *call);
void xnnpack_nodes_release(struct xnnpack_nodes *nodes);

#endif
