/* weigh.c -- compares the rows of a section run by run; see compare_steps.h
 *
 * A time of a run is stored as a double. It is below 2^53 ticks, so the double is exact. */
#include "commands/compare/compare_steps.h"

#include <math.h>
#include <stdlib.h>

/* RESTS: number of sums that belong to no row (add_rests()). RUNS: number of runs whose values are
 * fetched at a time. */
enum { RESTS = 3, RUNS = 16 };

/* State of comparing one section. The rows are in the order of comparison: the end-to-end time,
 * then the rows of level ROW, then the sums that belong to no row. */
struct weigher {
	struct etc_diff_maker *mk;
	struct etc_diff_section *s;
	/* memory that is released after this section, for matrices and temporary arrays */
	struct etc_arena own;
	struct etc_diff_row *rows;
	/* number of compared rows: the end-to-end time, the rows of level ROW, and the sums that
	 * belong to no row */
	uint32_t count;
	bool *done; /* for each row: scratch memory of permute() */
	struct etc_sample_group *groups;
	/* per row: the longest time that truncation may hide in either of the compared groups */
	double *resolution;
	bool *brief; /* per row: may details be left out? NULL: no details may be left out */
};

/* ---- runs by rows ------------------------------------------------------------------- */

static uint64_t value_of(const struct etc_run_sample *run, uint32_t at)
{
	return at < run->count ? run->v[at] : 0;
}

/* Fills the matrix of one dump with the time of every row in every run: all runs of row 0 first,
 * then all runs of row 1, and so on. */
static enum etc_status fill_dump(struct weigher *w, const struct etc_profile *p, uint32_t path,
                                 const struct etc_diff_parts *parts, struct etc_dump_samples *out,
                                 struct etc_error *err)
{
	const struct etc_profile_path *of = &p->paths[path];
	size_t n = of->kept, rows = w->count;
	double *time = etc_new(&w->own, double, n);
	double *v = etc_new(&w->own, double, n *rows);

	if (!time || !v || n > SIZE_MAX / sizeof(double) / (rows + 1))
		return etc_fail(err, E0904, "%zu rows of %zu runs", rows, n);
	for (size_t i = 0; i < n; i++)
		v[i] = (double)of->values[i].time;
	for (size_t from = 0; from < n; from += RUNS)
		for (uint32_t k = 0; k < parts->count; k++) {
			uint32_t value = parts->v[k].row->value;
			double *to = v + (size_t)(1 + parts->v[k].to) * n;

			for (size_t i = from; i < n && i < from + RUNS; i++)
				to[i] += (double)value_of(&of->values[i], value);
		}
	for (uint32_t k = 0; k < RESTS; k++)
		for (size_t i = 0; i < n; i++)
			v[(rows - RESTS + k) * n + i] =
				(double)value_of(&of->values[i], w->rows[rows - RESTS + k].rest);
	for (size_t i = 0; p->den > 1 && i < n * rows; i++)
		v[i] /= (double)p->den;
	for (size_t i = 0; i < n; i++)
		time[i] = v[i];
	*out = (struct etc_dump_samples){
		.runs = n, .time = time, .tick = of->grid / (double)p->den, .rows = v
	};
	return ETC_OK;
}

static enum etc_status fill_groups(struct weigher *w, const struct etc_diff_parts *parts,
                                   struct etc_error *err)
{
	const struct etc_diff *out = w->mk->out;
	struct etc_dump_samples *dumps = etc_new(&w->own, struct etc_dump_samples, out->dump_count);

	w->groups = etc_new(&w->own, struct etc_sample_group, out->group_count);
	w->resolution = etc_new(&w->own, double, w->count);
	ETC_NEED(dumps && w->groups && w->resolution, err);
	for (uint32_t g = 0, n = 0; g < out->group_count; g++) {
		const double *known = out->groups[g].places;
		double *places = known ? etc_new(&w->own, double, out->groups[g].count) : NULL;

		if (known && !places)
			return etc_no_memory(err);
		w->groups[g].dumps = dumps + n;
		w->groups[g].places = places;
		for (uint32_t d = out->first_dump[g]; d < out->first_dump[g + 1]; d++) {
			if (w->s->paths[d] == UINT32_MAX)
				continue;
			ETC_TRY(fill_dump(w, w->mk->dumps[d].profile, w->s->paths[d], &parts[d],
			                  &dumps[n++], err));
			if (known)
				places[w->groups[g].dump_count] = known[d - out->first_dump[g]];
			w->groups[g].dump_count++;
		}
	}
	return ETC_OK;
}

