/* site.h -- what is known of the events of a shape without their times.
 *
 * A site is one profile event of a shape (an event list). Its call, its owner and the name
 * of its row follow from names and ids alone, so they are found once per shape and not once
 * per run. */
#ifndef ETC_JOIN_SITE_H
#define ETC_JOIN_SITE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/facts.h"
#include "model/profile.h"

struct etc_mapped;
struct etc_method;

#define ETC_NO_SITE UINT32_MAX

/* How the times of an event are to be read, and whose they are. Never changed once it is
 * made: many events share one. */
struct etc_reading {
	struct etc_str backend;
	uint64_t scale, per; /* `per` ticks are `scale` units of the row; per 0 is 1 */
	uint64_t wraps_at;   /* its counter restarts there; 0: never */
	uint64_t resolution; /* truncated to whole multiples of it; 0: exact */
	uint8_t unit, clock; /* ETCORE_UNIT_*, ETCORE_CLOCK_*; unit of the raw ticks is folded
	                      * into `scale` and `per` where its length is known */
	uint8_t why;         /* enum etc_detach: detached whatever the run says */
	bool timed;          /* a plugin, or the built-in XNNPACK rule, said what its time is */
	bool synthetic;      /* its start was not measured */
};

/* What plugins said of an event. */
struct etc_said {
	const struct etc_facts *facts;
	const struct etc_parsed *metadata; /* NULL: not asked for, or none */
	const struct etc_mapped *mapped;   /* what map_event said; NULL: not asked, or nothing */
};

/* 16 bytes, because a large graph has a hundred thousand of them and loops go over all.
 * Rarely-set fields are in parallel arrays of struct etc_sites. */
struct etc_site {
	const struct etc_reading *reading; /* never NULL */
	uint32_t call;                     /* site of its instruction event, or ETC_NO_SITE */
	bool instruction : 1;   /* OPERATOR_CALL, DELEGATE_CALL, JF_CALL, MOVE_CALL, FREE_CALL */
	bool delegate_call : 1; /* the DELEGATE_CALL among them */
	bool nameless : 1;      /* OPERATOR_CALL without a kernel, called by its number */
	bool by_rule : 1;       /* called as the built-in XNNPACK rule says */
	bool delegate : 1;      /* carries a delegate id */
	bool native : 1;        /* native_call_<kernel> */
	bool expanded : 1;      /* a part of another, by its owner: join/expand.h */
	bool hidden : 1;        /* stands for nothing under this key: no row, no part in the tree */
};

/* Ticks in units of the row: to the nearest unit where a tick is no whole number of
 * them; UINT64_MAX where that is too much. */
uint64_t etc_reading_units(const struct etc_reading *reading, uint64_t ticks);

static inline bool etc_reading_rounds(const struct etc_reading *reading)
{
	return reading->per > 1;
}

static inline bool etc_reading_scales(const struct etc_reading *reading)
{
	return reading->scale != 1 || reading->per > 1;
}

/* Do ticks of both take equally long? */
static inline bool etc_reading_same_rate(const struct etc_reading *a, const struct etc_reading *b)
{
	return a->scale == b->scale && etc_reading_rounds(a) == etc_reading_rounds(b) &&
	       (a->per == b->per || !etc_reading_rounds(a));
}

struct etc_host_clock {
	uint8_t unit;   /* ETCORE_UNIT_NS, CYCLES or TICKS */
	uint64_t scale; /* units per tick; with `den`, scale / den */
	uint64_t den;   /* 0 is 1. All times of a profile are counted in 1/den of their unit, so
	                 * that a tick of 5/6 ns is a whole number, too */
};

enum { ETC_READINGS_KNOWN = 4 };

