/* test_crash.c -- the message after a plugin crashed names the plugin, the hook and the event. */
#include "hosted.h"

#include <sys/wait.h>
#include <unistd.h>

#include "host/guard.h"

static void crash(const char *how)
{
	const char *const path = PLUGINS "crashes.so";
	struct etc_parsed p;
	struct fixture f;

	etc_crash_own();
	init(&f);
	if (load(&f, &path, 1) != ETC_OK)
		_exit(100);
	ask(&f, how);
	if (etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err) != ETC_OK)
		_exit(101);
	_exit(102);
}

static void a_crash_names_plugin_hook_and_event(void **state)
{
	static const char *const ways[][2] = {
		{ "null", "SIGSEGV" },  { "exit", "it ended the program" },
		{ "abort", "SIGABRT" }, { "fpe", "SIGFPE" },
		{ "stack", "SIGSEGV" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		char said[2000] = "", event[64];
		ssize_t n, at = 0;
		int pipe_to[2], status;
		pid_t child;

		assert_int_equal(pipe(pipe_to), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			dup2(pipe_to[1], STDERR_FILENO);
			crash(ways[i][0]);
		}
		close(pipe_to[1]);
		while ((n = read(pipe_to[0], said + at, sizeof said - 1 - (size_t)at)) > 0)
			at += n;
		close(pipe_to[0]);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != ETC_PLUGIN)
			fail_msg("%s: status %x, said %s", ways[i][0], (unsigned)status, said);
		snprintf(event, sizeof event, "event '%s' of instruction 4", ways[i][0]);
		assert_non_null(strstr(said, "plugin 'crashes' in parse_metadata"));
		assert_non_null(strstr(said, event));
		assert_non_null(strstr(said, ways[i][1]));
		assert_non_null(strstr(said, "E0609"));
		assert_non_null(strstr(said, "--no-plugins"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crash_names_plugin_hook_and_event),
	};
	return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
