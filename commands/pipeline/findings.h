/* findings.h -- what is wrong with a run folder, finding by finding. */
#ifndef ETC_PIPELINE_FINDINGS_H
#define ETC_PIPELINE_FINDINGS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

enum { ETC_FINDINGS_SHOWN = 1000 }; /* further ones are only counted */

struct etc_finding {
	enum etc_code code;   /* ETC_CODE_NONE: a check that was passed */
	struct etc_str where; /* a file below the folder, or empty */
	struct etc_str text;
	bool fails; /* the exit status tells of it */
};

struct etc_findings {
	struct etc_arena *arena;
	struct etc_finding *v;
	uint32_t count, room;
	uint64_t failed, warned; /* also those that are not in `v` */
	bool strict;             /* a warning fails, too */
	bool no_memory;
};

/* Adds one: an E row fails, a W row only with `strict`. */
void etc_finding(struct etc_findings *f, enum etc_code code, struct etc_str where, const char *fmt,
                 ...) ETC_PRINTF(4, 5);

/* The same of a file that could not be opened or read: its error is the text. */
void etc_finding_error(struct etc_findings *f, enum etc_code code, struct etc_str where,
                       const struct etc_error *why);

/* Adds a check that was passed. */
void etc_finding_passed(struct etc_findings *f, const char *fmt, ...) ETC_PRINTF(2, 3);

/* A line each: "ok     manifest.json", "E1054  …". */
void etc_findings_text(const struct etc_findings *f, struct etc_text *out);

#endif
