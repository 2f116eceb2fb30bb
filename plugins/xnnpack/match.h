/* match.h -- may an event be the operator of a node. */
#ifndef PLUGINS_XNNPACK_MATCH_H
#define PLUGINS_XNNPACK_MATCH_H

#include "blob.h"
#include "names.h"

/* Properties of an event's node that follow from its name. */
struct xnnpack_event {
	struct xnnpack_name name;
	uint64_t kinds; /* bits of enum xnnpack_kind */
	bool known;     /* false: an operator that is no node's, or a new one */
};

/* False: not the name of an operator. */
bool xnnpack_event_read(const struct etcore_event *event, struct xnnpack_event *out);
bool xnnpack_event_fits(const struct xnnpack_event *event, const struct xnnpack_node *node);

/* "Clamp", which XNNPACK adds after operators that cannot clamp themselves. */
bool xnnpack_event_is_clamp(const struct xnnpack_event *event);
/* Several nodes on 8-bit values folded into one table lookup, which has no name. */
bool xnnpack_event_is_lookup(const struct xnnpack_event *event);
/* A reduction of squares: the node that squares has no event. */
bool xnnpack_event_takes_square(const struct xnnpack_event *event);
/* Moves or converts data only: where half floats run as fp32, XNNPACK adds
 * conversions and moves these before them. */
bool xnnpack_event_is_movement(const struct xnnpack_event *event);

#endif
