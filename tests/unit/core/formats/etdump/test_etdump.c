/* test_etdump.c -- the reader of ETDumps. */
#define _POSIX_C_SOURCE 200809L
#include "dump.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#define EDGE "tests/data/edge/"

static const struct etc_run_head *head(const struct etc_trace *t, size_t run)
{
	return etc_run_head(t, &t->runs[run]);
}

static void reads_the_tutorial_file(void **state)
{
	const struct etc_template *template;
	const struct etc_event *first, *last;
	const struct etc_trace *t;
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, "tests/data/executorch/tutorial.etdp"), &d.err);
	t = &d.trace;
	assert_true(t->size_prefixed && t->has_runs);
	assert_int_equal(t->run_count, 2);
	assert_str(head(t, 0)->name, "Default");
	assert_str(head(t, 1)->name, "Execute");
	assert_int_equal(head(t, 1)->bundled_input_index, -1);
	template = etc_run_template(t, &t->runs[1]);
	assert_int_equal(template->count, 29);
	assert_int_equal(template->profiles, 29);
	assert_int_equal(t->sample_count, 31);
	assert_int_equal(t->runs[1].first_sample, 2);
	first = &template->events[0];
	last = &template->events[28];
	assert_str(etc_event_name(first), "native_call_convolution.out");
	assert_int_equal(first->instruction_id, 0);
	assert_int_equal(first->delegate_id, -1);
	assert_false(first->has_delegate_name);
	assert_str(etc_event_name(last), "Method::execute");
	assert_int_equal(first->word, ETC_WORD_KERNEL);
	assert_int_equal(last->word, ETC_WORD_EXECUTE);
	assert_true(last->chain == UINT64_MAX);
	assert_true(t->end[30] > t->start[30]);
	assert_null(t->metadata.has);
	assert_int_equal(t->value_count, 0);
	assert_null(d.notes.first);
	dump_release(&d);
}

static void names_of_the_runtime_are_words(void **state)
{
	const struct {
		struct etc_str name;
		enum etc_event_word word;
	} names[] = {
		{ ETC_STR("OPERATOR_CALL"), ETC_WORD_OPERATOR_CALL },
		{ ETC_STR("DELEGATE_CALL"), ETC_WORD_DELEGATE_CALL },
		{ ETC_STR("JF_CALL"), ETC_WORD_OTHER_CALL },
		{ ETC_STR("MOVE_CALL"), ETC_WORD_OTHER_CALL },
		{ ETC_STR("FREE_CALL"), ETC_WORD_OTHER_CALL },
		{ ETC_STR("Method::execute"), ETC_WORD_EXECUTE },
		{ ETC_STR("Program::load_method"), ETC_WORD_LOAD },
		{ ETC_STR("native_call_"), ETC_WORD_KERNEL },
		{ ETC_STR("native_call_add.out"), ETC_WORD_KERNEL },
		{ ETC_STR("native_call"), ETC_WORD_NONE },
		{ ETC_STR("OPERATOR_CALL "), ETC_WORD_NONE },
		{ ETC_STR("FREE_CALL\0"), ETC_WORD_NONE },
		{ ETC_STR("method::execute"), ETC_WORD_NONE },
		{ ETC_STR_NONE, ETC_WORD_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_int_equal(etc_event_word(names[i].name), names[i].word);
}

/* The files of tests/data/edge. Their index.json has the same verdicts. */
static const struct edge {
	const char *file;
	enum etc_code code; /* expected error or warning; NONE: accepted without either */
} edges[] = {
	{ "alloc_events", ETC_CODE_NONE },
	{ "big_endian", E0201 },
	{ "bundled_index", ETC_CODE_NONE },
	{ "chains", ETC_CODE_NONE },
	{ "debug_differ", ETC_CODE_NONE }, /* only its logged values differ */
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
	{ "vtable_self", ETC_CODE_NONE },
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
			const struct etc_template *s = etc_run_template(&d.trace, r);

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

static void keeps_kinds_of_events_apart(void **state)
{
	const struct etc_template *template;
	const struct etc_trace *t;
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, EDGE "alloc_events.etdump"), &d.err);
	t = &d.trace;
	template = etc_run_template(t, &t->runs[0]);
	assert_int_equal(template->profiles, 3);
	assert_int_equal(template->allocations, 3);
	assert_int_equal(template->events[0].kind, ETC_EVENT_ALLOCATION);
	assert_int_equal(template->events[5].instruction_id, 9);
	assert_int_equal(t->allocation_size[0], 4096);
	assert_true(t->allocation_size[1] == (uint64_t)1 << 40);
	assert_int_equal(head(t, 0)->allocator_count, 2);
	assert_str(head(t, 0)->allocators[1], "temp");
	dump_release(&d);

	assert_ok(dump_file(&d, EDGE "profile_and_debug.etdump"), &d.err);
	template = etc_run_template(&d.trace, &d.trace.runs[0]);
	assert_int_equal(template->profiles, 2);
	assert_int_equal(template->doubles, 2);
	assert_true(template->events[0].also_debug && template->events[1].also_allocation);
	assert_int_equal(d.trace.value_count, 0);
	dump_release(&d);
}

static void tells_absent_from_empty(void **state)
{
	const struct etc_event *e;
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, EDGE "id_int_and_str.etdump"), &d.err);
	e = etc_run_template(&d.trace, &d.trace.runs[0])->events;
	assert_true(e[0].has_delegate_name && e[0].delegate_id == 3 && !e[0].has_name);
	assert_true(e[1].has_delegate_name && etc_event_delegate_name(&e[1]).len == 0);
	assert_int_equal(e[2].delegate_id, -2);
	assert_true(e[3].has_name && e[3].delegate_id == 0);
	dump_release(&d);

	assert_ok(dump_file(&d, EDGE "run_without_name.etdump"), &d.err);
	assert_false(head(&d.trace, 0)->has_name);
	dump_release(&d);
	assert_ok(dump_file(&d, EDGE "name_empty.etdump"), &d.err);
	assert_true(head(&d.trace, 0)->has_name && head(&d.trace, 0)->name.len == 0);
	dump_release(&d);
	assert_ok(dump_file(&d, EDGE "events_absent.etdump"), &d.err);
	assert_false(head(&d.trace, 0)->has_events);
	dump_release(&d);
	assert_ok(dump_file(&d, EDGE "events_empty.etdump"), &d.err);
	assert_true(head(&d.trace, 0)->has_events);
	dump_release(&d);
}

