/* align.h -- matches the events of one program with the events of another program.
 *
 * Matching has stages, from certain to probable matches. Each stage matches only events that
 * earlier stages left unmatched. If several events have the same key, they are paired in file
 * order. The keys of the stages:
 *
 *   name       the same instruction, name with its number, and delegate id; then the same
 *              instruction and name, with any number and id
 *   canonical  the same canonical name, which the plugin gives: the name without what is special
 *              to a kernel library ("... (NC, PF32) GEMM" becomes "... (NC, F32) GEMM")
 *   node       the same module of the exporter's graph, and the same kind of work
 *   name, canonical again, but in any instruction
 *   position   the same operator with other types, by its position in the file
 *
 * Last, two events with different names may be matched if they are in the same instructions and a
 * name does not identify its operator. Times are never compared. Events are never matched if their
 * units differ, or if only one of them is detached. Events of different kinds are matched only by
 * node. */
#ifndef ETC_COMMANDS_COMPARE_ALIGN_H
#define ETC_COMMANDS_COMPARE_ALIGN_H

#include "base/arena.h"
#include "base/error.h"
#include "model/place.h"

enum etc_match {
	ETC_MATCH_NONE,
	ETC_MATCH_NAME,
	ETC_MATCH_CANONICAL,
	ETC_MATCH_NODE,
	ETC_MATCH_POSITION,
	ETC_MATCH_COUNT
};

/* Returns the word for an enum etc_match: "name", "canonical", "node", "position"; "" for
 * ETC_MATCH_NONE. */
const char *etc_match_name(uint8_t match);

#define ETC_NO_ITEM UINT32_MAX

enum { ETC_ALIGN_DETACHED = 1 }; /* a bit of etc_align_item.kind */

struct etc_align_item {
	/* the event's name with its number: "Convert (NC) #2" */
	struct etc_str name;
	struct etc_str op; /* the name without its number: "Convert (NC)" */
	/* canonical name, or two alternatives, as "X or Y"; empty: none */
	struct etc_str canonical;
	struct etc_str operator_name, kernel; /* such as "Convert" and "GEMM"; empty: unknown */
	struct etc_str category;              /* category of the operator; empty: unknown */
	/* module and nodes in the exported graph; NULL: unknown */
	const struct etc_place *place;
	/* id: delegate id of a delegate's event. Each of the three is -1 if absent */
	int64_t chain, instruction, id;
	/* a set of bits: ETC_ALIGN_DETACHED, and others that the caller defines (rows.c), such as
	 * one for events of delegates. Items that differ in ETC_ALIGN_DETACHED are never matched;
	 * items that differ in other bits are matched only by node */
	uint8_t kind;
	/* unit of the times; items of different units are never matched */
	uint8_t unit;
};

/* For each item of b[0 .. m), finds the matching item (the partner) in a[0 .. n). Both arrays must
 * be in file order. to[i] is set to the index in `a` of the partner of b[i], or to ETC_NO_ITEM;
 * how[i] to an enum etc_match; taken[k] to true if a[k] has a partner. The time is linear in n + m,
 * except for hash lookups. E0904. */
enum etc_status etc_align(const struct etc_align_item *a, uint32_t n,
                          const struct etc_align_item *b, uint32_t m, uint32_t *to, uint8_t *how,
                          bool *taken, struct etc_arena *scratch,
                          struct etc_error *err) ETC_MUST_CHECK;

#endif
