/* pyrepr.h -- reproduces Python's repr(), int(), float(), str.strip() and str.splitlines(). */
#ifndef ETC_INSPECTOR_PYREPR_H
#define ETC_INSPECTOR_PYREPR_H

#include "base/text.h"
#include "model/facts.h"

/* Appends Python's repr(str): with quotes, \\, \n, \r, \t, \xNN, \uNNNN, \UNNNNNNNN. */
void etc_py_str(struct etc_text *t, struct etc_str s);

/* Appends the bytes as Python's repr(bytes): b'...'. */
void etc_py_bytes(struct etc_text *t, struct etc_span s);

/* Appends the number as Python's repr(float). */
void etc_py_float(struct etc_text *t, double v);

/* Appends Python's repr() of a value that a plugin returned. Invalid JSON is written unchanged. */
void etc_py_datum(struct etc_text *t, const struct etc_datum *d);

/* Returns Python's str.strip(): `s` without white space at both ends. */
struct etc_str etc_py_strip(struct etc_str s);

/* Would Python's int(s) succeed? */
bool etc_py_is_int(struct etc_str s);

/* Would Python's float(s) succeed? If so, sets `*v` to its result. */
bool etc_py_is_float(struct etc_str s, double *v);

/* Sets `*line` to the first line of `*rest`, and removes it from `*rest`. Lines end as for Python's
 * str.splitlines(). False: there is no further line. */
bool etc_py_next_line(struct etc_str *rest, struct etc_str *line);

#endif
