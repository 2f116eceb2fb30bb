/* summary_text.c -- writes report.md, and a short form of it for the screen; see summary.h. */
#include <math.h>

#include "base/number.h"
#include "commands/pipeline/evidence.h"
#include "commands/pipeline/summary.h"

enum { SHOWN_OPERATORS = 15 };

static void put_ms(struct etc_text *out, double v)
{
	char number[ETC_NUMBER_MAX];

	if (isfinite(v))
		etc_text_put(out, (struct etc_str){ number, etc_number_fixed(number, v, 3) });
	else
		etc_text_char(out, '-');
}

static void put_fixed(struct etc_text *out, double v, int decimals)
{
	char number[ETC_NUMBER_MAX];

	if (isfinite(v))
		etc_text_put(out,
		             (struct etc_str){ number, etc_number_fixed(number, v, decimals) });
	else
		etc_text_char(out, '-');
}

/* Writes a fraction in percent, such as "5 %" for 0.05. */
static void put_percent(struct etc_text *out, double part)
{
	etc_text_printf(out, "%.3g %%", part * 100);
}

static void put_item(struct etc_text *out, const char *what, struct etc_str value)
{
	if (!value.len)
		return;
	etc_text_printf(out, "- **%s**: ", what);
	etc_text_markdown_code(out, value);
	etc_text_char(out, '\n');
}

static void put_metadata(const struct etc_summary *s, struct etc_text *out)
{
	const struct etc_tree *m = s->folder->manifest.tree, *et = etc_tree_get(m, "executorch");
	const struct etc_tree *dirty = etc_tree_get(et, "dirty");

	etc_text_cstr(out, "## Metadata\n\n");
	put_item(out, "Model", etc_path_name(s->folder->model));
	put_item(out, "Model Path", s->folder->model);
	put_item(out, "Run Directory", etc_str_of(s->folder->path));
	put_item(out, "Config File", etc_tree_string(m, "config"));
	put_item(out, "ETRecord", etc_str_of(s->etrecord));
	put_item(out, "ExecuTorch SHA", etc_tree_string(et, "sha"));
	if (dirty && (dirty->type == ETC_JSON_TRUE || dirty->type == ETC_JSON_FALSE))
		etc_text_printf(out, "- **ExecuTorch Status**: %s\n",
		                dirty->type == ETC_JSON_TRUE ? "dirty" : "clean");
	etc_text_printf(out, "- **ETDumps**: %lu\n\n", (unsigned long)s->dump_count);
}

static void put_latencies(const struct etc_summary *s, struct etc_text *out)
{
	if (!s->experiment_count)
		return;
	etc_text_cstr(out,
	              "## End-to-end latency (Method::execute, ms)\n\n"
	              "| Experiment | Threads | Runs | Median | Mean | P90 | Min | Max | Std Dev "
	              "| CV (%) |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_summary_experiment *x = &s->experiments[i];
		const struct etc_kit_robust *r = &x->robust;
		const double cells[] = { r->median, r->mean, r->p90, r->min, r->max, r->sd };

		etc_text_cstr(out, "| ");
		etc_text_markdown_name(out, x->label);
		etc_text_printf(out, " | %llu", (unsigned long long)x->threads);
		if (x->other_threads)
			etc_text_printf(out, " (its log: %u)", x->told_threads);
		etc_text_printf(out, " | %zu |", x->latency_count);
		for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
			etc_text_char(out, ' ');
			put_ms(out, x->latency_count ? cells[k] : (double)NAN);
			etc_text_cstr(out, " |");
		}
		etc_text_char(out, ' ');
		put_fixed(out, x->latency_count ? r->cv : (double)NAN, 2);
		etc_text_cstr(out, " |\n");
	}
	etc_text_char(out, '\n');
}

/* Writes the ratio and its interval, such as "1.04x (0.98 to 1.11)". */
static void put_speedup(const struct etc_comparison *r, struct etc_text *out)
{
	const struct etc_interval *i = etc_summary_interval(r);

	if (r->ratio_why != ETC_DEFINED || !(r->ratio > 0)) {
		etc_text_char(out, '-');
		return;
	}
	put_fixed(out, 1 / r->ratio, 2);
	etc_text_char(out, 'x');
	if (!i)
		return;
	etc_text_cstr(out, " (");
	put_fixed(out, 1 / i->high, 2);
	etc_text_cstr(out, " to ");
	put_fixed(out, 1 / i->low, 2);
	etc_text_char(out, ')');
}

