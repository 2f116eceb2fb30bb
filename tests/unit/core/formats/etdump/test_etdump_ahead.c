/* A dump is read by several threads as by one: the same trace, the same notes, the same
 * error at the same place. */
#define _GNU_SOURCE /* nftw */
#include "as_one.h"
#include "build.h"

#include <ftw.h>
#include <unistd.h>

#include "threads.h"

/* ---- dumps ------------------------------------------------------------------------ */

static uint64_t ticks;

static void put_profile(struct build *b, size_t from, const char *name, const char *metadata)
{
	size_t field[8];

	put_table_for(b, from, metadata ? "40400488" : "40400088", field);
	set_u32(b, field[2], 7);
	set_u64(b, field[6], ticks += 3);
	ticks += 5;
	set_u64(b, field[7], ticks % 11 ? ticks : ticks - 9); /* some end before they start */
	link_here(b, field[0]);
	put_text(b, name);
	if (name[0] == 'n')
		b->bytes[b->len - 1] = 'n';
	while (b->len % 4)
		put(b, "", 1);
	if (!metadata)
		return;
	link_here(b, field[5]);
	put_u32(b, (uint32_t)strlen(metadata));
	put(b, metadata, strlen(metadata) + 1);
}

static void put_debug(struct build *b, size_t from, const char *name)
{
	size_t field[6];

	put_table_for(b, from, "840004", field);
	link_here(b, field[5]);
	put_text(b, name);
}

/* Event `i` of a run of that kind. */
static void put_event(struct build *b, size_t from, char kind, size_t i)
{
	bool debug = kind == 'd' && i == 1;
	char name[301] = { 0 };
	size_t event[3];

	memset(name, 'l', kind == 'l' ? 300 : 1);
	name[0] = (char)(kind == 'A' ? 'a' : kind);
	put_table_for(b, from, debug ? "004" : kind == 'u' ? "404" : "4", event);
	if (!debug)
		put_profile(b, event[0], name, kind == 'A' && i ? "meta" : NULL);
	if (debug || kind == 'u')
		put_debug(b, event[2], debug ? "logged" : "\xff\xfe");
}

/* A run of the kind that `kind` stands for:
 *   a  two events; A: metadata in one of them   b  three others
 *   d  an event and a debug event                e  none
 *   l  a name of 300 bytes                       n  a name with no 0 behind it
 *   u  a debug event that is hidden, of a name that is not UTF-8 */
static void put_run(struct build *b, size_t from, char kind)
{
	size_t count = kind == 'e' ? 0 : kind == 'b' ? 3 : strchr("aAd", kind) ? 2 : 1, first;

	link_here(b, from);
	first = put_offsets(b, count);
	for (size_t i = 0; i < count; i++)
		put_event(b, first + 4 * i, kind, i);
	while (b->len % 8)
		put(b, "", 1);
}

static void put_script(struct build *b, const char *kinds)
{
	size_t runs[512], count = strlen(kinds);

	assert_true(count <= 512);
	b->len = 0;
	ticks = 1000;
	put_runs(b, count, runs);
	for (size_t i = 0; i < count; i++)
		put_run(b, runs[i], kinds[i]);
	end_build(b);
}

enum { LONG = 6500 };

/* Runs with one list of LONG events, which are one event but for the one at `odd`: it is of
 * another kind, or leads nowhere, or with '>' out of the file. */
static void put_long(struct build *b, size_t odd, char kind)
{
	size_t runs[3], list, same = odd ? 0 : 1;
	uint32_t step;

	b->len = 0;
	ticks = 1000;
	put_runs(b, 3, runs);
	for (size_t i = 0; i < 3; i++)
		link_here(b, runs[i]);
	list = put_offsets(b, LONG);
	put_event(b, list + 4 * same, 'A', 1);
	memcpy(&step, b->bytes + list + 4 * same, sizeof step);
	for (size_t i = 0; i < LONG; i++)
		set_u32(b, list + 4 * i, step + (uint32_t)(4 * same) - (uint32_t)(4 * i));
	if (kind && kind != '>')
		put_event(b, list + 4 * odd, kind, 1);
	else
		set_u32(b, list + 4 * odd, kind ? UINT32_MAX : 0);
	end_build(b);
}

static const char *const scripts[] = {
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbb",
	"abababababababababababababababababababab",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabaaaaaaaaa",
	"aAaaAaaaAaaaaAaaaaaAaaaaaaaAaaaaaaaaaaAa",
	"aaaaaaaaaadaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"aaaadAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	"aaaaAAAAAAAAAAdAAaaaaaaaaAAAAAAaaaaaaaAA",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaadaaadaadad",
	"dddddddddddddddddddddddddddddddddddddddd",
	"aaeaaeeeeaaaeeeaaaaaaaaaeeaaaaaaeeeeeeee",
	"aaallllllllllllllllaaaaaaalaaaaaaaaaaaal",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaanaaaaanaaaaaa",
	"aauaaaaaaaaaaaaaaaaaaaaaaauaaauuuuuaaaaa",
	"aaaaaaaaaaaaaaaaaaaauaaaaaaaaaaaaaaaaaaa",
	"ab",
	"aa",
	"aaa",
	"aaaa",
	"a",
	"e",
	"",
};
enum { SCRIPTS = sizeof scripts / sizeof scripts[0] };

