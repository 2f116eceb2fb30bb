/* percent.h -- parses percentages in options, rules and configurations. */
#ifndef ETC_BASE_PERCENT_H
#define ETC_BASE_PERCENT_H

#include "base/error.h"
#include "base/span.h"

/* Parses a percentage: "5", "5%" and "5 %" are 5, "0.5%" is 0.5. A number between 0 and 1 without a
 * percent sign is E0550, because it may be meant as a share (0.05) or as a percentage (0.05%). Any
 * other text, or a number outside `least` to `most` percent, is the error `wrong`. `what` names the
 * value in messages: "--confidence". */
enum etc_status etc_percent_parse(const char *what, struct etc_str text, double least, double most,
                                  enum etc_code wrong, double *percent,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
