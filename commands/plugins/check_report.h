/* check_report.h -- writes the verdicts on a plugin as text, JSON, TAP 13 and JUnit XML. */
#ifndef ETC_COMMANDS_PLUGINS_CHECK_REPORT_H
#define ETC_COMMANDS_PLUGINS_CHECK_REPORT_H

#include "base/text.h"
#include "commands/plugins/check/check.h"

struct etc_check_result {
	const struct etc_check *check;
	uint8_t verdict;     /* enum etc_verdict, never NONE */
	struct etc_str text; /* text about the result; has no unprintable characters */
	unsigned took_ms;
};

struct etc_check_report {
	struct etc_str path;
	const char *level;
	const char *grade;  /* the highest level that the plugin passes, or "none"; NULL: only some
		         * checks ran */
	const char *sha256; /* SHA-256 of the plugin's file */
	uint64_t seed;      /* seed of the check "stress" */
	struct etc_tried tried;
	char plugin[64], version[64], abi[16]; /* empty: the plugin could not be loaded */
	const struct etc_check_result *results;
	unsigned count;
};

unsigned etc_check_report_count(const struct etc_check_report *r, enum etc_verdict verdict);

/* Returns the name of the plugin's grade: the highest level up to `most` for which two things hold.
 * At least one check of the level passed (so a level whose checks were all skipped does not count),
 * and no check of this or a lower level failed. Returns "none" if there is no such level. */
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