/* ---- tests ------------------------------------------------------------------------ */

static size_t tried;

static int read_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	struct etc_error err;
	struct etc_file file;

	(void)st, (void)at;
	if (kind != FTW_F || !strstr(path, ".etd"))
		return 0;
	assert_ok(etc_file_open(&file, path, 0, &err), &err);
	lies_in = &file;
	expect_the_same(path, file.bytes.ptr, file.bytes.len, 0);
	lies_in = NULL;
	tried++;
	etc_file_release(&file);
	return 0;
}

static void reads_every_dump_as_one_thread_does(void **state)
{
	(void)state;
	threads_started = 0;
	assert_int_equal(nftw("tests/data", read_one, 16, FTW_PHYS), 0);
	assert_true(tried > 300 && threads_started > 200);
}

static void reads_shapes_that_change_as_one_thread_does(void **state)
{
	struct build *b = malloc(sizeof *b);

	(void)state;
	for (int i = 0; i < SCRIPTS; i++) {
		put_script(b, scripts[i]);
		threads_started = 0;
		if (expect_the_same(scripts[i], b->bytes, b->len, 0) != ETC_CODE_NONE)
			fail_msg("%s is not read", scripts[i]);
		assert_int_equal(threads_started > 0,
		                 strlen(scripts[i]) > 2 && strncmp(scripts[i], "ddd", 3) != 0);
	}
	assert_true(wrapped > SCRIPTS);
	free(b);
}

/* The same of a file, whose pages are asked for before a long list is read. */
static enum etc_code expect_the_same_of_file(const char *what, const struct build *b)
{
	char path[] = "/tmp/etcore-ahead-XXXXXX";
	int fd = mkstemp(path);
	struct etc_file file;
	struct etc_error err;
	enum etc_code code;

	assert_true(fd >= 0 && write(fd, b->bytes, b->len) == (ssize_t)b->len);
	assert_ok(etc_file_open(&file, path, 0, &err), &err);
	close(fd);
	unlink(path);
	lies_in = &file;
	code = expect_the_same(what, file.bytes.ptr, file.bytes.len, 0);
	lies_in = NULL;
	etc_file_release(&file);
	return code;
}

static void makes_a_long_list_as_one_thread_does(void **state)
{
	static const char kinds[] = { 'A', 'a', 'd', 'l', 'n', 'u', '\xff', '>', '\0' };
	static const size_t odd[] = { 0, 1, LONG / 3, LONG / 2 - 1, LONG / 2, LONG - 1 };
	struct build *b = malloc(sizeof *b);

	(void)state;
	for (size_t k = 0; k < sizeof kinds; k++)
		for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
			bool broken = kinds[k] == '>' || !kinds[k];
			char what[64];

			snprintf(what, sizeof what, "kind %d, event %zu", kinds[k], odd[i]);
			put_long(b, odd[i], kinds[k]);
			threads_started = 0;
			assert_int_equal(expect_the_same(what, b->bytes, b->len, 0),
			                 broken ? E0205 : ETC_CODE_NONE);
			assert_true(threads_started > 0);
			assert_int_equal(expect_the_same_of_file(what, b),
			                 broken ? E0205 : ETC_CODE_NONE);
		}
	free(b);
}

/* Wherever a byte is another one: in what one thread reads, or in what is read ahead. */
static void finds_damage_where_one_thread_does(void **state)
{
	static const uint8_t flips[] = { 0x04, 0xff };
	struct build *b = malloc(sizeof *b);
	size_t damaged = 0;

	(void)state;
	put_script(b, "abAaaaAabaaaaAaaaaaa");
	for (size_t at = 12; at < b->len; at++)
		for (int f = at % 2; f < 2; f += 2) {
			char what[64];

			snprintf(what, sizeof what, "byte %zu", at);
			b->bytes[at] ^= flips[f];
			damaged += expect_the_same(what, b->bytes, b->len, 0) == E0205;
			b->bytes[at] ^= flips[f];
		}
	assert_true(damaged > b->len / 8);
	free(b);
}

