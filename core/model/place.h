/* place.h -- provenance of an event: its nodes in the exported graph, modules and source lines.
 *
 * join/places.c finds the nodes that an event stands for: those of its own debug handles, or,
 * when nothing tells events of a delegate apart, all nodes of its partition. */
#ifndef ETC_MODEL_PLACE_H
#define ETC_MODEL_PLACE_H

#include "model/record.h"

/* The certainty of the nodes. */
enum etc_place_how {
	ETC_PLACE_UNKNOWN, /* no record, no handle, or no node with that handle */
	ETC_PLACE_EXACT,   /* the event's own handles */
	ETC_PLACE_PARTITION, /* those of the whole DELEGATE_CALL: the event is one or several of them */
	ETC_PLACE_FUSED      /* of a group: the event's own handles, in several modules */
};

/* The module, or the source line, of several nodes. */
struct etc_group {
	struct etc_str name;    /* all members, joined by ", ": differs for different sets */
	struct etc_str detail;  /* class of the module; text of the source line; empty: several */
	struct etc_str members; /* class or line of the only member; empty: unknown */
	uint32_t count;         /* of members */
	uint8_t how;            /* enum etc_place_how; EXACT: of one member */
};

struct etc_place {
	const struct etc_node *const *nodes; /* graph order */
	uint32_t count;
	uint8_t how;                             /* enum etc_place_how */
	const struct etc_group *module, *source; /* never NULL */
};

#endif