/* Writes one side of a pair as experiment and number of threads, such as "off@1". */
static void put_side(struct etc_str name, uint64_t threads, struct etc_text *out)
{
	etc_text_markdown_name(out, name);
	etc_text_printf(out, "@%llu", (unsigned long long)threads);
}

static void put_lacking(const struct etc_summary *s, struct etc_text *out)
{
	for (uint32_t i = 0; i < s->pair_count; i++) {
		const struct etc_summary_pair *p = &s->pairs[i];

		if (!p->no_base && !p->no_candidate)
			continue;
		etc_text_cstr(out, "| ");
		put_side(p->base, p->base_threads, out);
		etc_text_cstr(out, " | ");
		put_side(p->candidate, p->candidate_threads, out);
		etc_text_printf(out, " | - | - | - | - | cannot be compared: %s not measured |\n",
		                p->no_base && p->no_candidate ? "both were"
		                : p->no_base                  ? "the baseline was"
		                                              : "the candidate was");
	}
}

static void put_failures(const struct etc_summary *s, struct etc_text *out)
{
	if (!s->failure_count)
		return;
	etc_text_cstr(out, "## Failed\n\n| Experiment | Threads | Block | Reason |\n"
	                   "|---|---:|---:|---|\n");
	for (uint32_t i = 0; i < s->failure_count; i++) {
		const struct etc_summary_failure *f = &s->failures[i];

		etc_text_cstr(out, "| ");
		etc_text_markdown_name(out, f->experiment);
		etc_text_printf(out, " | %llu | ", (unsigned long long)f->threads);
		if (f->block)
			etc_text_u64(out, f->block);
		etc_text_cstr(out, " | ");
		etc_text_markdown_name(out, f->code);
		etc_text_cstr(out, f->code.len ? " " : "");
		etc_text_markdown_name(out, f->why);
		etc_text_cstr(out, " |\n");
	}
	etc_text_char(out, '\n');
}

/* Writes the assumptions of the verdicts: how much recordings of the same program are assumed to
 * differ, and that a smooth drift can be removed. */
static void put_assumptions(const struct etc_summary *s, struct etc_text *out)
{
	bool assumed = false, ordered = false;

	for (uint32_t i = 0; i < s->comparison_count; i++) {
		const struct etc_comparison *c = &s->comparisons[i].end_to_end;

		assumed = assumed || c->spread > 0;
		ordered = ordered || c->p_method == ETC_P_ORDER;
	}
	if (assumed) {
		etc_text_printf(out,
		                "; what recordings of a baseline with fewer than %d of them differ "
		                "by is taken for ",
		                ETC_COMPARE_RECORDINGS);
		put_percent(out, s->compare.process_spread);
		if (s->compare.at_least)
			etc_text_cstr(out, ", or for the spread of the runs if that is larger");
	}
	if (ordered)
		etc_text_cstr(out, "; p and interval allow for a smooth drift over the order of "
		                   "recording");
}

static void put_comparisons(const struct etc_summary *s, struct etc_text *out)
{
	if (!s->comparison_count && !s->pair_count)
		return;
	etc_text_printf(
		out,
		"## Comparison\n\nThe typical run of each: the mean of the runs near the median. A "
		"speedup is the ratio of the two times, with its %g %% interval; p is corrected "
		"for all rows (Holm). Slower and faster are what `etcore check --by method` finds "
		"in the same runs and their order",
		100 * (1 - s->gates.alpha));
	put_assumptions(s, out);
	etc_text_cstr(out,
	              ".\n\n"
	              "| Baseline | Candidate | Baseline (ms) | Candidate (ms) | Speedup | p | "
	              "Verdict |\n|---|---|---:|---:|---:|---:|---|\n");
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		const struct etc_summary_comparison *c = &s->comparisons[i];

		etc_text_cstr(out, "| ");
		etc_text_markdown_name(out, s->experiments[c->base].label);
		etc_text_cstr(out, " | ");
		etc_text_markdown_name(out, s->experiments[c->candidate].label);
		etc_text_cstr(out, " | ");
		put_ms(out, c->end_to_end.a.estimate);
		etc_text_cstr(out, " | ");
		put_ms(out, c->end_to_end.b.estimate);
		etc_text_cstr(out, " | ");
		put_speedup(&c->end_to_end, out);
		etc_text_cstr(out, " | ");
		if (c->end_to_end.p_adjusted < 0.0001)
			etc_text_cstr(out, "&lt; 0.0001");
		else
			put_fixed(out, c->end_to_end.p_adjusted, 4);
		etc_text_printf(out, " | %s |\n", c->verdict);
	}
	put_lacking(s, out);
	etc_text_char(out, '\n');
}

