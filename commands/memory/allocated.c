/* allocated.c -- adds up the memory that runs allocated; see allocated.h */
#include "commands/memory/allocated.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/map.h"

enum { LAST = 16 };

/* The memory that one instruction (sum.step) requested from one allocator in one group of runs
 * (finder.use[use]). After all events are counted, the steps are sorted by `use`. */
struct step {
	uint32_t use;
	struct etc_allocated_step sum;
	size_t execution; /* the execution of the instruction in which `now` bytes were allocated */
	uint64_t now;
};

struct use {
	struct etc_allocator_use sum;
	size_t run; /* number of the run, from 1, in which `now` bytes were allocated */
	uint64_t now;
};

struct finder {
	const struct etc_trace *trace;
	const uint32_t *place;
	struct etc_arena *arena;
	struct etc_map uses, steps; /* map keys to indices in `use` and `step` */
	struct use *use;
	struct step *step;
	uint32_t use_count, use_room, step_count, step_room;
	/* number of runs of each group of runs, indexed by the numbers in `place` */
	uint64_t *runs;
	/* cache: last[id % LAST] is the index in `use` that was found last for an allocator with
	 * such an id */
	uint32_t last[LAST];

	/* For each event of the event list `template`: its instruction, and a number that
	 * identifies the execution of the instruction. The number is 1 + the index of the last
	 * event of that execution; 0: the event belongs to no instruction. */
	uint32_t template;
	int32_t *step_of;
	uint32_t *execution_of;
	uint32_t room;
};

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* ---- the instruction of an event ------------------------------------------------- */

static bool is_call(struct etc_str name)
{
	return name.len >= 5 && memcmp(name.ptr + name.len - 5, "_CALL", 5) == 0;
}

/* Sets step_of and execution_of for the events of an event list, starting with the last event. The
 * runtime logs the event of an instruction when the instruction ends. So the events of an
 * instruction come before the instruction's own event. */
static enum etc_status place_events(struct finder *f, uint32_t template, struct etc_error *err)
{
	const struct etc_template *s = &f->trace->templates[template];
	int32_t step = ETC_ALLOCATED_OUTSIDE;
	uint32_t execution = 0;

	if (f->template == template)
		return ETC_OK;
	if (s->count > f->room) {
		f->step_of = etc_new(f->arena, int32_t, s->count);
		f->execution_of = etc_new(f->arena, uint32_t, s->count);
		f->room = s->count;
	}
	ETC_NEED(f->step_of && f->execution_of, err);
	for (uint32_t i = s->count; i-- > 0;) {
		const struct etc_event *e = &s->events[i];
		int32_t here = e->chain == 0 ? e->instruction_id : ETC_ALLOCATED_OUTSIDE;

		if (e->kind == ETC_EVENT_PROFILE) {
			if (here < 0)
				here = ETC_ALLOCATED_OUTSIDE;
			if (here == ETC_ALLOCATED_OUTSIDE)
				execution = 0;
			else if (here != step || is_call(etc_event_name(e)))
				execution = i + 1;
			step = here;
		}
		f->step_of[i] = step;
		f->execution_of[i] = execution;
	}
	f->template = template;
	return ETC_OK;
}

/* ---- sums of allocated bytes ------------------------------------------------------- */

static struct use *find_use(struct finder *f, const struct etc_run *run, uint32_t place, int32_t id)
{
	const struct etc_run_head *head = etc_run_head(f->trace, run);
	struct etc_str name = { 0 }, key;
	uint32_t *last = &f->last[(uint32_t)id % LAST];
	struct use *new;
	const struct etc_allocator_use *u = *last < f->use_count ? &f->use[*last].sum : NULL;
	size_t at;

