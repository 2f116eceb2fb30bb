/* test_etrecord.c -- valid, unusual and damaged ETRecords. tests/record_truth.py compares every
 * real record with what Python reads from it. */
#include "record_fixture.h"

static void every_kind_of_damage_has_its_code(void **state)
{
	static const struct {
		const char *name;
		enum etc_code code;
	} files[] = {
		{ "empty", E0401 },
		{ "text", E0401 },
		{ "no_identifier", E0401 },
		{ "zip_empty", E0401 },
		{ "v1", E0402 },
		{ "cut_end", E0403 },
		{ "cut_central", E0403 },
		{ "crc_wrong", E0404 },
		{ "deflate_broken", E0404 },
		{ "local_magic", E0404 },
		{ "local_name", E0404 },
		{ "local_offset_beyond", E0404 },
		{ "size_beyond", E0404 },
		{ "encrypted", E0405 },
		{ "map_cut", E0406 },
		{ "map_empty_entry", E0406 },
		{ "map_list", E0406 },
		{ "map_deep_100k", E0408 },
	};
	struct fixture *f = *state;
	char path[256];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "tests/data/edge/record_%s.etrecord", files[i].name);
		assert_fails(read_path(f, path, ETC_RECORD_ALL & ~ETC_RECORD_INSPECTOR), &f->err,
		             files[i].code);
	}
	/* the Inspector opens this record and raises later, so reading it is no error */
	assert_ok(read_path(f, "tests/data/edge/record_map_list.etrecord", ETC_RECORD_ALL),
	          &f->err);
	assert_true(f->r.handle_map_odd);
}

static void what_is_odd_but_readable_is_a_warning(void **state)
{
	static const struct {
		const char *name;
		enum etc_code code;
	} files[] = {
		{ "duplicate_last", W0410 },      { "map_duplicate_keys", W0411 },
		{ "map_strings", W0412 },         { "map_nan", W0412 },
		{ "map_huge_int", W0412 },        { "map_float", W0412 },
		{ "delegate_values", W0412 },     { "map_null", W0413 },
		{ "no_debug_handle_map", W0413 }, { "no_instruction_id_to_num_outs_map", W0414 },
		{ "num_outs_null", W0414 },       { "program_garbage", W0416 },
		{ "reference_garbage", W0417 },   { "no_state_dict", W0418 },
		{ "no_edge_program", W0419 },
	};
	struct fixture *f = *state;
	char path[256];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "tests/data/edge/record_%s.etrecord", files[i].name);
		assert_ok(read_path(f, path, ETC_RECORD_MAPS | ETC_RECORD_EDGE), &f->err);
		if (!noted(f, files[i].code))
			fail_msg("%s has no %s", path, etc_code_info(files[i].code)->name);
	}
	assert_ok(read_path(f, "tests/data/edge/record_good.etrecord", ETC_RECORD_ALL), &f->err);
	assert_null(f->notes.first);
}

static void an_id_that_cannot_be_read_is_a_warning(void **state)
{
	struct fixture *f = *state;

	put_maps(&f->maker);
	put_program(&f->maker, "edge_dialect_exported_program/forward", "");
	zip_stored(&f->maker, "export_graph_id", "seven");
	assert_ok(read_maker(f, ETC_RECORD_MAPS), &f->err);
	assert_false(f->r.has_export_graph_id);
	assert_true(noted(f, W0437));
}

