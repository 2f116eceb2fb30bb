/* test_debug_buffer.c -- reading logged tensors from a debug buffer. */
#include "dump.h"

#include <math.h>

#include "base/sha256.h"
#include "model/scalar_value.h"
#include "formats/etdump/debug_buffer.h"

#define EDGE "tests/data/edge/"

struct pair {
	struct dump dump;
	uint8_t *bytes;
	struct etc_span buffer;
	const struct etc_tensor_data *data; /* the tensors as the Inspector reads them */
};

/* Opens the files tests/data/edge/<name>.etdump and .dbg, a dump and its debug buffer. */
static void open_pair(struct pair *p, const char *name)
{
	char path[256];

	snprintf(path, sizeof path, EDGE "%s.etdump", name);
	assert_ok(dump_file(&p->dump, path), &p->dump.err);
	snprintf(path, sizeof path, EDGE "%s.dbg", name);
	p->bytes = file_bytes(path, &p->buffer.len);
	p->buffer.ptr = p->bytes;
	assert_ok(etc_debug_as_inspector(&p->dump.trace, &p->buffer, &p->dump.arena, &p->data,
	                                 &p->dump.err),
	          &p->dump.err);
}

static void close_pair(struct pair *p)
{
	free(p->bytes);
	dump_release(&p->dump);
}

static const struct etc_tensor *tensor(const struct pair *p, uint32_t i)
{
	assert_true(p->dump.trace.value_count > 0);
	assert_true(i < p->dump.trace.values[0].count);
	return &p->dump.trace.values[0].tensors[i];
}

static void hex_of(struct etc_span bytes, char hex[65])
{
	uint8_t digest[ETC_SHA256_BYTES];
	struct etc_sha256 s;

	etc_sha256_init(&s);
	etc_sha256_add(&s, bytes);
	etc_sha256_end(&s, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static void reads_a_plain_tensor_both_ways(void **state)
{
	struct etc_tensor_view v;
	struct pair p;

	(void)state;
	open_pair(&p, "tensor_ok");
	assert_ok(etc_debug_tensor(tensor(&p, 0), p.buffer, &v, &p.dump.err), &p.dump.err);
	assert_string_equal(v.type->name, "FLOAT");
	assert_int_equal(v.count, 4);
	assert_true(v.contiguous);
	assert_ptr_equal(v.bytes.ptr, p.buffer.ptr + 16);
	assert_int_equal(v.bytes.len, 16);
	assert_int_equal(p.data[0].state, ETC_TENSOR_READ);
	assert_ptr_equal(p.data[0].bytes.ptr, v.bytes.ptr);
	assert_int_equal(p.data[0].size, 16);
	close_pair(&p);
}

/* The Inspector ignores strides; etc_debug_tensor() must not. */
static void honours_strides(void **state)
{
	struct etc_tensor_view v;
	struct etc_span packed;
	struct pair p;
	size_t width;

	(void)state;
	open_pair(&p, "tensor_channels_last");
	assert_ok(etc_debug_tensor(tensor(&p, 0), p.buffer, &v, &p.dump.err), &p.dump.err);
	assert_false(v.contiguous);
	assert_ok(etc_debug_contiguous(&v, &p.dump.arena, &packed, &p.dump.err), &p.dump.err);
	width = v.type->bytes;
	assert_int_equal(packed.len, v.count * width);
	assert_int_equal(v.rank, 4);
	for (int64_t i = 0, n = 0; i < (int64_t)v.count; i++, n++) {
		int64_t left = n, at = 0;

		for (uint32_t d = v.rank; d-- > 0; left /= v.sizes[d])
			at += left % v.sizes[d] * v.strides[d];
		assert_memory_equal(packed.ptr + width * (size_t)i,
		                    v.bytes.ptr + width * (size_t)at, width);
	}
	assert_memory_not_equal(packed.ptr, v.bytes.ptr, packed.len);
	assert_int_equal(p.data[0].state, ETC_TENSOR_READ);
	assert_memory_equal(p.data[0].bytes.ptr, v.bytes.ptr, packed.len);
	close_pair(&p);
}

/* For each file the errors that a user of etcore gets, and what the Inspector makes of the
 * tensor. */
static const struct {
	const char *file;
	enum etc_code error, note; /* expected codes of etc_debug_tensor and etc_debug_check */
	uint8_t state;
} cases[] = {
	{ "tensor_0d", ETC_CODE_NONE, ETC_CODE_NONE, ETC_TENSOR_READ },
	{ "tensor_beyond", E0703, W0705, ETC_TENSOR_OUTSIDE },
	{ "tensor_bf16", ETC_CODE_NONE, ETC_CODE_NONE, ETC_TENSOR_UNSUPPORTED },
	{ "tensor_no_sizes", E0702, W0707, ETC_TENSOR_READ },
	{ "tensor_offset_minus1", E0703, W0705, ETC_TENSOR_OUTSIDE },
	{ "tensor_offset_minus1_empty", ETC_CODE_NONE, ETC_CODE_NONE, ETC_TENSOR_READ },
	{ "tensor_over_end", E0703, W0705, ETC_TENSOR_OUTSIDE },
	{ "tensor_size_negative", E0702, W0707, ETC_TENSOR_READ },
	{ "tensor_size_overflow", E0702, W0707, ETC_TENSOR_OUTSIDE },
	{ "tensor_type_hole", E0701, W0706, ETC_TENSOR_UNSUPPORTED },
};

static void tells_what_cannot_be_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct etc_tensor_view v;
		struct pair p;

		open_pair(&p, cases[i].file);
		etc_debug_check(&p.dump.trace, &p.buffer, &p.dump.notes);
		if (cases[i].error)
			assert_fails(etc_debug_tensor(tensor(&p, 0), p.buffer, &v, &p.dump.err),
			             &p.dump.err, cases[i].error);
		else
			assert_ok(etc_debug_tensor(tensor(&p, 0), p.buffer, &v, &p.dump.err),
			          &p.dump.err);
		if (cases[i].note ? !dump_has(&p.dump, cases[i].note) : p.dump.notes.first != NULL)
			fail_msg("%s: note missing or too many", cases[i].file);
		if (p.data[0].state != cases[i].state)
			fail_msg("%s: state %d", cases[i].file, p.data[0].state);
		close_pair(&p);
	}
}

