/* sites.h -- joins the events of one event list with plugins, record and program. */
#ifndef ETC_PROFILE_SITES_H
#define ETC_PROFILE_SITES_H

#include "join/places.h"
#include "profile/profile.h"

/* The runs of one event list. */
struct etc_sites_runs {
	const uint32_t *run; /* indices of the runs in the trace */
	/* for each run an enum etc_run_use; samples of typical runs are passed to plugins */
	const uint8_t *use;
	size_t count;
};

/* Fills `sites`: calls, owners, names from the record, and with `nodes` also the places. Facts are
 * allocated in `arena`, everything else in `scratch`. E0605, E0904. */
enum etc_status etc_profile_sites(struct etc_sites *sites, const struct etc_trace *trace,
                                  uint32_t template, const struct etc_profile_options *options,
                                  const struct etc_method *method, struct etc_all_places *places,
                                  bool nodes, const struct etc_sites_runs *runs,
                                  struct etc_arena *arena, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
