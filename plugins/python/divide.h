/* divide.h -- numbers as a converter in Python answers them, for the plugins that port one. */
#ifndef PLUGINS_PYTHON_DIVIDE_H
#define PLUGINS_PYTHON_DIVIDE_H

#include <stdint.h>

/* n / d as Python divides two integers: the exact quotient, rounded once.
 * 0 < d < 2^31. */
double python_true_divide(uint64_t n, uint64_t d);

#endif
