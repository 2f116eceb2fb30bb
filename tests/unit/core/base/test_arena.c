/* test_arena.c -- arenas: memory that is released together, with a budget. */
#include "unit.h"

#include <sys/mman.h>

#include "base/arena.h"
#include "base/memory.h"

enum { MB = 1 << 20 };

/* mmap() is wrapped: it refuses maps larger than `most_addresses`, and counts the others in
 * `regions`. With a sanitizer, arenas use no regions. */
static size_t most_addresses = SIZE_MAX, regions;
static bool no_more_memory;

void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t from);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t from);
int __real_mprotect(void *at, size_t n, int prot);
int __wrap_mprotect(void *at, size_t n, int prot);

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t from)
{
	if (n > most_addresses)
		return MAP_FAILED;
	regions++;
	return __real_mmap(at, n, prot, flags, fd, from);
}

int __wrap_mprotect(void *at, size_t n, int prot)
{
	return no_more_memory ? -1 : __real_mprotect(at, n, prot);
}

struct odd {
	char c[3];
};

static void objects_are_zeroed_aligned_and_apart(void **state)
{
	struct etc_arena a;

	(void)state;
	etc_arena_init(&a, 1 << 20);
	for (int i = 0; i < 100; i++) {
		struct odd *o = etc_new(&a, struct odd, 1);
		double *d = etc_new(&a, double, 3);
		max_align_t *m = etc_new(&a, max_align_t, 1);

		assert_non_null(o);
		assert_non_null(d);
		assert_non_null(m);
		assert_int_equal((uintptr_t)d % _Alignof(double), 0);
		assert_int_equal((uintptr_t)m % _Alignof(max_align_t), 0);
		for (int k = 0; k < 3; k++) {
			assert_int_equal(o->c[k], 0);
			assert_true(d[k] == 0);
			d[k] = i;
		}
		memset(o, 0xff, sizeof *o);
		memset(m, 0xff, sizeof *m);
	}
	etc_arena_release(&a);
}

static void the_budget_is_a_wall_and_comes_back(void **state)
{
	struct etc_arena a;

	(void)state;
	etc_arena_init(&a, 100000);
	assert_null(etc_new(&a, char, 100001));
	assert_non_null(etc_new(&a, char, 50000));
	assert_null(etc_new(&a, char, 60000));
	assert_non_null(etc_new(&a, char, 30000));
	etc_arena_release(&a);
	assert_int_equal(a.budget, 100000);
	assert_non_null(etc_new(&a, char, 90000));
	etc_arena_release(&a);
}

static void small_objects_never_exceed_the_budget(void **state)
{
	struct etc_arena a;
	size_t got = 0;

	(void)state;
	etc_arena_init(&a, 300000);
	while (etc_new(&a, uint64_t, 1))
		got += sizeof(uint64_t);
	assert_true(got <= 300000);
	assert_true(got >= 250000);
	etc_arena_release(&a);
}

static void a_count_that_wraps_is_refused(void **state)
{
	struct etc_arena a;

	(void)state;
	etc_arena_init(&a, SIZE_MAX);
	assert_null(etc_new(&a, uint64_t, SIZE_MAX / 8 + 2));
	assert_null(etc_new(&a, uint64_t, SIZE_MAX));
	assert_null(etc_new(&a, char, SIZE_MAX));
	etc_arena_release(&a);
}

static void no_objects_are_not_null(void **state)
{
	struct etc_arena a;

	(void)state;
	etc_arena_init(&a, 1 << 20);
	assert_non_null(etc_new(&a, uint64_t, 0));
	etc_arena_release(&a);
}

/* A large array gets a block of its own; small objects are still taken from the block before. */
static void a_large_array_wastes_nothing(void **state)
{
	struct etc_arena a;
	size_t before, after;

	(void)state;
	etc_arena_init(&a, 64 << 20);
	assert_non_null(etc_new(&a, char, 16));
	assert_non_null(etc_new(&a, char, 32 << 20));
	before = a.budget;
	for (int i = 0; i < 1000; i++)
		assert_non_null(etc_new(&a, char, 8));
	after = a.budget;
	assert_int_equal(before, after);
	etc_arena_release(&a);
}

static void texts_are_copied_with_a_nul(void **state)
{
	struct etc_arena a;
	char source[] = "abc";
	struct etc_str s;
	char *c;

	(void)state;
	etc_arena_init(&a, 1 << 20);
	s = etc_arena_str(&a, (struct etc_str){ source, 3 });
	c = etc_arena_cstr(&a, (struct etc_str){ source, 2 });
	source[0] = 'X';
	assert_str(s, "abc");
	assert_int_equal(s.ptr[3], '\0');
	assert_string_equal(c, "ab");
	assert_str(etc_arena_printf(&a, "%d-%s", 7, "x"), "7-x");
	assert_string_equal(etc_arena_cstr(&a, (struct etc_str){ NULL, 0 }), "");
	etc_arena_release(&a);
}

static void used_again(size_t size)
{
	struct etc_arena arena;
	uint8_t *first = NULL;
	size_t budget = 16 * MB;

	etc_arena_init(&arena, budget);
	etc_arena_reuse(&arena); /* has no effect on an empty arena */
	for (int round = 0; round < 5; round++) {
		uint8_t *p = etc_new(&arena, uint8_t, size);
		uint8_t *q = etc_new(&arena, uint8_t, 100);

		assert_non_null(p);
		assert_non_null(q);
		for (size_t i = 0; i < size; i++)
			if (p[i])
				fail_msg("byte %zu is not 0", i);
		assert_int_equal(q[99], 0);
		memset(p, 255, size);
		memset(q, 255, 100);
		if (round == 3)
			first = p;
		if (round == 4)
			assert_ptr_equal(p, first);
		etc_arena_reuse(&arena);
	}
	etc_arena_release(&arena);
	assert_int_equal(arena.budget, budget);
}

