/* detached.c -- the table of detached rows; see tables.h */
#include "commands/analyze/tables.h"

#include "table/cells.h"
#include "commands/analyze/machine.h"
#include "table/words.h"

static const struct etc_column detached_columns[] = {
#define COLUMN(key, heading, form, may_go, value) \
	{ .name = key, .title = heading, .optional = may_go, ETC_FORM_##form },
#include "commands/analyze/detached_columns.def"
};

enum { DETACHED_COLUMNS = sizeof detached_columns / sizeof detached_columns[0] };

static void fill(const struct etc_profile *profile, const struct etc_profile_row *r,
                 etc_u128 detached, struct etc_cell *c)
{
	struct etc_cell share = etc_cell_real(etc_row_share(profile, r, detached));

#define COLUMN(key, heading, form, optional, value) *c++ = value;
#include "commands/analyze/detached_columns.def"
}

/* The times of detached rows cannot be added up, so each row is shown in its own unit. */
enum etc_status etc_view_detached(const struct etc_profile *profile, size_t from, size_t to,
                                  uint32_t top, struct etc_arena *arena, struct etc_table *table,
                                  struct etc_error *err)
{
	size_t shown = top && to - from > (size_t)top + 1 ? top : to - from;
	etc_u128 sums[UINT8_MAX + 1] = { 0 };

	*table = (struct etc_table){
		.columns = detached_columns,
		.column_count = DETACHED_COLUMNS,
		.cells = etc_new(arena, struct etc_cell, (shown + 1) * DETACHED_COLUMNS),
		.row_kinds = etc_new(arena, uint8_t, shown + 1),
		.row_count = (uint32_t)shown,
	};
	ETC_NEED(table->cells && table->row_kinds, err);
	for (size_t i = from; i < to; i++)
		if (profile->rows[i].valid && !etc_row_is_parallel(&profile->rows[i]))
			sums[profile->rows[i].unit] += profile->rows[i].self;
	for (size_t i = from; i < from + shown; i++)
		fill(profile, &profile->rows[i], sums[profile->rows[i].unit],
		     &table->cells[(i - from) * DETACHED_COLUMNS]);
	if (shown == to - from)
		return ETC_OK;
	table->cells[shown * DETACHED_COLUMNS] =
		etc_cell_text(etc_arena_printf(arena, "%zu more", to - from - shown));
	table->row_kinds[table->row_count++] = ETC_ROW_FOOT;
	return ETC_OK;
}
