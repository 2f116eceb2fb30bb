#include "dump.h"

#include <dirent.h>
#include <sys/stat.h>

#define EDGE "tests/data/edge/"

static void reads_the_tutorial_file(void **state)
{
	const struct etc_shape *shape;
	const struct etc_event *first, *last;
	const struct etc_trace *t;
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, "tests/data/executorch/tutorial.etdp"), &d.err);
	t = &d.trace;
	assert_true(t->size_prefixed && t->has_runs);
	assert_int_equal(t->run_count, 2);
	assert_str(t->runs[0].name, "Default");
	assert_str(t->runs[1].name, "Execute");
	assert_int_equal(t->runs[1].bundled_input_index, -1);
	shape = etc_run_shape(t, &t->runs[1]);
	assert_int_equal(shape->count, 29);
	assert_int_equal(shape->profiles, 29);
	assert_int_equal(t->sample_count, 31);
	assert_int_equal(t->runs[1].first_sample, 2);
	first = &shape->events[0];
	last = &shape->events[28];
	assert_str(first->name, "native_call_convolution.out");
	assert_int_equal(first->instruction_id, 0);
	assert_int_equal(first->delegate_id, -1);
	assert_false(first->has_delegate_name);
	assert_str(last->name, "Method::execute");
	assert_true(last->chain == UINT64_MAX);
	assert_true(t->end[30] > t->start[30]);
	assert_null(t->metadata_at);
	assert_int_equal(t->value_count, 0);
	assert_null(d.notes.first);
	dump_release(&d);
}

/* The files of tests/data/edge with their verdict in index.json. */
static const struct edge {
	const char *file;
	enum etc_code code; /* error or warning that is expected; NONE: accepted quietly */
} edges[] = {
	{ "alloc_events", ETC_CODE_NONE },
	{ "big_endian", E0201 },
	{ "bundled_index", ETC_CODE_NONE },
	{ "chains", ETC_CODE_NONE },
	{ "debug_differ", ETC_CODE_NONE }, /* only its values differ */
	{ "debug_without_entry", W0215 },
	{ "duplicate_events", ETC_CODE_NONE },
	{ "empty_file", E0201 },
	{ "event_empty", W0213 },
	{ "event_offset_self", E0205 },
	{ "event_shared", ETC_CODE_NONE },
	{ "events_absent", W0203 },
	{ "events_count_huge", E0205 },
	{ "events_empty", W0203 },
	{ "events_offset_beyond", E0205 },
	{ "events_to_runs", E0205 },
	{ "extra_fields", ETC_CODE_NONE },
	{ "header_only", E0202 },
	{ "id_int_and_str", ETC_CODE_NONE },
	{ "identifier_ED01", E0204 },
	{ "instruction_extremes", ETC_CODE_NONE },
	{ "interleaved_runs", ETC_CODE_NONE },
	{ "layout_2023_10", E0207 },
	{ "layout_2024_06_debug", ETC_CODE_NONE },
	{ "meta_len_huge", E0205 },
	{ "name_100k", ETC_CODE_NONE },
	{ "name_empty", ETC_CODE_NONE },
	{ "name_len_huge", E0205 },
	{ "name_no_nul", W0212 },
	{ "name_offset_beyond", E0205 },
	{ "names_numeric", ETC_CODE_NONE },
	{ "names_special", ETC_CODE_NONE },
	{ "not_prefixed", ETC_CODE_NONE },
	{ "nul_in_name", ETC_CODE_NONE },
	{ "one_event_missing", ETC_CODE_NONE },
	{ "only_operator_call", ETC_CODE_NONE },
	{ "output_flag_false", ETC_CODE_NONE },
	{ "outputs_differ", ETC_CODE_NONE },
	{ "outputs_list", ETC_CODE_NONE },
	{ "outputs_nan", ETC_CODE_NONE },
	{ "outputs_only", W0203 },
	{ "prefix_long", W0209 },
	{ "prefix_short", W0209 },
	{ "profile_and_debug", W0214 },
	{ "root_beyond", E0205 },
	{ "root_max", E0205 },
	{ "root_padded", ETC_CODE_NONE },
	{ "root_zero", E0205 },
	{ "run_without_name", ETC_CODE_NONE },
	{ "runs_count_huge", E0205 },
	{ "runs_empty", W0203 },
	{ "scalar_inf", ETC_CODE_NONE },
	{ "scalar_values", ETC_CODE_NONE },
	{ "shared_20000x20000", E0206 },
	{ "shared_300x300", ETC_CODE_NONE },
	{ "sizes_count_huge", E0205 },
	{ "tensor_ok", ETC_CODE_NONE },
	{ "text_file", E0201 },
	{ "time_u64_max", ETC_CODE_NONE },
	{ "trailing_zeros", W0208 },
	{ "two_dumps", W0208 },
	{ "utf8_invalid", W0211 },
	{ "utf8_surrogate", W0211 },
	{ "value_tag_unknown", W0216 },
	{ "value_tag_without_member", W0216 },
	{ "version_1", W0210 },
	{ "vtable_before_file", E0205 },
	{ "vtable_far", E0205 },
	{ "vtable_field_outside", E0205 },
	{ "vtable_self", E0205 },
	{ "vtable_size_0", E0205 },
	{ "vtable_size_huge", E0205 },
	{ "wrap_32", ETC_CODE_NONE },
	{ "wrap_64", ETC_CODE_NONE },
	{ "zeros_8", E0201 },
};

