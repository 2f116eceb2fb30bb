/* graph_flow.c -- see graph_flow.h. */
#include "formats/etrecord/graph_flow.h"

#include "formats/etrecord/etrecord_reader.h"
#include "formats/etrecord/graph_arguments.h"

#include <math.h>
#include <stdalign.h>

#include "base/number.h"

enum { NAME_OF_TENSOR = 1, MARKS = 64, TENSORS = 64 };

/* What is equal in all similar nodes: nodes whose JSON differs only in scalars (etc_json_like()).
 * The tensors are numbered relative to the node's first tensor. */
struct like {
	struct etc_graph_call call;
	/* bit i: tensor i is an input of the node, but not its main input (struct taken) */
	uint64_t takes;
};

/* A tensor that a node takes as an argument other than its main argument, which is called input,
 * self or mat1. */
struct taken {
	uint64_t node;
	uint32_t tensor;
};

struct etc_flow_reader {
	struct etc_arena *arena;
	struct etc_map names;   /* maps the name of a value to its index in `values` */
	struct etc_grow values; /* struct etc_graph_tensor: the values of the graph */
	/* uint32_t: the tensors of all calls, as indices in `values` */
	struct etc_grow tensors;
	struct etc_grow calls;  /* struct etc_graph_call */
	struct etc_grow taken;  /* struct taken */
	struct etc_map weights; /* as in struct etc_graph_flow */
	/* uint32_t: the user's inputs and outputs, as indices in `values`; UINT32_MAX: not a
	 * tensor */
	struct etc_grow inputs, outputs;
	struct etc_grow bounds; /* struct etc_graph_bound */
	bool has_nodes, has_values;
	bool broken; /* a part is damaged */
	bool nomem;
	/* Nodes and tensors that were read before. A node or tensor that is similar to one of these
	 * is skipped instead of walked (etc_json_like()). */
	struct etc_json_likes nodes, metas;
	struct like like[ETC_JSON_LIKES];
	struct etc_graph_tensor meta[ETC_JSON_LIKES];
	/* the scalars of the current node or tensor whose counterparts are read from similar nodes
	 * or tensors (struct etc_json_mark) */
	struct etc_json_mark marks[MARKS];
	uint32_t mark_count;
	bool unlike; /* the current node or tensor must not be remembered for similar ones */
};

static void mark(struct etc_flow_reader *r, uint32_t name, const struct etc_json_value *v)
{
	if (r->mark_count == MARKS)
		r->unlike = true;
	else
		r->marks[r->mark_count++] = (struct etc_json_mark){ v->at, name };
}

static void begin(struct etc_flow_reader *r)
{
	r->mark_count = 0;
	r->unlike = false;
}

/* Called after `v` was read. If `v` is damaged, marks the flow as incomplete, and resets the
 * document to its state directly after `v` was entered, so that the caller's own walk finds and
 * reports the damage. */
static void settle(struct etc_flow_reader *r, const struct etc_json_value *v)
{
	struct etc_json_iter again;

	if (!etc_json_failed(v->doc))
		return;
	r->broken = true;
	etc_json_forgive(v->doc);
	etc_json_enter(v, &again);
}

/* ---- values ---------------------------------------------------------------------------- */

/* Reads the expression of {"expr_str": "s77 + 1", ...}. */
static struct etc_str read_expression(const struct etc_json_value *v)
{
	struct etc_str text = { 0 };
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return text;
	while (etc_json_more(&it))
		if (etc_str_eq(it.key, ETC_STR("expr_str")) &&
		    etc_json_type(&it.value) == ETC_JSON_STRING)
			text = etc_json_inside(it.value.raw);
	return text;
}

/* Reads the size from {"as_int": 8} or {"as_expr": {...}}; -1: dynamic, or unreadable. */
static int64_t read_size(struct etc_flow_reader *r, const struct etc_json_value *v,
                         struct etc_str *expression)
{
	struct etc_json_iter it;
	int64_t n = -1;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return -1;
	while (etc_json_more(&it)) {
		mark(r, ETC_JSON_SAME, &it.value);
		if (etc_str_eq(it.key, ETC_STR("as_expr")))
			*expression = read_expression(&it.value);
		else if (etc_str_eq(it.key, ETC_STR("as_int")) &&
		         etc_json_type(&it.value) == ETC_JSON_INT &&
		         (!etc_json_int(it.value.raw, &n) || n < 0))
			n = -1;
	}
	return n;
}

