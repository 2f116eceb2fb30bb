/* words.h -- formats numbers and names for people. */
#ifndef ETC_TABLE_WORDS_H
#define ETC_TABLE_WORDS_H

#include "base/text.h"
#include "model/profile.h"

/* A unit in which times are shown to people: "µs" is 1000 ns. */
struct etc_scale {
	const char *name;
	double ns;
	int decimals; /* number of decimals with which such a time is shown */
};

/* Returns the unit in which to show `value`, a time of the profile: the unit that was requested,
 * else a suitable one. If the length of the clock's ticks is unknown, the unit is cycles or
 * ticks. */
struct etc_scale etc_scale_of(const struct etc_profile *profile, double value);

/* Writes `value` (in ns) as a number in the unit `scale`, without the name of the unit. */
void etc_text_scaled(struct etc_text *t, double value, struct etc_scale scale);

/* Writes a share such as "92 %". A share that would be rounded to 0 or 100 %, but is neither, is
 * written as "< 1 %" or "> 99 %". */
void etc_text_percent(struct etc_text *t, double share);

/* Returns the word for a clock: "host", "device" or "none"; "" for an unknown clock. */
const char *etc_clock_word(uint8_t clock);

/* etc_row_place() returns the word for the place where the events of a row ran: a backend
 * ("XNNPACK" for XnnpackBackend, "delegate" for an unknown one), "CPU" for a kernel of the runtime,
 * else "runtime". etc_backend_word() returns the word for a backend. */
struct etc_str etc_row_place(const struct etc_profile_row *row);
struct etc_str etc_backend_word(struct etc_str backend);

/* Returns the text with which a screen shows the name of an event of the runtime. */
struct etc_str etc_name_word(struct etc_str name);

/* Returns the name of the row as the screen shows it. */
struct etc_str etc_row_word(const struct etc_profile_row *row);

/* Returns the name of the row in tables: the name of its group (module, source line) if the row has
 * one, else etc_row_word(). */
struct etc_str etc_row_name(const struct etc_profile_row *row);

#endif
