/* remark_program.c -- notes that follow from dump, record and program; see remarks.h. */
#include "profile/remarks.h"

void etc_remark_foreign(const struct etc_inputs *in, struct etc_notes *notes)
{
	struct etc_str dump = notes->file;

	if (in->record_foreign.len)
		etc_note(notes, W0424, "it is not used: " ETC_STR_FMT,
		         ETC_STR_ARG(in->record_foreign));
	if (!in->program_foreign.len)
		return;
	notes->file = etc_str_of(in->program.path); /* the file that the warning is about */
	etc_note(notes, W0435, "it is not used: " ETC_STR_FMT, ETC_STR_ARG(in->program_foreign));
	notes->file = dump;
}

void etc_remark_program(const struct etc_profile *profile, struct etc_notes *notes)
{
	uint32_t several = 0, disputed = 0;
	int32_t first = 0;

	for (uint32_t p = 0; p < profile->path_count; p++) {
		const struct etc_profile_path *path = &profile->paths[p];

		several += path->methods_fit;
		if (disputed == 0)
			first = path->disputed_first;
		disputed += path->disputed;
	}
	if (disputed)
		etc_note(notes, N0436,
		         "%u delegate call%s, the first is instruction %d; the ETRecord's is used",
		         disputed, etc_plural(disputed), (int)first);
	if (several)
		etc_note(notes, N0127, "%u of %u paths", several, profile->path_count);
}