static void read_sizes(struct etc_flow_reader *r, const struct etc_json_value *v,
                       struct etc_graph_tensor *t)
{
	struct etc_grow sizes = { 0 }, expressions = { 0 };
	struct etc_json_iter it;
	bool fixed = true;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_more(&it)) {
		int64_t *n = ETC_GROW(r->arena, &sizes, int64_t);
		struct etc_str expression = { 0 }, *last = &expression;

		if (n)
			*n = read_size(r, &it.value, &expression);
		fixed = fixed && n && *n >= 0;
		r->unlike |= !fixed;
		while (!fixed && last && expressions.count < sizes.count)
			last = ETC_GROW(r->arena, &expressions, struct etc_str);
		r->nomem = !n || !last;
		if (!r->nomem)
			*last = expression;
	}
	t->sizes = sizes.items;
	t->expressions = expressions.items;
	t->rank = sizes.count;
	t->known = true;
}

/* Converts a ScalarType of exir/serde/schema.py to the program's code for the type
 * (etc_scalar_type()). Most codes of the program are smaller by one than those of the ScalarType,
 * but not BFLOAT16. -1: another type. */
static int8_t read_type(const struct etc_json_value *v)
{
	enum { DOUBLE = 8, BOOL = 12, BFLOAT16 = 13, OF_PROGRAM = 15 };
	int64_t n;

	if (etc_json_type(v) != ETC_JSON_INT || !etc_json_int(v->raw, &n))
		return -1;
	if (n == BFLOAT16)
		return OF_PROGRAM;
	return (n >= 1 && n <= DOUBLE) || n == BOOL ? (int8_t)(n - 1) : -1;
}

/* Reads the metadata of a tensor, {"dtype": 7, "sizes": [...], ...}. */
static struct etc_graph_tensor read_tensor(struct etc_flow_reader *r,
                                           const struct etc_json_value *v)
{
	struct etc_graph_tensor t = { .value = UINT32_MAX, .type = -1 };
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return t;
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("sizes")))
			read_sizes(r, &it.value, &t);
		else if (etc_str_eq(it.key, ETC_STR("dtype"))) {
			mark(r, ETC_JSON_SAME, &it.value);
			t.type = read_type(&it.value);
		}
	}
	return t;
}

bool etc_graph_elements(const struct etc_graph_tensor *t, uint64_t *elements)
{
	bool fixed = t->known;

	*elements = 1;
	for (uint32_t i = 0; i < t->rank && fixed; i++)
		fixed = t->sizes[i] >= 0 &&
		        !__builtin_mul_overflow(*elements, (uint64_t)t->sizes[i], elements);
	return fixed;
}

/* Returns the index of the value called `name`, which is added if it is new. UINT32_MAX: out of
 * memory. */
static uint32_t value_of(struct etc_flow_reader *r, struct etc_str name)
{
	size_t at = etc_map_add(&r->names, name, r->values.count);
	struct etc_graph_tensor *t;

	r->nomem |= at == ETC_MAP_NONE;
	if (at == r->values.count) {
		t = ETC_GROW(r->arena, &r->values, struct etc_graph_tensor);
		r->nomem |= !t;
		if (t)
			*t = (struct etc_graph_tensor){ .value = UINT32_MAX, .type = -1 };
	}
	return r->nomem ? UINT32_MAX : (uint32_t)at;
}

