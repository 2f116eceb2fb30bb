/* kit_json.c -- writes the kit's two JSON files; see kit_csv.h. */
#include <math.h>

#include "base/number.h"
#include "commands/pipeline/kit_csv.h"

/* Writes the name of a member on a new line, indented by 2 * `depth` blanks. */
static void put_name(struct etc_text *out, int depth, const char *name)
{
	etc_text_repeat(out, "  ", (size_t)depth);
	etc_text_printf(out, "\"%s\": ", name);
}

static void put_number(struct etc_text *out, double v)
{
	if (isfinite(v))
		etc_kit_put_real(out, v);
	else
		etc_text_cstr(out, "null");
}

static void put_real(struct etc_text *out, int depth, const char *name, double v, bool more)
{
	put_name(out, depth, name);
	put_number(out, v);
	etc_text_cstr(out, more ? ",\n" : "\n");
}

static void put_count(struct etc_text *out, int depth, const char *name, size_t v)
{
	put_name(out, depth, name);
	etc_text_printf(out, "%zu,\n", v);
}

static void put_text(struct etc_text *out, int depth, const char *name, struct etc_str s, bool more)
{
	put_name(out, depth, name);
	etc_text_char(out, '"');
	etc_text_json(out, s);
	etc_text_cstr(out, more ? "\",\n" : "\"\n");
}

static void put_end(struct etc_text *out, int depth, const char *end)
{
	etc_text_repeat(out, "  ", (size_t)depth);
	etc_text_cstr(out, end);
}

static void put_outliers(const struct etc_kit_analysis *a, struct etc_text *out)
{
	const struct etc_kit_robust *r = &a->robust;
	size_t outliers = r->count - r->clean_count, shown = 0;

	etc_text_cstr(out, "  \"outliers\": {\n");
	put_count(out, 2, "count", outliers);
	put_real(out, 2, "percentage", (double)outliers / (double)r->count * 100, true);
	etc_text_cstr(out, "    \"values\": [");
	for (size_t i = 0; i < a->runs; i++) {
		double v = a->latency_ms[i];

		if (v >= r->lower && v <= r->upper)
			continue;
		etc_text_cstr(out, shown++ ? ",\n      " : "\n      ");
		put_number(out, v);
	}
	etc_text_cstr(out, shown ? "\n    ],\n    \"bounds\": {\n" : "],\n    \"bounds\": {\n");
	put_real(out, 3, "lower", r->lower, true);
	put_real(out, 3, "upper", r->upper, false);
	etc_text_cstr(out, "    }\n  },\n");
}

void etc_kit_robust_json(const void *analysis, struct etc_text *out)
{
	const struct etc_kit_analysis *a = analysis;
	const struct etc_kit_robust *r = &a->robust;

	etc_text_cstr(out, "{\n");
	put_count(out, 1, "count", r->count);
	put_real(out, 1, "mean_ms", r->mean, true);
	put_real(out, 1, "median_ms", r->median, true);
	put_real(out, 1, "std_dev_ms", r->sd, true);
	put_real(out, 1, "cv_percent", r->cv, true);
	put_real(out, 1, "min_ms", r->min, true);
	put_real(out, 1, "max_ms", r->max, true);
	etc_text_cstr(out, "  \"percentiles\": {\n");
	put_real(out, 2, "p50", r->p50, true);
	put_real(out, 2, "p75", r->p75, true);
	put_real(out, 2, "p90", r->p90, true);
	put_real(out, 2, "p95", r->p95, true);
	put_real(out, 2, "p99", r->p99, false);
	put_end(out, 1, "},\n");
	put_outliers(a, out);
	put_real(out, 1, "trimmed_mean_5_ms", r->trimmed_5, true);
	put_real(out, 1, "trimmed_mean_10_ms", r->trimmed_10, true);
	etc_text_cstr(out, "  \"robust_stats\": {\n");
	put_count(out, 2, "count", r->clean_count);
	put_real(out, 2, "mean_ms", r->clean_mean, true);
	put_real(out, 2, "median_ms", r->clean_median, true);
	put_real(out, 2, "std_dev_ms", r->clean_sd, true);
	put_real(out, 2, "cv_percent", r->clean_cv, false);
	etc_text_cstr(out, "  },\n  \"latencies_ms\": [");
	for (size_t i = 0; i < a->runs; i++) {
		etc_text_cstr(out, i ? ",\n    " : "\n    ");
		put_number(out, a->latency_ms[i]);
	}
	etc_text_cstr(out, "\n  ],\n  \"run_indices\": [");
	for (size_t i = 0; i < a->runs; i++)
		etc_text_printf(out, "%s%zu", i ? ",\n    " : "\n    ", i);
	etc_text_cstr(out, "\n  ],\n");
	put_name(out, 1, "name");
	etc_text_char(out, '"');
	etc_text_json(out, a->id);
	etc_text_cstr(out, "_exec_all_runs_timeline\"\n}");
}

