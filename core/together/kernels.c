/* kernels.c -- compares the arguments of kernels outside delegates with those of a record's
 * nodes. */
#include "together/finder.h"

#include <stdio.h>

#include "formats/etrecord/graph_flow.h"
#include "model/scalar_type.h"
#include "tensor/program_tensor.h"
#include "together/arguments.h"
#include "together/operands.h"
#include "together/places.h"

/* ---- calls of kernels ---------------------------------------------------------------------- */

/* Calls with more arguments, or with longer lists, are not compared. */
enum { ARGUMENTS = 64 };

/* Tensor arguments of a kernel call, including tensors in lists. */
struct arguments {
	const struct etc_evalue_tensor *v[ARGUMENTS];
	int64_t index[ARGUMENTS]; /* index of each tensor among the method's values */
	uint32_t count;
	bool more; /* there are more tensors than `v` has room for */
};

static void take(struct arguments *a, const struct etc_program_method *m, int64_t index)
{
	const struct etc_evalue *v = etc_value_at(m, index);

	if (v->kind == ETC_EVALUE_TENSOR && a->count < ARGUMENTS) {
		a->index[a->count] = index;
		a->v[a->count++] = v->tensor;
	} else if (v->kind == ETC_EVALUE_TENSOR) {
		a->more = true;
	}
}

static void take_argument(struct arguments *a, const struct etc_program_method *m, int32_t index)
{
	const struct etc_evalue *v = etc_value_at(m, index);

	take(a, m, index);
	if (v->kind != ETC_EVALUE_TENSOR_LIST && v->kind != ETC_EVALUE_OPTIONAL_TENSOR_LIST)
		return;
	for (uint32_t i = 0; i < v->items.count && i < ARGUMENTS; i++)
		take(a, m, etc_i32_at(v->items, i));
	a->more |= v->items.count > ARGUMENTS;
}

/* Returns how types or numbers of elements differ; NULL: they are equal, or one of them is unknown.
 * Sizes are not compared, because a pass of the exporter may insert a view, permute or
 * unsqueeze. */
static const char *differ_in(const struct etc_graph_tensor *a, const struct etc_evalue_tensor *b,
                             char *to, size_t room)
{
	uint64_t in_graph, in_program = 1;

	if (a->type >= 0 && a->type != b->scalar_type && etc_scalar_type(a->type) &&
	    etc_scalar_type(b->scalar_type)) {
		snprintf(to, room, "a tensor of %s and of %s",
		         etc_scalar_type(b->scalar_type)->name, etc_scalar_type(a->type)->name);
		return to;
	}
	if (b->dynamism != ETC_SHAPE_STATIC || !etc_graph_elements(a, &in_graph))
		return NULL;
	for (uint32_t i = 0; i < b->sizes.count; i++)
		if (__builtin_mul_overflow(in_program, (uint64_t)etc_i32_at(b->sizes, i),
		                           &in_program))
			return NULL;
	if (in_graph == in_program)
		return NULL;
	snprintf(to, room, "a tensor of %llu and of %llu elements", (unsigned long long)in_program,
	         (unsigned long long)in_graph);
	return to;
}

static const char *differ_from(const struct etc_graph_flow *s, struct etc_graph_tensors node,
                               const struct arguments *call, char *to, size_t room)
{
	const char *what = NULL;

	for (uint32_t i = 0; i < node.count && i < call->count && !what; i++)
		what = differ_in(&s->tensors[node.first + i], call->v[i], to, room);
	return what;
}

/* Sets to[0 .. count) to the numbers of an argument; -1: the number is unknown. If the argument is
 * a list of `count` numbers, sets them to its items. If it is a single number, sets all to this
 * number. If it is a list of one number, sets the first to this number, and the others to -1. For a
 * list of another length, sets all to -1. An item that is not an integer becomes -1, too. */
static void get_ints(const struct etc_program_method *m, int32_t index, int64_t *to, uint32_t count)
{
	const struct etc_evalue *v = etc_value_at(m, index);
	const uint32_t items = v->kind != ETC_EVALUE_INT_LIST                   ? 0
	                       : v->items.count == count || v->items.count == 1 ? v->items.count
	                                                                        : 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct etc_evalue *item =
			i < items ? etc_value_at(m, etc_i64_at(v->items, i)) : v;

		to[i] = item->kind == ETC_EVALUE_INT || item->kind == ETC_EVALUE_BOOL
		                ? item->integer
		                : -1;
	}
}

