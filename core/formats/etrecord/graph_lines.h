/* graph_lines.h -- the nodes of one recorded graph with their arguments: a second
 * reading of its JSON, which only `etcore dump --graph` pays for. */
#ifndef ETC_READ_GRAPH_LINES_H
#define ETC_READ_GRAPH_LINES_H

#include "model/graph_line.h"
#include "formats/container/zip.h"

/* Fills `*out` for `graph`, whose nodes were read out of the same archive. Of a
 * damaged graph (graph->truncated) come the lines before the damage.
 * E0404 CORRUPT the entry cannot be unpacked, E0905 memory. */
enum etc_status etc_graph_lines(const struct etc_zip *zip, const struct etc_graph *graph,
                                struct etc_arena *arena, struct etc_graph_lines *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
