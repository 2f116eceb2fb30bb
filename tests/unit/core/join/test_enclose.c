/* test_enclose.c -- finding the smallest interval around each event, compared with a search through
 * all intervals. */
#include "unit.h"

#include "join/enclose.h"

enum { MOST = 40 };

static uint32_t slow(const struct etc_event_interval *v, uint32_t n,
                     const struct etc_event_interval *x)
{
	const struct etc_event_interval *best = NULL;

	for (uint32_t k = 0; k < n; k++) {
		const struct etc_event_interval *p = &v[k];

		if (p == x || !etc_encloses(p->start, p->end, p->order, x->start, x->end, x->order))
			continue;
		if (!best || p->end - p->start < best->end - best->start ||
		    (p->end - p->start == best->end - best->start && p->order < best->order))
			best = p;
	}
	return best ? best->order : UINT32_MAX;
}

static void random_intervals_find_what_a_search_finds(void **state)
{
	struct etc_event_interval v[MOST];
	uint32_t room[MOST];
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 4000; round++) {
		uint32_t n = 1 + (uint32_t)round % MOST;

		for (uint32_t i = 0; i < n; i++) {
			uint64_t start, length;

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			start = (seed >> 33) % (uint64_t)(3 + round % 20);
			length = (seed >> 45) % (uint64_t)(2 + round % 9);
			v[i] = (struct etc_event_interval){ start, start + length, i, 0 };
		}
		assert_true(etc_enclose(v, n, room));
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(v[i].around, slow(v, n, &v[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_intervals_find_what_a_search_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