/* ---- categories ----------------------------------------------------------------------------- */

static etc_u128 leaf_of(const struct etc_leaves *l, struct etc_str category)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (etc_str_eq(l->v[i].category, category))
			return l->v[i].time;
	return 0;
}

static void put_category_row(const struct etc_summary *s, const char *mark, struct etc_str name,
                             etc_u128 (*sum)(const struct etc_breakdown *, uint8_t, struct etc_str),
                             struct etc_text *out)
{
	etc_text_printf(out, "| %s", mark);
	etc_text_markdown_name(out, name);
	etc_text_printf(out, "%s |", mark);
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_breakdown *b = &s->experiments[i].times;
		double all = etc_breakdown_ms(b, b->end_to_end);
		double ms = etc_breakdown_ms(b, sum(b, s->shown, name));

		etc_text_char(out, ' ');
		put_ms(out, ms);
		etc_text_cstr(out, " | ");
		put_fixed(out, all > 0 ? ms / all * 100 : (double)NAN, 1);
		etc_text_cstr(out, " |");
	}
	etc_text_char(out, '\n');
}

static etc_u128 sum_leaf(const struct etc_breakdown *b, uint8_t profile, struct etc_str name)
{
	return leaf_of(&b->leaves[profile], name);
}

static etc_u128 sum_part(const struct etc_breakdown *b, uint8_t profile, struct etc_str name)
{
	(void)profile;
	switch (name.ptr[0]) {
	case 'd':
		return b->delegate_overhead;
	case 'o':
		return b->operator_overhead;
	case 'f':
		return b->framework;
	default:
		return b->end_to_end;
	}
}

static bool named_before(const struct etc_summary *s, uint32_t experiment, struct etc_str name)
{
	for (uint32_t i = 0; i < experiment; i++) {
		const struct etc_leaves *l = &s->experiments[i].times.leaves[s->shown];

		for (uint32_t k = 0; k < l->count; k++)
			if (etc_str_eq(l->v[k].category, name))
				return true;
	}
	return false;
}

static void put_categories(const struct etc_summary *s, struct etc_text *out)
{
	static const struct etc_str parts[] = { { "delegate overhead", 17 },
		                                { "operator overhead", 17 },
		                                { "framework", 9 },
		                                { "end to end", 10 } };

	if (!s->experiment_count)
		return;
	etc_text_printf(out, "## Operator categories (%s)\n\n| Category |",
	                etc_profile_names[s->shown]);
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		etc_text_char(out, ' ');
		etc_text_markdown_name(out, s->experiments[i].label);
		etc_text_cstr(out, " (ms) | % |");
	}
	etc_text_cstr(out, "\n|---|");
	etc_text_repeat(out, "---:|---:|", s->experiment_count);
	etc_text_char(out, '\n');
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_leaves *l = &s->experiments[i].times.leaves[s->shown];

		for (uint32_t k = 0; k < l->count; k++)
			if (!named_before(s, i, l->v[k].category))
				put_category_row(s, "", l->v[k].category, sum_leaf, out);
	}
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		put_category_row(s, i == 3 ? "**" : "", parts[i], sum_part, out);
	etc_text_cstr(out, "\nCategories, overheads and framework add up to end to end to the "
	                   "nanosecond. Delegate overhead is what a delegate call takes beyond its "
	                   "operators, and what their whole microseconds hide.\n\n");
}

/* ---- slowest operators and other tables -------------------------------------------------- */

