/* fuzz_bundled.c -- reads any bytes as a .bpte, a program that is bundled with test inputs. */
#include <stdlib.h>

#include "formats/program/bundled.h"
#include "touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sizes(struct etc_numbers v)
{
	for (uint32_t i = 0; i < v.count; i++)
		sum += (uint64_t)etc_i32_at(v, i);
}

static void values(const struct etc_bundled_value *v, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		require(v[i].kind < ETC_BUNDLED_KINDS);
		sizes(v[i].sizes);
		bytes(v[i].dim_order);
		bytes(v[i].data);
	}
}

static void bundled(const struct etc_bundled_program *p)
{
	bytes(p->program);
	for (uint32_t i = 0; i < p->suite_count; i++) {
		bytes(etc_span_of(p->suites[i].method));
		for (uint32_t k = 0; k < p->suites[i].case_count; k++) {
			const struct etc_bundled_case *c = &p->suites[i].cases[k];

			values(c->inputs, c->input_count);
			values(c->outputs, c->output_count);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct etc_span file = { copy, size }, inner;
	struct etc_bundled_program p;
	struct etc_error err = { 0 };
	struct etc_arena arena;

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	etc_arena_init(&arena, 16 << 20);
	if (etc_bundled_read(file, NULL, &arena, &p, &err) != ETC_OK)
		require(err.code != ETC_CODE_NONE && err.text[0] && p.suite_count == 0);
	bundled(&p);
	if (etc_bundled_inner(file, &inner, &err) == ETC_OK)
		bytes(inner);
	etc_arena_release(&arena);
	free(copy);
	return 0;
}
