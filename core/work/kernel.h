/* kernel.h -- the work of an operator outside delegates: of a KernelCall of the program, or of a
 * node of the record's graph. */
#ifndef ETC_WORK_KERNEL_H
#define ETC_WORK_KERNEL_H

#include "base/arena.h"
#include "model/graph_flow.h"
#include "model/program.h"
#include "model/record.h"
#include "work/operation.h"

/* Of a KERNEL instruction of a complete program. False: out of memory. */
bool etc_work_of_kernel(const struct etc_program_method *m, const struct etc_instruction *n,
                        struct etc_arena *scratch, struct etc_work *out);

/* Of a node whose graph was read with its tensors. False: out of memory. */
bool etc_work_of_node(const struct etc_graph_flow *flow, const struct etc_graph_call *call,
                      const struct etc_node *node, struct etc_arena *scratch, struct etc_work *out);

#endif
