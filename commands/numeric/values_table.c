/* values_table.c -- see values_table.h */
#include "commands/numeric/values_table.h"

#include <math.h>

#include "table/cells.h"

static const struct etc_column columns[] = {
#define COLUMN(key, heading, form, may_go, meaning, value) \
	{ .name = key, .title = heading, .help = meaning, .optional = may_go, ETC_FORM_##form },
#include "commands/numeric/values_columns.def"
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* A cell with an integer: exact, as the summary has its bits. */
static struct etc_cell integer_cell(uint64_t bits, bool is_unsigned)
{
	if (is_unsigned)
		return etc_cell_u64(bits);
	return etc_cell_int((int64_t)bits);
}

/* The cell of the smallest or largest element. */
static struct etc_cell end_cell(const struct etc_value_row *v, uint64_t bits, double number)
{
	if (!v->summarised)
		return v->scalar;
	if (!v->summary.has_range)
		return etc_cell_blank();
	return v->integers ? integer_cell(bits, v->is_unsigned) : etc_cell_double(number);
}

static struct etc_cell mean_cell(const struct etc_value_row *v)
{
	if (!v->summarised)
		return v->scalar;
	return isnan(v->summary.mean) ? etc_cell_blank() : etc_cell_double(v->summary.mean);
}

static enum etc_status fill(const struct etc_value_row *v, struct etc_cell *c,
                            struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_summary *s = &v->summary;
	struct etc_str hash = ETC_STR("");

	if (v->summarised)
		hash = etc_arena_printf(arena, "%016llx", (unsigned long long)s->hash);
	ETC_NEED(hash.ptr, err);
#define COLUMN(key, heading, form, optional, help, value) *c++ = value;
#include "commands/numeric/values_columns.def"
	return ETC_OK;
}

enum etc_status etc_view_values(const struct etc_value_row *rows, size_t count,
                                struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err)
{
	struct etc_cell *cells =
		count > UINT32_MAX ? NULL : etc_new(arena, struct etc_cell, count * COLUMNS);

	ETC_NEED(cells, err);
	*out = (struct etc_table){ .columns = columns,
		                   .column_count = COLUMNS,
		                   .cells = cells,
		                   .row_count = (uint32_t)count };
	for (size_t i = 0; i < count; i++)
		ETC_TRY(fill(&rows[i], &cells[i * COLUMNS], arena, err));
	return ETC_OK;
}

const char *etc_values_columns(bool several_methods, bool contents)
{
	static const char *const lists[2][2] = {
		{ "run,what,name,nodes,handles,item,type,shape,min,max,mean,nan,inf,xxh64,problem",
		  "run,what,name,handles,item,type,shape,contents,problem" },
		{ "method,run,what,name,nodes,handles,item,type,shape,min,max,mean,nan,inf,xxh64,"
		  "problem",
		  "method,run,what,name,handles,item,type,shape,contents,problem" },
	};

	return lists[several_methods][contents];
}
