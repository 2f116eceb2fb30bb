/* events.c -- reads the ids of QNN's events; see events.h */
#include "events.h"

#include <string.h>

static const struct {
	struct etcore_text ending;
	uint32_t unit;
} units[] = {
	{ { " (us)", 5 }, ETCORE_UNIT_US },
	{ { " (bytes)", 8 }, ETCORE_UNIT_BYTES },
	{ { " (count)", 8 }, ETCORE_UNIT_COUNT },
	{ { " (cycles)", 9 }, ETCORE_UNIT_CYCLES },
};

static const struct {
	struct etcore_text before, after; /* text before and after the phase */
} steps[QNN_STEP_COUNT] = {
	[QNN_STEP_QNN] = { { "QNN (", 5 }, { ") time", 6 } },
	[QNN_STEP_RPC] = { { "RPC (", 5 }, { ") time", 6 } },
	[QNN_STEP_QNN_ACCEL] = { { "QNN accelerator (", 17 }, { ") time", 6 } },
	[QNN_STEP_ACCEL] = { { "Accelerator (", 13 }, { ") time", 6 } },
	[QNN_STEP_ACCEL_NO_WAIT] = { { "Accelerator (", 13 }, { " excluding wait) time", 21 } },
};

static bool starts(struct etcore_text t, struct etcore_text with)
{
	return t.len >= with.len && memcmp(t.ptr, with.ptr, (size_t)with.len) == 0;
}

static bool ends(struct etcore_text t, struct etcore_text with)
{
	return t.len >= with.len &&
	       memcmp(t.ptr + t.len - with.len, with.ptr, (size_t)with.len) == 0;
}

/* Splits a text that ends with "OpId_" and a number, such as "aten_add_tensor:OpId_30". `name` is
 * the text before the ':' or ' ' that precedes "OpId_". False: it has another form. */
static bool split_node(struct etcore_text id, struct etcore_text *name)
{
	static const char word[] = "OpId_";
	uint64_t at = id.len, len = sizeof word - 1;

	while (at > 0 && id.ptr[at - 1] >= '0' && id.ptr[at - 1] <= '9')
		at--;
	if (at == id.len || at <= len + 1 || memcmp(id.ptr + at - len, word, (size_t)len) != 0)
		return false;
	at -= len + 1;
	*name = (struct etcore_text){ id.ptr, at };
	return id.ptr[at] == ':' || id.ptr[at] == ' ';
}

static void find_step(struct qnn_event *e, struct etcore_text id)
{
	for (int s = QNN_STEP_COUNT; s-- > 0;) {
		struct etcore_text before = steps[s].before, after = steps[s].after;

		if (id.len > before.len + after.len && starts(id, before) && ends(id, after)) {
			e->step = (enum qnn_step)s;
			e->phase = (struct etcore_text){ id.ptr + before.len,
				                         id.len - before.len - after.len };
			return;
		}
	}
}

bool qnn_starts_at_zero(const struct etcore_event *event)
{
	for (uint64_t i = 0; event->start && i < event->samples; i++)
		if (event->start[i] != 0)
			return false;
	return event->start && event->samples > 0;
}

bool qnn_counts_cycles(const struct etcore_call *call)
{
	/* The event with the total number of cycles is logged after about ten other events, and
	 * before the events of nodes. So only the first 64 events are searched; more would be slow,
	 * because this function is called for each node. */
	for (uint32_t i = 0; i < call->count && i < 64; i++)
		if (qnn_event_of(call->events[i]).unit == ETCORE_UNIT_CYCLES)
			return true;
	return false;
}

struct qnn_event qnn_event_of(const struct etcore_event *event)
{
	struct qnn_event e = { .step = QNN_STEP_NONE };
	struct etcore_text id = event->delegate_name;

	e.mine = (event->flags & ETCORE_EVENT_DELEGATE) && event->delegate_id == -1 && id.len > 0;
	if (!e.mine)
		return e;
	for (size_t i = 0; i < sizeof units / sizeof *units && !e.suffixed; i++) {
		if (!ends(id, units[i].ending))
			continue;
		e.suffixed = true;
		e.unit = units[i].unit;
		id.len -= units[i].ending.len;
	}
	e.node = split_node(id, &e.name);
	if (e.unit == ETCORE_UNIT_US && !e.node)
		find_step(&e, id);
	return e;
}
