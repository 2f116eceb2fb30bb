/* Isolated plugins, which run in processes of their own, as the host uses them. */
#define _DEFAULT_SOURCE  /* mkdtemp */
#define ETC_TEST_ISOLATE 1
#include "hosted.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/isolated/isolate.h"

static enum etc_status load_by(struct fixture *f, const char *path, const char *worker)
{
	struct etc_host_options o = {
		.settings = &f->settings,
		.named = &path,
		.named_count = 1,
		.only_named = true,
		.ignore_environment = true,
		.program_folder = "/nowhere",
		.isolate = true,
		.worker = worker,
	};

	return etc_host_load(&f->host, &o, &f->arena, &f->notes, &f->err);
}

static void the_descriptor_arrives_whole(void **state)
{
	struct fixture f, here;
	const struct etcore_plugin *a, *b;
	struct etc_host_options o = { .only_named = true, .ignore_environment = true };
	const char *const named[] = { PLUGINS "good.so" };

	(void)state;
	start(&f, named[0]);
	init(&here);
	o.settings = &here.settings;
	o.named = named;
	o.named_count = 1;
	o.program_folder = "/nowhere";
	assert_ok(etc_host_load(&here.host, &o, &here.arena, &here.notes, &here.err), &here.err);
	a = f.host.plugins[0].abi;
	b = here.host.plugins[0].abi;
	assert_non_null(f.host.plugins[0].remote);
	assert_null(here.host.plugins[0].remote);
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->version, b->version);
	assert_int_equal(a->role, b->role);
	assert_int_equal(a->sees, b->sees);
	assert_int_equal(a->abi_minor, b->abi_minor);
	for (int i = 0; b->backends[i]; i++)
		assert_string_equal(a->backends[i], b->backends[i]);
	for (int i = 0; b->options[i]; i++) {
		assert_string_equal(a->options[i]->name, b->options[i]->name);
		assert_int_equal(a->options[i]->type, b->options[i]->type);
		assert_int_equal(!a->options[i]->default_value, !b->options[i]->default_value);
	}
	for (int i = 0; b->columns[i]; i++) {
		assert_string_equal(a->columns[i]->name, b->columns[i]->name);
		assert_int_equal(a->columns[i]->type, b->columns[i]->type);
		assert_int_equal(a->columns[i]->rollup, b->columns[i]->rollup);
		assert_int_equal(!a->columns[i]->unit, !b->columns[i]->unit);
	}
	assert_int_equal(!a->probe, !b->probe);
	assert_int_equal(!a->map_event, !b->map_event);
	assert_int_equal(!a->get_extension, !b->get_extension);
	stop(&f);
	stop(&here);
}

static void another_program_is_no_worker(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	assert_fails(load_by(&f, PLUGINS "good.so", "/nowhere/etcore"), &f.err, E0641);
	stop(&f);
	/* /bin/true exits without a message */
	init(&f);
	assert_ok(load_by(&f, PLUGINS "good.so", "/bin/true"), &f.err);
	assert_int_equal(f.host.plugins[0].state, ETC_PLUGIN_REFUSED);
	assert_int_equal(noted(&f, W0640), 1);
	assert_true(etc_str_find(f.notes.first->text, ETC_STR("status 0"), 0) != SIZE_MAX);
	stop(&f);
}

/* The process of an isolated plugin runs the program etcore. This test contains the library of
 * etcore, but it is not that program, and there is none in its folder. */
static void a_program_is_never_its_own_worker(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	assert_fails(load_by(&f, PLUGINS "good.so", NULL), &f.err, E0641);
	stop(&f);
}

/* For `etcore plugins`, when no process can be started. Plugins that were installed with etcore are
 * then opened in this process; other plugins are not opened. */
static void only_installed_plugins_are_listed_without_isolation(void **state)
{
	const char *const named[] = { PLUGINS "good.so", PLUGINS "early/early.so" };
	char folder[] = ETC_TEST_ETCORE;
	struct etc_host_options o = {
		.named = named,
		.named_count = 2,
		.list = true,
		.ignore_environment = true,
		.program_folder = folder, /* the folder with plugins/ in it */
		.worker = "/nowhere/etcore",
	};
	uint32_t refused = 0;
	struct fixture f;

	(void)state;
	*strrchr(folder, '/') = '\0';
	init(&f);
	o.settings = &f.settings;
	assert_ok(etc_host_load(&f.host, &o, &f.arena, &f.notes, &f.err), &f.err);
	assert_true(f.host.count > 2);
	for (uint32_t i = 0; i < f.host.count; i++) {
		const struct etc_plugin *p = &f.host.plugins[i];

		assert_null(p->remote);
		refused += p->state == ETC_PLUGIN_REFUSED;
		if (p->state == ETC_PLUGIN_REFUSED)
			assert_int_equal(p->why, E0641);
		else
			assert_non_null(strstr(p->path.ptr, "/plugins/"));
	}
	assert_int_equal(refused, 2);
	stop(&f);
}

