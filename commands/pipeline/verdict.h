/* verdict.h -- the report of `etcore pipeline validate` and `compare`. */
#ifndef ETC_API_PIPELINE_VERDICT_H
#define ETC_API_PIPELINE_VERDICT_H

#include "context/output.h"
#include "context/session.h"
#include "commands/pipeline/findings.h"
#include "commands/pipeline/folder.h"

struct etc_verdict {
	const struct etc_run_folder *folder, *known_good; /* NULL: none */
	const struct etc_findings *findings;
	const char *schema; /* schema name of the JSON form */
	const char *level;  /* NULL: there are none */
	enum etc_code code; /* code of the error if a finding fails */
};

/* text, json; `what` is the verdict. */
extern const struct etc_format etc_verdict_formats[];

/* Writes the report; returns its code if a finding fails. Errors of writing. */
enum etc_status etc_verdict_give(const struct etc_verdict *v, const struct etc_targets *targets,
                                 struct etc_session *s, const struct etc_reply *reply,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
