/* categories.h -- the kind of work of an operator by its name, as the two
 * categorisers of Arm's profiling kit tell it, mistakes and all.
 *
 * Both only see the name, so both are wrong about many operators of XNNPACK
 * ("Convert" holds "conv", "Resize Bilinear" holds "linear"): they are here so
 * that numbers can be laid beside the kit's. What `etcore` itself says is the
 * category of the plugin that owns the event (model/profile.h). */
#ifndef ETC_PIPELINE_CATEGORIES_H
#define ETC_PIPELINE_CATEGORIES_H

#include "base/span.h"

enum { ETC_KIT_V1_COUNT = 5, ETC_KIT_V2_COUNT = 15 };

/* kit-v1, of analyze_results and generate_report: the first substring in the name in
 * lower case decides. A constant: "Convolution", "GEMM", "Data Movement",
 * "Elementwise" or "Other". */
const char *etc_category_v1(struct etc_str name);

/* kit-v2, of analyze_etdump_csv: whole words of the name in lower case, the first
 * category of its order that has one. A constant: "CONV" … "RNN", "OTHER". */
const char *etc_category_v2(struct etc_str name);

#endif
