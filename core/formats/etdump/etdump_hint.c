/* etdump_hint.c -- see etdump_hint.h. */
#include "formats/etdump/etdump_hint.h"

enum { TIMES_END = ETC_HINT_TIMES_END, WORDS = 6, LENGTH = 4, LONG_TEXT = 256 };

/* Returns the distance from the table to the target of `field`; 0: the field is absent. If needed,
 * increases `*reach` so that the first `bytes` bytes of the target are before it. */
static size_t distance(const struct etc_fb *fb, struct etc_fb_table t, unsigned field, size_t bytes,
                       size_t *reach)
{
	size_t slot = t.layout->slot[field], to;

	if (!slot)
		return 0;
	to = slot + etc_fb_load32(fb, t.at + slot);
	*reach = to + bytes > *reach ? to + bytes : *reach;
	return to;
}

/* Does the layout have the form that writers use: the two times first, then other fields in whole
 * words, and no room for a field before or between the times? */
static bool is_usual(const struct etc_fb_layout *l)
{
	unsigned start = l->slot[PROFILE_START], end = l->slot[PROFILE_END];

	return ((start == 4 && end == 12) || (start == 12 && end == 4)) && l->bytes % 4 == 0 &&
	       l->bytes <= TIMES_END + 4 * WORDS;
}

static bool is_plain(struct etc_fb_table event, const struct etc_event *e)
{
	return e->kind == ETC_EVENT_PROFILE && etc_fb_has(event, EVENT_PROFILE) &&
	       !etc_fb_has(event, EVENT_ALLOCATION) && !etc_fb_has(event, EVENT_DEBUG);
}

/* Is the byte after the text at `at` a 0? Comparisons of later texts with this one include this 0,
 * so the end of an equal text need not be checked. */
static bool ends_in_0(const struct etc_fb *fb, size_t at, size_t len)
{
	return fb->ptr[at + LENGTH + len] == 0;
}

void etc_hint_make(const struct etc_fb *fb, struct etc_fb_table event, const struct etc_entry *x,
                   struct etc_hint *h)
{
	const struct etc_event *e = &x->event;
	const struct etc_fb_table p = x->profile;
	size_t name_len = etc_event_name(e).len, id_len = etc_event_delegate_name(e).len;
	size_t name, id, metadata, reach, after;

	*h = (struct etc_hint){ .made = false };
	if (!is_plain(event, e) || !is_usual(p.layout) || name_len >= LONG_TEXT ||
	    id_len >= LONG_TEXT || p.at - event.at > UINT16_MAX)
		return;
	reach = p.layout->bytes;
	name = distance(fb, p, PROFILE_NAME, LENGTH + name_len + 1, &reach);
	id = distance(fb, p, PROFILE_DELEGATE_ID_STR, LENGTH + id_len + 1, &reach);
	metadata = distance(fb, p, PROFILE_METADATA, LENGTH, &reach);
	after = p.at - event.at + reach;
	after = after > event.layout->bytes ? after : event.layout->bytes;
	if (after > UINT16_MAX || !etc_fits(fb->len, event.at, after) ||
	    event.layout->vtable > UINT32_MAX || p.layout->vtable > UINT32_MAX ||
	    (name && !ends_in_0(fb, p.at + name, name_len)) ||
	    (id && !ends_in_0(fb, p.at + id, id_len)))
		return;
	h->at = (uint32_t)p.at;
	h->vtable = (uint32_t)event.layout->vtable;
	h->profile_vtable = (uint32_t)p.layout->vtable;
	h->after = (uint16_t)after;
	h->profile = (uint16_t)(p.at - event.at);
	h->slot = event.layout->slot[EVENT_PROFILE];
	h->same = (uint8_t)(p.layout->bytes - TIMES_END);
	h->start = (uint8_t)p.layout->slot[PROFILE_START];
	h->end = (uint8_t)p.layout->slot[PROFILE_END];
	h->name_len = (uint8_t)name_len;
	h->id_len = (uint8_t)id_len;
	h->name = (uint16_t)name;
	h->id = (uint16_t)id;
	h->metadata = (uint16_t)metadata;
	h->made = true;
}
