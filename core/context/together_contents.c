/* together_contents.c -- see together.h */
#include "context/together.h"

#include <math.h>
#include <stdio.h>

#include "base/grow.h"
#include "base/map.h"
#include "context/together_arguments.h"
#include "context/together_operands.h"
#include "context/together_places.h"
#include "context/together_scales.h"
#include "join/builtin_name.h"
#include "join/method.h"
#include "join/operator_stem.h"
#include "model/scalar_type.h"
#include "model/xnode.h"
#include "formats/etrecord/graph_arguments.h"
#include "formats/etrecord/graph_flow.h"
#include "formats/program/program.h"
#include "formats/program/delegate_graph.h"
#include "tensor/program_tensor.h"

/* Maximum number of templates that are compared. A few suffice, because templates of one program
 * differ in the number of loop iterations, not in the operators that they call. */
enum { TEMPLATES = 16 };

static const uint32_t NONE = UINT32_MAX;

static const char *const kind_names[ETC_DELEGATE_KINDS] = {
	[ETC_DELEGATE_PRODUCT] = "linear, convolution and product",
	[ETC_DELEGATE_SOFTMAX] = "softmax",
	[ETC_DELEGATE_POOL] = "max pooling",
	[ETC_DELEGATE_ADD] = "addition",
	[ETC_DELEGATE_SUBTRACT] = "subtraction",
	[ETC_DELEGATE_MULTIPLY] = "multiplication",
	[ETC_DELEGATE_DIVIDE] = "division",
	[ETC_DELEGATE_SIGMOID] = "sigmoid",
	[ETC_DELEGATE_HARDSWISH] = "hardswish",
	[ETC_DELEGATE_LEAKY_RELU] = "leaky ReLU",
	[ETC_DELEGATE_ELU] = "ELU",
	[ETC_DELEGATE_GELU] = "GELU",
	[ETC_DELEGATE_TANH] = "tanh",
	[ETC_DELEGATE_MINIMUM] = "minimum",
	[ETC_DELEGATE_MAXIMUM] = "maximum",
	[ETC_DELEGATE_ABSOLUTE] = "absolute value",
	[ETC_DELEGATE_NEGATE] = "negation",
	[ETC_DELEGATE_FLOOR] = "floor",
	[ETC_DELEGATE_CEILING] = "ceiling",
	[ETC_DELEGATE_SQUARE] = "square",
	[ETC_DELEGATE_SQUARE_ROOT] = "square root",
	[ETC_DELEGATE_RECIPROCAL_ROOT] = "reciprocal square root",
	[ETC_DELEGATE_LOGARITHM] = "logarithm",
	[ETC_DELEGATE_EXPONENTIAL] = "exponential",
	[ETC_DELEGATE_SINE] = "sine",
	[ETC_DELEGATE_COSINE] = "cosine",
};

struct word {
	struct etc_str text;
	uint8_t kind;
};

/* ---- operators by name --------------------------------------------------------------- */

#define WORD(text, kind)                                       \
	{                                                      \
		{ text, sizeof text - 1 }, ETC_DELEGATE_##kind \
	}

static uint8_t kind_of_word(struct etc_str s, const struct word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (etc_str_eq(s, words[i].text))
			return words[i].kind;
	return ETC_DELEGATE_KINDS;
}

static uint8_t kind_of_node(const struct etc_node *n)
{
	static const struct word words[] = {
		WORD("softmax", SOFTMAX),  WORD("max_pool2d", POOL),
		WORD("sigmoid", SIGMOID),  WORD("max_pool2d_with_indices", POOL),
		WORD("elu", ELU),          WORD("hardswish", HARDSWISH),
		WORD("gelu", GELU),        WORD("leaky_relu", LEAKY_RELU),
		WORD("tanh", TANH),        WORD("add", ADD),
		WORD("sub", SUBTRACT),     WORD("mul", MULTIPLY),
		WORD("div", DIVIDE),       WORD("minimum", MINIMUM),
		WORD("maximum", MAXIMUM),  WORD("abs", ABSOLUTE),
		WORD("neg", NEGATE),       WORD("floor", FLOOR),
		WORD("ceil", CEILING),     WORD("pow", SQUARE),
		WORD("sqrt", SQUARE_ROOT), WORD("rsqrt", RECIPROCAL_ROOT),
		WORD("log", LOGARITHM),    WORD("exp", EXPONENTIAL),
		WORD("sin", SINE),         WORD("cos", COSINE),
	};

	return etc_node_is_product(n)
	               ? ETC_DELEGATE_PRODUCT
	               : kind_of_word(etc_node_stem(n), words, sizeof words / sizeof *words);
}

/* Does the node prove that a product (a matrix multiplication or convolution) is quantised? It does
 * if it dequantises weights per channel, or quantises values whose range is found at run time. */
static bool quantises_products(const struct etc_node *n)
{
	struct etc_str op = etc_node_stem(n);

	return etc_node_quantises(n) && (etc_str_starts(op, ETC_STR("dequantize_per_channel")) ||
	                                 etc_str_starts(op, ETC_STR("choose_qparams")));
}

/* Does the node quantise values while the model runs? Nodes that only dequantise weights do not
 * count, because XNNPACK's exporter may turn such weights into float weights. */
static bool quantises_values(const struct etc_node *n)
{
	struct etc_str op = etc_node_stem(n);

	return etc_node_quantises(n) && (etc_str_starts(op, ETC_STR("quantize")) ||
	                                 etc_str_starts(op, ETC_STR("choose_qparams")));
}

static bool quantises_per_channel(const struct etc_node *n)
{
	return etc_node_quantises(n) &&
	       etc_str_starts(etc_node_stem(n), ETC_STR("dequantize_per_channel"));
}

/* ---- contents of a delegate ---------------------------------------------------------- */

/* What a delegate contains: between `least` and `most` operators of each kind. The number is a
 * range because several nodes may have one handle, and some of these nodes may be outside of the
 * delegate. A product is a matrix multiplication or a convolution. */
struct contents {
	uint32_t least[ETC_DELEGATE_KINDS], most[ETC_DELEGATE_KINDS];
	bool quantised; /* a product may be quantised */
	bool surely;    /* a product is quantised */
	bool dynamic;   /* ranges of quantised values are found at run time */
	bool values;    /* values other than weights are quantised */
	bool floats;    /* nothing is quantised or converted */
	bool attention; /* contains scaled dot-product attention. It runs as one operator or as
	                 * several, depending on the build of XNNPACK, so numbers of products and of
	                 * element-wise operators are not compared */
	/* Weights of quantised products. `four`: some have 4 bits; `eight`: all have 8 bits. */
	bool four, eight;
	/* Weights of static int8 products. `channels`: some have a scale per channel. `tensors`:
	 * all have one scale. */
	bool channels, tensors;
};

/* The calls of one delegate in a run: the executions of one DELEGATE_CALL instruction. */
struct call {
	const struct etc_event *event; /* DELEGATE_CALL */
	/* times: how often the run executes the instruction. events: those of the delegate's events
	 * (`ids`) whose names have the form of a built-in backend */
	uint32_t times, events;
	/* ids: number of events that the delegate logged in all executions. ordinals: those of them
	 * whose name ends in " #n" */
	uint32_t ids, ordinals;
	/* products: number of events that compute a product. Of these, tensors: with one scale for
	 * all weights; singles: in float32; eights: with weights of 8 bits */
	uint32_t products, tensors, singles, eights;
	bool converts;
	struct etc_grow
		sorts; /* uint8_t: sort_of_event() of its operators, in the order of events */
	struct contents has;
};

/* The sort of an operator. For a product (a matrix multiplication or convolution) it is one of
 * these, for any other operator its kind. */
enum { LINEAR = ETC_DELEGATE_KINDS, CONVOLUTION, DECONVOLUTION, MATRICES, SORTS };

/* Returns the kind of an event's operator. Squares, roots and negations have no kind here, because
 * XNNPACK, for example, runs x * x as a square. */
static uint8_t kind_of_event(struct etc_str op)
{
	static const struct word words[] = {
		WORD("Fully Connected", PRODUCT),
		WORD("Dynamic Fully Connected", PRODUCT),
		WORD("Convolution", PRODUCT),
		WORD("Deconvolution", PRODUCT),
		WORD("Batch Matrix Multiply", PRODUCT),
		WORD("Softmax", SOFTMAX),
		WORD("Max Pooling", POOL),
		WORD("Sigmoid", SIGMOID),
		WORD("HardSwish", HARDSWISH),
		WORD("Leaky ReLU", LEAKY_RELU),
		WORD("LeakyReLU", LEAKY_RELU),
		WORD("ELU", ELU),
		WORD("GELU", GELU),
		WORD("TanH", TANH),
		WORD("Tanh", TANH),
		WORD("Add", ADD),
		WORD("Subtract", SUBTRACT),
		WORD("Multiply", MULTIPLY),
		WORD("Divide", DIVIDE),
		WORD("Abs", ABSOLUTE),
		WORD("Ceiling", CEILING),
		WORD("Cosine", COSINE),
		WORD("Exp", EXPONENTIAL),
		WORD("Floor", FLOOR),
		WORD("Log", LOGARITHM),
		WORD("Maximum", MAXIMUM),
		WORD("Minimum", MINIMUM),
		WORD("Sine", SINE),
	};

	return kind_of_word(op, words, sizeof words / sizeof *words);
}

/* Counts a product. Its event's name shows how its weights are quantised: "(NC, QS8" has one scale
 * for all weights; "(NC, QS8, QC8W" and "(NHWC, QC8" have one scale per channel; dynamic and float
 * operators follow other rules. */
static void add_product(struct call *c, struct etc_str op, struct etc_str types)
{
	bool known = etc_str_eq(op, ETC_STR("Fully Connected")) ||
	             etc_str_eq(op, ETC_STR("Convolution"));

	c->products++;
	c->singles += etc_str_ends(types, ETC_STR("F32"));
	c->tensors += known && etc_str_ends(types, ETC_STR(", QS8"));
	c->eights += etc_str_ends(types, ETC_STR("C8W"));
	c->has.four |= etc_str_ends(types, ETC_STR("4W"));
	c->has.channels |= known && (etc_str_ends(types, ETC_STR("QS8, QC8W")) ||
	                             etc_str_ends(types, ETC_STR(", QC8")));
}

static uint8_t sort_of_event(struct etc_str op, uint8_t kind)
{
	if (kind != ETC_DELEGATE_PRODUCT)
		return kind;
	return etc_str_eq(op, ETC_STR("Convolution"))             ? CONVOLUTION
	       : etc_str_eq(op, ETC_STR("Deconvolution"))         ? DECONVOLUTION
	       : etc_str_eq(op, ETC_STR("Batch Matrix Multiply")) ? MATRICES
	                                                          : LINEAR;
}

static uint8_t sort_of_node(uint8_t node, uint8_t kind)
{
	if (kind != ETC_DELEGATE_PRODUCT)
		return kind;
	switch (node) {
	case ETC_XNODE_CONV2D:
	case ETC_XNODE_DEPTHWISE:
		return CONVOLUTION;
	case ETC_XNODE_CONV_TRANSPOSE:
		return DECONVOLUTION;
	case ETC_XNODE_BMM:
		return MATRICES;
	default:
		return LINEAR;
	}
}

