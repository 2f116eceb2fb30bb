/* groups.h -- groups of input files: `A… -- B… [-- C…]`. */
#ifndef ETC_API_GROUPS_H
#define ETC_API_GROUPS_H

#include "context/inputs.h"

struct etc_file_group {
	struct etc_str name;
	const char **dumps;
	uint32_t dump_count;
	const char *etrecord, *program; /* among its operands, else those of all groups, or NULL */
	struct etc_inputs *inputs;      /* of each dump; etc_groups_open */
	bool same_as_first;             /* its dumps are those of the first group */
	bool in_first;                  /* all dumps of one of the two are the other's, too */
};

struct etc_file_groups {
	struct etc_file_group *v;
	uint32_t count, dump_count;
};

/* What is common to all groups; NULL: not given. */
struct etc_group_options {
	const char *const *files; /* "--" parts groups */
	uint32_t file_count;
	const char *names; /* "A,B,…" */
	const char *etrecord, *program;
	bool no_siblings, verbose;
	bool single; /* one group is enough */
};

/* Parts the operands; files are told apart by their first bytes. Names are those
 * given, else what differs between the paths. E0501, E0904, and of opening. */
enum etc_status etc_groups_parse(struct etc_file_groups *groups,
                                 const struct etc_group_options *options, struct etc_session *s,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Opens and reads every dump with what belongs to it. A stored baseline among them
 * stands for the dumps that it was made of: count, names and inputs are theirs then. A
 * dump that a group has twice counts once (N0180); one of two groups is N0140. */
enum etc_status etc_groups_open(struct etc_file_groups *groups,
                                const struct etc_group_options *options, struct etc_session *s,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
