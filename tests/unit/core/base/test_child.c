/* Child processes that are started once and answer many requests. */
#include "unit.h"

#include "base/child.h"
#include "base/process.h"

static void start(struct etc_child *c, const char *command)
{
	const char *argv[] = { "/bin/sh", "-c", command, NULL };
	struct etc_error err;

	assert_ok(etc_child_start(c, argv, &err), &err);
	assert_true(c->pid > 0);
}

static uint64_t in(unsigned ms)
{
	return etc_process_now() + ms;
}

static void a_child_answers_as_often_as_it_is_asked(void **state)
{
	struct etc_child_end end;
	struct etc_child c;
	char said[4];

	(void)state;
	start(&c, "while read line <&3; do echo $line >&3; done; exit 4");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(etc_child_pass(&c, "abc\n", 4, NULL, 0, in(20000)),
		                 ETC_CHILD_FINE);
		assert_int_equal(etc_child_read(&c, said, 4, in(20000)), ETC_CHILD_FINE);
		assert_memory_equal(said, "abc\n", 4);
	}
	/* the child reads the end of file and exits */
	end = etc_child_stop(&c, 20000);
	assert_false(end.killed);
	assert_false(end.signaled);
	assert_int_equal(end.status, 4);
	assert_int_equal(c.pid, 0);
	etc_child_stop(&c, 0);
}

static void time_is_over_for_a_child_that_says_nothing(void **state)
{
	uint64_t begin = etc_process_now();
	struct etc_child_end end;
	static char much[4 << 20];
	struct etc_child c;
	char said[1];

	(void)state;
	start(&c, "exec sleep 60");
	assert_int_equal(etc_child_read(&c, said, 1, in(50)), ETC_CHILD_LATE);
	/* the child does not read, so writing fills the pipe */
	assert_int_equal(etc_child_pass(&c, much, sizeof much, NULL, 0, in(50)), ETC_CHILD_LATE);
	end = etc_child_stop(&c, 0);
	assert_true(end.killed && end.signaled);
	assert_string_equal(etc_signal_name(end.status), "SIGKILL");
	assert_in_range(etc_process_now() - begin, 100, 20000);
}

static void what_was_said_before_the_end_is_heard(void **state)
{
	struct etc_child_end end;
	struct etc_child c;
	char said[3];

	(void)state;
	start(&c, "printf abc >&3; kill -SEGV $$");
	assert_int_equal(etc_child_read(&c, said, 3, in(20000)), ETC_CHILD_FINE);
	assert_int_equal(etc_child_read(&c, said, 1, in(20000)), ETC_CHILD_ENDED);
	assert_int_equal(etc_child_pass(&c, said, 1, NULL, 0, in(20000)), ETC_CHILD_ENDED);
	end = etc_child_stop(&c, 20000);
	assert_true(end.signaled);
	assert_string_equal(etc_signal_name(end.status), "SIGSEGV");
}

static void a_child_is_gone_whatever_holds_its_line(void **state)
{
	struct etc_child c;
	char said[16] = "";

	(void)state;
	/* the grandchild inherits the pipe; its pid is read from it */
	start(&c, "sleep 60 & echo $! >&3; exit 0");
	while (!strchr(said, '\n'))
		assert_int_equal(etc_child_read(&c, said + strlen(said), 1, in(20000)),
		                 ETC_CHILD_FINE);
	assert_int_equal(etc_child_read(&c, said, 1, in(20000)), ETC_CHILD_ENDED);
	etc_child_stop(&c, 20000);
}

static void what_cannot_be_started_is_an_error(void **state)
{
	const char *argv[] = { "/nowhere/etcore", NULL };
	struct etc_error err;
	struct etc_child c;

	(void)state;
	assert_fails(etc_child_start(&c, argv, &err), &err, E0641);
	assert_int_equal(c.pid, 0);
	etc_child_stop(&c, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_answers_as_often_as_it_is_asked),
		cmocka_unit_test(time_is_over_for_a_child_that_says_nothing),
		cmocka_unit_test(what_was_said_before_the_end_is_heard),
		cmocka_unit_test(a_child_is_gone_whatever_holds_its_line),
		cmocka_unit_test(what_cannot_be_started_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
