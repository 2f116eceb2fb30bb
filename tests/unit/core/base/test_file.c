/* test_file.c -- input files are mapped; output files appear complete or not at all. */
#define _DEFAULT_SOURCE /* mkdtemp, mknod */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/inside.h"
#include "base/memory.h"
#include "base/opened.h"
#include "base/temporary.h"

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
	etc_file_map(true);
	*state = &fx;
	return 0;
}

/* Returns the number of files in the test's folder. */
static int files(const struct fixture *fx)
{
	DIR *d = opendir(fx->folder);
	int n = 0;

	assert_non_null(d);
	for (struct dirent *e = readdir(d); e; e = readdir(d))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
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

static void a_link_stays_and_what_it_leads_to_is_written(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	char link[160];
	struct stat st;

	snprintf(link, sizeof link, "%s/link", fx->folder);
	assert_int_equal(symlink("a", link), 0);
	assert_ok(etc_file_write(link, ETC_STR("x"), &err), &err);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_true(etc_file_exists(fx->path));
	assert_int_equal(chmod(fx->path, 0640), 0);
	assert_ok(etc_file_write(link, ETC_STR("y"), &err), &err);
	assert_int_equal(stat(fx->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink("link", link), 0);
	assert_fails(etc_file_write(link, ETC_STR("z"), &err), &err, E0903);
	assert_int_equal(unlink(link), 0);
}

static void inside_a_folder_links_are_replaced(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	char box[100], path[160], sub[128];
	struct stat st;
	int fd;

	snprintf(box, sizeof box, "%s/box", fx->folder);
	snprintf(sub, sizeof sub, "%s/sub", box);
	snprintf(path, sizeof path, "%s/file", sub);
	assert_ok(etc_file_write(fx->path, ETC_STR("mine"), &err), &err);
	assert_int_equal(mkdir(box, 0777), 0);
	assert_int_equal(symlink("..", sub), 0);
	assert_ok(etc_inside_write(box, path, ETC_STR("x"), &err), &err);
	assert_int_equal(lstat(sub, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("../../a", path), 0);
	assert_ok(etc_inside_write(box, path, ETC_STR("y"), &err), &err);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(link(fx->path, path), 0);
	fd = etc_inside_create(box, path, 0644);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(stat(fx->path, &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(sub), 0);

	snprintf(path, sizeof path, "%s/../a", box);
	assert_fails(etc_inside_write(box, path, ETC_STR("z"), &err), &err, E0903);
	snprintf(path, sizeof path, "%s/..", box);
	assert_fails(etc_inside_write(box, path, ETC_STR("z"), &err), &err, E0903);
	assert_fails(etc_inside_write(box, fx->path, ETC_STR("z"), &err), &err, E0903);
	assert_int_equal(files(fx), 2);
	assert_int_equal(rmdir(box), 0);
}

static void what_became_of_a_mapped_file_is_seen(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_file f;
	const char *path;
	size_t at;
	int fd;

	assert_ok(etc_file_write(fx->path, ETC_STR("one"), &err), &err);
	assert_ok(etc_file_open(&f, fx->path, 0, &err), &err);
	assert_int_equal(etc_file_fate(&f), ETC_FILE_SAME);
	path = etc_mapped_at(f.bytes.ptr + 2, &at);
	assert_ptr_equal(path, fx->path);
	assert_int_equal(at, 2);
	fd = open(fx->path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "!", 1), 1);
	assert_int_equal(etc_file_fate(&f), ETC_FILE_GREW);
	assert_int_equal(ftruncate(fd, 2), 0);
	assert_int_equal(etc_file_fate(&f), ETC_FILE_CHANGED);
	close(fd);
	assert_ok(etc_file_write(fx->path, ETC_STR("two"), &err), &err);
	assert_int_equal(etc_file_fate(&f), ETC_FILE_REPLACED);
	etc_file_release(&f);
	assert_null(etc_mapped_at(path, &at));
}

static void what_was_opened_is_spared(void **state)
{
	struct fixture *fx = *state;
	struct etc_opened *before = etc_opened_begin();
	struct etc_error err = { 0 };
	struct etc_file f;

	assert_ok(etc_file_write(fx->path, ETC_STR("one"), &err), &err);
	assert_ok(etc_opened_spare(fx->path, &err), &err);
	assert_ok(etc_file_open(&f, fx->path, 0, &err), &err);
	etc_file_release(&f);
	assert_fails(etc_opened_spare(fx->path, &err), &err, E0909);
	etc_opened_end(before);
	assert_ok(etc_opened_spare(fx->path, &err), &err);
}

static void a_file_that_lacks_memory_is_not_kept(void **state)
{
	struct fixture *fx = *state;
	struct etc_refusal before = etc_memory_begin();
	struct etc_error err = { 0 };

	etc_memory_refuse(17, 0);
	assert_fails(etc_file_write(fx->path, ETC_STR("one"), &err), &err, E0904);
	assert_int_equal(files(fx), 0);
	etc_memory_end(before);
	assert_ok(etc_file_write(fx->path, ETC_STR("one"), &err), &err);
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

static void what_was_found_and_is_no_file_any_more_is_refused(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_file f;

	assert_fails(etc_file_open_found(&f, fx->path, 0, &err), &err, E0901);
	assert_int_equal(mkfifo(fx->path, 0600), 0);
	/* a pipe without a writer */
	assert_fails(etc_file_open_found(&f, fx->path, 0, &err), &err, E0901);
	assert_non_null(strstr(err.text, "is a pipe or a device"));
	assert_string_equal(err.file, fx->path);
	unlink(fx->path);
	assert_int_equal(symlink("/dev/zero", fx->path), 0);
	assert_fails(etc_file_open_found(&f, fx->path, 0, &err), &err, E0901);
	unlink(fx->path);
	assert_fails(etc_file_open_found(&f, fx->folder, 0, &err), &err, E0901);
	/* here "-" is the name of a file, not standard input */
	assert_fails(etc_file_open_found(&f, "-", 0, &err), &err, E0901);
	assert_ok(etc_file_write(fx->path, ETC_STR("one"), &err), &err);
	assert_ok(etc_file_open_found(&f, fx->path, 0, &err), &err);
	assert_memory_equal(f.bytes.ptr, "one", 3);
	etc_file_release(&f);
	unlink(fx->path);
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
	assert_int_equal(mkdir(fx->path, 0755), 0);
	assert_fails(etc_file_write(fx->path, ETC_STR("x"), &err), &err, E0903);
	assert_int_equal(files(fx), 1);
	assert_int_equal(rmdir(fx->path), 0);
	etc_temporaries_unlink(); /* has no effect without temporary files */
	assert_int_equal(files(fx), 0);
}

static void what_is_not_whole_can_be_removed_at_any_moment(void **state)
{
	enum { MOST = 40 };
	static struct etc_output o[MOST];
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	char path[MOST][160];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < MOST; i++) {
			snprintf(path[i], sizeof path[i], "%s/%d", fx->folder, i);
			assert_ok(etc_output_open(&o[i], path[i], &err), &err);
		}
		assert_int_equal(files(fx), MOST);
		etc_temporaries_unlink();
		/* the table of temporary files has room for 32, so only these are removed */
		assert_int_equal(files(fx), MOST - 32);
		for (int i = 0; i < MOST; i++)
			assert_ok(etc_output_close(&o[i], false, &err), &err);
		assert_int_equal(files(fx), 0);
	}
	assert_ok(etc_file_write(fx->path, ETC_STR("whole"), &err), &err);
	etc_temporaries_unlink();
	assert_int_equal(files(fx), 1);
	unlink(fx->path);
}

static void what_is_read_and_not_mapped_stays(void **state)
{
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	struct etc_file f;

	etc_file_map(false);
	assert_ok(etc_file_write(fx->path, ETC_STR("as it was"), &err), &err);
	assert_ok(etc_file_open(&f, fx->path, 0, &err), &err);
	assert_false(f.mapped);
	assert_int_equal(truncate(fx->path, 0), 0);
	assert_memory_equal(f.bytes.ptr, "as it was", 9);
	assert_int_equal(etc_file_fate(&f), ETC_FILE_SAME);
	etc_file_release(&f);
}

static void pages_that_are_given_back_are_zeros(void **state)
{
	enum { PAGES = 64 };
	struct fixture *fx = *state;
	const size_t size = PAGES * etc_file_page(), from = size / 4 + 1, to = size / 2 - 1;
	char *bytes = malloc(size);
	struct etc_error err = { 0 };
	struct etc_file f;

	assert_non_null(bytes);
	memset(bytes, 'x', size);
	assert_ok(etc_file_write(fx->path, (struct etc_str){ bytes, size }, &err), &err);
	for (int mapped = 0; mapped < 2; mapped++) {
		size_t zeros = 0;

		etc_file_map(mapped);
		assert_ok(etc_file_open(&f, fx->path, 0, &err), &err);
		etc_file_forget(&f, from, to);
		etc_file_forget(&f, size - 2, size + 100);
		assert_memory_equal(f.bytes.ptr, bytes, from);
		assert_memory_equal(f.bytes.ptr + to, bytes, size - to);
		for (size_t i = from; i < to; i++)
			zeros += f.bytes.ptr[i] == 0;
		assert_true(mapped ? zeros == 0 : zeros >= to - from - 2 * etc_file_page());
		etc_file_release(&f);
	}
	free(bytes);
}

enum { CUT_SIZE = 4 << 20 };

struct cutter {
	const char *path;
	off_t least;
	atomic_bool stop;
};

static void *cut_again_and_again(void *arg)
{
	struct cutter *c = arg;

	while (!atomic_load(&c->stop))
		if (truncate(c->path, c->least) != 0 || truncate(c->path, CUT_SIZE) != 0)
			abort();
	return NULL;
}

static void expect_cut(const struct fixture *fx, off_t least)
{
	struct etc_error err = { 0 };
	struct cutter cutter = { .path = fx->path, .least = least };
	pthread_t thread;
	bool cut = false;

	assert_int_equal(truncate(fx->path, CUT_SIZE), 0);
	assert_int_equal(pthread_create(&thread, NULL, cut_again_and_again, &cutter), 0);
	/* On a busy machine the thread may not run while the file is read, or may pause while the
	 * file is empty. So the file is read until a cut was noticed, or 5000 times without one. */
	for (int whole = 0; whole < 5000 && !cut;) {
		struct etc_file f;

		if (etc_file_open(&f, fx->path, 0, &err) == ETC_OK) {
			whole += f.bytes.len > 0;
			etc_file_release(&f);
			sched_yield();
		} else {
			cut = true;
			assert_int_equal(err.code, E0907);
			assert_string_equal(err.file, fx->path);
		}
	}
	atomic_store(&cutter.stop, true);
	pthread_join(thread, NULL);
	assert_true(cut);
}

static void a_file_that_is_cut_while_it_is_read_is_an_error(void **state)
{
	const struct fixture *fx = *state;
	struct etc_error err = { 0 };

	etc_file_map(false);
	assert_ok(etc_file_write(fx->path, ETC_STR("x"), &err), &err);
	expect_cut(fx, 0);
	expect_cut(fx, CUT_SIZE / 2); /* a file that is never empty */
}

/* A forked child that removes temporary files before exec() leaves those of its parent. */
static void a_fork_removes_nothing_of_its_parent(void **state)
{
	static struct etc_output o;
	struct fixture *fx = *state;
	struct etc_error err = { 0 };
	int status;
	pid_t child;

	assert_ok(etc_output_open(&o, fx->path, &err), &err);
	child = fork();
	if (child == 0) {
		etc_temporaries_unlink();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(files(fx), 1);
	assert_ok(etc_output_close(&o, true, &err), &err);
	assert_int_equal(files(fx), 1);
	unlink(fx->path);
}

/* If the folder of an output is renamed, the output is completed or removed in the renamed
 * folder. */
static void a_folder_that_moves_takes_its_output_along(void **state)
{
	struct fixture *fx = *state;
	char folder[128], moved[128], path[160], there[160];
	struct etc_error err = { 0 };

	snprintf(folder, sizeof folder, "%s/folder", fx->folder);
	snprintf(moved, sizeof moved, "%s/moved", fx->folder);
	snprintf(path, sizeof path, "%s/a", folder);
	snprintf(there, sizeof there, "%s/a", moved);
	for (int keep = 0; keep <= 1; keep++) {
		struct etc_output o;

		assert_int_equal(mkdir(folder, 0700), 0);
		assert_ok(etc_output_open(&o, path, &err), &err);
		assert_int_equal(rename(folder, moved), 0);
		etc_output_sink(&o, ETC_STR("whole"));
		assert_ok(etc_output_close(&o, keep, &err), &err);
		assert_int_equal(unlink(there), keep ? 0 : -1);
		assert_int_equal(rmdir(moved), 0);
	}
}

struct swap {
	const char *name, *next;
	atomic_bool end;
};

/* Again and again, replaces the file by a pipe without a reader, and the pipe by a file. */
static void *swap(void *arg)
{
	struct swap *s = arg;

	for (int i = 0; !s->end; i++) {
		if (mknod(s->next, i % 2 ? S_IFIFO | 0600 : S_IFREG | 0600, 0) != 0 ||
		    rename(s->next, s->name) != 0)
			abort();
	}
	return NULL;
}

static void inside_a_folder_a_pipe_is_not_waited_for(void **state)
{
	struct fixture *fx = *state;
	char next[160];
	struct swap s = { fx->path, next, false };
	struct etc_error err = { 0 };
	pthread_t thread;

	snprintf(next, sizeof next, "%s/next", fx->folder);
	alarm(100);
	assert_int_equal(pthread_create(&thread, NULL, swap, &s), 0);
	for (int n = 0; n < 8000; n += unit_share()) {
		struct etc_output o;

		assert_ok(etc_inside_open(&o, fx->folder, fx->path, &err), &err);
		assert_ok(etc_output_close(&o, false, &err), &err);
	}
	s.end = true;
	pthread_join(thread, NULL);
	alarm(0);
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
		cmocka_unit_test_setup_teardown(an_empty_file_is_a_file, make, release),
		cmocka_unit_test_setup_teardown(pieces_become_a_file_only_when_it_is_kept, make,
		                                release),
		cmocka_unit_test_setup_teardown(inside_a_folder_links_are_replaced, make, release),
		cmocka_unit_test_setup_teardown(a_link_stays_and_what_it_leads_to_is_written, make,
		                                release),
		cmocka_unit_test_setup_teardown(what_became_of_a_mapped_file_is_seen, make,
		                                release),
		cmocka_unit_test_setup_teardown(what_was_opened_is_spared, make, release),
		cmocka_unit_test_setup_teardown(a_file_that_lacks_memory_is_not_kept, make,
		                                release),
		cmocka_unit_test_setup_teardown(what_is_not_a_file_is_refused, make, release),
		cmocka_unit_test_setup_teardown(what_was_found_and_is_no_file_any_more_is_refused,
		                                make, release),
		cmocka_unit_test_setup_teardown(a_pipe_is_read_up_to_the_limit, make, release),
		cmocka_unit_test_setup_teardown(a_failed_write_leaves_nothing_behind, make,
		                                release),
		cmocka_unit_test_setup_teardown(what_is_not_whole_can_be_removed_at_any_moment,
		                                make, release),
		cmocka_unit_test_setup_teardown(what_is_read_and_not_mapped_stays, make, release),
		cmocka_unit_test_setup_teardown(pages_that_are_given_back_are_zeros, make, release),
		cmocka_unit_test_setup_teardown(a_file_that_is_cut_while_it_is_read_is_an_error,
		                                make, release),
		cmocka_unit_test_setup_teardown(a_fork_removes_nothing_of_its_parent, make,
		                                release),
		cmocka_unit_test_setup_teardown(a_folder_that_moves_takes_its_output_along, make,
		                                release),
		cmocka_unit_test_setup_teardown(inside_a_folder_a_pipe_is_not_waited_for, make,
		                                release),
		cmocka_unit_test(a_full_device_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
