/* etdump_list.c -- the list of events of a run. */
#include "base/text.h"
#include "formats/etdump/etdump_entry.h"
#include "formats/etdump/etdump_hint.h"

bool etc_etdump_list(struct etc_etdump_reader *r, struct etc_fb_vec events, struct etc_event *list,
                     struct etc_hint *hints, struct etc_shape *shape)
{
	struct etc_fb_layouts *layouts = etc_layouts(r, TABLE_EVENT);
	size_t sample = r->samples;
	struct etc_entry x = { 0 };
	bool ascii = true;

	*shape = (struct etc_shape){ .events = list };
	etc_etdump_fetch_events(r, events);
	for (; shape->count < events.count; shape->count++) {
		struct etc_event *e = &list[shape->count];
		struct etc_fb_table event = etc_fb_element(&r->fb, layouts, events, shape->count);

		etc_etdump_entry(r, event, &x);
		if (r->fb.fault)
			break;
		if (hints)
			etc_hint_make(&r->fb, event, &x, &hints[shape->count]);
		*e = x.event;
		ascii = ascii && etc_is_ascii(etc_event_name(e)) &&
		        etc_is_ascii(etc_event_delegate_name(e));
		if (e->kind == ETC_EVENT_PROFILE) {
			e->column = shape->profiles++;
			etc_etdump_store(r, &x, sample++);
		} else if (e->kind == ETC_EVENT_DEBUG) {
			e->column = shape->debugs++;
		} else if (e->kind == ETC_EVENT_ALLOCATION) {
			e->column = shape->allocations++;
		} else {
			e->column = shape->empties++;
		}
		e->word = (uint8_t)etc_event_word(etc_event_name(e));
		shape->doubles += e->also_debug || e->also_allocation;
	}
	r->samples = sample;
	return ascii;
}
