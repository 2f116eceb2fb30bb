/* wires.c -- compares where values come from: operands of a delegate's nodes, results of delegates,
 * outputs of the method. */
#include "together/finder.h"

#include "base/map.h"
#include "model/xnode.h"
#include "together/arguments.h"

/* State for the check that the operands of a delegate's nodes come from the same places as in the
 * record. */
struct etc_wires {
	struct etc_graph_index *x;
	const struct etc_delegate_graph *blob;
	uint32_t instruction; /* index, in chain 0, of the DELEGATE_CALL that is checked */
	/* maps each debug handle of the delegate's nodes to the first node that has it */
	struct etc_map handles;
	uint32_t *maker; /* for each value of the blob: the node that returns it, or ETC_NO_NODE */
	struct etc_numbers args; /* arguments of the delegate call */
	/* for each argument of the call, the value of the blob that the delegate writes to the
	 * argument; ETC_DELEGATE_NO_VALUE: none */
	uint32_t *result;
	uint64_t steps; /* number of values and nodes that were visited so far */
};

/* After this number of steps nothing more is compared. */
static const uint64_t MOST_STEPS = 1 << 22;

/* The origin of a value of a delegate. */
struct origin {
	bool known;
	/* debug handle of the node that returns the value; 0: the value comes from outside of the
	 * delegate */
	int64_t handle;
	bool limited; /* the node that returns the value also limits it, as a fused ReLU does */
	struct etc_source outside;
};

/* Does the record's value come from `from`, directly or through nodes that are not in the delegate?
 * `limited`: a node on the way limits the value, as a ReLU does. */
