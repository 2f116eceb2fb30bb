/* answer_tables.c -- makes the tables of an answer on first use; see answer.h. */
#include "commands/analyze/answer.h"
#include "commands/analyze/events.h"
#include "commands/analyze/machine.h"
#include "table/cells.h"

/* clang-format off */
enum { PATH_METHOD, PATH_LOAD, PATH_OWN };
static const struct etc_column path_columns[PATH_OWN] = {
	[PATH_METHOD] = { .name = "method", .help = "method of the program" },
	[PATH_LOAD]   = { .name = "load_ns", .style = ETC_STYLE_TIME, .right = true, .help = "its first load" },
};

enum { RUN_BLOCK, RUN_METHOD, RUN_PATH, RUN_USE, RUN_SAMPLES, RUN_FIRST, RUN_FILE, RUN_COLUMNS };
static const struct etc_column run_columns[RUN_COLUMNS] = {
	[RUN_BLOCK]   = { .name = "block", .help = "name of the block of events" },
	[RUN_METHOD]  = { .name = "method", .help = "method of the program" },
	[RUN_PATH]    = { .name = "path", .right = true, .help = "execution path, from 1" },
	[RUN_USE]     = { .name = "use", .help = "warm-up, kept, or typical: in the rows" },
	[RUN_SAMPLES] = { .name = "samples", .right = true, .help = "samples of the run" },
	[RUN_FIRST]   = { .name = "first_sample", .right = true, .help = "row of the first of them, from 0" },
	[RUN_FILE]    = { .name = "file", .help = "the dump" },
};

enum { FILE_PATH, FILE_KIND, FILE_COLUMNS };
static const struct etc_column file_columns[FILE_COLUMNS] = {
	[FILE_PATH] = { .name = "path", .help = "as it was given, or found" },
	[FILE_KIND] = { .name = "kind", .help = "etdump, etrecord, debug_buffer, program" },
};

const struct etc_column etc_sample_columns[ETC_SAMPLE_COLUMNS] = {
	[ETC_SAMPLE_EVENT] = { .name = "event", .right = true, .help = "row of the table of events, from 0" },
	[ETC_SAMPLE_RUN]   = { .name = "run", .right = true, .help = "row of the table of runs, from 0" },
	[ETC_SAMPLE_START] = { .name = "start", .right = true, .help = "raw ticks" },
	[ETC_SAMPLE_END]   = { .name = "end", .right = true, .help = "raw ticks" },
};
/* clang-format on */

/* ---- types ------------------------------------------------------------------- */

static enum etc_status set_types(struct etc_typed_table *t, struct etc_arena *arena,
                                 struct etc_error *err)
{
	uint8_t *types = etc_new(arena, uint8_t, t->table.column_count);

	ETC_NEED(types, err);
	for (uint32_t c = 0; c < t->table.column_count; c++)
		types[c] = etc_column_type(&t->table.columns[c]);
	t->types = types;
	t->made = true;
	return ETC_OK;
}

/* ---- tables ------------------------------------------------------------------- */

static enum etc_status make_table(struct etc_answer *a, const struct etc_column *columns,
                                  uint32_t column_count, size_t rows, struct etc_table *out,
                                  struct etc_error *err)
{
	*out = (struct etc_table){
		.columns = columns,
		.column_count = column_count,
		.cells = etc_new(&a->session->arena, struct etc_cell, rows * column_count),
		.row_count = (uint32_t)rows,
	};
	if (!out->cells || rows > UINT32_MAX)
		return etc_fail(err, E0904, "%zu rows", rows);
	return ETC_OK;
}

static enum etc_status joined(struct etc_answer *a, const struct etc_report **out,
                              struct etc_error *err)
{
	if (!a->is_joined)
		ETC_TRY(etc_answer_join(a, &a->joined, err));
	a->is_joined = true;
	*out = &a->joined;
	return ETC_OK;
}

static enum etc_status make_rows(struct etc_answer *a, struct etc_table *out, struct etc_error *err)
{
	const struct etc_report *r;

	ETC_TRY(joined(a, &r, err));
	*out = r->rows;
	return etc_table_fill(out, &a->session->arena, err);
}

static enum etc_status make_allocations(struct etc_answer *a, struct etc_table *out,
                                        struct etc_error *err)
{
	const struct etc_report *r;

	ETC_TRY(joined(a, &r, err));
	*out = r->allocations;
	return ETC_OK;
}

static enum etc_status make_files(struct etc_answer *a, struct etc_table *out,
                                  struct etc_error *err)
{
	const struct etc_report *r;

