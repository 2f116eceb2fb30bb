/* events_table.c -- makes the table of `--events`; see events_table.h */
#include "commands/analyze/events_table.h"

#include <math.h>

#include "commands/analyze/declared.h"
#include "model/profile.h"
#include "model/settings.h"
#include "profile/roofline.h"
#include "profile/roofline_heads.h"
#include "stats/select.h"
#include "stats/typical.h"
#include "table/cells.h"
#include "table/words.h"

/* ---- durations ----------------------------------------------------------------- */

/* Durations are shown as they were logged, one row per event of the event list. The time of child
 * events is not subtracted, and only warm-up runs are left out. */

struct event_stats {
	size_t samples; /* number of runs */
	/* number of runs in which the duration is valid: the event does not end before it starts */
	size_t valid;
	etc_u128 sum; /* sum of the valid durations, in ticks */
	uint64_t min, max;
	struct etc_ratio p10, p50, p90;
	struct etc_ratio spread; /* spread of the valid durations (stats/typical.h) */
};

/* Number of events whose durations are gathered in one pass over memory. */
enum { TOGETHER = 16 };

static void finish(struct event_stats *s, uint64_t *v, size_t n)
{
	s->valid = n;
	if (n == 0)
		return;
	s->min = UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		s->sum += v[i];
		s->min = v[i] < s->min ? v[i] : s->min;
		s->max = v[i] > s->max ? v[i] : s->max;
	}
	s->p10 = etc_quantile(v, n, 1);
	s->p50 = etc_quantile(v, n, 5);
	s->p90 = etc_quantile(v, n, 9);
	s->spread = etc_spread(v, n);
}

/* Computes the statistics of the events [from, from + events) of a template into `out`; `events` is
 * at most TOGETHER. Uses the template's `runs` (indices into the trace). `room` is scratch:
 * `run_count` numbers per event. */
static void find_statistics(const struct etc_trace *trace, const uint32_t *runs, size_t run_count,
                            uint32_t from, uint32_t events, uint64_t *room, struct event_stats *out)
{
	size_t n[TOGETHER] = { 0 };

	for (size_t r = 0; r < run_count; r++) {
		size_t at = trace->runs[runs[r]].first_sample + from;

		for (uint32_t e = 0; e < events; e++) {
			uint64_t start = trace->start[at + e], end = trace->end[at + e];

			if (end >= start)
				room[e * run_count + n[e]++] = end - start;
		}
	}
	for (uint32_t e = 0; e < events; e++) {
		out[e] = (struct event_stats){ .samples = run_count };
		finish(&out[e], room + e * run_count, n[e]);
	}
}

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
	SPREAD,
	UNIT,
	INVALID,
	/* from here to METADATA: columns that are left out if no event has a value */
	CLOCK,
	START,
	START_BY,
	RAW_P10,
	RAW_P50,
	RAW_P90,
	RAW_AVG,
	RAW_MIN,
	RAW_MAX,
	FLOPS, /* the columns from here to WORK_WHY are those of --roofline */
	READ,
	WRITTEN,
	INTENSITY,
	WORK_TYPE,
	GFLOPS,
	GBPS,
	ROOF,
	ROOF_SHARE,
	BOUND_BY,
	SAVED,
	WORK_WHY,
	MODULE,
	SOURCE,
	METADATA,
	COLUMNS
	/* the columns of plugins follow */
};

