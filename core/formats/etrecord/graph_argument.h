/* graph_argument.h -- formats one argument of a node as text; private to graph_lines.c and
 * graph_element.c. */
#ifndef ETC_READ_GRAPH_ARGUMENT_H
#define ETC_READ_GRAPH_ARGUMENT_H

#include "base/map.h"
#include "base/text.h"
#include "formats/container/json.h"

struct etc_argument_writer {
	struct etc_arena *arena;
	struct etc_text text;        /* reused for each argument */
	struct etc_map aliases;      /* value -> index in `names`, for values that Python renames */
	const struct etc_str *names; /* names of nodes */
	struct etc_str kind;         /* kind of the argument: "as_ints" */
	struct etc_str graph;        /* as_graph: its name */
	bool nomem;
};

/* Appends the value of a union Argument (exir/serde/schema.py) to w->text, with names of nodes
 * and Python literals. Walks the whole value. */
void etc_argument_put(struct etc_argument_writer *w, const struct etc_json_value *argument);

#endif
