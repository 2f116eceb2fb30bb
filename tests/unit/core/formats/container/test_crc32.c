/* test_crc32.c -- compares the CRC-32 by folding with the definition of CRC-32, which goes bit by
 * bit. */
#include "unit.h"

#include "formats/container/crc32.h"

static uint32_t by_bits(uint32_t crc, const uint8_t *p, size_t len)
{
	crc = ~crc;
	for (size_t i = 0; i < len; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void bytes_of_every_length_and_place_have_their_crc(void **state)
{
	uint8_t bytes[600];
	uint32_t v = 1;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++) {
		v = v * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(v >> 24);
	}
	for (size_t at = 0; at < 17; at++)
		for (size_t len = 0; len + at < 400; len++) {
			uint32_t crc = 0;
			size_t n = etc_crc32_most(&crc, (struct etc_span){ bytes + at, len });

			assert_true(n <= len);
			assert_int_equal(crc, by_bits(0, bytes + at, n));
		}
}

static void it_goes_on_from_what_was_before(void **state)
{
	uint8_t bytes[512];
	uint32_t crc = 0xcbf43926;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * i + 3 * i);
	n = etc_crc32_most(&crc, (struct etc_span){ bytes, sizeof bytes });
	assert_int_equal(crc, by_bits(0xcbf43926, bytes, n));
#if defined(__x86_64__)
	if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"))
		assert_int_equal(n, sizeof bytes);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_of_every_length_and_place_have_their_crc),
		cmocka_unit_test(it_goes_on_from_what_was_before),
	};

	return cmocka_run_group_tests_name("crc32", tests, NULL, NULL);
}