static void put_side(const char *side, const struct etc_kit_robust *r, const char *name,
                     struct etc_text *out)
{
	put_name(out, 1, side);
	etc_text_cstr(out, "{\n");
	put_text(out, 2, "name", etc_str_of(name), true);
	put_real(out, 2, "median_ms", r->clean_median, true);
	put_real(out, 2, "trimmed_mean_ms", r->trimmed_5, true);
	put_real(out, 2, "cv_percent", r->clean_cv, true);
	put_name(out, 2, "count");
	etc_text_printf(out, "%zu\n  },\n", r->count);
}

/* Writes "B is 1.25x faster than A". If `ratio` is at most 1, writes the sentence with A and B
 * exchanged. If `ratio` is 0, where the kit divides by zero, writes that A and B cannot be
 * compared. */
static void put_description(double ratio, const char *base, const char *candidate,
                            struct etc_text *out)
{
	struct etc_text t = { 0 };
	char number[ETC_NUMBER_MAX];

	if (ratio > 1) {
		size_t n = etc_number_fixed(number, ratio, 2);

		etc_text_printf(&t, "%s is %.*sx faster than %s", candidate, (int)n, number, base);
	} else if (ratio > 0) {
		size_t n = etc_number_fixed(number, 1 / ratio, 2);

		etc_text_printf(&t, "%s is %.*sx faster than %s", base, (int)n, number, candidate);
	} else {
		etc_text_printf(&t, "%s and %s cannot be compared", base, candidate);
	}
	put_text(out, 2, "description", etc_text_str(&t), false);
	out->failed = out->failed || t.failed;
	etc_text_release(&t);
}

void etc_kit_robust_comparison_json(const void *pair, struct etc_text *out)
{
	const struct etc_kit_pair *p = pair;
	const struct etc_kit_robust *base = &p->base->robust, *candidate = &p->candidate->robust;
	const char *base_name = p->base_name, *candidate_name = p->candidate_name;
	struct etc_kit_speedup s = etc_kit_speedup_of(base, candidate);

	etc_text_cstr(out, "{\n");
	put_side("config1", base, base_name, out);
	put_side("config2", candidate, candidate_name, out);
	etc_text_cstr(out, "  \"speedup\": {\n");
	put_real(out, 2, "median_based", s.median, true);
	put_real(out, 2, "trimmed_mean_based", s.trimmed, true);
	put_description(s.median, base_name, candidate_name, out);
	etc_text_cstr(out, "  },\n  \"variability\": {\n");
	put_real(out, 2, "config1_cv", base->clean_cv, true);
	put_real(out, 2, "config2_cv", candidate->clean_cv, true);
	put_text(out, 2, "more_variable", etc_str_of(s.a_varies_more ? base_name : candidate_name),
	         true);
	put_real(out, 2, "cv_ratio", s.cv_ratio, false);
	etc_text_cstr(out, "  }\n}");
}
