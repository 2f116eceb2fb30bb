/* test_xnnpack_graph.c -- nodes and constants in the blob of an XNNPACK delegate */
#include "unit.h"

#include <math.h>

#include "base/file.h"
#include "formats/program/delegate_graph.h"

#define BLOBS "tests/fuzz/corpus/xnnpack_graph/"

struct fixture {
	struct etc_arena arena;
	struct etc_error err;
	struct etc_file file;
	struct etc_delegate_graph graph;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, 1 << 20);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	etc_arena_release(&f->arena);
	etc_file_release(&f->file);
	free(f);
	return 0;
}

static bool read_bytes(struct fixture *f, struct etc_span bytes)
{
	bool read;

	assert_ok(etc_delegate_graph_read(bytes, &f->arena, &f->graph, &read, &f->err), &f->err);
	return read;
}

static bool read_blob(struct fixture *f, const char *path)
{
	assert_ok(etc_file_open(&f->file, path, 1 << 20, &f->err), &f->err);
	return read_bytes(f, f->file.bytes);
}

static uint32_t count_of(const struct fixture *f, uint8_t kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->graph.count; i++)
		n += f->graph.nodes[i].kind == kind;
	return n;
}

static bool has_constant(const struct fixture *f, uint64_t elements)
{
	for (uint32_t i = 0; i < f->graph.constant_count; i++)
		if (f->graph.constants[i] == elements)
			return true;
	return false;
}

/* Linear layers of 8 -> 16 -> 24 -> 12 -> 4 columns, from tests/tools/make_layers.py. */
static void reads_linears_with_their_weights(void **state)
{
	static const uint64_t sizes[] = { 8 * 16, 16, 16 * 24, 24, 24 * 12, 12, 12 * 4, 4 };
	struct fixture *f = *state;
	uint32_t product = 0;

	assert_true(read_blob(f, BLOBS "mlp_f32.blob"));
	assert_int_equal(count_of(f, ETC_DELEGATE_PRODUCT), 4);
	assert_int_equal(f->graph.constant_count, 8);
	for (size_t i = 0; i < 8; i++)
		assert_true(has_constant(f, sizes[i]));
	assert_false(f->graph.quantised || f->graph.quantised_constants || f->graph.dynamic);
	for (uint32_t i = 0; i < f->graph.count; i++) {
		assert_true(f->graph.nodes[i].handle > 0);
		if (f->graph.nodes[i].kind == ETC_DELEGATE_PRODUCT)
			assert_int_equal(f->graph.nodes[i].weights, sizes[2 * product++]);
	}
}

/* The outputs of these layers have four rows each. */
static void reads_what_layers_give(void **state)
{
	static const uint64_t columns[] = { 16, 24, 12, 4 };
	struct fixture *f = *state;
	uint32_t product = 0;

	assert_true(read_blob(f, BLOBS "mlp_f32.blob"));
	for (uint32_t i = 0; i < f->graph.count; i++) {
		const struct etc_delegate_node *n = &f->graph.nodes[i];

		if (n->kind != ETC_DELEGATE_PRODUCT)
			continue;
		assert_int_equal(n->gives, 4 * columns[product++]);
		assert_true(n->has_bias && !n->is_convolution);
	}
}

/* Five convolutions of images of 16 x 16 pixels. Three have kernels of 3 x 3, and take 3, 8 and 8
 * channels. Two have kernels of 1 x 1. */
static void reads_convolutions(void **state)
{
	static const uint64_t weights[] = { 9 * 3 * 8, 9 * 8 * 8, 9 * 8 * 8, 8 * 8, 8 * 4 };
	static const uint64_t channels[] = { 8, 8, 8, 8, 4 }, padding[] = { 1, 1, 1, 0, 0 };
	struct fixture *f = *state;
	uint32_t found = 0;

	assert_true(read_blob(f, "tests/data/xnnpack/residual.blob"));
	for (uint32_t i = 0; i < f->graph.count; i++) {
		const struct etc_delegate_node *n = &f->graph.nodes[i];
		const struct etc_convolution *c = &n->convolution;

		if (!n->is_convolution)
			continue;
		assert_true(found < 5 && n->has_bias);
		assert_int_equal(n->gives, 256 * channels[found]);
		assert_int_equal(n->weights, weights[found]);
		assert_int_equal(c->padding[0], padding[found]);
		assert_int_equal(c->padding[1], padding[found]);
		assert_true(c->stride[0] == 1 && c->stride[1] == 1);
		assert_true(c->dilation[0] == 1 && c->dilation[1] == 1);
		assert_true(c->groups == 1 && c->transposed == 0);
		found++;
	}
	assert_int_equal(found, 5);
}

