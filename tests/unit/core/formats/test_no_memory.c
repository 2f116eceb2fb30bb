/* test_no_memory.c -- runs every reader with its n-th allocation failing, for each n. The result
 * must be an error about memory, or complete except for what it reports as missing.
 *
 * The linker replaces the arena's allocator by __wrap_etc_arena_alloc. */
#include "unit.h"

#include "base/file.h"
#include "commands/compare/baseline_read.h"
#include "formats/program/bundled.h"
#include "formats/config/conf.h"
#include "formats/etdump/debug_buffer.h"
#include "formats/etdump/etdump.h"
#include "formats/etdump/etdump_walk.h"
#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/graph_lines.h"
#include "formats/pickle/pickle.h"
#include "formats/program/program.h"
#include "formats/etdump/recording.h"
#include "formats/etrecord/references.h"
#include "formats/etdump/serial_log.h"
#include "formats/program/tensor_file.h"

void *__real_etc_arena_alloc(struct etc_arena *a, size_t size, size_t align, size_t count);
void *__wrap_etc_arena_alloc(struct etc_arena *a, size_t size, size_t align, size_t count);

static size_t allocations, refused;

void *__wrap_etc_arena_alloc(struct etc_arena *a, size_t size, size_t align, size_t count)
{
	if (++allocations == refused)
		return NULL;
	return __real_etc_arena_alloc(a, size, align, count);
}

typedef enum etc_status read_fn(const char *path, struct etc_span file, struct etc_arena *arena,
                                struct etc_error *err);

static enum etc_status etdump(const char *path, struct etc_span file, struct etc_arena *arena,
                              struct etc_error *err)
{
	const struct etc_tensor_data *data;
	struct etc_etdump_walk *w;
	struct etc_notes notes;
	struct etc_trace t;

	(void)path;
	etc_notes_init(&notes, arena);
	ETC_TRY(etc_etdump_read(file, NULL, arena, &notes, &t, err));
	ETC_TRY(etc_etdump_walk_open(&t, NULL, arena, &w, err));
	etc_debug_check(&t, &file, &notes);
	return etc_debug_as_inspector(&t, &file, arena, &data, err);
}

static enum etc_status record(const char *path, struct etc_span file, struct etc_arena *arena,
                              struct etc_error *err)
{
	struct etc_graph_lines lines;
	struct etc_notes notes;
	struct etc_record r;
	struct etc_zip zip;

	(void)path;
	etc_notes_init(&notes, arena);
	ETC_TRY(etc_etrecord_read(file, ETC_RECORD_ALL, arena, &notes, &r, err));
	ETC_TRY(etc_zip_open(file, arena, &zip, err));
	for (uint32_t i = 0; i < r.graph_count; i++)
		ETC_TRY(etc_graph_lines(&zip, &r.graphs[i], arena, &lines, err));
	return ETC_OK;
}

static enum etc_status program(const char *path, struct etc_span file, struct etc_arena *arena,
                               struct etc_error *err)
{
	struct etc_program p;

	(void)path;
	return etc_program_read_whole(file, NULL, arena, &p, err);
}

static enum etc_status bundled(const char *path, struct etc_span file, struct etc_arena *arena,
                               struct etc_error *err)
{
	struct etc_bundled_program b;

	(void)path;
	return etc_bundled_read(file, NULL, arena, &b, err);
}

static enum etc_status tensor_file(const char *path, struct etc_span file, struct etc_arena *arena,
                                   struct etc_error *err)
{
	struct etc_tensor_file t;

	(void)path;
	return etc_tensor_file_read(file, NULL, arena, &t, err);
}

static enum etc_status references(const char *path, struct etc_span file, struct etc_arena *arena,
                                  struct etc_error *err)
{
	struct etc_references r;

	(void)path;
	return etc_references_read(file, arena, &r, err);
}

static enum etc_status baseline(const char *path, struct etc_span file, struct etc_arena *arena,
                                struct etc_error *err)
{
	struct etc_baseline b;

	(void)path;
	return etc_baseline_read(file, arena, &b, err);
}

static enum etc_status recording(const char *path, struct etc_span file, struct etc_arena *arena,
                                 struct etc_error *err)
{
	struct etc_recording r;

	(void)path;
	return etc_recording_read(file, arena, &r, err);
}

static enum etc_status serial_log(const char *path, struct etc_span file, struct etc_arena *arena,
                                  struct etc_error *err)
{
	struct etc_serial_log log;
	struct etc_notes notes;

	(void)path;
	etc_notes_init(&notes, arena);
	return etc_serial_log_read(file, arena, &notes, &log, err);
}

static enum etc_status conf(const char *path, struct etc_span file, struct etc_arena *arena,
                            struct etc_error *err)
{
	struct etc_conf_options o = { .only_file = true, .file = path };
	struct etc_settings s;

	(void)file;
	return etc_conf_load(&o, arena, &s, err);
}

/* Reads the file again and again, with a later allocation failing each time, until no allocation
 * fails. One of the reads must return an error. */
