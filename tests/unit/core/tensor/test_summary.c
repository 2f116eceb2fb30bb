/* test_summary.c -- the summary that one pass over a tensor computes: extremes, mean, NaNs,
 * hash. */
#include "unit.h"

#include <math.h>

#include "model/scalar_type.h"
#include "tensor/hash.h"
#include "tensor/summary.h"

enum { MANY = 20011 };

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void the_hash_is_that_of_the_specification(void **state)
{
	/* computed by the xxHash library with the seed 0 */
	static const struct {
		const char *text;
		uint64_t hash;
	} known[] = {
		{ "", 0xef46db3751d8e999u },
		{ "a", 0xd24ec4f1a98c6e5bu },
		{ "abc", 0x44bc2cf5ad770999u },
		{ "message digest", 0x066ed728fceeb3beu },
		{ "1234567890123456789012345678901234567890123456789012345678901234567890123456789"
		  "0",
		  0xe04a477f19ee145du },
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		for (size_t cut = 0; cut <= strlen(known[i].text); cut++) {
			struct etc_span all = { (const uint8_t *)known[i].text,
				                strlen(known[i].text) };
			struct etc_xxh64 h;

			etc_xxh64_begin(&h);
			etc_xxh64_add(&h, (struct etc_span){ all.ptr, cut });
			etc_xxh64_add(&h, (struct etc_span){ all.ptr + cut, all.len - cut });
			assert_true(etc_xxh64_end(&h) == known[i].hash);
		}
}

static struct etc_elements line(const struct etc_scalar_type *t, const uint8_t *bytes,
                                const int64_t *count)
{
	struct etc_elements e = { .bytes = { bytes, (size_t)*count * t->bits / 8 },
		                  .sizes = count };

	e.rank = 1;
	e.count = (uint64_t)*count;
	e.kind = t->kind;
	e.bits = t->bits;
	e.parts = 1;
	e.contiguous = true;
	return e;
}

/* Computes the summary one element after the other, and compares it with etc_summarise(). */
static void check(const struct etc_elements *e)
{
	struct etc_summary s;
	double min = (double)INFINITY, max = -(double)INFINITY;
	long double sum = 0, size = 0;
	uint64_t nan = 0, inf = 0;

	etc_summarise(e, &s, NULL, NULL);
	for (uint64_t i = 0; i < e->count; i++) {
		double v = etc_element_real(e, i, 0);

		nan += isnan(v) != 0;
		inf += isinf(v) != 0;
		if (isfinite(v)) {
			sum += v;
			size += fabs(v);
		}
		min = v < min ? v : min;
		max = v > max ? v : max;
	}
	assert_int_equal(s.count, e->count);
	assert_int_equal(s.nan, nan);
	assert_int_equal(s.inf, inf);
	assert_int_equal(s.has_range, nan < e->count);
	/* sums near the largest double become infinite, as in numpy, so they are not compared */
	if (nan + inf < e->count && size < 1e308L) {
		long double finite = (long double)(e->count - nan - inf),
			    off = s.mean - sum / finite;

		assert_true(off <= 1e-12L * size / finite && -off <= 1e-12L * size / finite);
	} else if (nan + inf == e->count) {
		assert_true(isnan(s.mean));
	}
	if (!s.has_range)
		return;
	assert_true(s.min == min && s.max == max);
	if (etc_elements_are_integers(e) && e->bits < 64)
		assert_true((double)(int64_t)s.min_bits == min &&
		            (double)(int64_t)s.max_bits == max);
}

static void every_type_agrees_with_a_plain_loop(void **state)
{
	static uint8_t bytes[MANY * 8];
	uint32_t seed = 5;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)next(&seed);
	for (int code = 0; code < 128; code++) {
		const struct etc_scalar_type *t = etc_scalar_type((int8_t)code);

		for (int64_t n = 0; t && n < MANY; n = n < 40 ? n + 1 : n * 3) {
			struct etc_elements e = line(t, bytes + 1, &n);

			check(&e);
		}
	}
}

static void integers_of_64_bits_keep_their_extremes(void **state)
{
	static const int64_t some[] = { 9007199254740993, -9007199254740995, 7 }, n = 3;
	static const uint64_t wide[] = { UINT64_MAX, UINT64_MAX - 1 }, two = 2;
	struct etc_elements e = line(etc_scalar_type(4), (const uint8_t *)some, &n);
	struct etc_summary s;

	(void)state;
	etc_summarise(&e, &s, NULL, NULL);
	assert_true((int64_t)s.min_bits == some[1] && (int64_t)s.max_bits == some[0]);
	e = line(etc_scalar_type(29), (const uint8_t *)wide, (const int64_t *)&two);
	etc_summarise(&e, &s, NULL, NULL);
	assert_true(s.min_bits == UINT64_MAX - 1 && s.max_bits == UINT64_MAX);
}

static void strides_do_not_change_the_answer(void **state)
{
	enum { ROWS = 130, COLUMNS = 70 };
	static const int64_t sizes[] = { ROWS, COLUMNS }, turned[] = { 1, ROWS };
	static float packed[ROWS * COLUMNS], stored[ROWS * COLUMNS];
	static const int64_t count = ROWS * COLUMNS;
	struct etc_elements a = line(etc_scalar_type(6), (const uint8_t *)packed, &count), b;
	struct etc_summary one, two;
	uint32_t seed = 9;

	(void)state;
	for (int r = 0; r < ROWS; r++)
		for (int c = 0; c < COLUMNS; c++) {
			packed[r * COLUMNS + c] = (float)next(&seed) / 1e5F;
			stored[c * ROWS + r] = packed[r * COLUMNS + c];
		}
	b = a;
	b.bytes.ptr = (const uint8_t *)stored;
	b.sizes = sizes;
	b.strides = turned;
	b.rank = 2;
	b.contiguous = false;
	etc_summarise(&a, &one, NULL, NULL);
	etc_summarise(&b, &two, NULL, NULL);
	assert_memory_equal(&one, &two, sizeof one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hash_is_that_of_the_specification),
		cmocka_unit_test(every_type_agrees_with_a_plain_loop),
		cmocka_unit_test(integers_of_64_bits_keep_their_extremes),
		cmocka_unit_test(strides_do_not_change_the_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