/* Counts an event of the call by the operator and the types in its name. False: out of memory. */
static bool add_event(struct call *c, struct etc_str name, struct etc_arena *arena)
{
	size_t open = etc_str_find(name, ETC_STR(" ("), 0), close;
	struct etc_str op, types;
	uint8_t kind, *sort;

	c->events++;
	if (open == SIZE_MAX)
		return true;
	op = etc_str_sub(name, 0, open);
	close = etc_str_find(name, ETC_STR(")"), open);
	types = etc_str_sub(name, open, close == SIZE_MAX ? name.len : close);
	kind = kind_of_event(op);
	c->has.attention |= etc_str_starts(op, ETC_STR("Scaled Dot"));
	c->converts |= etc_str_eq(op, ETC_STR("Convert"));
	if (kind == ETC_DELEGATE_KINDS)
		return true;
	sort = ETC_GROW(arena, &c->sorts, uint8_t);
	if (!sort)
		return false;
	*sort = sort_of_event(op, kind);
	c->has.least[kind]++;
	if (kind != ETC_DELEGATE_PRODUCT)
		return true;
	add_product(c, op, types);
	if (etc_str_find(types, ETC_STR("Q"), 0) != SIZE_MAX)
		c->has.quantised = c->has.surely = true;
	c->has.dynamic |= etc_str_find(types, ETC_STR("QD"), 0) != SIZE_MAX ||
	                  etc_str_find(types, ETC_STR("QP"), 0) != SIZE_MAX;
	return true;
}

static bool add_id(struct call *c, struct etc_str name, struct etc_arena *arena)
{
	c->ids++;
	c->ordinals += etc_name_has_ordinal(name);
	return !etc_builtin_named(name) || add_event(c, name, arena);
}

/* Writes a conflict to `to` if all event names of the backend end in " #n", but no event of the
 * call has such a name. The record or the program (`file`) names this backend. */
static void compare_backend(const struct call *c, struct etc_str backend, const char *file,
                            char *to, size_t room)
{
	if (c->ids && !c->ordinals && etc_builtin_of(backend) && !to[0])
		snprintf(to, room,
		         "the delegate of instruction %d is of " ETC_STR_FMT
		         " in the %s, and none of its %u events in the dump is named as there",
		         (int)c->event->instruction_id, ETC_STR_ARG(backend), file,
		         (unsigned)c->ids);
}

/* Divides the numbers of operators by the number of executions of the call in the run, so that they
 * are those of one execution. False: the executions differ, as in a loop, or no event has a name of
 * a known backend. */
static bool divide(struct call *c)
{
	for (uint8_t k = 0; k < ETC_DELEGATE_KINDS; k++) {
		if (c->times == 0 || c->has.least[k] % c->times)
			return false;
		c->has.least[k] /= c->times;
		c->has.most[k] = k < ETC_DELEGATE_ADD ? c->has.least[k] : UINT32_MAX;
	}
	c->has.tensors = c->tensors && c->tensors == c->products;
	c->has.eight = c->eights && c->eights == c->products;
	c->has.floats = c->has.least[ETC_DELEGATE_PRODUCT] && !c->has.quantised && !c->converts;
	return c->events > 0;
}

/* Describes the first difference between two contents; NULL: there is none. */
static const char *differ(const struct contents *a, const struct contents *b, char *to, size_t room)
{
	for (uint8_t k = 0; k < ETC_DELEGATE_KINDS; k++) {
		if ((k == ETC_DELEGATE_PRODUCT || k >= ETC_DELEGATE_ADD) &&
		    (a->attention || b->attention))
			continue;
		if (a->most[k] < b->least[k] || b->most[k] < a->least[k]) {
			snprintf(to, room, "%u and %u operators of the kind %s", a->least[k],
			         b->least[k], kind_names[k]);
			return to;
		}
	}
	if (a->surely && !b->quantised)
		return "quantised operators and none";
	if ((b->surely && !a->quantised) || (a->floats && b->values))
		return "no quantised operators and some";
	if (a->quantised && b->quantised && a->dynamic != b->dynamic)
		return a->dynamic ? "dynamically quantised operators and none"
		                  : "no dynamically quantised operators and some";
	if (a->four && b->eight)
		return "weights of 4 bits and of 8 bits";
	if (a->eight && b->four)
		return "weights of 8 bits and of 4 bits";
	if (a->channels && b->tensors)
		return "weights quantised per channel and per tensor";
	if (a->tensors && b->channels)
		return "weights quantised per tensor and per channel";
	return NULL;
}

/* Finds how many bits the weights of products have, in a graph that was read completely. */
static void count_bits(const struct etc_delegate_graph *g, struct contents *c)
{
	uint32_t eights = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		const struct etc_delegate_operator *o = &g->operators[i];
		uint16_t type;

		if (g->nodes[i].kind != ETC_DELEGATE_PRODUCT || o->input_count < 2 ||
		    o->inputs[1] == ETC_DELEGATE_NO_VALUE)
			continue;
		type = g->values[o->inputs[1]].type;
		c->four |= type == ETC_DELEGATE_QCINT4 || type == ETC_DELEGATE_QBINT4;
		eights += type == ETC_DELEGATE_QINT8 || type == ETC_DELEGATE_QCINT8;
	}
	c->eight = eights && eights == c->least[ETC_DELEGATE_PRODUCT];
}

/* Do the run and the delegate's blob have their operators in the same order? Only sorts of which
 * both have equally many are compared, because a run may show fewer of some. */
static bool same_order(const struct call *c, const struct etc_delegate_graph *g)
{
	const uint32_t count = c->sorts.count / c->times;
	const uint8_t *sorts = c->sorts.items;
	int64_t more[SORTS] = { 0 };
	uint32_t k = 0;

	for (uint32_t i = 0; i < count; i++)
		more[sorts[i]]++;
	for (uint32_t i = 0; i < g->count; i++)
		if (g->nodes[i].kind < ETC_DELEGATE_KINDS)
			more[sort_of_node(g->operators[i].kind, g->nodes[i].kind)]--;
	for (uint32_t i = 0; i < g->count; i++) {
		uint8_t sort;

		if (g->nodes[i].kind >= ETC_DELEGATE_KINDS)
			continue;
		sort = sort_of_node(g->operators[i].kind, g->nodes[i].kind);
		if (more[sort])
			continue;
		while (k < count && more[sorts[k]])
			k++;
		if (k == count || sorts[k++] != sort)
			return false;
	}
	return true;
}

static struct contents of_blob(const struct etc_delegate_graph *g)
{
	struct contents c = { .quantised = g->quantised,
		              .values = g->quantised,
		              .dynamic = g->dynamic };

	for (uint32_t i = 0; i < g->count; i++)
		if (g->nodes[i].kind < ETC_DELEGATE_KINDS)
			c.most[g->nodes[i].kind] = ++c.least[g->nodes[i].kind];
	c.surely = g->quantised_constants && c.least[ETC_DELEGATE_PRODUCT];
	count_bits(g, &c);
	return c;
}

/* ---- nodes of the record by handle ----------------------------------------------------- */

struct index {
	const struct etc_method_maps *maps;
	const struct etc_graph *graph;
	/* instruction as text -> index in maps->handles */
	struct etc_map instructions;
	/* debug handle, 8 bytes -> index in `head` */
	struct etc_map handles;
	uint32_t *head; /* for each handle, its first node */
	uint32_t *next; /* for each node, the next node with its handle, or NONE */
	bool whole;     /* the record lists all nodes that are inside a delegate */
	bool lowered;   /* the graph has calls of delegates instead of the nodes inside */
	bool channels;  /* weights may have a scale per channel */
	/* for each node: it dequantises weights of 4 bits; NULL: unknown */
	const bool *fours;
	bool eights;     /* all weights that are dequantised have at least 8 bits */
	bool bits_asked; /* an attempt to find `fours` and `eights` was made */
	struct etc_graph_flow flow;
	bool flow_asked;           /* an attempt to read `flow` was made */
	bool halves, halves_asked; /* may the graph have tensors of float16; was has_halves()
	                            * called? */
	uint64_t looked_for;       /* nodes that any_limits() and is_node_in() have visited */
	const uint32_t *writers;   /* etc_writers_find(); NULL: not yet */
	struct etc_places *places; /* NULL: unknown, or not yet */
	bool places_asked;         /* an attempt to make `places` was made */
	struct etc_scales *scales; /* NULL: not yet */
};

/* Sets x->whole, which is true if the method's debug handle map contains the handle of each
 * product, softmax and max pooling of the graph. Exporters up to 0.3 record one handle per
 * delegate, so some handles are missing there. A graph that was copied after its lowering has calls
 * of delegates instead of the nodes that are inside. False: out of memory. */
static bool find_whole(struct index *x, struct etc_arena *arena)
{
	struct etc_map listed;

	etc_map_init(&listed, arena);
	for (uint32_t i = 0; i < x->maps->handle_count; i++) {
		const struct etc_handles *h = &x->maps->handles[i].handles;

		for (uint32_t k = 0; k < h->count; k++)
			if (etc_map_add(&listed, etc_map_number(&h->v[k]), 0) == ETC_MAP_NONE)
				return false;
	}
	x->whole = true;
	for (uint32_t i = 0; i < x->graph->node_count && x->whole; i++) {
		const struct etc_node *n = &x->graph->nodes[i];
		const struct etc_handles *h = &n->debug_handle;

		x->lowered |= etc_str_ends(n->op, ETC_STR("executorch_call_delegate"));
		if (x->lowered)
			x->whole = false;
		else if (h->form == ETC_HANDLES_INT && h->count &&
		         kind_of_node(n) < ETC_DELEGATE_ADD)
			x->whole = etc_map_get(&listed, etc_map_number(h->v)) != ETC_MAP_NONE;
	}
	return true;
}

static bool index_graph(struct index *x, const struct etc_method_maps *maps,
                        const struct etc_graph *g, struct etc_arena *arena)
{
	*x = (struct index){ .maps = maps,
		             .graph = g,
		             .head = etc_new(arena, uint32_t, g->node_count),
		             .next = etc_new(arena, uint32_t, g->node_count) };
	etc_map_init(&x->handles, arena);
	etc_map_init(&x->instructions, arena);
	for (uint32_t i = 0; i < maps->handle_count; i++)
		if (etc_map_add(&x->instructions, maps->handles[i].key, i) == ETC_MAP_NONE)
			return false;
	for (uint32_t i = g->node_count; i-- > 0 && x->head && x->next;) {
		const struct etc_handles *h = &g->nodes[i].debug_handle;
		size_t count = x->handles.count, at;

		x->next[i] = NONE;
		/* torchao's operators are assumed to have scales per channel, because the arguments
		 * that would tell are not read here */
		x->channels |=
			etc_node_quantises(&g->nodes[i]) &&
			(etc_str_find(g->nodes[i].op, ETC_STR("per_channel"), 0) != SIZE_MAX ||
		         etc_str_starts(g->nodes[i].op, ETC_STR("torchao.")));
		if (h->form != ETC_HANDLES_INT || !h->count)
			continue;
		at = etc_map_add(&x->handles, etc_map_number(h->v), count);
		if (at == ETC_MAP_NONE)
			return false;
		x->next[i] = at == count ? NONE : x->head[at];
		x->head[at] = i;
	}
	return x->head && x->next && find_whole(x, arena);
}

static uint32_t first_of(const struct index *x, const int64_t *handle)
{
	size_t at = etc_map_get(&x->handles, etc_map_number(handle));

	return at == ETC_MAP_NONE ? NONE : x->head[at];
}

static const struct etc_handles *handles_of(const struct index *x, int64_t instruction)
{
	char text[24];
	int len = snprintf(text, sizeof text, "%lld", (long long)instruction);
	size_t at = etc_map_get(&x->instructions, (struct etc_str){ text, (size_t)len });

	return at == ETC_MAP_NONE ? NULL : &x->maps->handles[at].handles;
}

/* Adds the nodes of one debug handle to the contents of a partition, whose list of handles contains
 * this handle `times` times. */
static void add_handle(const struct index *x, const int64_t *handle, uint32_t times,
                       struct contents *c)
{
	uint32_t n = 0, norms = 0, kinds[ETC_DELEGATE_KINDS] = { 0 };