static void spends_visits_as_one_thread_does(void **state)
{
	struct build *b = malloc(sizeof *b);
	size_t refused = 0, read = 0;

	(void)state;
	for (int i = 0; i < SCRIPTS; i++)
		for (size_t visits = 60; visits < 260; visits += 3) {
			enum etc_code code;

			put_script(b, scripts[i]);
			code = expect_the_same(scripts[i], b->bytes, b->len, visits);
			assert_true(code == ETC_CODE_NONE || code == E0206);
			refused += code == E0206;
			read += code == ETC_CODE_NONE;
		}
	assert_true(refused > 100 && read > 100);
	free(b);
}

static void reads_alone_where_no_thread_is_to_be_had(void **state)
{
	struct build *b = malloc(sizeof *b);

	(void)state;
	threads_refused = true;
	for (int i = 0; i < SCRIPTS; i++) {
		put_script(b, scripts[i]);
		expect_the_same(scripts[i], b->bytes, b->len, 0);
	}
	threads_refused = false;
	free(b);
}

/* Out of memory: the error, or the same trace in another way. */
static void survives_every_budget(void **state)
{
	struct build *b = malloc(sizeof *b);
	size_t read = 0, refused = 0;

	(void)state;
	put_script(b, scripts[2]);
	for (size_t budget = 0; budget < 200000; budget += 1000) {
		const struct etc_limits limits = { .jobs = 3, .jobs_from = 1 };
		struct etc_error err = { .text = "" };
		struct etc_arena arena;
		struct etc_trace t;

		etc_arena_init(&arena, budget);
		if (etc_etdump_read((struct etc_span){ b->bytes, b->len }, &limits, &arena, NULL,
		                    &t, &err) == ETC_OK) {
			assert_int_equal(t.run_count, 40);
			assert_int_equal(t.sample_count, 100);
			assert_true(t.start[99] == 1000 + 99 * 8 + 3);
			read++;
		} else {
			assert_int_equal(err.code, E0904);
			refused++;
		}
		etc_arena_release(&arena);
	}
	assert_true(read > 50 && refused > 5);
	free(b);
}

static unsigned started_for(const struct build *b, const struct etc_limits *limits)
{
	struct etc_error err;
	struct etc_arena arena;
	struct etc_trace t;

	threads_started = 0;
	etc_arena_init(&arena, 64 << 20);
	assert_ok(etc_etdump_read((struct etc_span){ b->bytes, b->len }, limits, &arena, NULL, &t,
	                          &err),
	          &err);
	etc_arena_release(&arena);
	return threads_started;
}

static void starts_threads_for_large_dumps_only(void **state)
{
	struct build *b = malloc(sizeof *b);

	(void)state;
	put_script(b, scripts[0]);
	assert_int_equal(started_for(b, NULL), 0);
	assert_int_equal(started_for(b, &(struct etc_limits){ .jobs = 4 }), 0);
	assert_int_equal(started_for(b, &(struct etc_limits){ .jobs = 4, .jobs_from = b->len }), 0);
	assert_int_equal(started_for(b, &(struct etc_limits){ .jobs = 4, .jobs_from = b->len - 1 }),
	                 3);
	assert_int_equal(started_for(b, &(struct etc_limits){ .jobs = 1, .jobs_from = 1 }), 0);
	assert_int_equal(etc_limits_jobs(&(struct etc_limits){ .jobs = 2 }, 64 << 20), 1);
	assert_int_equal(etc_limits_jobs(&(struct etc_limits){ .jobs = 2 }, (64 << 20) + 1), 2);
	assert_int_equal(etc_limits_jobs(NULL, SIZE_MAX), 1);
	assert_int_equal(etc_limits_jobs(&(struct etc_limits){ .jobs = 1000 }, SIZE_MAX), 256);
	assert_true(etc_limits_jobs(&(struct etc_limits){ .jobs = 0 }, SIZE_MAX) >= 1);
	free(b);
}

/* A dump that is odd all over does not start a thread for each of its runs. */
static void does_not_start_threads_in_vain_for_ever(void **state)
{
	struct build *b = malloc(sizeof *b);
	char kinds[301];

	(void)state;
	for (int i = 0; i < 300; i++)
		kinds[i] = i % 3 ? 'e' : 'd';
	kinds[300] = '\0';
	put_script(b, kinds);
	assert_true(started_for(b, &(struct etc_limits){ .jobs = 2, .jobs_from = 1 }) <= 8);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_dump_as_one_thread_does),
		cmocka_unit_test(reads_shapes_that_change_as_one_thread_does),
		cmocka_unit_test(makes_a_long_list_as_one_thread_does),
		cmocka_unit_test(finds_damage_where_one_thread_does),
		cmocka_unit_test(spends_visits_as_one_thread_does),
		cmocka_unit_test(reads_alone_where_no_thread_is_to_be_had),
		cmocka_unit_test(survives_every_budget),
		cmocka_unit_test(starts_threads_for_large_dumps_only),
		cmocka_unit_test(does_not_start_threads_in_vain_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
