/* nodes.c -- finds the nodes of a call, and keeps them; see nodes.h */
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t hash, const void *bytes, uint64_t len)
{
	const uint8_t *p = bytes;
	uint64_t word;

	for (; len >= sizeof word; len -= sizeof word, p += sizeof word) {
		memcpy(&word, p, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	for (word = len; len--; p++)
		word = word << 8 | *p;
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static uint64_t name_of(const struct etcore_call *call, uint32_t i)
{
	return mix(1, call->events[i]->delegate_name.ptr, call->events[i]->delegate_name.len);
}

/* Returns a hash that identifies a call. It includes the names of all events, and the address, the
 * length and the first 4096 bytes of the blob. */
static uint64_t key_of(const struct etcore_call *call)
{
	uint64_t head = call->processed.len < 4096 ? call->processed.len : 4096;
	uint64_t place[] = { call->count, (uintptr_t)call->processed.ptr, call->processed.len };
	uint64_t hash = mix(1, place, sizeof place);

	hash = mix(hash, call->processed.ptr, head);
	for (uint32_t i = 0; i < call->count; i++)
		hash = mix(hash, call->events[i]->delegate_name.ptr,
		           call->events[i]->delegate_name.len);
	return hash ? hash : 1;
}

/* Is event `index` a later event of the call that `nodes` was made for? Compares only a few names,
 * and addresses that a host does not change between the events of a call. Hashing all names for
 * each event (key_of()) would take quadratic time. */
static bool goes_on(const struct xnnpack_nodes *nodes, const struct etcore_call *call,
                    uint32_t index)
{
	return nodes->key && nodes->call == call && nodes->events == call->events &&
	       nodes->blob == call->processed.ptr && nodes->count == call->count &&
	       index > nodes->last && nodes->names[0] == name_of(call, 0) &&
	       nodes->names[index] == name_of(call, index) &&
	       nodes->names[call->count - 1] == name_of(call, call->count - 1);
}

/* Finds the nodes of the call's events. False: out of memory. */
static bool find(struct xnnpack_nodes *nodes, const struct etcore_call *call)
{
	struct xnnpack_blob blob;
	etcore_result r;

	nodes->v = calloc((size_t)call->count + 1, sizeof *nodes->v);
	nodes->names = calloc((size_t)call->count + 1, sizeof *nodes->names);
	if (!nodes->v || !nodes->names) {
		xnnpack_nodes_release(nodes);
		return false;
	}
	nodes->count = call->count;
	for (uint32_t i = 0; i < call->count; i++)
		nodes->names[i] = name_of(call, i);
	r = xnnpack_blob_read(call->processed, &blob);
	if (r == ETCORE_OK) {
		r = xnnpack_align(call, &blob, nodes->v);
		xnnpack_blob_free(&blob);
	}
	/* If the blob is unreadable or the alignment is ambiguous, events have no nodes; this is a
	 * valid result, which is kept. If memory was exhausted, there is no result, so nothing is
	 * kept. */
	if (r == ETCORE_NOMEM)
		xnnpack_nodes_release(nodes);
	return r != ETCORE_NOMEM;
}

bool xnnpack_nodes_find(struct xnnpack_nodes *nodes, const struct etcore_call *call, uint32_t index)
{
	if (!goes_on(nodes, call, index)) {
		const uint64_t key = key_of(call);

		if (!nodes->key || nodes->count != call->count || nodes->key != key) {
			xnnpack_nodes_release(nodes);
			if (!find(nodes, call))
				return false;
			nodes->key = key;
		}
		nodes->call = call;
		nodes->events = call->events;
		nodes->blob = call->processed.ptr;
	}
	nodes->last = index;
	return true;
}

void xnnpack_nodes_release(struct xnnpack_nodes *nodes)
{
	free(nodes->v);
	free(nodes->names);
	memset(nodes, 0, sizeof *nodes);
}
