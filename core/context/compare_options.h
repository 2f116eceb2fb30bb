/* compare_options.h -- --confidence, --rounds and --process-spread of `etcore diff` and `etcore check`. */
#ifndef ETC_API_COMPARE_OPTIONS_H
#define ETC_API_COMPARE_OPTIONS_H

#include "stats/compare.h"

/* What is NULL leaves its member alone. E0505, E0550. */
enum etc_status etc_compare_options_parse(const char *confidence, const char *rounds,
                                          const char *process_spread,
                                          struct etc_compare_options *out,
                                          struct etc_error *err) ETC_MUST_CHECK;

#endif
