/* machine.c -- see machine.h */
#include "view/machine.h"

#include "view/cells.h"

enum row_column {
	KEY,
	NAME,
	METHOD,
	PATH,
	CALLS,
	SELF,
	SELF_MAX,
	TOTAL,
	SHARE,
	BACKEND,
	CATEGORY,
	KERNEL,
	LIBRARY,
	UNIT,
	CLOCK,
	DETACHED,
	SELF_RAW,
	WHY,
	LIBRARY_RAN,
	LIBRARY_WHY,
	ISA,
	VARIANT,
	CANONICAL,
	ROW_COLUMNS
};

/* clang-format off */
static const struct etc_column row_columns[ROW_COLUMNS] = {
	[KEY]         = { .name = "key", .help = "what the row stands for" },
	[NAME]        = { .name = "name", .help = "its name" },
	[METHOD]      = { .name = "method", .help = "method of the program" },
	[PATH]        = { .name = "path", .help = "execution path, from 1" },
	[CALLS]       = { .name = "calls", .help = "events per run" },
	[SELF]        = { .name = "self_ns", .help = "time per run without what it encloses" },
	[SELF_MAX]    = { .name = "self_max_ns", .help = "self_ns and what truncation may hide" },
	[TOTAL]       = { .name = "total_ns", .help = "time per run with what it encloses" },
	[SHARE]       = { .name = "share", .help = "of the path's time, 0 to 1" },
	[BACKEND]     = { .name = "backend", .help = "backend id" },
	[CATEGORY]    = { .name = "category", .help = "kind of work" },
	[KERNEL]      = { .name = "kernel", .help = "micro-kernel type or symbol" },
	[LIBRARY]     = { .name = "kernel_library", .help = "library whose kernel ran" },
	[UNIT]        = { .name = "unit", .help = "of the raw numbers" },
	[CLOCK]       = { .name = "clock", .help = "host or device" },
	[DETACHED]    = { .name = "detached", .help = "subtracted from nothing" },
	[SELF_RAW]    = { .name = "self_raw", .help = "self in the row's own unit", .extra = true },
	[WHY]         = { .name = "why", .help = "why it is detached", .extra = true },
	[LIBRARY_RAN] = { .name = "kernel_library_ran", .help = "yes, no, cannot tell", .extra = true },
	[LIBRARY_WHY] = { .name = "kernel_library_why", .help = "what tells", .extra = true },
	[ISA]         = { .name = "isa", .help = "instruction sets that fit", .extra = true },
	[VARIANT]     = { .name = "variant", .help = "operation, types and packing", .extra = true },
	[CANONICAL]   = { .name = "canonical", .help = "the same work without the library", .extra = true },
};
/* clang-format on */

size_t etc_row_runs(const struct etc_profile *profile, const struct etc_profile_row *row)
{
	return row->path == ETC_PROFILE_LOAD ? 1 : profile->paths[row->path].typical_runs;
}

struct etc_ratio etc_row_share(const struct etc_profile *profile, const struct etc_profile_row *row,
                               etc_u128 detached)
{
	etc_u128 whole = detached;

	if (!row->valid || row->unit == ETC_UNIT_UNKNOWN)
		return etc_ratio(0, 0);
	if (!row->detached)
		whole = row->path == ETC_PROFILE_LOAD ? profile->loads[0].time
		                                      : profile->paths[row->path].time;
	return etc_ratio(row->self, whole);
}

static struct etc_cell text_cell(const char *s)
{
	return etc_cell_text(etc_str_of(s));
}

static void fill_facts(const struct etc_facts *f, struct etc_cell *c)
{
	static const char *const ran[] = { "cannot tell", "no", "yes" };

	c[CATEGORY] = etc_cell_text(f->category);
	c[KERNEL] = etc_cell_text(f->kernel);
	c[LIBRARY] = etc_cell_text(f->kernel_library);
	if (f->annotator.len && f->library_ran <= ETC_RAN_YES && f->is_matrix)
		c[LIBRARY_RAN] = text_cell(ran[f->library_ran]);
	c[LIBRARY_WHY] = etc_cell_text(f->library_why);
	c[ISA] = etc_cell_text(f->isa);
	c[VARIANT] = etc_cell_text(f->variant);
	c[CANONICAL] = etc_cell_text(f->canonical);
}

