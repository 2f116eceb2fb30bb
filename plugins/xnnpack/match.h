/* match.h -- decides whether an event may be the operator of a node. */
#ifndef PLUGINS_XNNPACK_MATCH_H
#define PLUGINS_XNNPACK_MATCH_H

#include "blob.h"
#include "names.h"

/* An event, and what is known about its node from its name. */
struct xnnpack_event {
	struct xnnpack_name name;
	uint64_t kinds; /* the kinds that its node may have: bits 1 << enum xnnpack_kind */
	/* the node certainly has one of `kinds`. False in three cases: no kind of node is logged
	 * under this name; the table of names does not have this name; or the operator moves data,
	 * and half floats of the graph are computed as fp32 */
	bool known;
};

/* xnnpack_event_read() reads an event; false: its name is not that of an operator.
 * xnnpack_event_fits(): may the event be the operator of the node? */
bool xnnpack_event_read(const struct etcore_event *event, struct xnnpack_event *out);
bool xnnpack_event_fits(const struct xnnpack_event *event, const struct xnnpack_node *node);

/* Is the event a "Clamp", which XNNPACK adds after operators that cannot clamp themselves? */
bool xnnpack_event_is_clamp(const struct xnnpack_event *event);
/* Is the event a table lookup? XNNPACK folds several nodes that compute with 8-bit values into one
 * lookup. XNNPACK has no name for such a lookup, and logs "Invalid Unary Op". */
bool xnnpack_event_is_lookup(const struct xnnpack_event *event);
/* Is the event a sum of squares? If so, the node that computes the squares has no event of its
 * own. */
bool xnnpack_event_takes_square(const struct xnnpack_event *event);
/* Does the event's operator only move or convert data? If XNNPACK computes half floats as fp32, it
 * adds conversions, and may run operators that move data before the conversions. */
bool xnnpack_event_is_movement(const struct xnnpack_event *event);

#endif
