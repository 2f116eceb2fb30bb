/* nest.c -- finds which event of a call contains which; see nest.h.
 *
 * There are no start times, so events cannot be nested by time. Nodes belong to the event after
 * which they were logged. The parent of a step is the nearest outer step of the same phase for
 * which the call has an event. It is set only if the call has exactly one event of each of these
 * two steps. */
#include "nest.h"

#include <string.h>

enum {
	/* maximum number of phases of one call; the steps of further phases get no parent */
	PHASES = 16
};

struct phase {
	struct etcore_text name;
	uint32_t seen[QNN_STEP_COUNT]; /* number of events of each step */
	uint32_t at[QNN_STEP_COUNT];   /* index of the last event of each step */
};

struct phases {
	struct phase v[PHASES];
	uint32_t count;
};

static struct phase *phase_of(struct phases *phases, struct etcore_text name)
{
	for (uint32_t i = 0; i < phases->count; i++)
		if (phases->v[i].name.len == name.len &&
		    memcmp(phases->v[i].name.ptr, name.ptr, (size_t)name.len) == 0)
			return &phases->v[i];
	if (phases->count == PHASES)
		return NULL;
	phases->v[phases->count].name = name;
	return &phases->v[phases->count++];
}

static void find_phases(const struct etcore_call *call, struct phases *phases)
{
	for (uint32_t i = 0; i < call->count; i++) {
		struct qnn_event e = qnn_event_of(call->events[i]);
		struct phase *p = e.step != QNN_STEP_NONE ? phase_of(phases, e.phase) : NULL;

		if (!p)
			continue;
		p->seen[e.step]++;
		p->at[e.step] = i;
	}
}

static int32_t parent_of_step(struct phases *phases, const struct qnn_event *e)
{
	const struct phase *p = phase_of(phases, e->phase);

	if (!p || p->seen[e->step] != 1)
		return ETCORE_PARENT_CALL;
	for (int s = (int)e->step; s-- > 0;)
		if (p->seen[s])
			return p->seen[s] == 1 ? (int32_t)p->at[s] : ETCORE_PARENT_CALL;
	return ETCORE_PARENT_CALL;
}

static uint32_t kind_of(const struct qnn_event *e)
{
	if (e->unit == ETCORE_UNIT_BYTES || e->unit == ETCORE_UNIT_COUNT)
		return ETCORE_KIND_COUNTER;
	return e->node ? ETCORE_KIND_OP : ETCORE_KIND_PHASE;
}

etcore_result qnn_describe_time(void *self, const struct etcore_call *call,
                                struct etcore_time *const *times)
{
	struct phases phases = { .count = 0 };
	/* Parent of the nodes that follow: the last event that is not a node. If that event is a
	 * counter, their parent is the call. */
	int32_t above = ETCORE_PARENT_CALL;
	uint32_t unit_above = ETCORE_UNIT_UNKNOWN;

	(void)self;
	find_phases(call, &phases);
	for (uint32_t i = 0; i < call->count; i++) {
		struct qnn_event e = qnn_event_of(call->events[i]);
		struct etcore_time *t = times[i];

		if (!e.mine)
			continue;
		t->kind = kind_of(&e);
		t->unit = e.unit;
		t->clock = ETCORE_CLOCK_NONE;
		t->start = ETCORE_START_ABSENT;
		t->parent = ETCORE_PARENT_CALL;
		if (e.step != QNN_STEP_NONE)
			t->parent = parent_of_step(&phases, &e);
		if (e.node) {
			t->parent = above;
			if (!e.suffixed && unit_above == ETCORE_UNIT_CYCLES)
				t->unit = ETCORE_UNIT_CYCLES;
			continue;
		}
		above = t->kind == ETCORE_KIND_COUNTER ? ETCORE_PARENT_CALL : (int32_t)i;
		unit_above = e.unit;
	}
	return ETCORE_OK;
}
