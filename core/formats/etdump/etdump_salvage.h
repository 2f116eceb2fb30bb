/* etdump_salvage.h -- finds the complete runs of a truncated ETDump.
 *
 * The runtime writes an ETDump from its end to its front: the last run comes first in the file,
 * and a vtable comes after the first table that used it. Truncation loses the first runs, and
 * nearly always the vtables of all runs. Each run is tried on its own:
 *
 * - by the file's own vtables: everything below its RunData is in the file and valid, as for a
 *   full read;
 * - with layouts that the runtime writes (etdump_layouts.h), for vtables beyond the end: only if
 *   for all their tables exactly one layout fits: no field has its default, every offset leads
 *   to an object of its kind inside the file, and objects are as close together as the runtime
 *   writes them.
 *
 * Private to the ETDump reader. Time and memory are linear in the size of the file. */
#ifndef ETC_READ_ETDUMP_SALVAGE_H
#define ETC_READ_ETDUMP_SALVAGE_H

#include "model/limits.h"
#include "formats/etdump/etdump_reader.h"

/* The remains of a truncated file. */
struct etc_wreck {
	struct etc_span bytes; /* from the size prefix to the end of the file */
	size_t origin;         /* position of the offset to the root: after the prefix */
	size_t whole_bytes;    /* size of the file before truncation; 0: it was not truncated */
};

/* Visits all runs and puts the complete ones into `*out`. E0205: the list of runs cannot be read;
 * E0206: too many references to shared bytes; E0904. */
enum etc_status etc_etdump_survey(const struct etc_wreck *wreck, const struct etc_limits *limits,
                                  struct etc_arena *arena, struct etc_survey *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
