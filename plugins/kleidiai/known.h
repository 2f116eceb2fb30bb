/* known.h -- a cache of decisions. A network has many events of few kinds of operators, and the
 * owner's answers for events of one kind differ only in the ordinal. */
#ifndef PLUGINS_KLEIDIAI_KNOWN_H
#define PLUGINS_KLEIDIAI_KNOWN_H

#include "decide.h"

enum { KLEIDIAI_KNOWN = 64, KLEIDIAI_KNOWN_LENGTH = 152, KLEIDIAI_KNOWN_TEXTS = 5 };

struct kleidiai_known_kind {
	char text[KLEIDIAI_KNOWN_LENGTH]; /* the texts on which a decision depends, concatenated */
	uint64_t len[KLEIDIAI_KNOWN_TEXTS]; /* lengths of the texts; the first is 0 if the entry is
	                                     * free */
	/* the last eight bytes of each text, as numbers (end_of() in known.c) */
	uint64_t end[KLEIDIAI_KNOWN_TEXTS];
	struct decision decision; /* its texts are views into `text` */
	bool told;                /* true: plugin.c has filled in `isa` */
	char isa[48];
};

struct kleidiai_known {
	struct kleidiai_known_kind *v[KLEIDIAI_KNOWN]; /* each is allocated at its first use */
	struct kleidiai_known_kind longer;             /* the last kind that did not fit into the
	                                                * cache */
};

void kleidiai_known_release(struct kleidiai_known *known);

/* Returns the result of decide(), from the cache if possible; NULL if decide() returned false. The
 * result is valid until the next call. */
struct kleidiai_known_kind *kleidiai_known_find(struct kleidiai_known *known,
                                                const struct etcore_facts *facts);

#endif