static void a_broken_descriptor_is_refused_as_ever(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	assert_fails(load_by(&f, PLUGINS "bad_column.so", ETC_TEST_ETCORE), &f.err, E0607);
	stop(&f);
	init(&f);
	assert_fails(load_by(&f, PLUGINS "wrong_abi.so", ETC_TEST_ETCORE), &f.err, E0604);
	stop(&f);
	init(&f);
	assert_fails(load_by(&f, PLUGINS "undefined.so", ETC_TEST_ETCORE), &f.err, E0606);
	stop(&f);
}

static void who_crashes_is_not_asked_again(void **state)
{
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "crashes.so");
	ask(&f, "abort");
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_NONE);
	assert_true(f.host.plugins[0].quarantined);
	assert_int_equal(noted(&f, W0640), 1);
	assert_true(
		etc_str_ends(f.notes.first->text, ETC_STR("'abort' of instruction 4: SIGABRT")));
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(f.notes.first->count, 1);
	assert_int_equal(f.host.hook_failures, 1);
	stop(&f);
}

/* Many calls are asked about at once: each of two plugins gets several of them in one message. */
static void many_calls_are_asked_at_once(void **state)
{
	const char *const both[] = { PLUGINS "adds.so", PLUGINS "good.so" };
	enum { CALLS = 500 };
	static struct etcore_call calls[CALLS];
	static struct etc_asked asked[CALLS];
	static const bool parse[3] = { true, false, true };
	struct etc_arena scratch;
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(load(&f, both, 2), &f.err);
	etc_arena_init(&scratch, 64 << 20);
	f.event[0].delegate_name = text("list");
	f.event[2].delegate_name = text("dict");
	f.call.count = 3;
	for (int i = 0; i < CALLS; i++) {
		calls[i] = f.call;
		asked[i] = (struct etc_asked){ .call = &calls[i], .map = i % 2, .parse = parse };
	}
	assert_ok(etc_host_ask(&f.host, asked, CALLS, &scratch, &f.err), &f.err);
	for (int i = 0; i < CALLS; i++) {
		assert_str(asked[i].owner->name, "good");
		assert_true(asked[i].described);
		for (int e = 0; e < 3; e++) {
			assert_str(asked[i].facts[e]->category, "gemm");
			assert_str(asked[i].facts[e]->library_why, "Fully Connected");
			assert_str(asked[i].facts[e]->annotator, "adds");
			assert_int_equal(asked[i].facts[e]->time.unit, ETCORE_UNIT_US);
			assert_str(asked[i].facts[e]->isa, "of microseconds");
		}
		assert_int_equal(asked[i].parsed[0].form, ETC_PARSED_LIST);
		assert_int_equal(asked[i].parsed[0].count, 3);
		assert_int_equal(asked[i].parsed[1].form, ETC_PARSED_NONE);
		assert_int_equal(asked[i].parsed[2].count, 6);
		assert_int_equal(asked[i].mapped != NULL, i % 2);
		if (asked[i].mapped)
			assert_str(asked[i].mapped[1].key, "key 7");
	}
	assert_int_equal(f.notes.kinds, 0);
	etc_arena_release(&scratch);
	stop(&f);
}

/* The plugin's process keeps the calls for which it was asked for a score. When it becomes their
 * owner, it is asked about them without getting them again. It must not take later calls at the
 * same addresses for them. */
static void who_was_asked_for_a_score_is_asked_about_the_same_calls(void **state)
{
	enum { CALLS = 20 };
	static struct etcore_call calls[CALLS];
	static struct etc_asked asked[CALLS];
	static const bool parse[3] = { false, false, true };
	struct etcore_event other;
	const struct etcore_event *others[3];
	struct fixture f;

	(void)state;
	start(&f, PLUGINS "good.so");
	f.call.count = 3;
	other = f.event[0];
	other.delegate_name = text("nobody's");
	memcpy(others, f.events, sizeof others);
	others[0] = &other;
	ask(&f, "mine");
	for (int round = 0; round < 4; round++) {
		bool named = round >= 2;
		struct etc_arena scratch;

		etc_arena_init(&scratch, 64 << 20);
		f.event[2].delegate_name = text(round % 2 ? "list" : "dict");
		f.start[0] = (uint64_t)round;
		for (int i = 0; i < CALLS; i++) {
			calls[i] = f.call;
			calls[i].events = i % 3 ? f.events : others;
			if (!named || i % 2)
				calls[i].backend = (struct etcore_text){ 0 };
			asked[i] = (struct etc_asked){ .call = &calls[i],
				                       .map = true,
				                       .parse = parse };
		}
		assert_ok(etc_host_ask(&f.host, asked, CALLS, &scratch, &f.err), &f.err);
		for (int i = 0; i < CALLS; i++) {
			if (!(i % 3) && calls[i].backend.len == 0) {
				assert_null(asked[i].owner);
				continue;
			}
			assert_str(asked[i].owner->name, "good");
			assert_str(asked[i].mapped[1].key, "key 7");
			assert_int_equal(asked[i].parsed[0].form, ETC_PARSED_NONE);
			assert_int_equal(asked[i].parsed[2].form,
			                 round % 2 ? ETC_PARSED_LIST : ETC_PARSED_DICT);
		}
		etc_arena_release(&scratch);
	}
	assert_int_equal(f.notes.kinds, 0);
	stop(&f);
}

