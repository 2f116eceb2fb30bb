/* places.h -- compares weights by their places, and so finds exchanged layers. The place of a
 * weight is the node that takes it, or an instruction or debug handle that stands for several
 * nodes. */
#ifndef ETC_TOGETHER_PLACES_H
#define ETC_TOGETHER_PLACES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/graph_flow.h"
#include "model/record.h"

struct etc_places;

/* Reads the weights of the graph from the record's archive. `*out` is NULL if they are
 * unreadable. `whole`: all bytes of weights are compared, otherwise only as many as suffice to
 * recognise a weight. E0904. */
enum etc_status etc_places_open(struct etc_span record, const struct etc_graph *graph,
                                const struct etc_graph_flow *flow, bool whole,
                                struct etc_arena *arena, struct etc_places **out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The form in which a program stores a weight. */
enum etc_placed_form {
	ETC_PLACED_AS_IS, /* the bytes of the elements, in any order of dimensions */
	/* integers of 4 bits, to which 8 was added; each row of the matrix begins at a new byte */
	ETC_PLACED_NIBBLES,
	ETC_PLACED_BFLOAT16, /* float32 as bfloat16 */
	ETC_PLACED_ROUNDED   /* float32, divided by a scale and rounded to int32 */
};

/* A constant of the program, which has `elements` elements. */
struct etc_placed {
	struct etc_span bytes;
	uint64_t elements;
	uint8_t form;           /* enum etc_placed_form */
	uint32_t row;           /* NIBBLES: number of elements in a row of the matrix */
	struct etc_span scales; /* ROUNDED: floats, one for all elements or one for each element */
};

/* Starts the comparison of one place. */
void etc_places_begin(struct etc_places *p);

/* Adds weights to the place: those that `node` takes in the record as its input tensor `input`
 * (ETC_PLACES_ANY: as any of its input tensors), directly or through nodes that take only
 * constants. False: the place has too many weights, or a limit is reached (etc_places_spent()); the
 * place is then not compared, so no more weights need be added. */
#define ETC_PLACES_ANY UINT32_MAX
bool etc_places_add(struct etc_places *p, uint32_t node, uint32_t input);

enum etc_placed_answer {
	ETC_PLACED_UNKNOWN,
	ETC_PLACED_HERE,     /* the constant is the weight of the place */
	ETC_PLACED_ELSEWHERE /* the constant is a weight that the record has at another place */
};

/* Compares the constant with the weights of the place. UNKNOWN: the constant is no weight of the
 * record; or no weight of the place has as many elements as the constant; or the place has a second
 * weight of the same size, but with other values; or etc_places_add() has returned false for the
 * place; or a limit is reached (etc_places_spent()). */
enum etc_placed_answer etc_places_compare(struct etc_places *p, const struct etc_placed *place);

/* Were too many weights or nodes visited? Nothing more is compared then: all functions of this file
 * return UNKNOWN or false. */
bool etc_places_spent(const struct etc_places *p);

/* Is the constant a float32 copy of the quantised weight that `node` takes in the record as input
 * tensor `input`? XNNPACK's exporter may have dequantised it, or only converted its integers. */
bool etc_places_dequantised(struct etc_places *p, uint32_t node, uint32_t input,
                            const struct etc_placed *place);

/* XNNPACK's exporter replaces a batch normalisation that it fuses with no other node by a
 * convolution with one weight per channel. Is the constant a weight of the convolution that
 * replaces the batch normalisation `node`? */
bool etc_places_normalises(struct etc_places *p, uint32_t node, const struct etc_placed *place);

/* Does `node` need a result of the node `on`, directly or through other nodes? */
bool etc_places_depends(struct etc_places *p, uint32_t node, uint32_t on);

/* Returns the number of weights that nodes of the graph take. Zero points that are all 0 are not
 * counted. Sets `*here` to the number of these weights for which etc_places_compare() returned
 * HERE. */
uint32_t etc_places_count(const struct etc_places *p, uint32_t *here);

/* Is the constant the fused weight of a convolution and a batch normalisation of the record, other
 * than that of the nodes `convolution` and `norm`? If `convolution` is UINT32_MAX, `norm` alone was
 * converted to a convolution; the question is then whether the constant is the weight of another
 * normalisation that was converted alone. */
bool etc_places_fused_otherwise(struct etc_places *p, uint32_t convolution, uint32_t norm,
                                const struct etc_placed *place);

#endif
