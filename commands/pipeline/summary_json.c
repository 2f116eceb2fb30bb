/* summary_json.c -- writes analysis_summary.json; see summary.h. */
#include <math.h>

#include "base/number.h"
#include "commands/pipeline/dump.h"
#include "commands/pipeline/evidence.h"
#include "commands/pipeline/summary.h"
#include "table/emit.h"

/* Writes a number; null for NaN and infinity, which JSON does not have. */
static void emit_number(struct etc_emit *e, const char *name, double v)
{
	if (isfinite(v))
		etc_emit_real(e, name, v);
	else
		etc_emit_null(e, name);
}

/* Writes the finite number `v` as a member. Its name comes from a file, so it may need escapes. */
static void emit_value(struct etc_emit *e, struct etc_str key, double v)
{
	char number[ETC_NUMBER_MAX];

	etc_emit_key(e, key);
	etc_text_put(e->out, (struct etc_str){ number, etc_number_repr(number, v) });
}

static void emit_leaves(struct etc_emit *e, const char *name, const struct etc_breakdown *b,
                        int profile)
{
	etc_emit_open(e, name, '{');
	for (uint32_t i = 0; i < b->leaves[profile].count; i++) {
		emit_value(e, b->leaves[profile].v[i].category,
		           etc_breakdown_ms(b, b->leaves[profile].v[i].time));
	}
	etc_emit_close(e);
}

/* Writes, for each category of the kit, the sum of its times over all dumps, in ms. As in the kit,
 * the times of different experiments are added together. */
static void emit_totals(struct etc_emit *e, const struct etc_summary *s)
{
	etc_emit_open(e, "category_totals_ms", '{');
	for (int c = 0; c < 5; c++) {
		double sum = 0;
		bool seen = false;

		for (uint32_t i = 0; i < s->dump_count; i++) {
			const struct etc_breakdown *b = &s->dumps[i].times;
			const struct etc_leaves *l = &b->leaves[ETC_PROFILE_V1];

			for (uint32_t k = 0; k < l->count; k++)
				if (etc_str_eq(l->v[k].category, etc_str_of(etc_kit_v1_names[c]))) {
					sum += etc_breakdown_ms(b, l->v[k].time);
					seen = true;
				}
		}
		if (seen)
			emit_number(e, etc_kit_v1_names[c], sum);
	}
	etc_emit_close(e);
}

static void emit_hints(struct etc_emit *e, const struct etc_summary *s)
{
	etc_emit_open(e, "kernel_hints", '{');
	for (int h = 0; h < 3; h++) {
		uint64_t n = 0;

		for (uint32_t i = 0; i < s->dump_count; i++)
			n += s->dumps[i].hints[h];
		if (n)
			etc_emit_u64(e, etc_kit_hints[h], n);
	}
	etc_emit_close(e);
}

static void emit_error(struct etc_emit *e, const char *name, const struct etc_error *why)
{
	if (why->code == ETC_CODE_NONE)
		return;
	etc_emit_open(e, name, '{');
	etc_emit_text(e, "code", etc_str_of(etc_code_info(why->code)->name));
	etc_emit_text(e, "text", etc_str_of(why->text));
	etc_emit_close(e);
}

static void emit_dump(struct etc_emit *e, const struct etc_summary_dump *d)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "etdump", etc_str_of(d->entry->path));
	etc_emit_text(e, "experiment", d->experiment);
	etc_emit_u64(e, "threads", d->threads);
	emit_leaves(e, "categories_ms", &d->times, ETC_PROFILE_V1);
	etc_emit_u64(e, "rows", d->rows);
	etc_emit_cstr(e, "csv_timeline", d->timeline);
	etc_emit_cstr(e, "csv_stats", d->stats);
	etc_emit_u64(e, "executions", d->times.executions);
	etc_emit_u64(e, "warmup_dropped", d->times.set_aside);
	if (d->load_ms >= 0)
		etc_emit_real(e, "load_ms", d->load_ms);
	etc_emit_open(e, "kit_categories_ms", '{');
	for (int i = 0; i < 5 && d->kit_category[i]; i++)
		emit_number(e, d->kit_category[i], d->kit_ms[i]);
	etc_emit_close(e);
	emit_error(e, "left_out", &d->why);
	emit_error(e, "without_csv", &d->kit_why);
	etc_emit_close(e);
}

