/* record_fixture.h -- for tests of ETRecords: a fixture with an archive that a test makes, and the
 * record read from it. */
#ifndef ETC_TEST_RECORD_FIXTURE_H
#define ETC_TEST_RECORD_FIXTURE_H

#include "unit.h"

#include "base/file.h"
#include "formats/etrecord/etrecord.h"
#include "zip_maker.h"

struct fixture {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_error err;
	struct etc_record r;
	struct zip_maker maker;
	struct etc_file file;
};

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, 64 << 20);
	etc_notes_init(&f->notes, &f->arena);
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	etc_arena_release(&f->arena);
	zip_release(&f->maker);
	etc_file_release(&f->file);
	free(f);
	return 0;
}

static inline enum etc_status read_bytes(struct fixture *f, struct etc_span bytes, uint32_t want)
{
	f->err = (struct etc_error){ 0 };
	etc_notes_init(&f->notes, &f->arena);
	return etc_etrecord_read(bytes, want, &f->arena, &f->notes, &f->r, &f->err);
}

static inline enum etc_status read_path(struct fixture *f, const char *path, uint32_t want)
{
	etc_file_release(&f->file);
	f->file = (struct etc_file){ 0 };
	assert_ok(etc_file_open(&f->file, path, 1 << 24, &f->err), &f->err);
	return read_bytes(f, f->file.bytes, want);
}

static inline enum etc_status read_maker(struct fixture *f, uint32_t want)
{
	return read_bytes(f, zip_finish(&f->maker, ""), want);
}

static inline bool noted(const struct fixture *f, enum etc_code code)
{
	for (const struct etc_note *n = f->notes.first; n; n = n->next)
		if (n->code == code)
			return true;
	return false;
}

/* Adds an exported program with these nodes, in the schema of ExecuTorch 1.5. */
static inline void put_program(struct zip_maker *z, const char *name, const char *nodes)
{
	struct etc_text t = { 0 };

	etc_text_cstr(&t, "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": "
	                  "\"x\"}}], \"outputs\": [], \"nodes\": [");
	etc_text_cstr(&t, nodes);
	etc_text_cstr(&t,
	              "], \"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}}, "
	              "\"signature\": {\"input_specs\": [], \"output_specs\": []}, "
	              "\"module_call_graph\": []}, \"opset_version\": {}, "
	              "\"range_constraints\": {\"s0\": {\"min_val\": 2, \"max_val\": Infinity}}, "
	              "\"schema_version\": {\"major\": 5, \"minor\": 4}}");
	etc_text_char(&t, '\0');
	zip_stored(z, name, t.ptr);
	etc_text_release(&t);
	for (int i = 0; i < 3; i++) {
		static const char *const parts[] = { "state_dict", "constants", "example_inputs" };
		char part[128];

		snprintf(part, sizeof part, "%s_%s", name, parts[i]);
		zip_stored(z, part, "");
	}
}

static inline void put_maps(struct zip_maker *z)
{
	zip_stored(z, "ETRECORD_V0", "");
	zip_stored(z, "debug_handle_map", "{\"forward\": {\"0\": [1, 2], \"1\": 3}}");
	zip_stored(z, "delegate_map", "null");
	zip_stored(z, "instruction_id_to_num_outs_map", "{\"forward\": {\"0\": 2}}");
}

#endif
