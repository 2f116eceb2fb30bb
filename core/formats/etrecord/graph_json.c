/* graph_json.c -- reads unions, members and texts in the JSON of a graph. See graph_node.h. */
#include "formats/etrecord/graph_node.h"

struct etc_str etc_graph_text(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	struct etc_str s = { 0 };
	bool bad;

	if (etc_json_type(v) != ETC_JSON_STRING)
		return s;
	if (etc_json_unescape(gr->arena, etc_json_inside(v->raw), &s, &bad))
		return s;
	if (bad)
		etc_json_reject(v, "a string with valid escapes");
	else
		gr->nomem = true;
	return (struct etc_str){ 0 };
}

void etc_graph_union(const struct etc_json_value *v, struct etc_str *kind,
                     struct etc_json_value *value)
{
	struct etc_json_iter it;
	struct etc_str first = { 0 };

	*kind = (struct etc_str){ 0 };
	*value = (struct etc_json_value){ .doc = v->doc };
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it)) {
		if (!first.len)
			first = it.key;
		if (etc_json_type(&it.value) == ETC_JSON_NULL)
			continue;
		/* The caller must walk through this value before it reads any other part of the
		 * document. */
		*kind = it.key;
		*value = it.value;
		return;
	}
	*kind = first;
}

struct etc_str etc_graph_member(struct etc_graph_reader *gr, const struct etc_json_value *v,
                                struct etc_str name)
{
	struct etc_json_iter it;
	struct etc_str found = { 0 };

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return found;
	while (etc_json_more(&it))
		if (etc_str_eq(it.key, name))
			found = etc_graph_text(gr, &it.value);
	return found;
}

void etc_graph_unknown(struct etc_graph_reader *gr, struct etc_str key, const struct etc_str *known,
                       size_t count)
{
	if (gr->later.len)
		return;
	for (size_t i = 0; i < count; i++)
		if (etc_str_eq(key, known[i]))
			return;
	gr->later = key;
}
