/* diff_head.c -- writes the lines above a table, which are about end-to-end times; see
 * diff_tables.h */
#include "base/number.h"
#include "base/text.h"
#include "commands/compare/diff_tables.h"
#include "profile/screen.h"

#include <math.h>

enum { RATIO_DIGITS = 12 };

void etc_text_time(struct etc_text *t, double v, double unit_ns, int decimals, bool sign)
{
	char number[ETC_NUMBER_MAX];

	if (sign && v > 0)
		etc_text_char(t, '+');
	etc_text_put(t,
	             (struct etc_str){ number, etc_number_fixed(number, v / unit_ns, decimals) });
}

void etc_text_p(struct etc_text *t, double p)
{
	if (p < 0.0001)
		etc_text_cstr(t, "< 0.0001");
	else
		etc_text_printf(t, p < 0.001 ? "%.4f" : p < 0.1 ? "%.3f" : "%.2f", p);
}

void etc_text_ratio(struct etc_text *t, double ratio)
{
	double shown = (ratio < 1 ? 1 - ratio : ratio - 1) * (ratio < 1 ? 1000 : 100);
	int digits = 3;

	for (; shown > 0 && shown < 2 && digits < RATIO_DIGITS; digits++)
		shown *= 10;
	if (ratio >= 1000 && ratio < 1e6)
		etc_text_printf(t, "%.0f", ratio); /* 1050, not 1.05e+03 */
	else
		etc_text_printf(t, "%.*g", digits, ratio);
}

struct etc_scale etc_diff_scale(const struct etc_diff_section *s, uint32_t groups,
                                const struct etc_diff_screen *options)
{
	double most = 0;
	struct etc_profile one = { .unit = s->unit, .shown_unit = options->unit };
	struct etc_scale scale;

	for (uint32_t g = 1; g < groups; g++) {
		const struct etc_comparison *c = s->rows[0].against[g];

		most = c->a.estimate > most ? c->a.estimate : most;
		most = c->b.estimate > most ? c->b.estimate : most;
	}
	scale = etc_scale_of(&one, most);
	if (s->unit == ETC_UNIT_NS && scale.ns > 1 && options->unit == ETC_UNIT_UNKNOWN)
		scale.decimals = most / scale.ns < 10 ? 3 : most / scale.ns < 100 ? 2 : 1;
	return scale;
}

static void put_name(struct etc_text *t, const struct etc_diff *diff,
                     const struct etc_diff_section *s)
{
	bool several = false;

	for (uint32_t i = 0; i < diff->section_count; i++)
		several = several || (&diff->sections[i] != s &&
		                      etc_str_eq(diff->sections[i].method, s->method));
	if (s->method.len)
		etc_text_put(t, s->method);
	else
		etc_text_cstr(t, "execute");
	if (several)
		etc_text_printf(t, ", path %u", s->path);
}

/* Writes a fraction in percent, such as "5 %" for 0.05. */
static void put_percent(struct etc_text *t, double part)
{
	etc_text_printf(t, "%.3g %%", part * 100);
}

/* Writes "these two recordings differ by 3.1 %; an assumed spread of 5 % between processes and that
 * of the runs explain as much". */
static void put_difference(struct etc_text *t, const struct etc_diff_row *end, uint32_t g)
{
	const struct etc_comparison *c = end->against[g];

	etc_text_cstr(t, c->a.dumps + c->b.dumps == 2 ? "these two recordings differ by "
	                                              : "these recordings differ by ");
	put_percent(t, fabs(c->ratio - 1));
	etc_text_cstr(t, "; an assumed spread of ");
	put_percent(t, c->spread);
	etc_text_cstr(t, " between processes and that of the runs explain as much");
}

/* Writes "cannot tell int8 from fp32". */
static void put_cannot_tell(struct etc_text *t, const struct etc_diff *diff, uint32_t g)
{
	etc_text_cstr(t, "cannot tell ");
	etc_text_put(t, diff->groups[g].name);
	etc_text_cstr(t, " from ");
	etc_text_put(t, diff->groups[0].name);
}

