/* region.h -- a reserved address range whose memory grows in place.
 *
 * A malloc'ed block of a few megabytes cannot grow in place, and transparent huge pages only
 * start at the first 2 MB boundary inside it, so most of it stays on small pages. A region is
 * an address range aligned to a huge page, of which more and more becomes memory. */
#ifndef ETC_BASE_REGION_H
#define ETC_BASE_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* Reserves `room` bytes of address space in whole huge pages (ETC_HUGE_PAGE), none of them usable
 * yet. NULL if that is not possible; this does not count as an allocation failure: use
 * etc_malloc(). */
void *etc_region_take(size_t room);

/* Makes the bytes from `from` to `to`, whole huge pages, usable and zeroed; pages are allocated
 * when they are touched, as huge pages if `huge` and possible. False: not available, as above. */
bool etc_region_extend(void *region, size_t from, size_t to, bool huge);

void etc_region_release(void *region, size_t room);

#endif
