/* test_align.c -- matching the events of one program with those of another. */
#include "unit.h"

#include "commands/compare/align.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

enum { MOST = 16, KERNEL = ETC_ALIGN_DETACHED << 1 /* another bit of etc_align_item.kind */ };

struct pair {
	uint32_t to;
	uint8_t how;
};

/* Matches the `m` items of `b` with the `n` items of `a`; want[i] is the expected match of b[i]. */
static void expect(const struct etc_align_item *a, uint32_t n, const struct etc_align_item *b,
                   uint32_t m, const struct pair *want)
{
	struct etc_arena arena;
	struct etc_error err;
	uint32_t to[MOST];
	uint8_t how[MOST];
	bool taken[MOST];

	etc_arena_init(&arena, 1 << 20);
	assert_ok(etc_align(a, n, b, m, to, how, taken, &arena, &err), &err);
	for (uint32_t i = 0; i < m; i++) {
		assert_int_equal(to[i], want[i].to);
		assert_int_equal(how[i], want[i].how);
	}
	etc_arena_release(&arena);
}

#define EVENT(text, number, where)                                                       \
	.name = { text " #" #number, sizeof text + 2 }, .op = { text, sizeof text - 1 }, \
	.instruction = where, .id = -1

static const struct etc_align_item plain[] = {
	{ EVENT("Convert (NC)", 1, 0) },
	{ EVENT("Fully Connected (NC, F32) GEMM", 1, 0) },
	{ EVENT("Fully Connected (NC, F32) GEMM", 2, 0) },
	{ EVENT("Softmax (NC, F32)", 1, 3) },
};

static void equal_names_in_the_same_instruction_are_partners(void **state)
{
	static const struct pair want[] = { { 0, ETC_MATCH_NAME },
		                            { 1, ETC_MATCH_NAME },
		                            { 2, ETC_MATCH_NAME },
		                            { 3, ETC_MATCH_NAME } };

	(void)state;
	expect(plain, COUNT(plain), plain, COUNT(plain), want);
}

static void an_event_more_has_no_partner(void **state)
{
	static const struct etc_align_item more[] = {
		{ EVENT("Convert (NC)", 1, 0) },
		{ EVENT("Convert (NC)", 2, 0) },
		{ EVENT("Softmax (NC, F32)", 1, 3) },
	};
	static const struct pair want[] = { { 0, ETC_MATCH_NAME },
		                            { ETC_NO_ITEM, ETC_MATCH_NONE },
		                            { 3, ETC_MATCH_NAME } };

	(void)state;
	expect(plain, COUNT(plain), more, COUNT(more), want);
}

static void a_kernel_library_changes_names_but_not_the_work(void **state)
{
	static const struct etc_align_item packed[] = {
		{ EVENT("Fully Connected (NC, PF32) GEMM", 1, 0),
		  .canonical = { "Fully Connected (NC, F32) GEMM", 30 } },
		{ EVENT("Fully Connected (NC, PF32) GEMM", 2, 0),
		  .canonical = { "Fully Connected (NC, F32) GEMM", 30 } },
	};
	static const struct pair want[] = { { 1, ETC_MATCH_CANONICAL },
		                            { 2, ETC_MATCH_CANONICAL } };
	static const struct pair back[] = { { ETC_NO_ITEM, ETC_MATCH_NONE },
		                            { 0, ETC_MATCH_CANONICAL },
		                            { 1, ETC_MATCH_CANONICAL },
		                            { ETC_NO_ITEM, ETC_MATCH_NONE } };

	(void)state;
	expect(plain, COUNT(plain), packed, COUNT(packed), want);
	expect(packed, COUNT(packed), plain, COUNT(plain), back);
}

static void either_of_two_canonical_names_will_do(void **state)
{
	static const struct etc_align_item packed[] = {
		{ EVENT("Convolution (NHWC, PQS8, QS8, QC8W) IGEMM", 1, 0),
		  .canonical = { "Convolution (NHWC, QC8) IGEMM or Convolution (NHWC, QS8) IGEMM",
		                 62 } },
	};
	static const struct etc_align_item qc8[] = { { EVENT("Convolution (NHWC, QC8) IGEMM", 1,
		                                             0) } };
	static const struct etc_align_item qs8[] = { { EVENT("Convolution (NHWC, QS8) IGEMM", 1,
		                                             0) } };
	static const struct pair want[] = { { 0, ETC_MATCH_CANONICAL } };

	(void)state;
	expect(packed, 1, qc8, 1, want);
	expect(packed, 1, qs8, 1, want);
	expect(qc8, 1, packed, 1, want);
	expect(qs8, 1, packed, 1, want);
}

static void unsigned_quantisation_is_the_same_work(void **state)
{
	static const struct etc_align_item x86[] = {
		{ EVENT("Fully Connected (NC, QDU8, F32, QC8W) GEMM", 1, 0) },
		{ EVENT("Convert (NC, F32, QDU8)", 1, 0) },
	};
	static const struct etc_align_item arm[] = {
		{ EVENT("Convert (NC, F32, QD8)", 1, 0) },
		{ EVENT("Fully Connected (NC, QP8, F32, QC8W) GEMM", 1, 0),
		  .canonical = { "Fully Connected (NC, QD8, F32, QC8W) GEMM", 41 } },
	};
	static const struct pair want[] = { { 1, ETC_MATCH_CANONICAL },
		                            { 0, ETC_MATCH_CANONICAL } };

	(void)state;
	expect(arm, COUNT(arm), x86, COUNT(x86), want);
}

static void other_types_are_partners_by_position_only(void **state)
{
	static const struct etc_align_item half[] = {
		{ EVENT("Fully Connected (NC, F16) GEMM", 1, 0) },
		{ EVENT("Softmax (NC, F16)", 1, 3) },
		{ EVENT("Add (ND)", 1, 3) },
	};
	static const struct pair want[] = { { 1, ETC_MATCH_POSITION },
		                            { 3, ETC_MATCH_POSITION },
		                            { ETC_NO_ITEM, ETC_MATCH_NONE } };

	(void)state;
	expect(plain, COUNT(plain), half, COUNT(half), want);
}

static void another_kind_or_unit_is_no_partner(void **state)
{
	static const struct etc_align_item cycles[] = { { EVENT("Convert (NC)", 1, 0),
		                                          .unit = 5 } };
	static const struct etc_align_item kernel[] = { { EVENT("Convert (NC)", 1, 0),
		                                          .kind = KERNEL } };
	static const struct pair want[] = { { ETC_NO_ITEM, ETC_MATCH_NONE } };

	(void)state;
	expect(plain, COUNT(plain), cycles, 1, want);
	expect(plain, COUNT(plain), kernel, 1, want);
}

static void the_module_of_the_graph_tells_more_than_the_place_in_the_file(void **state)
{
	static const struct etc_node node = { .op = { "aten.linear.default", 19 } };
	static const struct etc_node *const nodes[] = { &node };
	static const struct etc_group fc1 = { .name = { "fc1", 3 } },
				      fc2 = { .name = { "fc2", 3 } };
	static const struct etc_place in_fc1 = { nodes, 1, ETC_PLACE_EXACT, &fc1, &fc1 };
	static const struct etc_place in_fc2 = { nodes, 1, ETC_PLACE_EXACT, &fc2, &fc2 };
	static const struct etc_place anywhere = { nodes, 1, ETC_PLACE_PARTITION, &fc1, &fc1 };
	static const struct etc_align_item a[] = {
		{ EVENT("Fully Connected (NC, F32) GEMM", 1, 0), .place = &in_fc1 },
		{ EVENT("Fully Connected (NC, F32) GEMM", 2, 0), .place = &in_fc2 },
	};
	const struct etc_align_item b[] = {
		{ EVENT("Fully Connected (NC, QS8) GEMM", 1, 7), .place = &in_fc2 },
		{ EVENT("native_call_addmm", 1, 8), .place = &in_fc1, .kind = KERNEL },
		{ EVENT("native_call_mul", 1, 8), .place = &anywhere, .kind = KERNEL },
	};
	static const struct pair want[] = { { 1, ETC_MATCH_NODE },
		                            { 0, ETC_MATCH_NODE },
		                            { ETC_NO_ITEM, ETC_MATCH_NONE } };

	(void)state;
	expect(a, COUNT(a), b, COUNT(b), want);
}

static void a_detached_event_is_no_partner_of_an_attached_one(void **state)
{
	static const struct etc_node node = { .op = { "aten.linear.default", 19 } };
	static const struct etc_node *const nodes[] = { &node };
	static const struct etc_group fc1 = { .name = { "fc1", 3 } };
	static const struct etc_place in_fc1 = { nodes, 1, ETC_PLACE_EXACT, &fc1, &fc1 };
	static const struct etc_align_item attached[] = {
		{ EVENT("Fully Connected (NC, F32) GEMM", 1, 0), .place = &in_fc1 },
	};
	static const struct etc_align_item detached[] = {
		{ EVENT("Fully Connected (NC, QS8) GEMM", 1, 0), .place = &in_fc1,
		  .kind = ETC_ALIGN_DETACHED | KERNEL },
	};
	static const struct pair none[] = { { ETC_NO_ITEM, ETC_MATCH_NONE } };
	static const struct pair same[] = { { 0, ETC_MATCH_NAME } };

	(void)state;
	expect(attached, 1, detached, 1, none);
	expect(detached, 1, attached, 1, none);
	expect(detached, 1, detached, 1, same);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_names_in_the_same_instruction_are_partners),
		cmocka_unit_test(an_event_more_has_no_partner),
		cmocka_unit_test(a_kernel_library_changes_names_but_not_the_work),
		cmocka_unit_test(either_of_two_canonical_names_will_do),
		cmocka_unit_test(unsigned_quantisation_is_the_same_work),
		cmocka_unit_test(other_types_are_partners_by_position_only),
		cmocka_unit_test(another_kind_or_unit_is_no_partner),
		cmocka_unit_test(a_detached_event_is_no_partner_of_an_attached_one),
		cmocka_unit_test(the_module_of_the_graph_tells_more_than_the_place_in_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