/* Writes a headline such as "cannot tell int8 from fp32: there is no test for --stat min". */
static void put_untested(struct etc_text *t, const struct etc_diff *diff, uint32_t g)
{
	put_cannot_tell(t, diff, g);
	etc_text_printf(t, ": there is no test for --stat %s", etc_stat_name(diff->stat));
}

/* Writes why a significant change does not lead to a verdict: "a drift …", or, for groups called
 * before and after, "two speeds, 52.3 and 60.1 µs, explain it: 17 of 29 runs of before are slow, 13
 * of 29 of after". */
static void put_doubt(struct etc_text *t, const struct etc_diff *diff,
                      const struct etc_diff_row *end, uint32_t g, struct etc_scale scale)
{
	const struct etc_comparison *c = end->against[g];

	if (c->caveats & ETC_CAVEAT_DROWNED) {
		etc_text_cstr(
			t, c->p_method == ETC_P_ORDER
				   ? ": the drift over the recordings is larger than the change"
				   : ": a drift inside the recordings is as large as the change");
		return;
	}
	etc_text_cstr(t, ": two speeds, ");
	etc_text_time(t, c->speeds[0], scale.ns, scale.decimals, false);
	etc_text_cstr(t, " and ");
	etc_text_time(t, c->speeds[1], scale.ns, scale.decimals, false);
	etc_text_printf(t, " %s, explain it: %zu of %zu runs of ", scale.name, c->slower[0],
	                c->a.runs);
	etc_text_put(t, diff->groups[0].name);
	etc_text_printf(t, " are slow, %zu of %zu of ", c->slower[1], c->b.runs);
	etc_text_put(t, diff->groups[g].name);
}

/* Writes the ratio that remains without the drift over the recordings, such as ", 1.03 × without
 * the drift over the recordings". Writes nothing if the order of recording is unknown, or if the
 * ratio with the drift has the same digits. */
static void put_step(struct etc_text *t, const struct etc_comparison *c)
{
	struct etc_text with = { 0 }, without = { 0 };

	if (c->p_method != ETC_P_ORDER)
		return;
	etc_text_ratio(&with, c->ratio);
	etc_text_ratio(&without, 1 + c->other / c->a.estimate);
	if (!etc_str_eq(etc_text_str(&with), etc_text_str(&without))) {
		etc_text_cstr(t, ", ");
		etc_text_put(t, etc_text_str(&without));
		etc_text_cstr(t, " \xc3\x97 without the drift over the recordings");
	}
	etc_text_release(&with);
	etc_text_release(&without);
}

/* Writes the verdict as a sentence, such as "int8 is faster than fp32: 0.61 × its time". */
static void put_verdict(struct etc_text *t, const struct etc_diff *diff,
                        const struct etc_diff_section *s, uint32_t g, struct etc_scale scale)
{
	const struct etc_diff_row *end = &s->rows[0];
	const struct etc_comparison *c = end->against[g];
	enum etc_change change = etc_diff_change(end, g);

	if (diff->groups[g].same_as_first) {
		const bool two = diff->groups[g].equal_files;

		etc_text_cstr(t, two ? "the recordings of " : "");
		etc_text_put(t, diff->groups[g].name);
		etc_text_cstr(t, two ? " and " : " is compared with itself: the dumps of ");
		etc_text_put(t, diff->groups[0].name);
		etc_text_cstr(t, two ? " are byte for byte equal: a copy, or a simulator"
		                     : " are the same");
		return;
	}
	if (change == ETC_CHANGE_DIFFERS) {
		put_difference(t, end, g);
		return;
	}
	if (change == ETC_CHANGE_DROWNED) {
		put_cannot_tell(t, diff, g);
		put_doubt(t, diff, end, g, scale);
		return;
	}
	if (change == ETC_CHANGE_UNCLEAR && c->p_method == ETC_P_NONE) {
		put_untested(t, diff, g);
		return;
	}
	etc_text_put(t, diff->groups[g].name);
	if (change == ETC_CHANGE_FASTER || change == ETC_CHANGE_SLOWER) {
		etc_text_printf(t, " is %s than ", etc_change_name((uint8_t)change));
		etc_text_put(t, diff->groups[0].name);
		if (c->ratio_why == ETC_DEFINED) {
			etc_text_cstr(t, ": ");
			etc_text_ratio(t, c->ratio);
			etc_text_cstr(t, " \xc3\x97 its time");
			put_step(t, c);
		}
		if (c->spread > 0) {
			etc_text_cstr(t, ", more than an assumed spread of ");
			put_percent(t, c->spread);
			etc_text_cstr(t, " between processes explains");
		}
	} else if (change == ETC_CHANGE_UNCLEAR && c->caveats & ETC_CAVEAT_FEW_RUNS) {
		etc_text_cstr(t, ": too few runs to tell it from ");
		etc_text_put(t, diff->groups[0].name);
	} else if (change == ETC_CHANGE_UNCLEAR || change == ETC_CHANGE_BELOW) {
		etc_text_cstr(t, ": no significant change against ");
		etc_text_put(t, diff->groups[0].name);
	} else if (change == ETC_CHANGE_UNKNOWN) {
		etc_text_cstr(t, " is not compared with ");
		etc_text_put(t, diff->groups[0].name);
		if (end->hidden)
			etc_text_cstr(t, ": several methods fit one path");
		else if (c->a.why == ETC_DEFINED && c->b.why == ETC_DEFINED)
			etc_text_cstr(t, end->sides[0].unit != end->sides[g].unit ? ": other units"
			                 : etc_diff_unrelated(end, s->row_count, g)
			                         ? ": no event in common"
			                         : ": the dumps of one group log different events");
	} else {
		etc_text_cstr(t, change == ETC_CHANGE_DISAPPEARED ? " does not run it"
		                 : change == ETC_CHANGE_APPEARED  ? " runs it, "
		                                                  : " does not run it, nor does ");
		if (change != ETC_CHANGE_DISAPPEARED)
			etc_text_put(t, diff->groups[0].name);
		if (change == ETC_CHANGE_APPEARED)
			etc_text_cstr(t, " does not");
	}
}

