/* gap_side.h -- one side of a comparison of intermediate values: for each run, the output of each
 * node of the exported graph. A side is made from a dump, or from a file of references. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_SIDE_H
#define ETC_COMMANDS_NUMERIC_GAP_SIDE_H

#include "commands/numeric/operand.h"
#include "base/map.h"
#include "model/references.h"

/* The output of a node. If a kernel has several outputs, there are several values, although the
 * graph describes only the first output. Which of the values is compared depends on the other
 * side. */
struct etc_gap_value {
	/* identifies the value on both sides. It stands for an instruction, a debug handle or a
	 * node, depending on enum etc_gap_join */
	int64_t key;
	/* If it is only known that the value is the output of one of several nodes: the lines of
	 * these nodes. Otherwise NULL */
	const uint32_t *may;
	uint32_t may_count;
	int64_t handle; /* debug handle in the record; 0: none */
	/* index of the instruction that computed the value; -1: the value is from a file of
	 * references */
	int32_t instruction;
	/* why the value's node is unknown; NULL: it is known, and `key` identifies it */
	const char *why;
	uint32_t occurrence; /* number of earlier values of the run with the same key */
	/* number of debug handles of the value's event; UINT32_MAX: the node of the value is
	 * unknown. If several events have values with the same key, only the values of the event
	 * with the fewest handles are kept */
	uint32_t breadth;
	/* arrays of `count` values; exactly one of the two is NULL */
	const struct etc_logged *logged;
	const struct etc_safetensor *const *tensors;
	uint32_t count;
	/* the other side logged a view of this value, so the shapes may differ */
	bool viewed;
	struct etc_str name; /* name of the event; empty: the value is from a file of references */
};

struct etc_gap_run {
	struct etc_str method;
	uint32_t run; /* index of the run in the dump */
	/* the run's values, in the order of their first event */
	const struct etc_gap_value *values;
	uint32_t count;
	/* maps a key (8 bytes) and an occurrence (4 bytes) to an index in `values` */
	struct etc_map index;
};

struct etc_gap_nodes;
struct etc_gap_graphs;
struct etc_gap_translations;

struct etc_gap_side {
	const struct etc_gap_run *runs;
	uint32_t run_count;
	/* number of events whose values have no key by which they can be matched, and are therefore
	 * not compared */
	uint32_t unjoined;
	/* only set with ETC_GAP_BY_NODE: the nodes of each graph, in the order of the graphs */
	const struct etc_gap_nodes *nodes;
};

/* How values of the two sides are matched. */
enum etc_gap_join {
	/* by instruction. This is used if there is no record. It is also used if both sides ran
	 * the same program, and the records do not tell the node of at least half of the values */
	ETC_GAP_BY_SPOT,
	ETC_GAP_BY_HANDLE, /* by debug handle: the record has no graph */
	ETC_GAP_BY_NODE    /* by node, which is a line of the run's graph */
};

/* The keys for events without debug handles. Both sides share this struct, so that equal events get
 * equal keys. */
struct etc_gap_keys {
	struct etc_map spots;
	size_t count;
	struct etc_arena *arena;
};

/* How values of a dump get the keys by which they are paired with values of the other dump. */
struct etc_gap_keying {
	uint8_t join; /* enum etc_gap_join */
	struct etc_gap_graphs *graphs;
	const struct etc_gap_translations *translations; /* NULL: the graphs are the same */
	bool is_reference;
	bool same_program; /* both sides ran the same program */
	const struct etc_gap_side
		*run; /* only for the reference: the side whose graph defines the keys */
	struct etc_gap_graphs *run_graphs;
	struct etc_gap_keys *keys;
};

/* Makes a side from the values that a dump logged. E0904. */
enum etc_status etc_gap_of_dump(const struct etc_inputs *in, const struct etc_logged_list *list,
                                const struct etc_gap_keying *keying, struct etc_arena *arena,
                                struct etc_gap_side *out, struct etc_error *err) ETC_MUST_CHECK;

/* Makes a side from a file of references, with one run per method. If there is no graph, values are
 * matched by handle. E0904. */
enum etc_status etc_gap_of_references(const struct etc_references *r, struct etc_gap_graphs *graphs,
                                      const struct etc_gap_side *run, struct etc_arena *arena,
                                      struct etc_gap_side *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Returns the value of `run` with this key and occurrence (etc_gap_value); NULL: there is none. */
const struct etc_gap_value *etc_gap_find(const struct etc_gap_run *run, int64_t key,
                                         uint32_t occurrence);

/* A value of a kernel with several outputs is compared as several pairs of tensors. Returns the
 * number of pairs: the number of outputs, if it is the same on both sides and the order of the
 * outputs is known on both sides; otherwise 1. */
uint32_t etc_gap_pairs(const struct etc_gap_value *reference, const struct etc_gap_value *run);

/* Makes an operand (operand.h) from output `i` of the value. E0904. */
enum etc_status etc_gap_operand(const struct etc_gap_value *v, uint32_t i, struct etc_arena *arena,
                                struct etc_operand *out, struct etc_error *err) ETC_MUST_CHECK;

/* Makes two operands for pair number `i` (etc_gap_pairs()): `*a` from the reference, `*b` from the
 * run. E0904. */
enum etc_status etc_gap_operands(const struct etc_gap_value *reference,
                                 const struct etc_gap_value *run, uint32_t i,
                                 struct etc_arena *arena, struct etc_operand *a,
                                 struct etc_operand *b, struct etc_error *err) ETC_MUST_CHECK;

#endif
