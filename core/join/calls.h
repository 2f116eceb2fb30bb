/* calls.h -- groups the events of a template into the calls that plugins receive.
 *
 * A group is the events of one call with its DELEGATE_CALL or other instruction event;
 * outside of calls (while a method is loaded) it is the events of one (chain,
 * instruction). Expanded events are left out. */
#ifndef ETC_JOIN_CALLS_H
#define ETC_JOIN_CALLS_H

#include "join/site.h"

struct etc_calls {
	uint32_t count;
	uint32_t *site;    /* per group: its instruction event, or ETC_NO_SITE */
	uint32_t *end;     /* per group: end of its events in `at` */
	uint32_t *at;      /* sites, group by group, in file order */
	bool *any_outside; /* per group: it has delegate events, but no DELEGATE_CALL */
};

/* Finds the groups, in the order of their first events. `delegates`: only groups of DELEGATE_CALLs.
 * Memory is the arena's. E0904. */
enum etc_status etc_calls_find(struct etc_calls *calls, const struct etc_sites *sites,
                               bool delegates, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

#endif