static void fill_row(const struct etc_profile *profile, const struct etc_profile_row *r,
                     etc_u128 detached, struct etc_cell *c)
{
	static const char *const clocks[] = { "", "host", "device", "none" };
	size_t runs = etc_row_runs(profile, r);
	bool known = r->valid && r->unit == ETC_UNIT_NS;

	c[KEY] = c[NAME] = (struct etc_cell){ .kind = ETC_CELL_TEXT, .s = r->name };
	if (r->path != ETC_PROFILE_LOAD) {
		c[METHOD] = etc_cell_text(profile->paths[r->path].method);
		c[PATH] = etc_cell_u64(r->path + 1u);
	}
	c[CALLS] = etc_cell_ratio(etc_ratio(r->calls, runs));
	if (known) {
		c[SELF] = etc_cell_ratio(etc_ratio(r->self, runs));
		if (!r->merged || r->bound == 0)
			c[SELF_MAX] = etc_cell_ratio(etc_ratio(r->self + r->bound, runs));
		if (!r->merged)
			c[TOTAL] = etc_cell_ratio(etc_ratio(r->total, runs));
	} else if (r->valid) {
		c[SELF_RAW] = etc_cell_ratio(etc_ratio(r->self, runs));
	}
	c[SHARE] = etc_cell_ratio(etc_row_share(profile, r, detached));
	c[BACKEND] = etc_cell_text(r->backend);
	c[UNIT] = text_cell(etc_unit_name(r->unit));
	c[CLOCK] = text_cell(r->clock < 4 ? clocks[r->clock] : "");
	c[DETACHED] = etc_cell_bool(r->detached);
	if (r->detached)
		c[WHY] = text_cell(etc_detach_text(r->why ? r->why : ETC_DETACH_BELOW));
	if (r->facts && !r->merged)
		fill_facts(r->facts, c);
}

enum etc_status etc_view_rows(const struct etc_profile *profile, struct etc_arena *arena,
                              struct etc_table *out, struct etc_error *err)
{
	*out = (struct etc_table){
		.columns = row_columns,
		.column_count = ROW_COLUMNS,
		.row_count = (uint32_t)profile->row_count,
		.cells = etc_new(arena, struct etc_cell, profile->row_count * ROW_COLUMNS),
	};
	if (!out->cells)
		return etc_fail(err, E0904, "%zu rows", profile->row_count);
	/* Rows of a path stand together; units are few. */
	for (size_t i = 0, from = 0; i < profile->row_count; i++) {
		const struct etc_profile_row *r = &profile->rows[i], *before = r - 1;
		etc_u128 sums[UINT8_MAX + 1];

		if (i == 0 || before->path != r->path || before->detached != r->detached) {
			from = i;
			memset(sums, 0, sizeof sums);
			for (size_t k = from; r->detached && k < profile->row_count &&
			                      profile->rows[k].path == r->path;
			     k++)
				sums[profile->rows[k].unit] +=
					profile->rows[k].valid ? profile->rows[k].self : 0;
		}
		fill_row(profile, r, sums[r->unit], &out->cells[i * ROW_COLUMNS]);
	}
	return ETC_OK;
}

enum path_column {
	P_PATH,
	P_RUNS,
	P_WARMUP,
	P_TYPICAL_RUNS,
	P_TYPICAL,
	P_MEDIAN,
	P_MEAN,
	P_P90,
	P_MAX,
	P_ROUNDING,
	P_UNATTRIBUTED,
	P_UNATTRIBUTED_DELEGATE,
	P_DELEGATED,
	PATH_COLUMNS
};

