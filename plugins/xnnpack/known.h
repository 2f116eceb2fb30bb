/* known.h -- a cache of parsed names.
 *
 * A network has many events, but few kinds of operators. So most names, without their ordinals, are
 * parsed again and again: for name_event, for classify, and for the next call. */
#ifndef PLUGINS_XNNPACK_KNOWN_H
#define PLUGINS_XNNPACK_KNOWN_H

#include "names.h"
#include "operators.h"

enum { XNNPACK_KNOWN = 256, XNNPACK_KNOWN_LENGTH = 104 };

struct xnnpack_known_name {
	char text[XNNPACK_KNOWN_LENGTH]; /* the name without its ordinal */
	uint64_t len;                    /* 0: the entry is free */
	bool is_name, is_typical;
	struct xnnpack_name name; /* views into `text`; the ordinal is that of the last lookup */
	struct xnnpack_class class;
	/* the texts of `class` as a plugin returns them; empty: there is none */
	struct etcore_text category, precision, variant;
};

struct xnnpack_known {
	struct xnnpack_known_name *v[XNNPACK_KNOWN]; /* each is allocated at its first use */
	struct xnnpack_known_name longer;            /* the last name that did not fit into the
	                                              * cache */
};

void xnnpack_known_release(struct xnnpack_known *known);

/* Returns the parsed name; NULL if `text` is not a name of XNNPACK's. The result is valid until the
 * next call. */
struct xnnpack_known_name *xnnpack_known_find(struct xnnpack_known *known, struct etcore_text text);

#endif