/* clang-format off */
#define COLUMNS_OF(suffix, STYLE) {                                                                \
	[BLOCK]       = { .name = "block", .title = "block", .optional = ETC_COLUMN_MINOR }, \
	[PATH]        = { .name = "path", .title = "path", .right = true, .optional = ETC_COLUMN_MINOR }, \
	[CHAIN]       = { .name = "chain", .title = "chain", .right = true, .optional = ETC_COLUMN_MINOR }, \
	[INSTRUCTION] = { .name = "instruction", .title = "instr", .right = true }, \
	[NAME]        = { .name = "name", .title = "event" }, \
	[DELEGATE]    = { .name = "delegate", .title = "delegate", .optional = true, .names = true }, \
	[SAMPLES]     = { .name = "samples", .title = "runs", .right = true, .optional = true }, \
	[P10]         = { .cell = ETC_CELL_REAL, .name = "p10" suffix, .title = "p10", .style = STYLE, .right = true, .optional = true }, \
	[P50]         = { .cell = ETC_CELL_REAL, .name = "p50" suffix, .title = "p50", .style = STYLE, .right = true }, \
	[P90]         = { .cell = ETC_CELL_REAL, .name = "p90" suffix, .title = "p90", .style = STYLE, .right = true, .optional = true }, \
	[AVG]         = { .cell = ETC_CELL_REAL, .name = "avg" suffix, .title = "avg", .style = STYLE, .right = true }, \
	[MIN]         = { .cell = ETC_CELL_REAL, .name = "min" suffix, .title = "min", .style = STYLE, .right = true, .optional = true }, \
	[MAX]         = { .cell = ETC_CELL_REAL, .name = "max" suffix, .title = "max", .style = STYLE, .right = true }, \
	[SPREAD]      = { .name = "self_spread", .title = "spread", .style = ETC_STYLE_SHARE, .right = true, .optional = ETC_COLUMN_AGAIN }, \
	[UNIT]        = { .name = "unit", .title = "dump's unit", .optional = true }, \
	[INVALID]     = { .name = "invalid", .title = "invalid", .right = true, .optional = true }, \
	[CLOCK]       = { .name = "clock", .title = "clock", .optional = true }, \
	[START]       = { .cell = ETC_CELL_REAL, .name = "start_ns", .title = "start", .style = STYLE, .right = true, .optional = true }, \
	[START_BY]    = { .name = "start_by", .title = "start by", .optional = true }, \
	[RAW_P10]     = { .name = "p10_raw", .title = "p10 raw", .right = true, .optional = true }, \
	[RAW_P50]     = { .name = "p50_raw", .title = "p50 raw", .right = true, .optional = true }, \
	[RAW_P90]     = { .name = "p90_raw", .title = "p90 raw", .right = true, .optional = true }, \
	[RAW_AVG]     = { .name = "avg_raw", .title = "avg raw", .right = true, .optional = true }, \
	[RAW_MIN]     = { .name = "min_raw", .title = "min raw", .right = true, .optional = true }, \
	[RAW_MAX]     = { .name = "max_raw", .title = "max raw", .right = true, .optional = true }, \
	[FLOPS]       = { .cell = ETC_CELL_REAL, .name = "flops", .style = ETC_STYLE_NUMBER, .right = true }, \
	[READ]        = { .cell = ETC_CELL_REAL, .name = "bytes_read", .style = ETC_STYLE_NUMBER, .right = true }, \
	[WRITTEN]     = { .cell = ETC_CELL_REAL, .name = "bytes_written", .style = ETC_STYLE_NUMBER, .right = true }, \
	[INTENSITY]   = { .cell = ETC_CELL_REAL, .name = "intensity", .right = true }, \
	[WORK_TYPE]   = { .name = "work_type" }, \
	[GFLOPS]      = { .cell = ETC_CELL_REAL, .name = "gflops", .right = true }, \
	[GBPS]        = { .cell = ETC_CELL_REAL, .name = "gbps", .right = true }, \
	[ROOF]        = { .cell = ETC_CELL_REAL, .name = "roof_ns", .style = ETC_STYLE_TIME, .right = true }, \
	[ROOF_SHARE]  = { .cell = ETC_CELL_REAL, .name = "roof_share", .style = ETC_STYLE_SHARE, .right = true }, \
	[BOUND_BY]    = { .name = "bound_by" }, \
	[SAVED]       = { .cell = ETC_CELL_REAL, .name = "saved_ns", .style = ETC_STYLE_TIME, .right = true }, \
	[WORK_WHY]    = { .name = "work_why" }, \
	[MODULE]      = { .style = ETC_STYLE_LIST, .name = "module", .title = "module", .optional = true }, \
	[SOURCE]      = { .style = ETC_STYLE_LIST, .name = "source", .title = "source line", .optional = true }, \
	[METADATA]    = { .name = "metadata", .title = "metadata", .optional = true }, \
}
static const struct etc_column columns[COLUMNS] = COLUMNS_OF("_ns", ETC_STYLE_TIME);
static const struct etc_column raw_columns[COLUMNS] = COLUMNS_OF("", ETC_STYLE_PLAIN);
/* clang-format on */

static const char *const start_words[] = { [ETC_START_CLOCK] = "clock",
	                                   [ETC_START_READINGS] = "readings",
	                                   [ETC_START_PARENT] = "parent" };

/* Which optional columns the table has. at[i] is the index of optional column i in the table; 0:
 * the table does not have it. */
struct layout {
	uint32_t at[COLUMNS];
	uint32_t used; /* number of built-in columns; plugins' columns follow */
	bool ns;       /* the columns P10 to MAX are in ns */
	/* the machine's peaks, for the columns of --roofline; NULL: the table does not have these
	 * columns */
	const struct etc_peaks *peaks;
	bool text_only; /* all values of `metadata` have columns of their own */
};

