/* diff_tables.c -- makes the report of `etcore diff`; see diff_tables.h */
#include "commands/compare/diff_tables.h"

#include "table/cells.h"

static enum etc_status list_dumps(const struct etc_diff *diff, struct etc_arena *arena,
                                  struct etc_report_diff *out, struct etc_error *err)
{
	struct etc_report_group *groups = (struct etc_report_group *)out->groups;

	for (uint32_t g = 0; g < diff->group_count; g++) {
		struct etc_report_dump *dumps;
		uint32_t n = 0, file = 0;

		for (uint32_t d = 0; d < diff->groups[g].count; d++)
			n += diff->groups[g].dumps[d]->path_count;
		dumps = etc_new(arena, struct etc_report_dump, n);
		ETC_NEED(dumps, err);
		groups[g].dumps = dumps;
		for (uint32_t d = 0; d < diff->groups[g].count; d++) {
			const struct etc_profile *p = diff->groups[g].dumps[d];

			while (file < groups[g].file_count &&
			       strcmp(groups[g].files[file].kind, "etdump") != 0)
				file++;
			for (uint32_t k = 0; k < p->path_count; k++) {
				const struct etc_profile_path *path = &p->paths[k];
				bool ns = p->unit == ETC_UNIT_NS;

				dumps[groups[g].dump_count++] = (struct etc_report_dump){
					.file = groups[g].files[file].path,
					.method = etc_cell_text(path->method),
					.path = etc_cell_u64(path->number),
					.load = ns && etc_diff_knows_load(p)
					                ? etc_cell_ratio(etc_ratio(p->loads[0].time,
					                                           p->den))
					                : etc_cell_blank(),
					.runs = path->runs,
					.warmup = path->warmup,
					.samples = ns ? path->samples : NULL,
					.samples_den = p->den,
				};
			}
			file++;
		}
	}
	return ETC_OK;
}

/* Applies --where, --sort and --columns. (*shown)[i] is set to true if --where keeps line i. */
static enum etc_status select_lines(const struct etc_selection *selection, struct etc_table *all,
                                    struct etc_arena *arena, struct etc_notes *notes,
                                    struct etc_report *report, bool **shown, struct etc_error *err)
{
	struct etc_selection rows_only = *selection;
	uint32_t *order, count;

	*shown = etc_new(arena, bool, all->row_count);
	ETC_NEED(*shown, err);
	if (!etc_selection_chosen(selection)) {
		memset(*shown, true, all->row_count * sizeof **shown);
		report->rows = report->all_rows = *all;
		return ETC_OK;
	}
	ETC_TRY(etc_table_fill(all, arena, err));
	ETC_TRY(etc_selection_rows(selection, all, NULL, arena, &order, &count, err));
	etc_selection_remark(selection, all, notes);
	for (uint32_t i = 0; i < count; i++)
		(*shown)[order[i]] = true;
	ETC_TRY(etc_selection_table(selection, all, order, count, arena, &report->rows, err));
	rows_only.column_count = 0;
	return etc_selection_table(&rows_only, all, order, count, arena, &report->all_rows, err);
}

enum etc_status etc_view_diff(const struct etc_diff *diff, const struct etc_diff_screen *options,
                              struct etc_arena *arena, struct etc_report *report,
                              struct etc_report_diff *out, struct etc_error *err)
{
	struct etc_diff_line *lines;
	struct etc_table all;
	bool *shown;

	ETC_TRY(list_dumps(diff, arena, out, err));
	if (!options->lines && !etc_selection_chosen(options->selection))
		return etc_view_diff_screen(diff, options, NULL, arena, report, out, err);
	ETC_TRY(etc_view_diff_lines(diff, options->confidence,
	                            etc_selection_chosen(options->selection), arena, &all, &lines,
	                            err));
	ETC_TRY(select_lines(options->selection, &all, arena, options->notes, report, &shown, err));
	if (!options->selection->column_count)
		return etc_view_diff_screen(diff, options, shown, arena, report, out, err);
	/* With --columns, the screen has one table, with the chosen lines and columns. */
	report->events = report->rows;
	return etc_view_diff_screen(diff, options, shown, arena, report, out, err);
}
