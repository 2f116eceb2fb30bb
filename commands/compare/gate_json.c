/* gate_json.c -- writes the answer of `etcore check` as JSON, and in the formats of services that
 * store benchmark results over time; see gate_forms.h. The format for PyTorch is in
 * gate_pytorch.c. */
#include "base/number.h"
#include "table/emit.h"
#include "commands/compare/gate_forms.h"

/* ---- json ---------------------------------------------------------------------------- */

static void put_known(struct etc_emit *e, const char *name, bool known, double v)
{
	if (known)
		etc_emit_real(e, name, v);
	else
		etc_emit_null(e, name);
}

static void put_range_of(struct etc_emit *e, const char *low, const char *high, bool known,
                         const struct etc_interval *i)
{
	put_known(e, low, known && i->why == ETC_DEFINED, i->low);
	put_known(e, high, known && i->why == ETC_DEFINED, i->high);
}

static void put_side(struct etc_emit *e, const char *name, const struct etc_comparison_side *s)
{
	etc_emit_open(e, name, '{');
	put_known(e, "time", s->why == ETC_DEFINED && s->runs > 0, s->estimate);
	put_known(e, "p95", s->why == ETC_DEFINED && s->runs > 0, s->p95);
	put_known(e, "max", s->why == ETC_DEFINED && s->runs > 0, s->max);
	etc_emit_u64(e, "runs", s->runs);
	etc_emit_u64(e, "dumps", s->dumps);
	etc_emit_close(e);
}

static void put_line(struct etc_emit *e, const struct etc_gate_line *line)
{
	const struct etc_comparison *c = &line->c;
	bool known = line->unit && c->why == ETC_DEFINED && c->a.runs > 0 && c->b.runs > 0;
	bool ratio = known && c->ratio_why == ETC_DEFINED;

	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "name", line->name);
	etc_emit_text(e, "verdict", etc_str_of(etc_gate_result_name(line->verdict)));
	etc_emit_text(e, "why", line->why[0] ? etc_str_of(line->why) : ETC_STR_NONE);
	etc_emit_text(e, "rule", line->rule->name.len ? line->rule->name : ETC_STR_NONE);
	etc_emit_text(e, "method", line->method.len ? line->method : ETC_STR_NONE);
	etc_emit_text(e, "what", line->what);
	etc_emit_text(e, "category", line->category.len ? line->category : ETC_STR_NONE);
	etc_emit_text(e, "metric", etc_str_of(etc_stat_name(line->rule->stat)));
	etc_emit_real(e, "limit", line->rule->limit);
	etc_emit_text(e, "unit", line->unit ? etc_str_of(etc_gate_unit(line)) : ETC_STR_NONE);
	put_side(e, "baseline", &c->a);
	put_side(e, "now", &c->b);
	put_known(e, "difference", known, c->difference);
	put_range_of(e, "difference_low", "difference_high", known, &c->difference_interval);
	put_known(e, "ratio", ratio, c->ratio);
	put_range_of(e, "ratio_low", "ratio_high", ratio, &c->ratio_interval);
	put_known(e, "p", known && c->p_method != ETC_P_NONE, c->p);
	put_known(e, "p_adjusted", known && c->p_method != ETC_P_NONE, c->p_adjusted);
	etc_emit_bool(e, "significant", c->significant);
	etc_emit_real(e, "spread", c->spread);
	etc_emit_close(e);
}

static void put_notes(struct etc_emit *e, const struct etc_notes *notes)
{
	etc_emit_block(e, "notes", '[');
	for (const struct etc_note *n = notes->first; n; n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);

		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "code", etc_str_of(info->name));
		etc_emit_text(e, "title", etc_str_of(info->title));
		etc_emit_text(e, "text", n->text.len ? n->text : ETC_STR_NONE);
		etc_emit_text(e, "file", n->file.len ? n->file : ETC_STR_NONE);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

void etc_write_gate_json(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	struct etc_emit e = { .out = out };
	struct etc_text headline = { 0 };

	etc_text_gate_verdict(&headline, a);
	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.check/1"));
	etc_emit_text(&e, "headline", etc_text_str(&headline));
	etc_emit_real(&e, "confidence", a->confidence);
	for (int side = 0; side < 2; side++) {
		etc_emit_open(&e, side ? "now" : "baseline", '{');
		etc_emit_text(&e, "name", a->names[side]);
		etc_emit_u64(&e, "dumps", a->dumps[side]);
		etc_emit_close(&e);
	}
	etc_emit_open(&e, "verdicts", '{');
	for (uint8_t v = 0; v < ETC_GATE_COUNT; v++)
		etc_emit_u64(&e, etc_gate_result_name(v), a->gate->by_verdict[v]);
	etc_emit_close(&e);
	etc_emit_block(&e, "lines", '[');
	for (uint32_t i = 0; i < a->gate->count; i++)
		put_line(&e, &a->gate->lines[i]);
	etc_emit_close(&e);
	put_notes(&e, a->notes);
	etc_emit_close(&e);
	out->failed = out->failed || headline.failed;
	etc_text_release(&headline);
}

/* ---- github-action-benchmark -------------------------------------------------------- */

static void put_extra(struct etc_emit *e, const struct etc_gate_answer *a,
                      const struct etc_gate_line *line)
{
	struct etc_text t = { 0 };

	etc_text_printf(&t, "%s: ", etc_gate_result_name(line->verdict));
	etc_text_gate_detail(&t, a, line);
	etc_emit_text(e, "extra", etc_text_str(&t));
	e->out->failed = e->out->failed || t.failed;
	etc_text_release(&t);
}

static void put_range(struct etc_emit *e, double low, double high)
{
	char number[ETC_NUMBER_MAX];
	struct etc_text t = { 0 };

	etc_text_cstr(&t, "± ");
	etc_text_put(&t, (struct etc_str){ number, etc_number_g(number, (high - low) / 2) });
	etc_emit_text(e, "range", etc_text_str(&t));
	e->out->failed = e->out->failed || t.failed;
	etc_text_release(&t);
}

void etc_write_gate_benchmark(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '[');
	for (uint32_t i = 0; i < a->gate->count; i++) {
		const struct etc_gate_line *line = &a->gate->lines[i];
		double low, high;

		if (!etc_gate_has_value(line))
			continue;
		etc_emit_open(&e, NULL, '{');
		etc_emit_text(&e, "name", line->name);
		etc_emit_text(&e, "unit", etc_str_of(etc_gate_unit(line)));
		etc_emit_real(&e, "value", line->c.b.estimate);
		if (etc_gate_interval(line, &low, &high))
			put_range(&e, low, high);
		put_extra(&e, a, line);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
}

/* ---- Bencher ------------------------------------------------------------------------- */

void etc_write_gate_bencher(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	for (uint32_t i = 0; i < a->gate->count; i++) {
		const struct etc_gate_line *line = &a->gate->lines[i];
		bool ns = line->unit == ETC_UNIT_NS;
		double low, high;

		if (!etc_gate_has_value(line))
			continue;
		etc_emit_open_key(&e, line->name, '{');
		etc_emit_open(&e, ns ? "latency" : etc_gate_unit(line), '{');
		etc_emit_real(&e, "value", line->c.b.estimate);
		if (etc_gate_interval(line, &low, &high)) {
			etc_emit_real(&e, "lower_value", low);
			etc_emit_real(&e, "upper_value", high);
		}
		etc_emit_close(&e);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
}
