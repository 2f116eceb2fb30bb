/* paths.h -- groups runs by the instructions they executed.
 *
 * A path is a sequence of instructions: of each, the name, chain and number of its event, and the
 * names of its kernels. Delegate events are ignored, since they vary between runs of one path; so a
 * path may have several templates. There is one exception: if several methods have the same
 * sequence, runs are also divided by their delegate events. */
#ifndef ETC_JOIN_PATHS_H
#define ETC_JOIN_PATHS_H

#include "join/site.h"

struct etc_paths {
	uint8_t *kind; /* enum etc_run_kind of each template */
	/* for each template, which of its profile events is the root (Method::execute, or the
	 * load), as an index among these events */
	uint32_t *root;
	uint32_t *path; /* path of each template; ETC_NO_SITE: its runs are no execute runs */
	uint32_t count;
};

/* Groups the runs of a trace by path. Paths are numbered from 0 by first appearance in the file.
 * Runs whose Method::execute ends before it starts are left out. Memory is the arena's. E0904. */
enum etc_status etc_paths_find(struct etc_paths *paths, const struct etc_trace *trace,
                               struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Splits each path for which `which` is true, so that all runs of a path log the same set of
 * delegate events. Then numbers all paths again. E0904. */
enum etc_status etc_paths_divide(struct etc_paths *paths, const struct etc_trace *trace,
                                 const bool *which, struct etc_arena *arena,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Sets `*start` and `*end` to the times, in ticks, of the root of a run: the event of the whole
 * run, such as Method::execute. */
static inline void etc_run_span(const struct etc_paths *paths, const struct etc_trace *trace,
                                size_t run, uint64_t *start, uint64_t *end)
{
	const struct etc_run *r = &trace->runs[run];
	const struct etc_sparse *sparse = trace->sparse;
	size_t at = sparse ? run : r->first_sample + paths->root[r->template];

	*start = sparse ? sparse->start[at] : trace->start[at];
	*end = sparse ? sparse->end[at] : trace->end[at];
}

/* Sets `*time` to the duration of the root of a run, in ticks. False: the root ends before it
 * starts. */
static inline bool etc_run_time(const struct etc_paths *paths, const struct etc_trace *trace,
                                size_t run, uint64_t *time)
{
	uint64_t start, end;

	etc_run_span(paths, trace, run, &start, &end);
	*time = end - start;
	return end >= start;
}

#endif
