/* lifetimes.h -- computes from the program alone when each planned tensor of a method is alive,
 * since a .pte does not contain the planner's result.
 *
 * There is one timeline per method. A step is an instruction of chain 0; step -1 is before the
 * first instruction. A group is the set of tensors that share one storage (views of each other).
 * The rules, with the names that `etcore memory` prints:
 *
 *   R1 planned: only tensors with allocation_info; their bytes follow from their
 *      sizes, which are the largest ones if the shape is dynamic.
 *   R2 mention: an argument of an instruction, directly or in a list of tensors.
 *   R3 definition: a KernelCall defines its last argument (a tensor, or the items
 *      of a list), a MoveCall its destination, et_copy_index its first argument.
 *      A DelegateCall does not say which arguments it writes. An argument that
 *      was not used before counts as read in three cases. (1) A later argument of
 *      the call was used before. (2) The argument is not the last one, and R5 finds
 *      a value of its type that was defined and would otherwise never be read.
 *      (3) Its last mention writes it in place, and it is no output (it is a state
 *      for the next run). In all other cases the argument counts as written.
 *   R4 inputs live from -1, outputs to the last step.
 *   R5 alias: a tensor that is read first, and is neither input nor initialised,
 *      is a view of the tensor with the same memory, offset and bytes that was
 *      mentioned last. The result of et_view is a view of its argument.
 *   R6 state: a tensor with initial data, or one that is read first and is not an
 *      alias, is always alive.
 *   R7 a group lives from its first to its last mention.
 *   R8 a backward jump to d at step i: a group alive before d and mentioned
 *      between d and i lives until i; a group that begins between d and i and is
 *      mentioned after i lives from d on.
 *
 * Checked against the memory planner of ExecuTorch 1.5.1 on every program of tests/data/pte/models
 * (planning.json), except control flow, which the planner sees as one node. */
#ifndef ETC_MEMORY_LIFETIMES_H
#define ETC_MEMORY_LIFETIMES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/program.h"

enum etc_lifetime_kind {
	ETC_LIFETIME_INTERMEDIATE,
	ETC_LIFETIME_INPUT,
	ETC_LIFETIME_OUTPUT,
	ETC_LIFETIME_INPUT_OUTPUT,
	ETC_LIFETIME_STATE
};

/* A group of tensors with one storage. */
struct etc_lifetime {
	const uint32_t *values; /* indices of the group's `value_count` values, ascending */
	uint32_t value_count;
	uint32_t memory_id;
	uint64_t offset, bytes;
	/* first and last step at which the group is alive; -1: before the first instruction */
	int32_t first, last;
	/* the `mention_count` steps that mention a value of the group, ascending */
	const int32_t *mentions;
	uint32_t mention_count;
	/* lowest position of a value of the group in the method's list of inputs; -1: no value of
	 * the group is an input */
	int32_t input;
	uint8_t kind; /* enum etc_lifetime_kind */
};

struct etc_lifetimes {
	int32_t steps; /* number of instructions of chain 0 */
	/* the groups, sorted by first step, memory id, offset and first value */
	const struct etc_lifetime *groups;
	uint32_t group_count;
	/* planned values that are in no group, because no instruction mentions them */
	const uint32_t *unmentioned;
	uint32_t unmentioned_count;
	/* number of arguments of delegates that were assumed to be written (rule R3, see above) */
	uint32_t assumed_outputs;
	uint32_t unsized; /* number of planned tensors of unknown size */
};

/* Returns the kind as text: "intermediate", "input" ... */
const char *etc_lifetime_kind_text(uint8_t kind);

/* Finds the groups of method `m`, whose program must have been read completely. Takes time O(n log
 * n) for n uses of values by instructions, plus a time proportional to the number of backward jumps
 * times the number of groups, which is limited. E0433: a tensor is larger than any memory. E0434:
 * too many backward jumps. E0904. */
enum etc_status etc_lifetimes_find(const struct etc_program_method *m, struct etc_arena *arena,
                                   struct etc_lifetimes *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