static void emit_files(struct etc_emit *e, const struct etc_summary *s)
{
	etc_emit_block(e, "csv_files", '[');
	for (uint32_t i = 0; i < s->dump_count; i++) {
		if (s->dumps[i].all_runs)
			etc_emit_text(e, NULL, etc_str_of(s->dumps[i].all_runs));
		if (s->dumps[i].stats)
			etc_emit_text(e, NULL, etc_str_of(s->dumps[i].stats));
	}
	etc_emit_close(e);
}

/* ---- experiments -------------------------------------------------------------------------- */

static void emit_u128(struct etc_emit *e, const char *name, etc_u128 v)
{
	char digits[40];
	size_t at = sizeof digits;

	do {
		digits[--at] = (char)('0' + (int)(v % 10));
		v /= 10;
	} while (v);
	etc_emit_name(e, name);
	etc_text_put(e->out, (struct etc_str){ digits + at, sizeof digits - at });
}

/* Writes the terms of end_to_end = leaves + delegate_overhead + operator_overhead + framework, as
 * sums over executions in 1/den ns. */
static void emit_identity(struct etc_emit *e, const struct etc_breakdown *b)
{
	etc_u128 leaves = 0;

	for (uint32_t i = 0; i < b->leaves[ETC_PROFILE_ETCORE].count; i++)
		leaves += b->leaves[ETC_PROFILE_ETCORE].v[i].time;
	etc_emit_open(e, "identity", '{');
	etc_emit_text(e, "unit", ETC_STR("ns"));
	etc_emit_u64(e, "per_unit", b->den ? b->den : 1);
	emit_u128(e, "end_to_end", b->end_to_end);
	emit_u128(e, "leaves", leaves);
	emit_u128(e, "delegate_overhead", b->delegate_overhead);
	emit_u128(e, "operator_overhead", b->operator_overhead);
	emit_u128(e, "framework", b->framework);
	etc_emit_bool(e, "holds", etc_breakdown_holds(b));
	etc_emit_close(e);
}

static void emit_latency(struct etc_emit *e, const struct etc_kit_robust *r)
{
	etc_emit_open(e, "latency_ms", '{');
	etc_emit_u64(e, "count", r->count);
	emit_number(e, "median", r->median);
	emit_number(e, "mean", r->mean);
	emit_number(e, "stdev", r->sd);
	emit_number(e, "cv_percent", r->cv);
	emit_number(e, "min", r->min);
	emit_number(e, "max", r->max);
	emit_number(e, "p50", r->p50);
	emit_number(e, "p90", r->p90);
	emit_number(e, "p95", r->p95);
	emit_number(e, "p99", r->p99);
	emit_number(e, "trimmed_mean_10", r->trimmed_10);
	etc_emit_u64(e, "outliers", r->count - r->clean_count);
	etc_emit_close(e);
}

static void emit_shares(struct etc_emit *e, const struct etc_breakdown *b)
{
	double all = etc_breakdown_ms(b, b->end_to_end);

	etc_emit_open(e, "categories_pct", '{');
	for (uint32_t i = 0; i < b->leaves[0].count; i++) {
		double ms = etc_breakdown_ms(b, b->leaves[0].v[i].time);

		emit_value(e, b->leaves[0].v[i].category, all > 0 ? ms / all * 100 : 0);
	}
	etc_emit_close(e);
}

