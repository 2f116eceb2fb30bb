/* kernel.c -- see kernel.h */
#include "work/kernel.h"

#include "join/operator_stem.h"
#include "model/scalar_type.h"

enum { MOST_ITEMS = 1024 /* only damaged files have longer lists */ };

static void set_type(struct etc_operand *o, int8_t code)
{
	const struct etc_scalar_type *t = etc_scalar_type(code);

	o->bits = t ? t->bits : 0;
	o->type = ETC_WORK_OTHER;
	if (!t)
		return;
	if (t->kind == ETC_SCALAR_FLOAT && t->bits == 32)
		o->type = ETC_WORK_FP32;
	else if (t->kind == ETC_SCALAR_HALF)
		o->type = ETC_WORK_FP16;
	else if (t->kind == ETC_SCALAR_BFLOAT16)
		o->type = ETC_WORK_BF16;
	else if (t->bits == 8 && (t->kind == ETC_SCALAR_SIGNED || t->kind == ETC_SCALAR_UNSIGNED))
		o->type = ETC_WORK_INT8;
}

/* ---- operands from the program ---------------------------------------------------- */

static struct etc_operand operand(const struct etc_evalue_tensor *t, const uint64_t *ran)
{
	struct etc_operand o = { .rank = t->sizes.count, .dynamic = t->dynamism && !ran };

	set_type(&o, t->scalar_type);
	if (o.rank > ETC_OPERAND_RANK) {
		o.rank = 0;
		o.bits = 0;
	}
	for (uint32_t i = 0; i < o.rank; i++)
		o.size[i] = ran && t->dynamism ? ran[i] : (uint64_t)etc_i32_at(t->sizes, i);
	return o;
}

static const struct etc_evalue *value(const struct etc_program_method *m, int32_t index)
{
	return index >= 0 && (uint32_t)index < m->value_count ? &m->values[index] : NULL;
}

static bool is_list(const struct etc_evalue *v)
{
	return v->kind == ETC_EVALUE_TENSOR_LIST || v->kind == ETC_EVALUE_OPTIONAL_TENSOR_LIST;
}

static uint32_t items_of(const struct etc_evalue *v)
{
	return v->items.count < MOST_ITEMS ? v->items.count : MOST_ITEMS;
}

static bool is_same_list(const struct etc_evalue *a, const struct etc_evalue *b)
{
	return is_list(a) && is_list(b) && a->items.count && a->items.count == b->items.count &&
	       memcmp(a->items.ptr, b->items.ptr, a->items.count * sizeof(int32_t)) == 0;
}

/* Is value `index` the result of the call, or an item of the result? A kernel may write to one list
 * and return another list of the same tensors; both lists are then the result. */
static bool is_result(const struct etc_program_method *m, int32_t result, int32_t index)
{
	const struct etc_evalue *v = value(m, result), *arg = value(m, index);

	if (index == result || (v && arg && is_same_list(v, arg)))
		return true;
	for (uint32_t i = 0; v && is_list(v) && i < items_of(v); i++)
		if (etc_i32_at(v->items, i) == index)
			return true;
	return false;
}

/* Appends the indices of the tensors of value `index` to `to`. If `to` is NULL, only counts them.
 * Returns their number. */
static uint32_t put(const struct etc_program_method *m, int32_t index, int32_t *to)
{
	const struct etc_evalue *v = value(m, index);
	uint32_t n = 0;

	if (v && v->kind == ETC_EVALUE_TENSOR) {
		if (to)
			*to = index;
		return 1;
	}
	for (uint32_t i = 0; v && is_list(v) && i < items_of(v); i++) {
		const int32_t at = etc_i32_at(v->items, i);
		const struct etc_evalue *item = value(m, at);

		if (!item || item->kind != ETC_EVALUE_TENSOR)
			continue;
		if (to)
			to[n] = at;
		n++;
	}
	return n;
}

/* Returns the number of elements of a pooling's window. It is the product of the numbers in the
 * first argument that is a list of integers. If `square` is set, a list of one number stands for
 * both dimensions of an image. */