/* ---- rests: times that belong to no row ------------------------------------------------- */

static enum etc_status add_rests(struct weigher *w, const struct etc_diff_row *rows, uint32_t count,
                                 struct etc_error *err)
{
	static const uint8_t rests[RESTS] = { ETC_VALUES_ROUNDING, ETC_VALUES_INSIDE,
		                              ETC_VALUES_BETWEEN };
	static const struct etc_str keys[RESTS] = {
		{ "rounding", 8 },
		{ "unattributed: inside delegates", 30 },
		{ "unattributed: between instructions", 34 },
	};
	uint32_t groups = w->mk->out->group_count;

	w->count = 1 + count + RESTS;
	w->rows = etc_new(w->mk->arena, struct etc_diff_row, w->count);
	ETC_NEED(w->rows, err);
	if (count)
		memcpy(w->rows + 1, rows, count * sizeof *rows);
	for (uint32_t i = 0; i < w->count; i = i ? i + 1 : count + 1) {
		struct etc_diff_side *sides = etc_new(w->mk->arena, struct etc_diff_side, groups);
		struct etc_diff_row *r = &w->rows[i];

		*r = (struct etc_diff_row){
			.level = i ? ETC_DIFF_REST : ETC_DIFF_RUN,
			.rest = i ? rests[i - count - 1] : 0,
			.key = i ? keys[i - count - 1] : ETC_STR("end to end"),
			.unit = w->s->unit,
			.sides = sides,
		};
		ETC_NEED(sides, err);
		for (uint32_t d = 0; d < w->mk->out->dump_count; d++)
			if (w->s->paths[d] != UINT32_MAX)
				sides[w->mk->dumps[d].group] = (struct etc_diff_side){
					.present = true,
					.calls = i ? 0 : 1,
					.how = 1 << ETC_MATCH_NAME,
					.unit = w->mk->dumps[d].profile->unit,
				};
	}
	for (uint32_t i = 0; i < w->count; i++)
		w->rows[i].hidden = w->s->hidden;
	return ETC_OK;
}

static bool is_zero(const struct weigher *w, uint32_t row)
{
	for (uint32_t g = 0; g < w->mk->out->group_count; g++)
		for (size_t d = 0; d < w->groups[g].dump_count; d++) {
			const struct etc_dump_samples *s = &w->groups[g].dumps[d];

			for (size_t i = 0; i < s->runs; i++)
				if (s->rows[row * s->runs + i] != 0)
					return false;
		}
	return true;
}

/* ---- the order of rows --------------------------------------------------------------- */

/* A row, and its largest change in any group. */
struct ranked {
	double change;
	uint32_t row;
};

static int by_change(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->change != y->change)
		return x->change > y->change ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static double mean_of(const struct etc_sample_group *g, size_t row)
{
	double sum = 0, n = 0;

	for (size_t d = 0; d < g->dump_count; d++) {
		const struct etc_dump_samples *s = &g->dumps[d];

		for (size_t i = 0; i < s->runs; i++)
			sum += s->rows[row * s->runs + i];
		n += (double)s->runs;
	}
	return n > 0 ? sum / n : 0;
}

/* Sorts rows by the change of their means, the largest first. The bootstrap is run only for the
 * first rows in this order. */
static void rank_by_means(struct weigher *w, struct ranked *ranked, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++) {
		double base = mean_of(&w->groups[0], i + 1);

		ranked[i] = (struct ranked){ 0, i };
		for (uint32_t g = 1; g < w->mk->out->group_count; g++) {
			double change = fabs(mean_of(&w->groups[g], i + 1) - base);

			ranked[i].change = change > ranked[i].change ? change : ranked[i].change;
		}
	}
	if (rows)
		qsort(ranked, rows, sizeof *ranked, by_change);
}

/* Permutes `n` items of `size` bytes in place: item i becomes the former item order[i].row. `spare`
 * is scratch for one item, `done` is scratch for `n` flags. */
static void permute(void *places, size_t size, const struct ranked *order, uint32_t n, void *spare,
                    bool *done)
{
	char *v = places;

	memset(done, 0, n * sizeof *done);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;

		if (done[i])
			continue;
		memcpy(spare, v + i * size, size);
		for (; order[at].row != i; at = order[at].row) {
			memcpy(v + at * size, v + order[at].row * size, size);
			done[at] = true;
		}
		memcpy(v + at * size, spare, size);
		done[at] = true;
	}
}

