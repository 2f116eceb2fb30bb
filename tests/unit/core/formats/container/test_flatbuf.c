/* test_flatbuf.c -- the reader of FlatBuffers: fields, absent and shared tables, damaged offsets
 * and vtables. */
#include "build.h"

#include "formats/container/flatbuf.h"

static const struct etc_fb_type type = { "Sample", 5, { 1, 4, 8, 4, 4 } };

static void open_build(struct etc_fb *fb, struct etc_fb_layouts *layouts, const struct build *b)
{
	etc_fb_init(fb, (struct etc_span){ b->bytes, b->len }, 100);
	etc_fb_layouts_init(layouts, &type);
}

static void reads_fields_wherever_they_lie(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_fb_table t;
	struct etc_fb fb;
	size_t at[5], table;

	(void)state;
	put(&b, "xyz", 3); /* three bytes, so that nothing after them is aligned */
	table = put_table(&b, "14804", at);
	b.bytes[at[0]] = 0xff;
	set_u32(&b, at[1], 0x80000001u);
	set_u64(&b, at[2], 0x8000000000000002u);
	link_here(&b, at[4]);
	put_text(&b, "abc");
	open_build(&fb, &layouts, &b);
	t = etc_fb_table_at(&fb, &layouts, table);
	assert_int_equal(t.at, table);
	assert_int_equal(etc_fb_u8(&fb, t, 0, 7), 0xff);
	assert_int_equal(etc_fb_i32(&fb, t, 1, 7), INT32_MIN + 1);
	assert_true(etc_fb_u64(&fb, t, 2, 7) == 0x8000000000000002u);
	assert_false(etc_fb_has(t, 3));
	assert_int_equal(etc_fb_u32(&fb, t, 3, 77), 77);
	assert_str(etc_fb_str(&fb, t, 4), "abc");
	assert_ok(etc_fb_check(&fb, NULL), NULL);
	assert_true(fb.no_nul == SIZE_MAX);
}

static void follows_a_vtable_behind_its_table(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_fb_table t;
	struct etc_fb fb;

	(void)state;
	put_u32(&b, (uint32_t)-8); /* offset to the vtable, 8 bytes further on */
	put(&b, "\x2a\0\0\0", 4);
	put_u16(&b, 6);
	put_u16(&b, 8);
	put_u16(&b, 4);
	open_build(&fb, &layouts, &b);
	/* As a position, 0 means "no table". So all bytes are moved by one. */
	memmove(b.bytes + 1, b.bytes, b.len++);
	fb.len = b.len;
	t = etc_fb_table_at(&fb, &layouts, 1);
	assert_int_equal(t.at, 1);
	assert_int_equal(etc_fb_u8(&fb, t, 0, 0), 0x2a);
	/* a field whose slot is beyond the vtable has its default */
	assert_int_equal(etc_fb_u32(&fb, t, 1, 5), 5);
	assert_ok(etc_fb_check(&fb, NULL), NULL);
}

static void reads_an_absent_table_as_defaults(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_fb_table t;
	struct etc_fb fb;

	(void)state;
	put_u32(&b, 0);
	open_build(&fb, &layouts, &b);
	t = etc_fb_table_at(&fb, &layouts, 0);
	assert_int_equal(t.at, 0);
	assert_int_equal(etc_fb_u32(&fb, t, 1, 9), 9);
	assert_null(etc_fb_str(&fb, t, 4).ptr);
	assert_false(etc_fb_vector(&fb, t, 3, 4).present);
	assert_ok(etc_fb_check(&fb, NULL), NULL);
}

/* A table whose offset to its vtable is 0 is its own vtable. The vtable then begins with this 0,
 * which is read as its size. */
static void reads_a_table_that_is_its_own_vtable_as_empty(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_fb_table t;
	struct etc_fb fb;
	size_t at[2], table = put_table(&b, "14", at);

	(void)state;
	set_u32(&b, table, 0);
	set_u32(&b, at[1], 5);
	open_build(&fb, &layouts, &b);
	t = etc_fb_table_at(&fb, &layouts, table);
	assert_int_equal(t.at, table);
	assert_int_equal(etc_fb_u32(&fb, t, 1, 9), 9);
	assert_null(fb.fault);
}

/* Vtables with one fault each: their numbers, and the reason in the error. */
static const struct {
	uint16_t size, bytes, slot;
	const char *fault;
} vtables[] = {
	{ 0, 5, 4, "vtable of an impossible size" },
	{ 2, 5, 4, "vtable of an impossible size" },
	{ 5, 5, 4, "vtable of an impossible size" },
	{ 7, 5, 4, "vtable of an impossible size" },
	{ 0xfffe, 5, 4, "vtable ends outside the file" },
	{ 6, 0, 0, "table of an impossible size" },
	{ 6, 3, 0, "table of an impossible size" },
	{ 6, 0xffff, 4, "table ends outside the file" },
	{ 6, 5, 3, "field outside its table" },
	{ 6, 5, 5, "field outside its table" },
	{ 6, 5, 0xffff, "field outside its table" },
};

static void refuses_damaged_vtables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof vtables / sizeof vtables[0]; i++) {
		struct build b = { .len = 0 };
		struct etc_fb_layouts layouts;
		struct etc_error err;
		struct etc_fb fb;
		size_t at[1], table = put_table(&b, "1", at);

		memcpy(b.bytes, &vtables[i].size, 2);
		memcpy(b.bytes + 2, &vtables[i].bytes, 2);
		memcpy(b.bytes + 4, &vtables[i].slot, 2);
		open_build(&fb, &layouts, &b);
		assert_int_equal(etc_fb_table_at(&fb, &layouts, table).at, 0);
		assert_fails(etc_fb_check(&fb, &err), &err, E0205);
		if (!strstr(err.text, vtables[i].fault))
			fail_msg("vtable %zu: %s", i, err.text);
	}
}