static void what_the_inspector_refuses_is_a_fact_with_its_code(void **state)
{
	static const struct {
		const char *path;
		enum etc_code opening, graphs;
	} files[] = {
		{ "edge/record_good", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_prepended", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_zip64", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_descriptor", ETC_CODE_NONE, ETC_CODE_NONE },
		{ "edge/record_comment", E0822, ETC_CODE_NONE },
		{ "edge/record_no_state_dict", E0813, ETC_CODE_NONE },
		{ "edge/record_unknown_entry", E0813, ETC_CODE_NONE },
		{ "edge/record_traversal", E0813, ETC_CODE_NONE },
		{ "edge/record_reference_garbage", E0816, ETC_CODE_NONE },
		{ "edge/record_state_dict_garbage", E0820, ETC_CODE_NONE },
		{ "edge/record_program_garbage", E0406, ETC_CODE_NONE },
		{ "edge/record_two_edge_methods", ETC_CODE_NONE, E0811 },
		{ "executorch/sample-2023", E0813, ETC_CODE_NONE },
		{ "old/0.3.0/mlp_portable/model", E0813, ETC_CODE_NONE },
		{ "old/0.4.0/mlp_portable/model", E0814, ETC_CODE_NONE },
		{ "old/0.7.0/mlp_portable/model", E0814, ETC_CODE_NONE },
		{ "old/1.2.0/conv_partial/model", E0816, ETC_CODE_NONE },
		{ "old/1.3.1/conv_partial/model", ETC_CODE_NONE, ETC_CODE_NONE },
	};
	struct fixture *f = *state;
	char path[256];
	unsigned seen = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "tests/data/%s.etrecord", files[i].path);
		if (!etc_file_exists(path))
			continue;
		seen++;
		assert_ok(read_path(f, path, ETC_RECORD_ALL), &f->err);
		if (f->r.inspector_refuses != files[i].opening ||
		    f->r.graphs_refuse != files[i].graphs)
			fail_msg("%s: %u %u", path, (unsigned)f->r.inspector_refuses,
			         (unsigned)f->r.graphs_refuse);
	}
	assert_true(seen >= 12);
}

static void only_what_is_asked_for_is_touched(void **state)
{
	struct fixture *f = *state;

	put_maps(&f->maker);
	zip_raw(&f->maker, "edge_dialect_exported_program/forward", ETC_STR("garbage"), 0, 0, 0, 7);
	zip_raw(&f->maker, "edge_dialect_exported_program/forward_state_dict", ETC_STR("garbage"),
	        0, 1, 0, 7);
	zip_raw(&f->maker, "reference_outputs", ETC_STR("PK and a wrong CRC"), 0, 0, 0, 18);
	assert_ok(read_maker(f, ETC_RECORD_MAPS), &f->err);
	assert_null(f->notes.first);
	assert_int_equal(f->r.graph_count, 1);
	assert_int_equal(f->r.graphs[0].node_count, 0);
	assert_true(f->r.reference_outputs.present);
	assert_false(f->r.reference_outputs.is_pickle);
	assert_int_equal(f->r.reference_outputs.bytes, 18);
	assert_true(f->r.delegate_map_null);
	assert_int_equal(f->r.methods[0].handle_count, 2);
	assert_int_equal(f->r.methods[0].handles[1].handles.v[0], 3);
}

static void weights_that_torch_refuses_stop_only_the_inspector(void **state)
{
	static const struct {
		const char *pickle;
		uint32_t refused;
	} cases[] = {
		{ "}.", ETC_CODE_NONE },
		{ ").", ETC_CODE_NONE },
		{ "].", E0820 },
		{ "}", E0820 },
		{ "cos\nsystem\nU\4true\x85R.", E0820 },
		{ "}U\1aN.", E0820 },
		/* classes that torch knows if torchao is installed */
		{ "ctorchao.quantization\nIntxUnpackedToInt8Tensor\n)R.", ETC_CODE_NONE },
		{ "}U\1acexecutorch.exir.serde.export_serialize\n_reconstruct_fake_tensor\n)Rs.",
		  ETC_CODE_NONE },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct zip_maker inner = { 0 };
		struct etc_span bytes;

		zip_release(&f->maker);
		zip_stored(&inner, "archive/data.pkl", cases[i].pickle);
		zip_stored(&inner, "archive/version", "3");
		bytes = zip_finish(&inner, "");
		put_maps(&f->maker);
		put_program(&f->maker, "exported_program", "");
		zip_raw(&f->maker, "exported_program_constants",
		        (struct etc_str){ (const char *)bytes.ptr, bytes.len }, 0, 0,
		        (uint32_t)crc32_z(0, bytes.ptr, bytes.len), (uint32_t)bytes.len);
		zip_release(&inner);
		assert_ok(read_maker(f, ETC_RECORD_ALL), &f->err);
		if (f->r.inspector_refuses != cases[i].refused)
			fail_msg("%s: %u", cases[i].pickle, (unsigned)f->r.inspector_refuses);
		assert_false(f->r.graphs[0].truncated);
	}
}

