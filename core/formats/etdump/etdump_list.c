/* etdump_list.c -- the list of events of a run, made by one thread or by several.
 *
 * A graph has a hundred thousand events, and while its list is made all else waits. So a long
 * one is cut into parts, one for each thread, as if there were profile events only: then the
 * place of each is known beforehand. Where there are others, or something is odd, one thread
 * makes all of it anew. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "formats/etdump/etdump_ahead.h"
#include "formats/etdump/etdump_entry.h"
#include "formats/etdump/etdump_hint.h"

enum { LEAST = 2048 }; /* events of a part: less is done before a thread has started */

/* From event shape->count on, up to event `to`. */
static bool make(struct etc_etdump_reader *r, struct etc_fb_vec events, size_t to,
                 struct etc_event *list, struct etc_hint *hints, struct etc_shape *shape)
{
	struct etc_fb_layouts *layouts = etc_layouts(r, TABLE_EVENT);
	size_t sample = r->samples;
	struct etc_entry x = { 0 };
	bool ascii = true;

	etc_etdump_fetch_events(r, events, shape->count, to);
	for (; shape->count < to; shape->count++) {
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

struct part {
	struct etc_etdump_reader reader;
	struct etc_trace found;
	struct etc_shape shape;
	bool ascii;
};

struct work {
	const struct etc_etdump_reader *r;
	struct etc_fb_vec events;
	struct etc_event *list;
	struct etc_hint *hints;
	unsigned count;
	struct part *parts;
};

static void make_part(void *work, unsigned part)
{
	const struct work *w = work;
	struct part *p = &w->parts[part];
	uint32_t from = (uint32_t)etc_part_begin(w->events.count, w->count, part);
	size_t to = etc_part_begin(w->events.count, w->count, part + 1);

	etc_etdump_apart(w->r, &p->reader, &p->found);
	p->reader.samples += from;
	p->reader.any_metadata = false;
	p->shape = (struct etc_shape){ .count = from, .profiles = from };
	p->ascii = make(&p->reader, w->events, to, w->list, w->hints, &p->shape);
}

/* False: nothing is made. */
static bool make_by_parts(struct work *w, struct etc_etdump_reader *r, struct etc_shape *shape,
                          bool *ascii)
{
	struct etc_refusal known = etc_memory_refused();
	bool usual = true, any_metadata = false;

	w->parts = etc_new(&r->scratch, struct part, w->count);
	etc_memory_forgive(known); /* more threads only save time */
	if (!w->parts)
		return false;
	etc_parallel(w->count, make_part, w);
	*ascii = true;
	for (unsigned k = 0; k < w->count; k++) {
		const struct part *p = &w->parts[k];

		usual = usual && !etc_etdump_is_odd(&p->reader) &&
		        p->shape.profiles == p->shape.count && !p->shape.doubles;
		any_metadata = any_metadata || p->reader.any_metadata;
		r->any_wrap = r->any_wrap || p->reader.any_wrap;
		*ascii = *ascii && p->ascii;
	}
	if (!usual && any_metadata)
		memset(r->metadata_at + r->samples, 0, w->events.count * sizeof *r->metadata_at);
	if (!usual)
		return false;
	r->any_metadata = r->any_metadata || any_metadata;
	r->samples += w->events.count;
	shape->count = shape->profiles = (uint32_t)w->events.count;
	return true;
}

bool etc_etdump_list(struct etc_etdump_reader *r, struct etc_fb_vec events, struct etc_event *list,
                     struct etc_hint *hints, struct etc_shape *shape)
{
	struct work w = { .r = r,
		          .events = events,
		          .list = list,
		          .hints = hints,
		          .count = etc_parts(r->jobs, events.count / LEAST) };
	bool ascii;

	*shape = (struct etc_shape){ .events = list };
	if (w.count > 1 && make_by_parts(&w, r, shape, &ascii))
		return ascii;
	return make(r, events, events.count, list, hints, shape);
}
