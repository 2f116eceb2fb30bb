/* operands.h -- compares where the operands of a call come from, and finds operands that are
 * exchanged, as in b - a instead of a - b. */
#ifndef ETC_TOGETHER_OPERANDS_H
#define ETC_TOGETHER_OPERANDS_H

#include "model/graph_flow.h"
#include "model/program.h"
#include "model/record.h"

/* Values of etc_source.writer that are not an instruction: */
#define ETC_WRITER_NONE    UINT32_MAX       /* the value is an input or a constant */
#define ETC_WRITER_UNKNOWN (UINT32_MAX - 1) /* it is unknown which instruction writes the value */

/* The source of a value of a program's method. */
struct etc_source {
	uint32_t writer; /* instruction that writes the value, or ETC_WRITER_* */
	/* Position of the value. For an input, its index among the method's inputs; for a constant,
	 * UINT32_MAX; for a result of a kernel, its index among the kernel's results; for a result
	 * of a delegate, its index among the arguments of the call. */
	uint32_t at;
	uint32_t results; /* number of values that the instruction `writer` writes */
};

/* Returns an array that has the source of each value of the method. If the method has jumps, the
 * writers of results are unknown. NULL: out of memory. */
const struct etc_source *etc_sources_find(const struct etc_program_method *m,
                                          struct etc_arena *arena);

/* Do a value of the record's graph and a value of the program have the same source? OTHER: no.
 * CONSTANT: both are constants, which are not compared here. */
enum etc_sources { ETC_SOURCES_UNKNOWN, ETC_SOURCES_OTHER, ETC_SOURCES_CONSTANT, ETC_SOURCES_SAME };

struct etc_operands {
	const struct etc_graph_flow *flow;
	struct etc_graph_tensors inputs; /* inputs of the node in the record's graph */
	const struct etc_source *sources;
	/* indices of the call's tensors among the program's values; -1: not a tensor. In the
	 * record's graph, such an operand has no value (UINT32_MAX). */
	const int64_t *values;
	uint32_t count;
	/* Compares the source of the record's `value` with the source `s` of a value of the
	 * program. */
	enum etc_sources (*compare)(void *context, uint32_t value, const struct etc_source *s);
	void *context;
};

/* Can the order of the operator's operands change its result? */
bool etc_operands_have_order(const struct etc_node *n);

/* Does the program have two neighbouring operands in the order opposite to that in the record?
 * False: no, or unknown. */
bool etc_operands_exchanged(const struct etc_operands *o);

/* Do all operands come from the same nodes in the program as in the record? Operands whose source
 * in the program is unknown, as in a method with jumps, are not compared. False: no, or a
 * comparison is not possible. */
bool etc_operands_same(const struct etc_operands *o);

#endif