static void emit_operator(struct etc_emit *e, const struct etc_summary_experiment *x,
                          const struct etc_summary_operator *o)
{
	double ms = etc_breakdown_ms(&x->times, o->time);

	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "experiment", x->label);
	etc_emit_text(e, "name", o->name);
	etc_emit_text(e, "category", o->category);
	etc_emit_text(e, "backend", o->backend);
	etc_emit_real(e, "avg_ms", ms);
	etc_emit_real(e, "count", (double)o->calls / (double)x->times.executions);
	etc_emit_real(e, "total_ms", ms * (double)x->times.executions);
	etc_emit_close(e);
}

static void emit_experiment(struct etc_emit *e, const struct etc_summary_experiment *x)
{
	const struct etc_breakdown *b = &x->times;

	etc_emit_open_key(e, x->label, '{');
	etc_emit_text(e, "experiment", x->name);
	etc_emit_u64(e, "threads", x->threads);
	if (x->other_threads)
		etc_emit_u64(e, "threads_in_log", x->told_threads);
	etc_emit_u64(e, "etdumps", x->dumps);
	etc_emit_u64(e, "executions", b->executions);
	etc_emit_u64(e, "warmup_dropped", b->set_aside);
	if (b->executions) {
		emit_latency(e, &x->robust);
		etc_emit_real(e, "e2e_ms", etc_breakdown_ms(b, b->end_to_end));
		emit_leaves(e, "categories_ms", b, ETC_PROFILE_ETCORE);
		emit_shares(e, b);
		emit_leaves(e, "categories_kit_v1_ms", b, ETC_PROFILE_V1);
		emit_leaves(e, "categories_kit_v2_ms", b, ETC_PROFILE_V2);
		etc_emit_real(e, "delegate_overhead_ms", etc_breakdown_ms(b, b->delegate_overhead));
		etc_emit_real(e, "rounding_ms", etc_breakdown_ms(b, b->rounding));
		etc_emit_real(e, "operator_overhead_ms", etc_breakdown_ms(b, b->operator_overhead));
		etc_emit_real(e, "framework_ms", etc_breakdown_ms(b, b->framework));
		etc_emit_real(e, "unattributed_ms",
		              etc_breakdown_ms(b, b->delegate_overhead + b->framework));
		etc_emit_open(e, "delegation", '{');
		etc_emit_real(e, "delegated_ms", etc_breakdown_ms(b, b->delegated));
		etc_emit_real(e, "share", etc_ratio_double(etc_ratio(b->delegated, b->end_to_end)));
		etc_emit_close(e);
		emit_identity(e, b);
	}
	etc_emit_close(e);
}

static void emit_comparison(struct etc_emit *e, const struct etc_summary *s,
                            const struct etc_summary_comparison *c)
{
	const struct etc_comparison *r = &c->end_to_end;
	const struct etc_interval *ratio = etc_summary_interval(r);

	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "baseline", s->experiments[c->base].label);
	etc_emit_text(e, "candidate", s->experiments[c->candidate].label);
	etc_emit_text(e, "verdict", etc_str_of(c->verdict));
	etc_emit_text(e, "why", c->why[0] ? etc_str_of(c->why) : ETC_STR_NONE);
	if (c->shared)
		etc_emit_text(e, "shared", c->shared->entry->rel);
	etc_emit_open(e, "recordings", '[');
	etc_emit_u64(e, NULL, r->a.dumps);
	etc_emit_u64(e, NULL, r->b.dumps);
	etc_emit_close(e);
	etc_emit_bool(e, "in_order", r->p_method == ETC_P_ORDER);
	if (r->spread > 0)
		etc_emit_real(e, "process_spread", r->spread);
	else
		etc_emit_null(e, "process_spread");
	etc_emit_real(e, "baseline_ms", r->a.estimate);
	etc_emit_real(e, "candidate_ms", r->b.estimate);
	if (r->ratio_why == ETC_DEFINED && r->ratio > 0)
		etc_emit_real(e, "speedup", 1 / r->ratio);
	else
		etc_emit_null(e, "speedup");
	if (ratio) {
		etc_emit_open(e, "speedup_interval", '[');
		etc_emit_real(e, NULL, 1 / ratio->high);
		etc_emit_real(e, NULL, 1 / ratio->low);
		etc_emit_close(e);
	}
	etc_emit_real(e, "p", r->p_adjusted);
	etc_emit_bool(e, "significant", r->significant);
	etc_emit_real(e, "cliffs_delta", r->cliffs_delta);
	etc_emit_close(e);
}