static void sweep(read_fn *read, const char *path)
{
	struct etc_error err = { 0 };
	size_t failures = 0, n = 0, all;
	struct etc_file file;

	refused = 0;
	assert_ok(etc_file_open(&file, path, 1 << 24, &err), &err);
	do {
		struct etc_arena arena;
		enum etc_status st;

		/* each of the first 200 allocations, and a smaller part of those that follow */
		n += 1 + n / 200;
		allocations = 0;
		refused = n;
		err = (struct etc_error){ 0 };
		etc_arena_init(&arena, 64 << 20);
		st = read(path, file.bytes, &arena, &err);
		all = allocations;
		if (st != ETC_OK && st != ETC_NOMEM && st != ETC_LIMIT)
			fail_msg("%s: allocation %zu: %s %s", path, n,
			         etc_code_info(err.code)->name, err.text);
		failures += st != ETC_OK;
		etc_arena_release(&arena);
	} while (all >= n);
	refused = 0;
	if (!failures)
		fail_msg("%s: no allocation of %zu was missed", path, all);
	etc_file_release(&file);
}

#define SWEEP(read, ...)                                                  \
	do {                                                              \
		static const char *const paths[] = { __VA_ARGS__ };       \
		(void)state;                                              \
		for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) \
			sweep(read, paths[i]);                            \
	} while (0)

static void an_etdump_is_read_whole_or_not(void **state)
{
	SWEEP(etdump, "tests/data/cases/debug_portable/run.etdump",
	      "tests/data/cases/debug_scalars/run.etdump", "tests/data/edge/tensor_list.etdump",
	      "tests/data/edge/alloc_events.etdump", "tests/data/edge/interleaved_runs.etdump");
}

static void an_etrecord_is_read_whole_or_not(void **state)
{
	SWEEP(record, "tests/data/edge/record_good.etrecord",
	      "tests/data/edge/record_delegate_values.etrecord",
	      "tests/data/edge/record_map_strings.etrecord",
	      "tests/data/cases/control_flow_cond/model.etrecord",
	      "tests/data/cases/debug_mlp/model.etrecord",
	      "tests/data/executorch/sample-2023.etrecord");
}

static void a_program_is_read_whole_or_not(void **state)
{
	SWEEP(program, "tests/data/pte/multi_method.pte", "tests/data/pte/models/lists/model.pte",
	      "tests/data/pte/models/external_some/model.pte",
	      "tests/data/pte/models/device_memory/model.pte",
	      "tests/data/pte/control_flow_cond.pte");
	SWEEP(bundled, "tests/data/pte/bundled/several_methods/model.bpte",
	      "tests/data/pte/bundled/scalars/model.bpte");
	SWEEP(tensor_file, "tests/data/pte/models/external_some/weights_a.ptd");
}

static void references_are_read_whole_or_not(void **state)
{
	SWEEP(references, "tests/data/numeric/debug_xnnpack.safetensors");
}

static void text_files_are_read_whole_or_not(void **state)
{
	SWEEP(baseline, "tests/fuzz/corpus/baseline/mlp.baseline",
	      "tests/fuzz/corpus/baseline/methods.baseline",
	      "tests/fuzz/corpus/baseline/cycles.baseline");
	SWEEP(recording, "sdk/template/common/parity.json");
	SWEEP(serial_log, "tests/data/logs/runner.log", "tests/data/logs/wrapped.log");
	SWEEP(conf, "tests/fuzz/corpus/conf/every-section.ini");
}

/* ---- pickles: this function provides the storage of their tensors ----------------- */

static enum etc_pickle_verdict find(void *arg, struct etc_ref_storage *s,
                                    struct etc_pickle_fault *why)
{
	static const uint8_t storage[4096];

	(void)arg;
	(void)why;
	if (s->bytes > sizeof storage)
		return ETC_PICKLE_REFUSED;
	s->data = (struct etc_span){ storage, (size_t)s->bytes };
	return ETC_PICKLE_READ;
}

static void a_pickle_is_read_whole_or_not(void **state)
{
	static const char *const paths[] = { "bytearray",     "far-memo",  "in-itself", "key-again",
		                             "meta",          "parameter", "raw",       "set",
		                             "storage-twice", "tensor",    "type",      "v3" };

	size_t failures = 0;

	(void)state;
	for (size_t i = 0; i < 2 * sizeof paths / sizeof *paths; i++) {
		struct etc_error err = { 0 };
		struct etc_file file;
		char path[96];
		size_t n = 0, all;

		snprintf(path, sizeof path, "tests/fuzz/corpus/pickle/%s.pkl", paths[i / 2]);
		assert_ok(etc_file_open(&file, path, 1 << 20, &err), &err);
		do {
			const struct etc_ref_value *v;
			struct etc_pickle_fault why;
			struct etc_arena arena;
			enum etc_pickle_verdict verdict;

			refused = ++n;
			allocations = 0;
			etc_arena_init(&arena, 1 << 20);
			verdict = i % 2 ? etc_pickle_read_legacy(file.bytes, &arena, &v, &why)
			                : etc_pickle_read(file.bytes, ETC_PICKLE_WEIGHTS, find,
			                                  NULL, &arena, &v, &why);
			all = allocations;
			if (all >= n && verdict == ETC_PICKLE_READ)
				fail_msg("%s: allocation %zu was not missed", path, n);
			failures += verdict == ETC_PICKLE_MEMORY;
			etc_arena_release(&arena);
		} while (all >= n);
		refused = 0;
		etc_file_release(&file);
	}
	assert_true(failures > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_etdump_is_read_whole_or_not),
		cmocka_unit_test(an_etrecord_is_read_whole_or_not),
		cmocka_unit_test(a_program_is_read_whole_or_not),
		cmocka_unit_test(references_are_read_whole_or_not),
		cmocka_unit_test(text_files_are_read_whole_or_not),
		cmocka_unit_test(a_pickle_is_read_whole_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
