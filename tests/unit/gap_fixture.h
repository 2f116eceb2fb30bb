/* gap_fixture.h -- for tests of `etcore numeric gap`: graphs, records and logged values of a few
 * lines. */
#ifndef ETC_TEST_GAP_FIXTURE_H
#define ETC_TEST_GAP_FIXTURE_H

#include "unit.h"

#include "commands/numeric/gap_nodes.h"
#include "commands/numeric/gap_side.h"

enum { MADE_MOST = 256, MADE_ARGUMENTS = 8, MADE_ELEMENTS = 4 };

struct fixture {
	struct etc_arena arena;
	struct etc_error err;
	int64_t outputs; /* number of outputs of the first instruction; 0 stands for 1 */
	double epsilon;  /* rounding unit of the logged type; 0: that of float32 */
	const char
		*changed; /* name of an input that is a buffer which the model changes, or NULL */
	bool later;       /* the run is not the first of its dump */
};

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, 64 << 20);
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	etc_arena_release(&f->arena);
	free(f);
	return 0;
}

/* ---- a graph ----------------------------------------------------------------------------- */

struct made_line {
	const char *name, *op; /* op NULL: a placeholder */
	int64_t handle;
	const char *arguments[MADE_ARGUMENTS];
	int64_t size; /* its output has this many elements; 0: unknown, -1: not fixed */
};

/* Makes the graph of `lines`; a line without a name ends them. */
static inline struct etc_gap_graph *make_graph(struct fixture *f, const struct made_line *lines)
{
	struct etc_gap_graph *g = etc_new(&f->arena, struct etc_gap_graph, 1);
	struct etc_graph *graph = etc_new(&f->arena, struct etc_graph, 1);
	struct etc_node *nodes = etc_new(&f->arena, struct etc_node, MADE_MOST);
	struct etc_graph_line *out = etc_new(&f->arena, struct etc_graph_line, MADE_MOST);
	struct etc_graph_call *calls = etc_new(&f->arena, struct etc_graph_call, MADE_MOST);
	struct etc_graph_tensor *t = etc_new(&f->arena, struct etc_graph_tensor, MADE_MOST);
	uint32_t n = 0;

	for (; lines[n].name; n++) {
		struct etc_graph_argument *a =
			etc_new(&f->arena, struct etc_graph_argument, MADE_ARGUMENTS);

		out[n] = (struct etc_graph_line){ .name = etc_str_of(lines[n].name),
			                          .arguments = a };
		for (uint32_t k = 0; k < MADE_ARGUMENTS && lines[n].arguments[k]; k++)
			a[out[n].argument_count++].text = etc_str_of(lines[n].arguments[k]);
		if (f->changed && strcmp(f->changed, lines[n].name) == 0)
			out[n].input = ETC_INPUT_CHANGED;
		if (!lines[n].op)
			continue;
		out[n].op = ETC_LINE_CALL;
		out[n].target = etc_str_of(lines[n].op);
		out[n].node = &nodes[n];
		nodes[n] =
			(struct etc_node){ .name = out[n].name,
			                   .op = etc_str_of(lines[n].op),
			                   .debug_handle = { .count = 1, .v = &lines[n].handle } };
		calls[n].outputs = (struct etc_graph_tensors){ n, 1 };
		t[n] = (struct etc_graph_tensor){ .sizes = &lines[n].size,
			                          .rank = 1,
			                          .known = lines[n].size != 0 };
	}
	*graph = (struct etc_graph){ .nodes = nodes, .node_count = n };
	*g = (struct etc_gap_graph){ .method = ETC_STR("forward"),
		                     .lines = { out, n },
		                     .graph = graph,
		                     .tensors = { .whole = true, .calls = calls, .tensors = t } };
	assert_ok(etc_gap_flow_make(&g->lines, &f->arena, &g->flow, &f->err), &f->err);
	return g;
}

static inline uint32_t line_named(const struct etc_gap_graph *g, const char *name)
{
	for (uint32_t i = 0; i < g->lines.count; i++)
		if (etc_str_eq(g->lines.v[i].name, etc_str_of(name)))
			return i;
	fail_msg("no line %s", name);
	return UINT32_MAX;
}

/* ---- logged values ------------------------------------------------------------------------ */

/* Fills `out` with a float32 tensor of *count elements. The caller keeps `v` and `count`. */
static inline void log_floats(struct fixture *f, struct etc_logged *out, const float *v,
                              const int64_t *count)
{
	static const struct etc_value tensor = { .tag = ETC_VALUE_TENSOR, .present = true };
	struct etc_tensor *t = etc_new(&f->arena, struct etc_tensor, 1);

	*t = (struct etc_tensor){ .sizes = count, .rank = 1 };
	out->value = &tensor;
	out->tensor = t;
	out->readable = true;
	out->elements = (struct etc_elements){
		.type = "float32",
		.bytes = { (const uint8_t *)v, (size_t)*count * sizeof *v },
		.sizes = count,
		.rank = 1,
		.count = (uint64_t)*count,
		.kind = ETC_SCALAR_FLOAT,
		.bits = 32,
		.parts = 1,
		.contiguous = true,
	};
}

#endif
