/* diff_remarks.c -- reports what weakens a verdict of `etcore diff`; see diff_remarks.h
 *
 * Each remark (note or warning) is made by a function. The table at the end of this file sets the
 * order, and what each function gets: the whole diff, the end-to-end times of each group, or each
 * comparison of end-to-end times. Remarks on a group are about its end-to-end times. Remarks on
 * rows are in the column `caveats` of the machine-readable table. */
#include "base/text.h"
#include "commands/compare/diff_remarks.h"
#include "context/files.h"
#include "profile/remarks.h"
#include "stats/estimate.h"
#include "table/words.h"

/* ---- remarks on dumps and programs --------------------------------------------- */

struct remarker {
	const struct etc_diff *diff;
	const struct etc_file_groups *files;
	struct etc_arena *arena;
	struct etc_notes *notes;
};

/* Remarks are made about at most this many paths: those that take the most time. */
enum { ETC_DIFF_REMARK_SECTIONS = 12 };

typedef void remark_fn(const struct remarker *r);

/* ---- common to all remarks ------------------------------------------------------------------ */

static struct etc_str group_name(const struct remarker *r, uint32_t g)
{
	return r->diff->groups[g].name;
}

/* Returns the prefix of a remark: the name of the section, such as "forward, path 2: "; empty if
 * there is only one section. */
static struct etc_str place_of(const struct remarker *r, const struct etc_diff_section *s)
{
	struct etc_str path;

	if (r->diff->section_count < 2)
		return (struct etc_str){ 0 };
	path = etc_arena_printf(r->arena, ETC_STR_FMT "%spath %u: ", ETC_STR_ARG(s->method),
	                        s->method.len ? ", " : "", s->path);
	return path.ptr ? path : ETC_STR_NONE;
}

/* Returns the section's path in the first dump of group `g` that has the path, and sets *profile to
 * the profile of that dump. NULL: no dump of the group has the path. */
static const struct etc_profile_path *path_of(const struct remarker *r,
                                              const struct etc_diff_section *s, uint32_t g,
                                              const struct etc_profile **profile)
{
	const struct etc_diff *d = r->diff;

	for (uint32_t i = d->first_dump[g]; i < d->first_dump[g + 1]; i++)
		if (s->paths[i] != UINT32_MAX) {
			*profile = d->groups[g].dumps[i - d->first_dump[g]];
			return &(*profile)->paths[s->paths[i]];
		}
	return NULL;
}

/* ---- dumps ------------------------------------------------------------------------------ */

static void count_dumps(const struct remarker *r)
{
	uint32_t ones = 0;

	for (uint32_t g = 0; g < r->diff->group_count; g++)
		ones += r->diff->groups[g].count == 1;
	if (ones == r->diff->group_count)
		etc_note(r->notes, N0155, "one dump each");
	else if (ones)
		etc_note(r->notes, N0165, "%u group%s of one dump", ones, etc_plural(ones));
}

/* Reports the first row that only some dumps of group `g` have. */
static void say_partial(const struct remarker *r, uint32_t g)
{
	for (uint32_t i = 0; i < r->diff->section_count; i++)
		for (uint32_t k = 0; k < r->diff->sections[i].row_count; k++) {
			const struct etc_diff_row *row = &r->diff->sections[i].rows[k];
			const struct etc_diff_side *side = &row->sides[g];

			if (!side->partial)
				continue;
			etc_note_each(
				r->notes, N0166, ETC_STR_FMT ": %s has " ETC_STR_FMT ", %s has not",
				ETC_STR_ARG(group_name(r, g)), r->files->v[g].dumps[side->has],
				ETC_STR_ARG(row->key), r->files->v[g].dumps[side->lacks]);
			return;
		}
}

/* Reports the dumps of a group whose number of paths, or number of events, differs from that of the
 * group's first dump. If all dumps have the same numbers, reports a row that only some of the dumps
 * have. */
