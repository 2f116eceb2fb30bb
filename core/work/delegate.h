/* delegate.h -- computes the work of the operators inside an XNNPACK delegate from the graph in the
 * delegate's blob. */
#ifndef ETC_WORK_DELEGATE_H
#define ETC_WORK_DELEGATE_H

#include "base/error.h"
#include "base/map.h"
#include "model/delegate_graph.h"
#include "work/delegate_sizes.h"
#include "work/operation.h"

/* A delegate's graph, with the work of its nodes. It is made once for each delegate. */
struct etc_work_graph {
	struct etc_delegate_graph graph;
	struct etc_work *works; /* for each node, its work */
	struct etc_work all;    /* sum over all nodes */
	struct etc_map handles; /* maps a debug handle (8 bytes) to its index in `first` */
	uint32_t *first;        /* for each handle, its first node */
	/* for each node, the next node with the same handle; UINT32_MAX: there is none */
	uint32_t *next;
	bool read; /* true: the blob contains a graph of XNNPACK, and the graph was read */
};

/* Reads the graph in a blob. The memory of `*out` is the arena's. E0904. */
enum etc_status etc_work_graph_read(struct etc_span blob, struct etc_arena *arena,
                                    struct etc_work_graph *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Makes a copy of the graph in which values have the sizes of one run (work/delegate_sizes.h).
 * E0904. */
enum etc_status etc_work_graph_resize(const struct etc_work_graph *g,
                                      const struct etc_call_argument *args, uint32_t count,
                                      struct etc_arena *arena, struct etc_work_graph *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* An event of the delegate. The caller sets `operator_name`, and `handle` (the debug handle; 0:
 * unknown). */
struct etc_work_event {
	struct etc_str operator_name; /* "Fully Connected" */
	int64_t handle;
	struct etc_work work; /* result: the work of the event, set by etc_work_graph_match() */
};

/* Finds the work of the events of one call, which are in the order in which they were logged.
 * Candidates for an event are the nodes that its handle, its operator and the order of events
 * allow. The event gets their work if there is only one candidate, or if all candidates have the
 * same work. E0904. */
enum etc_status etc_work_graph_match(const struct etc_work_graph *g, struct etc_work_event *events,
                                     uint32_t count, struct etc_arena *scratch,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