static void judges_unusual_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
		const struct edge *e = &edges[i];
		enum etc_status status;
		char path[256];
		struct dump d;

		snprintf(path, sizeof path, EDGE "%s.etdump", e->file);
		status = dump_file(&d, path);
		if (e->code && etc_code_info(e->code)->letter == 'E') {
			if (d.err.code != e->code || status == ETC_OK)
				fail_msg("%s: status %d, %s %s", path, status,
				         etc_code_info(d.err.code)->name, d.err.text);
			assert_int_equal(d.trace.run_count, 0);
		} else {
			const struct etc_note *n = d.notes.first;

			if (status != ETC_OK)
				fail_msg("%s: %s", path, d.err.text);
			if (e->code ? !dump_has(&d, e->code) : n != NULL)
				fail_msg("%s: %s", path,
				         n ? etc_code_info(n->code)->name : "no note");
		}
		dump_release(&d);
	}
}

static size_t open_all(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t opened = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);
		char path[512];
		struct stat st;
		struct dump d;

		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] == '.' || stat(path, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && strcmp(entry->d_name, "edge") != 0)
			opened += open_all(path);
		if (len < 5 || (strcmp(entry->d_name + len - 5, ".etdp") != 0 &&
		                (len < 7 || strcmp(entry->d_name + len - 7, ".etdump") != 0)))
			continue;
		if (strcmp(folder, "tests/data/edge") == 0)
			continue;
		if (dump_file(&d, path) != ETC_OK)
			fail_msg("%s: %s", path, d.err.text);
		for (size_t i = 0; i < d.trace.run_count; i++) {
			const struct etc_run *r = &d.trace.runs[i];
			const struct etc_shape *s = etc_run_shape(&d.trace, r);

			assert_true(r->first_sample + s->profiles <= d.trace.sample_count);
			assert_true(r->first_value + s->debugs <= d.trace.value_count);
			assert_true(s->first_run <= i);
		}
		dump_release(&d);
		opened++;
	}
	closedir(dir);
	return opened;
}

static void opens_every_real_dump(void **state)
{
	(void)state;
	assert_true(open_all("tests/data") > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_tutorial_file),
		cmocka_unit_test(judges_unusual_files),
		cmocka_unit_test(opens_every_real_dump),
	};
	return cmocka_run_group_tests_name("etdump", tests, NULL, NULL);
}