static bool is_other_convolution(const struct etc_convolution *c,
                                 const struct etc_program_method *m, struct etc_numbers args)
{
	enum { STRIDE = 3, PADDING, DILATION, TRANSPOSED, GROUPS = 8 };
	struct etc_convolution other;

	if (!c || args.count <= GROUPS)
		return false;
	get_ints(m, etc_i32_at(args, STRIDE), other.stride, 2);
	get_ints(m, etc_i32_at(args, PADDING), other.padding, 2);
	get_ints(m, etc_i32_at(args, DILATION), other.dilation, 2);
	get_ints(m, etc_i32_at(args, TRANSPOSED), &other.transposed, 1);
	get_ints(m, etc_i32_at(args, GROUPS), &other.groups, 1);
	return etc_convolutions_differ(c, &other);
}

/* Returns how the arguments of a kernel differ from those of the node; NULL: no difference was
 * found, or there are too many arguments to compare. The last of the kernel's values is its result,
 * or the list of its results. The values before the last one are the node's arguments; for an `out`
 * kernel, they are followed by the results. */
static const char *differ_from_node(const struct etc_graph_flow *s,
                                    const struct etc_graph_call *node,
                                    const struct etc_program_method *m, struct etc_numbers args,
                                    char *to, size_t room)
{
	struct arguments in = { .count = 0 }, out = { .count = 0 };
	const char *what;

	if (args.count == 0 || args.count > ARGUMENTS)
		return NULL;
	for (uint32_t i = 0; i + 1 < args.count; i++)
		take_argument(&in, m, etc_i32_at(args, i));
	take_argument(&out, m, etc_i32_at(args, args.count - 1));
	if (in.more || out.more)
		return NULL;
	what = differ_from(s, node->inputs, &in, to, room);
	if (!what && out.count == node->outputs.count)
		what = differ_from(s, node->outputs, &out, to, room);
	if (!what && out.count && in.count > out.count &&
	    in.v[in.count - 1] == out.v[out.count - 1] &&
	    in.count - out.count > node->inputs.count &&
	    in.count - out.count <= node->inputs.count + node->nones)
		what = "a tensor and None";
	if (!what && is_other_convolution(node->convolution, m, args))
		what = "another convolution";
	return what;
}

/* Compares the operands of a kernel call with those of the record's node. If the program has them
 * in another order, writes this conflict to `to`. If they do not all come from the same nodes as in
 * the record, or this is unknown, adds 1 to out->uncompared of the finder. */
static enum etc_status compare_order(struct etc_finder *f, struct etc_graph_index *x,
                                     const struct etc_kernel_call *c, char *to, size_t room,
                                     struct etc_error *err)
{
	struct arguments in = { .count = 0 };
	struct etc_operands o = { .flow = c->flow,
		                  .inputs = c->call->inputs,
		                  .values = in.index,
		                  .compare = etc_sources_compare,
		                  .context = x };
	bool found;

	ETC_TRY(etc_finder_sources(f, x, c->method->name, &found, err));
	if (!found)
		return ETC_OK;
	o.sources = x->sources;
	for (uint32_t i = 0; i + 1 < c->args.count; i++)
		take_argument(&in, c->method, etc_i32_at(c->args, i));
	o.count = in.count;
	f->out->uncompared += !etc_operands_same(&o);
	if (o.inputs.count > 1 && etc_operands_have_order(c->node) && etc_operands_exchanged(&o))
		snprintf(to, room, "another order of operands");
	return ETC_OK;
}