	if (id >= 1 && (uint32_t)id <= head->allocator_count)
		name = head->allocators[id - 1];
	if (u && u->place == place && u->id == id && etc_str_eq(u->name, name))
		return &f->use[*last];
	key = etc_arena_printf(f->arena, "%lu %ld " ETC_STR_FMT, (unsigned long)place, (long)id,
	                       ETC_STR_ARG(name));
	at = key.ptr ? etc_map_add(&f->uses, key, f->use_count) : ETC_MAP_NONE;
	if (at == ETC_MAP_NONE)
		return NULL;
	if (at == f->use_count) {
		new = ETC_APPEND(f->arena, f->use, f->use_count, f->use_room);
		if (!new)
			return NULL;
		new->sum = (struct etc_allocator_use){ .place = place, .id = id, .name = name };
	}
	*last = (uint32_t)at;
	return &f->use[at];
}

static struct step *find_step(struct finder *f, uint32_t use, int32_t step)
{
	uint64_t *key, sought = (uint64_t)use << 32 | (uint32_t)step;
	struct step *new;
	size_t at =
		etc_map_get(&f->steps, (struct etc_str){ (const char *)&sought, sizeof sought });

	if (at != ETC_MAP_NONE)
		return &f->step[at];
	key = etc_new(f->arena, uint64_t, 1);
	if (!key)
		return NULL;
	*key = sought;
	at = etc_map_add(&f->steps, (struct etc_str){ (const char *)key, sizeof *key },
	                 f->step_count);
	if (at == ETC_MAP_NONE)
		return NULL;
	new = ETC_APPEND(f->arena, f->step, f->step_count, f->step_room);
	if (new)
		*new = (struct step){ .use = use, .sum = { .step = step } };
	return new;
}

static bool add(struct finder *f, size_t r, uint32_t event)
{
	const struct etc_run *run = &f->trace->runs[r];
	const struct etc_event *e = &f->trace->templates[run->template].events[event];
	uint64_t bytes = f->trace->allocation_size[run->first_allocation + e->column];
	struct use *u = find_use(f, run, f->place[r], e->instruction_id);
	struct step *s = u ? find_step(f, (uint32_t)(u - f->use), f->step_of[event]) : NULL;
	size_t execution;

	if (!s)
		return false;
	execution = r * ((size_t)UINT32_MAX + 1) + f->execution_of[event] + 1;
	u->now = sum(u->run == r + 1 ? u->now : 0, bytes);
	u->run = r + 1;
	u->sum.count++;
	u->sum.bytes += bytes;
	u->sum.most = u->now > u->sum.most ? u->now : u->sum.most;
	u->sum.largest = bytes > u->sum.largest ? bytes : u->sum.largest;
	s->now = sum(s->execution == execution ? s->now : 0, bytes);
	s->execution = execution;
	s->sum.count++;
	s->sum.most = s->now > s->sum.most ? s->now : s->sum.most;
	return true;
}

static enum etc_status add_run(struct finder *f, size_t r, struct etc_error *err)
{
	const struct etc_template *s = etc_run_template(f->trace, &f->trace->runs[r]);

	f->runs[f->place[r]]++;
	if (s->allocations == 0)
		return ETC_OK;
	ETC_TRY(place_events(f, f->trace->runs[r].template, err));
	for (uint32_t i = 0; i < s->count; i++)
		if (s->events[i].kind == ETC_EVENT_ALLOCATION && !add(f, r, i))
			return etc_no_memory(err);
	return ETC_OK;
}

/* ---- result ---------------------------------------------------------------------------- */

static int by_use(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->use != y->use)
		return x->use < y->use ? -1 : 1;
	return (x->sum.step > y->sum.step) - (x->sum.step < y->sum.step);
}

static int by_place(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->sum.place != y->sum.place)
		return x->sum.place < y->sum.place ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run); /* keep the order of first appearance */
}

static enum etc_status finish(struct finder *f, struct etc_allocated *out, struct etc_error *err)
{
	struct etc_allocator_use *uses = etc_new(f->arena, struct etc_allocator_use, f->use_count);
	struct etc_allocated_step *steps =
		etc_new(f->arena, struct etc_allocated_step, f->step_count);

