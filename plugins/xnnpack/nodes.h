/* nodes.h -- the nodes of all events of a call, found once.
 *
 * Hooks are called event by event, but an alignment (align.h) is made for a whole call. It is kept
 * until a hook is called for an event of another call. Every plugin that reads XNNPACK's blobs uses
 * this file. */
#ifndef PLUGINS_XNNPACK_NODES_H
#define PLUGINS_XNNPACK_NODES_H

#include "align.h"

struct xnnpack_nodes {
	uint64_t key; /* identifies the delegate call; 0: no call yet */
	struct xnnpack_match *v;
	uint64_t *names; /* hash of each event's name */
	uint32_t count;
	/* The arguments of the last call of xnnpack_nodes_find(): the delegate call, and the index
	 * of the event (`last`). For a later event of the same delegate call, no new key is
	 * computed. */
	const struct etcore_call *call;
	const void *events, *blob;
	uint32_t last;
};

/* Fills nodes->v[0 .. call->count), if it is not yet filled for this call; the caller then reads
 * nodes->v[index]. An element is zero if the call has no blob, if the event is not one of XNNPACK,
 * or if its node is ambiguous. Returns false if out of memory. The caller must call
 * xnnpack_nodes_release() at the end. */
bool xnnpack_nodes_find(struct xnnpack_nodes *nodes, const struct etcore_call *call,
                        uint32_t index);
void xnnpack_nodes_release(struct xnnpack_nodes *nodes);

#endif