	for (uint32_t i = first_of(x, handle); i != NONE; i = x->next[i], n++) {
		const struct etc_node *node = &x->graph->nodes[i];
		uint8_t kind = kind_of_node(node);

		if (kind < ETC_DELEGATE_KINDS)
			kinds[kind]++;
		norms += etc_str_eq(etc_node_stem(node),
		                    ETC_STR("native_batch_norm_legit_no_training"));
		c->quantised |= etc_node_quantises(node);
		c->surely |= quantises_products(node);
		c->values |= quantises_values(node);
		c->four |= x->fours && x->fours[i];
		c->channels |= quantises_per_channel(node);
		c->dynamic |= etc_node_quantises(node) &&
		              etc_str_starts(etc_node_stem(node), ETC_STR("choose_qparams"));
		c->attention |=
			etc_str_find(node->op, ETC_STR("scaled_dot_product"), 0) != SIZE_MAX;
	}
	for (uint8_t k = 0; k < ETC_DELEGATE_KINDS; k++) {
		uint32_t others = n - kinds[k];

		c->most[k] += kinds[k] < times ? kinds[k] : times;
		c->least[k] += times > others
		                       ? (times - others < kinds[k] ? times - others : kinds[k])
		                       : 0;
	}
	/* a batch normalisation that does not follow a convolution may be in the program as a
	 * convolution: XNNPACK's exporter converts it */
	c->most[ETC_DELEGATE_PRODUCT] += norms < times ? norms : times;
}

static bool of_handles(const struct index *x, const struct etc_handles *h, struct contents *c,
                       struct etc_arena *arena)
{
	uint32_t *times = etc_new(arena, uint32_t, h->count);
	struct etc_map seen;

	*c = (struct contents){ 0 };
	etc_map_init(&seen, arena);
	for (uint32_t i = 0; i < h->count && times; i++) {
		size_t at = etc_map_add(&seen, etc_map_number(&h->v[i]), i);

		if (at == ETC_MAP_NONE)
			return false;
		times[at]++;
	}
	for (uint32_t i = 0; i < h->count && times; i++)
		if (times[i])
			add_handle(x, &h->v[i], times[i], c);
	c->surely = c->surely && c->values && c->least[ETC_DELEGATE_PRODUCT];
	c->channels = c->channels && c->least[ETC_DELEGATE_PRODUCT];
	c->tensors = c->quantised && !x->channels;
	c->four = c->four && c->least[ETC_DELEGATE_PRODUCT];
	c->eight = c->quantised && x->eights;
	return times != NULL;
}

static const struct etc_graph *graph_of(const struct etc_record *r,
                                        const struct etc_method_maps *maps)
{
	const struct etc_graph *graph = etc_record_edge(r);

	for (uint32_t i = 0; i < r->graph_count; i++)
		if (r->graphs[i].kind == ETC_GRAPH_EDGE && r->graphs[i].per_method &&
		    etc_str_eq(r->graphs[i].method, maps->method))
			graph = &r->graphs[i];
	return graph;
}

/* Compares the operator `name` with the nodes that the record has for the instruction, and writes a
 * conflict to `to`. It stays empty if there is no conflict, or if that cannot be decided. */
static void compare_operator(const struct index *x, int64_t instruction, struct etc_str name,
                             const char *who, char *to, size_t room)
{
	const struct etc_handles *h = handles_of(x, instruction);
	const struct etc_node *one = NULL;
	struct etc_str want = etc_operator_stem(name);

	for (uint32_t i = 0; h && i < h->count; i++)
		for (uint32_t n = first_of(x, &h->v[i]); n != NONE; n = x->next[n]) {
			one = &x->graph->nodes[n];
			if (etc_str_eq(etc_node_stem(one), want) ||
			    etc_str_eq(etc_operator_stem(one->op), want))
				return;
		}
	if (one)
		snprintf(to, room, "instruction %lld is %.*s %s and %.*s in the record",
		         (long long)instruction, (int)(want.len < 60 ? want.len : 60), want.ptr,
		         who, (int)(one->op.len < 60 ? one->op.len : 60), one->op.ptr);
}

/* ---- a dump ------------------------------------------------------------------------------- */

struct finder {
	const struct etc_together_files *f;
	struct etc_arena *arena;
	struct etc_conflicts *out;
	struct index *methods;    /* for each method of the record, made on demand */
	struct etc_program whole; /* the program with its values; without methods if it is
	                           * unreadable */
	bool valued;              /* an attempt to read `whole` was made */
	uint64_t read_arguments;  /* bytes of nodes whose arguments were read */
};

/* Sets `*x` to the index of the method's graph, which is made on demand. `*x` is NULL if the record
 * does not have the complete graph. False: out of memory. */
static bool index_of(struct finder *f, const struct etc_method_maps *maps, struct index **x)
{
	const struct etc_record *r = f->f->record;
	const struct etc_graph *g = maps ? graph_of(r, maps) : NULL;

	*x = NULL;
	if (!g || g->truncated)
		return true;
	*x = &f->methods[maps - r->methods];
	return (*x)->graph || index_graph(*x, maps, g, f->arena);
}

static struct call *calls_of(const struct etc_template *template, struct etc_arena *arena,
                             uint32_t *count)
{
	struct call *calls = etc_new(arena, struct call, template->count);
	struct etc_map at;
	size_t n = 0;

	etc_map_init(&at, arena);
	for (uint32_t pass = 0; pass < 2 && calls; pass++)
		for (uint32_t i = 0; i < template->count; i++) {
			const struct etc_event *e = &template->events[i];
			bool call = e->word == ETC_WORD_DELEGATE_CALL && !etc_event_is_delegate(e);
			struct etc_str key = { (const char *)&e->instruction_id,
				               sizeof e->instruction_id };
			size_t k;

			if (e->kind != ETC_EVENT_PROFILE || e->chain != 0 ||
			    (pass == 0 ? !call : !etc_event_is_delegate(e)))
				continue;
			k = pass == 0 ? etc_map_intern(&at, key, n) : etc_map_get(&at, key);
			if (k == ETC_MAP_NONE && pass == 0)
				return NULL;
			if (k == ETC_MAP_NONE)
				continue;
			n += k == n;
			if (pass == 0) {
				calls[k].event = e;
				calls[k].times++;
			} else if (!add_id(&calls[k], etc_event_delegate_name(e), arena)) {
				return NULL;
			}
		}
	*count = (uint32_t)n;
	return calls;
}

static void compare_backends(struct finder *f, const struct etc_method *method,
                             const struct call *c)
{
	const struct etc_delegate_entry *e = etc_method_entry(method, c->event->instruction_id);
	struct etc_conflicts *to = f->out;

	if (e)
		compare_backend(c, e->backend, "record", to->dump_record, sizeof to->dump_record);
	compare_backend(c, etc_method_delegate(method, c->event).backend, "program",
	                to->dump_program, sizeof to->dump_program);
}

static enum etc_status read_flow(struct finder *f, struct index *x, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_zip zip;
	enum etc_status st;

	if (x->flow_asked || !f->f->record_bytes.len || x->graph->truncated)
		return ETC_OK;
	x->flow_asked = true;
	st = etc_zip_open(f->f->record_bytes, f->arena, &zip, &why);
	if (st == ETC_OK)
		st = etc_graph_flow_read(&zip, x->graph, f->arena, &x->flow, &why);
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

/* Returns the largest integer to which the node's input is quantised; 0: unknown. */
static enum etc_status read_largest(struct finder *f, const struct etc_graph_call *call,
                                    int64_t *largest, struct etc_error *err)
{
	enum { MOST = 1 << 24 };
	struct etc_graph_arguments args;

	*largest = 0;
	f->read_arguments += call->json.len;
	if (!call->json.len || f->read_arguments > MOST)
		return ETC_OK;
	ETC_TRY(etc_graph_arguments_read(call->json, f->arena, &args, err));
	for (uint32_t i = 0; i < args.count; i++)
		if (args.v[i].kind == ETC_GRAPH_ARGUMENT_NUMBER && args.v[i].numbers->whole &&
		    etc_str_eq(args.v[i].name, ETC_STR("quant_max")))
			*largest = args.v[i].numbers->integer;
	return ETC_OK;
}

/* Sets x->fours and x->eights, which tell how many bits the graph's weights have. Does nothing if
 * `other`, with which the graph is to be compared, has neither weights of 4 bits nor weights of 8
 * bits. */
static enum etc_status find_bits(struct finder *f, struct index *x, const struct contents *other,
                                 struct etc_error *err)
{
	bool *fours, eights = true;
	int64_t largest;

	if (x->bits_asked || (!other->four && !other->eight))
		return ETC_OK;
	x->bits_asked = true;
	ETC_TRY(read_flow(f, x, err));
	fours = etc_new(f->arena, bool, x->graph->node_count);
	ETC_NEED(fours, err);
	for (uint32_t i = 0; i < x->graph->node_count && x->flow.whole; i++) {
		const struct etc_node *n = &x->graph->nodes[i];

		if (!etc_node_quantises(n) ||
		    !etc_str_starts(etc_node_stem(n), ETC_STR("dequantize")))
			continue;
		ETC_TRY(read_largest(f, &x->flow.calls[i], &largest, err));
		fours[i] = largest > 0 && largest <= 15;
		eights = eights && largest >= INT8_MAX;
	}
	x->fours = fours;
	x->eights = eights && x->flow.whole;
	return ETC_OK;
}

/* Sets x->halves: may the graph have tensors of float16? Searches the bytes of the record's entry
 * for the type as PyTorch writes it, so the graph need not be read. */
static enum etc_status has_halves(struct finder *f, struct index *x, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	const struct etc_zip_entry *entry;
	struct etc_zip_data data;
	struct etc_zip zip;
	enum etc_status st;

	if (x->halves_asked || !f->f->record_bytes.len)
		return ETC_OK;
	x->halves_asked = true;
	st = etc_zip_open(f->f->record_bytes, f->arena, &zip, &why);
	entry = st == ETC_OK ? etc_zip_find(&zip, x->graph->name) : NULL;
	if (entry)
		st = etc_zip_read(&zip, entry, 0, f->arena, &data, &why);
	if (entry && st == ETC_OK)
		x->halves = etc_str_find((struct etc_str){ (const char *)data.bytes.ptr,
		                                           data.bytes.len },
		                         ETC_STR("\"dtype\": 6"), 0) != SIZE_MAX;
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

/* Are all tensors `v` float16? */
static bool are_halves(const struct etc_graph_tensor *v, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_scalar_type *t = v[i].known ? etc_scalar_type(v[i].type) : NULL;

		if (!t || t->kind != ETC_SCALAR_HALF)
			return false;
	}
	return true;
}

/* Are all tensors of the partition's products float16? Also false if the record does not have
 * their types. */
static bool computes_halves(const struct index *x, const struct etc_handles *h)
{
	bool any = false;

	for (uint32_t i = 0; i < h->count && x->flow.whole; i++)
		for (uint32_t k = first_of(x, &h->v[i]); k != NONE; k = x->next[k]) {
			const struct etc_graph_call *c = &x->flow.calls[k];

			if (kind_of_node(&x->graph->nodes[k]) != ETC_DELEGATE_PRODUCT)
				continue;
			if (!c->inputs.count || !c->outputs.count ||
			    !are_halves(x->flow.tensors + c->inputs.first, c->inputs.count) ||
			    !are_halves(x->flow.tensors + c->outputs.first, c->outputs.count))
				return false;
			any = true;
		}
	return any;
}

/* Writes a conflict if a partition ran in float32 that has only float16 in the record. A processor
 * without arithmetic for float16 also runs it in float32, but then XNNPACK adds a Convert where
 * float16 enters and leaves the partition. Large graphs are not compared. */
static enum etc_status compare_floats(struct finder *f, const struct call *c, struct index *x,
                                      const struct etc_handles *h, struct etc_error *err)
{
	enum { NODES = 1 << 12 };

	if (!c->has.floats || c->singles != c->products || x->graph->node_count > NODES)
		return ETC_OK;
	ETC_TRY(has_halves(f, x, err));
	if (!x->halves)
		return ETC_OK;
	ETC_TRY(read_flow(f, x, err));
	if (computes_halves(x, h))
		snprintf(f->out->dump_record, sizeof f->out->dump_record,
		         "the delegate of instruction %d computes in float32, without a "
		         "conversion, in the dump, and in float16 in the record",
		         (int)c->event->instruction_id);
	return ETC_OK;
}

static enum etc_status compare_call(struct finder *f, const struct etc_method *method,
                                    const struct call *c, struct etc_error *err)
{
	struct etc_program_delegate d = etc_method_delegate(method, c->event);
	const struct etc_handles *h;
	struct etc_delegate_graph blob;
	struct contents other;
	struct index *x;
	const char *what;
	char text[120];
	bool read;

	if (d.processed.len && !f->out->dump_program[0]) {
		ETC_TRY(etc_delegate_graph_read_whole(d.processed, f->arena, &blob, &read, err));
		if (read)
			other = of_blob(&blob);
		what = read ? differ(&c->has, &other, text, sizeof text) : NULL;
		if (read && !what && !c->has.attention && !same_order(c, &blob))
			what = "another order of operators";
		if (what)
			snprintf(f->out->dump_program, sizeof f->out->dump_program,
			         "the delegate of instruction %d has %s in dump and program",
			         (int)c->event->instruction_id, what);
	}
	ETC_NEED(index_of(f, method->maps, &x), err);
	h = x && x->whole ? handles_of(x, c->event->instruction_id) : NULL;
	if (!h || f->out->dump_record[0])
		return ETC_OK;
	ETC_TRY(find_bits(f, x, &c->has, err));
	ETC_NEED(of_handles(x, h, &other, f->arena), err);
	what = differ(&c->has, &other, text, sizeof text);
	if (!what)
		return compare_floats(f, c, x, h, err);
	snprintf(f->out->dump_record, sizeof f->out->dump_record,
	         "the delegate of instruction %d has %s in dump and record",
	         (int)c->event->instruction_id, what);
	return ETC_OK;
}

/* Compares the kernels that ran with the operators of the record, instruction by instruction. A
 * kernel may call other kernels, so one of the kernels of an instruction must match. */
static enum etc_status compare_kernels(struct finder *f, const struct etc_template *template,
                                       const struct etc_method_maps *maps, struct etc_error *err)
{
	struct etc_map good;
	char first[sizeof f->out->dump_record] = "";
	int32_t instruction = -1;
	struct index *x;

	ETC_NEED(index_of(f, maps, &x), err);
	etc_map_init(&good, f->arena);
	for (uint32_t pass = 0; pass < 2 && x && !f->out->dump_record[0]; pass++)
		for (uint32_t i = 0; i < template->count; i++) {
			const struct etc_event *e = &template->events[i];
			struct etc_str key = { (const char *)&e->instruction_id,
				               sizeof e->instruction_id };
			char text[sizeof first] = "";

			if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e) ||
			    e->chain != 0 ||
			    !etc_str_starts(etc_event_name(e), ETC_STR("native_call_")))
				continue;
			if (pass == 1 && etc_map_get(&good, key) != ETC_MAP_NONE)
				continue;
			compare_operator(x, e->instruction_id, etc_event_name(e), "in the dump",
			                 text, sizeof text);
			if (!text[0] && etc_map_intern(&good, key, 0) == ETC_MAP_NONE)
				return etc_no_memory(err);
			if (text[0] && pass == 1 && instruction == -1) {
				instruction = e->instruction_id;
				memcpy(f->out->dump_record, text, sizeof text);
			}
		}
	return ETC_OK;
}

