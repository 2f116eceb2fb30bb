/* divide.h -- Python's division of integers, for plugins that reproduce a converter written in
 * Python. */
#ifndef PLUGINS_PYTHON_DIVIDE_H
#define PLUGINS_PYTHON_DIVIDE_H

#include <stdint.h>

/* Returns n / d as Python divides two integers: the exact quotient, rounded once to a double. 0 < d
 * < 2^31. */
double python_true_divide(uint64_t n, uint64_t d);

#endif
