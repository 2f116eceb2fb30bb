/* graph_flow.c -- see graph_flow.h. */
#include "formats/etrecord/graph_flow.h"

#include "formats/etrecord/etrecord_reader.h"

#include <math.h>
#include <stdalign.h>

#include "base/number.h"

static bool member(struct etc_json_iter *it, const char *name, struct etc_json_value *v)
{
	struct etc_str key;

	while (etc_json_next(it, &key, v))
		if (etc_str_eq(key, etc_str_of(name)))
			return true;
	return false;
}

struct reader {
	struct etc_json *doc;
	struct etc_arena *arena;
	const struct etc_graph *graph;
	struct etc_graph_flow *out;
	struct etc_map names;    /* name of a value -> index in `values` */
	struct etc_grow values;  /* struct etc_graph_tensor */
	struct etc_grow tensors; /* struct etc_graph_tensor of calls */
	struct etc_graph_call *calls;
	bool nomem;
};

/* ---- values ---------------------------------------------------------------------------- */

/* {"expr_str": "s77 + 1", ...} */
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

/* {"as_int": 8}, {"as_expr": {...}}; -1: dynamic, or unreadable. */
static int64_t read_size(const struct etc_json_value *v, struct etc_str *expression)
{
	struct etc_json_iter it;
	int64_t n = -1;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return -1;
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("as_expr")))
			*expression = read_expression(&it.value);
		else if (etc_str_eq(it.key, ETC_STR("as_int")) &&
		         etc_json_type(&it.value) == ETC_JSON_INT &&
		         (!etc_json_int(it.value.raw, &n) || n < 0))
			n = -1;
	}
	return n;
}

static void read_sizes(struct reader *r, const struct etc_json_value *v, struct etc_graph_tensor *t)
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
			*n = read_size(&it.value, &expression);
		fixed = fixed && n && *n >= 0;
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

/* Converts a number of exir/serde/schema.py to the program's, which is smaller by one, where
 * both enums agree. */
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

/* {"dtype": 7, "sizes": [...], ...} */
static struct etc_graph_tensor read_tensor(struct reader *r, const struct etc_json_value *v)
{
	struct etc_graph_tensor t = { .value = r->values.count, .type = -1 };
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return t;
	while (etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("sizes")))
			read_sizes(r, &it.value, &t);
		else if (etc_str_eq(it.key, ETC_STR("dtype")))
			t.type = read_type(&it.value);
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

/* Enters a member of graph_module.graph; false: missing. */
static bool enter_graph(struct reader *r, const char *name, struct etc_json_iter *it)
{
	struct etc_json_value root, module, graph, values;
	struct etc_json_iter in_root, in_module, in_graph;

	etc_json_root(r->doc, &root);
	return etc_json_enter(&root, &in_root) && member(&in_root, "graph_module", &module) &&
	       etc_json_enter(&module, &in_module) && member(&in_module, "graph", &graph) &&
	       etc_json_enter(&graph, &in_graph) && member(&in_graph, name, &values) &&
	       etc_json_enter(&values, it);
}

static bool read_values(struct reader *r)
{
	struct etc_json_iter it;

	if (!enter_graph(r, "tensor_values", &it))
		return false;
	while (!r->nomem && etc_json_more(&it)) {
		struct etc_graph_tensor t = read_tensor(r, &it.value);
		struct etc_graph_tensor *to =
			ETC_GROW(r->arena, &r->values, struct etc_graph_tensor);
		uint64_t n;
		struct etc_str number = { (const char *)&n, sizeof n };

		r->nomem |= !to ||
		            etc_map_intern(&r->names, it.key, r->values.count - 1) == ETC_MAP_NONE;
		if (to)
			*to = t;
		if (etc_graph_elements(&t, &n))
			r->nomem |= etc_map_intern(&r->out->elements, number, 0) == ETC_MAP_NONE;
	}
	return !etc_json_failed(r->doc);
}

/* ---- nodes ----------------------------------------------------------------------------- */

static void add_tensor(struct reader *r, struct etc_str name)
{
	struct etc_graph_tensor *to = ETC_GROW(r->arena, &r->tensors, struct etc_graph_tensor);
	const struct etc_graph_tensor *values = r->values.items;
	size_t at = etc_map_get(&r->names, name);

	r->nomem |= !to;
	if (to)
		*to = at == ETC_MAP_NONE
		              ? (struct etc_graph_tensor){ .value = UINT32_MAX, .type = -1 }
		              : values[at];
}

static bool holds_tensors(struct etc_str key)
{
	return key.len == 0 || etc_str_starts(key, ETC_STR("as_tensor")) ||
	       etc_str_starts(key, ETC_STR("as_optional_tensor")) ||
	       etc_str_starts(key, ETC_STR("as_nested_tensor"));
}

/* Reads tensors, {"name": "x"}, from {"as_tensor": {"name": "x"}} or from lists of such;
 * `*none`: the argument is None. */
