/* node_text.h -- parses the texts in a graph node's metadata: targets, module stacks, stack
 * traces. */
#ifndef ETC_FORMATS_ETRECORD_NODE_TEXT_H
#define ETC_FORMATS_ETRECORD_NODE_TEXT_H

#include "base/arena.h"
#include "model/record.h"

/* The kind of a graph node's target. */
enum etc_target_kind {
	ETC_TARGET_EDGE,     /* executorch.exir.dialects.{edge,backend}.ops.* */
	ETC_TARGET_ATEN,     /* torch.ops.<namespace>.* */
	ETC_TARGET_HOP,      /* torch.ops.higher_order.* */
	ETC_TARGET_DELEGATE, /* torch.ops.higher_order.executorch_call_delegate */
	ETC_TARGET_SYM,      /* _operator.mul, torch.sym_max */
	ETC_TARGET_ALLOC,    /* memory.alloc */
	/* an operator of a library that the Inspector's process has not loaded */
	ETC_TARGET_STRANGE
};

/* Parses a target. Returns its kind, and sets `*op` to the operator's name as the Inspector shows
 * it: Python's __name__ of the target. */
enum etc_target_kind etc_node_target(struct etc_str target, struct etc_str *op);

/* Parses an nn_module_stack: items "key,path,class" joined by ';'. Commas inside brackets do not
 * separate. As in a Python dict, a repeated key replaces the value and keeps the position. `*count`
 * may become 0. Sets `*odd` if Python raises, because brackets do not match or an item does not
 * have three parts. NULL: out of memory. */
const struct etc_module *etc_node_modules(struct etc_arena *arena, struct etc_str stack,
                                          uint32_t *count, bool *odd);

/* Would etc_node_modules() set `*odd`? Does not make the list. */
bool etc_node_odd_modules(struct etc_str stack);

/* Does each item have three parts, and no brackets or backslashes? Then etc_node_modules() does not
 * set `*odd`, and the text needs no unescaping. */
bool etc_node_plain_modules(struct etc_str stack);

/* Finds the innermost frame of a Python stack trace that is not in PyTorch's own code. If all
 * frames are in PyTorch's code, takes the innermost frame. Sets file, line (from 1) and source
 * text. */
void etc_node_source(struct etc_str trace, struct etc_str *file, uint32_t *line,
                     struct etc_str *text);

/* Returns the last item of a list separated by ';'. */
struct etc_str etc_node_last_item(struct etc_str list);

#endif
