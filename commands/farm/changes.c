/* changes.c -- runs `etcore farm changes`, which finds the days at which times change; see
 * farm.h. */
#include "commands/farm/farm.h"
#include "stats/change_points.h"
#include "table/cells.h"

#include <math.h>
#include <stdlib.h>

/* column numbers of ETC_FARM_TREND: the first KEYS columns identify a series */
enum { KEYS = 4, DAY = KEYS, TYPICAL = 6 };
/* Two levels that differ by less than this fraction count as equal. */
static const double LEAST = 0.001;

struct series {
	const struct etc_cell *rows; /* the rows of the table `trend` that belong to the series */
	uint32_t columns, count;
};

static const struct etc_cell *cell(const struct series *s, size_t r, uint32_t c)
{
	return &s->rows[r * s->columns + c];
}

static bool is_same(const struct etc_cell *a, const struct etc_cell *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == ETC_CELL_TEXT ? etc_str_eq(a->s, b->s)
	                                : a->kind == ETC_CELL_BLANK || a->i == b->i;
}

static struct series series_from(const struct etc_table *t, uint32_t from)
{
	struct series s = { t->cells + (size_t)from * t->column_count, t->column_count, 1 };

	for (; from + s.count < t->row_count; s.count++)
		for (uint32_t c = 0; c < KEYS; c++)
			if (!is_same(cell(&s, 0, c), cell(&s, s.count, c)))
				return s;
	return s;
}

static int by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the median time of days [from, to); if their number is even, the lower one of the two
 * middle times. `room` is scratch. */
static int64_t level(const struct series *s, size_t from, size_t to, int64_t *room)
{
	for (size_t i = from; i < to; i++)
		room[i - from] = cell(s, i, TYPICAL)->i;
	qsort(room, to - from, sizeof *room, by_number);
	return room[(to - from - 1) / 2];
}

static void put_change(const struct series *s, const size_t at[3], int64_t *room,
                       struct etc_cell *to)
{
	int64_t before = level(s, at[0], at[1], room), now = level(s, at[1], at[2], room);

	for (uint32_t c = 0; c < KEYS; c++)
		*to++ = *cell(s, 0, c);
	*to++ = *cell(s, at[1], DAY);
	*to++ = etc_cell_u64(at[1] - at[0]);
	*to++ = etc_cell_u64(at[2] - at[1]);
	*to++ = etc_cell_int(before);
	*to++ = etc_cell_int(now);
	*to = before > 0 ? etc_cell_double((double)(now - before) / (double)before)
	                 : etc_cell_blank();
}

/* Adds a row for each change of a series. If the series is longer than ETC_CHANGE_MOST days, only
 * its last days are used. */
static enum etc_status add_changes(struct series s, struct etc_arena *scratch,
                                   struct etc_table *out, struct etc_error *err)
{
	double *v;
	int64_t *room;
	size_t *at, count, n;

	if (s.count > ETC_CHANGE_MOST) {
		s.rows += (size_t)(s.count - ETC_CHANGE_MOST) * s.columns;
		s.count = ETC_CHANGE_MOST;
	}
	n = s.count;
	v = etc_new(scratch, double, n);
	room = etc_new(scratch, int64_t, n);
	at = etc_new(scratch, size_t, n + 2);
	ETC_NEED(v && room && at, err);
	for (size_t i = 0; i < n; i++) {
		const struct etc_cell *c = cell(&s, i, TYPICAL);

		if (c->kind != ETC_CELL_INT || c->i <= 0)
			return ETC_OK; /* a time of 0 has no logarithm */
		v[i] = log((double)c->i);
	}
	ETC_TRY(etc_change_points(v, n, LEAST, at + 1, &count, scratch, err));
	at[count + 1] = n;
	for (size_t i = 0; i < count; i++)
		put_change(&s, at + i, room,
		           out->cells + (size_t)out->row_count++ * out->column_count);
	return ETC_OK;
}

enum etc_status etc_farm_changes(const struct etc_table *trend, struct etc_arena *arena,
                                 struct etc_table *out, struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st = etc_farm_table(
		ETC_FARM_CHANGES, trend->row_count / ETC_CHANGE_LEAST + 1, arena, out, err);

	for (uint32_t r = 0; st == ETC_OK && r < trend->row_count;) {
		struct series s = series_from(trend, r);

		etc_arena_init(&scratch, (size_t)1 << 30);
		st = add_changes(s, &scratch, out, err);
		etc_arena_release(&scratch);
		r += s.count;
	}
	return st;
}