static void read_argument(struct reader *r, const struct etc_json_value *v, unsigned depth,
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
			add_tensor(r, etc_json_inside(it.value.raw));
		else if (depth == 0 && type != ETC_JSON_NULL &&
		         etc_str_eq(it.key, ETC_STR("as_none")))
			*none = true;
	}
}

/* Records the tensors from index `first` on as inputs of node `node`. */
static void add_takes(struct reader *r, uint32_t first, uint64_t node)
{
	const struct etc_graph_tensor *tensors = r->tensors.items;

	for (uint32_t i = first; i < r->tensors.count && !r->nomem; i++) {
		struct etc_node_takes takes = { .node = node };
		struct etc_str key = { (const char *)&takes, sizeof takes };

		if (etc_graph_elements(&tensors[i], &takes.elements))
			r->nomem = etc_map_intern(&r->out->takes, key, 0) == ETC_MAP_NONE;
	}
}

/* Sets the limits of ReLU, Hardtanh and clamp to their defaults, which arguments may replace. */
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

/* Reads {"as_float": 6.0}; None leaves the limit unchanged. */
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
		return n == count;
	default:
		return false;
	}
}

/* Reads {"as_ints": [1, 1]}, {"as_int": 1}, {"as_bool": false}; all -1 if there are not `count`
 * numbers. */
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

/* If `op` is a convolution: a new, empty struct for it; else NULL. */
static struct etc_convolution *new_convolution(struct reader *r, struct etc_str op)
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

/* Reads {"name": "weight", "arg": ...}; the input of a layer is not one of its constants. */
static void read_input(struct reader *r, const struct etc_json_value *v, uint64_t node,
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
		    etc_json_type(&it.value) == ETC_JSON_STRING)
			name = etc_json_inside(it.value.raw);
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
		if (name.len == 0) /* argument without a name */
			call->low = call->high = NAN;
	}
	call->nones += none;
	if (!etc_str_eq(name, ETC_STR("input")) && !etc_str_eq(name, ETC_STR("self")) &&
	    !etc_str_eq(name, ETC_STR("mat1")))
		add_takes(r, first, node);
}

static void read_node(struct reader *r, const struct etc_json_value *v, uint64_t node,
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

static bool read_nodes(struct reader *r)
{
	struct etc_json_iter it;
	uint32_t at = 0;

	if (!enter_graph(r, "nodes", &it))
		return false;
	for (uint64_t i = 0; !r->nomem && etc_json_more(&it); i++) {
		struct etc_graph_call other = { 0 };
		bool here = at < r->graph->node_count && r->graph->nodes[at].index == i;
		struct etc_graph_call *call = here ? &r->calls[at] : &other;
		struct etc_convolution *convolution = NULL;

		if (here) {
			set_limits(call, r->graph->nodes[at].op);
			convolution = new_convolution(r, r->graph->nodes[at].op);
		}
		call->convolution = convolution;
		read_node(r, &it.value, i, call, convolution);
		at += here;
	}
	return !etc_json_failed(r->doc);
}

static bool find_behind(struct reader *r)
{
	const struct etc_graph_tensor *tensors = r->tensors.items;
	uint32_t *behind = etc_new(r->arena, uint32_t, r->values.count);

	r->out->behind = behind;
	r->nomem |= !behind;
	if (!behind)
		return false;
	for (uint32_t i = 0; i < r->values.count; i++)
		behind[i] = UINT32_MAX;
	for (uint32_t i = 0; i < r->graph->node_count; i++) {
		const struct etc_graph_call *c = &r->calls[i];
		bool asked = (c->clamps || c->normalises) && c->inputs.count;
		uint32_t value = asked ? tensors[c->inputs.first].value : UINT32_MAX;

		if (value != UINT32_MAX)
			behind[value] = i;
	}
	return true;
}

enum etc_status etc_graph_flow_read(const struct etc_zip *zip, const struct etc_graph *graph,
                                    struct etc_arena *arena, struct etc_graph_flow *out,
                                    struct etc_error *err)
{
	const struct etc_zip_entry *entry = etc_zip_find(zip, graph->name);
	struct reader r = { .arena = arena, .graph = graph, .out = out };
	struct etc_zip_data data;
	enum etc_status st;

	*out = (struct etc_graph_flow){ 0 };
	etc_map_init(&out->elements, arena);
	etc_map_init(&out->takes, arena);
	etc_map_init(&r.names, arena);
	r.calls = etc_new(arena, struct etc_graph_call, graph->node_count);
	r.nomem = !r.calls;
	if (!entry)
		return ETC_OK;
	st = etc_zip_read(zip, entry, 0, arena, &data, err);
	if (st == ETC_OK)
		st = etc_json_open((struct etc_str){ (const char *)data.bytes.ptr, data.bytes.len },
		                   data.room, arena, &r.doc, err);
	if (st == ETC_OK)
		out->whole = !r.nomem && read_values(&r) && read_nodes(&r) && find_behind(&r);
	etc_json_close(r.doc);
	if (r.nomem || st == ETC_NOMEM)
		return etc_no_memory(err);
	out->calls = r.calls;
	out->tensors = r.tensors.items;
	return ETC_OK;
}
