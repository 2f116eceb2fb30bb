/* gather.h -- builds the arguments of hooks: the events of a call with their samples. */
#ifndef ETC_JOIN_GATHER_H
#define ETC_JOIN_GATHER_H

#include "host/host.h"
#include "join/method.h"
#include "join/site.h"

/* Receives the events that plugins make out of other events (join/expand.h). If a struct
 * etc_join_input has an expansion, the owners' hooks are called only to get these events. */
struct etc_expansion {
	struct etc_children *children; /* per site */
	struct etc_arena *lists;
};

struct etc_join_input {
	const struct etc_trace *trace;
	struct etc_host *host; /* NULL: no plugins */
	/* the method that the runs of the path executed; never NULL */
	const struct etc_method *method;
	struct etc_host_clock clock;
	/* also parse metadata: by the owner's hook, or, without an owner, by the decoder of the
	 * section [backend.ID] in the configuration */
	bool metadata;
	/* also call the owner's map_event, which gives the nodes of the call's events */
	bool places;
	struct etc_expansion *expansion; /* NULL: no events are expanded */
};

/* A group of events that plugins receive together: a delegate call of an event list, or another
 * group (struct calls in owner.c). */
struct etc_call {
	const struct etc_join_input *in;
	const uint32_t *runs;
	size_t run_count;
	struct etc_sites *sites;
	/* the instruction event of the call, such as its DELEGATE_CALL; ETC_NO_SITE: none */
	uint32_t site;
	/* the sites of all events of this group in file order; `site` is one of them */
	const uint32_t *at;
	uint32_t count;
	struct etc_str backend;
	struct etcore_call call;
	struct etc_asked *asked; /* the request to the host; NULL: no hook is called */
};

static inline bool etc_call_in_delegate(const struct etc_call *c)
{
	return c->site != ETC_NO_SITE && c->sites->v[c->site].delegate_call;
}

/* Fills c->call, the argument of the hooks; its memory belongs to `scratch`. E0904. */
enum etc_status etc_call_gather(struct etc_call *c, struct etc_arena *scratch,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
