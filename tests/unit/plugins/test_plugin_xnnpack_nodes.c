/* test_plugin_xnnpack_nodes.c -- finding the node of a delegate's graph for each event. The graph
 * is in the delegate's blob. Tested with real programs, lists of events with missing or additional
 * events, and damaged blobs. */
#include "plugin_host.h"

#include "dump.h"
#include "formats/program/program.h"

static struct asked xnnpack;

static int open_plugin(void **state)
{
	(void)state;
	asked_open(&xnnpack, ETCORE_PLUGIN_FOLDER "/xnnpack.so", NULL, NULL);
	return 0;
}

static int close_plugin(void **state)
{
	(void)state;
	asked_close(&xnnpack);
	return 0;
}

/* Returns the blob of delegate `n` of the program's first method, in a block of exactly its size.
 * The caller frees it. */
static struct etcore_bytes blob_of(const char *path, uint32_t n)
{
	struct etc_program program;
	struct etc_error err = { 0 };
	struct etc_arena arena;
	size_t len;
	uint8_t *file = file_bytes(path, &len), *copy;
	struct etc_span processed;

	etc_arena_init(&arena, 1 << 24);
	assert_ok(etc_program_read((struct etc_span){ file, len }, NULL, &arena, &program, &err),
	          &err);
	assert_true(n < program.methods[0].delegate_count);
	processed = program.methods[0].delegates[n].processed;
	copy = malloc(processed.len);
	assert_non_null(copy);
	memcpy(copy, processed.ptr, processed.len);
	etc_arena_release(&arena);
	free(file);
	return (struct etcore_bytes){ copy, processed.len };
}

struct mapped {
	int64_t handle;
	unsigned count;
};

static etcore_result keep_handle(void *handle, int64_t debug_handle)
{
	struct mapped *m = handle;

	m->handle = debug_handle;
	m->count++;
	return ETCORE_OK;
}

/* Returns the debug handle of the node that event `index` is; 0: the plugin declined. */
static int64_t handle_of(const struct made *m, uint32_t index)
{
	struct mapped got = { 0 };
	struct etcore_map_sink sink = { .size = sizeof sink,
		                        .handle = &got,
		                        .debug_handle = keep_handle };
	etcore_result r = xnnpack.abi->map_event(xnnpack.self, &m->call, index, &sink);

	assert_int_equal(r, got.count ? ETCORE_OK : ETCORE_DECLINE);
	assert_true(got.count <= 1);
	return got.handle;
}

/* The name of an event, and the debug handle of its node; 0: it is none. */
struct want {
	const char *name;
	int64_t handle;
};

static void expect(struct etcore_bytes blob, const struct want *want, uint32_t n)
{
	struct made m;

	made_init(&m);
	m.call.processed = blob;
	for (uint32_t i = 0; i < n; i++)
		made_add(&m, text_of(want[i].name));
	made_add_call_event(&m);
	for (uint32_t i = n; i-- > 0;) /* backwards: the order of questions must not matter */
		if (handle_of(&m, i) != want[i].handle)
			fail_msg("%s: %lld, expected %lld", want[i].name,
			         (long long)handle_of(&m, i), (long long)want[i].handle);
	assert_int_equal(handle_of(&m, n), 0);
}
#define EXPECT(blob, ...)                                           \
	do {                                                        \
		static const struct want want_[] = { __VA_ARGS__ }; \
		expect(blob, want_, sizeof want_ / sizeof *want_);  \
	} while (0)

static void every_event_of_a_plain_net_is_one_node(void **state)
{
	struct etcore_bytes blob = blob_of("tests/data/cases/mlp_xnnpack/model.pte", 0);

	(void)state;
	EXPECT(blob, { "Fully Connected (NC, F32) GEMM #1", 1 },
	       { "Fully Connected (NC, F32) GEMM #2", 3 },
	       { "Fully Connected (NC, F32) GEMM #3", 5 }, { "Softmax (NC, F32) #1", 6 });
	free((void *)(uintptr_t)blob.ptr);
}

/* The graph's nodes and handles: transpose (none), convolution 1, depthwise convolution 3,
 * pointwise convolution 5, sigmoid 6, add 7, transpose (none). */