static uint64_t window_of(const struct etc_program_method *m, struct etc_numbers args, bool square)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < args.count; i++) {
		const struct etc_evalue *v = value(m, etc_i32_at(args, i));

		if (!v || v->kind != ETC_EVALUE_INT_LIST || v->items.count == 0)
			continue;
		for (uint32_t k = 0; k < v->items.count && k < ETC_OPERAND_RANK; k++) {
			int64_t at = etc_i64_at(v->items, k);
			const struct etc_evalue *item =
				at >= 0 && at < INT32_MAX ? value(m, (int32_t)at) : NULL;

			if (!item || item->kind != ETC_EVALUE_INT || item->integer <= 0 ||
			    __builtin_mul_overflow(n, (uint64_t)item->integer, &n))
				return 0;
		}
		return v->items.count == 1 && square ? n * n : n;
	}
	return 0;
}

/* Returns the first bool among the arguments. Of a convolution: is it transposed? Of index_put():
 * does it accumulate? */
static bool first_flag(const struct etc_program_method *m, struct etc_numbers args)
{
	for (uint32_t i = 0; i < args.count; i++) {
		const struct etc_evalue *v = value(m, etc_i32_at(args, i));

		if (v && v->kind == ETC_EVALUE_BOOL)
			return v->integer != 0;
	}
	return false;
}

/* Is the value the same in all runs? It must not be an input, and no instruction may write it. */
static bool is_fixed(const struct etc_program_method *m, int32_t index)
{
	bool fixed = true;

	for (uint32_t i = 0; i < m->inputs.count && fixed; i++)
		fixed = etc_i32_at(m->inputs, i) != index;
	for (uint32_t c = 0; c < m->chain_count; c++)
		for (uint32_t i = 0; i < m->chains[c].count && fixed; i++) {
			const struct etc_instruction *n = &m->chains[c].instructions[i];
			const struct etc_numbers args = n->args;

			if (n->kind == ETC_INSTRUCTION_KERNEL)
				fixed = !args.count || etc_i32_at(args, args.count - 1) != index;
			else if (n->kind == ETC_INSTRUCTION_MOVE)
				fixed = n->other != index;
			for (uint32_t k = 0; n->kind == ETC_INSTRUCTION_DELEGATE && k < args.count;
			     k++)
				fixed = fixed && etc_i32_at(args, k) != index;
		}
	return fixed;
}

/* Returns the position in the cache at which an attention starts: its first argument that is an
 * integer. -1: it is unknown, or changes from run to run. */
static int64_t start_of(const struct etc_program_method *m, struct etc_numbers args)
{
	for (uint32_t i = 0; i < args.count; i++) {
		const int32_t index = etc_i32_at(args, i);
		const struct etc_evalue *v = value(m, index);

		if (v && v->kind == ETC_EVALUE_INT)
			return v->integer >= 0 && is_fixed(m, index) ? v->integer : -1;
	}
	return -1;
}

static bool is_in_place(struct etc_numbers args)
{
	return args.count > 2 && etc_i32_at(args, 0) == etc_i32_at(args, args.count - 1);
}

bool etc_kernel_tensors(const struct etc_program_method *m, struct etc_numbers args,
                        struct etc_arena *scratch, struct etc_kernel_tensors *t)
{
	const int32_t result = args.count ? etc_i32_at(args, args.count - 1) : -1;
	const bool in_place = is_in_place(args);
	uint32_t n = 0;

	*t = (struct etc_kernel_tensors){ 0 };
	for (uint32_t i = 0; i + 1 < args.count; i++)
		n += put(m, etc_i32_at(args, i), NULL);
	t->in = etc_new(scratch, int32_t, n);
	t->out = etc_new(scratch, int32_t, put(m, result, NULL));
	if (!t->in || !t->out)
		return false;
	for (uint32_t i = 0; i + 1 < args.count; i++) {
		const int32_t index = etc_i32_at(args, i);

		if (!is_result(m, result, index) || (in_place && i == 0))
			t->in_count += put(m, index, t->in + t->in_count);
	}
	t->out_count = put(m, result, t->out);
	return true;
}

/* Returns the operands for `count` values of the program. If a value occurs again, the later
 * operand is marked as `again`, because the tensor is read only once. */
static struct etc_operand *operands(const struct etc_program_method *m, const int32_t *index,
                                    uint32_t count, const uint64_t *const *ran,
                                    struct etc_arena *scratch)
{
	struct etc_operand *o = etc_new(scratch, struct etc_operand, count);

	for (uint32_t i = 0; o && i < count; i++) {
		o[i] = operand(m->values[index[i]].tensor, ran ? ran[index[i]] : NULL);
		for (uint32_t k = 0; k < i; k++)
			o[i].again = o[i].again || index[k] == index[i];
	}
	return o;
}

