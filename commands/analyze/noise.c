/* noise.c -- tests whether the runs can be trusted; see noise.h */
#include "commands/analyze/noise.h"

#include <math.h>
#include <stdio.h>

#include "profile/remarks.h"
#include "base/text.h"
#include "stats/distribution.h"
#include "stats/examine.h"
#include "stats/sort.h"
#include "commands/analyze/machine.h"
#include "table/table.h"
#include "table/words.h"

enum { PATHS = 8, NAMED = 3 };

static const double SPREAD = 0.05, APART = 0.05, ONE_RUN = 0.2;

/* A path that is tested for noise, and the data of the test. */
struct noise {
	const struct etc_profile *profile;
	const struct etc_profile_path *path;
	size_t from, to; /* range of the path's rows that the screen shows: [from, to) */
	uint64_t *v;     /* scratch: a row's time in each run */
	double *low, *high;
	struct etc_text text;
};

/* ---- two speeds, drift ------------------------------------------------------------- */

/* Tests the kept runs [from, to) of a path for two speeds and drift. All these runs are from one
 * file. */
static enum etc_status remark_series(const struct etc_profile_path *p, size_t from, size_t to,
                                     const char *at, struct etc_notes *notes,
                                     struct etc_arena *scratch, struct etc_error *err)
{
	double *v = etc_new(scratch, double, to - from), *sorted, *other;
	struct etc_examined e;
	char text[ETC_P_TEXT], change[ETC_DRIFT_TEXT], modes[ETC_MODES_TEXT];
	size_t n = 0;

	sorted = etc_new(scratch, double, to - from);
	other = etc_new(scratch, double, to - from);
	ETC_NEED(v && sorted && other, err);
	for (size_t i = from; i < to; i++)
		if (p->use[i] != ETC_USE_WARMUP)
			v[n++] = (double)p->samples[i];
	if (n == 0)
		return ETC_OK;
	memcpy(sorted, v, n * sizeof *v);
	etc_sort(sorted, n, other);
	ETC_TRY(etc_examine(v, sorted, n, p->grid, ETC_EXAMINE_ALL, &e, scratch, err));
	if (e.caveats & ETC_CAVEAT_DRIFT)
		etc_note_each(notes, N0151,
		              "%s%s from the first quarter of the runs to the last (medians; "
		              "Mann-Kendall p %s)",
		              at, etc_drift_text(e.drift, change), etc_p_text(e.drift_p, text));
	if (e.caveats & ETC_CAVEAT_BIMODAL)
		etc_note_each(notes, N0153, "%s%s", at, etc_modes_text(&e, modes));
	return ETC_OK;
}

static enum etc_status remark_files(const struct etc_profile_path *p, const uint32_t *file,
                                    const struct etc_str *names, const char *at,
                                    struct etc_notes *notes, struct etc_arena *scratch,
                                    struct etc_error *err)
{
	for (size_t from = 0, to; from < p->runs; from = to) {
		struct etc_str place = etc_str_of(at);

		for (to = from + 1;
		     to < p->runs && (!file || file[p->run[to]] == file[p->run[from]]);)
			to++;
		if (file)
			place = etc_arena_printf(scratch, "%s" ETC_STR_FMT ": ", at,
			                         ETC_STR_ARG(names[file[p->run[from]]]));
		ETC_NEED(place.ptr, err);
		ETC_TRY(remark_series(p, from, to, place.ptr, notes, scratch, err));
	}
	return ETC_OK;
}

/* ---- noise --------------------------------------------------------------------------- */

static void put_reason(struct noise *z, const char *format, double value)
{
	if (z->text.len)
		etc_text_cstr(&z->text, ", ");
	etc_text_printf(&z->text, format, value);
}

/* Runs the tests for noise that need only the execute times of the path. Appends a reason for each
 * failed test. */
static void look_at_times(struct noise *z)
{
	const struct etc_profile_path *p = z->path;
	double spread = p->spread.den ? etc_ratio_double(p->spread) : 0;
	double median = etc_ratio_double(p->median);
	double typical = etc_ratio_double(etc_ratio(p->time, p->per));

	/* The first condition is false if the clock is so coarse that most runs take the same
	 * number of ticks. */
	if (spread * median > p->grid / (double)p->den / 2 && p->typical_runs * 4 < p->kept * 3)
		put_reason(z, "%.0f", (double)p->typical_runs),
			etc_text_printf(&z->text, " of %zu runs are typical", p->kept);
	if (spread > SPREAD)
		put_reason(z, "spread %.0f %%", 100 * spread);
	if (median > 0 && fabs(typical - median) > APART * median)
		put_reason(z, "typical and median differ by %.0f %%",
		           100 * fabs(typical - median) / median);
}

/* Returns the number that `--by run` shows for kept run `k` of the path. `k` counts, from 0, only
 * the kept runs in which the path's rows have times; `--by run` counts all runs. */
static size_t number_of(const struct noise *z, size_t k)
{
	const struct etc_profile_path *p = z->path;
	size_t i = 0, before = 0, at;

	for (; i < p->kept; i++)
		if (p->values[i].v && k-- == 0)
			break;
	at = p->values[i].run;
	for (uint32_t n = 0; n < z->profile->path_count; n++)
		for (size_t r = 0; r < z->profile->paths[n].runs; r++)
			before += z->profile->paths[n].run[r] < at;
	return before + 1;
}

/* Writes the row's name as it is on screen. A list of modules is quoted, because it contains
 * commas. */
