/* findings.h -- collects the problems of a run folder, and writes the report of `etcore pipeline
 * validate` and `compare`. */
#ifndef ETC_COMMANDS_PIPELINE_FINDINGS_H
#define ETC_COMMANDS_PIPELINE_FINDINGS_H

#include "commands/pipeline/folder.h"
#include "context/output.h"
#include "context/session.h"

enum { ETC_FINDINGS_SHOWN = 1000 }; /* most findings that are kept; later ones are only counted */

struct etc_finding {
	enum etc_code code;   /* ETC_CODE_NONE: a check that passed */
	struct etc_str where; /* a file below the folder, or empty */
	struct etc_str text;
	bool fails; /* causes a failing exit status */
};

struct etc_findings {
	struct etc_arena *arena;
	struct etc_finding *v;
	uint32_t count, room;
	uint64_t failed, warned; /* counts, including findings that are not in `v` */
	bool strict;             /* warnings count as failures */
	bool sealed;             /* the manifest has a seal that matches */
	bool no_memory;
};

/* Adds a finding. With an E code it makes the command fail; with a W code only if `strict` is
 * set. */
void etc_finding(struct etc_findings *f, enum etc_code code, struct etc_str where, const char *fmt,
                 ...) ETC_PRINTF(4, 5);

/* Adds a finding for a file that could not be opened or read. The finding's text is that of the
 * error. */
void etc_finding_error(struct etc_findings *f, enum etc_code code, struct etc_str where,
                       const struct etc_error *why);

/* Adds a check that passed. */
void etc_finding_passed(struct etc_findings *f, const char *fmt, ...) ETC_PRINTF(2, 3);

/* ---- the report ----------------------------------------------------------------------- */

struct etc_verdict {
	const struct etc_run_folder *folder, *known_good; /* NULL: none */
	const struct etc_findings *findings;
	const char *schema; /* member "schema" of the JSON */
	/* level of `validate`; NULL: the command has no levels */
	const char *level;
	bool only_layout; /* the contents of the files were not checked */
	/* code of the error with which the command ends if a finding has `fails` */
	enum etc_code code;
};

/* The formats of the report, for etc_targets_parse(): text and json. */
extern const struct etc_format etc_verdict_formats[];

/* Writes the report to `targets`. Fails with v->code if a finding fails, and with the errors of
 * writing. */
enum etc_status etc_verdict_give(const struct etc_verdict *v, const struct etc_targets *targets,
                                 struct etc_session *s, const struct etc_reply *reply,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
