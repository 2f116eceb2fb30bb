/* operator_stem.h -- the part of an operator's name on which exporter, program and runtime
 * agree. */
#ifndef ETC_JOIN_OPERATOR_STEM_H
#define ETC_JOIN_OPERATOR_STEM_H

#include "model/record.h"

/* "aten::add.out", "native_call_add.out" and "add_" are "add"; a copying variant has the stem of
 * the view. */
struct etc_str etc_operator_stem(struct etc_str name);

/* Of a node, without its library: of "aten.add.Tensor". */
struct etc_str etc_node_stem(const struct etc_node *n);

#endif