/* Is `name` one of the runtime's own operators? These compute shapes and indices, and make views of
 * tensors (kernels/prim_ops/register_prim_ops.cpp). */
static bool is_of_runtime(struct etc_str name)
{
	return etc_str_starts(name, ETC_STR("executorch_prim::")) ||
	       etc_str_starts(name, ETC_STR("aten::sym_")) ||
	       etc_str_eq(name, ETC_STR("aten::_local_scalar_dense"));
}

bool etc_work_of_kernel(const struct etc_program_method *m, const struct etc_instruction *n,
                        const struct etc_formula **formulas, const uint64_t *const *ran,
                        struct etc_arena *scratch, struct etc_work *out)
{
	struct etc_kernel_tensors t;
	struct etc_operation op = { .stem = { 0 } };

	*out = (struct etc_work){ .why = ETC_WORK_NO_SHAPES };
	if (!m->value_count || !n->args.count || (uint32_t)n->index >= m->operator_count)
		return true;
	op.stem = etc_operator_stem(m->operators[n->index].name);
	if (!formulas[n->index])
		formulas[n->index] = etc_work_formula(op.stem);
	op.formula = formulas[n->index];
	op.in_place = is_in_place(n->args);
	if (!etc_kernel_tensors(m, n->args, scratch, &t))
		return false;
	op.in = operands(m, t.in, t.in_count, ran, scratch);
	op.out = operands(m, t.out, t.out_count, ran, scratch);
	if (!op.in || !op.out)
		return false;
	op.in_count = t.in_count;
	op.out_count = t.out_count;
	if (etc_str_find(op.stem, ETC_STR("pool"), 0) != SIZE_MAX)
		op.window =
			window_of(m, n->args, etc_str_find(op.stem, ETC_STR("2d"), 0) != SIZE_MAX);
	if (etc_str_find(op.stem, ETC_STR("sdpa"), 0) != SIZE_MAX)
		op.start = start_of(m, n->args);
	op.transposed = etc_str_eq(op.stem, ETC_STR("convolution")) && first_flag(m, n->args);
	op.accumulates = etc_str_eq(op.stem, ETC_STR("index_put")) && first_flag(m, n->args);
	*out = etc_work_of(&op);
	if (out->why != ETC_WORK_KNOWN && is_of_runtime(m->operators[n->index].name))
		out->why = ETC_WORK_NONE;
	return true;
}

/* ---- operands from the record ----------------------------------------------------- */

static struct etc_operand of_graph(const struct etc_graph_tensor *t,
                                   const struct etc_symbols *symbols)
{
	struct etc_operand o = { .rank = t->rank };

	set_type(&o, t->type);
	if (!t->known || o.rank > ETC_OPERAND_RANK) {
		o.rank = 0;
		o.bits = 0;
	}
	for (uint32_t i = 0; i < o.rank; i++) {
		o.size[i] = t->sizes[i] < 0 ? 0 : (uint64_t)t->sizes[i];
		o.dynamic = o.dynamic || (t->sizes[i] < 0 &&
		                          !(symbols && etc_symbols_of(symbols, t, i, &o.size[i])));
	}
	return o;
}

static struct etc_operand *list_of(const struct etc_graph_flow *flow, struct etc_graph_tensors all,
                                   const struct etc_symbols *symbols, struct etc_arena *scratch)
{
	struct etc_operand *o = etc_new(scratch, struct etc_operand, all.count);

	for (uint32_t i = 0; o && i < all.count; i++) {
		const struct etc_graph_tensor *t = &flow->tensors[all.first + i];

		o[i] = of_graph(t, symbols);
		for (uint32_t k = 0; k < i && t->value != UINT32_MAX; k++)
			o[i].again = o[i].again || flow->tensors[all.first + k].value == t->value;
	}
	return o;
}

bool etc_work_of_node(const struct etc_graph_flow *flow, const struct etc_graph_call *call,
                      const struct etc_node *node, const struct etc_symbols *symbols,
                      struct etc_arena *scratch, struct etc_work *out)
{
	const struct etc_operation op = {
		.stem = etc_node_stem(node),
		.in = list_of(flow, call->inputs, symbols, scratch),
		.in_count = call->inputs.count,
		.out = list_of(flow, call->outputs, symbols, scratch),
		.out_count = call->outputs.count,
		.start = -1,
		.transposed = call->convolution && call->convolution->transposed == 1,
		.accumulates = call->accumulates,
	};

	if (!op.in || !op.out)
		return false;
	*out = etc_work_of(&op);
	return true;
}
