/* gap_table.c -- makes the table of `numeric gap`; see gap_table.h */
#include "commands/numeric/gap_table.h"

#include "table/cells.h"

static const struct etc_column columns[] = {
#define COLUMN(key, heading, form, may_go, meaning, value) \
	{ .name = key, .title = heading, .help = meaning, .optional = may_go, ETC_FORM_##form },
#include "commands/numeric/gap_columns.def"
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *const verdicts[] = { "clean",  "carries",   "rises",
	                                "starts", "starts_if", "unknown" };

static struct etc_cell handle_cell(const struct etc_gap_line *l)
{
	return l->has_handle ? etc_cell_int(l->handle) : etc_cell_blank();
}

/* Returns a cell with the number; a blank cell if it is negative. */
static struct etc_cell place_cell(int64_t place)
{
	return place >= 0 ? etc_cell_u64((uint64_t)place) : etc_cell_blank();
}

static void fill(const struct etc_gap_line *l, struct etc_cell *c)
{
	const struct etc_difference *d = &l->difference;

#define COLUMN(key, heading, form, optional, help, value) *c++ = value;
#define COMPARED_COLUMN(key, heading, form, optional, help, value) \
	*c++ = l->compared ? value : etc_cell_blank();
#include "commands/numeric/gap_columns.def"
}

enum etc_status etc_view_gap(const struct etc_gap_line *lines, uint32_t count,
                             struct etc_arena *arena, struct etc_table *out, struct etc_error *err)
{
	ETC_TRY(etc_table_make(out, columns, COLUMNS, count, arena, err));
	for (uint32_t i = 0; i < count; i++)
		fill(&lines[i], out->cells + (size_t)i * COLUMNS);
	return ETC_OK;
}

#define NUMBERS "verdict,relative,input_relative,rise,snr_db,cosine_similarity,max_abs"

const char *etc_gap_columns(bool several_methods, bool several_runs, bool handles, bool problems)
{
	static const char *const shown[] = {
		"name," NUMBERS ",shape",
		"run,name," NUMBERS ",shape",
		"method,run,name," NUMBERS,
		"handle,name,nodes," NUMBERS ",shape",
		"run,handle,name,nodes," NUMBERS ",shape",
		"method,run,handle,name,nodes," NUMBERS,
		"name," NUMBERS ",problem",
		"run,name," NUMBERS ",problem",
		"method,run,name," NUMBERS ",problem",
		"handle,name,nodes," NUMBERS ",problem",
		"run,handle,name,nodes," NUMBERS ",problem",
		"method,run,handle,name,nodes," NUMBERS ",problem",
	};

	return shown[(several_methods ? 2 : several_runs) + (handles ? 3 : 0) + (problems ? 6 : 0)];
}
