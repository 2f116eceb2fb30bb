/* rollup.c -- see rollup.h */
#include "join/rollup.h"

#include <math.h>

#include "base/map.h"
#include "base/wide.h"
#include "join/site.h"
#include "model/datum.h"
#include "model/limits.h"

/* a further roll-up, not for plugins: the distinct values, joined as one text */
enum { JOINED = ETC_ROLLUPS };

__extension__ typedef __int128 whole_sum;

struct etc_rolled_column {
	struct etc_str name;
	uint8_t type, rollup;
	/* `differs`: the values are not all equal (roll-up NONE). `cut`: the list of values was
	 * truncated (roll-up SET). */
	bool differs, cut;
	/* for MIN and MAX the least or greatest value; else the first value */
	struct etc_datum value;
	uint64_t count; /* number of values that were rolled up */
	whole_sum sum;  /* for SUM and MEAN: sum of the values that are integers */
	/* sum of doubles, or of values weighted by time; NULL: fewer than two values were added */
	struct etc_wide *wide;
	double infinite;     /* sum of the values that are infinite */
	etc_u128 time;       /* sum of the times of the events with these values */
	uint64_t first_time; /* the time of the event that `value` comes from */
	struct etc_map seen; /* for SET: maps a value to its index in `items` */
	struct etc_datum *items;
	uint32_t item_count, item_room;
};

static bool is_finite(const struct etc_datum *d)
{
	return d->kind == ETC_DATUM_I64 || isfinite(d->f);
}

/* ---- rolling up one value ------------------------------------------------------- */

static void add_wide(struct etc_rolled_column *to, const struct etc_datum *d, uint64_t times)
{
	if (d->kind == ETC_DATUM_I64)
		etc_wide_add_whole(to->wide, d->i, times);
	else
		etc_wide_add(to->wide, d->f, times);
}

/* Adds a value. The first value is only stored, because most rows have no other. */
static bool add_up(struct etc_rolled_column *to, const struct etc_datum *d, uint64_t times,
                   struct etc_arena *scratch)
{
	if (!is_finite(d)) {
		to->infinite += d->f;
		return true;
	}
	if (to->value.kind == ETC_DATUM_NULL) {
		to->value = *d;
		to->first_time = times;
		return true;
	}
	if (!to->wide) {
		to->wide = etc_new(scratch, struct etc_wide, 1);
		if (!to->wide)
			return false;
		add_wide(to, &to->value, to->first_time);
	}
	add_wide(to, d, times);
	return true;
}

static bool is_less(const struct etc_datum *a, const struct etc_datum *b)
{
	return a->kind == ETC_DATUM_I64 ? a->i < b->i : a->f < b->f;
}

static bool add_to_set(struct etc_rolled_column *to, const struct etc_datum *d,
                       struct etc_arena *scratch)
{
	struct etc_str key = d->kind == ETC_DATUM_STR
	                             ? d->text
	                             : (struct etc_str){ (const char *)&d->i, sizeof d->i };
	struct etc_datum *new;
	size_t at;

	if (to->item_count == ETC_LIMIT_SET) {
		to->cut = to->cut || etc_map_get(&to->seen, key) == ETC_MAP_NONE;
		return true;
	}
	at = etc_map_intern(&to->seen, key, to->item_count);
	if (at == ETC_MAP_NONE)
		return false;
	if (at < to->item_count)
		return true;
	new = ETC_APPEND(scratch, to->items, to->item_count, to->item_room);
	if (new)
		*new = *d;
	return new;
}

static bool is_arithmetic(uint8_t rollup)
{
	return rollup == ETC_ROLLUP_SUM ||
	       (rollup >= ETC_ROLLUP_MEAN && rollup <= ETC_ROLLUP_TIME_MEAN);
}