static void convolutions_are_told_apart_and_layout_changes_have_no_node(void **state)
{
	struct etcore_bytes blob = blob_of("tests/data/pte/cnn_f16.pte", 0);

	(void)state;
	EXPECT(blob, { "Transpose (ND, X16) #1", 0 }, { "Convolution (NHWC, PF16) IGEMM #1", 1 },
	       { "Convolution (NHWC, F16) DWConv #1", 3 },
	       { "Fully Connected (NC, F16) GEMM #1", 5 }, { "Sigmoid (NC) #1", 6 },
	       { "Add (ND) #1", 7 }, { "Transpose (ND, X16) #2", 0 });
	/* On a processor without fp16 arithmetic, XNNPACK adds conversions. */
	EXPECT(blob, { "Transpose (ND, X16) #1", 0 }, { "Convert (NC) #1", 0 },
	       { "Convolution (NHWC, F32) IGEMM #1", 1 },
	       { "Convolution (NHWC, F32) DWConv #1", 3 },
	       { "Fully Connected (NC, F32) GEMM #1", 5 }, { "Sigmoid (NC) #1", 6 },
	       { "Add (ND) #1", 7 }, { "Transpose (ND, X32) #1", 0 }, { "Convert (NC) #2", 0 });
	free((void *)(uintptr_t)blob.ptr);
}

static void a_list_with_a_product_missing_gets_nothing(void **state)
{
	struct etcore_bytes blob = blob_of("tests/data/cases/mlp_xnnpack/model.pte", 0);

	(void)state;
	/* Each matrix product has an event. As one of three is missing, the events are not of this
	 * graph. */
	EXPECT(blob, { "Fully Connected (NC, F32) GEMM #1", 0 },
	       { "Fully Connected (NC, F32) GEMM #2", 0 }, { "Softmax (NC, F32) #1", 0 });
	free((void *)(uintptr_t)blob.ptr);
}

/* Returns a blob that was stored without its constants, in a block of exactly its size. The caller
 * frees it. */
static struct etcore_bytes bare_blob(const char *path)
{
	size_t len;
	uint8_t *bytes = file_bytes(path, &len);

	return (struct etcore_bytes){ bytes, len };
}

/* In this graph a ReLU follows an addition. The ReLU is no node of the blob; XNNPACK runs a clamp
 * for it. */
static void a_clamp_that_xnnpack_adds_is_no_node(void **state)
{
	struct etcore_bytes blob = bare_blob("tests/data/xnnpack/residual.blob");

	(void)state;
	EXPECT(blob, { "Transpose (ND, X32) #1", 0 }, { "Convolution (NHWC, F32) IGEMM #1", 1 },
	       { "Convolution (NHWC, F32) IGEMM #2", 4 }, { "Convolution (NHWC, F32) IGEMM #3", 7 },
	       { "Fully Connected (NC, F32) GEMM #1", 9 }, { "Add (ND) #1", 11 },
	       { "Clamp (NC) #1", 0 }, { "Fully Connected (NC, F32) GEMM #2", 13 },
	       { "Mean (ND) Reduce2 #1", 16 }, { "Transpose (ND, X32) #2", 0 },
	       { "Static Reshape (NC) #1", 17 }, { "Fully Connected (NC, F32) GEMM #3", 18 },
	       { "Softmax (NC, F32) #1", 19 });
	/* the same operators with other types are those of another program */
	EXPECT(blob, { "Transpose (ND, X8) #1", 0 }, { "Convolution (NHWC, QS8) IGEMM #1", 0 },
	       { "Softmax (NC, F32) #1", 0 });
	free((void *)(uintptr_t)blob.ptr);
}

#define ATTENTION_HEAD                                                                \
	{ "Fully Connected (NC, PF32) GEMM #1", 1 }, { "Static Reshape (NC) #1", 2 }, \
		{ "Transpose (ND, X32) #1", 3 },                                      \
	{                                                                             \
		"Fully Connected (NC, PF32) GEMM #2", 4                               \
	}
#define ATTENTION_TAIL                                                                  \
	{ "Batch Matrix Multiply (NC, PF32) GEMM #1", 11 }, { "Multiply (ND) #1", 12 }, \
		{ "Softmax (NC, F32) #1", 13 },                                         \
		{ "Batch Matrix Multiply (NC, PF32) GEMM #2", 14 },                     \
		{ "Transpose (ND, X32) #4", 15 }, { "Static Reshape (NC) #4", 16 },     \
		{ "Fully Connected (NC, PF32) GEMM #4", 17 }, { "Add (ND) #1", 18 },    \
		{ "Fully Connected (NC, PF32) GEMM #5", 19 }, { "GELU (NC) #1", 20 },   \
		{ "Fully Connected (NC, PF32) GEMM #6", 21 },                           \
	{                                                                               \
		"Add (ND) #2", 22                                                       \
	}

