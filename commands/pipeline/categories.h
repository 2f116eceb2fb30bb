/* categories.h -- finds the category of an operator by its name, exactly as the two categorisers of
 * Arm's profiling kit do, including their errors.
 *
 * Both categorisers use only the name, so they misclassify many operators of XNNPACK ("Convert"
 * contains "conv", "Resize Bilinear" contains "linear"). They exist so that etcore's numbers can be
 * compared with the kit's. etcore's own category comes from the plugin that owns the event
 * (model/profile.h). */
#ifndef ETC_COMMANDS_PIPELINE_CATEGORIES_H
#define ETC_COMMANDS_PIPELINE_CATEGORIES_H

#include "base/span.h"

enum { ETC_KIT_V1_COUNT = 5, ETC_KIT_V2_COUNT = 15 };

/* Returns the category by kit-v1 (the kit's programs analyze_results and generate_report). kit-v1
 * has a list of words, and searches each of them in the name in lower case, even inside other
 * words. The first word that is found determines the category. Returns a constant: "Convolution",
 * "GEMM", "Data Movement", "Elementwise" or "Other". */
const char *etc_category_v1(struct etc_str name);

/* Returns the category by kit-v2 (the kit's program analyze_etdump_csv). kit-v2 has words for each
 * category, and tries the categories in a fixed order. It returns the first category of which some
 * word is a whole word of the name in lower case. Returns a constant: "CONV" ... "RNN", "OTHER". */
const char *etc_category_v2(struct etc_str name);

#endif
