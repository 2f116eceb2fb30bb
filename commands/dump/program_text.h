/* program_text.h -- lines of `etcore dump` for a program (.pte).
 *
 * Text out of the file stands in quotes and escaped, as in etdump_text.h. */
#ifndef ETC_VIEW_DUMP_PROGRAM_H
#define ETC_VIEW_DUMP_PROGRAM_H

#include "base/text.h"
#include "model/program.h"

/* Header, segments and methods. */
void etc_view_dump_program(const struct etc_program *program, struct etc_text *out);

/* "KernelCall" ...; NULL if it has no name. */
const char *etc_view_instruction_kind(uint8_t kind);

/* One line for a value. */
void etc_view_dump_value(uint32_t index, const struct etc_evalue *value, struct etc_text *out);

/* "TensorList" ..., "STATIC" ...; NULL if it has no name. */
const char *etc_view_evalue_kind(uint8_t kind);
const char *etc_view_dynamism(uint8_t dynamism);

#endif
