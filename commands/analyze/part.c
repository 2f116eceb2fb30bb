/* part.c -- makes one report of `etcore analyze`; see part.h */
#include "commands/analyze/part.h"

#include "commands/analyze/events.h"
#include "context/files.h"
#include "commands/analyze/noise.h"
#include "profile/remarks.h"
#include "profile/roofline.h"
#include "join/pool.h"
#include "commands/analyze/allocations.h"
#include "commands/analyze/machine.h"
#include "commands/analyze/tables.h"
#include "commands/analyze/tracer.h"

enum { DEBUG_BUDGET = 256 << 20 };

/* ---- files ------------------------------------------------------------------ */

enum etc_status etc_part_files(struct etc_part *p, struct etc_arena *arena, bool hashes,
                               struct etc_error *err)
{
	struct etc_report_file *list =
		etc_new(arena, struct etc_report_file, p->count * ETC_FILE_KINDS);

	ETC_NEED(list, err);
	p->report.files = list;
	p->report.file_count = 0;
	for (uint32_t d = 0; d < p->count; d++)
		p->report.file_count +=
			etc_list_files(&p->inputs[d], hashes, arena, list + p->report.file_count);
	return ETC_OK;
}

enum etc_status etc_part_pool(struct etc_part *p, struct etc_session *s, struct etc_error *err)
{
	const struct etc_trace **traces = etc_new(&s->arena, const struct etc_trace *, p->count);
	uint32_t *file;

	p->names = etc_new(&s->arena, struct etc_str, p->count);
	ETC_NEED(traces && p->names, err);
	p->in = p->inputs[0];
	for (uint32_t i = 0; i < p->count; i++) {
		traces[i] = &p->inputs[i].trace;
		p->names[i] = etc_str_of(p->inputs[i].dump.path);
	}
	if (p->count == 1)
		return ETC_OK;
	ETC_TRY(etc_pool_join(traces, p->count, &s->arena, &p->in.trace, &file, err));
	p->file = file;
	return ETC_OK;
}

/* ---- rows ------------------------------------------------------------------- */

/* Returns the block number of each row; NULL: out of memory. Sorting keeps the rows of a block
 * together. Each path has two blocks: its attached rows, then its detached rows. */
static uint32_t *blocks_of(const struct etc_profile *profile, struct etc_arena *arena)
{
	uint32_t *block = etc_new(arena, uint32_t, profile->row_count), n = 0;

	for (size_t i = 0; block && i < profile->row_count; i++) {
		const struct etc_profile_row *r = &profile->rows[i];

		n += i && (r[-1].path != r->path || r[-1].detached != r->detached);
		block[i] = n;
	}
	return block;
}

/* Applies --where and --sort to `rows`, the machine-readable table, and in the same way to the
 * profile's rows. */
static enum etc_status select_rows(struct etc_part *p, const struct etc_plan *plan,
                                   const struct etc_profile *all, struct etc_session *s,
                                   struct etc_table *rows, struct etc_error *err)
{
	struct etc_arena *arena = &s->arena;
	struct etc_profile_row *kept;
	struct etc_selection rows_only = plan->selection;
	uint32_t *order, count, *block = blocks_of(all, arena);

	p->shown = *all;
	if (plan->options->events || !etc_selection_chosen(&plan->selection))
		return etc_view_rows(all, arena, rows, err);
	ETC_NEED(block, err);
	ETC_TRY(etc_view_rows_typed(all, arena, rows, err));
	ETC_TRY(etc_selection_rows(&plan->selection, rows, block, arena, &order, &count, err));
	etc_selection_remark(&plan->selection, rows, &s->notes);
	kept = etc_new(arena, struct etc_profile_row, count);
	ETC_NEED(kept, err);
	for (uint32_t i = 0; i < count; i++)
		kept[i] = all->rows[order[i]];
	p->shown.rows = kept;
	p->shown.row_count = count;
	rows_only.column_count = 0;
	rows_only.keeps_typed = true;
	return etc_selection_table(&rows_only, rows, order, count, arena, rows, err);
}

/* Chooses the columns of the screen: those of --columns; without this option, those of --roofline,
 * if that was given. */
static enum etc_status choose_columns(const struct etc_plan *plan, struct etc_table *rows,
                                      struct etc_screen_options *screen, struct etc_arena *arena,
                                      struct etc_error *err)
{
	static const struct etc_str roofline[] = {
#define X(name) { name, sizeof name - 1 },
		X("#") X("name") X("calls") X("self_ns") X("gflops") X("gbps") X("intensity")
			X("roof_share") X("bound_by") X("saved_ns") X("on") X("work_why")
#undef X
	};
	const bool chosen = plan->selection.column_count > 0;
	const struct etc_str *names = chosen ? plan->selection.columns : roofline;
	uint32_t n = chosen ? plan->selection.column_count : sizeof roofline / sizeof *roofline;
	uint32_t *columns = etc_new(arena, uint32_t, n);

