/* graph_lines.h -- reads the nodes of one recorded graph with their arguments. This is a second
 * pass over the graph's JSON, and only for `etcore dump --graph`. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_LINES_H
#define ETC_FORMATS_ETRECORD_GRAPH_LINES_H

#include "model/graph_line.h"
#include "formats/container/zip.h"

/* Fills `*out` for `graph`, whose nodes were read from the same archive. If the graph is damaged
 * (graph->truncated), returns the lines before the damage. E0404 CORRUPT the entry cannot be
 * unpacked, E0905 out of memory. */
enum etc_status etc_graph_lines(const struct etc_zip *zip, const struct etc_graph *graph,
                                struct etc_arena *arena, struct etc_graph_lines *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
