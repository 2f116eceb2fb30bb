#define _GNU_SOURCE /* uselocale */
#include "unit.h"

#include <locale.h>
#include <signal.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "threads.h"

enum { PARTS = 9 };

struct work {
	unsigned calls[PARTS];
	sigset_t mask[PARTS];
	locale_t locale[PARTS];
	pthread_t thread[PARTS];
};

static void note_part(void *arg, unsigned part)
{
	struct work *w = arg;

	w->calls[part]++;
	w->thread[part] = pthread_self();
	w->locale[part] = uselocale((locale_t)0);
	pthread_sigmask(SIG_BLOCK, NULL, &w->mask[part]);
}

static void does_every_part_once_and_the_first_here(void **state)
{
	(void)state;
	for (unsigned parts = 1; parts <= PARTS; parts++) {
		struct work w = { .calls = { 0 } };

		threads_started = 0;
		etc_parallel(parts, note_part, &w);
		assert_int_equal(threads_started, parts - 1);
		for (unsigned i = 0; i < PARTS; i++) {
			assert_int_equal(w.calls[i], i < parts);
			if (i < parts)
				assert_int_equal(pthread_equal(w.thread[i], pthread_self()) != 0,
				                 i == 0);
		}
	}
}

static void does_here_what_no_thread_is_to_be_had_for(void **state)
{
	struct work w = { .calls = { 0 } };

	(void)state;
	threads_refused = true;
	etc_parallel(PARTS, note_part, &w);
	threads_refused = false;
	for (unsigned i = 0; i < PARTS; i++) {
		assert_int_equal(w.calls[i], 1);
		assert_true(pthread_equal(w.thread[i], pthread_self()));
	}
}

/* A handler runs where the program waits for it; a fault is told by who made it. */
static void lets_threads_take_no_signal_of_others(void **state)
{
	struct work w = { .calls = { 0 } };
	sigset_t after;

	(void)state;
	etc_parallel(2, note_part, &w);
	assert_true(sigismember(&w.mask[1], SIGINT) && sigismember(&w.mask[1], SIGCHLD));
	assert_false(sigismember(&w.mask[1], SIGBUS) || sigismember(&w.mask[1], SIGSEGV));
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	assert_false(sigismember(&after, SIGINT) || sigismember(&w.mask[0], SIGINT));
}

static void gives_threads_the_locale_of_the_caller(void **state)
{
	locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(own);
	struct work w = { .calls = { 0 } };

	(void)state;
	etc_parallel(3, note_part, &w);
	assert_true(w.locale[1] == own && w.locale[2] == own);
	uselocale(before);
	freelocale(own);
}

static void refuse_memory(void *arg, unsigned part)
{
	(void)arg;
	if (part == 2)
		etc_memory_refuse(12345, 0);
}

static void remembers_what_was_refused_to_a_thread(void **state)
{
	struct etc_refusal before = etc_memory_begin();

	(void)state;
	etc_parallel(2, refuse_memory, NULL);
	assert_int_equal(etc_memory_refused().wanted, 0);
	etc_parallel(4, refuse_memory, NULL);
	assert_int_equal(etc_memory_refused().wanted, 12345);
	etc_memory_end(before);
}

static void cuts_into_even_ranges(void **state)
{
	(void)state;
	for (size_t count = 0; count < 40; count++)
		for (unsigned parts = 1; parts < 12; parts++) {
			assert_int_equal(etc_part_begin(count, parts, 0), 0);
			assert_int_equal(etc_part_begin(count, parts, parts), count);
			for (unsigned i = 0; i < parts; i++) {
				size_t n = etc_part_begin(count, parts, i + 1) -
				           etc_part_begin(count, parts, i);

				assert_true(n == count / parts || n == count / parts + 1);
			}
		}
	assert_int_equal(etc_part_begin(SIZE_MAX, 256, 256), SIZE_MAX);
}

enum { ITEMS = 1000 };

struct shared_work {
	struct etc_items items;
	unsigned taken[ITEMS];
	size_t last[PARTS];
	bool falls[PARTS];
};

static void take_items(void *arg, unsigned part)
{
	struct shared_work *w = arg;
	size_t i;

	while (etc_items_take(&w->items, &i)) {
		w->falls[part] = w->falls[part] || i < w->last[part];
		w->taken[i]++;
		w->last[part] = i;
	}
}

static void gives_every_item_to_one_thread_in_their_order(void **state)
{
	static struct shared_work w;

	(void)state;
	for (unsigned parts = 1; parts <= PARTS; parts += 4) {
		w = (struct shared_work){ .items = { ITEMS, 1 } };
		etc_parallel(parts, take_items, &w);
		for (unsigned part = 0; part < parts; part++)
			assert_false(w.falls[part]);
		for (size_t i = 0; i < ITEMS; i++)
			assert_int_equal(w.taken[i], i > 0);
	}
}

static void gives_fewer_items_towards_the_end(void **state)
{
	(void)state;
	for (size_t count = 0; count < 200; count++) {
		struct etc_items items = { count, 0 };
		size_t at = 0, from, before = 16, some;

		while ((some = etc_items_take_some(&items, 3, 4, 16, &from)) > 0) {
			assert_int_equal(from, at);
			assert_true(some <= before && (some >= 4 || at + some == count));
			at += some;
			before = some;
		}
		assert_int_equal(at, count);
		assert_int_equal(etc_items_take_some(&items, 3, 4, 16, &from), 0);
	}
}

enum { AHEAD = 3 };

struct flow {
	size_t made[AHEAD]; /* item + 1; 0: there is room */
	size_t taken;
	bool wrong;
	pthread_t here;
};

static void make_one(void *arg, size_t item)
{
	size_t *slot = &((struct flow *)arg)->made[item % AHEAD];

	*slot = *slot ? SIZE_MAX : item + 1;
}

static void take_one(void *arg, size_t item)
{
	struct flow *f = arg;
	size_t *slot = &f->made[item % AHEAD];

	f->wrong = f->wrong || !pthread_equal(pthread_self(), f->here) || *slot != item + 1 ||
	           item != f->taken;
	f->taken++;
	*slot = 0;
}

static void takes_items_of_a_stream_here_in_their_order(void **state)
{
	(void)state;
	for (unsigned parts = 1; parts <= PARTS; parts += 2)
		for (int refused = 0; refused < 2; refused++)
			for (size_t count = 0; count < 50; count += count < 5 ? 1 : 20) {
				struct etc_stream s = { count, AHEAD, make_one, take_one };
				struct flow f = { .here = pthread_self() };

				threads_refused = refused;
				etc_parallel_stream(parts, &s, &f);
				threads_refused = false;
				assert_false(f.wrong);
				assert_int_equal(f.taken, count);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(does_every_part_once_and_the_first_here),
		cmocka_unit_test(does_here_what_no_thread_is_to_be_had_for),
		cmocka_unit_test(lets_threads_take_no_signal_of_others),
		cmocka_unit_test(gives_threads_the_locale_of_the_caller),
		cmocka_unit_test(remembers_what_was_refused_to_a_thread),
		cmocka_unit_test(cuts_into_even_ranges),
		cmocka_unit_test(gives_every_item_to_one_thread_in_their_order),
		cmocka_unit_test(gives_fewer_items_towards_the_end),
		cmocka_unit_test(takes_items_of_a_stream_here_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
