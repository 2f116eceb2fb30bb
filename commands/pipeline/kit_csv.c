/* kit_csv.c -- writes the kit's timelines and operator statistics; see kit_csv.h. */
#include "commands/pipeline/kit_csv.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/number.h"
#include "table/csv.h"

void etc_kit_put_real(struct etc_text *out, double v)
{
	char *to = etc_text_reserve(out, ETC_NUMBER_MAX);

	if (to)
		out->len += etc_number_repr(to, v);
}

struct etc_str etc_kit_type(struct etc_str name)
{
	struct etc_str s = etc_str_trim(name);
	size_t at, last = SIZE_MAX;

	while (s.len && s.ptr[0] == '"')
		s = etc_str_sub(s, 1, s.len);
	while (s.len && s.ptr[s.len - 1] == '"')
		s.len--;
	for (at = 0; (at = etc_str_find(s, ETC_STR(" #"), at)) != SIZE_MAX; at++)
		last = at;
	return last == SIZE_MAX ? s : etc_str_sub(s, 0, last);
}

/* ---- timelines ------------------------------------------------------------------- */

static const char timeline_head[] = "model_id,name,type,delegate_backend,start_us,end_us,"
				    "duration_ms,pct_total,node_id,run_index,block\r\n";

/* Writes the fields that are the same in all rows of an event. */
static void put_names(const struct etc_kit_dump *d, const struct etc_kit_event *e,
                      struct etc_text *out)
{
	etc_csv_field(out, d->id, ',');
	etc_text_char(out, ',');
	etc_csv_field(out, e->name, ',');
	etc_text_char(out, ',');
	etc_csv_field(out, etc_kit_type(e->name), ',');
	etc_text_char(out, ',');
	etc_csv_field(out, e->backend, ',');
	etc_text_char(out, ',');
}

static void put_row(const struct etc_kit_event *e, struct etc_str names, size_t run, double total,
                    uint32_t node, struct etc_text *out)
{
	double start = e->start_us[run], ms = e->duration_ms[run];
	const double cells[] = { start, start + ms * 1000, ms, etc_kit_percent(ms, total) };

	etc_text_put(out, names);
	for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
		etc_kit_put_real(out, cells[i]);
		etc_text_char(out, ',');
	}
	etc_text_u64(out, node);
	etc_text_char(out, ',');
	etc_text_u64(out, run);
	etc_text_char(out, ',');
	etc_csv_field(out, e->block, ',');
	etc_text_cstr(out, "\r\n");
}

/* Writes a row for each of the first `most` runs of each event. */
static void put_timeline(const struct etc_kit_dump *d, size_t most, struct etc_text *out)
{
	double *total = etc_new(d->arena, double, most);
	struct etc_text names = { 0 };
	uint32_t node = 0;

	for (uint32_t i = 0; total && i < d->count; i++)
		for (size_t r = 0; r < d->events[i].runs && r < most; r++)
			total[r] += d->events[i].duration_ms[r];
	etc_text_cstr(out, timeline_head);
	for (uint32_t i = 0; total && i < d->count && !out->failed; i++) {
		const struct etc_kit_event *e = &d->events[i];

		names.len = 0;
		put_names(d, e, &names);
		for (size_t r = 0; r < e->runs && r < most; r++)
			put_row(e, etc_text_str(&names), r, total[r], node, out);
		node += e->runs > 0;
	}
	out->failed = out->failed || names.failed || !total;
	etc_text_release(&names);
}

void etc_kit_all_runs_csv(const void *dump, struct etc_text *out)
{
	const struct etc_kit_dump *d = dump;
	size_t most = 0;

	for (uint32_t i = 0; i < d->count; i++)
		most = d->events[i].runs > most ? d->events[i].runs : most;
	put_timeline(d, most, out);
}

void etc_kit_run0_csv(const void *dump, struct etc_text *out)
{
	put_timeline(dump, 1, out);
}

/* ---- operator statistics ----------------------------------------------------------- */

struct stat {
	struct etc_str type, backend;
	bool nameless;
	struct etc_kit_group times;
	/* position in the order of (type, backend), by which statistics with equal totals are
	 * sorted */
	size_t first;
};

