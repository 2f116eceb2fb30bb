/* roofline.c -- see roofline.h */
#include "profile/roofline.h"

#include <math.h>

#include "base/text.h"
#include "table/words.h"

/* If the peaks explain less than this share of a row's measured time, the row is limited by
 * overhead. */
#define EXPLAINED 0.1

static double over(etc_u128 sum, etc_u128 by)
{
	return by ? etc_ratio_double(etc_ratio(sum, by)) : NAN;
}

/* Sets the work of one run in `out`. Sets `compute` to the ns that its arithmetic takes at the
 * peak, and `memory` to the ns that its bytes take at the peak. NaN: the peak was not given. */
static void weigh(const struct etc_row_work *w, const struct etc_peaks *p, etc_u128 runs,
                  struct etc_roof *out, double *compute, double *memory)
{
	const etc_u128 bytes = w->read + w->written;
	etc_u128 flops = 0, most = 0;

	*compute = 0;
	for (uint8_t t = 0; t < ETC_WORK_TYPES; t++) {
		flops += w->flops[t];
		out->type = w->flops[t] > most ? t : out->type;
		most = w->flops[t] > most ? w->flops[t] : most;
		if (!w->flops[t])
			continue;
		*compute += p->gflops[t] > 0 ? over(w->flops[t], runs) / p->gflops[t] : NAN;
		if (!(p->gflops[t] > 0))
			out->why = t == ETC_WORK_OTHER  ? "no peak for its type"
			           : t == ETC_WORK_FP32 ? "no peak gflops_fp32"
			           : t == ETC_WORK_FP16 ? "no peak gflops_fp16"
			           : t == ETC_WORK_BF16 ? "no peak gflops_bf16"
			                                : "no peak gflops_int8";
	}
	*memory = 0;
	if (w->cached)
		*memory += over(w->cached, runs) / p->gbps_cache;
	if (bytes > w->cached)
		*memory += p->gbps > 0 ? over(bytes - w->cached, runs) / p->gbps : NAN;
	if (bytes > w->cached && !(p->gbps > 0))
		out->why = "no peak gbps";
	out->flops = over(flops, runs);
	out->read = over(w->read, runs);
	out->written = over(w->written, runs);
	out->intensity = over(flops, bytes);
}

/* Sets the result in `out`. Compares the longer of the two times at the peaks, `compute` and
 * `memory`, with the measured time of the row, which is between `low` and `high`. All are in ns. */
static void judge(struct etc_roof *out, double low, double high, double compute, double memory)
{
	const double roof = compute > memory ? compute : memory;

	out->roof_ns = roof;
	if (!(low > 0) && out->worked) {
		out->bound = ETC_ROOF_CLOCK;
		return;
	}
	if (roof > high) {
		out->bound = ETC_ROOF_WRONG;
		out->by_memory = memory > high;
		return;
	}
	if (roof > low || high - low > low ||
	    (roof >= EXPLAINED * low) != (roof >= EXPLAINED * high)) {
		out->bound = ETC_ROOF_CLOCK;
		return;
	}
	out->share = low > 0 ? roof / low : NAN;
	out->saved_ns = high - roof;
	out->bound = !out->worked || roof < EXPLAINED * low ? ETC_ROOF_OVERHEAD
	             : memory > compute                     ? ETC_ROOF_MEMORY
	                                                    : ETC_ROOF_COMPUTE;
}

/* Sets `*low` and `*high` to the shortest and the longest time in ns that the row may have taken.
 * They differ if its times are truncated. */
static void times_of(const struct etc_profile *profile, const struct etc_profile_row *row,
                     double *low, double *high)
{
	const size_t per =
		row->path == ETC_PROFILE_LOAD ? profile->den : profile->paths[row->path].per;

	*low = over(row->self, per);
	*high = *low + (row->self_only && row->truncated ? *low * 2 + 1 : over(row->bound, per));
}