	ETC_NEED(columns, err);
	for (uint32_t i = 0; i < n; i++)
		ETC_TRY(etc_table_column(rows, names[i], &columns[i], err));
	/* The second default column, "name", is replaced by the column with the names that other
	 * screens show; its index is `also` - 1. */
	if (!chosen)
		columns[1] = rows->columns[columns[1]].also - 1;
	screen->titled = !chosen;
	screen->columns = columns;
	screen->column_count = n;
	screen->rows = rows;
	return ETC_OK;
}

/* Makes, from `t`, the table that CSV, JSON and the other machine-readable formats write. It has
 * the columns of --columns if `selected`, else all columns. */
static enum etc_status project(const struct etc_plan *plan, bool selected, struct etc_arena *arena,
                               const struct etc_table *t, struct etc_table *out,
                               struct etc_error *err)
{
	struct etc_selection columns_only = { 0 };
	uint32_t *order, count;

	if (selected) {
		columns_only.columns = plan->selection.columns;
		columns_only.column_count = plan->selection.column_count;
	}
	ETC_TRY(etc_selection_rows(&columns_only, t, NULL, arena, &order, &count, err));
	return etc_selection_table(&columns_only, t, order, count, arena, out, err);
}

/* Makes the rows by the key of --by (`all`), and the rows by operator, which notes and head lines
 * need. With --brief, the rows by operator are left out, since the caller already has an answer by
 * operator. */
static enum etc_status measure(struct etc_part *p, const struct etc_plan *plan,
                               struct etc_profile_options *po, struct etc_session *s,
                               struct etc_profile *all, struct etc_error *err)
{
	const uint8_t by = etc_plan_of_runs(plan) ? (uint8_t)ETC_BY_OP : plan->by;
	const char *method = plan->options->method;

	po->by = plan->options->brief ? by : (uint8_t)ETC_BY_OP;
	ETC_TRY(etc_profile_make(p->trace, po, &s->arena, &p->profile, err));
	p->whole = p->profile;
	if (method)
		ETC_TRY(etc_profile_choose(&p->profile, method, &s->arena, err));
	p->profile.shown_unit = plan->shown_unit;
	*all = p->profile;
	if (po->by != by) {
		po->by = by;
		ETC_TRY(etc_profile_make(p->trace, po, &s->arena, all, err));
		if (method)
			ETC_TRY(etc_profile_choose(all, method, &s->arena, err));
		all->shown_unit = plan->shown_unit;
	}
	po->by = ETC_BY_OP;
	return ETC_OK;
}

/* Makes the table of --events. It is made even if there are no rows to rank. */
static enum etc_status list_events(struct etc_part *p, const struct etc_plan *plan,
                                   const struct etc_profile_options *po, struct etc_session *s,
                                   struct etc_error *err)
{
	struct etc_table *t = &p->report.events;
	uint32_t *order, count;

	bool chosen = plan->options->events && etc_selection_chosen(&plan->selection);

	ETC_TRY(etc_events_make(p->trace, po, &p->whole, &p->profile, chosen, &s->arena, t, err));
	if (!chosen)
		return ETC_OK;
	ETC_TRY(etc_table_fill(t, &s->arena, err));
	ETC_TRY(etc_selection_rows(&plan->selection, t, NULL, &s->arena, &order, &count, err));
	etc_selection_remark(&plan->selection, t, &s->notes);
	return etc_selection_table(&plan->selection, t, order, count, &s->arena, t, err);
}

/* Sets *out to an array with enum etc_run_layout of each run of all files of the part, in the order
 * of the files. Sets it to NULL if no file is truncated, so that all runs are ETC_RUN_WHOLE. */
static enum etc_status layouts_of(const struct etc_part *p, struct etc_arena *arena,
                                  const uint8_t **out, struct etc_error *err)
{
	uint8_t *layout, *at;
	bool any = false;

	*out = NULL;
	for (uint32_t i = 0; i < p->count; i++)
		any = any || p->inputs[i].trace.salvage;
	if (!any)
		return ETC_OK;
	*out = at = layout = etc_new(arena, uint8_t, p->in.trace.run_count);
	ETC_NEED(layout, err);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct etc_trace *t = &p->inputs[i].trace;

		for (size_t r = 0; r < t->run_count; r++)
			*at++ = !t->salvage               ? ETC_RUN_WHOLE
			        : t->salvage->inferred[r] ? ETC_RUN_INFERRED
			                                  : ETC_RUN_OWN;
	}
	return ETC_OK;
}

