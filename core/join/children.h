/* children.h -- the sites of expanded events (parts of another event): their columns, and how
 * their times are decoded. */
#ifndef ETC_JOIN_CHILDREN_H
#define ETC_JOIN_CHILDREN_H

#include "join/site.h"

/* The children of the event at `site`; NULL: none. `*first` is the index of the first
 * child among all children of the template. */
const struct etc_children *etc_sites_children(const struct etc_sites *sites, uint32_t site,
                                              uint32_t *first);

/* Fills the children's columns for the samples that were sent last. False if out of
 * memory. */
bool etc_sites_fill(struct etc_sites *sites, uint32_t site, const struct etc_children *said);

/* Sets readings, parents and facts of expanded events, after etc_sites_own() has set those of all
 * other events. Facts live in `arena`. E0904. */
enum etc_status etc_sites_expanded(struct etc_sites *sites, struct etc_arena *arena,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
