/* contents.c -- see contents.h */
#include "join/contents.h"

#include <stdio.h>

#include "base/grow.h"
#include "base/map.h"
#include "join/builtin_name.h"
#include "join/operator_stem.h"
#include "model/xnode.h"

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

uint8_t etc_node_delegate_kind(const struct etc_node *n)
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

bool etc_node_quantises_products(const struct etc_node *n)
{
	struct etc_str op = etc_node_stem(n);

	return etc_node_quantises(n) && (etc_str_starts(op, ETC_STR("dequantize_per_channel")) ||
	                                 etc_str_starts(op, ETC_STR("choose_qparams")));
}

bool etc_node_quantises_values(const struct etc_node *n)
{
	struct etc_str op = etc_node_stem(n);

	return etc_node_quantises(n) && (etc_str_starts(op, ETC_STR("quantize")) ||
	                                 etc_str_starts(op, ETC_STR("choose_qparams")));
}

bool etc_node_quantises_per_channel(const struct etc_node *n)
{
	return etc_node_quantises(n) &&
	       etc_str_starts(etc_node_stem(n), ETC_STR("dequantize_per_channel"));
}

/* ---- contents of a delegate ---------------------------------------------------------- */

/* The sort of an operator: for a product (a matrix multiplication or convolution) one of these, for
 * any other operator its enum etc_delegate_kind. */
enum { LINEAR = ETC_DELEGATE_KINDS, CONVOLUTION, DECONVOLUTION, MATRICES, SORTS };

/* Returns the kind of an event's operator. Squares, roots and negations have no kind here, because
 * an event of a square, for example, does not prove that the graph has a square: XNNPACK also runs
 * x * x as a square. */
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

/* Counts a product. The name of its event shows how its weights are quantised. "(NC, QS8" means
 * one scale for all weights, "(NC, QS8, QC8W" and "(NHWC, QC8" mean one scale per channel.
 * Dynamic and float operators follow other rules. */
static void add_product(struct etc_delegate_calls *c, struct etc_str op, struct etc_str types)
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
static bool add_event(struct etc_delegate_calls *c, struct etc_str name, struct etc_arena *arena)
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

/* Adds one event of the delegate, called `name`, to the counts in `c`. False: out of memory. */
static bool add_delegate_event(struct etc_delegate_calls *c, struct etc_str name,
                               struct etc_arena *arena)
{
	c->ids++;
	c->ordinals += etc_name_has_ordinal(name);
	return !etc_builtin_named(name) || add_event(c, name, arena);
}

struct etc_delegate_calls *etc_delegate_calls_find(const struct etc_template *template,
                                                   struct etc_arena *arena, uint32_t *count)
{
	struct etc_delegate_calls *calls =
		etc_new(arena, struct etc_delegate_calls, template->count);
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
			} else if (!add_delegate_event(&calls[k], etc_event_delegate_name(e),
			                               arena)) {
				return NULL;
			}
		}
	*count = (uint32_t)n;
	return calls;
}

void etc_delegate_calls_backend(const struct etc_delegate_calls *c, struct etc_str backend,
                                const char *file, char *to, size_t room)
{
	if (c->ids && !c->ordinals && etc_builtin_of(backend) && !to[0])
		snprintf(to, room,
		         "the delegate of instruction %d is of " ETC_STR_FMT
		         " in the %s, and none of its %u events in the dump is named as there",
		         (int)c->event->instruction_id, ETC_STR_ARG(backend), file,
		         (unsigned)c->ids);
}

bool etc_delegate_calls_divide(struct etc_delegate_calls *c)
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

const char *etc_contents_differ(const struct etc_contents *a, const struct etc_contents *b,
                                char *to, size_t room)
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
static void count_bits(const struct etc_delegate_graph *g, struct etc_contents *c)
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

bool etc_delegate_calls_in_order(const struct etc_delegate_calls *c,
                                 const struct etc_delegate_graph *g)
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

struct etc_contents etc_contents_of_blob(const struct etc_delegate_graph *g)
{
	struct etc_contents c = { .quantised = g->quantised,
		                  .values = g->quantised,
		                  .dynamic = g->dynamic };

	for (uint32_t i = 0; i < g->count; i++)
		if (g->nodes[i].kind < ETC_DELEGATE_KINDS)
			c.most[g->nodes[i].kind] = ++c.least[g->nodes[i].kind];
	c.surely = g->quantised_constants && c.least[ETC_DELEGATE_PRODUCT];
	count_bits(g, &c);
	return c;
}

const char *etc_delegate_kind_name(uint8_t kind)
{
	return kind_names[kind];
}
