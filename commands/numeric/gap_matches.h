/* gap_matches.h -- pairs each run with a run of the reference. */
#ifndef ETC_API_GAP_MATCHES_H
#define ETC_API_GAP_MATCHES_H

#include "commands/numeric/gap_side.h"

struct etc_gap_matches {
	const struct etc_gap_run **reference; /* for each run its pair; NULL: none */
};

/* The n-th run of a method is paired with the n-th run of the reference, or with the
 * first if there are fewer. If only one side names the method, the other must have a
 * single one. False if out of memory. */
bool etc_gap_matches_make(struct etc_gap_matches *m, const struct etc_gap_side *run,
                          const struct etc_gap_side *reference, struct etc_arena *arena);

#endif
