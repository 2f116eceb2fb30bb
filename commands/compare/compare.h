/* compare.h -- compares several groups of dumps event by event with the first group.
 *
 * Takes profiles by event (or by delegate) that kept their single runs. Paths of one method are
 * matched (sections.c), events aligned (align.h) and summed up into the requested rows
 * (rows.c), each run by itself; core/stats then decides what changed (weigh.c). Plain data;
 * memory is the arena's. */
#ifndef ETC_COMMANDS_COMPARE_COMPARE_H
#define ETC_COMMANDS_COMPARE_COMPARE_H

#include "commands/compare/align.h"
#include "model/profile.h"
#include "stats/compare.h"

/* A group: dumps that were recorded under the same conditions. */
struct etc_diff_group {
	struct etc_str name;
	const struct etc_profile *const *dumps; /* profiles by EVENT or DELEGATE, with samples */
	uint32_t count;
	bool same_as_first; /* same dumps as the first group: no difference is possible */
	/* all dumps of the first group are in this group, or all dumps of this group are in the
	 * first group: there is no verdict */
	bool in_first;
	/* a dump of this group has the bytes of a dump of the first group, but is another file */
	bool equal_files;
	/* position of each dump in the order of recording; NULL: unknown */
	const double *places;
};

struct etc_diff_options {
	uint8_t by;            /* what a row stands for: enum etc_by, but not FILE or RUN */
	struct etc_str method; /* compare only this method; empty: all */
	/* number of rows, over all sections, that get an interval by bootstrap */
	uint32_t most_bootstraps;
	/* leave out details of unchanged rows that every group has and whose times are
	 * additive */
	bool brief;
	/* the caller sets all members except `resolution`, `brief` and `tails`, which weigh.c
	 * sets */
	struct etc_compare_options compare;
};

enum etc_diff_level {
	ETC_DIFF_RUN, /* end to end: Method::execute */
	ETC_DIFF_ROW,
	ETC_DIFF_REST /* timer truncation and unattributed time: belongs to no row */
};

/* Is the kernel different from the first group's although its name is the same? */
enum etc_kernel_change {
	ETC_KERNEL_SAME,     /* no sign of another kernel */
	ETC_KERNEL_DOUBTFUL, /* the name fits kernels for several instruction sets */
	/* the name is ambiguous, and only one of both groups certainly has a kernel for SME */
	ETC_KERNEL_OTHER
};

/* One group's side of a row. */
struct etc_diff_side {
	bool present; /* the group's dumps have events of the row */
	/* only some of the group's dumps have events of the row, so the dumps are not recordings of
	 * one program */
	bool partial;
	/* only if `partial`: the first dump of the group that has events of the row, and the first
	 * that has none */
	uint32_t has, lacks;
	bool work; /* some events of the row are kernels or delegate events */
	/* some events of the row were matched to an event of another group */
	bool partner;
	struct etc_str name; /* names of the events in this group: "X, Y and 2 more" */
	double calls;        /* events per run */
	/* the longest time that timer truncation may hide, in the row's unit */
	double resolution;
	uint8_t how;  /* set of 1 << enum etc_match: how the events were matched */
	uint8_t unit; /* ETCORE_UNIT_* */
	/* enum etc_kernel_change; set for events whose name is unchanged */
	uint8_t kernel;
	/* set of 1 << enum etc_library_ran, of the row's matrix products in the group */
	uint8_t ran;
	const struct etc_facts *facts; /* facts of the row's first event in the group, or NULL */
};

struct etc_diff_row {
	uint8_t level;      /* enum etc_diff_level */
	uint8_t rest;       /* only at level REST: ETC_VALUES_ROUNDING, _INSIDE or _BETWEEN */
	struct etc_str key; /* the row's name in the first group that has the row */
	/* category and backend of the row's first event; or empty */
	struct etc_str category, backend;
	/* what ran the row: the word of etc_row_place(), such as "XNNPACK" or "CPU"; empty: events
	 * of the row have different words */
	struct etc_str on;
	/* the module or source line of the row (by MODULE, SOURCE); else NULL */
	const struct etc_group *place;
	/* ETCORE_UNIT_* of its times, the same for all groups */
	uint8_t unit;
	bool delegate, detached;
	bool alike;  /* another row of the section has this name, but another `on` */
	bool hidden; /* copy of its section's `hidden` */
	const struct etc_diff_side *sides; /* one for each group */
	/* per group; [0] is NULL: the first group is not compared with itself */
	struct etc_comparison **against;
};