static void say_disagree(const struct remarker *r)
{
	for (uint32_t g = 0; g < r->diff->group_count; g++) {
		bool counts_differ = false;

		for (uint32_t d = 1; d < r->diff->groups[g].count; d++) {
			const struct etc_profile *a = r->diff->groups[g].dumps[0];
			const struct etc_profile *b = r->diff->groups[g].dumps[d];

			if (a->path_count == b->path_count && a->row_count == b->row_count)
				continue;
			counts_differ = true;
			etc_note_each(r->notes, N0166,
			              ETC_STR_FMT
			              ": %s has %u path%s and %zu events, %s %u and %zu",
			              ETC_STR_ARG(group_name(r, g)), r->files->v[g].dumps[0],
			              a->path_count, etc_plural(a->path_count), a->row_count,
			              r->files->v[g].dumps[d], b->path_count, b->row_count);
		}
		if (!counts_differ)
			say_partial(r, g);
	}
}

/* ---- other differences --------------------------------------------------------------------- */

static bool same_bytes(const struct remarker *r, const struct etc_input_file *a,
                       const struct etc_input_file *b)
{
	if (!a->path || !b->path)
		return true; /* a file is missing, so no difference can be shown */
	return etc_file_same(a, b, r->arena);
}

static void say_programs(const struct remarker *r)
{
	const struct etc_inputs *a = &r->files->v[0].inputs[0];

	for (uint32_t g = 1; g < r->files->count; g++) {
		const struct etc_inputs *b = &r->files->v[g].inputs[0];
		bool known = a->program.path && b->program.path;
		bool program = !same_bytes(r, &a->program, &b->program);
		/* Each export writes a new record, even for the same program. So records are
		 * compared only if the programs differ or are unknown. */
		bool record = (program || !known) && !same_bytes(r, &a->etrecord, &b->etrecord);

		if (record || program)
			etc_note_each(r->notes, N0156, ETC_STR_FMT " and " ETC_STR_FMT ": %s",
			              ETC_STR_ARG(group_name(r, 0)), ETC_STR_ARG(group_name(r, g)),
			              program ? record ? "their programs and ETRecords"
			                               : "their programs"
			                      : "their ETRecords");
	}
}

static void say_partitions(const struct remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];
		const struct etc_profile *p;
		const struct etc_profile_path *a = path_of(r, s, 0, &p);
		struct etc_str place = place_of(r, s);

		for (uint32_t g = 1; g < r->diff->group_count && a; g++) {
			const struct etc_profile_path *b = path_of(r, s, g, &p);

			if (b && a->partitions != b->partitions)
				etc_note_each(r->notes, N0157,
				              ETC_STR_FMT ETC_STR_FMT
				              " has %u delegate call%s per run, " ETC_STR_FMT " %u",
				              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, 0)),
				              a->partitions, etc_plural(a->partitions),
				              ETC_STR_ARG(group_name(r, g)), b->partitions);
		}
	}
}

/* What was logged on a path (a sequence of instructions that runs executed). */
struct logged {
	double events; /* number of events per run, without Method::execute */
	bool delegate; /* some events are events of delegates */
	bool debug;    /* the dump has intermediate values */
	uint32_t partitions;
};

static struct logged logged_of(const struct etc_profile *p, const struct etc_profile_path *path)
{
	struct logged l = { .debug = p->debugs > 0, .partitions = path->partitions };
	size_t from, to;

	l.delegate = path->delegate_events > 0;
	etc_profile_rows(p, (uint32_t)(path - p->paths), &from, &to);
	for (size_t i = from; i < to; i++)
		l.events += (double)p->rows[i].calls / (double)path->kept;
	/* A DELEGATE_CALL with other events inside it is not a row, so it is counted here. */
	l.events += l.delegate ? (double)path->partitions : 0;
	return l;
}

