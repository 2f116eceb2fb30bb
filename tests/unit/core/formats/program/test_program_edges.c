/* Damages a program, a bundled program and a data file in one place at a time. Each word of their
 * tables gets values that are rarely valid. The result must be a value, or an error with a code.
 * The time that it takes must not depend on the damage. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tensor/program_sizes.h"
#include "memory/timeline.h"
#include "formats/program/bundled.h"
#include "formats/program/program.h"
#include "formats/program/tensor_file.h"

#define PTE "tests/data/pte/"

struct bytes {
	uint8_t *ptr;
	size_t len;
};

static struct bytes load(const char *path)
{
	struct bytes b = { 0 };
	FILE *f = fopen(path, "rb");

	if (!f)
		fail_msg("cannot open %s", path);
	fseek(f, 0, SEEK_END);
	b.len = (size_t)ftell(f);
	rewind(f);
	/* a block of exactly the file's size, so that ASan detects a read past the end */
	b.ptr = malloc(b.len);
	assert_non_null(b.ptr);
	assert_int_equal(fread(b.ptr, 1, b.len, f), b.len);
	fclose(f);
	return b;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- reading the damaged bytes ----------------------------------------------------- */

typedef enum etc_status ask_fn(struct etc_span file, struct etc_arena *arena,
                               struct etc_error *err);

static enum etc_status plan(const struct etc_program *p, struct etc_arena *arena,
                            struct etc_error *err)
{
	for (uint32_t i = 0; i < p->method_count; i++) {
		struct etc_lifetimes l;
		struct etc_timeline t;

		ETC_TRY(etc_lifetimes_find(&p->methods[i], arena, &l, err));
		ETC_TRY(etc_timeline_make(&p->methods[i], &l, arena, &t, err));
	}
	return ETC_OK;
}

static enum etc_status ask_program(struct etc_span file, struct etc_arena *arena,
                                   struct etc_error *err)
{
	struct etc_program_sizes sizes;
	struct etc_program p;

	ETC_TRY(etc_program_read_whole(file, NULL, arena, &p, err));
	ETC_TRY(etc_program_sizes(&p, file, arena, &sizes, err));
	return plan(&p, arena, err);
}

static enum etc_status ask_bundled(struct etc_span file, struct etc_arena *arena,
                                   struct etc_error *err)
{
	struct etc_bundled_program b;
	struct etc_program p;

	ETC_TRY(etc_bundled_read(file, NULL, arena, &b, err));
	return etc_program_read_whole(b.program, NULL, arena, &p, err);
}

static enum etc_status ask_tensors(struct etc_span file, struct etc_arena *arena,
                                   struct etc_error *err)
{
	struct etc_tensor_file f;

	return etc_tensor_file_read(file, NULL, arena, &f, err);
}

/* ---- breaking ------------------------------------------------------------------------- */

struct tally {
	unsigned long asked, refused;
	double slowest;
};

static void ask(const struct bytes *b, size_t at, ask_fn *question, struct tally *t)
{
	struct etc_error err = { .at = -1 };
	struct etc_arena arena;
	double begin = seconds(), took;
	enum etc_status st;

	etc_arena_init(&arena, (size_t)16 << 20);
	st = question((struct etc_span){ b->ptr, b->len }, &arena, &err);
	etc_arena_release(&arena);
	took = seconds() - begin;
	t->asked++;
	t->refused += st != ETC_OK;
	t->slowest = took > t->slowest ? took : t->slowest;
	if (st != ETC_OK && (err.code == ETC_CODE_NONE || !err.text[0]))
		fail_msg("byte %zu: status %d without a code", at, (int)st);
}

/* Damages each word of four bytes: offsets, lengths, indices, numbers. */
static void break_words(struct bytes *b, size_t from, size_t to, ask_fn *question, struct tally *t)
{
	for (size_t at = from; at + 4 <= to; at += 4) {
		uint32_t was, now[] = { 0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff,
			                (uint32_t)b->len, (uint32_t)(b->len - at),
			                /* an offset to the first byte */
			                (uint32_t)(0 - at),
			                /* an offset to byte 64 */
			                (uint32_t)((size_t)64 - at) };

		memcpy(&was, b->ptr + at, sizeof was);
		for (size_t i = 0; i < sizeof now / sizeof now[0] + 2; i++) {
			uint32_t value = i < sizeof now / sizeof now[0] ? now[i]
			                 : i % 2                        ? was + 1
			                                                : was - 4;

			memcpy(b->ptr + at, &value, sizeof value);
			ask(b, at, question, t);
		}
		memcpy(b->ptr + at, &was, sizeof was);
	}
}

/* Damages each word of two bytes: the entries of vtables. */
static void break_halves(struct bytes *b, size_t from, size_t to, ask_fn *question, struct tally *t)
{
	for (size_t at = from; at + 2 <= to; at += 2) {
		uint16_t was, now[] = { 0, 2, 4, 6, 0x7fff, 0xffff };

		memcpy(&was, b->ptr + at, sizeof was);
		for (size_t i = 0; i < sizeof now / sizeof now[0]; i++) {
			memcpy(b->ptr + at, &now[i], sizeof now[i]);
			ask(b, at, question, t);
		}
		memcpy(b->ptr + at, &was, sizeof was);
	}
}

static void break_file(const char *path, size_t limit, ask_fn *question)
{
	struct bytes b = load(path);
	struct tally t = { 0 };
	size_t to = b.len < limit ? b.len : limit;

	ask(&b, 0, question, &t);
	assert_int_equal(t.refused, 0); /* the undamaged file is read */
	break_words(&b, 0, to, question, &t);
	break_halves(&b, 0, to, question, &t);
	if (t.refused < t.asked / 20)
		fail_msg("%s: %lu of %lu refused: are these its tables?", path, t.refused, t.asked);
	if (t.slowest > 0.5)
		fail_msg("%s: one answer took %.1f s", path, t.slowest);
	free(b.ptr);
}

