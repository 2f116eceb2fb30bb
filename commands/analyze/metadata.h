/* metadata.h -- columns of events other than times, as text for display. */
#ifndef ETC_API_METADATA_H
#define ETC_API_METADATA_H

#include "profile/profile.h"
#include "join/places.h"
#include "commands/analyze/events_table.h"
#include "work/sites.h"

/* The runs of a template: all of them, and those that are passed to plugins. */
struct etc_template_runs {
	const uint32_t *run;
	size_t count;
	const uint32_t *about;
	size_t about_count;
	const uint8_t *use; /* enum etc_run_use of each run */
};

/* For each profile event of `template`: its metadata as parsed by its owner, else as decoded by
 * [backend.ID] metadata = ... (the distinct values of its runs; with `text` also named values
 * as "name=value ..."); with `places` its module and source line; and its unit: the owner's,
 * else the runtime's, but unknown for a delegate's event outside its DELEGATE_CALL. `method` is
 * that of the template. `works`: NULL, or the work of each event is wanted. E0605, E0904. */
enum etc_status etc_event_texts(const struct etc_trace *trace,
                                const struct etc_profile_options *options,
                                const struct etc_method *method, struct etc_places *places,
                                uint32_t template, const struct etc_template_runs *runs, bool text,
                                struct etc_works *works, struct etc_arena *arena,
                                const struct etc_event_text **out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