	ETC_NEED(uses && steps, err);
	if (f->step_count)
		qsort(f->step, f->step_count, sizeof *f->step, by_use);
	for (uint32_t i = 0; i < f->step_count; i++) {
		struct etc_allocator_use *u = &f->use[f->step[i].use].sum;

		steps[i] = f->step[i].sum;
		if (u->step_count++ == 0)
			u->steps = &steps[i];
	}
	for (uint32_t i = 0; i < f->use_count; i++) {
		f->use[i].sum.runs = f->runs[f->use[i].sum.place];
		f->use[i].run = i;
	}
	if (f->use_count)
		qsort(f->use, f->use_count, sizeof *f->use, by_place);
	for (uint32_t i = 0; i < f->use_count; i++)
		uses[i] = f->use[i].sum;
	*out = (struct etc_allocated){ uses, f->use_count };
	return ETC_OK;
}

enum etc_status etc_allocated_find(const struct etc_trace *trace, const uint32_t *place,
                                   uint32_t places, struct etc_arena *arena,
                                   struct etc_allocated *out, struct etc_error *err)
{
	struct finder f = {
		.trace = trace, .place = place, .arena = arena, .template = UINT32_MAX
	};

	*out = (struct etc_allocated){ 0 };
	etc_map_init(&f.uses, arena);
	etc_map_init(&f.steps, arena);
	f.runs = etc_new(arena, uint64_t, places);
	ETC_NEED(f.runs, err);
	for (size_t r = 0; r < trace->run_count; r++)
		ETC_TRY(add_run(&f, r, err));
	return finish(&f, out, err);
}

/* ---- the peak of planned and allocated bytes together ----------------------------------- */

/* A change of the planned bytes at a step, and the bytes that are allocated during that step. */
struct change {
	int32_t step;
	uint64_t planned; /* change of the planned bytes modulo 2^64, since it may be negative */
	uint64_t allocated;
};

static int by_step(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->step > y->step) - (x->step < y->step);
}

static size_t list_changes(const struct etc_allocated *a, uint32_t place,
                           const struct etc_timeline *timeline, struct change *out)
{
	size_t n = 0;

	for (uint32_t i = 0; i < a->use_count; i++)
		for (uint32_t k = 0; a->uses[i].place == place && k < a->uses[i].step_count; k++) {
			const struct etc_allocated_step *s = &a->uses[i].steps[k];

			if (s->step < 0)
				continue;
			if (out)
				out[n] = (struct change){ s->step, 0, s->most };
			n++;
		}
	for (uint32_t m = 0; m < timeline->memory_count; m++) {
		const struct etc_memory *memory = &timeline->memories[m];
		uint64_t before = 0;

		for (uint32_t k = 0; k < memory->point_count; k++, n++) {
			if (out)
				out[n] = (struct change){ memory->points[k].step,
					                  memory->points[k].bytes - before, 0 };
			before = memory->points[k].bytes;
		}
	}
	return n;
}

enum etc_status etc_allocated_with_plan(const struct etc_allocated *a, uint32_t place,
                                        const struct etc_timeline *timeline,
                                        struct etc_arena *arena, struct etc_allocated_peak *out,
                                        struct etc_error *err)
{
	size_t n = list_changes(a, place, timeline, NULL);
	struct change *c = etc_new(arena, struct change, n);
	uint64_t planned = 0, allocated = 0;

	*out = (struct etc_allocated_peak){ .step = -1 };
	ETC_NEED(c, err);
	list_changes(a, place, timeline, c);
	if (n)
		qsort(c, n, sizeof *c, by_step);
	for (size_t i = 0; i < n; i++) {
		planned += c[i].planned;
		allocated = sum(i && c[i - 1].step == c[i].step ? allocated : 0, c[i].allocated);
		if (i + 1 < n && c[i + 1].step == c[i].step)
			continue;
		if (out->step < 0 || sum(planned, allocated) > sum(out->planned, out->allocated))
			*out = (struct etc_allocated_peak){ c[i].step, planned, allocated };
	}
	return ETC_OK;
}
