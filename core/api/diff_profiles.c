/* diff_profiles.c -- see diff_profiles.h */
#include "api/diff_profiles.h"

static enum etc_status profile(const struct etc_plan *plan, const struct etc_inputs *in,
                               struct etc_session *s, struct etc_profile **out,
                               struct etc_error *err)
{
	struct etc_profile_options po = plan->profile;
	struct etc_notes *notes = &s->notes;
	uint8_t by = plan->by;

	*out = etc_new(&s->arena, struct etc_profile, 1);
	if (!*out)
		return etc_fail(err, E0904, "a profile");
	if (in->from_log)
		po.clock = plan->log_clock;
	po.stat = ETC_STAT_MEAN; /* so that every kept run is looked at */
	po.by = by == ETC_BY_DELEGATE ? ETC_BY_DELEGATE : ETC_BY_EVENT;
	po.samples = true;
	po.places = in->etrecord.path || by == ETC_BY_MODULE || by == ETC_BY_SOURCE;
	po.record = in->etrecord.path ? &in->record : NULL;
	po.program = in->program.path ? &in->code : NULL;
	po.host = &s->host;
	notes->file = etc_str_of(in->dump.path);
	if (!in->etrecord.path && (by == ETC_BY_MODULE || by == ETC_BY_SOURCE))
		etc_note(notes, N0450, "--by %s", etc_by_name(by));
	if (po.clock.unit != plan->profile.clock.unit)
		etc_note(notes, N0225, "no scale was given");
	return etc_profile_make(&in->trace, &po, &s->arena, *out, err);
}

enum etc_status etc_diff_profiles(const struct etc_plan *plan, const struct etc_file_groups *files,
                                  struct etc_session *s, struct etc_diff_group **out,
                                  struct etc_error *err)
{
	struct etc_arena *arena = &s->arena;
	struct etc_diff_group *groups = etc_new(arena, struct etc_diff_group, files->count);

	*out = groups;
	if (!groups)
		return etc_fail(err, E0904, "%u groups", files->count);
	for (uint32_t g = 0; g < files->count; g++) {
		const struct etc_file_group *of = &files->v[g];
		const struct etc_profile **dumps =
			etc_new(arena, const struct etc_profile *, of->dump_count);

		if (!dumps)
			return etc_fail(err, E0904, "%u dumps", of->dump_count);
		for (uint32_t d = 0; d < of->dump_count; d++) {
			struct etc_profile *p;

			ETC_TRY(profile(plan, &of->inputs[d], s, &p, err));
			dumps[d] = p;
		}
		groups[g] = (struct etc_diff_group){ of->name, dumps, of->dump_count };
	}
	return ETC_OK;
}
