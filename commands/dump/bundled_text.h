/* bundled_text.h -- writes a BundledProgram (.bpte) and external data (.ptd) as text for
 * `etcore dump`. Texts from the file are quoted and escaped. */
#ifndef ETC_COMMANDS_DUMP_BUNDLED_TEXT_H
#define ETC_COMMANDS_DUMP_BUNDLED_TEXT_H

#include "base/text.h"
#include "model/bundled.h"
#include "model/tensor_file.h"

/* Writes the test suites of a bundled program, and their cases, but not the program inside it. */
void etc_view_dump_bundled(const struct etc_bundled_program *p, size_t file_bytes,
                           struct etc_text *out);

void etc_view_dump_tensor_file(const struct etc_tensor_file *f, struct etc_span file,
                               struct etc_text *out);

/* Returns the name of a kind of value, such as "Tensor" or "Int"; NULL if the kind has no name. */
const char *etc_view_bundled_kind(unsigned kind);

#endif
