/* graph_schema.h -- does a graph have exactly the members that the reader of
 * ExecuTorch 1.5 takes? It refuses any other graph, we do not. */
#ifndef ETC_READ_GRAPH_SCHEMA_H
#define ETC_READ_GRAPH_SCHEMA_H

#include "read/json.h"

/* What is wrong first, or empty; text of the arena. Walks the whole document,
 * so only who needs Python's verdict asks. Damage of the JSON is not reported. */
struct etc_str etc_graph_check_schema(struct etc_arena *arena, const struct etc_json_value *root);

#endif