/* Permutes the rows in the matrices of all dumps in the same way as reorder_rows() permutes the
 * rows of the section. Then rows that are compared in the same way are adjacent. */
static enum etc_status reorder_samples(struct weigher *w, const struct ranked *ranked,
                                       uint32_t rows, struct etc_error *err)
{
	for (uint32_t g = 0; g < w->mk->out->group_count; g++)
		for (size_t d = 0; d < w->groups[g].dump_count; d++) {
			const struct etc_dump_samples *s = &w->groups[g].dumps[d];
			double *spare = etc_new(&w->own, double, s->runs);

			ETC_NEED(spare, err);
			permute((double *)s->rows + s->runs, s->runs * sizeof *spare, ranked, rows,
			        spare, w->done);
		}
	return ETC_OK;
}

static void reorder_rows(struct weigher *w, const struct ranked *ranked, uint32_t rows)
{
	struct etc_diff_row spare;

	permute(w->rows + 1, sizeof spare, ranked, rows, &spare, w->done);
}

/* ---- comparisons ----------------------------------------------------------------------- */

static struct etc_sample_group from_row(const struct etc_sample_group *g, size_t row,
                                        struct etc_dump_samples *room)
{
	for (size_t d = 0; d < g->dump_count; d++) {
		room[d] = g->dumps[d];
		room[d].rows += row * room[d].runs;
	}
	return (struct etc_sample_group){ room, g->dump_count, g->places };
}

/* Compares rows [from, to) of group `g` with the first group. */
static enum etc_status compare(struct weigher *w, uint32_t g, uint32_t from, uint32_t to,
                               uint32_t rounds, struct etc_error *err)
{
	struct etc_compare_options options = w->mk->options->compare;
	uint32_t dumps = w->mk->out->dump_count;
	struct etc_arena scratch;
	struct etc_dump_samples *room;
	enum etc_status st = ETC_OK;

	if (from >= to)
		return ETC_OK;
	etc_arena_init(&scratch, SIZE_MAX / 2);
	room = etc_new(&scratch, struct etc_dump_samples, dumps * 2);
	if (!room)
		st = etc_no_memory(err);
	options.rounds = rounds;
	options.resolution = w->resolution + from;
	options.brief = w->brief ? w->brief + from : NULL;
	options.tails = from == 0; /* tails are compared only for the end-to-end time */
	if (st == ETC_OK) {
		struct etc_sample_group a = from_row(&w->groups[0], from, room);
		struct etc_sample_group b = from_row(&w->groups[g], from, room + dumps);

		st = etc_compare(&a, &b, to - from, &options, w->rows[from].against[g], &scratch,
		                 err);
	}
	etc_arena_release(&scratch);
	return st;
}

/* Do all times of the group have the unit of the section? */
static bool in_unit(const struct weigher *w, uint32_t g)
{
	const struct etc_diff *out = w->mk->out;

	for (uint32_t d = out->first_dump[g]; d < out->first_dump[g + 1]; d++)
		if (w->s->paths[d] != UINT32_MAX && w->mk->dumps[d].profile->unit != w->s->unit)
			return false;
	return true;
}

/* Marks a comparison as undefined, because its row cannot be compared: clears all results except
 * the values of both sides. */
static void part(struct etc_comparison *c)
{
	struct etc_comparison apart = { .a = c->a, .b = c->b };

	apart.p = apart.p_adjusted = apart.p_process = apart.p_process_adjusted = apart.tail_p = 1;
	apart.why = apart.ratio_why = apart.u.why = apart.shift.why = apart.shift.no_interval =
		apart.difference_interval.why = apart.ratio_interval.why = ETC_UNDEFINED_NO_METHOD;
	*c = apart;
}

/* ---- groups whose dumps log different events ------------------------------------------- */

/* Sets etc_diff_side.partial of all rows. Must be called while the rows are in the order of
 * `parts`. */
static enum etc_status mark_partial(struct weigher *w, const struct etc_diff_parts *parts,
                                    struct etc_error *err)
{
	const struct etc_diff *out = w->mk->out;
	/* per row: `dumps` is the number of the group's dumps with the row; `last` is 1 + the index
	 * of the last dump with the row */
	uint32_t *dumps = etc_new(&w->own, uint32_t, w->count);
	uint32_t *last = etc_new(&w->own, uint32_t, w->count);

