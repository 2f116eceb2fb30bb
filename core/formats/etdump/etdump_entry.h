/* etdump_entry.h -- decodes one Event of an ETDump: the part that goes to the template, and its
 * times, size and offsets. Profile events are decoded inline, because this is the hottest path of
 * the program. Private to the ETDump reader. */
#ifndef ETC_FORMATS_ETDUMP_ETDUMP_ENTRY_H
#define ETC_FORMATS_ETDUMP_ETDUMP_ENTRY_H

#include "formats/etdump/etdump_reader.h"

/* Decodes the DebugEvent and the AllocationEvent of `event`. Not inlined, because they are rare. */
void etc_etdump_others(struct etc_etdump_reader *r, struct etc_fb_table event,
                       struct etc_entry *x) ETC_COLD;

static ETC_INLINE void etc_etdump_profile(struct etc_etdump_reader *r, struct etc_fb_table p,
                                          struct etc_entry *x)
{
	struct etc_fb *fb = &r->fb;
	struct etc_event *e = &x->event;
	struct etc_fb_vec metadata = etc_fb_vector(fb, p, PROFILE_METADATA, 1);

	e->kind = ETC_EVENT_PROFILE;
	e->name = etc_fb_sized(fb, p, PROFILE_NAME);
	e->has_name = e->name.ptr != NULL;
	e->delegate_name = etc_fb_sized(fb, p, PROFILE_DELEGATE_ID_STR);
	e->has_delegate_name = e->delegate_name.ptr != NULL;
	e->chain = (uint64_t)(int64_t)etc_fb_i32(fb, p, PROFILE_CHAIN_INDEX, 0);
	e->instruction_id = etc_fb_i32(fb, p, PROFILE_INSTRUCTION_ID, -1);
	e->delegate_id = etc_fb_i32(fb, p, PROFILE_DELEGATE_ID_INT, -1);
	x->metadata_at = metadata.count ? (uint32_t)(metadata.at - 4) : 0;
	x->start = etc_fb_u64(fb, p, PROFILE_START, 0);
	x->end = etc_fb_u64(fb, p, PROFILE_END, 0);
}

/* Decodes one Event. Damage is recorded as the fault of r->fb. */
static ETC_INLINE void etc_etdump_entry(struct etc_etdump_reader *r, struct etc_fb_table event,
                                        struct etc_entry *x)
{
	bool others = etc_fb_has(event, EVENT_ALLOCATION) || etc_fb_has(event, EVENT_DEBUG);
	struct etc_fb_table p =
		etc_fb_sub(&r->fb, etc_layouts(r, TABLE_PROFILE), event, EVENT_PROFILE);

	x->profile = p;
	x->event.also_debug = x->event.also_allocation = false;
	if (p.at) {
		etc_etdump_profile(r, p, x);
	} else {
		*x = (struct etc_entry){ .profile = p, .event.kind = ETC_EVENT_EMPTY };
		x->event.delegate_id = x->event.instruction_id = -1;
	}
	if (others)
		etc_etdump_others(r, event, x);
}

/* Stores the times of a profile event and the position of its metadata as sample number
 * `sample`. */
static ETC_INLINE void etc_etdump_store(struct etc_etdump_reader *r, const struct etc_entry *x,
                                        size_t sample)
{
	r->start[sample] = x->start;
	r->end[sample] = x->end;
	if (x->end < x->start)
		r->any_wrap = true;
	if (x->metadata_at) {
		r->metadata_at[sample] = x->metadata_at;
		r->any_metadata = true;
	}
}

#endif
