/* compare_steps.h -- the steps of a diff, for compare.c and its files alone. */
#ifndef ETC_COMPARE_INTERNAL_H
#define ETC_COMPARE_INTERNAL_H

#include "base/map.h"
#include "commands/compare/compare.h"

/* One dump, whichever group it is of. */
struct etc_diff_dump {
	const struct etc_profile *profile;
	uint32_t group;
};

/* Which rows of a profile are in which row of the section. */
struct etc_diff_part {
	const struct etc_profile_row *row; /* of the dump */
	uint32_t to;                       /* row of the section's table */
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
	const struct etc_diff_dump *dumps; /* out->dump_count */
	uint32_t bootstraps;               /* rows that may still have one */
};

/* sections.c: puts the paths of all dumps side by side. */
enum etc_status etc_diff_sections(struct etc_diff_maker *mk, struct etc_diff_section **sections,
                                  uint32_t *count, struct etc_error *err) ETC_MUST_CHECK;

/* rows.c: aligns the events of a section and makes its rows, in the order of the
 * file; parts[d] tells what of dump d is in them. */
enum etc_status etc_diff_rows(const struct etc_diff_maker *mk, const struct etc_diff_section *s,
                              struct etc_diff_row **rows, uint32_t *count,
                              struct etc_diff_parts *parts, struct etc_error *err) ETC_MUST_CHECK;

/* weigh.c: brings single runs to the rows, compares each with the first group, and
 * sets them in their final order. */
enum etc_status etc_diff_weigh(struct etc_diff_maker *mk, struct etc_diff_section *s,
                               struct etc_diff_row *rows, uint32_t count,
                               const struct etc_diff_parts *parts,
                               struct etc_error *err) ETC_MUST_CHECK;

/* weigh.c: corrects for the number of comparisons: ends by themselves, rows and
 * rests of all sections and groups together. */
enum etc_status etc_diff_adjust(struct etc_diff_maker *mk, struct etc_error *err) ETC_MUST_CHECK;

#endif
