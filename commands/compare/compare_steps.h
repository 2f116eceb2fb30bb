/* compare_steps.h -- the steps of a comparison; private to compare.c, sections.c, rows.c and
 * weigh.c. */
#ifndef ETC_COMMANDS_COMPARE_COMPARE_STEPS_H
#define ETC_COMMANDS_COMPARE_COMPARE_STEPS_H

#include "base/map.h"
#include "commands/compare/compare.h"

/* One dump, and the group that it belongs to. */
struct etc_diff_dump {
	const struct etc_profile *profile;
	uint32_t group;
};

/* States that a row of a dump's profile belongs to a row of the section. */
struct etc_diff_part {
	const struct etc_profile_row *row; /* row of the dump */
	uint32_t to;                       /* index of the row in the section's table */
	uint8_t how;                       /* enum etc_match */
};

struct etc_diff_parts {
	struct etc_diff_part *v;
	uint32_t count;
};

struct etc_diff_maker {
	const struct etc_diff_options *options;
	struct etc_arena *arena;
	struct etc_diff *out;
	const struct etc_diff_dump *dumps; /* the dumps of all groups; out->dump_count entries */
	uint32_t bootstraps;               /* number of rows that may still get a bootstrap */
};

/* sections.c: matches the paths of all dumps, and makes a section for each set of matching
 * paths. */
enum etc_status etc_diff_sections(struct etc_diff_maker *mk, struct etc_diff_section **sections,
                                  uint32_t *count, struct etc_error *err) ETC_MUST_CHECK;

/* rows.c: aligns the events of a section's dumps, and makes the section's rows in file order. Sets
 * parts[d] to the rows of dump d, each with the row of the section in which it is counted. */
enum etc_status etc_diff_rows(const struct etc_diff_maker *mk, const struct etc_diff_section *s,
                              struct etc_diff_row **rows, uint32_t *count,
                              struct etc_diff_parts *parts, struct etc_error *err) ETC_MUST_CHECK;

/* weigh.c: collects the times of each row in each run, compares each group with the first group,
 * and sorts the rows. */
enum etc_status etc_diff_weigh(struct etc_diff_maker *mk, struct etc_diff_section *s,
                               struct etc_diff_row *rows, uint32_t count,
                               const struct etc_diff_parts *parts,
                               struct etc_error *err) ETC_MUST_CHECK;

/* weigh.c: adjusts the p values for multiple comparisons. The end-to-end rows are one family; the
 * other rows of all sections and groups are another family. */
enum etc_status etc_diff_adjust(struct etc_diff_maker *mk, struct etc_error *err) ETC_MUST_CHECK;

#endif
