/* etdump_sparse.c -- a trace without columns of times; times are decoded again on request.
 *
 * For callers that read the times of at most half of the runs, and only once. Decoding these times
 * again is cheaper than storing 16 bytes per event, because the operating system clears memory
 * before a process gets it.
 *
 * Every offset was checked when the file was read, and is checked again here, because the file may
 * have changed; times outside of the file are 0. */
#include "formats/etdump/etdump_hint.h"

enum { AHEAD = 16 };

struct again {
	struct etc_sparse sparse; /* must be the first member: callers have a pointer to it */
	struct etc_fb fb;
	struct etc_fb_layouts run, event, profile;
	const struct etc_run *runs;
	const struct etc_template *templates;
	struct etc_hint *const *hints; /* for each template, the hints that were made while the file
	                                * was read; NULL: none */
	uint64_t *start, *end;
};

struct times {
	uint64_t start, end;
};

/* Returns the times of event `i`; 0 if it is not a profile event. */
static ETC_COLD struct times follow_event(struct again *a, struct etc_fb_vec events, size_t i)
{
	struct etc_fb_table t = etc_fb_element(&a->fb, &a->event, events, i);
	struct etc_fb_table p = etc_fb_sub(&a->fb, &a->profile, t, EVENT_PROFILE);

	return (struct times){ etc_fb_u64(&a->fb, p, PROFILE_START, 0),
		               etc_fb_u64(&a->fb, p, PROFILE_END, 0) };
}

/* Returns the times of event `i`. Reads them at the offsets in the event's hint, if the event has
 * the hint's layout. */
static ETC_INLINE struct times read_event(struct again *a, struct etc_bytes f,
                                          struct etc_fb_vec events, const struct etc_hint *hints,
                                          size_t i)
{
	size_t at = events.at + 4 * i, profile;

	if (!hints || !etc_hint_leads(f, at, &hints[i], &profile))
		return follow_event(a, events, i);
	return (struct times){ etc_load64(f.ptr + profile + hints[i].start),
		               etc_load64(f.ptr + profile + hints[i].end) };
}

/* Reads the times of a run that has only profile events. */
static void read_all(struct again *a, struct etc_fb_vec events, const struct etc_hint *hints)
{
	const struct etc_bytes f = { a->fb.ptr, a->fb.len };
	uint64_t *start = a->start, *end = a->end;

	for (size_t i = 0; i < events.count; i++) {
		struct times t;

		if (i + AHEAD < events.count)
			etc_hint_fetch_event(f, events.at + 4 * (i + AHEAD));
		t = read_event(a, f, events, hints, i);
		start[i] = t.start;
		end[i] = t.end;
	}
}

/* Returns the index that profile event number `place` has in the event list. The search starts at
 * index `i`, which must not be after that event. */
static ETC_INLINE uint32_t event_at(const struct etc_template *template, uint32_t i, uint32_t place)
{
	if (template->profiles == template->count)
		return place;
	i = i > place ? i : place;
	while (template->events[i].kind != ETC_EVENT_PROFILE || template->events[i].column != place)
		i++;
	return i;
}

/* Reads the times of `count` profile events: those whose numbers are in `places`, or all if
 * `places` is NULL. */
static void read_some(struct again *a, struct etc_fb_vec events,
                      const struct etc_template *template, const struct etc_hint *hints,
                      const uint32_t *places, uint32_t count)
{
	const struct etc_bytes f = { a->fb.ptr, a->fb.len };

	for (uint32_t k = 0, i = 0; k < count; k++) {
		uint32_t place = places ? places[k] : k;
		struct times t = { 0, 0 };

		i = event_at(template, i, place);
		if (i < events.count)
			t = read_event(a, f, events, hints, i);
		a->start[place] = t.start;
		a->end[place] = t.end;
	}
}

static struct etc_run_times read_again(struct etc_sparse *sparse, size_t run,
                                       const uint32_t *places, size_t count)
{
	struct again *a = (struct again *)sparse;
	const struct etc_run *r = &a->runs[run];
	const struct etc_template *template = &a->templates[r->template];
	const struct etc_hint *hints = a->hints[r->template];
	struct etc_fb_table t = etc_fb_table_at(&a->fb, &a->run, r->at);
	struct etc_fb_vec events = etc_fb_vector(&a->fb, t, RUN_EVENTS, 4);

	/* If the file was changed, the run may have another number of events now. Use at most the
	 * original number. */
	events.count = events.count < template->count ? events.count : template->count;
	if (!places && template->profiles == events.count)
		read_all(a, events, hints);
	else
		read_some(a, events, template, hints, places,
		          places ? (uint32_t)count : template->profiles);
	return (struct etc_run_times){ a->start, a->end };
}

enum etc_status etc_sparse_init(struct etc_etdump_reader *r, struct etc_error *err)
{
	struct again *a = etc_new(r->arena, struct again, 1);
	size_t runs = r->out->run_count, events = r->longest;

	/* The columns for one run. They are allocated as one block, because a larger block is more
	 * likely to get huge pages. */
	r->start = etc_new(r->arena, uint64_t, events * 2);
	r->metadata_at = etc_new(r->arena, uint32_t, events);
	ETC_NEED(a && r->start && r->metadata_at, err);
	r->end = r->start + events;
	r->sparse = &a->sparse;
	r->place = etc_new(&r->scratch, uint32_t, runs);
	a->sparse.start = etc_new(r->arena, uint64_t, runs);
	a->sparse.end = etc_new(r->arena, uint64_t, runs);
	a->sparse.read = read_again;
	ETC_NEED(r->place && a->sparse.start && a->sparse.end, err);
	etc_fb_init(&a->fb, (struct etc_span){ r->fb.ptr, r->fb.len }, SIZE_MAX);
	etc_fb_layouts_init(&a->run, &etc_etdump_types[TABLE_RUN]);
	etc_fb_layouts_init(&a->event, &etc_etdump_types[TABLE_EVENT]);
	etc_fb_layouts_init(&a->profile, &etc_etdump_types[TABLE_PROFILE]);
	a->runs = r->runs;
	a->templates = r->templates.list;
	a->hints = r->templates.hints;
	/* these columns can be reused: the reader needs them only until it has read all runs */
	a->start = r->start;
	a->end = r->end;
	return ETC_OK;
}

void etc_sparse_keep(struct etc_etdump_reader *r, size_t i)
{
	uint32_t number = r->runs[i].template, *place = &r->place[number];
	struct etc_template *template = &r->templates.list[number];

	if (template->first_run == i)
		*place = r->keep(template);
	if (*place < r->samples) {
		r->sparse->start[i] = r->start[*place];
		r->sparse->end[i] = r->end[*place];
	}
	r->passed += r->samples;
	r->samples = 0;
}
