/* events.h -- reads the meaning of QNN's profiling events from their ids.
 *
 * backends/qualcomm/runtime/backends/QnnProfiler.cpp logs, after each execute, QNN's own
 * identifier with start 0 and end = value. To the identifier of an event of the whole graph it
 * appends " (us)", " (bytes)" or " (count)", and nothing if the unit is cycles or specific to the
 * backend. The nodes of the graph follow the event that contains them, without such a suffix:
 * "aten_add_tensor:OpId_30", to which most versions of QNN themselves append " (cycles)". */
#ifndef PLUGINS_QNN_EVENTS_H
#define PLUGINS_QNN_EVENTS_H

#include <etcore/plugin.h>

#include <stdbool.h>

/* The steps of a QNN execution, from the outermost to the innermost: each contains the next. */
enum qnn_step {
	QNN_STEP_QNN, /* id "QNN (execute) time": the call of QNN */
	QNN_STEP_RPC, /* id "RPC (execute) time": the remote call, measured on the host */
	/* id "QNN accelerator (execute) time": the call of QNN, measured on the accelerator */
	QNN_STEP_QNN_ACCEL,
	QNN_STEP_ACCEL, /* id "Accelerator (execute) time": running the graph */
	/* id "Accelerator (execute excluding wait) time": running the graph without waiting */
	QNN_STEP_ACCEL_NO_WAIT,
	QNN_STEP_COUNT,
	QNN_STEP_NONE = QNN_STEP_COUNT
};

struct qnn_event {
	bool mine;     /* a delegate event identified by text */
	uint32_t unit; /* ETCORE_UNIT_*, if the id names it */
	bool suffixed; /* ExecuTorch or QNN appended the unit: " (us)" … */
	bool node;     /* a node of the graph: contains ":OpId_7" or " OpId_7" */
	/* the step that the id names, for a time in microseconds; else QNN_STEP_NONE */
	enum qnn_step step;
	struct etcore_text phase; /* phase of the step: "execute", "load binary" */
	struct etcore_text name;  /* name of a node: the text before "OpId" */
};

struct qnn_event qnn_event_of(const struct etcore_event *event);

/* Is the start of this event 0 in every run? */
bool qnn_starts_at_zero(const struct etcore_event *event);

/* Does the call have events in cycles? QNN's HTP backend logs them; those for CPU and GPU measure
 * microseconds, and nodes of the LPAI have no unit. */
bool qnn_counts_cycles(const struct etcore_call *call);

#endif
