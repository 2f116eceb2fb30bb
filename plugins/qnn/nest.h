/* nest.h -- finds which event of a call contains which other events. */
#ifndef PLUGINS_QNN_NEST_H
#define PLUGINS_QNN_NEST_H

#include "events.h"

/* The hook describe_time: for every event of the call, sets the unit of its number, and the event
 * that contains it. Always returns ETCORE_OK. */
etcore_result qnn_describe_time(void *self, const struct etcore_call *call,
                                struct etcore_time *const *times);

#endif
