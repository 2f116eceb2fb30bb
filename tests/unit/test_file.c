/* test_file.c -- input is mapped, output appears whole or not at all. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

struct fixture {
	char folder[64], path[128];
};

static int make(void **state)
{
	static struct fixture fx;

	strcpy(fx.folder, "/tmp/etcore-file-XXXXXX");
	if (!mkdtemp(fx.folder))
		return -1;
	snprintf(fx.path, sizeof fx.path, "%s/a", fx.folder);
	*state = &fx;
	return 0;
}

/* How many files the folder has. */
static int files(const struct fixture *fx)
{
	DIR *d = opendir(fx->folder);
	int n = 0;

	assert_non_null(d);
	for (struct dirent *e = readdir(d); e; e = readdir(d))
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static int release(void **state)
{
	struct fixture *fx = *state;

	unlink(fx->path);
	return rmdir(fx->folder);
}

static void what_was_written_is_read(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_file f;

	assert_ok(etc_file_write(fx->path, ETC_STR("one"), &err), &err);
	assert_ok(etc_file_write(fx->path, ETC_STR("three\0!"), &err), &err);
	assert_true(etc_file_exists(fx->path));
	assert_ok(etc_file_open(&f, fx->path, 0, &err), &err);
	assert_true(f.mapped);
	assert_int_equal(f.bytes.len, 7);
	assert_memory_equal(f.bytes.ptr, "three\0!", 7);
	etc_file_release(&f);
	assert_int_equal(f.bytes.len, 0);
	assert_int_equal(files(fx), 1);
}

static void an_empty_file_is_a_file(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_file f;

	assert_ok(etc_file_write(fx->path, ETC_STR(""), &err), &err);
	assert_ok(etc_file_open(&f, fx->path, 0, &err), &err);
	assert_int_equal(f.bytes.len, 0);
	etc_file_release(&f);
}

static void pieces_become_a_file_only_when_it_is_kept(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_output o;
	struct etc_file f;

	assert_ok(etc_output_open(&o, fx->path, &err), &err);
	assert_true(etc_output_sink(&o, ETC_STR("one")));
	assert_false(etc_file_exists(fx->path));
	assert_int_equal(files(fx), 1);
	assert_ok(etc_output_close(&o, false, &err), &err);
	assert_int_equal(files(fx), 0);

	assert_ok(etc_output_open(&o, fx->path, &err), &err);
	assert_true(etc_output_sink(&o, ETC_STR("one, ")));
	assert_true(etc_output_sink(&o, ETC_STR("two")));
	assert_ok(etc_output_close(&o, true, &err), &err);
	assert_ok(etc_file_open(&f, fx->path, 0, &err), &err);
	assert_int_equal(f.bytes.len, 8);
	assert_memory_equal(f.bytes.ptr, "one, two", 8);
	etc_file_release(&f);
	assert_int_equal(files(fx), 1);
}

static void what_is_not_a_file_is_refused(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_file f;

	assert_fails(etc_file_open(&f, fx->path, 0, &err), &err, E0901);
	assert_string_equal(err.file, fx->path);
	assert_int_equal(f.bytes.len, 0);
	assert_false(etc_file_exists(fx->path));
	assert_fails(etc_file_open(&f, fx->folder, 0, &err), &err, E0901);
	assert_false(etc_file_exists(fx->folder));
}

static void a_pipe_is_read_up_to_the_limit(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_file f;
	int ends[2];
	char path[32];

	(void)fx;
	for (size_t limit = 4; limit <= 5; limit++) {
		assert_int_equal(pipe(ends), 0);
		assert_int_equal(write(ends[1], "12345", 5), 5);
		close(ends[1]);
		snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
		if (limit < 5) {
			assert_fails(etc_file_open(&f, path, limit, &err), &err, E0906);
			assert_null(f.bytes.ptr);
		} else {
			assert_ok(etc_file_open(&f, path, limit, &err), &err);
			assert_false(f.mapped);
			assert_memory_equal(f.bytes.ptr, "12345", 5);
			etc_file_release(&f);
		}
		close(ends[0]);
	}
}

static void a_failed_write_leaves_nothing_behind(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	char path[160];

	snprintf(path, sizeof path, "%s/none/a", fx->folder);
	assert_fails(etc_file_write(path, ETC_STR("x"), &err), &err, E0903);
	assert_string_equal(err.file, path);
	/* The target is a folder: the temporary file is made, the rename fails. */
	assert_int_equal(mkdir(fx->path, 0755), 0);
	assert_fails(etc_file_write(fx->path, ETC_STR("x"), &err), &err, E0903);
	assert_int_equal(files(fx), 1);
	assert_int_equal(rmdir(fx->path), 0);
	etc_file_abandon(); /* nothing is under construction: no effect */
	assert_int_equal(files(fx), 0);
}

static void a_full_device_is_an_error(void **state)
{
	struct etc_error err = { 0 };

	(void)state;
	assert_fails(etc_file_write("/dev/full", ETC_STR("x"), &err), &err, E0903);
	assert_ok(etc_file_write("/dev/null", ETC_STR("x"), &err), &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_written_is_read, make, release),
		cmocka_unit_test_setup_teardown(pieces_become_a_file_only_when_it_is_kept, make,
		                                release),
		cmocka_unit_test_setup_teardown(an_empty_file_is_a_file, make, release),
		cmocka_unit_test_setup_teardown(what_is_not_a_file_is_refused, make, release),
		cmocka_unit_test_setup_teardown(a_pipe_is_read_up_to_the_limit, make, release),
		cmocka_unit_test_setup_teardown(a_failed_write_leaves_nothing_behind, make,
		                                release),
		cmocka_unit_test(a_full_device_is_an_error),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
