/* test_folder.c -- finding files by paths relative to the folder of the program. */
#include "unit.h"

#include "base/file.h"
#include "base/folder.h"

static void a_folder_beside_another_has_no_dots(void **state)
{
	static const struct {
		const char *folder, *relative, *want;
	} rows[] = {
		{ "/opt/p/bin", "../lib/x", "/opt/p/lib/x" },
		{ "/opt/p/bin/", "../lib/x", "/opt/p/lib/x" },
		{ "/opt/p/bin", "plugins", "/opt/p/bin/plugins" },
		{ "/usr/bin", "../../etc/etcore", "/etc/etcore" },
		{ "/bin", "../../../etc", "/etc" },
	};
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 16);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct etc_str got = etc_folder_beside(rows[i].folder, rows[i].relative, &arena);

		assert_string_equal(got.ptr, rows[i].want);
	}
	etc_arena_release(&arena);
}

static void the_programs_folder_is_one(void **state)
{
	struct etc_arena arena;
	const char *folder;

	(void)state;
	etc_arena_init(&arena, 1 << 16);
	folder = etc_program_folder(&arena);
	assert_non_null(folder);
	assert_true(etc_folder_exists(folder));
	assert_true(etc_file_exists(etc_folder_beside(folder, "test_folder", &arena).ptr));
	assert_false(etc_folder_exists(etc_folder_beside(folder, "test_folder", &arena).ptr));
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_beside_another_has_no_dots),
		cmocka_unit_test(the_programs_folder_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