void etc_flow_values(struct etc_flow_reader *r, const struct etc_json_value *v)
{
	struct etc_graph_tensor *values;
	struct etc_json_iter it;

	if (r->broken || etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	r->has_values = true;
	while (!r->nomem && etc_json_more(&it)) {
		uint32_t value = value_of(r, it.key), at = etc_json_like(&r->metas, &it.value);
		struct etc_graph_tensor t;

		if (at < ETC_JSON_LIKES) {
			t = r->meta[at];
		} else {
			begin(r);
			t = read_tensor(r, &it.value);
			if (t.known && !r->unlike)
				at = etc_json_learn(&r->metas, &it.value, r->marks, r->mark_count);
			if (at < ETC_JSON_LIKES)
				r->meta[at] = t;
		}
		values = r->values.items;
		t.value = value;
		if (!r->nomem)
			values[value] = t;
	}
	settle(r, v);
}

/* ---- nodes ----------------------------------------------------------------------------- */

static void add_tensor(struct etc_flow_reader *r, struct etc_str name)
{
	uint32_t *to = ETC_GROW(r->arena, &r->tensors, uint32_t);

	r->nomem |= !to;
	if (to)
		*to = value_of(r, name);
}

static bool holds_tensors(struct etc_str key)
{
	return key.len == 0 || etc_str_starts(key, ETC_STR("as_tensor")) ||
	       etc_str_starts(key, ETC_STR("as_optional_tensor")) ||
	       etc_str_starts(key, ETC_STR("as_nested_tensor"));
}

/* Reads the tensors of an argument: {"as_tensor": {"name": "x"}}, or lists of these. Sets `*none`
 * if the argument is None. */
static void read_argument(struct etc_flow_reader *r, const struct etc_json_value *v, unsigned depth,
                          bool *none)
{
	enum { DEEPEST = 6 };
	struct etc_json_iter it;

	if (depth == DEEPEST || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_more(&it)) {
		enum etc_json_type type = etc_json_type(&it.value);

		if ((type == ETC_JSON_OBJECT || type == ETC_JSON_ARRAY) && holds_tensors(it.key))
			read_argument(r, &it.value, depth + 1, none);
		else if (type == ETC_JSON_STRING && etc_str_eq(it.key, ETC_STR("name")))
			mark(r, NAME_OF_TENSOR, &it.value),
				add_tensor(r, etc_json_inside(it.value.raw));
		else if (depth == 0 && type != ETC_JSON_NULL &&
		         etc_str_eq(it.key, ETC_STR("as_none")))
			*none = true;
	}
}

/* Adds a struct taken: `node` takes the tensor as an argument other than its main argument. */
static void take(struct etc_flow_reader *r, uint32_t tensor, uint64_t node)
{
	struct taken *t = ETC_GROW(r->arena, &r->taken, struct taken);

	r->nomem |= !t;
	if (t)
		*t = (struct taken){ node, tensor };
}

/* Records whether the call clamps or normalises. Sets the limits of ReLU, Hardtanh and clamp to
 * their defaults; arguments that are read later replace these. */
static void set_limits(struct etc_graph_call *call, struct etc_str op)
{
	bool tanh = etc_str_eq(op, ETC_STR("aten.hardtanh.default"));
	bool relu = etc_str_eq(op, ETC_STR("aten.relu.default"));

	call->clamps = tanh || relu || etc_str_eq(op, ETC_STR("aten.clamp.default"));
	call->normalises =
		etc_str_eq(op, ETC_STR("aten._native_batch_norm_legit_no_training.default"));
	call->low = tanh ? -1.0f : relu ? 0.0f : -INFINITY;
	call->high = tanh ? 1.0f : INFINITY;
}

/* Reads a limit such as {"as_float": 6.0}. If it is None, `*to` is not changed. */
static void read_limit(const struct etc_json_value *v, float *to)
{
	struct etc_json_iter it;
	double n;

	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it))
		if (etc_json_type(&it.value) != ETC_JSON_NULL &&
		    !etc_str_eq(it.key, ETC_STR("as_none")))
			*to = etc_number_parse(it.value.raw, &n) ? (float)n : NAN;
}

static bool to_ints(const struct etc_json_value *v, int64_t *to, uint32_t count)
{
	struct etc_json_iter it;
	uint32_t n = 0;

	switch (etc_json_type(v)) {
	case ETC_JSON_INT:
		return count == 1 && etc_json_int(v->raw, to);
	case ETC_JSON_TRUE:
	case ETC_JSON_FALSE:
		*to = etc_json_type(v) == ETC_JSON_TRUE;
		return count == 1;
	case ETC_JSON_ARRAY:
		if (!etc_json_enter(v, &it))
			return false;
		for (; etc_json_more(&it); n++)
			if (n == count || etc_json_type(&it.value) != ETC_JSON_INT ||
			    !etc_json_int(it.value.raw, &to[n]))
				return false;
		for (uint32_t i = 1; i < count && n == 1; i++)
			to[i] = -1;
		return n == count || n == 1;
	default:
		return false;
	}
}

