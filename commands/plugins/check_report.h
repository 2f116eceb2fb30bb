/* check_report.h -- the verdicts on a plugin as text, JSON, TAP 13 and JUnit XML. */
#ifndef ETC_API_CHECK_REPORT_H
#define ETC_API_CHECK_REPORT_H

#include "base/text.h"
#include "commands/plugins/check/check.h"

struct etc_check_result {
	const struct etc_check *check;
	uint8_t verdict;     /* enum etc_verdict, never NONE */
	struct etc_str text; /* what was seen; printable */
	unsigned took_ms;
};

struct etc_check_report {
	struct etc_str path;
	const char *level;
	const char
		*grade; /* the highest level that it keeps, or "none"; NULL: only some checks ran */
	const char *sha256;                    /* of the file */
	uint64_t seed;                         /* of stress */
	char plugin[64], version[64], abi[16]; /* empty: it could not be loaded */
	const struct etc_check_result *results;
	unsigned count;
};

unsigned etc_check_report_count(const struct etc_check_report *r, enum etc_verdict verdict);

/* The grade of all checks of the levels up to `most`: the highest whose checks, and those of all below it,
 * did not fail. A level without a result (parity, when nothing was recorded) is passed over. */
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