/* A ReLU follows the first and the second layer, and becomes a limit of their outputs. */
static void reads_the_limits_of_what_is_fused(void **state)
{
	struct fixture *f = *state;
	uint32_t product = 0;

	assert_true(read_blob(f, BLOBS "mlp_f32.blob"));
	for (uint32_t i = 0; i < f->graph.count; i++) {
		const struct etc_delegate_node *n = &f->graph.nodes[i];

		if (n->kind != ETC_DELEGATE_PRODUCT)
			continue;
		assert_int_equal(n->limited, product++ < 2);
		assert_false(n->clamps);
		if (n->limited)
			assert_true(n->low == 0 && n->high == INFINITY);
	}
}

static void sees_dynamic_quantisation(void **state)
{
	struct fixture *f = *state;

	assert_true(read_blob(f, BLOBS "mlp_int8_dynamic.blob"));
	assert_int_equal(count_of(f, ETC_DELEGATE_PRODUCT), 4);
	assert_true(f->graph.quantised && f->graph.quantised_constants && f->graph.dynamic);
}

static void sees_activations(void **state)
{
	struct fixture *f = *state;

	assert_true(read_blob(f, BLOBS "sigmoid_f32.blob"));
	assert_int_equal(count_of(f, ETC_DELEGATE_SIGMOID), 4);
	assert_int_equal(count_of(f, ETC_DELEGATE_PRODUCT), 4);
	assert_int_equal(count_of(f, ETC_DELEGATE_HARDSWISH), 0);
}

static void reads_the_flatbuffer_of_older_blobs(void **state)
{
	struct fixture *f = *state;
	uint32_t at, size;

	assert_true(read_blob(f, BLOBS "mlp_f32.blob"));
	memcpy(&at, f->file.bytes.ptr + 10, 4);
	memcpy(&size, f->file.bytes.ptr + 14, 4);
	assert_true(read_bytes(f, (struct etc_span){ f->file.bytes.ptr + at, size }));
	assert_int_equal(count_of(f, ETC_DELEGATE_PRODUCT), 4);
}

static void refuses_what_is_no_blob(void **state)
{
	struct fixture *f = *state;
	uint8_t copy[4096];
	size_t len;

	assert_false(read_bytes(f, (struct etc_span){ NULL, 0 }));
	assert_false(
		read_bytes(f, (struct etc_span){ (const uint8_t *)"no such thing at all", 20 }));
	assert_true(read_blob(f, BLOBS "mlp_f32.blob"));
	len = f->file.bytes.len;
	assert_true(len <= sizeof copy);
	memcpy(copy, f->file.bytes.ptr, len);
	copy[13] = 0xff; /* the FlatBuffer begins past the end of the blob */
	assert_false(read_bytes(f, (struct etc_span){ copy, len }));
	memcpy(copy, f->file.bytes.ptr, len);
	copy[17] = 0x7f; /* its end is past the end of the blob */
	assert_false(read_bytes(f, (struct etc_span){ copy, len }));
	memcpy(copy, f->file.bytes.ptr, len);
	memset(copy + copy[10], 0xff, 4); /* the offset of its root is invalid */
	assert_false(read_bytes(f, (struct etc_span){ copy, len }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(reads_linears_with_their_weights, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_what_layers_give, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_convolutions, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_the_limits_of_what_is_fused, setup, teardown),
		cmocka_unit_test_setup_teardown(sees_dynamic_quantisation, setup, teardown),
		cmocka_unit_test_setup_teardown(sees_activations, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_the_flatbuffer_of_older_blobs, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(refuses_what_is_no_blob, setup, teardown),
	};

	return cmocka_run_group_tests_name("xnnpack_graph", tests, NULL, NULL);
}
