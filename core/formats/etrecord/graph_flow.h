/* graph_flow.h -- reads the tensors of a recorded graph, in a second pass over its JSON, to
 * compare a program's constants and calls with the graph. */
#ifndef ETC_READ_GRAPH_FLOW_H
#define ETC_READ_GRAPH_FLOW_H

#include "model/graph_flow.h"
#include "model/record.h"
#include "formats/container/zip.h"

/* Number of elements of a tensor of fixed size; false: its size is dynamic. */
bool etc_graph_elements(const struct etc_graph_tensor *t, uint64_t *elements);

/* Unreadable parts are skipped. E0904. */
enum etc_status etc_graph_flow_read(const struct etc_zip *zip, const struct etc_graph *graph,
                                    struct etc_arena *arena, struct etc_graph_flow *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
