/* events.c -- see events.h */
#include "view/events.h"

#include "model/settings.h"
#include "view/cells.h"

enum column {
	BLOCK,
	PATH,
	CHAIN,
	INSTRUCTION,
	NAME,
	DELEGATE,
	SAMPLES,
	P10,
	P50,
	P90,
	AVG,
	MIN,
	MAX,
	UNIT,
	INVALID,
	/* The rest: left out when no event has any. */
	MODULE,
	SOURCE,
	METADATA,
	COLUMNS
};

/* clang-format off */
#define COLUMNS_OF(suffix, STYLE) {                                                                \
	[BLOCK]       = { .name = "block", .title = "block", .optional = true }, \
	[PATH]        = { .name = "path", .title = "path", .right = true, .optional = true }, \
	[CHAIN]       = { .name = "chain", .title = "chain", .right = true, .optional = true }, \
	[INSTRUCTION] = { .name = "instruction", .title = "instr", .right = true }, \
	[NAME]        = { .name = "name", .title = "event" }, \
	[DELEGATE]    = { .name = "delegate", .title = "delegate", .optional = true }, \
	[SAMPLES]     = { .name = "samples", .title = "runs", .right = true, .optional = true }, \
	[P10]         = { .name = "p10" suffix, .title = "p10", .style = STYLE, .right = true }, \
	[P50]         = { .name = "p50" suffix, .title = "p50", .style = STYLE, .right = true }, \
	[P90]         = { .name = "p90" suffix, .title = "p90", .style = STYLE, .right = true }, \
	[AVG]         = { .name = "avg" suffix, .title = "avg", .style = STYLE, .right = true }, \
	[MIN]         = { .name = "min" suffix, .title = "min", .style = STYLE, .right = true }, \
	[MAX]         = { .name = "max" suffix, .title = "max", .style = STYLE, .right = true }, \
	[UNIT]        = { .name = "unit", .title = "unit", .optional = true }, \
	[INVALID]     = { .name = "invalid", .title = "invalid", .right = true, .optional = true }, \
	[MODULE]      = { .name = "module", .title = "module", .optional = true }, \
	[SOURCE]      = { .name = "source", .title = "source line", .optional = true }, \
	[METADATA]    = { .name = "metadata", .title = "metadata", .optional = true }, \
}
static const struct etc_column columns[COLUMNS] = COLUMNS_OF("_ns", ETC_STYLE_TIME);
static const struct etc_column raw_columns[COLUMNS] = COLUMNS_OF("", ETC_STYLE_PLAIN);
/* clang-format on */

static struct etc_cell time_cell(struct etc_ratio r, uint64_t scale)
{
	return etc_cell_ratio(etc_ratio(r.num * scale, r.den));
}

static void fill(const struct etc_shown_shape *s, const struct etc_event_stats *e, uint8_t unit,
                 uint64_t scale, struct etc_cell *c)
{
	const struct etc_event *event = e->event;

	c[BLOCK] = etc_cell_text(s->block);
	if (s->path)
		c[PATH] = etc_cell_u64(s->path);
	c[CHAIN] = (struct etc_cell){ .kind = ETC_CELL_INT, .i = (int64_t)event->chain };
	c[INSTRUCTION] = (struct etc_cell){ .kind = ETC_CELL_INT, .i = event->instruction_id };
	c[NAME] = etc_cell_text(event->name);
	c[DELEGATE] = etc_cell_text(event->delegate_name);
	if (event->delegate_id != -1 && !event->has_delegate_name)
		c[DELEGATE] = (struct etc_cell){ .kind = ETC_CELL_INT, .i = event->delegate_id };
	c[SAMPLES] = etc_cell_u64(e->samples);
	c[UNIT] = etc_cell_text(etc_str_of(etc_unit_name(unit)));
	if (e->valid < e->samples)
		c[INVALID] = etc_cell_u64(e->samples - e->valid);
	if (e->valid == 0)
		return;
	c[P10] = time_cell(e->p10, scale);
	c[P50] = time_cell(e->p50, scale);
	c[P90] = time_cell(e->p90, scale);
	c[AVG] = time_cell(etc_ratio(e->sum, e->valid), scale);
	c[MIN] = time_cell(etc_ratio(e->min, 1), scale);
	c[MAX] = time_cell(etc_ratio(e->max, 1), scale);
}

/* Which of the last columns any event fills: place of each in the table, or 0. */
static uint32_t find_used(const struct etc_shown_shape *shapes, size_t count, uint32_t *at)
{
	uint32_t used = MODULE;
	bool any[COLUMNS] = { false };

	for (size_t s = 0; s < count; s++)
		for (uint32_t e = 0; shapes[s].texts && e < shapes[s].count; e++) {
			any[MODULE] = any[MODULE] || shapes[s].texts[e].module.len;
			any[SOURCE] = any[SOURCE] || shapes[s].texts[e].source.len;
			any[METADATA] = any[METADATA] || shapes[s].texts[e].metadata.len;
		}
	for (uint32_t c = MODULE; c < COLUMNS; c++)
		at[c] = any[c] ? used++ : 0;
	return used;
}

static void put_text(struct etc_cell *row, uint32_t at, struct etc_str text)
{
	if (at)
		row[at] = etc_cell_text(text);
}

enum etc_status etc_view_events(const struct etc_shown_shape *shapes, size_t count, uint8_t unit,
                                uint64_t scale, struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err)
{
	const struct etc_column *all = unit == ETC_UNIT_NS ? columns : raw_columns;
	struct etc_column *shown = etc_new(arena, struct etc_column, COLUMNS);
	uint32_t at[COLUMNS], used = find_used(shapes, count, at);
	size_t rows = 0;
	struct etc_cell *c;

	for (size_t s = 0; s < count; s++)
		rows += shapes[s].count;
	c = etc_new(arena, struct etc_cell, rows * used);
	if (!c || !shown)
		return etc_fail(err, E0904, "%zu events", rows);
	memcpy(shown, all, MODULE * sizeof *shown);
	for (uint32_t k = MODULE; k < COLUMNS; k++)
		if (at[k])
			shown[at[k]] = all[k];
	*out = (struct etc_table){
		.columns = shown, .column_count = used, .cells = c, .row_count = (uint32_t)rows
	};
	for (size_t s = 0; s < count; s++)
		for (uint32_t e = 0; e < shapes[s].count; e++, c += used) {
			fill(&shapes[s], &shapes[s].events[e], unit, scale, c);
			if (!shapes[s].texts)
				continue;
			put_text(c, at[MODULE], shapes[s].texts[e].module);
			put_text(c, at[SOURCE], shapes[s].texts[e].source);
			put_text(c, at[METADATA], shapes[s].texts[e].metadata);
		}
	return ETC_OK;
}
