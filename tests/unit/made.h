/* made.h -- traces made by hand, for tests whose expected values are computed on paper. A template
 * is a list of events, a run the start and end of each of them. */
#ifndef ETC_UNIT_MADE_H
#define ETC_UNIT_MADE_H

#include "unit.h"

#include "etcore/plugin.h"
#include "join/owner.h"

enum { MADE_EVENTS = 16, MADE_TEMPLATES = 8, MADE_RUNS = 16 };

/* One event of a template. If `chain` is -1, it belongs to no instruction. */
struct made_event {
	const char *name;
	int chain, instruction;
	const char *delegate; /* delegate id as text, or NULL */
};

#define INSIDE(name, instruction)          \
	{                                  \
		name, 0, instruction, NULL \
	}
#define DELEGATE(name, instruction)      \
	{                                \
		"", 0, instruction, name \
	}
#define AROUND(name)              \
	{                         \
		name, -1, 0, NULL \
	}

struct made {
	struct etc_arena arena;
	struct etc_event events[MADE_TEMPLATES][MADE_EVENTS];
	struct etc_template templates[MADE_TEMPLATES];
	struct etc_run runs[MADE_RUNS];
	uint64_t start[MADE_RUNS * MADE_EVENTS], end[MADE_RUNS * MADE_EVENTS];
	struct etc_trace trace;
};

static const struct etc_run_head made_head;

static inline void made_begin(struct made *m)
{
	memset(m, 0, sizeof *m);
	etc_arena_init(&m->arena, 16 << 20);
	m->trace.runs = m->runs;
	m->trace.heads = &made_head;
	m->trace.templates = m->templates;
	m->trace.start = m->start;
	m->trace.end = m->end;
}

static inline void made_end(struct made *m)
{
	etc_arena_release(&m->arena);
}

/* Adds a template; returns its index. */
static inline uint32_t made_template(struct made *m, const struct made_event *events,
                                     uint32_t count)
{
	uint32_t n = (uint32_t)m->trace.template_count++;

	assert_true(n < MADE_TEMPLATES && count <= MADE_EVENTS);
	for (uint32_t i = 0; i < count; i++) {
		const struct made_event *e = &events[i];

		m->events[n][i] = (struct etc_event){
			.name = etc_arena_sized(&m->arena, etc_str_of(e->name)),
			.has_name = true,
			.word = (uint8_t)etc_event_word(etc_str_of(e->name)),
			.delegate_name = etc_arena_sized(&m->arena, etc_str_of(e->delegate)),
			.has_delegate_name = e->delegate != NULL,
			.delegate_id = -1,
			.chain = (uint64_t)(int64_t)e->chain,
			.instruction_id = e->instruction,
			.column = i,
		};
	}
	m->templates[n] = (struct etc_template){ .events = m->events[n],
		                                 .count = count,
		                                 .profiles = count,
		                                 .first_run = (uint32_t)m->trace.run_count };
	return n;
}

/* Adds a run of a template; times[i] is the start and end of event i. Returns the run's index. */
static inline size_t made_run(struct made *m, uint32_t template, const uint64_t (*times)[2])
{
	size_t run = m->trace.run_count++, first = m->trace.sample_count;

	assert_true(run < MADE_RUNS);
	m->runs[run] = (struct etc_run){ .template = template, .first_sample = (uint32_t)first };
	for (uint32_t i = 0; i < m->templates[template].count; i++) {
		m->start[first + i] = times[i][0];
		m->end[first + i] = times[i][1];
	}
	m->trace.sample_count += m->templates[template].count;
	return run;
}

/* Makes the sites of a template (its events, with owner and place). No plugin is asked. */
static inline void made_sites(struct made *m, uint32_t template, struct etc_host_clock clock,
                              struct etc_sites *sites)
{
	static const struct etc_method unknown;
	struct etc_join_input in = { .trace = &m->trace, .method = &unknown, .clock = clock };
	struct etc_error err = { 0 };
	uint32_t runs[MADE_RUNS];
	size_t count = 0;

	for (uint32_t r = 0; r < m->trace.run_count; r++)
		if (m->runs[r].template == template)
			runs[count++] = r;
	assert_ok(etc_sites_make(sites, &m->templates[template], clock, &m->arena, &err), &err);
	assert_ok(etc_sites_calls(sites, &err), &err);
	assert_ok(etc_sites_own(sites, &in, runs, count, &m->arena, &err), &err);
}

static const struct etc_host_clock made_ns = { .unit = ETCORE_UNIT_NS, .scale = 1 };

#endif