static struct etc_cell time_cell(struct etc_ratio r, const struct etc_event_text *text)
{
	etc_u128 num, den = (etc_u128)text->per * text->den;

	if (!__builtin_mul_overflow(r.num, (etc_u128)text->scale, &num) &&
	    !__builtin_mul_overflow(r.den, den, &den))
		return etc_cell_ratio(etc_ratio(num, den));
	return (struct etc_cell){ .kind = ETC_CELL_REAL,
		                  .f = etc_ratio_double(r) * (double)text->scale /
		                       (double)text->per / (double)text->den };
}

static bool is_raw(const struct layout *l, const struct etc_event_text *text)
{
	return l->ns && text->unit != ETC_UNIT_NS;
}

static void fill_numbers(const struct layout *l, const struct event_stats *e,
                         const struct etc_event_text *text, struct etc_cell *row)
{
	const struct etc_ratio numbers[] = { e->p10,
		                             e->p50,
		                             e->p90,
		                             etc_ratio(e->sum, e->valid),
		                             etc_ratio(e->min, 1),
		                             etc_ratio(e->max, 1) };

	for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		row[is_raw(l, text) ? l->at[RAW_P10 + i] : P10 + i] = time_cell(numbers[i], text);
}

/* Fills the columns of --roofline: compares the mean time of an event with the shortest time in
 * which its work can be done at the peaks. */
static void fill_roof(const struct etc_peaks *peaks, uint64_t runs, const struct event_stats *e,
                      const struct etc_event_text *text, struct etc_cell *c)
{
	const bool ns = text->unit == ETC_UNIT_NS && e->valid > 0;
	const double unit = (double)text->scale / (double)text->per / (double)text->den;
	const double low = ns ? etc_ratio_double(etc_ratio(e->sum, e->valid)) * unit : NAN;
	const double high = low + (double)text->resolution / (double)text->den;
	struct {
		struct etc_roof roof;
	} of, *x = &of; /* macros of row_columns.def use `x` */

	if (!text->work || text->work->known + text->work->unknown == 0)
		return;
	etc_roof_make(text->work, peaks, runs, low, high, &x->roof);
#define COLUMN(...)
#define TRACER_COLUMN(...)
#define FALLBACK_COLUMN(...)
#define ROOFLINE_COLUMN(id, key, form, extra, help, value) c[id - FLOPS] = value;
#include "commands/analyze/row_columns.def"
}

static void fill(const struct etc_shown_template *s, const struct etc_event *event,
                 const struct event_stats *e, const struct layout *l,
                 const struct etc_event_text *text, struct etc_cell *c)
{
	c[BLOCK] = etc_cell_text(s->block);
	if (s->path)
		c[PATH] = etc_cell_u64(s->path);
	c[CHAIN] = etc_cell_int((int64_t)event->chain);
	c[INSTRUCTION] = etc_cell_int(event->instruction_id);
	c[NAME] = etc_cell_text(etc_event_name(event));
	c[DELEGATE] = etc_cell_text(etc_event_delegate_name(event));
	if (event->delegate_id != -1 && !event->has_delegate_name)
		c[DELEGATE] = etc_cell_int(event->delegate_id);
	c[SAMPLES] = etc_cell_u64(e->samples);
	c[UNIT] = etc_cell_text(etc_str_of(etc_unit_name(text->unit)));
	if (e->valid < e->samples)
		c[INVALID] = etc_cell_u64(e->samples - e->valid);
	if (e->spread.den > 0)
		c[SPREAD] = etc_cell_ratio(e->spread);
	if (e->valid > 0)
		fill_numbers(l, e, text, c);
	if (l->at[CLOCK])
		c[l->at[CLOCK]] = etc_cell_text(etc_str_of(etc_clock_word(text->clock)));
	if (l->at[START] && text->start_by) {
		c[l->at[START]] =
			etc_cell_ratio(etc_ratio(text->start.num, text->start.den * text->den));
		c[l->at[START_BY]] = etc_cell_text(etc_str_of(start_words[text->start_by]));
	}
	if (l->at[FLOPS])
		fill_roof(l->peaks, s->run_count, e, text, &c[l->at[FLOPS]]);
	if (l->at[MODULE])
		c[l->at[MODULE]] = etc_cell_text(text->module);
	if (l->at[SOURCE])
		c[l->at[SOURCE]] = etc_cell_text(text->source);
	if (l->at[METADATA])
		c[l->at[METADATA]] = etc_cell_text(text->metadata);
}

