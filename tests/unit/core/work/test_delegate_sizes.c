/* test_delegate_sizes.c -- computing the sizes of an XNNPACK graph's values in a run, from those of
 * its arguments. */
#include "unit.h"

#include "work/delegate_sizes.h"

enum { LINEAR = 2, SIGMOID = 4, TRANSPOSE = 5, MAX_POOL = 14, RESHAPE = 20, SLICE = 35, MOST = 8 };

/* A chain of operators. The first argument of the call is value 0, the second is the result. */
struct made {
	struct etc_arena arena;
	struct etc_error err;
	struct etc_delegate_graph g, out;
	struct etc_delegate_value values[MOST];
	struct etc_delegate_operator operators[MOST];
	struct etc_call_argument args[2];
};

static const uint32_t rows_64[] = { 64, 16 }, rows_64_of_9[] = { 64, 9 }, weights[] = { 9, 16 };
static const uint32_t swapped[] = { 16, 64 };

static void start(struct made *m)
{
	*m = (struct made){ .err = { .at = -1 } };
	etc_arena_init(&m->arena, 1 << 20);
	m->g.values = m->values;
	m->g.operators = m->operators;
	m->args[0] = (struct etc_call_argument){ .size = { 5, 16 }, .rank = 2, .known = true };
}

static uint32_t value(struct made *m, const uint32_t *sizes, uint32_t rank, uint32_t argument)
{
	m->values[m->g.value_count] =
		(struct etc_delegate_value){ .sizes = sizes, .rank = rank, .argument = argument };
	return m->g.value_count++;
}

static struct etc_delegate_operator *node(struct made *m, uint8_t kind, uint32_t in, uint32_t out)
{
	struct etc_delegate_operator *op = &m->operators[m->g.count++];

	*op = (struct etc_delegate_operator){
		.kind = kind, .input_count = 1, .inputs = { in }, .output = out
	};
	return op;
}

static const struct etc_delegate_value *solve(struct made *m, uint32_t of)
{
	assert_ok(etc_delegate_sizes(&m->g, m->args, 2, &m->arena, &m->out, &m->err), &m->err);
	return &m->out.values[of];
}

static void linear(struct made *m)
{
	struct etc_delegate_operator *op;
	uint32_t x = value(m, rows_64, 2, 0), w = value(m, weights, 2, ETC_DELEGATE_NO_VALUE);

	m->values[w].constant = true;
	op = node(m, LINEAR, x, value(m, rows_64_of_9, 2, 1));
	op->inputs[op->input_count++] = w;
	node(m, SIGMOID, 2, value(m, rows_64_of_9, 2, ETC_DELEGATE_NO_VALUE));
}

static void sizes_follow_from_the_arguments(void **state)
{
	const struct etc_delegate_value *v;
	struct made m;

	(void)state;
	start(&m);
	linear(&m);
	v = solve(&m, 3);
	assert_false(v->unsized);
	assert_int_equal(v->rank, 2);
	assert_int_equal(v->sizes[0], 5);
	assert_int_equal(v->sizes[1], 9);
	assert_int_equal(m.values[3].sizes[0], 64); /* the sizes of the export did not change */
	etc_arena_release(&m.arena);
}

/* If the run logged other sizes of a result than those computed from the input, all sizes count as
 * unknown. */
static void results_that_contradict_leave_all_unknown(void **state)
{
	struct made m;

	(void)state;
	start(&m);
	linear(&m);
	m.args[1] = (struct etc_call_argument){ .size = { 6, 9 }, .rank = 2, .known = true };
	assert_true(solve(&m, 3)->unsized);
	assert_true(m.out.values[0].unsized);
	m.args[1].size[0] = 5;
	assert_false(solve(&m, 3)->unsized);
	etc_arena_release(&m.arena);
}

/* The exporter writes a tensor without dimensions as a vector of one element. */
static void a_tensor_without_dimensions_has_one_element(void **state)
{
	static const uint32_t one[] = { 1 };
	struct made m;
	uint32_t in;

	(void)state;
	start(&m);
	m.args[0] = (struct etc_call_argument){ .rank = 0, .known = true };
	in = value(&m, one, 1, 0);
	node(&m, SIGMOID, in, value(&m, one, 1, ETC_DELEGATE_NO_VALUE));
	assert_false(solve(&m, 1)->unsized);
	assert_int_equal(m.out.values[1].sizes[0], 1);
	etc_arena_release(&m.arena);
}

