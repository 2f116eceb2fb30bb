/* fuzz_etdump.c -- any bytes as an ETDump: an error with a code and a text, or a
 * trace of which every view can be read and every index is inside its column. */
#include <stdlib.h>

#include "read/etdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sum; /* so that no read is optimised away */

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void text(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++)
		sum += (uint8_t)s.ptr[i];
}

static void value(const struct etc_value *v)
{
	bool tensors = v->tag == ETC_VALUE_TENSOR || v->tag == ETC_VALUE_TENSOR_LIST;

	text(v->text);
	for (uint32_t i = 0; tensors && i < v->count; i++)
		for (uint32_t k = 0; k < v->tensors[i].rank; k++)
			sum += (uint64_t)v->tensors[i].sizes[k];
}

static void event(const struct etc_trace *t, const struct etc_run *r, const struct etc_event *e)
{
	size_t at;

	text(e->name);
	text(e->delegate_name);
	switch ((enum etc_event_kind)e->kind) {
	case ETC_EVENT_PROFILE:
		at = r->first_sample + e->column;
		require(at < t->sample_count);
		sum += t->start[at] + t->end[at];
		for (size_t i = 0; i < etc_trace_metadata(t, at).len; i++)
			sum += etc_trace_metadata(t, at).ptr[i];
		break;
	case ETC_EVENT_DEBUG:
		at = r->first_value + e->column;
		require(at < t->value_count);
		value(&t->values[at]);
		break;
	case ETC_EVENT_ALLOCATION:
		at = r->first_allocation + e->column;
		require(at < t->allocation_count);
		sum += t->allocation_size[at];
		break;
	case ETC_EVENT_EMPTY:
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_error err = { 0 };
	struct etc_trace t;
	struct etc_arena arena;
	struct etc_notes notes;
	enum etc_status st;

	etc_arena_init(&arena, 16 << 20);
	etc_notes_init(&notes, &arena);
	st = etc_etdump_read((struct etc_span){ data, size }, NULL, &arena, &notes, &t, &err);
	if (st != ETC_OK) {
		require(err.code != ETC_CODE_NONE && err.text[0] != '\0');
		require(st != ETC_USAGE && t.run_count == 0);
		/* The place is in the file, or where the identifier should be. */
		require(err.at <= (int64_t)(size > 8 ? size : 8));
	}
	for (size_t r = 0; r < t.run_count; r++) {
		const struct etc_run *run = &t.runs[r];
		const struct etc_shape *shape;

		require(run->shape < t.shape_count);
		shape = etc_run_shape(&t, run);
		text(run->name);
		for (uint32_t i = 0; i < run->allocator_count; i++)
			text(run->allocators[i]);
		for (uint32_t e = 0; e < shape->count; e++)
			event(&t, run, &shape->events[e]);
	}
	etc_arena_release(&arena);
	return 0;
}