/* Node 10 transposes the keys for a matrix product only. The product may transpose them itself, and
 * then node 10 has no event. */
static void a_transposed_right_hand_side_may_lack_its_event(void **state)
{
	struct etcore_bytes blob = bare_blob("tests/data/xnnpack/attention.blob");

	(void)state;
	EXPECT(blob, ATTENTION_HEAD, { "Static Reshape (NC) #2", 5 },
	       { "Transpose (ND, X32) #2", 6 }, { "Fully Connected (NC, PF32) GEMM #3", 7 },
	       { "Static Reshape (NC) #3", 8 }, { "Transpose (ND, X32) #3", 9 }, ATTENTION_TAIL);
	/* in another release of XNNPACK, node 10 has its event */
	EXPECT(blob, ATTENTION_HEAD, { "Static Reshape (NC) #2", 5 },
	       { "Transpose (ND, X32) #2", 6 }, { "Fully Connected (NC, PF32) GEMM #3", 7 },
	       { "Static Reshape (NC) #3", 8 }, { "Transpose (ND, X32) #3", 9 },
	       { "Transpose (ND, X32) #5", 10 }, ATTENTION_TAIL);
	free((void *)(uintptr_t)blob.ptr);
}

/* Nodes 1 and 2 each transpose the right-hand side of a matrix product. The result of node 2 has a
 * second use, as an input of a concatenation or as a result of the graph. So the only transpose
 * event is that of node 2. */
static void a_right_hand_side_with_another_use_has_its_event(void **state)
{
	struct etcore_bytes blob = bare_blob("tests/data/xnnpack/transpose_joined.blob");

	(void)state;
	EXPECT(blob, { "Transpose (ND, X32) #1", 2 },
	       { "Batch Matrix Multiply (NC, F32) GEMM #1", 3 }, { "Copy (NC, X32) #1", 4 },
	       { "Batch Matrix Multiply (NC, F32) GEMM #2", 5 });
	free((void *)(uintptr_t)blob.ptr);
	blob = bare_blob("tests/data/xnnpack/transpose_returned.blob");
	EXPECT(blob, { "Transpose (ND, X32) #1", 2 },
	       { "Batch Matrix Multiply (NC, F32) GEMM #1", 3 },
	       { "Batch Matrix Multiply (NC, F32) GEMM #2", 4 });
	free((void *)(uintptr_t)blob.ptr);
}

/* An operator of unknown name may be any elementwise node, or an operator that XNNPACK adds. The
 * other events still have their nodes. */
static void an_unknown_operator_leaves_open_only_what_it_may_be(void **state)
{
	struct etcore_bytes blob = bare_blob("tests/data/xnnpack/attention.blob");

	(void)state;
	EXPECT(blob, ATTENTION_HEAD, { "Static Reshape (NC) #2", 5 },
	       { "Transpose (ND, X32) #2", 6 }, { "Fully Connected (NC, PF32) GEMM #3", 7 },
	       { "Static Reshape (NC) #3", 8 }, { "Transpose (ND, X32) #3", 9 },
	       { "Batch Matrix Multiply (NC, PF32) GEMM #1", 11 }, { "Multiply (ND) #1", 12 },
	       { "Softmax (NC, F32) #1", 13 }, { "Batch Matrix Multiply (NC, PF32) GEMM #2", 14 },
	       { "Transpose (ND, X32) #4", 15 }, { "Static Reshape (NC) #4", 16 },
	       { "Fully Connected (NC, PF32) GEMM #4", 17 }, { "Grand New Thing (NC) #1", 0 },
	       { "Fully Connected (NC, PF32) GEMM #5", 19 }, { "GELU (NC) #1", 20 },
	       { "Fully Connected (NC, PF32) GEMM #6", 21 }, { "Add (ND) #2", 22 });
	free((void *)(uintptr_t)blob.ptr);
}

