/* timeline.h -- arranges slices on tracks. A slice is an event drawn on a timeline; the slices of a
 * track nest.
 *
 *   run.etdump
 *     forward: calls                                 Method::execute > instructions > kernels
 *     forward: XnnpackBackend (start times invented) one per delegate and kind of start time
 *     forward: planned live bytes                    counters
 *
 * Each method, or path, has tracks of its own. If events of a track overlap without nesting,
 * another track is added: "forward: calls (2)". If runs overlap, they get separate tracks: "forward
 * (2): calls". Every dump begins at time 0. */
#ifndef ETC_COMMANDS_TRACE_TIMELINE_H
#define ETC_COMMANDS_TRACE_TIMELINE_H

#include "commands/trace/trace.h"

/* The track of a dump, or a track below the track of a dump. Ids are counted from 1; the id of a
 * dump's track is smaller than the ids of the tracks below it. */
struct etc_track {
	uint32_t id, parent; /* parent 0: a dump's track */
	struct etc_str name, description;
	/* order of the tracks, smallest rank first: of a dump's track among the tracks of all
	 * dumps; of another track among the tracks of its dump */
	uint32_t rank;
	bool counter; /* the track shows a counter of bytes */
	bool slices;
	uint32_t dump;
};

struct etc_drawn {
	uint32_t track;
	uint64_t at, length; /* start and length in ns */
	uint64_t cut;        /* time in ns by which the slice was shortened */
	/* ids of the flows (arrows between slices) that start and end at the slice; 0: none */
	uint64_t flow_out, flow_in;
	uint8_t kind; /* enum etc_walk_kind */
	const struct etc_walk_slice *slice;
	const struct etc_walk_run *run;
	const struct etc_traced *dump;
	/* the event has no interval: the slice has length 0, and shows the value of the event */
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
extern const char *const etc_drawn_categories[ETC_DRAWN_CATEGORIES]; /* the text of each category */

enum etc_drawn_category etc_drawn_category(const struct etc_drawn *d);

/* Receives a timeline piece by piece: its tracks, event lists, slices and counts. `list` is called
 * before the first slice of an event list; the runs of an event list log the same events. */
struct etc_timeline_sink {
	void *to;
	bool (*track)(void *to, const struct etc_track *track);
	bool (*list)(void *to, const struct etc_traced *dump, const struct etc_walk_run *run);
	bool (*begin)(void *to, const struct etc_drawn *drawn);
	bool (*end)(void *to, const struct etc_drawn *drawn);
	bool (*count)(void *to, const struct etc_track *track, uint64_t at, uint64_t value);
};

/* Sets d->early (how long before the first chosen run the earliest event begins), by walking
 * through the chosen runs. E0605, E0904. */
enum etc_status etc_timeline_prepare(const struct etc_tracing *t, struct etc_traced *d,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Draws all dumps into `sink`, and counts what was drawn in tracing->drawing. E0605, E0904. */
enum etc_status etc_timeline_draw(struct etc_tracing *tracing, const struct etc_timeline_sink *sink,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
