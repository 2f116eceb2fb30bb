/* Programs (.pte): real ones, compared with ExecuTorch's own deserializer, and damaged ones, which
 * must be rejected. */
#include "build.h"

#include "formats/program/program.h"

#define PTE "tests/data/pte/"

struct loaded {
	/* a block of exactly the file's size, so that ASan detects a read past the end */
	uint8_t *bytes;
	size_t len;
	struct etc_arena arena;
	struct etc_program program;
	struct etc_error err;
};

static enum etc_status load_bytes(struct loaded *l, const void *bytes, size_t len)
{
	*l = (struct loaded){ .len = len };
	l->bytes = malloc(len ? len : 1);
	assert_non_null(l->bytes);
	if (len)
		memcpy(l->bytes, bytes, len);
	etc_arena_init(&l->arena, (size_t)4 << 20);
	return etc_program_read((struct etc_span){ l->bytes, len }, NULL, &l->arena, &l->program,
	                        &l->err);
}

static void unload(struct loaded *l)
{
	etc_arena_release(&l->arena);
	free(l->bytes);
}

static uint8_t *file_bytes(const char *path, size_t *len)
{
	uint8_t *bytes = malloc(1 << 16);
	FILE *f = fopen(path, "rb");

	if (!f)
		fail_msg("cannot open %s", path);
	assert_non_null(bytes);
	*len = fread(bytes, 1, 1 << 16, f);
	assert_true(*len < 1 << 16);
	fclose(f);
	return bytes;
}

static void load_file(struct loaded *l, const char *path)
{
	size_t len;
	uint8_t *bytes = file_bytes(path, &len);

	if (load_bytes(l, bytes, len) != ETC_OK)
		fail_msg("%s: %s", path, l->err.text);
	free(bytes);
}

static void expect(const void *bytes, size_t len, enum etc_code code)
{
	struct loaded l;

	load_bytes(&l, bytes, len);
	if (l.err.code != code)
		fail_msg("%s instead of %s: %s", etc_code_info(l.err.code)->name,
		         etc_code_info(code)->name, l.err.text);
	assert_true(l.program.methods == NULL && l.err.text[0] != '\0');
	unload(&l);
}

static bool is(struct etc_str s, const char *text)
{
	return etc_str_eq(s, etc_str_of(text));
}

/* ---- real programs ---------------------------------------------------------- */

static void reads_every_method_with_its_delegates(void **state)
{
	const struct etc_program_method *m;
	struct loaded l;

	(void)state;
	load_file(&l, PTE "multi_method.pte");
	assert_int_equal(l.program.method_count, 2);
	assert_true(l.program.header_length == 32 && l.program.flatbuffer_bytes == 3048);
	assert_true(l.program.segments_at == 3072 && l.program.segment_count == 9);
	assert_true(l.program.segments_bytes == 11180);
	assert_true(l.program.segments[2].offset == 1024 && l.program.segments[2].size == 1280);
	m = etc_program_method(&l.program, ETC_STR("decode"));
	assert_ptr_equal(m, &l.program.methods[0]);
	assert_true(m->operator_count == 1 && m->chain_count == 1 && m->chains[0].count == 2);
	assert_true(is(m->operators[0].name, "aten::native_layer_norm"));
	assert_true(is(m->operators[0].overload, "out"));
	assert_true(is(m->operators[0].text, "aten::native_layer_norm.out"));
	assert_int_equal(m->chains[0].instructions[0].kind, ETC_INSTRUCTION_KERNEL);
	assert_int_equal(m->chains[0].instructions[1].kind, ETC_INSTRUCTION_DELEGATE);
	assert_true(is(m->delegates[0].backend, "XnnpackBackend"));
	assert_true(m->delegates[0].in_segment && m->delegates[0].index == 1);
	assert_true(m->delegates[0].at == 3328 && m->delegates[0].processed.len == 720);
	assert_ptr_equal(m->delegates[0].processed.ptr, l.bytes + 3328);
	assert_memory_equal(l.bytes + 3328 + 4, "XH00", 4);
	m = etc_program_method(&l.program, ETC_STR("encode"));
	assert_true(m->delegates[0].at == 4096 && m->delegates[0].processed.len == 1280);
	assert_null(etc_program_method(&l.program, ETC_STR("forward")));
	unload(&l);
}

