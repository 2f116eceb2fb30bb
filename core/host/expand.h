/* expand.h -- calls the hook expand_event, by which a plugin splits an event into children. For
 * core/host and `etcore plugins check`. */
#ifndef ETC_HOST_EXPAND_H
#define ETC_HOST_EXPAND_H

#include "host/internal.h"

/* Collects the children of one event. `data` and `facts` collect the columns and facts of the child
 * that was begun last. */
struct etc_child_intake {
	struct etc_intake in;
	struct etc_datum_intake *data;
	struct etc_facts_intake *facts;
	uint64_t samples;                /* number of samples of the event */
	const struct etc_time_facts *of; /* time facts of the event; NULL: unknown */
	/* the host that stores the answers; NULL: answers are validated, but not stored */
	struct etc_host *host;
	struct etc_str owner, backend;
	/* memory for the samples of the children; NULL: samples are not kept */
	struct etc_arena *lists;
	struct etc_part_said *v; /* the children; malloc'ed, and freed by the caller */
	uint32_t count, room;
	struct etc_facts said; /* facts of the current child */
	/* time facts of the latest child that has time facts; the next child shares them if its
	 * own are equal */
	const struct etc_time_facts *time;
};

/* Returns the sink for expand_event, which stores the children in `to`. The plugin also gets the
 * sinks `facts` and `columns`, for the facts and columns of a child; these sinks must write to
 * to->facts and to->data. */
struct etcore_child_sink etc_child_sink(struct etc_child_intake *to,
                                        const struct etcore_text_sink *facts,
                                        const struct etcore_sink *columns);

/* Call it after the hook. Ends the last child, and stores the first fault of any of the sinks in
 * to->in. The caller frees to->v. */
void etc_child_intake_end(struct etc_child_intake *to);

bool etc_plugin_expands(const struct etc_plugin *p);

/* Calls the owner's expand_event for event `index`, whose time facts are `of`. The samples of the
 * children are allocated in `lists`; if `lists` is NULL, only the children's columns are returned.
 * If the answer is invalid, `*out` has no children; this is reported as W0626, or, if `lists` is
 * NULL, as W0627. E0904. */
enum etc_status etc_host_expand(struct etc_plugin *p, const struct etcore_call *call,
                                uint32_t index, const struct etc_time_facts *of,
                                struct etc_arena *lists, struct etc_children *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Reports W0627: expand_event returned other children (`now`) for the samples of the typical runs
 * than for the samples of all runs (`before`). */
void etc_expand_differs(struct etc_plugin *p, const struct etcore_call *call, uint32_t index,
                        const struct etc_children *before, const struct etc_children *now);

#endif
