/* surroundings.h -- where a measurement was made: what a reader needs to trust it or to
 * make it again. Everything comes from files of the system; what is not there is null. */
#ifndef ETC_PIPELINE_SURROUNDINGS_H
#define ETC_PIPELINE_SURROUNDINGS_H

#include "base/arena.h"
#include "base/error.h"
#include "table/emit.h"

/* A moment: "2026-11-21T14:00:00.000000+00:00". NULL: no memory. */
const char *etc_time_text(struct etc_arena *arena);

/* Seconds since 1970 of such a text; false: it is none. */
bool etc_time_parse(struct etc_str text, int64_t *seconds);

/* Seconds since 1970, now. */
int64_t etc_time_now(void);

/* Highest temperature of this machine in degrees Celsius; NaN: none is told. */
double etc_temperature(void);

/* The current frequency of the fastest core in MHz; NaN: none is told. */
double etc_frequency_mhz(void);

/* Member "environment": system, processor and its features, governor, temperature, memory,
 * load, variables that change how a runner runs. */
void etc_surroundings_emit(struct etc_emit *e, struct etc_arena *arena);

/* A checkout of git. */
struct etc_checkout {
	const char *path; /* NULL: none */
	const char *sha;  /* or NULL */
	int dirty;        /* 1, 0, or -1: not known */
};

/* The checkout of ExecuTorch: ./executorch, or what is called executorch above `runner`.
 * HEAD is read from .git; `git` on PATH is asked for changes to tracked files. */
struct etc_checkout etc_executorch_checkout(const char *runner, struct etc_arena *arena);

#endif
