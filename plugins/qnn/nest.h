/* nest.h -- which event of a call contains which. */
#ifndef PLUGINS_QNN_NEST_H
#define PLUGINS_QNN_NEST_H

#include "events.h"

/* Hook describe_time: describes the numbers of all events of the call, and which event contains
 * each. Always returns ETCORE_OK. */
etcore_result qnn_describe_time(void *self, const struct etcore_call *call,
                                struct etcore_time *const *times);

#endif
