/* calls.h -- groups the events of a shape as plugins get them: the events of one call with its
 * DELEGATE_CALL or other instruction event; and, outside of calls (while a method is loaded),
 * those of one (chain, instruction). Expanded events are left out. */
#ifndef ETC_JOIN_CALLS_H
#define ETC_JOIN_CALLS_H

#include "join/site.h"

struct etc_calls {
	uint32_t count;
	uint32_t *site;    /* of each: its instruction event, or ETC_NO_SITE */
	uint32_t *end;     /* of each: where its events end in `at` */
	uint32_t *at;      /* sites, call by call, in file order */
	bool *any_outside; /* of each: no DELEGATE_CALL, and has a delegate event */
};

/* In the order of their first events; `delegates`: those of DELEGATE_CALLs alone. Memory is
 * the arena's. E0904. */
enum etc_status etc_calls_find(struct etc_calls *calls, const struct etc_sites *sites,
                               bool delegates, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

#endif
