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

static bool read_values(struct etc_json *doc, struct etc_map *sizes, bool *nomem)
{
	struct etc_json_value root, module, graph, values, tensor;
	struct etc_json_iter in_root, in_module, in_graph, in_values;
	struct etc_str key;

	etc_json_root(doc, &root);
	if (!etc_json_enter(&root, &in_root) || !member(&in_root, "graph_module", &module) ||
	    !etc_json_enter(&module, &in_module) || !member(&in_module, "graph", &graph) ||
	    !etc_json_enter(&graph, &in_graph) || !member(&in_graph, "tensor_values", &values) ||
	    !etc_json_enter(&values, &in_values))
		return false;
	while (!*nomem && etc_json_next(&in_values, &key, &tensor)) {
		uint64_t n;
		struct etc_str number = { (const char *)&n, sizeof n };

		if (read_tensor(&tensor, &n))
			*nomem = etc_map_intern(sizes, number, 0) == ETC_MAP_NONE;
	}
	return !etc_json_failed(doc);
}

enum etc_status etc_graph_sizes(const struct etc_zip *zip, const struct etc_graph *graph,
                                struct etc_map *sizes, struct etc_arena *arena, bool *whole,
                                struct etc_error *err)
{
	const struct etc_zip_entry *entry = etc_zip_find(zip, graph->name);
	struct etc_zip_data data;
	struct etc_json *doc = NULL;
	enum etc_status st;
	bool nomem = false;

	*whole = false;
	if (!entry)
		return ETC_OK;
	st = etc_zip_read(zip, entry, 0, arena, &data, err);
	if (st == ETC_OK)
		st = etc_json_open((struct etc_str){ (const char *)data.bytes.ptr, data.bytes.len },
		                   data.room, arena, &doc, err);
	if (st == ETC_OK)
		*whole = read_values(doc, sizes, &nomem);
	etc_json_close(doc);
	if (nomem || st == ETC_NOMEM)
		return etc_fail(err, E0904, "sizes of a graph");
	return ETC_OK;
}
