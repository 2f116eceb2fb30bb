/* lifetimes.h -- when each planned tensor of a method is alive, from the program
 * alone: there is no planner's record in a .pte.
 *
 * One timeline per method; a step is an instruction of chain 0, step -1 is
 * before the first. A group is the tensors that are one storage (views of each
 * other). The rules, with the names that `etcore memory` prints:
 *
 *   R1 planned: a tensor with allocation_info; bytes by its (largest) sizes.
 *   R2 mention: an argument of an instruction, directly or in a list of tensors.
 *   R3 definition: a KernelCall defines its last argument (a tensor, or the items
 *      of a list), a MoveCall what it moves to, et_copy_index its first argument.
 *      A DelegateCall does not say which arguments it writes: one that is new
 *      there is taken as read if an argument further right is not new, if R5
 *      finds a value of its type that was defined and would otherwise never be
 *      read, or if it is written in place at last and not read again: a state, for
 *      the next run. The last argument is written.
 *   R4 inputs live from -1, outputs to the last step.
 *   R5 alias: a tensor first seen as read, neither input nor initialised, is a
 *      view of the tensor with the same memory, offset and bytes that was
 *      mentioned last before. The result of et_view is one of its argument.
 *   R6 state: with initial data, or read first without an alias: always alive.
 *   R7 a group lives from its first to its last mention.
 *   R8 a backward jump to d at step i: what was there before d and is mentioned
 *      in between lives until i; what begins inside and is mentioned after i
 *      lives from d on.
 *
 * Checked against the memory planner of ExecuTorch 1.5.1 on every program of
 * tests/data/pte/models (planning.json), but control flow, where the planner
 * sees one node. */
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

/* One storage. */
struct etc_lifetime {
	const uint32_t *values; /* ascending; value_count of them */
	uint32_t value_count;
	uint32_t memory_id;
	uint64_t offset, bytes;
	int32_t first, last;     /* steps; first is -1 before the run */
	const int32_t *mentions; /* steps, ascending; mention_count of them */
	uint32_t mention_count;
	int32_t input; /* place among the method's inputs; -1: none */
	uint8_t kind;  /* enum etc_lifetime_kind */
};

struct etc_lifetimes {
	int32_t steps;                     /* instructions of chain 0 */
	const struct etc_lifetime *groups; /* by first, memory id, offset, values */
	uint32_t group_count;
	const uint32_t *unmentioned; /* planned values that nothing mentions: no group */
	uint32_t unmentioned_count;
	uint32_t assumed_outputs; /* arguments of delegates taken as written (R3) */
	uint32_t unsized;         /* planned tensors whose bytes are not known */
};

/* "intermediate", "input" ... */
const char *etc_lifetime_kind_text(uint8_t kind);

/* `m` of a whole program. Time: n log n in mentions, and jumps back x groups, which
 * is bounded. E0433 a tensor beyond any memory, E0434 too many jumps back, E0904. */
enum etc_status etc_lifetimes_find(const struct etc_program_method *m, struct etc_arena *arena,
                                   struct etc_lifetimes *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
