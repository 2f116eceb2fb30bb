/* fuzz_program.c -- reads any bytes as a .pte: once only the parts that the join with a dump needs,
 * and once completely. */
#include <stdlib.h>

#include "tensor/program_tensor.h"
#include "memory/timeline.h"
#include "formats/program/program.h"
#include "touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void numbers(struct etc_numbers v, size_t width, uint32_t values)
{
	for (uint32_t i = 0; i < v.count; i++) {
		sum += v.ptr[i * width];
		require(width != 4 || etc_i32_at(v, i) < (int64_t)values);
	}
}

static void tensor(const struct etc_program *p, struct etc_span file,
                   const struct etc_evalue_tensor *t)
{
	struct etc_tensor_data_place place;
	uint64_t size;

	numbers(t->sizes, 4, UINT32_MAX);
	bytes(t->dim_order);
	bytes(etc_span_of(t->name));
	require(!etc_tensor_bytes(t, &size) || size <= INT64_MAX);
	if (etc_tensor_data_place(p, file, t, &place))
		bytes(place.bytes);
}

static void value(const struct etc_program *p, struct etc_span file, const struct etc_evalue *v,
                  uint32_t values)
{
	switch (v->kind) {
	case ETC_EVALUE_TENSOR:
		tensor(p, file, v->tensor);
		break;
	case ETC_EVALUE_STRING:
		bytes(etc_span_of(v->text));
		break;
	case ETC_EVALUE_INT_LIST:
	case ETC_EVALUE_DOUBLE_LIST:
		numbers(v->items, 8, values);
		break;
	case ETC_EVALUE_BOOL_LIST:
		numbers(v->items, 1, values);
		break;
	case ETC_EVALUE_TENSOR_LIST:
	case ETC_EVALUE_OPTIONAL_TENSOR_LIST:
		numbers(v->items, 4, values);
		break;
	default:
		sum += (uint64_t)v->kind;
	}
}

/* Computes when each tensor of the method is in memory and how much memory is used at each step,
 * and checks that the results are consistent. */
static void plan(const struct etc_program_method *m, struct etc_arena *arena)
{
	struct etc_lifetimes l;
	struct etc_timeline t;
	struct etc_error err = { 0 };

	if (etc_lifetimes_find(m, arena, &l, &err) != ETC_OK)
		return;
	for (uint32_t i = 0; i < l.group_count; i++)
		require(l.groups[i].first >= -1 && l.groups[i].last < l.steps);
	if (etc_timeline_make(m, &l, arena, &t, &err) != ETC_OK)
		return;
	for (uint32_t i = 0; i < t.memory_count; i++)
		for (uint32_t k = 0; k < t.memories[i].point_count; k++) {
			const struct etc_memory_point *p = &t.memories[i].points[k];

			require(p->covered <= p->bytes && p->covered <= p->extent);
			require(p->extent <= t.memories[i].max_extent);
			require((p->covered < p->bytes) <= t.memories[i].conflict);
		}
}

/* Reads the parts that only a completely read program has. */
static void whole(const struct etc_program *p, struct etc_span file)
{
	for (uint32_t i = 0; i < p->constant_buffer_count; i++)
		bytes(p->constant_buffers[i]);
	for (uint32_t i = 0; i < p->inline_count; i++)
		bytes(p->inline_data[i]);
	for (uint32_t i = 0; i < p->named_count; i++) {
		bytes(etc_span_of(p->named_data[i].key));
		require(p->named_data[i].segment < p->segment_count);
	}
	for (uint32_t i = 0; i < p->method_count; i++) {
		const struct etc_program_method *m = &p->methods[i];

		numbers(m->inputs, 4, m->value_count);
		numbers(m->outputs, 4, m->value_count);
		numbers(m->memory, 8, 0);
		for (uint32_t k = 0; k < m->value_count; k++)
			value(p, file, &m->values[k], m->value_count);
		for (uint32_t k = 0; k < m->delegate_count; k++)
			for (uint32_t j = 0; j < m->delegates[k].spec_count; j++)
				bytes(m->delegates[k].specs[j].value);
		for (uint32_t c = 0; c < m->chain_count; c++)
			for (uint32_t k = 0; k < m->chains[c].count; k++)
				numbers(m->chains[c].instructions[k].args, 4, m->value_count);
	}
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
	for (int all = 0; all < 2; all++) {
		st = all ? etc_program_read_whole(file, NULL, &arena, &p, &err)
		         : etc_program_read(file, NULL, &arena, &p, &err);
		require(st == ETC_OK ||
		        (err.code != ETC_CODE_NONE && err.text[0] && p.method_count == 0));
		for (uint32_t i = 0; i < p.method_count; i++)
			method(&p.methods[i], file);
		if (st == ETC_OK && all)
			whole(&p, file);
		for (uint32_t i = 0; all && i < p.method_count; i++)
			plan(&p.methods[i], &arena);
	}
	etc_arena_release(&arena);
	free(copy);
	return 0;
}