static void put_operators(const struct etc_summary *s, struct etc_text *out)
{
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_summary_experiment *x = &s->experiments[i];

		if (!x->operator_count)
			continue;
		etc_text_cstr(out, "## Slowest operators of ");
		etc_text_markdown_name(out, x->label);
		etc_text_cstr(out, "\n\n| Operator | Category | Backend | ms | calls |\n"
		                   "|---|---|---|---:|---:|\n");
		for (uint32_t k = 0; k < x->operator_count && k < SHOWN_OPERATORS; k++) {
			const struct etc_summary_operator *o = &x->operators[k];

			etc_text_cstr(out, "| ");
			etc_text_markdown_name(out, o->name);
			etc_text_cstr(out, " | ");
			etc_text_markdown_name(out, o->category);
			etc_text_cstr(out, " | ");
			etc_text_markdown_name(out, o->backend);
			etc_text_cstr(out, " | ");
			put_ms(out, etc_breakdown_ms(&x->times, o->time));
			etc_text_cstr(out, " | ");
			put_fixed(out, (double)o->calls / (double)x->times.executions, 1);
			etc_text_cstr(out, " |\n");
		}
		etc_text_char(out, '\n');
	}
}

static void put_file(const char *path, const char *what, struct etc_text *out)
{
	if (!path)
		return;
	etc_text_cstr(out, "| ");
	etc_text_markdown_code(out, etc_path_name(etc_str_of(path)));
	etc_text_printf(out, " | %s |\n", what);
}

static void put_artefacts(const struct etc_summary *s, struct etc_text *out)
{
	if (!s->dump_count && !s->kernel_count)
		return;
	etc_text_cstr(out,
	              "## Generated Artifacts\n\n| File | Description |\n|------|-------------|\n");
	for (uint32_t i = 0; i < s->dump_count; i++) {
		put_file(s->dumps[i].all_runs, "Timeline CSV (per-run operator timing)", out);
		put_file(s->dumps[i].stats, "Stats CSV (aggregated operator statistics)", out);
	}
	for (uint32_t i = 0; i < s->kernel_count; i++)
		put_file(s->kernels[i].ptr, "Micro-kernels that the trace names (evidence)", out);
	etc_text_char(out, '\n');
}

static void put_problems(const struct etc_summary *s, struct etc_text *out)
{
	bool any = false;

	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct etc_summary_dump *d = &s->dumps[i];
		const struct etc_error *why = d->why.code ? &d->why : &d->kit_why;

		if (why->code == ETC_CODE_NONE)
			continue;
		if (!any)
			etc_text_cstr(out, "## Left out\n\n");
		any = true;
		etc_text_cstr(out, "- ");
		etc_text_markdown_code(out, d->entry->rel);
		etc_text_printf(out, "%s: %s ", d->why.code ? "" : " (its tables for the kit)",
		                etc_code_info(why->code)->name);
		etc_text_markdown_name(out, etc_str_of(why->text));
		etc_text_char(out, '\n');
	}
	if (any)
		etc_text_char(out, '\n');
}

/* Writes how many recordings each side has, such as "2 recordings each". */
static void put_recordings(const struct etc_comparison *c, struct etc_text *out)
{
	etc_text_printf(out, "%zu ", c->a.dumps);
	if (c->a.dumps != c->b.dumps)
		etc_text_printf(out, "and %zu recordings", c->b.dumps);
	else
		etc_text_printf(out, "recording%s each", etc_plural(c->a.dumps));
}

/* Writes why there is no verdict, and which further recordings would allow one. */
static void put_why(const struct etc_summary *s, const struct etc_summary_comparison *c,
                    struct etc_text *out)
{
	const struct etc_comparison *r = &c->end_to_end;
	const struct etc_tree *schedule = etc_tree_get(s->folder->manifest.tree, "schedule");
	bool sequential = etc_str_eq(etc_tree_string(schedule, "order"), ETC_STR("sequential"));
	bool few = r->a.dumps < ETC_COMPARE_RECORDINGS || r->b.dumps < ETC_COMPARE_RECORDINGS;

