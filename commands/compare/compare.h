/* compare.h -- compares several groups of dumps with the first group, event by event.
 *
 * The input is profiles by event (or by delegate) with the times of each run. The steps: match the
 * paths of each method (sections.c); align the events of matched paths (align.h); sum up the events
 * of each requested row, separately for each run (rows.c); decide by core/stats which rows changed
 * (weigh.c). The result is plain data in the arena. */
#ifndef ETC_COMMANDS_COMPARE_COMPARE_H
#define ETC_COMMANDS_COMPARE_COMPARE_H

#include "commands/compare/align.h"
#include "model/profile.h"
#include "stats/compare.h"

/* A group: dumps that were recorded under the same conditions. */
struct etc_diff_group {
	struct etc_str name;
	/* one profile per dump, with the times of its runs */
	const struct etc_profile *const *dumps;
	uint32_t count;
	/* the group has the same dumps as the first group, so there can be no difference */
	bool same_as_first;
	/* all dumps of the first group are also in this group, or all dumps of this group are also
	 * in the first group. If this is set, there is no verdict */
	bool in_first;
	/* a dump of this group has the same bytes as a dump of the first group, but is another
	 * file */
	bool equal_files;
	/* position of each dump in the order of recording; NULL: unknown */
	const double *places;
};

struct etc_diff_options {
	uint8_t by;            /* what a row stands for: enum etc_by, but not FILE or RUN */
	struct etc_str method; /* compare only this method; empty: all */
	/* maximum number of rows, over all sections, that get an interval by bootstrap */
	uint32_t most_bootstraps;
	/* leave out details (etc_compare_options.brief) of rows that are unchanged, that every
	 * group has, and whose times are additive */
	bool brief;
	/* set by the caller, except `resolution`, `brief` and `tails`, which weigh.c sets */
	struct etc_compare_options compare;
};

enum etc_diff_level {
	ETC_DIFF_RUN, /* end to end: Method::execute */
	ETC_DIFF_ROW,
	ETC_DIFF_REST /* timer truncation and unattributed time, which belong to no row */
};

/* Is the kernel another one than in the first group, although its name is the same? */
enum etc_kernel_change {
	ETC_KERNEL_SAME, /* no sign of another kernel */
	/* kernels for several instruction sets have this name, so the groups may have run different
	 * kernels */
	ETC_KERNEL_DOUBTFUL,
	/* kernels for several instruction sets have this name, and exactly one of the two groups
	 * certainly ran a kernel for SME */
	ETC_KERNEL_OTHER
};

/* A row of the comparison, in one group of dumps. */
struct etc_diff_side {
	bool present; /* the group's dumps have events of the row */
	/* only some dumps of the group have events of the row; so the dumps are not recordings of
	 * one program */
	bool partial;
	/* set if `partial`: index of the first dump of the group that has events of the row, and of
	 * the first dump that has none */
	uint32_t has, lacks;
	bool work; /* some events of the row are kernels or delegate events */
	/* an event of another group was matched to some event of the row */
	bool partner;
	struct etc_str name; /* names of the events in this group: "X, Y and 2 more" */
	double calls;        /* events per run */
	/* the longest time that timer truncation may hide in the row, in the row's unit */
	double resolution;
	uint8_t how;  /* set of 1 << enum etc_match: how the events were matched */
	uint8_t unit; /* ETCORE_UNIT_* */
	/* enum etc_kernel_change; set for events whose name is unchanged */
	uint8_t kernel;
	/* set of 1 << enum etc_library_ran: the values for the row's matrix products in this
	 * group */
	uint8_t ran;
	/* facts of the row's first event in the group; NULL: it has none */
	const struct etc_facts *facts;
};

struct etc_diff_row {
	uint8_t level; /* enum etc_diff_level */
	/* if the level is REST: which time the row has, ETC_VALUES_ROUNDING, _INSIDE or _BETWEEN */
	uint8_t rest;
	struct etc_str key; /* the row's name in the first group that has the row */
	/* category and backend of the row's first event; or empty */
	struct etc_str category, backend;
	/* what executed the events of the row: the word of etc_row_place(), such as "XNNPACK" or
	 * "CPU"; empty: the events have different words */
	struct etc_str on;
	/* if rows stand for modules or source lines: the module or source line of the row; else
	 * NULL */
	const struct etc_group *place;
	/* ETCORE_UNIT_* of the row's times; the same for all groups */
	uint8_t unit;
	bool delegate, detached;
	bool alike;  /* the section has another row with the same name, but with another `on` */
	bool hidden; /* the section's member `hidden` */
	const struct etc_diff_side *sides; /* for each group, its side of the row */
	/* for each group, its comparison with the first group; against[0] is NULL */
	struct etc_comparison **against;
};

