/* graph_element.h -- turns one element of "nodes" into lines of the graph; private to
 * graph_lines.c. */
#ifndef ETC_READ_GRAPH_ELEMENT_H
#define ETC_READ_GRAPH_ELEMENT_H

#include "model/graph_line.h"
#include "formats/etrecord/etrecord_reader.h"
#include "formats/etrecord/graph_argument.h"

/* State while the lines of a graph are made. */
struct etc_lines_reader {
	struct etc_arena *arena;
	const struct etc_graph *graph;
	struct etc_argument_writer writer;
	struct etc_grow inputs, nodes, outputs; /* struct etc_graph_line */
	struct etc_grow specs;                  /* the same, of the signature's inputs */
	/* struct etc_str: names that replace the names of values */
	struct etc_grow names;
	uint32_t seen; /* number of elements of "nodes" so far */
	uint32_t next; /* index of the next node of the graph */
	bool nomem;
};

/* Adds a line with that op; NULL (and nomem) if out of memory. */
struct etc_graph_line *etc_lines_add(struct etc_lines_reader *lr, struct etc_grow *g, uint8_t op);

/* Copies the writer's text and empties the writer. */
struct etc_str etc_lines_text(struct etc_lines_reader *lr);

/* Adds the lines of one element: its subgraphs, the call, and a getitem for each value if there are
 * several. The element's index identifies the node of the first pass. */
void etc_graph_element(struct etc_lines_reader *lr, const struct etc_json_value *v);

#endif