static void a_bomb_of_a_map_is_a_limit(void **state)
{
	static char blanks[1 << 20];
	struct fixture *f = *state;

	memset(blanks, ' ', sizeof blanks);
	zip_stored(&f->maker, "ETRECORD_V0", "");
	zip_deflated(&f->maker, "debug_handle_map", (struct etc_str){ blanks, sizeof blanks }, 200);
	assert_fails(read_maker(f, ETC_RECORD_MAPS), &f->err, E0407);
}

static void keys_keep_their_first_place_and_last_value_in_any_order(void **state)
{
	static const struct {
		const char *map;
		uint32_t count;
		bool twice;
		const char *keys; /* the first letter of each key that is kept, in order */
		int64_t two;      /* value of the key "2" */
	} maps[] = {
		{ "\"1\": 1, \"2\": 2, \"10\": 10", 3, false, "121", 2 },
		{ "\"10\": 10, \"2\": 2, \"1\": 1", 3, false, "121", 2 },
		{ "\"1\": 1, \"2\": 2, \"2\": 3", 2, true, "12", 3 },
		{ "\"2\": 2, \"3\": 3, \"2\": 5, \"4\": 4, \"3\": 6", 3, true, "234", 5 },
		{ "\"\": 0, \"\": 1, \"2\": 2", 2, true, "\"2", 2 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		const struct etc_method_maps *m;
		char text[200];

		snprintf(text, sizeof text, "{\"forward\": {%s}}", maps[i].map);
		zip_stored(&f->maker, "ETRECORD_V0", "");
		zip_stored(&f->maker, "debug_handle_map", text);
		assert_ok(read_maker(f, ETC_RECORD_MAPS), &f->err);
		m = etc_record_method(&f->r, ETC_STR("forward"));
		assert_non_null(m);
		assert_int_equal(m->handle_count, maps[i].count);
		for (uint32_t k = 0; k < m->handle_count; k++) {
			const struct etc_handle_entry *e = &m->handles[k];

			assert_int_equal(e->key.ptr[0], maps[i].keys[k]);
			if (e->key.ptr[0] == '2')
				assert_int_equal(e->handles.v[0], maps[i].two);
		}
		assert_int_equal(noted(f, W0411), maps[i].twice);
		zip_release(&f->maker);
	}
}

static void every_truncation_of_a_record_is_refused(void **state)
{
	struct fixture *f = *state;
	struct etc_span whole;

	assert_ok(etc_file_open(&f->file, "tests/data/edge/record_good.etrecord", 1 << 24, &f->err),
	          &f->err);
	whole = f->file.bytes;
	for (size_t n = 0; n < whole.len; n++) {
		uint8_t *cut = malloc(n ? n : 1);
		enum etc_status st;

		memcpy(cut, whole.ptr, n);
		st = read_bytes(f, (struct etc_span){ cut, n }, ETC_RECORD_ALL);
		assert_true(st == ETC_FORMAT || st == ETC_CORRUPT);
		free(cut);
	}
}

static void lack_of_memory_is_said_at_every_point(void **state)
{
	struct fixture *f = *state;
	unsigned failures = 0;
	bool done = false;

	assert_ok(etc_file_open(&f->file, "tests/data/edge/record_good.etrecord", 1 << 24, &f->err),
	          &f->err);
	for (size_t budget = 0; budget < 1 << 20 && !done; budget += 4096) {
		struct etc_arena small;
		struct etc_notes notes;
		enum etc_status st;

		etc_arena_init(&small, budget);
		etc_notes_init(&notes, &small);
		st = etc_etrecord_read(f->file.bytes, ETC_RECORD_ALL, &small, &notes, &f->r,
		                       &f->err);
		done = st == ETC_OK;
		failures += !done;
		assert_true(done || st == ETC_NOMEM || st == ETC_LIMIT);
		etc_arena_release(&small);
	}
	assert_true(done && failures);
}

static const char *const delegates[] = {
	"{\"name\": \"A\", \"delegate_map\": {}}",
	"{\"name\": \"B\", \"delegate_map\": {}}",
	"{\"delegate_map\": {}, \"name\": \"A\"}",
	"{\"name\": \"A\", \"delegate_map\": { } }",
	"{\"name\": \"A\", \"delegate_map\": null}",
	"{\"name\": \"A\", \"delegate_map\": []}",
	"{\"name\": \"A\", \"delegate_map\": {\"1\": 2}}",
	"{\"name\": 5, \"name\": \"A\"}",
	"{\"delegate_map\": {}}",
	"null",
	"7",
};

enum { DELEGATES = sizeof delegates / sizeof *delegates };

/* Makes a record whose delegate map has the entries delegates[which[i]], and reads it. Appends what
 * was read to `out`. Returns how often W0412 was reported. */
static uint64_t read_delegates(struct fixture *f, const size_t *which, size_t count,
                               struct etc_text *out)
{
	struct etc_text map = { 0 };
	uint64_t odd = 0;

	etc_text_cstr(&map, "{\"forward\": {");
	for (size_t i = 0; i < count; i++)
		etc_text_printf(&map, "%s\"%zu\": %s", i ? ", " : "", i, delegates[which[i]]);
	etc_text_put(&map, (struct etc_str){ "}}", 3 }); /* with the NUL that ends the text */
	zip_release(&f->maker);
	f->maker = (struct zip_maker){ 0 };
	zip_stored(&f->maker, "ETRECORD_V0", "");
	zip_stored(&f->maker, "delegate_map", map.ptr);
	assert_ok(read_maker(f, 0), &f->err);
	assert_int_equal(f->r.methods[0].delegate_count, count);
	for (size_t i = 0; i < count; i++) {
		const struct etc_delegate_entry *e = &f->r.methods[0].delegates[i];

		etc_text_printf(out, ETC_STR_FMT " %d%d%d %u %d%d %d%d;", ETC_STR_ARG(e->backend),
		                e->has_backend, e->backend_is_null, e->map_is_null,
		                (unsigned)e->count, e->odd.kind, e->odd.truthy, e->odd_map.kind,
		                e->odd_map.truthy);
		assert_true(etc_str_eq(e->key, etc_arena_printf(&f->arena, "%zu", i)));
	}
	for (const struct etc_note *n = f->notes.first; n; n = n->next)
		odd += n->code == W0412 ? n->count : 0;
	etc_text_release(&map);
	return odd;
}

static void delegates_are_read_alike_after_whatever_came_before(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < DELEGATES; i++)
		for (size_t k = 0; k < DELEGATES; k++) {
			const size_t four[] = { i, i, k, i };
			struct etc_text together = { 0 }, apart = { 0 };
			uint64_t odd = 0;

			for (size_t n = 0; n < 4; n++)
				odd += read_delegates(f, &four[n], 1, &apart);
			assert_int_equal(read_delegates(f, four, 4, &together), odd);
			assert_true(etc_str_eq(etc_text_str(&together), etc_text_str(&apart)));
			etc_text_release(&together);
			etc_text_release(&apart);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(every_kind_of_damage_has_its_code),
		T(what_is_odd_but_readable_is_a_warning),
		T(an_id_that_cannot_be_read_is_a_warning),
		T(what_the_inspector_refuses_is_a_fact_with_its_code),
		T(only_what_is_asked_for_is_touched),
		T(weights_that_torch_refuses_stop_only_the_inspector),
		T(a_bomb_of_a_map_is_a_limit),
		T(keys_keep_their_first_place_and_last_value_in_any_order),
		T(delegates_are_read_alike_after_whatever_came_before),
		T(every_truncation_of_a_record_is_refused),
		T(lack_of_memory_is_said_at_every_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
