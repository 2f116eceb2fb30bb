/* part.h -- one report of `etcore analyze`: the report of a dump, or of several pooled dumps. */
#ifndef ETC_COMMANDS_ANALYZE_PART_H
#define ETC_COMMANDS_ANALYZE_PART_H

#include "context/inputs.h"
#include "profile/plan.h"
#include "table/report.h"
#include "commands/analyze/runs.h"

struct etc_tracer;

struct etc_part {
	struct etc_inputs *inputs; /* input files of the dumps of the part */
	uint32_t count;
	/* measured cost of the tracer, to subtract; NULL: not requested */
	const struct etc_tracer *tracer;
	/* files of the first dump, but with the pooled trace of all dumps */
	struct etc_inputs in;
	const struct etc_trace *trace; /* trace of `in`, with expanded events */
	struct etc_str *names;         /* paths of the dumps */
	/* for each run, the index of its dump in `names`; NULL: there is only one dump */
	const uint32_t *file;
	struct etc_profile whole; /* profile of all methods, even if --method selects one */
	/* profile by operator, for head and notes; with --brief, by the key of --by instead */
	struct etc_profile profile;
	struct etc_profile shown; /* profile with the requested rows, after --where */
	struct etc_report report;
	struct etc_profile_options options; /* the options that `profile` was made with */
};

/* Lists the part's files in the report. With `hashes`, lists the SHA-256 of each file, too;
 * computing it takes longer than the analysis of a large file. E0904. */
enum etc_status etc_part_files(struct etc_part *p, struct etc_arena *arena, bool hashes,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Sets `names`, `in` and `file`, and pools the traces of a part that has several dumps. E0904. */
enum etc_status etc_part_pool(struct etc_part *p, struct etc_session *s,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Makes profiles, notes and the report. E0506 … E0508, E0577, E0605, E0904. */
enum etc_status etc_part_make(struct etc_part *p, const struct etc_plan *plan,
                              struct etc_session *s, bool hashes,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Sets *out to the part's profile and files, from which etc_view_runs() makes the table of its
 * runs. E0904. */
enum etc_status etc_part_runs(const struct etc_part *p, struct etc_arena *arena,
                              struct etc_runs_part *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
