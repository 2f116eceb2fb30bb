/* starts.h -- when the events of a shape began, by the runtime's clock. */
#ifndef ETC_API_STARTS_H
#define ETC_API_STARTS_H

#include "join/owner.h"
#include "join/site.h"
#include "commands/analyze/events_table.h"

struct etc_start {
	uint8_t by;             /* enum etc_start_by */
	struct etc_ratio after; /* how long after the run began, the median; in 1/den of a ns */
};

/* Why readings of a call are not used. */
enum etc_readings_fault {
	ETC_READINGS_FIT,
	ETC_READINGS_USELESS,   /* of what has no clock of its own with ticks of known length */
	ETC_READINGS_BACKWARDS, /* a later one of the device is an earlier one of the runtime */
	ETC_READINGS_OUTSIDE,   /* they place an event outside its DELEGATE_CALL */
	ETC_READINGS_FAULTS
};

struct etc_starts {
	struct etc_start *v; /* of each site; NULL: nobody read both clocks, so nobody asks */
	uint32_t faults[ETC_READINGS_FAULTS]; /* calls with them */
	uint32_t first[ETC_READINGS_FAULTS];  /* the call of the first */
};

/* Of sites with their owners, in some runs of the shape. E0904. */
enum etc_status etc_starts_find(const struct etc_sites *sites, const struct etc_join_input *in,
                                const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                                struct etc_starts *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
