/* test_operands.c -- finding calls of a program whose two operands are in the opposite order to
 * those of the record's node. */
#include "unit.h"

#include "together/operands.h"

enum { X, CONSTANT, A, B, RESULT, VALUES };

/* The values that three instructions take and make: 0 makes A, 1 makes B, 2 takes two values. Node
 * i of the graph belongs to instruction i. */
static int32_t first[] = { X, A, A }, second[] = { X, B, B }, third[] = { A, B, RESULT, RESULT };

static struct etc_numbers numbers(int32_t *v, uint32_t count)
{
	return (struct etc_numbers){ (const uint8_t *)v, count };
}

static const uint32_t maker[VALUES] = { UINT32_MAX, UINT32_MAX, 0, 1, 2 };

static enum etc_sources compare(void *context, uint32_t value, const struct etc_source *s)
{
	const bool given = s->writer == ETC_WRITER_NONE, other = maker[value] == UINT32_MAX;

	if (given || other)
		return given && other ? ETC_SOURCES_CONSTANT : ETC_SOURCES_OTHER;
	return context                     ? ETC_SOURCES_UNKNOWN
	       : maker[value] == s->writer ? ETC_SOURCES_SAME
	                                   : ETC_SOURCES_OTHER;
}

/* Asks `question` about a call with the operands `program`, for which the record has the operands
 * `record`. `jumps`: the method has two chains. `unknown`: the nodes have no handles. */
static bool ask(bool (*question)(const struct etc_operands *o), const int64_t *program,
                const uint32_t *record, bool jumps, bool unknown)
{
	static const struct etc_evalue_tensor plain = { .scalar_type = 6 },
					      constant = { .data_buffer = 1 };
	const struct etc_evalue values[VALUES] = {
		[X] = { .kind = ETC_EVALUE_TENSOR, .tensor = &plain },
		[CONSTANT] = { .kind = ETC_EVALUE_TENSOR, .tensor = &constant },
		[A] = { .kind = ETC_EVALUE_TENSOR, .tensor = &plain },
		[B] = { .kind = ETC_EVALUE_TENSOR, .tensor = &plain },
		[RESULT] = { .kind = ETC_EVALUE_TENSOR, .tensor = &plain },
	};
	const struct etc_instruction instructions[] = {
		{ .kind = ETC_INSTRUCTION_KERNEL, .args = numbers(first, 3) },
		{ .kind = ETC_INSTRUCTION_KERNEL, .args = numbers(second, 3) },
		{ .kind = ETC_INSTRUCTION_KERNEL, .args = numbers(third, 4) },
	};
	const struct etc_program_chain chains[2] = { { .instructions = instructions, .count = 3 } };
	int32_t inputs[] = { X };
	const struct etc_program_method m = { .values = values,
		                              .value_count = VALUES,
		                              .chains = chains,
		                              .chain_count = jumps ? 2 : 1,
		                              .inputs = numbers(inputs, 1) };
	const struct etc_graph_tensor tensors[] = { { .value = record[0] },
		                                    { .value = record[1] } };
	const struct etc_graph_flow flow = { .tensors = tensors, .maker = maker };
	struct etc_arena arena;
	struct etc_operands o = { .flow = &flow,
		                  .inputs = { 0, 2 },
		                  .values = program,
		                  .count = 2,
		                  .compare = compare,
		                  .context = unknown ? &arena : NULL };
	bool found;

	etc_arena_init(&arena, 1 << 20);
	o.sources = etc_sources_find(&m, &arena);
	assert_non_null(o.sources);
	found = question(&o);
	etc_arena_release(&arena);
	return found;
}

/* Is the order of the operands the opposite of the record's? */
static bool exchanged(const int64_t *program, const uint32_t *record, bool jumps, bool unknown)
{
	return ask(etc_operands_exchanged, program, record, jumps, unknown);
}

static bool equal(const int64_t *program, const uint32_t *record, bool jumps, bool unknown)
{
	return ask(etc_operands_same, program, record, jumps, unknown);
}

static void finds_equal_operands(void **state)
{
	static const int64_t ab[] = { A, B }, xc[] = { X, CONSTANT };
	static const uint32_t in_ab[] = { A, B }, in_aa[] = { A, A }, in_xb[] = { X, B },
			      in_xc[] = { X, CONSTANT }, in_none[] = { A, UINT32_MAX };

	(void)state;
	assert_true(equal(ab, in_ab, false, false));
	assert_true(equal(xc, in_xc, false, false));
	assert_false(equal(ab, in_aa, false, false));
	assert_false(equal(ab, in_xb, false, false));
	assert_false(equal(ab, in_none, false, false));
	assert_true(equal(ab, in_aa, true, false));
	assert_false(equal(ab, in_ab, false, true));
}

static void finds_exchanged_operands(void **state)
{
	static const int64_t ab[] = { A, B }, xa[] = { X, A }, xc[] = { X, CONSTANT };
	static const uint32_t in_ab[] = { A, B }, in_ba[] = { B, A }, in_xa[] = { X, A },
			      in_ax[] = { A, X }, in_aa[] = { A, A }, in_cx[] = { CONSTANT, X },
			      in_none[] = { UINT32_MAX, A };

	(void)state;
	assert_true(exchanged(ab, in_ba, false, false));
	assert_true(exchanged(xa, in_ax, false, false));
	assert_false(exchanged(ab, in_ab, false, false));
	assert_false(exchanged(xa, in_xa, false, false));
	assert_false(exchanged(ab, in_aa, false, false));
	assert_false(exchanged(xc, in_cx, false, false)); /* no instruction made either */
	assert_false(exchanged(ab, in_none, false, false));
	assert_false(exchanged(ab, in_ba, true, false));
	assert_false(exchanged(ab, in_ba, false, true));
}

static void leaves_out_operators_without_order(void **state)
{
	static const struct etc_node sub = { .op = { "aten.sub.Tensor", 15 } },
				     add = { .op = { "aten.add.Tensor", 15 } };

	(void)state;
	assert_true(etc_operands_have_order(&sub));
	assert_false(etc_operands_have_order(&add));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_exchanged_operands),
		cmocka_unit_test(finds_equal_operands),
		cmocka_unit_test(leaves_out_operators_without_order),
	};

	return cmocka_run_group_tests_name("together_operands", tests, NULL, NULL);
}