/* One path of one method in all groups. */
struct etc_diff_section {
	struct etc_str method; /* empty: unknown */
	uint32_t path;         /* the path's number in the first dump that has the path */
	const uint32_t *paths; /* path of each dump, in the order of groups; UINT32_MAX: it has
	                        * none */
	uint8_t unit;          /* unit of the first group that has the path */
	/* Some dump has no path in this section, but may have run its method nevertheless: several
	 * methods fit one of the dump's paths, or the path of this section. Rows that only one side
	 * has are then not called appeared or disappeared. */
	bool hidden;
	/* rows of level RUN, then rows of level ROW by size of change, then rows of level REST */
	const struct etc_diff_row *rows;
	uint32_t row_count;
};

struct etc_diff {
	const struct etc_diff_group *groups;
	uint32_t group_count, dump_count;
	/* index of each group's first dump among all dumps; group_count + 1 entries */
	const uint32_t *first_dump;
	/* the section with the longest time first; its time is that in the first dump that has the
	 * path */
	const struct etc_diff_section *sections;
	uint32_t section_count;
	uint8_t by, stat;
};

/* Compares the groups: at least two, each with at least one dump. E0904. */
enum etc_status etc_diff_make(const struct etc_diff_group *groups, uint32_t count,
                              const struct etc_diff_options *options, struct etc_arena *arena,
                              struct etc_diff *out, struct etc_error *err) ETC_MUST_CHECK;

/* The result for one row in one group, compared with the first group. */
enum etc_change {
	ETC_CHANGE_ABSENT,  /* the row is in neither this group nor the first group */
	ETC_CHANGE_UNKNOWN, /* not comparable: no run has the row, or the units differ */
	ETC_CHANGE_UNCLEAR, /* no significant change */
	/* no significant change, and the difference is below the timer's resolution */
	ETC_CHANGE_BELOW,
	ETC_CHANGE_DIFFERS, /* these dumps differ, but the variance between dumps explains it */
	/* a drift within the dumps, or the distance between two speeds, is as large as the change */
	ETC_CHANGE_DROWNED,
	ETC_CHANGE_FASTER,
	ETC_CHANGE_SLOWER,
	ETC_CHANGE_APPEARED,
	ETC_CHANGE_DISAPPEARED,
	ETC_CHANGE_COUNT
};
enum etc_change etc_diff_change(const struct etc_diff_row *row, uint32_t group);

/* Is the ratio of the two sides defined? It is not defined if a side has no such row, if the first
 * side's time is zero, or if timer truncation may hide the whole time of a side, or more. */
bool etc_diff_has_ratio(const struct etc_diff_row *row, uint32_t group);

/* Returns `name`, the name of the row, and with `alike` also what ran it: "add.out (CPU)".
 * {NULL}: out of memory. */
struct etc_str etc_diff_name(const struct etc_diff_row *row, struct etc_str name,
                             struct etc_arena *arena);

/* Do the first group and group `group` both have kernels or delegate events, but none that match?
 * They may be runs of two different models, whose times are not comparable. */
bool etc_diff_unrelated(const struct etc_diff_row *rows, uint32_t count, uint32_t group);

/* Is the change worth a report? True for a row that only one side has, and for a significant
 * change. Also true for a significant change that may have another cause: the variance between
 * dumps (DIFFERS), or a drift or two speeds within the dumps (DROWNED). */
bool etc_change_is_news(uint8_t change);

/* The word for an enum etc_change: "faster", "unclear", "below resolution" … */
const char *etc_change_name(uint8_t change);

/* The end-to-end time of group `g`. The first group (g == 0) has no comparison of its own: its time
 * is side `a` of group 1's comparison. */
static inline const struct etc_comparison_side *etc_diff_end(const struct etc_diff_section *s,
                                                             uint32_t g)
{
	return g ? &s->rows[0].against[g]->b : &s->rows[0].against[1]->a;
}

#endif