static void say_tracers(const struct remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];
		const struct etc_profile *pa = NULL, *pb = NULL;
		const struct etc_profile_path *a = path_of(r, s, 0, &pa);

		for (uint32_t g = 1; g < r->diff->group_count && a; g++) {
			const struct etc_profile_path *b = path_of(r, s, g, &pb);
			struct logged x = logged_of(pa, a), y;
			const char *what;

			if (!b)
				continue;
			y = logged_of(pb, b);
			what = (x.events > 0) != (y.events > 0) ? "events inside of a run"
			       : x.partitions && y.partitions && x.delegate != y.delegate
			               ? "events inside of delegates"
			       : x.debug != y.debug ? "debug values"
			                            : NULL;
			if (what)
				etc_note_each(r->notes, N0158,
				              "only one of " ETC_STR_FMT " and " ETC_STR_FMT
				              " has %s",
				              ETC_STR_ARG(group_name(r, 0)),
				              ETC_STR_ARG(group_name(r, g)), what);
		}
	}
}

static void note_tracer_cost(const struct remarker *r, const struct etc_profile *profile,
                             double cost, double events)
{
	const struct etc_scale run = etc_scale_of(profile, cost),
			       event = etc_scale_of(profile, cost / events);
	struct etc_text t = { 0 };

	etc_text_scaled(&t, cost, run);
	etc_text_printf(&t, " %s per run, ", run.name);
	etc_text_scaled(&t, cost / events, event);
	etc_text_printf(&t, " %s per event (%.6g events per run)", event.name, events);
	etc_note_each(r->notes, N0162, ETC_STR_FMT, ETC_STR_ARG(etc_text_str(&t)));
	etc_text_release(&t);
}

/* If only the slower group logged events, reports that a significant difference includes the cost
 * of logging. */
static void say_tracer_cost(const struct remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];
		const struct etc_profile *pa = NULL, *pb = NULL;
		const struct etc_profile_path *a = path_of(r, s, 0, &pa);

		for (uint32_t g = 1; g < r->diff->group_count && a; g++) {
			const struct etc_comparison *c = s->rows[0].against[g];
			const struct etc_profile_path *b = path_of(r, s, g, &pb);
			double x, y, cost;

			if (!b || c->why != ETC_DEFINED || !c->significant)
				continue;
			x = logged_of(pa, a).events;
			y = logged_of(pb, b).events;
			cost = x > 0 ? -c->difference : c->difference;
			if ((x > 0) == (y > 0) || cost <= 0)
				continue;
			note_tracer_cost(r, pa, cost, x > 0 ? x : y);
		}
	}
}

/* ---- functions that visit all sides and rows ---------------------------------------- */

typedef void side_fn(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                     const struct etc_comparison_side *side);

/* Calls look() with the end-to-end times of every group that ran the section's path, for the first
 * ETC_DIFF_REMARK_SECTIONS sections. */
static void each_end(const struct remarker *r, side_fn *look)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];

		for (uint32_t g = 0; g < r->diff->group_count; g++)
			if (s->rows[0].sides[g].present)
				look(r, s, g, etc_diff_end(s, g));
	}
}

/* Tests a condition on a row and group `g`. */
typedef bool row_fn(const struct etc_diff_row *row, uint32_t g);

static uint32_t count_rows(const struct remarker *r, row_fn *is)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->diff->section_count; i++)
		for (uint32_t k = 0; k < r->diff->sections[i].row_count; k++)
			for (uint32_t g = 1; g < r->diff->group_count; g++)
				n += is(&r->diff->sections[i].rows[k], g);
	return n;
}

/* ---- runs ----------------------------------------------------------------------------- */

static void no_run(const struct remarker *r)
{
	for (uint32_t g = 0; g < r->diff->group_count; g++)
		for (uint32_t d = 0; d < r->diff->groups[g].count; d++)
			if (r->diff->groups[g].dumps[d]->path_count == 0)
				etc_note_each(r->notes, W0168, ETC_STR_FMT ": %s",
				              ETC_STR_ARG(group_name(r, g)),
				              r->files->v[g].dumps[d]);
}

