/* ratios.h -- reads the output of `etcore diff -o json`: for each row, the ratio of its times in
 * two groups of dumps. */
#ifndef ETC_COMMANDS_WHATIF_RATIOS_H
#define ETC_COMMANDS_WHATIF_RATIOS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"

/* A row of `etcore diff` that compares a group of dumps with another group, the base. Only rows are
 * listed in which both groups did the same work, but with kernels of different names: in the group,
 * kernels of a kernel library. `diff` matched these rows by the name of the operator without its
 * kernel library. */
struct etc_ratio_row {
	/* base_name: name of the row in the base; name: name of the row in the group. Empty if the
	 * member in the JSON document is null */
	struct etc_str method, base_name, name;
	/* ratio: time of the row in the group, divided by its time in the base; low, high: interval
	 * of the ratio. NAN if the member in the JSON document is null */
	double path, ratio, low, high;
};

struct etc_ratios {
	struct etc_str json;  /* the whole JSON document */
	struct etc_str group; /* the name of the group that was compared with the base */
	struct etc_ratio_row *rows;
	uint32_t count;
};

/* Reads the ratios from a JSON document of `etcore diff`. E0571: the bytes are not such a document;
 * or it compares several groups with the base; or it does not show that the group has kernels of a
 * library and the base does not. E0904. */
enum etc_status etc_ratios_read(struct etc_span bytes, struct etc_arena *arena,
                                struct etc_ratios *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the row with this base_name, method and path. NULL if there is no such row, or if there
 * are several. */
const struct etc_ratio_row *etc_ratios_find(const struct etc_ratios *ratios, struct etc_str method,
                                            double path, struct etc_str name);

#endif
