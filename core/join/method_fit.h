/* method_fit.h -- does a path fit a method? Private to method.c.
 *
 * One template represents its path, since all templates of a path have the same instructions and
 * kernels. A hostile program (many equal methods, each with a loop) could take very long, so steps
 * are counted; once the limit is reached, nothing fits. */
#ifndef ETC_JOIN_METHOD_FIT_H
#define ETC_JOIN_METHOD_FIT_H

#include "join/method.h"

enum etc_fit {
	ETC_FIT_NONE,
	ETC_FIT_BEGIN, /* matches, but stops before the method's end */
	ETC_FIT_WHOLE
};

struct etc_walk {
	struct etc_arena *scratch;
	size_t *steps; /* steps left */
	/* Members set by etc_walk_start(): */
	const struct etc_sites *sites;
	uint8_t *kernel; /* per site: do the kernels inside match the operator (enum seen)? */
	uint32_t instructions;
	bool jumps; /* the path has a JF_CALL */
};

/* Starts a walk. `sites` must have room for the sites of the template. E0904. */
enum etc_status etc_walk_start(struct etc_walk *w, const struct etc_template *template,
                               struct etc_sites *sites, struct etc_error *err) ETC_MUST_CHECK;

/* fit[k]: enum etc_fit of each method of the program. */
void etc_walk_try_program(struct etc_walk *w, const struct etc_program *program, uint8_t *fit);

/* Sets `fits`: does the path fit the method of the record with the maps `m`? E0904. */
enum etc_status etc_walk_try_record(struct etc_walk *w, const struct etc_method_maps *m, bool *fits,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