static void reads_all_kinds_of_instructions(void **state)
{
	static const struct etc_instruction want[] = {
		{ .kind = ETC_INSTRUCTION_KERNEL, .index = 0, .other = 0 },
		{ .kind = ETC_INSTRUCTION_KERNEL, .index = 1, .other = 0 },
		{ .kind = ETC_INSTRUCTION_KERNEL, .index = 2, .other = 0 },
		{ .kind = ETC_INSTRUCTION_KERNEL, .index = 3, .other = 0 },
		{ .kind = ETC_INSTRUCTION_JUMP_FALSE, .index = 9, .other = 14 },
		{ .kind = ETC_INSTRUCTION_KERNEL, .index = 4, .other = 0 },
		{ .kind = ETC_INSTRUCTION_KERNEL, .index = 5, .other = 0 },
		{ .kind = ETC_INSTRUCTION_MOVE, .index = 18, .other = 16 },
		{ .kind = ETC_INSTRUCTION_JUMP_FALSE, .index = 11, .other = 21 },
		{ .kind = ETC_INSTRUCTION_KERNEL, .index = 6, .other = 0 },
		{ .kind = ETC_INSTRUCTION_MOVE, .index = 20, .other = 16 },
	};
	const struct etc_program_method *m;
	struct loaded l;

	(void)state;
	load_file(&l, PTE "control_flow_cond.pte");
	m = &l.program.methods[0];
	assert_int_equal(m->chains[0].count, sizeof want / sizeof want[0]);
	for (uint32_t i = 0; i < m->chains[0].count; i++) {
		const struct etc_instruction *n = etc_program_instruction(m, 0, i);

		assert_int_equal(n->kind, want[i].kind);
		assert_int_equal(n->index, want[i].index);
		assert_int_equal(n->other, want[i].other);
	}
	assert_true(is(m->operators[2].text, "aten::sum.IntList_out"));
	assert_null(etc_program_instruction(m, 0, 11));
	assert_null(etc_program_instruction(m, 0, -1));
	assert_null(etc_program_instruction(m, 1, 0));
	assert_null(etc_program_instruction(m, UINT64_MAX, 0));
	unload(&l);
}

/* The short header of a program has 24 bytes, and lacks the size of the segment data. */
static void reads_the_short_header_and_files_without_one(void **state)
{
	struct loaded l;

	(void)state;
	load_file(&l, PTE "mlp_xnnpack-0.4.0.pte");
	assert_true(l.program.header_length == 24 && l.program.segments_at == 1024);
	assert_true(l.program.methods[0].delegates[0].processed.len == 4208);
	unload(&l);
	load_file(&l, PTE "debug_sizes.pte");
	assert_true(l.program.header_length == 0 && l.program.flatbuffer_bytes == l.len);
	assert_true(is(l.program.methods[0].operators[3].text, "executorch_prim::mul.Scalar"));
	unload(&l);
}

/* ---- generated programs ------------------------------------------------------- */

/* A generated program, and the positions of the fields in it that tests change. */
struct made {
	struct build b;
	size_t segment[2];   /* DataSegment.offset, .size */
	size_t reference[2]; /* BackendDelegateDataReference.location, .index */
	size_t call[2];      /* Instruction.instr_args type, table */
	size_t delegate[2];  /* DelegateCall.delegate_index, .args */
	size_t argument;     /* the only element of .args: a value's index */
	size_t value[2];     /* EValue.val type, table */
	size_t dynamism;     /* Tensor.shape_dynamism */
};

/* Makes a program with the method "go", which calls one delegate of the backend "B". The delegate's
 * blob is "blob" and is inside the FlatBuffer. The program also has an empty segment. */
