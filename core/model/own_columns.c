/* own_columns.c -- see own_columns.h; the test analyze/columns compares it with the tables. */
#include "model/own_columns.h"

/* clang-format off */
static const char *const names[] = {
	/* rows */
	"key", "name", "method", "path", "calls", "self_ns", "self_max_ns", "total_ns", "share",
	"backend", "category", "kernel", "kernel_library", "unit", "clock", "detached",
	"self_spread", "self_raw", "why", "kernel_library_ran", "kernel_library_why", "isa",
	"variant", "canonical", "class", "how", "modules", "code", "lines", "operator", "shapes",
	"types", "module", "reason", "microkernel_inferred", "metadata", "file",
	/* rows of runs */
	"total_raw", "use", "warmup", "median_ns", "mean_ns", "p90_ns", "max_ns", "layout",
	/* events */
	"block", "chain", "instruction", "delegate", "samples", "p10_ns", "p50_ns", "avg_ns",
	"min_ns", "p10", "p50", "p90", "avg", "min", "max", "invalid", "p10_raw", "p50_raw",
	"p90_raw", "avg_raw", "min_raw", "max_raw", "source", "start_ns", "start_by",
};
/* clang-format on */

bool etc_column_is_own(struct etc_str name)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (etc_str_eq(name, etc_str_of(names[i])))
			return true;
	return false;
}
