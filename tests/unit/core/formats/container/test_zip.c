/* test_zip.c -- the zip archive of an ETRecord */
#include "unit.h"

#include "formats/container/zip.h"
#include "zip_maker.h"

struct fixture {
	struct etc_arena arena;
	struct etc_error err;
	struct etc_zip zip;
	struct zip_maker maker;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, 64 << 20);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	etc_arena_release(&f->arena);
	zip_release(&f->maker);
	free(f);
	return 0;
}

static enum etc_status open_zip(struct fixture *f, struct etc_span file)
{
	f->err = (struct etc_error){ 0 };
	return etc_zip_open(file, &f->arena, &f->zip, &f->err);
}

static enum etc_status read_entry(struct fixture *f, const char *name, struct etc_str *text)
{
	const struct etc_zip_entry *e = etc_zip_find(&f->zip, etc_str_of(name));
	struct etc_zip_data data;
	enum etc_status st;

	assert_non_null(e);
	f->err = (struct etc_error){ 0 };
	st = etc_zip_read(&f->zip, e, 0, &f->arena, &data, &f->err);
	*text = (struct etc_str){ (const char *)data.bytes.ptr, data.bytes.len };
	return st;
}

static void stored_entries_are_views_and_deflated_ones_are_unpacked(void **state)
{
	struct fixture *f = *state;
	struct etc_span file;
	struct etc_str text;

	zip_stored(&f->maker, "a", "alpha");
	zip_deflated(&f->maker, "b", ETC_STR("beta "), 1000);
	file = zip_finish(&f->maker, "a comment");
	assert_ok(open_zip(f, file), &f->err);
	assert_int_equal(f->zip.count, 2);
	assert_null(f->zip.python_refuses);
	assert_ok(read_entry(f, "a", &text), &f->err);
	assert_str(text, "alpha");
	assert_true(text.ptr > (const char *)file.ptr &&
	            text.ptr < (const char *)file.ptr + file.len);
	assert_ok(read_entry(f, "b", &text), &f->err);
	assert_int_equal(text.len, 5000);
	assert_memory_equal(text.ptr + 4990, "beta beta ", 10);
	assert_null(etc_zip_find(&f->zip, ETC_STR("c")));
}

static void the_last_of_two_entries_with_one_name_counts(void **state)
{
	struct fixture *f = *state;
	struct etc_str text;

	zip_stored(&f->maker, "a", "first");
	zip_stored(&f->maker, "b", "between");
	zip_stored(&f->maker, "a", "last");
	assert_ok(open_zip(f, zip_finish(&f->maker, "")), &f->err);
	assert_int_equal(f->zip.count, 2);
	assert_int_equal(f->zip.duplicates, 1);
	assert_str(f->zip.duplicate, "a");
	assert_ok(read_entry(f, "a", &text), &f->err);
	assert_str(text, "last");
}

static void bytes_in_front_of_the_archive_shift_every_offset(void **state)
{
	struct fixture *f = *state;
	struct etc_text moved = { 0 };
	struct etc_span file;
	struct etc_str text;

	zip_stored(&f->maker, "a", "alpha");
	file = zip_finish(&f->maker, "");
	etc_text_repeat(&moved, "#!/bin/sh\n", 101);
	etc_text_put(&moved, (struct etc_str){ (const char *)file.ptr, file.len });
	assert_ok(open_zip(f, etc_span_of(etc_text_str(&moved))), &f->err);
	assert_ok(read_entry(f, "a", &text), &f->err);
	assert_str(text, "alpha");
	etc_text_release(&moved);
}

static void an_end_record_counts_only_if_its_comment_ends_with_the_file(void **state)
{
	struct fixture *f = *state;
	struct etc_span file;
	struct etc_str text;

	zip_stored(&f->maker, "a", "alpha");
	file = zip_finish(&f->maker,
	                  "comment with PK\005\006 in it, and more than a record behind");
	assert_ok(open_zip(f, file), &f->err);
	assert_non_null(f->zip.python_refuses);
	assert_ok(read_entry(f, "a", &text), &f->err);
	etc_text_cstr(&f->maker.file, "appended");
	assert_fails(open_zip(f, etc_span_of(etc_text_str(&f->maker.file))), &f->err, E0403);
}