/* Runs with equal event lists share a template, in whatever order the runs are. */
static void shares_templates(void **state)
{
	static const uint32_t missing[] = { 0, 0, 1, 0, 0 };
	const struct etc_trace *t;
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, EDGE "interleaved_runs.etdump"), &d.err);
	assert_int_equal(d.trace.run_count, 6);
	assert_int_equal(d.trace.template_count, 1);
	assert_str(head(&d.trace, 3)->name, "Execute");
	/* the runs are named A, B, A, Execute, B, A: three names */
	assert_int_equal(d.trace.head_count, 3);
	assert_int_equal(d.trace.runs[2].head, 0);
	assert_int_equal(d.trace.runs[4].head, 1);
	assert_int_equal(d.trace.runs[5].head, 0);
	dump_release(&d);
	assert_ok(dump_file(&d, EDGE "bundled_index.etdump"), &d.err);
	assert_true(d.trace.head_count > 1 && d.trace.head_count <= d.trace.run_count);
	for (size_t i = 1; i < d.trace.run_count; i++)
		assert_int_equal(d.trace.runs[i].head == d.trace.runs[0].head,
		                 head(&d.trace, i)->bundled_input_index ==
		                         head(&d.trace, 0)->bundled_input_index);
	dump_release(&d);

	assert_ok(dump_file(&d, EDGE "one_event_missing.etdump"), &d.err);
	t = &d.trace;
	assert_int_equal(t->template_count, 2);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(t->runs[i].template, missing[i]);
		assert_int_equal(t->runs[i].first_sample, i <= 2 ? 3 * i : 3 * i - 1);
		assert_true(t->start[t->runs[i].first_sample] == 1000);
	}
	assert_int_equal(t->templates[1].first_run, 2);
	dump_release(&d);
}

static void keeps_values_exact(void **state)
{
	static const struct {
		int8_t tag;
		int64_t i;
		double d;
	} want[] = {
		{ ETC_VALUE_INT, INT64_MAX, 0 },
		{ ETC_VALUE_INT, INT64_MIN, 0 },
		{ ETC_VALUE_BOOL, 1, 0 },
		{ ETC_VALUE_BOOL, 0, 0 },
		{ ETC_VALUE_DOUBLE, 0, 1e-13 },
		{ ETC_VALUE_DOUBLE, 0, 0.1234567890123456 },
		{ ETC_VALUE_DOUBLE, 0, 1e300 },
		{ ETC_VALUE_DOUBLE, 0, -0.0 },
		{ ETC_VALUE_FLOAT, 0, (double)0.1f },
		{ ETC_VALUE_INT, 0, 0 },
		{ ETC_VALUE_DOUBLE, 0, 0 },
		{ ETC_VALUE_NULL, 0, 0 },
		{ ETC_VALUE_FLOAT, 0, (double)1e-7f },
		{ ETC_VALUE_DOUBLE, 0, 5e-324 },
	};
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, EDGE "scalar_values.etdump"), &d.err);
	assert_int_equal(d.trace.value_count, sizeof want / sizeof want[0]);
	for (size_t i = 0; i < d.trace.value_count; i++) {
		const struct etc_value *v = &d.trace.values[i];

		assert_int_equal(v->tag, want[i].tag);
		assert_int_equal(v->has_member, v->tag != ETC_VALUE_NULL);
		if (v->tag == ETC_VALUE_FLOAT || v->tag == ETC_VALUE_DOUBLE)
			assert_memory_equal(&v->d, &want[i].d, sizeof v->d);
		else
			assert_true(v->i == want[i].i);
	}
	dump_release(&d);

	assert_ok(dump_file(&d, EDGE "output_flag_false.etdump"), &d.err);
	assert_true(d.trace.values[0].has_output && !d.trace.values[0].output);
	assert_true(d.trace.values[1].has_output && d.trace.values[1].output);
	assert_int_equal(d.trace.values[0].tensors[0].scalar_type, 6);
	dump_release(&d);
}

