/* baseline_screen.h -- the text screen of a stored baseline. */
#ifndef ETC_VIEW_BASELINE_H
#define ETC_VIEW_BASELINE_H

#include "base/text.h"
#include "model/baseline.h"

/* `name` is the file's name, `bytes` its size. */
void etc_view_baseline(const struct etc_baseline *baseline, struct etc_str name, size_t bytes,
                       struct etc_text *out);

/* "main.baseline: 3 dumps, 303 runs, 41210 bytes" */
void etc_view_baseline_line(const struct etc_baseline *baseline, struct etc_str name, size_t bytes,
                            struct etc_text *out);

#endif