/* For a tensor with sizes [-1] Python takes the slice buffer[0:-4], which torch reads as 15
 * elements. */
static void slices_as_python_does(void **state)
{
	char hex[65];
	struct pair p;

	(void)state;
	open_pair(&p, "tensor_size_negative");
	hex_of(p.data[0].bytes, hex);
	assert_string_equal(hex,
	                    "0ddde28e40838ef6f9853e887f597d6adb5f40eb35d5763c52e1e64d8ba3bfff");
	assert_int_equal(p.data[0].rank, 1);
	assert_int_equal(p.data[0].sizes[0], 15);
	close_pair(&p);
}

static void reads_lists_one_by_one(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, "tensor_list");
	assert_int_equal(p.dump.trace.values[0].tag, ETC_VALUE_TENSOR_LIST);
	assert_int_equal(p.dump.trace.values[0].count, 3);
	assert_int_equal(p.dump.trace.tensor_count, 3);
	assert_int_equal(p.data[0].state, ETC_TENSOR_READ);
	assert_int_equal(p.data[1].state, ETC_TENSOR_READ);
	assert_true(p.data[1].zeros);
	assert_int_equal(p.data[1].size, 0);
	assert_int_equal(p.data[2].state, ETC_TENSOR_OUTSIDE);
	etc_debug_check(&p.dump.trace, &p.buffer, &p.dump.notes);
	assert_int_equal(p.dump.notes.first->count, 1);
	close_pair(&p);
}

static void gives_zeros_without_a_buffer(void **state)
{
	const struct etc_tensor_data *data;
	struct pair p;

	(void)state;
	open_pair(&p, "tensor_beyond");
	assert_ok(etc_debug_as_inspector(&p.dump.trace, NULL, &p.dump.arena, &data, &p.dump.err),
	          &p.dump.err);
	assert_int_equal(data[0].state, ETC_TENSOR_READ);
	assert_true(data[0].zeros && data[0].bytes.ptr == NULL);
	assert_int_equal(data[0].size, 16);
	etc_debug_check(&p.dump.trace, NULL, &p.dump.notes);
	assert_null(p.dump.notes.first);
	close_pair(&p);
}

static struct etc_tensor made(int8_t type, uint32_t rank, const int64_t *sizes,
                              const int64_t *strides, int64_t offset)
{
	return (struct etc_tensor){ .sizes = sizes,
		                    .strides = strides,
		                    .rank = rank,
		                    .stride_count = strides ? rank : 0,
		                    .scalar_type = type,
		                    .has_sizes = true,
		                    .has_strides = strides != NULL,
		                    .offset = offset };
}

static void computes_nothing_that_overflows(void **state)
{
	static const int64_t huge[] = { INT64_MAX, INT64_MAX },
			     none[] = { INT64_MAX, 0, INT64_MAX }, two[] = { 2, 2 },
			     far[] = { INT64_MAX / 64, 1 }, back[] = { -1, 1 }, still[] = { 0, 0 },
			     wide[] = { 1 << 20, 1 << 20 };
	uint8_t bytes[64] = { 0 };
	struct etc_span buffer = { bytes, sizeof bytes }, packed;
	struct etc_tensor_view v;
	struct etc_error err;
	struct etc_tensor t;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	t = made(6, 2, huge, NULL, 0);
	assert_fails(etc_debug_tensor(&t, buffer, &v, &err), &err, E0702);
	t = made(6, 3, none, NULL, INT64_MAX);
	assert_ok(etc_debug_tensor(&t, buffer, &v, &err), &err);
	assert_int_equal(v.count, 0);
	t = made(6, 2, two, far, 0);
	assert_fails(etc_debug_tensor(&t, buffer, &v, &err), &err, E0703);
	t = made(6, 2, two, back, 0);
	assert_fails(etc_debug_tensor(&t, buffer, &v, &err), &err, E0704);
	t = made(6, 2, two, NULL, INT64_MAX);
	assert_fails(etc_debug_tensor(&t, buffer, &v, &err), &err, E0703);
	/* 2^40 elements that share 4 bytes: they can be read, but are never copied */
	t = made(6, 2, wide, still, 60);
	assert_ok(etc_debug_tensor(&t, buffer, &v, &err), &err);
	assert_int_equal(v.bytes.len, 4);
	assert_fails(etc_debug_contiguous(&v, &arena, &packed, &err), &err, E0904);
	t = made(6, 2, two, still, 60);
	assert_ok(etc_debug_tensor(&t, buffer, &v, &err), &err);
	assert_ok(etc_debug_contiguous(&v, &arena, &packed, &err), &err);
	assert_int_equal(packed.len, 16);
	etc_arena_release(&arena);
}

