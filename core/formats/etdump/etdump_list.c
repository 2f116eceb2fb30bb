/* etdump_list.c -- decodes the event list of a run. */
#include "base/text.h"
#include "formats/etdump/etdump_entry.h"
#include "formats/etdump/etdump_hint.h"

bool etc_etdump_list(struct etc_etdump_reader *r, struct etc_fb_vec events, struct etc_event *list,
                     struct etc_hint *hints, struct etc_template *template)
{
	struct etc_fb_layouts *layouts = etc_layouts(r, TABLE_EVENT);
	size_t sample = r->samples;
	struct etc_entry x = { 0 };
	bool ascii = true;

	*template = (struct etc_template){ .events = list };
	etc_etdump_fetch_events(r, events);
	for (; template->count < events.count; template->count++) {
		struct etc_event *e = &list[template->count];
		struct etc_fb_table event =
			etc_fb_element(&r->fb, layouts, events, template->count);

		etc_etdump_entry(r, event, &x);
		if (r->fb.fault)
			break;
		if (hints)
			etc_hint_make(&r->fb, event, &x, &hints[template->count]);
		*e = x.event;
		ascii = ascii && etc_is_ascii(etc_event_name(e)) &&
		        etc_is_ascii(etc_event_delegate_name(e));
		if (e->kind == ETC_EVENT_PROFILE) {
			e->column = template->profiles++;
			etc_etdump_store(r, &x, sample++);
		} else if (e->kind == ETC_EVENT_DEBUG) {
			e->column = template->debugs++;
		} else if (e->kind == ETC_EVENT_ALLOCATION) {
			e->column = template->allocations++;
		} else {
			e->column = template->empties++;
		}
		e->word = (uint8_t)etc_event_word(etc_event_name(e));
		template->doubles += e->also_debug || e->also_allocation;
	}
	r->samples = sample;
	return ascii;
}