/* Adds a value of an event that took `time`. NaN is skipped in sums and means. */
static bool add_value(struct etc_rolled_column *to, const struct etc_datum *d, uint64_t time,
                      struct etc_arena *scratch)
{
	if (is_arithmetic(to->rollup) && d->kind == ETC_DATUM_F64 && isnan(d->f))
		return true;
	if (to->rollup == ETC_ROLLUP_TIME_MEAN && time == 0)
		return true;
	to->count++;
	to->time += time;
	switch (to->rollup) {
	case ETC_ROLLUP_SET:
	case JOINED:
		return add_to_set(to, d, scratch);
	case ETC_ROLLUP_TIME_MEAN:
		return add_up(to, d, time, scratch);
	case ETC_ROLLUP_SUM:
	case ETC_ROLLUP_MEAN:
		if (d->kind != ETC_DATUM_I64)
			return add_up(to, d, 1, scratch);
		to->sum += d->i;
		return true;
	default:
		break;
	}
	if (to->count == 1 || (to->rollup == ETC_ROLLUP_MIN && is_less(d, &to->value)) ||
	    (to->rollup == ETC_ROLLUP_MAX && is_less(&to->value, d)))
		to->value = *d;
	else if (to->rollup == ETC_ROLLUP_NONE)
		to->differs = to->differs || !etc_datum_eq(&to->value, d);
	return true;
}

/* ---- the columns of a row --------------------------------------------------------- */

/* Returns the roll-up to use for the value `d`. Only numbers can be added, but ABI 1.0 let plugins
 * declare sums of other types. */
static uint8_t rollup_of(const struct etc_datum *d, uint8_t rollup)
{
	bool number = d->type == ETC_TYPE_I64 || d->type == ETC_TYPE_F64;

	return is_arithmetic(rollup) && !number ? ETC_ROLLUP_NONE : rollup;
}

static struct etc_rolled_column *column_of(struct etc_rolled *row, const struct etc_datum *d,
                                           struct etc_str name, uint8_t rollup,
                                           struct etc_arena *scratch)
{
	struct etc_rolled_column *to;

	for (uint32_t i = 0; i < row->count; i++)
		if (etc_str_eq(row->v[i].name, name))
			return &row->v[i];
	to = ETC_APPEND(scratch, row->v, row->count, row->room);
	if (!to)
		return NULL;
	*to = (struct etc_rolled_column){ .name = name,
		                          .type = d->type,
		                          .rollup = rollup_of(d, rollup) };
	etc_map_init(&to->seen, scratch);
	return to;
}

static bool add(struct etc_rolled *row, const struct etc_datum *d, struct etc_str name,
                uint8_t rollup, uint64_t time, bool again, struct etc_arena *scratch)
{
	struct etc_datum typed = *d;
	struct etc_rolled_column *to;

	if (d->kind == ETC_DATUM_NULL)
		return true;
	to = column_of(row, d, name, rollup, scratch);
	if (to && again && is_arithmetic(to->rollup))
		return true;
	return to && etc_datum_as(&typed, to->type, scratch) &&
	       add_value(to, &typed, time, scratch);
}

bool etc_rolls(const struct etc_said *said)
{
	const struct etc_parsed *parsed = said->metadata;

	return (parsed && (parsed->column_count || parsed->count)) ||
	       (said->facts && said->facts->microkernel.len);
}

bool etc_rolls_time(const struct etc_parsed *parsed)
{
	const struct etc_datum *v = parsed->has_columns ? parsed->columns : parsed->items;
	uint32_t n = parsed->has_columns ? parsed->column_count : parsed->count;

	for (uint32_t i = 0; i < n; i++)
		if (v[i].rollup == ETC_ROLLUP_TIME_MEAN)
			return true;
	return false;
}

static bool roll_metadata(struct etc_rolled *row, const struct etc_parsed *parsed, uint64_t time,
                          bool again, struct etc_arena *scratch)
{
	bool ok = true;

	for (uint32_t i = 0; i < parsed->column_count && ok; i++)
		ok = add(row, &parsed->columns[i], parsed->columns[i].name,
		         parsed->columns[i].rollup, time, again, scratch);
	for (uint32_t i = 0; i < parsed->count && ok && !parsed->has_columns; i++) {
		const struct etc_datum *d = &parsed->items[i];

		if (parsed->form == ETC_PARSED_LIST)
			ok = add(row, d, ETC_STR("metadata"), ETC_ROLLUP_SET, time, again, scratch);
		else
			ok = add(row, d, d->name, d->rollup, time, again, scratch);
	}
	return ok;
}

bool etc_roll(struct etc_rolled *row, const struct etc_said *said, uint64_t time, bool again,
              struct etc_arena *scratch)
{
	if (said->metadata && !roll_metadata(row, said->metadata, time, again, scratch))
		return false;
	if (said->facts && said->facts->microkernel.len) {
		struct etc_datum d = { .kind = ETC_DATUM_STR,
			               .type = ETC_TYPE_STR,
			               .text = said->facts->microkernel };

		return add(row, &d, ETC_STR("microkernel_inferred"), JOINED, time, again, scratch);
	}
	return true;
}