static enum etc_status compare_dump(struct finder *f, struct etc_error *err)
{
	const struct etc_trace *trace = f->f->trace;
	struct etc_methods methods;
	struct etc_paths paths;
	uint32_t templates = 0, root, count;

	ETC_TRY(etc_paths_find(&paths, trace, f->arena, err));
	ETC_TRY(etc_methods_find(&methods, &paths, trace, f->f->program, f->f->record, f->arena,
	                         err));
	for (uint32_t s = 0; s < trace->template_count && templates < TEMPLATES; s++) {
		const struct etc_method *m = etc_methods_of(&methods, &paths, s);
		struct call *calls;

		if (etc_template_kind(&trace->templates[s], &root) != ETC_RUN_EXECUTE)
			continue;
		templates++;
		calls = calls_of(&trace->templates[s], f->arena, &count);
		ETC_NEED(calls, err);
		for (uint32_t i = 0; i < count; i++) {
			compare_backends(f, m, &calls[i]);
			if (divide(&calls[i]))
				ETC_TRY(compare_call(f, m, &calls[i], err));
		}
		if (m->maps)
			ETC_TRY(compare_kernels(f, &trace->templates[s], m->maps, err));
	}
	return ETC_OK;
}

/* ---- a record and a program ----------------------------------------------------------------- */

/* Returns a linear layer or convolution whose number of weights differs from that in the record;
 * NULL: there is none. */
static const struct etc_delegate_node *other_weights(const struct etc_delegate_graph *blob,
                                                     const struct index *x)
{
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		bool same = !n->handle || n->weights <= 1;

		for (uint32_t k = same ? NONE : first_of(x, &n->handle); k != NONE && !same;
		     k = x->next[k]) {
			struct etc_node_takes takes = { n->weights, x->graph->nodes[k].index };
			struct etc_str key = { (const char *)&takes, sizeof takes };

			same = etc_map_get(&x->flow.takes, key) != ETC_MAP_NONE;
		}
		if (!same)
			return n;
	}
	return NULL;
}

static enum etc_status compare_constants(struct finder *f, const struct etc_delegate_graph *blob,
                                         struct index *x, int64_t instruction,
                                         struct etc_error *err)
{
	const struct etc_delegate_node *other;

	if (blob->constant_count)
		ETC_TRY(read_flow(f, x, err));
	for (uint32_t i = 0; i < blob->constant_count && x->flow.whole; i++) {
		struct etc_str key = { (const char *)&blob->constants[i], sizeof *blob->constants };

		if (blob->constants[i] <= 1 || etc_map_get(&x->flow.elements, key) != ETC_MAP_NONE)
			continue;
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "the delegate of instruction %lld has a constant of %llu elements, which "
		         "no tensor of the record has",
		         (long long)instruction, (unsigned long long)blob->constants[i]);
		return ETC_OK;
	}
	other = x->flow.whole ? other_weights(blob, x) : NULL;
	if (other)
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "debug handle %lld has weights of %llu elements in the program and not in "
		         "the record",
		         (long long)other->handle, (unsigned long long)other->weights);
	return ETC_OK;
}

/* ---- layers --------------------------------------------------------------------------------- */

/* Returns the node that limits or normalises the result of node `at`; NONE: there is none. */
static uint32_t node_behind(const struct index *x, uint32_t at)
{
	const struct etc_graph_tensors *out = &x->flow.calls[at].outputs;
	uint32_t value = out->count ? x->flow.tensors[out->first].value : NONE;

	return value == NONE ? NONE : x->flow.behind[value];
}

static bool differ_known(int64_t a, int64_t b)
{
	return a >= 0 && b >= 0 && a != b;
}

static bool differ_convolutions(const struct etc_convolution *a, const struct etc_convolution *b)
{
	bool differ =
		differ_known(a->groups, b->groups) || differ_known(a->transposed, b->transposed);

	for (unsigned i = 0; i < 2; i++)
		differ = differ || differ_known(a->stride[i], b->stride[i]) ||
		         differ_known(a->padding[i], b->padding[i]) ||
		         differ_known(a->dilation[i], b->dilation[i]);
	return differ;
}

/* Can the node return a tensor of `elements` elements? True if the number of elements of a result
 * is unknown. */
static bool may_give(const struct etc_graph_flow *flow, const struct etc_graph_call *call,
                     uint64_t elements)
{
	bool may = elements == 0 || call->outputs.count == 0;
	uint64_t n;

	for (uint32_t i = 0; i < call->outputs.count && !may; i++)
		may = !etc_graph_elements(&flow->tensors[call->outputs.first + i], &n) ||
		      n == elements;
	return may;
}

/* Are all results of the node of another float type than `type`? False if the type of a result is
 * unknown. */
static bool gives_other_float(const struct etc_graph_flow *flow, const struct etc_graph_call *call,
                              int8_t type)
{
	bool other = type && call->outputs.count;

	for (uint32_t i = 0; i < call->outputs.count && other; i++) {
		int8_t given = flow->tensors[call->outputs.first + i].type;
		const struct etc_scalar_type *s = given < 0 ? NULL : etc_scalar_type(given);

		other = s && given != type &&
		        (s->kind == ETC_SCALAR_FLOAT || s->kind == ETC_SCALAR_HALF ||
		         s->kind == ETC_SCALAR_BFLOAT16);
	}
	return other;
}

/* Returns how the delegate's node `n` differs from the graph's node `k` of the same kind. NULL:
 * there is no difference, or it is unknown. A bias that only the delegate's node has is no
 * difference if a batch normalisation follows the layer, since that may add it. */
static const char *differ_from_layer(const struct index *x, const struct etc_delegate_node *n,
                                     uint32_t k)
{
	const struct etc_graph_call *call = &x->flow.calls[k];
	uint32_t behind;

	if (!may_give(&x->flow, call, n->gives))
		return "a result of another size than in the program";
	if (gives_other_float(&x->flow, call, n->type))
		return "a result of another float type than in the program";
	if (!n->weights)
		return NULL;
	if (n->is_convolution && call->convolution &&
	    differ_convolutions(&n->convolution, call->convolution))
		return "another stride, padding, dilation, number of groups or direction than in "
		       "the program";
	behind = node_behind(x, k);
	if (!n->has_bias && call->inputs.count == 3)
		return "a bias, and none in the program";
	if (n->has_bias && call->inputs.count == 2 &&
	    (behind == NONE || !x->flow.calls[behind].normalises))
		return "no bias, and one in the program";
	return NULL;
}

static enum etc_status compare_layers(struct finder *f, const struct etc_delegate_graph *blob,
                                      struct index *x, struct etc_error *err)
{
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		const char *what = NULL;

		if (!n->handle || n->kind == ETC_DELEGATE_KINDS)
			continue;
		ETC_TRY(read_flow(f, x, err));
		if (!x->flow.whole)
			return ETC_OK;
		for (uint32_t k = first_of(x, &n->handle); k != NONE; k = x->next[k]) {
			if (kind_of_node(&x->graph->nodes[k]) != n->kind)
				continue;
			what = differ_from_layer(x, n, k);
			if (!what)
				break;
		}
		if (!what)
			continue;
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "debug handle %lld has in the record %s", (long long)n->handle, what);
		return ETC_OK;
	}
	return ETC_OK;
}

/* ---- limits --------------------------------------------------------------------------------- */

static bool has_limits(const struct etc_graph_call *c, const struct etc_delegate_node *n)
{
	return c->clamps && (isnan(c->low) || c->low == n->low) &&
	       (isnan(c->high) || c->high == n->high);
}

/* Does a node of the graph have the limits of `n`? Also true once too many nodes were visited. */
static bool any_limits(struct index *x, const struct etc_delegate_node *n)
{
	enum { MOST = 1 << 22 };

	for (uint32_t i = 0; i < x->graph->node_count; i++)
		if (x->looked_for++ > MOST || has_limits(&x->flow.calls[i], n))
			return true;
	return false;
}

/* Does the record have the output limits of `n`? XNNPACK's exporter fuses an operator with the ReLU
 * or Hardtanh after it, even across a batch normalisation; of several in sequence, the last one
 * counts. If none follows the operator directly (views are skipped), any node of the graph with
 * these limits is accepted. False: the record has other limits. */
static bool same_limits(struct index *x, const struct etc_delegate_node *n)
{
	enum { CHAIN = 8 };
	bool seen = false;

	for (uint32_t k = first_of(x, &n->handle); k != NONE; k = x->next[k]) {
		uint32_t at = n->clamps ? k : node_behind(x, k);

		for (uint32_t i = 0; i < CHAIN && at != NONE; i++) {
			if (has_limits(&x->flow.calls[at], n))
				return true;
			seen |= x->flow.calls[at].clamps;
			at = n->clamps ? NONE : node_behind(x, at);
		}
	}
	return !seen && (n->clamps || any_limits(x, n));
}

