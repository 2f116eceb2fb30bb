/* roll_templates.c -- see roll_templates.h
 *
 * Runs of one path have the same calls, but plugins are called for each template separately. Events
 * of different templates count as one event if they have the same call, ids and name, and the same
 * number among the events of this call with these ids and this name. */
#include "join/roll_templates.h"

#include <stdalign.h>
#include <stddef.h>

#include "base/map.h"
#include "base/text.h"

/* The answers of plugins about an event, made for the runs of one template. */
struct said {
	struct said *next;
	struct etc_said said;
	size_t runs;
};

/* A row that shows an event, and the event's time in it. `row` is ETC_NO_SITE if no row shows
 * it. */
struct place {
	struct place *next;
	uint32_t row;
	uint64_t time;
};

struct event {
	struct event *next; /* the next event, in order of first appearance */
	/* the answers of plugins about this event: first the answer for the most runs, then the
	 * others; `end` points to the link to which the next answer is appended */
	struct said *said, **end;
	struct place *places;
	bool listed;
};

/* Counts the events of one template that have the same call, ids and name. */
struct alike {
	uint32_t template, count; /* `template`: number of the template; `count`: number of events
				   * counted so far */
};

struct etc_rolled_templates {
	struct etc_arena *arena;
	struct etc_map alike; /* maps the call, ids and name of an event to a struct alike */
	/* maps a key to a struct event. The key is a pointer to the struct alike of an event, and
	 * the number of the event among the events with this struct alike */
	struct etc_map events;
	struct event *first, **last;
	/* for each site of the event list, its struct event; NULL: the site has no columns yet */
	struct event **event;
	size_t runs;
	uint32_t template; /* number of the current template, from 1 */
};

struct etc_rolled_templates *etc_rolled_templates_new(struct etc_arena *arena)
{
	struct etc_rolled_templates *all = etc_new(arena, struct etc_rolled_templates, 1);

	if (!all)
		return NULL;
	all->arena = arena;
	all->last = &all->first;
	etc_map_init(&all->alike, arena);
	etc_map_init(&all->events, arena);
	return all;
}

/* Returns the value of a key. For a new key, the value is allocated and zeroed. NULL: out of
 * memory. */
static void *find(struct etc_map *map, struct etc_str key, size_t size)
{
	size_t at = etc_map_get(map, key);
	void *made;

	if (at != ETC_MAP_NONE)
		return (void *)at;
	made = etc_arena_alloc(map->arena, size, alignof(max_align_t), 1);
	if (!made || etc_map_intern(map, key, (size_t)made) == ETC_MAP_NONE)
		return NULL;
	return made;
}

/* Returns the struct event of a site. The same event in other templates has the same struct. NULL:
 * out of memory. `call` is the number of the site's call in the template, from 1; 0: the site has
 * no call. */
static struct event *event_of(struct etc_rolled_templates *all, const struct etc_sites *sites,
                              const struct etc_site *site, uint32_t call)
{
	const struct etc_event *e = etc_site_event(sites, site);
	struct etc_str id = etc_event_delegate_name(e), name = etc_event_name(e);
	struct etc_text text = { 0 };
	struct alike *alike;
	struct event *event;
	struct {
		const struct alike *of;
		uint64_t number;
	} key;

	etc_text_printf(&text, "%u %d %u ", call, (int)e->delegate_id, (unsigned)id.len);
	etc_text_put(&text, id);
	etc_text_put(&text, name);
	alike = text.failed ? NULL : find(&all->alike, etc_text_str(&text), sizeof *alike);
	etc_text_release(&text);
	if (!alike)
		return NULL;
	if (alike->template != all->template)
		*alike = (struct alike){ .template = all->template };
	memset(&key, 0, sizeof key);
	key.of = alike;
	key.number = alike->count++;
	event = find(&all->events, (struct etc_str){ (const char *)&key, sizeof key },
	             sizeof *event);
	if (event && !event->listed) {
		event->listed = true;
		*all->last = event;
		all->last = &event->next;
	}
	return event;
}

/* Adds `said` to the event's list of answers. The list begins with the answer that was made for the
 * most runs; if there are several such answers, with the earliest. */
static bool say(struct etc_rolled_templates *all, struct event *event, struct etc_said said)
{
	struct said *new = etc_new(all->arena, struct said, 1), *most = event->said;
	bool first = !most || all->runs > most->runs;

	if (!new)
		return false;
	*new = (struct said){ .next = first ? most : NULL, .said = said, .runs = all->runs };
	if (first)
		event->said = new;
	else
		*event->end = new;
	if (!new->next)
		event->end = &new->next;
	return true;
}

static bool says_any(const struct etc_sites *sites)
{
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_said said = etc_site_said(sites, &sites->v[i]);

		if (etc_rolls(&said))
			return true;
	}
	return false;
}

bool etc_rolled_templates_begin(struct etc_rolled_templates *all, const struct etc_sites *sites,
                                size_t runs)
{
	uint32_t *number, calls = 0;
	bool ok;

	all->event = NULL;
	if (!all->first && !says_any(sites))
		return true;
	all->template ++;
	all->runs = runs;
	all->event = etc_new(all->arena, struct event *, sites->count);
	number = etc_new(all->arena, uint32_t, sites->count);
	ok = number && all->event;
	for (uint32_t i = 0; ok && i < sites->count; i++)
		number[i] = sites->v[i].instruction ? ++calls : 0;
	for (uint32_t i = 0; ok && i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];
		struct etc_said said = etc_site_said(sites, s);
		bool says = etc_rolls(&said);

		if (!s->delegate && !says)
			continue;
		all->event[i] = event_of(all, sites, s,
		                         s->call == ETC_NO_SITE ? number[i] : number[s->call]);
		ok = all->event[i] && (!says || say(all, all->event[i], said));
	}
	return ok;
}

bool etc_rolled_templates_add(struct etc_rolled_templates *all, uint32_t site, uint32_t row,
                              uint64_t time)
{
	struct event *event = all->event ? all->event[site] : NULL;
	struct place **at = event ? &event->places : NULL;

	if (!event)
		return true;
	while (*at && (*at)->row != row)
		at = &(*at)->next;
	if (!*at)
		*at = etc_new(all->arena, struct place, 1);
	if (!*at)
		return false;
	(*at)->row = row;
	(*at)->time += time > UINT64_MAX - (*at)->time ? UINT64_MAX - (*at)->time : time;
	return true;
}

static bool roll(const struct etc_rolled_templates *all, const struct event *event,
                 struct etc_rolled *to, uint64_t time)
{
	bool ok = true;

	for (const struct said *said = event->said; said && ok; said = said->next)
		ok = etc_roll(to, &said->said, time, said != event->said, all->arena);
	return ok;
}

bool etc_rolled_templates_end(const struct etc_rolled_templates *all, struct etc_rolled *rows,
                              struct etc_rolled *path)
{
	bool ok = true;

	for (const struct event *e = all->first; e && ok; e = e->next) {
		uint64_t time = 0;

		for (const struct place *k = e->places; k && ok; k = k->next) {
			time += k->time > UINT64_MAX - time ? UINT64_MAX - time : k->time;
			ok = k->row == ETC_NO_SITE || roll(all, e, &rows[k->row], k->time);
		}
		ok = ok && (!path || roll(all, e, path, time));
	}
	return ok;
}
