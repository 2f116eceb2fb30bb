/* gap_side.h -- one side of a comparison of intermediate values: the output of each node
 * of the exported graph, run by run. Made from a dump or from a file of references. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_SIDE_H
#define ETC_COMMANDS_NUMERIC_GAP_SIDE_H

#include "commands/numeric/operand.h"
#include "base/map.h"
#include "model/references.h"

/* The output of a node. A kernel with several outputs has several values, although the graph has
 * only the first output. The other side decides which of these values is compared. */
struct etc_gap_value {
	/* identifies the value on both sides; its meaning depends on enum etc_gap_join */
	int64_t key;
	/* if the value's node is only known to be one of several: the lines of these nodes; else
	 * NULL */
	const uint32_t *may;
	uint32_t may_count;
	int64_t handle;      /* debug handle in the record; 0: none */
	int32_t instruction; /* instruction of the program; -1: a reference */
	const char *why;     /* why the value's node is unknown; NULL: `key` is its node */
	uint32_t occurrence; /* number of earlier values with this key in the run */
	/* number of debug handles of the value's event, or DOUBTFUL (gap_side.c). If several events
	 * have values with the same key, those of the event with the fewest handles are kept */
	uint32_t breadth;
	/* arrays of `count` values; exactly one of the two is NULL */
	const struct etc_logged *logged;
	const struct etc_safetensor *const *tensors;
	uint32_t count;
	bool viewed;         /* the other side logged a view of the value, so shapes may differ */
	struct etc_str name; /* name of the event; empty: a reference */
};

struct etc_gap_run {
	struct etc_str method;
	uint32_t run; /* index in the dump */
	/* the run's values, in the order of their first event */
	const struct etc_gap_value *values;
	uint32_t count;
	struct etc_map index; /* key (8 bytes) and occurrence (4 bytes) -> index in `values` */
};

struct etc_gap_nodes;
struct etc_gap_graphs;
struct etc_gap_translations;

struct etc_gap_side {
	const struct etc_gap_run *runs;
	uint32_t run_count;
	uint32_t unjoined; /* events with values but without a key */
	/* BY_NODE: the nodes of each graph, in the order of the graphs */
	const struct etc_gap_nodes *nodes;
};

/* How values of both sides are matched. */
enum etc_gap_join {
	/* match values of the same instruction: there is no record, or it leaves half of the nodes
	 * or more unknown */
	ETC_GAP_BY_SPOT,
	ETC_GAP_BY_HANDLE, /* match values with the same debug handle: the record has no graph */
	ETC_GAP_BY_NODE    /* match values of the same node, a line of the run's graph */
};

/* Keys for events for which no record has debug handles. Both sides use the same keys. */
struct etc_gap_keys {
	struct etc_map spots;
	size_t count;
	struct etc_arena *arena;
};

/* How the values of a dump get their keys. */
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

/* Makes a side of a reference file: one run per method. Without a graph, values are
 * matched by handle. E0904. */
enum etc_status etc_gap_of_references(const struct etc_references *r, struct etc_gap_graphs *graphs,
                                      const struct etc_gap_side *run, struct etc_arena *arena,
                                      struct etc_gap_side *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* The value with that key and occurrence, or NULL. */
const struct etc_gap_value *etc_gap_find(const struct etc_gap_run *run, int64_t key,
                                         uint32_t occurrence);

/* Number of pairs of tensors to compare: one pair per output if both sides have equally many
 * outputs, else one pair. */
uint32_t etc_gap_pairs(const struct etc_gap_value *reference, const struct etc_gap_value *run);

/* Makes an operand of output `i` of the value. E0904. */
enum etc_status etc_gap_operand(const struct etc_gap_value *v, uint32_t i, struct etc_arena *arena,
                                struct etc_operand *out, struct etc_error *err) ETC_MUST_CHECK;

/* Makes the operands of pair `i`. E0904. */
enum etc_status etc_gap_operands(const struct etc_gap_value *reference,
                                 const struct etc_gap_value *run, uint32_t i,
                                 struct etc_arena *arena, struct etc_operand *a,
                                 struct etc_operand *b, struct etc_error *err) ETC_MUST_CHECK;

#endif