static enum etc_status compare_limits(struct finder *f, const struct etc_delegate_graph *blob,
                                      struct index *x, struct etc_error *err)
{
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];

		if (!n->limited || !n->handle)
			continue;
		ETC_TRY(read_flow(f, x, err));
		if (!x->flow.whole || same_limits(x, n))
			continue;
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "debug handle %lld has limits of %g and %g in the program and others in "
		         "the record",
		         (long long)n->handle, (double)n->low, (double)n->high);
		return ETC_OK;
	}
	return ETC_OK;
}

/* Compares the handle and the kind of each of the delegate's nodes with the record's nodes. False:
 * out of memory. */
static bool compare_nodes(struct finder *f, const struct index *x, const struct etc_handles *h,
                          const struct etc_delegate_graph *blob, int64_t instruction)
{
	char *to = f->out->record_program;
	size_t room = sizeof f->out->record_program;
	struct etc_map listed;

	etc_map_init(&listed, f->arena);
	for (uint32_t i = 0; i < h->count; i++)
		if (etc_map_add(&listed, etc_map_number(&h->v[i]), 0) == ETC_MAP_NONE)
			return false;
	for (uint32_t i = 0; i < blob->count && !to[0]; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		bool same = n->kind == ETC_DELEGATE_KINDS;

		if (!n->handle)
			continue;
		for (uint32_t k = first_of(x, &n->handle); k != NONE && !same; k = x->next[k])
			same = kind_of_node(&x->graph->nodes[k]) == n->kind;
		if (etc_map_get(&listed, etc_map_number(&n->handle)) == ETC_MAP_NONE)
			snprintf(to, room,
			         "the delegate of instruction %lld has debug handle %lld, which it "
			         "has not in the record",
			         (long long)instruction, (long long)n->handle);
		else if (!same)
			snprintf(to, room,
			         "debug handle %lld is of the kind %s in the program and not in "
			         "the record",
			         (long long)n->handle, kind_names[n->kind]);
	}
	return true;
}

/* ---- calls of kernels ---------------------------------------------------------------------- */

/* Calls with more arguments, or with longer lists, are not compared. */
enum { ARGUMENTS = 64 };

/* Tensor arguments of a kernel call, including tensors in lists. */
struct arguments {
	const struct etc_evalue_tensor *v[ARGUMENTS];
	int64_t index[ARGUMENTS]; /* index of each tensor among the method's values */
	uint32_t count;
	bool more; /* there are more tensors than fit */
};

static void take(struct arguments *a, const struct etc_program_method *m, int64_t index)
{
	const struct etc_evalue *v = etc_value_at(m, index);

	if (v->kind == ETC_EVALUE_TENSOR && a->count < ARGUMENTS) {
		a->index[a->count] = index;
		a->v[a->count++] = v->tensor;
	} else if (v->kind == ETC_EVALUE_TENSOR) {
		a->more = true;
	}
}

static void take_argument(struct arguments *a, const struct etc_program_method *m, int32_t index)
{
	const struct etc_evalue *v = etc_value_at(m, index);

	take(a, m, index);
	if (v->kind != ETC_EVALUE_TENSOR_LIST && v->kind != ETC_EVALUE_OPTIONAL_TENSOR_LIST)
		return;
	for (uint32_t i = 0; i < v->items.count && i < ARGUMENTS; i++)
		take(a, m, etc_i32_at(v->items, i));
	a->more |= v->items.count > ARGUMENTS;
}

/* Returns how types or numbers of elements differ; NULL: they are equal, or one is unknown. Sizes
 * are not compared, because a pass of the exporter may view, permute or unsqueeze. */
static const char *differ_in(const struct etc_graph_tensor *a, const struct etc_evalue_tensor *b,
                             char *to, size_t room)
{
	uint64_t in_graph, in_program = 1;

	if (a->type >= 0 && a->type != b->scalar_type && etc_scalar_type(a->type) &&
	    etc_scalar_type(b->scalar_type)) {
		snprintf(to, room, "a tensor of %s and of %s",
		         etc_scalar_type(b->scalar_type)->name, etc_scalar_type(a->type)->name);
		return to;
	}
	if (b->dynamism != ETC_SHAPE_STATIC || !etc_graph_elements(a, &in_graph))
		return NULL;
	for (uint32_t i = 0; i < b->sizes.count; i++)
		if (__builtin_mul_overflow(in_program, (uint64_t)etc_i32_at(b->sizes, i),
		                           &in_program))
			return NULL;
	if (in_graph == in_program)
		return NULL;
	snprintf(to, room, "a tensor of %llu and of %llu elements", (unsigned long long)in_program,
	         (unsigned long long)in_graph);
	return to;
}

static const char *differ_from(const struct etc_graph_flow *s, struct etc_graph_tensors node,
                               const struct arguments *call, char *to, size_t room)
{
	const char *what = NULL;

	for (uint32_t i = 0; i < node.count && i < call->count && !what; i++)
		what = differ_in(&s->tensors[node.first + i], call->v[i], to, room);
	return what;
}

/* Sets to[0 .. count) to the numbers of an argument: the items of a list of `count` numbers, or
 * `count` times the same number. An item that is not an integer becomes -1, and so do all items if
 * the list has another length. */
static void get_ints(const struct etc_program_method *m, int32_t index, int64_t *to, uint32_t count)
{
	const struct etc_evalue *v = etc_value_at(m, index), *item = v;
	bool list = v->kind == ETC_EVALUE_INT_LIST;

	for (uint32_t i = 0; i < count; i++) {
		if (list && v->items.count == count) {
			item = etc_value_at(m, etc_i64_at(v->items, i));
		}
		to[i] = item->kind == ETC_EVALUE_INT || item->kind == ETC_EVALUE_BOOL
		                ? item->integer
		                : -1;
	}
}

static bool is_other_convolution(const struct etc_convolution *c,
                                 const struct etc_program_method *m, struct etc_numbers args)
{
	enum { STRIDE = 3, PADDING, DILATION, TRANSPOSED, GROUPS = 8 };
	struct etc_convolution other;

	if (!c || args.count <= GROUPS)
		return false;
	get_ints(m, etc_i32_at(args, STRIDE), other.stride, 2);
	get_ints(m, etc_i32_at(args, PADDING), other.padding, 2);
	get_ints(m, etc_i32_at(args, DILATION), other.dilation, 2);
	get_ints(m, etc_i32_at(args, TRANSPOSED), &other.transposed, 1);
	get_ints(m, etc_i32_at(args, GROUPS), &other.groups, 1);
	return differ_convolutions(c, &other);
}

/* Returns how the arguments of a kernel differ from those of the node; NULL: they do not. A kernel
 * has its results as last value. An `out` kernel has the node's arguments, then its results, and
 * these once more as last value. */
static const char *differ_from_node(const struct etc_graph_flow *s,
                                    const struct etc_graph_call *node,
                                    const struct etc_program_method *m, struct etc_numbers args,
                                    char *to, size_t room)
{
	struct arguments in = { .count = 0 }, out = { .count = 0 };
	const char *what;

	if (args.count == 0 || args.count > ARGUMENTS)
		return NULL;
	for (uint32_t i = 0; i + 1 < args.count; i++)
		take_argument(&in, m, etc_i32_at(args, i));
	take_argument(&out, m, etc_i32_at(args, args.count - 1));
	if (in.more || out.more)
		return NULL;
	what = differ_from(s, node->inputs, &in, to, room);
	if (!what && out.count == node->outputs.count)
		what = differ_from(s, node->outputs, &out, to, room);
	if (!what && out.count && in.count > out.count &&
	    in.v[in.count - 1] == out.v[out.count - 1] &&
	    in.count - out.count > node->inputs.count &&
	    in.count - out.count <= node->inputs.count + node->nones)
		what = "a tensor and None";
	if (!what && is_other_convolution(node->convolution, m, args))
		what = "another convolution";
	return what;
}

/* Do node and kernel have the same operator, of the same library? A kernel of another library may
 * replace several nodes, or a node of another type. */
static bool is_node_of(const struct etc_node *n, struct etc_str kernel)
{
	size_t dot = etc_str_find(n->op, ETC_STR("."), 0);
	size_t colons = etc_str_find(kernel, ETC_STR("::"), 0);

	return dot != SIZE_MAX && colons != SIZE_MAX &&
	       etc_str_eq(etc_str_sub(n->op, 0, dot), etc_str_sub(kernel, 0, colons)) &&
	       etc_str_eq(etc_node_stem(n), etc_operator_stem(kernel));
}

/* Is the node's handle in the list of the instruction? 1: yes; 0: no; -1: unknown, because the node
 * or the instruction has no handle, or because too many were visited already. */
static int is_node_in(void *index, uint32_t node, uint32_t instruction)
{
	enum { MOST = 1 << 22 };
	struct index *x = index;
	const struct etc_handles *h = handles_of(x, instruction);
	const struct etc_handles *of = &x->graph->nodes[node].debug_handle;

	if (!h || !h->count || of->form != ETC_HANDLES_INT || !of->count || x->looked_for > MOST)
		return -1;
	x->looked_for += h->count;
	for (uint32_t i = 0; i < h->count; i++)
		if (h->v[i] == of->v[0])
			return 1;
	return 0;
}

static enum etc_status find_writers(struct finder *f, struct index *x,
                                    const struct etc_program_method *m, struct etc_error *err)
{
	if (!x->writers)
		x->writers = etc_writers_find(m, f->arena);
	return x->writers ? ETC_OK : etc_no_memory(err);
}

/* Writes a conflict to `to` if the operands of the call are exchanged. Counts those that the record
 * may have from another node. */
static enum etc_status compare_order(struct finder *f, struct index *x,
                                     const struct etc_kernel_call *c, char *to, size_t room,
                                     struct etc_error *err)
{
	struct arguments in = { .count = 0 };
	struct etc_operands o = { .flow = c->flow,
		                  .inputs = c->call->inputs,
		                  .values = in.index,
		                  .is_node_of = is_node_in,
		                  .context = x };

	ETC_TRY(find_writers(f, x, c->method, err));
	o.writers = x->writers;
	for (uint32_t i = 0; i + 1 < c->args.count; i++)
		take_argument(&in, c->method, etc_i32_at(c->args, i));
	o.count = in.count;
	f->out->uncompared += !etc_operands_same(&o);
	if (o.inputs.count > 1 && etc_operands_have_order(c->node) && etc_operands_exchanged(&o))
		snprintf(to, room, "another order of operands");
	return ETC_OK;
}

/* Finds the method of the program together with its values; `*m` is NULL if it is unknown. */
static enum etc_status values_of(struct finder *f, struct etc_str method,
                                 const struct etc_program_method **m, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	enum etc_status st = ETC_OK;

	if (!f->valued && f->f->program->whole)
		f->whole = *f->f->program;
	else if (!f->valued && f->f->program_bytes.len)
		st = etc_program_read_whole(f->f->program_bytes, NULL, f->arena, &f->whole, &why);
	f->valued = true;
	*m = st == ETC_OK ? etc_program_method(&f->whole, method) : NULL;
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

/* Compares the arguments of a kernel call with the nodes of its handles: one of these nodes must
 * match. */
static enum etc_status compare_arguments(struct finder *f, struct index *x,
                                         const struct etc_handles *h, struct etc_str method,
                                         uint32_t instruction, struct etc_error *err)
{
	const struct etc_program_method *m;
	const struct etc_instruction *call;
	const char *what = NULL;
	char text[120];

	ETC_TRY(values_of(f, method, &m, err));
	call = m ? etc_program_instruction(m, 0, instruction) : NULL;
	if (!call || !m->value_count)
		return ETC_OK;
	ETC_TRY(read_flow(f, x, err));
	for (uint32_t i = 0; i < h->count && x->flow.whole; i++)
		for (uint32_t n = first_of(x, &h->v[i]); n != NONE; n = x->next[n]) {
			const struct etc_kernel_call k = { m,
				                           call->args,
				                           m->operators[call->index].text,
				                           &x->graph->nodes[n],
				                           &x->flow,
				                           &x->flow.calls[n] };

			if (!is_node_of(k.node, k.kernel))
				continue;
			what = differ_from_node(&x->flow, k.call, m, k.args, text, sizeof text);
			if (!what) {
				ETC_TRY(etc_arguments_compare(&k, f->arena, &f->read_arguments,
				                              text, sizeof text, err));
				if (!text[0])
					ETC_TRY(compare_order(f, x, &k, text, sizeof text, err));
				what = text[0] ? text : NULL;
			}
			if (!what)
				return ETC_OK;
		}
	if (what)
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "instruction %u has %s in program and record", instruction, what);
	return ETC_OK;
}

