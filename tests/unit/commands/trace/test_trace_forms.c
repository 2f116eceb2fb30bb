/* test_trace_forms.c -- encoding Protocol Buffers, and to which outputs (files, pipes, terminals)
 * binary formats may be written. */
#include "unit.h"

#include "commands/trace/protobuf.h"
#include "etcore/etcore.h"
#include "query.h"

#define DUMP "tests/data/cases/mlp_xnnpack/run.etdump"

static void expect_bytes(struct etc_text *t, const char *bytes, size_t n)
{
	assert_int_equal(t->len, n);
	assert_memory_equal(t->ptr, bytes, n);
	t->len = 0;
}

static void numbers_have_seven_bits_a_byte(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	etc_pb_varint(&t, 0);
	expect_bytes(&t, "\0", 1);
	etc_pb_varint(&t, 127);
	expect_bytes(&t, "\x7f", 1);
	etc_pb_varint(&t, 128);
	expect_bytes(&t, "\x80\x01", 2);
	etc_pb_varint(&t, UINT64_MAX);
	expect_bytes(&t, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	etc_pb_u64(&t, 16, 300);
	expect_bytes(&t, "\x80\x01\xac\x02", 4);
	etc_pb_fixed64(&t, 1, 0x0102030405060708u);
	expect_bytes(&t, "\x09\x08\x07\x06\x05\x04\x03\x02\x01", 9);
	etc_pb_bytes(&t, 2, ETC_STR("ab"));
	expect_bytes(&t,
	             "\x12\x02"
	             "ab",
	             4);
	etc_text_release(&t);
}

static void binary_forms_are_not_for_a_terminal(void **state)
{
	static const char *const forms[] = { "perfetto", "pprof" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
		struct etcore_query *q = query("trace");
		struct answer a = { 0 };

		add(q, DUMP);
		set(q, "terminal", NULL);
		set(q, "output", forms[i]);
		assert_int_equal(etcore_run(q, take, &a, &err), ETCORE_STATUS_USAGE);
		assert_string_equal(err.code, "E0561");
		free(a.text);
		etcore_query_free(q);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_seven_bits_a_byte),
		cmocka_unit_test(binary_forms_are_not_for_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
