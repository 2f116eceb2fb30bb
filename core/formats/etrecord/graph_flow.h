/* graph_flow.h -- reads the tensors of a recorded graph, so that a program's constants and calls
 * can be compared with the graph. The tensors are read together with the graph's nodes, or in a
 * separate pass. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_FLOW_H
#define ETC_FORMATS_ETRECORD_GRAPH_FLOW_H

#include "model/graph_flow.h"
#include "model/record.h"
#include "formats/container/json.h"
#include "formats/container/zip.h"

/* Sets `*elements` to the number of elements of a tensor of fixed size. False: its size is
 * dynamic. */
bool etc_graph_elements(const struct etc_graph_tensor *t, uint64_t *elements);

struct etc_flow_reader;

/* Starts reading the tensors of a graph. NULL: out of memory. */
struct etc_flow_reader *etc_flow_begin(struct etc_arena *arena);

/* For a caller that walks through the graph's JSON. The caller calls etc_flow_nodes() at the start
 * of the list of nodes, etc_flow_node() for each element `v` of the list, and etc_flow_values() for
 * the table of values. `index` is the number of the element; `node` is the node made of the
 * element, or NULL if none was made. Damage inside of `v` is not recorded in the document. */
void etc_flow_nodes(struct etc_flow_reader *r);
void etc_flow_node(struct etc_flow_reader *r, const struct etc_json_value *v, uint64_t index,
                   const struct etc_node *node);
void etc_flow_values(struct etc_flow_reader *r, const struct etc_json_value *v);

/* Ends reading and fills `*out`, except its members `elements` and `takes`. False: out of
 * memory. */
bool etc_flow_end(struct etc_flow_reader *r, struct etc_graph_flow *out);

/* Reads all tensors of `graph` in a separate pass over the graph's JSON entry. Unreadable parts are
 * skipped. E0904. */
enum etc_status etc_graph_flow_read(const struct etc_zip *zip, const struct etc_graph *graph,
                                    struct etc_arena *arena, struct etc_graph_flow *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