	if (!c->why[0])
		return;
	etc_text_printf(out, ": %s; ", c->why);
	put_recordings(r, out);
	if (few && s->folder->kind == ETC_FOLDER_ETCORE)
		etc_text_printf(out, ": --set schedule.blocks=%d%s", ETC_COMPARE_RECORDINGS,
		                sequential ? " --set schedule.order=abba" : "");
	else if (few)
		etc_text_printf(out, ": record %d or more", ETC_COMPARE_RECORDINGS);
}

static void put_sentence(const struct etc_summary *s, const struct etc_summary_comparison *c,
                         etc_text_put_fn *put, struct etc_text *out)
{
	static const struct {
		const char *verdict, *words;
	} rows[] = {
		{ "faster", " is faster than " },
		{ "slower", " is slower than " },
		{ "negligible", " differs by less than min_effect_pct from " },
		{ "no difference", ": no difference from " },
		{ "cannot tell", ": cannot tell whether it differs from " },
	};

	put(out, s->experiments[c->candidate].label);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(c->verdict, rows[i].verdict) == 0)
			etc_text_cstr(out, rows[i].words);
	put(out, s->experiments[c->base].label);
	etc_text_cstr(out, ", speedup ");
	put_speedup(&c->end_to_end, out);
	etc_text_cstr(out, ", typical "); /* the statistic is named, since the medians in the table
	                                   * above have other ratios */
	put_ms(out, c->end_to_end.a.estimate);
	etc_text_cstr(out, " -> ");
	put_ms(out, c->end_to_end.b.estimate);
	etc_text_cstr(out, " ms");
	if (etc_compare_claims(&c->end_to_end) && c->end_to_end.spread > 0) {
		etc_text_cstr(out, ", more than an assumed spread of ");
		put_percent(out, c->end_to_end.spread);
		etc_text_cstr(out, " between processes explains");
	}
	if (etc_compare_claims(&c->end_to_end) && !c->order_known)
		etc_text_cstr(out, "; in which order they were recorded is not known: a machine "
		                   "that gets steadily slower would look the same");
	put_why(s, c, out);
}

/* Writes what failed and why, such as "on with 1 thread, block 2 failed: W1012 …". */
static void put_failure(const struct etc_summary_failure *f, etc_text_put_fn *put,
                        struct etc_text *out)
{
	put(out, f->experiment);
	etc_text_printf(out, " with %llu thread%s", (unsigned long long)f->threads,
	                etc_plural(f->threads));
	if (f->block)
		etc_text_printf(out, ", block %llu", (unsigned long long)f->block);
	etc_text_cstr(out, " failed: ");
	put(out, f->code);
	etc_text_cstr(out, f->code.len ? " " : "");
	put(out, f->why);
}

/* Writes one line for each comparison in which a dump of one side equals a dump of the other side.
 * The line begins with `head`. */
static void put_shared(const struct etc_summary *s, const char *head, etc_text_put_fn *put,
                       struct etc_text *out)
{
	const struct etc_code_info *info = etc_code_info(N0141);

	for (uint32_t i = 0; i < s->comparison_count; i++) {
		const struct etc_summary_comparison *c = &s->comparisons[i];

		if (!c->shared)
			continue;
		etc_text_printf(out, "%s%s  %s: ", head, info->name, info->title);
		put(out, c->shared->entry->rel);
		etc_text_cstr(out, " and ");
		put(out, c->shared_with->entry->rel);
		etc_text_char(out, '\n');
	}
}

/* Writes the names of the experiments that the report leaves out because their configuration asked
 * for no ETDump. */
static void put_dumpless(const struct etc_summary *s, const char *head, etc_text_put_fn *put,
                         struct etc_text *out)
{
	for (uint32_t i = 0; i < s->dumpless_count; i++) {
		etc_text_cstr(out, head);
		put(out, s->dumpless[i]);
		etc_text_cstr(out, ": not in this report: it has no ETDumps (etdump = no, or a "
		                   "mode other than timing)\n");
	}
}

