/* json.c -- the JSON of `etcore memory`; docs/memory.schema.json describes the members. */
#include "commands/memory/forms.h"
#include "table/emit.h"

static void emit_sizes(struct etc_emit *e, const struct etc_program_sizes *s)
{
	etc_emit_open(e, "sizes", '{');
	etc_emit_u64(e, "file", s->file);
	etc_emit_u64(e, "constants", s->constants);
	etc_emit_u64(e, "initial_states", s->initial);
	etc_emit_u64(e, "delegate_blobs", s->delegates);
	etc_emit_u64(e, "named_data", s->named);
	etc_emit_u64(e, "external", s->external);
	etc_emit_u64(e, "rest", s->rest);
	etc_emit_close(e);
}

static void emit_group(struct etc_emit *e, const struct etc_program_method *m,
                       const struct etc_lifetime *g)
{
	struct etc_text name = { 0 };

	etc_view_memory_name(m, g, &name);
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "name", etc_text_str(&name));
	etc_text_release(&name);
	etc_emit_open(e, "values", '[');
	for (uint32_t i = 0; i < g->value_count; i++)
		etc_emit_u64(e, NULL, g->values[i]);
	etc_emit_close(e);
	etc_emit_u64(e, "memory_id", g->memory_id);
	etc_emit_u64(e, "offset", g->offset);
	etc_emit_u64(e, "bytes", g->bytes);
	etc_emit_i64(e, "first", g->first);
	etc_emit_i64(e, "last", g->last);
	etc_emit_text(e, "kind", etc_str_of(etc_lifetime_kind_text(g->kind)));
	etc_emit_open(e, "mentions", '[');
	for (uint32_t i = 0; i < g->mention_count && !e->out->failed; i++)
		etc_emit_i64(e, NULL, g->mentions[i]);
	etc_emit_close(e);
	etc_emit_close(e);
}

