/* templates.c -- finds the event list (template) of a run.
 *
 * Two templates are tried first for a run: the template that followed the previous run's template
 * last time (in a loop, this is the same template), then the previous run's template itself. If the
 * run has neither, its list is built, hashed with a seed, and looked up among all templates; the
 * lookup is omitted if no template has as many events. Times are stored while the run is compared
 * with a template. So a run is read only once if the first template is right, and once more after
 * each wrong one. */
#include "base/map.h"
#include "base/memory.h"
#include "formats/etdump/etdump_entry.h"
#include "formats/etdump/etdump_hint.h"

enum { AHEAD = 16, FEW = 16 };

struct etc_template_slot {
	uint64_t hash; /* 0: the slot is free */
	uint32_t template;
};

static ETC_INLINE bool same_texts(const struct etc_event *a, const struct etc_event *b)
{
	return etc_same_text(etc_event_name(a), etc_event_name(b)) &&
	       etc_same_text(etc_event_delegate_name(a), etc_event_delegate_name(b));
}

static ETC_INLINE bool same_event(const struct etc_event *a, const struct etc_event *b)
{
	return a->instruction_id == b->instruction_id && a->delegate_id == b->delegate_id &&
	       a->chain == b->chain && a->kind == b->kind && a->has_name == b->has_name &&
	       a->has_delegate_name == b->has_delegate_name && a->also_debug == b->also_debug &&
	       a->also_allocation == b->also_allocation && same_texts(a, b);
}

static uint64_t hash_event(uint64_t h, const struct etc_event *e)
{
	uint64_t flags = (uint64_t)e->kind | (uint64_t)e->has_name << 8 |
	                 (uint64_t)e->has_delegate_name << 9 | (uint64_t)e->also_debug << 10 |
	                 (uint64_t)e->also_allocation << 11;

	h = etc_hash_mix(h, (uint64_t)(uint32_t)e->instruction_id << 32 | (uint32_t)e->delegate_id);
	h = etc_hash_mix(etc_hash_mix(h, e->chain), flags);
	return etc_hash_text(etc_hash_text(h, etc_event_name(e)), etc_event_delegate_name(e));
}

static uint64_t hash_template(const struct etc_template *template)
{
	uint64_t hash = etc_hash((struct etc_str){ NULL, 0 }); /* the seed */

	for (uint32_t i = 0; i < template->count; i++)
		hash = hash_event(hash, &template->events[i]);
	return hash ? hash : 1;
}

/* Returns the hints of template `number`, which are allocated on the first call. NULL: out of
 * memory, which is no error, because hints only save time. A sparse trace keeps the hints, because
 * it reads times later. */
static struct etc_hint *hints_of(struct etc_etdump_reader *r, size_t number, size_t count)
{
	struct etc_hint **hints = &r->templates.hints[number];

	if (!*hints) {
		struct etc_refusal known = etc_memory_refused();
		struct etc_arena *arena = r->keep ? r->arena : &r->scratch;

		*hints = etc_new(arena, struct etc_hint, count);
		if (!*hints)
			etc_memory_forgive(known);
	}
	return *hints;
}

/* Called for an event that differs from its hint, or has no hint. Decodes event `i` completely, and
 * compares it with event `i` of the template. Returns false if they differ or the file is damaged.
 * Makes a hint at the first of these calls. After ETC_HINT_PATIENCE further calls, the next call
 * makes a new hint, and so on. */
static ETC_NOINLINE bool follows_event(struct etc_etdump_reader *r, struct etc_fb_vec events,
                                       size_t i, const struct etc_template *template,
                                       struct etc_hint *hint, size_t *sample)
{
	struct etc_fb_table event = etc_fb_element(&r->fb, etc_layouts(r, TABLE_EVENT), events, i);
	struct etc_entry x = { 0 };

	etc_etdump_entry(r, event, &x);
	if (!same_event(&x.event, &template->events[i]) || r->fb.fault)
		return false;
	if (x.event.kind == ETC_EVENT_PROFILE)
		etc_etdump_store(r, &x, (*sample)++);
	if (hint && hint->misses == 0)
		etc_hint_make(&r->fb, event, &x, hint);
	if (hint)
		hint->misses = hint->misses ? hint->misses - 1 : ETC_HINT_PATIENCE;
	return true;
}

/* Do the `events` of a run equal template `number`? Then their times are stored at
 * r->start[r->samples] and after. */
static bool follow(struct etc_etdump_reader *r, struct etc_fb_vec events, uint32_t number)
{
	const struct etc_bytes b = { r->fb.ptr, r->fb.len };
	const struct etc_template *template = &r->templates.list[number];
	uint64_t *start = r->start, *end = r->end;
	size_t sample = r->samples, count = events.count;
	struct etc_hint *hints;
	struct etc_hinted found;

	if (template->count != count)
		return false;
	etc_etdump_fetch_events(r, events);
	hints = hints_of(r, number, count);
	for (size_t i = 0; i < count; i++) {
		struct etc_hint *hint = hints ? &hints[i] : NULL;

		if (hint && i + AHEAD < count)
			etc_hint_fetch(b, events.at + 4 * (i + AHEAD), hint + AHEAD);
		if (!hint || !etc_hint_holds(b, events.at + 4 * i, hint, &found)) {
			if (!follows_event(r, events, i, template, hint, &sample))
				return false;
			continue;
		}
		start[sample] = found.start;
		end[sample] = found.end;
		if (found.end < found.start)
			r->any_wrap = true;
		if (found.metadata_at) {
			r->metadata_at[sample] = found.metadata_at;
			r->any_metadata = true;
		}
		sample++;
	}
	r->samples = sample;
	return true;
}