/* All sites of a shape, in file order. */
struct etc_sites {
	struct etc_arena *arena;
	const struct etc_event *events;  /* of the shape */
	const struct etc_method *method; /* NULL: not known */
	struct etc_site *v;
	uint32_t count;
	const struct etc_expanded *expanded; /* of the shape */
	uint32_t expanded_count;
	const struct etc_parsed **expanded_columns; /* of each; NULL: as they were said first */
	/* Of each site: */
	const uint32_t *event;  /* its place in the shape; NULL: its own number */
	uint32_t *parent;       /* by etc_site_parent(); NULL: the owner names none */
	struct etc_said **said; /* NULL: nothing; by etc_site_said() */
	uint32_t root;          /* Method::execute or Program::load_method, or ETC_NO_SITE */
	bool is_load;
	bool scaled;   /* a tick is not one unit */
	bool clocks;   /* some are of another clock than the runtime's, of known length */
	bool rounds;   /* ticks of some are no whole number of units: nest_round.c */
	bool wraps;    /* a counter restarts */
	bool parallel; /* some run in parallel: ETC_DETACH_PARALLEL */
	bool repeats;  /* an instruction runs more than once; after etc_sites_calls() */
	struct etc_host_clock clock;
	uint8_t unit; /* of the runtime's own events */
	uint8_t by;   /* enum etc_by: what the names are, after etc_sites_key() */
	uint64_t den; /* times are counted in 1/den of their unit */
	/* The readings that were made last: new ones are mostly among them. */
	const struct etc_reading *known[ETC_READINGS_KNOWN];
	/* Of each site, where somebody asks: */
	const struct etc_place **place;    /* NULL: nobody does, as below */
	const struct etc_graph *graph;     /* that the nodes of the places are of, or NULL */
	struct etc_str *name, *category;   /* while names are other keys; else its own */
	struct etc_str *by_record;         /* of nameless ones, by the record; else empty */
	const struct etc_row_event **keys; /* of rows by event or fallback */
	uint32_t *kernel; /* by fallback: of an OPERATOR_CALL, the site of its kernel */
};

/* Sets how the site's timestamps are decoded. False: no memory. */
bool etc_sites_read(struct etc_sites *sites, struct etc_site *site,
                    const struct etc_reading *reading);

static inline const struct etc_event *etc_site_event(const struct etc_sites *sites,
                                                     const struct etc_site *site)
{
	size_t i = (size_t)(site - sites->v);

	return &sites->events[sites->event ? sites->event[i] : i];
}

/* Named by the owner, or that of all instructions; ETC_NO_SITE: by time. */
static inline uint32_t etc_site_parent(const struct etc_sites *sites, uint32_t site)
{
	if (sites->parent)
		return sites->parent[site];
	return sites->v[site].instruction ? sites->root : ETC_NO_SITE;
}

/* The owner names it; false: no memory. */
bool etc_sites_hang(struct etc_sites *sites, const struct etc_site *site, uint32_t parent);

/* Of its row; {NULL, 0}: no memory for one that has to be made. */
struct etc_str etc_site_name(const struct etc_sites *sites, uint32_t site, struct etc_arena *arena);

static inline struct etc_said etc_site_said(const struct etc_sites *sites,
                                            const struct etc_site *site)
{
	const struct etc_said *said = sites->said ? sites->said[site - sites->v] : NULL;

	return said ? *said : (struct etc_said){ 0 };
}

/* To be filled in; NULL: no memory. */
struct etc_said *etc_sites_say(struct etc_sites *sites, const struct etc_site *site);

/* Its nodes and what they have in common under the key; NULL: not asked for. */
const struct etc_place *etc_sites_place_of(const struct etc_sites *sites, uint32_t site);
const struct etc_group *etc_sites_group(const struct etc_sites *sites, uint32_t site);

/* What kind of run a shape is. */
enum etc_run_kind { ETC_RUN_OTHER, ETC_RUN_EXECUTE, ETC_RUN_LOAD };

static inline uint64_t etc_clock_den(struct etc_host_clock clock)
{
	return clock.den ? clock.den : 1;
}

/* Fills sites with what the events say themselves; `root` by the kind of run. `arena` is
 * that of what they are given later, too. E0904. */
enum etc_status etc_sites_make(struct etc_sites *sites, const struct etc_shape *shape,
                               struct etc_host_clock clock, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

/* The call of every event: the next instruction event of the same (chain,
 * instruction) in the file, else the last before it. The runtime logs an event
 * when it ends, so no time is needed. E0904. */
enum etc_status etc_sites_calls(struct etc_sites *sites, struct etc_error *err) ETC_MUST_CHECK;

/* OPERATOR_CALL, DELEGATE_CALL, … of the runtime. */
bool etc_event_is_instruction(const struct etc_event *e);

/* Which kind of run, and the index of its root among the profile events. */
enum etc_run_kind etc_shape_kind(const struct etc_shape *shape, uint32_t *root);

/* The same, once for all: who asks several times must not look at all names each time. */
void etc_shape_learn(struct etc_shape *shape);

#endif
