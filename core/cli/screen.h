/* screen.h -- what the terminal on standard output is like. */
#ifndef ETC_CLI_SCREEN_H
#define ETC_CLI_SCREEN_H

#include "etcore/etcore.h"

/* Tells a query that writes for a screen how it looks. A status of the library. */
int etc_screen_set(struct etcore_query *q, const char *question, struct etcore_diagnostic *err);

#endif
