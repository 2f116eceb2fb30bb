/* csv.h -- writes one field of a line of CSV, or of a similar format with another separator. */
#ifndef ETC_TABLE_CSV_H
#define ETC_TABLE_CSV_H

#include "base/text.h"

/* Appends `s`, quoted if RFC 4180 requires it: if it contains the separator `comma`, a
 * quote or a line end. */
void etc_csv_field(struct etc_text *out, struct etc_str s, char comma);

#endif
