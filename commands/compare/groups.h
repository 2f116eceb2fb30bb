/* groups.h -- finds and opens groups of input files: `A… -- B… [-- C…]`. */
#ifndef ETC_COMMANDS_COMPARE_GROUPS_H
#define ETC_COMMANDS_COMPARE_GROUPS_H

#include "context/inputs.h"

struct etc_file_group {
	struct etc_str name;
	const char **dumps;
	uint32_t dump_count;
	/* the record and the program among the group's operands; if there are none, those given for
	 * all groups; NULL: none */
	const char *etrecord, *program;
	struct etc_inputs *inputs; /* inputs of each dump; filled by etc_groups_open() */
	bool same_as_first;        /* the group has the same dumps as the first group */
	/* all dumps of the first group are in this group, or all dumps of this group are in the
	 * first group */
	bool in_first;
	/* a dump of this group has the same bytes as a dump of the first group, but the two are
	 * different files, or one of them is in a stored baseline. One may be a copy of the other,
	 * or both were recorded with a simulator, whose times do not vary */
	bool equal_files;
};

struct etc_file_groups {
	struct etc_file_group *v;
	uint32_t count, dump_count;
};

/* Options for all groups; NULL: the option is not given. */
struct etc_group_options {
	const char *const *files; /* operands; "--" separates groups */
	uint32_t file_count;
	const char *names; /* value of --names: "A,B,…" */
	const char *etrecord, *program;
	bool no_siblings, verbose;
	bool single; /* a single group is allowed */
};

/* Splits the operands into groups, and finds the kinds of the files by their first bytes. The names
 * of the groups are those of --names; else the parts in which the paths of the groups differ; else
 * letters. E0501, E0904, and the errors of opening files. */
enum etc_status etc_groups_parse(struct etc_file_groups *groups,
                                 const struct etc_group_options *options, struct etc_session *s,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Opens and reads every dump with its record and program. A stored baseline is replaced by the
 * dumps that it was made from: `inputs` then has one element for each of these dumps. If a dump
 * occurs twice in a group, it counts once (N0180). If a dump is in the first and in another group,
 * N0140 or N0141 is reported. E0904, and the errors of reading files. */
enum etc_status etc_groups_open(struct etc_file_groups *groups,
                                const struct etc_group_options *options, struct etc_session *s,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
