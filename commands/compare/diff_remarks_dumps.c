/* diff_remarks_dumps.c -- see diff_remarks.h: remarks on dumps and programs. */
#include "commands/compare/diff_remarker.h"

#include "context/files.h"
#include "base/text.h"

/* ---- common to all remarks ------------------------------------------------------------------ */

struct etc_str etc_diff_group_name(const struct etc_diff_remarker *r, uint32_t g)
{
	return r->diff->groups[g].name;
}

struct etc_str etc_diff_place(const struct etc_diff_remarker *r, const struct etc_diff_section *s)
{
	struct etc_str path;

	if (r->diff->section_count < 2)
		return (struct etc_str){ 0 };
	path = etc_arena_printf(r->arena, ETC_STR_FMT "%spath %u: ", ETC_STR_ARG(s->method),
	                        s->method.len ? ", " : "", s->path);
	return path.ptr ? path : ETC_STR_NONE;
}

const struct etc_profile_path *etc_diff_path(const struct etc_diff_remarker *r,
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

void etc_diff_remark_dumps(const struct etc_diff_remarker *r)
{
	uint32_t ones = 0;

	for (uint32_t g = 0; g < r->diff->group_count; g++)
		ones += r->diff->groups[g].count == 1;
	if (ones == r->diff->group_count)
		etc_note(r->notes, N0155, "one dump each");
	else if (ones)
		etc_note(r->notes, N0165, "%u group%s of one dump", ones, etc_plural(ones));
}

/* Reports dumps of a group that differ in their number of paths or events. */
void etc_diff_remark_disagree(const struct etc_diff_remarker *r)
{
	for (uint32_t g = 0; g < r->diff->group_count; g++)
		for (uint32_t d = 1; d < r->diff->groups[g].count; d++) {
			const struct etc_profile *a = r->diff->groups[g].dumps[0];
			const struct etc_profile *b = r->diff->groups[g].dumps[d];

			if (a->path_count != b->path_count || a->row_count != b->row_count)
				etc_note_each(r->notes, N0166,
				              ETC_STR_FMT
				              ": %s has %u path%s and %zu events, %s %u and %zu",
				              ETC_STR_ARG(etc_diff_group_name(r, g)),
				              r->files->v[g].dumps[0], a->path_count,
				              etc_plural(a->path_count), a->row_count,
				              r->files->v[g].dumps[d], b->path_count, b->row_count);
		}
}

/* ---- other differences --------------------------------------------------------------------- */

static bool same_bytes(const struct etc_diff_remarker *r, const struct etc_input_file *a,
                       const struct etc_input_file *b)
{
	if (!a->path || !b->path)
		return true; /* a file is missing, so no difference can be shown */
	return etc_file_same(a, b, r->arena);
}

void etc_diff_remark_programs(const struct etc_diff_remarker *r)
{
	const struct etc_inputs *a = &r->files->v[0].inputs[0];

	for (uint32_t g = 1; g < r->files->count; g++) {
		const struct etc_inputs *b = &r->files->v[g].inputs[0];
		bool known = a->program.path && b->program.path;
		bool program = !same_bytes(r, &a->program, &b->program);
		/* Each export writes a new record, even for the same program, so records are
		 * compared only if the programs differ or are unknown. */
		bool record = (program || !known) && !same_bytes(r, &a->etrecord, &b->etrecord);

		if (record || program)
			etc_note_each(r->notes, N0156, ETC_STR_FMT " and " ETC_STR_FMT ": %s",
			              ETC_STR_ARG(etc_diff_group_name(r, 0)),
			              ETC_STR_ARG(etc_diff_group_name(r, g)),
			              program ? record ? "their programs and ETRecords"
			                               : "their programs"
			                      : "their ETRecords");
	}
}

void etc_diff_remark_partitions(const struct etc_diff_remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];
		const struct etc_profile *p;
		const struct etc_profile_path *a = etc_diff_path(r, s, 0, &p);
		struct etc_str place = etc_diff_place(r, s);

		for (uint32_t g = 1; g < r->diff->group_count && a; g++) {
			const struct etc_profile_path *b = etc_diff_path(r, s, g, &p);

			if (b && a->partitions != b->partitions)
				etc_note_each(
					r->notes, N0157,
					ETC_STR_FMT ETC_STR_FMT
					" has %u delegate call%s per run, " ETC_STR_FMT " %u",
					ETC_STR_ARG(place), ETC_STR_ARG(etc_diff_group_name(r, 0)),
					a->partitions, etc_plural(a->partitions),
					ETC_STR_ARG(etc_diff_group_name(r, g)), b->partitions);
		}
	}
}

/* The kinds of events that were logged on a path, and the number per run. */
struct logged {
	double events; /* number of events per run, except Method::execute */
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
	/* A DELEGATE_CALL that encloses other events is not a row, so it is counted here. */
	l.events += l.delegate ? (double)path->partitions : 0;
	return l;
}

void etc_diff_remark_tracers(const struct etc_diff_remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];
		const struct etc_profile *pa = NULL, *pb = NULL;
		const struct etc_profile_path *a = etc_diff_path(r, s, 0, &pa);

		for (uint32_t g = 1; g < r->diff->group_count && a; g++) {
			const struct etc_profile_path *b = etc_diff_path(r, s, g, &pb);
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
				              ETC_STR_ARG(etc_diff_group_name(r, 0)),
				              ETC_STR_ARG(etc_diff_group_name(r, g)), what);
		}
	}
}

/* If one group logged events and the other did not: reports that the difference includes
 * the cost of logging. */
void etc_diff_remark_tracer_cost(const struct etc_diff_remarker *r)
{
	for (uint32_t i = 0; i < r->diff->section_count && i < ETC_DIFF_REMARK_SECTIONS; i++) {
		const struct etc_diff_section *s = &r->diff->sections[i];
		const struct etc_profile *pa = NULL, *pb = NULL;
		const struct etc_profile_path *a = etc_diff_path(r, s, 0, &pa);

		for (uint32_t g = 1; g < r->diff->group_count && a; g++) {
			const struct etc_comparison *c = s->rows[0].against[g];
			const struct etc_profile_path *b = etc_diff_path(r, s, g, &pb);
			double x, y, cost;

			if (!b || c->why != ETC_DEFINED || !c->significant)
				continue;
			x = logged_of(pa, a).events;
			y = logged_of(pb, b).events;
			cost = x > 0 ? -c->difference : c->difference;
			if ((x > 0) == (y > 0) || cost <= 0)
				continue;
			etc_note_each(r->notes, N0162,
			              "%.4g %s per run, %.3g per event (%.6g events per run)", cost,
			              etc_unit_name(s->unit), cost / (x > 0 ? x : y),
			              x > 0 ? x : y);
		}
	}
}
