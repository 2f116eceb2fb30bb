/* report_measure.c -- measures one dump; see report.h */
#include "commands/pipeline/report.h"

#include <stdlib.h>

#include "commands/pipeline/categories.h"

enum { KEPT_OPERATORS = 200 };

/* The term of the sum "leaves + delegate overhead + operator overhead + framework" (summary.h) to
 * which the time of a row belongs. */
enum part { LEAF, OPERATOR_OVERHEAD, FRAMEWORK };

static enum part part_of(const struct etc_profile_row *row)
{
	static const char *const framework[] = { "MOVE_CALL", "FREE_CALL", "JF_CALL",
		                                 "Method::step" };
	const struct etc_event *e = row->event ? row->event->event : NULL;

	if (row->delegate || row->native || !e)
		return LEAF;
	if (etc_str_eq(row->name, ETC_STR("OPERATOR_CALL")))
		return OPERATOR_OVERHEAD; /* the event encloses a kernel that has its own row */
	for (size_t i = 0; i < sizeof framework / sizeof framework[0]; i++)
		if (etc_str_eq(etc_event_name(e), etc_str_of(framework[i])))
			return FRAMEWORK;
	return LEAF;
}

/* Returns the name of the row's event as in the dump. The kit's categorisers use this name. */
static struct etc_str raw_name(const struct etc_profile_row *row)
{
	const struct etc_event *e = row->event ? row->event->event : NULL;

	if (!e)
		return row->name;
	return e->has_delegate_name ? etc_event_delegate_name(e) : etc_event_name(e);
}

static struct etc_str category_of(const struct etc_profile_row *row)
{
	const struct etc_event *e = row->event ? row->event->event : NULL;

	if (row->category.len)
		return row->category;
	if (e && !row->delegate && etc_str_eq(etc_event_name(e), ETC_STR("DELEGATE_CALL")))
		return ETC_STR("opaque delegate"); /* the delegate logged no events */
	return ETC_STR("other");
}

static bool add_leaf(struct etc_breakdown *b, const struct etc_profile_row *row,
                     struct etc_arena *arena)
{
	struct etc_str raw = raw_name(row);

	return etc_leaves_add(&b->leaves[ETC_PROFILE_ETCORE], category_of(row), row->self, arena) &&
	       etc_leaves_add(&b->leaves[ETC_PROFILE_V1], etc_str_of(etc_category_v1(raw)),
	                      row->self, arena) &&
	       etc_leaves_add(&b->leaves[ETC_PROFILE_V2], etc_str_of(etc_category_v2(raw)),
	                      row->self, arena);
}

/* ---- operators ------------------------------------------------------------------------ */

/* Converts the times of an experiment's operators from 1/`den` ns to a smaller unit, in which times
 * in 1/`of_profile` ns are whole numbers, too. Returns the number of these units per nanosecond. If
 * that number would be too large, converts nothing and returns `den`. */
static uint64_t refine(struct etc_report_operators *o, uint64_t den, uint64_t of_profile)
{
	const uint64_t both = den ? etc_common_multiple(den, of_profile, UINT64_MAX) : of_profile;

	for (uint32_t i = 0; both && i < o->count; i++)
		o->v[i].time = etc_breakdown_parts(o->v[i].time, den, both);
	return both ? both : den;
}

static bool add_operator(struct etc_report_operators *o, const struct etc_profile_row *row,
                         etc_u128 time, struct etc_arena *arena)
{
	struct etc_str name = row->event ? row->event->key[ETC_BY_OP] : row->name;
	size_t at = etc_map_get(&o->known, name);

	if (at == ETC_MAP_NONE) {
		struct etc_summary_operator *new, one = {
			.name = etc_arena_str(arena, name),
			.category = etc_arena_str(arena, category_of(row)),
			.backend = etc_arena_str(arena, row->backend.len ? row->backend
			                                : row->native    ? ETC_STR("portable")
			                                                 : ETC_STR("runtime")),
		};

		at = one.name.ptr ? etc_map_add(&o->known, one.name, o->count) : ETC_MAP_NONE;
		new = at == ETC_MAP_NONE ? NULL : ETC_APPEND(arena, o->v, o->count, o->room);
		if (!new)
			return false;
		*new = one;
	}
	o->v[at].time += time;
	o->v[at].calls += row->calls;
	return true;
}

static int slower(const void *x, const void *y)
{
	const struct etc_summary_operator *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return etc_str_cmp(a->name, b->name);
}