/* ---- results of a roll-up ------------------------------------------------------- */

static struct etc_datum real(double v)
{
	return (struct etc_datum){ .kind = isnan(v) ? ETC_DATUM_NULL : ETC_DATUM_F64, .f = v };
}

static double ratio_of(whole_sum sum, uint64_t by)
{
	double v = etc_ratio_double(etc_ratio((etc_u128)(sum < 0 ? -sum : sum), by));

	return sum < 0 ? -v : v;
}

/* Returns the sum of the values divided by `by`, which is their number, or the time by which they
 * are weighted. */
static struct etc_datum quotient(const struct etc_rolled_column *c, etc_u128 by)
{
	/* infinite values alone determine the mean; it is NaN if there are both +inf and -inf */
	if (c->infinite != 0)
		return real(c->infinite);
	if (c->wide)
		return real(etc_wide_over(c->wide, by));
	return real(c->value.kind == ETC_DATUM_I64 ? (double)c->value.i : c->value.f);
}

/* Copies the text of a value; false if out of memory. */
static bool keep(struct etc_datum *d, struct etc_arena *arena)
{
	size_t len = d->text.len;

	if (d->kind != ETC_DATUM_STR)
		return true;
	d->text = etc_arena_str(arena, d->text);
	return d->text.len == len;
}

static struct etc_datum list_of(const struct etc_rolled_column *c, struct etc_arena *arena)
{
	struct etc_datum *items = etc_new(arena, struct etc_datum, c->item_count);
	struct etc_datum list = { .kind = ETC_DATUM_LIST, .count = c->item_count, .items = items };

	for (uint32_t i = 0; items && i < c->item_count; i++) {
		items[i] = c->items[i];
		if (!keep(&items[i], arena))
			list.items = items = NULL;
	}
	return list;
}

static struct etc_datum joined(const struct etc_rolled_column *c, struct etc_arena *arena)
{
	struct etc_datum list = { .kind = ETC_DATUM_LIST,
		                  .count = c->item_count,
		                  .items = c->items };

	return etc_datum_as(&list, 0, arena) ? list : (struct etc_datum){ .kind = ETC_DATUM_LIST };
}

static struct etc_datum end_of(const struct etc_rolled_column *c, struct etc_profile_path *path,
                               struct etc_arena *arena)
{
	struct etc_datum d = { .kind = ETC_DATUM_NULL };

	if (c->count == 0)
		return d;
	switch (c->rollup) {
	case ETC_ROLLUP_SET:
		path->sets_cut += c->cut;
		return list_of(c, arena);
	case JOINED:
		return joined(c, arena);
	case ETC_ROLLUP_SUM:
		if (c->type == ETC_TYPE_F64)
			return quotient(c, 1);
		if (c->sum < INT64_MIN || c->sum > INT64_MAX) {
			path->sums_over++;
			return d;
		}
		return (struct etc_datum){ .kind = ETC_DATUM_I64, .i = (int64_t)c->sum };
	case ETC_ROLLUP_MEAN:
		return c->type == ETC_TYPE_F64 ? quotient(c, c->count)
		                               : real(ratio_of(c->sum, c->count));
	case ETC_ROLLUP_TIME_MEAN:
		return quotient(c, c->time);
	default:
		break;
	}
	return c->differs ? d : c->value;
}

struct etc_datum *etc_rolled_end(const struct etc_rolled *rolled, struct etc_profile_path *path,
                                 struct etc_arena *arena)
{
	struct etc_datum *to = etc_new(arena, struct etc_datum, rolled->count);

	for (uint32_t i = 0; to && i < rolled->count; i++) {
		const struct etc_rolled_column *c = &rolled->v[i];

		to[i] = end_of(c, path, arena);
		to[i].name = c->name;
		to[i].type = c->type;
		to[i].rollup = c->rollup == JOINED ? ETC_ROLLUP_NONE : c->rollup;
		if ((to[i].kind == ETC_DATUM_LIST && !to[i].items) || !keep(&to[i], arena))
			return NULL;
	}
	return to;
}