static void no_truncation_passes_for_the_whole(void **state)
{
	struct fixture *f = *state;
	struct zip_maker inner = { 0 };
	struct etc_span nested, file;

	zip_stored(&inner, "archive/data.pkl", "nested");
	nested = zip_finish(&inner, "");
	zip_raw(&f->maker, "weights", (struct etc_str){ (const char *)nested.ptr, nested.len }, 0,
	        0, (uint32_t)crc32_z(0, nested.ptr, nested.len), (uint32_t)nested.len);
	zip_stored(&f->maker, "z", "more");
	file = zip_finish(&f->maker, "");
	assert_ok(open_zip(f, file), &f->err);
	for (size_t n = 0; n < file.len; n++) {
		/* a copy of exactly that size, so that AddressSanitizer detects a read past the
		 * end */
		uint8_t *cut = malloc(n ? n : 1);
		enum etc_status st;

		memcpy(cut, file.ptr, n);
		st = open_zip(f, (struct etc_span){ cut, n });
		/* If the rest begins behind the nested archive, the file ends with that archive's
		 * end record, and is read as that archive. */
		if (st == ETC_OK) {
			assert_null(etc_zip_find(&f->zip, ETC_STR("weights")));
			assert_non_null(etc_zip_find(&f->zip, ETC_STR("archive/data.pkl")));
		}
		free(cut);
	}
	zip_release(&inner);
}

static void no_flipped_byte_changes_content_unseen(void **state)
{
	struct fixture *f = *state;
	struct etc_span file;
	uint8_t *copy;

	zip_stored(&f->maker, "a", "alpha");
	zip_deflated(&f->maker, "b", ETC_STR("beta "), 20);
	file = zip_finish(&f->maker, "");
	copy = malloc(file.len);
	for (size_t at = 0; at < file.len; at++)
		for (int bit = 0; bit < 8; bit++) {
			struct etc_zip_data data;

			memcpy(copy, file.ptr, file.len);
			copy[at] ^= (uint8_t)(1 << bit);
			if (open_zip(f, (struct etc_span){ copy, file.len }) != ETC_OK)
				continue;
			for (uint32_t i = 0; i < f->zip.count; i++)
				if (etc_zip_read(&f->zip, &f->zip.entries[i], 0, &f->arena, &data,
				                 &f->err) == ETC_OK &&
				    data.bytes.len)
					assert_true(data.bytes.ptr[0] == 'a' ||
					            data.bytes.ptr[0] == 'b');
		}
	free(copy);
}

static void damaged_entries_are_named(void **state)
{
	static const struct {
		const char *name;
		unsigned method, flags;
		uint32_t crc, size;
		enum etc_code code;
	} bad[] = {
		{ "crc", 0, 0, 1, 4, E0404 },        { "encrypted", 0, 1, 0, 4, E0405 },
		{ "patched", 0, 0x20, 0, 4, E0405 }, { "bzip2", 12, 0, 0, 4, E0405 },
		{ "lzma", 14, 0, 0, 4, E0405 },      { "deflate", 8, 0, 0, 4, E0404 },
	};
	struct fixture *f = *state;
	struct etc_str text;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		zip_raw(&f->maker, bad[i].name, ETC_STR("\xff\xff\xff\xff"), bad[i].method,
		        bad[i].flags, bad[i].crc, bad[i].size);
	assert_ok(open_zip(f, zip_finish(&f->maker, "")), &f->err);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_fails(read_entry(f, bad[i].name, &text), &f->err, bad[i].code);
		assert_non_null(strstr(f->err.text, bad[i].name));
	}
}

