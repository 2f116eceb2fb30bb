/* outputs_table.c -- see outputs_table.h */
#include "commands/numeric/outputs_table.h"

#include "table/cells.h"

static const struct etc_column columns[] = {
#define COLUMN(key, heading, form, meaning, value) \
	{ .name = key, .title = heading, .help = meaning, ETC_FORM_##form },
#include "commands/numeric/outputs_columns.def"
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *const verdicts[] = { "equal", "close", "differs", "unknown" };

static bool has_bad(const struct etc_difference *d)
{
	return d->first_bad != ETC_NO_ELEMENT;
}

static void fill(const struct etc_output_row *r, struct etc_cell *c)
{
	const struct etc_difference *d = &r->difference;
	bool compared = r->verdict != ETC_OUTPUT_UNKNOWN;

#define COLUMN(key, heading, form, help, value) *c++ = value;
#define COMPARED_COLUMN(key, heading, form, help, value) \
	*c++ = compared ? (value) : etc_cell_blank();
#include "commands/numeric/outputs_columns.def"
}

enum etc_status etc_view_outputs(const struct etc_output_row *rows, uint32_t count,
                                 struct etc_arena *arena, struct etc_table *out,
                                 struct etc_error *err)
{
	struct etc_cell *cells = etc_new(arena, struct etc_cell, (size_t)count * COLUMNS);

	*out = (struct etc_table){
		.columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = count
	};
	ETC_NEED(cells, err);
	for (uint32_t i = 0; i < count; i++)
		fill(&rows[i], cells + (size_t)i * COLUMNS);
	return ETC_OK;
}

#define FIRST   "run,output,verdict,type,shape,"
#define NUMBERS "mse,snr_db,cosine_similarity,max_abs,max_rel,max_ulp,bad,first_bad"

const char *etc_outputs_columns(bool several_methods, bool problems)
{
	static const char *const shown[] = {
		FIRST NUMBERS,
		"method," FIRST NUMBERS,
		FIRST "snr_db,max_abs,bad,first_bad,problem",
		"method," FIRST "snr_db,max_abs,bad,first_bad,problem",
	};

	return shown[several_methods + 2 * problems];
}