enum { BIG_FILES = 40, BIG_SIZE = 9000 };

/* Writes BIG_SIZE bytes to a file, each of which is `i`. */
static void write_big(const char *path, int i)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	uint8_t bytes[BIG_SIZE];

	memset(bytes, i, sizeof bytes);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
	close(fd);
}

/* Blobs are in more files than the plugin's process maps at once. Some files were deleted or
 * replaced after the host had opened them; their bytes are sent. */
static void large_blobs_are_read_from_files_that_it_is_handed(void **state)
{
	static char paths[BIG_FILES][64];
	struct etc_file files[BIG_FILES];
	char folder[] = "/tmp/etcore-test-XXXXXX";
	struct etc_parsed p;
	struct fixture f;
	uint32_t most = 0;

	(void)state;
	assert_non_null(mkdtemp(folder));
	etc_file_map(true);
	start(&f, PLUGINS "good.so");
	ask(&f, "sums");
	for (int i = 0; i < BIG_FILES; i++) {
		snprintf(paths[i], sizeof paths[i], "%s/%d", folder, i);
		write_big(paths[i], i);
		assert_ok(etc_file_open(&files[i], paths[i], 0, &f.err), &f.err);
	}
	unlink(paths[1]);
	unlink(paths[2]);
	write_big(paths[2], 200);
	unlink(paths[4]);
	assert_int_equal(mkfifo(paths[4], 0600), 0);
	f.host.files = files;
	f.host.file_count = BIG_FILES;
	for (int round = 0; round < 200; round++) {
		const struct etc_remote *x = f.host.plugins[0].remote;

		for (int k = 0; k < 3; k++)
			f.metadata[k] = (struct etcore_bytes){
				files[(round * 3 + k) % BIG_FILES].bytes.ptr + round, BIG_SIZE - 200
			};
		assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err),
		          &f.err);
		assert_int_equal(f.notes.kinds, 0);
		assert_int_equal(p.count, 3);
		for (int k = 0; k < 3; k++)
			assert_int_equal(p.items[k].i,
			                 (BIG_SIZE - 200) * ((round * 3 + k) % BIG_FILES));
		most = x->shared_count > most ? x->shared_count : most;
		assert_int_equal(x->fresh_count, 0);
		for (uint32_t i = 0; i < x->shared_count; i++)
			for (int gone = 1; gone <= 4; gone += gone == 2 ? 2 : 1)
				assert_ptr_not_equal(x->shared[i].ptr, files[gone].bytes.ptr);
	}
	assert_int_equal(most, ETC_CHILD_FILES);
	for (int i = 0; i < BIG_FILES; i++) {
		etc_file_release(&files[i]);
		unlink(paths[i]);
	}
	rmdir(folder);
	etc_file_map(false);
	stop(&f);
}

/* The plugin's process has a limited address space. The blobs of a file that it cannot map are
 * sent. */
static void a_file_beyond_its_memory_is_sent(void **state)
{
	const struct etc_remote *x;
	struct etc_parsed p;
	struct etc_file file;
	struct fixture f;

	(void)state;
	init(&f);
	f.settings.limits.max_hook_memory = (size_t)1 << 30;
	etc_file_map(true);
	assert_ok(load_by(&f, PLUGINS "good.so", ETC_TEST_ETCORE), &f.err);
	f.host.plugins[0].remote->shared_most = 10000; /* as if the address space were small */
	ask(&f, "sums");
	assert_ok(etc_file_open(&file, ETC_TEST_ETCORE, 0, &f.err), &f.err);
	f.host.files = &file;
	f.host.file_count = 1;
	for (int k = 0; k < 3; k++)
		f.metadata[k] = (struct etcore_bytes){ file.bytes.ptr, 5000 };
	assert_ok(etc_host_parse_metadata(&f.host.plugins[0], &f.call, 0, &p, &f.err), &f.err);
	assert_int_equal(p.count, 3);
	x = f.host.plugins[0].remote;
	assert_int_equal(x->shared_count, 0);
	etc_file_release(&file);
	etc_file_map(false);
	stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_descriptor_arrives_whole),
		cmocka_unit_test(another_program_is_no_worker),
		cmocka_unit_test(a_program_is_never_its_own_worker),
		cmocka_unit_test(only_installed_plugins_are_listed_without_isolation),
		cmocka_unit_test(a_broken_descriptor_is_refused_as_ever),
		cmocka_unit_test(who_crashes_is_not_asked_again),
		cmocka_unit_test(many_calls_are_asked_at_once),
		cmocka_unit_test(large_blobs_are_read_from_files_that_it_is_handed),
		cmocka_unit_test(a_file_beyond_its_memory_is_sent),
		cmocka_unit_test(who_was_asked_for_a_score_is_asked_about_the_same_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
