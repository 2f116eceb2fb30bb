/* compare_options.c -- see compare_options.h */
#include "context/compare_options.h"

#include "base/number.h"
#include "base/percent.h"

/* Limits of --rounds. With fewer rounds than LEAST_ROUNDS, the bootstrap may give an interval of
 * length 0 that does not contain the estimate. */
enum { LEAST_ROUNDS = 100, MOST_ROUNDS = 1000000 };

static enum etc_status parse_confidence(const char *arg, double *level, struct etc_error *err)
{
	ETC_TRY(etc_percent_parse("--confidence", etc_str_of(arg), 50, 99.99, E0505, level, err));
	*level /= 100;
	return ETC_OK;
}

static enum etc_status parse_spread(const char *arg, double *spread, struct etc_error *err)
{
	double percent;

	ETC_TRY(etc_percent_parse("--process-spread", etc_str_of(arg), 0, 100, E0505, &percent,
	                          err));
	*spread = percent / 100;
	return ETC_OK;
}

static enum etc_status parse_rounds(const char *arg, uint32_t *rounds, struct etc_error *err)
{
	uint64_t v;

	if (!etc_number_parse_u64(etc_str_of(arg), &v) || v > MOST_ROUNDS ||
	    (v > 0 && v < LEAST_ROUNDS))
		return etc_fail(err, E0505, "--rounds '%s'; expected 0, or a number from %d to %d",
		                arg, LEAST_ROUNDS, MOST_ROUNDS);
	*rounds = (uint32_t)v;
	return ETC_OK;
}

enum etc_status etc_compare_options_parse(const struct etc_compare_words *words,
                                          struct etc_compare_options *out, struct etc_error *err)
{
	if (words->confidence)
		ETC_TRY(parse_confidence(words->confidence, &out->level, err));
	if (words->process_spread) {
		ETC_TRY(parse_spread(words->process_spread, &out->process_spread, err));
		out->at_least = false;
	}
	return words->rounds ? parse_rounds(words->rounds, &out->rounds, err) : ETC_OK;
}
