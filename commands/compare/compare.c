/* compare.c -- runs the steps of a comparison; see compare.h */
#include "commands/compare/compare_steps.h"

enum etc_change etc_diff_change(const struct etc_diff_row *row, uint32_t group)
{
	const struct etc_comparison *c = row->against[group];
	bool before = row->sides[0].present, after = row->sides[group].present;

	if ((before != after && row->hidden) || row->sides[0].partial || row->sides[group].partial)
		return ETC_CHANGE_UNKNOWN;
	if (!before)
		return after ? ETC_CHANGE_APPEARED : ETC_CHANGE_ABSENT;
	if (!after)
		return ETC_CHANGE_DISAPPEARED;
	if (c->why != ETC_DEFINED)
		return ETC_CHANGE_UNKNOWN;
	if (c->significant && c->difference != 0 &&
	    c->caveats & (ETC_CAVEAT_DROWNED | ETC_CAVEAT_SPEEDS))
		return ETC_CHANGE_DROWNED;
	if (c->significant && c->difference != 0 && c->explained)
		return ETC_CHANGE_DIFFERS;
	if (c->significant && c->difference != 0)
		return c->difference < 0 ? ETC_CHANGE_FASTER : ETC_CHANGE_SLOWER;
	return c->caveats & ETC_CAVEAT_RESOLUTION && c->difference != 0 ? ETC_CHANGE_BELOW
	                                                                : ETC_CHANGE_UNCLEAR;
}

bool etc_diff_unrelated(const struct etc_diff_row *rows, uint32_t count, uint32_t group)
{
	bool before = false, after = false;

	for (uint32_t i = 0; i < count; i++) {
		const struct etc_diff_side *a = &rows[i].sides[0], *b = &rows[i].sides[group];

		if (a->work && b->partner)
			return false;
		before = before || a->work;
		after = after || b->work;
	}
	return before && after;
}

struct etc_str etc_diff_name(const struct etc_diff_row *row, struct etc_str name,
                             struct etc_arena *arena)
{
	if (!row->alike || !row->on.len)
		return name;
	return etc_arena_printf(arena, ETC_STR_FMT " (" ETC_STR_FMT ")", ETC_STR_ARG(name),
	                        ETC_STR_ARG(row->on));
}

bool etc_diff_has_ratio(const struct etc_diff_row *row, uint32_t group)
{
	const struct etc_comparison *c = row->against[group];
	const struct etc_diff_side *a = &row->sides[0], *b = &row->sides[group];

	return a->present && b->present && c->ratio_why == ETC_DEFINED &&
	       (a->resolution <= 0 || c->a.estimate > a->resolution) &&
	       (b->resolution <= 0 || c->b.estimate > b->resolution);
}

bool etc_change_is_news(uint8_t change)
{
	return change >= ETC_CHANGE_DIFFERS && change < ETC_CHANGE_COUNT;
}

const char *etc_change_name(uint8_t change)
{
	static const char *const names[ETC_CHANGE_COUNT] = {
		[ETC_CHANGE_ABSENT] = "absent",     [ETC_CHANGE_UNKNOWN] = "not comparable",
		[ETC_CHANGE_UNCLEAR] = "unclear",   [ETC_CHANGE_BELOW] = "below resolution",
		[ETC_CHANGE_DIFFERS] = "differs",   [ETC_CHANGE_DROWNED] = "cannot tell",
		[ETC_CHANGE_FASTER] = "faster",     [ETC_CHANGE_SLOWER] = "slower",
		[ETC_CHANGE_APPEARED] = "appeared", [ETC_CHANGE_DISAPPEARED] = "disappeared",
	};

	return change < ETC_CHANGE_COUNT ? names[change] : "";
}

static enum etc_status list_dumps(struct etc_diff_maker *mk, const struct etc_diff_group *groups,
                                  uint32_t count, struct etc_error *err)
{
	uint32_t *first = etc_new(mk->arena, uint32_t, (size_t)count + 1), n = 0;
	struct etc_diff_dump *dumps;

	ETC_NEED(first, err);
	for (uint32_t g = 0; g < count; g++) {
		first[g] = n;
		n += groups[g].count;
	}
	first[count] = n;
	dumps = etc_new(mk->arena, struct etc_diff_dump, n);
	ETC_NEED(dumps, err);
	for (uint32_t g = 0; g < count; g++)
		for (uint32_t i = 0; i < groups[g].count; i++)
			dumps[first[g] + i] = (struct etc_diff_dump){ groups[g].dumps[i], g };
	mk->dumps = dumps;
	mk->out->first_dump = first;
	mk->out->dump_count = n;
	return ETC_OK;
}

static enum etc_status make_section(struct etc_diff_maker *mk, struct etc_diff_section *s,
                                    struct etc_error *err)
{
	struct etc_diff_parts *parts =
		etc_new(mk->arena, struct etc_diff_parts, mk->out->dump_count);
	struct etc_diff_row *rows;
	uint32_t count;

	ETC_NEED(parts, err);
	ETC_TRY(etc_diff_rows(mk, s, &rows, &count, parts, err));
	return etc_diff_weigh(mk, s, rows, count, parts, err);
}

enum etc_status etc_diff_make(const struct etc_diff_group *groups, uint32_t count,
                              const struct etc_diff_options *options, struct etc_arena *arena,
                              struct etc_diff *out, struct etc_error *err)
{
	struct etc_diff_maker mk = { .options = options,
		                     .arena = arena,
		                     .out = out,
		                     .bootstraps = options->most_bootstraps };
	struct etc_diff_section *sections;

	*out = (struct etc_diff){ .groups = groups,
		                  .group_count = count,
		                  .by = options->by,
		                  .stat = options->compare.stat };
	ETC_TRY(list_dumps(&mk, groups, count, err));
	ETC_TRY(etc_diff_sections(&mk, &sections, &out->section_count, err));
	out->sections = sections;
	for (uint32_t s = 0; s < out->section_count; s++)
		ETC_TRY(make_section(&mk, &sections[s], err));
	return etc_diff_adjust(&mk, err);
}