/* ---- places of weights ---------------------------------------------------------------------- */

static enum etc_status read_places(struct finder *f, struct index *x, struct etc_error *err)
{
	ETC_TRY(read_flow(f, x, err));
	if (x->places_asked || !x->flow.whole)
		return ETC_OK;
	x->places_asked = true;
	return etc_places_open(f->f->record_bytes, x->graph, &x->flow, f->f->weights_in.len != 0,
	                       f->arena, &x->places, err);
}

static struct etc_span program_file(const struct finder *f)
{
	return f->f->program_bytes.len ? f->f->program_bytes : f->f->weights_in;
}

/* Returns the bytes of a constant of a delegate. */
static struct etc_span constant_bytes(const struct finder *f, const struct etc_delegate_data *data)
{
	const struct etc_program *p = &f->whole;
	const struct etc_span file = program_file(f);

	if (!data->key.len)
		return data->bytes;
	for (uint32_t i = 0; i < p->named_count; i++) {
		const struct etc_segment *s = &p->segments[p->named_data[i].segment];

		if (etc_str_eq(p->named_data[i].key, data->key))
			return (struct etc_span){ file.ptr + p->segments_at + s->offset,
				                  (size_t)s->size };
	}
	return (struct etc_span){ NULL, 0 };
}

static uint64_t count_of(const uint32_t *sizes, uint32_t rank)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < rank; i++)
		if (__builtin_mul_overflow(n, (uint64_t)sizes[i], &n))
			return 0;
	return n;
}

/* Returns the constant `v` of a delegate, with its form in the program. */
static struct etc_placed placed(const struct finder *f, const struct etc_delegate_value *v)
{
	struct etc_placed p = { .bytes = constant_bytes(f, &v->data),
		                .elements = count_of(v->sizes, v->rank) };

	if (v->type == ETC_DELEGATE_QCINT4 || v->type == ETC_DELEGATE_QBINT4) {
		p.form = ETC_PLACED_NIBBLES;
		p.row = v->rank ? v->sizes[v->rank - 1] : 0;
	} else if (v->type == ETC_DELEGATE_QINT32 || v->type == ETC_DELEGATE_QCINT32) {
		p.form = ETC_PLACED_ROUNDED;
		p.scales = v->scaling.uniform
		                   ? (struct etc_span){ (const uint8_t *)&v->scaling.scale,
			                                sizeof v->scaling.scale }
		                   : constant_bytes(f, &v->scaling.scales);
	}
	return p;
}

/* Returns the scales of a constant of a delegate that are compared with a tensor of the record; no
 * bytes: it has none. Those of a bias are products of two other scales. */
static struct etc_placed placed_scales(const struct finder *f, const struct etc_delegate_value *v)
{
	const bool groups = v->type == ETC_DELEGATE_QBINT4;

	if (!groups && v->type != ETC_DELEGATE_QCINT8 && v->type != ETC_DELEGATE_QCINT4)
		return (struct etc_placed){ .elements = 0 };
	return (struct etc_placed){ .bytes = constant_bytes(f, &v->scaling.scales),
		                    .elements = v->scaling.bytes / (groups ? 2 : 4),
		                    .form = groups ? ETC_PLACED_BFLOAT16 : ETC_PLACED_AS_IS };
}

/* Returns the input of the record's product that is operand `k` (input, weights, bias) of the
 * delegate's product. */
static uint32_t product_input(const struct etc_node *n, uint32_t k)
{
	static const uint8_t addmm[] = { 1, 2, 0 }; /* addmm(bias, input, weights) */

	return k < sizeof addmm && etc_str_eq(etc_node_stem(n), ETC_STR("addmm")) ? addmm[k] : k;
}

/* Adds the weights that the record has for operand `k` of the delegate's node `n`. */
static void add_places(struct index *x, const struct etc_delegate_node *n, uint32_t k)
{
	bool product = false;

	etc_places_begin(x->places);
	for (uint32_t i = first_of(x, &n->handle); i != NONE; i = x->next[i])
		product |= etc_node_is_product(&x->graph->nodes[i]);
	product = product && n->kind == ETC_DELEGATE_PRODUCT;
	for (uint32_t i = first_of(x, &n->handle); i != NONE; i = x->next[i])
		if (!product)
			etc_places_add(x->places, i, ETC_PLACES_ANY);
		else if (etc_node_is_product(&x->graph->nodes[i]))
			etc_places_add(x->places, i, product_input(&x->graph->nodes[i], k));
}

/* Is the constant the fused weight of another convolution or of another normalisation than the one
 * that the record has at this handle? The constant is the weight of a convolution of the
 * delegate. */
static bool is_fused_otherwise(struct index *x, int64_t handle, const struct etc_placed *place)
{
	for (uint32_t n = first_of(x, &handle); n != NONE; n = x->next[n]) {
		const bool norm = x->flow.calls[n].normalises;
		uint32_t behind = norm ? n : node_behind(x, n);

		if ((!norm && !x->flow.calls[n].convolution) || behind == NONE)
			continue;
		return etc_places_fused_otherwise(x->places, norm ? NONE : n, behind, place);
	}
	return false;
}

/* Adds the weights of all nodes with these handles. */
static void add_all_places(struct index *x, const struct etc_handles *h)
{
	etc_places_begin(x->places);
	for (uint32_t i = 0; i < h->count; i++)
		for (uint32_t n = first_of(x, &h->v[i]); n != NONE; n = x->next[n])
			etc_places_add(x->places, n, ETC_PLACES_ANY);
}

/* Compares the constant that the delegate's node `n` has as operand `k`, and its scales, with the
 * weights that the record has there; if the node has no handle, with those of the partition `h`.
 * True: the record has it at another place. */
static bool is_elsewhere(struct finder *f, struct index *x, const struct etc_handles *h,
                         const struct etc_delegate_node *n, uint32_t k,
                         const struct etc_delegate_value *v)
{
	enum { FILTER = 1 };
	const struct etc_placed both[] = { placed(f, v), placed_scales(f, v) };

	f->out->uncompared += !n->handle || !x->places;
	for (uint32_t i = 0; i < 2 && x->places; i++) {
		enum etc_placed_answer answer;

		if (i == 1 && !both[i].elements)
			continue;
		if (n->handle)
			add_places(x, n, k);
		else
			add_all_places(x, h);
		answer = etc_places_compare(x->places, &both[i]);
		f->out->uncompared += answer == ETC_PLACED_UNKNOWN;
		if (answer == ETC_PLACED_ELSEWHERE)
			return true;
	}
	return x->places && n->handle && k == FILTER && n->is_convolution &&
	       v->type == ETC_DELEGATE_FLOAT32 && is_fused_otherwise(x, n->handle, &both[0]);
}

/* Reads the value that is operand `k` of the delegate's node. False: the operand is no constant. A
 * constant that several delegates take is an argument of their calls. */
static bool read_constant(const struct finder *f, const struct etc_program_method *m,
                          struct etc_numbers args, const struct etc_delegate_graph *blob,
                          uint32_t value, struct etc_delegate_value *out)
{
	struct etc_tensor_data_place data;
	const struct etc_evalue *argument;

	if (value == ETC_DELEGATE_NO_VALUE)
		return false;
	*out = blob->values[value];
	if (out->constant || out->argument >= args.count)
		return out->constant;
	argument = etc_value_at(m, etc_i32_at(args, out->argument));
	if (argument->kind != ETC_EVALUE_TENSOR ||
	    !etc_tensor_data_place(&f->whole, program_file(f), argument->tensor, &data))
		return false;
	out->data.bytes = data.bytes;
	return true;
}

/* Compares the constants of the delegate's nodes with the weights that the record has at the nodes'
 * debug handles. */
static enum etc_status compare_places(struct finder *f, const struct etc_delegate_graph *blob,
                                      struct index *x, const struct etc_handles *h,
                                      struct etc_str method, uint32_t instruction,
                                      struct etc_error *err)
{
	const struct etc_instruction *call;
	const struct etc_program_method *m;

	if (!program_file(f).len)
		return ETC_OK;
	ETC_TRY(values_of(f, method, &m, err));
	ETC_TRY(read_places(f, x, err));
	call = m ? etc_program_instruction(m, 0, instruction) : NULL;
	f->out->uncompared += !call;
	for (uint32_t i = 0; i < blob->count && call; i++) {
		const struct etc_delegate_operator *o = &blob->operators[i];

		for (uint32_t k = 0; k < o->input_count; k++) {
			struct etc_delegate_value v;

			if (!read_constant(f, m, call->args, blob, o->inputs[k], &v) ||
			    !is_elsewhere(f, x, h, &blob->nodes[i], k, &v))
				continue;
			if (blob->nodes[i].handle)
				snprintf(f->out->record_program, sizeof f->out->record_program,
				         "debug handle %lld has in the program a weight that the "
				         "record has at another place",
				         (long long)blob->nodes[i].handle);
			else
				snprintf(f->out->record_program, sizeof f->out->record_program,
				         "the delegate of instruction %u has in the program a "
				         "weight that the record has at another place",
				         instruction);
			return ETC_OK;
		}
	}
	return ETC_OK;
}

/* ---- products without debug handles ---------------------------------------------------------- */

/* Lists the products and batch normalisations of the record. False: out of memory. */
static bool list_products(const struct index *x, struct etc_arena *arena, struct etc_grow *to)
{
	for (uint32_t i = 0; i < x->graph->node_count; i++) {
		uint32_t *product = NULL;

		if (!etc_node_is_product(&x->graph->nodes[i]) && !x->flow.calls[i].normalises)
			continue;
		product = ETC_GROW(arena, to, uint32_t);
		if (!product)
			return false;
		*product = i;
	}
	return true;
}

/* Is the constant the weight of the record's product or normalisation `node`, as XNNPACK's exporter
 * dequantises or converts it? */
static bool is_made_of(struct index *x, uint32_t node, const struct etc_placed *place)
{
	enum { FILTER = 1 };

	if (x->flow.calls[node].normalises)
		return etc_places_normalises(x->places, node, place);
	return etc_places_dequantised(x->places, node,
	                              product_input(&x->graph->nodes[node], FILTER), place);
}

/* Returns the only one of the record's `products` that the constant is the weight of; NONE: there is
 * none, or several. */
static uint32_t product_of(struct index *x, const struct etc_grow *products,
                           const struct etc_placed *place)
{
	const uint32_t *nodes = products->items;
	uint32_t found = NONE;

	for (uint32_t i = 0; i < products->count; i++) {
		if (!is_made_of(x, nodes[i], place))
			continue;
		if (found != NONE)
			return NONE;
		found = nodes[i];
	}
	return found;
}

/* A delegate's product that has no debug handle can be one of several of the record. If XNNPACK's
 * exporter made it of quantised weights or a normalisation, the weights show which it is. It must be
 * of this delegate, and must not run before a product that it depends on in the record, as in a net
 * whose layers are exchanged. */
