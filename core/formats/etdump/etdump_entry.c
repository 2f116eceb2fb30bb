/* etdump_entry.c -- see etdump_entry.h. */
#include "formats/etdump/etdump_entry.h"

static void read_debug(struct etc_etdump_reader *r, struct etc_fb_table d, struct etc_entry *x)
{
	struct etc_fb *fb = &r->fb;
	struct etc_event *e = &x->event;

	e->kind = ETC_EVENT_DEBUG;
	e->name = etc_fb_sized(fb, d, DEBUG_NAME);
	e->has_name = e->name.ptr != NULL;
	e->delegate_name = etc_fb_sized(fb, d, DEBUG_DELEGATE_ID_STR);
	e->has_delegate_name = e->delegate_name.ptr != NULL;
	e->chain = etc_fb_u64(fb, d, DEBUG_CHAIN_INDEX, 0);
	e->instruction_id = etc_fb_i32(fb, d, DEBUG_INSTRUCTION_ID, -1);
	e->delegate_id = etc_fb_i32(fb, d, DEBUG_DELEGATE_ID_INT, -1);
}

static void read_allocation(struct etc_etdump_reader *r, struct etc_fb_table a, struct etc_entry *x)
{
	x->event.kind = ETC_EVENT_ALLOCATION;
	x->event.instruction_id = etc_fb_i32(&r->fb, a, ALLOCATION_ALLOCATOR_ID, 0);
	x->event.delegate_id = -1;
	x->allocation_size = etc_fb_u64(&r->fb, a, ALLOCATION_SIZE, 0);
}

void etc_etdump_others(struct etc_etdump_reader *r, struct etc_fb_table event, struct etc_entry *x)
{
	size_t debug_at = etc_fb_ref(&r->fb, event, EVENT_DEBUG);
	struct etc_fb_table a =
		etc_fb_sub(&r->fb, etc_layouts(r, TABLE_ALLOCATION), event, EVENT_ALLOCATION);
	struct etc_fb_table d = etc_fb_table_at(&r->fb, etc_layouts(r, TABLE_DEBUG), debug_at);
	bool profile = x->event.kind == ETC_EVENT_PROFILE;

	x->debug_at = d.at;
	if (profile && d.at) {
		struct etc_entry hidden = { 0 };

		x->event.also_debug = true;
		read_debug(r, d, &hidden);
		etc_etdump_text(r, etc_event_name(&hidden.event));
		etc_etdump_text(r, etc_event_delegate_name(&hidden.event));
	} else if (d.at) {
		read_debug(r, d, x);
	}
	if (a.at && (profile || d.at))
		x->event.also_allocation = true;
	else if (a.at)
		read_allocation(r, a, x);
}
