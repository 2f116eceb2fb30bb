/* site.h -- the events of a template, without their times.
 *
 * A site is one profile event of a template (an event list). Its call, owner and row name
 * depend on names and ids only, so they are computed once per template, not once per run. */
#ifndef ETC_JOIN_SITE_H
#define ETC_JOIN_SITE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/facts.h"
#include "model/profile.h"
#include "model/work.h"

struct etc_mapped;
struct etc_method;

#define ETC_NO_SITE UINT32_MAX

/* The decoding of an event's times, and its backend. Immutable: many events share one. */
struct etc_reading {
	struct etc_str backend;
	uint64_t scale, per; /* `per` ticks are `scale` times `unit`; per 0 means 1 */
	uint64_t wraps_at;   /* the counter wraps around at this value; 0: never */
	uint64_t resolution; /* times are truncated to multiples of this; 0: exact */
	/* `unit` is one of ETCORE_UNIT_*, `clock` one of ETCORE_CLOCK_*. If the length of a tick is
	 * known, the unit is nanoseconds, and `scale` and `per` convert ticks to it. */
	uint8_t unit, clock;
	/* enum etc_detach: the reason why the event is detached in every run; 0: it is not detached
	 * in every run */
	uint8_t why;
	bool timed;     /* a plugin, or the rule for a built-in backend, described the times */
	bool synthetic; /* its start time was made up, not measured */
};

/* Answers of plugins for an event. */
struct etc_said {
	const struct etc_facts *facts;
	const struct etc_parsed *metadata; /* NULL: not requested, or none */
	const struct etc_mapped *mapped;   /* answer of map_event; NULL: not requested, or none */
};

/* A site has 16 bytes, because an event list may have a hundred thousand sites, and loops go over
 * all of them. Rarely-set fields are in parallel arrays of struct etc_sites. */
struct etc_site {
	const struct etc_reading *reading; /* never NULL */
	uint32_t call;                     /* site of its instruction event, or ETC_NO_SITE */
	bool instruction : 1;   /* OPERATOR_CALL, DELEGATE_CALL, JF_CALL, MOVE_CALL or FREE_CALL */
	bool delegate_call : 1; /* DELEGATE_CALL */
	/* an OPERATOR_CALL whose operator is unknown: neither the program nor a kernel event names
	 * it */
	bool nameless : 1;
	/* the event's backend was recognised by the form of the event's name (model/builtin.h) */
	bool by_rule : 1;
	bool delegate : 1; /* carries a delegate id */
	bool native : 1;   /* native_call_<kernel> */
	bool expanded : 1; /* made from another event by a plugin; added by join/expand.h */
	bool hidden : 1;   /* the site has no row with the key of --by; it is then detached */
};

/* Converts ticks to a number of reading->unit, rounded to the nearest. etc_reading_units() returns
 * UINT64_MAX on overflow. */
etc_u128 etc_reading_wide(const struct etc_reading *reading, uint64_t ticks);
uint64_t etc_reading_units(const struct etc_reading *reading, uint64_t ticks);

static inline bool etc_reading_rounds(const struct etc_reading *reading)
{
	return reading->per > 1;
}

static inline bool etc_reading_scales(const struct etc_reading *reading)
{
	return reading->scale != 1 || reading->per > 1;
}

/* Do both readings have the same tick length? */
static inline bool etc_reading_same_rate(const struct etc_reading *a, const struct etc_reading *b)
{
	return a->scale == b->scale && etc_reading_rounds(a) == etc_reading_rounds(b) &&
	       (a->per == b->per || !etc_reading_rounds(a));
}

struct etc_host_clock {
	uint8_t unit;   /* ETCORE_UNIT_NS, CYCLES or TICKS */
	uint64_t scale; /* units per tick; if `den` is not 0, scale / den units per tick */
	/* Times of a profile are multiples of 1/den of their unit, so that a tick of 5/6 ns is an
	 * integer too. 0 means 1. */
	uint64_t den;
};

enum { ETC_READINGS_KNOWN = 4 };

/* The sites whose work differs from run to run. Their entries in etc_sites.work are empty. */
struct etc_varying {
	const uint32_t *site;
	uint32_t count;
	/* Sets `*out` to the work of the sites `site` in a run of the trace. It is valid until the
	 * next call. E0904. */
	enum etc_status (*of_run)(const struct etc_varying *v, uint32_t run,
	                          const struct etc_work **out, struct etc_error *err);
};

