/* counters.c -- finds the memory that a run uses at each time; see counters.h */
#include "commands/trace/counters.h"

#include "base/map.h"
#include "memory/timeline.h"

enum etc_status etc_planned_find(const struct etc_program *program, struct etc_str method,
                                 struct etc_arena *arena, struct etc_planned *out,
                                 struct etc_error *err)
{
	const struct etc_program_method *m = program ? etc_program_method(program, method) : NULL;
	struct etc_lifetimes lifetimes;
	struct etc_timeline timeline;
	enum etc_status st;
	uint64_t *bytes;

	*out = (struct etc_planned){ 0 };
	if (!m || !m->values)
		return ETC_OK;
	st = etc_lifetimes_find(m, arena, &lifetimes, err);
	if (st == ETC_OK)
		st = etc_timeline_make(m, &lifetimes, arena, &timeline, err);
	if (st != ETC_OK && err->code == E0904)
		return st;
	/* if the plan is inconsistent, there is no counter and no error; `etcore memory` reports
	 * the fault */
	if (st != ETC_OK || !timeline.memory_count) {
		*err = (struct etc_error){ 0 };
		return ETC_OK;
	}
	bytes = etc_new(arena, uint64_t, (size_t)lifetimes.steps + 1);
	ETC_NEED(bytes, err);
	for (int32_t step = -1; step < lifetimes.steps; step++)
		for (uint32_t i = 0; i < timeline.memory_count; i++) {
			const struct etc_memory_point *p =
				etc_memory_at(&timeline.memories[i], step);

			bytes[step + 1] += p ? p->bytes : 0;
		}
	*out = (struct etc_planned){ bytes, (uint32_t)lifetimes.steps + 1 };
	return ETC_OK;
}

enum etc_status etc_allocations_find(const struct etc_trace *trace, const struct etc_walk_run *run,
                                     struct etc_arena *arena, struct etc_allocations *out,
                                     struct etc_error *err)
{
	const struct etc_template *template = &trace->templates[run->template];
	const struct etc_run_head *head = etc_run_head(trace, &trace->runs[run->run]);
	uint32_t site = 0, after = ETC_NO_SITE;
	struct etc_allocated *v;
	struct etc_str *names;
	struct etc_map ids;

	*out = (struct etc_allocations){ 0 };
	if (!template->allocations)
		return ETC_OK;
	v = etc_new(arena, struct etc_allocated, template->allocations);
	names = etc_new(arena, struct etc_str, template->allocations);
	ETC_NEED(v && names, err);
	etc_map_init(&ids, arena);
	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		struct etc_str name;
		size_t at;

		if (e->kind == ETC_EVENT_PROFILE) {
			after = etc_event_is_delegate(e) ? after : site;
			site++;
		}
		if (e->kind != ETC_EVENT_ALLOCATION)
			continue;
		name = etc_run_allocator(head, e->instruction_id, arena);
		at = name.ptr ? etc_map_add(&ids, name, out->allocator_count) : ETC_MAP_NONE;
		ETC_NEED(at != ETC_MAP_NONE, err);
		if (at == out->allocator_count)
			names[out->allocator_count++] = name;
		v[out->count++] = (struct etc_allocated){ after, (uint32_t)at, e->column };
	}
	out->v = v;
	out->allocators = names;
	return ETC_OK;
}
