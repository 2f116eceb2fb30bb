/* Running programs with a time limit, and memory that ends at an inaccessible page. */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fence.h"
#include "base/process.h"

/* Runs sh -c COMMAND. */
static void run(struct etc_process *p, const char *command, unsigned limit_ms)
{
	const char *argv[] = { "/bin/sh", "-c", command, NULL };
	struct etc_error err;

	*p = (struct etc_process){ .argv = argv, .limit_ms = limit_ms, .board_size = 64 };
	assert_int_equal(etc_process_run(p, &err), ETC_OK);
	p->argv = NULL;
}

static void tells_how_a_program_ended_and_what_it_wrote(void **state)
{
	struct etc_process p;

	(void)state;
	run(&p, "echo out; echo err >&2; cat; exit 7", 10000);
	assert_int_equal(p.end, ETC_PROCESS_EXITED);
	assert_int_equal(p.status, 7);
	assert_true(etc_str_eq(etc_text_str(&p.out), ETC_STR("out\n")));
	assert_true(etc_str_eq(etc_text_str(&p.err), ETC_STR("err\n")));
	etc_process_release(&p);
	run(&p, "kill -SEGV $$", 10000);
	assert_int_equal(p.end, ETC_PROCESS_SIGNALED);
	assert_string_equal(etc_signal_name(p.status), "SIGSEGV");
	etc_process_release(&p);
}

static void kills_what_takes_too_long_with_its_children(void **state)
{
	struct etc_process p;

	(void)state;
	run(&p, "sleep 60 & sleep 60", 100);
	assert_int_equal(p.end, ETC_PROCESS_TIMED_OUT);
	assert_in_range(p.took_ms, 100, 20000);
	etc_process_release(&p);
	/* the program exits, and its child keeps the streams open */
	run(&p, "sleep 60 & exit 3", 300);
	assert_in_range(p.took_ms, 0, 20000);
	etc_process_release(&p);
}

static void drains_a_flood_and_keeps_its_beginning(void **state)
{
	struct etc_process p;

	(void)state;
	run(&p, "head -c 1000000 /dev/zero", 20000);
	assert_int_equal(p.end, ETC_PROCESS_EXITED);
	assert_int_equal(p.out_bytes, 1000000);
	assert_int_equal(p.out.len, ETC_PROCESS_CAPTURE);
	etc_process_release(&p);
}

static void the_board_survives_its_writer(void **state)
{
	struct etc_process p;

	(void)state;
	run(&p, "printf hello >&3; kill -KILL $$", 10000);
	assert_int_equal(p.end, ETC_PROCESS_SIGNALED);
	assert_memory_equal(p.board, "hello\0", 6);
	etc_process_release(&p);
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
	const char *argv[] = { "/nowhere/program", NULL };
	struct etc_process p = { .argv = argv };
	struct etc_error err = { 0 };
	enum etc_status st = etc_process_run(&p, &err);

	(void)state;
	/* Under qemu-user, vfork() is a plain fork(). The parent then gets status 127 instead of an
	 * error. */
	if (st == ETC_OK) {
		assert_int_equal(p.end, ETC_PROCESS_EXITED);
		assert_int_equal(p.status, 127);
	} else {
		assert_int_equal(st, ETC_IO);
		assert_int_equal(err.code, E0902);
	}
	etc_process_release(&p);
}

/* Memory of every size ends at an inaccessible page. It is zeroed, also if it was used before. */
static void memory_ends_at_its_fence(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t sizes[] = { 0, 1, 7, 48, page - 1, page, page + 1, 3 * page };
	struct etc_fence_pool pool = { NULL };

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct etc_fence f = { .pool = &pool };

		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			unsigned char *at = etc_fence_new(&f, sizes[i]);

			assert_non_null(at);
			assert_int_equal(((uintptr_t)at + sizes[i]) % page, 0);
			for (size_t k = 0; k < sizes[i]; k++) {
				assert_int_equal(at[k], 0);
				at[k] = 0xff;
			}
		}
		assert_true(etc_fence_seal(&f));
		etc_fence_release(&f);
	}
	etc_fence_pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_how_a_program_ended_and_what_it_wrote),
		cmocka_unit_test(kills_what_takes_too_long_with_its_children),
		cmocka_unit_test(drains_a_flood_and_keeps_its_beginning),
		cmocka_unit_test(the_board_survives_its_writer),
		cmocka_unit_test(a_program_that_is_not_there_is_an_error),
		cmocka_unit_test(memory_ends_at_its_fence),
	};
	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
