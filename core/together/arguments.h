/* arguments.h -- compares the numbers and texts among the arguments of a program's kernel
 * call (a dimension, a slope, an epsilon) with those of the record's node. For
 * kernels.c. */
#ifndef ETC_TOGETHER_ARGUMENTS_H
#define ETC_TOGETHER_ARGUMENTS_H

#include "base/error.h"
#include "model/graph_flow.h"
#include "model/program.h"
#include "model/record.h"

/* A kernel call of a program, and the node of the record's graph that may be the same call. */
struct etc_kernel_call {
	const struct etc_program_method *method; /* the program's method, read with its values */
	struct etc_numbers args;
	struct etc_str kernel; /* "aten::_softmax.out" */
	const struct etc_node *node;
	const struct etc_graph_flow *flow;
	const struct etc_graph_call *call; /* arguments and results of `node` */
};

/* Returns value `index` of the method, or a value of the kind ETC_EVALUE_NONE if there is none. */
static inline const struct etc_evalue *etc_value_at(const struct etc_program_method *m,
                                                    int64_t index)
{
	static const struct etc_evalue none = { .kind = ETC_EVALUE_NONE };

	return index >= 0 && index < m->value_count ? &m->values[index] : &none;
}

/* Does the call take a number or text that decides what it computes? No if all numbers and texts
 * are 0, false, None or empty, or only repeat the shapes and types of the kernel's tensors. */
bool etc_arguments_matter(const struct etc_program_method *m, struct etc_numbers args,
                          struct etc_str kernel);

/* Compares the numbers and texts of the kernel call with the arguments of the node. Writes to `to`
 * how an argument differs. `to` stays empty if no argument differs, and also if some argument
 * cannot be compared. `*whole`: all numbers and texts that matter were compared. `*bytes` counts
 * the bytes of the record that were read, over all calls of this function; if they exceed a limit,
 * nothing is compared. E0904. */
enum etc_status etc_arguments_compare(const struct etc_kernel_call *c, struct etc_arena *arena,
                                      uint64_t *bytes, char *to, size_t room, bool *whole,
                                      struct etc_error *err) ETC_MUST_CHECK;

#endif