static enum etc_status compare_products(struct finder *f, const struct etc_delegate_graph *blob,
                                        struct index *x, uint32_t instruction,
                                        struct etc_error *err)
{
	enum { FILTER = 1 };
	struct etc_grow products = { 0 };
	uint32_t *ran = etc_new(f->arena, uint32_t, blob->count), count = 0;
	bool other = false;

	ETC_NEED(ran && (!x->places || list_products(x, f->arena, &products)), err);
	for (uint32_t i = 0; i < blob->count && products.count; i++) {
		const struct etc_delegate_operator *o = &blob->operators[i];
		const uint32_t filter =
			o->input_count > FILTER ? o->inputs[FILTER] : ETC_DELEGATE_NO_VALUE;
		const struct etc_delegate_value *v;
		struct etc_placed place;

		if (blob->nodes[i].kind != ETC_DELEGATE_PRODUCT || blob->nodes[i].handle ||
		    filter == ETC_DELEGATE_NO_VALUE)
			continue;
		v = &blob->values[filter];
		if (!v->constant || v->type != ETC_DELEGATE_FLOAT32)
			continue;
		place = placed(f, v);
		ran[count] = product_of(x, &products, &place);
		if (ran[count] == NONE)
			continue;
		other = other || is_node_in(x, ran[count], instruction) == 0;
		for (uint32_t k = 0; k < count && !other; k++)
			other = etc_places_depends(x->places, ran[k], ran[count]);
		count++;
	}
	if (other)
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "the delegate of instruction %u has in the program a weight that the "
		         "record has at another place",
		         instruction);
	return ETC_OK;
}

/* ---- scales of quantised values --------------------------------------------------------------- */

/* Is the value quantised with a scale and zero point that are known when the model is exported? */
static bool has_scale(const struct etc_delegate_graph *blob, uint32_t value)
{
	return value != ETC_DELEGATE_NO_VALUE && blob->values[value].scaling.uniform &&
	       blob->values[value].type != ETC_DELEGATE_QINT32;
}

/* Compares the quantisation of a value with that of the record, which has the value as result or
 * as input of the nodes with this handle. */
static bool is_scaled_otherwise(struct finder *f, struct index *x, int64_t handle, bool result,
                                const struct etc_delegate_value *v)
{
	enum etc_scales_answer answer;

	etc_scales_begin(x->scales);
	for (uint32_t n = first_of(x, &handle); n != NONE; n = x->next[n])
		etc_scales_add(x->scales, n, result);
	answer = etc_scales_compare(x->scales, v->scaling.scale, v->scaling.zero_point);
	f->out->uncompared += answer == ETC_SCALES_UNKNOWN;
	return answer == ETC_SCALES_OTHER;
}

static enum etc_status compare_scales(struct finder *f, const struct etc_delegate_graph *blob,
                                      struct index *x, struct etc_error *err)
{
	if (!blob->quantised)
		return ETC_OK;
	ETC_TRY(read_flow(f, x, err));
	if (!x->scales && x->flow.whole)
		ETC_TRY(etc_scales_open(x->graph, &x->flow, f->arena, &x->scales, err));
	for (uint32_t i = 0; i < blob->count && x->scales; i++) {
		const struct etc_delegate_operator *o = &blob->operators[i];
		const int64_t handle = blob->nodes[i].handle;
		bool other = handle && has_scale(blob, o->output) &&
		             is_scaled_otherwise(f, x, handle, true, &blob->values[o->output]);

		for (uint32_t k = 0; k < o->input_count && handle && !other; k++)
			other = has_scale(blob, o->inputs[k]) &&
			        is_scaled_otherwise(f, x, handle, false,
			                            &blob->values[o->inputs[k]]);
		if (!other)
			continue;
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "debug handle %lld has another quantisation in the program than in the "
		         "record",
		         (long long)handle);
		return ETC_OK;
	}
	return ETC_OK;
}

/* ---- arguments of a delegate's nodes ----------------------------------------------------------- */

/* Sets `to` to the two numbers of an argument: a list of two, or of one that counts twice. False: the
 * argument is not among `args`, or is an empty list. */
static bool get_pair(const struct etc_graph_arguments *args, struct etc_str name, int64_t *to)
{
	for (uint32_t i = 0; i < args->count; i++) {
		const struct etc_graph_argument *a = &args->v[i];

		if (!etc_str_eq(a->name, name) || a->count == 0 || a->count > 2)
			continue;
		for (uint32_t k = 0; k < 2; k++)
			to[k] = a->numbers[a->count == 2 ? k : 0].integer;
		return true;
	}
	return false;
}

/* Does the pooling of the record have the numbers of the delegate's pooling? */
static bool is_pooling(const struct etc_graph_arguments *args,
                       const struct etc_delegate_operator *o)
{
	enum { TOP, RIGHT, BOTTOM, LEFT, STRIDE = 6, DILATION = 8, NUMBERS = 10 };
	int64_t window[2] = { 0 }, stride[2], padding[2] = { 0 }, dilation[2] = { 1, 1 };
	const uint32_t *n = o->numbers[0].v;
	bool same =
		o->numbers[0].count == NUMBERS && get_pair(args, ETC_STR("kernel_size"), window);

	memcpy(stride, window, sizeof stride);
	(void)get_pair(args, ETC_STR("stride"), stride);
	(void)get_pair(args, ETC_STR("padding"), padding);
	(void)get_pair(args, ETC_STR("dilation"), dilation);
	for (unsigned i = 0; i < 2 && same; i++)
		same = o->window[i] == window[i] && n[STRIDE + i] == stride[i] &&
		       (n[DILATION + i] == dilation[i] || n[DILATION + i] == 0);
	return same && n[TOP] == padding[0] && n[BOTTOM] == padding[0] && n[LEFT] == padding[1] &&
	       n[RIGHT] == padding[1];
}

static bool is_permutation(const struct etc_graph_arguments *args,
                           const struct etc_delegate_operator *o)
{
	const struct etc_delegate_numbers *n = &o->numbers[0];

	for (uint32_t i = 0; i < args->count; i++) {
		const struct etc_graph_argument *a = &args->v[i];
		bool same = etc_str_eq(a->name, ETC_STR("dims")) && a->count == n->count;

		for (uint32_t k = 0; k < n->count && same; k++) {
			const int64_t dim = a->numbers[k].integer;

			same = n->v[k] == (dim < 0 ? dim + n->count : dim);
		}
		if (same)
			return true;
	}
	return false;
}

/* Sets `*same` if all arguments of the delegate's node are compared, or it has none. */
static enum etc_status compare_numbers(struct finder *f, struct index *x,
                                       const struct etc_delegate_node *n,
                                       const struct etc_delegate_operator *o, bool *same,
                                       struct etc_error *err)
{
	static const uint8_t others[] = { ETC_XNODE_PAD,  ETC_XNODE_RESIZE, ETC_XNODE_ARGMAX_POOL,
		                          ETC_XNODE_CAT2, ETC_XNODE_CAT3,   ETC_XNODE_CAT4,
		                          ETC_XNODE_CAT5, ETC_XNODE_SLICE,  ETC_XNODE_ATTENTION };
	const bool pool = o->kind == ETC_XNODE_MAX_POOL || o->kind == ETC_XNODE_AVG_POOL;

	*same = !n->handle || (!pool && o->kind != ETC_XNODE_TRANSPOSE);
	for (size_t i = 0; i < sizeof others && n->handle; i++)
		*same = *same && others[i] != o->kind;
	for (uint32_t k = first_of(x, &n->handle); k != NONE && !*same && x->flow.whole;
	     k = x->next[k]) {
		struct etc_graph_arguments args;

		ETC_TRY(etc_graph_arguments_read(x->flow.calls[k].json, f->arena, &args, err));
		*same = pool ? is_pooling(&args, o)
		             : o->kind == ETC_XNODE_TRANSPOSE && is_permutation(&args, o);
	}
	return ETC_OK;
}

/* Sets `*other` if the record's node has another slope of a leaky ReLU, or alpha of an ELU. */
static enum etc_status compare_factor(struct finder *f, const struct etc_graph_call *call,
                                      const struct etc_delegate_operator *o, bool *other,
                                      struct etc_error *err)
{
	const bool leaky = o->kind == ETC_XNODE_LEAKY_RELU;
	const struct etc_str name = leaky ? ETC_STR("negative_slope") : ETC_STR("alpha");
	struct etc_graph_arguments args;
	double factor = leaky ? 0.01 : 1;

	ETC_TRY(etc_graph_arguments_read(call->json, f->arena, &args, err));
	for (uint32_t i = 0; i < args.count; i++)
		if (args.v[i].kind == ETC_GRAPH_ARGUMENT_NUMBER && args.v[i].numbers->known &&
		    etc_str_eq(args.v[i].name, name))
			factor = args.v[i].numbers->whole ? (double)args.v[i].numbers->integer
			                                  : args.v[i].numbers->real;
	*other = args.whole && (float)factor != o->factor;
	return ETC_OK;
}

static enum etc_status compare_factors(struct finder *f, const struct etc_delegate_graph *blob,
                                       struct index *x, struct etc_error *err)
{
	ETC_TRY(read_flow(f, x, err));
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		bool other = false, same;

		ETC_TRY(compare_numbers(f, x, n, &blob->operators[i], &same, err));
		f->out->uncompared += !same;
		if (!n->handle ||
		    (n->kind != ETC_DELEGATE_LEAKY_RELU && n->kind != ETC_DELEGATE_ELU))
			continue;
		for (uint32_t k = first_of(x, &n->handle); k != NONE && x->flow.whole;
		     k = x->next[k])
			if (kind_of_node(&x->graph->nodes[k]) == n->kind)
				ETC_TRY(compare_factor(f, &x->flow.calls[k], &blob->operators[i],
				                       &other, err));
		if (!other)
			continue;
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "debug handle %lld has another %s in the program than in the record",
		         (long long)n->handle, n->kind == ETC_DELEGATE_ELU ? "alpha" : "slope");
		return ETC_OK;
	}
	return ETC_OK;
}

/* ---- operands of a delegate's nodes ------------------------------------------------------------ */

struct wires {
	struct index *x;
	const struct etc_delegate_graph *blob;
	uint32_t instruction;
	struct etc_map handles; /* of the delegate's nodes */
	uint32_t *maker;        /* for each value of the blob: the node that returns it, or NONE */
	const struct etc_program_method *method;
	struct etc_numbers args; /* of the delegate's call */
	/* instruction that writes the operand, if it comes from outside of the delegate */
	uint32_t writer;
	bool limited; /* the node that returns the operand also limits it, as a fused ReLU does */
	uint64_t steps;
};

/* Does the value of the record come from the node with handle `from`, or, if that is 0, from outside
 * of the delegate? Follows nodes that the delegate does not have. `limited`: one of them limits. */
static bool comes_from(struct wires *w, uint32_t value, int64_t from, bool limited, unsigned depth)
{
	enum { DEEPEST = 16, STEPS = 1 << 22 };
	const struct index *x = w->x;
	const uint32_t maker = value == NONE ? NONE : x->flow.maker[value];
	const struct etc_handles *h = maker == NONE ? NULL : &x->graph->nodes[maker].debug_handle;
	struct etc_graph_tensors in;
	int in_partition;

	if (maker == NONE)
		return from == 0 && w->writer == ETC_WRITER_NONE;
	if (depth == DEEPEST || ++w->steps > STEPS || h->form != ETC_HANDLES_INT || !h->count)
		return false;
	in_partition = is_node_in(w->x, maker, w->instruction);
	if (in_partition != 1)
		return in_partition == 0 && from == 0 && w->writer < ETC_WRITER_UNKNOWN &&
		       is_node_in(w->x, maker, w->writer) == 1;
	limited = limited || x->flow.calls[maker].clamps;
	if (h->v[0] == from && limited == w->limited)
		return true;
	if (!etc_node_quantises(&x->graph->nodes[maker]) &&
	    etc_map_get(&w->handles, etc_map_number(h->v)) != ETC_MAP_NONE)
		return false;
	in = x->flow.calls[maker].inputs;
	for (uint32_t i = 0; i < in.count; i++)
		if (comes_from(w, x->flow.tensors[in.first + i].value, from, limited, depth + 1))
			return true;
	return false;
}

