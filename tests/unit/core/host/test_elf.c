/* test_elf.c -- reading a plugin's ELF file, also a damaged one or one for another processor. */
#include "unit.h"

#include "base/file.h"
#include "host/elf.h"

#define PLUGINS ETC_TEST_PLUGINS "/"

static struct etc_elf read_file(const char *path, uint32_t major)
{
	struct etc_error err = { 0 };
	struct etc_file file;
	struct etc_elf elf;

	assert_ok(etc_file_open(&file, path, 0, &err), &err);
	elf = etc_elf_read(file.bytes, major);
	etc_file_release(&file);
	return elf;
}

static void tells_plugins_from_other_files(void **state)
{
	(void)state;
	assert_int_equal(read_file(PLUGINS "good.so", 1).kind, ETC_ELF_PLUGIN);
	assert_int_equal(read_file(PLUGINS "throws.so", 1).kind, ETC_ELF_PLUGIN);
	assert_int_equal(read_file(PLUGINS "no_symbol.so", 1).kind, ETC_ELF_NO_ENTRY);
	assert_int_equal(read_file("CMakeLists.txt", 1).kind, ETC_ELF_NOT);
	assert_int_equal(etc_elf_read((struct etc_span){ 0 }, 1).kind, ETC_ELF_NOT);
}

static void names_the_abi_of_a_stranger(void **state)
{
	struct etc_elf elf = read_file(PLUGINS "later_abi.so", 1);

	(void)state;
	assert_int_equal(elf.kind, ETC_ELF_OTHER_ABI);
	assert_int_equal(elf.major, 2);
	elf = read_file(PLUGINS "later_abi.so", 2);
	assert_int_equal(elf.kind, ETC_ELF_PLUGIN);
	elf = read_file(PLUGINS "good.so", 3);
	assert_int_equal(elf.kind, ETC_ELF_OTHER_ABI);
	assert_int_equal(elf.major, 1);
}

/* The tool sstrip removes the section headers, which the dynamic linker does not use. */
static void needs_no_section_headers(void **state)
{
	static const struct {
		const char *name;
		uint32_t major;
		enum etc_elf_kind kind;
	} files[] = {
		{ "good.so", 1, ETC_ELF_PLUGIN },        { "throws.so", 1, ETC_ELF_PLUGIN },
		{ "no_symbol.so", 1, ETC_ELF_NO_ENTRY }, { "later_abi.so", 1, ETC_ELF_OTHER_ABI },
		{ "later_abi.so", 2, ETC_ELF_PLUGIN },
	};
	/* Position and size in bytes of the header fields e_shoff, and of e_shnum with e_shstrndx:
	 * in ELF64 and in ELF32. */
	static const struct {
		size_t at, n;
	} wide[] = { { 40, 8 }, { 60, 4 } }, narrow[] = { { 32, 4 }, { 48, 4 } };
	struct etc_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		char path[1024];
		struct etc_file file;
		uint8_t *copy;

		snprintf(path, sizeof path, "%s%s", PLUGINS, files[i].name);
		assert_ok(etc_file_open(&file, path, 0, &err), &err);
		copy = malloc(file.bytes.len);
		assert_non_null(copy);
		memcpy(copy, file.bytes.ptr, file.bytes.len);
		for (int k = 0; k < 2; k++) {
			bool is_wide = copy[4] == 2;

			memset(copy + (is_wide ? wide[k].at : narrow[k].at), 0,
			       is_wide ? wide[k].n : narrow[k].n);
		}
		assert_int_equal(
			etc_elf_read((struct etc_span){ copy, file.bytes.len }, files[i].major)
				.kind,
			files[i].kind);
		/* A truncated file may be rejected or still valid, but is not read past its end. */
		for (size_t n = 0; n < file.bytes.len; n += 97) {
			uint8_t *cut = malloc(n + 1);

			assert_non_null(cut);
			memcpy(cut, copy, n);
			etc_elf_read((struct etc_span){ cut, n }, 1);
			free(cut);
		}
		free(copy);
		etc_file_release(&file);
	}
}

/* ---- generated files: both classes, both byte orders ----------------------------- */

struct maker {
	uint8_t bytes[1024];
	bool wide, big;
};

static void put(struct maker *m, size_t at, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		m->bytes[at + (m->big ? n - 1 - i : i)] = (uint8_t)(v >> (8 * i));
}

static void section(struct maker *m, unsigned i, uint32_t type, uint64_t at, uint64_t size,
                    uint32_t link)
{
	size_t to = 512 + i * (m->wide ? 64u : 40u);
	unsigned word = m->wide ? 8 : 4;

	put(m, to + 4, type, 4);
	put(m, to + (m->wide ? 24 : 16), at, word);
	put(m, to + (m->wide ? 32 : 20), size, word);
	put(m, to + (m->wide ? 40 : 24), link, 4);
}

/* Makes a shared object whose only symbol is `name`, defined in the section `defined_in`; 0:
 * undefined. */
static struct maker make(bool wide, bool big, const char *name, unsigned defined_in)
{
	struct maker m = { { 0x7f, 'E', 'L', 'F' }, wide, big };
	unsigned each = wide ? 24 : 16;

