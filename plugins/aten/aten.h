/* aten.h -- the category of work of an operator of the exported graph.
 *
 * The names of some backends' events are those of the graph's operators. The plugins of these
 * backends share this table, which is compiled into each of them. */
#ifndef PLUGINS_ATEN_ATEN_H
#define PLUGINS_ATEN_ATEN_H

#include <etcore/plugin.h>

/* Returns the category (docs/columns.md) of an operator "aten.linear.default", of a node's name
 * "aten_linear_default_3", or of an operator in a backend's own namespace; NULL: unknown. */
const char *aten_category(struct etcore_text name);

/* Returns the category of a name without a namespace, such as "conv2d_clamp_half". The longest
 * known word with which the name begins decides. NULL: unknown. */
const char *aten_word_category(struct etcore_text name);

/* Returns a node's name without the number that makes it unique, for example "aten_add_tensor" for
 * "aten_add_tensor_2". A name without a known namespace is returned unchanged. */
struct etcore_text aten_node_operator(struct etcore_text node);

#endif
