/* medians.c -- see medians.h */
#include "join/medians.h"

#include <stdlib.h>

void etc_values_init(struct etc_run_values *v, struct etc_arena *arena, struct etc_run_sample *runs)
{
	*v = (struct etc_run_values){ .arena = arena, .runs = runs };
}

bool etc_values_begin(struct etc_run_values *v, uint32_t rows)
{
	v->places = rows + ETC_VALUES_ROWS;
	if (v->places > v->now_room) {
		v->now_room = v->places * 2;
		v->now = etc_new(v->arena, uint64_t, v->now_room);
	}
	return v->now != NULL;
}

/* Copies to `to` the values of all rows in the current run, zeros included, and resets the values.
 * False: out of memory. */
static bool keep_run(struct etc_run_values *v, struct etc_run_sample *to)
{
	uint64_t *copy = etc_new(v->arena, uint64_t, v->places);

	if (!copy)
		return false;
	memcpy(copy, v->now, v->places * sizeof *copy);
	memset(v->now, 0, v->places * sizeof *v->now);
	to->v = copy;
	to->count = v->places;
	return true;
}

bool etc_values_end(struct etc_run_values *v, size_t index)
{
	if (v->runs)
		return keep_run(v, &v->runs[index]);
	if (v->room - v->count < v->places) {
		size_t room = (v->count + v->places) * 2;
		struct etc_run_value *more = etc_new(v->arena, struct etc_run_value, room);

		if (!more)
			return false;
		if (v->count)
			memcpy(more, v->v, v->count * sizeof *more);
		v->v = more;
		v->room = room;
	}
	for (uint32_t i = 0; i < v->places; i++) {
		if (v->now[i])
			v->v[v->count++] = (struct etc_run_value){ i, v->now[i] };
		v->now[i] = 0;
	}
	return true;
}

static int by_place_and_value(const void *a, const void *b)
{
	const struct etc_run_value *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* Returns twice the median of `runs` values: of the `n` values in `v`, which are sorted, and of
 * `runs` - `n` zeros. */
static etc_u128 twice_median(const struct etc_run_value *v, size_t n, size_t runs)
{
	size_t zeros = runs - n, low = (runs - 1) / 2, high = runs / 2;
	etc_u128 sum = 0;

	sum += low < zeros ? 0 : v[low - zeros].value;
	sum += high < zeros ? 0 : v[high - zeros].value;
	return sum;
}

bool etc_values_medians(struct etc_run_values *v, size_t runs, struct etc_profile_path *path,
                        struct etc_profile_row *rows, uint32_t row_count)
{
	size_t places = (size_t)row_count + ETC_VALUES_ROWS;
	etc_u128 *twice = etc_new(v->arena, etc_u128, places);

	if (!twice)
		return false;
	if (v->count)
		qsort(v->v, v->count, sizeof *v->v, by_place_and_value);
	for (size_t from = 0, to; from < v->count; from = to) {
		uint32_t place = v->v[from].place;

		for (to = from; to < v->count && v->v[to].place == place;)
			to++;
		twice[place] = twice_median(v->v + from, to - from, runs);
	}
	path->per = 2;
	path->rounding = twice[ETC_VALUES_ROUNDING];
	path->unattributed_delegate = twice[ETC_VALUES_INSIDE];
	path->unattributed = twice[ETC_VALUES_INSIDE] + twice[ETC_VALUES_BETWEEN];
	path->delegated = twice[ETC_VALUES_DELEGATED];
	path->time = path->median.num * 2 / path->median.den;
	for (uint32_t i = 0; i < row_count; i++) {
		rows[i].self = twice[i + ETC_VALUES_ROWS];
		rows[i].total = rows[i].bound = 0;
		rows[i].beside = runs ? rows[i].beside * 2 / runs : 0;
		rows[i].self_only = true;
	}
	return true;
}
