/* number.h -- converts doubles to text as Python and C print them, and back.
 *
 * std::to_chars gives the shortest digits that read back the same; Python's rules for exponents are
 * applied to these digits. The results do not depend on the locale. */
#ifndef ETC_BASE_NUMBER_H
#define ETC_BASE_NUMBER_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_NUMBER_MAX = 40 }; /* enough bytes for any result of the functions below */

/* Writes repr(float) of Python: "0.1", "5.0", "1e-05", "1e+16", "nan", "inf", "-0.0". Writes at
 * most ETC_NUMBER_MAX bytes, without a NUL, and returns the length. */
size_t etc_number_repr(char to[ETC_NUMBER_MAX], double v);

/* Writes `v` as printf's %g with six digits, or Python's format(v, "g"): "0.022484", "1e-07",
 * "1.23457e+06", "nan", "inf". Returns the length. */
size_t etc_number_g(char to[ETC_NUMBER_MAX], double v);

/* Like etc_number_g(), and sets `*behind` to the number of characters after the decimal point,
 * or, without a point, after the e; -1 if there is neither. */
size_t etc_number_g_point(char to[ETC_NUMBER_MAX], double v, int *behind);

/* Like etc_number_g_point(), but only computes the length and `*behind`, without the text. */
size_t etc_number_g_size(double v, int *behind);

/* Like etc_number_repr() and etc_number_g(), but without the fast path of number_fast.c. */
size_t etc_number_repr_any(char to[ETC_NUMBER_MAX], double v);
size_t etc_number_g_any(char to[ETC_NUMBER_MAX], double v);

/* Writes `v` in fixed notation with `decimals` <= 12 places (%.*f), or, if |v| >= 1e15, like repr.
 * Returns the length. */
size_t etc_number_fixed(char to[ETC_NUMBER_MAX], double v, int decimals);

/* Parses a decimal number ("-12.5e3"), "inf" or "nan". False: the text is not a number, or has
 * other characters before or after one. */
bool etc_number_parse(struct etc_str s, double *v);
bool etc_number_parse_u64(struct etc_str s, uint64_t *v);

#ifdef __cplusplus
}
#endif
#endif