static void no_broken_edge_of_a_program_is_believed(void **state)
{
	(void)state;
	break_file(PTE "models/mutable_buffers/model.pte", 3000, ask_program);
	break_file(PTE "models/device_memory/model.pte", 2600, ask_program);
	break_file(PTE "models/external_some/model.pte", 2600, ask_program);
}

static void no_broken_edge_of_control_flow_is_believed(void **state)
{
	(void)state;
	break_file(PTE "models/control_flow/model.pte", 4600, ask_program);
}

static void no_broken_edge_of_a_program_of_2024_is_believed(void **state)
{
	(void)state;
	break_file(PTE "programs/old_0.3.0_mlp_portable.pte", 4000, ask_program);
}

static void no_broken_edge_of_a_bundled_program_is_believed(void **state)
{
	(void)state;
	break_file(PTE "bundled/scalars/model.bpte", 5000, ask_bundled);
}

static void no_broken_edge_of_a_data_file_is_believed(void **state)
{
	(void)state;
	break_file(PTE "models/external_some/weights_a.ptd", 1000, ask_tensors);
}

/* ---- extreme lifetimes -------------------------------------------------------------- */

enum { MANY = 20000 };

/* Makes a method with a chain of kernels that use `tensors` tensors, which are `step` bytes apart.
 * With `loops`, a jump back to the beginning follows each kernel. Plans the method's memory; *code
 * gets the error. Returns the seconds that it took. */
static double plan_made(uint32_t tensors, bool loops, uint64_t step, enum etc_code *code)
{
	struct etc_evalue *values = calloc(tensors, sizeof *values);
	struct etc_evalue_tensor *t = calloc(tensors, sizeof *t);
	struct etc_instruction *n = calloc((size_t)tensors * 2, sizeof *n);
	int32_t *args = calloc((size_t)tensors * 2, sizeof *args);
	static const int64_t sizes[2] = { 0, 1 << 20 };
	static const int32_t side[1] = { 64 };
	struct etc_operator add = { .name = ETC_STR("a"), .text = ETC_STR("a") };
	struct etc_program_chain chain = { .instructions = n };
	struct etc_program_method m = {
		.name = ETC_STR("m"),
		.chains = &chain,
		.operators = &add,
		.chain_count = 1,
		.operator_count = 1,
		.values = values,
		.value_count = tensors,
		.memory = { (const uint8_t *)sizes, 2 },
	};
	struct etc_program p = { .methods = &m, .method_count = 1 };
	struct etc_error err = { .at = -1 };
	struct etc_arena arena;
	double begin;

	assert_true(values && t && n && args);
	for (uint32_t i = 0; i < tensors; i++) {
		t[i] = (struct etc_evalue_tensor){ .scalar_type = 6,
			                           .planned = true,
			                           .memory_id = 1,
			                           .memory_offset = i * step,
			                           .sizes = { (const uint8_t *)side, 1 } };
		values[i] = (struct etc_evalue){ .kind = ETC_EVALUE_TENSOR, .tensor = &t[i] };
		args[2 * i] = (int32_t)(i ? i - 1 : 0);
		args[2 * i + 1] = (int32_t)i;
		n[chain.count++] =
			(struct etc_instruction){ .kind = ETC_INSTRUCTION_KERNEL,
			                          .args = { (const uint8_t *)&args[2 * i], 2 } };
		if (loops)
			n[chain.count++] = (struct etc_instruction){
				.kind = ETC_INSTRUCTION_JUMP_FALSE, .index = 0, .other = 0
			};
	}
	etc_arena_init(&arena, (size_t)256 << 20);
	begin = seconds();
	(void)(plan(&p, &arena, &err) == ETC_OK);
	begin = seconds() - begin;
	*code = err.code;
	etc_arena_release(&arena);
	free(values);
	free(t);
	free(n);
	free(args);
	return begin;
}

static void lifetimes_and_peak_grow_with_the_number_of_tensors_only(void **state)
{
	enum etc_code code;
	double some = plan_made(MANY / 10, false, 256, &code), all;

	(void)state;
	assert_int_equal(code, ETC_CODE_NONE);
	all = plan_made(MANY, false, 256, &code);
	assert_int_equal(code, ETC_CODE_NONE);
	if (all > 40 * (some > 0.001 ? some : 0.001))
		fail_msg("ten times the tensors took %.1f times as long", all / some);
}

static void tensors_that_all_share_bytes_take_no_square_of_time(void **state)
{
	enum etc_code code;
	double took = plan_made(MANY, false, 1, &code);

	(void)state;
	if (took > 2)
		fail_msg("%.1f s", took);
}

static void jumps_back_by_the_thousand_end_in_time(void **state)
{
	enum etc_code code;
	double took = plan_made(MANY, true, 256, &code);

	(void)state;
	assert_true(code == ETC_CODE_NONE || code == E0434);
	if (took > 4)
		fail_msg("%.1f s", took);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_broken_edge_of_a_program_is_believed),
		cmocka_unit_test(no_broken_edge_of_control_flow_is_believed),
		cmocka_unit_test(no_broken_edge_of_a_program_of_2024_is_believed),
		cmocka_unit_test(no_broken_edge_of_a_bundled_program_is_believed),
		cmocka_unit_test(no_broken_edge_of_a_data_file_is_believed),
		cmocka_unit_test(lifetimes_and_peak_grow_with_the_number_of_tensors_only),
		cmocka_unit_test(tensors_that_all_share_bytes_take_no_square_of_time),
		cmocka_unit_test(jumps_back_by_the_thousand_end_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
