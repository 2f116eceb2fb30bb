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

/* What the call consists of: every name, and the head of the blob with its place. */
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

static bool parse(const struct etcore_event *event, struct xnnpack_name *name)
{
	return event->flags & ETCORE_EVENT_DELEGATE && event->delegate_id == -1 &&
	       xnnpack_name_parse(event->delegate_name, name);
}

static void align(const struct etcore_call *call, struct xnnpack_name *names, uint32_t *at,
                  struct xnnpack_match *found, struct xnnpack_match *out)
{
	struct xnnpack_blob blob;
	uint32_t n = 0;

	if (!xnnpack_blob_read(call->processed, &blob))
		return;
	for (uint32_t i = 0; i < call->count; i++)
		if (parse(call->events[i], &names[n]))
			at[n++] = i;
	if (xnnpack_align(names, n, &blob, found))
		for (uint32_t i = 0; i < n; i++)
			out[at[i]] = found[i];
	xnnpack_blob_release(&blob);
}

bool xnnpack_nodes_find(struct xnnpack_nodes *nodes, const struct etcore_call *call)
{
	size_t n = (size_t)call->count + 1;
	struct xnnpack_name *names;
	struct xnnpack_match *found;
	uint32_t *at;
	bool ok;

	if (nodes->key && nodes->count == call->count && nodes->key == key_of(call))
		return true;
	xnnpack_nodes_release(nodes);
	names = calloc(n, sizeof *names);
	at = calloc(n, sizeof *at);
	found = calloc(n, sizeof *found);
	nodes->v = calloc(n, sizeof *nodes->v);
	ok = names && at && found && nodes->v;
	if (ok) {
		align(call, names, at, found, nodes->v);
		nodes->count = call->count;
		nodes->key = key_of(call);
	}
	free(names);
	free(at);
	free(found);
	return ok;
}

void xnnpack_nodes_release(struct xnnpack_nodes *nodes)
{
	free(nodes->v);
	memset(nodes, 0, sizeof *nodes);
}