static void keeps_the_numbers_of_events(void **state)
{
	static const int32_t ids[] = { -1, -2, INT32_MAX, INT32_MIN, 0 };
	static const uint64_t chains[] = { 0, 1, INT32_MAX, (uint64_t)-5 };
	const struct etc_event *e;
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, EDGE "instruction_extremes.etdump"), &d.err);
	e = etc_run_template(&d.trace, &d.trace.runs[0])->events;
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(e[i].instruction_id, ids[i]);
	dump_release(&d);
	assert_ok(dump_file(&d, EDGE "chains.etdump"), &d.err);
	e = etc_run_template(&d.trace, &d.trace.runs[0])->events;
	for (size_t i = 0; i < 4; i++)
		assert_true(e[i].chain == chains[i]);
	dump_release(&d);
	assert_ok(dump_file(&d, EDGE "time_u64_max.etdump"), &d.err);
	assert_true(d.trace.end[0] == UINT64_MAX && d.trace.start[2] == (uint64_t)1 << 53);
	dump_release(&d);
	assert_ok(dump_file(&d, EDGE "bundled_index.etdump"), &d.err);
	assert_int_equal(head(&d.trace, 3)->bundled_input_index, -7);
	dump_release(&d);
}

/* Dumps that etcore reads, but at which the Inspector raises: the field at which it does. */
static void remembers_what_stops_the_inspector(void **state)
{
	static const struct {
		const char *file, *utf8, *finite, *decodable;
	} cases[] = {
		{ "utf8_invalid", "string", NULL, NULL },
		{ "utf8_surrogate", "string", NULL, NULL },
		{ "scalar_inf", NULL, "double_val", NULL },
		{ "run_without_name", NULL, NULL, "name" },
		{ "debug_without_entry", NULL, NULL, "debug_entry" },
		{ "tensor_no_sizes", NULL, NULL, "sizes" },
		{ "tensor_type_hole", NULL, NULL, "scalar_type" },
		{ "tensor_bf16", NULL, NULL, NULL },
		{ "value_tag_without_member", NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *const want[] = { cases[i].utf8, cases[i].finite, cases[i].decodable };
		const struct etc_flaw *got[3];
		char path[256];
		struct dump d;

		snprintf(path, sizeof path, EDGE "%s.etdump", cases[i].file);
		assert_ok(dump_file(&d, path), &d.err);
		got[0] = &d.trace.bad_utf8;
		got[1] = &d.trace.not_finite;
		got[2] = &d.trace.not_decodable;
		for (size_t k = 0; k < 3; k++) {
			if (got[k]->found != (want[k] != NULL))
				fail_msg("%s: flaw %zu %s", path, k,
				         got[k]->found ? got[k]->what : "");
			if (want[k])
				assert_string_equal(got[k]->what, want[k]);
		}
		dump_release(&d);
	}
}

static void points_at_metadata(void **state)
{
	struct etc_span m;
	struct dump d;

	(void)state;
	assert_ok(dump_file(&d, "tests/data/backends/cases/metadata_columns/run.etdump"), &d.err);
	assert_non_null(d.trace.metadata.has);
	m = etc_trace_metadata(&d.trace, 3);
	assert_int_equal(m.len, 26);
	assert_memory_equal(m.ptr, "{\"a\":[1,2],\"c\":{\"k\":null}}", 26);
	assert_true(m.ptr > d.bytes && m.ptr + m.len < d.bytes + d.len);
	assert_int_equal(etc_trace_metadata(&d.trace, 0).len, 0);
	dump_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_runtime_are_words),
		cmocka_unit_test(reads_the_tutorial_file),
		cmocka_unit_test(judges_unusual_files),
		cmocka_unit_test(opens_every_real_dump),
		cmocka_unit_test(keeps_kinds_of_events_apart),
		cmocka_unit_test(tells_absent_from_empty),
		cmocka_unit_test(shares_templates),
		cmocka_unit_test(keeps_values_exact),
		cmocka_unit_test(keeps_the_numbers_of_events),
		cmocka_unit_test(remembers_what_stops_the_inspector),
		cmocka_unit_test(points_at_metadata),
	};
	/* With this seed, the heads A and B of interleaved_runs do not share a place in the hash
	 * table. So each is stored once. */
	setenv("ETCORE_SEED", "1", 1);
	return cmocka_run_group_tests_name("etdump", tests, NULL, NULL);
}