static void say_few(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                    const struct etc_comparison_side *side)
{
	struct etc_str place = place_of(r, s);
	size_t least = etc_estimate_least(r->diff->stat);

	least = least > ETC_CAVEAT_RUNS ? least : ETC_CAVEAT_RUNS;
	if (side->examined.caveats & ETC_CAVEAT_FEW_RUNS)
		etc_note_each(r->notes, N0150,
		              ETC_STR_FMT ETC_STR_FMT " has %zu kept run%s, %zu are needed",
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, g)), side->runs,
		              etc_plural(side->runs), least);
}

static bool has_no_chance(const struct etc_diff_row *row, uint32_t g)
{
	return row->level == ETC_DIFF_RUN && row->against[g]->why == ETC_DEFINED &&
	       row->against[g]->caveats & ETC_CAVEAT_NO_CHANCE &&
	       !(row->against[g]->caveats & ETC_CAVEAT_FEW_RUNS);
}

static void no_chance(const struct remarker *r)
{
	uint32_t n = count_rows(r, has_no_chance);

	if (n)
		etc_note(r->notes, N0161, "%u comparison%s end to end", n, etc_plural(n));
}

static void warm_up(const struct remarker *r)
{
	size_t most = 0;

	for (uint32_t g = 0; g < r->diff->group_count; g++)
		for (uint32_t d = 0; d < r->diff->groups[g].count; d++) {
			const struct etc_profile *p = r->diff->groups[g].dumps[d];

			for (uint32_t k = 0; k < p->path_count; k++)
				if (p->paths[k].warmup > most && etc_first_is_slower(&p->paths[k]))
					most = p->paths[k].warmup;
		}
	if (most)
		etc_note(r->notes, N0120, "%zu of each path and dump", most);
}

static void say_constant(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                         const struct etc_comparison_side *side)
{
	const struct etc_profile *p;
	const struct etc_profile_path *path = path_of(r, s, g, &p);
	struct etc_str place = place_of(r, s);

	if (!path || path->kept < 2 || side->why != ETC_DEFINED)
		return;
	for (size_t i = 1; i < path->kept; i++)
		if (path->values[i].time != path->values[0].time)
			return;
	etc_note_each(r->notes, N0167, ETC_STR_FMT ETC_STR_FMT ": all %zu kept runs take %.15g %s",
	              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, g)), path->kept,
	              etc_ratio_double(etc_ratio(path->values[0].time, path->den)),
	              etc_unit_name(p->unit));
}

/* ---- are the runs of a group independent draws from one distribution? ----------------- */

static void say_drift(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                      const struct etc_comparison_side *side)
{
	struct etc_str place = place_of(r, s);
	char text[ETC_P_TEXT], change[ETC_DRIFT_TEXT];

	if (side->examined.caveats & ETC_CAVEAT_DRIFT)
		etc_note_each(r->notes, N0151,
		              ETC_STR_FMT ETC_STR_FMT " gets %s from the first quarter of its runs "
		                                      "to the last (medians; Mann-Kendall p %s)",
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, g)),
		              etc_drift_text(side->examined.drift, change),
		              etc_p_text(side->examined.drift_p, text));
}

static void say_dependent(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                          const struct etc_comparison_side *side)
{
	struct etc_str place = place_of(r, s);

	if (side->examined.caveats & ETC_CAVEAT_AUTOCORRELATED)
		etc_note_each(r->notes, N0152,
		              ETC_STR_FMT ETC_STR_FMT
		              ": %zu runs tell as much as %.3g that are independent (lag 1: %.2f)",
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, g)), side->runs,
		              side->examined.effective, side->examined.lag1);
}

static void say_bimodal(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                        const struct etc_comparison_side *side)
{
	struct etc_str place = place_of(r, s);
	char text[ETC_MODES_TEXT];

	if (side->examined.caveats & ETC_CAVEAT_BIMODAL)
		etc_note_each(r->notes, N0153, ETC_STR_FMT ETC_STR_FMT " (%s)", ETC_STR_ARG(place),
		              ETC_STR_ARG(group_name(r, g)), etc_modes_text(&side->examined, text));
}

