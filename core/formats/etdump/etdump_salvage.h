/* etdump_salvage.h -- which runs of a cut ETDump are whole.
 *
 * The runtime writes an ETDump from its end to its front: the last run stands first,
 * and a vtable stands behind the first table that used it. A cut takes the first runs,
 * and nearly always the vtables of all. Each run is tried on its own:
 *
 * - by the file's own vtables: everything that hangs below its RunData lies in the file
 *   and is sound, as for a full read;
 * - with layouts that the runtime writes (etdump_layouts.h) for vtables that lie where
 *   nothing is left: only where in each of its tables exactly one of them fits what
 *   stands there: no field has its default, every offset leads to a thing of its kind
 *   that lies in the file, and things lie as close as the runtime lays them.
 *
 * Not for others than the ETDump reader. Time and memory are linear in the file. */
#ifndef ETC_READ_ETDUMP_SALVAGE_H
#define ETC_READ_ETDUMP_SALVAGE_H

#include "model/limits.h"
#include "formats/etdump/etdump_reader.h"

/* The remains of a truncated file, and their positions. */
struct etc_wreck {
	struct etc_span bytes; /* from the size prefix on, as far as it goes */
	size_t origin;         /* of the offset to the root: after the prefix */
	size_t whole_bytes;    /* of the file before it was cut; 0: it was not */
};

/* Looks at all runs; in `*out` those that are whole. E0205: not even the list of runs
 * can be read, E0206: shared without end, E0904. */
enum etc_status etc_etdump_survey(const struct etc_wreck *wreck, const struct etc_limits *limits,
                                  struct etc_arena *arena, struct etc_survey *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
