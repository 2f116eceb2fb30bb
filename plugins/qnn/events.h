/* events.h -- what one profiling event of QNN's is, by its id.
 *
 * backends/qualcomm/runtime/backends/QnnProfiler.cpp logs, after each execute,
 * QNN's own identifier with start 0 and end = value. To an event of the whole
 * graph it appends " (us)", " (bytes)" or " (count)", and nothing when the unit
 * is cycles or the backend's own. The nodes of the graph follow the event that
 * contains them, without any such ending: "aten_add_tensor:OpId_30", to which
 * most versions of QNN themselves add " (cycles)". */
#ifndef QNN_EVENTS_H
#define QNN_EVENTS_H

#include <etcore/plugin.h>

#include <stdbool.h>

/* The steps of QNN's way to the accelerator and back, the outermost first: each
 * lasts from before to after the next. */
enum qnn_step {
	QNN_STEP_QNN,           /* "QNN (execute) time": the call into QNN */
	QNN_STEP_RPC,           /* "RPC (execute) time": of the remote call, on the host */
	QNN_STEP_QNN_ACCEL,     /* "QNN accelerator (execute) time": of it, on the accelerator */
	QNN_STEP_ACCEL,         /* "Accelerator (execute) time": running the graph */
	QNN_STEP_ACCEL_NO_WAIT, /* "Accelerator (execute excluding wait) time" */
	QNN_STEP_COUNT,
	QNN_STEP_NONE = QNN_STEP_COUNT
};

struct qnn_event {
	bool mine;                /* a delegate event that is identified by text */
	bool zero;                /* starts at 0 in every run */
	uint32_t unit;            /* ETCORE_UNIT_*, as far as the id says it */
	bool suffixed;            /* ExecuTorch wrote the unit, or QNN did: " (us)" … */
	bool node;                /* a node of the graph: holds ":OpId_7" or " OpId_7" */
	enum qnn_step step;       /* of a time in microseconds */
	struct etcore_text phase; /* what the step is of: "execute", "load binary" */
	struct etcore_text name;  /* of a node: the text before its OpId */
};

struct qnn_event qnn_event_of(const struct etcore_event *event);

/* Does it start at 0 in every run? */
bool qnn_starts_at_zero(const struct etcore_event *event);

#endif
