/* sites.h -- the work of the events of an event list: fills etc_sites.work. */
#ifndef ETC_WORK_SITES_H
#define ETC_WORK_SITES_H

#include "join/method.h"
#include "join/site.h"
#include "model/trace.h"

/* The graphs of delegates. Each graph is read once. */
struct etc_works {
	struct etc_arena *arena;
	struct etc_map graphs; /* maps a blob's address (8 bytes) to its struct etc_work_graph */
	struct etc_arena scratch, each;
};

void etc_works_init(struct etc_works *w, struct etc_arena *arena);
void etc_works_release(struct etc_works *w);

/* Fills sites->work and sites->varying. Called after etc_sites_key(), and after plugins answered
 * map_event. `w` must outlive the sites. E0904. */
enum etc_status etc_works_of(struct etc_works *w, struct etc_sites *sites,
                             const struct etc_trace *trace, uint32_t template,
                             struct etc_error *err) ETC_MUST_CHECK;

#endif
