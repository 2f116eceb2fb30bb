/* kernel.h -- computes the work of an operator outside delegates. The operator is a KernelCall of
 * the program, or a node of the record's graph. */
#ifndef ETC_WORK_KERNEL_H
#define ETC_WORK_KERNEL_H

#include "base/arena.h"
#include "model/graph_flow.h"
#include "model/program.h"
#include "model/record.h"
#include "work/operation.h"
#include "formats/etrecord/graph_symbols.h"

/* The tensors of a call, as indices of the method's values. An `out` kernel also has its results
 * among its arguments; these are in `out`, not in `in`. */
struct etc_kernel_tensors {
	int32_t *in, *out;
	uint32_t in_count, out_count;
};

/* Finds the tensors among the arguments of a KERNEL instruction. False: out of memory. */
bool etc_kernel_tensors(const struct etc_program_method *m, struct etc_numbers args,
                        struct etc_arena *scratch, struct etc_kernel_tensors *t);

/* Computes the work of a KERNEL instruction. The program must have been read completely
 * (etc_program_read_whole()). `formulas` has an entry for each operator of the method; NULL: its
 * formula was not looked up yet. `ran` has, for each value, the sizes that it had in a run; NULL:
 * these are unknown. `ran` itself may be NULL. False: out of memory. */
bool etc_work_of_kernel(const struct etc_program_method *m, const struct etc_instruction *n,
                        const struct etc_formula **formulas, const uint64_t *const *ran,
                        struct etc_arena *scratch, struct etc_work *out);

/* Computes the work of a node of a graph that was read with its tensors. `symbols` has the sizes
 * that the symbols of the graph stand for in a run; NULL: they are unknown. False: out of
 * memory. */
bool etc_work_of_node(const struct etc_graph_flow *flow, const struct etc_graph_call *call,
                      const struct etc_node *node, const struct etc_symbols *symbols,
                      struct etc_arena *scratch, struct etc_work *out);

#endif
