/* graph_symbols.h -- the symbolic sizes of an exported graph in one run: "s77" is 5, so "2*s77 + 1"
 * is 11.
 *
 * In a graph of torch.export, an expression means the same size everywhere. So if one tensor of a
 * run shows the size of an expression, all tensors with this expression have it. If the tensors of
 * a file contradict each other, the size is unknown. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_SYMBOLS_H
#define ETC_FORMATS_ETRECORD_GRAPH_SYMBOLS_H

#include "base/map.h"
#include "model/graph_flow.h"

struct etc_symbols {
	struct etc_map at; /* expression -> index in `sizes` */
	/* size of the expression; UINT64_MAX: tensors have different sizes for it */
	uint64_t *sizes;
	uint32_t room;
};

void etc_symbols_init(struct etc_symbols *s, struct etc_arena *arena);

/* Records that an expression has this size. False: out of memory. */
bool etc_symbols_bind(struct etc_symbols *s, struct etc_str expression, uint64_t size);

/* Computes the size of an expression. False: unknown, or tensors show different sizes. */
bool etc_symbols_size(const struct etc_symbols *s, struct etc_str expression, uint64_t *size);

/* Computes the size of dimension `i` of a tensor. False: as for etc_symbols_size(). */
bool etc_symbols_of(const struct etc_symbols *s, const struct etc_graph_tensor *t, uint32_t i,
                    uint64_t *size);

#endif
