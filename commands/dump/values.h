/* values.h -- rows for a program's values in the JSON of `etcore dump`. */
#ifndef ETC_API_DUMP_VALUES_H
#define ETC_API_DUMP_VALUES_H

#include "commands/dump/schema.h"
#include "model/program.h"

/* The context of a walk over a program. */
struct etc_dumped_program {
	const struct etc_program *p;
	size_t base; /* offset of the program in the file */
};

/* For a struct etc_evalue: {"val_type", "val"}, with a tensor's `kind`, `bytes` and `data`. */
extern const struct etc_schema etc_dump_value;

#endif
