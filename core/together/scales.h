/* scales.h -- compares the scales and zero points of a delegate's quantised values with
 * those of the record's nodes that quantise and dequantise. */
#ifndef ETC_TOGETHER_SCALES_H
#define ETC_TOGETHER_SCALES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/graph_flow.h"
#include "model/record.h"

struct etc_scales;

/* Reads the scales and zero points in the graph; `flow` must have been read completely. E0904. */
enum etc_status etc_scales_open(const struct etc_graph *graph, const struct etc_graph_flow *flow,
                                struct etc_arena *arena, struct etc_scales **out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Starts the comparison for the next quantised value: forgets the quantisations that were added
 * for the previous one. */
void etc_scales_begin(struct etc_scales *s);

/* Adds the quantisations that the record has for the result of `node` (if `result` is true) or for
 * the inputs of `node`. They are those of `node` itself, or of the nearest nodes that quantise or
 * dequantise. */
void etc_scales_add(struct etc_scales *s, uint32_t node, bool result);

enum etc_scales_answer {
	/* no quantisation that is known at this place of the record has this scale and zero point;
	 * but there may be further ones, or some whose scale or zero point is unknown */
	ETC_SCALES_UNKNOWN,
	ETC_SCALES_EQUAL, /* one of the quantisations at this place has this scale and zero point */
	ETC_SCALES_OTHER  /* no quantisation at this place has the same scale and zero point */
};

enum etc_scales_answer etc_scales_compare(const struct etc_scales *s, float scale,
                                          int32_t zero_point);

#endif
