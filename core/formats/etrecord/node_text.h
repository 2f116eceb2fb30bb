/* node_text.h -- the small grammars inside a graph node's metadata. */
#ifndef ETC_READ_NODE_TEXT_H
#define ETC_READ_NODE_TEXT_H

#include "base/arena.h"
#include "model/record.h"

/* The operator as the Inspector shows it (__name__ of what Python finds under
 * that target) and what kind of target it is. */
enum etc_target_kind {
	ETC_TARGET_EDGE,     /* executorch.exir.dialects.{edge,backend}.ops.* */
	ETC_TARGET_ATEN,     /* torch.ops.<namespace>.* */
	ETC_TARGET_HOP,      /* torch.ops.higher_order.* */
	ETC_TARGET_DELEGATE, /* torch.ops.higher_order.executorch_call_delegate */
	ETC_TARGET_SYM,      /* _operator.mul, torch.sym_max */
	ETC_TARGET_ALLOC,    /* memory.alloc */
	ETC_TARGET_STRANGE   /* a library that the Inspector's process does not know */
};

enum etc_target_kind etc_node_target(struct etc_str target, struct etc_str *op);

/* nn_module_stack: items "key,path,class" joined by ';'. Commas inside of
 * brackets do not count. Like a Python dict, a key that comes again replaces
 * the value and keeps the place. `*count` may become 0. `*odd` is set where
 * Python raises: brackets that do not match, not three parts. NULL: memory. */
const struct etc_module *etc_node_modules(struct etc_arena *arena, struct etc_str stack,
                                          uint32_t *count, bool *odd);

/* Sets only `odd` of the above, without making the list. */
bool etc_node_odd_modules(struct etc_str stack);

/* Has it three parts in each item, without brackets and backslashes? Then it is not odd, and
 * the same with and without JSON's escapes. */
bool etc_node_plain_modules(struct etc_str stack);

/* The innermost frame of a Python stack trace that is not in PyTorch's own code,
 * else the innermost: file, line from 1, source text. */
void etc_node_source(struct etc_str trace, struct etc_str *file, uint32_t *line,
                     struct etc_str *text);

/* The last item of a list joined by ';'. */
struct etc_str etc_node_last_item(struct etc_str list);

#endif
