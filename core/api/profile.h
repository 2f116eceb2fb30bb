/* profile.h -- the steps from a trace to the answer of `etcore analyze`. */
#ifndef ETC_API_PROFILE_H
#define ETC_API_PROFILE_H

#include "base/notes.h"
#include "host/host.h"
#include "join/site.h"
#include "model/profile.h"
#include "model/record.h"

struct etc_profile_options {
	struct etc_host_clock clock;
	size_t warmup;                   /* runs of each path to set aside */
	const struct etc_record *record; /* NULL: none */
	struct etc_host *host;           /* NULL: no plugins */
};

/* Fills `*out`; memory is the arena's, text may be the trace's. E0605, E0904. */
enum etc_status etc_profile_make(const struct etc_trace *trace,
                                 const struct etc_profile_options *options, struct etc_arena *arena,
                                 struct etc_profile *out, struct etc_error *err) ETC_MUST_CHECK;

/* The maps of the method that all runs belong to, if the record knows only one. */
const struct etc_method_maps *etc_profile_maps(const struct etc_record *record);

#endif
