/* graph_arguments.c -- see graph_arguments.h. */
#include "formats/etrecord/graph_arguments.h"

#include <stdalign.h>

#include "base/grow.h"
#include "base/number.h"
#include "formats/container/json.h"

/* Reads a number: 2, 2.5 or true. Also reads {"as_int": 2}, which is the form of a size in a list
 * that contains symbols, too. */
static struct etc_graph_number read_number(const struct etc_json_value *v)
{
	struct etc_graph_number n = { .whole = true };
	struct etc_json_iter it;

	switch (etc_json_type(v)) {
	case ETC_JSON_INT:
		n.known = etc_json_int(v->raw, &n.integer);
		break;
	case ETC_JSON_TRUE:
	case ETC_JSON_FALSE:
		n.integer = etc_json_type(v) == ETC_JSON_TRUE;
		n.known = n.boolean = true;
		break;
	case ETC_JSON_FLOAT:
		n.whole = false;
		n.known = etc_number_parse(v->raw, &n.real);
		break;
	case ETC_JSON_OBJECT:
		if (!etc_json_enter(v, &it))
			break;
		while (etc_json_more(&it))
			if (etc_str_eq(it.key, ETC_STR("as_int")) &&
			    etc_json_type(&it.value) == ETC_JSON_INT)
				n.known = etc_json_int(it.value.raw, &n.integer);
		break;
	default:
		break;
	}
	return n;
}

/* Reads a list of numbers; false: out of memory. */
static bool read_numbers(const struct etc_json_value *v, struct etc_arena *arena,
                         struct etc_graph_argument *a)
{
	struct etc_grow items = { 0 };
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return true;
	while (etc_json_more(&it)) {
		struct etc_graph_number *n = ETC_GROW(arena, &items, struct etc_graph_number);

		if (!n)
			return false;
		*n = read_number(&it.value);
	}
	a->kind = ETC_GRAPH_ARGUMENT_NUMBERS;
	a->numbers = items.items;
	a->count = items.count;
	return true;
}

/* Reads an argument such as {"as_int": 1} from its only member; false: out of memory. */
static bool read_value(struct etc_str key, const struct etc_json_value *v, struct etc_arena *arena,
                       struct etc_graph_argument *a)
{
	static const struct etc_str one[] = { { "as_int", 6 },
		                              { "as_float", 8 },
		                              { "as_bool", 7 } };
	static const struct etc_str list[] = { { "as_ints", 7 },
		                               { "as_sym_ints", 11 },
		                               { "as_floats", 9 } };
	const enum etc_json_type type = etc_json_type(v);
	struct etc_graph_number *n;

	a->kind = ETC_GRAPH_ARGUMENT_OTHER;
	if (etc_str_eq(key, ETC_STR("as_none")))
		a->kind = ETC_GRAPH_ARGUMENT_NONE;
	else if (etc_str_eq(key, ETC_STR("as_tensor")) ||
	         etc_str_eq(key, ETC_STR("as_optional_tensor")))
		a->kind = ETC_GRAPH_ARGUMENT_TENSOR;
	else if (etc_str_eq(key, ETC_STR("as_tensors")) ||
	         etc_str_eq(key, ETC_STR("as_optional_tensors")))
		a->kind = ETC_GRAPH_ARGUMENT_TENSORS;
	else if (etc_str_eq(key, ETC_STR("as_string")) && type == ETC_JSON_STRING) {
		a->kind = ETC_GRAPH_ARGUMENT_TEXT;
		a->text = etc_json_inside(v->raw);
	}
	for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
		if (!etc_str_eq(key, one[i]) || type == ETC_JSON_OBJECT || type == ETC_JSON_ARRAY)
			continue;
		n = etc_new(arena, struct etc_graph_number, 1);
		if (!n)
			return false;
		*n = read_number(v);
		a->kind = ETC_GRAPH_ARGUMENT_NUMBER;
		a->numbers = n;
		a->count = 1;
	}
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (etc_str_eq(key, list[i]) && type == ETC_JSON_ARRAY)
			return read_numbers(v, arena, a);
	return true;
}

/* Reads {"name": "dim", "arg": {"as_int": 1}, "kind": 1}; false: out of memory. Newer exporters
 * write every member of the union; those that are not set are null. */
static bool read_argument(const struct etc_json_value *v, struct etc_arena *arena,
                          struct etc_graph_argument *a)
{
	enum { POSITIONAL = 1 };
	struct etc_json_iter it, members;
	int64_t kind;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return true;
	while (etc_json_more(&it)) {
		const enum etc_json_type type = etc_json_type(&it.value);

		if (etc_str_eq(it.key, ETC_STR("name")) && type == ETC_JSON_STRING)
			a->name = etc_json_inside(it.value.raw);
		else if (etc_str_eq(it.key, ETC_STR("kind")) && type == ETC_JSON_INT)
			a->positional = etc_json_int(it.value.raw, &kind) && kind == POSITIONAL;
		if (!etc_str_eq(it.key, ETC_STR("arg")) || type != ETC_JSON_OBJECT ||
		    !etc_json_enter(&it.value, &members))
			continue;
		while (etc_json_more(&members))
			if (etc_json_type(&members.value) != ETC_JSON_NULL &&
			    !read_value(members.key, &members.value, arena, a))
				return false;
	}
	return true;
}

static bool read_node(const struct etc_json_value *v, struct etc_arena *arena,
                      struct etc_graph_arguments *out)
{
	struct etc_json_iter it, items;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return true;
	while (etc_json_more(&it)) {
		if (!etc_str_eq(it.key, ETC_STR("inputs")) ||
		    etc_json_type(&it.value) != ETC_JSON_ARRAY ||
		    !etc_json_enter(&it.value, &items))
			continue;
		*out = (struct etc_graph_arguments){ .whole = true };
		while (etc_json_more(&items)) {
			out->whole = out->count < ETC_GRAPH_ARGUMENTS;
			if (!out->whole)
				break;
			if (!read_argument(&items.value, arena, &out->v[out->count++]))
				return false;
		}
		if (!out->whole)
			break;
	}
	return true;
}

enum etc_status etc_graph_arguments_read(struct etc_str node, struct etc_arena *arena,
                                         struct etc_graph_arguments *out, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_json_value root;
	struct etc_json *doc = NULL;
	enum etc_status st;
	bool ok = true;

	*out = (struct etc_graph_arguments){ 0 };
	st = etc_json_open(node, ETC_GRAPH_NODE_ROOM, arena, &doc, &why);
	if (st == ETC_OK) {
		etc_json_root(doc, &root);
		ok = read_node(&root, arena, out);
		st = etc_json_check(doc, &why);
		out->whole = out->whole && st == ETC_OK;
	}
	etc_json_close(doc);
	return ok && st != ETC_NOMEM ? ETC_OK : etc_no_memory(err);
}