enum etc_status etc_part_runs(const struct etc_part *p, struct etc_arena *arena,
                              struct etc_runs_part *out, struct etc_error *err)
{
	*out = (struct etc_runs_part){ &p->profile, p->names, p->file, NULL };
	return layouts_of(p, arena, &out->layout, err);
}

/* Makes the profiles again, with the tracer's cost subtracted. */
static enum etc_status subtract(struct etc_part *p, const struct etc_plan *plan,
                                struct etc_profile_options *po, struct etc_session *s,
                                struct etc_profile *all, struct etc_error *err)
{
	const struct etc_profile whole = p->whole;

	ETC_TRY(etc_tracer_check(p->tracer, p, &p->profile, s, err));
	po->tracer = &p->tracer->cost;
	ETC_TRY(measure(p, plan, po, s, all, err));
	p->whole = whole;
	etc_tracer_remark(p->tracer, all, &s->notes);
	return ETC_OK;
}

enum etc_status etc_part_make(struct etc_part *p, const struct etc_plan *plan,
                              struct etc_session *s, bool hashes, struct etc_error *err)
{
	struct etc_profile_options po;
	struct etc_screen_options screen = { .top = plan->top, .tree = plan->options->tree };
	struct etc_arena *arena = &s->arena;
	struct etc_profile all;
	struct etc_table *rows = etc_new(arena, struct etc_table, 1);

	ETC_NEED(rows, err);
	ETC_TRY(etc_part_files(p, arena, hashes, err));
	s->notes.file = p->names[0];
	po = etc_plan_profile(plan, &p->in, s);
	if (po.clock.unit != plan->profile.clock.unit ||
	    po.clock.scale != plan->profile.clock.scale ||
	    etc_clock_den(po.clock) != etc_clock_den(plan->profile.clock))
		etc_note(&s->notes, N0225, "no scale was given");
	po.file = p->file;
	po.path_columns = etc_plan_of_runs(plan);
	po.samples = po.stat != ETC_STAT_MEDIAN;
	p->options = po;
	ETC_TRY(etc_profile_trace(&p->in.trace, &po, arena, &p->trace, err));
	ETC_TRY(measure(p, plan, &po, s, &all, err));
	if (p->profile.by == ETC_BY_OP)
		etc_remark_profile(&p->profile, &s->notes);
	if (plan->roofline)
		etc_remark_roofline(&all, &s->notes);
	etc_remark_columns(&all, &s->notes);
	if (p->in.etrecord.path && etc_by_is_place(plan->by))
		etc_remark_places(&all, &s->notes);
	ETC_TRY(etc_remark_noise(&all, p->file, p->names, plan->top, &s->notes, err));
	etc_remark_record(&p->profile, &p->in, plan->by, &s->notes);
	etc_remark_foreign(&p->in, &s->notes);
	etc_remark_program(&p->profile, &s->notes);
	for (uint32_t i = 0; i < p->count; i++) {
		s->notes.file = p->names[i];
		etc_remark_debug(&p->inputs[i], &s->notes, DEBUG_BUDGET);
		etc_remark_outputs(&p->inputs[i], &s->notes, DEBUG_BUDGET);
	}
	s->notes.file = p->names[0];
	if (p->tracer) /* after the notes above, which are about the measured times */
		ETC_TRY(subtract(p, plan, &po, s, &all, err));
	if (etc_plan_of_runs(plan))
		p->shown = all;
	else
		ETC_TRY(select_rows(p, plan, &all, s, rows, err));
	ETC_TRY(etc_view_methods(&all, arena, &p->report.methods, &p->report.method_count, err));
	if (!etc_plan_of_runs(plan) && !plan->options->events &&
	    (plan->selection.column_count || plan->roofline))
		ETC_TRY(choose_columns(plan, rows, &screen, arena, err));
	ETC_TRY(etc_view_screen(&p->profile, &all, &p->shown, &screen, arena, &p->report, err));
	ETC_TRY(etc_view_allocations(&p->in.trace, &p->profile, arena, &p->report.allocations,
	                             err));
	p->report.rows = p->report.all_rows = *rows;
	if (!plan->options->events && !etc_plan_of_runs(plan) &&
	    etc_selection_chosen(&plan->selection)) {
		ETC_TRY(project(plan, true, arena, rows, &p->report.rows, err));
		ETC_TRY(project(plan, false, arena, rows, &p->report.all_rows, err));
	}
	p->report.events_top = plan->options->top ? plan->top : 0;
	if (plan->options->events || p->report.block_count == 0)
		ETC_TRY(list_events(p, plan, &po, s, err));
	/* --events and --by run, file or method replace the ranked tables */
	if (plan->options->events || etc_plan_of_runs(plan))
		for (uint32_t b = 0; b < p->report.block_count; b++)
			p->report.blocks[b].table.row_count =
				p->report.blocks[b].detached.row_count = 0;
	return ETC_OK;
}