/* clang-format off */
static const struct etc_column path_columns[PATH_COLUMNS] = {
	[P_PATH]                  = { .name = "path" },
	[P_RUNS]                  = { .name = "runs" },
	[P_WARMUP]                = { .name = "warmup" },
	[P_TYPICAL_RUNS]          = { .name = "typical_runs" },
	[P_TYPICAL]               = { .name = "typical_ns" },
	[P_MEDIAN]                = { .name = "median_ns" },
	[P_MEAN]                  = { .name = "mean_ns" },
	[P_P90]                   = { .name = "p90_ns" },
	[P_MAX]                   = { .name = "max_ns" },
	[P_ROUNDING]              = { .name = "rounding_ns" },
	[P_UNATTRIBUTED]          = { .name = "unattributed_ns" },
	[P_UNATTRIBUTED_DELEGATE] = { .name = "unattributed_delegate_ns" },
	[P_DELEGATED]             = { .name = "delegated_ns" },
};
/* clang-format on */

static void fill_path(const struct etc_profile_path *p, uint32_t number, bool ns,
                      struct etc_cell *c)
{
	size_t n = p->typical_runs;

	c[P_PATH] = etc_cell_u64(number);
	c[P_RUNS] = etc_cell_u64(p->runs);
	c[P_WARMUP] = etc_cell_u64(p->warmup);
	c[P_TYPICAL_RUNS] = etc_cell_u64(n);
	if (!ns)
		return;
	c[P_TYPICAL] = etc_cell_ratio(etc_ratio(p->time, n));
	c[P_MEDIAN] = etc_cell_ratio(p->median);
	c[P_MEAN] = etc_cell_ratio(p->mean);
	c[P_P90] = etc_cell_ratio(p->p90);
	c[P_MAX] = etc_cell_u64(p->max);
	c[P_ROUNDING] = etc_cell_ratio(etc_ratio(p->rounding, n));
	c[P_UNATTRIBUTED] = etc_cell_ratio(etc_ratio(p->unattributed, n));
	c[P_UNATTRIBUTED_DELEGATE] = etc_cell_ratio(etc_ratio(p->unattributed_delegate, n));
	c[P_DELEGATED] = etc_cell_ratio(etc_ratio(p->delegated, n));
}

static enum etc_status fill_paths(const struct etc_profile *profile, struct etc_arena *arena,
                                  struct etc_report_method *m, struct etc_error *err)
{
	uint32_t n = profile->path_count;
	bool ns = profile->unit == ETC_UNIT_NS;
	const uint64_t **samples = etc_new(arena, const uint64_t *, n);
	size_t *counts = etc_new(arena, size_t, n);

	m->paths = (struct etc_table){
		.columns = path_columns,
		.column_count = PATH_COLUMNS,
		.row_count = n,
		.cells = etc_new(arena, struct etc_cell, (size_t)n * PATH_COLUMNS),
	};
	if (!samples || !counts || !m->paths.cells)
		return etc_fail(err, E0904, "%u paths", n);
	for (uint32_t p = 0; p < n; p++) {
		fill_path(&profile->paths[p], p + 1, ns, &m->paths.cells[(size_t)p * PATH_COLUMNS]);
		samples[p] = profile->paths[p].samples;
		counts[p] = profile->paths[p].runs;
	}
	m->samples = ns ? samples : NULL;
	m->sample_counts = counts;
	return ETC_OK;
}

enum etc_status etc_view_methods(const struct etc_profile *profile, struct etc_arena *arena,
                                 const struct etc_report_method **out, uint32_t *count,
                                 struct etc_error *err)
{
	struct etc_report_method *m = etc_new(arena, struct etc_report_method, 1);
	struct etc_cell *loads = etc_new(arena, struct etc_cell, profile->load_count);

	*out = m;
	*count = profile->run_count > 0;
	if (!m || !loads)
		return etc_fail(err, E0904, "%zu loads", profile->load_count);
	for (size_t i = 0; i < profile->load_count; i++)
		if (profile->loads[i].valid && profile->unit == ETC_UNIT_NS)
			loads[i] = etc_cell_u64(profile->loads[i].time);
	if (profile->path_count)
		m->name = etc_cell_text(profile->paths[0].method);
	if (profile->load_count)
		m->load = loads[0];
	m->loads = loads;
	m->load_count = profile->load_count;
	return fill_paths(profile, arena, m, err);
}
