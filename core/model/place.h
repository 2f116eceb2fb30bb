/* place.h -- provenance of an event: its nodes in the exported graph, modules and source lines.
 *
 * join/places.c finds the nodes: those of the event's own debug handles, or, if events of a
 * delegate cannot be distinguished, all nodes of its partition. */
#ifndef ETC_MODEL_PLACE_H
#define ETC_MODEL_PLACE_H

#include "model/record.h"

/* How certain it is that an event belongs to its nodes. */
enum etc_place_how {
	/* there is no record, the event has no debug handle, or no node has this handle */
	ETC_PLACE_UNKNOWN,
	ETC_PLACE_EXACT, /* the nodes have the event's own handles */
	/* the nodes are those of the DELEGATE_CALL, and the event belongs to one or several of
	 * them */
	ETC_PLACE_PARTITION,
	/* only in struct etc_group: the nodes have the event's own handles, but are in several
	 * modules or source lines */
	ETC_PLACE_FUSED
};

/* The modules, or the source lines, that several nodes have. */
struct etc_group {
	/* all members, joined by ", "; a list that is too long is truncated, and ends with the
	 * number of omitted members and a hash of all members */
	struct etc_str name;
	/* class of the module, or text of the source line; empty: unknown, or not the same for all
	 * members */
	struct etc_str detail;
	/* the same text as `name`, but empty if no module or source line is known */
	struct etc_str members;
	uint32_t count; /* number of members */
	uint8_t how;    /* enum etc_place_how; EXACT: the group has exactly one member */
};

struct etc_place {
	const struct etc_node *const *nodes; /* the nodes, in the order of the graph */
	uint32_t count;
	uint8_t how;                             /* enum etc_place_how */
	const struct etc_group *module, *source; /* never NULL */
};

#endif