/* All sites of a template, in file order. */
struct etc_sites {
	struct etc_arena *arena;
	const struct etc_event *events;  /* events of the template */
	const struct etc_method *method; /* NULL: not known */
	struct etc_site *v;
	uint32_t count;
	const struct etc_expanded *expanded; /* the events that expand_event() added */
	uint32_t expanded_count;
	/* for each expanded event, its columns in the latest answer of its plugin; NULL: its
	 * columns in the first answer are used */
	const struct etc_parsed **expanded_columns;
	/* Arrays with one entry per site: */
	/* for each site, the index of its event in the template; NULL: equal to the site's index */
	const uint32_t *event;
	uint32_t *parent; /* parents, read by etc_site_parent(); NULL: no owner names parents */
	struct etc_said **said; /* answers of plugins, read by etc_site_said(); NULL: none */
	/* site of Method::execute or Program::load_method; ETC_NO_SITE: there is none */
	uint32_t root;
	bool is_load;
	bool scaled; /* at some site, a tick is not one unit of time */
	/* some sites are on a clock that is not the runtime's, and whose tick length is known */
	bool clocks;
	bool rounds;   /* at some site, a tick is not a whole number of units of time */
	bool wraps;    /* a counter wraps around */
	bool parallel; /* some sites run in parallel: ETC_DETACH_PARALLEL */
	bool repeats;  /* an instruction runs more than once; set by etc_sites_calls() */
	struct etc_host_clock clock;
	uint8_t unit; /* unit of the runtime's own events */
	/* the key of --by by which rows are named (enum etc_by), set by etc_sites_key() */
	uint8_t by;
	uint64_t den; /* times are counted in 1/den of their unit */
	/* The most recently used readings; a new reading usually equals one of these. */
	const struct etc_reading *known[ETC_READINGS_KNOWN];
	/* Arrays with one entry per site that exist only if requested: */
	/* the place of each site; NULL: not requested; `bare` and `graph` are then not set */
	const struct etc_place **place;
	bool bare; /* places only have nodes, and etc_sites_place_of() returns NULL */
	const struct etc_graph *graph; /* the graph of the places' nodes, or NULL */
	/* name: name of the site's row under the key of --by; category: category of the row. Both
	 * are NULL if rows are by operator */
	struct etc_str *name, *category;
	/* for each nameless site, the name that the record gives; empty for other sites */
	struct etc_str *by_record;
	const struct etc_row_event **keys; /* for each site, its names under all keys of --by; set
					    * for rows by event or fallback */
	uint32_t *kernel; /* site of the kernel of each OPERATOR_CALL; only with --by fallback */
	struct etc_work *work; /* operations and bytes of each site; set by work/sites.h */
	const struct etc_varying *varying; /* sites whose work varies by run; NULL: none */
	/* events that move at most this many bytes may find them in a cache; 0: the cache is
	 * ignored */
	uint64_t cache_bytes;
};

/* Sets how the site's times are decoded. False: out of memory. */
bool etc_sites_read(struct etc_sites *sites, struct etc_site *site,
                    const struct etc_reading *reading);

static inline const struct etc_event *etc_site_event(const struct etc_sites *sites,
                                                     const struct etc_site *site)
{
	size_t i = (size_t)(site - sites->v);

	return &sites->events[sites->event ? sites->event[i] : i];
}

/* Returns the parent of a site if it does not depend on times: the parent that the owner named, or,
 * for an instruction event without such a parent, the root. ETC_NO_SITE: the times of each run
 * decide which event is the parent. */
static inline uint32_t etc_site_parent(const struct etc_sites *sites, uint32_t site)
{
	if (sites->parent)
		return sites->parent[site];
	return sites->v[site].instruction ? sites->root : ETC_NO_SITE;
}

/* Sets the site's parent, which the plugin that owns the event has named. False: out of memory. */
bool etc_sites_hang(struct etc_sites *sites, const struct etc_site *site, uint32_t parent);

static inline struct etc_said etc_site_said(const struct etc_sites *sites,
                                            const struct etc_site *site)
{
	const struct etc_said *said = sites->said ? sites->said[site - sites->v] : NULL;

	return said ? *said : (struct etc_said){ 0 };
}

/* Returns the memory for the answers about a site, which the caller fills in. NULL: out of
 * memory. */
struct etc_said *etc_sites_say(struct etc_sites *sites, const struct etc_site *site);

/* Returns the nodes, module and source line of a site; NULL: they were not requested, or only nodes
 * were (etc_sites.bare). */
const struct etc_place *etc_sites_place_of(const struct etc_sites *sites, uint32_t site);
/* Returns the module (--by module, fallback) or the source line (--by source) that the nodes of a
 * site have in common; NULL: etc_sites_place_of() returns NULL, or rows have another key. */
const struct etc_group *etc_sites_group(const struct etc_sites *sites, uint32_t site);

/* What the runs of an event list are: executions of a method, loads of a method, or other runs. */
enum etc_run_kind { ETC_RUN_OTHER, ETC_RUN_EXECUTE, ETC_RUN_LOAD };

static inline uint64_t etc_clock_den(struct etc_host_clock clock)
{
	return clock.den ? clock.den : 1;
}

/* Returns the clock with each part of its unit divided into `times` parts. */
static inline struct etc_host_clock etc_clock_finer(struct etc_host_clock clock, uint64_t times)
{
	clock.den = etc_clock_den(clock) * times;
	clock.scale *= times;
	return clock;
}

/* Returns the least multiple f of `finer` such that, with etc_clock_finer(clock, f), the tick of
 * each site is a whole number of parts. If f would exceed `most` because of some clock, the ticks
 * of this clock are rounded instead, to 1/1000 of a unit or finer if possible. */
uint64_t etc_sites_finer(const struct etc_sites *sites, uint64_t finer, uint64_t most);

/* Makes the sites from the events themselves; `root` depends on the kind of run. Later
 * additions are allocated in `arena` too. E0904. */
enum etc_status etc_sites_make(struct etc_sites *sites, const struct etc_template *template,
                               struct etc_host_clock clock, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Sets the call of every event. It is the next instruction event in the file with the event's chain
 * and instruction; if there is none, the last such event before it. Times are not needed, since the
 * runtime logs an event when it ends. E0904. */
enum etc_status etc_sites_calls(struct etc_sites *sites, struct etc_error *err) ETC_MUST_CHECK;

/* Is the event an OPERATOR_CALL, DELEGATE_CALL or another instruction event of the runtime? */
bool etc_event_is_instruction(const struct etc_event *e);

/* Returns the kind of the template's runs. Sets `*root` to the index, among the profile events, of
 * the event of the whole run (Method::execute or Program::load_method). */
enum etc_run_kind etc_template_kind(const struct etc_template *template, uint32_t *root);

/* Stores the two results of etc_template_kind() in the template. */
void etc_template_learn(struct etc_template *template);

#endif
