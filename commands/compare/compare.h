/* compare.h -- several groups of dumps, event by event: what changed against the first.
 *
 * Takes profiles by event (or by delegate) that kept their single runs. Paths of
 * one method are put side by side (sections.c), events aligned (align.h) and
 * summed up to the rows that were asked for (rows.c), each run by itself; what
 * changed is for core/stats to say (weigh.c). Plain data; memory is the arena's. */
#ifndef ETC_COMPARE_DIFF_H
#define ETC_COMPARE_DIFF_H

#include "commands/compare/align.h"
#include "model/profile.h"
#include "stats/compare.h"

/* A group: dumps that were recorded under the same conditions. */
struct etc_diff_group {
	struct etc_str name;
	const struct etc_profile *const *dumps; /* by EVENT or DELEGATE, with samples */
	uint32_t count;
	bool same_as_first;   /* its dumps are those of the first group: nothing can differ */
	bool in_first;        /* all dumps of one of the two are the other's, too: no verdict */
	const double *places; /* of each dump in the order of recording; NULL: not known */
};

struct etc_diff_options {
	uint8_t by;               /* enum etc_by of a row; none of FILE, RUN */
	struct etc_str method;    /* only this one; empty: all */
	uint32_t most_bootstraps; /* rows, of all sections, with an interval by bootstrap */
	bool brief; /* rows that all groups have and that add up: only what is shown of changes */
	struct etc_compare_options compare; /* but `resolution` and `brief` */
};

enum etc_diff_level {
	ETC_DIFF_RUN, /* end to end: Method::execute */
	ETC_DIFF_ROW,
	ETC_DIFF_REST /* rounding and unattributed time: what is no row */
};

/* Can the same name be another kernel than in the first group? */
enum etc_kernel_change {
	ETC_KERNEL_SAME,     /* nothing says so */
	ETC_KERNEL_DOUBTFUL, /* its name fits kernels for several instruction sets */
	ETC_KERNEL_OTHER     /* so it does, and only one of the groups has SME */
};

/* One group's side of a row. */
struct etc_diff_side {
	bool present;                  /* its dumps have such events */
	bool work;                     /* some of them are kernels or delegate events */
	bool partner;                  /* and some of those have a partner in another dump */
	struct etc_str name;           /* what they are called there: "X, Y and 2 more" */
	double calls;                  /* events per run */
	double resolution;             /* truncation may hide as much, in the row's unit */
	uint8_t how;                   /* set of 1 << enum etc_match */
	uint8_t unit;                  /* ETCORE_UNIT_* */
	uint8_t kernel;                /* enum etc_kernel_change: of events that kept their name */
	const struct etc_facts *facts; /* of its first event, or NULL */
};

struct etc_diff_row {
	uint8_t level;                    /* enum etc_diff_level */
	uint8_t rest;                     /* REST: ETC_VALUES_ROUNDING, _INSIDE, _BETWEEN */
	struct etc_str key;               /* the name in the first group that has it */
	struct etc_str category, backend; /* of its first event; or empty */
	const struct etc_group *place;    /* by MODULE, SOURCE: or NULL */
	uint8_t unit;                     /* ETCORE_UNIT_* of its times, one for all groups */
	bool delegate, native, detached;
	const struct etc_diff_side *sides; /* per group */
	struct etc_comparison **against;   /* per group; [0] is NULL */
};

/* One path of one method in all groups. */
struct etc_diff_section {
	struct etc_str method; /* empty: unknown */
	uint32_t path;         /* number in the first dump that has it */
	const uint32_t *paths; /* of each dump, all groups in order; UINT32_MAX: has none */
	uint8_t unit;          /* of the first group that has it */
	const struct etc_diff_row *rows; /* RUN first, ROWs by size of change, RESTs last */
	uint32_t row_count;
};

struct etc_diff {
	const struct etc_diff_group *groups;
	uint32_t group_count, dump_count;
	const uint32_t *first_dump; /* of each group among all dumps; one more than groups */
	const struct etc_diff_section *sections; /* by time in the first group */
	uint32_t section_count;
	uint8_t by, stat;
};

/* At least two groups of at least one dump each. E0904. */
enum etc_status etc_diff_make(const struct etc_diff_group *groups, uint32_t count,
                              const struct etc_diff_options *options, struct etc_arena *arena,
                              struct etc_diff *out, struct etc_error *err) ETC_MUST_CHECK;

/* What became of a row in a group. */
enum etc_change {
	ETC_CHANGE_ABSENT,  /* neither the group nor the first has it */
	ETC_CHANGE_UNKNOWN, /* it cannot be compared: no run, another unit */
	ETC_CHANGE_UNCLEAR, /* no significant change */
	ETC_CHANGE_BELOW,   /* the same, and less than the clock can tell */
	ETC_CHANGE_DIFFERS, /* these recordings do; other ones of the same may, too */
	ETC_CHANGE_DROWNED, /* a drift inside the recordings is as large: cannot tell */
	ETC_CHANGE_FASTER,
	ETC_CHANGE_SLOWER,
	ETC_CHANGE_APPEARED,
	ETC_CHANGE_DISAPPEARED,
	ETC_CHANGE_COUNT
};
enum etc_change etc_diff_change(const struct etc_diff_row *row, uint32_t group);

/* Is the ratio of the two sides known? Not of zero, and not where truncation may
 * hide more than there is on a side. */
bool etc_diff_has_ratio(const struct etc_diff_row *row, uint32_t group);

/* Do the group and the first both do work, but none that is the same? They may be
 * runs of two models: nothing tells what their times have to do with each other. */
bool etc_diff_unrelated(const struct etc_diff_row *rows, uint32_t count, uint32_t group);

/* Did it change significantly, whatever that says? Also what only one side has. */
bool etc_change_is_news(uint8_t change);

/* "faster", "unclear", "below resolution" … */
const char *etc_change_name(uint8_t change);

/* The end of a group: A's stands in every comparison. */
static inline const struct etc_comparison_side *etc_diff_end(const struct etc_diff_section *s,
                                                             uint32_t g)
{
	return g ? &s->rows[0].against[g]->b : &s->rows[0].against[1]->a;
}

#endif
