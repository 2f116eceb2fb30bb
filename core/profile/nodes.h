/* nodes.h -- distributes the time of a path over the nodes of the exported graph, for graph
 * viewers.
 *
 * A node only gets time that is known to be its own: that of an event of this node. If a kernel
 * computes several nodes, one of them gets all of the kernel's time: the first node that does not
 * quantise or dequantise; for a kernel that converts types, the first node that does. If there is
 * no such node, the first one gets the time. The time of a whole partition, rounding and
 * unattributed time are given to no node. */
#ifndef ETC_PROFILE_NODES_H
#define ETC_PROFILE_NODES_H

#include "base/error.h"
#include "model/profile.h"
#include "model/record.h"

/* Two profiles of the same runs of one trace, both with places. */
struct etc_node_profiles {
	/* has the times of events in delegates, and of jumps and moves */
	struct etc_profile by_event;
	struct etc_profile by_fallback; /* has the times of operators together with their kernels */
};

/* Is the row's time that of one event, or of one operator together with its kernel? Other rows get
 * no node: for example the dispatch of all operators, or `in delegates`. */
bool etc_row_counts(const struct etc_profile *of, const struct etc_profile_row *row);

struct etc_node_times {
	const struct etc_graph *graph; /* NULL: no event has a node */
	const etc_u128
		*time; /* for each node of `graph`, the sum of the exclusive times of its rows */
	const uint32_t *events; /* number of rows whose time was added to each node; 0: the node has
	                         * no time */
};

/* Returns the node of a row. etc_row_counts() must be true for the row. NULL: the row has no
 * node, or its node is unknown. */
const struct etc_node *etc_row_node(const struct etc_profile *of,
                                    const struct etc_profile_row *row);

/* Computes the time of each node for the runs of one path. E0904. */
enum etc_status etc_node_times(const struct etc_node_profiles *profiles, uint32_t path,
                               const struct etc_record *record, struct etc_arena *arena,
                               struct etc_node_times *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
