/* wires.c -- compares where the operands of a delegate's nodes come from. */
#include "together/finder.h"

#include "base/map.h"
#include "model/xnode.h"
#include "together/operands.h"

struct wires {
	struct etc_graph_index *x;
	const struct etc_delegate_graph *blob;
	uint32_t instruction;
	struct etc_map handles; /* of the delegate's nodes */
	uint32_t *maker; /* for each value of the blob: the node that returns it, or ETC_NO_NODE */
	const struct etc_program_method *method;
	struct etc_numbers args; /* of the delegate's call */
	/* instruction that writes the operand, if it comes from outside of the delegate */
	uint32_t writer;
	bool limited; /* the node that returns the operand also limits it, as a fused ReLU does */
	uint64_t steps;
};

/* Does the value of the record come from the node with handle `from`, or, if that is 0, from outside
 * of the delegate? Follows nodes that the delegate does not have. `limited`: one of them limits. */
static bool comes_from(struct wires *w, uint32_t value, int64_t from, bool limited, unsigned depth)
{
	enum { DEEPEST = 16, STEPS = 1 << 22 };
	const struct etc_graph_index *x = w->x;
	const uint32_t maker = value == ETC_NO_NODE ? ETC_NO_NODE : x->flow.maker[value];
	const struct etc_handles *h =
		maker == ETC_NO_NODE ? NULL : &x->graph->nodes[maker].debug_handle;
	struct etc_graph_tensors in;
	int in_partition;

	if (maker == ETC_NO_NODE)
		return from == 0 && w->writer == ETC_WRITER_NONE;
	if (depth == DEEPEST || ++w->steps > STEPS || h->form != ETC_HANDLES_INT || !h->count)
		return false;
	in_partition = etc_graph_index_is_node(w->x, maker, w->instruction);
	if (in_partition != 1)
		return in_partition == 0 && from == 0 && w->writer < ETC_WRITER_UNKNOWN &&
		       etc_graph_index_is_node(w->x, maker, w->writer) == 1;
	limited = limited || x->flow.calls[maker].clamps;
	if (h->v[0] == from && limited == w->limited)
		return true;
	if (!etc_node_quantises(&x->graph->nodes[maker]) &&
	    etc_map_get(&w->handles, etc_map_number(h->v)) != ETC_MAP_NONE)
		return false;
	in = x->flow.calls[maker].inputs;
	for (uint32_t i = 0; i < in.count; i++)
		if (comes_from(w, x->flow.tensors[in.first + i].value, from, limited, depth + 1))
			return true;
	return false;
}

/* Returns the handle of the node that returns the value of the blob. 0: it comes from outside of the
 * delegate, from instruction w->writer. Skips nodes without a handle that have one operand. */
static int64_t source(struct wires *w, uint32_t value, bool *known)
{
	enum { LONGEST = 16 };

	*known = true;
	for (unsigned i = 0; i < LONGEST; i++) {
		const uint32_t maker = w->maker[value];

		if (maker == ETC_NO_NODE) {
			const uint32_t argument = w->blob->values[value].argument;
			const int64_t v =
				argument < w->args.count ? etc_i32_at(w->args, argument) : -1;

			*known = v >= 0 && v < w->method->value_count;
			w->writer = *known ? w->x->writers[v] : ETC_WRITER_UNKNOWN;
			return 0;
		}
		w->limited = w->blob->nodes[maker].limited;
		if (w->blob->nodes[maker].handle)
			return w->blob->nodes[maker].handle;
		if (w->blob->operators[maker].input_count != 1 ||
		    w->blob->operators[maker].inputs[0] == ETC_DELEGATE_NO_VALUE)
			break;
		value = w->blob->operators[maker].inputs[0];
	}
	*known = false;
	return 0;
}

/* Does one of the record's nodes with the handle of node `n` have operand `k` from the same node as
 * in the delegate? */
static bool same_source(struct wires *w, uint32_t n, uint32_t k)
{
	const struct etc_delegate_node *node = &w->blob->nodes[n];
	const struct etc_delegate_operator *o = &w->blob->operators[n];
	const bool ordered = o->kind == ETC_XNODE_SUBTRACT || o->kind == ETC_XNODE_DIVIDE ||
	                     o->kind == ETC_XNODE_BMM;
	bool known;
	const int64_t from = source(w, o->inputs[k], &known);

	for (uint32_t i = etc_graph_index_first(w->x, &node->handle); known && i != ETC_NO_NODE;
	     i = w->x->next[i]) {
		const struct etc_graph_tensors in = w->x->flow.calls[i].inputs;

		if (ordered && etc_node_delegate_kind(&w->x->graph->nodes[i]) != node->kind)
			continue;
		for (uint32_t t = 0; t < in.count; t++)
			if ((!ordered || t == k) &&
			    comes_from(w, w->x->flow.tensors[in.first + t].value, from, false, 0))
				return true;
	}
	return false;
}

enum etc_status etc_conflicts_in_wires(struct etc_finder *f, const struct etc_compared_delegate *d,
                                       struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	struct wires w = { .x = x,
		           .blob = blob,
		           .instruction = d->instruction,
		           .maker = etc_new(f->arena, uint32_t, blob->value_count) };
	const struct etc_instruction *call;

	ETC_NEED(w.maker, err);
	ETC_TRY(etc_finder_values(f, d->method, &w.method, err));
	call = w.method ? etc_program_instruction(w.method, 0, d->instruction) : NULL;
	if (!x->flow.whole || !call || !w.method->value_count)
		return ETC_OK;
	w.args = call->args;
	ETC_TRY(etc_finder_writers(f, x, w.method, err));
	etc_map_init(&w.handles, f->arena);
	for (uint32_t i = 0; i < blob->value_count; i++)
		w.maker[i] = ETC_NO_NODE;
	for (uint32_t i = 0; i < blob->count; i++) {
		if (blob->operators[i].output != ETC_DELEGATE_NO_VALUE)
			w.maker[blob->operators[i].output] = i;
		if (etc_map_add(&w.handles, etc_map_number(&blob->nodes[i].handle), i) ==
		    ETC_MAP_NONE)
			return etc_no_memory(err);
	}
	for (uint32_t i = 0; i < blob->count; i++)
		for (uint32_t k = 0; k < blob->operators[i].input_count; k++) {
			const uint32_t v = blob->operators[i].inputs[k];

			if (blob->nodes[i].handle && v != ETC_DELEGATE_NO_VALUE &&
			    !blob->values[v].constant)
				f->out->uncompared += !same_source(&w, i, k);
		}
	return ETC_OK;
}