/* Reads {"as_ints": [1, 1]}, {"as_int": 1} or {"as_bool": false} into `to`. If there are not
 * `count` numbers, sets all numbers in `to` to -1, with one exception: a list of one number sets
 * only to[0], because the stride of a convolution, for example, may be one number for its only
 * dimension or for both dimensions. */
static void read_ints(const struct etc_json_value *v, int64_t *to, uint32_t count)
{
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it))
		if (etc_json_type(&it.value) != ETC_JSON_NULL && !to_ints(&it.value, to, count))
			for (uint32_t i = 0; i < count; i++)
				to[i] = -1;
}

static void read_convolution(const struct etc_json_value *v, struct etc_str name,
                             struct etc_convolution *c)
{
	if (etc_str_eq(name, ETC_STR("stride")))
		read_ints(v, c->stride, 2);
	else if (etc_str_eq(name, ETC_STR("padding")))
		read_ints(v, c->padding, 2);
	else if (etc_str_eq(name, ETC_STR("dilation")))
		read_ints(v, c->dilation, 2);
	else if (etc_str_eq(name, ETC_STR("groups")))
		read_ints(v, &c->groups, 1);
	else if (etc_str_eq(name, ETC_STR("transposed")))
		read_ints(v, &c->transposed, 1);
}

static bool read_flag(const struct etc_json_value *v)
{
	int64_t flag = 0;

	read_ints(v, &flag, 1);
	return flag == 1;
}

/* Returns a new struct with all numbers unknown (-1) if `op` is a convolution; else NULL. */
static struct etc_convolution *new_convolution(struct etc_flow_reader *r, struct etc_str op)
{
	struct etc_convolution *c;

	if (!etc_str_eq(op, ETC_STR("aten.convolution.default")))
		return NULL;
	c = etc_new(r->arena, struct etc_convolution, 1);
	r->nomem |= !c;
	if (c)
		*c = (struct etc_convolution){ { -1, -1 }, { -1, -1 }, { -1, -1 }, -1, -1 };
	return c;
}

static float *limit_of(struct etc_graph_call *call, struct etc_str name)
{
	if (etc_str_eq(name, ETC_STR("min")) || etc_str_eq(name, ETC_STR("min_val")))
		return &call->low;
	if (etc_str_eq(name, ETC_STR("max")) || etc_str_eq(name, ETC_STR("max_val")))
		return &call->high;
	return NULL;
}

/* Reads an argument of a call, {"name": "weight", "arg": ...}. If the argument is not the main
 * input, its tensors are recorded with take(). */
static void read_input(struct etc_flow_reader *r, const struct etc_json_value *v, uint64_t node,
                       struct etc_graph_call *call, struct etc_convolution *convolution)
{
	uint32_t first = r->tensors.count;
	struct etc_str name = { 0 };
	struct etc_json_iter it;
	bool none = false;
	float *limit;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("name")) &&
		    etc_json_type(&it.value) == ETC_JSON_STRING) {
			mark(r, ETC_JSON_SAME, &it.value);
			name = etc_json_inside(it.value.raw);
		}
		if (!etc_str_eq(it.key, ETC_STR("arg")) ||
		    etc_json_type(&it.value) != ETC_JSON_OBJECT)
			continue;
		limit = call->clamps ? limit_of(call, name) : NULL;
		if (limit)
			read_limit(&it.value, limit);
		else
			read_argument(r, &it.value, 0, &none);
		if (convolution)
			read_convolution(&it.value, name, convolution);
		if (etc_str_eq(name, ETC_STR("accumulate")))
			call->accumulates = read_flag(&it.value);
		/* an argument without a name may be a limit of the node's range, so these limits
		 * count as unknown */
		if (name.len == 0)
			call->low = call->high = NAN;
	}
	call->nones += none;
	if (!etc_str_eq(name, ETC_STR("input")) && !etc_str_eq(name, ETC_STR("self")) &&
	    !etc_str_eq(name, ETC_STR("mat1")))
		for (; first < r->tensors.count && !r->nomem; first++)
			take(r, first, node);
}