static bool is_below(const struct etc_diff_row *row, uint32_t g)
{
	return etc_diff_change(row, g) == ETC_CHANGE_BELOW;
}

static void below(const struct remarker *r)
{
	uint32_t n = count_rows(r, is_below);

	if (n)
		etc_note(r->notes, N0154, "%u row%s", n, etc_plural(n));
}

/* ---- comparisons of recordings ------------------------------------------------------------- */

typedef void end_fn(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                    const struct etc_comparison *c);

/* Calls look() for every defined end-to-end comparison in the first ETC_DIFF_REMARK_SECTIONS
 * sections. */
static void each_comparison(const struct remarker *r, end_fn *look)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];

		for (uint32_t g = 1; g < r->diff->group_count; g++)
			if (s->rows[0].sides[0].present && s->rows[0].sides[g].present &&
			    s->rows[0].against[g]->why == ETC_DEFINED)
				look(r, s, g, s->rows[0].against[g]);
	}
}

/* If the typical run did not change, reports a change of the slowest runs (the tail). If the
 * typical run changed, reports nothing, since the verdict reports a change already. */
static void say_tails(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                      const struct etc_comparison *c)
{
	struct etc_str place = place_of(r, s);
	char text[ETC_P_TEXT];

	if (c->caveats & ETC_CAVEAT_TAILS && !etc_compare_claims(c))
		etc_note_each(r->notes, N0193,
		              ETC_STR_FMT ETC_STR_FMT " has %.3g %% slow runs, " ETC_STR_FMT
		                                      " %.3g %% (p %s)%s",
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, 0)), c->slow[0] * 100,
		              ETC_STR_ARG(group_name(r, g)), c->slow[1] * 100,
		              etc_p_text(c->tail_p, text),
		              c->a.dumps > 1 && c->b.dumps > 1
		                      ? ""
		                      : "; one process may have more slow runs than another");
}

/* Were all dumps of one group recorded before all dumps of the other group? */
static bool one_after_other(const struct etc_diff_group *a, const struct etc_diff_group *b)
{
	uint32_t after = 0;

	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			after += b->places[k] > a->places[i];
	return after == 0 || after == a->count * b->count;
}

/* If the order of recording is unknown, warns (N0194) that a drift over the recordings may explain
 * the claimed change. If the change was adjusted for such a drift, reports the change with and
 * without the adjustment (N0195). */
static void say_order(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                      const struct etc_comparison *c)
{
	struct etc_str place = place_of(r, s);

	if (c->p_method == ETC_P_DUMPS && etc_compare_claims(c) && !r->diff->groups[g].places)
		etc_note_each(r->notes, N0194, ETC_STR_FMT ETC_STR_FMT " and " ETC_STR_FMT,
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, 0)),
		              ETC_STR_ARG(group_name(r, g)));
	else if (c->p_method == ETC_P_ORDER)
		etc_note_each(r->notes, N0195,
		              ETC_STR_FMT ETC_STR_FMT ": %+.3g %%; without it %+.3g %%%s",
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, g)),
		              c->other / c->a.estimate * 100, (c->ratio - 1) * 100,
		              one_after_other(&r->diff->groups[0], &r->diff->groups[g])
		                      ? "; recorded one after the other: a sudden change of the "
		                        "machine looks the same"
		                      : "");
}

/* Does the method accept inputs of several sizes? If `method` is empty (unknown): does any method
 * of the program? */
static bool takes_sizes(const struct etc_inputs *in, struct etc_str method)
{
	const struct etc_program *program = etc_inputs_program(in);

	for (uint32_t i = 0; program && i < program->method_count; i++) {
		const struct etc_program_method *m = &program->methods[i];

		if (m->dynamic_inputs && (method.len == 0 || etc_str_eq(m->name, method)))
			return true;
	}
	return false;
}

