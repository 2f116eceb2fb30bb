/* expand.h -- expand_event: what an event consists of. For host/ and check/. */
#ifndef ETC_HOST_EXPAND_H
#define ETC_HOST_EXPAND_H

#include "host/internal.h"

/* Takes the children of one event. What is said of the last one goes to `data` and `facts`. */
struct etc_child_intake {
	struct etc_intake in;
	struct etc_datum_intake *data;
	struct etc_facts_intake *facts;
	uint64_t samples;                /* of the event */
	const struct etc_time_facts *of; /* its times; NULL: not known */
	struct etc_host *host;           /* NULL: what is said is judged, and not kept */
	struct etc_str owner, backend;
	struct etc_arena *lists; /* of samples; NULL: they are not kept */
	struct etc_part_said *v; /* malloc'ed while it grows */
	uint32_t count, room;
	struct etc_facts said;             /* of the last child */
	const struct etc_time_facts *time; /* made last */
};

/* `facts` and `columns`: the sinks of its two parts, or what stands before them. */
struct etcore_child_sink etc_child_sink(struct etc_child_intake *to,
                                        const struct etcore_text_sink *facts,
                                        const struct etcore_sink *columns);

/* After the hook: its faults are those of all sinks. `v` is to be freed. */
void etc_child_intake_end(struct etc_child_intake *to);

bool etc_plugin_expands(const struct etc_plugin *p);

/* Asks a plugin that expands; none: W0626, or nothing was said. Times of samples live in
 * `lists`; NULL: they are not kept, columns alone are asked for, and a fault is W0627. E0904. */
enum etc_status etc_host_expand(struct etc_plugin *p, const struct etcore_call *call,
                                uint32_t index, const struct etc_time_facts *of,
                                struct etc_arena *lists, struct etc_children *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* W0627: what it said the second time is not what it said before. */
void etc_expand_differs(struct etc_plugin *p, const struct etcore_call *call, uint32_t index,
                        const struct etc_children *before, const struct etc_children *now);

#endif