/* If the sizes of an input are unknown, their upper bounds in the export are not used instead. */
static void an_unknown_input_leaves_what_follows_unknown(void **state)
{
	struct made m;

	(void)state;
	start(&m);
	linear(&m);
	m.args[0].known = false;
	assert_true(solve(&m, 2)->unsized);
	assert_true(m.out.values[3].unsized);
	assert_false(m.out.values[1].unsized);
	m.args[0] = (struct etc_call_argument){ .size = { 5 }, .rank = 1, .known = true };
	assert_true(solve(&m, 2)->unsized);
	etc_arena_release(&m.arena);
}

/* If the rule of an operator does not give the sizes of the export, it is not used for the run
 * either. */
static void a_rule_that_the_export_contradicts_is_not_used(void **state)
{
	struct made m;
	uint32_t in;

	(void)state;
	start(&m);
	in = value(&m, rows_64, 2, 0);
	node(&m, SIGMOID, in, value(&m, swapped, 2, 1));
	assert_true(solve(&m, 1)->unsized);
	etc_arena_release(&m.arena);
}

static void permutations_and_shapes_are_those_of_the_node(void **state)
{
	static const uint32_t perm[] = { 1, 0 }, shape[] = { 4, 0 }, four[] = { 4, 256 };
	const struct etc_delegate_value *v;
	struct made m;
	uint32_t in;

	(void)state;
	start(&m);
	in = value(&m, rows_64, 2, 0);
	node(&m, TRANSPOSE, in, value(&m, swapped, 2, ETC_DELEGATE_NO_VALUE))->numbers[0] =
		(struct etc_delegate_numbers){ perm, 2 };
	node(&m, RESHAPE, 1, value(&m, four, 2, 1))->numbers[0] =
		(struct etc_delegate_numbers){ shape, 2 };
	v = solve(&m, 2);
	assert_int_equal(m.out.values[1].sizes[0], 16);
	assert_int_equal(m.out.values[1].sizes[1], 5);
	assert_int_equal(v->sizes[0], 4);
	assert_int_equal(v->sizes[1], 20);
	m.args[0].size[1] = 3; /* 15 elements cannot form 4 rows */
	assert_true(solve(&m, 2)->unsized);
	etc_arena_release(&m.arena);
}

/* A slice takes as many elements in the run as in the export. If the input of the run is smaller
 * and ends before them, the size of the slice is unknown. */
static void slices_that_reach_beyond_the_input_are_unknown(void **state)
{
	static const uint32_t from[] = { 2, 0 }, sizes[] = { 3, 16 };
	struct made m;
	uint32_t in;

	(void)state;
	start(&m);
	in = value(&m, rows_64, 2, 0);
	node(&m, SLICE, in, value(&m, sizes, 2, 1));
	m.operators[0].numbers[0] = (struct etc_delegate_numbers){ from, 2 };
	m.operators[0].numbers[1] = (struct etc_delegate_numbers){ sizes, 2 };
	assert_int_equal(solve(&m, 1)->sizes[0], 3);
	m.args[0].size[0] = 4;
	assert_true(solve(&m, 1)->unsized);
	etc_arena_release(&m.arena);
}

static void windows_shrink_images(void **state)
{
	static const uint32_t image[] = { 1, 64, 20, 3 }, half[] = { 1, 32, 9, 3 };
	static const uint32_t pool[] = { 0, 0, 0, 0, 2, 3, 2, 2, 1, 1 };
	struct made m;
	uint32_t in;

	(void)state;
	start(&m);
	m.args[0] = (struct etc_call_argument){ .size = { 2, 7, 20, 3 }, .rank = 4, .known = true };
	in = value(&m, image, 4, 0);
	node(&m, MAX_POOL, in, value(&m, half, 4, 1))->numbers[0] =
		(struct etc_delegate_numbers){ pool, 10 };
	assert_int_equal(solve(&m, 1)->sizes[0], 2);
	assert_int_equal(m.out.values[1].sizes[1], 3);
	assert_int_equal(m.out.values[1].sizes[2], 9);
	m.args[0].size[1] = 1; /* smaller than a window */
	assert_true(solve(&m, 1)->unsized);
	etc_arena_release(&m.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_follow_from_the_arguments),
		cmocka_unit_test(results_that_contradict_leave_all_unknown),
		cmocka_unit_test(a_tensor_without_dimensions_has_one_element),
		cmocka_unit_test(an_unknown_input_leaves_what_follows_unknown),
		cmocka_unit_test(a_rule_that_the_export_contradicts_is_not_used),
		cmocka_unit_test(permutations_and_shapes_are_those_of_the_node),
		cmocka_unit_test(slices_that_reach_beyond_the_input_are_unknown),
		cmocka_unit_test(windows_shrink_images),
	};

	return cmocka_run_group_tests_name("work/delegate_sizes", tests, NULL, NULL);
}
