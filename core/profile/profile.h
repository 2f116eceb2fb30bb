/* profile.h -- makes a profile, which is the result of `etcore analyze`, from a trace. */
#ifndef ETC_PROFILE_PROFILE_H
#define ETC_PROFILE_PROFILE_H

#include "base/notes.h"
#include "context/inputs.h"
#include "host/host.h"
#include "join/site.h"
#include "model/profile.h"
#include "model/program.h"
#include "model/record.h"

struct etc_profile_options {
	struct etc_host_clock clock;
	/* number of first runs, of each path in each file, that are discarded as warm-up */
	size_t warmup;
	uint8_t stat; /* enum etc_stat */
	uint8_t by;   /* enum etc_by, except METHOD, FILE, RUN */
	/* store the value of each row in each run that the statistics include; with
	 * ETC_STAT_MEAN, these are all kept runs */
	bool samples;
	bool places; /* find the nodes and modules of events even if `by` does not need them */
	/* The peaks of the machine. If they are set, the operations and bytes of each row are
	 * computed (work/sites.h). NULL: not requested. */
	const struct etc_peaks *peaks;
	/* Cost of the event tracer that is subtracted from the times (join/measure.h). The times
	 * must be means in ns. NULL: none. */
	const struct etc_tracer_cost *tracer;
	bool remarks;      /* make only the rows that etc_remark_profile() needs (join/measure.h) */
	bool path_columns; /* also roll up columns of plugins over whole paths */
	/* make no rows, only the paths with the times of their runs */
	bool no_rows;
	/* for each run, the number of its file, if several dumps are joined; else NULL */
	const uint32_t *file;
	const struct etc_record *record;   /* NULL: none */
	const struct etc_program *program; /* NULL: none */
	struct etc_host *host;             /* NULL: no plugins */
};

/* Sets `*out` to a copy of the trace in which each event that a plugin expands is followed by its
 * children. If there is no such event, sets it to `trace` itself. The functions below and
 * etc_events_make() take this trace. E0605, E0904. */
enum etc_status etc_profile_trace(const struct etc_trace *trace,
                                  const struct etc_profile_options *options,
                                  struct etc_arena *arena, const struct etc_trace **out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Makes the profile of a trace. Memory is the arena's; texts may be views into the trace. E0605,
 * E0904. */
enum etc_status etc_profile_make(const struct etc_trace *trace,
                                 const struct etc_profile_options *options, struct etc_arena *arena,
                                 struct etc_profile *out, struct etc_error *err) ETC_MUST_CHECK;

/* For a command that calls no plugins: reports sections [backend.ID] of --config and --set that
 * apply to no delegate call of the dump (W0555). The plugins are loaded for this, if there are such
 * sections. E0904, and errors of the plugins. */
enum etc_status etc_profile_meet(struct etc_session *s, const struct etc_common_options *common,
                                 const struct etc_inputs *in, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the largest factor by which the parts of a unit may be made finer so that the profile's
 * times still fit into 64 bits. */
uint64_t etc_profile_finest(const struct etc_profile *profile);

/* Removes the paths of all other methods from the profile. The remaining paths keep their numbers.
 * E0904. */
enum etc_status etc_profile_only(struct etc_profile *profile, struct etc_str method,
                                 struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Checks that the method of --method ran. E0508 with the nearest name, E0904. */
enum etc_status etc_profile_has(const struct etc_profile *profile, const char *name,
                                struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Calls etc_profile_has(), then etc_profile_only(). E0508, E0904. */
enum etc_status etc_profile_choose(struct etc_profile *profile, const char *name,
                                   struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Sets the method of each load, if the profile has several methods, or if a file has several loads
 * and the program several methods (`choice`); else sets nothing and returns true. The methods are
 * known if, between each load and the next one, exactly one method runs that no earlier load of the
 * same file has. The trace has `run_count` runs. `file` has the number of each run's file; NULL:
 * all runs are of one file. False: some method is unknown; then none is set. */
bool etc_profile_assign_loads(const struct etc_profile *profile, struct etc_profile_load *loads,
                              size_t run_count, const uint32_t *file, bool choice);

#endif
