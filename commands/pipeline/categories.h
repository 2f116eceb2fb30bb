/* categories.h -- the category of an operator by its name, exactly as the two
 * categorisers of Arm's profiling kit compute it, including their errors.
 *
 * Both use only the name, so both misclassify many operators of XNNPACK ("Convert"
 * contains "conv", "Resize Bilinear" contains "linear"). They exist so that numbers can
 * be compared with the kit's. etcore's own category comes from the plugin that owns the
 * event (model/profile.h). */
#ifndef ETC_COMMANDS_PIPELINE_CATEGORIES_H
#define ETC_COMMANDS_PIPELINE_CATEGORIES_H

#include "base/span.h"

enum { ETC_KIT_V1_COUNT = 5, ETC_KIT_V2_COUNT = 15 };

/* The category of kit-v1 (its programs analyze_results and generate_report). Substrings of a fixed
 * list are searched in the name, in lower case. The first that occurs in it decides. Returns a
 * constant: "Convolution", "GEMM", "Data Movement", "Elementwise" or "Other". */
const char *etc_category_v1(struct etc_str name);

/* The category of kit-v2 (its program analyze_etdump_csv): categories are tried in a fixed order,
 * and the first that has a word of the name, in lower case, is returned. Returns a constant: "CONV"
 * ... "RNN", "OTHER". */
const char *etc_category_v2(struct etc_str name);

#endif
