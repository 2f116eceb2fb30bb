/* file_text.h -- writes names and types from a file, escaped for display. So a name cannot be
 * mistaken for a number or contain a line break, and cannot control the terminal. */
#ifndef ETC_TABLE_FILE_TEXT_H
#define ETC_TABLE_FILE_TEXT_H

#include "base/text.h"
#include "model/evalue.h"

/* Writes `s` in quotes; writes - if s.ptr is NULL. The escapes are \" \\ \n \t, \u0085 for an
 * unprintable code point, and \xff for a byte that is not UTF-8. */
void etc_view_quoted(struct etc_str s, struct etc_text *out);

/* Writes `s` without quotes; only unprintable characters are escaped. */
void etc_view_clean(struct etc_str s, struct etc_text *out);

/* Writes the name of a scalar type, such as "FLOAT"; the number `code` if the type has no name. */
void etc_view_scalar_type(int8_t code, struct etc_text *out);

/* Writes type and sizes: "FLOAT (3, 4)". */
void etc_view_type_and_sizes(int8_t scalar_type, struct etc_numbers sizes, struct etc_text *out);

#endif