static struct layout find_layout(const struct etc_shown_template *templates, size_t count,
                                 const struct etc_events_form *form)
{
	struct layout l = { .used = CLOCK, .ns = form->unit == ETC_UNIT_NS, .peaks = form->peaks };
	bool any[COLUMNS] = { false }, list = false;

	for (size_t s = 0; s < count; s++)
		for (uint32_t e = 0; e < templates[s].template->profiles; e++) {
			const struct etc_event_text *t = &templates[s].texts[e];

			any[CLOCK] = any[CLOCK] || t->clock != ETC_CLOCK_HOST;
			any[START] = any[START] || t->start_by;
			any[RAW_P10] = any[RAW_P10] || is_raw(&l, t);
			any[MODULE] = any[MODULE] || t->module.len;
			any[SOURCE] = any[SOURCE] || t->source.len;
			any[METADATA] = any[METADATA] || t->metadata.len;
			list = list || (t->metadata.len && !t->said);
		}
	any[START_BY] = any[START];
	for (uint32_t c = RAW_P50; c <= RAW_MAX; c++)
		any[c] = any[RAW_P10];
	for (uint32_t c = FLOPS; c <= WORK_WHY; c++)
		any[c] = form->peaks != NULL;
	for (uint32_t c = CLOCK; c < COLUMNS; c++)
		l.at[c] = any[c] ? l.used++ : 0;
	l.text_only = !list;
	return l;
}

/* State for making rows on demand. The members from `template` on are a cursor: the position of the
 * row that was made last. */
struct maker {
	const struct etc_trace *trace;
	const struct etc_shown_template *templates;
	struct layout layout;
	struct etc_declared_columns declared;
	const struct etc_column *columns; /* columns of plugins */
	struct etc_arena *arena;
	uint64_t *room; /* scratch: the durations in all runs, for each event of `stats` */
	struct event_stats stats[TOGETHER];
	size_t template;
	uint32_t first; /* number of the table's row that has the first event of the template */
	uint32_t from;  /* index of the event of stats[0]; UINT32_MAX: `stats` is not filled */
	/* an event of the template: its index among all events, and (`profile`) its index among the
	 * profile events */
	uint32_t event;
	uint32_t profile;
};

/* Returns the event's named values, and sets `*count` to their number, which may be 0. */
static const struct etc_datum *named(const struct etc_parsed *p, uint32_t *count)
{
	*count = 0;
	if (!p)
		return NULL;
	*count = p->has_columns ? p->column_count : p->form == ETC_PARSED_DICT ? p->count : 0;
	return p->has_columns ? p->columns : p->items;
}

/* Fills the columns of plugins with the event's named values. A cell stays blank if two owners
 * declare the column with different types and memory for the conversion is lacking. */
static void fill_said(const struct maker *m, const struct etc_parsed *said, struct etc_cell *c)
{
	uint32_t n;
	const struct etc_datum *v = named(said, &n);

	for (uint32_t i = 0; i < n; i++) {
		size_t at = etc_map_get(&m->declared.at, v[i].name);

		struct etc_cell *to = &c[m->layout.used + at];

		*to = etc_declared_cell(&m->columns[at], &v[i], m->arena);
		if (to->kind == UINT8_MAX)
			to->kind = ETC_CELL_BLANK;
	}
}

/* Moves the cursor to the template that contains row `r`, and returns the template. The search
 * starts where the last one ended, so it is fast if rows are requested in ascending order. */
static const struct etc_shown_template *go_to(struct maker *m, uint32_t r)
{
	size_t was = m->template;

	if (r < m->first)
		m->template = m->first = 0;
	while (r - m->first >= m->templates[m->template].template->profiles)
		m->first += m->templates[m->template ++].template->profiles;
	if (m->template != was) {
		m->event = m->profile = 0;
		m->from = UINT32_MAX;
	}
	return &m->templates[m->template];
}

static const struct etc_event *find_event(struct maker *m, const struct etc_template *template,
                                          uint32_t profile)
{
	if (template->count == template->profiles)
		return &template->events[profile];
	if (profile < m->profile)
		m->event = 0;
	while (template->events[m->event].kind != ETC_EVENT_PROFILE ||
	       template->events[m->event].column != profile)
		m->event++;
	m->profile = profile;
	return &template->events[m->event];
}

static void make_row(void *of, uint32_t r, struct etc_cell *to)
{
	struct maker *m = of;
	const struct etc_shown_template *s = go_to(m, r);
	uint32_t e = r - m->first, from = e - e % TOGETHER;
	uint32_t n = s->template->profiles - from;

	if (from != m->from)
		find_statistics(m->trace, s->runs, s->run_count, from, n < TOGETHER ? n : TOGETHER,
		                m->room, m->stats);
	m->from = from;
	fill(s, find_event(m, s->template, e), &m->stats[e - from], &m->layout, &s->texts[e], to);
	fill_said(m, s->texts[e].said, to);
}

