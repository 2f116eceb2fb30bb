/* times.c -- see times.h */
#include "commands/pipeline/times.h"

#include "formats/etdump/etdump.h"

static void take_run(const struct etc_trace *t, const struct etc_run *r, struct etc_times *out)
{
	const struct etc_template *template = etc_run_template(t, r);
	bool executes = false;
	double ms = 0;

	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		size_t at = r->first_sample + e->column;
		double took;

		if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e))
			continue;
		out->backwards = out->backwards || t->end[at] < t->start[at];
		took = t->end[at] < t->start[at] ? 0 : (double)(t->end[at] - t->start[at]) / 1e6;
		if (etc_str_eq(etc_event_name(e), ETC_STR("Method::execute"))) {
			executes = true;
			ms += took;
		} else if (etc_str_eq(etc_event_name(e), ETC_STR("Program::load_method"))) {
			out->load_ms = took;
		}
	}
	if (executes)
		out->execute_ms[out->runs++] = ms;
}

static enum etc_status take_runs(const struct etc_trace *t, struct etc_arena *arena,
                                 struct etc_times *out, struct etc_error *err)
{
	out->execute_ms = etc_new(arena, double, t->run_count);
	ETC_NEED(out->execute_ms, err);
	for (size_t i = 0; i < t->run_count; i++)
		take_run(t, &t->runs[i], out);
	return ETC_OK;
}

enum etc_status etc_times_read(struct etc_span file, struct etc_arena *arena, struct etc_times *out,
                               struct etc_error *err)
{
	struct etc_arena scratch;
	struct etc_trace t;
	enum etc_status st;

	*out = (struct etc_times){ .load_ms = -1 };
	etc_arena_init(&scratch, arena->budget);
	st = etc_etdump_read(file, NULL, &scratch, NULL, &t, err);
	if (st == ETC_OK)
		st = take_runs(&t, arena, out, err);
	etc_arena_release(&scratch);
	return st;
}