/* Returns the handle of the node that returns the value of the blob. 0: it comes from outside of the
 * delegate, from instruction w->writer. Skips nodes without a handle that have one operand. */
static int64_t source(struct wires *w, uint32_t value, bool *known)
{
	enum { LONGEST = 16 };

	*known = true;
	for (unsigned i = 0; i < LONGEST; i++) {
		const uint32_t maker = w->maker[value];

		if (maker == NONE) {
			const uint32_t argument = w->blob->values[value].argument;
			const int64_t v =
				argument < w->args.count ? etc_i32_at(w->args, argument) : -1;

			*known = v >= 0 && v < w->method->value_count;
			w->writer = *known ? w->x->writers[v] : ETC_WRITER_UNKNOWN;
			return 0;
		}
		w->limited = w->blob->nodes[maker].limited;
		if (w->blob->nodes[maker].handle)
			return w->blob->nodes[maker].handle;
		if (w->blob->operators[maker].input_count != 1 ||
		    w->blob->operators[maker].inputs[0] == ETC_DELEGATE_NO_VALUE)
			break;
		value = w->blob->operators[maker].inputs[0];
	}
	*known = false;
	return 0;
}

/* Does one of the record's nodes with the handle of node `n` have operand `k` from the same node as
 * in the delegate? */
static bool same_source(struct wires *w, uint32_t n, uint32_t k)
{
	const struct etc_delegate_node *node = &w->blob->nodes[n];
	const struct etc_delegate_operator *o = &w->blob->operators[n];
	const bool ordered = o->kind == ETC_XNODE_SUBTRACT || o->kind == ETC_XNODE_DIVIDE ||
	                     o->kind == ETC_XNODE_BMM;
	bool known;
	const int64_t from = source(w, o->inputs[k], &known);

	for (uint32_t i = first_of(w->x, &node->handle); known && i != NONE; i = w->x->next[i]) {
		const struct etc_graph_tensors in = w->x->flow.calls[i].inputs;

		if (ordered && kind_of_node(&w->x->graph->nodes[i]) != node->kind)
			continue;
		for (uint32_t t = 0; t < in.count; t++)
			if ((!ordered || t == k) &&
			    comes_from(w, w->x->flow.tensors[in.first + t].value, from, false, 0))
				return true;
	}
	return false;
}

/* Counts the operands of the delegate's nodes for which the record may have another source, as if
 * the operands of a subtraction were exchanged. */
static enum etc_status compare_wires(struct finder *f, const struct etc_delegate_graph *blob,
                                     struct index *x, struct etc_str method, uint32_t instruction,
                                     struct etc_error *err)
{
	struct wires w = { .x = x,
		           .blob = blob,
		           .instruction = instruction,
		           .maker = etc_new(f->arena, uint32_t, blob->value_count) };
	const struct etc_instruction *call;

	ETC_NEED(w.maker, err);
	ETC_TRY(values_of(f, method, &w.method, err));
	call = w.method ? etc_program_instruction(w.method, 0, instruction) : NULL;
	if (!x->flow.whole || !call || !w.method->value_count)
		return ETC_OK;
	w.args = call->args;
	ETC_TRY(find_writers(f, x, w.method, err));
	etc_map_init(&w.handles, f->arena);
	for (uint32_t i = 0; i < blob->value_count; i++)
		w.maker[i] = NONE;
	for (uint32_t i = 0; i < blob->count; i++) {
		if (blob->operators[i].output != ETC_DELEGATE_NO_VALUE)
			w.maker[blob->operators[i].output] = i;
		if (etc_map_add(&w.handles, etc_map_number(&blob->nodes[i].handle), i) ==
		    ETC_MAP_NONE)
			return etc_no_memory(err);
	}
	for (uint32_t i = 0; i < blob->count; i++)
		for (uint32_t k = 0; k < blob->operators[i].input_count; k++) {
			const uint32_t v = blob->operators[i].inputs[k];

			if (blob->nodes[i].handle && v != ETC_DELEGATE_NO_VALUE &&
			    !blob->values[v].constant)
				f->out->uncompared += !same_source(&w, i, k);
		}
	return ETC_OK;
}

/* ---- places of kernels' arguments ------------------------------------------------------------- */

/* Returns the only node of the handles that the kernel can be; NONE: there is none, or several. */
static uint32_t node_of_kernel(const struct index *x, const struct etc_handles *h,
                               struct etc_str kernel)
{
	uint32_t found = NONE;

	for (uint32_t i = 0; i < h->count; i++)
		for (uint32_t n = first_of(x, &h->v[i]); n != NONE; n = x->next[n]) {
			if (!is_node_of(&x->graph->nodes[n], kernel))
				continue;
			if (found != NONE && found != n)
				return NONE;
			found = n;
		}
	return found;
}

/* Compares constant argument `i` of an instruction with the weights that the record has there.
 * `node`: the record's node; NONE: unknown, any of those with the instruction's handles. */
static enum etc_placed_answer compare_argument(struct index *x, const struct etc_handles *h,
                                               uint32_t node, uint32_t i,
                                               const struct etc_placed *place)
{
	if (!x->places)
		return ETC_PLACED_UNKNOWN;
	etc_places_begin(x->places);
	if (node != NONE)
		etc_places_add(x->places, node, i);
	else
		add_all_places(x, h);
	return etc_places_compare(x->places, place);
}

/* Compares the constants that a kernel takes as arguments with the weights that the record has at
 * its debug handles. `h` is NULL if the record does not list the instruction. */
static enum etc_status compare_argument_places(struct finder *f, struct index *x,
                                               const struct etc_handles *h, struct etc_str method,
                                               const struct etc_instruction *call, uint32_t number,
                                               struct etc_error *err)
{
	const struct etc_program_method *m;
	struct arguments in = { .count = 0 };
	uint32_t node = NONE;

	if (!program_file(f).len)
		return ETC_OK;
	ETC_TRY(values_of(f, method, &m, err));
	f->out->uncompared += !m || !m->value_count;
	if (!m || !m->value_count)
		return ETC_OK;
	ETC_TRY(read_places(f, x, err));
	for (uint32_t i = 0; i < call->args.count; i++)
		take_argument(&in, m, etc_i32_at(call->args, i));
	f->out->uncompared += in.more;
	if (h && x->flow.whole)
		node = node_of_kernel(x, h, m->operators[call->index].text);
	for (uint32_t i = 0; i < in.count; i++) {
		enum etc_placed_answer answer = ETC_PLACED_UNKNOWN;
		struct etc_tensor_data_place data;
		struct etc_placed place;

		if (!etc_tensor_data_place(&f->whole, program_file(f), in.v[i], &data))
			continue;
		place = (struct etc_placed){
			.bytes = data.bytes,
			.elements = data.bytes.len / etc_scalar_type(in.v[i]->scalar_type)->bytes
		};
		if (h)
			answer = compare_argument(x, h, node, i, &place);
		f->out->uncompared += answer == ETC_PLACED_UNKNOWN;
		if (answer != ETC_PLACED_ELSEWHERE)
			continue;
		snprintf(f->out->record_program, sizeof f->out->record_program,
		         "instruction %u has in the program a weight that the record has at "
		         "another place",
		         number);
		return ETC_OK;
	}
	return ETC_OK;
}

/* Compares the blob of the delegate that instruction `i` calls with the record's nodes. */
static enum etc_status compare_delegate(struct finder *f, struct index *x,
                                        const struct etc_handles *h,
                                        const struct etc_program_method *m, uint32_t i,
                                        struct etc_error *err)
{
	const struct etc_program_delegate *d = &m->delegates[m->chains[0].instructions[i].index];
	char *to = f->out->record_program;
	struct etc_delegate_graph blob;
	struct contents a, b;
	const char *what;
	char text[120];
	bool read = false;

	if (h && x->whole && d->processed.len)
		ETC_TRY(etc_delegate_graph_read_whole(d->processed, f->arena, &blob, &read, err));
	f->out->uncompared += !read;
	if (!read)
		return ETC_OK;
	a = of_blob(&blob);
	ETC_TRY(find_bits(f, x, &a, err));
	ETC_NEED(compare_nodes(f, x, h, &blob, i) && of_handles(x, h, &b, f->arena), err);
	what = to[0] ? NULL : differ(&a, &b, text, sizeof text);
	if (what)
		snprintf(to, sizeof f->out->record_program,
		         "the delegate of instruction %u has %s in program and record", i, what);
	if (!to[0])
		ETC_TRY(compare_constants(f, &blob, x, i, err));
	if (!to[0])
		ETC_TRY(compare_layers(f, &blob, x, err));
	if (!to[0])
		ETC_TRY(compare_limits(f, &blob, x, err));
	if (!to[0])
		ETC_TRY(compare_places(f, &blob, x, h, m->name, i, err));
	if (!to[0])
		ETC_TRY(compare_products(f, &blob, x, i, err));
	if (!to[0])
		ETC_TRY(compare_scales(f, &blob, x, err));
	if (!to[0])
		ETC_TRY(compare_factors(f, &blob, x, err));
	if (!to[0])
		ETC_TRY(compare_wires(f, &blob, x, m->name, i, err));
	return ETC_OK;
}

static enum etc_status compare_method(struct finder *f, const struct etc_method_maps *maps,
                                      const struct etc_program_method *m, struct etc_error *err)
{
	struct index *x;
	char *to = f->out->record_program;
	uint32_t here;

	ETC_NEED(index_of(f, maps, &x), err);
	f->out->uncompared += !x || m->chain_count != 1;
	for (uint32_t i = 0; x && m->chain_count && i < m->chains[0].count && !to[0]; i++) {
		const struct etc_instruction *n = &m->chains[0].instructions[i];
		const bool kernel = n->kind == ETC_INSTRUCTION_KERNEL;
		const struct etc_handles *h = handles_of(x, i);

		if (!kernel && n->kind != ETC_INSTRUCTION_DELEGATE)
			continue;
		if (h && kernel)
			compare_operator(x, i, m->operators[n->index].text, "in the program", to,
			                 sizeof f->out->record_program);
		if (h && kernel && !to[0])
			ETC_TRY(compare_arguments(f, x, h, m->name, i, err));
		if (kernel && !to[0])
			ETC_TRY(compare_argument_places(f, x, h, m->name, n, i, err));
		f->out->lowered |= x->lowered && !kernel;
		if (!kernel && !to[0])
			ETC_TRY(compare_delegate(f, x, h, m, i, err));
	}
	if (x)
		ETC_TRY(read_places(f, x, err));
	f->out->uncompared += x && !x->flow.whole;
	if (x && x->places) {
		f->out->weights += etc_places_count(x->places, &here);
		f->out->weights_found += here;
	}
	return ETC_OK;
}

enum etc_status etc_conflicts_find(const struct etc_together_files *files,
                                   struct etc_arena *scratch, struct etc_conflicts *out,
                                   struct etc_error *err)
{
	const struct etc_record *r = files->record;
	struct finder f = { .f = files, .arena = scratch, .out = out };

	*out = (struct etc_conflicts){ 0 };
	if (r) {
		f.methods = etc_new(scratch, struct index, r->method_count);
		ETC_NEED(f.methods, err);
	}
	if (files->trace)
		ETC_TRY(compare_dump(&f, err));
	for (uint32_t i = 0; r && files->program && i < r->method_count; i++) {
		const struct etc_program_method *m =
			etc_program_method(files->program, r->methods[i].method);

		if (m)
			ETC_TRY(compare_method(&f, &r->methods[i], m, err));
	}
	return ETC_OK;
}
