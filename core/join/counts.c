/* counts.c -- counts the events of a path by kind; see measure.h */
#include "join/measure.h"

void etc_measure_count(struct etc_profile_path *path, const struct etc_sites *sites, uint32_t zeros)
{
	uint32_t calls = 0, delegates = 0, truncated = 0, synthetic = 0, placed = 0;
	struct etc_str backend = { 0 };
	uint64_t resolution = 0;

	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];
		const struct etc_reading *as = s->reading;
		const struct etc_group *group = etc_sites_group(sites, i);

		calls += s->delegate_call;
		delegates += s->delegate && !s->expanded;
		placed += s->delegate && !s->expanded && group && group->how == ETC_PLACE_EXACT;
		truncated += as->resolution > 0;
		if (as->resolution && truncated == 1)
			backend = as->backend;
		else if (as->resolution && !etc_str_eq(backend, as->backend))
			backend = (struct etc_str){ 0 };
		resolution = as->resolution > resolution ? as->resolution : resolution;
		synthetic += as->synthetic;
	}
	if (delegates < path->delegate_events)
		return;
	path->partitions = calls;
	path->delegate_events = delegates;
	path->truncated_events = truncated;
	path->zero_events = zeros;
	path->resolution = resolution;
	path->placed_events = placed;
	path->truncated_on = backend;
	path->synthetic_events = synthetic;
}