static int by_type(const void *x, const void *y)
{
	const struct stat *a = x, *b = y;
	int order = (a->nameless > b->nameless) - (a->nameless < b->nameless);

	if (!order)
		order = etc_str_cmp(a->type, b->type);
	return order ? order : etc_str_cmp(a->backend, b->backend);
}

static int by_total(const void *x, const void *y)
{
	const struct stat *a = x, *b = y;

	if (a->times.sum != b->times.sum)
		return a->times.sum < b->times.sum ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

/* Is there an event without times? If so, pandas stores the column of times as Python objects, and
 * adds the times up one after the other. */
static bool is_plain(const struct etc_kit_dump *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		if (isnan(d->events[i].mean_ms))
			return true;
	return false;
}

/* Groups the events by type and backend, and adds up their times. Returns false if out of
 * memory. */
static bool group(const struct etc_kit_dump *d, bool plain, struct stat *stats, size_t *count)
{
	struct etc_map known;

	etc_map_init(&known, d->arena);
	for (uint32_t i = 0; i < d->count; i++) {
		const struct etc_kit_event *e = &d->events[i];
		struct stat s = { .type = etc_kit_type(e->name),
			          .backend = e->backend,
			          .nameless = !e->name.ptr };
		/* the key begins with the length of the type, so two different pairs of type and
		 * backend never have the same key */
		struct etc_str key =
			etc_arena_printf(d->arena, "%c%zu ", s.nameless ? '-' : '+', s.type.len);
		struct etc_text whole = { 0 };
		size_t at;

		etc_text_put(&whole, key);
		etc_text_put(&whole, s.type);
		etc_text_put(&whole, s.backend);
		key = etc_arena_str(d->arena, etc_text_str(&whole));
		etc_text_release(&whole);
		at = key.ptr ? etc_map_add(&known, key, *count) : ETC_MAP_NONE;
		if (at == ETC_MAP_NONE)
			return false;
		if (at == *count)
			stats[(*count)++] = s;
		if (plain && !isnan(e->mean_ms))
			stats[at].times.sum += e->mean_ms;
		if (plain)
			stats[at].times.count += isnan(e->mean_ms) ? 0 : 1;
		else
			etc_kit_group_add(&stats[at].times, e->mean_ms);
	}
	return true;
}

static void put_stat(const struct etc_kit_dump *d, const struct stat *s, double total,
                     struct etc_text *out)
{
	const struct etc_kit_group *g = &s->times;
	const double cells[] = { g->sum, g->count ? g->sum / (double)g->count : (double)NAN,
		                 etc_kit_percent(g->sum, total) };

	etc_csv_field(out, d->id, ',');
	for (int i = 0; i < 2; i++) {
		etc_text_char(out, ',');
		etc_csv_field(out, s->type, ',');
	}
	etc_text_char(out, ',');
	etc_csv_field(out, s->backend, ',');
	etc_text_char(out, ',');
	etc_text_u64(out, g->count);
	for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
		etc_text_char(out, ',');
		etc_kit_put_real(out, cells[i]);
	}
	etc_text_cstr(out, "\r\n");
}

void etc_kit_ops_stats_csv(const void *dump, struct etc_text *out)
{
	const struct etc_kit_dump *d = dump;
	struct stat *stats = etc_new(d->arena, struct stat, d->count);
	double *means = etc_new(d->arena, double, d->count), total = 0;
	bool plain = is_plain(d);
	size_t count = 0;

	if (!stats || !means || !group(d, plain, stats, &count)) {
		out->failed = true;
		return;
	}
	for (uint32_t i = 0; i < d->count; i++) {
		means[i] = isnan(d->events[i].mean_ms) ? 0 : d->events[i].mean_ms;
		total += means[i];
	}
	if (!plain)
		total = etc_insp_sum(means, d->count);
	if (count)
		qsort(stats, count, sizeof *stats, by_type);
	for (size_t i = 0; i < count; i++)
		stats[i].first = i;
	if (count)
		qsort(stats, count, sizeof *stats, by_total);
	etc_text_cstr(out,
	              "model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\r\n");
	for (size_t i = 0; i < count; i++)
		put_stat(d, &stats[i], total, out);
}