	ETC_TRY(joined(a, &r, err));
	ETC_TRY(make_table(a, file_columns, FILE_COLUMNS, r->file_count, out, err));
	for (uint32_t i = 0; i < r->file_count; i++) {
		out->cells[i * FILE_COLUMNS + FILE_PATH] = etc_cell_text(r->files[i].path);
		out->cells[i * FILE_COLUMNS + FILE_KIND] =
			etc_cell_text(etc_str_of(r->files[i].kind));
	}
	return ETC_OK;
}

/* Makes the table of the paths of one part, with the method of each path. */
static enum etc_status paths_of(struct etc_answer *a, const struct etc_report *r,
                                struct etc_table *out, struct etc_error *err)
{
	uint32_t columns = PATH_OWN, rows = 0;
	struct etc_column *all;
	struct etc_cell *to;

	for (uint32_t m = 0; m < r->method_count; m++) {
		rows += r->methods[m].paths.row_count;
		columns = PATH_OWN + r->methods[m].paths.column_count;
	}
	all = etc_new(&a->session->arena, struct etc_column, columns);
	ETC_NEED(all, err);
	memcpy(all, path_columns, sizeof path_columns);
	for (uint32_t c = PATH_OWN; c < columns; c++)
		all[c] = r->methods[0].paths.columns[c - PATH_OWN];
	ETC_TRY(make_table(a, all, columns, rows, out, err));
	to = out->cells;
	for (uint32_t m = 0; m < r->method_count; m++) {
		const struct etc_report_method *method = &r->methods[m];

		for (uint32_t p = 0; p < method->paths.row_count; p++, to += columns) {
			uint32_t n = columns - PATH_OWN;

			to[PATH_METHOD] = method->name;
			to[PATH_LOAD] = method->load;
			memcpy(to + PATH_OWN, method->paths.cells + (size_t)p * n, n * sizeof *to);
		}
	}
	return ETC_OK;
}

static enum etc_status make_paths(struct etc_answer *a, struct etc_table *out,
                                  struct etc_error *err)
{
	struct etc_table *t = etc_new(&a->session->arena, struct etc_table, a->part_count);

	ETC_NEED(t, err);
	for (uint32_t i = 0; i < a->part_count; i++)
		ETC_TRY(paths_of(a, &a->parts[i].report, &t[i], err));
	return etc_answer_join_tables(a, t, out, err);
}

/* Makes the table of all events, also of those that --where leaves out, because samples refer to
 * its rows by number. */
static enum etc_status make_events(struct etc_answer *a, struct etc_table *out,
                                   struct etc_error *err)
{
	struct etc_table *t = etc_new(&a->session->arena, struct etc_table, a->part_count);

	ETC_NEED(t, err);
	for (uint32_t i = 0; i < a->part_count; i++) {
		struct etc_part *p = &a->parts[i];

		ETC_TRY(etc_events_make(p->trace, &p->options, &p->whole, &p->whole, false,
		                        &a->session->arena, &t[i], err));
		ETC_TRY(etc_table_fill(&t[i], &a->session->arena, err));
	}
	return etc_answer_join_tables(a, t, out, err);
}

static void fill_run(const struct etc_part *p, size_t run, size_t first_sample, struct etc_cell *c)
{
	const struct etc_run *r = &p->in.trace.runs[run];

	c[RUN_BLOCK] = etc_cell_text(etc_run_head(&p->in.trace, r)->name);
	c[RUN_SAMPLES] = etc_cell_u64(p->in.trace.templates[r->template].profiles);
	c[RUN_FIRST] = etc_cell_u64(first_sample + r->first_sample);
	c[RUN_FILE] = etc_cell_text(p->names[p->file ? p->file[run] : 0]);
}

static void fill_path(const struct etc_profile_path *p, struct etc_cell *runs)
{
	for (size_t i = 0; i < p->runs; i++) {
		struct etc_cell *c = runs + p->run[i] * RUN_COLUMNS;

		c[RUN_METHOD] = etc_cell_text(p->method);
		c[RUN_PATH] = etc_cell_u64(p->number);
		c[RUN_USE] = etc_cell_word(etc_run_use_name(p->use[i]));
	}
}

static enum etc_status make_runs(struct etc_answer *a, struct etc_table *out, struct etc_error *err)
{
	size_t rows = 0, samples = 0;
	struct etc_cell *to;

