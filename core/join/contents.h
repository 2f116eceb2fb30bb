/* contents.h -- how many operators of each kind a delegate contains: according to its events in a
 * dump, or to its blob in a program. */
#ifndef ETC_JOIN_CONTENTS_H
#define ETC_JOIN_CONTENTS_H

#include "base/arena.h"
#include "base/grow.h"
#include "model/delegate_graph.h"
#include "model/record.h"
#include "model/trace.h"

/* The content of a delegate: between `least` and `most` operators of each kind. It is a range,
 * because several nodes of the record may have one handle, and some of these nodes may be outside
 * of the delegate. A product is a matrix multiplication or a convolution. */
struct etc_contents {
	uint32_t least[ETC_DELEGATE_KINDS], most[ETC_DELEGATE_KINDS];
	bool quantised; /* a product may be quantised */
	bool surely;    /* a product is quantised */
	bool dynamic;   /* ranges of quantised values are found at run time */
	bool values;    /* values other than weights are quantised */
	bool floats;    /* nothing is quantised or converted */
	bool attention; /* contains scaled dot-product attention. It runs as one operator or as
	                 * several, depending on the build of XNNPACK, so numbers of products and of
	                 * element-wise operators are not compared */
	bool four;      /* a quantised product has weights of 4 bits */
	bool eight;     /* there are quantised products, and all of them have weights of 8 bits */
	bool channels;  /* a static int8 product has weights with a scale per channel */
	/* there are static int8 products, and each of them has one scale for all of its weights */
	bool tensors;
};

/* The calls of one delegate in a run: the executions of one DELEGATE_CALL instruction. */
struct etc_delegate_calls {
	const struct etc_event *event; /* DELEGATE_CALL */
	uint32_t times;                /* how often the run executes the instruction */
	/* number of those of its events whose names have the form that a built-in backend uses
	 * (model/builtin.h) */
	uint32_t events;
	uint32_t ids;      /* number of events that the delegate logged in all executions */
	uint32_t ordinals; /* number of events counted in `ids` whose name ends in " #n" */
	uint32_t products; /* number of events that compute a product */
	uint32_t tensors;  /* number of products with one scale for all weights */
	uint32_t singles;  /* number of products in float32 */
	uint32_t eights;   /* number of products with weights of 8 bits */
	bool converts;
	struct etc_grow
		/* for each of its operators, in the order of events, the result of sort_of_event()
		 * as uint8_t */
		sorts;
	struct etc_contents has;
};

/* Returns the name of an enum etc_delegate_kind, for texts: "max pooling". */
const char *etc_delegate_kind_name(uint8_t kind);

/* Returns the enum etc_delegate_kind of the node's operator; ETC_DELEGATE_KINDS: none of them. */
uint8_t etc_node_delegate_kind(const struct etc_node *n);

/* Does the node prove that a product (a matrix multiplication or convolution) is quantised? It does
 * if it dequantises weights per channel, or quantises values whose range is found at run time. */
bool etc_node_quantises_products(const struct etc_node *n);

/* Does the node quantise values while the model runs? Nodes that only dequantise weights do not
 * count, because XNNPACK's exporter may turn such weights into float weights. */
bool etc_node_quantises_values(const struct etc_node *n);

/* Does the node dequantise values that have a scale per channel? */
bool etc_node_quantises_per_channel(const struct etc_node *n);

/* Returns the calls of delegates in the first chain of the template's runs, with their operators;
 * `*count` is their number. NULL: out of memory. */
struct etc_delegate_calls *etc_delegate_calls_find(const struct etc_template *template,
                                                   struct etc_arena *arena, uint32_t *count);

/* Writes a conflict to `to` if the delegate logged events, but no name of an event ends in " #n",
 * as all names of the built-in backend `backend` do. `file` ("record" or "program") is the file
 * that names this backend for the call. */
void etc_delegate_calls_backend(const struct etc_delegate_calls *c, struct etc_str backend,
                                const char *file, char *to, size_t room);

/* Divides the numbers of operators by the number of executions of the call in the run. The results
 * are the numbers of one execution. False: the executions differ from each other, as is possible in
 * a loop, or no event has a name of a known backend. */
bool etc_delegate_calls_divide(struct etc_delegate_calls *c);

/* Describes the first difference between two contents; NULL: there is none. */
const char *etc_contents_differ(const struct etc_contents *a, const struct etc_contents *b,
                                char *to, size_t room);

/* Do the run and the delegate's blob have their operators in the same order? A run may show fewer
 * operators of some sorts, so only sorts that both have equally often are compared. */
bool etc_delegate_calls_in_order(const struct etc_delegate_calls *c,
                                 const struct etc_delegate_graph *g);

/* Counts the operators of a blob. */
struct etc_contents etc_contents_of_blob(const struct etc_delegate_graph *g);

#endif