void etc_report_operators_finish(struct etc_report_job *job)
{
	for (uint32_t i = 0; i < job->summary.experiment_count; i++) {
		struct etc_report_operators *o = &job->operators[i];
		struct etc_summary_experiment *x = &job->summary.experiments[i];

		if (o->count)
			qsort(o->v, o->count, sizeof *o->v, slower);
		x->operators = o->v;
		x->operator_count = o->count < KEPT_OPERATORS ? o->count : KEPT_OPERATORS;
	}
}

/* ---- times ------------------------------------------------------------------------------ */

static enum etc_status add_rows(struct etc_report_job *job, const struct etc_profile *p,
                                struct etc_summary_dump *d, struct etc_error *err)
{
	struct etc_report_operators *operators = &job->operators[d->of];
	uint64_t *den = &job->summary.experiments[d->of].times.den;
	struct etc_arena *arena = job->summary.arena;
	bool ok = true;

	*den = refine(operators, *den, p->den);
	for (size_t i = 0; i < p->row_count && ok; i++) {
		const struct etc_profile_row *row = &p->rows[i];

		if (row->path == ETC_PROFILE_LOAD)
			continue;
		if (row->detached) {
			d->times.detached +=
				row->unit == ETCORE_UNIT_NS && !etc_row_is_parallel(row) ? row->self
											 : 0;
			continue;
		}
		switch (part_of(row)) {
		case OPERATOR_OVERHEAD:
			d->times.operator_overhead += row->self;
			break;
		case FRAMEWORK:
			d->times.framework += row->self;
			break;
		default:
			ok = add_leaf(&d->times, row, arena) &&
			     add_operator(operators, row,
			                  etc_breakdown_parts(row->self, p->den, *den), arena);
		}
	}
	return ok ? ETC_OK : etc_no_memory(err);
}

static void add_paths(const struct etc_profile *p, struct etc_breakdown *b)
{
	for (uint32_t i = 0; i < p->path_count; i++) {
		const struct etc_profile_path *path = &p->paths[i];

		b->executions += path->kept;
		b->set_aside += path->warmup;
		b->end_to_end += path->time;
		b->rounding += path->rounding;
		b->delegate_overhead += path->rounding + path->unattributed_delegate;
		b->framework += path->unattributed - path->unattributed_delegate;
		b->delegated += path->delegated;
	}
	b->den = p->den;
}

static enum etc_status keep_latencies(const struct etc_profile *p, struct etc_summary_dump *d,
                                      struct etc_arena *arena, struct etc_error *err)
{
	double *to = etc_new(arena, double, d->times.executions);
	size_t n = 0;

	ETC_NEED(to, err);
	d->latency_ms = to;
	for (uint32_t i = 0; i < p->path_count; i++)
		for (size_t k = 0; k < p->paths[i].runs; k++)
			if (p->paths[i].use[k] != ETC_USE_WARMUP)
				to[n++] = etc_ratio_double(
					etc_ratio(p->paths[i].samples[k],
				                  (etc_u128)(p->den ? p->den : 1) * 1000000));
	for (size_t i = 0; i < p->load_count && d->load_ms < 0; i++)
		if (p->loads[i].valid)
			d->load_ms = etc_ratio_double(etc_ratio(
				p->loads[i].time, (etc_u128)(p->den ? p->den : 1) * 1000000));
	return ETC_OK;
}

static size_t warmup_of(const struct etc_report_job *job, const struct etc_folder_entry *e)
{
	const struct etc_folder_job *of = etc_run_folder_job(&job->folder, e);

	return of && of->warmup < SIZE_MAX ? (size_t)of->warmup : 0;
}

enum etc_status etc_report_measure(struct etc_report_job *job, struct etc_dump_work *w,
                                   struct etc_summary_dump *d, struct etc_error *err)
{
	struct etc_profile_options options = {
		.clock = { .unit = ETCORE_UNIT_NS, .scale = 1 },
		.warmup = warmup_of(job, d->entry),
		.stat = ETC_STAT_MEAN,
		.by = ETC_BY_EVENT,
		.record = job->has_record ? &job->record : NULL,
		.host = &job->session->host,
	};
	struct etc_profile profile;
	const struct etc_trace *trace;

	job->session->notes.file = d->entry->rel;
	ETC_TRY(etc_profile_trace(&w->trace, &options, &w->arena, &trace, err));
	ETC_TRY(etc_profile_make(trace, &options, &w->arena, &profile, err));
	add_paths(&profile, &d->times);
	if (!d->times.executions) {
		(void)etc_fail(&d->why, E1057, "no Method::execute event");
		return ETC_OK;
	}
	ETC_TRY(add_rows(job, &profile, d, err));
	return keep_latencies(&profile, d, job->summary.arena, err);
}
