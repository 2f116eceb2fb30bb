/* graph_lines.h -- reads the nodes of one recorded graph with their arguments. This is a second
 * pass over the graph's JSON, and only for `etcore dump --graph`. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_LINES_H
#define ETC_FORMATS_ETRECORD_GRAPH_LINES_H

#include "model/graph_line.h"
#include "formats/container/zip.h"

/* Fills `*out` with the nodes of `graph`, which was read from the archive `zip`. If the graph is
 * damaged (graph->truncated), these are the nodes before the damage. E0404 CORRUPT: the graph's
 * entry in the archive cannot be unpacked. E0905: it does not fit into the arena. */
enum etc_status etc_graph_lines(const struct etc_zip *zip, const struct etc_graph *graph,
                                struct etc_arena *arena, struct etc_graph_lines *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
