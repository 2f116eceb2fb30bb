/* test_serial_log.c -- ETDumps in logs that are wrapped, interleaved, truncated or damaged. */
#include "unit.h"

#include "base/file.h"
#include "formats/etdump/serial_log.h"

/* base64 of "....ED00 dump", of "....ED00 last" and of "debug buffer". */
#define DUMP      "Li4uLkVEMDAgZHVtcA=="
#define LAST      "Li4uLkVEMDAgbGFzdA=="
#define BUFFER    "ZGVidWcgYnVmZmVy"
#define TO_DUMP   "\" | base64 -d >etdump.bin\n"
#define TO_BUFFER "\" | base64 -d >debug_buffer.bin\n"

struct fixture {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_serial_log log;
	struct etc_error err;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	etc_arena_init(&f->arena, 64 << 20);
	etc_notes_init(&f->notes, &f->arena);
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

static enum etc_status look(struct fixture *f, const char *text)
{
	f->err = (struct etc_error){ 0 };
	etc_notes_init(&f->notes, &f->arena);
	return etc_serial_log_read(etc_span_of(etc_str_of(text)), &f->arena, &f->notes, &f->log,
	                           &f->err);
}

static struct etc_str text_of(struct etc_span s)
{
	return (struct etc_str){ (const char *)s.ptr, s.len };
}

static const char *noted(const struct fixture *f, enum etc_code code)
{
	for (const struct etc_note *n = f->notes.first; n; n = n->next)
		if (n->code == code)
			return n->text.ptr;
	return NULL;
}

static void a_log_is_told_by_its_script(void **state)
{
	static const struct {
		const char *text;
		bool is;
	} texts[] = {
		{ "", false },
		{ "Hello, echo \"world\"\n", false },
		{ "echo \"" DUMP, true },
		{ "AAAA" TO_DUMP, true },
		{ "an echo \"of 16 letters but no base64\"", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		assert_int_equal(etc_serial_log_is(etc_span_of(etc_str_of(texts[i].text))),
		                 texts[i].is);
}

static void a_dump_and_its_debug_buffer_are_decoded(void **state)
{
	struct fixture *f = *state;

	assert_ok(look(f, "boot\r\n#[RUN THIS]\r\necho \"" BUFFER TO_BUFFER "echo \"" DUMP TO_DUMP),
	          &f->err);
	assert_str(text_of(f->log.dump), "....ED00 dump");
	assert_str(text_of(f->log.debug_buffer), "debug buffer");
	assert_int_equal(f->log.line, 4);
	assert_non_null(noted(f, N0223));
	assert_null(noted(f, N0224));
}

static void padding_may_be_of_any_length(void **state)
{
	static const struct {
		const char *base64, *bytes;
	} cases[] = { { "Li4uLkVE", "....ED" },
		      { "Li4uLkVEMA==", "....ED0" },
		      { "Li4uLkVEMDA=", "....ED00" } };
	struct fixture *f = *state;
	char log[128];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		snprintf(log, sizeof log, "echo \"%s" TO_DUMP, cases[i].base64);
		assert_ok(look(f, log), &f->err);
		assert_str(text_of(f->log.dump), cases[i].bytes);
	}
}

static void the_last_complete_dump_counts(void **state)
{
	struct fixture *f = *state;

	assert_ok(look(f, "echo \"" BUFFER TO_BUFFER "echo \"" DUMP TO_DUMP "echo \"" LAST TO_DUMP
	                  "echo \"" DUMP),
	          &f->err);
	assert_str(text_of(f->log.dump), "....ED00 last");
	assert_int_equal(f->log.debug_buffer.len, 0);
	assert_int_equal(f->log.line, 3);
	assert_non_null(strstr(noted(f, N0224), "2 of them"));
	assert_non_null(strstr(noted(f, W0222), "line 4"));
}

static void wrapped_and_interrupted_lines_are_joined(void **state)
{
	static const char *const logs[] = {
		"echo \"Li4uLkVEMDAgZHVt\ncA==" TO_DUMP,
		"echo \"Li4uLkVEMDAgZHVt\r\nDone\r\nWaiting for 3 s\r\ncA==" TO_DUMP,
		"12 I [a:7] echo \"Li4uLkVEMDAg\n13 I [a:10] ZHVtcA==" TO_DUMP,
		"echo \"Li4uLkVEMDAgI [executorch:dma.cpp:4] ready\nZHVtcA==" TO_DUMP,
		"echo \"Li4uLkVEMDAg[17.5] tick\nZHVtcA==" TO_DUMP,
		/* the name of the output file is damaged, but no byte of the dump */
		"echo \"" DUMP "\" | base64 -d >et",
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
		assert_ok(look(f, logs[i]), &f->err);
		assert_str(text_of(f->log.dump), "....ED00 dump");
	}
}

static void damage_has_a_code_and_a_line(void **state)
{
	static const struct {
		const char *text;
		enum etc_code code;
		uint32_t line;
	} cases[] = {
		{ "\necho \"" DUMP, E0220, 2 },
		{ "\necho \"Li4uLkVEMDAgZHVt\n#[END]\n", E0220, 2 },
		{ "\n\nZHVtcA==" TO_DUMP, E0220, 3 },
		{ "echo \"" BUFFER TO_BUFFER, E0220, 0 },
		{ "\necho \"Li4uLkVEMDAgZHVtcA=" TO_DUMP, E0221, 2 },
		{ "\necho \"Li4uL=VEMDAgZHVtcA==" TO_DUMP, E0221, 2 },
		{ "\necho \"Li4uLkV*MDAgZHVtcA==" TO_DUMP, E0221, 2 },
		{ "\necho \"" TO_DUMP, E0221, 2 },
		/* if both a debug buffer and a dump are damaged, the dump is reported */
		{ "echo \"A" TO_BUFFER "echo \"AAAAA" TO_DUMP, E0221, 2 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_fails(look(f, cases[i].text), &f->err, cases[i].code);
		assert_int_equal(f->err.line, cases[i].line);
	}
}

/* A real log is truncated at every position. The result must be the dump or an error with a code,
 * without a read past the end. */
static void a_log_may_end_anywhere(void **state)
{
	struct fixture *f = *state;
	struct etc_file file = { 0 };
	struct etc_span dump;
	unsigned whole = 0;

	assert_ok(etc_file_open(&file, "tests/data/logs/wrapped.log", 1 << 20, &f->err), &f->err);
	assert_ok(etc_serial_log_read(file.bytes, &f->arena, &f->notes, &f->log, &f->err), &f->err);
	dump = f->log.dump;
	assert_int_equal(dump.len, 1608);
	for (size_t n = 0; n < file.bytes.len; n++) {
		uint8_t *copy = malloc(n ? n : 1);
		struct etc_serial_log log;
		struct etc_arena arena;
		enum etc_status st;

		etc_arena_init(&arena, 1 << 20);
		memcpy(copy, file.bytes.ptr, n);
		st = etc_serial_log_read((struct etc_span){ copy, n }, &arena, NULL, &log, &f->err);
		if (st == ETC_OK) {
			whole++;
			assert_int_equal(log.dump.len, dump.len);
			assert_memory_equal(log.dump.ptr, dump.ptr, dump.len);
		} else {
			assert_int_equal(st, ETC_CORRUPT);
		}
		etc_arena_release(&arena);
		free(copy);
	}
	assert_true(whole > 0 && whole < 200);
	etc_file_release(&file);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_log_is_told_by_its_script),
		TEST(a_dump_and_its_debug_buffer_are_decoded),
		TEST(padding_may_be_of_any_length),
		TEST(the_last_complete_dump_counts),
		TEST(wrapped_and_interrupted_lines_are_joined),
		TEST(damage_has_a_code_and_a_line),
		TEST(a_log_may_end_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
