/* gap_matches.h -- which run of the reference belongs to which run. */
#ifndef ETC_API_GAP_MATCHES_H
#define ETC_API_GAP_MATCHES_H

#include "commands/numeric/gap_side.h"

struct etc_gap_matches {
	const struct etc_gap_run **reference; /* of each run; NULL: none */
};

/* The n-th run of a method belongs to the n-th of the reference, else to its first.
 * Where only one side knows the method there must be no choice. False: no memory. */
bool etc_gap_matches_make(struct etc_gap_matches *m, const struct etc_gap_side *run,
                          const struct etc_gap_side *reference, struct etc_arena *arena);

#endif
