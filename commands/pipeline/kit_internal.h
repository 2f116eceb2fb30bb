/* kit_internal.h -- writes numbers as the kit's CSV files have them; private to kit_*.c. */
#ifndef ETC_PIPELINE_KIT_INTERNAL_H
#define ETC_PIPELINE_KIT_INTERNAL_H

#include "base/text.h"

/* repr() of Python; "nan" for nan. */
void etc_kit_put_real(struct etc_text *out, double v);

/* 0 of nothing. */
static inline double etc_kit_percent(double part, double all)
{
	return all > 0 ? part / all * 100 : 0;
}

#endif
