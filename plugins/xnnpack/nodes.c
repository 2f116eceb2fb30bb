/* nodes.c -- see nodes.h */
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

/* Identifies a call: hash of all names, and of the start and address of the blob. */
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

bool xnnpack_nodes_find(struct xnnpack_nodes *nodes, const struct etcore_call *call)
{
	struct xnnpack_blob blob;
	uint64_t key = key_of(call);
	etcore_result r;

	if (nodes->key && nodes->count == call->count && nodes->key == key)
		return true;
	xnnpack_nodes_release(nodes);
	nodes->v = calloc((size_t)call->count + 1, sizeof *nodes->v);
	if (!nodes->v)
		return false;
	nodes->count = call->count;
	nodes->key = key;
	r = xnnpack_blob_read(call->processed, &blob);
	if (r == ETCORE_OK) {
		r = xnnpack_align(call, &blob, nodes->v);
		xnnpack_blob_free(&blob);
	}
	/* An unreadable blob and an ambiguous call have no nodes; if out of memory the result
	 * is unknown. */
	if (r == ETCORE_NOMEM)
		xnnpack_nodes_release(nodes);
	return r != ETCORE_NOMEM;
}

void xnnpack_nodes_release(struct xnnpack_nodes *nodes)
{
	free(nodes->v);
	memset(nodes, 0, sizeof *nodes);
}
