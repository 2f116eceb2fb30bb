/* place.h -- provenance of an event: its nodes in the exported graph, modules and source lines.
 *
 * join/places.c finds the nodes: those of the event's own debug handles, or, if events of a
 * delegate cannot be distinguished, all nodes of its partition. */
#ifndef ETC_MODEL_PLACE_H
#define ETC_MODEL_PLACE_H

#include "model/record.h"

/* How certain the nodes are. */
enum etc_place_how {
	ETC_PLACE_UNKNOWN, /* no record, no handle, or no node with that handle */
	ETC_PLACE_EXACT,   /* the event's own handles */
	/* the nodes of the DELEGATE_CALL: the event is one or several of them */
	ETC_PLACE_PARTITION,
	ETC_PLACE_FUSED /* for a group: the event's own handles, in several modules */
};

/* The module or source line of several nodes. */
struct etc_group {
	/* all members, joined by ", "; a list that is too long ends with a number that differs
	 * between sets */
	struct etc_str name;
	/* class of the module, or text of the source line; empty: unknown, or the members differ in
	 * it */
	struct etc_str detail;
	/* the same text as `name`, but empty if no module or source line is known */
	struct etc_str members;
	uint32_t count; /* number of members */
	uint8_t how;    /* enum etc_place_how; EXACT: exactly one member */
};

struct etc_place {
	const struct etc_node *const *nodes; /* graph order */
	uint32_t count;
	uint8_t how;                             /* enum etc_place_how */
	const struct etc_group *module, *source; /* never NULL */
};

#endif
