/* together_places.h -- finds weights that the program has at the place of another weight of the
 * record, as in a net whose layers are exchanged. For together_contents.c. */
#ifndef ETC_CONTEXT_TOGETHER_PLACES_H
#define ETC_CONTEXT_TOGETHER_PLACES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/graph_flow.h"
#include "model/record.h"

struct etc_places;

/* Reads the weights of the graph from the record's archive. `*out` is NULL if they are
 * unreadable. E0904. */
enum etc_status etc_places_open(struct etc_span record, const struct etc_graph *graph,
                                const struct etc_graph_flow *flow, struct etc_arena *arena,
                                struct etc_places **out, struct etc_error *err) ETC_MUST_CHECK;

/* A constant of the program, which has `elements` elements. */
struct etc_placed {
	struct etc_span bytes;
	uint64_t elements;
};

/* Starts the comparison of one place. */
void etc_places_begin(struct etc_places *p);

/* Adds the weights that `node` takes in the record to those of the place. A weight may pass through
 * nodes that take only constants. */
void etc_places_add(struct etc_places *p, uint32_t node);

/* Is the constant another weight of the record than those of the place? False if it is none of the
 * record's weights, or the record has no weights for the place. */
bool etc_places_exchanged(struct etc_places *p, const struct etc_placed *place);

/* Is the constant the weight of a fused pair of convolution and batch normalisation, but of another
 * pair than the nodes `convolution` and `norm`? If `convolution` is UINT32_MAX, the normalisation
 * alone was converted to a convolution. False if the constant fits no pair of the record. */
bool etc_places_fused_otherwise(struct etc_places *p, uint32_t convolution, uint32_t norm,
                                const struct etc_placed *place);

#endif
