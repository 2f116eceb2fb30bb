/* region.h -- addresses of its own for memory that grows where it lies.
 *
 * What malloc gives cannot grow, and the huge pages of a large block begin up to 2 MB behind
 * its head: in blocks of some megabytes most pages are small for good. A region is addresses
 * from the begin of a huge page on, of which more and more become memory. */
#ifndef ETC_BASE_REGION_H
#define ETC_BASE_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* `room` bytes, whole huge pages (ETC_HUGE_PAGE), none of which may be touched yet. NULL: not to
 * be had. That is no refusal yet: ask etc_malloc(). */
void *etc_region_take(size_t room);

/* Makes zeroed memory of the bytes from `from` to `to`, whole huge pages; pages are taken when
 * they are touched, huge ones where that is wished and possible. False: refused, as above. */
bool etc_region_extend(void *region, size_t from, size_t to, bool huge);

void etc_region_release(void *region, size_t room);

#endif
