/* compare_options.h -- --confidence, --rounds, --process-spread and --order: the options that
 * control how `etcore diff` and `etcore check` compare. */
#ifndef ETC_CONTEXT_COMPARE_OPTIONS_H
#define ETC_CONTEXT_COMPARE_OPTIONS_H

#include "context/options.h"
#include "stats/compare.h"

/* The options as given. NULL: not given; then the defaults are 95%, 10000, 5%, and the order of the
 * dumps' start times. */
struct etc_compare_words {
	const char *confidence, *rounds, *process_spread, *order;
};

/* The rows of these options (options.h), for a command whose struct of options, `type`, has a
 * member `compare` of the type struct etc_compare_words. `first` is the name of the command's first
 * group. ETC_TEST_ROWS has no --order; it is for commands whose inputs do not contain the times at
 * which the dumps were recorded. */
/* clang-format off */
#define ETC_TEST_ROWS(type)                                                                                   \
	{ 0, "confidence", ETC_OPT_TEXT, offsetof(type, compare.confidence), "LEVEL", NULL,                   \
	  "confidence of the intervals; 100% minus it is the level of significance (default: 95%)" },         \
	{ 0, "rounds", ETC_OPT_TEXT, offsetof(type, compare.rounds), "N", NULL,                               \
	  "rounds of the bootstrap (default: 10000); 0: intervals by Student's t" },                          \
	{ 0, "process-spread", ETC_OPT_TEXT, offsetof(type, compare.process_spread), "PERCENT", NULL,         \
	  "assumed spread between recordings of one program, if it is not measured (default: 5%, or the spread of the runs if larger)" }
#define ETC_COMPARE_ROWS(type, first)                                                                         \
	ETC_TEST_ROWS(type),                                                                                  \
	{ 0, "order", ETC_OPT_TEXT, offsetof(type, compare.order), "ABAB…", NULL,                             \
	  "order in which the dumps were recorded (A: " first "), or none to ignore it (default: by start times)" }
/* clang-format on */

/* Parses all texts except `order` into `out`. If a text is NULL, the corresponding member of `out`
 * is not changed. E0505, E0550. */
enum etc_status etc_compare_options_parse(const struct etc_compare_words *words,
                                          struct etc_compare_options *out,
                                          struct etc_error *err) ETC_MUST_CHECK;

#endif