static void events_of_another_program_get_nothing(void **state)
{
	struct etcore_bytes blob = blob_of("tests/data/cases/mlp_xnnpack/model.pte", 0);

	(void)state;
	EXPECT(blob, { "Fully Connected (NC, F32) GEMM #1", 0 }, { "Sigmoid (NC) #1", 0 },
	       { "Softmax (NC, F32) #1", 0 });
	EXPECT(blob, { "Softmax (NC, F32) #1", 0 }, { "Fully Connected (NC, F32) GEMM #1", 0 });
	EXPECT((struct etcore_bytes){ 0 }, { "Softmax (NC, F32) #1", 0 });
	free((void *)(uintptr_t)blob.ptr);
}

/* The plugin keeps the nodes of a call's events from one hook call to the next. If the events
 * change, it must find the nodes again. */
static void a_call_that_changes_in_place_is_aligned_again(void **state)
{
	struct etcore_bytes blob = blob_of("tests/data/cases/mlp_xnnpack/model.pte", 0);
	struct made m;

	(void)state;
	made_init(&m);
	m.call.processed = blob;
	made_add(&m, text_of("Fully Connected (NC, F32) GEMM #1"));
	made_add(&m, text_of("Fully Connected (NC, F32) GEMM #2"));
	made_add(&m, text_of("Fully Connected (NC, F32) GEMM #3"));
	made_add(&m, text_of("Softmax (NC, F32) #1"));
	assert_int_equal(handle_of(&m, 0), 1);
	assert_int_equal(handle_of(&m, 2), 5);
	m.events[3].delegate_name = text_of("Sigmoid (NC) #1");
	assert_int_equal(handle_of(&m, 3), 0);
	assert_int_equal(handle_of(&m, 0), 0);
	m.events[3].delegate_name = text_of("Softmax (NC, F32) #1");
	assert_int_equal(handle_of(&m, 1), 3);
	assert_int_equal(handle_of(&m, 3), 6);
	free((void *)(uintptr_t)blob.ptr);
}

/* Asks for the nodes of three events with this blob, in a block of exactly its size. Any answer is
 * accepted. */
static void ask(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);
	struct made m;

	assert_non_null(copy);
	if (len)
		memcpy(copy, bytes, len);
	made_init(&m);
	m.call.processed = (struct etcore_bytes){ copy, len };
	made_add(&m, text_of("Fully Connected (NC, F32) GEMM #1"));
	made_add(&m, text_of("Convert (NC) #1"));
	made_add(&m, text_of("Softmax (NC, F32) #1"));
	for (uint32_t i = 0; i < m.call.count; i++)
		(void)handle_of(&m, i);
	free(copy);
}

static void damaged_blobs_are_read_within_their_bounds(void **state)
{
	struct etcore_bytes blob = blob_of("tests/data/pte/cnn_f16.pte", 0);
	size_t head = blob.len < 3000 ? blob.len : 3000;
	uint8_t *bytes = malloc(head);
	uint64_t seed = 11;

	(void)state;
	assert_non_null(bytes);
	for (size_t len = 0; len < head; len++)
		ask(blob.ptr, len);
	for (int round = 0; round < 20000; round++) {
		memcpy(bytes, blob.ptr, head);
		for (int k = 0; k < 1 + round % 4; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			bytes[22 + (seed >> 33) % (head - 22)] = (uint8_t)(seed >> 25);
		}
		ask(bytes, head);
	}
	free(bytes);
	free((void *)(uintptr_t)blob.ptr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_of_a_plain_net_is_one_node),
		cmocka_unit_test(convolutions_are_told_apart_and_layout_changes_have_no_node),
		cmocka_unit_test(a_list_with_a_product_missing_gets_nothing),
		cmocka_unit_test(a_clamp_that_xnnpack_adds_is_no_node),
		cmocka_unit_test(a_transposed_right_hand_side_may_lack_its_event),
		cmocka_unit_test(a_right_hand_side_with_another_use_has_its_event),
		cmocka_unit_test(an_unknown_operator_leaves_open_only_what_it_may_be),
		cmocka_unit_test(events_of_another_program_get_nothing),
		cmocka_unit_test(a_call_that_changes_in_place_is_aligned_again),
		cmocka_unit_test(damaged_blobs_are_read_within_their_bounds),
	};

	return cmocka_run_group_tests(tests, open_plugin, close_plugin);
}