	ETC_NEED(dumps && last, err);
	for (uint32_t g = 0; g < out->group_count; g++) {
		const uint32_t first = out->first_dump[g];
		uint32_t seen = 0;

		memset(dumps, 0, w->count * sizeof *dumps);
		for (uint32_t d = first; d < out->first_dump[g + 1]; d++) {
			if (w->s->paths[d] == UINT32_MAX)
				continue;
			for (uint32_t k = 0; k < parts[d].count; k++)
				last[1 + parts[d].v[k].to] = d + 1;
			for (uint32_t r = 0; r < w->count; r++) {
				struct etc_diff_side *side =
					(struct etc_diff_side *)&w->rows[r].sides[g];

				if (last[r] != d + 1) {
					if (dumps[r] == seen)
						side->lacks = d - first;
				} else if (dumps[r]++ == 0) {
					side->has = d - first;
				}
			}
			seen++;
		}
		for (uint32_t r = 0; r < w->count; r++)
			((struct etc_diff_side *)&w->rows[r].sides[g])->partial =
				dumps[r] > 0 && dumps[r] < seen;
	}
	return ETC_OK;
}

/* A partial row is an attached row that only some dumps of the group have. For each dump, computes
 * the time per run of its partial rows. Returns the largest of these times. */
static double partial_time(const struct weigher *w, uint32_t g)
{
	double most = 0;

	for (size_t d = 0; d < w->groups[g].dump_count; d++) {
		const struct etc_sample_group one = { &w->groups[g].dumps[d], 1, NULL };
		double sum = 0;

		for (uint32_t i = 1; i < w->count; i++)
			if (w->rows[i].sides[g].partial && !w->rows[i].detached)
				sum += mean_of(&one, i);
		most = sum > most ? sum : most;
	}
	return most;
}

/* Marks the partial rows of group `g` and of the first group as not comparable: the rows that only
 * some dumps of a group have. Also marks the end-to-end time, if the partial rows take at least as
 * long as the difference between the groups. */
static void part_partial(struct weigher *w, uint32_t g)
{
	struct etc_comparison *end = w->rows[0].against[g];
	double time = fmax(partial_time(w, 0), partial_time(w, g));

	for (uint32_t i = 1; i < w->count; i++)
		if (w->rows[i].sides[0].partial || w->rows[i].sides[g].partial)
			part(w->rows[i].against[g]);
	if (time > 0 && end->why == ETC_DEFINED && time >= fabs(end->difference))
		part(end);
}

/* Sets w->resolution[i] to the longest time that timer truncation may hide in row i, in the first
 * group or in group `g`, whichever is longer. */
static void resolve(struct weigher *w, uint32_t g)
{
	for (uint32_t i = 0; i < w->count; i++) {
		double a = w->rows[i].sides[0].resolution, b = w->rows[i].sides[g].resolution;

		w->resolution[i] = a > b ? a : b;
	}
}

/* Allocates the comparisons of all rows. The comparisons of a group are adjacent, in the order of
 * rows. With the option `brief`, also sets w->brief: details may be left out for attached rows that
 * all groups have, if these rows are unchanged. */
static enum etc_status open_comparisons(struct weigher *w, struct etc_error *err)
{
	size_t groups = w->mk->out->group_count, rows = w->count;
	struct etc_comparison *c =
		etc_new(w->mk->arena, struct etc_comparison, rows * (groups - 1));
	struct etc_comparison **at = etc_new(w->mk->arena, struct etc_comparison *, rows * groups);

	ETC_NEED(c && at, err);
	for (size_t i = 0; i < rows; i++) {
		w->rows[i].against = at + i * groups;
		for (size_t g = 1; g < groups; g++)
			w->rows[i].against[g] = c + (g - 1) * rows + i;
	}
	if (!w->mk->options->brief)
		return ETC_OK;
	w->brief = etc_new(&w->own, bool, rows);
	ETC_NEED(w->brief, err);
	for (size_t i = 0; i < rows; i++) {
		w->brief[i] = w->rows[i].level == ETC_DIFF_ROW && !w->rows[i].detached;
		for (size_t g = 0; g < groups; g++)
			w->brief[i] = w->brief[i] && w->rows[i].sides[g].present;
	}
	return ETC_OK;
}

static enum etc_status compare_all(struct weigher *w, struct etc_error *err)
{
	uint32_t rounds = w->mk->options->compare.rounds, left = w->mk->bootstraps;
	uint32_t top = w->count < left ? w->count : left;