static void read_node(struct etc_flow_reader *r, const struct etc_json_value *v, uint64_t node,
                      struct etc_graph_call *call, struct etc_convolution *convolution)
{
	struct etc_json_value list, item;
	struct etc_json_iter it, items;
	struct etc_str key;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_next(&it, &key, &list)) {
		bool inputs = etc_str_eq(key, ETC_STR("inputs")), none;
		struct etc_graph_tensors *to = inputs ? &call->inputs : &call->outputs;

		if (etc_str_eq(key, ETC_STR("target")))
			mark(r, ETC_JSON_SAME, &list);
		if ((!inputs && !etc_str_eq(key, ETC_STR("outputs"))) ||
		    etc_json_type(&list) != ETC_JSON_ARRAY || !etc_json_enter(&list, &items))
			continue;
		to->first = r->tensors.count;
		while (!r->nomem && etc_json_next(&items, &key, &item)) {
			if (inputs)
				read_input(r, &item, node, call, convolution);
			else if (etc_json_type(&item) == ETC_JSON_OBJECT)
				read_argument(r, &item, 0, &none);
		}
		to->count = r->tensors.count - to->first;
	}
}

/* Reads a node that is similar to remembered node number `at`, by reading only its scalars. */
static void read_like(struct etc_flow_reader *r, const struct etc_json_value *v, uint32_t at,
                      uint64_t node, struct etc_graph_call *call)
{
	const struct etc_json_known *known = &r->nodes.known[at];
	const uint32_t first = r->tensors.count;

	*call = r->like[at].call;
	call->inputs.first += first;
	call->outputs.first += first;
	for (uint32_t i = 0; i < known->count && !r->nomem; i++) {
		if (known->holes[i].mark != NAME_OF_TENSOR)
			continue;
		if (r->like[at].takes >> (r->tensors.count - first) & 1)
			take(r, r->tensors.count, node);
		add_tensor(r, etc_json_inside(etc_json_in_hole(v, &known->holes[i]).raw));
	}
}

/* Remembers a node that was just walked, for similar nodes. `first` and `taken` are the lengths of
 * r->tensors and r->taken before the node. A convolution, or a node that limits values to a range,
 * is not remembered: the numbers that are read from it may differ in similar nodes. */
static void learn(struct etc_flow_reader *r, const struct etc_json_value *v,
                  const struct etc_graph_call *call, uint32_t first, uint32_t taken)
{
	const struct taken *t = r->taken.items;
	struct like like = { .call = *call };
	uint32_t at;

	if (r->unlike || r->nomem || call->clamps || call->convolution ||
	    r->tensors.count - first > TENSORS)
		return;
	for (; taken < r->taken.count; taken++)
		like.takes |= (uint64_t)1 << (t[taken].tensor - first);
	like.call.inputs.first -= call->inputs.count ? first : 0;
	like.call.outputs.first -= call->outputs.count ? first : 0;
	at = etc_json_learn(&r->nodes, v, r->marks, r->mark_count);
	if (at < ETC_JSON_LIKES)
		r->like[at] = like;
}

void etc_flow_node(struct etc_flow_reader *r, const struct etc_json_value *v, uint64_t index,
                   const struct etc_node *node)
{
	const uint32_t first = r->tensors.count, taken = r->taken.count;
	struct etc_graph_call other = { 0 }, *call = &other;
	uint32_t at;

	if (r->broken || r->nomem)
		return;
	if (node)
		call = ETC_GROW(r->arena, &r->calls, struct etc_graph_call);
	r->nomem |= !call;
	if (!call)
		return;
	at = etc_json_like(&r->nodes, v);
	if (at < ETC_JSON_LIKES) {
		read_like(r, v, at, index, call);
		return;
	}
	if (node) {
		set_limits(call, node->op);
		call->convolution = new_convolution(r, node->op);
	}
	begin(r);
	read_node(r, v, index, call, (struct etc_convolution *)(uintptr_t)call->convolution);
	learn(r, v, call, first, taken);
	settle(r, v);
}

/* ---- the whole graph ------------------------------------------------------------------- */

/* Returns an array that has UINT32_MAX for each value; NULL: out of memory. */
static uint32_t *none_of_each(const struct etc_flow_reader *r)
{
	uint32_t *v = etc_new(r->arena, uint32_t, r->values.count);

	for (uint32_t i = 0; v && i < r->values.count; i++)
		v[i] = UINT32_MAX;
	return v;
}

