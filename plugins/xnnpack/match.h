/* match.h -- decides whether an event may be the operator of a node. */
#ifndef PLUGINS_XNNPACK_MATCH_H
#define PLUGINS_XNNPACK_MATCH_H

#include "blob.h"
#include "names.h"

/* An event, and what its name says about its node. */
struct xnnpack_event {
	struct xnnpack_name name;
	uint64_t kinds; /* bits of enum xnnpack_kind */
	/* false: no kind of node is logged under this name, or the table does not have the name
	 * yet, or the operator moves data in a graph whose half floats are computed as fp32 */
	bool known;
};

/* Reads an event. False: its name is not that of an operator. */
bool xnnpack_event_read(const struct etcore_event *event, struct xnnpack_event *out);
bool xnnpack_event_fits(const struct xnnpack_event *event, const struct xnnpack_node *node);

/* Is the event a "Clamp", which XNNPACK adds after operators that cannot clamp themselves? */
bool xnnpack_event_is_clamp(const struct xnnpack_event *event);
/* Is the event a table lookup? XNNPACK folds several nodes that compute with 8-bit values into one
 * lookup. XNNPACK has no name for such a lookup, and logs "Invalid Unary Op". */
bool xnnpack_event_is_lookup(const struct xnnpack_event *event);
/* Is the event a reduction of squares? Then the node that squares has no event. */
bool xnnpack_event_takes_square(const struct xnnpack_event *event);
/* Does the event's operator only move or convert data? If half floats are computed as fp32, XNNPACK
 * adds conversions, and moves operators of this kind before the conversions. */
bool xnnpack_event_is_movement(const struct xnnpack_event *event);

#endif
