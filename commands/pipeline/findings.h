/* findings.h -- collects the problems of a run folder. */
#ifndef ETC_PIPELINE_FINDINGS_H
#define ETC_PIPELINE_FINDINGS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

enum { ETC_FINDINGS_SHOWN = 1000 }; /* after this number findings are only counted */

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
	bool strict;             /* warnings fail, too */
	bool no_memory;
};

/* Adds a finding: an E code fails, a W code only with `strict`. */
void etc_finding(struct etc_findings *f, enum etc_code code, struct etc_str where, const char *fmt,
                 ...) ETC_PRINTF(4, 5);

/* Adds a finding for a file that could not be opened or read; the text is that error. */
void etc_finding_error(struct etc_findings *f, enum etc_code code, struct etc_str where,
                       const struct etc_error *why);

/* Adds a check that passed. */
void etc_finding_passed(struct etc_findings *f, const char *fmt, ...) ETC_PRINTF(2, 3);

/* Writes a line per finding: "ok     manifest.json", "E1054  …". */
void etc_findings_text(const struct etc_findings *f, struct etc_text *out);

#endif
