/* program_text.h -- writes a program (.pte) as text for `etcore dump`.
 *
 * Texts from the file are quoted and escaped, as in etdump_text.h. */
#ifndef ETC_COMMANDS_DUMP_PROGRAM_TEXT_H
#define ETC_COMMANDS_DUMP_PROGRAM_TEXT_H

#include "base/text.h"
#include "model/program.h"

/* Writes the header, the segments and the methods of the program as text. */
void etc_view_dump_program(const struct etc_program *program, struct etc_text *out);

/* Returns the name of a kind of instruction, such as "KernelCall"; NULL if the kind has no name. */
const char *etc_view_instruction_kind(unsigned kind);

/* Writes one line about the value with that index. */
void etc_view_dump_value(uint32_t index, const struct etc_evalue *value, struct etc_text *out);

/* Return the names of enumerators, such as "TensorList" and "STATIC"; NULL if there is no name. */
const char *etc_view_evalue_kind(unsigned kind);
const char *etc_view_dynamism(unsigned dynamism);

#endif
