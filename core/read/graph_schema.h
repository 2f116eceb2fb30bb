/* graph_schema.h -- does a graph have exactly the members that the reader of
 * ExecuTorch 1.5 takes? It refuses any other graph, we do not. */
#ifndef ETC_READ_GRAPH_SCHEMA_H
#define ETC_READ_GRAPH_SCHEMA_H

#include "read/json.h"

/* How a graph is judged. Nodes and tensors are many and mostly like one of those before:
 * a few of them that were found to be right. */
enum { ETC_GRAPH_LIKES = 32 };

struct etc_graph_likes {
	struct etc_json_known known[ETC_GRAPH_LIKES];
	uint8_t then[ETC_GRAPH_LIKES]; /* which one followed each, the last time */
	uint8_t last, newest;
};

struct etc_graph_checker {
	struct etc_arena *arena;
	bool unread; /* inside of what only must be there */
	struct etc_str why;
	uint8_t next[64]; /* by type: the field that comes next, if all is as before */
	struct etc_graph_likes nodes, tensors;
	struct etc_json_known all_nodes; /* a list of nodes that are right, each by itself */
};

/* Is an element of "nodes" right? Who reads the nodes asks for each before he reads it, for
 * then its text is at hand; the document is as if nobody had. */
bool etc_graph_check_node(struct etc_graph_checker *c, const struct etc_json_value *v);

/* What is wrong first, or empty; text of the arena. Walks the whole document but `all_nodes`,
 * so only who needs Python's verdict asks. Damage of the JSON is not reported. */
struct etc_str etc_graph_check_schema(struct etc_graph_checker *c,
                                      const struct etc_json_value *root);

#endif
