/* The EventSignatures of made shapes: which events are one event to the Inspector. */
#include "made.h"

#include "inspector/signature.h"

static struct etc_insp_variant sign(struct made *m, uint32_t shape, uint64_t *hash)
{
	struct etc_inspector in = { .trace = &m->trace, .arena = &m->arena };
	struct etc_run run = { .shape = shape };
	struct etc_insp_variant v;
	struct etc_error err = { 0 };

	assert_ok(etc_insp_sign(&in, &run, &v, hash, &err), &err);
	return v;
}

/* ProfileEventSignature takes an empty id for None: two events of two instructions of the
 * runtime, one signature. The later one wins the value, the first one the place. */
static void an_empty_delegate_id_is_the_same_as_none(void **state)
{
	static const struct made_event events[] = { { "a", 0, 1, NULL },
		                                    { "a", 0, 1, "" },
		                                    { "a", 0, 1, "x" } };
	struct etc_insp_variant v;
	struct made m;
	uint64_t hash;

	(void)state;
	made_begin(&m);
	v = sign(&m, made_shape(&m, events, 3), &hash);
	assert_int_equal(v.count, 2);
	assert_int_equal(v.profile[0], 1);
	assert_int_equal(v.profile[1], 2);
	made_end(&m);
}

/* A block is found by the hash of its signatures, so equal ones must have equal hashes. */
static void shapes_with_equal_signatures_belong_to_one_block(void **state)
{
	static const struct made_event shapes[][2] = {
		{ { "a", 0, 1, NULL }, { "b", -1, 0, NULL } },
		{ { "a", 0, 1, "" }, { "b", -1, 0, NULL } },
		{ { "a", 7, 1, NULL }, { "b", 0, 0, "" } },
		{ { "a", 0, 1, "x" }, { "b", -1, 0, NULL } },
		{ { "a", 0, 2, NULL }, { "b", -1, 0, NULL } },
		{ { "b", -1, 0, NULL }, { "a", 0, 1, NULL } },
	};
	enum { SHAPES = sizeof shapes / sizeof *shapes, EQUAL = 3 };
	struct etc_insp_variant v[SHAPES];
	uint64_t hash[SHAPES];
	struct made m;

	(void)state;
	made_begin(&m);
	for (size_t i = 0; i < SHAPES; i++)
		v[i] = sign(&m, made_shape(&m, shapes[i], 2), &hash[i]);
	for (size_t i = 0; i < SHAPES; i++) {
		assert_int_equal(etc_insp_same_signatures(&v[0], &v[i]), i < EQUAL);
		assert_int_equal(hash[0] == hash[i], i < EQUAL);
	}
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_delegate_id_is_the_same_as_none),
		cmocka_unit_test(shapes_with_equal_signatures_belong_to_one_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
