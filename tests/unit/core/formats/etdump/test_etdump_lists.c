/* Lists of events: lists that change from run to run, long lists, and damaged lists. */
#define _GNU_SOURCE /* nftw */
#include "as_file.h"
#include "build.h"

#include <ftw.h>
#include <unistd.h>

/* ---- dumps ------------------------------------------------------------------------ */

static uint64_t ticks;

static void put_profile(struct build *b, size_t from, const char *name, const char *metadata)
{
	size_t field[8];

	put_table_for(b, from, metadata ? "40400488" : "40400088", field);
	set_u32(b, field[2], 7);
	set_u64(b, field[6], ticks += 3);
	ticks += 5;
	/* some events end before they start */
	set_u64(b, field[7], ticks % 11 ? ticks : ticks - 9);
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

/* Writes event `i` of a run of the kind `kind`, and lets the offset at `from` point to it. */
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

/* Writes the event list of a run. The kinds of runs are:
 *   a  two events                             A  the same, one of them with metadata
 *   b  three other events                     d  an event and a debug event
 *   e  no events                              l  an event whose name has 300 bytes
 *   n  an event whose name no NUL ends
 *   u  an event that is a debug event as well, whose name is not UTF-8 */
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

/* Writes runs that share one list with LONG offsets to the same event, except the offset with index
 * `odd`: it leads to an event of the kind `kind`. If `kind` is '\0', that offset is 0; if '>', it
 * points past the end of the file. */
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
	expect_the_same(path, &file);
	tried++;
	etc_file_release(&file);
	return 0;
}

static void reads_every_dump_from_memory_and_file(void **state)
{
	(void)state;
	assert_int_equal(nftw("tests/data", read_one, 16, FTW_PHYS), 0);
	assert_true(tried > 300);
}

static enum etc_code read_build(struct dump *d, const struct build *b, size_t visits)
{
	return read_from(d, NULL, b->bytes, b->len, visits) == ETC_OK ? ETC_CODE_NONE : d->err.code;
}

/* Checks that run `i` has the events of its kind. Their times must follow those before them: *time
 * is the last one that was written before the run, and is advanced. */
static void expect_run(const struct etc_trace *t, size_t i, char kind, uint64_t *time)
{
	const struct etc_template *template = etc_run_template(t, &t->runs[i]);
	uint32_t events = kind == 'e' ? 0 : kind == 'b' ? 3 : strchr("aAd", kind) ? 2 : 1;

	assert_int_equal(template->count, events);
	assert_int_equal(template->debugs, kind == 'd');
	assert_int_equal(template->doubles, kind == 'u');
	for (uint32_t k = 0; k < template->profiles; k++) {
		size_t sample = t->runs[i].first_sample + k;

		assert_true(t->start[sample] == (*time += 3));
		*time += 5;
		assert_true(t->end[sample] == (*time % 11 ? *time : *time - 9));
		assert_int_equal(etc_trace_metadata(t, sample).len, kind == 'A' && k ? 4 : 0);
	}
}

static void reads_templates_that_change(void **state)
{
	struct build *b = malloc(sizeof *b);
	size_t wrapped = 0;

	(void)state;
	for (int i = 0; i < SCRIPTS; i++) {
		uint64_t time = 1000;
		struct dump d;

		put_script(b, scripts[i]);
		if (read_build(&d, b, 0) != ETC_CODE_NONE)
			fail_msg("%s is not read: %s", scripts[i], d.err.text);
		assert_int_equal(d.trace.run_count, strlen(scripts[i]));
		for (size_t r = 0; r < d.trace.run_count; r++)
			expect_run(&d.trace, r, scripts[i][r], &time);
		wrapped += d.trace.wraps.count;
		etc_arena_release(&d.arena);
	}
	assert_true(wrapped > SCRIPTS);
	free(b);
}

/* Writes the dump to a file, and checks that it is read from the file as from memory. Of a file,
 * the pages of a long list are requested before they are read. */