static void make(struct made *m)
{
	size_t program[5], plan[8], chain[3], ref, delegate[2], inlines[1], tensor[9];
	struct build *b = &m->b;

	b->len = 0;
	put_u32(b, 0);
	put(b, "ET12", 4);
	put_table_for(b, 0, "44044", program);
	link_here(b, program[3]);
	ref = put_offsets(b, 1);
	put_table_for(b, ref, "4", inlines);
	link_here(b, inlines[0]);
	put_text(b, "blob");
	link_here(b, program[4]);
	ref = put_offsets(b, 1);
	put_table_for(b, ref, "88", m->segment);
	link_here(b, program[1]);
	ref = put_offsets(b, 1);
	put_table_for(b, ref, "40400404", plan);
	link_here(b, plan[0]);
	put_text(b, "go");
	link_here(b, plan[7]);
	ref = put_offsets(b, 1);
	put_table_for(b, ref, "44", delegate);
	link_here(b, delegate[0]);
	put_text(b, "B");
	put_table_for(b, delegate[1], "14", m->reference);
	link_here(b, plan[5]);
	ref = put_offsets(b, 1);
	put_table_for(b, ref, "004", chain);
	link_here(b, chain[2]);
	ref = put_offsets(b, 1);
	put_table_for(b, ref, "14", m->call);
	b->bytes[m->call[0]] = ETC_INSTRUCTION_DELEGATE;
	put_table_for(b, m->call[1], "44", m->delegate);
	link_here(b, m->delegate[1]);
	put_u32(b, 1);
	m->argument = b->len;
	put_u32(b, 0);
	link_here(b, plan[2]);
	ref = put_offsets(b, 1);
	put_table_for(b, ref, "14", m->value);
	b->bytes[m->value[0]] = 5;
	put_table_for(b, m->value[1], "000000001", tensor);
	m->dynamism = tensor[8];
}

static void reads_a_blob_inside_the_flatbuffer(void **state)
{
	const struct etc_program_delegate *d;
	struct loaded l;
	struct made m;

	(void)state;
	make(&m);
	assert_int_equal(load_bytes(&l, m.b.bytes, m.b.len), ETC_OK);
	d = &l.program.methods[0].delegates[0];
	assert_true(is(l.program.methods[0].name, "go") && is(d->backend, "B"));
	assert_true(!d->in_segment && d->index == 0 && d->processed.len == 4);
	assert_memory_equal(d->processed.ptr, "blob", 4);
	assert_true(d->at == (size_t)(d->processed.ptr - l.bytes));
	unload(&l);
}

/* A delegate is dynamic if the shape of one of its arguments can change. A tensor's dynamism is 0:
 * static, 1: up to a bound, or 2: unbounded. */
static void tells_whether_shapes_can_change(void **state)
{
	struct loaded l;
	struct made m;

	(void)state;
	for (uint8_t dynamism = 0; dynamism < 3; dynamism++) {
		make(&m);
		m.b.bytes[m.dynamism] = dynamism;
		assert_int_equal(load_bytes(&l, m.b.bytes, m.b.len), ETC_OK);
		assert_int_equal(l.program.methods[0].delegates[0].dynamic, dynamism > 0);
		unload(&l);
	}
	make(&m);
	m.b.bytes[m.dynamism] = 1;
	m.b.bytes[m.value[0]] = 1; /* the argument is an Int, no tensor */
	assert_int_equal(load_bytes(&l, m.b.bytes, m.b.len), ETC_OK);
	assert_false(l.program.methods[0].delegates[0].dynamic);
	unload(&l);
	load_file(&l, PTE "linear_dynamic_rows.pte");
	assert_true(l.program.methods[0].delegates[0].dynamic);
	unload(&l);
	load_file(&l, PTE "cnn_f16.pte");
	assert_false(l.program.methods[0].delegates[0].dynamic);
	unload(&l);
}

static void takes_an_unknown_kind_of_instruction_as_it_is(void **state)
{
	struct loaded l;
	struct made m;

	(void)state;
	make(&m);
	m.b.bytes[m.call[0]] = ETC_INSTRUCTION_KINDS;
	assert_int_equal(load_bytes(&l, m.b.bytes, m.b.len), ETC_OK);
	assert_int_equal(etc_program_instruction(l.program.methods, 0, 0)->kind,
	                 ETC_INSTRUCTION_UNKNOWN);
	unload(&l);
}

