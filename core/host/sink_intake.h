/* sink_intake.h -- private to the files that implement sink.h. */
#ifndef ETC_HOST_SINK_INTAKE_H
#define ETC_HOST_SINK_INTAKE_H

#include "host/sink.h"
#include "model/limits.h"

/* Records a fault of the plugin's answer. The first fault is kept; every later call is refused. */
etcore_result etc_intake_fault(struct etc_intake *in, const char *what, struct etc_str name);
etcore_result etc_intake_no_memory(struct etc_intake *in);

/* Every function of a sink calls this first. It counts the call, and checks that the answer has no
 * fault yet and that the limit for calls is not exceeded. */
static inline etcore_result etc_intake_admit(struct etc_intake *in)
{
	if (in->out_of_memory)
		return ETCORE_NOMEM;
	if (in->fault[0])
		return ETCORE_FAILED;
	if (++in->calls > ETC_LIMIT_PLUGIN_ITEMS)
		return etc_intake_fault(in, "more values than the limit of 1048576",
		                        (struct etc_str){ 0 });
	return ETCORE_OK;
}

etcore_result etc_intake_check(struct etc_intake *in, struct etcore_text t, struct etc_str name);
etcore_result etc_intake_copy(struct etc_intake *in, struct etcore_text t, struct etc_str *out);

/* The slow part of etc_intake_keep(). Called for a text whose address is not in recent->places, for
 * an empty text, and for an intake without cache. */
etcore_result etc_intake_look(struct etc_intake *in, struct etcore_text t, struct etc_str *out);

/* Checks a text and sets `*out` to a copy of it. If the cache has a copy of an equal text, `*out`
 * is the copy in the cache. */
static inline etcore_result etc_intake_keep(struct etc_intake *in, struct etcore_text t,
                                            struct etc_str *out)
{
	struct etc_str *place;
	etcore_result r;

	if (!in->recent || !t.ptr || t.len == 0)
		return etc_intake_look(in, t, out);
	place = &in->recent->places[etc_hash_where(t.ptr, t.len) % ETC_RECENT_PLACES];
	if (place->len == t.len && memcmp(place->ptr, t.ptr, place->len) == 0) {
		*out = *place;
		return ETCORE_OK;
	}
	r = etc_intake_look(in, t, out);
	if (r == ETCORE_OK)
		*place = *out;
	return r;
}

/* Makes room for one more element of `size` bytes in a malloc'ed array. False: out of memory. */
bool etc_intake_grow(void **array, uint32_t count, uint32_t *room, size_t size);

#endif