static void memory_that_is_used_again_is_zero_again(void **state)
{
	(void)state;
	used_again(200000);
	used_again(3 * MB);
}

/* Allocates objects of several sizes, checks that they are zeroed, and fills them. Returns false if
 * an allocation failed. */
static bool fill(struct etc_arena *a, size_t count)
{
	static const size_t sizes[] = { 8, 3 * MB, 200000, 1, 5 * MB / 2, 100000, 70 * MB, 48 };

	for (size_t i = 0; i < count; i++) {
		size_t size = sizes[i % (sizeof sizes / sizeof *sizes)];
		uint64_t *p = etc_arena_alloc(a, 1, 8, size);

		if (!p)
			return false;
		for (size_t k = 0; k < size / 8; k++)
			if (p[k])
				fail_msg("object %zu: word %zu is not 0", i, k);
		memset(p, 255, size);
	}
	return true;
}

static void large_objects_lie_one_behind_the_other(void **state)
{
	struct etc_arena a;
	uint8_t *p, *q;

	(void)state;
	regions = 0;
	etc_arena_init(&a, 256 * MB);
	p = etc_new(&a, uint8_t, 3 * MB);
	q = etc_new(&a, uint8_t, 3 * MB);
	if (regions) {
		assert_ptr_equal(q, p + 3 * MB);
		assert_int_equal(regions, 1);
	}
	assert_true(fill(&a, 8));
	etc_arena_release(&a);
	assert_int_equal(a.budget, 256 * MB);
	assert_int_equal(a.taken, 0);
}

/* The system may give less address space than a region needs, none at all, or no memory for it. An
 * arena then takes blocks from malloc instead, and no failure is recorded. */
static void does_without_a_region(void **state)
{
	static const struct {
		size_t most;
		bool refused;
	} tries[] = { { 32 * MB, false }, { 5 * MB, false }, { 0, false }, { SIZE_MAX, true } };

	(void)state;
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
		struct etc_refusal before = etc_memory_begin();
		struct etc_arena a;

		etc_arena_init(&a, 512 * MB);
		most_addresses = tries[i].most;
		no_more_memory = tries[i].refused;
		assert_true(fill(&a, 8));
		assert_int_equal(etc_memory_refused().wanted, 0);
		most_addresses = SIZE_MAX;
		no_more_memory = false;
		assert_true(fill(&a, 8));
		assert_null(etc_new(&a, char, 512 * MB));
		assert_int_not_equal(etc_memory_refused().wanted, 0);
		etc_arena_release(&a);
		assert_int_equal(a.budget, 512 * MB);
		etc_memory_end(before);
	}
}

static void a_budget_is_used_up_whatever_page_it_ends_in(void **state)
{
	(void)state;
	for (size_t budget = 900000; budget < 9 * MB; budget += 300007) {
		struct etc_arena a;
		size_t got = 0;

		etc_arena_init(&a, budget);
		while (etc_new(&a, uint64_t, 1000))
			got += 8000;
		assert_in_range(got, budget - budget / 3, budget);
		assert_in_range(a.taken, got, budget);
		etc_arena_release(&a);
	}
}

static enum etc_status need_both(const void *a, const void *b, struct etc_error *err)
{
	ETC_NEED(a && b, err);
	return ETC_OK;
}

/* An error reports the first of several failed allocations. */
static void the_first_refusal_is_told(void **state)
{
	struct etc_refusal before = etc_memory_begin();
	struct etc_error err = { 0 };
	struct etc_arena a;

	(void)state;
	etc_arena_init(&a, 1000);
	assert_int_equal(need_both(&a, &a, &err), ETC_OK);
	assert_int_equal(need_both(&a, etc_new(&a, char, 5000), &err), ETC_NOMEM);
	assert_int_equal(err.code, E0904);
	assert_non_null(strstr(err.text, "bytes"));
	assert_true(strtoul(err.text, NULL, 10) == etc_memory_refused().wanted);
	assert_null(etc_new(&a, char, 70000));
	assert_int_equal(need_both(NULL, &a, NULL), ETC_NOMEM);
	assert_true(strtoul(err.text, NULL, 10) == etc_memory_refused().wanted);
	assert_in_range(etc_memory_refused().wanted, 5000, 69999);
	etc_arena_release(&a);
	etc_memory_end(before);
	before = etc_memory_begin();
	assert_int_equal(etc_no_memory(&err), ETC_NOMEM); /* here no allocation failed */
	assert_string_equal(err.text, "");
	etc_memory_end(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_zeroed_aligned_and_apart),
		cmocka_unit_test(the_budget_is_a_wall_and_comes_back),
		cmocka_unit_test(small_objects_never_exceed_the_budget),
		cmocka_unit_test(a_count_that_wraps_is_refused),
		cmocka_unit_test(no_objects_are_not_null),
		cmocka_unit_test(a_large_array_wastes_nothing),
		cmocka_unit_test(texts_are_copied_with_a_nul),
		cmocka_unit_test(memory_that_is_used_again_is_zero_again),
		cmocka_unit_test(large_objects_lie_one_behind_the_other),
		cmocka_unit_test(does_without_a_region),
		cmocka_unit_test(a_budget_is_used_up_whatever_page_it_ends_in),
		cmocka_unit_test(the_first_refusal_is_told),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
