/* operator_stem.c -- see operator_stem.h */
#include "join/operator_stem.h"

struct etc_str etc_operator_stem(struct etc_str name)
{
	size_t colons = etc_str_find(name, ETC_STR("::"), 0), dot;

	if (colons != SIZE_MAX)
		name = etc_str_sub(name, colons + 2, name.len);
	if (etc_str_starts(name, ETC_STR("native_call_")))
		name = etc_str_sub(name, sizeof "native_call_" - 1, name.len);
	dot = etc_str_find(name, ETC_STR("."), 0);
	name = etc_str_sub(name, 0, dot == SIZE_MAX ? name.len : dot);
	while (name.len && name.ptr[0] == '_')
		name = etc_str_sub(name, 1, name.len);
	while (name.len && name.ptr[name.len - 1] == '_')
		name.len--;
	if (etc_str_ends(name, ETC_STR("_copy")))
		name.len -= sizeof "_copy" - 1;
	return name;
}

struct etc_str etc_node_stem(const struct etc_node *n)
{
	size_t dot = etc_str_find(n->op, ETC_STR("."), 0);

	return etc_operator_stem(dot == SIZE_MAX ? n->op : etc_str_sub(n->op, dot + 1, n->op.len));
}

bool etc_node_is_product(const struct etc_node *n)
{
	static const char *const stems[] = { "linear",      "addmm",  "mm",     "bmm",   "matmul",
		                             "convolution", "conv1d", "conv2d", "conv3d" };
	const struct etc_str stem = etc_node_stem(n);

	for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
		if (etc_str_eq(stem, etc_str_of(stems[i])))
			return true;
	return false;
}
