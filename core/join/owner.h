/* owner.h -- finds the owner of each delegate call's events, and applies its answers.
 *
 * The owner is a plugin, found by the backend's name or by probing. Without one, some
 * backends are recognised by the form of their names (model/builtin.h). All other events
 * are on the runtime's clock if their interval lies inside of their DELEGATE_CALL. */
#ifndef ETC_JOIN_OWNER_H
#define ETC_JOIN_OWNER_H

#include "host/host.h"
#include "join/method.h"
#include "join/site.h"
#include "model/builtin.h"

/* Filled when owners are only asked for the children of their events. */
struct etc_expansion {
	struct etc_children *children; /* per site */
	struct etc_arena *lists;
};

struct etc_join_input {
	const struct etc_trace *trace;
	struct etc_host *host;           /* NULL: no plugins */
	const struct etc_method *method; /* method of the path; never NULL */
	struct etc_host_clock clock;
	/* also parse metadata: by the owner, else by [backend.ID] */
	bool metadata;
	bool places;                     /* also ask the owner for the nodes of its events */
	struct etc_expansion *expansion; /* or NULL */
};

/* Sets owner, time and name of every site; `runs` are those of the shape. Facts and names
 * live in `arena`. E0605 (two owners), E0904. */
enum etc_status etc_sites_own(struct etc_sites *sites, const struct etc_join_input *in,
                              const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

/* The built-in backend that gives such names, or NULL. */
const struct etc_builtin *etc_builtin_named(struct etc_str name);

/* Does the name end in " #n", as those of such a backend do? */
bool etc_name_has_ordinal(struct etc_str name);

/* Without the " #n" at its end. */
struct etc_str etc_name_without_ordinal(struct etc_str name, struct etc_arena *arena);

/* Selects the runs of a shape whose samples are sent to plugins, by enum etc_run_use of
 * each: the typical ones; if there are none, the kept ones, or all. Returns their number;
 * `out` has room for all. */
size_t etc_runs_asked(const uint32_t *run, const uint8_t *use, size_t count, uint32_t *out);

#endif