void etc_roof_make(const struct etc_row_work *w, const struct etc_peaks *peaks, uint64_t runs,
                   double low, double high, struct etc_roof *out)
{
	double compute = 0, memory = 0;

	*out = (struct etc_roof){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, .why = "" };
	if (!w)
		return;
	if (w->unknown) {
		out->why = etc_work_why_text(w->why);
		return;
	}
	out->worked = w->known > 0;
	if (out->worked)
		weigh(w, peaks, runs, out, &compute, &memory);
	if (isnan(low)) {
		out->why = "its time is not part of the run's";
		return;
	}
	if (out->worked && low > 0 && high - low <= low) {
		out->gflops = out->flops / low;
		out->gbps = (out->read + out->written) / low;
	}
	if (out->worked && (isnan(compute) || isnan(memory)))
		return;
	out->why = "";
	judge(out, low, high, compute, memory);
}

void etc_roof_of(const struct etc_profile *profile, const struct etc_profile_row *row,
                 struct etc_roof *out)
{
	const bool once = row->path == ETC_PROFILE_LOAD || profile->stat == ETC_STAT_TOTAL;
	double low = NAN, high = NAN;

	if (row->valid && row->unit == ETC_UNIT_NS && !row->detached)
		times_of(profile, row, &low, &high);
	etc_roof_make(row->work, profile->peaks, once ? 1 : profile->paths[row->path].typical_runs,
	              low, high, out);
}

const char *etc_roof_bound_name(uint8_t bound)
{
	static const char *const names[] = { "unknown",  "memory", "compute",
		                             "overhead", "clock",  "wrong peak" };

	return names[bound <= ETC_ROOF_WRONG ? bound : ETC_ROOF_UNKNOWN];
}

/* ---- notes ------------------------------------------------------------------------ */

bool etc_peaks_given(const struct etc_peaks *p)
{
	bool any = p->gbps > 0;

	for (uint8_t t = 0; t < ETC_WORK_OTHER; t++)
		any = any || p->gflops[t] > 0;
	return any;
}

/* Reports a rate that is above the peak. If times are truncated, the rate is computed from the
 * longest time that they allow. */
static void remark_wrong(const struct etc_profile *profile, const struct etc_profile_row *row,
                         const struct etc_roof *roof, struct etc_notes *notes)
{
	const double rate = roof->by_memory ? roof->gbps : roof->gflops,
		     work = roof->by_memory ? roof->read + roof->written : roof->flops;
	const char *least = isnan(rate) ? "at least " : "";
	double low, high;

	times_of(profile, row, &low, &high);
	if (roof->by_memory)
		etc_note(notes, W1300, "gbps: " ETC_STR_FMT " moved %s%.3g GB/s",
		         ETC_STR_ARG(etc_row_name(row)), least, *least ? work / high : rate);
	else
		etc_note(notes, W1300, "gflops_%s: " ETC_STR_FMT " made %s%.3g GFLOP/s",
		         etc_work_type_name(roof->type), ETC_STR_ARG(etc_row_name(row)), least,
		         *least ? work / high : rate);
}

void etc_remark_roofline(const struct etc_profile *profile, struct etc_notes *notes)
{
	uint64_t contradictions = 0, beyond = 0;

	if (!etc_peaks_given(profile->peaks))
		etc_note(notes, N1301, "--roofline");
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct etc_profile_row *r = &profile->rows[i];
		struct etc_roof roof;

		etc_roof_of(profile, r, &roof);
		contradictions += r->work->unknown && r->work->why == ETC_WORK_CONTRADICTS;
		beyond += r->work->unknown && r->work->why == ETC_WORK_BEYOND;
		if (roof.bound == ETC_ROOF_WRONG)
			remark_wrong(profile, r, &roof, notes);
	}
	if (contradictions)
		etc_note(notes, W1302, "%llu row%s: their work is unknown",
		         (unsigned long long)contradictions, etc_plural(contradictions));
	if (beyond)
		etc_note(notes, W1303, "%llu row%s: their work is unknown",
		         (unsigned long long)beyond, etc_plural(beyond));
}

/* ---- lines ------------------------------------------------------------------------ */