static void expect_the_same_of_file(const char *what, const struct build *b)
{
	char path[] = "/tmp/etcore-lists-XXXXXX";
	int fd = mkstemp(path);
	struct etc_file file;
	struct etc_error err;

	assert_true(fd >= 0 && write(fd, b->bytes, b->len) == (ssize_t)b->len);
	assert_ok(etc_file_open(&file, path, 0, &err), &err);
	close(fd);
	unlink(path);
	expect_the_same(what, &file);
	etc_file_release(&file);
}

static void reads_a_long_list(void **state)
{
	static const char kinds[] = { 'A', 'a', 'd', 'l', 'n', 'u', '\xff', '>', '\0' };
	static const size_t odd[] = { 0, 1, LONG / 3, LONG / 2 - 1, LONG / 2, LONG - 1 };
	struct build *b = malloc(sizeof *b);

	(void)state;
	for (size_t k = 0; k < sizeof kinds; k++)
		for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
			bool broken = kinds[k] == '>' || !kinds[k];
			struct dump d;
			char what[64];

			snprintf(what, sizeof what, "kind %d, event %zu", kinds[k], odd[i]);
			put_long(b, odd[i], kinds[k]);
			assert_int_equal(read_build(&d, b, 0), broken ? E0205 : ETC_CODE_NONE);
			assert_true(broken || d.trace.templates[0].count == LONG);
			etc_arena_release(&d.arena);
			expect_the_same_of_file(what, b);
		}
	free(b);
}

/* Changes each byte in turn; many of the changes must be found as damage. */
static void finds_damage(void **state)
{
	static const uint8_t flips[] = { 0x04, 0xff };
	struct build *b = malloc(sizeof *b);
	size_t damaged = 0;

	(void)state;
	put_script(b, "abAaaaAabaaaaAaaaaaa");
	for (size_t at = 12; at < b->len; at++)
		for (int f = at % 2; f < 2; f += 2) {
			struct dump d;

			b->bytes[at] ^= flips[f];
			damaged += read_build(&d, b, 0) == E0205;
			etc_arena_release(&d.arena);
			b->bytes[at] ^= flips[f];
		}
	assert_true(damaged > b->len / 8);
	free(b);
}

/* If a dump is read with a limit of visits, it is also read with each larger limit. */
static void spends_visits(void **state)
{
	struct build *b = malloc(sizeof *b);
	size_t refused = 0, read = 0;

	(void)state;
	for (int i = 0; i < SCRIPTS; i++) {
		bool enough = false;

		put_script(b, scripts[i]);
		for (size_t visits = 60; visits < 260; visits += 3) {
			struct dump d;
			enum etc_code code = read_build(&d, b, visits);

			assert_int_equal(code,
			                 enough || code == ETC_CODE_NONE ? ETC_CODE_NONE : E0206);
			enough = code == ETC_CODE_NONE;
			refused += !enough;
			read += enough;
			etc_arena_release(&d.arena);
		}
	}
	assert_true(refused > 100 && read > 100);
	free(b);
}

/* Reads a dump with each allocation failing in turn: the result is an error or the complete
 * trace. */
static void survives_every_budget(void **state)
{
	struct build *b = malloc(sizeof *b);
	size_t read = 0, refused = 0;

	(void)state;
	put_script(b, scripts[2]);
	for (size_t budget = 0; budget < 200000; budget += 1000) {
		struct etc_error err = { .text = "" };
		struct etc_arena arena;
		struct etc_trace t;

		etc_arena_init(&arena, budget);
		if (etc_etdump_read((struct etc_span){ b->bytes, b->len }, NULL, &arena, NULL, &t,
		                    &err) == ETC_OK) {
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_dump_from_memory_and_file),
		cmocka_unit_test(reads_templates_that_change),
		cmocka_unit_test(reads_a_long_list),
		cmocka_unit_test(finds_damage),
		cmocka_unit_test(spends_visits),
		cmocka_unit_test(survives_every_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
