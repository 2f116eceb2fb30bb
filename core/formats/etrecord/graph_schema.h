/* graph_schema.h -- checks that a graph has exactly the members that ExecuTorch 1.5 requires when
 * it reads the graph. ExecuTorch refuses any other graph; etcore does not. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_SCHEMA_H
#define ETC_FORMATS_ETRECORD_GRAPH_SCHEMA_H

#include "formats/container/json.h"

/* State of the validation of a graph. A node or tensor that is similar (json.h) to a valid one is
 * valid, too, so most nodes and tensors are not walked. ETC_GRAPH_RIGHT is the maximum number of
 * lists and tables of which the checker remembers that they are valid. */
enum { ETC_GRAPH_RIGHT = 4 };

struct etc_graph_checker {
	struct etc_arena *arena;
	bool unread; /* the current value is inside a member whose content is not checked */
	struct etc_str why;
	uint8_t next[64]; /* for each type of the schema: the number of the
	                                       * field expected next */
	/* valid nodes and tensors, with which later ones are compared */
	struct etc_json_likes nodes, tensors;
	/* First token and number of tokens of each list or table already found valid. */
	uint32_t right_at[ETC_GRAPH_RIGHT], right_tokens[ETC_GRAPH_RIGHT], right_count;
};

void etc_graph_checker_init(struct etc_graph_checker *c, struct etc_arena *arena);

/* Is `v`, an element of "nodes", valid? Call it directly before the node is read, so that the
 * node's text is then in the processor's cache. Does not change the state of the document. */
bool etc_graph_check_node(struct etc_graph_checker *c, const struct etc_json_value *v);

/* Like etc_graph_check_node() for another member of a graph, which the caller then skips. A member
 * similar to a valid one is not walked again. */
void etc_graph_check_member(struct etc_graph_checker *c, struct etc_str key,
                            const struct etc_json_value *v);

/* Records that a container that was just walked to its end is valid. */
void etc_graph_is_right(struct etc_graph_checker *c, const struct etc_json_value *v);

/* Returns the first fault, or an empty text; text in the arena. Walks the whole document except
 * parts known to be valid. This is slow, so it is only called when the caller asked whether the
 * Inspector would accept the graph. Damage of the JSON is not reported. */
struct etc_str etc_graph_check_schema(struct etc_graph_checker *c,
                                      const struct etc_json_value *root);

#endif
