/* groups.h -- groups of input files: `A… -- B… [-- C…]`. */
#ifndef ETC_COMMANDS_COMPARE_GROUPS_H
#define ETC_COMMANDS_COMPARE_GROUPS_H

#include "context/inputs.h"

struct etc_file_group {
	struct etc_str name;
	const char **dumps;
	uint32_t dump_count;
	/* the record and the program among the group's operands, else those given for all groups;
	 * NULL: none */
	const char *etrecord, *program;
	struct etc_inputs *inputs; /* inputs of each dump; filled by etc_groups_open() */
	bool same_as_first;        /* has the same dumps as the first group */
	/* all dumps of the first group are in this group, or all dumps of this group are in the
	 * first group */
	bool in_first;
	/* a dump of this group has the same bytes as a dump of the first group, but is another
	 * file, or one of both is in a stored baseline. It may be a copy, or a recording of a
	 * simulator without noise */
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
