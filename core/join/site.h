/* site.h -- what is known of the events of a shape before any time is looked at.
 *
 * A site is one profile event of a shape. Which call it belongs to, who owns
 * it, what its row is called: all of that follows from names and ids alone, so
 * it is found once per shape and not once per run. */
#ifndef ETC_JOIN_SITE_H
#define ETC_JOIN_SITE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/facts.h"
#include "model/profile.h"

struct etc_mapped;

#define ETC_NO_SITE UINT32_MAX

struct etc_site {
	const struct etc_event *event;
	uint32_t call;       /* site of its instruction event, or ETC_NO_SITE */
	uint32_t parent;     /* named by the owner, or ETC_NO_SITE: by time */
	bool instruction;    /* OPERATOR_CALL, DELEGATE_CALL, JF_CALL, MOVE_CALL, FREE_CALL */
	bool delegate_call;  /* the DELEGATE_CALL among them */
	bool nameless;       /* OPERATOR_CALL without a kernel, called by its number */
	bool delegate;       /* carries a delegate id */
	bool native;         /* native_call_<kernel> */
	bool timed;          /* a plugin, or the built-in XNNPACK rule, said what its time is */
	bool synthetic;      /* its start was not measured */
	uint8_t unit, clock; /* ETCORE_UNIT_*, ETCORE_CLOCK_*; unit of the raw ticks is folded
	                        * into `scale` or `factor` where its length is known */
	uint8_t why;         /* enum etc_detach: detached whatever the run says */
	uint64_t scale;      /* units of the row per tick, at least 1 */
	double factor;       /* the same where it is no whole number; 0: it is */
	uint64_t wraps_at;   /* its counter restarts there; 0: never */
	uint64_t resolution; /* truncated to whole multiples of it; 0: exact */
	struct etc_str name; /* of the row */
	struct etc_str backend;
	const struct etc_facts *facts;
	const struct etc_parsed
		*metadata;               /* what its metadata says; NULL: not asked for, or none */
	const struct etc_mapped *mapped; /* what map_event said; NULL: not asked, or nothing */
	const struct etc_place *place;   /* its nodes; NULL: not asked for */
	const struct etc_group *group;   /* of the row, with --by module and source */
	struct etc_str category;
	const struct etc_row_event *keys; /* of a row by event; else NULL */
	bool hidden; /* stands for nothing under this key: no row, no part in the tree */
};

/* Ticks in units of the row: to the nearest unit where a tick is no whole number of
 * them; UINT64_MAX where that is too much. */
uint64_t etc_site_units(const struct etc_site *site, uint64_t ticks);

/* All sites of a shape, in file order. */
struct etc_sites {
	struct etc_site *v;
	uint32_t count;
	uint32_t root; /* Method::execute or Program::load_method, or ETC_NO_SITE */
	bool is_load;
	bool scaled;  /* a scale differs from 1 */
	bool wraps;   /* a counter restarts */
	uint8_t unit; /* of the runtime's own events */
	uint64_t den; /* times are counted in 1/den of their unit */
};

/* What kind of run a shape is. */
enum etc_run_kind { ETC_RUN_OTHER, ETC_RUN_EXECUTE, ETC_RUN_LOAD };

struct etc_host_clock {
	uint8_t unit;   /* ETCORE_UNIT_NS, CYCLES or TICKS */
	uint64_t scale; /* units per tick; with `den`, scale / den */
	uint64_t den;   /* 0 is 1. All times of a profile are counted in 1/den of their unit, so
	                 * that a tick of 5/6 ns is a whole number, too */
};

static inline uint64_t etc_clock_den(struct etc_host_clock clock)
{
	return clock.den ? clock.den : 1;
}

/* Fills sites with what the events say themselves; `root` by the kind of run.
 * E0904. */
enum etc_status etc_sites_make(struct etc_sites *sites, const struct etc_shape *shape,
                               struct etc_host_clock clock, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

/* The call of every event: the next instruction event of the same (chain,
 * instruction) in the file, else the last before it. The runtime logs an event
 * when it ends, so no time is needed. `scratch` holds what is not returned. */
enum etc_status etc_sites_calls(struct etc_sites *sites, struct etc_arena *scratch,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Which kind of run, and the index of its root among the profile events. */
enum etc_run_kind etc_shape_kind(const struct etc_shape *shape, uint32_t *root);

#endif
