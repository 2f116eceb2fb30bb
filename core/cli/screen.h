/* screen.h -- what the terminal on standard output is like. */
#ifndef ETC_CLI_SCREEN_H
#define ETC_CLI_SCREEN_H

#include <stdbool.h>

#include "etcore/etcore.h"

/* Tells a query that writes for a screen how it looks, and one that shows progress
 * where: on a terminal, or wherever standard error goes when it shall be `verbose`. A
 * status of the library. */
int etc_screen_set(struct etcore_query *q, const char *question, bool verbose,
                   struct etcore_diagnostic *err);

#endif
