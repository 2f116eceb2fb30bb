/* graph_symbols.h -- computes the symbolic sizes of an exported graph in one run: if "s77" is 5,
 * "2*s77 + 1" is 11.
 *
 * In a graph of torch.export, an expression means the same size everywhere. So if the size of an
 * expression is known from one tensor of a run, all tensors with this expression have this size. If
 * tensors of a file contradict each other, the size is unknown. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_SYMBOLS_H
#define ETC_FORMATS_ETRECORD_GRAPH_SYMBOLS_H

#include "base/map.h"
#include "model/graph_flow.h"

struct etc_symbols {
	struct etc_map at; /* maps an expression to its index in `sizes` */
	/* for each expression, its size; UINT64_MAX: tensors have different sizes for the
	 * expression */
	uint64_t *sizes;
	uint32_t room;
};

void etc_symbols_init(struct etc_symbols *s, struct etc_arena *arena);

/* Records that `expression` has the size `size` in a tensor of the run. False: out of memory. */
bool etc_symbols_bind(struct etc_symbols *s, struct etc_str expression, uint64_t size);

/* Computes the size of an expression. False: the size is unknown, or tensors have different sizes
 * for the expression. */
bool etc_symbols_size(const struct etc_symbols *s, struct etc_str expression, uint64_t *size);

/* Computes the size of dimension `i` of a tensor. False: as for etc_symbols_size(). */
bool etc_symbols_of(const struct etc_symbols *s, const struct etc_graph_tensor *t, uint32_t i,
                    uint64_t *size);

#endif
