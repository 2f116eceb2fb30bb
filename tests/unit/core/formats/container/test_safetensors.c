/* test_safetensors.c -- reading safetensors files: named tensors, and reference values by debug
 * handle */
#include "unit.h"

#include "formats/etrecord/references.h"
#include "formats/container/safetensors.h"

struct fixture {
	struct etc_arena arena;
	struct etc_error err;
	uint8_t bytes[4096];
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
	free(f);
	return 0;
}

/* Makes a file of this header and `data` bytes with the values 0, 1, 2 ... */
static struct etc_span file_of(struct fixture *f, const char *header, size_t data)
{
	uint64_t length = strlen(header);

	memcpy(f->bytes, &length, sizeof length);
	memcpy(f->bytes + 8, header, length);
	for (size_t i = 0; i < data; i++)
		f->bytes[8 + length + i] = (uint8_t)i;
	f->err = (struct etc_error){ 0 };
	return (struct etc_span){ f->bytes, 8 + length + data };
}

static void tensors_are_views_into_the_file(void **state)
{
	struct fixture *f = *state;
	struct etc_safetensors t;
	struct etc_span file = file_of(
		f,
		"{\"__metadata__\": {\"by\": \"a\\u0062\"}, \"x\": {\"dtype\": \"F32\", \"shape\": "
		"[2, 1], \"data_offsets\": [0, 8]}, \"e\": {\"shape\": [3, 0], \"dtype\": "
		"\"I64\", \"data_offsets\": [8, 8]}, \"odd\": {\"dtype\": \"F4\", \"shape\": "
		"[2], \"data_offsets\": [8, 9]}}  ",
		9);

	assert_ok(etc_safetensors_read(file, &f->arena, &t, &f->err), &f->err);
	assert_int_equal(t.count, 3);
	assert_str(t.tensors[0].name, "x");
	assert_string_equal(t.tensors[0].type->numpy, "float32");
	assert_int_equal(t.tensors[0].rank, 2);
	assert_int_equal(t.tensors[0].count, 2);
	assert_ptr_equal(t.tensors[0].bytes.ptr, file.ptr + file.len - 9);
	assert_int_equal(t.tensors[1].count, 0);
	assert_null(t.tensors[2].type);
	assert_str(t.tensors[2].dtype, "F4");
	assert_str(etc_safetensors_get(&t, ETC_STR("by")), "ab");
	assert_null(etc_safetensors_get(&t, ETC_STR("of")).ptr);
}

static void other_files_are_refused(void **state)
{
	struct fixture *f = *state;
	struct etc_safetensors t;
	struct etc_span file = file_of(f, "{}", 0);

	for (size_t n = 0; n < file.len; n++)
		assert_fails(etc_safetensors_read((struct etc_span){ file.ptr, n }, &f->arena, &t,
		                                  &f->err),
		             &f->err, E1180);
	assert_ok(etc_safetensors_read(file, &f->arena, &t, &f->err), &f->err);
	f->bytes[7] = 0x7f;
	assert_fails(etc_safetensors_read(file, &f->arena, &t, &f->err), &f->err, E1180);
}

static void damaged_headers_are_refused(void **state)
{
	static const char *const headers[] = {
		"{\"x\": 1}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [1]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 9]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [4, 0]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4, 4]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [-4, 0]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [0, 4]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [-1], \"data_offsets\": [0, 4]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [4294967296, 4294967296], "
		"\"data_offsets\": [0, 0]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [1.5], \"data_offsets\": [0, 4]}}",
		"{\"x\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4], \"y\": 1}}",
		"{\"x\": {\"dtype\": \"U8\", \"shape\": [0], \"data_offsets\": [0, 0]}, \"x\": "
		"{\"dtype\": "
		"\"U8\", \"shape\": [0], \"data_offsets\": [0, 0]}}",
		"{\"__metadata__\": {\"a\": 1}}",
		"{\"__metadata__\": [1]}",
		"{\"x\": {\"dtype\": \"F32\"",
		"{} x",
	};
	struct fixture *f = *state;
	struct etc_safetensors t;

	for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
		assert_fails(
			etc_safetensors_read(file_of(f, headers[i], 8), &f->arena, &t, &f->err),
			&f->err, E1181);
}

#define X_AND_Y                                                                           \
	"\"forward/3\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4]}, " \
	"\"forward/4/0\": {\"dtype\": \"U8\", \"shape\": [2], \"data_offsets\": [4, 6]}"

static void references_are_found_by_their_metadata(void **state)
{
	struct fixture *f = *state;
	struct etc_references r;
	struct etc_span file = file_of(f,
	                               "{\"__metadata__\": {\"etcore.references\": "
	                               "\"{\\\"version\\\": 1, \\\"methods\\\": "
	                               "{\\\"forward\\\": {\\\"graph\\\": \\\"g\\\", "
	                               "\\\"values\\\": [{\\\"handle\\\": [4], "
	                               "\\\"kind\\\": \\\"list\\\", \\\"count\\\": 1}, "
	                               "{\\\"handle\\\": [3], \\\"kind\\\": "
	                               "\\\"tensor\\\", \\\"ops\\\": [[\\\"mul\\\", null], "
	                               "[\\\"add\\\", \\\"at x\\\"]]}]}}}\"}, " X_AND_Y "}",
	                               6);

	assert_ok(etc_references_read(file, &f->arena, &r, &f->err), &f->err);
	assert_int_equal(r.count, 1);
	assert_str(r.methods[0].graph, "g");
	assert_int_equal(r.methods[0].count, 2);
	assert_int_equal(r.methods[0].values[0].kind, ETC_REFERENCE_LIST);
	assert_str(r.methods[0].values[0].items[0]->name, "forward/4/0");
	assert_int_equal(r.methods[0].values[1].handle[0], 3);
	assert_int_equal(r.methods[0].values[1].op_count, 2);
	assert_null(r.methods[0].values[1].ops[0].stack_trace.ptr);
	assert_str(r.methods[0].values[1].ops[1].stack_trace, "at x");
}

