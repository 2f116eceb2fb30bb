/* values.h -- values of a program for the JSON of `etcore dump`. */
#ifndef ETC_API_DUMP_VALUES_H
#define ETC_API_DUMP_VALUES_H

#include "model/program.h"
#include "table/emit.h"

/* An EValue: {"val_type", "val"}, a tensor's `kind`, `bytes` and `data` beside. The
 * program lies at byte `base` of `file`. */
void etc_dump_value(struct etc_emit *e, struct etc_span file, size_t base,
                    const struct etc_program *p, const struct etc_evalue *v);

/* Indices of values. */
void etc_dump_indices(struct etc_emit *e, const char *name, struct etc_numbers v);

/* Small numbers, such as a dim_order. */
void etc_dump_bytes(struct etc_emit *e, const char *name, struct etc_span v);

#endif
