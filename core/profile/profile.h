/* profile.h -- makes a profile from a trace, the result of `etcore analyze`. */
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
	size_t warmup; /* first runs of each path and file to discard as warm-up */
	uint8_t stat;  /* enum etc_stat */
	uint8_t by;    /* enum etc_by, except METHOD, FILE, RUN */
	bool samples; /* store the values of each run in the rows; with ETC_STAT_MEAN, of every kept
	               * run */
	bool places;  /* find nodes and modules for any `by` */
	/* If set, each row gets its operations and bytes (work/sites.h); NULL: not requested. */
	const struct etc_peaks *peaks;
	/* Cost to subtract from the times (join/measure.h), which must be means in ns; NULL: none. */
	const struct etc_tracer_cost *tracer;
	bool remarks; /* make only the rows that etc_remark_profile() needs: see join/measure.h */
	bool path_columns;               /* also roll up columns of plugins over whole paths */
	bool no_rows;                    /* make no rows, only paths with the times of their runs */
	const uint32_t *file;            /* file of each run, when several are pooled; else NULL */
	const struct etc_record *record; /* NULL: none */
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

/* Keeps only the paths of one method, with their numbers. E0904. */
enum etc_status etc_profile_only(struct etc_profile *profile, struct etc_str method,
                                 struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Checks that the method of --method ran. E0508 with the nearest name, E0904. */
enum etc_status etc_profile_has(const struct etc_profile *profile, const char *name,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Calls etc_profile_has(), then etc_profile_only(). E0508, E0904. */
enum etc_status etc_profile_choose(struct etc_profile *profile, const char *name,
                                   struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Assigns loads to methods, if each load is followed by runs of exactly one method that did not
 * run before. `run`: indices of the loads in the trace, which has `run_count` runs; `file`: of
 * each run, or NULL. False: unknown, and no load is assigned. */
bool etc_profile_assign_loads(const struct etc_profile *profile, struct etc_profile_load *loads,
                              const uint32_t *run, size_t run_count, const uint32_t *file);

#endif