static bool same_template(const struct etc_template *a, const struct etc_template *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (!same_event(&a->events[i], &b->events[i]))
			return false;
	return true;
}

/* Returns the slot with a template that equals `template`, or else the free slot where `template`
 * belongs. */
static struct etc_template_slot *find(const struct etc_templates *s,
                                      const struct etc_template *template, uint64_t hash)
{
	for (size_t i = hash & (s->room - 1);; i = (i + 1) & (s->room - 1)) {
		struct etc_template_slot *slot = &s->slots[i];

		if (slot->hash == 0 ||
		    (slot->hash == hash && same_template(&s->list[slot->template], template)))
			return slot;
	}
}

/* Returns memory for a list of `count` events: the spare list or a new one. NULL: out of memory. */
static struct etc_event *list_for(struct etc_etdump_reader *r, size_t count)
{
	struct etc_templates *s = &r->templates;

	/* A spare list of more than twice the size is not reused, because the template would keep
	 * all of its memory. */
	if (s->spare && s->spare_room >= count && s->spare_room / 2 <= count)
		return s->spare;
	s->spare = etc_new(r->arena, struct etc_event, count);
	s->spare_room = count;
	return s->spare;
}

/* Does no known template have `count` events? Then the run's template must be new, and the lookup
 * can be omitted. */
static bool is_alone(const struct etc_templates *s, size_t count)
{
	if (s->count > FEW)
		return false;
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].count == count)
			return false;
	return true;
}

/* Does the run after `index` also have `count` events? Then it probably has the same list. */
static bool goes_on(struct etc_etdump_reader *r, size_t index, size_t count)
{
	return index + 1 < r->out->run_count && etc_etdump_events(r, index + 1).count == count;
}

/* Makes room for one more template. */
static bool make_room(struct etc_etdump_reader *r)
{
	struct etc_templates *s = &r->templates;
	size_t room = s->room ? s->room * 2 : 16, from = s->room;
	struct etc_template_slot *old = s->slots;

	if (s->count < s->room / 2)
		return true;
	s->slots = etc_new(r->arena, struct etc_template_slot, room);
	if (!s->slots)
		return false;
	s->room = room;
	for (size_t k = 0; k < from; k++) {
		size_t i = old[k].hash & (room - 1);

		while (old[k].hash && s->slots[i].hash)
			i = (i + 1) & (room - 1);
		if (old[k].hash)
			s->slots[i] = old[k];
	}
	return true;
}

/* Adds to the hash table those templates that were created without a lookup. */
static void file_templates(struct etc_templates *s)
{
	for (; s->filed < s->count; s->filed++) {
		const struct etc_template *template = &s->list[s->filed];
		uint64_t hash = hash_template(template);

		*find(s, template, hash) = (struct etc_template_slot){ hash, (uint32_t)s->filed };
	}
}

static void add(struct etc_etdump_reader *r, const struct etc_template *template, bool ascii)
{
	struct etc_templates *s = &r->templates;

	s->list[s->count] = *template;
	s->next[s->count] = (uint32_t)s->count;
	s->count++;
	s->spare = NULL;
	s->spare_room = 0;
	r->listed += template->count;
	for (uint32_t i = 0; !ascii && i < template->count; i++) {
		etc_etdump_text(r, etc_event_name(&template->events[i]));
		etc_etdump_text(r, etc_event_delegate_name(&template->events[i]));
	}
}

/* Looks up the template of a run whose template was not predicted; adds it if it is new. */
static enum etc_status search(struct etc_etdump_reader *r, size_t index, struct etc_fb_vec events,
                              uint32_t *found, struct etc_error *err)
{
	struct etc_templates *s = &r->templates;
	struct etc_event *list = list_for(r, events.count);
	bool alone = is_alone(s, events.count), ascii;
	struct etc_hint *hints = NULL;
	struct etc_template_slot *slot;
	struct etc_template template;
	uint64_t hash;

	ETC_NEED(list && make_room(r), err);
	if (alone && goes_on(r, index, events.count))
		hints = hints_of(r, s->count, events.count);
	ascii = etc_etdump_list(r, events, list, hints, &template);
	ETC_TRY(etc_context(err, etc_fb_check(&r->fb, err), "event %u", (unsigned)template.count));
	template.first_run = (uint32_t)index;
	*found = (uint32_t)s->count;
	if (!alone) {
		file_templates(s);
		hash = hash_template(&template);
		slot = find(s, &template, hash);
		if (slot->hash) {
			*found = slot->template;
			return ETC_OK;
		}
		*slot = (struct etc_template_slot){ hash, *found };
		s->filed++;
	}
	add(r, &template, ascii);
	return ETC_OK;
}

enum etc_status etc_templates_match(struct etc_etdump_reader *r, size_t index,
                                    struct etc_fb_vec events, struct etc_error *err)
{
	struct etc_templates *s = &r->templates;
	uint32_t last = index ? r->runs[index - 1].template : 0;
	uint32_t *template = &r->runs[index].template;

	if (s->count && follow(r, events, s->next[last]))
		*template = s->next[last];
	else if (s->count && s->next[last] != last && follow(r, events, last))
		*template = last;
	else
		ETC_TRY(search(r, index, events, template, err));
	if (index)
		s->next[last] = *template;
	return ETC_OK;
}
