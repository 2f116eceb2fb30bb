/* graph_like.c -- reads nodes whose JSON has the same structure as an earlier node. See
 * graph_draft.h. */
#include "formats/etrecord/graph_draft.h"

enum { NAME_BITS = 8 };

static void take_name(struct etc_graph_reader *gr, struct etc_node_draft *d,
                      const struct etc_json_value *v)
{
	d->name = etc_graph_text(gr, v);
	d->has_name = d->name.len != 0;
}

static void take(struct etc_graph_reader *gr, struct etc_node_draft *d, uint32_t name,
                 const struct etc_json_value *v)
{
	static etc_node_taker *const takers[ETC_NODE_SCALARS] = {
		[ETC_NODE_NAME] = take_name,
		[ETC_NODE_HANDLE] = etc_node_take_handle,
		[ETC_NODE_TRACE] = etc_node_take_trace,
		[ETC_NODE_STACK] = etc_node_take_stack,
		[ETC_NODE_SOURCE] = etc_node_take_source,
	};
	const uint32_t kind = name & ((1U << NAME_BITS) - 1);
	struct etc_node_output *outputs = gr->outputs.items;

	if (kind == ETC_NODE_OUTPUT)
		outputs[name >> NAME_BITS].name = etc_graph_text(gr, v);
	else
		takers[kind](gr, d, v);
}

static void mark(struct etc_graph_reader *gr, uint32_t name, const struct etc_json_value *v)
{
	const enum etc_json_type type = etc_json_type(v);

	if (gr->mark_count == ETC_NODE_MARKS || type == ETC_JSON_OBJECT || type == ETC_JSON_ARRAY)
		gr->unlike = true;
	else
		gr->marks[gr->mark_count++] = (struct etc_json_mark){ v->at, name };
}

void etc_node_take(struct etc_graph_reader *gr, struct etc_node_draft *d, uint32_t name,
                   const struct etc_json_value *v)
{
	/* The scalars of all outputs of a node have the name ETC_NODE_OUTPUT. To distinguish them,
	 * the index of the output, which is the last one in gr->outputs, is put into the upper bits
	 * of the name. */
	if (name == ETC_NODE_OUTPUT)
		name |= (gr->outputs.count - 1) << NAME_BITS;
	mark(gr, name, v);
	take(gr, d, name, v);
}

void etc_node_same(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	mark(gr, ETC_JSON_SAME, v);
}

bool etc_node_like(struct etc_graph_reader *gr, const struct etc_json_value *v,
                   struct etc_node_draft *d)
{
	const uint32_t at = gr->nested.count ? ETC_JSON_LIKES : etc_json_like(&gr->likes, v);
	const struct etc_json_known *known;
	const struct etc_node_like *like;

	if (at == ETC_JSON_LIKES)
		return false;
	known = &gr->likes.known[at];
	like = &gr->like[at];
	d->shape = like->shape;
	gr->right &= like->right;
	gr->outputs.count = like->output_count;
	if (like->output_count)
		memcpy(gr->outputs.items, like->outputs,
		       like->output_count * sizeof *like->outputs);
	for (uint32_t i = 0; i < known->count; i++) {
		struct etc_json_value scalar;

		if (known->holes[i].mark == ETC_JSON_UNMARKED)
			continue;
		scalar = etc_json_in_hole(v, &known->holes[i]);
		take(gr, d, known->holes[i].mark, &scalar);
	}
	return true;
}

void etc_node_begin(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	gr->right = gr->right && etc_graph_check_node(gr->checker, v);
	gr->mark_count = 0;
	gr->unlike = false;
}

void etc_node_learn(struct etc_graph_reader *gr, const struct etc_json_value *v,
                    const struct etc_node_draft *d)
{
	uint32_t at;

	if (gr->unlike || gr->nested.count || gr->outputs.count > ETC_NODE_OUTPUTS)
		return;
	at = etc_json_learn(&gr->likes, v, gr->marks, gr->mark_count);
	if (at == ETC_JSON_LIKES)
		return;
	gr->like[at].shape = d->shape;
	gr->like[at].right = gr->right;
	gr->like[at].output_count = gr->outputs.count;
	if (gr->outputs.count)
		memcpy(gr->like[at].outputs, gr->outputs.items,
		       gr->outputs.count * sizeof *gr->like[at].outputs);
}
