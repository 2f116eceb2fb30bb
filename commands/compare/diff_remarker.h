/* diff_remarker.h -- private to the files that implement diff_remarks.h. */
#ifndef ETC_API_DIFF_REMARKER_H
#define ETC_API_DIFF_REMARKER_H

#include "commands/compare/diff_remarks.h"

struct etc_diff_remarker {
	const struct etc_diff *diff;
	const struct etc_file_groups *files;
	struct etc_arena *arena;
	struct etc_notes *notes;
};

/* If there are more paths than this, only those that take most time get their own remarks. */
enum { ETC_DIFF_REMARK_SECTIONS = 12 };

typedef void etc_diff_remark_fn(const struct etc_diff_remarker *r);

struct etc_str etc_diff_group_name(const struct etc_diff_remarker *r, uint32_t g);

/* Prefix of texts that names the section, such as "forward, "; empty if there is only one
 * section. */
struct etc_str etc_diff_place(const struct etc_diff_remarker *r, const struct etc_diff_section *s);

/* The first path of a group in a section, or NULL. */
const struct etc_profile_path *etc_diff_path(const struct etc_diff_remarker *r,
                                             const struct etc_diff_section *s, uint32_t g,
                                             const struct etc_profile **profile);

/* Functions of diff_remarks_dumps.c: */
etc_diff_remark_fn etc_diff_remark_dumps, etc_diff_remark_disagree, etc_diff_remark_programs,
	etc_diff_remark_partitions, etc_diff_remark_tracers, etc_diff_remark_tracer_cost;

#endif
