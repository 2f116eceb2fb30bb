/* operands.c -- see operands.h */
#include "together/operands.h"

#include "join/operator_stem.h"

static const uint32_t unwritten = UINT32_MAX - 2;

static void write_value(uint32_t *writers, const struct etc_program_method *m, int64_t value,
                        uint32_t instruction)
{
	if (value >= 0 && value < m->value_count)
		writers[value] = writers[value] == unwritten ? instruction : ETC_WRITER_UNKNOWN;
}

/* Sets the writer of a kernel's results, which are its last argument. */
static void write_results(uint32_t *writers, const struct etc_program_method *m,
                          struct etc_numbers args, uint32_t instruction)
{
	int64_t last = args.count ? etc_i32_at(args, args.count - 1) : -1;
	const struct etc_evalue *v;

	if (last < 0 || last >= m->value_count)
		return;
	v = &m->values[last];
	write_value(writers, m, last, instruction);
	for (uint32_t i = 0; v->kind == ETC_EVALUE_TENSOR_LIST && i < v->items.count; i++)
		write_value(writers, m, etc_i32_at(v->items, i), instruction);
}

/* Sets the writer of a delegate's results: those of its arguments that no earlier instruction
 * writes. */
static void write_delegate(uint32_t *writers, const struct etc_program_method *m,
                           struct etc_numbers args, uint32_t instruction)
{
	for (uint32_t i = 0; i < args.count; i++) {
		int64_t value = etc_i32_at(args, i);

		if (value >= 0 && value < m->value_count && writers[value] == unwritten)
			writers[value] = instruction;
	}
}

const uint32_t *etc_writers_find(const struct etc_program_method *m, struct etc_arena *arena)
{
	uint32_t *writers = etc_new(arena, uint32_t, m->value_count);
	const uint32_t count = m->chain_count ? m->chains[0].count : 0;
	bool jumps = m->chain_count != 1;

	if (!writers)
		return NULL;
	for (uint32_t i = 0; i < m->value_count; i++) {
		const struct etc_evalue *v = &m->values[i];
		bool constant = v->kind == ETC_EVALUE_TENSOR && v->tensor->data_buffer;

		writers[i] = constant ? ETC_WRITER_NONE : unwritten;
	}
	for (uint32_t i = 0; i < m->inputs.count; i++) {
		int64_t value = etc_i32_at(m->inputs, i);

		if (value >= 0 && value < m->value_count)
			writers[value] = ETC_WRITER_NONE;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_instruction *n = &m->chains[0].instructions[i];

		if (n->kind == ETC_INSTRUCTION_KERNEL)
			write_results(writers, m, n->args, i);
		else if (n->kind == ETC_INSTRUCTION_DELEGATE)
			write_delegate(writers, m, n->args, i);
		else if (n->kind == ETC_INSTRUCTION_MOVE && n->other >= 0 &&
		         (uint32_t)n->other < m->value_count)
			writers[n->other] = ETC_WRITER_UNKNOWN;
		jumps |= n->kind == ETC_INSTRUCTION_JUMP_FALSE;
	}
	for (uint32_t i = 0; i < m->value_count; i++)
		if (jumps || writers[i] == unwritten)
			writers[i] = ETC_WRITER_UNKNOWN;
	return writers;
}

bool etc_operands_have_order(const struct etc_node *n)
{
	static const char *const without[] = { "add",        "mul",         "minimum",
		                               "maximum",    "eq",          "ne",
		                               "logical_or", "logical_and", "logical_xor",
		                               "bitwise_or", "bitwise_and", "bitwise_xor" };
	const struct etc_str stem = etc_node_stem(n);

	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		if (etc_str_eq(stem, etc_str_of(without[i])))
			return false;
	return true;
}

enum relation { UNKNOWN, OTHER, BOTH_GIVEN, SAME };

/* Is operand `i` of the program's call operand `k` of the record's node? BOTH_GIVEN: no instruction
 * writes either, so they cannot be compared. */
static enum relation relate(const struct etc_operands *o, uint32_t i, uint32_t k)
{
	const uint32_t writer = o->writers[o->values[i]];
	const uint32_t maker = o->flow->maker[o->flow->tensors[o->inputs.first + k].value];

	if (writer == ETC_WRITER_NONE || maker == UINT32_MAX)
		return writer == ETC_WRITER_NONE && maker == UINT32_MAX ? BOTH_GIVEN : OTHER;
	switch (o->is_node_of(o->context, maker, writer)) {
	case 1:
		return SAME;
	case 0:
		return OTHER;
	default:
		return UNKNOWN;
	}
}

static bool is_known(const struct etc_operands *o, uint32_t i)
{
	return o->writers[o->values[i]] != ETC_WRITER_UNKNOWN &&
	       o->flow->tensors[o->inputs.first + i].value != UINT32_MAX;
}

bool etc_operands_exchanged(const struct etc_operands *o)
{
	for (uint32_t i = 0; i + 1 < o->count && i + 1 < o->inputs.count; i++) {
		enum relation first, second;

		if (!is_known(o, i) || !is_known(o, i + 1) || relate(o, i, i) != OTHER ||
		    relate(o, i + 1, i + 1) != OTHER)
			continue;
		first = relate(o, i, i + 1);
		second = relate(o, i + 1, i);
		if (first >= BOTH_GIVEN && second >= BOTH_GIVEN &&
		    (first == SAME || second == SAME))
			return true;
	}
	return false;
}

bool etc_operands_same(const struct etc_operands *o)
{
	if (o->count < o->inputs.count)
		return false;
	for (uint32_t i = 0; i < o->inputs.count; i++)
		if (o->writers[o->values[i]] != ETC_WRITER_UNKNOWN &&
		    (!is_known(o, i) || relate(o, i, i) < BOTH_GIVEN))
			return false;
	return true;
}