/* One element of every scalar type: its bytes, and its value as a number. */
static const struct {
	int8_t code;
	uint8_t bytes[8];
	size_t index;
	double value;
} numbers[] = {
	{ 0, { 200 }, 0, 200 },
	{ 1, { 200 }, 0, -56 },
	{ 2, { 0, 0, 0xff, 0xff }, 1, -1 },
	{ 3, { 0xfe, 0xff, 0xff, 0xff }, 0, -2 },
	{ 4, { 0, 0, 0, 0, 0, 0, 0, 0x80 }, 0, -9223372036854775808.0 },
	{ 5, { 0x00, 0x3c, 0x01, 0x00 }, 0, 1 },
	{ 5, { 0x00, 0x3c, 0x01, 0x00 }, 1, 5.9604644775390625e-08 },
	{ 5, { 0xff, 0x7b }, 0, 65504 },
	{ 5, { 0x00, 0xfc }, 0, -INFINITY },
	{ 6, { 0, 0, 0x80, 0xbf }, 0, -1 },
	{ 7, { 0, 0, 0, 0, 0, 0, 0xf0, 0x3f }, 0, 1 },
	{ 11, { 0, 2 }, 1, 1 },
	{ 12, { 0xff }, 0, -1 },
	{ 13, { 0xff }, 0, 255 },
	{ 14, { 0xff, 0xff, 0xff, 0xff }, 0, -1 },
	{ 15, { 0x80, 0x3f, 0x40, 0xc0 }, 1, -3 },
	{ 16, { 0x21, 0x43 }, 3, 4 },
	{ 17, { 0xe4 }, 2, 2 },
	{ 22, { 0xff, 0xff }, 0, 65535 },
	{ 23, { 0x3c }, 0, 1 },
	{ 23, { 0x7b }, 0, 57344 },
	{ 23, { 0x01 }, 0, 1.52587890625e-05 },
	{ 23, { 0x7c }, 0, INFINITY },
	{ 24, { 0x38 }, 0, 1 },
	{ 24, { 0x7e }, 0, 448 },
	{ 24, { 0x7f }, 0, NAN },
	{ 25, { 0x40 }, 0, 1 },
	{ 25, { 0x7f }, 0, 57344 },
	{ 25, { 0x80 }, 0, NAN },
	{ 26, { 0x40 }, 0, 1 },
	{ 26, { 0x7f }, 0, 240 },
	{ 26, { 0x80 }, 0, NAN },
	{ 27, { 0xff, 0xff }, 0, 65535 },
	{ 28, { 0xff, 0xff, 0xff, 0xff }, 0, 4294967295.0 },
	{ 29, { 0, 0, 0, 0, 0, 0, 0, 0x80 }, 0, 9223372036854775808.0 },
};

static void knows_every_scalar_type(void **state)
{
	bool met[128] = { false };

	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		const struct etc_scalar_type *type = etc_scalar_type(numbers[i].code);
		double got, want = numbers[i].value;

		assert_non_null(type);
		got = etc_scalar_real(type, numbers[i].bytes, numbers[i].index);
		if (!(got == want || (isnan(got) && isnan(want))))
			fail_msg("%s: %.17g, want %.17g", type->name, got, want);
		met[numbers[i].code] = true;
	}
	for (int8_t code = 0; code >= 0 && code < 127; code++)
		if (etc_scalar_type(code) && !met[code])
			fail_msg("no example of %s", etc_scalar_type(code)->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_plain_tensor_both_ways),
		cmocka_unit_test(honours_strides),
		cmocka_unit_test(tells_what_cannot_be_shown),
		cmocka_unit_test(slices_as_python_does),
		cmocka_unit_test(reads_lists_one_by_one),
		cmocka_unit_test(gives_zeros_without_a_buffer),
		cmocka_unit_test(computes_nothing_that_overflows),
		cmocka_unit_test(knows_every_scalar_type),
	};
	return cmocka_run_group_tests_name("debug_buffer", tests, NULL, NULL);
}
