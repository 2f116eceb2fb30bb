/* profile.h -- the steps from a trace to the answer of `etcore analyze`. */
#ifndef ETC_API_PROFILE_H
#define ETC_API_PROFILE_H

#include "base/notes.h"
#include "host/host.h"
#include "join/site.h"
#include "model/profile.h"
#include "model/program.h"
#include "model/record.h"

struct etc_profile_options {
	struct etc_host_clock clock;
	size_t warmup; /* runs of each path, and file, to set aside */
	uint8_t stat;  /* enum etc_stat */
	uint8_t by;    /* enum etc_by, none of METHOD, FILE, RUN */
	bool samples; /* keep the values of each run that is in the rows; MEAN: of every kept run */
	bool places;  /* find nodes and modules whatever `by` is */
	bool remarks; /* rows only as etc_remark_profile() needs them: see join/measure.h */
	bool path_columns;    /* columns of plugins for whole paths, too */
	bool no_rows;         /* no event is looked at: paths, and how long their runs took */
	const uint32_t *file; /* of each run, when several are pooled; else NULL */
	const struct etc_record *record;   /* NULL: none */
	const struct etc_program *program; /* NULL: none */
	struct etc_host *host;             /* NULL: no plugins */
};

/* The trace with the children of events that plugins expand; `trace` itself if there are
 * none. For the functions below and etc_events_make(). E0605, E0904. */
enum etc_status etc_profile_trace(const struct etc_trace *trace,
                                  const struct etc_profile_options *options,
                                  struct etc_arena *arena, const struct etc_trace **out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Fills `*out`; memory is the arena's, text may be the trace's. E0605, E0904. */
enum etc_status etc_profile_make(const struct etc_trace *trace,
                                 const struct etc_profile_options *options, struct etc_arena *arena,
                                 struct etc_profile *out, struct etc_error *err) ETC_MUST_CHECK;

/* Keeps the paths of one method, numbers and all. E0904. */
enum etc_status etc_profile_only(struct etc_profile *profile, struct etc_str method,
                                 struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Tells which load belongs to which of several methods, when each load is
 * followed by runs of just one method that did not run before. `run`: places of the loads in the trace,
 * which has `run_count` runs; `file`: of each run, or NULL. False: not known, and all are left without. */
bool etc_profile_assign_loads(const struct etc_profile *profile, struct etc_profile_load *loads,
                              const uint32_t *run, size_t run_count, const uint32_t *file);

#endif