	ETC_TRY(open_comparisons(w, err));
	w->mk->bootstraps -= top;
	for (uint32_t g = 1; g < w->mk->out->group_count; g++) {
		resolve(w, g);
		ETC_TRY(compare(w, g, 0, top, rounds, err));
		ETC_TRY(compare(w, g, top, w->count, 0, err));
		if (!in_unit(w, 0) || !in_unit(w, g) || etc_diff_unrelated(w->rows, w->count, g))
			for (uint32_t i = 0; i < w->count; i++)
				part(w->rows[i].against[g]);
		part_partial(w, g);
	}
	return ETC_OK;
}

/* Ranks rows by the difference between the groups' estimates, the times that the screen shows. */
static void rank_by_estimates(struct weigher *w, struct ranked *ranked, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++) {
		ranked[i] = (struct ranked){ 0, i };
		for (uint32_t g = 1; g < w->mk->out->group_count; g++) {
			const struct etc_comparison *c = w->rows[1 + i].against[g];
			double change = fabs(c->difference);

			if (c->why == ETC_DEFINED && change > ranked[i].change)
				ranked[i].change = change;
		}
	}
	if (rows)
		qsort(ranked, rows, sizeof *ranked, by_change);
}

static enum etc_status weigh(struct weigher *w, const struct etc_diff_row *rows, uint32_t count,
                             const struct etc_diff_parts *parts, struct etc_error *err)
{
	struct ranked *ranked = etc_new(&w->own, struct ranked, count);
	uint32_t n = 1 + count;

	w->done = etc_new(&w->own, bool, count);
	ETC_NEED(ranked && w->done, err);
	ETC_TRY(add_rests(w, rows, count, err));
	ETC_TRY(fill_groups(w, parts, err));
	ETC_TRY(mark_partial(w, parts, err));
	rank_by_means(w, ranked, count);
	ETC_TRY(reorder_samples(w, ranked, count, err));
	reorder_rows(w, ranked, count);
	ETC_TRY(compare_all(w, err));
	rank_by_estimates(w, ranked, count);
	reorder_rows(w, ranked, count);
	for (uint32_t i = count + 1; i < w->count && w->mk->options->by != ETC_BY_METHOD; i++)
		if (!is_zero(w, i))
			w->rows[n++] = w->rows[i];
	w->s->rows = w->rows;
	w->s->row_count = n;
	return ETC_OK;
}

enum etc_status etc_diff_weigh(struct etc_diff_maker *mk, struct etc_diff_section *s,
                               struct etc_diff_row *rows, uint32_t count,
                               const struct etc_diff_parts *parts, struct etc_error *err)
{
	struct weigher w = { .mk = mk, .s = s };
	enum etc_status st;

	etc_arena_init(&w.own, mk->arena->budget);
	st = weigh(&w, rows, count, parts, err);
	etc_arena_release(&w.own);
	return st;
}

/* ---- many comparisons at once ------------------------------------------------------------ */

/* Stores one family of comparisons in `out`, unless `out` is NULL: the end-to-end comparisons if
 * `ends`, else all others. Returns their number. */
static size_t family(const struct etc_diff *d, bool ends, struct etc_comparison **out)
{
	size_t n = 0;

	for (uint32_t s = 0; s < d->section_count; s++)
		for (uint32_t r = 0; r < d->sections[s].row_count; r++) {
			const struct etc_diff_row *row = &d->sections[s].rows[r];

			if ((row->level == ETC_DIFF_RUN) != ends)
				continue;
			for (uint32_t g = 1; g < d->group_count; g++, n++)
				if (out)
					out[n] = row->against[g];
		}
	return n;
}

static enum etc_status adjust(struct etc_diff_maker *mk, bool ends, struct etc_error *err)
{
	size_t n = family(mk->out, ends, NULL);
	struct etc_arena scratch;
	struct etc_comparison **at;
	enum etc_status st;

	etc_arena_init(&scratch, SIZE_MAX / 2);
	at = etc_new(&scratch, struct etc_comparison *, n);
	if (at) {
		(void)family(mk->out, ends, at);
		st = etc_compare_adjust_at(at, n, mk->options->compare.level, &scratch, err);
	} else {
		st = etc_no_memory(err);
	}
	etc_arena_release(&scratch);
	return st;
}

enum etc_status etc_diff_adjust(struct etc_diff_maker *mk, struct etc_error *err)
{
	ETC_TRY(adjust(mk, true, err));
	return adjust(mk, false, err);
}
