/* roofline_heads.c -- see roofline_heads.h */
#include "profile/roofline_heads.h"

#include <string.h>

static const struct {
	const char *name, *title;
	uint8_t optional;
	bool is_rate; /* the column has rates, which are shown with two decimals */
} heads[] = {
	{ "flops", "FLOP", ETC_COLUMN_MINOR, false },
	{ "bytes_read", "bytes read", ETC_COLUMN_MINOR, false },
	{ "bytes_written", "bytes written", ETC_COLUMN_MINOR, false },
	{ "intensity", "FLOP/byte", ETC_COLUMN_MINOR, true },
	{ "work_type", "type", ETC_COLUMN_MINOR, false },
	{ "gflops", "GFLOP/s", ETC_COLUMN_OPTIONAL, true },
	{ "gbps", "GB/s", ETC_COLUMN_OPTIONAL, true },
	{ "roof_ns", "roof", ETC_COLUMN_MINOR, false },
	{ "roof_share", "% of roof", ETC_COLUMN_NEEDED, false },
	{ "bound_by", "bound by", ETC_COLUMN_NEEDED, false },
	{ "saved_ns", "at most saved", ETC_COLUMN_NEEDED, false },
	{ "work_why", "why", ETC_COLUMN_OPTIONAL, false },
};

void etc_roofline_head(struct etc_column *c)
{
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (strcmp(c->name, heads[i].name) == 0) {
			c->title = heads[i].title;
			c->optional = heads[i].optional;
			c->style = heads[i].is_rate ? ETC_STYLE_PLAIN : c->style;
		}
}

const char *etc_roofline_title(unsigned i, const char **name)
{
	if (i >= sizeof heads / sizeof *heads)
		return NULL;
	*name = heads[i].name;
	return heads[i].title;
}