static void put_peaks(struct etc_text *t, const struct etc_peaks *p)
{
	const char *between = "";

	etc_text_cstr(t, "roofline  ");
	for (uint8_t k = 0; k < ETC_WORK_OTHER; k++) {
		if (!(p->gflops[k] > 0))
			continue;
		etc_text_printf(t, "%s%s %.3g GFLOP/s", between, etc_work_type_name(k),
		                p->gflops[k]);
		between = ", ";
	}
	if (p->gbps > 0) {
		etc_text_printf(t, "%smemory %.3g GB/s", between, p->gbps);
		between = ", ";
	}
	if (p->gbps_cache > 0 && p->cache_bytes) {
		etc_text_printf(t, "%scache %.3g GB/s up to %.3g MiB", between, p->gbps_cache,
		                (double)p->cache_bytes / (1 << 20));
		between = ", ";
	}
	if (!*between)
		etc_text_cstr(t, "no peaks");
	else if (p->threads > 0)
		etc_text_printf(t, "; peaks of %.6g thread%s, as the run is assumed to have had",
		                p->threads, p->threads == 1 ? "" : "s");
	else
		etc_text_cstr(t, "; assumed to be those of the threads that ran");
}

/* Sums over the attached rows of a path, in ns. `saved`: the time by which rows exceed their roofs.
 * `unknown`: the time of rows whose work is not known. `wrong`: the time of rows that are faster
 * than a peak allows. */
struct sums {
	double saved, unknown, wrong;
	size_t knowns, unknowns, clocks, wrongs;
};

static struct sums sums_of(const struct etc_profile *profile, uint32_t path)
{
	struct sums s = { 0 };
	size_t from, to;

	etc_profile_rows(profile, path, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct etc_profile_row *r = &profile->rows[i];
		const double self = over(r->self, profile->paths[path].per);
		struct etc_roof roof;

		if (r->detached)
			continue;
		etc_roof_of(profile, r, &roof);
		if (roof.bound == ETC_ROOF_UNKNOWN) {
			s.unknown += self;
			s.unknowns++;
		} else if (roof.bound == ETC_ROOF_CLOCK) {
			s.clocks++;
		} else if (roof.bound == ETC_ROOF_WRONG) {
			s.wrong += self;
			s.wrongs++;
		} else {
			s.saved += roof.saved_ns;
			s.knowns++;
		}
	}
	return s;
}

static void put_rows(struct etc_text *t, const char *what, size_t rows, double ns, double whole)
{
	if (rows)
		etc_text_printf(t, "; %s: %.3g %% of the time in %zu row%s", what, 100 * ns / whole,
		                rows, etc_plural(rows));
}

static void put_saved(struct etc_text *t, const struct etc_profile *profile, uint32_t path)
{
	const struct etc_profile_path *p = &profile->paths[path];
	const struct sums s = sums_of(profile, path);
	const double whole = over(p->time, p->per);

	if (!(whole > 0) || profile->unit != ETC_UNIT_NS)
		return;
	etc_text_printf(
		t, "          could be saved at most%s: ",
		s.knowns && s.unknowns + s.clocks + s.wrongs ? ", of the rows that are known" : "");
	if (s.knowns)
		etc_text_printf(t, "%.3g %% of the time",
		                s.saved < whole ? 100 * s.saved / whole : 100);
	else
		etc_text_cstr(t, "not known");
	put_rows(t, "unknown", s.unknowns, s.unknown, whole);
	put_rows(t, "faster than the peaks allow", s.wrongs, s.wrong, whole);
	if (s.clocks)
		etc_text_printf(t, "; left open by the clock's resolution: %zu row%s", s.clocks,
		                etc_plural(s.clocks));
}

struct etc_str etc_roof_line(const struct etc_profile *profile, uint32_t path, unsigned nth,
                             struct etc_arena *arena)
{
	struct etc_text t = { 0 };

	if (!profile->peaks || path == ETC_PROFILE_LOAD)
		return (struct etc_str){ 0 };
	if (nth == 0)
		put_peaks(&t, profile->peaks);
	else
		put_saved(&t, profile, path);
	return etc_text_keep(&t, arena);
}