static void say_sizes(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                      const struct etc_comparison *c)
{
	struct etc_str place = place_of(r, s);

	if (c->significant && (takes_sizes(&r->files->v[0].inputs[0], s->method) ||
	                       takes_sizes(&r->files->v[g].inputs[0], s->method)))
		etc_note_each(r->notes, N0198, ETC_STR_FMT ETC_STR_FMT " and " ETC_STR_FMT,
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, 0)),
		              ETC_STR_ARG(group_name(r, g)));
}

static void say_drowned(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                        const struct etc_comparison *c)
{
	struct etc_str place = place_of(r, s);
	uint32_t drifts = c->drift == c->a.examined.drift_inside ? 0 : g;

	if (c->significant && c->caveats & ETC_CAVEAT_DROWNED && c->p_method != ETC_P_ORDER)
		etc_note_each(r->notes, N0196,
		              ETC_STR_FMT "a line through the runs of " ETC_STR_FMT
		                          " drifts by %+.3g %% of a typical run inside its dumps; "
		                          "%+.3g %% between the groups",
		              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, drifts)),
		              c->drift * 100, (c->ratio - 1) * 100);
}

static void say_speeds(const struct remarker *r, const struct etc_diff_section *s, uint32_t g,
                       const struct etc_comparison *c)
{
	struct etc_str place = place_of(r, s);

	if (c->significant && c->caveats & ETC_CAVEAT_SPEEDS)
		etc_note_each(r->notes, N0197,
		              ETC_STR_FMT "%.3g %% apart; slow are %zu of %zu runs of " ETC_STR_FMT
		                          " and %zu of %zu of " ETC_STR_FMT
		                          "; %+.3g %% between the groups",
		              ETC_STR_ARG(place), (c->speeds[1] / c->speeds[0] - 1) * 100,
		              c->slower[0], c->a.runs, ETC_STR_ARG(group_name(r, 0)), c->slower[1],
		              c->b.runs, ETC_STR_ARG(group_name(r, g)), (c->ratio - 1) * 100);
}

/* ---- how rows were matched ------------------------------------------------------------- */

static bool is_common(const struct etc_diff_row *row, uint32_t g)
{
	return row->level == ETC_DIFF_ROW && row->sides[0].present && row->sides[g].present;
}

static void nothing_common(const struct remarker *r)
{
	for (uint32_t g = 1; g < r->diff->group_count; g++)
		for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS;
		     i++) {
			const struct etc_diff_section *s = &r->diff->sections[i];
			struct etc_str place = place_of(r, s);

			if (etc_diff_unrelated(s->rows, s->row_count, g))
				etc_note_each(r->notes, W0159,
				              ETC_STR_FMT ETC_STR_FMT " and " ETC_STR_FMT,
				              ETC_STR_ARG(place), ETC_STR_ARG(group_name(r, 0)),
				              ETC_STR_ARG(group_name(r, g)));
		}
}

static bool is_by_position(const struct etc_diff_row *row, uint32_t g)
{
	return is_common(row, g) && row->sides[g].how & 1u << ETC_MATCH_POSITION;
}

static void positions(const struct remarker *r)
{
	uint32_t n = count_rows(r, is_by_position);

	if (n)
		etc_note(r->notes, N0164, "%u row%s", n, etc_plural(n));
}

static bool is_other_unit(const struct etc_diff_row *row, uint32_t g)
{
	return row->level == ETC_DIFF_RUN && row->sides[0].present && row->sides[g].present &&
	       row->sides[0].unit != row->sides[g].unit;
}

static void units(const struct remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count; i++)
		for (uint32_t g = 1; g < r->diff->group_count; g++) {
			const struct etc_diff_row *end = &r->diff->sections[i].rows[0];

			if (is_other_unit(end, g))
				etc_note_each(r->notes, W0160,
				              ETC_STR_FMT " counts %s, " ETC_STR_FMT " %s",
				              ETC_STR_ARG(group_name(r, 0)),
				              etc_unit_name(end->sides[0].unit),
				              ETC_STR_ARG(group_name(r, g)),
				              etc_unit_name(end->sides[g].unit));
		}
}

