/* roofline.h -- how fast a row could be: its work against the peaks of the processor.
 *
 * The roof of a row is the time that its arithmetic takes at the peak of its type, or its bytes
 * at the peak of the memory, whichever is longer. A row cannot be faster, so its time minus its
 * roof is the most that could be saved. */
#ifndef ETC_PROFILE_ROOFLINE_H
#define ETC_PROFILE_ROOFLINE_H

#include "base/notes.h"
#include "model/profile.h"

enum etc_roof_bound {
	ETC_ROOF_UNKNOWN, /* the row's work or a peak is unknown; `why` has the reason */
	ETC_ROOF_MEMORY,
	ETC_ROOF_COMPUTE,
	/* the peaks explain less than a tenth of the row's time */
	ETC_ROOF_OVERHEAD,
	/* it is unknown what bounds the row (memory, arithmetic or overhead), because the row's
	 * times are truncated */
	ETC_ROOF_CLOCK,
	/* the row is faster than the peaks allow, so a peak or the row's time is wrong */
	ETC_ROOF_WRONG
};

/* The result for one row. A number that is unknown is NaN. Times are in ns per run, like those of
 * the row. */
struct etc_roof {
	double flops, read, written;
	double intensity;    /* FLOPs per byte */
	double gflops, gbps; /* rates that were measured, in 10^9 FLOP/s and 10^9 bytes/s */
	double roof_ns;      /* the roof, defined at the top of this file */
	/* the roof, divided by the shortest time that the row may have taken */
	double share;
	double saved_ns; /* the longest time that the row may have taken, minus the roof */
	uint8_t bound;   /* enum etc_roof_bound */
	/* the type in which most of the FLOPs are computed: enum etc_work_type */
	uint8_t type;
	bool worked; /* some events of the row have work */
	/* for WRONG: the row is faster than the memory's peak; false: only than arithmetic's */
	bool by_memory;
	const char *why; /* for UNKNOWN: the reason in words; else "" */
};

/* Computes the roof of `work`, which is the sum over `runs` runs. One run took between `low` and
 * `high` ns; NaN: unknown. */
void etc_roof_make(const struct etc_row_work *work, const struct etc_peaks *peaks, uint64_t runs,
                   double low, double high, struct etc_roof *out);

void etc_roof_of(const struct etc_profile *profile, const struct etc_profile_row *row,
                 struct etc_roof *out);

/* Returns the name of an enum etc_roof_bound, such as "memory". */
const char *etc_roof_bound_name(uint8_t bound);

/* Was at least one peak given? */
bool etc_peaks_given(const struct etc_peaks *peaks);

/* Reports that no peak is given (N1301), rows that are faster than a peak (W1300), and rows whose
 * work is unknown because shapes contradict the operator (W1302) or a number exceeds 64 bits
 * (W1303). */
void etc_remark_roofline(const struct etc_profile *profile, struct etc_notes *notes);

/* Returns one of two lines about the rows of a path: the peaks (`nth` is 0), or the time that could
 * be saved at most (`nth` is 1). The line is empty for a load, and if no peaks were requested. */
enum { ETC_ROOF_LINES = 2 };
struct etc_str etc_roof_line(const struct etc_profile *profile, uint32_t path, unsigned nth,
                             struct etc_arena *arena);

#endif
