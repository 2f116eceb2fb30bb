/* ratios.h -- the measured ratios of a comparison: rows of `etcore diff -o json`. */
#ifndef ETC_COMMANDS_WHATIF_RATIOS_H
#define ETC_COMMANDS_WHATIF_RATIOS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"

/* A row of `etcore diff`, which compares a group of dumps with another group, the base. Only rows
 * are listed in which both groups did the same work with kernels of different names: `diff` matched
 * them by the name that an operator has without its kernel library. The group's kernels are the
 * library's. */
struct etc_ratio_row {
	/* base_name: the row's name in the base; name: in the group. Empty if the member of the
	 * document is null */
	struct etc_str method, base_name, name;
	/* ratio: the row's time in the group divided by its time in the base; low, high: its
	 * interval. NAN if the member of the document is null */
	double path, ratio, low, high;
};

struct etc_ratios {
	struct etc_str json;  /* the whole document */
	struct etc_str group; /* the name of the group that was compared with the base */
	struct etc_ratio_row *rows;
	uint32_t count;
};

/* Reads the ratios of a document of `etcore diff -o json`. E0571: the bytes are not such a
 * document, it compares several groups with the base, or it does not show that the group, and not
 * the base, has kernels of a library. E0904. */
enum etc_status etc_ratios_read(struct etc_span bytes, struct etc_arena *arena,
                                struct etc_ratios *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the only row with the base_name `name`, this method and this path; NULL: no row, or
 * several rows. */
const struct etc_ratio_row *etc_ratios_find(const struct etc_ratios *ratios, struct etc_str method,
                                            double path, struct etc_str name);

#endif
