/* etdump_fit.h -- for the recovery of truncated files: decides whether a known vtable fits a table
 * whose own vtable is lost. The vtables that releases of the runtime write are in etdump_layouts.h,
 * as layouts.
 *
 * The runtime writes a file from its end to its start, without gaps except padding. So a table is
 * followed in the file by objects that were written before the table, mostly by those to which the
 * table points. A layout fits if, with it, the offsets in the table lead to such objects. */
#ifndef ETC_FORMATS_ETDUMP_ETDUMP_FIT_H
#define ETC_FORMATS_ETDUMP_ETDUMP_FIT_H

#include "formats/etdump/etdump_layouts.h"

enum etc_fit {
	ETC_FIT_NOT,
	/* After the table there is a text whose owner (the table that refers to it) is unknown. The
	 * layout fits only if another table owns the text. */
	ETC_FIT_PERHAPS,
	ETC_FIT
};

struct etc_fitter {
	struct etc_fb *fb;
	size_t whole_bytes; /* size of the file before truncation; 2 GiB if this size is unknown */
	/* bit i: a text whose owner is known begins in bytes 4 i to 4 i + 3 of the file */
	uint64_t *texts;
	bool found_owner; /* a bit of `texts` was set since the caller set this member to false */
	/* etc_fit_table() does not check the targets of an event's offsets, because its caller
	 * does */
	bool shallow;
	unsigned counts[TABLE_TYPES];
	struct etc_runtime_layout layouts[TABLE_TYPES][ETC_RUNTIME_LAYOUTS];
};

/* Returns the position of the vtable of the table at `at`; 0: the table has no valid offset to a
 * vtable. */
size_t etc_fit_vtable(const struct etc_fitter *f, size_t at);

/* Can `l` be the layout of the vtable at `vtable`? Compares the bytes of the vtable that are in the
 * file. */
bool etc_fit_place(const struct etc_fitter *f, const struct etc_runtime_layout *l, size_t vtable);

/* Does `l` fit the table at `at`? `next` is the position of the first object after the table that
 * does not belong to it; the runtime wrote this object before it wrote the table. 0: unknown. */
enum etc_fit etc_fit_table(struct etc_fitter *f, enum table_type type,
                           const struct etc_runtime_layout *l, size_t at, size_t next);

/* Records that the text at `at` has a known owner: a table with a field that leads to the text. */
void etc_fit_own(struct etc_fitter *f, size_t at);

#endif