/* One path of one method in all groups. */
struct etc_diff_section {
	struct etc_str method; /* empty: unknown */
	uint32_t path;         /* the path's number in the first dump that has the path */
	/* index of the path in each dump, in the order of groups; UINT32_MAX: the dump has no such
	 * path */
	const uint32_t *paths;
	uint8_t unit; /* ETCORE_UNIT_* of the times in the first dump that has the path */
	/* Some dump has no path in this section, but it may still have run the method of the
	 * section. The reason: several methods fit one of the dump's paths, or fit the path of this
	 * section. If this is set, a row that only one group has is not reported as appeared or
	 * disappeared. */
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
	/* sorted by time, the longest first. The time of a section is that of the first dump that
	 * has the path */
	const struct etc_diff_section *sections;
	uint32_t section_count;
	uint8_t by, stat;
};

/* Compares the groups. There must be at least two groups, and each must have at least one dump.
 * E0904. */
enum etc_status etc_diff_make(const struct etc_diff_group *groups, uint32_t count,
                              const struct etc_diff_options *options, struct etc_arena *arena,
                              struct etc_diff *out, struct etc_error *err) ETC_MUST_CHECK;

/* The result for one row in one group, compared with the first group. */
enum etc_change {
	ETC_CHANGE_ABSENT, /* the row is in neither this group nor the first group */
	/* the row cannot be compared, for example because it has different units in the groups */
	ETC_CHANGE_UNKNOWN,
	ETC_CHANGE_UNCLEAR, /* no significant change */
	/* no significant change, and the difference is below the timer's resolution */
	ETC_CHANGE_BELOW,
	/* the difference is significant, but a variance between the dumps of a group may explain
	 * it */
	ETC_CHANGE_DIFFERS,
	/* the difference is significant, but a drift within the dumps, or the distance between two
	 * speeds, is as large, and may explain it */
	ETC_CHANGE_DROWNED,
	ETC_CHANGE_FASTER,
	ETC_CHANGE_SLOWER,
	ETC_CHANGE_APPEARED,
	ETC_CHANGE_DISAPPEARED,
	ETC_CHANGE_COUNT
};
enum etc_change etc_diff_change(const struct etc_diff_row *row, uint32_t group);

/* Is the ratio of the two groups' times defined? It is undefined if one of the groups does not have
 * the row, if the first group's time is zero, or if timer truncation may hide all of a group's
 * time. */
bool etc_diff_has_ratio(const struct etc_diff_row *row, uint32_t group);

/* Returns `name`, which is the row's name in a group. If row->alike is set, appends what ran the
 * row: "add.out (CPU)". {NULL, 0}: out of memory. */
struct etc_str etc_diff_name(const struct etc_diff_row *row, struct etc_str name,
                             struct etc_arena *arena);

/* Do the first group and group `group` both have kernels or delegate events, but none that match?
 * The groups may then be runs of two different models, whose times cannot be compared. */
bool etc_diff_unrelated(const struct etc_diff_row *rows, uint32_t count, uint32_t group);

/* Should the change be reported? True for a row that only one group has, and for a significant
 * change. Also true for a significant change that may have another reason: the variance between
 * dumps (DIFFERS), or a drift or two speeds within dumps (DROWNED). */
bool etc_change_is_news(uint8_t change);

/* Returns the word for an enum etc_change: "faster", "unclear", "below resolution" … */
const char *etc_change_name(uint8_t change);

/* Returns the end-to-end time of group `g`. The first group (g == 0) has no comparison of its own;
 * its time is side `a` of the comparison with group 1. */
static inline const struct etc_comparison_side *etc_diff_end(const struct etc_diff_section *s,
                                                             uint32_t g)
{
	return g ? &s->rows[0].against[g]->b : &s->rows[0].against[1]->a;
}

#endif
