/* chrome.c -- `etcore memory -o chrome`: writes Chrome's trace format, which Perfetto reads, too.
 *
 * A method is shown as a process, and a step as a microsecond. Each group of tensors with one
 * storage is a slice on a thread; a memory id has one thread. Each memory has a counter of live
 * bytes, and each allocator a counter of the bytes that an instruction allocated. */
#include <stdio.h>

#include "commands/memory/forms.h"
#include "table/emit.h"

static void emit_common(struct etc_emit *e, const char *phase, struct etc_str name,
                        uint32_t process, uint64_t thread, int64_t at)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "name", name);
	etc_emit_text(e, "ph", etc_str_of(phase));
	etc_emit_u64(e, "pid", process);
	etc_emit_u64(e, "tid", thread);
	etc_emit_i64(e, "ts", at);
}

static void emit_counter(struct etc_emit *e, const char *name, uint32_t process, uint64_t thread,
                         int64_t at, uint64_t bytes)
{
	emit_common(e, "C", etc_str_of(name), process, thread, at);
	etc_emit_open(e, "args", '{');
	etc_emit_u64(e, "bytes", bytes);
	etc_emit_close(e);
	etc_emit_close(e);
}

static void emit_counters(struct etc_emit *e, const struct etc_memory *memory, uint32_t process)
{
	char name[40];

	snprintf(name, sizeof name, "memory %lu live bytes", (unsigned long)memory->id);
	for (uint32_t i = 0; i < memory->point_count && !e->out->failed; i++)
		emit_counter(e, name, process, memory->id, memory->points[i].step,
		             memory->points[i].bytes);
}

static void emit_slice(struct etc_emit *e, const struct etc_memory_method *m, uint32_t group,
                       uint32_t process)
{
	const struct etc_lifetime *g = &m->lifetimes.groups[group];
	struct etc_text name = { 0 };

	/* Lifetimes may overlap. Slices on a thread would have to nest, so asynchronous events are
	 * used. */
	for (int end = 0; end < 2; end++) {
		name.len = 0;
		etc_view_memory_name(m->method, g, &name);
		emit_common(e, end ? "e" : "b", etc_text_str(&name), process, g->memory_id,
		            end ? (int64_t)g->last + 1 : g->first);
		etc_emit_text(e, "cat", ETC_STR("memory"));
		etc_emit_u64(e, "id", group);
		if (!end) {
			etc_emit_open(e, "args", '{');
			etc_emit_u64(e, "memory_id", g->memory_id);
			etc_emit_u64(e, "offset", g->offset);
			etc_emit_u64(e, "bytes", g->bytes);
			etc_emit_text(e, "kind", etc_str_of(etc_lifetime_kind_text(g->kind)));
			etc_emit_close(e);
		}
		etc_emit_close(e);
	}
	etc_text_release(&name);
}

/* Writes counters of the bytes that instructions allocate while they run. These bytes are not part
 * of the memory plan. */
static void emit_allocated(struct etc_emit *e, const struct etc_memory_runs *r,
                           const struct etc_memory_method *m, uint32_t process)
{
	for (uint32_t i = 0; i < r->allocated.use_count && !e->out->failed; i++) {
		const struct etc_allocator_use *u = &r->allocated.uses[i];
		char name[48];

		if (r->places[u->place].plan != m)
			continue;
		snprintf(name, sizeof name, "allocator %ld bytes", (long)u->id);
		for (uint32_t k = 0; k < u->step_count && !e->out->failed; k++) {
			int32_t step = u->steps[k].step;
			bool next = k + 1 < u->step_count && u->steps[k + 1].step == step + 1;

			if (step < 0)
				continue;
			emit_counter(e, name, process, (uint64_t)(uint32_t)u->id, step,
			             u->steps[k].most);
			if (!next)
				emit_counter(e, name, process, (uint64_t)(uint32_t)u->id,
				             (int64_t)step + 1, 0);
		}
	}
}

void etc_memory_put_chrome(void *what, struct etc_text *out)
{
	const struct etc_memory_plan *p = what;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_block(&e, "traceEvents", '[');
	for (uint32_t i = 0; i < p->method_count && !out->failed; i++) {
		const struct etc_memory_method *m = &p->methods[i];

		emit_common(&e, "M", ETC_STR("process_name"), i, 0, 0);
		etc_emit_open(&e, "args", '{');
		etc_emit_text(&e, "name", m->method->name);
		etc_emit_close(&e);
		etc_emit_close(&e);
		for (uint32_t k = 0; k < m->timeline.memory_count && !out->failed; k++)
			emit_counters(&e, &m->timeline.memories[k], i);
		for (uint32_t k = 0; k < m->lifetimes.group_count && !out->failed; k++)
			emit_slice(&e, m, k, i);
		if (p->runs)
			emit_allocated(&e, p->runs, m, i);
	}
	etc_emit_close(&e);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}
