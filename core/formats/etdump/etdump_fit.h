/* etdump_fit.h -- does a layout of the runtime fit a table whose vtable is lost? Private to
 * the recovery of truncated files.
 *
 * The runtime writes objects back to front and without gaps but for padding: after a table in
 * the file come the objects that were written before it, mostly those it points at. */
#ifndef ETC_READ_ETDUMP_FIT_H
#define ETC_READ_ETDUMP_FIT_H

#include "formats/etdump/etdump_layouts.h"

enum etc_fit {
	ETC_FIT_NOT,
	ETC_FIT_PERHAPS, /* there is a text in between whose owner is not known */
	ETC_FIT
};

struct etc_fitter {
	struct etc_fb *fb;
	size_t whole_bytes; /* of the file before it was cut */
	uint64_t *texts;    /* bit i: text that is known begins in bytes 4 i to 4 i + 3 */
	bool found_owner;   /* a bit of it was set */
	bool shallow;       /* what an event points at is looked at by itself */
	unsigned counts[TABLE_TYPES];
	struct etc_runtime_layout layouts[TABLE_TYPES][ETC_RUNTIME_LAYOUTS];
};

/* The vtable that the table at `at` names, or 0: none that can be. */
size_t etc_fit_vtable(const struct etc_fitter *f, size_t at);

/* Can `l` stand at `vtable`, as far as the file goes? */
bool etc_fit_place(const struct etc_fitter *f, const struct etc_runtime_layout *l, size_t vtable);

/* Table `at`; `next`: what was written before it and is not below it, or 0. */
enum etc_fit etc_fit_table(struct etc_fitter *f, enum table_type type,
                           const struct etc_runtime_layout *l, size_t at, size_t next);

/* Text at `at` has an owner. */
void etc_fit_own(struct etc_fitter *f, size_t at);

#endif
