/* gap_side.h -- one side of a comparison of intermediate values: what each node of
 * the exported graph gave, run by run. Made of a dump or of a file of references. */
#ifndef ETC_API_GAP_SIDE_H
#define ETC_API_GAP_SIDE_H

#include "commands/numeric/operand.h"
#include "base/map.h"
#include "model/references.h"

/* What a node gave: one value, or several of which the other side tells the one that
 * is meant (a kernel with several outputs, of which the graph knows the first). */
struct etc_gap_value {
	int64_t key;         /* see enum etc_gap_join */
	int64_t handle;      /* of the record; 0: none */
	int32_t instruction; /* of the program; -1: a reference */
	const char *why;     /* why nobody knows which node it is of; NULL: `key` does */
	uint32_t occurrence; /* of those with this key in the run, from 0 */
	uint32_t breadth;    /* handles of its event: of two events with one key the finer counts */
	uint32_t source;     /* equal: logged by the same event, in a loop */
	const struct etc_logged *logged;             /* `count` of them; or … */
	const struct etc_safetensor *const *tensors; /* … `count` of these */
	uint32_t count;
	bool viewed;         /* a view of it is what the other side has: shapes may differ */
	struct etc_str name; /* of the event; empty: a reference */
};

struct etc_gap_run {
	struct etc_str method;
	uint32_t run;                       /* index in the dump */
	const struct etc_gap_value *values; /* in the order of their first event */
	uint32_t count;
	struct etc_map index; /* key, 8 bytes, and occurrence, 4 -> values */
};

struct etc_gap_nodes;
struct etc_gap_graphs;

struct etc_gap_side {
	const struct etc_gap_run *runs;
	uint32_t run_count;
	uint32_t unjoined;                 /* events with values but without a key */
	const struct etc_gap_nodes *nodes; /* BY_NODE: of each graph, in their order */
};

/* What tells that values of both sides belong together. */
enum etc_gap_join {
	ETC_GAP_BY_SPOT,   /* no record: the same place of the same program */
	ETC_GAP_BY_HANDLE, /* a record without a graph: its debug handle */
	ETC_GAP_BY_NODE    /* the line of the run's graph */
};

/* Keys of events that no record gives handles: the same for both sides. */
struct etc_gap_keys {
	struct etc_map spots;
	size_t count;
	struct etc_arena *arena;
};

/* The lines of a method's graph on the other side, where another export has other
 * nodes. */
struct etc_gap_translation {
	struct etc_str method;
	const uint32_t *line; /* UINT32_MAX: none */
};
struct etc_gap_translations {
	const struct etc_gap_translation *v;
	uint32_t count;
};

/* How the values of a dump get their keys. */
struct etc_gap_keying {
	uint8_t join; /* enum etc_gap_join */
	struct etc_gap_graphs *graphs;
	const struct etc_gap_translations *translations; /* NULL: the graphs are the same */
	bool is_reference;
	const struct etc_gap_side *run; /* of the reference: whose graph the keys are of */
	struct etc_gap_graphs *run_graphs;
	struct etc_gap_keys *keys;
};

/* E0904. */
enum etc_status etc_gap_of_dump(const struct etc_inputs *in, const struct etc_logged_list *list,
                                const struct etc_gap_keying *keying, struct etc_arena *arena,
                                struct etc_gap_side *out, struct etc_error *err) ETC_MUST_CHECK;

/* Of a file: one run per method. Without a graph by handle. E0904. */
enum etc_status etc_gap_of_references(const struct etc_references *r, struct etc_gap_graphs *graphs,
                                      const struct etc_gap_side *run, struct etc_arena *arena,
                                      struct etc_gap_side *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* The value of that key, or NULL. */
const struct etc_gap_value *etc_gap_find(const struct etc_gap_run *run, int64_t key,
                                         uint32_t occurrence);

/* How many pairs two values that belong together make: a kernel's outputs one each, if
 * both sides have as many. */
uint32_t etc_gap_pairs(const struct etc_gap_value *reference, const struct etc_gap_value *run);

/* Value `i` of them. E0904. */
enum etc_status etc_gap_operand(const struct etc_gap_value *v, uint32_t i, struct etc_arena *arena,
                                struct etc_operand *out, struct etc_error *err) ETC_MUST_CHECK;

/* The operands of pair `i`. E0904. */
enum etc_status etc_gap_operands(const struct etc_gap_value *reference,
                                 const struct etc_gap_value *run, uint32_t i,
                                 struct etc_arena *arena, struct etc_operand *a,
                                 struct etc_operand *b, struct etc_error *err) ETC_MUST_CHECK;

#endif