static bool comes_from(struct etc_wires *w, uint32_t value, const struct origin *from, bool limited,
                       unsigned depth)
{
	enum { DEEPEST = 16 };
	const struct etc_graph_index *x = w->x;
	const uint32_t maker = value == ETC_NO_NODE ? ETC_NO_NODE : x->flow.maker[value];
	const struct etc_handles *h =
		maker == ETC_NO_NODE ? NULL : &x->graph->nodes[maker].debug_handle;
	struct etc_graph_tensors in;
	bool outside;
	int in_partition = 0;

	if (h && (depth == DEEPEST || ++w->steps > MOST_STEPS || h->form != ETC_HANDLES_INT ||
	          !h->count))
		return false;
	if (h)
		in_partition = etc_graph_index_is_node(w->x, maker, w->instruction);
	/* A node, such as one that dequantises, may be in several delegates; so its value may come
	 * from outside of this delegate, although the record lists the node inside of it. */
	outside = in_partition >= 0 && from->handle == 0 && value != ETC_NO_NODE &&
	          etc_sources_compare(w->x, value, &from->outside) >= ETC_SOURCES_CONSTANT;
	if (in_partition != 1 || outside)
		return outside;
	limited = limited || x->flow.calls[maker].clamps;
	if (h->v[0] == from->handle && limited == from->limited)
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

/* Finds where `value`, a value of the blob, comes from. A node without a debug handle that has one
 * operand is passed over: the search goes on with its operand. */
static struct origin find_origin(const struct etc_wires *w, uint32_t value)
{
	enum { LONGEST = 16 };
	struct origin o = { .known = true };

	for (unsigned i = 0; i < LONGEST; i++) {
		const uint32_t maker = w->maker[value];

		if (maker == ETC_NO_NODE) {
			const uint32_t argument = w->blob->values[value].argument;
			const int64_t v =
				argument < w->args.count ? etc_i32_at(w->args, argument) : -1;

			o.known = v >= 0 && v < w->x->method->value_count;
			if (o.known)
				o.outside = w->x->sources[v];
			o.known = o.known && o.outside.writer != ETC_WRITER_UNKNOWN;
			return o;
		}
		o.limited = w->blob->nodes[maker].limited;
		o.handle = w->blob->nodes[maker].handle;
		if (o.handle)
			return o;
		if (w->blob->operators[maker].input_count != 1 ||
		    w->blob->operators[maker].inputs[0] == ETC_DELEGATE_NO_VALUE)
			break;
		value = w->blob->operators[maker].inputs[0];
	}
	o.known = false;
	return o;
}

/* Is the record's value the result that the delegate writes to argument `argument` of its call? */
static enum etc_sources compare_result(struct etc_wires *w, uint32_t value, uint32_t argument)
{
	struct origin from;

	if (argument >= w->args.count || w->result[argument] == ETC_DELEGATE_NO_VALUE)
		return ETC_SOURCES_UNKNOWN;
	from = find_origin(w, w->result[argument]);
	if (!from.known || from.handle == 0)
		return ETC_SOURCES_UNKNOWN;
	return comes_from(w, value, &from, false, 0) ? ETC_SOURCES_SAME : ETC_SOURCES_OTHER;
}

/* Has the record's value the same position among the results of node `maker` as `s` has among the
 * results of its kernel? */
static enum etc_sources compare_position(const struct etc_graph_flow *flow, uint32_t maker,
                                         uint32_t value, const struct etc_source *s)
{
	const struct etc_graph_tensors out = flow->calls[maker].outputs;

	if (out.count != s->results || s->at >= out.count)
		return ETC_SOURCES_UNKNOWN;
	return flow->tensors[out.first + s->at].value == value ? ETC_SOURCES_SAME
	                                                       : ETC_SOURCES_OTHER;
}

enum etc_sources etc_sources_compare(void *index, uint32_t value, const struct etc_source *s)
{
	struct etc_graph_index *x = index;
	const uint32_t maker = x->flow.maker[value], input = x->flow.input[value];
	int is_node;

	if (s->writer == ETC_WRITER_NONE || maker == ETC_NO_NODE) {
		if (s->writer != ETC_WRITER_NONE || maker != ETC_NO_NODE)
			return ETC_SOURCES_OTHER;
		if (s->at == UINT32_MAX && input == UINT32_MAX)
			return ETC_SOURCES_CONSTANT;
		return !x->inputs_known ? ETC_SOURCES_UNKNOWN
		       : s->at == input ? ETC_SOURCES_SAME
		                        : ETC_SOURCES_OTHER;
	}
	is_node = etc_graph_index_is_node(x, maker, s->writer);
	if (is_node != 1 || s->results == 1)
		return is_node == 1   ? ETC_SOURCES_SAME
		       : is_node == 0 ? ETC_SOURCES_OTHER
		                      : ETC_SOURCES_UNKNOWN;
	if (x->wires[s->writer])
		return compare_result(x->wires[s->writer], value, s->at);
	if (x->method->chains[0].instructions[s->writer].kind != ETC_INSTRUCTION_KERNEL)
		return ETC_SOURCES_UNKNOWN;
	return compare_position(&x->flow, maker, value, s);
}

struct etc_wires *etc_wires_new(struct etc_graph_index *x, const struct etc_delegate_graph *blob,
                                uint32_t instruction, struct etc_numbers args,
                                struct etc_arena *arena)
{
	struct etc_wires *w = etc_new(arena, struct etc_wires, 1);
	uint32_t *maker = etc_new(arena, uint32_t, blob->value_count);
	uint32_t *result = etc_new(arena, uint32_t, args.count);

	if (!w || !maker || !result)
		return NULL;
	*w = (struct etc_wires){
		x, blob, instruction, .maker = maker, .args = args, .result = result
	};
	etc_map_init(&w->handles, arena);
	for (uint32_t i = 0; i < blob->value_count; i++)
		maker[i] = ETC_NO_NODE;
	for (uint32_t i = 0; i < blob->count; i++) {
		if (blob->operators[i].output != ETC_DELEGATE_NO_VALUE)
			maker[blob->operators[i].output] = i;
		if (etc_map_add(&w->handles, etc_map_number(&blob->nodes[i].handle), i) ==
		    ETC_MAP_NONE)
			return NULL;
	}
	for (uint32_t i = 0; i < args.count; i++)
		result[i] = ETC_DELEGATE_NO_VALUE;
	for (uint32_t i = 0; i < blob->value_count; i++)
		if (maker[i] != ETC_NO_NODE && blob->values[i].argument < args.count)
			result[blob->values[i].argument] = i;
	return w;
}

/* Compares node `n` of the delegate with the nodes of the record that have its debug handle. True:
 * one of these nodes has an operand from the same node as operand `k` of `n`. In a subtraction, a
 * division and a matrix product, this operand must also be number `k`. */
static bool same_source(struct etc_wires *w, uint32_t n, uint32_t k)
{
	const struct etc_delegate_node *node = &w->blob->nodes[n];
	const struct etc_delegate_operator *o = &w->blob->operators[n];
	const bool ordered = o->kind == ETC_XNODE_SUBTRACT || o->kind == ETC_XNODE_DIVIDE ||
	                     o->kind == ETC_XNODE_BMM;
	const struct origin from = find_origin(w, o->inputs[k]);

	for (uint32_t i = etc_graph_index_first(w->x, &node->handle);
	     from.known && i != ETC_NO_NODE; i = w->x->next[i]) {
		const struct etc_graph_tensors in = w->x->flow.calls[i].inputs;

		if (ordered && etc_node_delegate_kind(&w->x->graph->nodes[i]) != node->kind)
			continue;
		for (uint32_t t = 0; t < in.count; t++)
			if ((!ordered || t == k) &&
			    comes_from(w, w->x->flow.tensors[in.first + t].value, &from, false, 0))
				return true;
	}
	return false;
}

enum etc_status etc_conflicts_in_wires(struct etc_finder *f, const struct etc_compared_delegate *d,
                                       struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_wires *w;
	bool found;

	ETC_TRY(etc_finder_sources(f, d->x, d->method, &found, err));
	w = found ? d->x->wires[d->instruction] : NULL;
	for (uint32_t i = 0; w && i < blob->count; i++)
		for (uint32_t k = 0; k < blob->operators[i].input_count; k++) {
			const uint32_t v = blob->operators[i].inputs[k];

			if (blob->nodes[i].handle && v != ETC_DELEGATE_NO_VALUE &&
			    !blob->values[v].constant)
				f->out->uncompared += !same_source(w, i, k);
		}
	return ETC_OK;
}

enum etc_status etc_conflicts_in_outputs(struct etc_finder *f, struct etc_graph_index *x,
                                         struct etc_str method, struct etc_error *err)
{
	struct etc_operands o = { .compare = etc_sources_compare, .context = x };
	int64_t *values;
	bool found;

	ETC_TRY(etc_finder_sources(f, x, method, &found, err));
	if (!found)
		return ETC_OK;
	o.flow = &x->flow;
	o.inputs = x->flow.outputs;
	o.sources = x->sources;
	o.count = x->method->outputs.count;
	values = etc_new(f->arena, int64_t, o.count);
	ETC_NEED(values, err);
	for (uint32_t i = 0; i < o.count; i++)
		values[i] = etc_value_at(x->method, etc_i32_at(x->method->outputs, i))->kind ==
		                            ETC_EVALUE_TENSOR
		                    ? etc_i32_at(x->method->outputs, i)
		                    : -1;
	o.values = values;
	f->out->uncompared += o.count != o.inputs.count || !etc_operands_same(&o);
	if (etc_operands_exchanged(&o))
		etc_finder_conflict(f,
		                    "the outputs of method " ETC_STR_FMT
		                    " have another order in program and record",
		                    ETC_STR_ARG(method));
	return ETC_OK;
}