/* Allocates room for the durations of TOGETHER events of any template. */
static uint64_t *make_room(const struct etc_shown_template *templates, size_t count,
                           struct etc_arena *arena)
{
	size_t most = 0;

	for (size_t s = 0; s < count; s++) {
		uint32_t n = templates[s].template->profiles;
		size_t need = (n < TOGETHER ? n : TOGETHER) * templates[s].run_count;

		most = need > most ? need : most;
	}
	return etc_new(arena, uint64_t, most);
}

static bool find_declared(struct maker *m, size_t count, const struct etc_events_form *form)
{
	bool ok = etc_declared_begin(&m->declared, form->declared, form->declared_count, false,
	                             m->arena);

	for (size_t s = 0; s < count; s++)
		for (uint32_t e = 0; e < m->templates[s].template->profiles && ok; e++) {
			uint32_t n;
			const struct etc_datum *v = named(m->templates[s].texts[e].said, &n);

			for (uint32_t i = 0; i < n && ok; i++)
				ok = etc_declared_meet(&m->declared, v[i].name);
		}
	return ok;
}

static void set_columns(struct maker *m, size_t count, const struct etc_events_form *form,
                        struct etc_column *shown)
{
	const struct etc_column *all = form->unit == ETC_UNIT_NS ? columns : raw_columns;

	memcpy(shown, all, CLOCK * sizeof *shown);
	for (size_t s = 0; s < count; s++)
		/* each path counts its instructions from 0, so a row needs its path */
		if (m->templates[s].path > 1)
			shown[PATH].optional = ETC_COLUMN_NEEDED;
	for (uint32_t k = P10; k <= MAX && form->peaks; k++)
		shown[k].optional = k == AVG ? ETC_COLUMN_NEEDED : ETC_COLUMN_AGAIN;
	for (uint32_t k = BLOCK; k <= CHAIN && form->peaks; k++)
		/* on a narrow terminal, these columns are left out before names of events are
		 * shortened */
		shown[k].optional = ETC_COLUMN_AGAIN;
	if (form->peaks) {
		/* on a narrow screen, the column INSTRUCTION is left out only after names were
		 * shortened */
		shown[INSTRUCTION].optional = ETC_COLUMN_OPTIONAL;
		shown[UNIT].optional = ETC_COLUMN_AGAIN;
	}
	for (uint32_t k = CLOCK; k < COLUMNS; k++)
		if (m->layout.at[k])
			shown[m->layout.at[k]] = all[k];
	for (uint32_t k = FLOPS; k <= WORK_WHY && form->peaks; k++)
		etc_roofline_head(&shown[m->layout.at[k]]);
	if (m->layout.at[METADATA])
		shown[m->layout.at[METADATA]].typed = m->layout.text_only;
	for (uint32_t k = m->layout.used; k < m->layout.used + m->declared.at.count; k++) {
		shown[k].extra = false;
		shown[k].optional = ETC_COLUMN_MINOR;
	}
}

enum etc_status etc_view_events(const struct etc_trace *trace,
                                const struct etc_shown_template *templates, size_t count,
                                const struct etc_events_form *form, struct etc_arena *arena,
                                struct etc_table *out, struct etc_error *err)
{
	struct maker *m = etc_new(arena, struct maker, 1);
	struct etc_column *shown;
	size_t rows = 0;

	for (size_t s = 0; s < count; s++)
		rows += templates[s].template->profiles;
	ETC_NEED(m, err);
	*m = (struct maker){
		.trace = trace, .templates = templates, .arena = arena, .from = UINT32_MAX
	};
	m->layout = find_layout(templates, count, form);
	m->room = make_room(templates, count, arena);
	ETC_NEED(m->room && find_declared(m, count, form), err);
	shown = etc_new(arena, struct etc_column, COLUMNS + m->declared.at.count);
	ETC_NEED(shown && etc_declared_columns(&m->declared, shown + m->layout.used), err);
	m->columns = shown + m->layout.used;
	set_columns(m, count, form, shown);
	*out = (struct etc_table){ .columns = shown,
		                   .column_count = m->layout.used + (uint32_t)m->declared.at.count,
		                   .make = make_row,
		                   .of = m,
		                   .row_count = (uint32_t)rows };
	return out->column_count <= ETC_TABLE_MADE ? ETC_OK : etc_table_fill(out, arena, err);
}