static bool find_behind(struct etc_flow_reader *r, struct etc_graph_flow *out)
{
	const struct etc_graph_call *calls = r->calls.items;
	uint32_t *behind = none_of_each(r);

	out->behind = behind;
	for (uint32_t i = 0; behind && i < r->calls.count; i++) {
		const struct etc_graph_call *c = &calls[i];
		bool asked = (c->clamps || c->normalises) && c->inputs.count;
		uint32_t value = asked ? out->tensors[c->inputs.first].value : UINT32_MAX;

		if (value != UINT32_MAX)
			behind[value] = i;
	}
	return behind != NULL;
}

static bool find_makers(const struct etc_flow_reader *r, struct etc_graph_flow *out)
{
	const struct etc_graph_call *calls = r->calls.items;
	uint32_t *maker = none_of_each(r);

	out->maker = maker;
	for (uint32_t i = 0; maker && i < r->calls.count; i++)
		for (uint32_t k = 0; k < calls[i].outputs.count; k++) {
			uint32_t value = out->tensors[calls[i].outputs.first + k].value;

			if (value != UINT32_MAX)
				maker[value] = i;
		}
	return maker != NULL;
}

static bool find_inputs(const struct etc_flow_reader *r, struct etc_graph_flow *out)
{
	const uint32_t *inputs = r->inputs.items;
	uint32_t *at = none_of_each(r);

	out->input = at;
	out->input_count = r->inputs.count;
	for (uint32_t i = 0; at && i < r->inputs.count; i++)
		if (inputs[i] != UINT32_MAX)
			at[inputs[i]] = i;
	return at != NULL;
}

/* Fills out->elements and out->takes, which only etc_graph_flow_read() returns. */
static bool index_sizes(const struct etc_flow_reader *r, struct etc_graph_flow *out)
{
	const struct etc_graph_tensor *values = r->values.items;
	const struct taken *taken = r->taken.items;
	bool ok = true;

	for (uint32_t i = 0; i < r->values.count && ok; i++) {
		uint64_t n;
		struct etc_str key = { (const char *)&n, sizeof n };

		if (etc_graph_elements(&values[i], &n))
			ok = etc_map_intern(&out->elements, key, 0) != ETC_MAP_NONE;
	}
	for (uint32_t i = 0; i < r->taken.count && ok; i++) {
		struct etc_node_takes takes = { .node = taken[i].node };
		struct etc_str key = { (const char *)&takes, sizeof takes };

		if (etc_graph_elements(&out->tensors[taken[i].tensor], &takes.elements))
			ok = etc_map_intern(&out->takes, key, 0) != ETC_MAP_NONE;
	}
	return ok;
}

struct etc_flow_reader *etc_flow_begin(struct etc_arena *arena)
{
	struct etc_flow_reader *r = etc_new(arena, struct etc_flow_reader, 1);

	if (!r)
		return NULL;
	r->arena = r->nodes.arena = r->metas.arena = arena;
	etc_map_init(&r->names, arena);
	etc_map_init(&r->weights, arena);
	return r;
}

void etc_flow_nodes(struct etc_flow_reader *r)
{
	r->has_nodes = true;
	r->calls = r->tensors = r->taken = (struct etc_grow){ 0 };
}

/* Writes the tensors of the user's inputs, or of the user's outputs, to `to`. `list` has their
 * indices (r->inputs or r->outputs). */
static void copy_of_user(const struct etc_flow_reader *r, const struct etc_grow *list,
                         struct etc_graph_tensor *to)
{
	const struct etc_graph_tensor *values = r->values.items;
	const uint32_t *index = list->items;

	for (uint32_t i = 0; i < list->count; i++)
		to[i] = index[i] == UINT32_MAX
		                ? (struct etc_graph_tensor){ .value = UINT32_MAX, .type = -1 }
		                : values[index[i]];
}

