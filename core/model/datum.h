/* datum.h -- compares and formats values of plugins' columns. */
#ifndef ETC_MODEL_DATUM_H
#define ETC_MODEL_DATUM_H

#include "base/arena.h"
#include "base/text.h"
#include "model/facts.h"

/* Do the two have equal kind and value? Names are not compared. */
bool etc_datum_eq(const struct etc_datum *a, const struct etc_datum *b);

/* Converts the value to the column's type: an integer in a column of doubles becomes a double; a
 * value of a JSON column, or of a column without a declaration, becomes text. False: out of
 * memory. */
bool etc_datum_as(struct etc_datum *d, uint8_t type, struct etc_arena *arena);

/* Appends the value as text: "-" for null, yes or no for a bool, numbers with all digits, text
 * unchanged, the items of a list joined by "; ". */
void etc_datum_put(struct etc_text *t, const struct etc_datum *d);

#endif
