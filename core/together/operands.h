/* operands.h -- finds kernel calls whose operands are exchanged, as in b - a instead of
 * a - b. For kernels.c. */
#ifndef ETC_TOGETHER_OPERANDS_H
#define ETC_TOGETHER_OPERANDS_H

#include "model/graph_flow.h"
#include "model/program.h"
#include "model/record.h"

/* Results of etc_writers_find() other than an instruction. NONE: the value is an input or a
 * constant. UNKNOWN: it is unknown which instruction writes the value. */
#define ETC_WRITER_NONE    UINT32_MAX
#define ETC_WRITER_UNKNOWN (UINT32_MAX - 1)

/* Returns an array that has, for each value of the method, the instruction that writes it. If the
 * method has jumps, all are ETC_WRITER_UNKNOWN. NULL: out of memory. */
const uint32_t *etc_writers_find(const struct etc_program_method *m, struct etc_arena *arena);

struct etc_operands {
	const struct etc_graph_flow *flow;
	struct etc_graph_tensors inputs; /* inputs of the node in the record's graph */
	const uint32_t *writers;
	const int64_t *values; /* indices of the call's tensors among the program's values */
	uint32_t count;
	/* Does the record have `node` for the program's `instruction`? 1: yes; 0: no; -1:
	 * unknown. */
	int (*is_node_of)(void *context, uint32_t node, uint32_t instruction);
	void *context;
};

/* Can the order of the operator's operands change its result? */
bool etc_operands_have_order(const struct etc_node *n);

/* Does the program have two neighbouring operands in the opposite order of the record? False if
 * that is unknown. */
bool etc_operands_exchanged(const struct etc_operands *o);

/* Does the program have all operands from the same nodes as the record? False if that is unknown,
 * except for operands of which no writer is known, as in a method with jumps. */
bool etc_operands_same(const struct etc_operands *o);

#endif