	m.bytes[4] = wide ? 2 : 1;
	m.bytes[5] = big ? 2 : 1;
	put(&m, 16, 3, 2);
	put(&m, 18, wide ? 183 : 40, 2);
	put(&m, wide ? 40 : 32, 512, wide ? 8 : 4);
	put(&m, wide ? 58 : 46, wide ? 64 : 40, 2);
	put(&m, wide ? 60 : 48, 3, 2);
	section(&m, 1, 11, 128, 2 * each, 2);
	section(&m, 2, 3, 256, 64, 0);
	put(&m, 128 + each, 1, 4);
	put(&m, 128 + each + (wide ? 4 : 12), 0x11, 1);
	put(&m, 128 + each + (wide ? 6 : 14), defined_in, 2);
	memcpy(m.bytes + 257, name, strlen(name));
	return m;
}

static enum etc_elf_kind kind_of(const struct maker *m)
{
	return etc_elf_read((struct etc_span){ m->bytes, sizeof m->bytes }, 1).kind;
}

static void reads_both_classes_and_byte_orders(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct maker m = make(i & 1, i & 2, "etcore_plugin_v1", 1);

		assert_int_equal(kind_of(&m), ETC_ELF_PLUGIN);
		m = make(i & 1, i & 2, "etcore_plugin_v1", 0);
		assert_int_equal(kind_of(&m), ETC_ELF_NO_ENTRY);
		m = make(i & 1, i & 2, "etcore_plugin_v12", 1);
		assert_int_equal(kind_of(&m), ETC_ELF_OTHER_ABI);
		m = make(i & 1, i & 2, "etcore_plugin_v", 1);
		assert_int_equal(kind_of(&m), ETC_ELF_NO_ENTRY);
		m = make(i & 1, i & 2, "etcore_plugin_v1x", 1);
		assert_int_equal(kind_of(&m), ETC_ELF_NO_ENTRY);
		m = make(i & 1, i & 2, "etcore_plugin_v99999999999", 1);
		assert_int_equal(kind_of(&m), ETC_ELF_NO_ENTRY);
	}
}

static void finds_the_end_of_a_variable(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct maker m = make(i & 1, i & 2, "list", 1);
		struct etc_span file = { m.bytes, sizeof m.bytes };
		unsigned each = m.wide ? 24 : 16, word = m.wide ? 8 : 4;

		put(&m, 128 + each + word, 0x3000, word);
		put(&m, 128 + each + 2 * word, 24, word);
		assert_int_equal(etc_elf_object_end(file, 0x3000), 0); /* a dynamic symbol only */
		section(&m, 1, 2, 128, 2 * each, 2);
		assert_int_equal(etc_elf_object_end(file, 0x3000), 0x3018);
		assert_int_equal(etc_elf_object_end(file, 0x3017), 0x3018);
		assert_int_equal(etc_elf_object_end(file, 0x3018), 0);
		assert_int_equal(etc_elf_object_end(file, 0x2fff), 0);
	}
}

static void refuses_tables_outside_the_file(void **state)
{
	struct maker m = make(true, false, "etcore_plugin_v1", 1);

	(void)state;
	put(&m, 40, UINT64_MAX - 8, 8);
	assert_int_equal(kind_of(&m), ETC_ELF_DAMAGED);
	m = make(true, false, "etcore_plugin_v1", 1);
	section(&m, 1, 11, 128, UINT64_MAX, 2);
	assert_int_equal(kind_of(&m), ETC_ELF_DAMAGED);
	m = make(true, false, "etcore_plugin_v1", 1);
	section(&m, 1, 11, 128, 48, 77);
	assert_int_equal(kind_of(&m), ETC_ELF_DAMAGED);
	m = make(true, false, "etcore_plugin_v1", 1);
	section(&m, 2, 3, 1020, 64, 0);
	assert_int_equal(kind_of(&m), ETC_ELF_DAMAGED);
	m = make(true, false, "etcore_plugin_v1", 1);
	put(&m, 58, 3, 2);
	assert_int_equal(kind_of(&m), ETC_ELF_DAMAGED);
}

/* In the first table, the name ends where the table ends, without a NUL. */
static void stops_at_the_end_of_the_names(void **state)
{
	struct maker m = make(true, false, "etcore_plugin_v1", 1);

	(void)state;
	section(&m, 2, 3, 256, 1 + 15, 0);
	assert_int_equal(kind_of(&m), ETC_ELF_NO_ENTRY);
	section(&m, 2, 3, 256, 1 + 16, 0);
	assert_int_equal(kind_of(&m), ETC_ELF_PLUGIN);
}

static void survives_every_prefix_of_a_plugin(void **state)
{
	struct etc_error err = { 0 };
	struct etc_file file;

	(void)state;
	assert_ok(etc_file_open(&file, PLUGINS "adds.so", 0, &err), &err);
	for (size_t n = 0; n < file.bytes.len; n += n < 4096 ? 1 : 97) {
		uint8_t *exact = malloc(n ? n : 1);

		assert_non_null(exact);
		memcpy(exact, file.bytes.ptr, n);
		if (etc_elf_read((struct etc_span){ exact, n }, 1).kind == ETC_ELF_PLUGIN)
			assert_true(n > file.bytes.len / 2);
		free(exact);
	}
	etc_file_release(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_plugins_from_other_files),
		cmocka_unit_test(names_the_abi_of_a_stranger),
		cmocka_unit_test(needs_no_section_headers),
		cmocka_unit_test(finds_the_end_of_a_variable),
		cmocka_unit_test(reads_both_classes_and_byte_orders),
		cmocka_unit_test(refuses_tables_outside_the_file),
		cmocka_unit_test(stops_at_the_end_of_the_names),
		cmocka_unit_test(survives_every_prefix_of_a_plugin),
	};
	return cmocka_run_group_tests_name("elf", tests, NULL, NULL);
}
