/* diff_profiles.c -- makes the profiles that are compared; see diff_profiles.h */
#include "commands/compare/diff_profiles.h"

#include "commands/compare/stored.h"

enum etc_status etc_diff_profile(const struct etc_plan *plan, const struct etc_inputs *in,
                                 uint8_t by, bool places, struct etc_session *s,
                                 struct etc_profile *out, struct etc_error *err)
{
	struct etc_profile_options po = etc_plan_profile(plan, in, s);
	const struct etc_trace *trace;

	po.stat = ETC_STAT_MEAN; /* with this statistic, there is a sample of every kept run */
	po.by = by;
	po.samples = true;
	po.places = places;
	if (po.clock.unit != plan->profile.clock.unit)
		etc_note(&s->notes, N0225, "no scale was given");
	ETC_TRY(etc_profile_trace(&in->trace, &po, &s->arena, &trace, err));
	return etc_profile_make(trace, &po, &s->arena, out, err);
}

static enum etc_status profile(const struct etc_plan *plan, const struct etc_inputs *in,
                               struct etc_session *s, const struct etc_profile **out,
                               struct etc_error *err)
{
	bool of_places = etc_row_key(plan->by)->places;
	bool of_delegates = plan->by == ETC_BY_DELEGATE;
	struct etc_profile *p;

	s->notes.file = etc_str_of(in->dump.path);
	if (!in->etrecord.path && of_places)
		etc_note(&s->notes, N0450, "--by %s", etc_row_key(plan->by)->word);
	if (in->stored) {
		*out = &in->stored
		                ->views[of_delegates ? ETC_BASELINE_DELEGATE : ETC_BASELINE_EVENT];
		etc_stored_notes(&s->notes, in->stored);
		if (!etc_str_eq(in->stored->typical, ETC_STR(ETC_BASELINE_TYPICAL)))
			etc_note(&s->notes, N0135, "saved by etcore " ETC_STR_FMT,
			         ETC_STR_ARG(in->stored->etcore));
		if (in->stored->warmup != plan->profile.warmup)
			etc_note(&s->notes, W0179, "saved with --warmup %llu, compared with %zu",
			         (unsigned long long)in->stored->warmup, plan->profile.warmup);
		return ETC_OK;
	}
	p = etc_new(&s->arena, struct etc_profile, 1);
	ETC_NEED(p, err);
	*out = p;
	return etc_diff_profile(plan, in, of_delegates ? ETC_BY_DELEGATE : ETC_BY_EVENT,
	                        in->etrecord.path || of_places, s, p, err);
}

enum etc_status etc_diff_profiles(const struct etc_plan *plan, const struct etc_file_groups *files,
                                  struct etc_session *s, struct etc_diff_group **out,
                                  struct etc_error *err)
{
	struct etc_arena *arena = &s->arena;
	struct etc_diff_group *groups = etc_new(arena, struct etc_diff_group, files->count);

	*out = groups;
	ETC_NEED(groups, err);
	/* Releases the memory of the dumps' files, so that many dumps need not be in memory at the
	 * same time. When a dump has a profile, only names are still read from its file. */
	for (uint32_t g = 0; g < files->count; g++)
		for (uint32_t d = 0; d < files->v[g].dump_count; d++)
			if (g + d > 0)
				etc_session_rest(s, files->v[g].inputs[d].dump.bytes);
	for (uint32_t g = 0; g < files->count; g++) {
		const struct etc_file_group *of = &files->v[g];
		const struct etc_profile **dumps =
			etc_new(arena, const struct etc_profile *, of->dump_count);

		ETC_NEED(dumps, err);
		for (uint32_t d = 0; d < of->dump_count; d++) {
			ETC_TRY(profile(plan, &of->inputs[d], s, &dumps[d], err));
			etc_session_rest(s, of->inputs[d].dump.bytes);
		}
		groups[g] = (struct etc_diff_group){ .name = of->name,
			                             .dumps = dumps,
			                             .count = of->dump_count,
			                             .same_as_first = of->same_as_first,
			                             .in_first = of->in_first,
			                             .equal_files = of->equal_files };
	}
	return ETC_OK;
}