	for (uint32_t i = 0; i < a->part_count; i++)
		rows += a->parts[i].in.trace.run_count;
	ETC_TRY(make_table(a, run_columns, RUN_COLUMNS, rows, out, err));
	to = out->cells;
	for (uint32_t i = 0; i < a->part_count; i++) {
		const struct etc_part *p = &a->parts[i];
		const struct etc_trace *t = &p->in.trace;

		for (size_t r = 0; r < t->run_count; r++)
			fill_run(p, r, samples, to + r * RUN_COLUMNS);
		for (uint32_t k = 0; k < p->whole.path_count; k++)
			fill_path(&p->whole.paths[k], to);
		to += t->run_count * RUN_COLUMNS;
		samples += t->sample_count;
	}
	return ETC_OK;
}

/* ---- samples ------------------------------------------------------------------ */

static enum etc_status samples_of(struct etc_answer *a, const struct etc_trace *t,
                                  size_t first_event, size_t first_run,
                                  struct etc_sample_columns *out, struct etc_error *err)
{
	struct etc_arena *arena = &a->session->arena;
	uint32_t *event = etc_new(arena, uint32_t, t->sample_count);
	uint32_t *run = etc_new(arena, uint32_t, t->sample_count);
	size_t *at = etc_new(arena, size_t, t->template_count + 1);

	ETC_NEED(event && run && at, err);
	at[0] = first_event;
	for (size_t s = 0; s < t->template_count; s++)
		at[s + 1] = at[s] + t->templates[s].profiles;
	for (size_t r = 0; r < t->run_count; r++) {
		const struct etc_run *of = &t->runs[r];

		for (uint32_t e = 0; e < t->templates[of->template].profiles; e++) {
			event[of->first_sample + e] = (uint32_t)(at[of->template] + e);
			run[of->first_sample + e] = (uint32_t)(first_run + r);
		}
	}
	*out = (struct etc_sample_columns){ t->sample_count, event, run, t->start, t->end };
	return ETC_OK;
}

static enum etc_status add_samples(struct etc_answer *a, struct etc_error *err)
{
	struct etc_sample_columns *samples;
	size_t event = 0, run = 0;

	if (a->samples)
		return ETC_OK;
	samples = etc_new(&a->session->arena, struct etc_sample_columns, a->part_count);
	ETC_NEED(samples, err);
	for (uint32_t i = 0; i < a->part_count; i++) {
		const struct etc_trace *t = &a->parts[i].in.trace;

		ETC_TRY(samples_of(a, t, event, run, &samples[i], err));
		for (size_t s = 0; s < t->template_count; s++)
			event += t->templates[s].profiles;
		run += t->run_count;
	}
	a->samples = samples;
	return ETC_OK;
}

/* Makes the table of samples. It has columns, but no cells: its values are in a->samples. */
static enum etc_status make_samples(struct etc_answer *a, struct etc_table *out,
                                    struct etc_error *err)
{
	ETC_TRY(add_samples(a, err));
	*out = (struct etc_table){ .columns = etc_sample_columns,
		                   .column_count = ETC_SAMPLE_COLUMNS };
	return ETC_OK;
}

enum etc_status etc_answer_make(struct etc_kept *kept, uint32_t which, struct etc_error *err)
{
	static enum etc_status (*const makers[ETC_TABLE_COUNT])(
		struct etc_answer * a, struct etc_table * out, struct etc_error * err) = {
		[ETC_TABLE_ROWS] = make_rows,       [ETC_TABLE_PATHS] = make_paths,
		[ETC_TABLE_RUNS] = make_runs,       [ETC_TABLE_EVENTS] = make_events,
		[ETC_TABLE_SAMPLES] = make_samples, [ETC_TABLE_ALLOCATIONS] = make_allocations,
		[ETC_TABLE_FILES] = make_files,
	};
	struct etc_answer *a = (struct etc_answer *)kept;
	struct etc_typed_table *t = &a->tables[which];

	ETC_TRY(makers[which](a, &t->table, err));
	return set_types(t, &a->session->arena, err);
}

/* ---- rows ------------------------------------------------------------------------- */

size_t etc_answer_row_times(const struct etc_kept *kept, uint32_t row, uint64_t *to, size_t most)
{
	const struct etc_answer *a = (const struct etc_answer *)kept;
	const struct etc_profile *p;
	const struct etc_profile_row *r;
	uint32_t i = 0;

	/* the table has the rows of all parts, one part after the other */
	for (; i < a->part_count && row >= a->parts[i].shown.row_count; i++)
		row -= (uint32_t)a->parts[i].shown.row_count;
	if (i == a->part_count || etc_plan_of_runs(&a->plan))
		return 0;
	p = &a->parts[i].shown;
	r = &p->rows[row];
	return r->path == ETC_PROFILE_LOAD || p->paths[r->path].kept > most
	               ? 0
	               : etc_row_values(p, r, to);
}
