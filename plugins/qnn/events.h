/* events.h -- reads the meaning of QNN's profiling events from their ids.
 *
 * After each execute, backends/qualcomm/runtime/backends/QnnProfiler.cpp logs an event for each
 * number that QNN reports: its id is QNN's own identifier, its start is 0, its end is the number.
 * If the event is about the whole graph, QnnProfiler.cpp appends the unit " (us)", " (bytes)" or "
 * (count)" to the identifier; it appends nothing if the unit is cycles or specific to the backend.
 * Events of the graph's nodes follow the event that contains them. Their ids have no such suffix
 * ("aten_add_tensor:OpId_30"), but most versions of QNN themselves append " (cycles)". */
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
	bool mine;     /* the event is one of a delegate, and its id is a text */
	uint32_t unit; /* ETCORE_UNIT_*: the unit in the id; ETCORE_UNIT_UNKNOWN: the id has none */
	bool suffixed; /* ExecuTorch or QNN appended the unit: " (us)" … */
	bool node;     /* the event is a node of the graph: its id has ":OpId_7" or " OpId_7" */
	/* the step that the id names, for a time in microseconds; else QNN_STEP_NONE */
	enum qnn_step step;
	struct etcore_text phase; /* phase of the step: "execute", "load binary" */
	struct etcore_text name;  /* name of a node: the text before "OpId" */
};

struct qnn_event qnn_event_of(const struct etcore_event *event);

/* Is the start of this event 0 in every run? */
bool qnn_starts_at_zero(const struct etcore_event *event);

/* Does the call have events in cycles? Only QNN's backend HTP logs such events: its backends for
 * CPU and GPU measure microseconds, and its backend LPAI logs nodes without a unit. */
bool qnn_counts_cycles(const struct etcore_call *call);

#endif