/* Writes the numbers that follow the verdict, such as "(+15.1 ms per run, 95 % CI +12.9 … +17.4;
 * ratio 3.1 … 4.1; p 0.0006)". Writes nothing if the groups cannot be compared. */
static void put_numbers(struct etc_text *t, const struct etc_diff *diff,
                        const struct etc_diff_section *s, uint32_t g, double level,
                        struct etc_scale scale)
{
	const struct etc_comparison *c = s->rows[0].against[g];
	const struct etc_interval *d = &c->difference_interval, *r = &c->ratio_interval;

	if (diff->groups[g].same_as_first || c->why != ETC_DEFINED ||
	    !s->rows[0].sides[0].present || !s->rows[0].sides[g].present)
		return;
	etc_text_cstr(t, "  (");
	etc_text_time(t, c->difference, scale.ns, scale.decimals, true);
	etc_text_printf(t, " %s per run", scale.name);
	if (etc_compare_tells_interval(c)) {
		etc_text_printf(t, ", %.4g %% CI ", level * 100);
		etc_text_time(t, d->low, scale.ns, scale.decimals, true);
		etc_text_cstr(t, " \xe2\x80\xa6 ");
		etc_text_time(t, d->high, scale.ns, scale.decimals, true);
	}
	if (r->why == ETC_DEFINED && etc_compare_tells_interval(c)) {
		etc_text_cstr(t, "; ratio ");
		etc_text_ratio(t, r->low);
		etc_text_cstr(t, " \xe2\x80\xa6 ");
		etc_text_ratio(t, r->high);
	}
	if (c->p_method != ETC_P_NONE) {
		etc_text_cstr(t, "; p ");
		etc_text_p(t, c->p_adjusted);
	}
	etc_text_char(t, ')');
}

/* Returns the profile of the first dump of group `g` that has this path, and sets *path to the
 * path's index in that profile. NULL: no dump of the group has the path. */
static const struct etc_profile *profile_of(const struct etc_diff *diff,
                                            const struct etc_diff_section *s, uint32_t g,
                                            uint32_t *path)
{
	for (uint32_t d = diff->first_dump[g]; d < diff->first_dump[g + 1]; d++)
		if (s->paths[d] != UINT32_MAX) {
			*path = s->paths[d];
			return diff->groups[g].dumps[d - diff->first_dump[g]];
		}
	return NULL;
}

