/* graph_text.h -- writes a graph as text for `etcore dump --graph`: one line per node. */
#ifndef ETC_VIEW_DUMP_GRAPH_H
#define ETC_VIEW_DUMP_GRAPH_H

#include "base/text.h"
#include "model/graph_line.h"

void etc_view_graph(const struct etc_graph *graph, const struct etc_graph_lines *lines,
                    struct etc_text *out);

/* "placeholder", "call_function" ...: of an enum etc_line_op. */
const char *etc_view_line_op(unsigned op);

#endif
