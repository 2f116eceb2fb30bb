/* surroundings.h -- describes the machine of a measurement, so that a reader can assess or repeat
 * the measurement. All values are read from files of the system; unknown values are null. */
#ifndef ETC_COMMANDS_PIPELINE_SURROUNDINGS_H
#define ETC_COMMANDS_PIPELINE_SURROUNDINGS_H

#include "base/arena.h"
#include "table/emit.h"

/* Returns the current time, such as "2026-11-21T14:00:00.000000+00:00". NULL: out of memory. */
const char *etc_time_text(struct etc_arena *arena);

/* Parses a time in the form of etc_time_text(), and sets *seconds to whole seconds since 1970. The
 * fraction may be missing. The time zone is Z, +HH:MM or +HHMM; a missing time zone means UTC.
 * Returns false for any other text, and for a time that does not exist. */
bool etc_time_parse(struct etc_str text, int64_t *seconds);

/* Returns the current time in seconds since 1970. */
int64_t etc_time_now(void);

/* Returns the highest temperature of this machine in degrees Celsius; NaN: unknown. */
double etc_temperature(void);

/* Returns the current frequency of the fastest core in MHz; NaN: unknown. */
double etc_frequency_mhz(void);

/* Writes the member "environment": system, processor and its features, frequency governor,
 * temperature, memory, load, and environment variables that affect a runner. */
void etc_surroundings_emit(struct etc_emit *e, struct etc_arena *arena);

/* Returns the value of the first line "KEY : VALUE" in `text` with that key, as in /proc/cpuinfo;
 * empty: there is no such line. */
struct etc_str etc_line_value(struct etc_str text, const char *key);

/* A git checkout. */
struct etc_checkout {
	const char *path; /* path of its folder; NULL: there is no checkout */
	const char *sha;  /* hash of the commit at HEAD; NULL: unknown */
	int dirty;        /* 1: tracked files have changes; 0: they have none; -1: unknown */
};

/* Finds the checkout of ExecuTorch: a folder named executorch that contains `runner`, else
 * ./executorch. HEAD is read from .git. `git` on PATH is started to find out whether tracked files
 * have changes. */
struct etc_checkout etc_executorch_checkout(const char *runner, struct etc_arena *arena);

#endif
