/* gate_json.c -- forms of services that follow numbers over time; see gate.h and
 * gate_pytorch.c */
#include "base/number.h"
#include "write/emit.h"
#include "write/gate.h"

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
