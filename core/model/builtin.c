/* builtin.c -- see builtin.h */
#include "model/builtin.h"

#define S(text)                       \
	{                             \
		text, sizeof text - 1 \
	}

static const struct etc_str xnnpack_layouts[] = { S("NC"),        S("ND"),   S("NHWC"), S("NCHW"),
	                                          S("NCHW2NHWC"), S("NTHC"), S("X8"),   S("X16"),
	                                          S("X32"),       { 0 } };
static const struct etc_str xnnpack_nameless[] = {
	S("Invalid"), S("Invalid Unary Op"), S("Invalid Binary Op"), { 0 }
};
/* backends/xnnpack/partition/config/xnnpack_config.py */
static const struct etc_str xnnpack_refused[] = {
	S("int64"), S("bool"), S("float64"), S("int16"), { 0 }
};

static const struct etc_builtin all[] = {
	{ S("XnnpackBackend"), S("XNNPACK"), 1000, xnnpack_layouts, xnnpack_nameless,
	  xnnpack_refused },
	{ .id = { 0 } },
};

const struct etc_builtin *etc_builtins(void)
{
	return all;
}

const struct etc_builtin *etc_builtin_of(struct etc_str id)
{
	for (const struct etc_builtin *b = all; b->id.len; b++)
		if (etc_str_eq(b->id, id))
			return b;
	return NULL;
}
