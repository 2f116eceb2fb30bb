/* memory.c -- see analysis.h: `etcore memory`, the planned memory of a program. */
#include <stdio.h>

#include "api/documents.h"
#include "api/session.h"
#include "base/number.h"
#include "read/bundled.h"
#include "read/program.h"
#include "view/memory.h"
#include "write/emit.h"

/* ---- JSON ---------------------------------------------------------------------- */

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

static void emit_method(struct etc_emit *e, const struct etc_memory_method *m)
{
	etc_emit_block(e, NULL, '{');
	etc_emit_text(e, "method", m->method->name);
	etc_emit_i64(e, "steps", m->lifetimes.steps);
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

static void put_json(void *what, struct etc_text *out)
{
	const struct etc_memory_plan *p = what;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.memory/1"));
	etc_emit_text(&e, "file", p->path);
	emit_sizes(&e, &p->sizes);
	etc_emit_block(&e, "methods", '[');
	for (uint32_t i = 0; i < p->method_count && !out->failed; i++)
		emit_method(&e, &p->methods[i]);
	etc_emit_close(&e);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}

/* ---- Chrome's trace format, which Perfetto reads too ----------------------------------
 *
 * One process per method; ts is a step in microseconds. A slice per group on a
 * thread of its memory id, a counter of live bytes per memory. */

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

static void emit_counters(struct etc_emit *e, const struct etc_memory *memory, uint32_t process)
{
	char name[40];

	snprintf(name, sizeof name, "memory %lu live bytes", (unsigned long)memory->id);
	for (uint32_t i = 0; i < memory->point_count && !e->out->failed; i++) {
		emit_common(e, "C", etc_str_of(name), process, memory->id, memory->points[i].step);
		etc_emit_open(e, "args", '{');
		etc_emit_u64(e, "bytes", memory->points[i].bytes);
		etc_emit_close(e);
		etc_emit_close(e);
	}
}

static void emit_slice(struct etc_emit *e, const struct etc_memory_method *m, uint32_t group,
                       uint32_t process)
{
	const struct etc_lifetime *g = &m->lifetimes.groups[group];
	struct etc_text name = { 0 };

	/* Slices of a thread must nest, lifetimes do not: asynchronous ones. */
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

static void put_chrome(void *what, struct etc_text *out)
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
	}
	etc_emit_close(&e);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}

/* ---- the answer ------------------------------------------------------------------------- */

static void put_text(void *what, struct etc_text *out)
{
	etc_view_memory(what, out);
}

static void put_svg(void *what, struct etc_text *out)
{
	etc_view_memory_svg(what, out);
}

static const struct etc_form forms[] = {
	{ "text", put_text }, { "json", put_json }, { "chrome", put_chrome },
	{ "svg", put_svg },   { NULL, NULL },
};

enum { SHOWN = 24 };

static enum etc_status parse_top(const char *text, uint32_t *top, struct etc_error *err)
{
	uint64_t n = SHOWN;

	if (text && (!etc_number_parse_u64(etc_str_of(text), &n) || n > UINT32_MAX))
		return etc_fail(err, E0505, "--top '%s'; expected a whole number from 0", text);
	*top = n ? (uint32_t)n : UINT32_MAX;
	return ETC_OK;
}

static enum etc_status plan_methods(struct etc_session *s, const char *only,
                                    struct etc_memory_plan *plan, struct etc_error *err)
{
	const struct etc_program *p = plan->program;
	struct etc_memory_method *methods =
		etc_new(&s->arena, struct etc_memory_method, p->method_count);

	if (!methods)
		return etc_fail(err, E0904, "%lu methods", (unsigned long)p->method_count);
	plan->methods = methods;
	for (uint32_t i = 0; i < p->method_count; i++) {
		struct etc_memory_method *m = &methods[plan->method_count];

		if (only && !etc_str_eq(p->methods[i].name, etc_str_of(only)))
			continue;
		m->method = &p->methods[i];
		ETC_TRY(etc_lifetimes_find(m->method, &s->arena, &m->lifetimes, err));
		ETC_TRY(etc_timeline_make(m->method, &m->lifetimes, &s->arena, &m->timeline, err));
		plan->method_count++;
	}
	if (only && !plan->method_count)
		return etc_fail(err, E0508, "'%s'; the program has " ETC_STR_FMT "%s", only,
		                ETC_STR_ARG(p->methods[0].name), p->method_count > 1 ? " ..." : "");
	return ETC_OK;
}

static enum etc_status open_program(struct etc_session *s, const char *path, struct etc_span *bytes,
                                    struct etc_program *out, struct etc_error *err)
{
	ETC_TRY(etc_session_open(s, path, bytes, err));
	if (etc_bundled_is(*bytes))
		ETC_TRY(etc_bundled_inner(*bytes, bytes, err));
	return etc_program_read_whole(*bytes, &s->settings.limits, &s->arena, out, err);
}

static enum etc_status run(struct etc_session *s, const struct etc_memory_options *o,
                           struct etc_text *out, etc_note_fn *on_note, void *arg,
                           struct etc_error *err)
{
	struct etc_memory_plan plan = { .path = etc_str_of(o->file),
		                        .width = o->width,
		                        .ascii = o->ascii };
	struct etc_documents documents;
	struct etc_program program;
	struct etc_span bytes;

	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_documents_parse(&documents, forms, o->output, o->output_count, &s->arena, err));
	ETC_TRY(parse_top(o->top, &plan.top, err));
	ETC_TRY(etc_in_file(err, open_program(s, o->file, &bytes, &program, err), o->file));
	s->notes.file = plan.path;
	plan.program = &program;
	ETC_TRY(etc_program_sizes(&program, bytes, &s->arena, &plan.sizes, err));
	ETC_TRY(etc_in_file(err, plan_methods(s, o->method, &plan, err), o->file));
	ETC_TRY(etc_session_report(s, o->common.strict, on_note, arg, err));
	return etc_documents_write(&documents, &plan, out, err);
}

enum etc_status etc_memory(const struct etc_memory_options *options, struct etc_text *out,
                           etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	struct etc_session s;
	enum etc_status st;

	etc_session_init(&s, 0);
	st = run(&s, options, out, on_note, arg, err);
	etc_session_release(&s);
	return st;
}
