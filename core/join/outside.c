/* outside.c -- see outside.h
 *
 * Finds out why a partitioner left an operator to the CPU. Neither program nor ETRecord states the
 * reason, but two facts of the program are sufficient reasons: the method has no delegate; or all
 * of its delegates are XNNPACK's, whose partitioner rejects some types of ATen's operators
 * (backends/xnnpack/partition/config/xnnpack_config.py). Quantisation operators are not examined:
 * their zero points are int64, and the partitioner takes them together with the operators next to
 * them. */
#include "join/outside.h"

#include "base/ascii.h"
#include "base/text.h"
#include "join/operator_stem.h"
#include "model/builtin.h"
#include "model/graph_flow.h"
#include "model/place.h"
#include "model/scalar_type.h"

/* State while the shapes and types of the tensors of a kernel call are written. */
struct tensors {
	const struct etc_program_method *m;
	struct etc_text *shapes, *types;
	const struct etc_scalar_type *refused; /* the first type that the partitioner rejects */
	/* the backend of all delegates of the method; its partitioner did not take the operator.
	 * NULL: unknown */
	const struct etc_builtin *taker;
	uint32_t count;
};

static bool is_refused(const struct tensors *t, const struct etc_scalar_type *type)
{
	const struct etc_str *never = t->taker ? t->taker->refused : NULL;

	for (; type->numpy && never && never->len; never++)
		if (etc_str_eq(etc_str_of(type->numpy), *never))
			return true;
	return false;
}

static void put_shape(struct etc_text *t, const struct etc_evalue_tensor *tensor)
{
	if (tensor->dynamism == ETC_SHAPE_DYNAMIC_UNBOUND) {
		etc_text_cstr(t, "?");
		return;
	}
	if (tensor->dynamism == ETC_SHAPE_DYNAMIC_BOUND)
		etc_text_cstr(t, "<=");
	if (tensor->sizes.count == 0)
		etc_text_cstr(t, "scalar");
	for (uint32_t i = 0; i < tensor->sizes.count; i++)
		etc_text_printf(t, "%s%ld", i ? "x" : "", (long)etc_i32_at(tensor->sizes, i));
}

static void put_type(struct etc_text *t, const struct etc_scalar_type *type)
{
	if (type->numpy)
		etc_text_cstr(t, type->numpy);
	else
		for (const char *c = type->name; *c; c++)
			etc_text_char(t, etc_lower(*c));
}

static void put_tensor(struct tensors *t, const struct etc_evalue_tensor *tensor)
{
	const struct etc_scalar_type *type = etc_scalar_type(tensor->scalar_type);

	etc_text_cstr(t->shapes, t->count ? ", " : "");
	etc_text_cstr(t->types, t->count ? ", " : "");
	put_shape(t->shapes, tensor);
	if (type)
		put_type(t->types, type);
	else
		etc_text_printf(t->types, "type %d", tensor->scalar_type);
	if (type && !t->refused && is_refused(t, type))
		t->refused = type;
	t->count++;
}

static bool is_in(struct etc_numbers items, int32_t index)
{
	enum { MOST = 1024 }; /* only a damaged file lists more results of a call than this */

	for (uint32_t i = 0; i < items.count && i < MOST; i++)
		if (etc_i32_at(items, i) == index)
			return true;
	return false;
}

/* Adds value `index` of the program if it is a tensor, or all tensors in it if it is a list. The
 * value `but` is left out (-1: none): it is the call's result, which `out` kernels also have among
 * their arguments. */
static void put_value(struct tensors *t, int32_t index, int32_t but)
{
	const struct etc_evalue *v = &t->m->values[index],
				*no = but < 0 ? NULL : &t->m->values[but];
	bool is_list =
		v->kind == ETC_EVALUE_TENSOR_LIST || v->kind == ETC_EVALUE_OPTIONAL_TENSOR_LIST;
	struct etc_numbers results = { 0 };

	if (no && no->kind == ETC_EVALUE_TENSOR_LIST)
		results = no->items;
	if (index == but || is_in(results, index))
		return;
	if (v->kind == ETC_EVALUE_TENSOR)
		put_tensor(t, v->tensor);
	for (uint32_t i = 0; is_list && i < v->items.count; i++) {
		int32_t item = etc_i32_at(v->items, i);

		if (item >= 0 && (uint32_t)item < t->m->value_count && !is_in(results, item) &&
		    t->m->values[item].kind == ETC_EVALUE_TENSOR)
			put_tensor(t, t->m->values[item].tensor);
	}
}

/* Writes the arguments, " -> " and the results of a call. The last value of the call is its
 * result. An `out` kernel also has the result among its arguments; it is not written as an
 * argument. */
static void put_call(struct tensors *t, struct etc_numbers args)
{
	int32_t result = etc_i32_at(args, args.count - 1);
	const struct etc_scalar_type *refused;

	for (uint32_t i = 0; i + 1 < args.count; i++)
		put_value(t, etc_i32_at(args, i), result);
	etc_text_cstr(t->shapes, t->count ? " -> " : "-> ");
	etc_text_cstr(t->types, t->count ? " -> " : "-> ");
	t->count = 0;
	refused = t->refused;
	put_value(t, result, -1);
	if (t->count != 1) /* if an operator has several results, as max.dim has, the
	                    * partitioner does not check their types */
		t->refused = refused;
}

/* ---- shapes and types, from the record's graph ---------------------------------------------- */

