/* site_nodes.h -- finds the node of each operator in the record's graph. */
#ifndef ETC_WORK_SITE_NODES_H
#define ETC_WORK_SITE_NODES_H

#include "join/site.h"
#include "model/program.h"

/* Sets `*out` to an array with the node of each site; NULL: it is unknown. `*out` itself is NULL if
 * no graph was read with its tensors. A debug handle often stands for several nodes, because the
 * exporter decomposes operators. If a handle has as many nodes of an operator as instructions of
 * this operator, the first node belongs to the first instruction, and so on. `m` is the method that
 * ran, or NULL. E0904. */
enum etc_status etc_site_nodes_find(const struct etc_sites *sites,
                                    const struct etc_program_method *m, struct etc_arena *arena,
                                    const struct etc_node ***out,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
