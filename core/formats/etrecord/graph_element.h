/* graph_element.h -- one element of "nodes" as lines of the graph; not for others
 * than graph_lines.c. */
#ifndef ETC_READ_GRAPH_ELEMENT_H
#define ETC_READ_GRAPH_ELEMENT_H

#include "model/graph_line.h"
#include "formats/etrecord/etrecord_reader.h"
#include "formats/etrecord/graph_argument.h"

/* A graph while its lines are made. */
struct etc_lines_reader {
	struct etc_arena *arena;
	const struct etc_graph *graph;
	struct etc_argument_writer writer;
	struct etc_grow inputs, nodes, outputs; /* struct etc_graph_line */
	/* struct etc_str: names that replace those of values */
	struct etc_grow names;
	uint32_t seen; /* elements of "nodes" so far */
	uint32_t next; /* the first node of the graph that is not yet met */
	bool nomem;
};

/* The next line of that op, or NULL (nomem). */
struct etc_graph_line *etc_lines_add(struct etc_lines_reader *lr, struct etc_grow *g, uint8_t op);

/* A copy of the writer's text, which is then empty. */
struct etc_str etc_lines_text(struct etc_lines_reader *lr);

/* Adds the lines of one element: subgraphs that it takes, the call, a getitem for each of
 * several values. Its index identifies the node of the first pass. */
void etc_graph_element(struct etc_lines_reader *lr, const struct etc_json_value *v);

#endif