enum etc_status etc_conflicts_in_arguments(struct etc_finder *f, struct etc_graph_index *x,
                                           const struct etc_handles *h, struct etc_str method,
                                           uint32_t instruction, struct etc_error *err)
{
	const struct etc_program_method *m;
	const struct etc_instruction *call;
	const char *what = NULL;
	bool whole;
	char text[120];

	ETC_TRY(etc_finder_values(f, method, &m, err));
	call = m ? etc_program_instruction(m, 0, instruction) : NULL;
	if (!call || !m->value_count)
		return ETC_OK;
	ETC_TRY(etc_finder_flow(f, x, err));
	for (uint32_t i = 0; i < h->count && x->flow.whole; i++)
		for (uint32_t n = etc_graph_index_first(x, &h->v[i]); n != ETC_NO_NODE;
		     n = x->next[n]) {
			const struct etc_kernel_call k = { m,
				                           call->args,
				                           m->operators[call->index].text,
				                           &x->graph->nodes[n],
				                           &x->flow,
				                           &x->flow.calls[n] };

			if (!etc_node_runs_as(k.node, k.kernel))
				continue;
			what = differ_from_node(&x->flow, k.call, m, k.args, text, sizeof text);
			if (!what) {
				ETC_TRY(etc_arguments_compare(&k, f->arena, &f->read_arguments,
				                              text, sizeof text, &whole, err));
				if (!text[0])
					ETC_TRY(compare_order(f, x, &k, text, sizeof text, err));
				what = text[0] ? text : NULL;
			}
			if (what)
				continue;
			f->out->uncompared += !whole;
			return ETC_OK;
		}
	if (!what)
		f->out->uncompared +=
			etc_arguments_matter(m, call->args, m->operators[call->index].text);
	else
		etc_finder_conflict(f, "instruction %u has %s in program and record", instruction,
		                    what);
	return ETC_OK;
}

/* ---- places of kernels' arguments ----------------------------------------------- */

/* Returns the only node with one of these handles that the kernel can run; ETC_NO_NODE: there is
 * none, or several. */
static uint32_t node_of_kernel(const struct etc_graph_index *x, const struct etc_handles *h,
                               struct etc_str kernel)
{
	uint32_t found = ETC_NO_NODE;

	for (uint32_t i = 0; i < h->count; i++)
		for (uint32_t n = etc_graph_index_first(x, &h->v[i]); n != ETC_NO_NODE;
		     n = x->next[n]) {
			if (!etc_node_runs_as(&x->graph->nodes[n], kernel))
				continue;
			if (found != ETC_NO_NODE && found != n)
				return ETC_NO_NODE;
			found = n;
		}
	return found;
}

/* Compares constant argument `i` of an instruction with the weights that `node` of the record takes
 * there. ETC_NO_NODE: the node is unknown, so all nodes with the instruction's handles are
 * compared. */
static enum etc_placed_answer compare_argument(struct etc_graph_index *x,
                                               const struct etc_handles *h, uint32_t node,
                                               uint32_t i, const struct etc_placed *place)
{
	if (!x->places)
		return ETC_PLACED_UNKNOWN;
	etc_places_begin(x->places);
	if (node != ETC_NO_NODE)
		(void)etc_places_add(x->places, node, i);
	else
		etc_add_all_places(x, h);
	return etc_places_compare(x->places, place);
}

enum etc_status etc_conflicts_in_argument_places(struct etc_finder *f, struct etc_graph_index *x,
                                                 const struct etc_handles *h, struct etc_str method,
                                                 const struct etc_instruction *call,
                                                 uint32_t number, struct etc_error *err)
{
	const struct etc_program_method *m;
	struct arguments in = { .count = 0 };
	uint32_t node = ETC_NO_NODE;

	if (!etc_finder_program(f).len)
		return ETC_OK;
	ETC_TRY(etc_finder_values(f, method, &m, err));
	f->out->uncompared += !m || !m->value_count;
	if (!m || !m->value_count)
		return ETC_OK;
	ETC_TRY(etc_finder_places(f, x, err));
	for (uint32_t i = 0; i < call->args.count; i++)
		take_argument(&in, m, etc_i32_at(call->args, i));
	f->out->uncompared += in.more;
	if (h && x->flow.whole)
		node = node_of_kernel(x, h, m->operators[call->index].text);
	for (uint32_t i = 0; i < in.count; i++) {
		enum etc_placed_answer answer = ETC_PLACED_UNKNOWN;
		struct etc_tensor_data_place data;
		struct etc_placed place;

		if (!etc_tensor_data_place(&f->whole, etc_finder_program(f), in.v[i], &data))
			continue;
		place = (struct etc_placed){
			.bytes = data.bytes,
			.elements = data.bytes.len / etc_scalar_type(in.v[i]->scalar_type)->bytes
		};
		if (h)
			answer = compare_argument(x, h, node, i, &place);
		f->out->uncompared += answer == ETC_PLACED_UNKNOWN;
		if (answer != ETC_PLACED_ELSEWHERE)
			continue;
		etc_finder_conflict(
			f,
			"instruction %u has in the program a weight that the record has at "
			"another place",
			number);
		return ETC_OK;
	}
	return ETC_OK;
}
