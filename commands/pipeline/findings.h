/* findings.h -- collects the problems of a run folder, and writes the report of `etcore pipeline
 * validate` and `compare`. */
#ifndef ETC_COMMANDS_PIPELINE_FINDINGS_H
#define ETC_COMMANDS_PIPELINE_FINDINGS_H

#include "commands/pipeline/folder.h"
#include "context/output.h"
#include "context/session.h"

/* maximum number of findings that are stored; further ones are only counted */
enum { ETC_FINDINGS_SHOWN = 1000 };

struct etc_finding {
	enum etc_code code;   /* ETC_CODE_NONE: a check that passed */
	struct etc_str where; /* path of a file, relative to the folder; or empty */
	struct etc_str text;
	bool fails; /* the finding makes the command fail */
};

struct etc_findings {
	struct etc_arena *arena;
	struct etc_finding *v;
	uint32_t count, room;
	/* failed: number of findings that make the command fail; warned: number of warnings. Both
	 * include findings that are not in `v` */
	uint64_t failed, warned;
	bool strict; /* warnings count as failures */
	bool sealed; /* the manifest has a seal that is correct; see etc_seal_holds() */
	bool no_memory;
};

/* Adds a finding. A finding with an E code makes the command fail. A finding with a W code makes it
 * fail only if `strict` is set. */
void etc_finding(struct etc_findings *f, enum etc_code code, struct etc_str where, const char *fmt,
                 ...) ETC_PRINTF(4, 5);

/* Adds a finding about a file that could not be opened or read. The text of the finding is that of
 * `why`. */
void etc_finding_error(struct etc_findings *f, enum etc_code code, struct etc_str where,
                       const struct etc_error *why);

/* Adds a finding which says that a check passed. */
void etc_finding_passed(struct etc_findings *f, const char *fmt, ...) ETC_PRINTF(2, 3);

/* ---- the report ----------------------------------------------------------------------- */

struct etc_verdict {
	const struct etc_run_folder *folder, *known_good; /* NULL: none */
	const struct etc_findings *findings;
	const char *schema; /* value of the member "schema" in the JSON report */
	/* level of `validate`; NULL: the command has no levels */
	const char *level;
	/* only the layout of the folder was checked, not the contents of its files */
	bool only_layout;
	/* code of the error with which the command ends if a finding has `fails` */
	enum etc_code code;
};

/* The formats of the report, for etc_targets_parse(): text and json. */
extern const struct etc_format etc_verdict_formats[];

/* Writes the report to `targets`. Returns the error v->code if a finding makes the command fail
 * (etc_finding.fails). Also returns the errors of writing. */
enum etc_status etc_verdict_give(const struct etc_verdict *v, const struct etc_targets *targets,
                                 struct etc_session *s, const struct etc_reply *reply,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
