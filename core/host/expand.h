/* expand.h -- expand_event: the children into which a plugin splits an event. For host/ and `etcore
 * plugins check`. */
#ifndef ETC_HOST_EXPAND_H
#define ETC_HOST_EXPAND_H

#include "host/internal.h"

/* Receives the children of one event. Columns and facts of the child that was begun last go
 * to `data` and `facts`. */
struct etc_child_intake {
	struct etc_intake in;
	struct etc_datum_intake *data;
	struct etc_facts_intake *facts;
	uint64_t samples;                /* number of samples of the event */
	const struct etc_time_facts *of; /* time facts of the event; NULL: unknown */
	struct etc_host *host;           /* NULL: answers are validated but not kept */
	struct etc_str owner, backend;
	struct etc_arena *lists; /* for the samples of children; NULL: samples are not kept */
	struct etc_part_said *v; /* the children; malloc'ed while it grows */
	uint32_t count, room;
	struct etc_facts said;             /* facts of the current child */
	const struct etc_time_facts *time; /* time facts of the latest children; shared by all
	                                    * children with equal times */
};

/* Returns the sink for expand_event, whose results go to `to`. `facts` and `columns` are the sinks
 * that the plugin gets for the facts and columns of a child. They must write to to->facts and
 * to->data. */
struct etcore_child_sink etc_child_sink(struct etc_child_intake *to,
                                        const struct etcore_text_sink *facts,
                                        const struct etcore_sink *columns);

/* Called after the hook. Ends the last child, and collects the faults of all sinks. The caller
 * frees `v`. */
void etc_child_intake_end(struct etc_child_intake *to);

bool etc_plugin_expands(const struct etc_plugin *p);

/* Calls the owner's expand_event for event `index`, whose time facts are `of`. The samples of the
 * children are allocated in `lists`; if it is NULL, only the children's columns are returned. An
 * invalid answer gives no children, and is reported as W0626, or as W0627 if `lists` is NULL.
 * E0904. */
enum etc_status etc_host_expand(struct etc_plugin *p, const struct etcore_call *call,
                                uint32_t index, const struct etc_time_facts *of,
                                struct etc_arena *lists, struct etc_children *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Reports W0627: expand_event returned the children `before` for the samples of all runs, and other
 * children, `now`, for those of the typical runs. */
void etc_expand_differs(struct etc_plugin *p, const struct etcore_call *call, uint32_t index,
                        const struct etc_children *before, const struct etc_children *now);

#endif
