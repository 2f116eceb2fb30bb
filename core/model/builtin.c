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
static const struct etc_str xnnpack_vague[] = {
	S("Invalid "), S("Unary Elementwise"), S("Binary Elementwise"), { 0 }
};
/* A type that is quantised at run time has two names in events: QDU8 on processors that multiply
 * unsigned by signed bytes, and QD8 on others. */
static const struct etc_builtin_type xnnpack_types[] = { { S("QDU8"), S("QD8") },
	                                                 { .here = { 0 } } };
/* The types that XNNPACK's partitioner never accepts. Source:
 * backends/xnnpack/partition/config/xnnpack_config.py of pytorch/executorch. */
static const struct etc_str xnnpack_refused[] = {
	S("int64"), S("bool"), S("float64"), S("int16"), { 0 }
};

static const struct etc_builtin all[] = {
	{ S("XnnpackBackend"), S("XNNPACK"), 1000, xnnpack_layouts, xnnpack_nameless, xnnpack_vague,
	  xnnpack_types, xnnpack_refused, true },
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

bool etc_builtin_is_vague(struct etc_str op)
{
	for (const struct etc_builtin *b = all; b->id.len; b++)
		for (const struct etc_str *start = b->vague; start->len; start++)
			if (etc_str_starts(op, *start))
				return true;
	return false;
}

struct etc_str etc_builtin_fold(struct etc_str name, struct etc_arena *arena)
{
	for (const struct etc_builtin *b = all; b->id.len; b++)
		for (const struct etc_builtin_type *t = b->types; t->here.len; t++) {
			size_t at = etc_str_find(name, t->here, 0);
			struct etc_str tail;

			if (at == SIZE_MAX)
				continue;
			tail = etc_str_sub(name, at + t->here.len, name.len);
			name = etc_arena_printf(arena, ETC_STR_FMT ETC_STR_FMT ETC_STR_FMT,
			                        ETC_STR_ARG(etc_str_sub(name, 0, at)),
			                        ETC_STR_ARG(t->elsewhere), ETC_STR_ARG(tail));
		}
	return name;
}
