/* words.h -- formats numbers and names for screens. */
#ifndef ETC_VIEW_WORDS_H
#define ETC_VIEW_WORDS_H

#include "base/text.h"
#include "model/profile.h"

/* A unit for people: "µs" is 1000 ns. */
struct etc_scale {
	const char *name;
	double ns;
	int decimals; /* decimals suitable for a number of this size */
};

/* The unit in which to show `value`, a time of the profile: the requested or a suitable unit;
 * cycles or ticks if the clock's tick length is unknown. */
struct etc_scale etc_scale_of(const struct etc_profile *profile, double value);

/* Writes `value` in the scale, without the unit. */
void etc_text_scaled(struct etc_text *t, double value, struct etc_scale scale);

/* Writes a share such as "92 %"; "< 1 %" if it is not zero, "> 99 %" if it is not all. */
void etc_text_percent(struct etc_text *t, double share);

/* "host", "device", "none"; "" for an unknown clock. */
const char *etc_clock_word(uint8_t clock);

/* The word for what ran a row: a backend ("XNNPACK" for XnnpackBackend, "delegate" if the backend
 * is unknown), "CPU" for a kernel of the runtime, else "runtime". etc_backend_word() returns the
 * word for a backend. */
struct etc_str etc_row_place(const struct etc_profile_row *row);
struct etc_str etc_backend_word(struct etc_str backend);

/* The row's name on screen. */
struct etc_str etc_row_word(const struct etc_profile_row *row);

#endif
