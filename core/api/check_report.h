/* check_report.h -- the verdicts on a plugin as text, TAP 13 and JUnit XML. */
#ifndef ETC_API_CHECK_REPORT_H
#define ETC_API_CHECK_REPORT_H

#include "base/text.h"
#include "check/check.h"

struct etc_check_result {
	const struct etc_check *check;
	uint8_t verdict;     /* enum etc_verdict, never NONE */
	struct etc_str text; /* what was seen; printable */
	unsigned took_ms;
};

struct etc_check_report {
	struct etc_str path;
	const char *level;
	const struct etc_check_result *results;
	unsigned count;
};

unsigned etc_check_report_count(const struct etc_check_report *r, enum etc_verdict verdict);

/* The writer of "text", "tap" or "junit", or NULL. */
typedef void etc_check_writer(const struct etc_check_report *r, struct etc_text *out);
etc_check_writer *etc_check_writer_of(struct etc_str format);

#endif
