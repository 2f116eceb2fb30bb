/* datum.h -- compares and formats values of plugins' columns. */
#ifndef ETC_MODEL_DATUM_H
#define ETC_MODEL_DATUM_H

#include "base/arena.h"
#include "base/text.h"
#include "model/facts.h"

/* Do both values have the same kind and value? Their names are not compared. */
bool etc_datum_eq(const struct etc_datum *a, const struct etc_datum *b);

/* Converts the value to the type of its column. An integer in a column of doubles becomes a double.
 * A value in a column of JSON, or in a column that is not declared, becomes text. False: out of
 * memory. */
bool etc_datum_as(struct etc_datum *d, uint8_t type, struct etc_arena *arena);

/* Appends the value as text: "-" for null, yes or no for a bool, numbers with all digits, text
 * unchanged, the items of a list joined by "; ". */
void etc_datum_put(struct etc_text *t, const struct etc_datum *d);

#endif
