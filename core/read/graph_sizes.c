/* graph_sizes.c -- see graph_sizes.h */
#include "read/graph_sizes.h"

#include "read/json.h"

static bool member(struct etc_json_iter *it, const char *name, struct etc_json_value *v)
{
	struct etc_str key;

	while (etc_json_next(it, &key, v))
		if (etc_str_eq(key, etc_str_of(name)))
			return true;
	return false;
}

/* {"as_int": 8}; false: of no fixed size. */
static bool read_size(const struct etc_json_value *v, uint64_t *n)
{
	struct etc_json_value size;
	struct etc_json_iter it;
	struct etc_str key;
	bool fixed = false;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return false;
	while (etc_json_next(&it, &key, &size)) {
		uint64_t part = 0;

		if (!etc_str_eq(key, ETC_STR("as_int")) || etc_json_type(&size) != ETC_JSON_INT)
			continue;
		fixed = true;
		for (size_t i = 0; i < size.raw.len && fixed; i++)
			fixed = size.raw.ptr[i] >= '0' && size.raw.ptr[i] <= '9' &&
			        !__builtin_mul_overflow(part, 10, &part) &&
			        !__builtin_add_overflow(part, (uint64_t)(size.raw.ptr[i] - '0'),
			                                &part);
		fixed = fixed && !__builtin_mul_overflow(*n, part, n);
	}
	return fixed;
}

/* {"dtype": 7, "sizes": [...], ...} */
static bool read_tensor(const struct etc_json_value *v, uint64_t *n)
{
	struct etc_json_value sizes, item;
	struct etc_json_iter it, list;
	struct etc_str key;
	bool found = false;

	*n = 1;
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return false;
	while (etc_json_next(&it, &key, &sizes)) {
		if (!etc_str_eq(key, ETC_STR("sizes")) || etc_json_type(&sizes) != ETC_JSON_ARRAY ||
		    !etc_json_enter(&sizes, &list))
			continue;
		found = true;
		while (etc_json_next(&list, &key, &item))
			found = read_size(&item, n) && found;
	}
	return found;
}

struct reader {
	struct etc_json *doc;
	struct etc_map *sizes;
	struct etc_map names; /* of tensors -> elements */
	bool nomem;
};

/* Goes to a member of graph_module.graph; false: there is none. */
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
	struct etc_json_value tensor;
	struct etc_json_iter it;
	struct etc_str key;

	if (!enter_graph(r, "tensor_values", &it))
		return false;
	while (!r->nomem && etc_json_next(&it, &key, &tensor)) {
		uint64_t n;
		struct etc_str number = { (const char *)&n, sizeof n };

		if (read_tensor(&tensor, &n))
			r->nomem = etc_map_intern(r->sizes, number, 0) == ETC_MAP_NONE ||
			           etc_map_intern(&r->names, key, (size_t)n) == ETC_MAP_NONE;
	}
	return !etc_json_failed(r->doc);
}

/* Every {"name": TENSOR} inside of an argument, which may be a list. */
static void read_argument(struct reader *r, const struct etc_json_value *v, uint64_t node,
                          unsigned depth)
{
	enum { DEEPEST = 6 };
	struct etc_json_value part;
	struct etc_json_iter it;
	struct etc_str key;

	if (depth == DEEPEST || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_next(&it, &key, &part)) {
		enum etc_json_type type = etc_json_type(&part);
		struct etc_node_takes takes = { .node = node };
		size_t n;

		if (type == ETC_JSON_OBJECT || type == ETC_JSON_ARRAY)
			read_argument(r, &part, node, depth + 1);
		if (type != ETC_JSON_STRING || !etc_str_eq(key, ETC_STR("name")))
			continue;
		n = etc_map_get(&r->names, etc_json_inside(part.raw));
		if (n == ETC_MAP_NONE)
			continue;
		takes.elements = n;
		r->nomem = etc_map_intern(r->sizes,
		                          (struct etc_str){ (const char *)&takes, sizeof takes },
		                          0) == ETC_MAP_NONE;
	}
}

/* {"name": "weight", "arg": ...}; what a layer works on is none of what it consists of. */
static void read_input(struct reader *r, const struct etc_json_value *v, uint64_t node)
{
	struct etc_json_value part;
	struct etc_json_iter it;
	struct etc_str key, name = { 0 };

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!r->nomem && etc_json_next(&it, &key, &part)) {
		if (etc_str_eq(key, ETC_STR("name")) && etc_json_type(&part) == ETC_JSON_STRING)
			name = etc_json_inside(part.raw);
		if (etc_str_eq(key, ETC_STR("arg")) && etc_json_type(&part) == ETC_JSON_OBJECT &&
		    !etc_str_eq(name, ETC_STR("input")) && !etc_str_eq(name, ETC_STR("self")) &&
		    !etc_str_eq(name, ETC_STR("mat1")))
			read_argument(r, &part, node, 0);
	}
}

static bool read_nodes(struct reader *r)
{
	struct etc_json_value node, part, input;
	struct etc_json_iter it, in_node, inputs;
	struct etc_str key;

	if (!enter_graph(r, "nodes", &it))
		return false;
	for (uint64_t i = 0; !r->nomem && etc_json_next(&it, &key, &node); i++) {
		if (etc_json_type(&node) != ETC_JSON_OBJECT || !etc_json_enter(&node, &in_node))
			continue;
		while (!r->nomem && etc_json_next(&in_node, &key, &part))
			if (etc_str_eq(key, ETC_STR("inputs")) &&
			    etc_json_type(&part) == ETC_JSON_ARRAY &&
			    etc_json_enter(&part, &inputs))
				while (!r->nomem && etc_json_next(&inputs, &key, &input))
					read_input(r, &input, i);
	}
	return !etc_json_failed(r->doc);
}

enum etc_status etc_graph_sizes(const struct etc_zip *zip, const struct etc_graph *graph,
                                struct etc_map *sizes, struct etc_arena *arena, bool *whole,
                                struct etc_error *err)
{
	const struct etc_zip_entry *entry = etc_zip_find(zip, graph->name);
	struct etc_zip_data data;
	struct reader r = { .sizes = sizes };
	enum etc_status st;

	etc_map_init(&r.names, arena);
	*whole = false;
	if (!entry)
		return ETC_OK;
	st = etc_zip_read(zip, entry, 0, arena, &data, err);
	if (st == ETC_OK)
		st = etc_json_open((struct etc_str){ (const char *)data.bytes.ptr, data.bytes.len },
		                   data.room, arena, &r.doc, err);
	if (st == ETC_OK)
		*whole = read_values(&r) && read_nodes(&r);
	etc_json_close(r.doc);
	if (r.nomem || st == ETC_NOMEM)
		return etc_fail(err, E0904, "sizes of a graph");
	return ETC_OK;
}
