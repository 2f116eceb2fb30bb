/* ratios.h -- the measured ratios of a comparison: rows of `etcore diff -o json`. */
#ifndef ETC_COMMANDS_WHATIF_RATIOS_H
#define ETC_COMMANDS_WHATIF_RATIOS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"

/* The measured ratio of a row that has the library's kernel in the group, and a kernel of another
 * name in the base. */
struct etc_ratio_row {
	struct etc_str method, base_name, name; /* empty if the member is null */
	double path, ratio, low, high;          /* NAN if the member is null */
};

struct etc_ratios {
	struct etc_str json;        /* the whole document */
	struct etc_str base, group; /* the names of the two groups that were compared */
	struct etc_ratio_row *rows;
	uint32_t count;
};

/* Reads the ratios of a document of `etcore diff -o json`. E0571: another document, or one that
 * compares several groups with the base; E0904. */
enum etc_status etc_ratios_read(struct etc_span bytes, struct etc_arena *arena,
                                struct etc_ratios *out, struct etc_error *err) ETC_MUST_CHECK;

/* The only row with the base_name `name` and with this method and path; NULL: none, or several. */
const struct etc_ratio_row *etc_ratios_find(const struct etc_ratios *ratios, struct etc_str method,
                                            double path, struct etc_str name);

#endif
