/* test_pickle_legacy.c -- raw pickles, as in records before 1.3.1: from a real record, truncated,
 * damaged, and with names of functions that Python would call. */
#include "unit.h"

#include <stdlib.h>

#include "base/file.h"
#include "formats/pickle/pickle.h"

#define RAW "tests/fuzz/corpus/pickle/raw.pkl"

/* Reads a copy in a block of its own size, so that a sanitizer detects a read past the end. */
static enum etc_pickle_verdict look(const void *bytes, size_t size, struct etc_pickle_fault *why,
                                    struct etc_arena *arena, const struct etc_ref_value **out)
{
	uint8_t *copy = etc_arena_alloc(arena, 1, 1, size ? size : 1);

	memcpy(copy, bytes, size);
	return etc_pickle_read_legacy((struct etc_span){ copy, size }, arena, out, why);
}

static void a_tensor_has_the_elements_behind_its_storage(void **state)
{
	struct etc_file file = { 0 };
	struct etc_error err = { 0 };
	struct etc_pickle_fault why;
	const struct etc_ref_value *v, *cases;
	struct etc_arena arena;
	float first;

	(void)state;
	etc_arena_init(&arena, 1 << 24);
	assert_ok(etc_file_open(&file, RAW, 1 << 20, &err), &err);
	assert_int_equal(look(file.bytes.ptr, file.bytes.len, &why, &arena, &v), ETC_PICKLE_READ);
	cases = etc_ref_get(v, ETC_STR("forward"));
	assert_non_null(cases);
	assert_int_equal(cases->count, 2);
	assert_int_equal(cases->items[0]->items[0]->tensor->bytes.len, 20);
	memcpy(&first, cases->items[0]->items[0]->tensor->bytes.ptr, sizeof first);
	assert_true(first > 1.9515F && first < 1.9517F);
	etc_file_release(&file);
	etc_arena_release(&arena);
}

static void a_pickle_cut_off_anywhere_is_refused(void **state)
{
	struct etc_file file = { 0 };
	struct etc_error err = { 0 };

	(void)state;
	assert_ok(etc_file_open(&file, RAW, 1 << 20, &err), &err);
	for (size_t n = 0; n < file.bytes.len; n++) {
		struct etc_pickle_fault why;
		const struct etc_ref_value *v;
		struct etc_arena arena;

		etc_arena_init(&arena, 1 << 24);
		assert_int_equal(look(file.bytes.ptr, n, &why, &arena, &v), ETC_PICKLE_REFUSED);
		etc_arena_release(&arena);
	}
	etc_file_release(&file);
}

static void names_that_run_something_are_refused_by_name(void **state)
{
	static const struct {
		const char *pickle;
		size_t size;
		const char *why;
	} bad[] = {
#define BAD(text, why) { text, sizeof(text) - 1, why }
		BAD("\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x02id\x85R.", "posix.system"),
		BAD("\x80\x02"
		    "cos\nsystem\n(X\x02\0\0\0idtR.",
		    "os.system"),
		BAD("\x80\x04\x8c\x08"
		    "builtins\x8c\x04"
		    "eval\x93\x8c\x01"
		    "1\x85R.",
		    "builtins.eval"),
		BAD("\x80\x04\x8c\x05torch\x8c\x04load\x93.", "torch.load"),
		BAD("\x80\x04\x8c\x0dtorch.storage\x8c\x10_load_from_bytes\x93\x8c\x01x\x85R.",
		    "takes bytes"),
		BAD("\x80\x04\x8c\x0dtorch.storage\x8c\x10_load_from_bytes\x93"
		    "C\x05"
		    "N...N\x85R.",
		    "did not write"),
		BAD("\x80\x04K\x01K\x02\x93.", "no text"),
		BAD("\x80\x04(X\x07\0\0\0storageQ.", ""),
		BAD("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff.", "cut off"),
		BAD("\x80\x04\x94.", "empty"),
		BAD("\x80\x04\x8f(K\x01\x90(K\x02\x90\x92.", "0x92"),
#undef BAD
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct etc_pickle_fault why = { 0 };
		const struct etc_ref_value *v;
		struct etc_arena arena;

		etc_arena_init(&arena, 1 << 24);
		if (look(bad[i].pickle, bad[i].size, &why, &arena, &v) == ETC_PICKLE_READ)
			fail_msg("case %zu was read", i);
		if (!strstr(why.why, bad[i].why))
			fail_msg("case %zu: %s", i, why.why);
		etc_arena_release(&arena);
	}
}

static void torch_save_takes_none_of_it(void **state)
{
	static const uint8_t pickle[] = "\x80\x04\x8c\x01x\x94.";
	struct etc_pickle_fault why;
	const struct etc_ref_value *v;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	assert_int_equal(etc_pickle_read_legacy((struct etc_span){ pickle, 7 }, &arena, &v, &why),
	                 ETC_PICKLE_READ);
	assert_int_equal(etc_pickle_read((struct etc_span){ pickle, 7 }, ETC_PICKLE_TORCH, NULL,
	                                 NULL, &arena, &v, &why),
	                 ETC_PICKLE_REFUSED);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tensor_has_the_elements_behind_its_storage),
		cmocka_unit_test(a_pickle_cut_off_anywhere_is_refused),
		cmocka_unit_test(names_that_run_something_are_refused_by_name),
		cmocka_unit_test(torch_save_takes_none_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
