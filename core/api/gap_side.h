/* gap_side.h -- one side of a comparison of intermediate values: what each node of
 * the exported graph gave, run by run. Made of a dump or of a file of references. */
#ifndef ETC_API_GAP_SIDE_H
#define ETC_API_GAP_SIDE_H

#include "api/operand.h"
#include "base/map.h"
#include "model/references.h"

/* What a node gave: one value, or several of which the other side tells the one that
 * is meant (a kernel with several outputs, of which the graph knows the first). */
struct etc_gap_value {
	int64_t key;         /* debug handle; without a record a number of gap_keys */
	uint32_t occurrence; /* of those with this key in the run, from 0 */
	uint32_t breadth;    /* handles of its event: of two events with one key the finer counts */
	uint32_t source;     /* equal: logged by the same event, in a loop */
	const struct etc_logged *logged;             /* `count` of them; or … */
	const struct etc_safetensor *const *tensors; /* … `count` of these */
	uint32_t count;
	struct etc_str name; /* of the event; empty: a reference */
};

struct etc_gap_run {
	struct etc_str method;
	uint32_t run;                       /* index in the dump */
	const struct etc_gap_value *values; /* in the order of their first event */
	uint32_t count;
	struct etc_map index; /* key, 8 bytes, and occurrence, 4 -> values */
};

struct etc_gap_side {
	const struct etc_gap_run *runs;
	uint32_t run_count;
	uint32_t unjoined; /* events with values but without a key */
};

/* Keys of events that no record gives handles: the same for both sides. */
struct etc_gap_keys {
	struct etc_map spots;
	size_t count;
	struct etc_arena *arena;
};

/* What the handles of a method are called on the other side, where another export has
 * other numbers. */
struct etc_gap_translation {
	struct etc_str method;
	bool same;         /* as here */
	struct etc_map of; /* handle, 8 bytes -> to */
	const int64_t *to;
};
struct etc_gap_translations {
	const struct etc_gap_translation *v;
	uint32_t count;
};

/* Of the values of a dump; with `by_spot` by chain, instruction and delegate id alone.
 * `translations`: NULL: the handles are the same on both sides. E0904. */
enum etc_status etc_gap_of_dump(const struct etc_inputs *in, const struct etc_logged_list *list,
                                bool by_spot, const struct etc_gap_translations *translations,
                                struct etc_gap_keys *keys, struct etc_arena *arena,
                                struct etc_gap_side *out, struct etc_error *err) ETC_MUST_CHECK;

/* Of a file: one run per method. E0904. */
enum etc_status etc_gap_of_references(const struct etc_references *r, struct etc_arena *arena,
                                      struct etc_gap_side *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* The value of that key, or NULL. */
const struct etc_gap_value *etc_gap_find(const struct etc_gap_run *run, int64_t key,
                                         uint32_t occurrence);

/* How many pairs two values that belong together make: a kernel's outputs one each, if
 * both sides have as many. */
uint32_t etc_gap_pairs(const struct etc_gap_value *reference, const struct etc_gap_value *run);

/* The operands of pair `i`. E0904. */
enum etc_status etc_gap_operands(const struct etc_gap_value *reference,
                                 const struct etc_gap_value *run, uint32_t i,
                                 struct etc_arena *arena, struct etc_operand *a,
                                 struct etc_operand *b, struct etc_error *err) ETC_MUST_CHECK;

#endif
