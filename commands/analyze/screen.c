/* screen.c -- makes the ranked tables of the screen; see tables.h */

#include "commands/analyze/tables.h"

enum { BLOCKS_MAX = 8 };

/* Returns the range of the path's attached rows, which come before its detached rows. */
static struct etc_row_range attached_rows(const struct etc_profile *profile, uint32_t path)
{
	struct etc_row_range range = { .path = path };

	while (range.from < profile->row_count && profile->rows[range.from].path != path)
		range.from++;
	for (range.to = range.from; range.to < profile->row_count &&
	                            profile->rows[range.to].path == path &&
	                            !profile->rows[range.to].detached;)
		range.to++;
	return range;
}

static struct etc_hidden_rows hidden_rows(const struct etc_profile *all,
                                          const struct etc_profile *shown, uint32_t path)
{
	struct etc_row_range before = attached_rows(all, path), after = attached_rows(shown, path);
	struct etc_hidden_rows hidden = { 0 };

	hidden.count = (before.to - before.from) - (after.to - after.from);
	for (size_t i = before.from; i < before.to; i++)
		hidden.self += all->rows[i].self;
	for (size_t i = after.from; i < after.to; i++)
		hidden.self -= shown->rows[i].self;
	return hidden;
}

static enum etc_status make_block(const struct etc_profile *all, const struct etc_profile *shown,
                                  uint32_t path, const struct etc_screen_options *options,
                                  struct etc_arena *arena, struct etc_report_block *block,
                                  struct etc_error *err)
{
	struct etc_row_range range = attached_rows(shown, path);
	struct etc_hidden_rows hidden = hidden_rows(all, shown, path);
	size_t to = range.to;

	while (to < shown->row_count && shown->rows[to].path == path)
		to++;
	if (options->tree)
		ETC_TRY(etc_view_tree(shown, &range, &hidden, options->top, arena, &block->table,
		                      err));
	else
		ETC_TRY(etc_view_ranked(shown, &range, &hidden, options, arena, &block->table,
		                        err));
	return to > range.to ? etc_view_detached(shown, range.to, to, options->top, arena,
	                                         &block->detached, err)
	                     : ETC_OK;
}

/* Writes the paths with the most time to `order`, at most BLOCKS_MAX, the longest first. Returns
 * their number. */
static uint32_t largest_paths(const struct etc_profile *profile, uint32_t *order)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < profile->path_count; i++) {
		uint32_t at = n < BLOCKS_MAX ? n++ : BLOCKS_MAX;

		for (; at > 0 &&
		       profile->paths[order[at - 1]].kept_time < profile->paths[i].kept_time;
		     at--)
			if (at < BLOCKS_MAX)
				order[at] = order[at - 1];
		if (at < BLOCKS_MAX)
			order[at] = i;
	}
	return n;
}

enum etc_status etc_view_screen(const struct etc_profile *profile, const struct etc_profile *all,
                                const struct etc_profile *shown,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_report *report, struct etc_error *err)
{
	uint32_t order[BLOCKS_MAX + 1] = { ETC_PROFILE_LOAD };
	uint32_t n = largest_paths(profile, order);
	struct etc_report_block *blocks;

	n = n ? n : profile->load_count > 0;
	blocks = etc_new(arena, struct etc_report_block, n);
	ETC_NEED(blocks, err);
	for (uint32_t i = 0; i < n; i++) {
		ETC_TRY(etc_view_header(profile, order[i], arena, &blocks[i], err));
		ETC_TRY(make_block(all, shown, order[i], options, arena, &blocks[i], err));
	}
	report->blocks = blocks;
	report->block_count = n;
	if (n < profile->path_count)
		report->more = etc_arena_printf(arena, "%u more paths; -o json has all of them",
		                                profile->path_count - n);
	return ETC_OK;
}