/* Writes one line per copy: "N0180  the same dump twice: on/copy.etdump: it is on/on_t1.etdump" */
static void put_copies(const struct etc_summary *s, struct etc_text *out)
{
	const struct etc_code_info *info = etc_code_info(N0180);

	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct etc_summary_dump *d = &s->dumps[i];

		if (d->why.code != N0180)
			continue;
		etc_text_printf(out, "%s  %s: ", info->name, info->title);
		etc_text_shown(out, d->entry->rel);
		etc_text_cstr(out, ": ");
		etc_text_shown(out, etc_str_of(d->why.text));
		etc_text_char(out, '\n');
	}
}

void etc_summary_markdown(const void *summary, struct etc_text *out)
{
	const struct etc_summary *s = summary;
	struct etc_str model = etc_path_name(s->folder->model);

	etc_text_cstr(out, "# Profiling Report: ");
	etc_text_markdown_name(out, model.len ? model : ETC_STR("unknown model"));
	etc_text_cstr(out, "\n\n");
	put_metadata(s, out);
	put_failures(s, out);
	put_latencies(s, out);
	put_comparisons(s, out);
	put_categories(s, out);
	put_operators(s, out);
	etc_evidence_markdown(s->folder, out);
	put_artefacts(s, out);
	put_problems(s, out);
	etc_text_cstr(out, "## Summary\n\n");
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		etc_text_cstr(out, "- ");
		put_sentence(s, &s->comparisons[i], etc_text_markdown_name, out);
		etc_text_char(out, '\n');
	}
	for (uint32_t i = 0; i < s->failure_count; i++) {
		etc_text_cstr(out, "- ");
		put_failure(&s->failures[i], etc_text_markdown_name, out);
		etc_text_char(out, '\n');
	}
	put_dumpless(s, "- ", etc_text_markdown_name, out);
	put_shared(s, "- ", etc_text_markdown_name, out);
	if (s->contradiction_count) {
		etc_text_printf(out, "- %s %s: ", etc_code_info(W1076)->name,
		                etc_code_info(W1076)->title);
		etc_text_markdown_name(out, s->contradiction);
		etc_text_char(out, '\n');
	}
	if (!s->comparison_count && !s->pair_count)
		etc_text_cstr(
			out,
			"Nothing to compare: no pair is declared, and by roles and names no two "
			"experiments with ETDumps are one.\n");
	etc_text_cstr(out, "\n---\n*Report of etcore " ETCORE_VERSION ", from the ETDumps*\n");
}

void etc_summary_text(const struct etc_summary *s, struct etc_text *out)
{
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_summary_experiment *x = &s->experiments[i];
		const struct etc_breakdown *b = &x->times;
		double all = etc_breakdown_ms(b, b->end_to_end);

		etc_text_shown(out, x->label);
		if (!x->latency_count) {
			etc_text_cstr(out, "  nothing measured\n");
			continue;
		}
		etc_text_printf(out, "  %zu run%s, median ", x->latency_count,
		                etc_plural(x->latency_count));
		put_ms(out, x->robust.median);
		etc_text_cstr(out, " ms, CV ");
		put_fixed(out, x->robust.cv, 1);
		etc_text_cstr(out, " %\n  ");
		for (uint32_t k = 0; k < b->leaves[s->shown].count && k < 4; k++) {
			const struct etc_leaf *l = &b->leaves[s->shown].v[k];

			etc_text_cstr(out, k ? ", " : "");
			etc_text_shown(out, l->category);
			etc_text_char(out, ' ');
			put_fixed(out,
			          all > 0 ? etc_breakdown_ms(b, l->time) / all * 100 : (double)NAN,
			          0);
			etc_text_cstr(out, " %");
		}
		etc_text_cstr(out, "; overheads ");
		put_fixed(out,
		          all > 0 ? etc_breakdown_ms(b, b->delegate_overhead +
		                                                b->operator_overhead +
		                                                b->framework) /
		                            all * 100
		                  : (double)NAN,
		          0);
		etc_text_cstr(out, " %\n");
	}
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		put_sentence(s, &s->comparisons[i], etc_text_shown, out);
		etc_text_char(out, '\n');
	}
	for (uint32_t i = 0; i < s->failure_count; i++) {
		put_failure(&s->failures[i], etc_text_shown, out);
		etc_text_char(out, '\n');
	}
	put_dumpless(s, "", etc_text_shown, out);
	put_shared(s, "", etc_text_shown, out);
	put_copies(s, out);
}
