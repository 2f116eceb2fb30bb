/* test_sha256.c -- SHA-256, compared with the standard; the instructions of the processor
 * compared with plain C. */
#include "unit.h"

#include "base/sha256.h"
#include "base/sha256_most.h"

static void hash(const void *bytes, size_t len, size_t step, char hex[65])
{
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_sha256 s;

	etc_sha256_init(&s);
	for (size_t at = 0; at < len; at += step)
		etc_sha256_add(&s, (struct etc_span){ (const uint8_t *)bytes + at,
		                                      len - at < step ? len - at : step });
	etc_sha256_end(&s, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

/* Examples of FIPS 180-4 and the NIST test vectors. */
static const struct {
	const char *text, *digest;
} examples[] = {
	{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
	  "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
	  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
};

static void agrees_with_the_standard(void **state)
{
	char hex[65], *million = malloc(1000000);

	(void)state;
	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		hash(examples[i].text, strlen(examples[i].text), 1000, hex);
		assert_string_equal(hex, examples[i].digest);
	}
	assert_non_null(million);
	memset(million, 'a', 1000000);
	hash(million, 1000000, 1000000, hex);
	assert_string_equal(hex,
	                    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(million);
}

static void does_not_depend_on_how_bytes_come(void **state)
{
	char whole[65], parts[65];
	uint8_t bytes[300];

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 7);
	for (size_t len = 0; len <= sizeof bytes; len += 13) {
		hash(bytes, len, sizeof bytes, whole);
		for (size_t step = 1; step < 130; step += 9) {
			hash(bytes, len, step, parts);
			assert_string_equal(parts, whole);
		}
	}
}

static void hashes_zeros_without_a_buffer(void **state)
{
	static const uint8_t zeros[5000];
	static const size_t counts[] = { 0, 1, 55, 56, 63, 64, 65, 1023, 1024, 1025, 5000 };
	uint8_t digest[ETC_SHA256_BYTES];
	char want[65], got[65];

	(void)state;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		struct etc_sha256 s;

		etc_sha256_init(&s);
		etc_sha256_zeros(&s, counts[i]);
		etc_sha256_end(&s, digest);
		for (size_t b = 0; b < sizeof digest; b++)
			snprintf(got + 2 * b, 3, "%02x", digest[b]);
		hash(zeros, counts[i], sizeof zeros, want);
		assert_string_equal(got, want);
	}
}

/* Pieces shorter than WORTH_ASKING are hashed without the processor's instructions for SHA-256. So
 * a message in such pieces must have the same hash as in one piece. */
static void the_processor_agrees_with_the_plain_way_at_every_length_and_place(void **state)
{
	enum { LEAST = 32 << 10, MORE = 3 * ETC_SHA256_BLOCK };
	uint8_t *bytes = malloc(LEAST + MORE + 16);
	char fast[65], plain[65];
	uint32_t v = 1;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < LEAST + MORE + 16; i++) {
		v = v * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(v >> 24);
	}
	for (size_t n = 0; n < MORE; n++) {
		hash(bytes + n % 16, LEAST + n, LEAST + n, fast);
		hash(bytes + n % 16, LEAST + n, 61, plain);
		assert_string_equal(fast, plain);
	}
	free(bytes);
}

static void the_processor_takes_whole_blocks_only(void **state)
{
	static const uint8_t bytes[(32 << 10) + 100];
	uint32_t h[8] = { 0 };
	size_t n = etc_sha256_most(h, (struct etc_span){ bytes, sizeof bytes });

	(void)state;
	assert_true(n == 0 || n == sizeof bytes / ETC_SHA256_BLOCK * ETC_SHA256_BLOCK);
	assert_int_equal(etc_sha256_most(h, (struct etc_span){ bytes, 63 }), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_standard),
		cmocka_unit_test(does_not_depend_on_how_bytes_come),
		cmocka_unit_test(hashes_zeros_without_a_buffer),
		cmocka_unit_test(the_processor_agrees_with_the_plain_way_at_every_length_and_place),
		cmocka_unit_test(the_processor_takes_whole_blocks_only),
	};
	return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
