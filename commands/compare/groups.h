/* groups.h -- groups of input files: `A… -- B… [-- C…]`. */
#ifndef ETC_COMMANDS_COMPARE_GROUPS_H
#define ETC_COMMANDS_COMPARE_GROUPS_H

#include "context/inputs.h"

struct etc_file_group {
	struct etc_str name;
	const char **dumps;
	uint32_t dump_count;
	/* files given among the group's operands, else those given for all groups, or NULL */
	const char *etrecord, *program;
	struct etc_inputs *inputs; /* inputs of each dump; filled by etc_groups_open() */
	bool same_as_first;        /* has the same dumps as the first group */
	/* this group has all dumps of the first group, or the first group has all dumps of this
	 * one */
	bool in_first;
	/* a dump is in the first group with the same bytes, but in another file or in a stored
	 * baseline: a copy, or a simulator without noise */
	bool equal_files;
};

struct etc_file_groups {
	struct etc_file_group *v;
	uint32_t count, dump_count;
};

/* Options for all groups; NULL: not given. */
struct etc_group_options {
	const char *const *files; /* operands; "--" separates groups */
	uint32_t file_count;
	const char *names; /* value of --names: "A,B,…" */
	const char *etrecord, *program;
	bool no_siblings, verbose;
	bool single; /* one group is enough */
};

/* Splits the operands into groups and finds the kinds of files by their first bytes. Groups are
 * named by --names, else by the parts in which their paths differ, else by letters. E0501, E0904,
 * and errors of opening. */
enum etc_status etc_groups_parse(struct etc_file_groups *groups,
                                 const struct etc_group_options *options, struct etc_session *s,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Opens and reads every dump with its record and program. A stored baseline is replaced by the
 * dumps that it was made from: it contributes their number, names and inputs. A dump that occurs
 * twice in a group counts once (N0180); a dump in the first and in another group is reported as
 * N0140 or N0141. E0904, and errors of reading. */
enum etc_status etc_groups_open(struct etc_file_groups *groups,
                                const struct etc_group_options *options, struct etc_session *s,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