static bool is_other_kernel(const struct etc_diff_row *row, uint32_t g)
{
	return is_common(row, g) && row->sides[g].kernel == ETC_KERNEL_OTHER;
}

static bool is_doubtful(const struct etc_diff_row *row, uint32_t g)
{
	return is_common(row, g) && row->sides[g].kernel == ETC_KERNEL_DOUBTFUL;
}

/* Has the row changed significantly, and is its name that of several kernels? N0169 is reported
 * only if there is such a row. The number in N0169 counts all rows whose name is that of several
 * kernels, including unchanged rows. */
static bool is_doubtful_news(const struct etc_diff_row *row, uint32_t g)
{
	return is_doubtful(row, g) && row->against[g]->significant;
}

/* Is the row a number of threads, rather than a time? QNN logs such a row; most backends do not. */
static bool is_thread_counter(const struct etc_diff_row *row)
{
	return row->unit == ETC_UNIT_COUNT &&
	       etc_str_find(row->key, ETC_STR("threads"), 0) != SIZE_MAX;
}

static void threads(const struct remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++)
		for (uint32_t k = 0; k < r->diff->sections[i].row_count; k++)
			for (uint32_t g = 1; g < r->diff->group_count; g++) {
				const struct etc_diff_row *row = &r->diff->sections[i].rows[k];
				const struct etc_comparison *c = row->against[g];

				if (is_common(row, g) && is_thread_counter(row) &&
				    c->why == ETC_DEFINED && c->a.median != c->b.median)
					etc_note_each(r->notes, N0170,
					              ETC_STR_FMT ": " ETC_STR_FMT
					                          " %.4g, " ETC_STR_FMT " %.4g",
					              ETC_STR_ARG(row->key),
					              ETC_STR_ARG(group_name(r, 0)), c->a.median,
					              ETC_STR_ARG(group_name(r, g)), c->b.median);
			}
}

static void kernels(const struct remarker *r)
{
	uint32_t other = count_rows(r, is_other_kernel), doubtful = count_rows(r, is_doubtful);

	if (other)
		etc_note(r->notes, N0163,
		         "%u row%s: the name fits kernels with and without SME, and only one of "
		         "the groups has kernels with SME",
		         other, etc_plural(other));
	if (doubtful && count_rows(r, is_doubtful_news))
		etc_note(r->notes, N0169, "%u row%s", doubtful, etc_plural(doubtful));
}

void etc_remark_diff(const struct etc_diff *diff, const struct etc_file_groups *files,
                     struct etc_arena *arena, struct etc_notes *notes)
{
	static const struct {
		remark_fn *all;
		side_fn *end;
		end_fn *pair;
	} remarks[] = {
		{ .all = no_run },       { .all = units },           { .all = nothing_common },
		{ .end = say_few },      { .all = no_chance },       { .all = count_dumps },
		{ .all = say_disagree }, { .end = say_drift },       { .end = say_dependent },
		{ .end = say_bimodal },  { .pair = say_tails },      { .pair = say_order },
		{ .pair = say_drowned }, { .pair = say_speeds },     { .pair = say_sizes },
		{ .end = say_constant }, { .all = warm_up },         { .all = below },
		{ .all = say_programs }, { .all = say_partitions },  { .all = threads },
		{ .all = say_tracers },  { .all = say_tracer_cost }, { .all = positions },
		{ .all = kernels },
	};
	const struct remarker r = { diff, files, arena, notes };

	notes->file = (struct etc_str){ 0 };
	for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++) {
		if (remarks[i].all)
			remarks[i].all(&r);
		if (remarks[i].end)
			each_end(&r, remarks[i].end);
		if (remarks[i].pair)
			each_comparison(&r, remarks[i].pair);
	}
}