static void emit_memory(struct etc_emit *e, const struct etc_memory *memory)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_u64(e, "memory_id", memory->id);
	if (memory->declared)
		etc_emit_u64(e, "planned_size", memory->planned);
	else
		etc_emit_null(e, "planned_size");
	etc_emit_u64(e, "peak_live_bytes", memory->peak_bytes);
	if (memory->peak_step >= 0)
		etc_emit_i64(e, "peak_step", memory->peak_step);
	else
		etc_emit_null(e, "peak_step");
	etc_emit_u64(e, "max_extent", memory->max_extent);
	etc_emit_open(e, "timeline", '[');
	for (uint32_t i = 0; i < memory->point_count && !e->out->failed; i++) {
		const struct etc_memory_point *p = &memory->points[i];

		etc_emit_open(e, NULL, '{');
		etc_emit_i64(e, "step", p->step);
		etc_emit_u64(e, "live", p->live);
		etc_emit_u64(e, "bytes", p->bytes);
		etc_emit_u64(e, "covered", p->covered);
		etc_emit_u64(e, "extent", p->extent);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

/* Writes the delegates' blobs in the order of the program. Each has the number of instructions that
 * call its delegate. */
static void emit_delegates(struct etc_emit *e, const struct etc_memory_method *m)
{
	etc_emit_block(e, "delegates", '[');
	for (uint32_t i = 0; i < m->method->delegate_count && !e->out->failed; i++) {
		const struct etc_program_delegate *d = &m->method->delegates[i];

		etc_emit_open(e, NULL, '{');
		etc_emit_u64(e, "index", i);
		etc_emit_text(e, "backend", d->backend);
		etc_emit_u64(e, "bytes", d->processed.len);
		etc_emit_text(e, "location",
		              d->in_segment ? ETC_STR("SEGMENT") : ETC_STR("INLINE"));
		etc_emit_u64(e, "data_index", d->index);
		etc_emit_u64(e, "calls", m->delegate_calls[i]);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void emit_method(struct etc_emit *e, const struct etc_memory_method *m)
{
	etc_emit_block(e, NULL, '{');
	etc_emit_text(e, "method", m->method->name);
	etc_emit_i64(e, "steps", m->lifetimes.steps);
	emit_delegates(e, m);
	etc_emit_block(e, "memories", '[');
	for (uint32_t i = 0; i < m->timeline.memory_count && !e->out->failed; i++)
		emit_memory(e, &m->timeline.memories[i]);
	etc_emit_close(e);
	etc_emit_block(e, "groups", '[');
	for (uint32_t i = 0; i < m->lifetimes.group_count && !e->out->failed; i++)
		emit_group(e, m->method, &m->lifetimes.groups[i]);
	etc_emit_close(e);
	etc_emit_open(e, "unmentioned", '[');
	for (uint32_t i = 0; i < m->lifetimes.unmentioned_count; i++)
		etc_emit_u64(e, NULL, m->lifetimes.unmentioned[i]);
	etc_emit_close(e);
	etc_emit_u64(e, "delegate_outputs_assumed", m->lifetimes.assumed_outputs);
	etc_emit_block(e, "conflicts", '[');
	for (uint32_t i = 0; i < m->timeline.conflict_count; i++) {
		const struct etc_memory_conflict *c = &m->timeline.conflicts[i];

		etc_emit_open(e, NULL, '{');
		etc_emit_open(e, "groups", '[');
		etc_emit_u64(e, NULL, c->a);
		etc_emit_u64(e, NULL, c->b);
		etc_emit_close(e);
		etc_emit_i64(e, "first", c->first);
		etc_emit_i64(e, "last", c->last);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

/* ---- allocations during runs ----------------------------------------------------------- */

static void emit_use(struct etc_emit *e, const struct etc_memory_place *place,
                     const struct etc_allocator_use *u)
{
	uint64_t bytes;

	etc_emit_open(e, NULL, '{');
	etc_emit_u64(e, "allocator_id", (uint64_t)(uint32_t)u->id);
	etc_emit_text(e, "allocator", u->name);
	etc_emit_u64(e, "allocations", u->count);
	if (etc_ratio_whole(etc_ratio(u->bytes, 1), &bytes))
		etc_emit_u64(e, "bytes", bytes);
	else
		etc_emit_real(e, "bytes", etc_ratio_double(etc_ratio(u->bytes, 1)));
	etc_emit_u64(e, "max_run_bytes", u->most);
	etc_emit_u64(e, "largest_bytes", u->largest);
	etc_emit_open(e, "steps", '[');
	for (uint32_t i = 0; i < u->step_count && !e->out->failed; i++) {
		etc_emit_open(e, NULL, '{');
		if (u->steps[i].step >= 0)
			etc_emit_i64(e, "step", u->steps[i].step);
		else
			etc_emit_null(e, "step");
		if (place->plan)
			etc_emit_text(e, "op",
			              etc_view_memory_step(place->plan->method, u->steps[i].step));
		etc_emit_u64(e, "allocations", u->steps[i].count);
		etc_emit_u64(e, "max_bytes", u->steps[i].most);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

static void emit_place(struct etc_emit *e, const struct etc_memory_runs *r, uint32_t index)
{
	const struct etc_memory_place *p = &r->places[index];

	etc_emit_block(e, NULL, '{');
	etc_emit_text(e, "method", p->method);
	etc_emit_bool(e, "execute", p->execute);
	etc_emit_u64(e, "runs", p->runs);
	etc_emit_block(e, "allocators", '[');
	for (uint32_t i = 0; i < r->allocated.use_count && !e->out->failed; i++)
		if (r->allocated.uses[i].place == index)
			emit_use(e, p, &r->allocated.uses[i]);
	etc_emit_close(e);
	if (p->plan && p->peak.step >= 0) {
		etc_emit_open(e, "with_plan", '{');
		etc_emit_i64(e, "step", p->peak.step);
		etc_emit_u64(e, "planned_live_bytes", p->peak.planned);
		etc_emit_u64(e, "allocated_bytes", p->peak.allocated);
		etc_emit_close(e);
	} else {
		etc_emit_null(e, "with_plan");
	}
	etc_emit_close(e);
}

static void emit_runs(struct etc_emit *e, const struct etc_memory_runs *r)
{
	if (!r) {
		etc_emit_null(e, "allocations");
		return;
	}
	etc_emit_block(e, "allocations", '{');
	etc_emit_text(e, "file", r->path);
	etc_emit_u64(e, "runs", r->run_count);
	etc_emit_block(e, "places", '[');
	for (uint32_t i = 0; i < r->place_count && !e->out->failed; i++)
		if (r->places[i].shown)
			emit_place(e, r, i);
	etc_emit_close(e);
	etc_emit_close(e);
}

void etc_memory_put_json(void *what, struct etc_text *out)
{
	const struct etc_memory_plan *p = what;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.memory/1"));
	etc_emit_text(&e, "file", p->path);
	if (p->program)
		emit_sizes(&e, &p->sizes);
	else
		etc_emit_null(&e, "sizes");
	etc_emit_block(&e, "methods", '[');
	for (uint32_t i = 0; i < p->method_count && !out->failed; i++)
		emit_method(&e, &p->methods[i]);
	etc_emit_close(&e);
	emit_runs(&e, p->runs);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}