static void nodes_have_tensors_of_their_own(void **state)
{
	struct fixture *f = *state;
	struct etc_references r;
	struct etc_span file = file_of(
		f,
		"{\"__metadata__\": {\"etcore.references\": \"{\\\"version\\\": 1, "
		"\\\"methods\\\": "
		"{\\\"m\\\": {\\\"nodes\\\": [{\\\"handle\\\": [7], \\\"kind\\\": \\\"none\\\"}, "
		"{\\\"handle\\\": [3], \\\"kind\\\": \\\"tensor\\\", \\\"ops\\\": "
		"[[\\\"aten.add.Tensor\\\", null]]}]}}}\"}, "
		"\"m/nodes/1\": {\"dtype\": \"U8\", \"shape\": [6], \"data_offsets\": [0, 6]}}",
		6);

	assert_ok(etc_references_read(file, &f->arena, &r, &f->err), &f->err);
	assert_int_equal(r.methods[0].count, 0);
	assert_int_equal(r.methods[0].node_count, 2);
	assert_int_equal(r.methods[0].nodes[0].count, 0);
	assert_int_equal(r.methods[0].nodes[1].handle[0], 3);
	assert_str(r.methods[0].nodes[1].ops[0].name, "aten.add.Tensor");
	assert_str(r.methods[0].nodes[1].items[0]->name, "m/nodes/1");
}

static void without_metadata_the_names_count(void **state)
{
	struct fixture *f = *state;
	struct etc_references r;

	assert_ok(etc_references_read(file_of(f, "{" X_AND_Y "}", 6), &f->arena, &r, &f->err),
	          &f->err);
	assert_str(r.methods[0].method, "forward");
	assert_int_equal(r.count, 1);
	assert_int_equal(r.methods[0].count, 2);
	for (int i = 0; i < 2; i++) {
		const struct etc_reference *v = &r.methods[0].values[i];

		assert_int_equal(v->kind,
		                 v->handle[0] == 3 ? ETC_REFERENCE_TENSOR : ETC_REFERENCE_LIST);
		assert_str(v->items[0]->name, v->handle[0] == 3 ? "forward/3" : "forward/4/0");
	}
	assert_fails(etc_references_read(file_of(f,
	                                         "{\"x\": {\"dtype\": \"U8\", \"shape\": [0], "
	                                         "\"data_offsets\": [0, 0]}}",
	                                         0),
	                                 &f->arena, &r, &f->err),
	             &f->err, E1182);
}

static void metadata_that_contradict_the_tensors_are_refused(void **state)
{
	static const char *const documents[] = {
		"3",
		"{\\\"methods\\\": {\\\"m\\\": {\\\"values\\\": [{\\\"handle\\\": [3], "
		"\\\"kind\\\": "
		"\\\"tensor\\\"}]}}}",
		"{\\\"methods\\\": {\\\"forward\\\": {\\\"values\\\": [{\\\"handle\\\": [4], "
		"\\\"kind\\\": "
		"\\\"list\\\", \\\"count\\\": 99999999999}]}}}",
		"{\\\"methods\\\": {\\\"forward\\\": {\\\"values\\\": [{\\\"handle\\\": [3]}]}}}",
		"{\\\"methods\\\": {\\\"forward\\\": {\\\"values\\\": [{\\\"handle\\\": [], "
		"\\\"kind\\\": "
		"\\\"tensor\\\"}]}}}",
		"{\\\"methods\\\": {\\\"forward\\\": {\\\"values\\\": [{\\\"handle\\\": [3], "
		"\\\"kind\\\": "
		"\\\"tensor\\\", \\\"ops\\\": [[]]}]}}}",
		"{\\\"methods\\\": {\\\"forward\\\": {\\\"nodes\\\": 3}}}",
		("{\\\"methods\\\": {\\\"forward\\\": {\\\"nodes\\\": [{\\\"handle\\\": [3], "
		 "\\\"kind\\\": \\\"tensor\\\"}]}}}"),
		"{\\\"methods\\\": {\\\"forward\\\": {",
	};
	struct fixture *f = *state;
	struct etc_references r;
	char header[1024];

	for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
		snprintf(header, sizeof header,
		         "{\"__metadata__\": {\"etcore.references\": \"%s\"}, " X_AND_Y "}",
		         documents[i]);
		assert_fails(etc_references_read(file_of(f, header, 6), &f->arena, &r, &f->err),
		             &f->err, E1183);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tensors_are_views_into_the_file, setup, teardown),
		cmocka_unit_test_setup_teardown(other_files_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(damaged_headers_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(references_are_found_by_their_metadata, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(nodes_have_tensors_of_their_own, setup, teardown),
		cmocka_unit_test_setup_teardown(without_metadata_the_names_count, setup, teardown),
		cmocka_unit_test_setup_teardown(metadata_that_contradict_the_tensors_are_refused,
		                                setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
