/* known.h -- cache of decisions. A network has few kinds of operators and many events, whose
 * owner's answers are equal but for the ordinal. */
#ifndef PLUGINS_KLEIDIAI_KNOWN_H
#define PLUGINS_KLEIDIAI_KNOWN_H

#include "decide.h"

enum { KLEIDIAI_KNOWN = 64, KLEIDIAI_KNOWN_LENGTH = 152, KLEIDIAI_KNOWN_TEXTS = 5 };

struct kleidiai_known_kind {
	char text[KLEIDIAI_KNOWN_LENGTH];   /* all that a decision depends on, one after another */
	uint64_t len[KLEIDIAI_KNOWN_TEXTS]; /* of the first: 0: free */
	uint64_t end[KLEIDIAI_KNOWN_TEXTS]; /* their last eight bytes */
	struct decision decision;           /* views into `text` */
	bool told;                          /* for the user of this: `isa` is made */
	char isa[48];
};

struct kleidiai_known {
	struct kleidiai_known_kind *v[KLEIDIAI_KNOWN]; /* made at first use */
	struct kleidiai_known_kind longer;             /* the last one that has no place */
};

void kleidiai_known_release(struct kleidiai_known *known);

/* decide(), or its cached result; NULL for false. Valid until the next call. */
struct kleidiai_known_kind *kleidiai_known_find(struct kleidiai_known *known,
                                                const struct etcore_facts *facts);

#endif