/* Returns the line about group `g` above the table, such as " nosme 5.52 ms (typical; median 5.54;
 * p95 5.60, max 5.61; 7 runs, 1 dump) load 153 ms …". */
static struct etc_str group_line(const struct etc_diff *diff, const struct etc_diff_section *s,
                                 uint32_t g, size_t widest, struct etc_scale scale,
                                 struct etc_arena *arena)
{
	const struct etc_comparison_side *side = etc_diff_end(s, g);
	struct etc_text t = { 0 };
	struct etc_str library;
	uint32_t path = 0;
	const struct etc_profile *p = profile_of(diff, s, g, &path);
	struct etc_profile one = { .unit = p ? p->unit : s->unit };

	etc_text_cstr(&t, "  ");
	etc_text_put(&t, diff->groups[g].name);
	etc_text_repeat(&t, " ", widest - etc_utf8_width(diff->groups[g].name) + 2);
	if (!p || side->why != ETC_DEFINED) {
		etc_text_cstr(&t, p ? "no run" : "-");
	} else {
		if (p->unit != s->unit)
			scale = etc_scale_of(&one, side->estimate);
		etc_text_time(&t, side->estimate, scale.ns, scale.decimals, false);
		etc_text_printf(&t, " %s  (%s; median ", scale.name, etc_stat_name(diff->stat));
		etc_text_time(&t, side->median, scale.ns, scale.decimals, false);
		etc_text_cstr(&t, "; p95 ");
		etc_text_time(&t, side->p95, scale.ns, scale.decimals, false);
		etc_text_cstr(&t, ", max ");
		etc_text_time(&t, side->max, scale.ns, scale.decimals, false);
		etc_text_printf(&t, "; %zu run%s, %zu dump%s)", side->runs, etc_plural(side->runs),
		                side->dumps, etc_plural(side->dumps));
		if (etc_diff_knows_load(p)) {
			double time = etc_ratio_double(etc_ratio(p->loads[0].time, p->den));
			struct etc_scale load = etc_scale_of(&one, time);

			etc_text_cstr(&t, "   load ");
			etc_text_scaled(&t, time, load);
			etc_text_printf(&t, " %s", load.name);
		}
		for (uint32_t i = 0; i < ETC_VIEW_LIBRARIES; i++) {
			library = etc_view_library(p, path, i, arena);
			etc_text_cstr(&t, library.len ? "   " : "");
			etc_text_put(&t, library);
		}
	}
	return etc_text_keep(&t, arena);
}

static struct etc_str verdict_line(const struct etc_diff *diff, const struct etc_diff_section *s,
                                   uint32_t g, double level, struct etc_scale scale, bool numbers,
                                   struct etc_arena *arena)
{
	struct etc_text t = { 0 };

	put_name(&t, diff, s);
	etc_text_cstr(&t, ": ");
	put_verdict(&t, diff, s, g, scale);
	if (numbers)
		put_numbers(&t, diff, s, g, level, scale);
	return etc_text_keep(&t, arena);
}

enum etc_status etc_view_diff_head(const struct etc_diff *diff, const struct etc_diff_section *s,
                                   const struct etc_diff_screen *options, struct etc_arena *arena,
                                   struct etc_report_block *block, struct etc_str *headline,
                                   struct etc_error *err)
{
	struct etc_scale scale = etc_diff_scale(s, diff->group_count, options);
	struct etc_str *head = etc_new(arena, struct etc_str, 2 * (size_t)diff->group_count);
	size_t widest = 0;
	uint32_t n = 0;

	ETC_NEED(head, err);
	for (uint32_t g = 0; g < diff->group_count; g++) {
		size_t w = etc_utf8_width(diff->groups[g].name);

		widest = w > widest ? w : widest;
	}
	for (uint32_t g = 1; g < diff->group_count; g++)
		head[n++] = verdict_line(diff, s, g, options->confidence, scale, true, arena);
	for (uint32_t g = 0; g < diff->group_count; g++)
		head[n++] = group_line(diff, s, g, widest, scale, arena);
	for (uint32_t i = 0; i < n; i++)
		ETC_NEED(head[i].ptr, err);
	block->head = head;
	block->head_count = n;
	if (headline)
		*headline = head[0];
	return ETC_OK;
}