static void put_row(struct noise *z, size_t row)
{
	const struct etc_profile_row *r = &z->profile->rows[row];
	bool place = etc_by_is_place(z->profile->by);
	uint32_t more = 0;
	struct etc_str name = place ? etc_list_head(r->name, &more) : etc_row_word(r);
	bool quoted = place && etc_str_find(r->name, ETC_STR(", "), 0) != SIZE_MAX;

	etc_text_printf(&z->text, "%s" ETC_STR_FMT, quoted ? "'" : "", ETC_STR_ARG(name));
	if (more)
		etc_text_printf(&z->text, " and %u more", more);
	etc_text_cstr(&z->text, quoted ? "'" : "");
}

/* Computes the mean and the 95 % interval of each row. Then tests how much the mean of a row
 * changes if one run is removed. If the largest relative change is above 20 %, and above what
 * truncation explains, appends a reason for N0134. */
static void look_at_rows(struct noise *z)
{
	double worst = ONE_RUN, of_mean;
	size_t run = 0, row = z->to;

	for (size_t i = z->from; i < z->to; i++) {
		const struct etc_profile_row *r = &z->profile->rows[i];
		size_t n = etc_row_values(z->profile, r, z->v);
		double sum = 0, squares = 0, mean, wide, bound;

		for (size_t k = 0; k < n; k++)
			sum += (double)z->v[k];
		mean = n ? sum / (double)n : 0;
		for (size_t k = 0; k < n; k++)
			squares += ((double)z->v[k] - mean) * ((double)z->v[k] - mean);
		wide = n > 1 ? etc_student_quantile(0.975, (double)n - 1) *
		                       sqrt(squares / (double)(n - 1) / (double)n)
		             : 0;
		z->low[i - z->from] = mean - wide;
		z->high[i - z->from] = mean + wide;
		bound = (double)r->bound / (double)(n ? n : 1);
		for (size_t k = 0; k < n && n > 1 && mean > 0; k++) {
			double change = fabs((double)z->v[k] - mean) / (double)(n - 1);

			of_mean = change / mean;
			if (of_mean <= worst || change <= bound)
				continue;
			worst = of_mean;
			run = k;
			row = i;
		}
	}
	if (row == z->to)
		return;
	put_reason(z, "%.0f", 100 * worst);
	etc_text_cstr(&z->text, " % of ");
	put_row(z, row);
	etc_text_printf(&z->text, " hang on run %zu", number_of(z, run));
}

/* Lists the rows whose interval overlaps that of an adjacent row, so that their order is
 * uncertain. */
static void put_ranks(struct noise *z)
{
	size_t n = z->to - z->from, found = 0;

	for (size_t i = 0; i < n; i++) {
		bool open = (i > 0 && z->low[i - 1] <= z->high[i]) ||
		            (i + 1 < n && z->low[i] <= z->high[i + 1]);

		if (!open)
			continue;
		if (found < NAMED) {
			etc_text_cstr(&z->text, found ? ", " : "; perhaps ranked wrongly: ");
			put_row(z, z->from + i);
		}
		found++;
	}
	if (found > NAMED)
		etc_text_printf(&z->text, " and %zu more", found - NAMED);
}

static enum etc_status remark_path(struct noise *z, uint32_t path, uint32_t top, const char *at,
                                   struct etc_notes *notes, struct etc_arena *scratch,
                                   struct etc_error *err)
{
	etc_profile_rows(z->profile, path, &z->from, &z->to);
	while (z->to > z->from && z->profile->rows[z->to - 1].detached)
		z->to--;
	if (top && z->to - z->from > top + 1)
		z->to = z->from + top;
	z->v = etc_row_room(z->profile, scratch);
	z->low = etc_new(scratch, double, z->to - z->from);
	z->high = etc_new(scratch, double, z->to - z->from);
	ETC_NEED(z->v && z->low && z->high, err);
	look_at_times(z);
	if (z->path->values)
		look_at_rows(z);
	if (z->text.len == 0)
		return ETC_OK;
	if (z->path->values)
		put_ranks(z);
	if (z->text.failed)
		return etc_no_memory(err);
	etc_note_each(notes, N0134, "%s" ETC_STR_FMT, at, ETC_STR_ARG(etc_text_str(&z->text)));
	return ETC_OK;
}

static enum etc_status remark(const struct etc_profile *profile, uint32_t path,
                              const uint32_t *file, const struct etc_str *names, uint32_t top,
                              struct etc_notes *notes, struct etc_arena *scratch,
                              struct etc_error *err)
{
	struct noise z = { .profile = profile, .path = &profile->paths[path] };
	char at[ETC_PATH_TEXT];
	enum etc_status st;

	etc_remark_path(profile, z.path, at);
	ETC_TRY(remark_files(z.path, file, names, at, notes, scratch, err));
	if (z.path->kept < ETC_NOISE_RUNS || profile->stat != ETC_STAT_TYPICAL)
		return ETC_OK;
	st = remark_path(&z, path, top, at, notes, scratch, err);
	etc_text_release(&z.text);
	return st;
}

enum etc_status etc_remark_noise(const struct etc_profile *profile, const uint32_t *file,
                                 const struct etc_str *names, uint32_t top, struct etc_notes *notes,
                                 struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st = ETC_OK;

	etc_arena_init(&scratch, SIZE_MAX / 2);
	for (uint32_t n = 0; n < profile->path_count && n < PATHS && st == ETC_OK; n++)
		st = remark(profile, n, file, names, top, notes, &scratch, err);
	etc_arena_release(&scratch);
	return st;
}
