/* metadata.h -- what delegate events say beside their times, as text for people. */
#ifndef ETC_API_METADATA_H
#define ETC_API_METADATA_H

#include "api/profile.h"

/* For each profile event of `shape` its metadata as its owner parsed it, else as
 * [backend.ID] metadata = ... decodes it: "name=value ..." or the distinct values
 * of its runs; empty: none. `*out` is NULL when no event of the dump has any.
 * `runs` are those of the shape. E0605, E0904. */
enum etc_status etc_event_metadata(const struct etc_trace *trace,
                                   const struct etc_profile_options *options, uint32_t shape,
                                   const size_t *runs, size_t run_count, struct etc_arena *arena,
                                   const struct etc_str **out,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
