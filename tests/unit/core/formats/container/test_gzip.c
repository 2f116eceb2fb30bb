/* test_gzip.c -- reading inputs that are compressed with gzip. */
#include "unit.h"

#include <stdlib.h>
#include <zlib.h>

#include "formats/container/gzip.h"

/* Writes the bytes to `to` as one gzip member (a header, the compressed bytes, a checksum). Returns
 * the member's length. */
static size_t pack(const uint8_t *bytes, size_t size, uint8_t *to, size_t room)
{
	z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size };

	z.next_out = to;
	z.avail_out = (uInt)room;
	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return room - z.avail_out;
}

static const uint8_t text[] = "etcore explains where an ExecuTorch model spends its time";
enum { TEXT = sizeof text };

static void members_are_put_together(void **state)
{
	uint8_t packed[512] = { 0 };
	struct etc_error err = { 0 };
	struct etc_span out;
	size_t n = pack(text, TEXT, packed, sizeof packed);

	(void)state;
	n += pack(text, TEXT, packed + n, sizeof packed - n);
	assert_true(etc_gzip_is((struct etc_span){ packed, n }));
	/* zeros after the member are padding */
	for (size_t padding = 0; padding < 20; padding += 19) {
		assert_ok(etc_gzip_unpack((struct etc_span){ packed, n + padding }, &out, &err),
		          &err);
		assert_int_equal(out.len, 2 * TEXT);
		assert_memory_equal(out.ptr, text, TEXT);
		assert_memory_equal(out.ptr + TEXT, text, TEXT);
		free((void *)(uintptr_t)out.ptr);
	}
}

static void a_cut_or_changed_file_is_damaged(void **state)
{
	uint8_t packed[512];
	struct etc_error err = { 0 };
	struct etc_span out;
	size_t n = pack(text, TEXT, packed, sizeof packed);

	(void)state;
	for (size_t cut = 3; cut < n; cut++)
		assert_fails(etc_gzip_unpack((struct etc_span){ packed, cut }, &out, &err), &err,
		             E0532);
	for (size_t more = 1; more < 4; more++) { /* an incomplete member follows */
		memcpy(packed + n, packed, more);
		assert_fails(etc_gzip_unpack((struct etc_span){ packed, n + more }, &out, &err),
		             &err, E0532);
	}
	packed[n - 6] ^= 1; /* a byte of the checksum */
	assert_fails(etc_gzip_unpack((struct etc_span){ packed, n }, &out, &err), &err, E0532);
	assert_null(out.ptr);
}

static void a_bomb_is_refused(void **state)
{
	enum { SIZE = (16 << 20) + 1 };
	uint8_t *zeros = calloc(1, SIZE), *packed = malloc(1 << 20);
	struct etc_error err = { 0 };
	struct etc_span out;
	size_t n;

	(void)state;
	assert_non_null(zeros);
	assert_non_null(packed);
	n = pack(zeros, SIZE, packed, 1 << 20);
	assert_fails(etc_gzip_unpack((struct etc_span){ packed, n }, &out, &err), &err, E0531);
	n = pack(zeros, SIZE - 1, packed, 1 << 20);
	assert_ok(etc_gzip_unpack((struct etc_span){ packed, n }, &out, &err), &err);
	assert_int_equal(out.len, SIZE - 1);
	free((void *)(uintptr_t)out.ptr);
	free(zeros);
	free(packed);
}

static void other_bytes_are_none(void **state)
{
	static const uint8_t bytes[] = { 0x1f, 0x8b, 7 };

	(void)state;
	assert_false(etc_gzip_is((struct etc_span){ bytes, 3 }));
	assert_false(etc_gzip_is((struct etc_span){ bytes, 2 }));
	assert_false(etc_gzip_is((struct etc_span){ NULL, 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_put_together),
		cmocka_unit_test(a_cut_or_changed_file_is_damaged),
		cmocka_unit_test(a_bomb_is_refused),
		cmocka_unit_test(other_bytes_are_none),
	};

	return cmocka_run_group_tests_name("gzip", tests, NULL, NULL);
}
