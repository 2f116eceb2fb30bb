/* owner.h -- who explains the delegate events of a call, and what they say.
 *
 * A loaded plugin by the backend's name or by probing; without one, some are
 * known by the pattern of their names (model/builtin.h); everything else keeps its generic view:
 * the runtime's clock if its interval lies inside its DELEGATE_CALL. */
#ifndef ETC_JOIN_OWNER_H
#define ETC_JOIN_OWNER_H

#include "host/host.h"
#include "join/method.h"
#include "join/site.h"
#include "model/builtin.h"

/* What is filled in when owners are asked what their events consist of, and nothing else. */
struct etc_expansion {
	struct etc_children *children; /* of each site */
	struct etc_arena *lists;
};

struct etc_join_input {
	const struct etc_trace *trace;
	struct etc_host *host;           /* NULL: no plugins */
	const struct etc_method *method; /* of the path; never NULL */
	struct etc_host_clock clock;
	bool metadata;                   /* read it too: by the owner, else as [backend.ID] says */
	bool places;                     /* ask the owner which nodes its events are */
	struct etc_expansion *expansion; /* or NULL */
};

/* Fills owner, time and name of every site; `runs` are those of the shape.
 * Facts and names live in `arena`. E0605 (two owners), E0904. */
enum etc_status etc_sites_own(struct etc_sites *sites, const struct etc_join_input *in,
                              const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

/* The backend, of those known without a plugin, that gives such names; NULL: none does. */
const struct etc_builtin *etc_builtin_named(struct etc_str name);

/* Does it end in " #n", as all names of such a backend do? */
bool etc_name_has_ordinal(struct etc_str name);

/* Without the " #n" at its end. */
struct etc_str etc_name_without_ordinal(struct etc_str name, struct etc_arena *arena);

/* Which of some runs of a shape plugins are asked about, by enum etc_run_use of each: the typical
 * ones; without one those that were kept, or all. How many; `out` has room for all. */
size_t etc_runs_asked(const uint32_t *run, const uint8_t *use, size_t count, uint32_t *out);

#endif
