/* test_delegate.c -- matching the events of a delegate with the nodes of its graph. */
#include "unit.h"

#include "work/delegate.h"

enum { ADD = 1, SIGMOID = 4, MOST = 8 };

/* A graph of nodes that have a kind and a debug handle. Node i needs i + 1 operations. */
struct made {
	struct etc_arena arena;
	struct etc_error err;
	struct etc_work_graph g;
	struct etc_delegate_operator operators[MOST];
	struct etc_work works[MOST];
	uint32_t first[MOST], next[MOST];
	int64_t handles[MOST];
};

static void make(struct made *m, uint32_t count, const uint8_t *kinds, const int64_t *handles)
{
	*m = (struct made){ .err = { .at = -1 } };
	etc_arena_init(&m->arena, 1 << 20);
	etc_map_init(&m->g.handles, &m->arena);
	m->g.read = true;
	m->g.works = m->works;
	m->g.first = m->first;
	m->g.next = m->next;
	m->g.graph.count = count;
	m->g.graph.operators = m->operators;
	for (uint32_t i = count; i-- > 0;) {
		const size_t known = m->g.handles.count;
		size_t at;

		m->handles[i] = handles[i];
		at = etc_map_add(&m->g.handles, etc_map_number(&m->handles[i]), known);
		m->next[i] = at == known ? UINT32_MAX : m->first[at];
		m->first[at] = i;
		m->operators[i].kind = kinds[i];
		m->works[i] = (struct etc_work){ .flops = i + 1, .why = ETC_WORK_KNOWN };
	}
}

static void match(struct made *m, struct etc_work_event *events, uint32_t count)
{
	assert_ok(etc_work_graph_match(&m->g, events, count, &m->arena, &m->err), &m->err);
}

#define ADDED(h)                                               \
	{                                                      \
		.operator_name = ETC_STR("Add"), .handle = (h) \
	}
#define SQUASHED(h)                                                \
	{                                                          \
		.operator_name = ETC_STR("Sigmoid"), .handle = (h) \
	}

static void events_are_the_nodes_of_their_handle_in_order(void **state)
{
	const uint8_t kinds[] = { ADD, SIGMOID, ADD, ADD };
	const int64_t handles[] = { 7, 7, 7, 8 };
	struct etc_work_event events[] = { ADDED(7), SQUASHED(7), ADDED(7), ADDED(0) };
	struct made m;

	(void)state;
	make(&m, 4, kinds, handles);
	match(&m, events, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(events[i].work.flops, i + 1);
	etc_arena_release(&m.arena);
}

/* There are three events for two nodes, and it is not known which two are the nodes. */
static void more_events_than_nodes_stay_open(void **state)
{
	const uint8_t kinds[] = { ADD, ADD };
	const int64_t handles[] = { 7, 7 };
	struct etc_work_event by_handle[] = { ADDED(7), ADDED(7), ADDED(7) };
	struct etc_work_event by_order[] = { ADDED(0), ADDED(0), ADDED(0) };
	struct made m;

	(void)state;
	make(&m, 2, kinds, handles);
	match(&m, by_handle, 3);
	match(&m, by_order, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(by_handle[i].work.why, ETC_WORK_NO_NODE);
		assert_int_equal(by_order[i].work.why, ETC_WORK_NO_NODE);
	}
	etc_arena_release(&m.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_the_nodes_of_their_handle_in_order),
		cmocka_unit_test(more_events_than_nodes_stay_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