bool etc_flow_end(struct etc_flow_reader *r, struct etc_graph_flow *out)
{
	const uint32_t count = r->tensors.count + r->outputs.count + r->inputs.count;
	struct etc_graph_tensor *tensors = etc_new(r->arena, struct etc_graph_tensor, count);
	const struct etc_graph_tensor *values = r->values.items;
	const uint32_t *value = r->tensors.items;

	*out = (struct etc_graph_flow){ .whole = r->has_nodes && r->has_values && !r->broken };
	etc_map_init(&out->elements, r->arena);
	etc_map_init(&out->takes, r->arena);
	r->nomem |= !tensors;
	for (uint32_t i = 0; i < r->tensors.count && !r->nomem; i++)
		tensors[i] = values[value[i]];
	out->outputs = (struct etc_graph_tensors){ r->tensors.count, r->outputs.count };
	out->inputs =
		(struct etc_graph_tensors){ r->tensors.count + r->outputs.count, r->inputs.count };
	if (!r->nomem) {
		copy_of_user(r, &r->outputs, tensors + out->outputs.first);
		copy_of_user(r, &r->inputs, tensors + out->inputs.first);
	}
	out->bounds = r->bounds.items;
	out->bound_count = r->bounds.count;
	out->calls = r->calls.items;
	out->tensors = tensors;
	out->weights = r->weights;
	out->value_count = r->values.count;
	return !r->nomem && find_behind(r, out);
}

/* Stores the JSON text `v` of the node in the call that was added last, if ETC_GRAPH_NODE_ROOM
 * readable bytes follow the text. */
static void keep_text(struct etc_flow_reader *r, const struct etc_json_value *v)
{
	struct etc_graph_call *calls = r->calls.items;
	struct etc_str text = etc_json_through(v);

	if (!r->nomem && !r->broken && text.len > 1 &&
	    etc_json_rest(v) >= text.len + ETC_GRAPH_NODE_ROOM)
		calls[r->calls.count - 1].json = text;
}

static void walk_nodes(struct etc_flow_reader *r, const struct etc_graph *graph,
                       const struct etc_json_value *v)
{
	struct etc_json_iter it;
	uint32_t at = 0;

	etc_flow_nodes(r);
	if (!etc_json_enter(v, &it))
		return;
	for (uint64_t i = 0; !r->nomem && etc_json_more(&it); i++) {
		bool here = at < graph->node_count && graph->nodes[at].index == i;

		etc_flow_node(r, &it.value, i, here ? &graph->nodes[at] : NULL);
		if (here)
			keep_text(r, &it.value);
		at += here;
	}
}

/* Reads the name in {"name": "p_a_weight"} or {"as_tensor": {"name": "x"}}; empty: there is
 * none. */
static struct etc_str read_name(const struct etc_json_value *v, unsigned depth)
{
	struct etc_str name = { 0 };
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return name;
	while (etc_json_more(&it))
		if (depth == 0 && etc_str_eq(it.key, ETC_STR("as_tensor")))
			name = read_name(&it.value, 1);
		else if (etc_str_eq(it.key, ETC_STR("name")) &&
		         etc_json_type(&it.value) == ETC_JSON_STRING)
			name = etc_json_inside(it.value.raw);
	return name;
}

static void add_of_user(struct etc_flow_reader *r, struct etc_grow *list, struct etc_str name)
{
	uint32_t *to = ETC_GROW(r->arena, list, uint32_t);

	r->nomem |= !to;
	if (to)
		*to = name.len ? value_of(r, name) : UINT32_MAX;
}

/* Reads the description of an input, {"parameter": {"arg": {"name": "p_a_weight"},
 * "parameter_name": "a.weight"}} or {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}, or
 * that of an output. Adds inputs and outputs of the user to `of_user`. */
static void read_spec(struct etc_flow_reader *r, const struct etc_json_value *v,
                      struct etc_grow *of_user)
{
	struct etc_json_iter kind, it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &kind))
		return;
	while (!r->nomem && etc_json_more(&kind)) {
		struct etc_str weight = { 0 }, value = { 0 };

		if (etc_json_type(&kind.value) != ETC_JSON_OBJECT ||
		    !etc_json_enter(&kind.value, &it))
			continue;
		while (etc_json_more(&it))
			if (etc_str_ends(it.key, ETC_STR("_name")) &&
			    etc_json_type(&it.value) == ETC_JSON_STRING)
				weight = etc_json_inside(it.value.raw);
			else if (etc_str_eq(it.key, ETC_STR("arg")))
				value = read_name(&it.value, 0);
		if (etc_str_eq(kind.key, ETC_STR("user_input")) ||
		    etc_str_eq(kind.key, ETC_STR("constant_input")) ||
		    etc_str_eq(kind.key, ETC_STR("user_output")))
			add_of_user(r, of_user, value);
		else if (weight.len && value.len && of_user == &r->inputs)
			r->nomem |= etc_map_add(&r->weights, weight, value_of(r, value)) ==
			            ETC_MAP_NONE;
	}
}

