/* operands.c -- see operands.h */
#include "together/operands.h"

#include "join/operator_stem.h"
#include "together/arguments.h"

static const uint32_t unwritten = UINT32_MAX - 2;

static void write_value(struct etc_source *sources, const struct etc_program_method *m,
                        int64_t value, const struct etc_source *source)
{
	if (value < 0 || value >= m->value_count)
		return;
	if (sources[value].writer == unwritten)
		sources[value] = *source;
	else
		sources[value].writer = ETC_WRITER_UNKNOWN;
}

/* Sets the source of a kernel's results, which are its last argument. */
static void write_results(struct etc_source *sources, const struct etc_program_method *m,
                          struct etc_numbers args, uint32_t instruction)
{
	const int64_t last = args.count ? etc_i32_at(args, args.count - 1) : -1;
	const struct etc_evalue *v = etc_value_at(m, last);
	const uint32_t items = v->kind == ETC_EVALUE_TENSOR_LIST ? v->items.count : 0;
	struct etc_source source = { instruction, 0, items ? items : 1 };

	write_value(sources, m, last, &source);
	for (; source.at < items; source.at++)
		write_value(sources, m, etc_i32_at(v->items, source.at), &source);
}

/* Sets the source of a delegate's results. The results are those arguments of the delegate's
 * call that no earlier instruction writes. */
static void write_delegate(struct etc_source *sources, const struct etc_program_method *m,
                           struct etc_numbers args, uint32_t instruction)
{
	struct etc_source source = { instruction, 0, 0 };

	for (unsigned pass = 0; pass < 2; pass++)
		for (source.at = 0; source.at < args.count; source.at++) {
			int64_t value = etc_i32_at(args, source.at);

			if (value < 0 || value >= m->value_count ||
			    sources[value].writer != unwritten)
				continue;
			if (pass)
				sources[value] = source;
			else
				source.results++;
		}
}

const struct etc_source *etc_sources_find(const struct etc_program_method *m,
                                          struct etc_arena *arena)
{
	struct etc_source *sources = etc_new(arena, struct etc_source, m->value_count);
	const uint32_t count = m->chain_count ? m->chains[0].count : 0;
	bool jumps = m->chain_count != 1;

	if (!sources)
		return NULL;
	for (uint32_t i = 0; i < m->value_count; i++) {
		const struct etc_evalue *v = &m->values[i];
		bool constant = v->kind == ETC_EVALUE_TENSOR && v->tensor->data_buffer;

		sources[i] = (struct etc_source){ constant ? ETC_WRITER_NONE : unwritten,
			                          UINT32_MAX, 1 };
	}
	for (uint32_t i = 0; i < m->inputs.count; i++) {
		int64_t value = etc_i32_at(m->inputs, i);

		if (value >= 0 && value < m->value_count)
			sources[value] = (struct etc_source){ ETC_WRITER_NONE, i, 1 };
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_instruction *n = &m->chains[0].instructions[i];

		if (n->kind == ETC_INSTRUCTION_KERNEL)
			write_results(sources, m, n->args, i);
		else if (n->kind == ETC_INSTRUCTION_DELEGATE)
			write_delegate(sources, m, n->args, i);
		else if (n->kind == ETC_INSTRUCTION_MOVE && n->other >= 0 &&
		         (uint32_t)n->other < m->value_count)
			sources[n->other].writer = ETC_WRITER_UNKNOWN;
		jumps |= n->kind == ETC_INSTRUCTION_JUMP_FALSE;
	}
	for (uint32_t i = 0; i < m->value_count; i++)
		if (sources[i].writer != ETC_WRITER_NONE &&
		    (jumps || sources[i].writer == unwritten))
			sources[i].writer = ETC_WRITER_UNKNOWN;
	return sources;
}

bool etc_operands_have_order(const struct etc_node *n)
{
	static const char *const without[] = { "add",        "mul",         "minimum",
		                               "maximum",    "eq",          "ne",
		                               "logical_or", "logical_and", "logical_xor",
		                               "bitwise_or", "bitwise_and", "bitwise_xor",
		                               NULL };

	return !etc_str_is_one_of(etc_node_stem(n), without);
}

/* Compares the source of operand `i` of the program's call with that of operand `k` of the record's
 * node. */
static enum etc_sources compare(const struct etc_operands *o, uint32_t i, uint32_t k)
{
	const struct etc_source *source = o->values[i] < 0 ? NULL : &o->sources[o->values[i]];
	const uint32_t value = o->flow->tensors[o->inputs.first + k].value;

	if (!source)
		return value == UINT32_MAX ? ETC_SOURCES_CONSTANT : ETC_SOURCES_OTHER;
	return source->writer == ETC_WRITER_UNKNOWN || value == UINT32_MAX
	               ? ETC_SOURCES_UNKNOWN
	               : o->compare(o->context, value, source);
}

bool etc_operands_exchanged(const struct etc_operands *o)
{
	for (uint32_t i = 0; i + 1 < o->count && i + 1 < o->inputs.count; i++) {
		enum etc_sources first, second;

		if (compare(o, i, i) != ETC_SOURCES_OTHER ||
		    compare(o, i + 1, i + 1) != ETC_SOURCES_OTHER)
			continue;
		first = compare(o, i, i + 1);
		second = compare(o, i + 1, i);
		if (first >= ETC_SOURCES_CONSTANT && second >= ETC_SOURCES_CONSTANT &&
		    (first == ETC_SOURCES_SAME || second == ETC_SOURCES_SAME))
			return true;
	}
	return false;
}

bool etc_operands_same(const struct etc_operands *o)
{
	if (o->count < o->inputs.count)
		return false;
	for (uint32_t i = 0; i < o->inputs.count; i++)
		if ((o->values[i] < 0 || o->sources[o->values[i]].writer != ETC_WRITER_UNKNOWN) &&
		    compare(o, i, i) < ETC_SOURCES_CONSTANT)
			return false;
	return true;
}
