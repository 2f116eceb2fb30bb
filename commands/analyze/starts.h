/* starts.h -- start times of the events of a template on the runtime's clock. */
#ifndef ETC_COMMANDS_ANALYZE_STARTS_H
#define ETC_COMMANDS_ANALYZE_STARTS_H

#include "join/owner.h"
#include "join/site.h"
#include "commands/analyze/events_table.h"

struct etc_start {
	uint8_t by; /* enum etc_start_by */
	/* median of the time from the start of the run to that of the event, in 1/den of a ns */
	struct etc_ratio after;
};

/* Why the clock readings of a call are not used. A reading is the time of the device's and of the
 * runtime's clock at one moment. */
enum etc_readings_fault {
	ETC_READINGS_FIT, /* no fault: the readings are used */
	/* the readings are of an event without a clock of its own, or with unknown tick length */
	ETC_READINGS_USELESS,
	/* from one reading to the next, one clock advances and the other goes back */
	ETC_READINGS_BACKWARDS,
	ETC_READINGS_OUTSIDE, /* the readings place an event outside its DELEGATE_CALL */
	ETC_READINGS_FAULTS
};

struct etc_starts {
	struct etc_start *v; /* start of each site; NULL: no plugin gave readings */
	uint32_t faults[ETC_READINGS_FAULTS]; /* number of calls with each fault */
	/* index of the site of the first call with each fault */
	uint32_t first[ETC_READINGS_FAULTS];
};

/* Computes the median start time of each site over `runs`, which have these sites. If the start of
 * a site cannot be found, the member `by` of its result is ETC_START_UNKNOWN. E0904. */
enum etc_status etc_starts_find(const struct etc_sites *sites, const struct etc_join_input *in,
                                const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                                struct etc_starts *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
