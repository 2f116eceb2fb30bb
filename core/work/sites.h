/* sites.h -- the work of the events of an event list: fills etc_sites.work. */
#ifndef ETC_WORK_SITES_H
#define ETC_WORK_SITES_H

#include "join/method.h"
#include "join/site.h"

/* The graphs of delegates, each read once. */
struct etc_works {
	struct etc_arena *arena;
	struct etc_map graphs; /* address of a blob, 8 bytes -> struct etc_work_graph */
};

void etc_works_init(struct etc_works *w, struct etc_arena *arena);

/* Fills sites->work, after etc_sites_key(). Answers of map_event are needed. E0904. */
enum etc_status etc_works_of(struct etc_works *w, struct etc_sites *sites,
                             struct etc_error *err) ETC_MUST_CHECK;

#endif
