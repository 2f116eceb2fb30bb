/* align.h -- matches the events of one program with those of another.
 *
 * Works in stages from certain to probable matches. Each stage matches only events that the stages
 * before it left unmatched, and pairs events with equal keys in file order:
 *
 *   name       the same instruction, name with its number, and delegate id; then the same
 *              instruction and name, with any number and id
 *   canonical  the name that the same work has without its kernel library, according
 *              to the plugin: "... (NC, PF32) GEMM" is "... (NC, F32) GEMM"
 *   node       the same module of the exporter's graph, and the same kind of work
 *   name, canonical again, in any instruction
 *   position   the same operator with other types, by its position in the file
 *
 * Last, an event may be matched with one of another name in the same instructions, if a name does
 * not identify its operator. Times are not used. Events of different units, or of which only one is
 * detached, are never matched, and those of different kinds only by node. */
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

/* The word for an enum etc_match: "name", "canonical", "node", "position"; "" for
 * ETC_MATCH_NONE. */
const char *etc_match_name(uint8_t match);

#define ETC_NO_ITEM UINT32_MAX

enum { ETC_ALIGN_DETACHED = 1 }; /* a bit of etc_align_item.kind */

struct etc_align_item {
	/* the event's name with its number: "Convert (NC) #2" */
	struct etc_str name;
	struct etc_str op; /* the name without its number: "Convert (NC)" */
	/* canonical name, or two alternatives "X or Y"; empty: none */
	struct etc_str canonical;
	struct etc_str operator_name, kernel; /* such as "Convert" and "GEMM"; empty: unknown */
	struct etc_str category;              /* category of the operator; empty: unknown */
	/* module and nodes in the exported graph; NULL: unknown */
	const struct etc_place *place;
	int64_t chain, instruction, id; /* id: of a delegate event; each is -1 if absent */
	/* bits; items that differ in ETC_ALIGN_DETACHED are never matched, those that differ in
	 * others only by node */
	uint8_t kind;
	/* unit of the times; only items of equal units are matched */
	uint8_t unit;
};

/* Finds the partner of each of the items b[0 .. m) among a[0 .. n). to[i] is the index in `a` of
 * the partner of b[i], or ETC_NO_ITEM; how[i] is an enum etc_match. `a` and `b` are in file order.
 * taken[k] is set if a[k] has a partner. The time is linear in n + m, except for hash lookups.
 * E0904. */
enum etc_status etc_align(const struct etc_align_item *a, uint32_t n,
                          const struct etc_align_item *b, uint32_t m, uint32_t *to, uint8_t *how,
                          bool *taken, struct etc_arena *scratch,
                          struct etc_error *err) ETC_MUST_CHECK;

#endif