static void refuses_other_files(void **state)
{
	struct made m;

	(void)state;
	expect("", 0, E0430);
	expect("ET12", 4, E0430);
	expect("\0\0\0\0ET12", 8, E0432);
	expect("\x08\0\0\0ED00\0\0\0\0\0\0\0\0", 16, E0430);
	expect("\x08\0\0\0BP08\0\0\0\0\0\0\0\0", 16, E0430);
	make(&m);
	m.b.bytes[7] = '3';
	expect(m.b.bytes, m.b.len, E0431);
}

static void refuses_references_that_lead_nowhere(void **state)
{
	struct made m;

	(void)state;
	make(&m);
	set_u32(&m.b, m.delegate[0], 1);
	expect(m.b.bytes, m.b.len, E0433);
	make(&m);
	set_u32(&m.b, m.delegate[0], UINT32_MAX);
	expect(m.b.bytes, m.b.len, E0433);
	make(&m);
	m.b.bytes[m.call[0]] = ETC_INSTRUCTION_KERNEL; /* the program has no operators */
	expect(m.b.bytes, m.b.len, E0433);
	make(&m);
	set_u32(&m.b, m.reference[1], 1);
	expect(m.b.bytes, m.b.len, E0433);
	make(&m);
	m.b.bytes[m.reference[0]] = 1;
	set_u32(&m.b, m.reference[1], 1);
	expect(m.b.bytes, m.b.len, E0433);
	make(&m);
	m.b.bytes[m.reference[0]] = 2;
	expect(m.b.bytes, m.b.len, E0433);
	make(&m); /* the index of an argument has no value */
	set_u32(&m.b, m.argument, 1);
	expect(m.b.bytes, m.b.len, E0433);
	make(&m);
	set_u32(&m.b, m.argument, UINT32_MAX);
	expect(m.b.bytes, m.b.len, E0433);
	make(&m); /* the table of the tensor is outside of the file */
	set_u32(&m.b, m.value[1], UINT32_MAX);
	expect(m.b.bytes, m.b.len, E0433);
	make(&m); /* the table of the call is outside of the file */
	set_u32(&m.b, m.call[1], UINT32_MAX);
	expect(m.b.bytes, m.b.len, E0433);
}

/* Segments, and the positions in the file's header, must be inside the file. */
static void refuses_segments_outside_the_file(void **state)
{
	static const uint64_t sizes[][2] = {
		{ 0, 1 }, { UINT64_MAX, 1 }, { 1, UINT64_MAX }, { UINT64_MAX, UINT64_MAX }
	};
	size_t len;
	uint8_t *bytes = file_bytes(PTE "multi_method.pte", &len);
	uint64_t wrong[] = { len + 1, UINT64_MAX, UINT64_MAX - 7 };
	struct made m;

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		make(&m);
		set_u64(&m.b, m.segment[0], sizes[i][0]);
		set_u64(&m.b, m.segment[1], sizes[i][1]);
		expect(m.b.bytes, m.b.len, E0433);
	}
	for (size_t at = 16; at <= 32; at += 8)
		for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
			uint64_t was;

			memcpy(&was, bytes + at, sizeof was);
			memcpy(bytes + at, &wrong[i], sizeof was);
			expect(bytes, len, E0432);
			memcpy(bytes + at, &was, sizeof was);
		}
	bytes[12] = 23;
	expect(bytes, len, E0433);
	bytes[12] = 32;
	memset(bytes + 16, 0, 8); /* a FlatBuffer smaller than its own header */
	expect(bytes, len, E0433);
	free(bytes);
}

static void refuses_every_truncation_of_a_file_with_a_header(void **state)
{
	static const char *const files[] = { PTE "multi_method.pte", PTE "mlp_xnnpack-0.4.0.pte" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		size_t len;
		uint8_t *bytes = file_bytes(files[i], &len);

		for (size_t n = 0; n < len; n += n < 64 ? 1 : 13)
			expect(bytes, n, n < 8 ? E0430 : E0432);
		expect(bytes, len - 1, E0432);
		free(bytes);
	}
}

