/* check_report.h -- the verdicts on a plugin as text, JSON, TAP 13 and JUnit XML. */
#ifndef ETC_COMMANDS_PLUGINS_CHECK_REPORT_H
#define ETC_COMMANDS_PLUGINS_CHECK_REPORT_H

#include "base/text.h"
#include "commands/plugins/check/check.h"

struct etc_check_result {
	const struct etc_check *check;
	uint8_t verdict;     /* enum etc_verdict, never NONE */
	struct etc_str text; /* about the result; printable */
	unsigned took_ms;
};

struct etc_check_report {
	struct etc_str path;
	const char *level;
	const char *grade;  /* the highest level that the plugin passes, or "none"; NULL: only some
		         * checks ran */
	const char *sha256; /* hash of the plugin's file */
	uint64_t seed;      /* seed of the check "stress" */
	struct etc_tried tried;
	char plugin[64], version[64], abi[16]; /* empty: the plugin could not be loaded */
	const struct etc_check_result *results;
	unsigned count;
};

unsigned etc_check_report_count(const struct etc_check_report *r, enum etc_verdict verdict);

/* Returns the name of the highest level, up to `most`, in which some check passed, and up to which
 * no check failed. "none": there is no such level. So a level whose checks were all skipped
 * (parity, if no answers were recorded) does not count. */
const char *etc_check_grade(const struct etc_check_result *results, unsigned count, unsigned most);

void etc_check_put_text(void *report, struct etc_text *out);
void etc_check_put_json(void *report, struct etc_text *out);
void etc_check_put_tap(void *report, struct etc_text *out);
void etc_check_put_junit(void *report, struct etc_text *out);

/* clang-format off */
#define ETC_CHECK_FORMATS(X)                                                                       \
	X("text",  "txt", etc_check_put_text)                                                      \
	X("json",  NULL,  etc_check_put_json)                                                      \
	X("tap",   NULL,  etc_check_put_tap)                                                       \
	X("junit", "xml", etc_check_put_junit)
/* clang-format on */

#endif
