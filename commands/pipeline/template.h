/* template.h -- writes a template of a configuration. */
#ifndef ETC_PIPELINE_TEMPLATE_H
#define ETC_PIPELINE_TEMPLATE_H

#include "base/error.h"
#include "base/text.h"

/* Appends the commented INI file for `kind`: "mac", "android", "linux". E1000. */
enum etc_status etc_pipeline_template(const char *kind, struct etc_text *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

#endif