static void put_list(const struct etc_graph_flow *s, struct etc_graph_tensors list,
                     struct etc_text *shapes, struct etc_text *types)
{
	for (uint32_t i = 0; i < list.count; i++) {
		const struct etc_graph_tensor *tensor = &s->tensors[list.first + i];
		const struct etc_scalar_type *type = etc_scalar_type(tensor->type);

		etc_text_cstr(shapes, i ? ", " : "");
		etc_text_cstr(types, i ? ", " : "");
		etc_text_cstr(shapes, !tensor->known ? "?" : tensor->rank == 0 ? "scalar" : "");
		for (uint32_t k = 0; k < tensor->rank; k++) {
			etc_text_cstr(shapes, k ? "x" : "");
			if (tensor->sizes[k] < 0)
				etc_text_cstr(shapes, "?");
			else
				etc_text_printf(shapes, "%lld", (long long)tensor->sizes[k]);
		}
		if (type)
			put_type(types, type);
		else
			etc_text_cstr(types, "?");
	}
}

static bool put_node(const struct etc_graph_flow *s, const struct etc_graph_call *call,
                     struct etc_str *shapes, struct etc_str *types, struct etc_arena *arena)
{
	struct etc_text a = { 0 }, b = { 0 };

	put_list(s, call->inputs, &a, &b);
	etc_text_cstr(&a, a.len ? " -> " : "-> ");
	etc_text_cstr(&b, b.len ? " -> " : "-> ");
	put_list(s, call->outputs, &a, &b);
	*shapes = etc_text_keep(&a, arena);
	*types = etc_text_keep(&b, arena);
	return shapes->ptr && types->ptr;
}

/* Sets shapes and types from those nodes of the instruction that have the kernel's operator. If
 * these nodes differ in shapes or types, both texts stay empty. False: out of memory. */
static bool say_graph(struct etc_outside *o, const struct etc_sites *sites, uint32_t site,
                      struct etc_str kernel, struct etc_arena *arena)
{
	const struct etc_place *place = sites->place ? sites->place[site] : NULL;
	const struct etc_graph *g = sites->graph;
	const struct etc_graph_flow *s = g ? g->flow : NULL;
	struct etc_str stem = etc_operator_stem(kernel), shapes, types;

	if (!place || !s || !s->whole || !stem.len ||
	    etc_site_event(sites, &sites->v[site])->chain != 0)
		return true;
	for (uint32_t i = 0; i < place->count; i++) {
		const struct etc_node *n = place->nodes[i];

		if (!etc_str_eq(etc_node_stem(n), stem))
			continue;
		if (!put_node(s, &s->calls[n - g->nodes], &shapes, &types, arena))
			return false;
		if (o->shapes.len &&
		    !(etc_str_eq(shapes, o->shapes) && etc_str_eq(types, o->types))) {
			o->shapes = o->types = (struct etc_str){ 0 };
			return true;
		}
		o->shapes = shapes;
		o->types = types;
	}
	return true;
}

/* ---- shapes and types, from the program --------------------------------------------------- */

/* Returns the backend of all delegates of the method. NULL: the method has no delegate, its
 * delegates have different backends, or the backend is not built in. */
static const struct etc_builtin *taker_of(const struct etc_program_method *m)
{
	for (uint32_t i = 1; i < m->delegate_count; i++)
		if (!etc_str_eq(m->delegates[i].backend, m->delegates[0].backend))
			return NULL;
	return m->delegate_count ? etc_builtin_of(m->delegates[0].backend) : NULL;
}

/* Is `op` an operator of ATen? A copy that converts types is one, too, although the edge dialect
 * gives it another name. */
static bool of_aten(struct etc_str op)
{
	return etc_str_starts(op, ETC_STR("aten::")) ||
	       etc_str_starts(op, ETC_STR("dim_order_ops::"));
}

static struct etc_str reason_of(const struct etc_program_method *m, struct etc_str op,
                                const struct tensors *t, struct etc_arena *arena)
{
	if (m->delegate_count == 0)
		return ETC_STR("the method has no delegate");
	if (t->refused && of_aten(op))
		return etc_arena_printf(arena, ETC_STR_FMT " takes no %s",
		                        ETC_STR_ARG(t->taker->word), t->refused->numpy);
	return (struct etc_str){ 0 };
}

static bool say(struct etc_outside *o, const struct etc_program_method *m,
                const struct etc_instruction *n, struct etc_arena *arena)
{
	struct etc_text shapes = { 0 }, types = { 0 };
	struct tensors t = { .m = m, .shapes = &shapes, .types = &types, .taker = taker_of(m) };
	bool ok = true;

	o->op = m->operators[n->index].text;
	if (m->value_count && n->args.count) {
		put_call(&t, n->args);
		o->shapes = etc_text_keep(&shapes, arena);
		o->types = etc_text_keep(&types, arena);
		ok = o->shapes.ptr && o->types.ptr;
	}
	o->reason = reason_of(m, o->op, &t, arena);
	return ok && (!o->reason.len || o->reason.ptr);
}

const struct etc_outside *etc_outside_make(const struct etc_sites *sites, uint32_t site,
                                           struct etc_str kernel, struct etc_arena *arena)
{
	const struct etc_event *e = etc_site_event(sites, &sites->v[site]);
	const struct etc_method *method = sites->method;
	struct etc_outside *o = etc_new(arena, struct etc_outside, 1);
	const struct etc_instruction *n;

	if (!o)
		return NULL;
	*o = (struct etc_outside){ .op = kernel };
	if (!method || method->fit_count != 1)
		return say_graph(o, sites, site, kernel, arena) ? o : NULL;
	n = etc_program_instruction(method->fits[0], e->chain, (int32_t)e->instruction_id);
	if (!n || n->kind != ETC_INSTRUCTION_KERNEL)
		return o;
	return say(o, method->fits[0], n, arena) ? o : NULL;
}
