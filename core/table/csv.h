/* csv.h -- one field of a table of separated values. */
#ifndef ETC_WRITE_CSV_H
#define ETC_WRITE_CSV_H

#include "base/text.h"

/* Appends `s`, in quotes where RFC 4180 asks for them: it holds the separator
 * `comma`, a quote or the end of a line. */
void etc_csv_field(struct etc_text *out, struct etc_str s, char comma);

#endif
