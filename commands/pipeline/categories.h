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

/* The category of kit-v1 (its programs analyze_results and generate_report). kit-v1 searches a
 * fixed list of words in the name, in lower case. The first word of the list that the name
 * contains, also inside another word, decides. Returns a constant: "Convolution", "GEMM", "Data
 * Movement", "Elementwise" or "Other". */
const char *etc_category_v1(struct etc_str name);

/* The category of kit-v2 (its program analyze_etdump_csv). kit-v2 tries the categories in a fixed
 * order. The first category with a word that is also a word of the name, in lower case, is
 * returned. Returns a constant: "CONV" ... "RNN", "OTHER". */
const char *etc_category_v2(struct etc_str name);

#endif
