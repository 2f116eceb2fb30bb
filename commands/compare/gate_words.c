/* gate_words.c -- writes texts that the formats of `etcore check` share; see gate_words.h */
#include "commands/compare/gate_words.h"

#include "base/number.h"
#include "commands/compare/diff_tables.h"

#include <math.h>

const struct etc_gate_runner_field etc_gate_runner_fields[ETC_GATE_RUNNER_FIELDS] = {
	{ "name", false },         { "type", false },
	{ "cpu_info", false },     { "cpu_count", true },
	{ "mem_info", false },     { "avail_mem_in_gb", true },
	{ "gpu_info", false },     { "gpu_count", true },
	{ "gpu_mem_info", false }, { "avail_gpu_mem_in_gb", true },
};

bool etc_gate_has_value(const struct etc_gate_line *line)
{
	return line->unit && line->c.b.why == ETC_DEFINED && line->c.b.runs > 0;
}

bool etc_gate_interval(const struct etc_gate_line *line, double *low, double *high)
{
	const struct etc_interval *i = &line->c.difference_interval;

	if (line->c.why != ETC_DEFINED || i->why != ETC_DEFINED)
		return false;
	*low = line->c.a.estimate + i->low;
	*high = line->c.a.estimate + i->high;
	if (*low < 0)
		*low = 0;
	return true;
}

const char *etc_gate_unit(const struct etc_gate_line *line)
{
	return line->unit ? etc_unit_name(line->unit) : "";
}

static void put_number(struct etc_text *t, double v, int decimals, bool sign)
{
	char number[ETC_NUMBER_MAX];

	if (sign && v >= 0)
		etc_text_char(t, '+');
	etc_text_put(t, (struct etc_str){ number, etc_number_fixed(number, v, decimals) });
}

static void put_value(struct etc_text *t, const struct etc_gate_line *line, double v)
{
	struct etc_profile one = { .unit = line->unit };
	struct etc_scale scale = etc_scale_of(&one, v);

	etc_text_scaled(t, v, scale);
	etc_text_printf(t, " %s", scale.name);
}

/* Appends the limit in percent, such as "2.5 %". */
static void put_limit(struct etc_text *t, double limit)
{
	char number[ETC_NUMBER_MAX];

	etc_text_put(t, (struct etc_str){ number, etc_number_g(number, limit * 100) });
	etc_text_cstr(t, " %");
}

/* Appends the change: "3.1 % slower" for a regression, "3.1 % faster" for an improvement, else
 * "+3.1 %". If there is an interval, appends that, too. */
static void put_change(struct etc_text *t, const struct etc_gate_answer *a,
                       const struct etc_gate_line *line)
{
	const struct etc_comparison *c = &line->c;
	const struct etc_interval *i = &c->difference_interval;
	double base = c->a.estimate, change = c->difference / base * 100;

	if (line->verdict == ETC_GATE_REGRESSION || line->verdict == ETC_GATE_IMPROVED) {
		put_number(t, change < 0 ? -change : change, 1, false);
		etc_text_cstr(t, change < 0 ? " % faster" : " % slower");
	} else {
		put_number(t, change > -0.05 && change < 0.05 ? 0 : change, 1, true);
		etc_text_cstr(t, " %");
	}
	if (etc_compare_tells_interval(c)) {
		etc_text_printf(t, " (%g %% CI ", a->confidence * 100);
		put_number(t, fmax(i->low / base, -1) * 100, 1, true);
		etc_text_cstr(t, " … ");
		put_number(t, i->high / base * 100, 1, true);
		etc_text_cstr(t, " %)");
	}
}

static void put_pair(struct etc_text *t, const struct etc_gate_line *line, const char *what,
                     double before, double now)
{
	etc_text_cstr(t, what);
	put_value(t, line, before);
	etc_text_cstr(t, " -> ");
	put_value(t, line, now);
}

/* Appends the tail latencies of both groups; the metric of the line does not include them. */
static void put_tails(struct etc_text *t, const struct etc_gate_line *line)
{
	const struct etc_comparison *c = &line->c;

	put_pair(t, line, "; p95 ", c->a.p95, c->b.p95);
	put_pair(t, line, ", max ", c->a.max, c->b.max);
}

void etc_text_gate_detail(struct etc_text *t, const struct etc_gate_answer *a,
                          const struct etc_gate_line *line)
{
	const struct etc_comparison *c = &line->c;
	bool known = line->verdict != ETC_GATE_CANNOT && line->verdict != ETC_GATE_MISSING &&
	             c->why == ETC_DEFINED && c->a.estimate > 0;

	if (known) {
		put_change(t, a, line);
		etc_text_cstr(t, ": ");
		put_value(t, line, c->a.estimate);
		etc_text_cstr(t, " -> ");
		put_value(t, line, c->b.estimate);
		etc_text_cstr(t, ", ");
	}
	etc_text_cstr(t, etc_stat_name(line->rule->stat));
	if (known && c->p_method != ETC_P_NONE) {
		etc_text_cstr(t, c->p_adjusted < 0.0001 ? ", p " : ", p = ");
		etc_text_p(t, c->p_adjusted);
	}
	etc_text_cstr(t, ", limit ");
	put_limit(t, line->rule->limit);
	if (known && line->end)
		put_tails(t, line);
	if (line->why[0])
		etc_text_printf(t, "; %s", line->why);
	if (c->spread > 0 &&
	    (line->verdict == ETC_GATE_REGRESSION || line->verdict == ETC_GATE_IMPROVED))
		etc_text_printf(
			t, "; more than an assumed spread of %.3g %% between processes explains",
			c->spread * 100);
}

void etc_text_gate_verdict(struct etc_text *t, const struct etc_gate_answer *a)
{
	const struct etc_gate *g = a->gate;

	etc_text_cstr(t, g->by_verdict[ETC_GATE_REGRESSION] ? "REGRESSION: "
	                 : etc_gate_open(g)                 ? "no verdict: "
	                                                    : "no regression: ");
	for (unsigned v = 0, any = 0; v < ETC_GATE_COUNT; v++)
		if (g->by_verdict[v])
			etc_text_printf(t, "%s%u %s", any++ ? ", " : "", g->by_verdict[v],
			                etc_gate_result_name((uint8_t)v));
}
