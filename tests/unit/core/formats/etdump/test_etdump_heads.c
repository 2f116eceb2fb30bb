/* Run heads (name, input and lists of a run): many equal ones, with some that differ or are
 * damaged. */
#include "build.h"
#include "dump.h"

enum { RUNS = 3500, KINDS = 10 };

static size_t put_name(struct build *b, size_t from, char kind)
{
	char name[301] = { 0 };
	size_t at;

	memset(name, 'r', kind == 'l' ? 300 : 1);
	name[0] = kind == 'o' ? 'o' : kind == 'u' ? '\xff' : 'r';
	link_here(b, from);
	at = b->len;
	put_text(b, name);
	if (kind == 'z')
		b->bytes[b->len - 1] = 'z';
	while (b->len % 4)
		put(b, "", 1);
	return at;
}

/* Writes the table of a run, and lets the offset at `from` point to it. The kinds of runs are:
 *   r  the usual one, without events          o  with another name
 *   i  of another bundled input               l  with a name of 300 bytes
 *   z  with a name that no NUL ends           u  with a name that is not UTF-8
 *   n  without a name                         e  without a list of events
 *   a  with an allocator                      c  with an event */
static size_t put_kind(struct build *b, size_t from, char kind)
{
	size_t field[4], other[3], list;
	size_t table = put_table_for(b, from,
	                             kind == 'n'   ? "0404"
	                             : kind == 'e' ? "4400"
	                             : kind == 'a' ? "4444"
	                                           : "4404",
	                             field);

	set_u32(b, field[1], kind == 'i' ? 3 : UINT32_MAX);
	if (kind != 'n')
		put_name(b, field[0], kind);
	if (kind != 'e') {
		link_here(b, field[3]);
		list = put_offsets(b, kind == 'c');
		if (kind == 'c')
			put_table_for(b, list, "000", other);
	}
	if (kind == 'a') {
		link_here(b, field[2]);
		list = put_offsets(b, 1);
		put_table_for(b, list, "4", other);
		put_name(b, other[0], 'r');
	}
	return table;
}

/* Writes RUNS runs of the kind `first`, but run `odd` and every `every`-th run after it of the kind
 * `kind`. If `kind` is '\0', the offsets to these runs are 0, which is invalid. */
static void put_dump(struct build *b, char first, char kind, size_t odd, size_t every)
{
	size_t at[4], root, list, usual, other = 0;

	b->len = 0;
	root = put_u32(b, 0);
	b->len = root;
	put_header(b);
	put_table_for(b, 4, "44", at);
	link_here(b, at[1]);
	list = put_offsets(b, RUNS);
	usual = put_kind(b, list, first);
	if (kind)
		other = put_kind(b, list + 4 * odd, kind);
	for (size_t i = 0; i < RUNS; i++) {
		bool is_odd = i >= odd && (i - odd) % every == 0;
		size_t from = list + 4 * i, to = is_odd ? other : usual;

		set_u32(b, from, to ? (uint32_t)(to - from) : 0);
	}
	end_build(b);
}

static const size_t odd[] = { 0, 1, 2, 3, RUNS / 3, RUNS / 2, RUNS / 2 + 1, RUNS - 1 };
enum { PLACES = sizeof odd / sizeof *odd };

/* Checks that `h` is the head of a run of that kind. */
static void expect_head(const struct etc_run_head *h, char kind)
{
	assert_int_equal(h->has_name, kind != 'n');
	assert_int_equal(h->name.len, kind == 'n' ? 0 : kind == 'l' ? 300 : 1);
	if (h->has_name)
		assert_int_equal((unsigned char)h->name.ptr[0], kind == 'o'   ? 'o'
		                                                : kind == 'u' ? 0xff
		                                                              : 'r');
	assert_int_equal(h->has_events, kind != 'e');
	assert_int_equal(h->has_allocators, kind == 'a');
	assert_int_equal(h->allocator_count, kind == 'a');
	assert_int_equal(h->bundled_input_index, kind == 'i' ? 3 : -1);
}

static void expect_dump(const struct build *b, char first, char kind, size_t from, size_t every)
{
	struct dump d;
	enum etc_status status = dump_bytes(&d, b->bytes, b->len);

	assert_int_equal(status == ETC_OK ? ETC_CODE_NONE : d.err.code,
	                 kind ? ETC_CODE_NONE : E0205);
	for (size_t i = 0; i < d.trace.run_count; i++) {
		bool is_odd = i >= from && (i - from) % every == 0;

		expect_head(etc_run_head(&d.trace, &d.trace.runs[i]), is_odd ? kind : first);
	}
	assert_int_equal(d.trace.run_count, kind ? RUNS : 0);
	dump_release(&d);
}

static void reads_heads(void **state)
{
	static const char kinds[KINDS] = { 'o', 'i', 'l', 'z', 'u', 'n', 'e', 'a', 'c', '\0' };
	struct build *b = malloc(sizeof *b);

	(void)state;
	for (size_t k = 0; k < KINDS; k++)
		for (size_t i = 0; i < PLACES; i++) {
			put_dump(b, 'r', kinds[k], odd[i], RUNS);
			expect_dump(b, 'r', kinds[k], odd[i], RUNS);
			put_dump(b, 'r', kinds[k], odd[i], 400);
			expect_dump(b, 'r', kinds[k], odd[i], 400);
		}
	free(b);
}

static void reads_odd_heads(void **state)
{
	static const char kinds[] = { 'l', 'z', 'u', 'n', 'e', 'a' };
	struct build *b = malloc(sizeof *b);

	(void)state;
	for (size_t k = 0; k < sizeof kinds; k++) {
		put_dump(b, kinds[k], 'r', RUNS / 2, RUNS);
		expect_dump(b, kinds[k], 'r', RUNS / 2, RUNS);
	}
	free(b);
}

static void spends_visits(void **state)
{
	struct build *b = malloc(sizeof *b);
	size_t refused = 0;
	bool enough = false;

	(void)state;
	put_dump(b, 'r', 'c', RUNS / 2, 400);
	for (size_t visits = 1; visits < 2 * RUNS; visits += 97) {
		const struct etc_limits limits = { .max_visits = visits };
		struct etc_error err = { .text = "" };
		struct etc_arena arena;
		struct etc_trace t;
		enum etc_status st;

		etc_arena_init(&arena, 64 << 20);
		st = etc_etdump_read((struct etc_span){ b->bytes, b->len }, &limits, &arena, NULL,
		                     &t, &err);
		assert_true(st == ETC_OK || (!enough && err.code == E0206));
		enough = st == ETC_OK;
		refused += !enough;
		etc_arena_release(&arena);
	}
	assert_true(refused > 10);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_heads),
		cmocka_unit_test(reads_odd_heads),
		cmocka_unit_test(spends_visits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