static void refuses_a_vtable_outside_the_file(void **state)
{
	static const int32_t back[] = { INT32_MIN, INT32_MAX, 100, -100, -3 };

	(void)state;
	for (size_t i = 0; i < sizeof back / sizeof back[0]; i++) {
		struct build b = { .len = 0 };
		struct etc_fb_layouts layouts;
		struct etc_fb fb;
		size_t at[1], table = put_table(&b, "1", at);

		set(&b, table, &back[i], 4);
		open_build(&fb, &layouts, &b);
		assert_int_equal(etc_fb_table_at(&fb, &layouts, table).at, 0);
		assert_non_null(fb.fault);
	}
}

static void refuses_offsets_and_lengths_beyond_the_end(void **state)
{
	static const uint32_t steps[] = { 0, 1000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		struct build b = { .len = 0 };
		struct etc_fb_layouts layouts;
		struct etc_fb fb;
		size_t at[5], table = put_table(&b, "00004", at);

		set_u32(&b, at[4], steps[i]);
		open_build(&fb, &layouts, &b);
		assert_null(etc_fb_str(&fb, etc_fb_table_at(&fb, &layouts, table), 4).ptr);
		assert_string_equal(fb.fault, "offset leads outside the file");
		assert_int_equal(fb.fault_at, at[4]);
	}
	for (uint32_t count = 2; count; count = count == 2 ? UINT32_MAX : 0) {
		struct build b = { .len = 0 };
		struct etc_fb_layouts layouts;
		struct etc_fb fb;
		size_t at[5], table = put_table(&b, "00044", at);

		link_here(&b, at[3]);
		link_here(&b, at[4]);
		put_u32(&b, count);
		put_u16(&b, 0); /* two bytes only: no room for a second element, or for a NUL */
		open_build(&fb, &layouts, &b);
		assert_false(
			etc_fb_vector(&fb, etc_fb_table_at(&fb, &layouts, table), 3, 8).present);
		assert_string_equal(fb.fault, "vector ends outside the file");
		open_build(&fb, &layouts, &b);
		assert_null(etc_fb_str(&fb, etc_fb_table_at(&fb, &layouts, table), 4).ptr);
		assert_non_null(fb.fault);
	}
}

static void remembers_text_without_a_nul(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_fb fb;
	size_t at[5], table = put_table(&b, "00004", at);

	(void)state;
	link_here(&b, at[4]);
	put_u32(&b, 2);
	put(&b, "abc", 3);
	open_build(&fb, &layouts, &b);
	assert_str(etc_fb_str(&fb, etc_fb_table_at(&fb, &layouts, table), 4), "ab");
	assert_null(fb.fault);
	assert_int_equal(fb.no_nul, b.len - 3);
}

static void keeps_the_first_fault(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_error err;
	struct etc_fb fb;

	(void)state;
	put_u32(&b, 0);
	open_build(&fb, &layouts, &b);
	etc_fb_table_at(&fb, &layouts, 3);
	etc_fb_spend(&fb, 1000);
	assert_false(fb.spent);
	assert_fails(etc_fb_check(&fb, &err), &err, E0205);
	assert_int_equal(err.at, 3);
}

static void bounds_visits(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_error err;
	struct etc_fb fb;

	(void)state;
	put_u32(&b, 0);
	open_build(&fb, &layouts, &b);
	etc_fb_spend(&fb, 60);
	etc_fb_spend(&fb, 40);
	assert_null(fb.fault);
	etc_fb_spend(&fb, 1);
	assert_fails(etc_fb_check(&fb, &err), &err, E0206);
}

/* There are more vtables than the cache has entries, so some share an entry. */
static void tells_layouts_apart(void **state)
{
	struct build b = { .len = 0 };
	struct etc_fb_layouts layouts;
	struct etc_fb fb;
	size_t tables[200], at[5];

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		tables[i] = put_table(&b, i % 3 ? "14" : "1804", at);
		b.bytes[at[0]] = (uint8_t)i;
		put(&b, "\0\0\0", i % 4);
	}
	open_build(&fb, &layouts, &b);
	for (size_t round = 0; round < 3; round++)
		for (size_t i = 0; i < 200; i++) {
			size_t k = round % 2 ? 199 - i : i;
			struct etc_fb_table t = etc_fb_table_at(&fb, &layouts, tables[k]);

			assert_int_equal(etc_fb_u8(&fb, t, 0, 0), k);
			assert_int_equal(etc_fb_has(t, 3), k % 3 == 0);
		}
	assert_null(fb.fault);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_fields_wherever_they_lie),
		cmocka_unit_test(follows_a_vtable_behind_its_table),
		cmocka_unit_test(reads_an_absent_table_as_defaults),
		cmocka_unit_test(reads_a_table_that_is_its_own_vtable_as_empty),
		cmocka_unit_test(refuses_damaged_vtables),
		cmocka_unit_test(refuses_a_vtable_outside_the_file),
		cmocka_unit_test(refuses_offsets_and_lengths_beyond_the_end),
		cmocka_unit_test(remembers_text_without_a_nul),
		cmocka_unit_test(keeps_the_first_fault),
		cmocka_unit_test(bounds_visits),
		cmocka_unit_test(tells_layouts_apart),
	};
	return cmocka_run_group_tests_name("flatbuf", tests, NULL, NULL);
}
