/* detached.c -- the table of what is subtracted from nothing; see tables.h */
#include "commands/analyze/tables.h"

#include "table/cells.h"
#include "commands/analyze/machine.h"
#include "table/words.h"

enum detached_column {
	D_WHAT,
	D_CALLS,
	D_SELF,
	D_UNIT,
	D_SHARE,
	D_CALL,
	D_ON,
	D_WHY,
	DETACHED_COLUMNS
};

/* clang-format off */
static const struct etc_column detached_columns[DETACHED_COLUMNS] = {
	[D_WHAT]  = { .name = "name", .title = "detached", .style = ETC_STYLE_PLAIN },
	[D_CALLS] = { .name = "calls", .title = "calls", .style = ETC_STYLE_PLAIN, .right = true },
	[D_SELF]  = { .name = "self", .title = "per run", .style = ETC_STYLE_PLAIN, .right = true },
	[D_UNIT]  = { .name = "unit", .title = "unit", .style = ETC_STYLE_PLAIN },
	[D_SHARE] = { .name = "share", .title = "of these", .style = ETC_STYLE_SHARE, .right = true, .optional = true },
	[D_CALL]  = { .name = "share_of_call", .title = "of its calls", .style = ETC_STYLE_SHARE, .right = true, .optional = true },
	[D_ON]    = { .name = "backend", .title = "on", .style = ETC_STYLE_PLAIN, .optional = true },
	[D_WHY]   = { .name = "why", .title = "why", .style = ETC_STYLE_PLAIN, .optional = true },
};
/* clang-format on */

/* What is subtracted from nothing and adds up to nothing: numbers as they are. */
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
	if (!table->cells || !table->row_kinds)
		return etc_fail(err, E0904, "%zu rows", shown);
	for (size_t i = from; i < to; i++)
		if (profile->rows[i].valid && !etc_row_is_parallel(&profile->rows[i]))
			sums[profile->rows[i].unit] += profile->rows[i].self;
	for (size_t i = from; i < from + shown; i++) {
		const struct etc_profile_row *r = &profile->rows[i];
		struct etc_cell *c = &table->cells[(i - from) * DETACHED_COLUMNS];

		c[D_WHAT] = (struct etc_cell){ .kind = ETC_CELL_TEXT, .s = etc_row_word(r) };
		c[D_CALLS] = etc_cell_ratio(etc_ratio(r->calls, etc_row_runs(profile, r)));
		if (r->valid)
			c[D_SELF] = etc_cell_ratio(etc_ratio(r->self, etc_row_per(profile, r)));
		c[D_UNIT] = etc_cell_text(r->unit ? etc_str_of(etc_unit_name(r->unit))
		                                  : ETC_STR("unknown"));
		c[etc_row_is_parallel(r) ? D_CALL : D_SHARE] =
			etc_cell_real(etc_row_share(profile, r, sums[r->unit]));
		c[D_ON] = etc_cell_text(etc_row_place(r));
		c[D_WHY] = etc_cell_text(etc_str_of(etc_detach_text(r->why)));
	}
	if (shown == to - from)
		return ETC_OK;
	table->cells[shown * DETACHED_COLUMNS] =
		etc_cell_text(etc_arena_printf(arena, "%zu more", to - from - shown));
	table->row_kinds[table->row_count++] = ETC_ROW_FOOT;
	return ETC_OK;
}
