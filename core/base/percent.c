/* percent.c -- see percent.h */
#include "base/percent.h"

#include "base/number.h"

static struct etc_str digits(char to[ETC_NUMBER_MAX], double v)
{
	return (struct etc_str){ to, etc_number_g(to, v) };
}

enum etc_status etc_percent_parse(const char *what, struct etc_str text, double least, double most,
                                  enum etc_code wrong, double *percent, struct etc_error *err)
{
	char low[ETC_NUMBER_MAX], high[ETC_NUMBER_MAX];
	struct etc_str number = etc_str_trim(text);
	bool sign = etc_str_ends(number, ETC_STR("%"));
	double v;

	number.len -= sign;
	number = etc_str_trim(number);
	if (!etc_number_parse(number, &v))
		v = -1;
	if (!sign && v > 0 && v < 1)
		return etc_fail(err, E0550,
		                "%s '" ETC_STR_FMT "': " ETC_STR_FMT "%% or " ETC_STR_FMT "%%?",
		                what, ETC_STR_ARG(text), ETC_STR_ARG(number),
		                ETC_STR_ARG(digits(high, v * 100)));
	if (!(v >= least && v <= most))
		return etc_fail(err, wrong,
		                "%s '" ETC_STR_FMT "'; expected " ETC_STR_FMT "%% to " ETC_STR_FMT
		                "%%",
		                what, ETC_STR_ARG(text), ETC_STR_ARG(digits(low, least)),
		                ETC_STR_ARG(digits(high, most)));
	*percent = v;
	return ETC_OK;
}