static void an_entry_that_inflates_beyond_reason_is_a_limit(void **state)
{
	static char zeros[1 << 20];
	struct fixture *f = *state;
	struct etc_zip_data data;
	struct etc_str text;
	size_t budget;

	zip_deflated(&f->maker, "bomb", (struct etc_str){ zeros, sizeof zeros }, 200);
	zip_stored(&f->maker, "a", "alpha");
	assert_ok(open_zip(f, zip_finish(&f->maker, "")), &f->err);
	budget = f->arena.budget;
	assert_fails(read_entry(f, "bomb", &text), &f->err, E0407);
	assert_int_equal(f->arena.budget, budget);
	assert_ok(read_entry(f, "a", &text), &f->err);
	/* the first bytes of the large entry can be read nevertheless */
	assert_ok(etc_zip_read(&f->zip, etc_zip_find(&f->zip, ETC_STR("bomb")), 2, &f->arena, &data,
	                       &f->err),
	          &f->err);
	assert_int_equal(data.bytes.len, 2);
}

static void an_entry_larger_than_the_budget_is_a_limit(void **state)
{
	static char zeros[1 << 20];
	struct fixture *f = *state;
	struct etc_arena small;
	struct etc_zip zip;
	struct etc_zip_data data;

	zip_deflated(&f->maker, "a", (struct etc_str){ zeros, sizeof zeros }, 4);
	etc_arena_init(&small, 1 << 20);
	assert_ok(etc_zip_open(zip_finish(&f->maker, ""), &small, &zip, &f->err), &f->err);
	assert_fails(etc_zip_read(&zip, &zip.entries[0], 0, &small, &data, &f->err), &f->err,
	             E0905);
	etc_arena_release(&small);
}

static void first_bytes_are_read_without_the_rest(void **state)
{
	struct fixture *f = *state;
	struct etc_zip_data data;

	zip_raw(&f->maker, "weights", ETC_STR("PK\003\004 and much more"), 0, 0, 12345, 18);
	assert_ok(open_zip(f, zip_finish(&f->maker, "")), &f->err);
	assert_ok(etc_zip_read(&f->zip, &f->zip.entries[0], 2, &f->arena, &data, &f->err), &f->err);
	assert_int_equal(data.bytes.len, 2);
	assert_memory_equal(data.bytes.ptr, "PK", 2);
}

static void seventy_thousand_entries_are_listed_in_linear_time(void **state)
{
	struct fixture *f = *state;
	struct etc_span file;
	char name[16];

	for (unsigned i = 0; i < 70000; i++) {
		snprintf(name, sizeof name, "e%u", i);
		zip_stored(&f->maker, name, "");
	}
	file = zip_finish(&f->maker, "");
	assert_ok(open_zip(f, file), &f->err);
	assert_int_equal(f->zip.count, 70000);
	assert_non_null(etc_zip_find(&f->zip, ETC_STR("e69999")));
}

static void what_is_no_archive_is_said_to_be_none(void **state)
{
	struct fixture *f = *state;

	assert_fails(open_zip(f, (struct etc_span){ 0 }), &f->err, E0401);
	assert_fails(open_zip(f, etc_span_of(ETC_STR("just some text, long enough for a record"))),
	             &f->err, E0401);
	assert_fails(open_zip(f, etc_span_of(ETC_STR("PK\003\004 and then nothing"))), &f->err,
	             E0403);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(stored_entries_are_views_and_deflated_ones_are_unpacked),
		T(the_last_of_two_entries_with_one_name_counts),
		T(bytes_in_front_of_the_archive_shift_every_offset),
		T(an_end_record_counts_only_if_its_comment_ends_with_the_file),
		T(no_truncation_passes_for_the_whole),
		T(no_flipped_byte_changes_content_unseen),
		T(damaged_entries_are_named),
		T(an_entry_that_inflates_beyond_reason_is_a_limit),
		T(an_entry_larger_than_the_budget_is_a_limit),
		T(first_bytes_are_read_without_the_rest),
		T(seventy_thousand_entries_are_listed_in_linear_time),
		T(what_is_no_archive_is_said_to_be_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