static void survives_every_byte_flip(void **state)
{
	static const char *const files[] = { PTE "control_flow_cond.pte", PTE "debug_sizes.pte" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		size_t len;
		uint8_t *bytes = file_bytes(files[i], &len);

		for (size_t at = 0; at < len; at++)
			for (unsigned how = 0; how < 4; how++) {
				uint8_t was = bytes[at];
				struct loaded l;
				enum etc_status st;

				bytes[at] = how == 0   ? 0
				            : how == 1 ? 0xff
				                       : was ^ (how == 2 ? 1 : 128);
				st = load_bytes(&l, bytes, len);
				assert_true(st == ETC_OK || l.err.text[0] != '\0');
				assert_true(st == ETC_OK || l.program.methods == NULL);
				unload(&l);
				bytes[at] = was;
			}
		free(bytes);
	}
}

/* Writes a vector, to which the offset at `from` points, with a thousand offsets to the same table.
 * Returns the position of field `mine` of that table. */
static size_t put_shared(struct build *b, size_t from, const char *widths, unsigned mine)
{
	size_t field[8], table, ref;

	link_here(b, from);
	ref = put_offsets(b, 1000);
	table = put_table_for(b, ref, widths, field);
	for (size_t i = 1; i < 1000; i++)
		set_u32(b, ref + 4 * i, (uint32_t)(table - ref - 4 * i));
	return field[mine];
}

/* A thousand offsets lead to one method, a thousand to its chain, and a thousand to its
 * instruction. So 12 kB describe 10^9 instructions. */
static void stops_when_shared_tables_describe_too_much(void **state)
{
	size_t program[2], at;
	struct etc_error err = { 0 };
	struct etc_arena arena;
	struct etc_program p;
	struct made m;

	(void)state;
	m.b.len = 0;
	put_u32(&m.b, 0);
	put(&m.b, "ET12", 4);
	put_table_for(&m.b, 0, "04", program);
	at = put_shared(&m.b, program[1], "000004", 5);
	at = put_shared(&m.b, at, "004", 2);
	put_shared(&m.b, at, "14", 0);
	etc_arena_init(&arena, (size_t)64 << 20);
	assert_int_equal(
		etc_program_read((struct etc_span){ m.b.bytes, m.b.len }, NULL, &arena, &p, &err),
		ETC_LIMIT);
	assert_int_equal(err.code, E0434);
	etc_arena_release(&arena);
}

/* Reads a program with ever larger budgets of memory, so that each allocation fails once. */
static void survives_every_budget(void **state)
{
	size_t len, enough = 0;
	uint8_t *bytes = file_bytes(PTE "multi_method.pte", &len);

	(void)state;
	for (size_t budget = 0; budget < 20000; budget += 16) {
		struct etc_program program;
		struct etc_arena arena;
		struct etc_error err = { .text = "" };
		enum etc_status st;

		etc_arena_init(&arena, budget);
		st = etc_program_read((struct etc_span){ bytes, len }, NULL, &arena, &program,
		                      &err);
		assert_true(st == ETC_OK || (st == ETC_NOMEM && err.code == E0904));
		enough += st == ETC_OK;
		etc_arena_release(&arena);
	}
	assert_true(enough > 0);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_method_with_its_delegates),
		cmocka_unit_test(reads_all_kinds_of_instructions),
		cmocka_unit_test(reads_the_short_header_and_files_without_one),
		cmocka_unit_test(reads_a_blob_inside_the_flatbuffer),
		cmocka_unit_test(tells_whether_shapes_can_change),
		cmocka_unit_test(takes_an_unknown_kind_of_instruction_as_it_is),
		cmocka_unit_test(refuses_other_files),
		cmocka_unit_test(refuses_references_that_lead_nowhere),
		cmocka_unit_test(refuses_segments_outside_the_file),
		cmocka_unit_test(refuses_every_truncation_of_a_file_with_a_header),
		cmocka_unit_test(survives_every_byte_flip),
		cmocka_unit_test(stops_when_shared_tables_describe_too_much),
		cmocka_unit_test(survives_every_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
