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
	uint64_t *names; /* hash of each event's name */
	uint32_t count;
	/* The call and the event (`last` is its index) of the last xnnpack_nodes_find(). For a
	 * later event of the same call no new key is computed. */
	const struct etcore_call *call;
	const void *events, *blob;
	uint32_t last;
};

/* Makes sure that v[0 .. call->count) is filled for this call; the caller then reads v[index]. An
 * entry is zero if there is no blob, no XNNPACK event, or no unique node. Returns false if out of
 * memory. Call xnnpack_nodes_release() in the end. */
bool xnnpack_nodes_find(struct xnnpack_nodes *nodes, const struct etcore_call *call,
                        uint32_t index);
void xnnpack_nodes_release(struct xnnpack_nodes *nodes);

#endif
