/* etdump_hint.c -- see etdump_hint.h */
#include "read/etdump_hint.h"

enum { TIMES_END = 20, LONG_TEXT = 256 };

/* Distance from the table to what `field` points at, 0: absent; `*reach` grows so that
 * `bytes` more behind it are in. */
static uint32_t distance(const struct etc_fb *fb, struct etc_fb_table t, unsigned field,
                         size_t bytes, size_t *reach)
{
	size_t slot = t.layout->slot[field], to;

	if (!slot)
		return 0;
	to = slot + etc_fb_load32(fb, t.at + slot);
	*reach = to + bytes > *reach ? to + bytes : *reach;
	return to < UINT32_MAX ? (uint32_t)to : 0;
}

/* The form in which writers lay it out: the two times, then the rest in whole words. */
static bool is_usual(const struct etc_fb_layout *l)
{
	unsigned start = l->slot[PROFILE_START], end = l->slot[PROFILE_END];

	for (unsigned f = 0; f < PROFILE_START; f++)
		if (l->slot[f] && l->slot[f] < TIMES_END)
			return false;
	return ((start == 4 && end == 12) || (start == 12 && end == 4)) && l->bytes % 4 == 0 &&
	       l->bytes >= TIMES_END && l->bytes <= TIMES_END + 4 * ETC_HINT_WORDS;
}

static bool is_plain(struct etc_fb_table event, const struct etc_event *e)
{
	return e->kind == ETC_EVENT_PROFILE && etc_fb_has(event, EVENT_PROFILE) &&
	       !etc_fb_has(event, EVENT_ALLOCATION) && !etc_fb_has(event, EVENT_DEBUG);
}

/* Has the text at byte `at` a 0 behind it? What is the same has, too. */
static bool ends_in_0(const struct etc_fb *fb, size_t at, size_t len)
{
	return fb->ptr[at + 4 + len] == 0;
}

void etc_hint_make(struct etc_etdump_reader *r, size_t at, const struct etc_event *e,
                   struct etc_hint *h)
{
	struct etc_fb *fb = &r->fb;
	struct etc_fb_table event =
		etc_fb_table_at(fb, etc_layouts(r, TABLE_EVENT), etc_fb_follow(fb, at));
	struct etc_fb_table p = etc_fb_sub(fb, etc_layouts(r, TABLE_PROFILE), event, EVENT_PROFILE);
	size_t name = etc_event_name(e).len, id = etc_event_delegate_name(e).len, reach, after;

	*h = (struct etc_hint){ .tried = true };
	if (!is_plain(event, e) || !is_usual(p.layout) || name >= LONG_TEXT || id >= LONG_TEXT ||
	    p.at - event.at > UINT16_MAX)
		return;
	reach = p.layout->bytes;
	h->name = distance(fb, p, PROFILE_NAME, 4 + name + 1, &reach);
	h->id = distance(fb, p, PROFILE_DELEGATE_ID_STR, 4 + id + 1, &reach);
	h->metadata = distance(fb, p, PROFILE_METADATA, 4, &reach);
	after = p.at - event.at + reach;
	after = after > event.layout->bytes ? after : event.layout->bytes;
	if (after > INT32_MAX || (h->name && !ends_in_0(fb, p.at + h->name, name)) ||
	    (h->id && !ends_in_0(fb, p.at + h->id, id)))
		return;
	h->at = (uint32_t)event.at;
	h->after = (uint32_t)after;
	h->profile = (uint16_t)(p.at - event.at);
	h->slot = event.layout->slot[EVENT_PROFILE];
	h->words = (uint8_t)((p.layout->bytes - TIMES_END) / 4);
	h->start = (uint8_t)p.layout->slot[PROFILE_START];
	h->end = (uint8_t)p.layout->slot[PROFILE_END];
	h->name_len = (uint8_t)name;
	h->id_len = (uint8_t)id;
	h->made = true;
}
