/* graph_sizes.h -- how many elements the tensors of a recorded graph have: a second reading of
 * its JSON, for who asks whether a program's constants are those of the graph. */
#ifndef ETC_READ_GRAPH_SIZES_H
#define ETC_READ_GRAPH_SIZES_H

#include "base/map.h"
#include "model/record.h"
#include "read/zip.h"

/* What a node takes beside the data that it works on ("input", "self", "mat1"): a key of `sizes`. */
struct etc_node_takes {
	uint64_t elements;
	uint64_t node; /* etc_node.index */
};

/* Adds the number of elements, 8 bytes each as a key, of every tensor value of `graph` whose
 * size is fixed, and a struct etc_node_takes for each that a node takes. What cannot be read adds nothing; `*whole`: all was read. E0904. */
enum etc_status etc_graph_sizes(const struct etc_zip *zip, const struct etc_graph *graph,
                                struct etc_map *sizes, struct etc_arena *arena, bool *whole,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
