/* operator_stem.h -- the part of an operator's name that exporter, program and runtime
 * have in common. */
#ifndef ETC_JOIN_OPERATOR_STEM_H
#define ETC_JOIN_OPERATOR_STEM_H

#include "model/record.h"

/* Returns the stem of an operator's name: "add" for "aten::add.out", "native_call_add.out" and
 * "add_". The stem of a copying operator, such as "view_copy", is that of the operator whose view
 * it copies, "view". */
struct etc_str etc_operator_stem(struct etc_str name);

/* Returns the stem of a node's operator: "add" for "aten.add.Tensor". */
struct etc_str etc_node_stem(const struct etc_node *n);

/* Is the node a matrix product or a convolution, or an operator into which one is decomposed? */
bool etc_node_is_product(const struct etc_node *n);

#endif
