/* fuzz_etdump.c -- reads any bytes as an ETDump, and as the debug buffer of that ETDump. Walks the
 * result: every view must be inside the file, every index inside its column. */
#include <stdlib.h>

#include "base/arena.h"
#include "formats/etdump/debug_buffer.h"
#include "formats/etdump/etdump.h"
#include "formats/etdump/etdump_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t sum; /* stores results, so that no read is optimised away */

static void touch(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++)
		sum += (uint8_t)s.ptr[i];
}

static void require(bool truth)
{
	if (!truth)
		abort();
}

static void walk_run(const struct etc_trace *t, const struct etc_run *run)
{
	const struct etc_run_head *head;
	const struct etc_template *template;

	require(run->template <t->template_count && run->head < t->head_count);
	head = etc_run_head(t, run);
	template = etc_run_template(t, run);
	require((size_t)run->first_sample + template->profiles <= t->sample_count);
	require((size_t)run->first_value + template->debugs <= t->value_count);
	require((size_t)run->first_allocation + template->allocations <= t->allocation_count);
	touch(head->name);
	for (uint32_t i = 0; i < head->allocator_count; i++)
		touch(head->allocators[i]);
	for (size_t s = run->first_sample; s < (size_t)run->first_sample + template->profiles;
	     s++) {
		struct etc_span m = etc_trace_metadata(t, s);

		sum += t->start[s] + t->end[s];
		touch((struct etc_str){ (const char *)m.ptr, m.len });
	}
	for (size_t a = 0; a < template->allocations; a++)
		sum += t->allocation_size[run->first_allocation + a];
}

static void walk_values(const struct etc_trace *t, struct etc_span buffer, struct etc_arena *arena)
{
	const struct etc_tensor_data *data;

	if (etc_debug_as_inspector(t, &buffer, arena, &data, NULL) != ETC_OK)
		return;
	for (size_t v = 0; v < t->value_count; v++) {
		const struct etc_value *value = &t->values[v];

		require(value->first_tensor + value->count <= t->tensor_count);
		for (uint32_t i = 0; i < value->count; i++) {
			const struct etc_tensor_data *d = &data[value->first_tensor + i];
			struct etc_tensor_view view;
			struct etc_span packed;

			require(d->zeros || d->size == d->bytes.len);
			touch((struct etc_str){ (const char *)d->bytes.ptr, d->bytes.len });
			if (etc_debug_tensor(&value->tensors[i], buffer, &view, NULL) == ETC_OK &&
			    view.count < 1 << 16 &&
			    etc_debug_contiguous(&view, arena, &packed, NULL) == ETC_OK)
				touch((struct etc_str){ (const char *)packed.ptr, packed.len });
		}
	}
}

static void walk(const struct etc_trace *trace, struct etc_span file, struct etc_arena *arena,
                 struct etc_notes *notes)
{
	for (size_t i = 0; i < trace->run_count; i++)
		walk_run(trace, &trace->runs[i]);
	for (size_t s = 0; s < trace->template_count; s++)
		for (uint32_t i = 0; i < trace->templates[s].count; i++) {
			touch(etc_event_name(&trace->templates[s].events[i]));
			touch(etc_event_delegate_name(&trace->templates[s].events[i]));
		}
	walk_values(trace, file, arena);
	etc_debug_check(trace, &file, notes);
}

/* Salvages what can be read of a damaged dump. A salvaged trace must be valid like any other, and
 * have at least one run. */
static void salvage(struct etc_span file, const struct etc_limits *limits)
{
	struct etc_etdump_walk *again;
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_trace trace;
	struct etc_error err;

	etc_arena_init(&arena, 16 << 20);
	etc_notes_init(&notes, &arena);
	if (etc_etdump_salvage(file, limits, &arena, &notes, &trace, &err) == ETC_OK) {
		const struct etc_salvage *s = trace.salvage;

		walk(&trace, file, &arena, &notes);
		require(!s || (trace.run_count && trace.run_count <= s->runs && s->index));
		for (size_t i = 0; s && i < trace.run_count; i++)
			require(s->index[i] < s->runs && s->inferred[i] <= 1);
		if (etc_etdump_walk_open(&trace, NULL, &arena, &again, &err) == ETC_OK)
			for (size_t r = 0; r < trace.run_count; r++)
				for (size_t e = etc_etdump_walk_run(again, r); e > 0; e--)
					touch(etc_etdump_walk_event(again, e - 1)
					              ->profile_event.name);
	} else {
		require(err.code != ETC_CODE_NONE && err.text[0] != '\0');
	}
	etc_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct etc_span file = { data, size };
	struct etc_limits limits = { .max_visits = 1 << 14 };
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_trace trace;
	struct etc_error err;

	etc_arena_init(&arena, 16 << 20);
	etc_notes_init(&notes, &arena);
	if (etc_etdump_read(file, &limits, &arena, &notes, &trace, &err) == ETC_OK) {
		walk(&trace, file, &arena, &notes);
	} else {
		require(err.code != ETC_CODE_NONE && err.text[0] != '\0');
		require(trace.run_count == 0 && trace.runs == NULL);
	}
	etc_arena_release(&arena);
	salvage(file, &limits);
	salvage((struct etc_span){ data, size - size / 8 }, &limits);
	return 0;
}