static void emit_side(struct etc_emit *e, const char *name, struct etc_str experiment,
                      uint64_t threads, bool missing)
{
	etc_emit_open(e, name, '{');
	etc_emit_text(e, "experiment", experiment);
	etc_emit_u64(e, "threads", threads);
	etc_emit_bool(e, "measured", !missing);
	etc_emit_close(e);
}

/* Writes the pairs of s->pairs that were not compared because one of the two experiments was not
 * measured. */
static void emit_lacking(struct etc_emit *e, const struct etc_summary *s)
{
	etc_emit_block(e, "not_compared", '[');
	for (uint32_t i = 0; i < s->pair_count; i++) {
		const struct etc_summary_pair *p = &s->pairs[i];

		if (!p->no_base && !p->no_candidate)
			continue;
		etc_emit_open(e, NULL, '{');
		emit_side(e, "baseline", p->base, p->base_threads, p->no_base);
		emit_side(e, "candidate", p->candidate, p->candidate_threads, p->no_candidate);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void emit_failures(struct etc_emit *e, const struct etc_summary *s)
{
	etc_emit_block(e, "failed", '[');
	for (uint32_t i = 0; i < s->failure_count; i++) {
		const struct etc_summary_failure *f = &s->failures[i];

		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "experiment", f->experiment);
		etc_emit_u64(e, "threads", f->threads);
		if (f->block)
			etc_emit_u64(e, "block", f->block);
		etc_emit_text(e, "code", f->code.len ? f->code : ETC_STR_NONE);
		etc_emit_text(e, "text", f->why);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

void etc_summary_json(const void *summary, struct etc_text *out)
{
	const struct etc_summary *s = summary;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.pipeline.report/1"));
	etc_emit_text(&e, "run_dir", etc_str_of(s->folder->path));
	etc_emit_text(&e, "generation", etc_str_of(etc_folder_kind_name(s->folder->kind)));
	etc_emit_text(&e, "model", s->folder->model.len ? s->folder->model : ETC_STR_NONE);
	etc_emit_cstr(&e, "etrecord", s->etrecord);
	etc_emit_u64(&e, "etdump_count", s->dump_count);
	emit_totals(&e, s);
	emit_hints(&e, s);
	etc_emit_block(&e, "per_etdump", '[');
	for (uint32_t i = 0; i < s->dump_count && !out->failed; i++)
		emit_dump(&e, &s->dumps[i]);
	etc_emit_close(&e);
	emit_files(&e, s);
	etc_emit_block(&e, "operator_details", '[');
	for (uint32_t i = 0; i < s->experiment_count; i++)
		for (uint32_t k = 0; k < s->experiments[i].operator_count && !out->failed; k++)
			emit_operator(&e, &s->experiments[i], &s->experiments[i].operators[k]);
	etc_emit_close(&e);
	etc_emit_block(&e, "experiments", '{');
	for (uint32_t i = 0; i < s->experiment_count && !out->failed; i++)
		emit_experiment(&e, &s->experiments[i]);
	etc_emit_close(&e);
	etc_emit_block(&e, "comparisons", '[');
	for (uint32_t i = 0; i < s->comparison_count; i++)
		emit_comparison(&e, s, &s->comparisons[i]);
	etc_emit_close(&e);
	emit_lacking(&e, s);
	etc_emit_u64(&e, "contradictions", s->contradiction_count);
	emit_failures(&e, s);
	etc_evidence_emit(&e, s->folder);
	etc_emit_block(&e, "kernel_files", '[');
	for (uint32_t i = 0; i < s->kernel_count; i++)
		etc_emit_text(&e, NULL, s->kernels[i]);
	etc_emit_close(&e);
	etc_emit_close(&e);
	etc_text_char(out, '\n');
}