/* Reads graph_module.signature: which values stand for weights, and which are the user's inputs
 * and outputs. */
static void read_signature(struct etc_flow_reader *r, const struct etc_json_value *v)
{
	struct etc_json_iter it, list;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_more(&it)) {
		struct etc_grow *of_user = etc_str_eq(it.key, ETC_STR("input_specs")) ? &r->inputs
		                           : etc_str_eq(it.key, ETC_STR("output_specs"))
		                                   ? &r->outputs
		                                   : NULL;

		if (!of_user || etc_json_type(&it.value) != ETC_JSON_ARRAY ||
		    !etc_json_enter(&it.value, &list))
			continue;
		while (!r->nomem && etc_json_more(&list))
			read_spec(r, &list.value, of_user);
	}
}

/* Reads {"s77": {"min_val": 2, "max_val": 64}}. A symbol without a largest value is left out. */
static void read_bounds(struct etc_flow_reader *r, const struct etc_json_value *v)
{
	struct etc_json_iter it, range;
	struct etc_graph_bound *to;
	int64_t largest;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_more(&it)) {
		const struct etc_str symbol = it.key;

		if (etc_json_type(&it.value) != ETC_JSON_OBJECT ||
		    !etc_json_enter(&it.value, &range))
			continue;
		while (!r->nomem && etc_json_more(&range)) {
			if (!etc_str_eq(range.key, ETC_STR("max_val")) ||
			    etc_json_type(&range.value) != ETC_JSON_INT ||
			    !etc_json_int(range.value.raw, &largest) || largest < 0)
				continue;
			to = ETC_GROW(r->arena, &r->bounds, struct etc_graph_bound);
			r->nomem = !to;
			if (to)
				*to = (struct etc_graph_bound){ symbol, (uint64_t)largest };
		}
	}
}

/* Walks from the root (depth 0) through the members graph_module and graph to the nodes and the
 * table of values. */
static void walk(struct etc_flow_reader *r, const struct etc_graph *graph,
                 const struct etc_json_value *v, unsigned depth)
{
	static const struct etc_str way[] = { { "graph_module", 12 }, { "graph", 5 } };
	enum { GRAPH = sizeof way / sizeof *way };
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_more(&it)) {
		if (depth < GRAPH && etc_str_eq(it.key, way[depth]))
			walk(r, graph, &it.value, depth + 1);
		else if (depth == 0 && etc_str_eq(it.key, ETC_STR("range_constraints")))
			read_bounds(r, &it.value);
		else if (depth == 1 && etc_str_eq(it.key, ETC_STR("signature")))
			read_signature(r, &it.value);
		else if (depth == GRAPH && etc_str_eq(it.key, ETC_STR("nodes")))
			walk_nodes(r, graph, &it.value);
		else if (depth == GRAPH && etc_str_eq(it.key, ETC_STR("tensor_values")))
			etc_flow_values(r, &it.value);
	}
}

enum etc_status etc_graph_flow_read(const struct etc_zip *zip, const struct etc_graph *graph,
                                    struct etc_arena *arena, struct etc_graph_flow *out,
                                    struct etc_error *err)
{
	const struct etc_zip_entry *entry = etc_zip_find(zip, graph->name);
	struct etc_flow_reader *r = etc_flow_begin(arena);
	struct etc_json *doc = NULL;
	struct etc_json_value root;
	struct etc_zip_data data;
	enum etc_status st;
	bool ok = true;

	*out = (struct etc_graph_flow){ 0 };
	ETC_NEED(r, err);
	if (!entry)
		return ETC_OK;
	st = etc_zip_read(zip, entry, 0, arena, &data, err);
	if (st == ETC_OK)
		st = etc_json_open_long(
			(struct etc_str){ (const char *)data.bytes.ptr, data.bytes.len }, data.room,
			arena, &doc, err);
	if (st == ETC_OK) {
		etc_json_root(doc, &root);
		walk(r, graph, &root, 0);
		r->broken |= etc_json_check(doc, err) != ETC_OK;
		ok = etc_flow_end(r, out) && index_sizes(r, out) && find_makers(r, out) &&
		     find_inputs(r, out);
	}
	etc_json_close(doc);
	return ok && st != ETC_NOMEM ? ETC_OK : etc_no_memory(err);
}
