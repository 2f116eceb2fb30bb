/* plan.h -- parses the options of `etcore analyze`. */
#ifndef ETC_PROFILE_PLAN_H
#define ETC_PROFILE_PLAN_H

#include "profile/profile.h"
#include "context/inputs.h"
#include "context/session.h"
#include "profile/screen.h"
#include "table/select.h"

/* Options of commands that make profiles of dumps. They say which rows are made, from which runs,
 * and in which unit. */
struct etc_plan_options {
	const char *by; /* --by: a word of etc_by_analyze or etc_by_compare; NULL: op */
	const char *method, *stat, *warmup, *top, *sort, *columns;
	struct etc_opt_list where;
	const char *source_time_scale, *target_time_scale, *ticks_per_second;
	struct etc_opt_list peak; /* texts "KEY=VALUE,…", which set keys of [peaks] */
	bool events, tree, brief, roofline;
};

struct etc_plan {
	const struct etc_plan_options *options;
	/* Only clock, warm-up, statistic and `no_rows` are set here. etc_plan_profile() sets the
	 * other members. */
	struct etc_profile_options profile;
	struct etc_host_clock log_clock; /* the clock of dumps that were read from a serial log */
	struct etc_selection selection;
	uint8_t by;         /* enum etc_by */
	uint8_t shown_unit; /* enum etc_unit; ETC_UNIT_UNKNOWN: chosen by the size of the times */
	uint32_t top;       /* maximum number of rows of a table on screen; 0: all */
	bool roofline;      /* --roofline: the work of rows is shown */
};

/* Reads the configuration and the options that override its keys, then all other options. The plan
 * must be released even after an error. E0505 ... E0507, E0904. */
enum etc_status etc_plan_make(struct etc_plan *plan, const struct etc_common_options *common,
                              const struct etc_plan_options *options, struct etc_session *s,
                              struct etc_error *err) ETC_MUST_CHECK;
void etc_plan_release(struct etc_plan *plan);

/* Returns the profile options of the plan for the inputs `in`. The options contain the record and
 * program of the inputs, the plugins of `s`, and the clock; dumps from serial logs have a clock of
 * their own. */
struct etc_profile_options etc_plan_profile(const struct etc_plan *plan,
                                            const struct etc_inputs *in, struct etc_session *s);

/* Does each row of the table stand for runs, not for events? */
static inline bool etc_plan_of_runs(const struct etc_plan *plan)
{
	return plan->by == ETC_BY_METHOD || plan->by == ETC_BY_FILE || plan->by == ETC_BY_RUN;
}

#endif
