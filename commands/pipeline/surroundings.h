/* surroundings.h -- describes the machine of a measurement, so that a reader can judge or
 * repeat it. Everything is read from files of the system; unknown values are null. */
#ifndef ETC_COMMANDS_PIPELINE_SURROUNDINGS_H
#define ETC_COMMANDS_PIPELINE_SURROUNDINGS_H

#include "base/arena.h"
#include "table/emit.h"

/* The current time: "2026-11-21T14:00:00.000000+00:00". NULL if out of memory. */
const char *etc_time_text(struct etc_arena *arena);

/* Parses a time in this form into whole seconds since 1970. The fraction may be missing; the time
 * zone is Z, +HH:MM, +HHMM, or missing, which means UTC. Returns false for any other text, and for
 * a time that does not exist. */
bool etc_time_parse(struct etc_str text, int64_t *seconds);

/* Seconds since 1970, now. */
int64_t etc_time_now(void);

/* The highest temperature of this machine in degrees Celsius; NaN: unknown. */
double etc_temperature(void);

/* The current frequency of the fastest core in MHz; NaN: unknown. */
double etc_frequency_mhz(void);

/* Writes the member "environment": system, processor and its features, governor,
 * temperature, memory, load, and environment variables that affect a runner. */
void etc_surroundings_emit(struct etc_emit *e, struct etc_arena *arena);

/* The value of the first line "KEY : VALUE" in `text` with the key `key`, as in /proc/cpuinfo;
 * empty: there is none. */
struct etc_str etc_line_value(struct etc_str text, const char *key);

/* A checkout of git. */
struct etc_checkout {
	const char *path; /* NULL: none */
	const char *sha;  /* hash of the commit at HEAD; NULL: unknown */
	int dirty;        /* 1: tracked files have changes; 0: they have none; -1: unknown */
};

/* Finds the checkout of ExecuTorch: the folder named executorch above `runner`, else ./executorch.
 * HEAD is read from .git; `git` on PATH is started to find changes to tracked files. */
struct etc_checkout etc_executorch_checkout(const char *runner, struct etc_arena *arena);

#endif
