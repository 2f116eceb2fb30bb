/* fuzz_program.c -- any bytes as a .pte. */
#include <stdlib.h>

#include "read/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sum; /* so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void bytes(struct etc_span s)
{
	for (size_t i = 0; i < s.len; i += i < 64 ? 1 : 64)
		sum += s.ptr[i];
	if (s.len)
		sum += s.ptr[s.len - 1];
}

static void method(const struct etc_program_method *m, struct etc_span file)
{
	bytes(etc_span_of(m->name));
	for (uint32_t i = 0; i < m->operator_count; i++)
		bytes(etc_span_of(m->operators[i].text));
	for (uint32_t i = 0; i < m->delegate_count; i++) {
		const struct etc_program_delegate *d = &m->delegates[i];

		bytes(etc_span_of(d->backend));
		require(etc_fits(file.len, d->at, d->processed.len));
		require(!d->processed.ptr || d->processed.ptr == file.ptr + d->at);
		bytes(d->processed);
	}
	for (uint32_t c = 0; c < m->chain_count; c++)
		for (uint32_t i = 0; i < m->chains[c].count; i++) {
			const struct etc_instruction *n = etc_program_instruction(m, c, i);

			require(n && n->kind < ETC_INSTRUCTION_KINDS);
			require(n->kind != ETC_INSTRUCTION_KERNEL ||
			        (uint32_t)n->index < m->operator_count);
			require(n->kind != ETC_INSTRUCTION_DELEGATE ||
			        (uint32_t)n->index < m->delegate_count);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct etc_span file = { copy, size };
	struct etc_error err = { 0 };
	struct etc_program p;
	struct etc_arena arena;
	enum etc_status st;

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	etc_arena_init(&arena, 16 << 20);
	st = etc_program_read(file, NULL, &arena, &p, &err);
	require(st == ETC_OK || (err.code != ETC_CODE_NONE && err.text[0] && p.method_count == 0));
	for (uint32_t i = 0; i < p.method_count; i++)
		method(&p.methods[i], file);
	etc_arena_release(&arena);
	free(copy);
	return 0;
}
