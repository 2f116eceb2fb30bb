/* timeline.h -- arranges the slices of all dumps on tracks, on which they nest.
 *
 *   run.etdump
 *     forward: calls                                 Method::execute > instructions > kernels
 *     forward: XnnpackBackend (start times invented) one for each delegate and kind of start
 *     forward: planned live bytes                    counters
 *
 * Each method, or path, has tracks of its own. Events of one track that overlap without nesting get
 * another track, "forward: calls (2)"; so do runs that overlap, "forward (2): calls". Every dump
 * begins at 0. */
#ifndef ETC_COMMANDS_TRACE_TIMELINE_H
#define ETC_COMMANDS_TRACE_TIMELINE_H

#include "commands/trace/trace.h"

/* A track: the track of a dump, or one below it. Ids count from 1; a dump's id precedes those of
 * its tracks. */
struct etc_track {
	uint32_t id, parent; /* parent 0: a dump's track */
	struct etc_str name, description;
	/* position among the sibling tracks: tracks of dumps are ordered among themselves, and all
	 * tracks below dumps are ordered together */
	uint32_t rank;
	bool counter; /* a counter of bytes */
	bool slices;
	uint32_t dump;
};

struct etc_drawn {
	uint32_t track;
	uint64_t at, length;        /* start and length in ns */
	uint64_t cut;               /* time in ns by which the slice was shortened */
	uint64_t flow_out, flow_in; /* ids of flows that start and end at the slice; 0: none */
	uint8_t kind;               /* enum etc_walk_kind */
	const struct etc_walk_slice *slice;
	const struct etc_walk_run *run;
	const struct etc_traced *dump;
	/* the event has no interval: the length of the slice is 0, and the ticks of the event are
	 * shown */
	bool unplaced;
};

enum etc_drawn_category {
	ETC_DRAWN_METHOD,
	ETC_DRAWN_OPERATOR,
	ETC_DRAWN_DELEGATE,
	ETC_DRAWN_FRAMEWORK,
	ETC_DRAWN_SYNTHETIC,
	ETC_DRAWN_UNPLACED,
	ETC_DRAWN_CATEGORIES
};
extern const char *const etc_drawn_categories[ETC_DRAWN_CATEGORIES]; /* texts of the categories */

enum etc_drawn_category etc_drawn_category(const struct etc_drawn *d);

/* Receives a timeline. `list` is called before the first slice of an event list, whose events
 * are the same in all runs. */
struct etc_timeline_sink {
	void *to;
	bool (*track)(void *to, const struct etc_track *track);
	bool (*list)(void *to, const struct etc_traced *dump, const struct etc_walk_run *run);
	bool (*begin)(void *to, const struct etc_drawn *drawn);
	bool (*end)(void *to, const struct etc_drawn *drawn);
	bool (*count)(void *to, const struct etc_track *track, uint64_t at, uint64_t value);
};

/* Sets d->early. E0605, E0904. */
enum etc_status etc_timeline_prepare(const struct etc_tracing *t, struct etc_traced *d,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Draws all dumps, and counts into tracing->drawing. E0605, E0904. */
enum etc_status etc_timeline_draw(struct etc_tracing *tracing, const struct etc_timeline_sink *sink,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
